/* SPDX-License-Identifier: MIT */
/*
 * Measuring a device's rates: rhomb_context_calibrate(). Each rate is what the planner's model
 * (plan_seconds.c) means by it: it comes from the time of a run of known size, of a kind that this
 * rate dominates.
 *
 *     column_seconds          a similar pair whose pyramid stays narrower than the device
 *     cells_per_second        some launches of a much wider pyramid
 *     sweep_block_seconds     a sweep of a narrow band
 *     sweep_cells_per_second  a sweep of the widest band that any path can need
 *     bases_per_second      the best rate at which any of these runs packed its sequences
 *
 * Runs begin small and grow until they take long enough for the clock and for the machine's other
 * work; then the quicker one of two runs counts. On a large GPU the widest band would have to be
 * several million bases long before the wait for columns no longer shows, which takes too long. So
 * the wait measured before is subtracted, but at most half of the time.
 *
 * The pair. The target is random. The query is the target without the last of every REMOVED_EVERY
 * bases, so their distance is the difference of their lengths: no path costs less, and deleting
 * these bases costs as much. That also holds for prefixes of both, so one pair serves all sizes.
 * Every result is checked against it. Only the wide pyramid has no result: it begins at its full
 * width, on a pair of random sequences (the target against itself from another position), so that
 * it need not grow for seconds first.
 */
#include "rhomb/tuning.h"

#include <stdlib.h>
#include <string.h>

#include "host/device/context.h"
#include "host/device/open.h"
#include "host/device/rates_file.h"
#include "host/engines/engine.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "src/planner/profiles.h"
#include "src/strips/strips.h"

#define BASES         (INT64_C(1) << 22)
#define REMOVED_EVERY 128

/* The first sizes, and the diagonals beside those of the ends in the band of a narrow sweep. */
#define FIRST_COLUMNS      256
#define FIRST_WIDE_COLUMNS 256
#define FIRST_SWEEP        2048
#define FIRST_NARROW_SWEEP 16384
#define NARROW_BESIDE      64

/* Tiles for each compute unit: of a wide pyramid, and at most of a narrow one. */
#define WIDE_TILES   16
#define NARROW_TILES 1

/* A run: what is solved, and the result. */
typedef struct trial {
    bool sweeps;
    int64_t target_length;
    int64_t query_from; /* where the query begins in the target; 0: it is the shortened sequence */
    int64_t query_length;
    int64_t first_score;  /* see engine.h; without pruning, where it is not 0 */
    int64_t max_distance; /* or RHOMB_NO_LIMIT */
    int64_t first_beside;
    int64_t distance; /* expected distance; -1: more than max_distance */
    rhomb__plan plan;
    rhomb__solution solution;
    double seconds; /* of the solve */
} trial;

typedef struct calibrator {
    rhomb_context *ctx;
    char *target; /* of BASES bases */
    char *query;  /* the same, shortened */
    rhomb__codes codes;
    double long_enough;   /* seconds of a run; it takes at most 2.5 times as long */
    int64_t directions;   /* of the wavefront */
    int64_t wide_columns; /* after which a pyramid keeps the device busy */
    rhomb_rates found;
} calibrator;

/* Marsaglia's xorshift: the same bases on every machine. */
static rhomb_status make_bases(calibrator *c)
{
    uint64_t state = UINT64_C(88172645463325252);
    int64_t kept = 0;
    rhomb__histogram histogram;
    c->target = malloc((size_t)BASES);
    c->query = malloc((size_t)BASES);
    if (c->target == NULL || c->query == NULL)
        return rhomb__fail_memory(&c->ctx->stream.error, 2 * (size_t)BASES,
                                  "sequences to measure with");
    for (int64_t i = 0; i < BASES; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        c->target[i] = "ACGT"[state >> 62];
        if (i % REMOVED_EVERY != REMOVED_EVERY - 1)
            c->query[kept++] = c->target[i];
    }
    rhomb__histogram_count(c->target, BASES, 1, &histogram);
    c->codes = rhomb__codes_assign(RHOMB_ALPHABET_DNA, &histogram, &histogram);
    return RHOMB_OK;
}

