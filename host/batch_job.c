/* SPDX-License-Identifier: MIT */
/*
 * Solving the pairs of a job, see batch_job.h.
 *
 * A round packs the letters and sends pairs through the levels of kernels, all enqueued at once:
 * each level finds on the device which pairs the one before has left to it. The first round takes
 * all pairs, with two planes for A, C, G and T. Pairs with other letters are answered so, and a
 * second round does them with planes for all letters of the alphabet; what still has a letter
 * without a code then is not of the alphabet. Where letters are compared as they are, on
 * processors, one round does all.
 */
#include "batch_job.h"

#include <stdlib.h>
#include <string.h>

#include "../src/batch_fit.h"
#include "../src/clock.h"
#include "../src/int64.h"
#include "../src/plan.h"
#include "queue.h"

#define PACK_GROUP 64

/*
 * Letters of a job for which there is room for one operation from the beginning. A pair has one
 * operation more than twice its edits: it is for pairs with 12 % of errors.
 */
#define OPERATION_LETTERS 8

/* Of the next command, for a profile. */
static cl_event *timed(rhomb__batch_job *job, rhomb__batch_stage stage)
{
    return rhomb__batch_times_next(&job->times, stage);
}

/* ------------------------------------------------------------------ memory */

rhomb_status rhomb__batch_job_create(const rhomb__batch_setup *setup, rhomb__batch_job **out)
{
    rhomb_status status = RHOMB_OK;
    const size_t pairs = (size_t)setup->shape.job_pairs;
    rhomb__batch_job *job = calloc(1, sizeof *job);
    *out = NULL;
    if (job == NULL)
        return rhomb__fail_memory(&setup->ctx->error, sizeof *job, "a job");
    job->setup = setup;
    job->device = *setup->ctx->device;
    job->device.queue = NULL;
    job->device.programs = NULL;
    job->device.bytes_in_use = job->device.bytes_peak = 0;
    job->ctx.device = &job->device;
    job->ctx.threads = 1;
    job->times.asked = setup->options.profile;
    job->pairs = malloc(pairs * sizeof *job->pairs);
    job->results = malloc(pairs * sizeof *job->results);
    job->places = malloc(pairs * sizeof *job->places);
    job->answers = malloc(pairs * sizeof *job->answers);
    job->list = malloc(pairs * sizeof *job->list);
    job->longs = malloc(pairs * sizeof *job->longs);
    job->owned = malloc(pairs * sizeof *job->owned);
    if (job->pairs == NULL || job->results == NULL || job->places == NULL || job->answers == NULL ||
        job->list == NULL || job->longs == NULL || job->owned == NULL) {
        status = rhomb__fail_memory(&setup->ctx->error, pairs * sizeof *job->results, "a job");
        goto out;
    }
    *out = job;
    job = NULL;
out:
    rhomb__batch_job_destroy(job);
    return status;
}

static void forget_owned(rhomb__batch_job *job)
{
    while (job->owned_count > 0)
        free(job->owned[--job->owned_count]);
}

static void release_pinned(rhomb__batch_job *job, cl_mem *buffer, void *mapped)
{
    if (*buffer != NULL && mapped != NULL)
        clEnqueueUnmapMemObject(job->device.queue, *buffer, mapped, 0, NULL, NULL);
    if (*buffer != NULL)
        clReleaseMemObject(*buffer);
    *buffer = NULL;
}

void rhomb__batch_job_destroy(rhomb__batch_job *job)
{
    if (job == NULL)
        return;
    release_pinned(job, &job->pinned, job->letters);
    release_pinned(job, &job->pinned_cigars, job->cigars);
    for (int i = 0; i < RHOMB__BATCH_KINDS; i++) {
        if (job->pack[i] != NULL)
            clReleaseKernel(job->pack[i]);
        if (job->solve[i] != NULL)
            clReleaseKernel(job->solve[i]);
    }
    for (int i = 0; i < RHOMB__BATCH_PARTS; i++)
        rhomb__buffer_release(&job->ctx, &job->parts[i]);
    rhomb__batch_times_drop(&job->times);
    if (job->device.queue != NULL) {
        clFinish(job->device.queue);
        clReleaseCommandQueue(job->device.queue);
    }
    forget_owned(job);
    void *const arrays[] = {job->pairs, job->results, job->places, job->answers,
                            job->list,  job->longs,   job->owned};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    rhomb__error_clear(&job->ctx.error);
    free(job);
}

