/* SPDX-License-Identifier: MIT */
/*
 * The bit-parallel engine: sweeps a band of the matrix, one strip of rows after the other, for a
 * bound on the cost, and raises the bound until the sweep proves its own result. It has two steps:
 * Myers' for unit costs (cl/bitparallel), and the bit-sliced one for any costs (cl/bitsliced).
 *
 * A sweep for the bound U ends with the cost of a path, if it reaches the end. A cost of at most U
 * is the distance; otherwise the distance is more than U and at most that cost
 * (src/strips/strips.h). So the first bound may be a guess: the cost says which bound is enough,
 * and a sweep that ends early says how large the distance may be.
 *
 * The host reads nothing during a sweep on one device: strips pass their last row on through device
 * memory, a queue orders the launches of each direction, and at the end the cost comes from the
 * strips' fronts and the middle column. The host waits for a marker now and then, to report
 * progress to the caller.
 */
#include "host/engines/bitparallel/sweep_devices.h"
#include "host/engines/engine.h"

#include "cl/params.def"
#include "host/device/context.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "src/planner/eta.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * A cost of more than BELIEVED times the bound is not trusted: a long insertion takes the path out
 * of a narrow band.
 */
#define BELIEVED 4
/*
 * The next bound is at most GROWTH times the last one: a sweep of one direction that ends early
 * costs little, and a long indel that stops it promises far too much. It is larger by at least a
 * GROWTH_LEAST-th. An estimate gets a SPARE-th more, as one that is too low costs another sweep,
 * but no more than half of what it adds: a sweep that ended just before the last column was for
 * nearly enough.
 */
#define GROWTH_ONE   2
#define GROWTH_TWO   8
#define GROWTH_LEAST 32
#define SPARE        8

/*
 * A probe's path is trusted if it costs at most TRUSTED times as much as if all of it were like
 * most of it. Otherwise an indel has taken the path out of the narrow band, and a sweep for what
 * most of it promises comes next, with an EXPECTED_SPARE-th to spare.
 */
#define TRUSTED        2
#define EXPECTED_SPARE 4

/*
 * Where there is an estimate, a path that costs an ESTIMATE_SPARE-th more than both promise is
 * taken for one that has lost its way. An estimate alone is too low where the pair begins better
 * than it goes on: 30 kb at 3 % and 30 at 25 had five sweeps by it.
 */
#define ESTIMATE_SPARE 4

/*
 * A sample has a SAMPLE_BAND-th of its bases on either side. What it promises for the whole gets a
 * SAMPLE_SPARE-th more: 16,000 bases with 3 % of errors have 480 of them, 22 more or less.
 */
#define SAMPLE_BAND  16
#define SAMPLE_SPARE 8

/*
 * What a sweep is for. A sample and a probe follow paths of any cost in their bands; a sample is of
 * the sequences' first bases alone.
 */
typedef enum stage { STAGE_SAMPLE, STAGE_PROBE, STAGE_PROOF } stage;

typedef struct bounding {
    rhomb_context *ctx;
    const rhomb__problem *problem;
    rhomb__solution solution;
    rhomb__sweep_devices devices;
    rhomb__sweeps *sweeps;    /* of its first device, which has the results */
    rhomb__sweep_share share; /* of the running sweep; alone in its buffers */
    int64_t band_cells;       /* of its whole band */
    int64_t bound;            /* on the cost, from all that is known so far */
    stage stage;              /* of the running sweep, and ... */
    double began;             /* ... when it began */
    rhomb__trend trend;       /* of its pace */
} bounding;

/*
 * Of the target the blocks of the forward sweep's columns, then those of the backward sweep,
 * reversed. Of the query the rows of all strips, then, for the backward sweep, if any, the same
 * reversed.
 */
