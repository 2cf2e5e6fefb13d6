/* SPDX-License-Identifier: MIT */
/*
 * The shape of a batch with a scoring, see batch_scored_shape.h.
 */
#include "src/batch/batch_scored_shape.h"

#include "src/base/int64.h"
#include "src/batch/batch_sliced.h"
#include "src/batch/mode_bins.h"
#include "src/planner/affine_paths.h"
#include "src/planner/fit.h"
#include "src/planner/profiles.h"
#include "src/planner/tiling.h"
#include "src/strips/sliced.h"

#include <stdlib.h>

/* The part of a device's local memory that a group's wavefronts may take, so that four fit. */
#define LOCAL_SHARE 4

/* Without paths, the most memory of a group; then the whole matrix takes less time. */
#define MOST_RING (INT64_C(1) << 20)

/* Values of rhomb_batch_tuning.bit_planes. */
enum { ALL_PLANES = 1, NO_PLANES = 2 };

/*
 * The part of a device's memory that matrices in bit planes may take, which have marks of half a
 * byte a cell for a path, in all jobs together.
 */
#define PLANES_SHARE      3
#define PLANES_SHARE_HOST 8
#define MOST_PLANES       (INT64_C(4) << 30)

/*
 * With such marks fewer jobs, each of which has more of them: 24 of 2 GiB take 1.3 times as long as
 * 16 for 20,000 pairs of 10 kb (bench/NOTES.md), as each also takes a while to begin. With 12 jobs
 * pairs of 1,000 bases took longer.
 */
#define MOST_PLANES_JOBS 16

/* Without wavefronts: levels of memory alone. */
#define FIRST_MATRIX (INT64_C(64) << 10)

/* The most diagonals of a wavefront up to a cost. */
static int64_t diagonals_of(const rhomb__costs *costs, int64_t cost)
{
    return cost / rhomb__costs_least_extend(costs) + 2;
}

static int64_t ring_bytes(const rhomb__costs *costs, int64_t cost)
{
    return (int64_t)sizeof(rhomb_i32) * rhomb__affine_ring_cells(costs, diagonals_of(costs, cost));
}

/* Memory of a group for costs up to a limit. */
static int64_t bytes_of(const rhomb__costs *costs, bool path, int64_t limit)
{
    return ring_bytes(costs, limit) + (path ? limit * diagonals_of(costs, limit) : 0);
}

