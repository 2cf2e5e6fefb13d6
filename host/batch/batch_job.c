/* SPDX-License-Identifier: MIT */
/*
 * Solves the pairs of a job, see batch_job.h.
 *
 * A round packs the bases and sends pairs through the levels of kernels, all enqueued at once: each
 * level finds on the device which pairs the one before has left to it. The first round takes all
 * pairs, with two planes for A, C, G and T. Pairs with other symbols (IUPAC codes) are marked, and
 * a second round solves them with planes for all symbols of the alphabet; a symbol without a code
 * then is not of the alphabet. On CPUs, which compare bytes without packing them, one round solves
 * all.
 */
#include "host/batch/batch_job.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "host/device/cl_error.h"
#include "host/device/queue.h"
#include "src/base/clock.h"
#include "src/base/error.h"
#include "src/base/int64.h"
#include "src/batch/batch_fit.h"
#include "src/planner/engine_plan.h"
#include "src/scoring/score_matrix.h"

/* Pairs between two looks at whether a job has enough bases. */
#define SOME_PAIRS ((size_t)256)

_Static_assert(sizeof(rhomb_batch_counts) % sizeof(rhomb_batch_answer) == 0,
               "answers lie after the counts, as records of one buffer");

/* The event of the next command, for a profile. */
static cl_event *timed(rhomb__batch_job *job, rhomb__batch_stage stage)
{
    return rhomb__batch_times_next(&job->times, stage);
}

void rhomb__batch_job_reset(rhomb__batch_job *job, int64_t first)
{
    rhomb__batch_job_forget_owned(job);
    job->first = first;
    job->borrowed_runs = 0;
    job->owned_pairs = job->count = job->bases_used = job->operations = job->long_bases = 0;
    job->long_count = job->other_count = job->alone_bytes = job->cigars_here = 0;
    job->sums = (rhomb__batch_sums){0};
    job->seconds_open = job->seconds_fill = job->seconds_device = job->seconds_results = 0;
    memset(job->times.seconds, 0, sizeof job->times.seconds);
}

int64_t rhomb__batch_job_host_bytes(const rhomb__batch_job *job)
{
    return job->array_bytes + job->room.bytes + job->more.bytes;
}

/* Adds those that there is room for. */
static size_t add_run(rhomb__batch_job *job, const rhomb_pair *pairs, size_t count)
{
    const rhomb__batch_shape *shape = &job->setup->shape;
    const size_t most = (size_t)rhomb__min((int64_t)count, shape->job_pairs - job->count);
    rhomb__batch_load load = {job->bases_used, job->operations, job->long_bases};
    const size_t added = rhomb__batch_fit(shape, job->setup->options.cigar, pairs, most, &load);
    if (added == 0)
        return 0;
    rhomb__batch_run *last = job->borrowed_runs > 0 ? &job->borrowed[job->borrowed_runs - 1] : NULL;
    if (last != NULL && last->pairs + last->count == pairs) {
        last->count += added;
    } else {
        if (job->borrowed_runs == RHOMB__BATCH_RUNS)
            rhomb__batch_job_own(job);
        job->borrowed[job->borrowed_runs++] = (rhomb__batch_run){pairs, added};
    }
    job->count += (int64_t)added;
    job->bases_used = load.bases;
    job->operations = load.operations;
    job->long_bases = load.long_bases;
    return added;
}

/* The same, and no more than are enough. */
static size_t add_pairs(rhomb__batch_job *job, const rhomb_pair *pairs, size_t count)
{
    size_t added = 0, run = 0, piece = 0;
    if (job->enough == 0)
        return add_run(job, pairs, count);
    while (run == piece && added < count && job->bases_used < job->enough) {
        piece = count - added < SOME_PAIRS ? count - added : SOME_PAIRS;
        run = add_run(job, pairs + added, piece);
        added += run;
    }
    return added;
}

