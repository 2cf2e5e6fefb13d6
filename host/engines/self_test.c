/* SPDX-License-Identifier: MIT */
/*
 * The known-answer test. Before a program's results are trusted on a device, it solves one pair
 * with a known distance. The pair is the same on every machine (known_pair.h). Its edit distance
 * was computed by textbook dynamic programming, and a test verifies it; its cost by another scoring
 * is computed so here. It takes about a millisecond, or some.
 */
#include "host/engines/engine.h"
#include "host/engines/task.h"

#include "cl/abi.h"
#include "host/device/context.h"
#include "host/device/open.h"
#include "host/device/queue.h"
#include "host/engines/known_pair.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"

#include <stdlib.h>
#include <string.h>

#define KNOWN_DISTANCE 368

/* The first band is too narrow for the distance, so that the test widens it. */
#define FIRST_BESIDE 64

_Static_assert(sizeof(rhomb_front) == 32, "cl/abi.h has a record with gaps");
_Static_assert(sizeof(rhomb_wavefront_status) == 176, "cl/abi.h has a record with gaps");
_Static_assert(sizeof(rhomb_strip) == 200, "cl/abi.h has a record with gaps");
_Static_assert(sizeof(rhomb_launch) == 120, "cl/abi.h has a record with gaps");
_Static_assert(sizeof(rhomb_pack_range) == 40, "cl/abi.h has a record with gaps");
_Static_assert(sizeof(rhomb_affine_problem) == 104, "cl/abi.h has a record with gaps");
_Static_assert(sizeof(rhomb_affine_tile) == 48, "cl/abi.h has a record with gaps");
_Static_assert(sizeof(rhomb_affine_status) == 16, "cl/abi.h has a record with gaps");
_Static_assert(sizeof(rhomb_affine_point) == 16, "cl/abi.h has a record with gaps");

/* Asks the device's compiler how large the shared records are. */
static rhomb_status check_sizes(rhomb_context *ctx, const rhomb__program *pack)
{
    rhomb_status status = RHOMB_OK;
    static const int64_t expected[] = {
        sizeof(rhomb_front),       sizeof(rhomb_wavefront_status), sizeof(rhomb_strip),
        sizeof(rhomb_launch),      sizeof(rhomb_pack_range),       sizeof(rhomb_affine_problem),
        sizeof(rhomb_affine_tile), sizeof(rhomb_affine_status),    sizeof(rhomb_affine_point)};
    int64_t sizes[sizeof expected / sizeof expected[0]] = {0};
    rhomb__buffer buffer = {NULL, 0};
    cl_kernel kernel = NULL;
    RHOMB_TRY(rhomb__buffer_create(&ctx->stream, sizeof sizes, "the self-test", &buffer));
    RHOMB_TRY(rhomb__kernel_make(&ctx->stream, pack, "rhomb_pack_sizes", &kernel));
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(buffer.handle)};
    RHOMB_TRY(rhomb__queue_run(&ctx->stream, kernel, arguments, 1, 1, 1));
    RHOMB_TRY(rhomb__buffer_read(&ctx->stream, &buffer, 0, sizeof sizes, sizes));
    if (memcmp(sizes, expected, sizeof sizes) != 0)
        status = rhomb__fail(&ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                             "%s: its compiler lays out shared records in another way",
                             ctx->stream.device->info.name);
out:
    rhomb__kernel_release(&kernel);
    rhomb__buffer_release(&ctx->stream, &buffer);
    return status;
}

/* A plan for the known pair: the same kernels. */
static rhomb__plan plan_known(const rhomb__plan *plan, const rhomb__known_pair *p)
{
    rhomb__plan small = *plan;
    small.lower_bound = rhomb__costs_gap(&plan->costs, p->query_length - p->target_length);
    small.target_length = p->target_length;
    small.query_length = p->query_length;
    small.may_switch = false;
    rhomb__plan_simplify(&small, FIRST_BESIDE);
    small.upper_bound = rhomb__costs_most(&plan->costs, p->target_length, p->query_length);
    return small;
}

/* The problem of a small plan. */
static rhomb__problem problem_of(const rhomb__plan *small, const rhomb_options *options,
                                 const rhomb__buffer *target, const rhomb__buffer *query)
{
    return (rhomb__problem){.plan = small,
                            .options = options,
                            .query_length = small->query_length,
                            .target_length = small->target_length,
                            .query = query,
                            .target = target,
                            .upper_bound = small->upper_bound,
                            .began = rhomb__now()};
}

