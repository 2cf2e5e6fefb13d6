/* SPDX-License-Identifier: MIT */
/*
 * Tunings of any values: every number of every structure, alone and with each other one, at the
 * ends of its type and where products of two leave 32 bits. A plan is made, or refused with a
 * detail; the sanitizers see to the rest.
 */
#include "rhomb/local.h"
#include "src/batch/batch_shape.h"
#include "src/planner/long_shape.h"
#include "support/plans.h"

/* A number in a structure. */
typedef struct number {
    size_t at;
    size_t bytes;
} number;

#define NUMBER(type, name)                           \
    {                                                \
        offsetof(type, name), sizeof((type){0}.name) \
    }

static const number TUNING[] = {
    NUMBER(rhomb_tuning, tile_shape),         NUMBER(rhomb_tuning, group_size),
    NUMBER(rhomb_tuning, diagonals_per_item), NUMBER(rhomb_tuning, tile_scores),
    NUMBER(rhomb_tuning, launches_per_read),  NUMBER(rhomb_tuning, offset_bits),
    NUMBER(rhomb_tuning, words_per_item),     NUMBER(rhomb_tuning, blocks_per_launch),
    NUMBER(rhomb_tuning, directions),         NUMBER(rhomb_tuning, first_half_width),
    NUMBER(rhomb_tuning, wide_group_size),    NUMBER(rhomb_tuning, wide_diagonals_per_item),
    NUMBER(rhomb_tuning, wide_tile_scores),   NUMBER(rhomb_tuning, wide_diagonals),
    NUMBER(rhomb_tuning, local_group_size),   NUMBER(rhomb_tuning, local_item_rows),
    NUMBER(rhomb_tuning, local_steps),        NUMBER(rhomb_tuning, chunk_strips),
};
static const number BATCH[] = {
    NUMBER(rhomb_batch_tuning, group_size),  NUMBER(rhomb_batch_tuning, first_limit),
    NUMBER(rhomb_batch_tuning, last_limit),  NUMBER(rhomb_batch_tuning, workers),
    NUMBER(rhomb_batch_tuning, job_bases),   NUMBER(rhomb_batch_tuning, long_bases),
    NUMBER(rhomb_batch_tuning, score_bits),  NUMBER(rhomb_batch_tuning, bit_planes),
    NUMBER(rhomb_batch_tuning, column_bytes)};
static const int64_t VALUES[] = {INT64_MIN,
                                 INT32_MIN,
                                 -1,
                                 0,
                                 1,
                                 2,
                                 64,
                                 8192,
                                 46341,
                                 1869974248,
                                 INT32_MAX,
                                 (int64_t)INT32_MAX + 1,
                                 INT64_C(1) << 40,
                                 INT64_MAX / 2 + 1,
                                 INT64_MAX};

/* Unit costs, small ones, and the largest. */
static const rhomb_scoring SCORINGS[] = {
    RHOMB_SCORING_EDIT,
    {0, 4, 6, 2, 24, 1, NULL},
    {2, 4, 4, 2, 24, 1, NULL},
    {INT64_C(1) << 40, INT64_C(1) << 40, INT64_C(1) << 40, INT64_C(1) << 40, -1, -1, NULL}};

/* Sets a number; false where the value does not fit it. */
static bool set(void *tuning, const number *n, int64_t value)
{
    const int32_t narrow = (int32_t)value;
    memcpy((char *)tuning + n->at, n->bytes == sizeof narrow ? (const void *)&narrow : &value,
           n->bytes);
    return n->bytes > sizeof narrow || narrow == value;
}

/* Makes all plans that a tuning is for. */
typedef void (*try_fn)(const void *tuning, const rhomb_device_info *device);

static int64_t made, refused;

static void judge(rhomb_status status, const rhomb__error *error)
{
    assert_int_equal(status == RHOMB_OK, rhomb__error_text(error)[0] == '\0');
    if (status != RHOMB_OK && status != RHOMB_ERR_ARGUMENT && status != RHOMB_ERR_DEVICE_MEMORY)
        fail_msg("%s: %s", rhomb_status_name(status), rhomb__error_text(error));
    made += status == RHOMB_OK;
    refused += status != RHOMB_OK;
}