/* The first bases of both, and their distance. */
static trial similar_trial(bool sweeps, int64_t target_length)
{
    const int64_t removed = target_length / REMOVED_EVERY;
    const trial t = {.sweeps = sweeps,
                     .target_length = target_length,
                     .query_length = target_length - removed,
                     .max_distance = RHOMB_NO_LIMIT,
                     .distance = removed};
    return t;
}

static rhomb_status plan_trial(const calibrator *c, trial *t, rhomb_options *options,
                               rhomb_tuning *tuning)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__costs edit = rhomb__costs_edit();
    RHOMB_TRY(rhomb__options_complete(&c->ctx->stream.error, NULL, options, tuning));
    options->engine = rhomb__engine_that(t->sweeps, &edit);
    options->max_distance = t->max_distance;
    tuning->no_pruning = t->first_score > 0;
    tuning->first_beside = t->first_beside;
    const rhomb__plan_input input = {.target_length = t->target_length,
                                     .query_length = t->query_length,
                                     .symbols = c->codes.symbols,
                                     .device = &c->ctx->stream.device->info,
                                     .options = options,
                                     .rates = &c->ctx->stream.device->rates};
    RHOMB_TRY(rhomb__plan_make(&c->ctx->stream.error, &input, &t->plan));
    RHOMB_TRY(
        rhomb__plan_check_memory(&c->ctx->stream.error, &t->plan, &c->ctx->stream.device->info));
out:
    return status;
}

/*
 * Packs the pair. The best rate of all runs counts, because small pairs only show what a call
 * costs.
 */
static rhomb_status pack_trial(calibrator *c, const trial *t, const rhomb__engine *engine,
                               const rhomb__program *pack, rhomb__buffer *target,
                               rhomb__buffer *query)
{
    const char *bases = t->query_from > 0 ? c->target + t->query_from : c->query;
    const rhomb__bases in_target = {c->target, t->target_length, &c->codes, "a target"};
    const rhomb__bases in_query = {bases, t->query_length, &c->codes, "a query"};
    const rhomb__pair_packing packing = engine->packing(&t->plan);
    const double began = rhomb__now();
    const rhomb_status status =
        rhomb__pack_pair(&c->ctx->stream, pack, &packing, &in_target, &in_query, target, query);
    const double seconds = rhomb__now() - began;
    const double rate = (double)(t->target_length + t->query_length) / seconds;
    if (status == RHOMB_OK && rate > c->found.bases_per_second)
        c->found.bases_per_second = rate;
    return status;
}

static rhomb_status check_trial(const calibrator *c, const trial *t)
{
    if (t->solution.distance == t->distance)
        return RHOMB_OK;
    return rhomb__fail(&c->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                       "%s: while its rates were measured, the %s engine gave %lld instead of %lld",
                       c->ctx->stream.device->info.name, rhomb__plan_engine_name(&t->plan),
                       (long long)t->solution.distance, (long long)t->distance);
}

/* Solves a trial and checks its distance. */
static rhomb_status run_trial(calibrator *c, trial *t)
{
    rhomb_status status = RHOMB_OK;
    rhomb_options options;
    rhomb_tuning tuning;
    rhomb__programs programs;
    rhomb__buffer target = {NULL, 0}, query = {NULL, 0};
    RHOMB_TRY(plan_trial(c, t, &options, &tuning));
    const rhomb__engine *engine = rhomb__engine_of(&t->plan);
    RHOMB_TRY(rhomb__engine_programs(c->ctx, engine, &t->plan, &programs));
    RHOMB_TRY(pack_trial(c, t, engine, programs.pack, &target, &query));
    const double began = rhomb__now();
    const rhomb__problem problem = {.plan = &t->plan,
                                    .options = &options,
                                    .query_length = t->query_length,
                                    .target_length = t->target_length,
                                    .query = &query,
                                    .target = &target,
                                    .upper_bound = rhomb__max(t->target_length, t->query_length),
                                    .began = began,
                                    .first_score = t->first_score};
    RHOMB_TRY(rhomb__engine_solve(c->ctx, engine, &programs, &problem, &t->solution));
    t->seconds = rhomb__now() - began;
    RHOMB_TRY(check_trial(c, t));
out:
    rhomb__buffer_release(&c->ctx->stream, &query);
    rhomb__buffer_release(&c->ctx->stream, &target);
    return status;
}

