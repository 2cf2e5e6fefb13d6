/* SPDX-License-Identifier: MIT */
/*
 * See split_rig.h.
 */
#include "split_rig.h"

#include "host/device/context.h"
#include "host/engines/engine.h"
#include "src/base/int64.h"
#include "support/test.h"

void split_expect_ok(rhomb_context *ctx, rhomb_status status)
{
    if (status != RHOMB_OK)
        fail_msg("%s: %s", rhomb_status_name(status), rhomb__error_text(&ctx->stream.error));
}

/* Each symbol its own code. */
static rhomb__codes codes_of(const char *alphabet)
{
    rhomb__codes codes = {{0}, (int32_t)strlen(alphabet)};
    for (int i = 0; alphabet[i] != '\0'; i++)
        codes.code[(unsigned char)alphabet[i]] = (uint8_t)i;
    return codes;
}

void split_rig_open(split_rig *g, const split_list *list, const split_shape *shape)
{
    const rhomb__codes codes = codes_of(shape->alphabet != NULL ? shape->alphabet : "ACGT");
    const int32_t planes = shape->planes > 0 ? shape->planes : 2;
    const rhomb__bases target = {list->target.at, list->target.length, &codes, "the target"};
    const rhomb__bases query = {list->query.at, list->query.length, &codes, "the query"};
    const rhomb__pair_packing packing =
        rhomb__pair_packing_windows(target.length, query.length, planes, 2);
    rhomb__program *pack = NULL;
    memset(g, 0, sizeof *g);
    assert_int_equal(rhomb_context_create(&g->ctx, NULL), RHOMB_OK);
    split_expect_ok(g->ctx, rhomb_context_open(g->ctx, getenv("RHOMB_TEST_DEVICE"), 0));
    split_expect_ok(g->ctx, rhomb__pack_program(g->ctx, &pack));
    split_expect_ok(g->ctx, rhomb__pack_pair(&g->ctx->stream, pack, &packing, &target, &query,
                                             &g->target, &g->query));
    g->source.target = &g->target;
    g->source.query = &g->query;
    g->source.target_length = target.length;
    g->source.query_length = query.length;
    g->source.planes = planes;
    g->source.offset_bits = shape->offset_bits > 0 ? shape->offset_bits : 32;
    g->source.tuning = shape->tuning;
}

void split_rig_way(split_rig *g, const rhomb__split_way *way)
{
    rhomb__splitter_close(g->splitter);
    split_expect_ok(g->ctx, rhomb__splitter_open(g->ctx, way, &g->source, &g->splitter));
}

void split_rig_close(split_rig *g)
{
    rhomb__splitter_close(g->splitter);
    rhomb__buffer_release(&g->ctx->stream, &g->target);
    rhomb__buffer_release(&g->ctx->stream, &g->query);
    assert_int_equal(g->ctx->stream.bytes_in_use, 0);
    rhomb_context_destroy(g->ctx);
}

static oracle_breakpoint plain_of(const rhomb__breakpoint *b)
{
    return (oracle_breakpoint){b->target, b->query, b->cost, b->gap};
}

static bool equal(const oracle_breakpoint *x, const oracle_breakpoint *y)
{
    return x->target == y->target && x->query == y->query && x->cost == y->cost && x->gap == y->gap;
}

