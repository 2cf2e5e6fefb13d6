/* SPDX-License-Identifier: MIT */
/*
 * The two directions of a wavefront on two devices: what a call comes to is that of one device, and
 * so is the work that it reports; both devices have a part of it, and little crosses. Another
 * device takes part where the planner expects it to pay, and not for a short pair. Two PoCL devices
 * of unequal speeds, unless the environment says otherwise; skipped (77) where there is only one.
 * With RHOMB_TEST_RANKS the devices are other ranks' (support/thread_ranks.h), in turns.
 */
#include "rhomb/align.h"
#include "rhomb/plan.h"
#include "rhomb/scoring.h"
#include "rhomb/tuning.h"
#include "support/amount.h"
#include "support/pair.h"
#include "support/run.h"
#include "support/test.h"
#include "support/thread_ranks.h"

#include <unistd.h>

static rhomb_context *one, *all;

/* How a pair is solved. */
typedef struct way {
    const char *name;
    const char *score;
    rhomb_engine engine;
    rhomb_tuning tuning;
    int64_t limit;
} way;

#define TUNING .struct_size = sizeof(rhomb_tuning), .chunk_strips = 1
#define SMALL  .group_size = 1, .diagonals_per_item = 64, .tile_scores = 16
#define WAVES  RHOMB_ENGINE_WAVEFRONT

static const way WAYS[] = {
    {"as planned", "edit", WAVES, {TUNING}, RHOMB_NO_LIMIT},
    {"one launch at a time", "edit", WAVES, {TUNING, SMALL, .launches_per_read = 1}, -1},
    {"three launches", "edit", WAVES, {TUNING, SMALL, .launches_per_read = 3}, -1},
    {"a limit", "edit", WAVES, {TUNING, SMALL, .launches_per_read = 5}, 400},
    {"no pruning", "edit", WAVES, {TUNING, SMALL, .no_pruning = true}, -1},
    {"64 bits", "edit", WAVES, {TUNING, SMALL, .offset_bits = 64, .launches_per_read = 4}, -1},
    {"beams", "edit", WAVES, {TUNING, SMALL, .beam_diagonals = 300, .launches_per_read = 4}, -1},
    {"groups that widen",
     "edit",
     WAVES,
     {TUNING, .group_size = 16, .diagonals_per_item = 4, .tile_scores = 16, .wide_group_size = 64,
      .wide_diagonals_per_item = 4, .wide_tile_scores = 32, .wide_diagonals = 500,
      .launches_per_read = 4},
     -1},
    {"both engines", "edit", RHOMB_ENGINE_AUTO, {TUNING, .launches_per_read = 2}, -1},
    {"one direction", "edit", WAVES, {TUNING, SMALL, .directions = 1}, -1},
    {"affine", "affine:4,6,2", WAVES, {TUNING, .tile_scores = 16, .launches_per_read = 2}, -1},
    {"affine, a limit", "affine:4,6,2", WAVES, {TUNING, .tile_scores = 16}, 2000},
};

static rhomb_options options_of(const way *w, rhomb_scoring *scoring)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    assert_int_equal(rhomb_scoring_parse(one, w->score, scoring), RHOMB_OK);
    options.scoring = scoring;
    options.engine = w->engine;
    options.tuning = &w->tuning;
    options.max_distance = w->limit;
    return options;
}

/* All of a report that does not depend on the devices; a sweep's strips may end together. */
static void print_work(const rhomb_report *r, char *text, size_t size)
{
    const bool is_sweep = r->plan->step != NULL;
    if (is_sweep)
        snprintf(text, size, "distance %lld by a sweep", (long long)r->distance);
    else
        snprintf(
            text, size,
            "distance %lld, %lld cells, %lld batches, %lld diagonals, %lld bytes, beam %lld in "
            "%lld cells, saved %lld, %lld, %lld",
            (long long)r->distance, (long long)r->cells, (long long)r->batches,
            (long long)r->diagonals_in_use, (long long)r->column_bytes, (long long)r->beam_bound,
            (long long)r->beam_cells, (long long)r->cells_saved_limit,
            (long long)r->cells_saved_beam, (long long)r->cells_saved_diagonal);
}

static rhomb_result *solve(rhomb_context *ctx, const pair *p, const way *w)
{
    rhomb_result *result = NULL;
    rhomb_scoring scoring;
    const rhomb_options options = options_of(w, &scoring);
    if (rhomb_distance(ctx, p->a.at, p->a.length, p->b.at, p->b.length, &options, &result) !=
        RHOMB_OK)
        fail_msg("%s: %s", w->name, rhomb_context_error(ctx));
    return result;
}