/* How a trial of a given size is made. Time grows with the size to a power from 1 to `power`. */
typedef struct series {
    trial (*make)(const calibrator *c, int64_t size);
    int64_t first;
    int64_t most;
    int power; /* 1 or 2 */
} series;

/*
 * Runs larger and larger trials until one takes long enough, and then that one again; *t is the
 * quicker of the two. A step takes at most four times as long as the previous one, and 2.5 times
 * when that took half of the time wanted.
 */
static rhomb_status run_series(calibrator *c, const series *s, trial *t)
{
    rhomb_status status = RHOMB_OK;
    const int64_t quick = s->power == 1 ? 4 : 2;
    int64_t size = rhomb__min(s->first, s->most);
    for (;;) {
        *t = s->make(c, size);
        RHOMB_TRY(run_trial(c, t));
        if (t->seconds >= c->long_enough || size == s->most)
            break;
        const bool near = t->seconds > c->long_enough / 2;
        size = rhomb__min(near ? size * (quick + 1) / 2 : size * quick, s->most);
    }
    trial again = s->make(c, size);
    RHOMB_TRY(run_trial(c, &again));
    if (again.seconds < t->seconds)
        *t = again;
    rhomb__log(&c->ctx->stream, 2, "rates: %s, %lld x %lld in %.4f s",
               rhomb__plan_engine_name(&t->plan), (long long)t->target_length,
               (long long)t->query_length, t->seconds);
out:
    return status;
}

/*
 * The columns after which the pyramids of all directions have that many tiles for each compute
 * unit.
 */
static rhomb_status columns_of_tiles(calibrator *c, int64_t tiles, int64_t *columns)
{
    rhomb_options options;
    rhomb_tuning tuning;
    trial any = similar_trial(false, BASES);
    const rhomb_status status = plan_trial(c, &any, &options, &tuning);
    const rhomb__plan *plan = &any.plan;
    const int64_t tile = (int64_t)plan->wavefront.group_size * plan->wavefront.diagonals_per_item -
                         2 * plan->wavefront.tile_scores;
    c->directions = plan->directions;
    *columns = tiles * rhomb__max(c->ctx->stream.device->info.compute_units, 1) * tile /
               (2 * c->directions);
    return status;
}

/* A trial with that many columns in each direction. */
static trial make_narrow_pyramid(const calibrator *c, int64_t columns)
{
    return similar_trial(false, c->directions * columns * REMOVED_EVERY);
}

static rhomb_status measure_column(calibrator *c)
{
    rhomb_status status = RHOMB_OK;
    int64_t most = 0;
    trial t;
    RHOMB_TRY(columns_of_tiles(c, NARROW_TILES, &most));
    const int64_t all = BASES / REMOVED_EVERY / c->directions;
    const series narrow = {make_narrow_pyramid, FIRST_COLUMNS,
                           rhomb__min(rhomb__max(most, FIRST_COLUMNS), all), 1};
    RHOMB_TRY(run_series(c, &narrow, &t));
    c->found.column_seconds = t.seconds * (double)c->directions / (double)t.distance;
out:
    return status;
}

/*
 * On random sequences the best diagonals gain fewer than two bases of each sequence per column. So
 * with four bases per column the front stays far from the end, and two directions stay far from
 * each other. The query starts at base BASES / 2 of the same sequence. No diagonal is so far out,
 * so none aligns a base with itself.
 */
static trial make_wide_pyramid(const calibrator *c, int64_t columns)
{
    const int64_t length = c->directions * c->wide_columns + 4 * columns + 1024;
    const trial t = {.sweeps = false,
                     .target_length = length,
                     .query_from = BASES / 2,
                     .query_length = length,
                     .first_score = c->wide_columns,
                     .max_distance = c->directions * (c->wide_columns + columns),
                     .distance = -1};
    return t;
}

