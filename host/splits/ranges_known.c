/* SPDX-License-Identifier: MIT */
/*
 * The known-answer test of the programs that find paths of ranges, see ranges_kind.h. What the
 * known ranges cost is computed by plain dynamic programming, for unit costs beforehand.
 */
#include "host/device/context.h"
#include "host/engines/engine.h"
#include "host/engines/known_pair.h"
#include "host/splits/ranges_kind.h"
#include "src/base/int64.h"

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

static rhomb_status check_known(const rhomb__ranges *r, const rhomb__program *program,
                                const rhomb__known_pair *p, const rhomb_subproblem *known,
                                const rhomb__cigar *found)
{
    rhomb_context *ctx = r->ctx;
    if (path_fits(p, &r->costs, known, found))
        return RHOMB_OK;
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                       "%s: the self-test of the kernels for base cases gave no path that costs "
                       "%lld (%s); the driver (%s) or the device cannot be trusted",
                       ctx->stream.device->info.name, (long long)known->pair.distance,
                       program->options, ctx->stream.device->info.driver_version);
}

rhomb_status rhomb__ranges_self_test(const rhomb__ranges *r, rhomb__program *program)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = r->ctx;
    rhomb__buffer target = {NULL, 0}, query = {NULL, 0};
    rhomb__program *pack = NULL;
    rhomb__ranges *ranges = NULL;
    rhomb__ranges_needs needs = {0};
    rhomb_subproblem list[KNOWN_RANGES];
    const rhomb__cigar *paths = NULL;
    if (!rhomb__test_begin(ctx, RHOMB__TEST_RANGES, &program, 1))
        return RHOMB_OK;
    rhomb__known_pair p;
    rhomb__known_pair_make(&p);
    const rhomb__codes codes = rhomb__known_pair_codes(r->source.planes);
    const rhomb__bases in_target = {p.target, p.target_length, &codes, "the self-test"};
    const rhomb__bases in_query = {p.query, p.query_length, &codes, "the self-test"};
    const rhomb__pair_packing packing =
        rhomb__pair_packing_windows(p.target_length, p.query_length, r->source.planes, 2);
    const rhomb__split_source known = {
        .target = &target,
        .query = &query,
        .target_length = p.target_length,
        .query_length = p.query_length,
        .planes = r->source.planes,
        .tuning = {.group_size = r->group_size, .in_place = r->in_place, .is_self_test = true}};
    RHOMB_TRY(rhomb__pack_program(ctx, &pack));
    RHOMB_TRY(
        rhomb__pack_pair(&ctx->stream, pack, &packing, &in_target, &in_query, &target, &query));
    RHOMB_TRY(list_known(r, &p, list));
    for (int i = 0; i < KNOWN_RANGES; i++)
        rhomb__ranges_need(&r->costs, &list[i], &needs);
    RHOMB_TRY(rhomb__ranges_open(ctx, &known, &r->costs, &needs, &ranges));
    RHOMB_TRY(rhomb__ranges_start(ranges, list, KNOWN_RANGES));
    RHOMB_TRY(rhomb__ranges_finish(ranges, &paths));
    for (int i = 0; i < KNOWN_RANGES; i++)
        RHOMB_TRY(check_known(r, program, &p, &list[i], &paths[i]));
    rhomb__log(&ctx->stream, 2, "self-test passed: base cases %s", program->options);
out:
    rhomb__ranges_close(ranges);
    rhomb__buffer_release(&ctx->stream, &query);
    rhomb__buffer_release(&ctx->stream, &target);
    rhomb__test_end(ctx, RHOMB__TEST_RANGES, &program, 1, status);
    return status;
}
