/* SPDX-License-Identifier: MIT */
/*
 * The shape of a batch: levels, sizes and places of a job's memory on devices of all sizes, and the
 * shape for a pair alone up to the largest distance that it may have. And how it plans matrices in
 * bit planes: memory and teams for pairs of all lengths, what they are worth beside wavefronts, and
 * their level.
 */
#include "src/base/int64.h"
#include "src/batch/batch_scored_shape.h"
#include "src/batch/batch_sliced.h"
#include "src/batch/mode_bins.h"
#include "support/cost_sets.h"
#include "support/rng.h"
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
    static const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1, NULL};
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
    static const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1, NULL};
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
    static const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1, NULL};
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
    static const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1, NULL};
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

static const char *const SCORINGS[] = {"affine:4,6,2", "match:2,4,4,2",   "asm20",        "asm5",
                                       "affine:1,0,2", "affine:100,3,1",  "affine:9,0,9", "edit",
                                       "map-ont",      "affine:900,70,31"};

/* The launch for pairs up to a length, and what no launch may be without. */
static rhomb__batch_teams teams_of(const rhomb__batch_shape *s, const rhomb__costs *costs,
                                   bool path, int64_t longest, int64_t count)
{
    const rhomb__batch_teams t = rhomb__batch_teams_of(s, costs, path, false, longest, count);
    const int64_t here = rhomb__max(rhomb__min(longest, RHOMB_BATCH_SLICED_BASES), 1);
    assert_in_range(t.items, 1, s->group_size);
    assert_int_equal(s->group_size % t.items, 0);
    assert_int_equal(t.items & (t.items - 1), 0);
    assert_in_range(t.groups, 1, s->sliced_groups);
    assert_int_equal(t.group_cells % 16, 0); /* words of a vector */
    assert_true(t.groups * t.group_cells * 4 <= s->bytes[RHOMB__BATCH_COLUMNS]);
    /* No group is without a pair, and none without room for what fits. */
    assert_true((t.groups - 1) * (s->group_size * s->sliced_lanes / t.items) < count);
    const bool has_room =
        rhomb__batch_sliced_cells(s, costs, path, false, here, t.items) <= t.group_cells;
    assert_true(t.fits == (has_room && longest <= RHOMB_BATCH_SLICED_BASES));
    for (int32_t items = 1; items <= s->group_size && !has_room; items *= 2)
        assert_true(rhomb__batch_sliced_cells(s, costs, path, false, here, items) * 4 >
                    s->bytes[RHOMB__BATCH_COLUMNS]);
    return t;
}

static void check_memory(rhomb__batch_shape *s, const rhomb__costs *costs, bool path)
{
    for (int64_t longest = 0; longest < 20000; longest += longest / 4 + 1) {
        bool fitted = false;
        for (int64_t bytes = 1 << 10; bytes <= INT64_C(1) << 32; bytes *= 4) {
            s->bytes[RHOMB__BATCH_COLUMNS] = bytes + longest % 64;
            const rhomb__batch_teams one = teams_of(s, costs, path, longest, 1);
            const rhomb__batch_teams many = teams_of(s, costs, path, longest, 100000);
            assert_true(one.fits == many.fits && (one.fits || !fitted));
            fitted = one.fits;
        }
        assert_true(fitted == (longest <= RHOMB_BATCH_SLICED_BASES));
    }
}

static void test_teams(void **state)
{
    for (size_t i = 0; i < COUNT(SCORINGS); i++) {
        const rhomb__costs costs = costs_of_text(SCORINGS[i]);
        for (int32_t group = 1; group <= 256; group *= 4)
            for (int path = 0; path < 2; path++) {
                rhomb__batch_shape s = {.group_size = group, .workers = 8, .sliced_groups = 1000};
                s.sliced_words = rhomb__batch_sliced_words(&costs, group, path);
                s.sliced_lanes = rhomb__lanes_of_group(group);
                check_memory(&s, &costs, path);
            }
    }
}