/* Memory of the host that the device's bus engines read and write. */
static rhomb_status create_pinned(rhomb__batch_job *job, int64_t bytes, cl_mem *buffer,
                                  void **mapped)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = &job->ctx;
    cl_int code = CL_SUCCESS;
    RHOMB_CL_OUT(ctx, code,
                 *buffer =
                     clCreateBuffer(job->device.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                    (size_t)bytes, NULL, &code));
    RHOMB_CL_OUT(ctx, code,
                 *mapped = clEnqueueMapBuffer(job->device.queue, *buffer, CL_TRUE,
                                              CL_MAP_READ | CL_MAP_WRITE, 0, (size_t)bytes, 0, NULL,
                                              NULL, &code));
out:
    return status;
}

/*
 * The queue, the device memory and the kernels. Memory that is pinned is asked for once, letters
 * and CIGARs together: a worker's first job waits for it, and drivers pin for one thread at a time.
 */
rhomb_status rhomb__batch_job_open(rhomb__batch_job *job)
{
    rhomb_status status = RHOMB_OK;
    if (job->device.queue != NULL)
        return RHOMB_OK;
    rhomb_context *ctx = &job->ctx;
    const rhomb__batch_setup *setup = job->setup;
    const rhomb__batch_shape *shape = &setup->shape;
    const cl_command_queue_properties kept = job->times.asked ? CL_QUEUE_PROFILING_ENABLE : 0;
    const double began = rhomb__now();
    cl_int code = CL_SUCCESS;
    void *mapped = NULL;
    RHOMB_CL_OUT(ctx, code,
                 job->device.queue =
                     clCreateCommandQueue(job->device.context, job->device.id, kept, &code));
    for (int i = 0; i < RHOMB__BATCH_PARTS; i++)
        RHOMB_TRY(rhomb__buffer_create(ctx, shape->bytes[i], "a job of a batch", &job->parts[i]));
    for (int i = 0; i < RHOMB__BATCH_KINDS; i++) {
        const rhomb__program *program =
            i == RHOMB__BATCH_ACGT ? setup->program : setup->other_program;
        const char *pack = shape->planes == 0       ? "rhomb_batch_fold"
                           : i == RHOMB__BATCH_ACGT ? "rhomb_batch_pack_acgt"
                                                    : "rhomb_batch_pack";
        RHOMB_CL_OUT(ctx, code, job->pack[i] = clCreateKernel(program->handle, pack, &code));
        RHOMB_CL_OUT(ctx, code,
                     job->solve[i] = clCreateKernel(program->handle, "rhomb_batch_solve", &code));
    }
    RHOMB_CL(ctx, clEnqueueWriteBuffer(job->device.queue, job->parts[RHOMB__BATCH_CODES].handle,
                                       CL_FALSE, 0, sizeof setup->codes, setup->codes, 0, NULL,
                                       timed(job, RHOMB__BATCH_SEND)));
    if (!job->device.info.unified_memory) {
        const int64_t room = setup->options.cigar ? shape->job_letters / OPERATION_LETTERS : 0;
        const int64_t bytes = room * (int64_t)sizeof *job->cigars;
        RHOMB_TRY(create_pinned(job, shape->job_letters + bytes, &job->pinned, &mapped));
        job->letters = mapped;
        job->cigars = (rhomb_cigar_op *)(void *)(job->letters + shape->job_letters);
        job->cigar_room = room;
    }
out:
    job->seconds_open = rhomb__now() - began;
    return status;
}

