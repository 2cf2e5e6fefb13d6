/* SPDX-License-Identifier: MIT */
/*
 * Scores of pairs that are not aligned end to end, see batch_job.h: the pairs of a job in bins, by
 * how many work-items share one, each bin a launch of cl/batch/batch_local.cl or
 * cl/batch/batch_extend.cl. A bin's pairs go by their work, so that those side by side take about
 * as long, and the last ones are the smallest.
 */
#include "host/batch/batch_job.h"

#include "host/device/cl_error.h"
#include "src/base/int64.h"
#include "src/batch/batch_fit.h"
#include "src/planner/fit.h"

/* The number of the argument that differs between launches. */
enum { BIN_JOB = 8 };

/*
 * With a z-drop, a GPU computes at most so many antidiagonals of a pair before it looks for the
 * drop: most pairs of reads that do not match stop well before.
 */
#define FIRST_ANTIDIAGONALS 4096

void rhomb__batch_bins_count(rhomb__batch_job *job, int64_t listed, rhomb_batch_counts *counts)
{
    const rhomb__batch_setup *setup = job->setup;
    const rhomb__batch_shape *shape = &setup->shape;
    const int64_t all = listed > 0 ? listed : job->count;
    int64_t count = 0;
    for (int64_t i = 0; i < all; i++) {
        const uint32_t index = listed > 0 ? job->list[i] : (uint32_t)i;
        const rhomb_pair *pair = &job->pairs[index];
        rhomb__batch_binned *b = &job->binned[count];
        if (!rhomb__batch_is_short(shape, pair))
            continue;
        b->pair = index;
        b->bin = (uint32_t)rhomb__batch_bin_of(shape, &setup->options, pair, listed == 0, &b->key);
        count++;
    }
    rhomb__batch_bins_join(shape, &setup->options, job->pairs, job->binned, count);
    rhomb__batch_bins_sort(job->binned, job->binned + shape->job_pairs, count);
    for (int64_t i = 0; i < count; i++)
        job->sorted[i] = job->binned[i].pair;
    for (int32_t bin = 0, next = 0; bin <= RHOMB__BATCH_BINS; bin++) {
        while (next < count && (int32_t)job->binned[next].bin < bin)
            next++;
        job->bin_begin[bin] = next;
        if (bin == 0)
            continue;
        const rhomb_u32 own = (rhomb_u32)(next - job->bin_begin[bin - 1]);
        counts->listed[shape->levels + bin - 1] = own;
        if (shape->traces)
            counts->listed[shape->levels + RHOMB__BATCH_BINS + bin - 1] = own;
    }
    if (shape->levels > 0)
        counts->listed[0] = (rhomb_u32)count;
}

static rhomb_i32 as_limit(int64_t bases)
{
    return (rhomb_i32)rhomb__min(rhomb__max(bases, 0), INT32_MAX / 2);
}

/* Work-items that share a pair of a bin, for its path too. */
static int32_t items_of(const rhomb__batch_shape *shape, int32_t bin, bool path)
{
    const int32_t of_32 = RHOMB__BATCH_SHORT_BINS + bin % RHOMB__BATCH_SHORT_BINS;
    return rhomb__batch_bin_items(shape, path ? of_32 : bin);
}

/* The number of a bin's list, for scores or for paths. */
static int32_t list_of(const rhomb__batch_shape *shape, int32_t bin, bool path)
{
    return shape->levels + (path ? RHOMB__BATCH_BINS : 0) + bin;
}