/* Where pairs are many, each has few work-items; where they are few, the device is shared. */
static void test_items(void **state)
{
    const rhomb__costs costs = costs_of_text("affine:4,6,2");
    rhomb__batch_shape s = {.group_size = 32,
                            .workers = 1,
                            .sliced_groups = 1000,
                            .sliced_words = 1,
                            .sliced_lanes = 1};
    s.bytes[RHOMB__BATCH_COLUMNS] = 2048 * MIB;
    assert_int_equal(teams_of(&s, &costs, true, 2000, 1).items, 32);
    assert_int_equal(teams_of(&s, &costs, true, 2000, 1).groups, 1);
    assert_true(teams_of(&s, &costs, true, 150, 1000000).items < 8);
    /* In a band fewer share a pair, in the same memory. */
    const rhomb__batch_teams band = rhomb__batch_teams_of(&s, &costs, true, true, 1000, 8000);
    assert_int_equal(band.items, 4);
    assert_true(teams_of(&s, &costs, true, 1000, 8000).items > band.items);
    assert_true(band.fits);
    int32_t items = 32;
    for (int64_t count = 1; count < 10000000; count *= 10) {
        const int32_t now = teams_of(&s, &costs, false, 300, count).items;
        assert_true(now <= items);
        items = now;
    }
}

/* The memory is that of the longest pair, and grows with it. */
static void test_cells(void **state)
{
    const rhomb__costs costs =
        costs_of_text("affine:4,6,2"); /* 2, 3, 1: six planes in three words */
    const rhomb__batch_shape s = {.group_size = 8, .sliced_words = 1, .sliced_lanes = 1};
    const rhomb__batch_shape lanes = {.group_size = 1, .sliced_words = 1, .sliced_lanes = 16};
    /* 7 blocks of columns for 8 teams, in whole vectors; 4 strips after each other, of 9 blocks. */
    assert_int_equal(rhomb__batch_sliced_cells(&s, &costs, false, true, 100, 1), 176);
    assert_int_equal(rhomb__batch_sliced_cells(&s, &costs, true, true, 100, 1),
                     176 + 4 * 9 * 16 * 8 * 4);
    /* 21 words are 32; one round of 24 blocks, whose last strip begins 21 blocks later. */
    assert_int_equal(rhomb__batch_sliced_cells(&s, &costs, false, true, 100, 8), 32);
    assert_int_equal(rhomb__batch_sliced_cells(&s, &costs, true, true, 100, 8),
                     32 + (24 + 21) * 16 * 8 * 4);
    /* 16 pairs side by side. */
    assert_int_equal(rhomb__batch_sliced_cells(&lanes, &costs, true, true, 100, 1),
                     7 * 3 * 16 + 4 * 9 * 16 * 16 * 4);
    for (int32_t items = 1; items <= 8; items *= 2)
        for (int64_t longest = 1; longest < 2000; longest++)
            for (int whole = 0; whole < 2; whole++)
                assert_true(rhomb__batch_sliced_cells(&s, &costs, true, whole, longest, items) <=
                            rhomb__batch_sliced_cells(&s, &costs, true, whole, longest + 1, items));
}

/* What a wavefront's cell is worth: more than in the matrix of batch_affine.cl. */
static void test_wave_cells(void **state)
{
    size_t count = 0;
    const rhomb__tuning_row *row = rhomb__tuning_rows(&count);
    const rhomb__costs wfa = costs_of_text("affine:4,6,2"),
                       large = costs_of_text("affine:31999,30000,1999");
    for (size_t i = 0; i < COUNT(SCORINGS); i++) {
        const rhomb__costs costs = costs_of_text(SCORINGS[i]);
        for (int32_t group = 1; group <= 32; group *= 32)
            assert_true(rhomb__batch_sliced_wave_cells(&costs, row, group) >
                        RHOMB__BATCH_WAVE_CELLS);
    }
    assert_in_range(rhomb__batch_sliced_wave_cells(&wfa, row, 32), 35, 45);
    assert_int_equal(rhomb__batch_sliced_words(&wfa, 32, false), 2);
    assert_int_equal(rhomb__batch_sliced_words(&wfa, 32, true), 1);
    assert_int_equal(rhomb__batch_sliced_words(&wfa, 1, false), 1);
    assert_int_equal(rhomb__batch_sliced_words(&large, 32, false), 1);
    assert_int_equal(rhomb__lanes_of_group(1), 16);
    assert_int_equal(rhomb__lanes_of_group(2), 1);
}

