/* SPDX-License-Identifier: MIT */
/*
 * The suite `tune`: which tile and which sweep are the quickest on a device, and its rates; what
 * comes out is a row of src/planner/profiles.c (bench_tune_row.c).
 *
 * A wavefront's tile is measured in a narrow pyramid (a similar pair, whose columns never have more
 * diagonals than the device has room for), and in a medium and a wide one (random sequences
 * without pruning, stopped at a column). Where one tile is the best of narrow pyramids and another
 * one of wide ones, both go through pyramids of a similar pair in small steps of size, which show
 * where the second one is to take over: on similar pairs, because those are a wavefront's to solve;
 * unrelated ones, whose columns wait for no long runs, would have it earlier (bench_tune_choice.c).
 *
 * A sweep's shape is measured on a narrow band and on the whole matrix. Sizes double until a run of
 * what the device has now takes long enough, so that the suite ends on slow devices and means
 * something on quick ones; the quickest of some runs counts. All tiles have to give the same
 * distances, and so have all shapes.
 *
 * Compiling takes most of the time: when --seconds are over, what is left of a list stays
 * unmeasured, so the likely ones come first.
 */
#include "bench_tune.h"
#include "src/planner/rates.h"
#include <inttypes.h>
#include <string.h>

/* A run's time, as a share of --seconds; the wavefront's share of them. */
#define RUN_SHARE       (1.0 / 200)
#define WAVEFRONT_SHARE 0.6

/* Bases of the unrelated pair, and the columns, a share of them, that are far from its end. */
#define BASES        INT64_C(3200000)
#define FAR_FROM_END 0.4

/* Runs of which the quickest counts: differences of the steps' times are looked at. */
#define RUNS      2
#define STEP_RUNS 5

/* The sizes to begin with. */
#define FIRST_COLUMNS 2000
#define FIRST_SWEEP   8192

/* Of a narrow pyramid: the share of edits, and its columns for each compute unit and at most. */
#define NARROW_RATE    0.01
#define UNIT_COLUMNS   1000
#define NARROW_COLUMNS 20000

/*
 * Pyramids between which tiles change: so many, each with so many times the columns of the one
 * before, and the least columns; edits of their pair, for each column.
 */
#define STEPS          12
#define STEP           1.41421356
#define STEP_COLUMNS   32
#define EDITS_TO_SPARE 1.5

/* Bases by which the pair of a narrow sweep is shifted: its distance, and its band. */
#define NARROW_SHIFT 64

/* Work-items of a group, diagonals of an item, columns of a launch. */
typedef struct tile_choice {
    int32_t group_size;
    int32_t diagonals_per_item;
    int32_t tile_scores;
} tile_choice;

/* Those of src/planner/profiles.c come first. */
static const tile_choice GROUP_TILES[] = {
    {256, 2, 64}, {128, 8, 64}, {256, 4, 64}, {64, 4, 32},  {256, 4, 32}, {128, 4, 64},
    {128, 2, 64}, {512, 2, 64}, {128, 8, 32}, {256, 2, 32}, {64, 8, 32},  {128, 4, 32},
    {256, 8, 64}, {64, 4, 16},  {512, 4, 64}, {64, 2, 16},  {32, 4, 16},  {1024, 2, 64}};

static const tile_choice SINGLE_TILES[] = {
    {1, 512, 32},   {1, 1024, 64}, {1, 2048, 64},  {1, 256, 32}, {1, 1024, 32},
    {1, 2048, 128}, {1, 256, 16},  {1, 4096, 128}, {1, 128, 16}, {1, 8192, 128}};

/* Work-items of a group, words of each or of a lane, blocks a launch. */
typedef struct shape_choice {
    int32_t group_size;
    int32_t words_per_item;
    int32_t blocks_per_launch;
} shape_choice;

static const shape_choice GROUP_SHAPES[] = {{128, 4, 128}, {128, 2, 128}, {64, 4, 128},
                                            {256, 4, 128}, {128, 8, 128}, {128, 4, 64},
                                            {256, 2, 128}};