/* The largest limit with so much memory, at least 1. */
static int64_t limit_in(const rhomb__costs *costs, bool path, int64_t bytes)
{
    int64_t low = 1, high = INT64_C(1) << 28;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (bytes_of(costs, path, middle) <= bytes)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* What a job has for matrices with marks or traces. */
static int64_t trace_bytes(const rhomb_device_info *device, const rhomb_batch_tuning *tuning,
                           int64_t columns, const rhomb__batch_shape *s)
{
    const int64_t parts = device->unified_memory ? PLANES_SHARE_HOST : PLANES_SHARE;
    const int64_t share = rhomb__min(device->memory_bytes / parts / s->workers, MOST_PLANES);
    return tuning->column_bytes != 0
               ? columns
               : rhomb__max(rhomb__min(share, device->max_buffer_bytes), columns);
}

static bool has_planes(const rhomb__costs *costs, const rhomb_batch_tuning *tuning)
{
    return tuning->bit_planes != NO_PLANES && rhomb__sliced_can(costs);
}

static void add_level(rhomb__batch_shape *s, int64_t limit, int64_t bytes)
{
    s->limits[s->levels] = (int32_t)limit;
    s->group_bytes[s->levels++] = bytes;
}

/*
 * Levels for matrices in bit planes. They take all that wavefronts have left, but for pairs without
 * room, so the levels after them are as if none came before.
 */
static void add_sliced(const rhomb__costs *costs, bool path, rhomb__batch_shape *s)
{
    s->sliced_level = s->levels;
    const int64_t limit = s->levels > 0 ? s->limits[s->levels - 1] : 1;
    s->sliced_words = rhomb__batch_sliced_words(costs, s->group_size, path);
    s->sliced_lanes = rhomb__lanes_of_group(s->group_size);
    for (int i = 0; i < RHOMB__BATCH_SLICED_LEVELS; i++)
        add_level(s, limit, 0);
}

/* `most` is what a group may have. */
static void plan_levels(const rhomb_device_info *device, const rhomb_batch_options *options,
                        const rhomb_batch_tuning *tuning, const rhomb__costs *costs, int64_t most,
                        rhomb__batch_shape *s)
{
    const bool path = options->cigar;
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    const int64_t edit = rhomb__min(costs->mismatch, rhomb__costs_gap(costs, 1));
    int64_t last = limit_in(costs, path, most);
    int64_t limit = tuning->first_limit != 0 ? tuning->first_limit : row->batch_first_edits * edit;
    if (tuning->last_limit != 0)
        last = rhomb__min(last, tuning->last_limit);
    while (limit < last && s->levels < RHOMB_BATCH_MOST_LEVELS - 2 - RHOMB__BATCH_SLICED_LEVELS &&
           tuning->bit_planes != ALL_PLANES) {
        add_level(s, limit, bytes_of(costs, path, limit));
        limit *= row->batch_edits_growth;
    }
    if (has_planes(costs, tuning))
        add_sliced(costs, path, s);
    add_level(s, last, rhomb__max(bytes_of(costs, path, last), most));
    /* For the matrix of what the one before has not found. */
    add_level(s, last, s->group_bytes[s->levels - 1]);
    for (int32_t i = 0; i < s->levels && s->group_size > 1; i++) {
        const int64_t ring = ring_bytes(costs, s->limits[i]);
        if (ring > device->local_memory_bytes / LOCAL_SHARE)
            break;
        s->ring_bytes[i] = ring;
    }
}

/* The launches of the levels for bit planes. */
static void plan_planes(const rhomb_device_info *device, const rhomb__costs *costs, int64_t columns,
                        rhomb__batch_shape *s)
{
    s->wave_cells = RHOMB__BATCH_WAVE_CELLS;
    if (s->sliced_level < 0)
        return;
    s->wave_cells =
        rhomb__batch_sliced_wave_cells(costs, rhomb__tuning_find(device), s->group_size);
    s->sliced_groups = rhomb__max(s->groups[s->sliced_level] / 2, 1); /* registers */
    s->sliced_bytes = columns;
}

/* Only the matrix: limits are not looked at. */
static void plan_matrices(const rhomb_batch_tuning *tuning, const rhomb__costs *costs, bool path,
                          int64_t most, rhomb__batch_shape *s)
{
    int64_t bytes = rhomb__min(FIRST_MATRIX, most);
    if (has_planes(costs, tuning))
        add_sliced(costs, path, s);
    for (; bytes < most; bytes *= 4)
        add_level(s, s->levels + 1, bytes);
    add_level(s, s->levels + 1, most);
}

/* An item is a block of columns later than the one above. */
#define BLOCK RHOMB_BATCH_LOCAL_BLOCK

/* The largest score in a kernel of 32 bits, which has it times 8, with room for another one. */
#define MOST_SCORE (INT64_C(1) << 26)

/* Both lengths may be so large that scores and positions stay within 32 bits, and memory in a
 * job's. */
static int64_t longest_of_mode(const rhomb_batch_options *options, const rhomb__batch_shape *s)
{
    const int64_t score = MOST_SCORE / rhomb__max(rhomb__scoring_most(options->scoring), 1) / 2 - 2;
    int64_t longest = rhomb__max(rhomb__min(score, s->mode_bytes / 64 - 64), 0);
    const int32_t last = 2 * RHOMB__BATCH_SHORT_BINS - 1;
    const int64_t teams = s->group_size / rhomb__batch_bin_items(s, last);
    int64_t low = 0;
    while (s->traces && longest - low > 0) { /* with room for its trace */
        const int64_t middle = low + (longest - low + 1) / 2;
        const rhomb_pair pair = {NULL, middle, NULL, middle};
        if (rhomb__batch_trace_cells(s, options, last, &pair) * teams <=
            s->mode_bytes / (int64_t)sizeof(rhomb_i32))
            low = middle;
        else
            longest = middle - 1;
    }
    return longest;
}

/* Of the bin of wider groups, if there is local memory. */
#define MOST_GROUP 256

/*
 * Of a sweep by work-items (cl/batch/batch_local_items.clh), of which each has two pairs at most;
 * extensions (cl/batch/batch_extend_rows.clh) have rows of their own besides.
 */
static rhomb__local_need local_need(const rhomb_batch_options *options, int32_t extended_rows,
                                    int64_t profile_bytes)
{
    const int64_t pieces = rhomb__scoring_pieces(options->scoring);
    const int64_t cells = extended_rows > 0 ? extended_rows + 21 : 2 + 4 * 2;
    const bool matrix = options->scoring->matrix != NULL;
    return (rhomb__local_need){(6 * BLOCK * (1 + pieces) + cells) * (int64_t)sizeof(rhomb_i32) +
                                   (matrix ? profile_bytes : 0),
                               64 + (matrix ? (int64_t)sizeof(rhomb_matrix_scores) : 0)};
}

/* NVIDIA's drivers compile PTX 8.0 from here on; those of others for its devices have less. */
#define PTX_DRIVER 525

static void plan_mode(const rhomb_device_info *device, const rhomb_batch_options *options,
                      const rhomb_batch_tuning *tuning, int64_t columns, rhomb__batch_shape *s)
{
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    s->drops = options->mode == RHOMB_MODE_EXTEND &&
               (options->z_drop != RHOMB_NO_LIMIT || options->end_bonus > 0);
    /* Of an item's rows with all symbols, cl/local/local_matrix.clh, for one pair. */
    const int64_t profile = row->batch_item_rows * (RHOMB_MATRIX_CODES + 1);
    const rhomb__local_need wide = local_need(options, 0, profile);
    const rhomb__local_need need = local_need(options, 0, 2 * profile);
    if (!s->drops)
        s->group_size = rhomb__group_fitting(device, need, s->group_size, tuning->group_size != 0);
    const bool vectors = s->group_size == 1 && !s->drops;
    s->lanes = vectors ? RHOMB__VECTOR_LANES : 1;
    s->item_rows = s->lanes > 1 ? row->batch_lane_rows : row->batch_item_rows;
    if (s->drops &&
        (s->group_size == 1 ||
         !rhomb__fits_local(device, local_need(options, s->item_rows, 0), s->group_size)))
        s->item_rows = 0;
    s->ptx = row->batch_ptx && device->driver_version != NULL &&
             strtol(device->driver_version, NULL, 10) >= PTX_DRIVER;
    const bool can_be_short = !s->drops && (options->mode != RHOMB_MODE_ENDS_FREE || !vectors);
    s->short_scores =
        can_be_short && (tuning->score_bits != 0 ? tuning->score_bits == 16 : vectors || s->ptx);
    s->mode_wide = s->drops || s->group_size == 1 ? 0 : row->batch_wide_times * s->group_size;
    while (s->mode_wide > s->group_size &&
           (s->mode_wide > device->max_group_size || s->mode_wide > MOST_GROUP ||
            !rhomb__fits_local(device, wide, s->mode_wide)))
        s->mode_wide /= 2;
    if (s->mode_wide <= s->group_size)
        s->mode_wide = 0;
    s->lists = RHOMB__BATCH_BINS;
    s->mode_bytes = columns;
    s->traces = options->scoring->matrix != NULL && options->cigar;
    if (s->traces) { /* each bin once more, and without wider groups */
        s->lists = 2 * RHOMB__BATCH_BINS;
        s->mode_wide = 0;
        s->mode_bytes = trace_bytes(device, tuning, columns, s);
    }
    s->mode_groups = rhomb__groups_busy(device, row->batch_unit_items, s->group_size);
    s->one_bin = tuning->one_bin;
}

/* Whether most pairs have A, C, G and T alone, and the matrix, if there is one, has all of these.
 */
static bool is_of_acgt(const rhomb_batch_options *options)
{
    const rhomb_score_matrix *matrix = options->scoring != NULL ? options->scoring->matrix : NULL;
    bool all = options->alphabet != RHOMB_ALPHABET_PROTEIN;
    for (int i = 0; i < 4 && matrix != NULL; i++)
        all = all && rhomb_score_matrix_symbol(matrix, "ACGT"[i]) >= 0;
    return all;
}

rhomb_status rhomb__batch_scored_shape_make(rhomb__error *error, const rhomb_device_info *device,
                                            int32_t threads, const rhomb_batch_options *options,
                                            const rhomb_batch_tuning *tuning,
                                            const rhomb__costs *costs, rhomb__batch_shape *s)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__batch_shape_begin(error, device, threads, tuning, s));
    if (options->cigar && has_planes(costs, tuning) && tuning->workers == 0)
        s->workers = (int32_t)rhomb__min(s->workers, MOST_PLANES_JOBS);
    int64_t columns = rhomb__batch_column_bytes(device, tuning, s);
    const int64_t most = rhomb__min(options->cigar ? RHOMB__BATCH_MOST_MEMORY : MOST_RING, columns);
    s->answer_bytes = sizeof(rhomb_batch_scored);
    s->other_planes = rhomb__batch_all_planes(options->alphabet);
    s->planes = is_of_acgt(options) ? 2 : s->other_planes;
    s->unit = costs->unit;
    s->most_edits = INT32_MAX;
    s->wide_group = s->group_size;
    if (s->group_size > 1 && tuning->group_size == 0)
        s->wide_group = rhomb__group_on(device, rhomb__tuning_find(device)->ranges_group_size);
    if (options->mode != RHOMB_MODE_GLOBAL)
        plan_mode(device, options, tuning, columns, s);
    if (options->mode != RHOMB_MODE_GLOBAL && (!options->cigar || s->traces))
        s->levels = 0;
    else if (rhomb__affine_can(costs))
        plan_levels(device, options, tuning, costs, most, s);
    else
        plan_matrices(tuning, costs, options->cigar, most, s);
    if (options->cigar && s->sliced_level >= 0) /* for wavefronts as well */
        columns = trace_bytes(device, tuning, columns, s);
    rhomb__batch_shape_groups(device, columns, s);
    plan_planes(device, costs, columns, s);
    for (int32_t i = 0; i < s->levels; i++)
        if (!rhomb__batch_ring_is_local(s, i))
            s->groups[i] = rhomb__max(s->groups[i] * s->group_size / s->wide_group,
                                      rhomb__min(s->groups[i], device->compute_units));
    RHOMB_TRY(rhomb__batch_shape_finish(error, device, options, tuning, s));
    if (options->mode != RHOMB_MODE_GLOBAL)
        s->long_bases = rhomb__min(s->long_bases, longest_of_mode(options, s));
    if (options->mode != RHOMB_MODE_GLOBAL)
        rhomb__batch_bins_plan(options, s);