/* c^2 cells against 2 e n m / wave_cells: the last cost that is cheap, and the first that is not.
 */
static void test_is_cheap(void **state)
{
    const rhomb__costs wfa = costs_of_text("affine:4,6,2"),
                       two = costs_of_text("affine2p:12,14,6,40,2");
    assert_true(rhomb__batch_is_cheap(&wfa, 3, 2, 2, 3));
    assert_true(rhomb__batch_is_cheap(&wfa, 150, 150, 122, 3));
    assert_false(rhomb__batch_is_cheap(&wfa, 150, 150, 123, 3));
    assert_true(rhomb__batch_is_by_waves(&wfa, 150, 150, 122));
    assert_false(rhomb__batch_is_by_waves(&wfa, 150, 150, 123));
    assert_true(rhomb__batch_is_cheap(&wfa, 1000, 1000, 223, 40));
    assert_false(rhomb__batch_is_cheap(&wfa, 1000, 1000, 224, 40));
    assert_int_equal(rhomb__costs_least_extend(&two), 1); /* the second piece's */
    assert_true(rhomb__batch_is_cheap(&two, 300, 75, 122, 3));
    assert_false(rhomb__batch_is_cheap(&two, 300, 75, 123, 3));
    /* Paths by wavefronts in 64 MiB: c^2 bytes, and some rows. */
    assert_in_range(rhomb__batch_most_by_waves(&wfa), 8000, 8192);
    assert_true(rhomb__batch_scored_fits(&wfa, 11500, 11500, rhomb__batch_most_by_waves(&wfa)));
    assert_false(
        rhomb__batch_scored_fits(&wfa, 11500, 11500, rhomb__batch_most_by_waves(&wfa) + 1));
}

static rhomb__batch_shape shape_on(const rhomb_device_info *device, const char *text, bool path,
                                   const rhomb_batch_tuning *asked)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_batch_options given = RHOMB_BATCH_OPTIONS_INIT, options;
    rhomb_batch_tuning tuning;
    rhomb__batch_shape s;
    const rhomb__costs costs = costs_of_text(text);
    given.cigar = path;
    given.tuning = asked;
    assert_int_equal(rhomb__batch_options_complete(&error, &given, &options, &tuning), RHOMB_OK);
    assert_int_equal(
        rhomb__batch_scored_shape_make(&error, device, 8, &options, &tuning, &costs, &s), RHOMB_OK);
    assert_true(s.buffer_bytes <= device->max_buffer_bytes);
    assert_true(s.workers * s.device_bytes <= device->memory_bytes);
    return s;
}

static rhomb__batch_shape shape_of(const char *text, bool path, const rhomb_batch_tuning *asked)
{
    return shape_on(&LARGE_GPU, text, path, asked);
}

/* Marks take a part of the device's memory, and no more than a buffer may have. */
static void test_sliced_memory(void **state)
{
    rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    for (int64_t memory = 1024 * MIB; memory < 200000 * MIB; memory += memory / 3)
        for (int64_t part = 1; part <= 16; part *= 2)
            for (int32_t workers = 0; workers < 4; workers++) {
                rhomb_device_info device = LARGE_GPU;
                device.memory_bytes = memory;
                device.max_buffer_bytes = rhomb__max(memory / part, 65 * MIB);
                tuning.workers = workers;
                for (int path = 0; path < 2; path++) {
                    const rhomb__batch_shape s = shape_on(&device, "affine:4,6,2", path, &tuning);
                    assert_true(s.workers * s.sliced_bytes <= memory / 2);
                }
            }
}

