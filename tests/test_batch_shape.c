/* SPDX-License-Identifier: MIT */
/*
 * The shape of a batch: levels, sizes and places of a job's memory on devices of all sizes, and the
 * shape for a pair alone up to the largest distance that it may have.
 */
#include "src/batch/batch_scored_shape.h"
#include "src/batch/mode_bins.h"
#include "support/some_devices.h"
#include "support/test.h"

#define MIB (INT64_C(1) << 20)

static const rhomb_device_info CPU = {.kind = RHOMB_DEVICE_CPU,
                                      .name = "a processor",
                                      .compute_units = 4,
                                      .memory_bytes = 8192 * MIB,
                                      .max_buffer_bytes = 2048 * MIB,
                                      .max_group_size = 4096,
                                      .local_memory_bytes = 262144};

static rhomb_status make(const rhomb_device_info *device, const rhomb_batch_options *given,
                         rhomb__batch_shape *shape)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_batch_options options;
    rhomb_batch_tuning tuning;
    rhomb_status status = rhomb__batch_options_complete(&error, given, &options, &tuning);
    if (status == RHOMB_OK)
        status = rhomb__batch_shape_make(&error, device, 8, &options, &tuning, shape);
    assert_int_equal(rhomb__error_text(&error)[0] == '\0', status == RHOMB_OK);
    rhomb__error_clear(&error);
    return status;
}

/* What no shape may be without. */
static void check(const rhomb_device_info *device, const rhomb__batch_shape *s)
{
    int64_t bytes = 0;
    assert_in_range(s->levels, 1, RHOMB_BATCH_MOST_LEVELS);
    for (int32_t i = 0; i < s->levels; i++) {
        assert_true(s->limits[i] > (i > 0 ? s->limits[i - 1] : 0));
        assert_true(s->groups[i] > 0);
    }
    for (int i = 0; i < RHOMB__BATCH_PARTS; i++) {
        assert_true(s->bytes[i] > 0 && s->bytes[i] <= device->max_buffer_bytes);
        assert_true(s->bytes[i] <= s->buffer_bytes);
        bytes += s->bytes[i];
    }
    assert_int_equal(s->device_bytes, bytes);
    assert_true(s->workers * s->device_bytes <= device->memory_bytes);
    /* A pair of the longest sequences fits in a job. */
    assert_true(2 * rhomb__batch_room(s->long_bases) <= s->job_bases);
}

static void test_levels(void **state)
{
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    rhomb__batch_shape s;
    assert_int_equal(make(&LARGE_GPU, &options, &s), RHOMB_OK);
    check(&LARGE_GPU, &s);
    assert_int_equal(s.limits[0], 32);
    assert_int_equal(s.limits[s.levels - 1], RHOMB__BATCH_MOST_LIMIT);
    for (int64_t limit = 0; limit <= RHOMB__BATCH_MOST_LIMIT + 1; limit++) {
        options.max_distance = limit;
        options.cigar = limit % 2 == 0;
        assert_int_equal(make(limit % 3 == 0 ? &CPU : &LARGE_GPU, &options, &s), RHOMB_OK);
        check(limit % 3 == 0 ? &CPU : &LARGE_GPU, &s);
        /* No level looks further than the caller wants to know. */
        const int64_t last = limit < 1                         ? 1
                             : limit > RHOMB__BATCH_MOST_LIMIT ? RHOMB__BATCH_MOST_LIMIT
                                                               : limit;
        assert_int_equal(s.limits[s.levels - 1], last);
    }
}