static void try_plan(const void *given, const rhomb_device_info *device, rhomb_engine engine,
                     const rhomb_scoring *scoring, int64_t length)
{
    planning p;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.engine = engine;
    options.scoring = scoring;
    options.tuning = given;
    const rhomb_status status = planning_make(&p, length, length / 2, &options, device);
    judge(status, &p.error);
}

static void try_tuning(const void *given, const rhomb_device_info *device)
{
    for (size_t s = 0; s < COUNT(SCORINGS); s++)
        for (int engine = 0; engine < 3; engine++)
            for (int64_t length = 1000; length <= INT64_C(1) << 40; length *= 100000)
                try_plan(given, device, (rhomb_engine)engine, &SCORINGS[s], length);
}

static void try_local(const void *given, const rhomb_device_info *device)
{
    for (int drops = 0; drops < 2; drops++) {
        rhomb__error error = {RHOMB_OK, NULL, ""};
        rhomb__long_shape shape;
        const rhomb_status status = rhomb__long_shape_make(&error, device, given, &SCORINGS[2],
                                                           1000000, drops != 0, &shape);
        judge(status, &error);
    }
}

static void try_batch(const void *given, const rhomb_device_info *device)
{
    for (size_t s = 0; s < COUNT(SCORINGS); s++) {
        for (int mode = RHOMB_MODE_GLOBAL; mode <= RHOMB_MODE_LOCAL; mode++) {
            rhomb__error error = {RHOMB_OK, NULL, ""};
            rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT, complete;
            rhomb_batch_tuning tuning;
            rhomb__batch_shape shape;
            options.tuning = given;
            options.mode = (rhomb_mode)mode;
            options.scoring = &SCORINGS[s];
            options.cigar = s % 2 == 0;
            rhomb_status status =
                rhomb__batch_options_complete(&error, &options, &complete, &tuning);
            if (status == RHOMB_OK)
                status = rhomb__batch_shape_make(&error, device, 8, &complete, &tuning, &shape);
            judge(status, &error);
            if (status != RHOMB_OK || options.cigar)
                continue;
            rhomb__batch_shape_of_set(8, INT64_C(1) << 24, 2 * RHOMB__BATCH_MOST_BASES,
                                      RHOMB__BATCH_MOST_BASES, &shape);
            assert_true(shape.least_bases > 0 && shape.least_bases <= shape.job_bases &&
                        shape.device_bytes > 0);
        }
    }
}

/* Each value of each number, alone and beside each value of every other one. */
static void try_all(const void *initial, size_t size, const number *numbers, size_t count,
                    try_fn try_one)
{
    const rhomb_device_info *const devices[] = {&GPU, &A_CPU};
    const size_t values = COUNT(VALUES);
    made = refused = 0;
    void *tuning = malloc(size);
    assert_non_null(tuning);
    for (size_t i = 0; i < count * values * count * values * 2; i++) {
        const size_t a = i % count, b = i / count % count;
        const int64_t x = VALUES[i / count / count % values];
        const int64_t y = VALUES[i / count / count / values % values];
        memcpy(tuning, initial, size);
        if (!set(tuning, &numbers[a], x) || !set(tuning, &numbers[b], y))
            continue;
        try_one(tuning, devices[i / count / count / values / values]);
    }
    free(tuning);
    print_message("%lld plans, %lld refused\n", (long long)made, (long long)refused);
    assert_true(made > 0 && refused > 0);
}

#define TRY_ALL(type, init, numbers, make)                                \
    do {                                                                  \
        const type initial = init;                                        \
        try_all(&initial, sizeof initial, numbers, COUNT(numbers), make); \
    } while (0)

static void test_engines(void **state)
{
    TRY_ALL(rhomb_tuning, RHOMB_TUNING_INIT, TUNING, try_tuning);
}

static void test_modes(void **state)
{
    TRY_ALL(rhomb_tuning, RHOMB_TUNING_INIT, TUNING, try_local);
}

static void test_batch(void **state)
{
    TRY_ALL(rhomb_batch_tuning, RHOMB_BATCH_TUNING_INIT, BATCH, try_batch);
}

TEST_MAIN(test_engines, test_modes, test_batch)
