/* SPDX-License-Identifier: MIT */
/*
 * The known-answer test: its answer is right, it passes on a device that computes right, and one
 * that computes wrong is refused. Such devices are made here, by breaking a copy of the kernels in
 * one place and building that (RHOMB_KERNEL_DIR). host/engines/self_test.c is included for the
 * distance.
 *
 *     test_self_test FOLDER    the kernels, cl/ of the sources
 *
 * Exits with 77 where there is no device.
 */
#include "support/test.h"
#include "host/engines/self_test.c"
#include "support/cost_sets.h"
#include "support/run.h"

#include <unistd.h>

#include "rhomb/batch.h"
#include "rhomb/local.h"
#include "rhomb/scoring.h"
#include "rhomb/tuning.h"
#include "support/amount.h"
#include "support/quick_build.h"
#include "tests/reference/edlib_distance.h"
#include "tests/reference/gotoh.h"

static const char *kernel_folder;

/*
 * What is broken: in `file`, the first `from` becomes `to`. Groups
 * of one item compile in a third of the time, so that only what items do for each other is broken
 * in groups of eight.
 *
 * What a broken kernel does must be defined. Most faults change a value only. Values say where
 * sequences are read, but an offset is cut to the matrix where a tile loads it, and the padding
 * around sequences is wider than what the tile's scores add (RHOMB_PAD_SYMBOLS). A comment says why
 * the others read nothing that is out of bounds, unwritten or being written.
 */
typedef struct fault {
    int32_t group_size;
    const char *file;
    const char *from;
    const char *to;
} fault;

enum { ALONE = 1, GROUP = 8 };

/* The known pair has the costs that the test expects, by scorings of one piece and two. */
static void test_known_costs(void **state)
{
    static const char *const SCORINGS[] = {"edit",
                                           "affine:4,6,2",
                                           "wfa",
                                           "asm5",
                                           "asm10",
                                           "asm20",
                                           "map-ont",
                                           "match:2,4,4,2",
                                           "affine:9,0,7",
                                           "affine:60,9,1",
                                           "affine:32767,32766,1",
                                           "affine2p:5,8,2,24,1",
                                           "match:1,19,39,3,81,1"};
    rhomb__known_pair p;
    rhomb__known_pair_make(&p);
    for (size_t i = 0; i < COUNT(SCORINGS); i++) {
        const rhomb__costs costs = costs_of_text(SCORINGS[i]);
        const oracle_penalties penalties = costs_penalties(&costs);
        const int64_t cost = rhomb__known_pair_cost(&p, &costs);
        const int64_t expected =
            oracle_gotoh(p.target, p.target_length, p.query, p.query_length, &penalties);
        if (cost != expected)
            fail_msg("%s: %lld, not %lld", SCORINGS[i], (long long)cost, (long long)expected);
        assert_true(i > 0 || cost == KNOWN_DISTANCE);
    }
}

/* A folder with all kernel files, one of them broken. */
static void make_folder(char *folder, const fault *f)
{
    static char text[1 << 16];
    char path[1024];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "cp -r '%s/.' '%s'", kernel_folder, folder);
    assert_int_equal(system(path), 0);
    snprintf(path, sizeof path, "%s/%s", folder, f->file);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    assert_true(length < sizeof text - 1);
    text[length] = '\0';
    const char *at = strstr(text, f->from);
    if (at == NULL)
        fail_msg("%s has no \"%s\" to break", f->file, f->from);
    assert_int_equal(fseek(file, at - text, SEEK_SET), 0);
    fprintf(file, "%s%s", f->to, at + strlen(f->from));
    assert_int_equal(ftruncate(fileno(file), ftell(file)), 0);
    assert_int_equal(fclose(file), 0);
}

/* A call of a small pair, in groups of so many items or in vectors. */
typedef rhomb_status (*call_fn)(rhomb_context *ctx, int32_t group_size, const void *how);