/* Paths have a level more, and on a large GPU more memory. */
static void test_columns(void **state)
{
    static const struct {
        rhomb_device_kind kind;
        int64_t gib, mib;
    } CASES[] = {{RHOMB_DEVICE_GPU, 8, 64},
                 {RHOMB_DEVICE_GPU, 32, 128},
                 {RHOMB_DEVICE_GPU, 512, 256},
                 {RHOMB_DEVICE_CPU, 512, 64}};
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    rhomb__batch_shape s, with;
    for (size_t i = 0; i < COUNT(CASES); i++) {
        rhomb_device_info device = CASES[i].kind == RHOMB_DEVICE_CPU ? CPU : LARGE_GPU;
        device.memory_bytes = CASES[i].gib << 30;
        device.max_buffer_bytes = device.memory_bytes / 4;
        options.cigar = false;
        assert_int_equal(make(&device, &options, &s), RHOMB_OK);
        options.cigar = true;
        assert_int_equal(make(&device, &options, &with), RHOMB_OK);
        check(&device, &with);
        assert_int_equal(with.levels, s.levels + 1);
        assert_int_equal(with.limits[with.levels - 2], RHOMB__BATCH_MOST_LIMIT / 2);
        const int64_t bytes = with.bytes[RHOMB__BATCH_COLUMNS];
        assert_true(bytes <= CASES[i].mib * MIB && bytes > (CASES[i].mib - 16) * MIB);
    }
}

/* From devices with hardly any memory, which are refused, to large ones. */
static void test_memory(void **state)
{
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    int refused = 0, smaller = 0;
    for (int64_t bytes = 1 << 16; bytes < INT64_C(1) << 40; bytes += bytes / 2) {
        rhomb_device_info device = LARGE_GPU;
        rhomb__batch_shape s;
        device.memory_bytes = bytes;
        device.max_buffer_bytes = bytes / 4;
        options.cigar = !options.cigar;
        const rhomb_status status = make(&device, &options, &s);
        if (status == RHOMB_OK) {
            check(&device, &s);
            smaller += s.job_bases < 8 * MIB;
            continue;
        }
        assert_int_equal(status, RHOMB_ERR_DEVICE_MEMORY);
        refused++;
    }
    assert_true(refused > 0 && smaller > 0);
}

static rhomb_status make_alone(const rhomb_device_info *device, int64_t length, int64_t distance,
                               rhomb__batch_shape *alone)
{
    static const char letter = 'A'; /* nobody looks at it */
    const rhomb_pair pair = {&letter, length, &letter, length};
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    rhomb__batch_shape shape;
    options.cigar = true;
    assert_int_equal(make(device, &options, &shape), RHOMB_OK);
    const rhomb_status status =
        rhomb__batch_shape_alone(&error, device, &shape, &pair, distance, alone);
    assert_int_equal(rhomb__error_text(&error)[0] == '\0', status == RHOMB_OK);
    rhomb__error_clear(&error);
    return status;
}

/* The path's columns are counted in 32 bits, and have to fit in the device's memory. */
static void test_alone(void **state)
{
    static const int64_t distances[] = {2001, 2002, 3999, 4000};
    rhomb__batch_shape s;
    for (size_t i = 0; i < COUNT(distances); i++) {
        const int64_t d = distances[i];
        assert_int_equal(make_alone(&LARGE_GPU, 100000, d, &s), RHOMB_OK);
        check(&LARGE_GPU, &s);
        assert_int_equal(s.levels, 1);
        assert_int_equal(s.limits[0], d);
        assert_true(s.bytes[RHOMB__BATCH_COLUMNS] >=
                    (int64_t)sizeof(rhomb_i32) * (d + 1) * (d + 1));
        assert_true(s.bytes[RHOMB__BATCH_COLUMNS] / (int64_t)sizeof(rhomb_i32) <= UINT32_MAX);
        assert_true(s.job_operations >= 2 * d + 1);
    }
    assert_int_equal(make_alone(&LARGE_GPU, 100000, 4001, &s), RHOMB_ERR_DEVICE_MEMORY);
    assert_int_equal(make_alone(&LARGE_GPU, 100000, INT64_MAX, &s), RHOMB_ERR_DEVICE_MEMORY);
    assert_int_equal(make_alone(&LARGE_GPU, RHOMB__BATCH_MOST_BASES, 3000, &s), RHOMB_OK);
    assert_int_equal(make_alone(&LARGE_GPU, RHOMB__BATCH_MOST_BASES + 1, 3000, &s),
                     RHOMB_ERR_DEVICE_MEMORY);
    assert_int_equal(make_alone(&CPU, 100000, 4000, &s), RHOMB_OK);
}

