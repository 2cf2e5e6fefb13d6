/* SPDX-License-Identifier: MIT */
/*
 * Splitting problems on a device (host/split.c, cl/split.cl): each point has to be the one that a
 * plain wavefront finds, whatever the planes, offsets, portions and groups; distances that are
 * wrong, and problems that cannot be, are refused.
 *
 *     test_split [groups]     groups: those of a GPU as well, which PoCL takes long to compile
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/context.h"
#include "host/engine.h"
#include "host/known_pair.h"
#include "host/split_kind.h"
#include "split_model.h"
#include "support/oracle.h"

/* A pair on the device, and what splits it. */
typedef struct rig {
    rhomb_context *ctx;
    rhomb__buffer target;
    rhomb__buffer query;
    rhomb__split_source source;
    rhomb__splitter *splitter;
} rig;

static bool large_groups;

static void expect_ok(rhomb_context *ctx, rhomb_status status)
{
    if (status != RHOMB_OK)
        fail_msg("%s: %s", rhomb_status_name(status), rhomb__error_text(&ctx->error));
}

/* Each letter its own code. */
static rhomb__codes codes_of(const char *alphabet)
{
    rhomb__codes codes = {{0}, (int32_t)strlen(alphabet)};
    for (int i = 0; alphabet[i] != '\0'; i++)
        codes.code[(unsigned char)alphabet[i]] = (uint8_t)i;
    return codes;
}

static void rig_open(rig *g, const split_list *list, const char *alphabet, int32_t planes,
                     int32_t offset_bits, rhomb__split_tuning tuning)
{
    const rhomb__codes codes = codes_of(alphabet);
    const rhomb__letters target = {list->target.at, list->target.length, &codes, "the target"};
    const rhomb__letters query = {list->query.at, list->query.length, &codes, "the query"};
    const rhomb_plan plan = {.target_length = target.length,
                             .query_length = query.length,
                             .planes = planes,
                             .directions = 2};
    rhomb__program *pack = NULL;
    memset(g, 0, sizeof *g);
    assert_int_equal(rhomb_context_create(&g->ctx, NULL), RHOMB_OK);
    expect_ok(g->ctx, rhomb_context_open(g->ctx, getenv("RHOMB_TEST_DEVICE"), 0));
    expect_ok(g->ctx, rhomb__pack_program(g->ctx, &pack));
    expect_ok(g->ctx, rhomb__engine_pack(g->ctx, &rhomb__engine_wavefront, pack, &plan, &target,
                                         &query, &g->target, &g->query));
    g->source.target = &g->target;
    g->source.query = &g->query;
    g->source.target_length = target.length;
    g->source.query_length = query.length;
    g->source.planes = planes;
    g->source.offset_bits = offset_bits;
    g->source.tuning = tuning;
    expect_ok(g->ctx, rhomb__splitter_open(g->ctx, &g->source, &g->splitter));
}

static void rig_close(rig *g)
{
    rhomb__splitter_close(g->splitter);
    rhomb__buffer_release(g->ctx, &g->target);
    rhomb__buffer_release(g->ctx, &g->query);
    assert_int_equal(g->ctx->device->bytes_in_use, 0);
    rhomb_context_destroy(g->ctx);
}

static void check_points(const split_list *list, const rhomb_split_point *points)
{
    for (int64_t i = 0; i < list->count; i++) {
        const rhomb_split_pair *p = &list->pairs[i];
        if (memcmp(&points[i], &list->expected[i], sizeof points[i]) != 0)
            fail_msg("problem %lld, %lld by %lld letters, distance %lld: (%lld, %lld) with status "
                     "%d, not (%lld, %lld)",
                     (long long)i, (long long)p->target_length, (long long)p->query_length,
                     (long long)p->distance, (long long)points[i].target,
                     (long long)points[i].query, (int)points[i].status,
                     (long long)list->expected[i].target, (long long)list->expected[i].query);
    }
}

static void check_list(const split_list *list, const char *alphabet, int32_t planes,
                       int32_t offset_bits, rhomb__split_tuning tuning)
{
    rig g;
    rhomb_split_point *points = calloc((size_t)list->count, sizeof *points);
    assert_non_null(points);
    rig_open(&g, list, alphabet, planes, offset_bits, tuning);
    expect_ok(g.ctx, rhomb__split_solve(g.splitter, list->pairs, list->count, points));
    check_points(list, points);
    const rhomb__split_work work = rhomb__splitter_work(g.splitter);
    assert_int_equal(work.problems, list->count);
    if (tuning.portion_bytes > 0 || tuning.portion_cells > 0)
        assert_true(work.portions > 1);
    rig_close(&g);
    free(points);
}

static const char ACGT[] = "ACGT", IUPAC[] = "ACGTUNRYSWKMBDHV";

/* Problems of all sorts, in both widths of offsets and with all kinds of letters. */
static void test_points(void **state)
{
    static const struct {
        const char *alphabet;
        int32_t planes, offset_bits;
    } CASES[] = {{ACGT, 2, 32}, {ACGT, 2, 64}, {IUPAC, 4, 32}, {IUPAC, 8, 32}};
    (void)state;
    for (size_t c = 0; c < sizeof CASES / sizeof CASES[0]; c++) {
        split_list list = {.count = 0};
        rng r = rng_for("split", (int64_t)c);
        split_list_add_odd(&list, &r);
        split_list_add_random(&list, CASES[c].alphabet, 40, 300, RHOMB_SPLIT_LIMIT, &r);
        split_list_add_random(&list, CASES[c].alphabet, 2000, 60, RHOMB_SPLIT_LIMIT, &r);
        check_list(&list, CASES[c].alphabet, CASES[c].planes, CASES[c].offset_bits,
                   (rhomb__split_tuning){0});
        split_list_release(&list);
    }
}

/* Portions of any size give the same points. */
static void test_portions(void **state)
{
    split_list list = {.count = 0};
    rng r = rng_for("split portions", 0);
    (void)state;
    split_list_add_random(&list, ACGT, 500, 100, RHOMB_SPLIT_LIMIT, &r);
    check_list(&list, ACGT, 2, 32, (rhomb__split_tuning){.portion_bytes = 1});
    check_list(&list, ACGT, 2, 32, (rhomb__split_tuning){.portion_bytes = 20000});
    check_list(&list, ACGT, 2, 32, (rhomb__split_tuning){.portion_cells = 10000});
    split_list_release(&list);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_portions),
    };
    large_groups = argc > 1 && strcmp(argv[1], "groups") == 0;
    (void)large_groups;
    return cmocka_run_group_tests_name("split", tests, NULL, NULL);
}