/* Room of the host for `count` operations, where there is more to them than behind the letters. */
static rhomb_status hold_cigars(rhomb__batch_job *job, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    void *mapped = NULL;
    if (count <= job->cigar_room)
        return RHOMB_OK;
    const int64_t room = count + count / 4;
    release_pinned(job, &job->pinned_cigars, job->cigars);
    job->cigars = NULL;
    job->cigar_room = 0;
    RHOMB_TRY(
        create_pinned(job, room * (int64_t)sizeof *job->cigars, &job->pinned_cigars, &mapped));
    job->cigars = mapped;
    job->cigar_room = room;
out:
    return status;
}

/* ------------------------------------------------------------------- pairs */

void rhomb__batch_job_reset(rhomb__batch_job *job, int64_t first)
{
    forget_owned(job);
    job->first = first;
    job->borrowed_runs = 0;
    job->owned_pairs = job->count = job->letters_used = job->operations = job->long_letters = 0;
    job->long_count = job->other_count = job->alone_bytes = 0;
    job->letters_solved = job->distances = job->found = job->exceeding = job->failed = 0;
    job->seconds_open = job->seconds_fill = job->seconds_device = job->seconds_results = 0;
    memset(job->times.seconds, 0, sizeof job->times.seconds);
}

int64_t rhomb__batch_job_host_bytes(const rhomb__batch_job *job)
{
    const size_t each = sizeof *job->pairs + sizeof *job->results + sizeof *job->places +
                        sizeof *job->answers + sizeof *job->list + sizeof *job->longs +
                        sizeof *job->owned;
    const int64_t pinned = job->letters != NULL ? job->setup->shape.job_letters : 0;
    return job->setup->shape.job_pairs * (int64_t)each + pinned +
           job->cigar_room * (int64_t)sizeof *job->cigars;
}

size_t rhomb__batch_job_add(rhomb__batch_job *job, const rhomb_pair *pairs, size_t count)
{
    const rhomb__batch_shape *shape = &job->setup->shape;
    const size_t most = (size_t)rhomb__min((int64_t)count, shape->job_pairs - job->count);
    rhomb__batch_load load = {job->letters_used, job->operations, job->long_letters};
    const size_t added = rhomb__batch_fit(shape, job->setup->options.cigar, pairs, most, &load);
    if (added == 0)
        return 0;
    if (job->borrowed_runs == RHOMB__BATCH_RUNS)
        rhomb__batch_job_own(job);
    job->borrowed[job->borrowed_runs++] = (rhomb__batch_run){pairs, added};
    job->count += (int64_t)added;
    job->letters_used = load.letters;
    job->operations = load.operations;
    job->long_letters = load.long_letters;
    return added;
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

/* ----------------------------------------------------------------- filling */

/* Copies a sequence to the device's letters from `at` on, and returns where the next one begins. */
static int64_t copy_letters(char *to, int64_t at, const char *letters, int64_t length)
{
    const int64_t room = rhomb__batch_room(length);
    if (length > 0)
        memcpy(to + at, letters, (size_t)length);
    memset(to + at + length, 'A', (size_t)(room - length)); /* which has a code in any alphabet */
    return at + room;
}

/* Copies the letters and notes where the pairs are. */
static void fill_places(rhomb__batch_job *job, char *letters)
{
    int64_t at = 0;
    for (int64_t i = 0; i < job->count; i++) {
        const rhomb_pair *pair = &job->pairs[i];
        rhomb_batch_pair *place = &job->places[i];
        const rhomb_batch_pair none = {0, 0, 0, 0};
        *place = none;
        if (!rhomb__batch_is_short(&job->setup->shape, pair)) {
            job->longs[job->long_count++] = (uint32_t)i;
            continue;
        }
        place->query_at = at;
        place->query_length = (int32_t)pair->query_length;
        at = copy_letters(letters, at, pair->query, pair->query_length);
        place->target_at = at;
        place->target_length = (int32_t)pair->target_length;
        at = copy_letters(letters, at, pair->target, pair->target_length);
    }
}

/* Brings the letters to the device and says where the pairs are. */
static rhomb_status fill(rhomb__batch_job *job)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = &job->ctx;
    cl_command_queue queue = job->device.queue;
    cl_mem on_device = job->parts[RHOMB__BATCH_LETTERS].handle;
    char *letters = job->letters;
    cl_int code = CL_SUCCESS;
    const size_t used = (size_t)rhomb__max(job->letters_used, RHOMB_WORD_SYMBOLS);
    const double began = rhomb__now();
    if (letters == NULL)
        RHOMB_CL_OUT(ctx, code,
                     letters = clEnqueueMapBuffer(queue, on_device, CL_TRUE,
                                                  CL_MAP_WRITE_INVALIDATE_REGION, 0, used, 0, NULL,
                                                  NULL, &code));
    fill_places(job, letters);
    if (job->letters == NULL)
        RHOMB_CL(ctx, clEnqueueUnmapMemObject(queue, on_device, letters, 0, NULL,
                                              timed(job, RHOMB__BATCH_SEND)));
    else
        RHOMB_CL(ctx, clEnqueueWriteBuffer(queue, on_device, CL_FALSE, 0, used, letters, 0, NULL,
                                           timed(job, RHOMB__BATCH_SEND)));
    RHOMB_CL(ctx, clEnqueueWriteBuffer(queue, job->parts[RHOMB__BATCH_PAIRS].handle, CL_FALSE, 0,
                                       (size_t)job->count * sizeof *job->places, job->places, 0,
                                       NULL, timed(job, RHOMB__BATCH_SEND)));
    job->seconds_fill += rhomb__now() - began;
out:
    return status;
}

