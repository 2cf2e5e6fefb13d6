/* SPDX-License-Identifier: MIT */
/*
 * Any costs but unit costs, the method of a batch with a scoring: cl/batch/batch_affine.cl and
 * batch_sliced.cl. Its launches are in batch_scored_kernels.c.
 */
#include "host/batch/batch_known.h"

#include "cl/params.def"
#include "src/base/int64.h"
#include "src/batch/batch_scored_shape.h"
#include "src/planner/affine_paths.h"

_Static_assert(sizeof(rhomb_batch_counts) % sizeof(rhomb_batch_scored) == 0,
               "answers lie after the counts, as records of one buffer");

static rhomb_status make_shape(rhomb__batch_setup *setup, int32_t threads)
{
    return rhomb__batch_scored_shape_make(
        &setup->ctx->stream.error, &setup->ctx->stream.device->info, threads, &setup->options,
        &setup->tuning, &setup->costs, &setup->shape);
}

/* Whether any level has its wavefronts in local memory, or none. */
static bool has_levels(const rhomb__batch_shape *shape, bool local)
{
    for (int32_t level = 0; level < shape->levels; level++)
        if (rhomb__batch_ring_is_local(shape, level) == local)
            return true;
    return false;
}

/* Paths: the second one is for a GPU's higher levels. */
static rhomb_status build_path(const rhomb__batch_setup *setup, int32_t second, int32_t planes,
                               rhomb__program **out)
{
    const rhomb__batch_shape *shape = &setup->shape;
    const rhomb__costs *costs = &setup->costs;
    const int32_t RING_LOCAL = second == 0 && has_levels(shape, true);
    const int32_t PLANES = planes, OFFSET_BITS = 32, PATH = setup->options.cigar;
    const int32_t GROUP_SIZE = RING_LOCAL ? shape->group_size : shape->wide_group;
    const int32_t MISMATCH = costs->replaced ? 0 : (int32_t)costs->mismatch;
    const int32_t OPEN = (int32_t)costs->open[0], EXTEND = (int32_t)costs->extend[0];
    const int32_t OPEN_2 = (int32_t)costs->open[1], EXTEND_2 = (int32_t)costs->extend[1];
    const rhomb__parameter parameters[] = {RHOMB_BATCH_AFFINE_PARAMS(RHOMB__PARAMETER)};
    if (shape->levels == 0 ||
        (second == 1 && (!has_levels(shape, true) || !has_levels(shape, false))))
        return RHOMB_OK;
    return rhomb__program_with(setup->ctx, &rhomb__source_batch_affine, RHOMB__LIST(parameters),
                               out);
}

/* Matrices in bit planes. */
static rhomb_status build_planes(const rhomb__batch_setup *setup, int32_t planes,
                                 rhomb__program **out)
{
    const rhomb__batch_shape *shape = &setup->shape;
    const rhomb__costs *costs = &setup->costs;
    const int32_t PLANES = planes, GROUP_SIZE = shape->group_size;
    const int32_t LANES = shape->sliced_lanes;
    const int32_t ITEM_WORDS = shape->sliced_words, PATH = setup->options.cigar;
    const int32_t MISMATCH = (int32_t)costs->mismatch, REPLACED = costs->replaced;
    const int32_t OPEN = (int32_t)costs->open[0], EXTEND = (int32_t)costs->extend[0];
    const int32_t OPEN_2 = (int32_t)costs->open[1], EXTEND_2 = (int32_t)costs->extend[1];
    const rhomb__parameter parameters[] = {RHOMB_BATCH_SLICED_PARAMS(RHOMB__PARAMETER)};
    if (shape->sliced_level < 0)
        return RHOMB_OK;
    return rhomb__program_with(setup->ctx, &rhomb__source_batch_sliced, RHOMB__LIST(parameters),
                               out);
}

static rhomb_status build_scores(const rhomb__batch_setup *setup, int32_t group_size, int32_t bits,
                                 bool path, int32_t planes, rhomb__program **out)
{
    const rhomb__batch_shape *shape = &setup->shape;
    const int32_t PLANES = planes, GROUP_SIZE = group_size, ITEM_ROWS = shape->item_rows;
    const int32_t LANES = bits == 16 && shape->lanes == 1 ? 2 : shape->lanes, BITS = bits;
    const int32_t PTX = LANES == 2 && shape->ptx;
    const int32_t PIECES = setup->scoring.gap_open_2 >= 0 ? 2 : 1;
    const int32_t EDGES = path || setup->options.mode == RHOMB_MODE_ENDS_FREE ? 1
                          : setup->options.mode == RHOMB_MODE_EXTEND          ? 2
                                                                              : 0;
    const int32_t MATRIX = setup->costs.matrix != NULL, PATH = path;
    const rhomb__parameter local[] = {RHOMB_BATCH_LOCAL_PARAMS(RHOMB__PARAMETER)};
    const rhomb__parameter extend[] = {RHOMB_BATCH_EXTEND_PARAMS(RHOMB__PARAMETER)};
    if (shape->drops)
        return rhomb__program_with(setup->ctx, &rhomb__source_batch_extend, extend,
                                   sizeof extend / sizeof extend[0], out);
    return rhomb__program_with(setup->ctx, &rhomb__source_batch_local, local,
                               sizeof local / sizeof local[0], out);
}