/* Makes it with kernels from a folder; NULL takes the embedded ones. The status, and its detail. */
static rhomb_status call_with(const char *folder, call_fn call, int32_t group_size, const void *how,
                              char detail[8192])
{
    rhomb_context *ctx = NULL;
    if (folder != NULL)
        assert_int_equal(setenv("RHOMB_KERNEL_DIR", folder, 1), 0);
    assert_int_equal(rhomb_context_create(&ctx, NULL), RHOMB_OK);
    assert_int_equal(rhomb_context_open(ctx, getenv("RHOMB_TEST_DEVICE"), 0), RHOMB_OK);
    const rhomb_status status = call(ctx, group_size, how);
    snprintf(detail, 8192, "%s", rhomb_context_error(ctx));
    rhomb_context_destroy(ctx);
    unsetenv("RHOMB_KERNEL_DIR");
    return status;
}

/* With a fault there is this status, and a text in its detail. */
static void expect_status(const fault *f, call_fn call, const void *how, rhomb_status expected,
                          const char *text)
{
    char folder[] = "/tmp/rhomb-test-self-test-XXXXXX", detail[8192], command[64];
    make_folder(folder, f);
    const rhomb_status status = call_with(folder, call, f->group_size, how, detail);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    if (status != expected || strstr(detail, text) == NULL)
        fail_msg("%s with \"%s\" gives %s: %s", f->file, f->to, rhomb_status_name(status), detail);
}

static void expect_wrong_results(const fault *faults, size_t count, call_fn call, const void *how)
{
    for (size_t i = 0; i < count; i++)
        if (amount_takes((int64_t)i))
            expect_status(&faults[i], call, how, RHOMB_ERR_DEVICE_WRONG_RESULT, "");
}

/* A distance by the wavefront; `how` is the shape of its tiles. */
static rhomb_status call_wavefront(rhomb_context *ctx, int32_t group_size, const void *how)
{
    rhomb_result *result = NULL;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    tuning.tile_shape = *(const rhomb_tile_shape *)how;
    tuning.group_size = group_size;
    tuning.diagonals_per_item = group_size == ALONE ? 64 : 2;
    tuning.tile_scores = 5;
    options.tuning = &tuning;
    const rhomb_status status = rhomb_distance(ctx, "ACGT", 4, "AGT", 3, &options, &result);
    assert_true((status == RHOMB_OK) == (result != NULL));
    if (result != NULL)
        assert_int_equal(rhomb_result_report(result)->distance, 1);
    rhomb_result_destroy(result);
    return status;
}

static const rhomb_tile_shape TRAPEZOIDS = RHOMB_TILE_TRAPEZOID, DIAMONDS = RHOMB_TILE_DIAMOND;

/* The kernels as they are pass, embedded and from files. */
static void test_right_device(void **state)
{
    static const rhomb_tile_shape *const SHAPES[] = {&TRAPEZOIDS, &DIAMONDS};
    static const int32_t GROUPS[] = {ALONE, GROUP};
    char detail[8192];
    for (int i = 0; i < 8; i++)
        assert_int_equal(call_with(i % 2 == 0 ? NULL : kernel_folder, call_wavefront,
                                   GROUPS[i / 2 % 2], SHAPES[i / 4], detail),
                         RHOMB_OK);
}