static rhomb__batch_shape make_mode(const rhomb_device_info *device, rhomb_mode mode,
                                    int64_t z_drop, int32_t group_size)
{
    static const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1};
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_batch_options given = RHOMB_BATCH_OPTIONS_INIT, options;
    rhomb_batch_tuning given_tuning = RHOMB_BATCH_TUNING_INIT, tuning;
    rhomb__batch_shape s;
    rhomb__costs costs;
    given.mode = mode;
    given.z_drop = z_drop;
    given.scoring = &scoring;
    assert_int_equal(rhomb__costs_of(&error, &scoring, &costs), RHOMB_OK);
    given_tuning.group_size = group_size;
    given.tuning = &given_tuning;
    assert_int_equal(rhomb__batch_options_complete(&error, &given, &options, &tuning), RHOMB_OK);
    assert_int_equal(
        rhomb__batch_scored_shape_make(&error, device, 8, &options, &tuning, &costs, &s), RHOMB_OK);
    return s;
}

static int32_t items_for(const rhomb__batch_shape *s, int64_t n, int64_t m)
{
    static const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1};
    const rhomb_batch_options options = {.mode = RHOMB_MODE_EXTEND, .scoring = &scoring};
    const rhomb_pair pair = {NULL, n, NULL, m};
    uint64_t work = 0;
    const int32_t bin = rhomb__batch_bin_of(s, &options, &pair, true, &work);
    return rhomb__batch_bin_is_diagonal(s, bin) ? 0 : rhomb__batch_bin_items(s, bin);
}

/*
 * How many work-items share a pair in an extension that may stop early; 0: it goes by
 * antidiagonals. Others are swept as local alignments are.
 */
static void test_extension(void **state)
{
    rhomb_device_info small = LARGE_GPU;
    rhomb__batch_shape s = make_mode(&LARGE_GPU, RHOMB_MODE_EXTEND, 400, 32);
    assert_int_equal(items_for(&s, 0, 0), 32);
    assert_int_equal(items_for(&s, 150, 150), 2);
    assert_int_equal(items_for(&s, 1000, 1000), 8);
    assert_int_equal(items_for(&s, 10000, 10000), 32);
    /* (2 + 6 * 2) * length * 2^8 is 2^30 or more; in teams of 32 it is 2^9. */
    assert_int_equal(items_for(&s, 140000, 140000), 32);
    assert_int_equal(items_for(&s, 200000, 200000), 8);
    assert_int_equal(items_for(&s, 300000, 300000), 0);
    s = make_mode(&LARGE_GPU, RHOMB_MODE_EXTEND, 400, 8);
    assert_int_equal(items_for(&s, 10000, 10000), 8);
    s = make_mode(&LARGE_GPU, RHOMB_MODE_EXTEND, 400, 1);
    assert_int_equal(items_for(&s, 150, 150), 0);
    small.local_memory_bytes = 8192;
    s = make_mode(&small, RHOMB_MODE_EXTEND, 400, 32);
    assert_int_equal(items_for(&s, 150, 150), 0);
    s = make_mode(&CPU, RHOMB_MODE_EXTEND, 400, 0);
    assert_int_equal(items_for(&s, 150, 150), 0);
    s = make_mode(&CPU, RHOMB_MODE_EXTEND, RHOMB_NO_LIMIT, 0);
    assert_int_equal(s.lanes, 16);
}

/* Two pairs at once, where the driver has the instructions. */
static void test_halves(void **state)
{
    static const struct {
        const char *name, *driver;
        bool halves;
    } CASES[] = {{"NVIDIA H200", "580.159.04", true}, {"NVIDIA H200", "525.60", true},
                 {"NVIDIA H200", "520.61.05", false}, {"pocl-cuda H200", "3.1 PoCL", false},
                 {"NVIDIA H200", NULL, false},        {"NVIDIA A100", "580.159.04", false}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        rhomb_device_info device = LARGE_GPU;
        device.name = CASES[i].name;
        device.driver_version = CASES[i].driver;
        const rhomb__batch_shape s = make_mode(&device, RHOMB_MODE_LOCAL, RHOMB_NO_LIMIT, 0);
        assert_int_equal(s.ptx, CASES[i].halves);
        assert_int_equal(rhomb__batch_bin_pairs(&s, 0), CASES[i].halves ? 2 : 1);
    }
}

