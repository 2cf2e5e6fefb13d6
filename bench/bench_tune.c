/* SPDX-License-Identifier: MIT */
/*
 * The suite `tune`: which tile and which sweep are the quickest on a device, and its rates; what
 * comes out is a row of src/tuning.c (bench_tune_row.c).
 *
 * A wavefront's tile is measured in a narrow pyramid (a similar pair, whose columns never have more
 * diagonals than the device has room for), and in a medium and a wide one (unrelated letters
 * without pruning, stopped at a column). A sweep's shape is measured on a narrow band and on the
 * whole matrix. Sizes double until a run of what the device has now takes long enough, so that the
 * suite ends on slow devices and means something on quick ones; the quicker of two runs counts. All
 * tiles have to give the same distances, and so have all shapes.
 *
 * Compiling takes most of the time: when --seconds are over, what is left of a list stays
 * unmeasured, so the likely ones come first.
 */
#include "bench_tune.h"

#include <string.h>

/* A run's time, as a share of --seconds; the wavefront's share of them. */
#define RUN_SHARE       (1.0 / 200)
#define WAVEFRONT_SHARE 0.6

/* Within this of the best the other rate decides: more is not to be told apart. */
#define SAME_RATE 0.97

/* Letters of the unrelated pair, and the columns, a share of them, that are far from its end. */
#define LETTERS      INT64_C(3200000)
#define FAR_FROM_END 0.4

/* The sizes to begin with. */
#define FIRST_COLUMNS 2000
#define FIRST_SWEEP   8192

/* Of a narrow pyramid: the share of edits, and its columns for each compute unit and at most. */
#define NARROW_RATE    0.01
#define UNIT_COLUMNS   1000
#define NARROW_COLUMNS 20000

/* Letters by which the pair of a narrow sweep is shifted: its distance, and its band. */
#define NARROW_SHIFT 64

/* A time of a block for plans, to see how many blocks a column is. */
#define BLOCK_UNIT 1e-6

/* Work-items of a group, diagonals of an item, columns of a band. */
typedef struct tile_choice {
    int32_t group_size;
    int32_t diagonals_per_item;
    int32_t tile_columns;
} tile_choice;

static const tile_choice GROUP_TILES[] = {{256, 4, 32}, {128, 4, 32}, {256, 4, 64}, {128, 8, 64},
                                          {512, 4, 64}, {128, 4, 16}, {64, 4, 16},  {128, 8, 32},
                                          {64, 8, 32},  {256, 8, 64}, {256, 2, 32}, {512, 2, 64},
                                          {32, 4, 16},  {64, 2, 16},  {512, 2, 32}, {1024, 2, 64}};

static const tile_choice SINGLE_TILES[] = {
    {1, 2048, 64}, {1, 1024, 64}, {1, 4096, 64}, {1, 2048, 128}, {1, 1024, 32},
    {1, 512, 32},  {1, 256, 32},  {1, 2048, 32}, {1, 4096, 128}, {1, 8192, 128}};

/* Work-items of a group, lanes of a vector, words of either, blocks a launch. */
typedef struct shape_choice {
    int32_t group_size;
    int32_t lanes;
    int32_t words_per_item;
    int32_t blocks_per_launch;
} shape_choice;

static const shape_choice GROUP_SHAPES[] = {{128, 1, 4, 128}, {128, 1, 2, 128}, {64, 1, 4, 128},
                                            {256, 1, 4, 128}, {128, 1, 8, 128}, {128, 1, 4, 64},
                                            {256, 1, 2, 128}};

static const shape_choice SINGLE_SHAPES[] = {
    {1, 16, 4, 128}, {1, 16, 2, 128}, {1, 16, 8, 128}, {1, 16, 4, 64}, {1, 16, 4, 256}};

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

typedef struct tuner {
    bench *b;
    double began;
    double long_enough; /* of a run */
    bool single;        /* groups of one work-item */
    bench_pair unrelated;
    bench_pair similar;
    int64_t similar_distance; /* BENCH_UNKNOWN before the first run; likewise below */
    int64_t columns;          /* of the wide pyramid */
    int64_t matrix_length;
    int64_t matrix_distance;
    int64_t band_length; /* of a narrow sweep */
    bench_tuned best;
} tuner;