static size_t add_cells(rhomb__batch_job *job, const rhomb__batch_cell *cells, size_t count)
{
    const rhomb__batch_set *set = job->setup->set;
    const rhomb__batch_shape *shape = &job->setup->shape;
    rhomb__batch_load load = {job->bases_used, job->operations, job->long_bases};
    size_t added = 0;
    for (; added < count && job->count < shape->job_pairs &&
           (job->enough == 0 || load.bases < job->enough);
         added++) {
        const rhomb__batch_cell *c = &cells[added];
        const rhomb_matrix_sequence *query = &set->sequences[c->row];
        const rhomb_matrix_sequence *target = &set->sequences[c->column];
        const rhomb_pair pair = {target->bases, target->length, query->bases, query->length};
        if (rhomb__batch_fit(shape, job->setup->options.cigar, &pair, 1, &load) == 0)
            break;
        if (shape->of_set)
            job->places[job->count] =
                (rhomb_batch_pair){set->positions[c->row], set->positions[c->column],
                                   (rhomb_i32)query->length, (rhomb_i32)target->length};
        job->pairs[job->count++] = pair;
    }
    job->owned_pairs = job->count;
    job->bases_used = load.bases;
    job->operations = load.operations;
    job->long_bases = load.long_bases;
    return added;
}

size_t rhomb__batch_job_add(rhomb__batch_job *job, const rhomb__batch_input *input, size_t from)
{
    return input->cells != NULL ? add_cells(job, input->cells + from, input->count - from)
                                : add_pairs(job, input->pairs + from, input->count - from);
}

void rhomb__batch_job_own(rhomb__batch_job *job)
{
    for (int32_t i = 0; i < job->borrowed_runs; i++) {
        const rhomb__batch_run *run = &job->borrowed[i];
        memcpy(job->pairs + job->owned_pairs, run->pairs, run->count * sizeof *run->pairs);
        job->owned_pairs += (int64_t)run->count;
    }
    job->borrowed_runs = 0;
}

/* Notes where pairs of a set are. */
static void take_places(rhomb__batch_job *job, rhomb_batch_pair *places)
{
    memcpy(places, job->places, (size_t)job->count * sizeof *places);
    job->longest = job->setup->set->longest;
}

/* Copies the bases and notes where the pairs are. */
static void fill_places(rhomb__batch_job *job, char *bases, rhomb_batch_pair *places)
{
    const bool past = bases == job->bases; /* a bus takes them from there */
    int64_t at = 0;
    job->longest = 0;
    for (int64_t i = 0; i < job->count; i++) {
        const rhomb_pair *pair = &job->pairs[i];
        rhomb_batch_pair *place = &places[i];
        const rhomb_batch_pair none = {0, 0, 0, 0};
        *place = none;
        if (!rhomb__batch_is_short(&job->setup->shape, pair)) {
            job->longs[job->long_count++] = (uint32_t)i;
            continue;
        }
        const int64_t longer = rhomb__max(pair->query_length, pair->target_length);
        job->longest = rhomb__max(job->longest, longer);
        place->query_at = at;
        place->query_length = (int32_t)pair->query_length;
        at = rhomb__batch_copy_bases(bases, at, pair->query, pair->query_length, past);
        place->target_at = at;
        place->target_length = (int32_t)pair->target_length;
        at = rhomb__batch_copy_bases(bases, at, pair->target, pair->target_length, past);
    }
    if (past)
        rhomb__bases_are_past();
}

/* The records before that of the first pair, in what the device receives. */
static int64_t places_at(const rhomb__batch_job *job)
{
    return rhomb__batch_places_at(job->setup->shape.of_set ? 0 : job->bases_used);
}

/* Brings the bases to the device and says where the pairs are. */
static rhomb_status fill(rhomb__batch_job *job)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_stream *stream = &job->stream;
    cl_command_queue queue = job->stream.queue;
    cl_mem on_device = job->parts[RHOMB__BATCH_SENT].handle;
    char *bases = job->bases;
    cl_int code = CL_SUCCESS;
    const int64_t before = places_at(job);
    const size_t used = (size_t)(before + job->count) * sizeof(rhomb_batch_pair);
    const double began = rhomb__now();
    if (bases == NULL)
        RHOMB_CL_OUT(stream, code,
                     bases = clEnqueueMapBuffer(queue, on_device, CL_TRUE,
                                                CL_MAP_WRITE_INVALIDATE_REGION, 0, used, 0, NULL,
                                                NULL, &code));
    rhomb_batch_pair *places = (rhomb_batch_pair *)(void *)bases + before;
    if (job->setup->shape.of_set)
        take_places(job, places);
    else
        fill_places(job, bases, places);
    if (job->bases == NULL)
        RHOMB_CL(stream, clEnqueueUnmapMemObject(queue, on_device, bases, 0, NULL,
                                                 timed(job, RHOMB__BATCH_SEND)));
    else
        RHOMB_CL(stream, clEnqueueWriteBuffer(queue, on_device, CL_FALSE, 0, used, bases, 0, NULL,
                                              timed(job, RHOMB__BATCH_SEND)));
    job->seconds_fill += rhomb__now() - began;