static const shape_choice SINGLE_SHAPES[] = {
    {1, 4, 128}, {1, 2, 128}, {1, 8, 128}, {1, 4, 64}, {1, 4, 256}};

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

_Static_assert(COUNT(GROUP_TILES) <= BENCH_MOST_TILES && COUNT(SINGLE_TILES) <= BENCH_MOST_TILES,
               "there is room for all tiles");

typedef struct tuner {
    bench *b;
    const bench_suite *suite;
    double began;
    double long_enough; /* of a run */
    bool single;        /* groups of one work-item */
    bench_pair unrelated;
    bench_pair similar;
    bench_pair steps;         /* a similar pair as large as wide pyramids */
    int64_t similar_distance; /* BENCH_UNKNOWN before the first run; likewise below */
    int64_t columns;          /* of the wide pyramid */
    int64_t matrix_length;
    int64_t matrix_distance;
    int64_t band_length; /* of a narrow sweep */
    bench_tuned best;
} tuner;

/* The quickest of some runs. */
typedef struct trial {
    double seconds; /* 0 where the device does not take the shape; negative on failure */
    rhomb_report report;
} trial;

/* Runs a case `repeat` times; the distance that comes out goes to `distance`, if there is one. */
static trial measure(tuner *t, bench_case *c, int repeat, int64_t *distance)
{
    trial best = {.seconds = 0};
    char name[128], tile[BENCH_TILE_TEXT];
    c->repeat = repeat;
    c->once_when_long = true;
    if (!bench_take_turns(t->b, c, 1)) {
        best.seconds = -1;
        return best;
    }
    if (c->runs == 0)
        return best;
    if (distance != NULL)
        *distance = c->report.distance;
    best.seconds = c->times[BENCH_SOLVE].least;
    best.report = c->report;
    const double bases = (double)(c->report.target_length + c->report.query_length);
    const double transfer = c->times[BENCH_TRANSFER].least;
    if (transfer > 0 && bases / transfer > t->best.bases_per_second)
        t->best.bases_per_second = bases / transfer;
    bench_tile_text(c->report.plan, tile, sizeof tile);
    snprintf(name, sizeof name, "%s, %s", c->name, tile);
    c->name = name;
    bench_csv_row(t->b, c);
    return best;
}

static bench_case case_of(const tuner *t, const char *name, const bench_pair *pair,
                          rhomb_engine engine, const rhomb_tuning *tuning)
{
    bench_case c = bench_case_of(t->b, t->suite, pair);
    c.name = name;
    c.engine = engine;
    c.tuning = *tuning;
    c.verify_first = false;
    return c;
}

/* A pyramid that is stopped at a column. */
static trial measure_columns(tuner *t, const char *name, const bench_pair *pair,
                             const rhomb_tuning *tuning, int64_t columns, int repeat)
{
    bench_case c = case_of(t, name, pair, RHOMB_ENGINE_WAVEFRONT, tuning);
    c.max_distance = columns;
    c.verified_by = "the limit and the count of cells";
    c.tuning.no_pruning = true;
    return measure(t, &c, repeat, NULL);
}

static trial measure_narrow(tuner *t, const rhomb_tuning *tuning)
{
    bench_case c = case_of(t, "narrow pyramid", &t->similar, RHOMB_ENGINE_WAVEFRONT, tuning);
    c.distance = t->similar_distance;
    c.verified_by = "the other tiles";
    return measure(t, &c, RUNS, &t->similar_distance);
}

/* The whole matrix of the first bases. */
static trial measure_matrix(tuner *t, const rhomb_tuning *tuning)
{
    bench_pair part = t->unrelated;
    part.target_length = part.query_length = t->matrix_length;
    bench_case c = case_of(t, "whole matrix", &part, RHOMB_ENGINE_BITPARALLEL, tuning);
    c.distance = t->matrix_distance;
    c.verified_by = "the other shapes";
    c.tuning.first_half_width = t->matrix_length;
    return measure(t, &c, RUNS, &t->matrix_distance);
}

