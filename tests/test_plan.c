/* SPDX-License-Identifier: MIT */
/*
 * The planner, on devices that exist only here: options of any age, every value that is refused,
 * tiles that are made to fit a device, widths of offsets, and memory.
 */
#include "cl/abi.h"
#include "rhomb/batch.h"
#include "rhomb/verify.h"
#include "support/plans.h"

static const rhomb_engine AUTO = RHOMB_ENGINE_AUTO;

/* A program that was compiled when the structures ended earlier: what follows is not read. */
static void test_older_structures(void **state)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    const rhomb_options defaults = RHOMB_OPTIONS_INIT;
    rhomb_options given, options;
    rhomb_tuning old, tuning;
    memset(&given, 0xee, sizeof given);
    memset(&old, 0xee, sizeof old);

    given.struct_size = offsetof(rhomb_options, alphabet);
    given.max_distance = 7;
    assert_true(rhomb__options_complete(&error, &given, &options, &tuning) == RHOMB_OK);
    assert_true(options.max_distance == 7 && options.alphabet == defaults.alphabet);
    assert_true(options.engine == defaults.engine && options.progress == NULL);
    assert_true(options.scoring->mismatch == 1 && options.scoring->gap_open == 0);
    assert_true(options.tuning == &tuning && tuning.group_size == 0 && !tuning.no_pruning);

    given = defaults;
    given.tuning = &old;
    old.struct_size = offsetof(rhomb_tuning, diagonals_per_item);
    old.tile_shape = RHOMB_TILE_DIAMOND;
    old.group_size = 32;
    assert_true(rhomb__options_complete(&error, &given, &options, &tuning) == RHOMB_OK);
    assert_true(tuning.tile_shape == RHOMB_TILE_DIAMOND && tuning.group_size == 32);
    assert_true(tuning.diagonals_per_item == 0 && tuning.tile_scores == 0);
    assert_true(tuning.launches_per_read == 0 && tuning.offset_bits == 0 && !tuning.no_pruning);

    assert_true(rhomb__options_complete(&error, NULL, &options, &tuning) == RHOMB_OK);
    assert_true(options.max_distance == RHOMB_NO_LIMIT);
}

/*
 * Nothing follows a structure's last field, so that one that comes to be there later has a place
 * that the sizes of older callers do not reach.
 */
static void test_ends_of_structures(void **state)
{
#define END(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))
    assert_int_equal(END(rhomb_context_options, log_user), sizeof(rhomb_context_options));
    assert_int_equal(END(rhomb_options, checkpoint_seconds), sizeof(rhomb_options));
    assert_int_equal(END(rhomb_tuning, wide_diagonals), sizeof(rhomb_tuning));
    assert_int_equal(END(rhomb_batch_options, end_bonus), sizeof(rhomb_batch_options));
    assert_int_equal(END(rhomb_batch_tuning, column_bytes), sizeof(rhomb_batch_tuning));
    assert_int_equal(END(rhomb_verify_options, scoring), sizeof(rhomb_verify_options));
#undef END
}

/* Structures that this library does not know, and values that mean nothing. */
static void test_invalid_options(void **state)
{
    static const struct {
        size_t at, bytes;
        int64_t value;
        const char *detail;
    } BAD[] = {
#define BAD(member, value, detail) \
    {offsetof(rhomb_options, member), sizeof(((rhomb_options *)0)->member), value, detail}
        BAD(struct_size, 0, "rhomb_options has a struct_size of 0"),
        BAD(struct_size, sizeof(rhomb_options) + 8, "use the header of this library"),
        BAD(max_distance, -2, "max_distance -2"),
        BAD(alphabet, 4, "alphabet 4"),
        BAD(engine, 3, "engine 3"),
#undef BAD
    };
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    for (size_t i = 0; i < COUNT(BAD); i++) {
        rhomb_options bad = options;
        memcpy((char *)&bad + BAD[i].at, &BAD[i].value, BAD[i].bytes);
        expect_no_plan(10, &bad, &GPU, BAD[i].detail);
    }
    options.tuning = &tuning;
    tuning.struct_size = 0;
    expect_no_plan(10, &options, &GPU, "rhomb_tuning has a struct_size of 0");
}