out:
    return status;
}

/*
 * The count of operations to read along with the answers, before the device has said how many there
 * are: as many per base as in this worker's last job, and an eighth more. A wait costs more than
 * reading some in vain. None where the device works in the host's memory, which has no such wait,
 * where there is no room for them after the answers, and for the first job.
 */
static int64_t expected_operations(const rhomb__batch_job *job)
{
    if (job->bases == NULL || job->last_bases == 0)
        return 0;
    const int64_t like_last = job->last_operations * job->bases_used / job->last_bases;
    const int64_t room = rhomb__batch_job_room_behind(job);
    return like_last <= room
               ? rhomb__min(like_last + like_last / 8, rhomb__min(job->operations, room))
               : 0;
}

int64_t rhomb__batch_job_first_operation(const rhomb__batch_job *job)
{
    return rhomb__batch_returned_bytes(&job->setup->shape, job->count, 0) /
           (int64_t)sizeof *job->cigars;
}

/* Waits for all that is enqueued, and for some bytes of the results. */
static rhomb_status fetch(rhomb__batch_job *job, size_t at, size_t bytes, void *to)
{
    rhomb_status status = RHOMB_OK;
    cl_event done = NULL;
    RHOMB_CL(&job->stream,
             clEnqueueReadBuffer(job->stream.queue, job->parts[RHOMB__BATCH_RETURNED].handle,
                                 CL_FALSE, at, bytes, to, 0, NULL, &done));
    RHOMB_CL(&job->stream, clFlush(job->stream.queue));
    RHOMB_TRY(rhomb__queue_wait(&job->stream, done));
    rhomb__batch_times_keep(&job->times, RHOMB__BATCH_FETCH, &done);
out:
    if (done != NULL)
        clReleaseEvent(done);
    return status;
}

/*
 * Packs and solves all pairs, or the `listed` ones of job->list where that is not 0, and waits for
 * the answers and the expected CIGARs. Operations are added to those of the round before.
 */
static rhomb_status run_round(rhomb__batch_job *job, rhomb__batch_bases kind, int64_t listed,
                              rhomb_batch_counts *counts)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_stream *stream = &job->stream;
    const rhomb__batch_shape *shape = &job->setup->shape;
    const int64_t expected = expected_operations(job);
    const rhomb__batch_method *method = job->setup->method;
    const double began = rhomb__now();
    const int64_t first = rhomb__batch_job_first_operation(job);
    rhomb_batch_counts fresh = {.cigar_used = counts->cigar_used,
                                .pairs_at = (rhomb_u32)places_at(job),
                                .answers_at = sizeof fresh / (size_t)shape->answer_bytes};
    method->count(job, listed, &fresh);
    *counts = fresh;
    RHOMB_CL(stream, clEnqueueWriteBuffer(
                         job->stream.queue, job->parts[RHOMB__BATCH_RETURNED].handle, CL_FALSE, 0,
                         sizeof *counts, counts, 0, NULL, timed(job, RHOMB__BATCH_SEND)));
    RHOMB_TRY(rhomb__batch_enqueue_pack(job, kind));
    RHOMB_TRY(method->enqueue(job, kind, listed));
    RHOMB_TRY(fetch(job, 0, (size_t)rhomb__batch_returned_bytes(shape, job->count, expected),
                    job->returned));
    *counts = *job->returned;
    if (counts->cigar_used < first || counts->cigar_used > first + job->operations)
        status = rhomb__fail(&stream->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                             "%s: %lld operations for CIGARs that need %lld at most",
                             job->stream.device->info.name, (long long)counts->cigar_used - first,
                             (long long)job->operations);
    job->cigars_here = rhomb__min(expected, counts->cigar_used - first);
    job->seconds_device += rhomb__now() - began;
out:
    return status;
}