static rhomb__pair_packing packing(const rhomb__plan *plan)
{
    const rhomb__sweep sweep = rhomb__plan_sweep(plan);
    const int64_t words = sweep.strips * sweep.strip_rows / RHOMB__WORD_ROWS;
    const int32_t planes = RHOMB_PLANE_COUNT(plan->planes);
    const rhomb__pair_packing packing = {
        .target = {.kernel = "rhomb_pack_columns",
                   .unit_bytes = 2 * planes,
                   .unit_symbols = RHOMB__BLOCK_COLUMNS,
                   .looks_at = RHOMB__BLOCK_COLUMNS,
                   .planes = plan->planes,
                   .parts = {{sweep.blocks[0], 0, 1}, {sweep.blocks[1], sweep.columns - 1, -1}}},
        .query = {.kernel = "rhomb_pack_rows",
                  .unit_bytes = 4 * planes,
                  .unit_symbols = RHOMB__WORD_ROWS,
                  .looks_at = RHOMB__WORD_ROWS,
                  .planes = plan->planes,
                  .parts = {{words, 0, 1}, {sweep.blocks[1] > 0 ? words : 0, sweep.rows - 1, -1}}}};
    return packing;
}

static rhomb_status myers_program(rhomb_context *ctx, const rhomb__plan *plan, rhomb__program **out)
{
    const int32_t PLANES = plan->planes;
    const int32_t GROUP_SIZE = plan->sweep.group_size;
    const int32_t ITEM_WORDS = plan->sweep.words_per_item;
    const int32_t LANES = plan->sweep.lanes;
    const rhomb__parameter parameters[] = {RHOMB_BITPARALLEL_PARAMS(RHOMB__PARAMETER)};
    const rhomb__kernel_source *source =
        plan->sweep.lanes > 1 ? &rhomb__source_bitparallel_lanes : &rhomb__source_bitparallel;
    return rhomb__program_with(ctx, source, RHOMB__LIST(parameters), out);
}

static rhomb_status sliced_program(rhomb_context *ctx, const rhomb__plan *plan,
                                   rhomb__program **out)
{
    const rhomb__costs *costs = &plan->costs;
    const int32_t PLANES = plan->planes;
    const int32_t GROUP_SIZE = plan->sweep.group_size;
    const int32_t ITEM_WORDS = plan->sweep.words_per_item;
    const int32_t LANES = plan->sweep.lanes;
    const int32_t MISMATCH = (int32_t)costs->mismatch;
    const int32_t OPEN = (int32_t)costs->open[0];
    const int32_t EXTEND = (int32_t)costs->extend[0];
    const int32_t OPEN_2 = costs->pieces == 2 ? (int32_t)costs->open[1] : 0;
    const int32_t EXTEND_2 = costs->pieces == 2 ? (int32_t)costs->extend[1] : 0;
    const rhomb__parameter parameters[] = {RHOMB_BITSLICED_PARAMS(RHOMB__PARAMETER)};
    const rhomb__kernel_source *source =
        plan->sweep.lanes > 1 ? &rhomb__source_bitsliced_lanes : &rhomb__source_bitsliced;
    return rhomb__program_with(ctx, source, RHOMB__LIST(parameters), out);
}

static rhomb_status bitparallel_program(rhomb_context *ctx, const rhomb__plan *plan,
                                        rhomb__program **out)
{
    return plan->sweep.sliced ? sliced_program(ctx, plan, out) : myers_program(ctx, plan, out);
}

/*
 * How far the running sweep is, when it has done this part of its columns, if a guide promises how
 * its band narrows. Above a share of what random sequences cost it says little: CP000051 x AE002160
 * told 2.2 and 0.2 times what was left by it, 1.4 and 1.3 by their columns.
 */
#define UNRELATED 0.75

static double done_of(const bounding *b, double columns)
{
    const rhomb__plan *plan = b->problem->plan;
    const double random = plan->promise.random * plan->promise.bases / 2;
    const bool has_path = b->share.bound >= rhomb__min(b->bound, plan->upper_bound);
    if (b->stage != STAGE_PROOF || plan->promise.cost <= 0 ||
        plan->promise.cost > UNRELATED * random)
        return columns;
    return rhomb__band_done(&plan->promise, plan->directions,
                            has_path ? RHOMB__NARROWS_PATH : RHOMB__NARROWS_SPARE, columns);
}