static rhomb_status measure_cells(calibrator *c)
{
    rhomb_status status = RHOMB_OK;
    const series wide = {make_wide_pyramid, FIRST_WIDE_COLUMNS, BASES / 32, 1};
    trial t;
    RHOMB_TRY(columns_of_tiles(c, WIDE_TILES, &c->wide_columns));
    c->wide_columns = rhomb__min(c->wide_columns, BASES / 4 / c->directions);
    RHOMB_TRY(run_series(c, &wide, &t));
    c->found.cells_per_second = (double)t.solution.cells / t.seconds;
out:
    return status;
}

/* The steps of a sweep, as the planner counts them. */
static double steps_of(const trial *t)
{
    return (double)t->target_length * rhomb__plan_steps_per_column(&t->plan);
}

/* The query lacks only the first bases of the target, so the end diagonals are near. */
static trial make_narrow_sweep(const calibrator *c, int64_t length)
{
    (void)c;
    const trial t = {.sweeps = true,
                     .target_length = length,
                     .query_from = NARROW_BESIDE,
                     .query_length = length - NARROW_BESIDE,
                     .max_distance = RHOMB_NO_LIMIT,
                     .first_beside = NARROW_BESIDE,
                     .distance = NARROW_BESIDE};
    return t;
}

static rhomb_status measure_block(calibrator *c)
{
    rhomb_status status = RHOMB_OK;
    const series narrow = {make_narrow_sweep, FIRST_NARROW_SWEEP, BASES, 1};
    trial t;
    RHOMB_TRY(run_series(c, &narrow, &t));
    c->found.sweep_block_seconds = t.seconds / steps_of(&t);
out:
    return status;
}

static trial make_wide_sweep(const calibrator *c, int64_t length)
{
    (void)c;
    trial t = similar_trial(true, length);
    t.first_beside = length;
    return t;
}

static rhomb_status measure_sweep(calibrator *c)
{
    rhomb_status status = RHOMB_OK;
    const series wide = {make_wide_sweep, FIRST_SWEEP, BASES, 2};
    trial t;
    RHOMB_TRY(run_series(c, &wide, &t));
    const double rest = t.seconds - steps_of(&t) * c->found.sweep_block_seconds;
    c->found.sweep_cells_per_second =
        (double)t.solution.cells / (rest > t.seconds / 2 ? rest : t.seconds / 2);
out:
    return status;
}

static rhomb_status measure(calibrator *c)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(make_bases(c));
    RHOMB_TRY(measure_column(c));
    RHOMB_TRY(measure_cells(c));
    RHOMB_TRY(measure_block(c));
    RHOMB_TRY(measure_sweep(c));
    rhomb__rates_bound(&c->found);
out:
    return status;
}

static rhomb_status calibrate(rhomb_context *ctx)
{
    rhomb__device *device = ctx->stream.device;
    const double began = rhomb__now();
    calibrator c = {.ctx = ctx,
                    .long_enough = rhomb__tuning_find(&device->info)->calibrate_seconds,
                    .found = RHOMB_RATES_INIT};
    const rhomb_status status = measure(&c);
    free(c.target);
    free(c.query);
    if (status != RHOMB_OK)
        return status;
    rhomb__rates_store(ctx, &c.found);
    rhomb__log(&ctx->stream, 1,
               "rates: measured in %.2f s: wavefront %.3g cells/s, %.3g us per column; "
               "bit-parallel %.3g cells/s, %.3g us per block; %.3g bases/s",
               rhomb__now() - began, c.found.cells_per_second, 1e6 * c.found.column_seconds,
               c.found.sweep_cells_per_second, 1e6 * c.found.sweep_block_seconds,
               c.found.bases_per_second);
    return RHOMB_OK;
}

rhomb_status rhomb_context_calibrate(rhomb_context *ctx, rhomb_rates *rates)
{
    rhomb_status status = RHOMB_OK;
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (rates != NULL)
        RHOMB_TRY(rhomb__check_size(&ctx->stream.error, "rhomb_rates", rates->struct_size,
                                    sizeof *rates));
    RHOMB_TRY(rhomb__context_need_device(ctx));
    RHOMB_TRY(calibrate(ctx));
    if (rates != NULL) {
        rhomb_rates found = ctx->stream.device->rates.values;
        found.struct_size = rates->struct_size;
        memcpy(rates, &found, rates->struct_size);
    }
out:
    return status;
}