/* Brings the missing operations to the host; they end at `used`. */
static rhomb_status read_cigars(rhomb__batch_job *job, int64_t used)
{
    rhomb_status status = RHOMB_OK;
    const size_t each = sizeof *job->cigars;
    const int64_t first = rhomb__batch_job_first_operation(job), count = used - first;
    const double began = rhomb__now();
    job->last_operations = count;
    job->last_bases = job->bases_used;
    RHOMB_TRY(rhomb__batch_job_hold_cigars(job, count));
    const int64_t here = job->cigars_here;
    if (here >= count)
        return RHOMB_OK;
    RHOMB_TRY(fetch(job, (size_t)(first + here) * each, (size_t)(count - here) * each,
                    job->cigars + here));
    job->seconds_device += rhomb__now() - began;
out:
    return status;
}

/* Every answer begins with a number that says where there is none. */
static rhomb_i32 answer_kind(const rhomb__batch_job *job, int64_t index)
{
    rhomb_i32 kind = 0;
    memcpy(&kind, job->answers + index * job->setup->shape.answer_bytes, sizeof kind);
    return kind;
}

/* Lists the pairs with symbols other than A, C, G and T. */
static int64_t list_others(rhomb__batch_job *job)
{
    int64_t count = 0;
    for (int64_t i = 0; i < job->count; i++)
        if (answer_kind(job, i) == RHOMB_BATCH_BASES)
            job->list[count++] = (uint32_t)i;
    return count;
}

static int compare_indexes(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Of both sequences. */
static int64_t bases_of(const rhomb_pair *pair)
{
    if (pair->target_length < 0 || pair->target_length > RHOMB__MAX_LENGTH ||
        pair->query_length < 0 || pair->query_length > RHOMB__MAX_LENGTH)
        return 0;
    return pair->target_length + pair->query_length;
}

/* All answers; the long pairs come out in their order. */
static rhomb_status take_answers(rhomb__batch_job *job, int64_t cigar_used)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    const int64_t already = job->long_count;
    for (int64_t i = 0, next = 0; i < job->count; i++) {
        job->sums.bases += bases_of(&job->pairs[i]);
        if (next < already && job->longs[next] == (uint32_t)i)
            next++;
        else
            RHOMB_TRY(job->setup->method->take(job, i, cigar_used));
    }
    if (already > 0 && job->long_count > already)
        qsort(job->longs, (size_t)job->long_count, sizeof *job->longs, compare_indexes);
    job->seconds_results += rhomb__now() - began;
out:
    return status;
}

rhomb_status rhomb__batch_job_run(rhomb__batch_job *job)
{
    rhomb_status status = RHOMB_OK;
    rhomb_batch_counts counts = {.cigar_used = (rhomb_u32)rhomb__batch_job_first_operation(job)};
    rhomb__error_clear(&job->stream.error);
    rhomb__batch_job_own(job);
    RHOMB_TRY(rhomb__batch_job_open(job));
    RHOMB_TRY(fill(job));
    const rhomb__batch_shape *shape = &job->setup->shape;
    const bool at_once = rhomb__batch_has_bytes(shape) || shape->planes == shape->other_planes;
    /* Of a set there is one kind alone; masks have one as well where bytes are compared. */
    const bool all = shape->planes > 2 && shape->planes < RHOMB_MASKS && !shape->of_set;
    RHOMB_TRY(run_round(job, all ? RHOMB__BATCH_ALL : RHOMB__BATCH_ACGT, 0, &counts));
    job->other_count = at_once ? 0 : list_others(job);
    if (job->other_count > 0)
        RHOMB_TRY(run_round(job, RHOMB__BATCH_ALL, job->other_count, &counts));
    if (job->setup->options.cigar)
        RHOMB_TRY(read_cigars(job, counts.cigar_used));
    RHOMB_TRY(rhomb__batch_times_add(&job->stream, &job->times));
    RHOMB_TRY(take_answers(job, counts.cigar_used));
out:
    if (status != RHOMB_OK && job->stream.queue != NULL)
        clFinish(job->stream.queue); /* running commands use this job's memory */
    rhomb__batch_times_drop(&job->times);
    return status;
}

rhomb_status rhomb__batch_job_run_input(rhomb__batch_job *job, const rhomb__batch_input *input)
{
    rhomb__batch_job_reset(job, 0);
    rhomb__batch_job_add(job, input, 0);
    const rhomb_status status = rhomb__batch_job_run(job);
    if (status != RHOMB_OK)
        rhomb__fail(&job->setup->ctx->stream.error, status, "%s",
                    rhomb__error_text(&job->stream.error));
    return status;
}