static rhomb_status build(const rhomb__batch_setup *setup, int32_t which, int32_t planes,
                          rhomb__program **out)
{
    const int32_t second = which - rhomb__batch_path_program(setup);
    if (which == RHOMB__BATCH_SLICED_PROGRAM)
        return build_planes(setup, planes, out);
    const rhomb__batch_shape *shape = &setup->shape;
    if (second == 0 && shape->traces)
        return build_scores(setup, shape->group_size, 32, true, planes, out);
    if (second == 0 || second == 1)
        return build_path(setup, second, planes, out);
    if (which == 0)
        return build_scores(setup, shape->group_size, 32, false, planes, out);
    if (which == RHOMB__BATCH_SHORT_PROGRAM && shape->short_scores)
        return build_scores(setup, shape->group_size, 16, false, planes, out);
    if (which == RHOMB__BATCH_WIDE_PROGRAM && shape->mode_wide > 0 && planes == shape->planes)
        return build_scores(setup, shape->mode_wide, 32, false, planes, out);
    return RHOMB_OK;
}

static rhomb_status self_test(const rhomb__batch_setup *setup)
{
    rhomb_status status = RHOMB_OK;
    rhomb__batch_setup small = *setup;
    rhomb__batch_known known;
    rhomb__batch_known_make(&known);
    if (setup->costs.matrix != NULL)
        rhomb__batch_known_translate(&known, setup->costs.matrix);
    small.options.max_distance = RHOMB_NO_LIMIT;
    small.options.z_drop = RHOMB_NO_LIMIT; /* the best cell of all */
    small.options.end_bonus = 0;
    /* With the same levels as the pairs to come, and no numbers beyond theirs. */
    small.shape.long_bases = rhomb__min(1000, setup->shape.long_bases);
    RHOMB_TRY(rhomb__batch_known_check(&small, &known, false));
    if (setup->shape.short_scores) { /* and by the program for pairs with larger scores */
        small.shape.short_scores = false;
        RHOMB_TRY(rhomb__batch_known_check(&small, &known, false));
    }
    if (setup->shape.mode_wide > 0) { /* and in wider groups */
        small.shape.one_bin = true;
        RHOMB_TRY(rhomb__batch_known_check(&small, &known, false));
    }
out:
    return status;
}

static void count(rhomb__batch_job *job, int64_t listed, rhomb_batch_counts *counts)
{
    if (job->setup->options.mode != RHOMB_MODE_GLOBAL)
        rhomb__batch_bins_count(job, listed, counts);
    else
        counts->listed[job->first_level] = (rhomb_u32)(listed > 0 ? listed : job->count);
}

void rhomb__batch_job_set_whole(rhomb__batch_job *job, int64_t index, int64_t penalty)
{
    const rhomb_pair *pair = &job->pairs[index];
    if (job->extents == NULL)
        return;
    job->extents[index] =
        (rhomb_pair_extent){.score = rhomb__costs_score(&job->setup->costs, pair->target_length,
                                                        pair->query_length, penalty),
                            .target_end = pair->target_length,
                            .query_end = pair->query_length,
                            .reached_end = true};
    job->results[index].extent = &job->extents[index];
    job->results[index].distance = penalty;
    job->sums.scores += job->extents[index].score;
}

static rhomb_status fail_answer(rhomb__batch_job *job, const rhomb_batch_scored *answer,
                                const rhomb_pair *pair)
{
    return rhomb__fail(&job->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                       "%s: an impossible answer (%ld, %ld) for sequences of %lld and %lld bases",
                       job->stream.device->info.name, (long)answer->kind, (long)answer->score,
                       (long long)pair->target_length, (long long)pair->query_length);
}

/* Whether the positions of an answer are within its pair. */
static bool has_place(const rhomb_batch_scored *answer, const rhomb_pair *pair)
{
    return answer->target_begin >= 0 && answer->target_begin <= answer->target_end &&
           answer->target_end <= pair->target_length && answer->query_begin >= 0 &&
           answer->query_begin <= answer->query_end && answer->query_end <= pair->query_length;
}