/* A first band is never wider than the matrix, whatever is asked for. */
static void test_widest_first_band(void **state)
{
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.tuning = &tuning;
    options.engine = RHOMB_ENGINE_BITPARALLEL;
    tuning.first_half_width = INT64_MAX;
    assert_true(plan_of(3000, 3500, &options, &GPU).sweep.first_half_width == 3500);
    tuning.first_half_width = -1;
    expect_no_plan(10, &options, &GPU, "-1 diagonals beside");
}

#define REFUSED(field, value, detail)                      \
    do {                                                   \
        rhomb_tuning tuning = good;                        \
        rhomb_options options = RHOMB_OPTIONS_INIT;        \
        options.tuning = &tuning;                          \
        tuning.field = (value);                            \
        expect_no_plan(100000, &options, &device, detail); \
    } while (0)

static void test_refused_tuning(void **state)
{
    rhomb_device_info device = GPU;
    device.max_group_size = 512;
    rhomb_tuning good = RHOMB_TUNING_INIT;
    good.tile_shape = RHOMB_TILE_DIAMOND;
    good.group_size = 64;
    good.diagonals_per_item = 4;
    good.tile_scores = 32;
    good.launches_per_read = 100;
    (void)tuned_plan(100, 100, AUTO, good, &device);

    REFUSED(tile_shape, (rhomb_tile_shape)3, "tile shape 3");
    REFUSED(group_size, -1, "-1 items per group");
    REFUSED(group_size, 48, "group size 48");
    REFUSED(group_size, 2048, "2048 items per group");
    REFUSED(group_size, 1024, "more than the 512 that a GPU allows");
    REFUSED(group_size, 1, "4 diagonals per item");
    REFUSED(group_size, 16, "32 columns do not fit a tile of 64 diagonals");
    REFUSED(diagonals_per_item, -1, "-1 diagonals per item");
    REFUSED(diagonals_per_item, 9, "9 diagonals per item");
    REFUSED(tile_scores, -1, "-1 scores per launch");
    REFUSED(tile_scores, 128, "128 columns");
    REFUSED(tile_scores, 257, "257 columns");
    REFUSED(launches_per_read, -1, "-1 launches per read");
    REFUSED(launches_per_read, 10001, "10001 launches per read");
    REFUSED(offset_bits, 16, "not 16");
    REFUSED(directions, 2, "diamonds have one direction, not 2");

    good.group_size = 1;
    good.diagonals_per_item = 64;
    good.tile_scores = 31;
    (void)tuned_plan(100, 100, AUTO, good, &device);
    REFUSED(diagonals_per_item, 63, "63 diagonals per item");
    REFUSED(diagonals_per_item, 8193, "8193 diagonals per item");
    REFUSED(tile_scores, 32, "32 columns");
    good.diagonals_per_item = 8192;
    good.tile_scores = 256;
    good.launches_per_read = 10000;
    (void)tuned_plan(100, 100, AUTO, good, &device);
}

/* Whatever groups a device allows, the plan's tile is legal: as wide as can be, not as asked. */
static void test_small_groups(void **state)
{
    rhomb_device_info device = GPU;
    const int32_t widest = plan_of(100000, 90000, NULL, &GPU).wavefront.group_size;
    for (device.max_group_size = 1; device.max_group_size <= 1024; device.max_group_size++) {
        const rhomb__plan plan = plan_of(100000, 90000, NULL, &device);
        assert_true(plan.wavefront.group_size <= device.max_group_size);
        assert_true(2 * plan.wavefront.group_size > device.max_group_size ||
                    plan.wavefront.group_size == widest);
        assert_true(plan.wavefront.group_size > 1 || plan.wavefront.diagonals_per_item >= 64);
        assert_true(2 * plan.wavefront.tile_scores <
                    plan.wavefront.group_size * plan.wavefront.diagonals_per_item);
        assert_true(plan.wavefront.tile_scores >= 1);
    }
}