/* A narrow band. The plan's time of a column is that of its share of blocks. */
static trial measure_band(tuner *t, const rhomb_tuning *tuning)
{
    bench_pair part = t->unrelated;
    part.target_length = t->band_length;
    part.query = part.target + NARROW_SHIFT;
    part.query_length = t->band_length - NARROW_SHIFT;
    bench_case c = case_of(t, "narrow band", &part, RHOMB_ENGINE_BITPARALLEL, tuning);
    c.distance = NARROW_SHIFT;
    c.verified_by = "the way the pair is made";
    c.tuning.first_half_width = NARROW_SHIFT;
    return measure(t, &c, RUNS, NULL);
}

/* Enlarges a size until what the device's present row has takes long enough; false on failure. */
static bool grow(tuner *t, int64_t *size, int64_t first, int64_t most)
{
    for (*size = first < most ? first : most;; *size = 2 * *size < most ? 2 * *size : most) {
        const rhomb_tuning *tuning = &t->b->tuning;
        t->matrix_distance = BENCH_UNKNOWN;
        const trial result =
            size == &t->columns
                ? measure_columns(t, "size of a pyramid", &t->unrelated, tuning, t->columns, RUNS)
            : size == &t->matrix_length ? measure_matrix(t, tuning)
                                        : measure_band(t, tuning);
        if (result.seconds >= t->long_enough / 2 || *size == most || result.seconds < 0)
            return result.seconds >= 0;
    }
}

static bool find_sizes(tuner *t)
{
    const int64_t bases = t->unrelated.target_length;
    const int64_t far = (int64_t)((double)bases * FAR_FROM_END);
    return grow(t, &t->columns, FIRST_COLUMNS, t->b->stop_at < far ? t->b->stop_at : far) &&
           grow(t, &t->band_length, FIRST_SWEEP, bases) &&
           grow(t, &t->matrix_length, FIRST_SWEEP, bases);
}

/* Measures a tile; false on failure. The tile's wavefront_seconds stay 0 where the device lacks it.
 */
static bool try_tile(tuner *t, const tile_choice *choice, bench_tile *tile)
{
    char text[BENCH_TILE_TEXT];
    rhomb_tuning tuning = t->b->tuning;
    bench_set_tile(&tuning, choice->group_size, choice->diagonals_per_item, choice->tile_scores);
    const trial narrow = measure_narrow(t, &tuning);
    tile->wavefront_seconds = 0;
    if (narrow.seconds <= 0)
        return narrow.seconds == 0;
    const trial medium =
        measure_columns(t, "medium pyramid", &t->unrelated, &tuning, (t->columns + 1) / 2, RUNS);
    const trial wide = measure_columns(t, "wide pyramid", &t->unrelated, &tuning, t->columns, RUNS);
    if (medium.seconds <= 0 || wide.seconds <= 0)
        return false;
    tile->plan = *narrow.report.plan;
    tile->wavefront_seconds = narrow.seconds / (double)(t->similar_distance + 1);
    tile->medium_seconds = medium.seconds;
    tile->cells_per_second = (double)wide.report.cells / wide.seconds;
    bench_tile_text(&tile->plan, text, sizeof text);
    printf("%-24s %14.4g %14.4g %14.4g\n", text, tile->wavefront_seconds * 1e6,
           (double)medium.report.cells / medium.seconds, tile->cells_per_second);
    fflush(stdout);
    return true;
}

/*
 * Whether the next one of a list is to be measured: always until one is, then in a share of time.
 *
 */
static bool has_time(const tuner *t, int measured, int left, double share)
{
    if (left == 0)
        return false;
    if (measured == 0 || bench_now() - t->began <= share * t->b->tune_seconds)
        return true;
    printf("time is over: %d not measured\n", left);
    return false;
}