rhomb_status rhomb__self_test_engine(rhomb_context *ctx, const rhomb__engine *engine,
                                     rhomb__program *program, rhomb__program *pack,
                                     const rhomb__plan *plan)
{
    rhomb_status status = RHOMB_OK;
    rhomb__known_packed known = {.target = {NULL, 0}};
    if (!rhomb__test_begin(ctx, RHOMB__TEST_USUAL, &program, 1))
        return RHOMB_OK;
    rhomb__known_pair_make(&known.pair);
    const rhomb__plan small = plan_known(plan, &known.pair);
    const rhomb_options options = RHOMB_OPTIONS_INIT;
    const rhomb__problem problem = problem_of(&small, &options, &known.target, &known.query);
    const rhomb__programs programs = {pack, program};
    const rhomb__pair_packing packing = engine->packing(&small);
    const char *name = rhomb__plan_engine_name(plan);
    const int64_t expected = rhomb__costs_are_edit(&plan->costs)
                                 ? KNOWN_DISTANCE
                                 : rhomb__known_pair_cost(&known.pair, &plan->costs);
    rhomb__solution solution = {0};
    RHOMB_TRY(check_sizes(ctx, pack));
    RHOMB_TRY(rhomb__known_pack(ctx, plan->planes, &packing, &known));
    RHOMB_TRY(rhomb__engine_solve(ctx, engine, &programs, &problem, &solution));
    if (expected < 0)
        RHOMB_TRY(rhomb__fail_memory(&ctx->stream.error, sizeof known, "the self-test"));
    if (solution.distance != expected)
        RHOMB_TRY(rhomb__known_fail(ctx, program, "of the %s engine gave %lld instead of %lld",
                                    name, (long long)solution.distance, (long long)expected));
    rhomb__log(&ctx->stream, 2, "self-test passed: %s %s", name, program->options);
out:
    rhomb__known_packed_release(ctx, &known);
    rhomb__test_end(ctx, RHOMB__TEST_USUAL, &program, 1, status);
    return status;
}

/* Strips that each device has at least, in either direction. */
#define SHARED_STRIPS 2

/* The known pair, again and again. */
typedef struct repeated {
    char *target, *query;
    rhomb__bases target_bases, query_bases;
} repeated;

static rhomb_status repeat_known(rhomb_context *ctx, int64_t least, const rhomb__codes *codes,
                                 repeated *r)
{
    rhomb__known_pair p;
    rhomb__known_pair_make(&p);
    const int64_t times = rhomb__ceil_div(least, rhomb__min(p.target_length, p.query_length));
    r->target = malloc((size_t)(times * p.target_length));
    r->query = malloc((size_t)(times * p.query_length));
    if (r->target == NULL || r->query == NULL)
        return rhomb__fail_memory(&ctx->stream.error,
                                  (size_t)(times * (p.target_length + p.query_length)),
                                  "the self-test");
    for (int64_t i = 0; i < times; i++) {
        memcpy(r->target + i * p.target_length, p.target, (size_t)p.target_length);
        memcpy(r->query + i * p.query_length, p.query, (size_t)p.query_length);
    }
    r->target_bases = (rhomb__bases){r->target, times * p.target_length, codes, "the self-test"};
    r->query_bases = (rhomb__bases){r->query, times * p.query_length, codes, "the self-test"};
    return RHOMB_OK;
}

/* The plan for it: one sweep in the widest band, without a probe. */
static rhomb__plan plan_repeated(const rhomb__plan *plan, const repeated *r)
{
    rhomb__plan small = *plan;
    small.target_length = r->target_bases.length;
    small.query_length = r->query_bases.length;
    small.lower_bound = 0;
    small.upper_bound =
        rhomb__costs_most(&plan->costs, r->target_bases.length, r->query_bases.length);
    small.may_switch = false;
    small.sweep.first_half_width = rhomb__max(small.target_length, small.query_length);
    small.sweep.probe_half_width = small.sweep.sample_bases = 0;
    return small;
}

/* Packs the pair of a task on a device. */
static rhomb_status send(rhomb__partner *on, const rhomb__pair_packing *packing,
                         const rhomb__task *task, const repeated *r)
{
    on->target = on->query = (rhomb__buffer){NULL, 0};
    on->slot = RHOMB__PAIR_TEST;
    return on->ctx->remote != NULL
               ? rhomb__remote_pair_send(on->ctx, RHOMB__PAIR_TEST, task, true)
               : rhomb__pack_pair(&on->ctx->stream, on->programs.pack, packing, &r->target_bases,
                                  &r->query_bases, &on->target, &on->query);
}

static void release(rhomb__partner *on)
{
    if (on->ctx->remote != NULL) {
        rhomb__remote_pair_release(on->ctx, RHOMB__PAIR_TEST);
        return;
    }
    rhomb__buffer_release(&on->ctx->stream, &on->query);
    rhomb__buffer_release(&on->ctx->stream, &on->target);
}

/* Solves it on the first device, and on all. */
static rhomb_status compare_shared(rhomb_context *ctx, const rhomb__engine *engine,
                                   const rhomb__partner *all, int32_t count,
                                   const rhomb__task *task)
{
    rhomb_status status = RHOMB_OK;
    rhomb__problem problem = problem_of(&task->plan, &task->options, &all->target, &all->query);
    rhomb__solution alone = {0}, shared = {0};
    RHOMB_TRY(rhomb__engine_solve(ctx, engine, &all->programs, &problem, &alone));
    problem.partners = &all[1];
    problem.partner_count = count;
    RHOMB_TRY(rhomb__engine_solve(ctx, engine, &all->programs, &problem, &shared));
    if (alone.distance != shared.distance || alone.breakpoint.query != shared.breakpoint.query)
        status = rhomb__fail(&ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                             "%s: the self-test of %d devices together gave %lld instead of %lld",
                             ctx->stream.device->info.name, (int)count + 1,
                             (long long)shared.distance, (long long)alone.distance);
out:
    return status;
}

