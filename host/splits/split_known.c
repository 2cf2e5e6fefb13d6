/* SPDX-License-Identifier: MIT */
/*
 * The known-answer tests of the programs that split subproblems (splitter.h) and of those that find
 * paths of ranges (ranges_kind.h): subproblems of the known pair. What the ranges cost is computed
 * by plain dynamic programming, for unit costs beforehand.
 */
#include "host/splits/splitter.h"

#include "host/device/context.h"
#include "host/engines/known_pair.h"
#include "host/splits/ranges_kind.h"
#include "src/base/int64.h"

/* Ranges of the known pair, with the breakpoints that textbook dynamic programming gives. */
static const struct known {
    rhomb_split_pair pair;
    int64_t target, query;
} KNOWN[] = {
    {{0, 1700, 0, 1798, 368}, 1375, 1430}, {{30, 1100, 30, 1070, 55}, 826, 814},
    {{401, 800, 400, 778, 53}, 424, 414},  {{0, 430, 0, 429, 1}, 430, 429},
    {{1200, 500, 1166, 4, 496}, 252, 4},
};

enum { KNOWN_PAIRS = sizeof KNOWN / sizeof KNOWN[0] };

static rhomb_status check_points(rhomb_context *ctx, const rhomb__program *program,
                                 const rhomb__breakpoint *points)
{
    for (int i = 0; i < KNOWN_PAIRS; i++) {
        if (points[i].target != KNOWN[i].target || points[i].query != KNOWN[i].query)
            return rhomb__known_fail(
                ctx, program, "of the split kernel gave (%lld, %lld) instead of (%lld, %lld)",
                (long long)points[i].target, (long long)points[i].query, (long long)KNOWN[i].target,
                (long long)KNOWN[i].query);
    }
    return RHOMB_OK;
}

/* The known pair as subproblems have theirs. */
static rhomb__split_source source_of(const rhomb__known_packed *p, const rhomb__split_source *like,
                                     rhomb__split_tuning tuning)
{
    tuning.is_self_test = true;
    return (rhomb__split_source){.target = &p->target,
                                 .query = &p->query,
                                 .target_length = p->pair.target_length,
                                 .query_length = p->pair.query_length,
                                 .planes = like->planes,
                                 .offset_bits = like->offset_bits,
                                 .tuning = tuning};
}

rhomb_status rhomb__split_self_test(const rhomb__splitter *tested, rhomb__program *program,
                                    const rhomb__split_tuning *tuning)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = tested->ctx;
    rhomb__splitter *splitter = NULL;
    rhomb__plan plan = tested->plan;
    rhomb__known_packed packed = {.target = {NULL, 0}};
    rhomb_subproblem pairs[KNOWN_PAIRS];
    rhomb__breakpoint points[KNOWN_PAIRS];
    if (tested->source.tuning.is_self_test ||
        !rhomb__test_begin(ctx, RHOMB__TEST_USUAL, &program, 1))
        return RHOMB_OK;
    plan.wavefront.wide_group_size = 0; /* the tile under test, and no other */
    for (int i = 0; i < KNOWN_PAIRS; i++)
        pairs[i] = (rhomb_subproblem){.pair = KNOWN[i].pair};
    RHOMB_TRY(rhomb__known_pack(ctx, tested->source.planes, NULL, &packed));
    const rhomb__split_source known = source_of(&packed, &tested->source, *tuning);
    RHOMB_TRY(rhomb__splitter_open(ctx, tested->way, &known, &splitter));
    RHOMB_TRY(rhomb__splitter_solve(splitter, &plan, pairs, KNOWN_PAIRS, points));
    RHOMB_TRY(check_points(ctx, program, points));
    rhomb__log(&ctx->stream, 2, "self-test passed: split %s", program->options);
out:
    rhomb__splitter_close(splitter);
    rhomb__known_packed_release(ctx, &packed);
    rhomb__test_end(ctx, RHOMB__TEST_USUAL, &program, 1, status);
    return status;
}

/* Ranges of the known pair. */
static const rhomb_subproblem KNOWN_EDIT[] = {
    {{30, 1100, 30, 1070, 55}, RHOMB_GAP_NONE, RHOMB_GAP_NONE},
    {{401, 800, 400, 778, 53}, RHOMB_GAP_NONE, RHOMB_GAP_NONE},
    {{0, 430, 0, 429, 1}, RHOMB_GAP_NONE, RHOMB_GAP_NONE}};

/*
 * With borders within gaps, where there are such, by wavefronts and by the matrix; their distances
 * are those of the costs.
 */
static const rhomb_subproblem KNOWN_AFFINE[] = {
    {{100, 480, 100, 475, 0}, RHOMB_GAP_NONE, RHOMB_GAP_NONE},
    {{401, 150, 380, 178, 0}, RHOMB_GAP_I, RHOMB_GAP_D},
    {{1210, 40, 1190, 50, 0}, RHOMB_GAP_D_2, RHOMB_GAP_I_2}};

enum { KNOWN_RANGES = sizeof KNOWN_EDIT / sizeof KNOWN_EDIT[0] };

_Static_assert(sizeof KNOWN_AFFINE == sizeof KNOWN_EDIT, "as many known ranges of either kind");

