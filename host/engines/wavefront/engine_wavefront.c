/* SPDX-License-Identifier: MIT */
/*
 * The wavefront engine (cl/wavefront/wavefront.cl): enqueues launch after launch of the pyramid and
 * reads the status record once for about a hundred of them (Castells-Rufas 2023, sections 4.1.3 and
 * 4.2.3).
 *
 * The in-order queue is the only barrier between launches. Launches are enqueued in *batches*, each
 * with one read of the status at its end. Two batches are in flight, so that the device never waits
 * for the host: while one is read, the next one runs. Batches begin small, because a small distance
 * is found soon, and double up to the plan's number of launches; where the directions are about to
 * meet they become short again. Their time is limited, so that cancelling is prompt and no driver
 * has to cope with a long queue. Launches that were enqueued after the end do nothing.
 *
 * Where batches end depends only on the input and the device's profile. So does each look at how to
 * go on (wavefront_look.c): it comes at the end of a batch with nothing else in flight. Otherwise
 * runs would differ in the tiles that a bound leaves out, and in the engine that ends the run. The
 * clock only sizes launches, and makes the host wait within a batch where a device is slower than
 * its profile; it decides nothing.
 *
 * Two directions (cl/wavefront/wavefront.clh). The device records how far each has come, and stops
 * before a launch when they may have met. The host then drains the queue, looks, and goes on with a
 * look on the device after each launch, until they have met. To find the first sum of scores at
 * which they meet, that launch is computed again in parts, from the older of the two wavefronts.
 * With one direction the end diagonal stops the device.
 *
 * Device memory: two wavefronts for the diagonals that a batch can touch. They grow with the
 * pyramid, by a 32nd on either side and by more while they are small, so a run copies each value
 * fewer than 17 times. They never grow past what the bound on the distance allows.
 */
#include "host/engines/wavefront/wavefront.h"

#include "cl/params.def"
#include "host/device/context.h"
#include "host/device/queue.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "src/planner/rates.h"

#include <stdlib.h>

/* The first batch. */
#define FIRST_BATCH_LAUNCHES 4
#define GROWTH_SHARE         32
/*
 * Wavefronts grow by at least this number of diagonals: for fewer, waiting and copying cost more
 * than memory.
 */
#define LEAST_GROWTH (INT64_C(1) << 15)

static rhomb__pair_packing packing(const rhomb__plan *plan)
{
    return rhomb__pair_packing_windows(plan->target_length, plan->query_length, plan->planes,
                                       plan->directions);
}

static rhomb_status wavefront_program(rhomb_context *ctx, const rhomb__plan *plan,
                                      rhomb__program **out)
{
    const int32_t PLANES = plan->planes;
    const int32_t OFFSET_BITS = plan->wavefront.offset_bits;
    const int32_t GROUP_SIZE = plan->wavefront.group_size;
    const int32_t ITEM_DIAGONALS = plan->wavefront.diagonals_per_item;
    const int32_t TILE_SCORES = plan->wavefront.tile_scores;
    const rhomb__parameter parameters[] = {RHOMB_WAVEFRONT_PARAMS(RHOMB__PARAMETER)};
    const rhomb__kernel_source *source = plan->wavefront.tile_shape == RHOMB_TILE_DIAMOND
                                             ? &rhomb__source_wavefront_diamond
                                             : &rhomb__source_wavefront;
    return rhomb__program_with(ctx, source, RHOMB__LIST(parameters), out);
}

/*
 * Makes the wavefronts hold the diagonals of `need`, and some more when they have to grow. They do
 * not grow where that would lose the wavefront from which the last launch has to be computed again.
 */
static rhomb_status hold(rhomb__wavefront *s, rhomb__window need, int64_t first_score, bool *ended)
{
    rhomb_status status = RHOMB_OK;
    rhomb__pyramid *pyramid = &s->pyramid;
    const rhomb__window held = pyramid->held;
    if (need.low >= held.low && need.high <= held.high && pyramid->wavefronts[0].handle != NULL)
        return RHOMB_OK;
    RHOMB_TRY(rhomb__wavefront_await(s, ended));
    if (*ended)
        return RHOMB_OK;
    const int64_t tile = pyramid->tiling.diagonals;
    const rhomb__window most =
        rhomb__window_from(&pyramid->tiling, first_score, rhomb__pyramid_bound(pyramid, s->bound));
    const int64_t spare =
        rhomb__max((need.high - need.low + 1) / GROWTH_SHARE, LEAST_GROWTH) + tile;
    const rhomb__window to = {
        rhomb__min(need.low, rhomb__max(most.low - tile, need.low - spare)),
        rhomb__max(need.high, rhomb__min(most.high + tile, need.high + spare))};
    RHOMB_TRY(rhomb__pyramid_hold(pyramid, to));
    s->solution.working_bytes = rhomb__max(
        s->solution.working_bytes, pyramid->wavefronts[0].bytes + pyramid->wavefronts[1].bytes);
    rhomb__log(&s->ctx->stream, 2,
               "wavefronts hold %lld diagonals (%lld before), %lld bytes in all",
               (long long)(to.high - to.low + 1), (long long)(held.high - held.low + 1),
               (long long)s->solution.working_bytes);
out:
    return status;
}

