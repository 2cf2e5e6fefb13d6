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

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rhomb/batch.h"
#include "rhomb/local.h"
#include "rhomb/scoring.h"
#include "rhomb/tuning.h"
#include "support/amount.h"
#include "support/oracle.h"
#include "support/quick_build.h"
#include "tests/reference/gotoh.h"

static const char *kernel_folder;

/*
 * What is broken: in `file`, the first `from` becomes `to`. Groups of one item compile in a third
 * of the time, so that only what items do for each other is broken in groups of eight.
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

static void test_known_distance(void **state)
{
    rhomb__known_pair p;
    rhomb__known_pair_make(&p);
    assert_true(p.target_length <= RHOMB__KNOWN_TARGET && p.query_length <= RHOMB__KNOWN_QUERY);
    assert_int_equal(oracle_distance(p.target, p.target_length, p.query, p.query_length, false),
                     KNOWN_DISTANCE);
    assert_int_equal(oracle_textbook(p.target, p.target_length, p.query, p.query_length),
                     KNOWN_DISTANCE);
}

/* The same by other scorings, of one piece and two. */
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

/* Copies a file; true when the fault was put in. */
static bool copy_file(const char *from, const char *to, const fault *f)
{
    FILE *source = fopen(from, "rb"), *sink = fopen(to, "wb");
    static char text[1 << 16];
    assert_non_null(source);
    assert_non_null(sink);
    const size_t length = fread(text, 1, sizeof text - 1, source);
    assert_true(length < sizeof text - 1);
    text[length] = '\0';
    char *at = f != NULL ? strstr(text, f->from) : NULL;
    if (at != NULL) {
        fwrite(text, 1, (size_t)(at - text), sink);
        fputs(f->to, sink);
        fputs(at + strlen(f->from), sink);
    } else {
        fwrite(text, 1, length, sink);
    }
    fclose(source);
    assert_int_equal(fclose(sink), 0);
    return at != NULL;
}

/* Copies a folder's files and its folders'; returns whether one was broken. */
static bool copy_folder(const char *folder, const char *copy, const fault *f)
{
    bool broken = false;
    struct dirent *entry;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        char from[1024], to[1024];
        struct stat found;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(from, sizeof from, "%s/%s", folder, entry->d_name);
        snprintf(to, sizeof to, "%s/%s", copy, entry->d_name);
        assert_int_equal(stat(from, &found), 0);
        if (S_ISDIR(found.st_mode)) {
            assert_int_equal(mkdir(to, 0777), 0);
            broken |= copy_folder(from, to, f);
        } else {
            broken |= copy_file(from, to, strcmp(entry->d_name, f->file) == 0 ? f : NULL);
        }
    }
    closedir(dir);
    return broken;
}

/* A folder with all kernel files, one of them broken. */
static void make_folder(char *folder, const fault *f)
{
    assert_non_null(mkdtemp(folder));
    if (!copy_folder(kernel_folder, folder, f))
        fail_msg("%s has no \"%s\" to break", f->file, f->from);
}

static void remove_folder(const char *folder)
{
    struct dirent *entry;
    DIR *dir = opendir(folder);
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && unlink(path) != 0)
            remove_folder(path);
    }
    if (dir != NULL)
        closedir(dir);
    (void)rmdir(folder);
}

/* Solves a pair of bases with kernels from a folder; NULL takes the embedded ones. */
static rhomb_status solve(const char *folder, rhomb_tile_shape shape, int32_t group_size,
                          char *detail, size_t size)
{
    rhomb_context *ctx = NULL;
    rhomb_result *result = NULL;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    tuning.tile_shape = shape;
    tuning.group_size = group_size;
    tuning.diagonals_per_item = group_size == ALONE ? 64 : 2;
    tuning.tile_scores = 5;
    options.tuning = &tuning;
    if (folder != NULL)
        assert_int_equal(setenv("RHOMB_KERNEL_DIR", folder, 1), 0);
    assert_int_equal(rhomb_context_create(&ctx, NULL), RHOMB_OK);
    assert_int_equal(rhomb_context_open(ctx, getenv("RHOMB_TEST_DEVICE"), 0), RHOMB_OK);
    const rhomb_status status = rhomb_distance(ctx, "ACGT", 4, "AGT", 3, &options, &result);
    assert_true((status == RHOMB_OK) == (result != NULL));
    snprintf(detail, size, "%s", rhomb_context_error(ctx));
    if (result != NULL)
        assert_int_equal(rhomb_result_report(result)->distance, 1);
    rhomb_result_destroy(result);
    rhomb_context_destroy(ctx);
    unsetenv("RHOMB_KERNEL_DIR");
    return status;
}