/* One fault for each thing that a device may get wrong. */
static void test_wrong_device(void **state)
{
    static const fault TRAPEZOID[] = {
        {ALONE, "wavefront/wavefront_tile.clh", "RHOMB_LARGER(f[c], f[c + 1]) + 1;",
         "RHOMB_LARGER(f[c], f[c + 1]) + 2;"},
        {ALONE, "wavefront/wavefront_tile.clh", "RHOMB_LARGER(moved[c], f[c + 2]);", "moved[c];"},
        {ALONE, "wavefront/wavefront_slots.clh", "f[c] = opened[c] + ends[c];", "f[c] = moved[c];"},
        {ALONE, "wavefront/wavefront_slots.clh", "rows[p][c] >>= 1;", ""},
        {GROUP, "wavefront/wavefront_tile.clh", "f[c] = mirrored ? j - k : j;", "f[c] = j;"},
        /* The item's own pair, which it wrote before the barrier. */
        {GROUP, "wavefront/wavefront_tile.clh", "pair next = shared->heads[lane + 1];",
         "pair next = shared->heads[lane];"},
        {GROUP, "wavefront/wavefront_tile.clh", "f[RHOMB_ITEM_DIAGONALS + 1] = next.y;",
         "f[RHOMB_ITEM_DIAGONALS + 1] = next.x;"},
        {GROUP, "wavefront/wavefront_slots.clh", "list->end[run] = j + symbols;",
         "list->end[run] = j;"},
        /* What follows skips a diagonal that its wavefront does not have. */
        {ALONE, "wavefront/wavefront.cl", "other = end_diagonal - k;", "other = end_diagonal + k;"},
        /* The sequence forward, as long as its reverse. */
        {ALONE, "wavefront/wavefront.clh", "query + pad + direction * launch->query_backward",
         "query + pad"},
        {ALONE, "common/extend.clh", "<< shift >> 32", ">> 32"},
        /* The word that was read just before. */
        {ALONE, "common/extend.clh", "rhomb_word(packed, word + 1, next);",
         "rhomb_word(packed, word, next);"},
        {ALONE, "common/pack.cl", "codes[bases[at - piece_begin]]",
         "(codes[bases[at - piece_begin]] & 1)"},
        /* A larger rhomb_affine_status: the sizes are compared before any kernel reads one. */
        {ALONE, "abi.h", "rhomb_i32 met;", "rhomb_i64 met;"},
    };
    static const fault DIAMOND[] = {
        /* f keeps the older of the two values that were loaded. */
        {GROUP, "wavefront/wavefront_diamond.cl", "enter(f, second, p0, s);", ""},
        {GROUP, "wavefront/wavefront_diamond.cl", "above = lows[s & 1][lane + 1];",
         "above = RHOMB_NO_OFFSET;"},
        {GROUP, "wavefront/wavefront_diamond.cl",
         "highs[s & 1][lane + 1] = f[RHOMB_ITEM_DIAGONALS - 1];", "highs[s & 1][lane + 1] = f[0];"},
    };
    expect_wrong_results(TRAPEZOID, COUNT(TRAPEZOID), call_wavefront, &TRAPEZOIDS);
    expect_wrong_results(DIAMOND, COUNT(DIAMOND), call_wavefront, &DIAMONDS);
}

/* The message names device and engine and both distances; or has the compiler's own words. */
static void test_details(void **state)
{
    static const char FILE_NAME[] = "wavefront/wavefront_tile.clh";
    static const char FROM[] = "RHOMB_LARGER(moved[c], f[c + 2]);";
    static const fault WRONG = {ALONE, FILE_NAME, FROM, "max(moved[c], f[c + 1]);"};
    static const fault UNKNOWN = {ALONE, FILE_NAME, FROM, "max(moved[c], no_such_name);"};
    const rhomb_status wrong = RHOMB_ERR_DEVICE_WRONG_RESULT;
    char known[32];
    snprintf(known, sizeof known, "instead of %d", KNOWN_DISTANCE);
    expect_status(&WRONG, call_wavefront, &TRAPEZOIDS, wrong, known);
    expect_status(&WRONG, call_wavefront, &TRAPEZOIDS, wrong, "wavefront engine");
    expect_status(&WRONG, call_wavefront, &TRAPEZOIDS, wrong, "RHOMB_GROUP_SIZE=1");
    expect_status(&UNKNOWN, call_wavefront, &TRAPEZOIDS, RHOMB_ERR_BUILD, "no_such_name");
}

/* A penalty by the bit-sliced sweep; `how` is the scoring. */
static rhomb_status call_scored(rhomb_context *ctx, int32_t group_size, const void *how)
{
    rhomb_result *result = NULL;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_scoring scoring;
    assert_int_equal(rhomb_scoring_parse(ctx, how, &scoring), RHOMB_OK);
    tuning.group_size = group_size;
    tuning.words_per_item = 1;
    options.tuning = &tuning;
    options.scoring = &scoring;
    options.engine = RHOMB_ENGINE_BITPARALLEL;
    const rhomb_status status = rhomb_distance(ctx, "ACGT", 4, "AGT", 3, &options, &result);
    if (result != NULL)
        assert_int_equal(rhomb_result_report(result)->distance,
                         scoring.gap_open + scoring.gap_extend);
    rhomb_result_destroy(result);
    return status;
}