/* Whether a share of the time is over. */
static bool is_over(const tuner *t, double share)
{
    return bench_now() - t->began > share * t->b->tune_seconds;
}

/* Whether a rate is more than the best one, or about the same with a shorter wait. */
static bool is_better(double rate, double seconds, double best_rate, double best_seconds)
{
    return rate * SAME_RATE > best_rate || (rate > best_rate * SAME_RATE && seconds < best_seconds);
}

/* ------------------------------------------------------------------- runs */

/* The quicker of two runs. */
typedef struct trial {
    double seconds; /* 0 where the device does not take the shape; negative on failure */
    rhomb_report report;
} trial;

static void note_letters(tuner *t, const bench_runs *runs)
{
    const rhomb_report *r = &runs->report;
    const double letters = (double)(r->target_length + r->query_length);
    for (int i = 0; i < runs->count; i++)
        if (runs->transfer[i] > 0 && letters / runs->transfer[i] > t->best.letters_per_second)
            t->best.letters_per_second = letters / runs->transfer[i];
}

/* Runs a case; a distance that comes out is the one that has to, from then on. */
static trial measure(tuner *t, bench_case *c)
{
    trial best = {.seconds = 0};
    bench_runs runs = {0};
    char name[128], tile[BENCH_TILE_TEXT];
    c->suite = "tune";
    c->repeat = 2;
    c->once_when_long = true;
    while (!runs.done) {
        if (!bench_run_once(t->b, c, &runs)) {
            best.seconds = -1;
            return best;
        }
        if (runs.calls > 0 && c->max_distance == RHOMB_NO_LIMIT)
            c->distance = runs.report.distance;
    }
    if (runs.count == 0)
        return best;
    note_letters(t, &runs);
    const bench_measured measured = bench_summary(t->b, &runs);
    best.seconds = measured.solve.least;
    best.report = runs.report;
    bench_tile_text(&runs.report.plan, tile, sizeof tile);
    snprintf(name, sizeof name, "%s, %s", c->name, tile);
    bench_case row = *c;
    row.name = name;
    bench_csv_row(t->b, &row, &measured);
    return best;
}

/* A pyramid of unrelated letters. */
static trial measure_wide(tuner *t, const char *name, const rhomb_tuning *tuning, int64_t columns)
{
    bench_case c = {.name = name,
                    .pair = &t->unrelated,
                    .engine = RHOMB_ENGINE_WAVEFRONT,
                    .tuning = *tuning,
                    .max_distance = columns,
                    .distance = BENCH_UNKNOWN,
                    .verified_by = "the limit and the count of cells"};
    c.tuning.no_pruning = true;
    return measure(t, &c);
}

static trial measure_narrow(tuner *t, const rhomb_tuning *tuning)
{
    bench_case c = {.name = "narrow pyramid",
                    .pair = &t->similar,
                    .engine = RHOMB_ENGINE_WAVEFRONT,
                    .tuning = *tuning,
                    .max_distance = RHOMB_NO_LIMIT,
                    .distance = t->similar_distance,
                    .verified_by = "the other tiles"};
    const trial result = measure(t, &c);
    t->similar_distance = c.distance;
    return result;
}

/* The whole matrix of the first letters. */
static trial measure_matrix(tuner *t, const rhomb_tuning *tuning)
{
    bench_pair part = t->unrelated;
    part.target_length = part.query_length = t->matrix_length;
    bench_case c = {.name = "whole matrix",
                    .pair = &part,
                    .engine = RHOMB_ENGINE_BITPARALLEL,
                    .tuning = *tuning,
                    .max_distance = RHOMB_NO_LIMIT,
                    .distance = t->matrix_distance,
                    .verified_by = "the other shapes"};
    c.tuning.first_beside = t->matrix_length;
    const trial result = measure(t, &c);
    t->matrix_distance = c.distance;
    return result;
}