/* The costs before and after a breakpoint make up the whole. */
static void check_best(const split_list *list, int64_t index, const oracle_breakpoint *b)
{
    const rhomb_subproblem *whole = &list->at[index];
    rhomb_subproblem first = *whole, second = *whole;
    char why[160];
    first.pair.target_length = b->target;
    first.pair.query_length = b->query;
    first.end_gap = second.begin_gap = b->gap;
    second.pair.target_at += b->target;
    second.pair.target_length -= b->target;
    second.pair.query_at += b->query;
    second.pair.query_length -= b->query;
    const bool inside = b->target >= 0 && b->query >= 0 && second.pair.target_length >= 0 &&
                        second.pair.query_length >= 0 && b->target + b->query > 0 &&
                        second.pair.target_length + second.pair.query_length > 0;
    const int64_t before = inside ? split_list_cost(list, &first) : -1;
    const int64_t behind = inside ? split_list_cost(list, &second) : -1;
    snprintf(why, sizeof why,
             "(%lld, %lld) within gap %d after %lld, where %lld come before and %lld after",
             (long long)b->target, (long long)b->query, (int)b->gap, (long long)b->cost,
             (long long)before, (long long)behind);
    if (!inside || before != b->cost ||
        before + rhomb__costs_of_opening(&list->costs, b->gap) + behind != whole->pair.distance)
        split_list_fail(list, index, why);
}

static void expect(const split_solver *s, split_list *list, const rhomb__breakpoint *found)
{
    list->expected = calloc((size_t)list->count + 1, sizeof *list->expected);
    assert_non_null(list->expected);
    for (int64_t i = 0; i < list->count; i++) {
        list->expected[i] = s->rule != NULL ? s->rule(list, i) : plain_of(&found[i]);
        if (!rhomb__costs_are_edit(&list->costs))
            check_best(list, i, &list->expected[i]);
    }
}

void split_check_first(const split_solver *s, split_list *list, const rhomb__breakpoint *found,
                       int64_t count)
{
    if (list->expected == NULL)
        expect(s, list, found);
    for (int64_t i = 0; i < count; i++) {
        const oracle_breakpoint *right = &list->expected[i], got = plain_of(&found[i]);
        char why[160];
        snprintf(why, sizeof why,
                 "(%lld, %lld) after %lld, gap %d, not (%lld, %lld) after %lld, gap %d",
                 (long long)got.target, (long long)got.query, (long long)got.cost, (int)got.gap,
                 (long long)right->target, (long long)right->query, (long long)right->cost,
                 (int)right->gap);
        if (!equal(&got, right))
            split_list_fail(list, i, why);
    }
}

rhomb__plan split_plan_of(const split_list *list, const split_shape *shape)
{
    rhomb__plan plan = shape->plan;
    const rhomb__costs *costs = &list->costs;
    plan.costs = *costs;
    plan.planes = shape->planes > 0 ? shape->planes : 2;
    plan.directions = 2;
    if (plan.row == RHOMB__ROW_SWEEP)
        plan.sweep.sliced = !rhomb__costs_are_edit(costs);
    if (plan.row != RHOMB__ROW_AFFINE)
        return plan;
    const int64_t scores = rhomb__affine_lookback(costs) + 2 + plan.wavefront.tile_scores;
    const int64_t least = 2 * rhomb__ceil_div(scores, rhomb__costs_least_extend(costs)) + 1;
    const int32_t group = plan.wavefront.group_size;
    plan.wavefront.diagonals_per_item =
        (int32_t)rhomb__ceil_div(least + plan.wavefront.diagonals_per_item, group);
    plan.wavefront.tile_scores = (int32_t)scores;
    plan.wavefront.offset_bits = shape->offset_bits > 0 ? shape->offset_bits : 32;
    plan.wavefront.launches_per_read = 3;
    return plan;
}

rhomb__split_work split_check_list(const split_solver *s, split_list *list,
                                   const split_shape *shape)
{
    split_rig g;
    const rhomb__plan plan = split_plan_of(list, shape);
    rhomb__breakpoint *found = calloc((size_t)list->count + 1, sizeof *found);
    assert_non_null(found);
    split_rig_open(&g, list, shape);
    split_rig_way(&g, s->way);
    split_expect_ok(g.ctx, rhomb__splitter_solve(g.splitter, &plan, list->at, list->count, found));
    const rhomb__split_work work = g.splitter->work;
    split_rig_close(&g);
    split_check_first(s, list, found, list->count);
    assert_int_equal(work.problems, list->count);
    assert_true(work.cells > 0 && work.launches > 0);
    free(found);
    return work;
}