/* ------------------------------------------------------------------ rounds */

/* What a round compares. */
static cl_mem compared(const rhomb__batch_job *job, rhomb__batch_letters kind)
{
    const rhomb__batch_part part = job->setup->shape.planes == 0 ? RHOMB__BATCH_LETTERS
                                   : kind == RHOMB__BATCH_ACGT   ? RHOMB__BATCH_PACKED
                                                                 : RHOMB__BATCH_OTHER;
    return job->parts[part].handle;
}

static rhomb_status enqueue_pack(rhomb__batch_job *job, rhomb__batch_letters kind)
{
    rhomb_status status = RHOMB_OK;
    const uint32_t words = (uint32_t)(job->letters_used / RHOMB_WORD_SYMBOLS);
    const rhomb__buffer *parts = job->parts;
    const rhomb_i32 dna = job->setup->options.alphabet == RHOMB_ALPHABET_DNA;
    const cl_mem packed = compared(job, kind);
    /* rhomb_batch_…(letters, codes, packed, flags, counts, words, dna) */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(parts[RHOMB__BATCH_LETTERS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_CODES].handle),
                                         RHOMB__ARGUMENT(packed),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_FLAGS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_COUNTS].handle),
                                         RHOMB__ARGUMENT(words),
                                         RHOMB__ARGUMENT(dna)};
    if (words == 0)
        return RHOMB_OK;
    RHOMB_TRY(rhomb__queue_arguments(&job->ctx, job->pack[kind], arguments,
                                     sizeof arguments / sizeof arguments[0]));
    RHOMB_TRY(rhomb__queue_launch_event(&job->ctx, job->pack[kind],
                                        rhomb__ceil_div(words, PACK_GROUP), PACK_GROUP,
                                        timed(job, RHOMB__BATCH_PACK)));
out:
    return status;
}