/* A narrow band. The plan's time of a column is that of its share of blocks, at BLOCK_UNIT each. */
static trial measure_band(tuner *t, const rhomb_tuning *tuning)
{
    bench_pair part = t->unrelated;
    rhomb_rates unit = RHOMB_RATES_INIT;
    part.target_length = t->band_length;
    part.query = part.target + NARROW_SHIFT;
    part.query_length = t->band_length - NARROW_SHIFT;
    bench_case c = {.name = "narrow band",
                    .pair = &part,
                    .engine = RHOMB_ENGINE_BITPARALLEL,
                    .tuning = *tuning,
                    .max_distance = RHOMB_NO_LIMIT,
                    .distance = NARROW_SHIFT,
                    .verified_by = "the way the pair is made"};
    unit.sweep_block_seconds = BLOCK_UNIT;
    c.tuning.rates = &unit;
    c.tuning.first_beside = NARROW_SHIFT;
    return measure(t, &c);
}

/* ------------------------------------------------------------------ sizes */

static trial try_columns(tuner *t)
{
    return measure_wide(t, "size of a pyramid", &t->b->tuning, t->columns);
}

static trial try_matrix(tuner *t)
{
    t->matrix_distance = BENCH_UNKNOWN;
    return measure_matrix(t, &t->b->tuning);
}

static trial try_band(tuner *t)
{
    return measure_band(t, &t->b->tuning);
}

/* Enlarges a size until what the device's present row has takes long enough; false on failure. */
static bool grow(tuner *t, int64_t *size, int64_t first, int64_t most, trial (*run)(tuner *t))
{
    for (*size = first < most ? first : most;;) {
        const trial result = run(t);
        if (result.seconds >= t->long_enough / 2 || *size == most || result.seconds < 0)
            return result.seconds >= 0;
        *size = 2 * *size < most ? 2 * *size : most;
    }
}

static bool find_sizes(tuner *t)
{
    const int64_t letters = t->unrelated.target_length;
    const int64_t far = (int64_t)((double)letters * FAR_FROM_END);
    return grow(t, &t->columns, FIRST_COLUMNS, t->b->stop_at < far ? t->b->stop_at : far,
                try_columns) &&
           grow(t, &t->matrix_length, FIRST_SWEEP, letters, try_matrix) &&
           grow(t, &t->band_length, FIRST_SWEEP, letters, try_band);
}

/* -------------------------------------------------------------- wavefront */

/* One tile; false on failure. */
static bool try_tile(tuner *t, const tile_choice *choice)
{
    bench_tile tile, *best = &t->best.tile, *narrowest = &t->best.narrow;
    char text[BENCH_TILE_TEXT];
    rhomb_tuning tuning = t->b->tuning;
    tuning.group_size = choice->group_size;
    tuning.diagonals_per_item = choice->diagonals_per_item;
    tuning.tile_columns = choice->tile_columns;
    const trial narrow = measure_narrow(t, &tuning);
    if (narrow.seconds <= 0)
        return narrow.seconds == 0;
    const trial medium = measure_wide(t, "medium pyramid", &tuning, (t->columns + 3) / 4);
    const trial wide = measure_wide(t, "wide pyramid", &tuning, t->columns);
    if (medium.seconds <= 0 || wide.seconds <= 0)
        return false;
    tile.plan = narrow.report.plan;
    tile.column_seconds = narrow.seconds / (double)(t->similar_distance + 1);
    tile.cells_per_second = (double)wide.report.cells / wide.seconds;
    bench_tile_text(&tile.plan, text, sizeof text);
    printf("%-24s %14.4g %14.4g %14.4g\n", text, tile.column_seconds * 1e6,
           (double)medium.report.cells / medium.seconds, tile.cells_per_second);
    fflush(stdout);
    if (narrowest->column_seconds <= 0 || tile.column_seconds < narrowest->column_seconds)
        *narrowest = tile;
    if (is_better(tile.cells_per_second, tile.column_seconds, best->cells_per_second,
                  best->column_seconds))
        *best = tile;
    return true;
}