/* The second device gets a wavefront and gives one back, of what one buffer has of a direction. */
static void check_shares(const way *w, const rhomb_report *r)
{
    if (r->share_count == 0 || r->plan->step != NULL)
        return;
    const rhomb_device_share *a = r->shares[0], *b = r->shares[1];
    if (r->share_count != rhomb_context_device_count(all) || a->cells + b->cells != r->cells ||
        a->cells < b->cells)
        fail_msg("%s: of %lld cells %lld and %lld", w->name, (long long)r->cells,
                 (long long)a->cells, (long long)b->cells);
    if (a->bytes_sent + b->bytes_sent > r->column_bytes ||
        (b->bytes_sent == 0 && r->distance >= 0)) /* else they need not come together */
        fail_msg("%s: %lld and %lld bytes are sent, both wavefronts have %lld", w->name,
                 (long long)a->bytes_sent, (long long)b->bytes_sent, (long long)r->column_bytes);
    for (int i = 0; i < 2; i++) {
        const rhomb_device_share *share = r->shares[i];
        assert_true(share->seconds_idle >= 0 && share->seconds_idle <= share->seconds_waited);
        /* None was busy for longer than the run. */
        assert_true(share->cells_per_second * r->seconds_total >= (double)share->cells);
    }
}

/* Whether both devices had cells. */
static bool compare(const pair *p, const way *w, int64_t number)
{
    char expected[400], got[400];
    rhomb_result *alone = solve(one, p, w), *both = solve(all, p, w);
    const rhomb_report *r = rhomb_result_report(both);
    print_work(rhomb_result_report(alone), expected, sizeof expected);
    print_work(r, got, sizeof got);
    if (strcmp(expected, got) != 0)
        fail_msg("RHOMB_TEST_SEED=%llu, %s, case %lld:\none device:  %s\ntwo devices: %s",
                 (unsigned long long)rng_seed(), w->name, (long long)number, expected, got);
    assert_int_equal(rhomb_result_report(alone)->share_count, 0);
    check_shares(w, r);
    const bool shared = r->share_count > 0;
    rhomb_result_destroy(alone);
    rhomb_result_destroy(both);
    return shared;
}

static void compare_paths(const pair *p, const way *w)
{
    rhomb_alignment *found[2] = {NULL, NULL};
    const rhomb_path_op *paths[2];
    int64_t counts[2];
    rhomb_scoring scoring;
    const rhomb_options options = options_of(w, &scoring);
    for (int i = 0; i < 2; i++) {
        rhomb_context *ctx = i == 0 ? one : all;
        if (rhomb_align(ctx, p->a.at, p->a.length, p->b.at, p->b.length, &options, &found[i]) !=
            RHOMB_OK)
            fail_msg("%s: %s", w->name, rhomb_context_error(ctx));
        paths[i] = rhomb_alignment_path(found[i], &counts[i]);
    }
    if (counts[0] != counts[1] ||
        (counts[0] > 0 && memcmp(paths[0], paths[1], (size_t)counts[0] * sizeof *paths[0]) != 0))
        fail_msg("%s: two devices give another path than one", w->name);
    rhomb_alignment_destroy(found[0]);
    rhomb_alignment_destroy(found[1]);
}

static const pair_model MODELS[] = {PAIR_UNIFORM, PAIR_LONG_INDEL, PAIR_LONG_INDELS, PAIR_TANDEM,
                                    PAIR_GAPS,    PAIR_UNRELATED,  PAIR_PART};

static void test_same(void **state)
{
    for (size_t k = 0; k < COUNT(WAYS); k++) {
        const way *w = &WAYS[k];
        int64_t shared = 0;
        for (int64_t i = 0; i < 3 * (int64_t)COUNT(MODELS); i++) {
            const bool is_last = i + 1 == 3 * (int64_t)COUNT(MODELS); /* a long one */
            if (!is_last && !amount_takes((int64_t)k * 3 * (int64_t)COUNT(MODELS) + i))
                continue;
            rng r = rng_for(w->name, i);
            pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
            const int64_t length =
                i < (int64_t)COUNT(MODELS) ? rng_between(&r, 1, 300) : rng_between(&r, 2000, 9000);
            const pair_recipe recipe = {.model = MODELS[i % (int64_t)COUNT(MODELS)],
                                        .length = length,
                                        .error_rate = 0.02 * (double)rng_below(&r, 6),
                                        .longest_indel = 1 + length / 8,
                                        .alphabet = "ACGT"};
            pair_make(&recipe, &r, &p);
            shared += compare(&p, w, i);
            if (i % 3 == 2 && w->tuning.directions != 1)
                compare_paths(&p, w);
            pair_release(&p);
        }
        if ((shared > 0) != (w->tuning.directions != 1))
            fail_msg("%s: %lld pairs were shared", w->name, (long long)shared);
    }
}

