/* SPDX-License-Identifier: MIT */
/* Subproblems with known breakpoints, see splitter.h. */
#include "host/splits/splitter.h"

#include "host/device/context.h"
#include "host/engines/engine.h"
#include "host/engines/known_pair.h"

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

static rhomb_status check(rhomb_context *ctx, const rhomb__program *program,
                          const rhomb__breakpoint *points)
{
    for (int i = 0; i < KNOWN_PAIRS; i++) {
        if (points[i].target != KNOWN[i].target || points[i].query != KNOWN[i].query)
            return rhomb__fail(&ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                               "%s: the self-test of the split kernel gave (%lld, %lld) instead of "
                               "(%lld, %lld) (%s); the driver (%s) or the device cannot be trusted",
                               ctx->stream.device->info.name, (long long)points[i].target,
                               (long long)points[i].query, (long long)KNOWN[i].target,
                               (long long)KNOWN[i].query, program->options,
                               ctx->stream.device->info.driver_version);
    }
    return RHOMB_OK;
}

rhomb_status rhomb__split_self_test(const rhomb__splitter *tested, rhomb__program *program,
                                    const rhomb__split_tuning *tuning)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = tested->ctx;
    const int32_t planes = tested->source.planes;
    rhomb__splitter *splitter = NULL;
    rhomb__plan plan = tested->plan;
    rhomb__buffer target = {NULL, 0}, query = {NULL, 0};
    rhomb__program *pack = NULL;
    rhomb_subproblem pairs[KNOWN_PAIRS];
    rhomb__breakpoint points[KNOWN_PAIRS];
    if (tested->source.tuning.is_self_test)
        return RHOMB_OK;
    if (!rhomb__test_begin(ctx, RHOMB__TEST_USUAL, &program, 1))
        return RHOMB_OK;
    rhomb__known_pair p;
    rhomb__known_pair_make(&p);
    const rhomb__codes codes = rhomb__known_pair_codes(planes);
    const rhomb__bases in_target = {p.target, p.target_length, &codes, "the self-test"};
    const rhomb__bases in_query = {p.query, p.query_length, &codes, "the self-test"};
    const rhomb__pair_packing packing =
        rhomb__pair_packing_windows(p.target_length, p.query_length, planes, 2);
    rhomb__split_source known = {.target = &target,
                                 .query = &query,
                                 .target_length = p.target_length,
                                 .query_length = p.query_length,
                                 .planes = planes,
                                 .offset_bits = tested->source.offset_bits,
                                 .tuning = *tuning};
    known.tuning.is_self_test = true;
    plan.wavefront.wide_group_size = 0; /* the tile under test, and no other */
    for (int i = 0; i < KNOWN_PAIRS; i++)
        pairs[i] = (rhomb_subproblem){.pair = KNOWN[i].pair};
    RHOMB_TRY(rhomb__pack_program(ctx, &pack));
    RHOMB_TRY(
        rhomb__pack_pair(&ctx->stream, pack, &packing, &in_target, &in_query, &target, &query));
    RHOMB_TRY(rhomb__splitter_open(ctx, tested->way, &known, &splitter));
    RHOMB_TRY(rhomb__splitter_solve(splitter, &plan, pairs, KNOWN_PAIRS, points));
    RHOMB_TRY(check(ctx, program, points));
    rhomb__log(&ctx->stream, 2, "self-test passed: split %s", program->options);
out:
    rhomb__splitter_close(splitter);
    rhomb__buffer_release(&ctx->stream, &query);
    rhomb__buffer_release(&ctx->stream, &target);
    rhomb__test_end(ctx, RHOMB__TEST_USUAL, &program, 1, status);
    return status;
}
