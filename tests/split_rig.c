/* SPDX-License-Identifier: MIT */
/*
 * See split_rig.h.
 */
#include "split_rig.h"

#include "host/device/context.h"
#include "host/engines/engine.h"
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

void split_rig_open(split_rig *g, const split_list *list, const char *alphabet, int32_t planes,
                    int32_t offset_bits, rhomb__split_tuning tuning)
{
    const rhomb__codes codes = codes_of(alphabet);
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
    g->source.offset_bits = offset_bits;
    g->source.tuning = tuning;
    split_rig_way(g, &rhomb__split_groups);
}

void split_rig_way(split_rig *g, const rhomb__split_way *way)
{
    rhomb__splitter_close(g->splitter);
    split_expect_ok(g->ctx, rhomb__splitter_open(g->ctx, way, &g->source, &g->splitter));
}

rhomb_status split_rig_solve(split_rig *g, const rhomb__plan *plan, const rhomb_split_pair *pairs,
                             int64_t count, rhomb_split_point *points)
{
    rhomb_subproblem *subproblems = calloc((size_t)count + 1, sizeof *subproblems);
    rhomb__breakpoint *found = calloc((size_t)count + 1, sizeof *found);
    assert_true(subproblems != NULL && found != NULL);
    for (int64_t i = 0; i < count; i++)
        subproblems[i].pair = pairs[i];
    const rhomb_status status = rhomb__splitter_solve(g->splitter, plan, subproblems, count, found);
    for (int64_t i = 0; i < count && status == RHOMB_OK; i++) {
        points[i] = (rhomb_split_point){found[i].target, found[i].query, RHOMB_SPLIT_FOUND, 0};
        assert_int_equal(found[i].cost, (pairs[i].distance + 1) / 2);
        assert_int_equal(found[i].gap, RHOMB_GAP_NONE);
    }
    free(found);
    free(subproblems);
    return status;
}

void split_rig_close(split_rig *g)
{
    rhomb__splitter_close(g->splitter);
    rhomb__buffer_release(&g->ctx->stream, &g->target);
    rhomb__buffer_release(&g->ctx->stream, &g->query);
    assert_int_equal(g->ctx->stream.bytes_in_use, 0);
    rhomb_context_destroy(g->ctx);
}

void split_list_check(const split_list *list, const rhomb_split_point *points)
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