static bool try_tiles(tuner *t)
{
    const tile_choice *choices = t->single ? SINGLE_TILES : GROUP_TILES;
    const int count = t->single ? COUNT(SINGLE_TILES) : COUNT(GROUP_TILES);
    bench_tile tiles[BENCH_MOST_TILES];
    int measured = 0;
    printf("\n%-24s %14s %14s %14s\n", "wavefront", "us a column", "medium cells/s",
           "wide cells/s");
    for (int i = 0; has_time(t, measured, count - i, WAVEFRONT_SHARE); i++) {
        if (!try_tile(t, &choices[i], &tiles[measured]))
            return false;
        measured += tiles[measured].wavefront_seconds > 0;
    }
    if (measured == 0)
        return bench_fail(t->b, "tune: the device takes none of the tiles");
    bench_tuned_choose(&t->best, tiles, measured);
    return true;
}

/* The first bases of the steps' pair that make a distance of more than so many columns. */
static bench_pair pair_of_step(const tuner *t, int64_t columns)
{
    bench_pair part = t->steps;
    const double share =
        EDITS_TO_SPARE * (double)columns / NARROW_RATE / (double)part.target_length;
    if (share < 1) {
        part.target_length = (int64_t)((double)part.target_length * share);
        part.query_length = (int64_t)((double)part.query_length * share);
    }
    return part;
}

static bool try_step(tuner *t, bench_step *step)
{
    const bench_tile *tiles[] = {&t->best.narrow, &t->best.wide};
    const bench_pair part = pair_of_step(t, step->columns);
    trial trials[2];
    for (int i = 0; i < 2; i++) {
        rhomb_tuning tuning = t->b->tuning;
        const rhomb_plan *plan = &tiles[i]->plan;
        bench_set_tile(&tuning, plan->group_size, plan->diagonals_per_item, plan->tile_scores);
        trials[i] = measure_columns(t, "step", &part, &tuning, step->columns, STEP_RUNS);
        if (trials[i].seconds <= 0)
            return false;
    }
    step->narrow_seconds = trials[0].seconds;
    step->wide_seconds = trials[1].seconds;
    printf("%-24" PRId64 " %14.4g %14.4g\n", 2 * step->columns, step->narrow_seconds,
           step->wide_seconds);
    fflush(stdout);
    return true;
}

/* Whether a second tile takes over, and where. */
static bool try_steps(tuner *t)
{
    bench_step steps[STEPS];
    bench_tuned *best = &t->best;
    double columns = (double)t->columns;
    int first = 0;
    if (!bench_tuned_wants_two(best))
        return true;
    const double bases = EDITS_TO_SPARE * columns / NARROW_RATE / t->b->scale;
    const bench_source source = {
        .name = "similar steps", .length = (int64_t)bases + 1, .rate = NARROW_RATE};
    if (!bench_pair_make(t->b, &source, &t->steps))
        return false;
    for (int i = STEPS; i-- > 0; columns /= STEP)
        steps[i].columns = (int64_t)columns;
    while (first < STEPS && steps[first].columns < STEP_COLUMNS)
        first++;
    printf("\n%-24s %14s %14s\n", "diagonals", "narrow tile s", "wide tile s");
    for (int i = first; i < STEPS; i++)
        if (!try_step(t, &steps[i]))
            return false;
    best->wide_diagonals = bench_switch_diagonals(steps + first, STEPS - first);
    if (best->wide_diagonals == INT64_MAX) {
        /* What is the best on similar pairs of this size is the best of all. */
        best->wide = best->narrow;
        best->wide_diagonals = 0;
    }
    return true;
}