static rhomb_batch_local_job describe_local(const rhomb__batch_job *job, int32_t bin, bool path,
                                            int64_t slot_cells)
{
    const rhomb__batch_setup *setup = job->setup;
    const rhomb_batch_options *options = &setup->options;
    static const rhomb_free_ends none = {0, 0, 0, 0};
    const rhomb_free_ends *ends =
        options->mode == RHOMB_MODE_ENDS_FREE ? &options->free_ends : &none;
    return (rhomb_batch_local_job){
        .scoring = rhomb__batch_scoring_of(&setup->scoring),
        .list = list_of(&setup->shape, bin, path),
        .pair_items = items_of(&setup->shape, bin, path),
        /* An extension begins where both sequences do. */
        .passes = path && setup->whole ? 0
                  : (options->ends_only && !options->cigar) || setup->whole ||
                          options->mode == RHOMB_MODE_EXTEND
                      ? 1
                      : 2,
        /* A local alignment begins anywhere. */
        .free_query_begin =
            options->mode == RHOMB_MODE_LOCAL ? INT32_MAX / 2 : as_limit(ends->query_begin),
        .free_query_end = as_limit(ends->query_end),
        .free_target_begin =
            options->mode == RHOMB_MODE_LOCAL ? INT32_MAX / 2 : as_limit(ends->target_begin),
        .free_target_end = as_limit(ends->target_end),
        .lines = items_of(&setup->shape, bin, path) > 1,
        .slot_cells = slot_cells};
}

static rhomb_batch_extend_job describe_extend(const rhomb__batch_job *job, int32_t bin,
                                              int64_t slot_cells)
{
    const rhomb__batch_setup *setup = job->setup;
    const rhomb_scoring *s = &setup->scoring;
    const int64_t last =
        s->gap_open_2 >= 0 ? rhomb__min(s->gap_extend, s->gap_extend_2) : s->gap_extend;
    return (rhomb_batch_extend_job){
        .scoring = rhomb__batch_scoring_of(s),
        .list = setup->shape.levels + bin,
        .z_drop = (rhomb_i32)rhomb__min(setup->options.z_drop, INT32_MAX),
        .end_bonus = (rhomb_i32)rhomb__min(setup->options.end_bonus, INT32_MAX),
        .drop_extend = (rhomb_i32)last,
        .pair_items = rhomb__batch_bin_items(&setup->shape, bin),
        .first_limit = FIRST_ANTIDIAGONALS,
        .slot_cells = slot_cells};
}

static rhomb_status create_bin(rhomb__batch_job *job, rhomb__batch_bases kind, int32_t bin,
                               bool path, size_t job_bytes, const void *described, cl_kernel *out)
{
    const rhomb__batch_setup *setup = job->setup;
    const rhomb__buffer *parts = job->parts;
    const cl_mem packed = rhomb__batch_compared(job, kind);
    const rhomb_u32 pitch = (rhomb_u32)setup->shape.job_pairs;
    const char *extension = rhomb__batch_bin_is_diagonal(&setup->shape, bin)
                                ? "rhomb_batch_extend"
                                : "rhomb_batch_extend_items";
    const int32_t which = path                           ? rhomb__batch_path_program(setup)
                          : bin == RHOMB__BATCH_WIDE_BIN ? RHOMB__BATCH_WIDE_PROGRAM
                          : rhomb__batch_bin_bits(&setup->shape, bin) == 16
                              ? RHOMB__BATCH_SHORT_PROGRAM
                              : 0;
    /* rhomb_batch_local, _extend, _extend_items(bases, flags, pairs, lists, answers, memory,
     * counts, list_pitch, job), with a matrix its scores, and for paths the operations */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(packed),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_FLAGS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_SENT].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_LISTS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_RETURNED].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_COLUMNS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_RETURNED].handle),
                                         RHOMB__ARGUMENT(pitch),
                                         {job_bytes, described},
                                         RHOMB__ARGUMENT(setup->tables[kind]),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_RETURNED].handle)};
    const size_t all = sizeof arguments / sizeof arguments[0];
    const size_t count = path ? all : setup->costs.matrix != NULL ? all - 1 : all - 2;
    return rhomb__batch_create_kernel(job, setup->programs[which][kind],
                                      setup->shape.drops ? extension : "rhomb_batch_local",
                                      arguments, count, out);
}