rhomb_status rhomb__wavefront_retile(rhomb__wavefront *s)
{
    rhomb_status status = RHOMB_OK;
    rhomb__programs built = {NULL, NULL};
    s->tile = rhomb__plan_wide(&s->tile);
    s->is_wide = true;
    s->batches[0].paused = s->batches[1].paused = true;
    RHOMB_TRY(rhomb__engine_programs(s->ctx, &rhomb__engine_wavefront, &s->tile, &built));
    s->program = built.solve;
    RHOMB_TRY(rhomb__pyramid_retile(&s->pyramid, s->program));
out:
    return status;
}

/*
 * The tile for a wide pyramid takes over, once the next launch is wide and nothing is in flight.
 * Its program is built only then, as it often comes to nothing, and takes an H200's driver 0.9 s.
 */
static rhomb_status widen(rhomb__wavefront *s)
{
    rhomb_status status = RHOMB_OK;
    bool ended = false;
    const int64_t start = s->pyramid.start;
    if (s->tile.wavefront.wide_group_size == 0)
        return RHOMB_OK;
    const rhomb__window window = rhomb__window_of(&s->pyramid.tiling, start, start, s->bound);
    if (s->pyramid.directions * (window.high - window.low + 1) < s->tile.wavefront.wide_diagonals)
        return RHOMB_OK;
    RHOMB_TRY(rhomb__wavefront_await(s, &ended));
    if (ended)
        return RHOMB_OK;
    RHOMB_TRY(rhomb__wavefront_retile(s));
    rhomb__log(&s->ctx->stream, 1,
               "wavefront: from score %lld on, groups of %d, %d diagonals per item",
               (long long)start + 1, (int)s->tile.wavefront.group_size,
               (int)s->tile.wavefront.diagonals_per_item);
out:
    return status;
}

/*
 * The launches of the next batch, at least one, and the diagonals that they touch. Below the bound
 * the window of a launch has a diagonal, and so trapezoids always have a tile. Diamonds may have
 * none where the window is narrow, because the grid of every other launch leaves gaps; such a
 * launch has no tile.
 */
static int64_t plan_batch(const rhomb__wavefront *s, rhomb__window *need)
{
    const rhomb__tiling *tiling = &s->pyramid.tiling;
    const int64_t bound = rhomb__pyramid_bound(&s->pyramid, s->bound);
    const double most =
        rhomb__plan_profile(s->problem->plan)->cells_per_second * RHOMB__BATCH_SECONDS;
    const int64_t longest =
        s->pyramid.directions == 2 && !s->pyramid.watches
            ? rhomb__plan_batch_launches(&s->tile, s->batch_launches, s->pyramid.start,
                                         s->reach_score, s->reach)
            : s->batch_launches;
    int64_t launches = 0;
    double cells = 0;
    for (; launches < longest; launches++) {
        const rhomb__launch launch =
            rhomb__launch_at(tiling, s->pyramid.start + launches * tiling->scores, bound);
        if (launches > 0 && (rhomb__wavefront_ruled_out(s, launch.start) >= s->bound ||
                             cells > most || rhomb__wavefront_is_due(s, launch.start)))
            break;
        cells += (double)(s->pyramid.directions * launch.tiles * rhomb__tile_cells(tiling));
        if (launch.tiles == 0)
            continue;
        const rhomb__window reach = rhomb__launch_reach(tiling, &launch);
        need->low = rhomb__min(need->low, reach.low);
        need->high = rhomb__max(need->high, reach.high);
    }
    return launches;
}

/* Where the next batch begins, and what is known by then. */
static rhomb__launch_series next_stretch(const rhomb__wavefront *s)
{
    const int64_t limit = s->problem->plan->upper_bound;
    const int64_t longer = rhomb__max(s->problem->query_length, s->problem->target_length);
    const rhomb__launch_series stretch = {
        .tiling = s->pyramid.tiling,
        .directions = s->pyramid.directions,
        .start = s->pyramid.start,
        .limit = limit < longer ? rhomb__pyramid_bound(&s->pyramid, limit) : RHOMB__NO_BOUND};
    return stretch;
}