rhomb_status rhomb__self_test_shared(rhomb_context *ctx, const rhomb__engine *engine,
                                     const rhomb__programs *programs,
                                     const rhomb__partner *partners, int32_t count,
                                     const rhomb__plan *plan)
{
    rhomb_status status = RHOMB_OK;
    rhomb__partner all[RHOMB_MOST_DEVICES] = {{.ctx = ctx, .programs = *programs}};
    repeated r = {.target = NULL};
    const rhomb__codes codes = rhomb__known_pair_codes(plan->planes);
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    if (!rhomb__test_begin(ctx, RHOMB__TEST_SHARED, &programs->solve, 1))
        return RHOMB_OK;
    options.tuning = &tuning;
    tuning.chunk_strips = 1;
    RHOMB_TRY(repeat_known(ctx, (count + 1) * SHARED_STRIPS * rhomb__plan_sweep(plan).strip_rows,
                           &codes, &r));
    const rhomb__plan small = plan_repeated(plan, &r);
    const rhomb__pair_packing packing = engine->packing(&small);
    const rhomb__task task = {.target = r.target,
                              .target_length = r.target_bases.length,
                              .query = r.query,
                              .query_length = r.query_bases.length,
                              .options = options,
                              .tuning = tuning,
                              .codes = codes,
                              .plan = small};
    for (int32_t i = 0; i <= count; i++) {
        all[i] = i > 0 ? partners[i - 1] : all[0];
        RHOMB_TRY(send(&all[i], &packing, &task, &r));
    }
    RHOMB_TRY(compare_shared(ctx, engine, all, count, &task));
out:
    for (int32_t i = 0; i <= count && all[i].ctx != NULL; i++) {
        if (status != RHOMB_OK && i > 0 && all[i].ctx->stream.error.status != RHOMB_OK)
            rhomb__pass_error(ctx, i, status, rhomb__error_text(&all[i].ctx->stream.error));
        release(&all[i]);
    }
    free(r.target);
    free(r.query);
    rhomb__test_end(ctx, RHOMB__TEST_SHARED, &programs->solve, 1, status);
    return status;
}

/* Builds and checks what these options take for a pair with so many symbols. */
static rhomb_status check_options(rhomb_context *ctx, const rhomb_options *options, int32_t symbols)
{
    rhomb_status status = RHOMB_OK;
    rhomb__plan plan;
    rhomb__programs programs;
    const rhomb__plan_input input = {.target_length = RHOMB__KNOWN_TARGET,
                                     .query_length = RHOMB__KNOWN_QUERY,
                                     .symbols = symbols,
                                     .device = &ctx->stream.device->info,
                                     .options = options,
                                     .rates = &ctx->stream.device->rates};
    RHOMB_TRY(rhomb__plan_make(&ctx->stream.error, &input, &plan));
    RHOMB_TRY(rhomb__engine_programs(ctx, rhomb__engine_of(&plan), &plan, &programs));
out:
    return status;
}

/* The same with each engine that has a row for their costs. */
static rhomb_status check_engines(rhomb_context *ctx, const rhomb_options *asked, int32_t symbols)
{
    rhomb_status status = RHOMB_OK;
    rhomb_options options = *asked;
    rhomb__costs costs;
    RHOMB_TRY(rhomb__costs_of(&ctx->stream.error, options.scoring, &costs));
    for (int row = 0; row < RHOMB__ENGINE_ROWS; row++) {
        options.engine = rhomb__row_engine((rhomb__engine_row)row, &costs);
        if (options.engine != RHOMB_ENGINE_AUTO)
            RHOMB_TRY(check_options(ctx, &options, symbols));
    }
out:
    return status;
}

rhomb_status rhomb_context_self_test(rhomb_context *ctx)
{
    rhomb_status status = RHOMB_OK;
    rhomb_options options;
    rhomb_tuning tuning;
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    RHOMB_TRY(rhomb__options_complete(&ctx->stream.error, NULL, &options, &tuning));
    RHOMB_TRY(rhomb__context_need_device(ctx));
    static const int32_t SYMBOLS[] = {4, 16, 256};
    for (int i = 0; i < 3; i++)
        RHOMB_TRY(check_engines(ctx, &options, SYMBOLS[i]));
    /* Gaps with a price to open, in one piece and in two: WFA2's and wfmash's penalties. */
    static const rhomb_scoring SCORINGS[] = {{0, 4, 6, 2, -1, -1, NULL}, {0, 5, 8, 2, 24, 1, NULL}};
    for (size_t i = 0; i < sizeof SCORINGS / sizeof SCORINGS[0]; i++) {
        options.scoring = &SCORINGS[i];
        RHOMB_TRY(check_engines(ctx, &options, SYMBOLS[0]));
    }
out:
    return status;
}
