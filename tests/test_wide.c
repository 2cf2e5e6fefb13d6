/* SPDX-License-Identifier: MIT */
/*
 * The second tile of a wavefront, on the device that "auto" takes: narrower and wider ones, with
 * fewer and more scores, from the first launch on, in the middle of a run, and just where the
 * directions meet; with limits about the distance. And when its program is built.
 *
 * Exits with 77 where there is no device.
 */
#include "support/amount.h"
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/edlib_distance.h"

/* group, items and scores of both tiles; launches a read. */
typedef struct schedule {
    int32_t first[3];
    int32_t second[3];
    int32_t launches;
    int32_t offset_bits;
} schedule;

/* Tiles of support/variant.c, whose programs other tests have as well. */
static const schedule SCHEDULES[] = {
    {{1, 64, 1}, {1, 512, 32}, 100, 32}, {{1, 65, 32}, {1, 64, 1}, 3, 32},
    {{8, 5, 8}, {64, 4, 32}, 100, 32},   {{64, 4, 32}, {2, 2, 1}, 1, 32},
    {{2, 8, 3}, {256, 4, 64}, 10, 64},   {{8, 5, 8}, {1, 65, 32}, 2, 32},
};

static session the_session;

static void complain(const rhomb_tuning *t, int64_t limit, const pair *p, int64_t index,
                     const char *what, int64_t got, int64_t expected)
{
    FILE *files[] = {fopen("failed-wide-target.fa", "w"), fopen("failed-wide-query.fa", "w")};
    const letters *both[] = {&p->a, &p->b};
    for (int i = 0; i < 2; i++) {
        if (files[i] == NULL)
            continue;
        fprintf(files[i], ">s\n%.*s\n", (int)both[i]->length, both[i]->at);
        fclose(files[i]);
    }
    fail_msg("pair %" PRId64 ": %s is %" PRId64 ", not %" PRId64
             "\n    rhomb distance --engine wavefront --max-distance %" PRId64
             " --tune group=%d,items=%d,scores=%d,launches=%d,directions=%d,wide=%" PRId64
             ":%d:%d:%d failed-wide-target.fa failed-wide-query.fa",
             index, what, got, expected, limit, (int)t->group_size, (int)t->diagonals_per_item,
             (int)t->tile_scores, (int)t->launches_per_read, (int)t->directions, t->wide_diagonals,
             (int)t->wide_group_size, (int)t->wide_diagonals_per_item, (int)t->wide_tile_scores);
}

static void ask(const rhomb_tuning *tuning, const pair *p, int64_t distance, int64_t limit,
                int64_t index)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *result = NULL;
    options.engine = RHOMB_ENGINE_WAVEFRONT;
    options.tuning = tuning;
    options.max_distance = limit;
    const rhomb_status status = rhomb_distance(the_session.ctx, p->a.at, p->a.length, p->b.at,
                                               p->b.length, &options, &result);
    if (status != RHOMB_OK)
        complain(tuning, limit, p, index, rhomb_context_error(the_session.ctx), status, RHOMB_OK);
    const int64_t got = rhomb_result_report(result)->distance;
    rhomb_result_destroy(result);
    if (got != (distance <= limit ? distance : -1))
        complain(tuning, limit, p, index, "the distance", got, distance <= limit ? distance : -1);
}

static void make(int64_t index, pair *p)
{
    static const pair_model MODELS[] = {PAIR_UNIFORM, PAIR_LONG_INDEL, PAIR_UNRELATED, PAIR_PART,
                                        PAIR_TANDEM};
    rng r = rng_for("wide", index);
    const pair_recipe recipe = {.model = MODELS[index % (int64_t)COUNT(MODELS)],
                                .length = 200 + 700 * (index % 4),
                                .error_rate = 0.02 + 0.05 * (double)(index % 3),
                                .longest_indel = 150,
                                .alphabet = "ACGT"};
    pair_make(&recipe, &r, p);
}