static rhomb__batch_binned *bin_all(const rhomb__batch_shape *s, const rhomb_batch_options *options,
                                    const rhomb_pair *pairs, int64_t count)
{
    rhomb__batch_binned *binned = calloc((size_t)(2 * count), sizeof *binned);
    assert_non_null(binned);
    for (int64_t i = 0; i < count; i++) {
        binned[i].pair = (uint32_t)i;
        binned[i].bin = (uint32_t)rhomb__batch_bin_of(s, options, &pairs[i], true, &binned[i].key);
    }
    return binned;
}

/* Bins in order, in each of them most work first, equal keys as they came. */
static void test_sort(void **state)
{
    enum { PAIRS = 3000 };
    static const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1};
    const rhomb_batch_options options = {.mode = RHOMB_MODE_LOCAL, .scoring = &scoring};
    const rhomb__batch_shape s = make_mode(&LARGE_GPU, RHOMB_MODE_LOCAL, RHOMB_NO_LIMIT, 32);
    static const int64_t longest[] = {1, 30, 300, 30000, 3000000};
    static rhomb_pair pairs[PAIRS];
    uint64_t state_of_pairs = 1;
    (void)state;
    for (size_t l = 0; l < COUNT(longest); l++) {
        for (int i = 0; i < PAIRS; i++) {
            state_of_pairs = state_of_pairs * UINT64_C(6364136223846793005) + 1;
            pairs[i].target_length = (int64_t)(state_of_pairs >> 33) % longest[l];
            pairs[i].query_length = (int64_t)(state_of_pairs >> 13) % longest[l];
        }
        rhomb__batch_binned *binned = bin_all(&s, &options, pairs, PAIRS);
        rhomb__batch_bins_sort(binned, binned + PAIRS, PAIRS);
        for (int i = 1; i < PAIRS; i++) {
            const rhomb__batch_binned *a = &binned[i - 1], *b = &binned[i];
            assert_true(a->bin <= b->bin);
            assert_true(a->bin < b->bin || a->key >= b->key);
            assert_true(a->bin < b->bin || a->key > b->key || a->pair < b->pair);
        }
        free(binned);
    }
    rhomb__batch_bins_sort(NULL, NULL, 0);
}

/* A few pairs go to the bin of the others, if they take hardly longer there. */
static void test_join(void **state)
{
    enum { PAIRS = 100 };
    static const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1};
    const rhomb_batch_options options = {.mode = RHOMB_MODE_LOCAL, .scoring = &scoring};
    const rhomb__batch_shape s = make_mode(&LARGE_GPU, RHOMB_MODE_LOCAL, RHOMB_NO_LIMIT, 32);
    /* Lengths of most pairs, and of a few that join them or do not. */
    static const struct {
        int64_t most, few;
        bool joins;
    } CASES[] = {{1024, 1030, true}, {1024, 150, false}, {150, 1024, false}, {1000, 960, true}};
    (void)state;
    for (size_t c = 0; c < COUNT(CASES); c++) {
        rhomb_pair pairs[PAIRS];
        for (int i = 0; i < PAIRS; i++)
            pairs[i].target_length = pairs[i].query_length =
                i % 20 == 7 ? CASES[c].few : CASES[c].most;
        rhomb__batch_binned *binned = bin_all(&s, &options, pairs, PAIRS);
        const uint32_t most = binned[0].bin, few = binned[7].bin;
        assert_true(most != few);
        rhomb__batch_bins_join(&s, &options, pairs, binned, PAIRS);
        for (int i = 0; i < PAIRS; i++)
            assert_int_equal(binned[i].bin, i % 20 != 7 || CASES[c].joins ? most : few);
        free(binned);
    }
}

TEST_MAIN(test_levels, test_columns, test_memory, test_alone, test_extension, test_halves,
          test_sort, test_join)