/* Tells the caller how far the sweep is; it proves its result only at its end. */
static rhomb_status report_progress(bounding *b, double columns)
{
    const rhomb_options *options = b->problem->options;
    const double fraction = done_of(b, columns);
    const rhomb__moment now = {rhomb__now() - b->began, fraction};
    const double launches = (double)rhomb__max(b->sweeps->all_launches, 1);
    const double rate = b->sweeps->launches_per_second / launches; /* of the sweep, a second */
    if (options->progress == NULL)
        return RHOMB_OK;
    rhomb_progress progress = {0};
    progress.lower_bound = b->problem->plan->lower_bound;
    progress.upper_bound = rhomb__min(b->bound, b->problem->plan->upper_bound);
    progress.fraction = fraction;
    progress.seconds = rhomb__now() - b->problem->began;
    progress.eta_seconds = b->stage == STAGE_PROOF ? rhomb__eta_by_trend(&b->trend, &now) : -1;
    progress.cells_per_second = rate * (double)b->band_cells;
    if (options->progress(&progress, options->progress_user) != 0)
        return rhomb__fail(&b->ctx->stream.error, RHOMB_ERR_CANCELLED,
                           "stopped at %.0f %% of a sweep", 100 * progress.fraction);
    return RHOMB_OK;
}

/* Prepares a sweep for paths of cost at most `bound`. */
static rhomb_status prepare_sweep(bounding *b, int64_t bound)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sweeps *sweeps = b->sweeps;
    b->share.bound = bound;
    RHOMB_TRY(rhomb__sweep_devices_prepare(&b->devices, &b->share));
    b->band_cells = rhomb__sweep_band_cells(&b->share.sweep, sweeps->records);
    b->solution.working_bytes = sweeps->device_bytes;
out:
    return status;
}

/* Begins one. */
static rhomb_status begin_sweep(bounding *b, int64_t bound)
{
    rhomb_status status = RHOMB_OK;
    b->trend = (rhomb__trend){.pace = 0};
    RHOMB_TRY(prepare_sweep(b, bound));
    b->solution.batches++;
    RHOMB_TRY(report_progress(b, 0));
    b->began = rhomb__now();
    RHOMB_TRY(rhomb__sweep_devices_begin(&b->devices));
out:
    return status;
}

/* Takes over the result of a sweep that is done. */
static rhomb_status finish_sweep(bounding *b, int64_t *cost)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sweeps *sweeps = b->sweeps;
    const int64_t cells_before = sweeps->cells;
    const double swept = rhomb__now();
    RHOMB_TRY(rhomb__sweep_devices_finish(&b->devices));
    const rhomb__sweep_breakpoint *best = &sweeps->found[0];
    b->solution.breakpoint =
        (rhomb__breakpoint){.target = b->share.sweep.blocks[0] * RHOMB__BLOCK_COLUMNS,
                            .query = best->row,
                            .cost = best->forward_cost,
                            .gap = best->gap};
    *cost = best->cost;
    char path[48] = "no path";
    if (*cost < INT64_MAX)
        snprintf(path, sizeof path, "a path of cost %lld", (long long)*cost);
    rhomb__log(
        &b->ctx->stream, 2,
        "bit-parallel: %lld launches on %d devices with %d queues for the bound %lld in %.2f "
        "ms, %.0f %% of its band; %s, read in %.2f ms",
        (long long)sweeps->all_launches, (int)b->devices.running, (int)sweeps->way_count,
        (long long)b->share.bound, 1e3 * (swept - b->began),
        100 * (double)(sweeps->cells - cells_before) / (double)b->band_cells, path,
        1e3 * (rhomb__now() - swept));
out:
    return status;
}

/*
 * The bound for the next sweep, after the distance has turned out to be more than `bound`. Without
 * a cost, paths within the bound ended after some of the columns; at the same number of edits per
 * column the estimate goes on to the last one.
 */
