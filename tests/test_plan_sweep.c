/* SPDX-License-Identifier: MIT */
/*
 * The planner's share of the bit-parallel engine: which shape a sweep gets on which device, in
 * groups or in vectors, what of it a caller can choose and what is refused.
 */
#include "support/plans.h"

/* Long enough for the shape of a tuning row as it stands, and too short for that. */
static const int64_t LONG = INT64_C(1) << 24, SHORT = 1000;

static rhomb_device_info device_of(rhomb_device_kind kind, int64_t max_group_size)
{
    rhomb_device_info device = LARGE_GPU;
    device.kind = kind;
    device.max_group_size = max_group_size;
    device.compute_units = 2;
    return device;
}

static rhomb__plan sweep_of(int64_t length, rhomb_tuning tuning, const rhomb_device_info *device)
{
    return tuned_plan(length, length, RHOMB_ENGINE_BITPARALLEL, tuning, device);
}

/* Whatever groups a device allows, those of one have vectors. */
static void test_small_groups(void **state)
{
    const rhomb_tuning none = RHOMB_TUNING_INIT;
    static const rhomb_device_kind KINDS[] = {RHOMB_DEVICE_GPU, RHOMB_DEVICE_CPU,
                                              RHOMB_DEVICE_OTHER};
    for (int64_t most = 1; most <= 1024; most++) {
        for (int i = 0; i < 3; i++) {
            const rhomb_device_info device = device_of(KINDS[i], most);
            const rhomb__plan plan = sweep_of(LONG, none, &device);
            assert_true(plan.sweep.group_size >= 1 && plan.sweep.group_size <= most);
            assert_int_equal(plan.sweep.lanes, plan.sweep.group_size == 1 ? 16 : 1);
        }
    }
}