/* A gap of a border; the first piece where there is no second one. */
static int32_t gap_by(const rhomb__costs *costs, int32_t gap)
{
    return gap == RHOMB_GAP_NONE ? gap : gap - (costs->pieces == 1 ? RHOMB_GAP_PIECE(gap) : 0);
}

/* The known ranges and what they cost. */
static rhomb_status list_known(const rhomb__ranges *r, const rhomb__known_pair *p,
                               rhomb_subproblem known[KNOWN_RANGES])
{
    for (int i = 0; i < KNOWN_RANGES; i++) {
        if (r->kind == &rhomb__ranges_edit) {
            known[i] = KNOWN_EDIT[i];
            continue;
        }
        known[i] = KNOWN_AFFINE[i];
        known[i].begin_gap = gap_by(&r->costs, known[i].begin_gap);
        known[i].end_gap = gap_by(&r->costs, known[i].end_gap);
        known[i].pair.distance = rhomb__known_range_cost(p, &known[i], &r->costs);
        if (known[i].pair.distance < 0)
            return rhomb__fail_memory(&r->ctx->stream.error, 0, "the self-test of base cases");
    }
    return RHOMB_OK;
}
/* What a gap costs that is operation `at` of a path. */
static int64_t gap_cost(const rhomb__costs *costs, const rhomb_subproblem *known,
                        const rhomb__cigar *path, int64_t at)
{
    const bool inserted = RHOMB_CIGAR_CODE(path->ops[at]) == RHOMB_CIGAR_I;
    const int64_t bases = RHOMB_CIGAR_LENGTH(path->ops[at]);
    const int64_t cost = rhomb__costs_gap(costs, bases);
    const int32_t border = at == 0                 ? known->begin_gap
                           : at == path->count - 1 ? known->end_gap
                                                   : RHOMB_GAP_NONE;
    if (border == RHOMB_GAP_NONE || RHOMB_GAP_IS_I(border) != inserted)
        return cost;
    return rhomb__min(cost, bases * costs->extend[RHOMB_GAP_PIECE(border)]);
}

/* Whether a path leads through a known range and costs what it should. */
static bool path_fits(const rhomb__known_pair *p, const rhomb__costs *costs,
                      const rhomb_subproblem *known, const rhomb__cigar *path)
{
    const rhomb_split_pair *pair = &known->pair;
    int64_t i = 0, j = 0, cost = 0;
    for (int64_t at = 0; at < path->count; at++) {
        const uint32_t code = RHOMB_CIGAR_CODE(path->ops[at]);
        const int64_t bases = RHOMB_CIGAR_LENGTH(path->ops[at]);
        const bool has_target = code != RHOMB_CIGAR_I, has_query = code != RHOMB_CIGAR_D;
        if ((has_target && bases > pair->target_length - j) ||
            (has_query && bases > pair->query_length - i))
            return false;
        for (int64_t x = 0; has_target && has_query && x < bases; x++) {
            const bool equal =
                p->target[pair->target_at + j + x] == p->query[pair->query_at + i + x];
            if (equal != (code == RHOMB_CIGAR_EQ))
                return false;
            cost += equal ? 0 : costs->mismatch;
        }
        cost += has_target && has_query ? 0 : gap_cost(costs, known, path, at);
        j += has_target ? bases : 0;
        i += has_query ? bases : 0;
    }
    return j == pair->target_length && i == pair->query_length && cost == pair->distance;
}

rhomb_status rhomb__ranges_self_test(const rhomb__ranges *r, rhomb__program *program)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = r->ctx;
    rhomb__known_packed packed = {.target = {NULL, 0}};
    rhomb__ranges *ranges = NULL;
    rhomb__ranges_needs needs = {0};
    rhomb_subproblem list[KNOWN_RANGES];
    const rhomb__cigar *paths = NULL;
    const rhomb__split_tuning tuning = {.group_size = r->group_size, .in_place = r->in_place};
    if (!rhomb__test_begin(ctx, RHOMB__TEST_RANGES, &program, 1))
        return RHOMB_OK;
    RHOMB_TRY(rhomb__known_pack(ctx, r->source.planes, NULL, &packed));
    const rhomb__split_source known = source_of(&packed, &r->source, tuning);
    RHOMB_TRY(list_known(r, &packed.pair, list));
    for (int i = 0; i < KNOWN_RANGES; i++)
        rhomb__ranges_need(&r->costs, &list[i], &needs);
    RHOMB_TRY(rhomb__ranges_open(ctx, &known, &r->costs, &needs, &ranges));
    RHOMB_TRY(rhomb__ranges_start(ranges, list, KNOWN_RANGES));
    RHOMB_TRY(rhomb__ranges_finish(ranges, &paths));
    for (int i = 0; i < KNOWN_RANGES; i++)
        if (!path_fits(&packed.pair, &r->costs, &list[i], &paths[i]))
            RHOMB_TRY(rhomb__known_fail(
                ctx, program, "of the kernels for base cases gave no path that costs %lld",
                (long long)list[i].pair.distance));
    rhomb__log(&ctx->stream, 2, "self-test passed: base cases %s", program->options);
out:
    rhomb__ranges_close(ranges);
    rhomb__known_packed_release(ctx, &packed);
    rhomb__test_end(ctx, RHOMB__TEST_RANGES, &program, 1, status);
    return status;
}