static rhomb_status solve_with_fault(const fault *f, rhomb_tile_shape shape, char *detail,
                                     size_t size)
{
    char folder[] = "/tmp/rhomb-test-self-test-XXXXXX";
    make_folder(folder, f);
    const rhomb_status status = solve(folder, shape, f->group_size, detail, size);
    remove_folder(folder);
    return status;
}

/* The kernels as they are pass, embedded and from files. */
static void test_right_device(void **state)
{
    char detail[8192];
    static const rhomb_tile_shape SHAPES[] = {RHOMB_TILE_TRAPEZOID, RHOMB_TILE_DIAMOND};
    for (int i = 0; i < 2; i++) {
        for (int32_t group = ALONE; group <= GROUP; group += GROUP - ALONE) {
            assert_int_equal(solve(NULL, SHAPES[i], group, detail, sizeof detail), RHOMB_OK);
            assert_int_equal(solve(kernel_folder, SHAPES[i], group, detail, sizeof detail),
                             RHOMB_OK);
        }
    }
}

static void expect_wrong_results(const fault *faults, size_t count, rhomb_tile_shape shape)
{
    char detail[8192];
    for (size_t i = 0; i < count; i++) {
        if (!amount_takes((int64_t)i))
            continue;
        const fault *f = &faults[i];
        const rhomb_status status = solve_with_fault(f, shape, detail, sizeof detail);
        if (status != RHOMB_ERR_DEVICE_WRONG_RESULT)
            fail_msg("%s with \"%s\" gives %s: %s", f->file, f->to, rhomb_status_name(status),
                     detail);
    }
}

/* One fault for each thing that a device may get wrong. */
static void test_wrong_device(void **state)
{
    static const fault TRAPEZOID[] = {
        {ALONE, "wavefront_tile.clh", "RHOMB_LARGER(f[c], f[c + 1]) + 1;",
         "RHOMB_LARGER(f[c], f[c + 1]) + 2;"},
        {ALONE, "wavefront_tile.clh", "RHOMB_LARGER(moved[c], f[c + 2]);", "moved[c];"},
        {ALONE, "wavefront_slots.clh", "f[c] = opened[c] + ends[c];", "f[c] = moved[c];"},
        {ALONE, "wavefront_slots.clh", "rows[p][c] >>= 1;", ""},
        {GROUP, "wavefront_tile.clh", "f[c] = mirrored ? j - k : j;", "f[c] = j;"},
        /* The item's own pair, which it wrote before the barrier. */
        {GROUP, "wavefront_tile.clh", "pair next = shared->heads[lane + 1];",
         "pair next = shared->heads[lane];"},
        {GROUP, "wavefront_tile.clh", "f[RHOMB_ITEM_DIAGONALS + 1] = next.y;",
         "f[RHOMB_ITEM_DIAGONALS + 1] = next.x;"},
        {GROUP, "wavefront_slots.clh", "list->end[run] = j + symbols;", "list->end[run] = j;"},
        /* What follows skips a diagonal that its wavefront does not have. */
        {ALONE, "wavefront.cl", "other = end_diagonal - k;", "other = end_diagonal + k;"},
        /* The sequence forward, as long as its reverse. */
        {ALONE, "wavefront.clh", "query + pad + direction * launch->query_backward", "query + pad"},
        {ALONE, "extend.clh", "<< shift >> 32", ">> 32"},
        /* The word that was read just before. */
        {ALONE, "extend.clh", "rhomb_word(packed, word + 1, next);",
         "rhomb_word(packed, word, next);"},
        {ALONE, "pack.cl", "codes[bases[at - piece_begin]]",
         "(codes[bases[at - piece_begin]] & 1)"},
        /* A larger rhomb_affine_status: the sizes are compared before any kernel reads one. */
        {ALONE, "abi.h", "rhomb_i32 met;", "rhomb_i64 met;"},
    };
    static const fault DIAMOND[] = {
        /* f keeps the older of the two values that were loaded. */
        {GROUP, "wavefront_diamond.cl", "enter(f, second, p0, s);", ""},
        {GROUP, "wavefront_diamond.cl", "above = lows[s & 1][lane + 1];",
         "above = RHOMB_NO_OFFSET;"},
        {GROUP, "wavefront_diamond.cl", "highs[s & 1][lane + 1] = f[RHOMB_ITEM_DIAGONALS - 1];",
         "highs[s & 1][lane + 1] = f[0];"},
    };
    expect_wrong_results(TRAPEZOID, COUNT(TRAPEZOID), RHOMB_TILE_TRAPEZOID);
    expect_wrong_results(DIAMOND, COUNT(DIAMOND), RHOMB_TILE_DIAMOND);
}