/* The levels come after those of growing limits, or are the first; two follow them. */
static void test_sliced_levels(void **state)
{
    size_t count = 0;
    const rhomb__costs wfa = costs_of_text("affine:4,6,2");
    for (int path = 0; path < 2; path++) {
        rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
        rhomb__batch_shape s = shape_of("affine:4,6,2", path, &tuning), none;
        assert_in_range(s.sliced_level, 1, RHOMB_BATCH_MOST_LEVELS - 4);
        assert_int_equal(s.sliced_level + RHOMB__BATCH_SLICED_LEVELS + 2, s.levels);
        assert_int_equal(s.limits[s.sliced_level], s.limits[s.sliced_level - 1]);
        assert_int_equal(s.sliced_words, path ? 1 : 2);
        assert_int_equal(s.wave_cells, rhomb__batch_sliced_wave_cells(
                                           &wfa, rhomb__tuning_rows(&count), s.group_size));
        assert_true(s.sliced_groups > 0 && s.bytes[RHOMB__BATCH_COLUMNS] >= s.sliced_bytes);
        tuning.bit_planes = 2;
        none = shape_of("affine:4,6,2", path, &tuning);
        assert_int_equal(none.sliced_level, -1);
        assert_int_equal(none.levels, s.levels - RHOMB__BATCH_SLICED_LEVELS);
        assert_int_equal(none.wave_cells, RHOMB__BATCH_WAVE_CELLS);
        tuning.bit_planes = 1;
        s = shape_of("affine:4,6,2", path, &tuning);
        assert_int_equal(s.sliced_level, 0);
        assert_int_equal(s.levels, RHOMB__BATCH_SLICED_LEVELS + 2);
        tuning.group_size = 1;
        s = shape_of("affine:4,6,2", path, &tuning);
        assert_true(s.sliced_level == 0 && s.sliced_lanes == 16);
        /* Costs that wavefronts do not look back to. */
        tuning.group_size = tuning.bit_planes = 0;
        assert_int_equal(shape_of("affine:31999,30000,1999", path, &tuning).sliced_level, 0);
    }
}

/* A guess is near what was planted, whatever the case of letters; of words without place it is 0.
 */
static void test_guess(void **state)
{
    enum { LENGTH = 10000 };
    static char target[LENGTH], query[LENGTH];
    const rhomb__costs costs = costs_of_text("affine:4,6,2");
    rng r = rng_for("guess", 0);
    for (int percent = 0; percent <= 20; percent += 5) {
        for (int i = 0; i < LENGTH; i++) {
            target[i] = "ACGT"[rng_below(&r, 4)];
            query[i] =
                (char)(rng_chance(&r, percent / 100.0) ? "CGTA"[rng_below(&r, 4)] : target[i]);
            query[i] |= 0x20;
        }
        /* A fourth of the drawn bases are as before; a mismatch costs 4. */
        const int64_t planted = LENGTH * percent / 100 * 3 / 4 * 4;
        const int64_t guess =
            rhomb__batch_guess(&costs, &(rhomb_pair){target, LENGTH, query, LENGTH});
        assert_in_range(guess, planted * 2 / 3, planted * 3 / 2);
    }
    for (int i = 0; i < LENGTH; i++)
        query[i] = "ACGT"[rng_below(&r, 4)];
    /* Nothing in common, and nothing to be seen. */
    assert_in_range(rhomb__batch_guess(&costs, &(rhomb_pair){target, LENGTH, query, LENGTH}),
                    LENGTH * 2, LENGTH * 4);
    assert_int_equal(rhomb__batch_guess(&costs, &(rhomb_pair){target, 15, query, 15}), 0);
    assert_int_equal(rhomb__batch_guess(&costs, &(rhomb_pair){target, LENGTH, query, 0}), 0);
}

/* A pair alone has wavefronts and the matrix. */
static void test_sliced_alone(void **state)
{
    static const char letter = 'A'; /* nobody looks at it */
    const rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    const rhomb__batch_shape shape = shape_of("affine:4,6,2", true, &tuning);
    const rhomb__costs costs = costs_of_text("affine:4,6,2");
    const rhomb_pair pair = {&letter, 1000, &letter, 1000};
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb__batch_shape alone;
    assert_int_equal(
        rhomb__batch_scored_shape_alone(&error, &LARGE_GPU, &shape, &pair, &costs, &alone),
        RHOMB_OK);
    assert_int_equal(alone.sliced_level, -1);
    assert_int_equal(alone.levels, 2);
    assert_int_equal(alone.job_pairs, 1);
    assert_int_equal(alone.job_bases, 2048);
}

TEST_MAIN(test_levels, test_columns, test_memory, test_alone, test_extension, test_halves,
          test_sort, test_join, test_teams, test_items, test_cells, test_wave_cells, test_is_cheap,
          test_sliced_memory, test_sliced_levels, test_guess, test_sliced_alone)