static void test_switch(void **state)
{
    for (int64_t index = 0; index < 40; index++) {
        if (!amount_takes(index))
            continue;
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        make(index, &p);
        const schedule *s = &SCHEDULES[index % (int64_t)COUNT(SCHEDULES)];
        const int64_t d = oracle_distance(p.a.at, p.a.length, p.b.at, p.b.length, true);
        const int32_t directions = 1 + (int32_t)(index / 2 % 2);
        /* Also where the pyramid is when the directions meet, or one of them ends. */
        const int64_t wide[] = {1, 60, 2 * d, d > 0 ? 2 * d - 1 : 1, d + 1, d / 2 + 1};
        for (size_t w = 0; w < COUNT(wide); w++) {
            rhomb_tuning tuning = RHOMB_TUNING_INIT;
            tuning.group_size = s->first[0];
            tuning.diagonals_per_item = s->first[1];
            tuning.tile_scores = s->first[2];
            tuning.wide_group_size = s->second[0];
            tuning.wide_diagonals_per_item = s->second[1];
            tuning.wide_tile_scores = s->second[2];
            tuning.wide_diagonals = wide[w] > 0 ? wide[w] : 1;
            tuning.launches_per_read = s->launches;
            tuning.offset_bits = s->offset_bits;
            tuning.directions = directions;
            tuning.no_pruning = w == 1;
            ask(&tuning, &p, d, INT64_MAX, index);
            ask(&tuning, &p, d, d, index);
            if (d > 0)
                ask(&tuning, &p, d, d - 1, index);
        }
        pair_release(&p);
    }
}

/* What the log says of the programs of a run. */
typedef struct programs {
    int built;
    int built_at_first_check; /* of them, before the first was checked; -1: none was */
    bool widened;
} programs;

/* A rhomb_log_fn. */
static void note_program(int level, const char *text, void *user)
{
    programs *p = user;
    p->built += strstr(text, "wavefront.cl: compiled") != NULL;
    if (p->built_at_first_check < 0 && strstr(text, "self-test passed") != NULL)
        p->built_at_first_check = p->built;
    p->widened = p->widened || strstr(text, "wavefront: from score") != NULL;
}

static programs programs_of(const pair *p, int64_t wide_diagonals, int64_t limit)
{
    programs noted = {0, -1, false};
    rhomb_context_options options = RHOMB_CONTEXT_OPTIONS_INIT;
    rhomb_options asked = RHOMB_OPTIONS_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_context *ctx = NULL;
    rhomb_result *result = NULL;
    options.cache_dir = "off";
    options.log = note_program;
    options.log_user = &noted;
    tuning.group_size = tuning.wide_group_size = 1;
    tuning.diagonals_per_item = 64;
    tuning.tile_scores = 1;
    tuning.wide_diagonals_per_item = 512;
    tuning.wide_tile_scores = 32;
    tuning.wide_diagonals = wide_diagonals;
    asked.engine = RHOMB_ENGINE_WAVEFRONT;
    asked.tuning = &tuning;
    asked.max_distance = limit;
    assert_int_equal(rhomb_context_create(&ctx, &options), RHOMB_OK);
    assert_int_equal(
        rhomb_distance(ctx, p->a.at, p->a.length, p->b.at, p->b.length, &asked, &result), RHOMB_OK);
    rhomb_result_destroy(result);
    rhomb_context_destroy(ctx);
    return noted;
}

/* The second tile's program is built where it takes over. */
static void test_programs(void **state)
{
    enum { LENGTH = 900, WIDE = 300 };
    rng r = rng_for("wide programs", 0);
    const pair_recipe recipe = {.model = PAIR_UNRELATED, .length = LENGTH, .alphabet = "ACGT"};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    pair_make(&recipe, &r, &p);
    const programs both = programs_of(&p, WIDE, RHOMB_NO_LIMIT);
    assert_true(both.widened);
    assert_int_equal(both.built_at_first_check, 1);
    assert_int_equal(both.built, 2);
    const programs small = programs_of(&p, 4 * LENGTH, RHOMB_NO_LIMIT);
    assert_true(!small.widened && small.built == 1);
    const programs limited = programs_of(&p, WIDE, WIDE / 3);
    assert_true(!limited.widened && limited.built == 1);
    pair_release(&p);
}

/* All of the second tile, or nothing. */
static void test_half(void **state)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_result *result = NULL;
    options.tuning = &tuning;
    tuning.wide_diagonals = 100;
    assert_int_equal(rhomb_distance(the_session.ctx, "ACGT", 4, "AGT", 3, &options, &result),
                     RHOMB_ERR_ARGUMENT);
    tuning.wide_group_size = 1;
    tuning.wide_diagonals_per_item = 64;
    assert_int_equal(rhomb_distance(the_session.ctx, "ACGT", 4, "AGT", 3, &options, &result),
                     RHOMB_ERR_ARGUMENT);
}

SESSION_MAIN(the_session, test_switch, test_programs, test_half)