/* The bit-sliced sweep: the step, and what items and strips do for each other. */
static void test_wrong_sliced(void **state)
{
    static const fault ONE[] = {
        {GROUP, "bitsliced/bitsliced_planes.clh", "left[k] &= ~borrow;", ""},
        {ALONE, "bitsliced/bitsliced_planes.clh", "left[k] &= ~borrow;", ""},
        {GROUP, "bitsliced/bitsliced.clh", "(a_ones | b_ones)", "a_ones"},
        /* The border of the block before the right one, all 0 before the first. */
        {GROUP, "bitsliced/bitsliced.clh", "#define LAG (PASSAGE + 1)", "#define LAG PASSAGE"},
        /* What the item wrote before the barrier itself; `handed` has an element more than items.
         */
        {GROUP, "bitsliced/bitsliced.cl", "above[i] = handed[s & 1][i][lane];",
         "above[i] = handed[s & 1][i][lane + 1];"},
        {ALONE, "bitsliced/bitsliced_lanes.cl", "RHOMB_UP(handed[i], above[i])", "handed[i]"},
    };
    static const fault TWO[] = {
        {GROUP, "bitsliced/bitsliced.clh", "second[k] &= ~second[WIDE_PLANES - 1];", ""},
    };
    expect_wrong_results(ONE, COUNT(ONE), call_scored, "affine:4,6,2");
    expect_wrong_results(TWO, COUNT(TWO), call_scored, "affine2p:5,8,2,24,1");
}

/* A pair of a batch; `how` is the scoring, if there is one. */
static rhomb_status call_batch(rhomb_context *ctx, int32_t group_size, const void *how)
{
    const rhomb_pair texts = {"ACGT", 4, "AGT", 3};
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    int64_t distance;
    tuning.group_size = group_size;
    options.tuning = &tuning;
    options.scoring = how;
    return rhomb_batch_distances(ctx, &texts, 1, &options, &distance, NULL);
}

/* Batches have a self-test of their own, which computes columns that are far wider than a group. */
static void test_wrong_batch(void **state)
{
    static const rhomb_scoring WFA = {0, 4, 6, 2, -1, -1, NULL};
    static const fault EDIT[] = {
        {ALONE, "batch/batch.cl", "column[k] = follow(p, k, column[k]);", "column[k] += 0;"},
        {GROUP, "batch/batch.cl", "const int j = follow(",
         "const int j = high - low > 32 ? max(k, 0) : follow("},
    };
    static const fault SLICED[] = {
        {ALONE, "batch/batch_sliced_lanes.clh", "grown[l] += growth_of_word(",
         "grown[l] -= growth_of_word("},
        /* The first item's sum for each, before the barrier as all are. */
        {GROUP, "batch/batch_sliced_items.clh", "grown += shared->sums[t.team * t.items + item];",
         "grown += shared->sums[t.team * t.items];"},
    };
    expect_wrong_results(EDIT, COUNT(EDIT), call_batch, NULL);
    expect_wrong_results(SLICED, COUNT(SLICED), call_batch, &WFA);
}

/* Of rhomb_context_options: counts the programs of each engine that pass, with other costs too. */
static void count_passed(int level, const char *text, void *user)
{
    static const char *const OF[] = {"self-test passed: wavefront",
                                     "self-test passed: bitparallel"};
    int *passed = user;
    for (size_t i = 0; level == 2 && i < COUNT(OF); i++) {
        passed[i] += strstr(text, OF[i]) != NULL;
        passed[2 + i] += strstr(text, OF[i]) != NULL && strstr(text, "RHOMB_MISMATCH=") != NULL;
    }
}

static rhomb_status call_self_test(rhomb_context *ctx, int32_t group_size, const void *how)
{
    return rhomb_context_self_test(ctx);
}