static int64_t next_bound(const bounding *b, int64_t cost)
{
    const rhomb__plan *plan = b->problem->plan;
    const int64_t most = rhomb__min(b->bound, plan->upper_bound), bound = b->share.bound;
    double next = (double)cost;
    if (cost > BELIEVED * bound) {
        const int64_t columns =
            rhomb__max(rhomb__sweep_reach(&b->share.sweep, b->sweeps->records), 1);
        next = (double)bound * (double)b->share.sweep.columns / (double)columns;
        const double growth = plan->directions == 1 ? GROWTH_ONE : GROWTH_TWO;
        next = next > growth * (double)bound ? growth * (double)bound : next;
        const double added = next - (double)bound;
        next += added / 2 < next / SPARE ? added / 2 : next / SPARE;
    }
    const double least = (double)bound + (double)bound / GROWTH_LEAST + 1;
    next = next < least ? least : next;
    return next < (double)most ? (int64_t)next : most;
}

/*
 * The bound for the sweep after a probe. Its path is the bound unless it costs far more than is
 * likely: than the cost for which the first band has room, and than all of the pair would cost if
 * it were like most of it. Without an estimate the first band goes by the lengths, and says little.
 */
static int64_t bound_after_probe(const bounding *b)
{
    const rhomb__plan *plan = b->problem->plan;
    const int64_t end = plan->target_length - plan->query_length;
    const int64_t expected = rhomb__sweep_expected(&b->share.sweep, b->sweeps->records);
    const int64_t first = rhomb__costs_bound(&plan->costs, end, plan->sweep.first_half_width);
    int64_t likely = first, far = BELIEVED * first;
    if (expected >= 0 && plan->sweep.is_estimated) {
        likely = rhomb__max(first, expected);
        far = likely + likely / ESTIMATE_SPARE;
    } else if (expected >= 0) {
        likely = rhomb__max(first, expected + expected / EXPECTED_SPARE);
        far = TRUSTED * expected;
    }
    const int64_t bound = b->bound > far ? likely : b->bound;
    return rhomb__min(rhomb__min(bound, b->bound), plan->upper_bound);
}

/*
 * Begins a probe in a band of `half_width` diagonals on either side, for the cost of any path in
 * it, if the band is too narrow for all paths that matter; else a sweep for that band or the plan's
 * first one, whichever is wider.
 */
static rhomb_status begin_probe(bounding *b, int64_t half_width)
{
    const rhomb__plan *plan = b->problem->plan;
    const int64_t end = plan->target_length - plan->query_length;
    const int64_t most = rhomb__min(b->bound, plan->upper_bound);
    const bool probes = half_width > 0 && rhomb__costs_bound(&plan->costs, end, half_width) < most;
    const int64_t wide = probes ? half_width : rhomb__max(half_width, plan->sweep.first_half_width);
    b->share.sweep = rhomb__plan_sweep(plan);
    b->share.sweep.follow = probes ? most : 0;
    b->stage = probes ? STAGE_PROBE : STAGE_PROOF;
    return begin_sweep(b, rhomb__min(rhomb__costs_bound(&plan->costs, end, wide), most));
}

/* The sweep of a sample. */
static rhomb__sweep sample_sweep(const rhomb__plan *plan)
{
    const int64_t bases = plan->sweep.sample_bases;
    const rhomb__strip_shape shape = rhomb__plan_sweep(plan).shape;
    rhomb__sweep sweep = rhomb__sweep_make(bases, bases, &shape, 1);
    sweep.follow = rhomb__costs_most(&plan->costs, bases, bases);
    return sweep;
}

/* Begins with a sample, if the plan has one. */
static rhomb_status begin_first(void *run)
{
    bounding *b = run;
    const rhomb__plan *plan = b->problem->plan;
    const int64_t bases = plan->sweep.sample_bases;
    if (plan->sweep.probe_half_width == 0 || bases == 0 ||
        bases > rhomb__min(plan->target_length, plan->query_length))
        return begin_probe(b, plan->sweep.probe_half_width);
    b->share.sweep = sample_sweep(plan);
    b->stage = STAGE_SAMPLE;
    return begin_sweep(b, rhomb__costs_bound(&plan->costs, 0, bases / SAMPLE_BAND));
}