/* One level: the pairs that came to it, or with `everything` all pairs. */
static rhomb_status enqueue_level(rhomb__batch_job *job, rhomb__batch_letters kind, int32_t level,
                                  bool everything)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__batch_shape *shape = &job->setup->shape;
    const rhomb__buffer *parts = job->parts;
    const cl_mem packed = compared(job, kind);
    const rhomb_i32 limit = shape->limits[level], levels = shape->levels;
    const rhomb_u32 pitch = (rhomb_u32)shape->job_pairs;
    const rhomb_i32 max_distance =
        (rhomb_i32)rhomb__min(job->setup->options.max_distance, RHOMB__BATCH_MOST_LETTERS);
    const rhomb_i32 all = everything && level == job->first_level;
    const size_t state =
        2 * (size_t)RHOMB_BATCH_CELLS(shape->in_place ? 0 : limit) * sizeof(rhomb_i32);
    /*
     * rhomb_batch_solve(queries, targets, query_flags, target_flags, pairs, lists, answers, cigars,
     *                   all_columns, counts, state, list_pitch, level, levels, limit, max_distance,
     *                   all)
     */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(packed),
                                         RHOMB__ARGUMENT(packed),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_FLAGS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_FLAGS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_PAIRS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_LISTS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_ANSWERS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_CIGARS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_COLUMNS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_COUNTS].handle),
                                         {state, NULL},
                                         RHOMB__ARGUMENT(pitch),
                                         RHOMB__ARGUMENT(level),
                                         RHOMB__ARGUMENT(levels),
                                         RHOMB__ARGUMENT(limit),
                                         RHOMB__ARGUMENT(max_distance),
                                         RHOMB__ARGUMENT(all)};
    RHOMB_TRY(rhomb__queue_arguments(&job->ctx, job->solve[kind], arguments,
                                     sizeof arguments / sizeof arguments[0]));
    RHOMB_TRY(rhomb__queue_launch_event(&job->ctx, job->solve[kind],
                                        rhomb__min(shape->groups[level], job->count),
                                        shape->group_size, timed(job, RHOMB__BATCH_SOLVE)));
out:
    return status;
}

/*
 * Packs and solves all pairs, or the `listed` ones of job->list where that is not 0, and waits for
 * the answers. Operations of CIGARs are added to those of the round before.
 */
static rhomb_status run_round(rhomb__batch_job *job, rhomb__batch_letters kind, int64_t listed,
                              rhomb_batch_counts *counts)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = &job->ctx;
    cl_command_queue queue = job->device.queue;
    const rhomb__buffer *parts = job->parts;
    cl_event done = NULL;
    const size_t list_at =
        (size_t)(job->first_level * job->setup->shape.job_pairs) * sizeof *job->list;
    const double began = rhomb__now();
    rhomb_batch_counts fresh = {.cigar_used = counts->cigar_used};
    fresh.listed[job->first_level] = (rhomb_u32)(listed > 0 ? listed : job->count);
    *counts = fresh;
    RHOMB_CL(ctx,
             clEnqueueWriteBuffer(queue, parts[RHOMB__BATCH_COUNTS].handle, CL_FALSE, 0,
                                  sizeof *counts, counts, 0, NULL, timed(job, RHOMB__BATCH_SEND)));
    if (listed > 0)
        RHOMB_CL(ctx, clEnqueueWriteBuffer(queue, parts[RHOMB__BATCH_LISTS].handle, CL_FALSE,
                                           list_at, (size_t)listed * sizeof *job->list, job->list,
                                           0, NULL, timed(job, RHOMB__BATCH_SEND)));
    RHOMB_TRY(enqueue_pack(job, kind));
    for (int32_t level = job->first_level; level < job->setup->shape.levels; level++)
        RHOMB_TRY(enqueue_level(job, kind, level, listed == 0));
    RHOMB_CL(ctx, clEnqueueReadBuffer(queue, parts[RHOMB__BATCH_ANSWERS].handle, CL_FALSE, 0,
                                      (size_t)job->count * sizeof *job->answers, job->answers, 0,
                                      NULL, timed(job, RHOMB__BATCH_FETCH)));
    RHOMB_CL(ctx, clEnqueueReadBuffer(queue, parts[RHOMB__BATCH_COUNTS].handle, CL_FALSE, 0,
                                      sizeof *counts, counts, 0, NULL, &done));
    RHOMB_CL(ctx, clFlush(queue));
    RHOMB_TRY(rhomb__queue_wait(ctx, done));
    rhomb__batch_times_keep(&job->times, RHOMB__BATCH_FETCH, &done);
    if (counts->cigar_used > job->operations)
        status = rhomb__fail(&ctx->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                             "%s: %lu operations for CIGARs that need %lld at most",
                             job->device.info.name, (unsigned long)counts->cigar_used,
                             (long long)job->operations);
    job->seconds_device += rhomb__now() - began;
out:
    if (done != NULL)
        clReleaseEvent(done);
    return status;
}