/* Launches of a batch that were enqueued without a wait. */
typedef struct portion {
    double began;
    int64_t cells;
} portion;

/*
 * Waits within a batch, where the device is slower than its profile: when the next launches would
 * put more than RHOMB__BATCH_SECONDS of work in flight. The first portion of a batch seems slower
 * than it is, because the previous batch may still run; the next portion corrects that.
 */
static rhomb_status wait_within(rhomb__wavefront *s, portion *p)
{
    rhomb_status status = RHOMB_OK;
    if ((double)p->cells <= s->pyramid.tile_rate * RHOMB__BATCH_SECONDS)
        return RHOMB_OK;
    RHOMB_TRY(rhomb__queue_finish(&s->ctx->stream));
    const double now = rhomb__now();
    if (now > p->began)
        s->pyramid.tile_rate = s->cell_rate = (double)p->cells / (now - p->began);
    s->batches[0].paused = s->batches[1].paused = true;
    *p = (portion){now, 0};
    RHOMB_TRY(rhomb__wavefront_report(s, s->proved));
out:
    return status;
}

/*
 * Enqueues a batch and the read of the status after it. Does nothing when all wavefronts up to the
 * bound are enqueued, or when the batch in flight ends at a look.
 */
static rhomb_status enqueue_batch(rhomb__wavefront *s, rhomb__launch_batch *b)
{
    rhomb_status status = RHOMB_OK;
    rhomb__window need = {INT64_MAX, INT64_MIN};
    const bool under_way = s->batches[0].read != NULL || s->batches[1].read != NULL;
    if (rhomb__wavefront_ruled_out(s, s->pyramid.start) >= s->bound ||
        (under_way && rhomb__wavefront_is_due(s, s->pyramid.start)))
        return RHOMB_OK;
    RHOMB_TRY(widen(s));
    const int64_t launches = plan_batch(s, &need);
    bool ended = false;
    if (need.low <= need.high)
        RHOMB_TRY(hold(s, need, rhomb__max(s->pyramid.start + 1, 0), &ended));
    if (ended)
        return RHOMB_OK;
    b->stretch = next_stretch(s);
    portion since = {rhomb__now(), 0};
    b->cells = 0;
    b->tile_cells = rhomb__tile_cells(&s->pyramid.tiling);
    b->paused = false;
    for (int64_t i = 0; i < launches; i++) {
        const rhomb__launch launch = rhomb__launch_at(&s->pyramid.tiling, s->pyramid.start,
                                                      rhomb__pyramid_bound(&s->pyramid, s->bound));
        RHOMB_TRY(rhomb__pyramid_enqueue(&s->pyramid, &launch));
        b->complete = launch.complete;
        b->cells += s->pyramid.directions * launch.tiles * b->tile_cells;
        since.cells += s->pyramid.directions * launch.tiles * b->tile_cells;
        s->solution.batches++;
        if (i + 1 < launches)
            RHOMB_TRY(wait_within(s, &since));
    }
    if (need.low <= need.high)
        s->solution.diagonals_in_use =
            rhomb__max(s->solution.diagonals_in_use, need.high - need.low + 1);
    RHOMB_TRY(rhomb__pyramid_read(&s->pyramid, &b->status, &b->read));
    s->solution.reads++;
    s->batch_launches =
        rhomb__min(2 * s->batch_launches, s->problem->plan->wavefront.launches_per_read);
out:
    return status;
}

/* The device has computed the launches that start before this wavefront. */
static int64_t computed_to(const rhomb__wavefront *s, const rhomb__launch_batch *b)
{
    const rhomb_front front = rhomb__pyramid_front(&b->status, 0);
    if (b->stretch.tiling.shape == RHOMB_TILE_DIAMOND && front.distance != RHOMB_UNSOLVED)
        return rhomb__min(front.column, b->complete) - b->stretch.tiling.scores;
    return rhomb__wavefront_complete(s, b);
}