/* Measures a shape; false on failure. Its block_seconds stay 0 where the device lacks it. */
static bool try_shape(tuner *t, const shape_choice *choice, bench_shape *shape)
{
    char text[BENCH_TILE_TEXT];
    rhomb_tuning tuning = t->b->tuning;
    tuning.group_size = choice->group_size;
    tuning.words_per_item = choice->words_per_item;
    tuning.blocks_per_launch = choice->blocks_per_launch;
    const trial band = measure_band(t, &tuning);
    shape->block_seconds = 0;
    if (band.seconds <= 0)
        return band.seconds == 0;
    const trial matrix = measure_matrix(t, &tuning);
    if (matrix.seconds <= 0)
        return false;
    const double blocks =
        band.report.plan->column_seconds /
        rhomb__rates_of_row(rhomb_context_device(t->b->ctx)).values.sweep_block_seconds;
    shape->plan = *matrix.report.plan;
    shape->block_seconds = band.seconds / ((double)t->band_length * blocks);
    shape->cells_per_second = (double)matrix.report.cells / matrix.seconds;
    bench_tile_text(&shape->plan, text, sizeof text);
    printf("%-24s %14.4g %29.4g\n", text, shape->block_seconds * 1e6, shape->cells_per_second);
    fflush(stdout);
    return true;
}

static bool try_shapes(tuner *t)
{
    const shape_choice *choices = t->single ? SINGLE_SHAPES : GROUP_SHAPES;
    const int count = t->single ? COUNT(SINGLE_SHAPES) : COUNT(GROUP_SHAPES);
    bench_shape shapes[COUNT(GROUP_SHAPES) + COUNT(SINGLE_SHAPES)];
    bench_score scores[COUNT(shapes)];
    int measured = 0;
    printf("\n%-24s %14s %29s\n", "sweep", "us a block", "cells/s");
    for (int i = 0; has_time(t, measured, count - i, 1); i++) {
        bench_shape *shape = &shapes[measured];
        if (!try_shape(t, &choices[i], shape))
            return false;
        if (shape->block_seconds > 0) {
            scores[measured].rate = shape->cells_per_second;
            scores[measured++].seconds = shape->block_seconds;
        }
    }
    if (measured == 0)
        return bench_fail(t->b, "tune: the device takes none of the shapes");
    t->best.shape = shapes[bench_best(scores, measured)];
    return true;
}

static bool make_pairs(tuner *t)
{
    const int64_t units = rhomb_context_device(t->b->ctx)->compute_units;
    const int64_t columns =
        units * UNIT_COLUMNS < NARROW_COLUMNS ? units * UNIT_COLUMNS : NARROW_COLUMNS;
    const bench_source unrelated = {.name = "unrelated", .length = BASES, .query_length = BASES};
    const bench_source similar = {
        .name = "similar", .length = (int64_t)((double)columns / NARROW_RATE), .rate = NARROW_RATE};
    return bench_pair_make(t->b, &unrelated, &t->unrelated) &&
           bench_pair_make(t->b, &similar, &t->similar);
}

static bool write_row(bench *b, const bench_tuned *tuned)
{
    FILE *file = b->row != NULL ? fopen(b->row, "w") : stdout;
    if (file == NULL)
        return bench_fail(b, "cannot write %s", b->row);
    bench_tune_row(file, rhomb_context_device(b->ctx), b->commit, b->command, tuned);
    fflush(file);
    const bool good = !ferror(file);
    const bool closed = b->row == NULL || fclose(file) == 0;
    return (good && closed) || bench_fail(b, "the row could not be written");
}

static bool run_tune(bench *b, const bench_suite *suite)
{
    if (!bench_open(b))
        return false;
    tuner t = {.b = b,
               .suite = suite,
               .began = bench_now(),
               .long_enough = RUN_SHARE * b->tune_seconds,
               .single = rhomb_context_device(b->ctx)->kind == RHOMB_DEVICE_CPU,
               .similar_distance = BENCH_UNKNOWN,
               .matrix_distance = BENCH_UNKNOWN};
    bench_title(b, suite->name);
    const bool good = make_pairs(&t) && find_sizes(&t) && try_tiles(&t) && try_steps(&t) &&
                      try_shapes(&t) && write_row(b, &t.best);
    bench_pair_release(&t.steps);
    bench_pair_release(&t.similar);
    bench_pair_release(&t.unrelated);
    return good;
}

const bench_method bench_tune = {.run = run_tune, .own_engines = true};