static const char *data_folder;

/* Real pairs, where there are some (RHOMB_DATA). */
static void test_real(void **state)
{
    static const char *const PAIRS[][2] = {{"mt_human", "mt_orang"},
                                           {"mt_human", "mt_chimp"},
                                           {"c4_chm13", "c4_hg002"},
                                           {"caulobacter_CB15", "caulobacter_NA1000"}};
    static const way REAL[] = {
        {"real", "edit", WAVES, {TUNING, .launches_per_read = 10}, RHOMB_NO_LIMIT},
        {"real, affine", "affine:4,6,2", WAVES, {TUNING, .launches_per_read = 10}, -1}};
    int shared = 0;
    if (data_folder == NULL)
        skip();
    for (size_t i = 0; i < COUNT(PAIRS); i++) {
        pair p = {real_letters(one, data_folder, PAIRS[i][0]),
                  real_letters(one, data_folder, PAIRS[i][1])};
        for (size_t k = 0; k < COUNT(REAL); k++) {
            shared += compare(&p, &REAL[k], (int64_t)i);
            compare_paths(&p, &REAL[k]);
        }
        pair_release(&p);
    }
    assert_int_equal(shared, 6); /* all but the 23 edits, which end in the first batch */
}

/* Opens the devices of a selector in `all`, or gives ranks one of them each. */
static rhomb_status open_all(const char *selector)
{
    const char *ranks = getenv("RHOMB_TEST_RANKS");
    if (ranks == NULL)
        return rhomb_context_open(all, selector, 0);
    rhomb_context_destroy(all);
    ranks_wait();
    assert_int_equal(rhomb_context_create(&all, NULL), RHOMB_OK);
    return ranks_join(all, atoi(ranks), selector);
}

static int32_t units(int32_t device)
{
    return rhomb_context_device_at(all, device)->compute_units;
}

/* Opens both devices, the one with fewer compute units first, or the other one. */
static void open_in_order(bool slower_first)
{
    char order[40];
    const int32_t a = rhomb_context_device_at(all, 0)->index;
    const int32_t b = rhomb_context_device_at(all, 1)->index;
    const bool keep = (units(0) <= units(1)) == slower_first;
    snprintf(order, sizeof order, "%d,%d", (int)(keep ? a : b), (int)(keep ? b : a));
    assert_int_equal(open_all(order), RHOMB_OK);
}

/*
 * Without the tuning that has everything shared, by rates at which the pair takes some seconds, or
 * a moment, or as long on two devices as on one, since all scores take the same time. A second
 * device of half the speed would take as long for its direction as the first one for both.
 */
static void test_choice(void **state)
{
    rhomb_rates rates = {.struct_size = sizeof rates,
                         .cells_per_second = 1e6,
                         .column_seconds = 1e-9,
                         .bases_per_second = 1e9};
    way w = {"by the planner",
             "edit",
             WAVES,
             {.struct_size = sizeof(rhomb_tuning), SMALL, .launches_per_read = 4},
             RHOMB_NO_LIMIT};
    rng r = rng_for("choice", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    const pair_recipe recipe = {PAIR_UNIFORM, 80000, 0.06, 0, 0, "ACGT", false};
    pair_make(&recipe, &r, &p);
    w.tuning.rates = &rates;
    if (2 * units(0) <= units(1) || 2 * units(1) <= units(0)) {
        open_in_order(false);
        assert_true(!compare(&p, &w, 0));
    }
    open_in_order(true);
    assert_true(compare(&p, &w, 0));
    rates.cells_per_second = 1e10;
    assert_true(!compare(&p, &w, 1));
    rates.column_seconds = 1e-2;
    assert_true(!compare(&p, &w, 2));
    rates = (rhomb_rates){sizeof rates, 1e6, 1e-9, 0, 0, 1e5}; /* sent more slowly than solved */
    assert_true(!compare(&p, &w, 3));
    pair_release(&p);
}

int main(int argc, char **argv)
{
    data_folder = real_folder(argc > 1 ? argv[1] : NULL);
    setenv("POCL_DEVICES", "basic pthread", 0);
    if (rhomb_context_create(&one, NULL) != RHOMB_OK ||
        rhomb_context_create(&all, NULL) != RHOMB_OK)
        return 1;
    if (open_all("all") != RHOMB_OK || rhomb_context_device_count(all) < 2) {
        printf("skipped: there are not two devices\n");
        return 77;
    }
    if (rhomb_context_open(one, NULL, 0) != RHOMB_OK)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_real),
                                       cmocka_unit_test(test_choice)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rhomb_context_destroy(one);
    rhomb_context_destroy(all);
    ranks_wait();
    return failed;
}