/* The message names device and engine and both distances. */
static void test_wrong_device_detail(void **state)
{
    char detail[8192], known[32];
    static const fault FAULT = {ALONE, "wavefront_tile.clh", "RHOMB_LARGER(moved[c], f[c + 2]);",
                                "max(moved[c], f[c + 1]);"};
    assert_int_equal(solve_with_fault(&FAULT, RHOMB_TILE_TRAPEZOID, detail, sizeof detail),
                     RHOMB_ERR_DEVICE_WRONG_RESULT);
    snprintf(known, sizeof known, "instead of %d", KNOWN_DISTANCE);
    assert_non_null(strstr(detail, known));
    assert_non_null(strstr(detail, "wavefront engine"));
    assert_non_null(strstr(detail, "RHOMB_GROUP_SIZE=1"));
}

/* A kernel that does not compile: the compiler's own words are in the detail. */
static void test_syntax_error(void **state)
{
    char detail[8192];
    static const fault FAULT = {ALONE, "wavefront_tile.clh", "RHOMB_LARGER(moved[c], f[c + 2]);",
                                "max(moved[c], no_such_name);"};
    assert_int_equal(solve_with_fault(&FAULT, RHOMB_TILE_TRAPEZOID, detail, sizeof detail),
                     RHOMB_ERR_BUILD);
    if (strstr(detail, "no_such_name") == NULL)
        fail_msg("the compiler's log is not in \"%s\"", detail);
}

/*
 * Solves a small pair by a scoring with kernels from a folder, in groups of some items, or in
 * vectors.
 */
static rhomb_status solve_scored(const char *folder, const char *scoring_text, int32_t group_size,
                                 char *detail, size_t size)
{
    rhomb_context *ctx = NULL;
    rhomb_result *result = NULL;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_scoring scoring;
    rhomb__error error = {RHOMB_OK, NULL, ""};
    assert_int_equal(rhomb__scoring_parse(&error, scoring_text, &scoring), RHOMB_OK);
    tuning.group_size = group_size;
    tuning.words_per_item = 1;
    options.tuning = &tuning;
    options.scoring = &scoring;
    options.engine = RHOMB_ENGINE_BITPARALLEL;
    assert_int_equal(setenv("RHOMB_KERNEL_DIR", folder, 1), 0);
    assert_int_equal(rhomb_context_create(&ctx, NULL), RHOMB_OK);
    assert_int_equal(rhomb_context_open(ctx, getenv("RHOMB_TEST_DEVICE"), 0), RHOMB_OK);
    const rhomb_status status = rhomb_distance(ctx, "ACGT", 4, "AGT", 3, &options, &result);
    snprintf(detail, size, "%s", rhomb_context_error(ctx));
    if (result != NULL)
        assert_int_equal(rhomb_result_report(result)->distance,
                         scoring.gap_open + scoring.gap_extend);
    rhomb_result_destroy(result);
    rhomb_context_destroy(ctx);
    unsetenv("RHOMB_KERNEL_DIR");
    return status;
}