/* What a caller gives stays, and the rest fits it. */
static void test_given(void **state)
{
    static const struct {
        rhomb_device_kind kind;
        int32_t group_size;    /* given; 0: not */
        int32_t planned_group; /* 0: any */
        int32_t lanes;
    } cases[] = {
        {RHOMB_DEVICE_CPU, 0, 1, 16},  {RHOMB_DEVICE_CPU, 1, 1, 16}, {RHOMB_DEVICE_CPU, 8, 8, 1},
        {RHOMB_DEVICE_GPU, 0, 0, 1},   {RHOMB_DEVICE_GPU, 1, 1, 16}, {RHOMB_DEVICE_OTHER, 1, 1, 16},
        {RHOMB_DEVICE_OTHER, 0, 0, 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const rhomb_device_info device = device_of(cases[i].kind, 1024);
        rhomb_tuning given = RHOMB_TUNING_INIT;
        given.group_size = cases[i].group_size;
        given.words_per_item = 3;
        given.blocks_per_launch = 7;
        given.directions = (int32_t)(i % 2) + 1;
        given.first_half_width = 5;
        const rhomb__plan plan = sweep_of(i % 2 == 0 ? LONG : SHORT, given, &device);
        if (cases[i].planned_group > 0)
            assert_int_equal(plan.sweep.group_size, cases[i].planned_group);
        assert_int_equal(plan.sweep.lanes, cases[i].lanes);
        assert_int_equal(plan.sweep.words_per_item, 3);
        assert_int_equal(plan.sweep.blocks_per_launch, 7);
        assert_int_equal(plan.directions, given.directions);
        assert_true(plan.sweep.first_half_width == 5);
    }
}

#define REFUSED(member, value, detail)                   \
    do {                                                 \
        rhomb_tuning bad = good;                         \
        bad.member = value;                              \
        options.tuning = &bad;                           \
        expect_no_plan(LONG, &options, &device, detail); \
    } while (0)

static void test_refused(void **state)
{
    const rhomb_device_info device = device_of(RHOMB_DEVICE_GPU, 512);
    rhomb_tuning good = RHOMB_TUNING_INIT;
    good.group_size = 64;
    good.words_per_item = 8;
    good.blocks_per_launch = 4096;
    good.directions = 2;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.engine = RHOMB_ENGINE_BITPARALLEL;
    (void)sweep_of(LONG, good, &device);
    REFUSED(group_size, 48, "group size 48");
    REFUSED(group_size, 1024, "more than the 512");
    REFUSED(words_per_item, 9, "9 words");
    REFUSED(words_per_item, -1, "-1 words");
    REFUSED(blocks_per_launch, 4097, "4097 blocks");
    REFUSED(blocks_per_launch, -1, "-1 blocks");
    REFUSED(directions, 3, "3 directions");
    REFUSED(directions, -1, "-1 directions");
}

/* A sweep of two sequences on an H100. */
static void plan_narrow(planning *p, int64_t length, int64_t limit, const rhomb_tuning *tuning,
                        const rhomb_scoring *scoring)
{
    static rhomb_device_info device;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.engine = RHOMB_ENGINE_BITPARALLEL;
    options.tuning = tuning;
    options.max_distance = limit;
    options.scoring = scoring;
    device = device_of(RHOMB_DEVICE_GPU, 1024);
    device.name = "NVIDIA H100";
    device.compute_units = 132;
    if (planning_make(p, length, length, &options, &device) != RHOMB_OK)
        fail_msg("%s", rhomb__error_text(&p->error));
}

static void expect_strips(const rhomb__plan *plan, bool is_narrow)
{
    assert_int_equal(plan->sweep.group_size, 128);
    assert_int_equal(plan->sweep.words_per_item, is_narrow ? 2 : 4);
    assert_int_equal(plan->sweep.blocks_per_launch, is_narrow ? 32 : 128);
}

/* The least bound with as many strips of the plan on a unit as the row asks for. */
static int64_t least_wide_bound(const planning *p)
{
    const double wanted = rhomb__tuning_find(p->input.device)->narrow_strips;
    int64_t low = 1, high = p->plan.upper_bound;
    assert_true(wanted > 0);
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (rhomb__plan_strips_per_unit(&p->plan, middle, 132) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * A bound that is known before the sweep says which strips it has, also on either side of the edge,
 * where a launch more can mean fewer strips in each.
 */
static void test_narrow(void **state)
{
    static const int64_t LENGTHS[] = {9000000, 10000000, 60000000};
    const rhomb_tuning none = RHOMB_TUNING_INIT;
    planning p, limited;
    for (size_t i = 0; i < COUNT(LENGTHS); i++) {
        plan_narrow(&p, LENGTHS[i], RHOMB_NO_LIMIT, &none, NULL);
        expect_strips(&p.plan, false);
        const rhomb__plan blind = p.plan;
        const int64_t edge = least_wide_bound(&p);
        const int64_t bounds[] = {edge - 1,         edge,    edge + 1, edge / 2, 2 * edge / 3,
                                  edge + edge / 50, edge / 9};
        for (size_t k = 0; k < COUNT(bounds); k++) {
            const bool is_narrow = rhomb__plan_strips_per_unit(&blind, bounds[k], 132) < 2;
            assert_true(k == 2 || is_narrow == (bounds[k] < edge));
            rhomb__plan_take_bound(&p.input, &p.plan, bounds[k]); /* not by the strips it has */
            expect_strips(&p.plan, is_narrow);
            assert_true(p.plan.device_bytes_max >= blind.device_bytes_max);
            plan_narrow(&limited, LENGTHS[i], bounds[k], &none, NULL);
            expect_strips(&limited.plan, is_narrow && bounds[k] <= LENGTHS[i] / 8);
        }
    }
    plan_narrow(&p, (2 << 20) - 1, RHOMB_NO_LIMIT, &none, NULL); /* a short query in any band */
    expect_strips(&p.plan, true);
    rhomb__plan_take_bound(&p.input, &p.plan, 2 << 20);
    expect_strips(&p.plan, true);
}

/* What a caller chose stays, in part as well; so does a given band, and the bit-sliced step. */
static void test_not_narrow(void **state)
{
    static const rhomb_scoring AFFINE = {sizeof AFFINE, 4, 6, 2, -1, -1, NULL};
    const int64_t length = 10000000, bound = 100000;
    const rhomb_tuning none = RHOMB_TUNING_INIT;
    rhomb_tuning given[] = {none, none, none, none};
    given[0].group_size = 64;
    given[1].words_per_item = 3;
    given[2].blocks_per_launch = 100;
    given[3].first_half_width = 5;
    planning p;
    for (size_t i = 0; i <= COUNT(given); i++) {
        const rhomb_scoring *scoring = i < COUNT(given) ? NULL : &AFFINE;
        plan_narrow(&p, length, RHOMB_NO_LIMIT, scoring == NULL ? &given[i] : &none, scoring);
        const rhomb__sweep_plan before = p.plan.sweep;
        rhomb__plan_take_bound(&p.input, &p.plan, bound);
        assert_int_equal(p.plan.sweep.group_size, before.group_size);
        assert_int_equal(p.plan.sweep.words_per_item, before.words_per_item);
        assert_int_equal(p.plan.sweep.blocks_per_launch, before.blocks_per_launch);
    }
}

/*
 * A sweep begins where it takes less for any distance than a wavefront takes to start, on every
 * kind of device; but not where a wavefront's own values are given.
 */
static void test_short_pairs(void **state)
{
    size_t count = 0;
    const rhomb__tuning_row *rows = rhomb__tuning_rows(&count);
    const rhomb_scoring affine = {0, 4, 6, 2, -1, -1, NULL};
    for (size_t i = 0; i < 2 * count; i++) {
        const rhomb__tuning_row *row = &rows[i / 2];
        rhomb_options options = RHOMB_OPTIONS_INIT;
        rhomb_tuning tuning = RHOMB_TUNING_INIT;
        rhomb_device_info device = device_of(row->kind, 1024);
        device.name = row->device_part != NULL ? row->device_part : device.name;
        options.scoring = i % 2 == 1 ? &affine : NULL;
        options.tuning = &tuning;
        const rhomb__plan close = plan_of(100, 100, &options, &device);
        assert_string_equal(rhomb__plan_engine_name(&close), "bitparallel");
        assert_true(!close.may_switch);
        assert_true(close.profile[RHOMB__ROW_SWEEP].start_seconds < row->start_seconds);
        const rhomb__plan far = plan_of(100000, 100000, &options, &device);
        assert_string_equal(rhomb__plan_engine_name(&far), "wavefront");
        assert_true(far.may_switch);
        tuning.tile_scores = 32;
        const rhomb__plan tuned = plan_of(100, 100, &options, &device);
        assert_string_equal(rhomb__plan_engine_name(&tuned), "wavefront");
    }
}

TEST_MAIN(test_small_groups, test_given, test_refused, test_narrow, test_not_narrow,
          test_short_pairs)