/* Takes over the results of a finished batch. */
static void account(rhomb__wavefront *s, rhomb__launch_batch *b)
{
    const double now = rhomb__now();
    const int64_t cells = (int64_t)(uint32_t)(b->status.tiles - s->tiles) * b->tile_cells;
    s->tiles = b->status.tiles;
    s->solution.cells += cells;
    rhomb__savings_add(&s->solution.saved, &b->stretch, computed_to(s, b), cells);
    if (cells > 0 && now > s->last_read && !b->paused) {
        s->pyramid.tile_rate = (double)b->cells / (now - s->last_read);
        s->cell_rate = (double)cells / (now - s->last_read);
    }
    s->last_read = now;
    s->forward = rhomb__pyramid_reach_of(&s->pyramid, &b->status, 0);
    s->reach = rhomb__pyramid_reach(&s->pyramid, &b->status);
    s->reach_score = rhomb__wavefront_complete(s, b);
    for (int i = 0; i < s->pyramid.directions; i++)
        s->bound = rhomb__min(s->bound, rhomb__pyramid_front(&b->status, i).bound);
}

/*
 * Waits for a batch and takes over its results. Launches are computed whole and in order, so only a
 * device that computes wrongly ends at other wavefronts. And a bound below the least distance that
 * the lengths allow would leave launches without a diagonal.
 */
static rhomb_status take_batch(rhomb__wavefront *s, rhomb__launch_batch *b)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__queue_wait(&s->ctx->stream, b->read));
    clReleaseEvent(b->read);
    b->read = NULL;
    const int64_t complete = rhomb__wavefront_complete(s, b);
    if (complete < s->settled || complete > b->complete ||
        (b->complete - complete) % s->pyramid.tiling.scores != 0)
        RHOMB_TRY(rhomb__fail(
            &s->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
            "%s: the wavefront is at score %lld, neither %lld nor launches before it",
            s->ctx->stream.device->info.name, (long long)complete, (long long)b->complete));
    for (int i = 0; i < s->pyramid.directions; i++) {
        const int64_t bound = rhomb__pyramid_front(&b->status, i).bound;
        if (bound < s->problem->plan->lower_bound)
            RHOMB_TRY(
                rhomb__fail(&s->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                            "%s: the wavefront says that the distance is at most %lld, and it is "
                            "at least %lld",
                            s->ctx->stream.device->info.name, (long long)bound,
                            (long long)s->problem->plan->lower_bound));
    }
    account(s, b);
out:
    return status;
}

/*
 * The device has stopped, or has reached the bound: the directions have met, or may meet soon and
 * are looked at after each launch from here on. `b` is done; another batch in flight is newer.
 */
static rhomb_status settle(rhomb__wavefront *s, rhomb__launch_batch *b, bool *done)
{
    rhomb_status status = RHOMB_OK;
    int64_t distance = 0;
    for (int i = 0; i < 2; i++) {
        if (s->batches[i].read != NULL) {
            b = &s->batches[i];
            RHOMB_TRY(take_batch(s, b));
        }
    }
    s->settled = rhomb__wavefront_complete(s, b);
    rhomb__pyramid_rewind(&s->pyramid, s->settled);
    bool met =
        b->status.met != 0 || (s->pyramid.directions == 1 &&
                               rhomb__pyramid_front(&b->status, 0).distance != RHOMB_UNSOLVED);
    if (!met && s->pyramid.directions == 2)
        RHOMB_TRY(rhomb__pyramid_look(&s->pyramid, s->bound, &met));
    /* From the second time on nothing else stops it before the bound. */
    if (!met && s->pyramid.watches && s->settled < b->complete)
        RHOMB_TRY(rhomb__fail(&s->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                              "%s: the wavefront stopped at score %lld, where nothing has met",
                              s->ctx->stream.device->info.name, (long long)s->settled));
    if (!met) {
        s->pyramid.watches = true;
        *done = rhomb__wavefront_ruled_out(s, s->pyramid.start) >= s->bound;
        return RHOMB_OK;
    }
    RHOMB_TRY(rhomb__pyramid_replay(&s->pyramid, s->bound, &distance,
                                    s->problem->wants_breakpoint ? &s->solution.breakpoint : NULL));
    /* The last launch goes beyond the limit, where pruning has left out cells. */
    if (distance <= s->problem->plan->upper_bound)
        s->solution.distance = distance;
    *done = true;
out:
    return status;
}

/* Waits for a batch and decides how to go on. */
static rhomb_status finish_batch(rhomb__wavefront *s, rhomb__launch_batch *b, bool *done)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(take_batch(s, b));
    const int64_t distance = rhomb__pyramid_front(&b->status, 0).distance;
    if (rhomb__wavefront_has_stopped(s, b) && s->pyramid.tiling.shape == RHOMB_TILE_DIAMOND) {
        if (distance <= s->problem->plan->upper_bound)
            s->solution.distance = distance;
        *done = true;
    } else if (rhomb__wavefront_has_stopped(s, b) ||
               (s->pyramid.directions == 2 &&
                rhomb__wavefront_ruled_out(s, b->complete) >= s->bound)) {
        RHOMB_TRY(settle(s, b, done));
    } else if (rhomb__wavefront_ruled_out(s, b->complete) >= s->bound) {
        *done = true;
    } else {
        RHOMB_TRY(rhomb__wavefront_report(s, rhomb__wavefront_ruled_out(s, b->complete)));
        RHOMB_TRY(rhomb__wavefront_look(s, b, rhomb__wavefront_ruled_out(s, b->complete), done));
    }