/* The probe's band after a sample that ended with this cost. */
static int64_t half_width_after_sample(const bounding *b, int64_t cost)
{
    const rhomb__plan *plan = b->problem->plan;
    const rhomb__sweep_plan *own = &plan->sweep;
    const int64_t end = plan->target_length - plan->query_length;
    const int64_t shorter = rhomb__min(plan->target_length, plan->query_length);
    const double whole = (double)cost * (double)shorter / (double)own->sample_bases;
    const double most = (double)rhomb__min(b->bound, plan->upper_bound);
    const double expected = whole + whole / SAMPLE_SPARE + (double)plan->lower_bound;
    const int64_t half_width =
        rhomb__costs_half_width(&plan->costs, end, (int64_t)(expected < most ? expected : most));
    return half_width <= own->probe_most ? rhomb__max(half_width, own->probe_half_width)
                                         : own->probe_half_width;
}

/*
 * Takes over the cost of a sweep, and begins the next one, unless this one ended with a cost within
 * its bound or the bound was the caller's limit. b->bound is the cost of a path, so a sweep for it
 * has to find one.
 */
static rhomb_status raise_bound(bounding *b, bool *done)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__plan *plan = b->problem->plan;
    const int64_t bound = b->share.bound;
    const bool probed = b->stage == STAGE_PROBE;
    int64_t cost = INT64_MAX;
    RHOMB_TRY(finish_sweep(b, &cost));
    if (b->stage == STAGE_SAMPLE)
        return begin_probe(b, half_width_after_sample(b, cost));
    b->stage = STAGE_PROOF;
    b->share.sweep.follow = 0;
    if (cost <= bound ? cost < plan->lower_bound : bound >= b->bound)
        RHOMB_TRY(rhomb__fail(&b->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                              "%s: a sweep for the bound %lld ended with cost %lld, outside "
                              "[%lld, %lld]",
                              b->ctx->stream.device->info.name, (long long)bound, (long long)cost,
                              (long long)plan->lower_bound, (long long)b->bound));
    b->bound = rhomb__min(b->bound, cost);
    *done = cost <= bound || bound >= plan->upper_bound;
    if (*done)
        b->solution.distance = cost <= bound ? cost : -1;
    else
        RHOMB_TRY(begin_sweep(b, probed ? bound_after_probe(b) : next_bound(b, cost)));
out:
    return status;
}

static rhomb_status bitparallel_advance(void *run, bool *done)
{
    rhomb_status status = RHOMB_OK;
    bounding *b = run;
    double fraction = 0;
    RHOMB_TRY(rhomb__sweep_devices_advance(&b->devices, &fraction));
    if (fraction < 1)
        RHOMB_TRY(report_progress(b, fraction));
    else
        RHOMB_TRY(raise_bound(b, done));
out:
    return status;
}

static void bitparallel_report(const void *run, rhomb__solution *solution)
{
    const bounding *b = run;
    *solution = b->solution;
    rhomb__sweep_devices_report(&b->devices, solution);
}

static void bitparallel_close(void *run)
{
    bounding *b = run;
    if (b == NULL)
        return;
    rhomb__sweep_devices_release(&b->devices);
    free(b);
}

/* Makes a run without any sweep yet. */
static rhomb_status bitparallel_open(rhomb_context *ctx, const rhomb__programs *programs,
                                     const rhomb__problem *problem, void **run)
{
    const rhomb__plan *plan = problem->plan;
    bounding *b = calloc(1, sizeof *b);
    *run = b;
    if (b == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *b, "a sweep");
    b->ctx = ctx;
    b->sweeps = &b->devices.members[0];
    b->problem = problem;
    b->solution.distance = -1;
    b->share.sweep = rhomb__plan_sweep(plan);
    b->bound = problem->upper_bound;
    return rhomb__sweep_devices_open(&b->devices, ctx, programs, problem);
}