/* A group that the caller chose stays, with items of its own kind: a few diagonals, or a tile. */
static void test_other_group(void **state)
{
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    for (int32_t group = 1; group <= 1024; group *= 2) {
        tuning.group_size = group;
        assert_int_equal(tuned_plan(1000, 900, AUTO, tuning, &GPU).wavefront.group_size, group);
        assert_int_equal(tuned_plan(1000, 900, AUTO, tuning, &A_CPU).wavefront.group_size, group);
    }
}

/* 32 bits up to the last length at which the planner proves that they suffice, in either place. */
static void test_offset_bits(void **state)
{
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    const int64_t most = RHOMB__MAX_LENGTH_32;
    assert_true(most + 2 * RHOMB_PAD_SYMBOLS + 2 * RHOMB_MAX_TILE_DIAGONALS < INT32_MAX);
    assert_int_equal(plan_of(most, most, NULL, &GPU).wavefront.offset_bits, 32);
    assert_int_equal(plan_of(most + 1, 1, NULL, &GPU).wavefront.offset_bits, 64);
    assert_int_equal(plan_of(1, most + 1, NULL, &GPU).wavefront.offset_bits, 64);
    tuning.offset_bits = 64;
    assert_int_equal(tuned_plan(10, 10, AUTO, tuning, &GPU).wavefront.offset_bits, 64);
    tuning.offset_bits = 32;
    options.tuning = &tuning;
    assert_int_equal(tuned_plan(most, 10, AUTO, tuning, &GPU).wavefront.offset_bits, 32);
    expect_no_plan(most + 1, &options, &GPU, "32-bit offsets overflow");
}

/* The widest that the columns up to `bound` get, by looking at each. */
static int64_t widest_window(int64_t n, int64_t m, int64_t bound, bool pruning)
{
    int64_t low = 0, high = 0;
    for (int64_t r = 0; r <= bound; r++) {
        for (int64_t k = -r; k <= r; k++) {
            if (k < -m || k > n || (pruning && llabs(k - (n - m)) > bound - r))
                continue;
            low = k < low ? k : low;
            high = k > high ? k : high;
        }
    }
    return high - low + 1;
}

/* What columns take besides the fixed part, which is the same for all plans with these lengths. */
static void check_memory(int64_t n, int64_t m, int64_t limit, rhomb_tuning tuning)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.tuning = &tuning;
    options.max_distance = limit;
    const rhomb__plan plan = plan_of(n, m, &options, &GPU);
    const int64_t wide = plan.wavefront.offset_bits / 8;
    const int64_t tiles =
        2 * (int64_t)plan.wavefront.group_size * plan.wavefront.diagonals_per_item;
    const int64_t columns =
        plan.wavefront.tile_shape == RHOMB_TILE_DIAMOND ? 3 : 2 * plan.directions;
    const int64_t window = widest_window(n, m, plan.upper_bound, plan.wavefront.pruning);
    const int64_t fixed = plan.device_bytes_min - 2 * plan.directions * (tiles + 1) * wide;
    assert_true(plan.sequence_bytes ==
                plan.directions * (rhomb__packed_bytes(n, 2) + rhomb__packed_bytes(m, 2) +
                                   4 * (n / 4096 + 1) + 4 * (m / 4096 + 1)));
    assert_true(fixed >= plan.sequence_bytes);
    const int64_t most = plan.device_bytes_max - fixed;
    if (most < columns * (window + tiles) * wide || most > columns * (window + tiles + 2) * wide)
        fail_msg("columns of %lld bytes for %lld diagonals", (long long)most, (long long)window);
}

/* Groups of 1 with wide tiles and 64 bits: the columns are then more than bases on their way. */
static void test_memory(void **state)
{
    static const int64_t LENGTHS[] = {1, 2, 90, 91, 150};
    for (int i = 0; i < 5 * 5 * 12; i++) {
        rhomb_tuning tuning = RHOMB_TUNING_INIT;
        tuning.group_size = 1;
        tuning.diagonals_per_item = 8192;
        tuning.offset_bits = i & 1 ? 32 : 64;
        tuning.no_pruning = (i & 2) != 0;
        tuning.directions = i / 4 % 3;
        tuning.tile_shape = tuning.directions > 0 ? RHOMB_TILE_TRAPEZOID : RHOMB_TILE_DIAMOND;
        const int64_t n = LENGTHS[i / 12 % 5], m = LENGTHS[i / 60];
        check_memory(n, m, RHOMB_NO_LIMIT, tuning);
        check_memory(n, m, llabs(n - m) + 3, tuning);
    }
}