out:
    return status;
}

/*
 * The distance never exceeds the longer length, so only a limit set by the caller can leave it
 * unknown. Without one, a run that ends without a distance was computed wrongly.
 */
static rhomb_status judge(const rhomb__wavefront *s)
{
    const rhomb__plan *plan = s->problem->plan;
    const int64_t longer = rhomb__max(s->problem->query_length, s->problem->target_length);
    const int64_t distance = s->solution.distance;
    if (distance == -1 ? plan->upper_bound < longer && s->bound == plan->upper_bound
                       : distance >= plan->lower_bound && distance <= s->bound)
        return RHOMB_OK;
    return rhomb__fail(&s->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                       "%s: the wavefront ended with distance %lld, outside [%lld, %lld]",
                       s->ctx->stream.device->info.name, (long long)distance,
                       (long long)plan->lower_bound, (long long)s->bound);
}

/*
 * Takes the batch that is next in turn and enqueues another: until the distance is known, or all
 * wavefronts up to the bound are complete, or another engine should take over.
 */
static rhomb_status wavefront_advance(void *run, bool *done)
{
    rhomb_status status = RHOMB_OK;
    rhomb__wavefront *s = run;
    const int ahead = s->problem->plan->wavefront.launches_per_read > 1 ? 2 : 1;
    rhomb__launch_batch *next = &s->batches[s->turn++ % ahead];
    if (next->read != NULL)
        RHOMB_TRY(finish_batch(s, next, done));
    if (!*done)
        RHOMB_TRY(enqueue_batch(s, next));
    /* Nothing is in flight and nothing is left to enqueue: the device lost wavefronts. */
    if (!*done && s->batches[0].read == NULL && s->batches[1].read == NULL)
        status = rhomb__fail(&s->ctx->stream.error, RHOMB_ERR_INTERNAL,
                             "no score is left below the bound %lld", (long long)s->bound);
    else if (*done && s->solution.estimate == 0)
        status = judge(s);
out:
    return status;
}

static void wavefront_report(const void *run, rhomb__solution *solution)
{
    const rhomb__wavefront *s = run;
    *solution = s->solution;
    solution->launches += s->pyramid.launches;
}

static void wavefront_close(void *run)
{
    rhomb__wavefront *s = run;
    if (s == NULL)
        return;
    /* Running batches write into `s`: wait for them, whatever happened. */
    for (int i = 0; i < 2; i++) {
        if (s->batches[i].read == NULL)
            continue;
        clFinish(s->ctx->stream.queue);
        clReleaseEvent(s->batches[i].read);
    }
    rhomb__pyramid_release(&s->pyramid);
    free(s);
}

static rhomb_status wavefront_open(rhomb_context *ctx, const rhomb__programs *programs,
                                   const rhomb__problem *problem, void **run)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__plan *plan = problem->plan;
    rhomb__wavefront *s = calloc(1, sizeof *s);
    *run = s;
    if (s == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *s, "a wavefront");
    s->ctx = ctx;
    s->problem = problem;
    s->program = programs->solve;
    s->solution.distance = -1;
    s->bound = plan->upper_bound;
    s->batch_launches = rhomb__min(FIRST_BATCH_LAUNCHES, plan->wavefront.launches_per_read);
    s->began = s->last_read = rhomb__now();
    s->next_look = RHOMB__FIRST_LOOK_SECONDS;
    s->tile = *plan;
    s->tiled = *problem;
    s->tiled.plan = &s->tile;
    RHOMB_TRY(rhomb__pyramid_open(&s->pyramid, &ctx->stream, s->program, &s->tiled, s->bound));
    s->settled = s->pyramid.start;
out:
    return status;
}

const rhomb__engine rhomb__engine_wavefront = {
    .packs_for_splits = true,
    .packing = packing,
    .program = wavefront_program,
    .open = wavefront_open,
    .advance = wavefront_advance,
    .report = wavefront_report,
    .fields = rhomb__wavefront_state,
    .buffers = rhomb__wavefront_buffers,
    .pause = rhomb__wavefront_pause,
    .take_up = rhomb__wavefront_take_up,
    .close = wavefront_close,
};