cl_event *rhomb__batch_times_next(rhomb__batch_times *times, rhomb__batch_stage stage)
{
    if (!times->asked)
        return NULL;
    assert(times->count < RHOMB__BATCH_MOST_COMMANDS);
    times->commands[times->count].stage = stage;
    times->commands[times->count].event = NULL;
    return &times->commands[times->count++].event;
}

void rhomb__batch_times_keep(rhomb__batch_times *times, rhomb__batch_stage stage, cl_event *event)
{
    cl_event *place = rhomb__batch_times_next(times, stage);
    if (place == NULL)
        return;
    *place = *event;
    *event = NULL;
}

/*
 * Gets a time of a command that has ended. NVIDIA's driver (580) sometimes says that it does not
 * know it yet, for a command before one whose end it has reported: that is no reason to fail.
 */
static rhomb_status ask(rhomb__device_stream *stream, cl_event event, cl_profiling_info what,
                        cl_ulong *nanoseconds, bool *known)
{
    const cl_int code =
        clGetEventProfilingInfo(event, what, sizeof *nanoseconds, nanoseconds, NULL);
    *known = *known && code == CL_SUCCESS;
    return code == CL_SUCCESS || code == CL_PROFILING_INFO_NOT_AVAILABLE
               ? RHOMB_OK
               : rhomb__cl_fail(stream, code, "clGetEventProfilingInfo(event, what)", __FILE__,
                                __LINE__);
}

rhomb_status rhomb__batch_times_add(rhomb__device_stream *stream, rhomb__batch_times *times)
{
    rhomb_status status = RHOMB_OK;
    for (int32_t i = 0; i < times->count; i++) {
        const cl_event event = times->commands[i].event;
        cl_ulong began = 0, ended = 0;
        bool known = true;
        RHOMB_TRY(rhomb__queue_wait(stream, event));
        RHOMB_TRY(ask(stream, event, CL_PROFILING_COMMAND_START, &began, &known));
        RHOMB_TRY(ask(stream, event, CL_PROFILING_COMMAND_END, &ended, &known));
        if (!known)
            continue;
        /* Some drivers' clocks are coarse. */
        if (ended > began)
            times->seconds[times->commands[i].stage] += (double)(ended - began) * 1e-9;
    }
out:
    rhomb__batch_times_drop(times);
    return status;
}

void rhomb__batch_times_drop(rhomb__batch_times *times)
{
    for (int32_t i = 0; i < times->count; i++)
        if (times->commands[i].event != NULL)
            clReleaseEvent(times->commands[i].event);
    times->count = 0;
}

void rhomb__batch_job_forget_owned(rhomb__batch_job *job)
{
    while (job->owned_count > 0)
        free(job->owned[--job->owned_count]);
}

rhomb_status rhomb__batch_job_fail_pair(rhomb__batch_job *job, int64_t index, rhomb_status why,
                                        char *detail)
{
    const rhomb_pair_result failed = {.status = why, .distance = -1, .detail = detail};
    if (detail == NULL)
        return rhomb__fail_memory(&job->stream.error, 1, "a detail");
    job->owned[job->owned_count++] = detail;
    job->sums.failed++;
    job->results[index] = failed;
    return RHOMB_OK;
}

rhomb_status rhomb__batch_job_fail_bases(rhomb__batch_job *job, int64_t index)
{
    const rhomb_pair *pair = &job->pairs[index];
    const rhomb_alphabet alphabet = job->setup->options.alphabet;
    const rhomb_score_matrix *matrix = job->setup->scoring.matrix;
    rhomb__error found = {RHOMB_OK, NULL, ""};
    rhomb__histogram histogram;
    rhomb__histogram_count(pair->target, pair->target_length, 1, &histogram);
    rhomb_status why = rhomb__matrix_check_bases(&found, alphabet, matrix, "target", pair->target,
                                                 pair->target_length, &histogram);
    if (why == RHOMB_OK) {
        rhomb__histogram_count(pair->query, pair->query_length, 1, &histogram);
        why = rhomb__matrix_check_bases(&found, alphabet, matrix, "query", pair->query,
                                        pair->query_length, &histogram);
    }
    if (why == RHOMB_OK)
        return rhomb__fail(&job->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                           "%s: it rejects the characters of a pair that are in the alphabet",
                           job->stream.device->info.name);
    const rhomb_status status =
        rhomb__batch_job_fail_pair(job, index, why, rhomb__format("%s", rhomb__error_text(&found)));
    rhomb__error_clear(&found);
    return status;
}