static bool try_tiles(tuner *t)
{
    const tile_choice *choices = t->single ? SINGLE_TILES : GROUP_TILES;
    const int count = t->single ? COUNT(SINGLE_TILES) : COUNT(GROUP_TILES);
    printf("\n%-24s %14s %14s %14s\n", "wavefront", "us a column", "medium cells/s",
           "wide cells/s");
    for (int i = 0; i < count; i++) {
        if (t->best.tile.cells_per_second > 0 && is_over(t, WAVEFRONT_SHARE)) {
            printf("time is over: %d tiles not measured\n", count - i);
            break;
        }
        if (!try_tile(t, &choices[i]))
            return false;
    }
    return t->best.tile.cells_per_second > 0 ||
           bench_fail(t->b, "tune: the device takes none of the tiles");
}

/* ------------------------------------------------------------------ sweep */

/* One shape; false on failure. */
static bool try_shape(tuner *t, const shape_choice *choice)
{
    bench_shape shape, *best = &t->best.shape;
    char text[BENCH_TILE_TEXT];
    rhomb_tuning tuning = t->b->tuning;
    tuning.group_size = choice->group_size;
    tuning.lanes = choice->lanes;
    tuning.words_per_item = choice->words_per_item;
    tuning.blocks_per_launch = choice->blocks_per_launch;
    const trial band = measure_band(t, &tuning);
    if (band.seconds <= 0)
        return band.seconds == 0;
    const trial matrix = measure_matrix(t, &tuning);
    if (matrix.seconds <= 0)
        return false;
    const double blocks = band.report.plan.column_seconds / BLOCK_UNIT;
    shape.plan = matrix.report.plan;
    shape.block_seconds = band.seconds / ((double)t->band_length * blocks);
    shape.cells_per_second = (double)matrix.report.cells / matrix.seconds;
    bench_tile_text(&shape.plan, text, sizeof text);
    printf("%-24s %14.4g %29.4g\n", text, shape.block_seconds * 1e6, shape.cells_per_second);
    fflush(stdout);
    if (is_better(shape.cells_per_second, shape.block_seconds, best->cells_per_second,
                  best->block_seconds))
        *best = shape;
    return true;
}

static bool try_shapes(tuner *t)
{
    const shape_choice *choices = t->single ? SINGLE_SHAPES : GROUP_SHAPES;
    const int count = t->single ? COUNT(SINGLE_SHAPES) : COUNT(GROUP_SHAPES);
    printf("\n%-24s %14s %29s\n", "sweep", "us a block", "cells/s");
    for (int i = 0; i < count; i++) {
        if (t->best.shape.cells_per_second > 0 && is_over(t, 1)) {
            printf("time is over: %d shapes not measured\n", count - i);
            break;
        }
        if (!try_shape(t, &choices[i]))
            return false;
    }
    return t->best.shape.cells_per_second > 0 ||
           bench_fail(t->b, "tune: the device takes none of the shapes");
}

/* ------------------------------------------------------------------ suite */

static bool make_pairs(tuner *t)
{
    const int64_t units = rhomb_context_device(t->b->ctx)->compute_units;
    const int64_t columns =
        units * UNIT_COLUMNS < NARROW_COLUMNS ? units * UNIT_COLUMNS : NARROW_COLUMNS;
    return bench_pair_unrelated(t->b, "unrelated", LETTERS, LETTERS, &t->unrelated) &&
           bench_pair_generate(t->b, "similar", (int64_t)((double)columns / NARROW_RATE),
                               NARROW_RATE, &t->similar);
}

bool bench_suite_tune(bench *b)
{
    if (!bench_open(b))
        return false;
    tuner t = {.b = b,
               .began = bench_now(),
               .long_enough = RUN_SHARE * b->tune_seconds,
               .single = rhomb_context_device(b->ctx)->kind == RHOMB_DEVICE_CPU,
               .similar_distance = BENCH_UNKNOWN,
               .matrix_distance = BENCH_UNKNOWN};
    bench_title(b, "tune");
    const bool good = make_pairs(&t) && find_sizes(&t) && try_tiles(&t) && try_shapes(&t) &&
                      bench_tune_row(b, &t.best);
    bench_pair_release(&t.similar);
    bench_pair_release(&t.unrelated);
    return good;
}