/* The bit-sliced sweep: as it is, then the step, and what items and strips do for each other. */
static void test_wrong_sliced(void **state)
{
    static const char ONE[] = "affine:4,6,2", TWO[] = "affine2p:5,8,2,24,1";
    static const struct {
        fault fault;
        const char *scoring;
    } CASES[] = {
        {{GROUP, NULL, NULL, NULL}, ONE},
        {{ALONE, NULL, NULL, NULL}, ONE},
        {{GROUP, NULL, NULL, NULL}, TWO},
        {{GROUP, "bitsliced_planes.clh", "left[k] &= ~borrow;", ""}, ONE},
        {{ALONE, "bitsliced_planes.clh", "left[k] &= ~borrow;", ""}, ONE},
        {{GROUP, "bitsliced.clh", "(a_ones | b_ones)", "a_ones"}, ONE},
        /* The border of the block before the right one, all 0 before the first. */
        {{GROUP, "bitsliced.clh", "#define LAG (PASSAGE + 1)", "#define LAG PASSAGE"}, ONE},
        {{GROUP, "bitsliced.clh", "second[k] &= ~second[WIDE_PLANES - 1];", ""}, TWO},
        /* What the item wrote before the barrier itself; `handed` has an element more than items.
         */
        {{GROUP, "bitsliced.cl", "above[i] = handed[s & 1][i][lane];",
          "above[i] = handed[s & 1][i][lane + 1];"},
         ONE},
        {{ALONE, "bitsliced_lanes.cl", "RHOMB_UP(handed[i], above[i])", "handed[i]"}, ONE},
    };
    char detail[8192];
    for (size_t i = 0; i < COUNT(CASES); i++) {
        if (!amount_takes((int64_t)i))
            continue;
        const fault *f = &CASES[i].fault;
        const bool broken = f->file != NULL;
        char folder[] = "/tmp/rhomb-test-self-test-XXXXXX";
        if (broken)
            make_folder(folder, f);
        const rhomb_status expected = broken ? RHOMB_ERR_DEVICE_WRONG_RESULT : RHOMB_OK;
        const rhomb_status status = solve_scored(broken ? folder : kernel_folder, CASES[i].scoring,
                                                 f->group_size, detail, sizeof detail);
        if (status != expected)
            fail_msg("%s with \"%s\": %s: %s", broken ? f->file : "the kernels as they are",
                     broken ? f->to : "", rhomb_status_name(status), detail);
        if (broken)
            remove_folder(folder);
    }
}

/* Batches have a self-test of their own, which computes columns that are far wider than a group. */
static void test_wrong_batch(void **state)
{
    static const fault CASES[] = {
        {ALONE, "batch.cl", "column[k] = follow(p, k, column[k]);", "column[k] += 0;"},
        {GROUP, "batch.cl", "const int j = follow(",
         "const int j = high - low > 32 ? max(k, 0) : follow("},
        {ALONE, "batch_sliced_lanes.clh", "grown[l] += growth_of_word(",
         "grown[l] -= growth_of_word("},
        /* The first item's sum for each, before the barrier as all are. */
        {GROUP, "batch_sliced_items.clh", "grown += shared->sums[t.team * t.items + item];",
         "grown += shared->sums[t.team * t.items];"},
    };
    const rhomb_scoring wfa = {0, 4, 6, 2, -1, -1};
    for (size_t i = 0; i < COUNT(CASES); i++) {
        if (!amount_takes((int64_t)i))
            continue;
        const rhomb_pair texts = {"ACGT", 4, "AGT", 3};
        rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
        rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
        char folder[] = "/tmp/rhomb-test-self-test-XXXXXX";
        rhomb_context *ctx = NULL;
        int64_t distance;
        tuning.group_size = CASES[i].group_size;
        options.tuning = &tuning;
        options.scoring = strstr(CASES[i].file, "sliced") != NULL ? &wfa : NULL;
        make_folder(folder, &CASES[i]);
        for (int broken = 0; broken < 2; broken++) {
            assert_int_equal(setenv("RHOMB_KERNEL_DIR", broken ? folder : kernel_folder, 1), 0);
            assert_int_equal(rhomb_context_create(&ctx, NULL), RHOMB_OK);
            assert_int_equal(rhomb_context_open(ctx, getenv("RHOMB_TEST_DEVICE"), 0), RHOMB_OK);
            assert_int_equal(rhomb_batch_distances(ctx, &texts, 1, &options, &distance, NULL),
                             broken ? RHOMB_ERR_DEVICE_WRONG_RESULT : RHOMB_OK);
            rhomb_context_destroy(ctx);
        }
        unsetenv("RHOMB_KERNEL_DIR");
        remove_folder(folder);
    }
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

    char folder[] = "/tmp/rhomb-test-self-test-XXXXXX";
    /* Of the widest symbols only: their fifth plane is one symbol late in its word. */
    static const fault FAULT = {ALONE, "extend.clh", "planes[p] = four.x;",
                                "planes[p] = four.x >> p / 4;"};
    make_folder(folder, &FAULT);
    assert_int_equal(setenv("RHOMB_KERNEL_DIR", folder, 1), 0);
    assert_int_equal(rhomb_context_create(&ctx, NULL), RHOMB_OK);
    assert_int_equal(rhomb_context_self_test(ctx), RHOMB_ERR_DEVICE_WRONG_RESULT);
    rhomb_context_destroy(ctx);
    unsetenv("RHOMB_KERNEL_DIR");
    remove_folder(folder);
}