/* Two chromosomes: what the public header says of memory. */
static void test_memory_of_chromosomes(void **state)
{
    const int64_t length = 100000000, distance = 1000000;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.max_distance = distance;
    rhomb__plan plan = plan_of(length, length, &options, &GPU);
    assert_true(llabs(plan.sequence_bytes - length - 2 * length / 512) < 100000);
    assert_true(llabs(plan.device_bytes_max - plan.sequence_bytes - 16 * distance) < 4000000);
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    tuning.directions = 1;
    options.tuning = &tuning;
    plan = plan_of(length, length, &options, &GPU);
    assert_true(llabs(plan.sequence_bytes - length / 2 - length / 512) < 100000);
    assert_true(llabs(plan.device_bytes_max - plan.sequence_bytes - 8 * distance) < 4000000);
    tuning.no_pruning = true;
    plan = plan_of(length, length, &options, &GPU);
    assert_true(llabs(plan.device_bytes_max - plan.sequence_bytes - 16 * distance) < 4000000);
}

/* No sum overflows at the longest lengths. */
static void test_memory_of_longest(void **state)
{
    const int64_t length = RHOMB__MAX_LENGTH;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    tuning.tile_shape = RHOMB_TILE_DIAMOND;
    tuning.no_pruning = true;
    const rhomb__plan plan = tuned_plan(length, length, AUTO, tuning, &GPU);
    assert_int_equal(plan.wavefront.offset_bits, 64);
    assert_true(plan.device_bytes_max > 2 * length * 3 * 8);
}

/* Refused before anything is allocated, with both numbers, exactly where it stops fitting. */
static void test_memory_refused(void **state)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_device_info device = GPU;
    char number[32];
    device.memory_bytes = plan_of(100000, 90000, NULL, &GPU).device_bytes_min;
    rhomb__plan plan = plan_of(100000, 90000, NULL, &device);
    assert_true(rhomb__plan_check_memory(&error, &plan, &device) == RHOMB_OK);
    device.memory_bytes--;
    plan = plan_of(100000, 90000, NULL, &device);
    assert_true(rhomb__plan_check_memory(&error, &plan, &device) == RHOMB_ERR_DEVICE_MEMORY);
    snprintf(number, sizeof number, "%lld", (long long)plan.device_bytes_min);
    assert_contains(rhomb__error_text(&error), number);
    assert_contains(rhomb__error_text(&error), "a GPU");
}

/* Which engine a pair gets, why, and between which bounds. */
static void test_engine(void **state)
{
    static const struct {
        int64_t n, m, limit;
        bool equal;
        const char *engine, *reason;
    } PAIRS[] = {
        {10, 10, -1, false, "bitparallel", "too short"},
        {100000, 100000, -1, false, "wavefront", "similar pairs"},
        {10, 10, -1, true, "trivial", "are identical"},
        {10, 10, 0, true, "trivial", "are identical"},
        {0, 10, -1, false, "trivial", "empty"},
        {10, 0, 10, false, "trivial", "empty"},
        {10, 0, 9, false, "trivial", "exceeds the limit"},
        {100, 90, 9, false, "trivial", "exceeds the limit"},
        {100, 90, 10, false, "bitparallel", "too short"},
        {90000, 100000, 10000, false, "wavefront", "similar pairs"},
        {100, 100, 0, false, "trivial", "exceeds the limit"},
        {100, 100, 1000, false, "bitparallel", "too short"},
    };
    for (size_t i = 0; i < COUNT(PAIRS); i++) {
        const int64_t n = PAIRS[i].n, m = PAIRS[i].m, limit = PAIRS[i].limit;
        const int64_t longer = n > m ? n : m;
        planning p;
        rhomb_options options = RHOMB_OPTIONS_INIT;
        options.max_distance = limit;
        assert_int_equal(planning_prepare(&p, n, m, &options, &GPU), RHOMB_OK);
        p.input.equal = PAIRS[i].equal;
        assert_int_equal(rhomb__plan_make(&p.error, &p.input, &p.plan), RHOMB_OK);
        assert_string_equal(rhomb__plan_engine_name(&p.plan), PAIRS[i].engine);
        assert_contains(p.plan.reason, PAIRS[i].reason);
        assert_true(p.plan.lower_bound == (n != m ? llabs(n - m) : !PAIRS[i].equal));
        assert_true(p.plan.upper_bound == (limit >= 0 && limit < longer ? limit : longer));
    }
}