/* The most memory that a pair of a bin takes. */
static int64_t slot_cells_of(const rhomb__batch_job *job, int32_t bin, bool path)
{
    const rhomb__batch_setup *setup = job->setup;
    const bool together = !path && rhomb__batch_bin_pairs(&setup->shape, bin) > 1;
    rhomb_pair longest = {NULL, 0, NULL, 0};
    int64_t most = 1;
    for (int64_t i = job->bin_begin[bin]; i < job->bin_begin[bin + 1]; i++) {
        const rhomb_pair *pair = &job->pairs[job->binned[i].pair];
        longest.target_length = rhomb__max(longest.target_length, pair->target_length);
        longest.query_length = rhomb__max(longest.query_length, pair->query_length);
        if (!together)
            most = rhomb__max(most, (path ? rhomb__batch_trace_cells : rhomb__batch_slot_cells)(
                                        &setup->shape, &setup->options, bin, pair));
    }
    if (together)
        most = rhomb__batch_slot_cells(&setup->shape, &setup->options, bin, &longest);
    return (most + 3) / 4 * 4;
}

static rhomb_status enqueue_bin(rhomb__batch_job *job, rhomb__batch_bases kind, int32_t bin,
                                bool path)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__batch_setup *setup = job->setup;
    const rhomb__batch_shape *shape = &setup->shape;
    const int64_t count = job->bin_begin[bin + 1] - job->bin_begin[bin];
    const int64_t slot = slot_cells_of(job, bin, path);
    const bool extends = shape->drops;
    const rhomb_batch_local_job local = describe_local(job, bin, path, slot);
    const rhomb_batch_extend_job extend = describe_extend(job, bin, slot);
    const void *described = extends ? (const void *)&extend : (const void *)&local;
    const size_t bytes = extends ? sizeof extend : sizeof local;
    const int64_t group_size = rhomb__batch_bin_group(shape, bin);
    const int64_t teams = group_size / items_of(shape, bin, path);
    const int64_t taken = teams * (path ? 1 : rhomb__batch_bin_pairs(shape, bin));
    const int64_t most = rhomb__max(shape->mode_groups * shape->group_size / group_size, 1);
    const int64_t groups =
        rhomb__groups_fitting(rhomb__min(most, rhomb__ceil_div(count, taken)), shape->mode_bytes,
                              teams * slot * (int64_t)sizeof(rhomb_i32));
    rhomb__batch_launch *l =
        &job->launches[kind][RHOMB_BATCH_MOST_LEVELS + (path ? RHOMB__BATCH_BINS : 0) + bin];
    RHOMB_TRY(rhomb__batch_enqueue_list(job, list_of(shape, bin, path),
                                        job->sorted + job->bin_begin[bin], count));
    if (l->kernel == NULL)
        RHOMB_TRY(create_bin(job, kind, bin, path, bytes, described, &l->kernel));
    else
        RHOMB_CL(&job->stream, clSetKernelArg(l->kernel, BIN_JOB, bytes, described));
    RHOMB_TRY(rhomb__queue_launch_event(&job->stream, l->kernel, groups, group_size,
                                        rhomb__batch_times_next(&job->times, RHOMB__BATCH_SOLVE)));
out:
    return status;
}

rhomb_status rhomb__batch_bins_enqueue(rhomb__batch_job *job, rhomb__batch_bases kind)
{
    rhomb_status status = RHOMB_OK;
    for (int32_t path = job->setup->whole && job->setup->shape.traces;
         path <= job->setup->shape.traces; path++)
        for (int32_t bin = RHOMB__BATCH_BINS - 1; bin >= 0; bin--) /* long pairs first */
            if (job->bin_begin[bin + 1] > job->bin_begin[bin])
                RHOMB_TRY(enqueue_bin(job, kind, bin, path != 0));
out:
    return status;
}