/* Whether an answer with a result can be one. */
static bool is_possible(const rhomb__batch_job *job, const rhomb_batch_scored *answer,
                        const rhomb_pair *pair, int64_t cigar_used)
{
    const rhomb__batch_setup *setup = job->setup;
    const int64_t at = answer->cigar_at - rhomb__batch_job_first_operation(job);
    const int64_t most = rhomb__costs_most(&setup->costs, pair->target_length, pair->query_length);
    if (setup->options.cigar && answer->kind == RHOMB_BATCH_FOUND && answer->cigar_count > 0 &&
        (at < 0 || answer->cigar_at + (int64_t)answer->cigar_count > cigar_used))
        return false;
    const bool empty =
        answer->target_begin == answer->target_end && answer->query_begin == answer->query_end;
    if (setup->options.cigar && answer->kind == RHOMB_BATCH_FOUND &&
        empty != (answer->cigar_count == 0))
        return false;
    return setup->options.mode == RHOMB_MODE_GLOBAL ? answer->score >= 0 && answer->score <= most
                                                    : has_place(answer, pair);
}

void rhomb__batch_job_set_part(rhomb__batch_job *job, int64_t index,
                               const rhomb_pair_extent *extent)
{
    const rhomb_batch_options *options = &job->setup->options;
    const bool begins = options->cigar || !options->ends_only || job->setup->whole ||
                        options->mode == RHOMB_MODE_EXTEND;
    const bool penalized = options->mode == RHOMB_MODE_ENDS_FREE && job->setup->scoring.match == 0;
    rhomb_pair_extent *e = &job->extents[index];
    *e = *extent;
    if (!begins)
        e->target_begin = e->query_begin = -1;
    e->reached_end = e->query_end == job->pairs[index].query_length;
    job->results[index].extent = e;
    job->results[index].distance =
        job->setup->whole
            ? rhomb__costs_penalty(&job->setup->costs, e->target_end, e->query_end, e->score)
        : penalized ? -e->score
                    : 0;
    job->sums.scores += e->score;
}

static rhomb_status take_found(rhomb__batch_job *job, int64_t index,
                               const rhomb_batch_scored *answer)
{
    const rhomb__batch_setup *setup = job->setup;
    rhomb_pair_result *result = &job->results[index];
    const int64_t at = answer->cigar_at - rhomb__batch_job_first_operation(job);
    if (setup->options.mode == RHOMB_MODE_GLOBAL)
        rhomb__batch_job_set_whole(job, index, answer->score * setup->costs.unit);
    else
        rhomb__batch_job_set_part(job, index,
                                  &(rhomb_pair_extent){.score = answer->score,
                                                       .target_begin = answer->target_begin,
                                                       .target_end = answer->target_end,
                                                       .query_begin = answer->query_begin,
                                                       .query_end = answer->query_end});
    if (answer->kind == RHOMB_BATCH_BEYOND) {
        job->longs[job->long_count++] = (uint32_t)index;
        return RHOMB_OK;
    }
    job->sums.found++;
    job->sums.distances += result->distance;
    if (setup->options.cigar && answer->cigar_count > 0) {
        result->cigar = job->cigars + at;
        result->cigar_count = answer->cigar_count;
    }
    return RHOMB_OK;
}

static rhomb_status take(rhomb__batch_job *job, int64_t index, int64_t cigar_used)
{
    const rhomb__batch_setup *setup = job->setup;
    const rhomb_batch_scored *answer =
        (const rhomb_batch_scored *)(const void *)job->answers + index;
    const rhomb_pair *pair = &job->pairs[index];
    const bool global = setup->options.mode == RHOMB_MODE_GLOBAL;
    job->results[index] = (rhomb_pair_result){.status = RHOMB_OK, .distance = -1};
    switch (answer->kind) {
    case RHOMB_BATCH_BASES:
        return rhomb__batch_job_fail_bases(job, index);
    case RHOMB_BATCH_EXCEEDS:
        job->sums.exceeding++;
        return setup->options.max_distance >= 0 ? RHOMB_OK : fail_answer(job, answer, pair);
    case RHOMB_BATCH_BEYOND:
        if (global) {
            job->longs[job->long_count++] = (uint32_t)index;
            return RHOMB_OK;
        }
        break; /* all but its path is known */
    case RHOMB_BATCH_FOUND:
        break;
    default:
        return fail_answer(job, answer, pair);
    }
    return is_possible(job, answer, pair, cigar_used) ? take_found(job, index, answer)
                                                      : fail_answer(job, answer, pair);
}

static rhomb_status alone(const rhomb__batch_setup *setup, const rhomb_pair *pair, int64_t distance,
                          bool *fits, rhomb__batch_shape *shape)
{
    const rhomb__costs *costs = &setup->costs;
    *fits = rhomb__batch_scored_fits(costs, pair->target_length, pair->query_length,
                                     distance / costs->unit);
    return *fits ? rhomb__batch_scored_shape_alone(&setup->ctx->stream.error,
                                                   &setup->ctx->stream.device->info, &setup->shape,
                                                   pair, costs, shape)
                 : RHOMB_OK;
}

const rhomb__batch_method rhomb__batch_scored = {.shape = make_shape,
                                                 .programs = RHOMB__BATCH_PROGRAMS,
                                                 .build = build,
                                                 .self_test = self_test,
                                                 .count = count,
                                                 .enqueue = rhomb__batch_scored_enqueue,
                                                 .take = take,
                                                 .alone = alone};