/*
 * Hands over where the sweep is quicker than the rest of the wavefront, and only then. Rows are
 * looks after 1,000 columns, which reach a 590th of the way or half of it.
 */
static void test_switch(void **state)
{
    enum { N = 3000000, M = 2900000, APART = 100000 };
    static const struct {
        rhomb__look look;
        bool switches;
        int64_t estimate; /* 0: whatever it is */
    } LOOKS[] = {
        {{0.05, 1000, 10000, 0}, true, 590000},
        {{0.05, 1000, 2950000, 0}, false, APART}, /* the difference of the lengths */
        {{0.05, 1000, 0, 0}, true, N},
        /* Not after a moment, and not for a rest that is nearly done. */
        {{0.001, 1000, 10000, 0}, false, 0},
        {{1000, 1000, 10000, 0}, false, 0},
        /* A run that was quick before may be in an indel, for some time. */
        {{0.05, 1000, 10000, 1e-4}, false, 0},
        {{0.05, 1000, 10000, 0.1}, true, 590000},
        /* Then for the least that it can be: a sweep that is too narrow ends early. */
        {{0.9, 1000, 10000, 1e-4}, true, APART},
    };
    planning p;
    rhomb__plan other;
    int64_t estimate = 0;
    assert_int_equal(planning_make(&p, N, M, NULL, &GPU), RHOMB_OK);
    assert_true(p.plan.may_switch);
    for (size_t i = 0; i < COUNT(LOOKS); i++) {
        if (rhomb__plan_should_switch(&p.plan, &LOOKS[i].look, &estimate) != LOOKS[i].switches ||
            (LOOKS[i].estimate > 0 && estimate != LOOKS[i].estimate))
            fail_msg("look %zu: an estimate of %" PRId64, i, estimate);
    }
    assert_int_equal(rhomb__plan_other(&p.error, &p.input, &p.plan, 590000, N, &other), RHOMB_OK);
    assert_string_equal(rhomb__plan_engine_name(&other), "bitparallel");
    assert_true(!other.may_switch && other.lower_bound == APART);
    assert_true(2 * other.sweep.first_half_width >= 590000 - APART &&
                other.sweep.first_half_width < 590000);
    /* The band has a third to spare, but needs no more than a bound. */
    for (int64_t bound = 590000; bound <= 900000; bound += 100000) {
        const int64_t wide = bound < 786666 ? bound : 786666;
        assert_int_equal(rhomb__plan_other(&p.error, &p.input, &p.plan, 590000, bound, &other),
                         RHOMB_OK);
        assert_true(other.sweep.first_half_width ==
                    rhomb__costs_half_width(&other.costs, N - M, wide));
    }
    /* An engine that was asked for stays. */
    p.options.engine = RHOMB_ENGINE_WAVEFRONT;
    assert_int_equal(rhomb__plan_make(&p.error, &p.input, &p.plan), RHOMB_OK);
    assert_false(rhomb__plan_should_switch(&p.plan, &LOOKS[0].look, &estimate));
    assert_int_equal(rhomb__plan_other(&p.error, &p.input, &p.plan, 590000, N, &other),
                     RHOMB_ERR_ARGUMENT);
}