/* Brings the CIGARs to the host. */
static rhomb_status read_cigars(rhomb__batch_job *job, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    cl_event done = NULL;
    const cl_command_queue queue = job->device.queue;
    const double began = rhomb__now();
    if (count == 0)
        return RHOMB_OK;
    RHOMB_TRY(hold_cigars(job, count));
    RHOMB_CL(&job->ctx,
             clEnqueueReadBuffer(queue, job->parts[RHOMB__BATCH_CIGARS].handle, CL_FALSE, 0,
                                 (size_t)count * sizeof *job->cigars, job->cigars, 0, NULL, &done));
    RHOMB_CL(&job->ctx, clFlush(queue));
    RHOMB_TRY(rhomb__queue_wait(&job->ctx, done));
    rhomb__batch_times_keep(&job->times, RHOMB__BATCH_FETCH, &done);
    job->seconds_device += rhomb__now() - began;
out:
    if (done != NULL)
        clReleaseEvent(done);
    return status;
}

/* ----------------------------------------------------------------- results */

/* Lists the pairs that have other letters than A, C, G and T. */
static int64_t list_others(rhomb__batch_job *job)
{
    int64_t count = 0;
    for (int64_t i = 0; i < job->count; i++)
        if (job->answers[i].distance == RHOMB_BATCH_LETTERS)
            job->list[count++] = (uint32_t)i;
    return count;
}

/* What the device said of a pair, in the caller's terms. */
static rhomb_status take_answer(rhomb__batch_job *job, int64_t index, int64_t cigar_used)
{
    const rhomb_batch_answer *answer = &job->answers[index];
    const rhomb_pair *pair = &job->pairs[index];
    const int64_t longer = rhomb__max(pair->target_length, pair->query_length);
    rhomb_pair_result result = {RHOMB_OK, -1, NULL, 0, NULL};
    const int64_t count = job->setup->options.cigar ? answer->cigar_count : 0;
    if (answer->distance == RHOMB_BATCH_LETTERS)
        return rhomb__batch_job_fail_letters(job, index);
    if (answer->distance < RHOMB_BATCH_LETTERS || answer->distance > longer ||
        answer->cigar_at + count > cigar_used)
        return rhomb__fail(&job->ctx.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                           "%s: distance %ld of sequences of %lld and %lld letters",
                           job->device.info.name, (long)answer->distance,
                           (long long)pair->target_length, (long long)pair->query_length);
    job->exceeding += answer->distance == RHOMB_BATCH_EXCEEDS;
    if (answer->distance >= 0) {
        job->found++;
        job->distances += answer->distance;
        result.distance = answer->distance;
        result.cigar = count > 0 ? job->cigars + answer->cigar_at : NULL;
        result.cigar_count = count;
    } else if (answer->distance == RHOMB_BATCH_BEYOND) {
        job->longs[job->long_count++] = (uint32_t)index;
    }
    job->results[index] = result;
    return RHOMB_OK;
}

static int compare_indexes(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Of both sequences. */
static int64_t letters_of(const rhomb_pair *pair)
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
        job->letters_solved += letters_of(&job->pairs[i]);
        if (next < already && job->longs[next] == (uint32_t)i)
            next++;
        else
            RHOMB_TRY(take_answer(job, i, cigar_used));
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
    rhomb_batch_counts counts = {0};
    rhomb__error_clear(&job->ctx.error);
    rhomb__batch_job_own(job);
    RHOMB_TRY(rhomb__batch_job_open(job));
    RHOMB_TRY(fill(job));
    RHOMB_TRY(run_round(job, RHOMB__BATCH_ACGT, 0, &counts));
    job->other_count = job->setup->shape.planes > 0 ? list_others(job) : 0;
    if (job->other_count > 0)
        RHOMB_TRY(run_round(job, RHOMB__BATCH_ALL, job->other_count, &counts));
    RHOMB_TRY(read_cigars(job, counts.cigar_used));
    RHOMB_TRY(rhomb__batch_times_add(&job->ctx, &job->times));
    RHOMB_TRY(take_answers(job, counts.cigar_used));
out:
    if (status != RHOMB_OK && job->device.queue != NULL)
        clFinish(job->device.queue); /* what is under way uses this job's memory */
    rhomb__batch_times_drop(&job->times);
    return status;
}