static const rhomb__field FIELDS[] = {
    RHOMB__CHOICE(bounding, stage, STAGE_SAMPLE, STAGE_PROOF),
    RHOMB__FIELD(bounding, bound),
    RHOMB__FIELD(bounding, share.bound),
    RHOMB__FIELD(bounding, share.sweep.follow),
    RHOMB__MOMENT(bounding, began),
    RHOMB__FIELD(bounding, trend),
    RHOMB__PART(bounding, solution, rhomb__solution_fields),
    RHOMB__FIELD(bounding, devices.kept),
    RHOMB__FIELDS_END,
};

/* What launches change. */
#define KEPT(name, index)                                            \
    {                                                                \
        name, offsetof(bounding, devices.members[0].buffers[index]), \
            offsetof(bounding, devices.kept_bytes[index])            \
    }
static const rhomb__kept_buffer BUFFERS[] = {
    KEPT("strips", RHOMB__SWEEP_STRIPS),
    KEPT("down", RHOMB__SWEEP_DOWN),
    KEPT("across", RHOMB__SWEEP_ACROSS),
    KEPT("carry", RHOMB__SWEEP_CARRY),
    {.name = NULL},
};

static rhomb_status bitparallel_pause(void *run)
{
    bounding *b = run;
    return rhomb__sweep_devices_pause(&b->devices);
}

static rhomb_status bitparallel_take_up(void *run, const rhomb__saved *saved)
{
    rhomb_status status = RHOMB_OK;
    bounding *b = run;
    const int64_t follow = b->share.sweep.follow;
    if (b->stage == STAGE_SAMPLE)
        b->share.sweep = sample_sweep(b->problem->plan);
    b->share.sweep.follow = follow;
    RHOMB_TRY(prepare_sweep(b, b->share.bound));
    RHOMB_TRY(rhomb__sweep_devices_begin(&b->devices));
    RHOMB_TRY(rhomb__sweep_devices_take_up(&b->devices, saved));
    if (b->sweeps->next_launch == 0) { /* it begins again */
        b->trend = (rhomb__trend){.pace = 0};
        b->began = rhomb__now();
    }
out:
    return status;
}

static rhomb_status bitparallel_go_on(void *run)
{
    bounding *b = run;
    rhomb__sweep_devices_go_on(&b->devices);
    return RHOMB_OK;
}

/* Where a sweep is worth more than one device: the first one, or one in the next wider band. */
static int64_t share_bytes(const rhomb_context *ctx, const rhomb__plan *plan,
                           const rhomb_options *options)
{
    const rhomb__sweep sweep = rhomb__plan_sweep(plan);
    const int64_t end = plan->target_length - plan->query_length;
    const int64_t first = rhomb__costs_bound(&plan->costs, end, plan->sweep.first_half_width);
    const int64_t most = plan->upper_bound;
    const int64_t bound = first > most / GROWTH_TWO ? most : GROWTH_TWO * first;
    rhomb__strip_chunks chunks = rhomb__sweep_devices_chunks(ctx, plan, options, &sweep, bound);
    if (chunks.owners == 1)
        return 0;
    /* The first band has smaller chunks, in proportion to the root of its bound. */
    for (int32_t i = 0; i < chunks.owners && options->tuning->chunk_strips == 0; i++)
        chunks.strips[i] = rhomb__max(chunks.strips[i] / 3, 1);
    return rhomb__borders_bytes(&sweep, &chunks);
}

const rhomb__engine rhomb__engine_bitparallel = {
    .share_bytes = share_bytes,
    .packing = packing,
    .program = bitparallel_program,
    .open = bitparallel_open,
    .begin = begin_first,
    .advance = bitparallel_advance,
    .report = bitparallel_report,
    .fields = FIELDS,
    .buffers = BUFFERS,
    .pause = bitparallel_pause,
    .take_up = bitparallel_take_up,
    .go_on = bitparallel_go_on,
    .close = bitparallel_close,
};