/* Human and chimpanzee chromosome 1, and a quarter of them: an H200 took 25.1 s for the latter. */
static void test_chromosomes(void **state)
{
    rhomb_device_info h200 = GPU;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    h200.name = "NVIDIA H200";
    h200.memory_bytes = INT64_C(140) << 30;
    h200.max_buffer_bytes = INT64_C(35) << 30;
    const rhomb__plan quarter = tuned_plan(62000000, 56939740, AUTO, tuning, &h200);
    const rhomb__plan whole = tuned_plan(248992000, 228676880, AUTO, tuning, &h200);
    const double seconds = rhomb__plan_seconds(&whole, 51000000);
    assert_true(rhomb__plan_seconds(&quarter, 12568667) > 0.8 * 25.1);
    assert_true(rhomb__plan_seconds(&quarter, 12568667) < 1.2 * 25.1);
    assert_true(seconds < 600 && seconds > 0.8 * 16 * 25.1 && seconds < 1.2 * 16 * 25.1);
}

/* More distance never takes less time; less than the lengths differ cannot be. */
static void test_seconds(void **state)
{
    for (int i = 0; i < 2; i++) {
        rhomb_tuning tuning = RHOMB_TUNING_INIT;
        tuning.no_pruning = i == 1;
        const rhomb__plan plan = tuned_plan(5000000, 4900000, AUTO, tuning, &GPU);
        double before = plan.setup_seconds;
        for (int64_t distance = 100000; distance <= 5000000; distance += 100000) {
            const double seconds = rhomb__plan_seconds(&plan, distance);
            assert_true(seconds > before);
            before = seconds;
        }
        assert_true(rhomb__plan_seconds(&plan, 0) == rhomb__plan_seconds(&plan, 100000));
    }
}

/* What was faster on an H100, in seconds: pairs of rhomb_bench's suite `guided`. */
static void test_guided(void **state)
{
    static const struct {
        int64_t n, m, bound;
        double wavefront, sweep;
    } PAIRS[] = {{7328209, 7337693, 828797, 0.536, 0.457},
                 {10077538, 10869452, 1366288, 0.878, 0.638},
                 {10077538, 10869452, 1330694, 0.868, 0.627},
                 {24589678, 24484133, 1604160, 1.672, 1.717},
                 {56296310, 56248598, 3830000, 8.339, 6.335}};
    rhomb_device_info device = GPU;
    device.name = "NVIDIA H100";
    device.compute_units = 132;
    for (size_t i = 0; i < COUNT(PAIRS); i++) {
        planning p;
        rhomb__plan plan, sweep;
        assert_int_equal(planning_make(&p, PAIRS[i].n, PAIRS[i].m, NULL, &device), RHOMB_OK);
        plan = p.plan;
        assert_int_equal(
            rhomb__plan_other(&p.error, &p.input, &plan, PAIRS[i].bound, PAIRS[i].bound, &sweep),
            RHOMB_OK);
        plan.guide_seconds = 0.02;
        if (rhomb__plan_guided_wins(&plan, &sweep, PAIRS[i].bound) !=
            (PAIRS[i].sweep < PAIRS[i].wavefront))
            fail_msg("%d x %d bases", (int)PAIRS[i].n, (int)PAIRS[i].m);
        /* Doubts go by the profile, whatever was measured. */
        plan.promise.cost = (double)PAIRS[i].bound / 2;
        assert_true(rhomb__plan_doubts_guide(&plan));
        plan.setup_seconds = 100;
        plan.guide_seconds = 100;
        plan.speed[RHOMB__ROW_WAVEFRONT].cells_per_second *= 100;
        assert_true(rhomb__plan_doubts_guide(&plan));
        plan.may_switch = false;
        assert_true(!rhomb__plan_doubts_guide(&plan));
        assert_true(!rhomb__plan_guided_wins(&plan, &sweep, PAIRS[i].bound));
    }
}

TEST_MAIN(test_older_structures, test_ends_of_structures, test_invalid_options,
          test_widest_first_band, test_refused_tuning, test_small_groups, test_other_group,
          test_offset_bits, test_memory, test_memory_of_chromosomes, test_memory_of_longest,
          test_memory_refused, test_engine, test_switch, test_chromosomes, test_seconds,
          test_guided)