/* Aligns a small pair in a mode, in groups of some items or in vectors. */
static rhomb_status align_mode(const char *folder, rhomb_mode mode, int32_t group_size,
                               char *detail, size_t size)
{
    rhomb_context *ctx = NULL;
    rhomb_alignment *alignment = NULL;
    const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1};
    rhomb_mode_options how = RHOMB_MODE_OPTIONS_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    how.mode = mode;
    tuning.local_group_size = group_size;
    tuning.local_item_rows = 2;
    options.tuning = &tuning;
    options.scoring = &scoring;
    assert_int_equal(setenv("RHOMB_KERNEL_DIR", folder, 1), 0);
    assert_int_equal(rhomb_context_create(&ctx, NULL), RHOMB_OK);
    assert_int_equal(rhomb_context_open(ctx, getenv("RHOMB_TEST_DEVICE"), 0), RHOMB_OK);
    const rhomb_status status =
        rhomb_align_mode(ctx, "ACGTACGT", 8, "ACGTAGT", 7, &how, &options, &alignment);
    snprintf(detail, size, "%s", rhomb_context_error(ctx));
    rhomb_alignment_destroy(alignment);
    rhomb_context_destroy(ctx);
    unsetenv("RHOMB_KERNEL_DIR");
    return status;
}

/* The sweep of one long pair: as it is, then the step, borders, edges and what strips hand on. */
static void test_wrong_long(void **state)
{
    enum { FREE = RHOMB_MODE_ENDS_FREE, EXTEND = RHOMB_MODE_EXTEND, LOCAL = RHOMB_MODE_LOCAL };
    static const struct {
        fault fault;
        int mode;
    } CASES[] = {
        {{GROUP, NULL, NULL, NULL}, FREE},
        {{ALONE, NULL, NULL, NULL}, FREE},
        {{GROUP, NULL, NULL, NULL}, EXTEND},
        {{ALONE, NULL, NULL, NULL}, LOCAL},
        {{ALONE, "local.clh", "LOCAL_MAX(LOCAL_PLUS(above->f, c->open), without_f)", "without_f"},
         LOCAL},
        /* A column's F for its H: each border has both. */
        {{ALONE, "long_local_lanes.clh", "LOCAL_UP(below->h, reads ? from[0] : top)",
          "LOCAL_UP(below->h, reads ? from[1] : top)"},
         EXTEND},
        /* What the first item handed on in the step before, instead of the one above. */
        {{GROUP, "long_local_items.clh", "shared->handed[(step + 1) & 1][at->lane - 1]",
          "shared->handed[(step + 1) & 1][0]"},
         LOCAL},
        {{GROUP, "long_local_items.clh", "border[block] = shared->lines[step];",
          "border[block] = (long_block){{0}, {0}};"},
         EXTEND},
        {{GROUP, "long_local_items.clh", "row >= job->first_row", "row > job->last_row"}, FREE},
        {{ALONE, "long_local.cl", "row - job->free_rows", "row"}, FREE},
    };
    char detail[8192];
    for (size_t i = 0; i < COUNT(CASES); i++) {
        if (!amount_takes((int64_t)i))
            continue;
        const fault *f = &CASES[i].fault;
        const bool broken = f->file != NULL;
        char folder[] = "/tmp/rhomb-test-self-test-XXXXXX";
        if (broken)
            make_folder(folder, f);
        const rhomb_status expected = broken ? RHOMB_ERR_DEVICE_WRONG_RESULT : RHOMB_OK;
        const rhomb_status status =
            align_mode(broken ? folder : kernel_folder, (rhomb_mode)CASES[i].mode, f->group_size,
                       detail, sizeof detail);
        if (broken)
            remove_folder(folder);
        if (status != expected)
            fail_msg("case %d: %s: %s", (int)i, rhomb_status_name(status), detail);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_distance),      cmocka_unit_test(test_known_costs),
        cmocka_unit_test(test_wrong_sliced),        cmocka_unit_test(test_wrong_long),
        cmocka_unit_test(test_right_device),        cmocka_unit_test(test_wrong_device),
        cmocka_unit_test(test_wrong_device_detail), cmocka_unit_test(test_syntax_error),
        cmocka_unit_test(test_wrong_batch),         cmocka_unit_test(test_public_call),
    };
    if (argc < 2)
        return 2;
    kernel_folder = argv[1];
    quick_builds = true;
    return device_exists() ? cmocka_run_group_tests_name("self-test", tests, NULL, NULL) : 77;
}