out:
    return status;
}

rhomb_status rhomb__batch_scored_shape_alone(rhomb__error *error, const rhomb_device_info *device,
                                             const rhomb__batch_shape *shape,
                                             const rhomb_pair *pair, const rhomb__costs *costs,
                                             rhomb__batch_shape *alone)
{
    rhomb__batch_shape *s = alone;
    const int64_t most = RHOMB__BATCH_MOST_MEMORY;
    *s = *shape;
    if (most > rhomb__allocation_most(device) / 2)
        return rhomb__fail(error, RHOMB_ERR_DEVICE_MEMORY,
                           "%s: no room for the path of sequences of %lld and %lld bases",
                           device->name, (long long)pair->target_length,
                           (long long)pair->query_length);
    s->levels = s->lists = s->mode_wide = 0;
    s->short_scores = s->drops = false;
    s->sliced_level = -1;
    for (int32_t level = 0; level < 2; level++) { /* wavefronts, and the matrix */
        add_level(s, rhomb__affine_can(costs) ? limit_in(costs, true, most) : 1, most);
        s->ring_bytes[level] = 0;
        s->groups[level] = 1;
    }
    s->workers = 1;
    s->group_size = (int32_t)rhomb__min(s->group_size, device->max_group_size);
    s->wide_group = (int32_t)rhomb__min(s->wide_group, device->max_group_size);
    rhomb__batch_shape_for(pair, 1, s);
    return RHOMB_OK;
}

bool rhomb__batch_is_by_waves(const rhomb__costs *costs, int64_t n, int64_t m, int64_t cost)
{
    return rhomb__batch_is_cheap(costs, n, m, cost, RHOMB__BATCH_WAVE_CELLS);
}

int64_t rhomb__batch_most_by_waves(const rhomb__costs *costs)
{
    return limit_in(costs, true, RHOMB__BATCH_MOST_MEMORY);
}

bool rhomb__batch_scored_fits(const rhomb__costs *costs, int64_t n, int64_t m, int64_t cost)
{
    if (rhomb__min(n, m) == 0)
        return true;
    if (rhomb__batch_is_by_waves(costs, n, m, cost))
        return cost <= rhomb__batch_most_by_waves(costs);
    return n + m <= RHOMB__BATCH_MOST_MEMORY &&
           rhomb__affine_matrix_cells(n, m) * (int64_t)sizeof(rhomb_i32) <=
               RHOMB__BATCH_MOST_MEMORY;
}