/* The public call builds and checks the programs of all symbol widths, and of other costs. */
static void test_public_call(void **state)
{
    rhomb_context *ctx = NULL;
    rhomb_context_options options = RHOMB_CONTEXT_OPTIONS_INIT;
    int passed[4] = {0};
    options.log = count_passed;
    options.log_user = passed;
    assert_int_equal(rhomb_context_self_test(NULL), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_context_create(&ctx, &options), RHOMB_OK);
    assert_int_equal(rhomb_context_self_test(ctx), RHOMB_OK);
    assert_true(passed[0] == 5 && passed[1] == 5 && passed[2] == 2 && passed[3] == 2);
    assert_non_null(rhomb_context_device(ctx));
    assert_int_equal(rhomb_context_self_test(ctx), RHOMB_OK);
    rhomb_context_destroy(ctx);

    /* Of the widest symbols only: their fifth plane is one symbol late in its word. */
    static const fault FAULT = {ALONE, "common/extend.clh", "planes[p] = four.x;",
                                "planes[p] = four.x >> p / 4;"};
    expect_status(&FAULT, call_self_test, NULL, RHOMB_ERR_DEVICE_WRONG_RESULT, "");
}

/* An alignment in a mode; `how` is that. */
static rhomb_status call_mode(rhomb_context *ctx, int32_t group_size, const void *how)
{
    rhomb_alignment *alignment = NULL;
    const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1, NULL};
    rhomb_mode_options mode = RHOMB_MODE_OPTIONS_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    mode.mode = *(const rhomb_mode *)how;
    tuning.local_group_size = group_size;
    tuning.local_item_rows = 2;
    options.tuning = &tuning;
    options.scoring = &scoring;
    const rhomb_status status =
        rhomb_align_mode(ctx, "ACGTACGT", 8, "ACGTAGT", 7, &mode, &options, &alignment);
    rhomb_alignment_destroy(alignment);
    return status;
}

/* The sweep of one long pair: the step, borders, edges and what strips hand on. */
static void test_wrong_long(void **state)
{
    static const struct {
        fault fault;
        rhomb_mode mode;
    } CASES[] = {
        {{ALONE, "local/local.clh", "LOCAL_MAX(LOCAL_PLUS(above->f, c->open), without_f)",
          "without_f"},
         RHOMB_MODE_LOCAL},
        /* A column's F for its H: each border has both. */
        {{ALONE, "local/long_local_lanes.clh", "LOCAL_UP(below->h, reads ? from[0] : top)",
          "LOCAL_UP(below->h, reads ? from[1] : top)"},
         RHOMB_MODE_EXTEND},
        /* What the first item handed on in the step before, instead of the one above. */
        {{GROUP, "local/long_local_items.clh", "shared->handed[(step + 1) & 1][at->lane - 1]",
          "shared->handed[(step + 1) & 1][0]"},
         RHOMB_MODE_LOCAL},
        {{GROUP, "local/long_local_items.clh", "border[block] = shared->lines[step];",
          "border[block] = (long_block){{0}, {0}};"},
         RHOMB_MODE_EXTEND},
        {{GROUP, "local/long_local_items.clh", "row >= job->first_row", "row > job->last_row"},
         RHOMB_MODE_ENDS_FREE},
        {{ALONE, "local/long_local.cl", "row - job->free_rows", "row"}, RHOMB_MODE_ENDS_FREE},
    };
    for (size_t i = 0; i < COUNT(CASES); i++)
        if (amount_takes((int64_t)i))
            expect_status(&CASES[i].fault, call_mode, &CASES[i].mode, RHOMB_ERR_DEVICE_WRONG_RESULT,
                          "");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {TEST_LIST(
        cmocka_unit_test, test_known_costs, test_wrong_sliced, test_wrong_long, test_right_device,
        test_wrong_device, test_details, test_wrong_batch, test_public_call)};
    if (argc < 2)
        return 2;
    kernel_folder = argv[1];
    quick_builds = true;
    return device_exists() ? cmocka_run_group_tests_name("self-test", tests, NULL, NULL) : 77;
}
