/* SPDX-License-Identifier: MIT */
/*
 * The wavefront engine (cl/wavefront.cl): enqueues band after band of the pyramid and reads the
 * status record once for about a hundred of them (Castells-Rufas 2023, sections 4.1.3 and 4.2.3).
 *
 * The in-order queue is the only barrier between bands. Bands are enqueued in *batches*, each with
 * one read of the status at its end. Two batches are under way, so that the device never waits for
 * the host: while one is read, the next one runs. Batches begin small, because a small distance is
 * found soon, double up to the plan's bands, and stay below BATCH_SECONDS, so that cancelling is
 * prompt and drivers that fail on long queues are never tried. Bands that were enqueued behind the
 * end do nothing.
 *
 * Two directions (cl/wavefront.clh). The device notes how far each has come, and stops before a
 * band when they may have met. The host then drains the queue, looks, and goes on with a look
 * behind each band, on the device, until they have met. Which sum of columns is the first, is found
 * by computing that band again, from the older of the two columns and in parts. With one direction
 * it is the end diagonal that stops the device.
 *
 * Device memory: two columns for the diagonals that a batch can touch. They grow with the pyramid,
 * by a 32nd on either side and more while they are small (so a run copies each value less than 17
 * times), and never past what the bound on the distance allows.
 */
#include "engine.h"

#include "../cl/params.def"
#include "../src/int64.h"
#include "../src/plan.h"
#include "beam.h"
#include "clock.h"
#include "context.h"
#include "queue.h"

/* The first batch; the time that a batch may take by the rate measured so far. */
#define FIRST_BATCH_BANDS 4
#define BATCH_SECONDS     0.2
#define GROWTH_SHARE      32
/* Diagonals that columns grow by at least: waiting and copying for fewer costs more than memory. */
#define LEAST_GROWTH (INT64_C(1) << 15)

/*
 * The first look at whether another engine should take over, and by how much longer the run has
 * taken at each further one.
 */
#define FIRST_LOOK_SECONDS 0.0004
#define LOOK_GROWTH        1.5

/* Some bands with one read of the status behind them. */
typedef struct batch {
    cl_event read; /* NULL: not under way */
    rhomb_wavefront_status status;
    int64_t complete;   /* columns that are complete when it is done */
    int64_t cells;      /* that its tiles have, pruned ones included */
    int64_t tile_cells; /* of one of them */
    bool paused;        /* the device did something else meanwhile: its time says nothing */
    rhomb__stretch stretch;
} batch;

typedef struct solver {
    rhomb_context *ctx;
    const rhomb__problem *problem;
    const rhomb__program *program;
    rhomb__solution *solution;
    rhomb__pyramid pyramid;
    rhomb_plan tile;      /* the plan as it is carried out: its tile may have changed */
    rhomb__problem tiled; /* the problem with that plan */
    int64_t bound;        /* on the distance, as read last, or from a beam */
    int64_t reach;        /* antidiagonals of both directions together, as read last */
    uint32_t tiles;       /* as read last, modulo 2^32 */
    int64_t settled;      /* columns that were complete at first, or when the device last stopped */
    double began;
    double last_read;
    double next_look;        /* when to ask the planner how to go on */
    double pace;             /* the least column / reach of any look */
    bool may_beam;           /* a beam may still be asked for ... */
    int64_t beam_column;     /* ... if it may go twice as far as the last one */
    double cell_rate;        /* cells a second that were computed: for the caller */
    rhomb_progress progress; /* as the caller was told last */
    int64_t batch_bands;
    bool calibrated; /* problem->calibrate was called */
    batch batches[2];
} solver;

static rhomb__packing pack_target(const rhomb_plan *plan)
{
    return rhomb__packing_windows(plan->target_length, plan->planes, plan->directions);
}

static rhomb__packing pack_query(const rhomb_plan *plan)
{
    return rhomb__packing_windows(plan->query_length, plan->planes, plan->directions);
}

static rhomb_status wavefront_program(rhomb_context *ctx, const rhomb_plan *plan,
                                      rhomb__program **out)
{
    const int32_t PLANES = plan->planes;
    const int32_t OFFSET_BITS = plan->offset_bits;
    const int32_t GROUP_SIZE = plan->group_size;
    const int32_t ITEM_DIAGONALS = plan->diagonals_per_item;
    const int32_t TILE_COLUMNS = plan->tile_columns;
    const rhomb__parameter parameters[] = {RHOMB_WAVEFRONT_PARAMS(RHOMB__PARAMETER)};
    const rhomb__kernel_source *source = plan->tile_shape == RHOMB_TILE_DIAMOND
                                             ? &rhomb__source_wavefront_diamond
                                             : &rhomb__source_wavefront;
    return rhomb__program_with(ctx, source, parameters, sizeof parameters / sizeof parameters[0],
                               out);
}

/* The column that everything up to has come to, by a status record. */
static int64_t complete_of(const solver *s, const batch *b)
{
    if (s->pyramid.tiling.shape == RHOMB_TILE_DIAMOND)
        return b->complete;
    return rhomb__max(b->status.complete[0], b->status.complete[1]);
}

/* Whether the device has stopped before the end of a batch, or would behind it. */
static bool has_stopped(const solver *s, const batch *b)
{
    const rhomb__problem *problem = s->problem;
    if (s->pyramid.directions == 1)
        return rhomb__pyramid_front(&b->status, 0).distance != RHOMB_UNSOLVED;
    return b->status.met != 0 || complete_of(s, b) < b->complete ||
           (!s->pyramid.watches && rhomb__pyramid_reach(&s->pyramid, &b->status) >=
                                       problem->query_length + problem->target_length);
}

/* Waits for what is under way. Where that has come to an end, there is nothing to decide. */
static rhomb_status await_batches(const solver *s, bool *ended)
{
    rhomb_status status = RHOMB_OK;
    for (int i = 0; i < 2; i++) {
        const batch *b = &s->batches[i];
        if (b->read == NULL)
            continue;
        RHOMB_TRY(rhomb__queue_wait(s->ctx, b->read));
        *ended = *ended || has_stopped(s, b);
    }
out:
    return status;
}

/*
 * Makes the columns hold the diagonals of `need`, and some more where they have to grow. They do
 * not where that would lose the column from which the last band has to be computed again.
 */
static rhomb_status hold(solver *s, rhomb__window need, int64_t first_column, bool *ended)
{
    rhomb_status status = RHOMB_OK;
    rhomb__pyramid *pyramid = &s->pyramid;
    const rhomb__window held = pyramid->held;
    if (need.low >= held.low && need.high <= held.high && pyramid->columns[0].handle != NULL)
        return RHOMB_OK;
    RHOMB_TRY(await_batches(s, ended));
    if (*ended)
        return RHOMB_OK;
    const int64_t tile = pyramid->tiling.diagonals;
    const rhomb__window most =
        rhomb__window_from(&pyramid->tiling, first_column, rhomb__pyramid_bound(pyramid, s->bound));
    const int64_t spare =
        rhomb__max((need.high - need.low + 1) / GROWTH_SHARE, LEAST_GROWTH) + tile;
    const rhomb__window to = {
        rhomb__min(need.low, rhomb__max(most.low - tile, need.low - spare)),
        rhomb__max(need.high, rhomb__min(most.high + tile, need.high + spare))};
    RHOMB_TRY(rhomb__pyramid_hold(pyramid, to));
    s->solution->column_bytes = rhomb__max(s->solution->column_bytes,
                                           pyramid->columns[0].bytes + pyramid->columns[1].bytes);
    rhomb__log(s->ctx, 2, "columns hold %lld diagonals (%lld before), %lld bytes in all",
               (long long)(to.high - to.low + 1), (long long)(held.high - held.low + 1),
               (long long)s->solution->column_bytes);
out:
    return status;
}

/* The tile for a wide pyramid takes over, once the next band is wide and nothing is under way. */
static rhomb_status widen(solver *s)
{
    rhomb_status status = RHOMB_OK;
    rhomb__program *program = NULL, *pack = NULL;
    bool ended = false;
    const int64_t start = s->pyramid.start;
    if (s->tile.wide_group_size == 0)
        return RHOMB_OK;
    const rhomb__window window = rhomb__window_of(&s->pyramid.tiling, start, start, s->bound);
    if (s->pyramid.directions * (window.high - window.low + 1) < s->tile.wide_diagonals)
        return RHOMB_OK;
    RHOMB_TRY(await_batches(s, &ended));
    if (ended)
        return RHOMB_OK;
    const double began = rhomb__now();
    s->tile = rhomb__plan_wide(&s->tile);
    s->batches[0].paused = s->batches[1].paused = true;
    RHOMB_TRY(rhomb__engine_programs(s->ctx, &rhomb__engine_wavefront, &s->tile, &program, &pack));
    RHOMB_TRY(rhomb__pyramid_retile(&s->pyramid, program));
    s->program = program;
    s->solution->build_seconds += rhomb__now() - began;
    rhomb__log(s->ctx, 1, "wavefront: from column %lld on groups of %d, %d diagonals an item",
               (long long)start + 1, (int)s->tile.group_size, (int)s->tile.diagonals_per_item);
out:
    return status;
}

/* The largest distance that is ruled out when all columns up to `column` are complete. */
static int64_t ruled_out(const solver *s, int64_t column)
{
    return s->pyramid.directions * column;
}

/* The bands of the next batch, and the diagonals that they touch. */
static int64_t plan_batch(const solver *s, rhomb__window *need)
{
    const rhomb__tiling *tiling = &s->pyramid.tiling;
    const int64_t bound = rhomb__pyramid_bound(&s->pyramid, s->bound);
    int64_t bands = 0;
    double cells = 0;
    for (; bands < s->batch_bands; bands++) {
        const rhomb__band band =
            rhomb__band_at(tiling, s->pyramid.start + bands * tiling->columns, bound);
        if (ruled_out(s, band.start) >= s->bound ||
            (bands > 0 && cells > s->pyramid.tile_rate * BATCH_SECONDS))
            break;
        cells += (double)(s->pyramid.directions * band.tiles * rhomb__tile_cells(tiling));
        if (band.tiles == 0)
            continue;
        const rhomb__window reach = rhomb__band_reach(tiling, &band);
        need->low = rhomb__min(need->low, reach.low);
        need->high = rhomb__max(need->high, reach.high);
    }
    return bands;
}

/* Where the next batch begins, and what is known by then. */
static rhomb__stretch next_stretch(const solver *s)
{
    const int64_t limit = s->problem->plan->upper_bound, beam = s->solution->beam_bound;
    const int64_t longer = rhomb__max(s->problem->query_length, s->problem->target_length);
    const rhomb__stretch stretch = {
        .tiling = s->pyramid.tiling,
        .directions = s->pyramid.directions,
        .start = s->pyramid.start,
        .limit = limit < longer ? rhomb__pyramid_bound(&s->pyramid, limit) : RHOMB__NO_BOUND,
        .beam = beam > 0 ? rhomb__pyramid_bound(&s->pyramid, beam) : RHOMB__NO_BOUND};
    return stretch;
}

/*
 * Enqueues a batch and the read of the status behind it. Nothing happens when all columns up to the
 * bound are enqueued.
 */
static rhomb_status enqueue_batch(solver *s, batch *b)
{
    rhomb_status status = RHOMB_OK;
    rhomb__window need = {INT64_MAX, INT64_MIN};
    RHOMB_TRY(widen(s));
    const int64_t bands = plan_batch(s, &need);
    if (bands == 0)
        return RHOMB_OK;
    bool ended = false;
    if (need.low <= need.high)
        RHOMB_TRY(hold(s, need, rhomb__max(s->pyramid.start + 1, 0), &ended));
    if (ended)
        return RHOMB_OK;
    b->stretch = next_stretch(s);
    b->cells = 0;
    b->tile_cells = rhomb__tile_cells(&s->pyramid.tiling);
    b->paused = false;
    for (int64_t i = 0; i < bands; i++) {
        const rhomb__band band = rhomb__band_at(&s->pyramid.tiling, s->pyramid.start,
                                                rhomb__pyramid_bound(&s->pyramid, s->bound));
        RHOMB_TRY(rhomb__pyramid_enqueue(&s->pyramid, &band));
        b->complete = band.complete;
        b->cells += s->pyramid.directions * band.tiles * b->tile_cells;
        s->solution->bands++;
    }
    if (need.low <= need.high)
        s->solution->diagonals_in_use =
            rhomb__max(s->solution->diagonals_in_use, need.high - need.low + 1);
    RHOMB_TRY(rhomb__pyramid_read(&s->pyramid, &b->status, &b->read));
    s->solution->reads++;
    s->batch_bands = rhomb__min(2 * s->batch_bands, s->problem->plan->bands_per_read);
out:
    return status;
}

/*
 * Tells the caller how far the solver has come. If antidiagonals go on as they did, they reach the
 * end at column (n + m) / (reach / column); work grows with the square of the columns.
 */
static rhomb_status report_progress(solver *s, int64_t proved)
{
    const rhomb_options *options = s->problem->options;
    if (options->progress == NULL)
        return RHOMB_OK;
    const double done = (double)rhomb__max(proved, 0);
    const double letters = (double)s->problem->query_length + (double)s->problem->target_length;
    double expected = (double)s->bound;
    if (s->reach > 0 && done > 0)
        expected = done * letters / (double)s->reach;
    expected = expected > (double)s->bound ? (double)s->bound : expected < done ? done : expected;
    rhomb_progress *progress = &s->progress;
    progress->lower_bound =
        rhomb__max(s->problem->plan->lower_bound, rhomb__min(proved + 1, s->bound));
    progress->upper_bound = s->bound;
    progress->fraction = expected > 0 ? done * done / (expected * expected) : 0;
    progress->seconds = rhomb__now() - s->problem->began;
    progress->eta_seconds =
        progress->fraction > 0 ? progress->seconds * (1 / progress->fraction - 1) : -1;
    progress->cells_per_second = s->cell_rate;
    if (options->progress(progress, options->progress_user) != 0)
        return rhomb__fail(&s->ctx->error, RHOMB_ERR_CANCELLED, "stopped at distance > %lld",
                           (long long)proved);
    return RHOMB_OK;
}

/* Runs a beam from the columns enqueued so far, and lets the device know what it gives. */
static rhomb_status run_beam(solver *s, const rhomb__beam_order *order)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    rhomb__beam_result beam;
    s->batches[0].paused = s->batches[1].paused = true;
    RHOMB_TRY(rhomb__beam_run(&s->pyramid, s->program, order, &beam));
    s->may_beam = !beam.reaches_end;
    s->beam_column = order->budget.column;
    s->solution->beam_cells += beam.cells;
    s->solution->launches += beam.launches;
    s->solution->reads += beam.reads;
    const double seconds = rhomb__now() - began;
    s->began += seconds;
    if (beam.bound < s->bound) {
        s->solution->beam_bound = s->bound = beam.bound;
        RHOMB_TRY(rhomb__pyramid_tighten(&s->pyramid, beam.bound));
    }
    if (beam.bound < order->bound)
        rhomb__log(s->ctx, 1,
                   "beam: the distance is at most %lld; columns %lld to %lld took %.3f s",
                   (long long)beam.bound, (long long)order->survey.column, (long long)beam.column,
                   seconds);
    else
        rhomb__log(s->ctx, 1, "beam: no better bound; columns %lld to %lld took %.3f s",
                   (long long)order->survey.column, (long long)beam.column, seconds);
out:
    return status;
}

/* Gives up for the other engine, if the planner says so. */
static void consider_switch(solver *s, const rhomb__look *sight, int64_t proved, bool *done)
{
    const rhomb_plan *plan = s->problem->plan;
    const double letters = (double)s->problem->target_length + (double)s->problem->query_length;
    int64_t estimate = 0;
    if (!rhomb__plan_should_switch(plan, sight, &estimate))
        return;
    s->solution->estimate = estimate;
    s->solution->proved = proved;
    /* A bound that is just the caller's limit says nothing of the distance. */
    s->solution->bound = s->bound < plan->upper_bound ? s->bound : s->problem->upper_bound;
    *done = true;
    rhomb__log(s->ctx, 1,
               "wavefront: column %lld comes to %.1f %% of the pair; for the distance expected, "
               "%lld, the bit-parallel engine is quicker",
               (long long)sight->column, 100.0 * (double)sight->reach / letters,
               (long long)estimate);
}

/* Has guessed rates measured where that pays; the time that it takes is none of the run's. */
static rhomb_status know_rates(solver *s, const rhomb__look *sight)
{
    const rhomb__problem *problem = s->problem;
    const double began = rhomb__now();
    if (problem->calibrate == NULL || s->calibrated ||
        !rhomb__plan_wants_rates(problem->plan, sight))
        return RHOMB_OK;
    s->calibrated = s->batches[0].paused = s->batches[1].paused = true;
    const rhomb_status status = problem->calibrate(s->ctx, problem->user);
    s->began += rhomb__now() - began;
    return status;
}

/* What the planner is asked about: the furthest column that anything under way has come to. */
static rhomb_status look_around(solver *s, rhomb__look *sight, rhomb__survey *survey)
{
    rhomb_status status = RHOMB_OK;
    const batch *newest = &s->batches[s->batches[0].complete < s->batches[1].complete];
    const int64_t column = newest->complete;
    s->reach = rhomb__pyramid_reach(&s->pyramid, &newest->status);
    if (s->may_beam || s->pyramid.tiling.shape == RHOMB_TILE_DIAMOND)
        RHOMB_TRY(rhomb__pyramid_survey(&s->pyramid, s->pyramid.held, column,
                                        rhomb__beam_near(s->problem->plan->beam_least), survey));
    if (s->pyramid.tiling.shape == RHOMB_TILE_DIAMOND)
        s->reach = survey->reach;
    const int64_t sum = ruled_out(s, column);
    const double pace = (double)sum / (double)rhomb__max(s->reach, 1);
    s->pace = s->pace > 0 && s->pace < pace ? s->pace : pace;
    sight->column = sum;
    sight->reach = s->reach;
    sight->pace = s->pace;
    sight->beam_bound = s->solution->beam_bound;
out:
    return status;
}

/*
 * Asks the planner, now and then, whether a beam would pay and whether the other engine should take
 * over; distances up to `proved` are ruled out. The looks grow rarer with the time that the run has
 * taken, since each waits for all that is enqueued.
 */
static rhomb_status look(solver *s, int64_t proved, bool *done)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_plan *plan = s->problem->plan;
    rhomb__look sight = {.seconds = rhomb__now() - s->began};
    rhomb__beam_order order = {.bound = s->bound, .progress = s->progress};
    if ((!plan->may_switch && !s->may_beam) || sight.seconds < s->next_look)
        return RHOMB_OK;
    s->next_look = LOOK_GROWTH * sight.seconds;
    bool ended = false;
    RHOMB_TRY(await_batches(s, &ended));
    if (ended)
        return RHOMB_OK;
    RHOMB_TRY(look_around(s, &sight, &order.survey));
    RHOMB_TRY(know_rates(s, &sight));
    if (s->may_beam && rhomb__plan_should_beam(plan, &sight, &order.budget) &&
        order.budget.column >= 2 * s->beam_column)
        RHOMB_TRY(run_beam(s, &order));
    sight.beam_bound = s->solution->beam_bound;
    consider_switch(s, &sight, proved, done);
out:
    return status;
}

/* The column before which the bands start that the device came to. */
static int64_t computed_to(const solver *s, const batch *b)
{
    const rhomb_front front = rhomb__pyramid_front(&b->status, 0);
    if (b->stretch.tiling.shape == RHOMB_TILE_DIAMOND && front.distance != RHOMB_UNSOLVED)
        return front.column - b->stretch.tiling.columns;
    return complete_of(s, b);
}

/* Takes what a batch that is done says. */
static void account(solver *s, batch *b)
{
    const double now = rhomb__now();
    const int64_t cells = (int64_t)(uint32_t)(b->status.tiles - s->tiles) * b->tile_cells;
    s->tiles = b->status.tiles;
    s->solution->cells += cells;
    rhomb__savings_add(&s->solution->saved, &b->stretch, computed_to(s, b), cells);
    if (cells > 0 && now > s->last_read && !b->paused) {
        s->pyramid.tile_rate = (double)b->cells / (now - s->last_read);
        s->cell_rate = (double)cells / (now - s->last_read);
    }
    s->last_read = now;
    s->reach = rhomb__pyramid_reach(&s->pyramid, &b->status);
    for (int i = 0; i < s->pyramid.directions; i++)
        s->bound = rhomb__min(s->bound, rhomb__pyramid_front(&b->status, i).bound);
}

/*
 * Waits for a batch and takes what it says. Bands are computed whole and in order, so that only a
 * device that computes wrongly has come to other columns.
 */
static rhomb_status take_batch(solver *s, batch *b)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__queue_wait(s->ctx, b->read));
    clReleaseEvent(b->read);
    b->read = NULL;
    account(s, b);
    const int64_t complete = complete_of(s, b);
    if (complete < s->settled || complete > b->complete ||
        (b->complete - complete) % s->pyramid.tiling.columns != 0)
        status =
            rhomb__fail(&s->ctx->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                        "%s: the wavefront is at column %lld, neither %lld nor bands before it",
                        s->ctx->device->info.name, (long long)complete, (long long)b->complete);
out:
    return status;
}

/*
 * The device has stopped, or has come to the bound: by now the directions have met, or they may do
 * so soon and are looked at after each band from here on. `b` is done; if another batch is under
 * way, it is newer.
 */
static rhomb_status settle(solver *s, batch *b, bool *done)
{
    rhomb_status status = RHOMB_OK;
    int64_t distance = 0;
    for (int i = 0; i < 2; i++) {
        if (s->batches[i].read != NULL) {
            b = &s->batches[i];
            RHOMB_TRY(take_batch(s, b));
        }
    }
    s->settled = complete_of(s, b);
    rhomb__pyramid_rewind(&s->pyramid, s->settled);
    bool met =
        b->status.met != 0 || (s->pyramid.directions == 1 &&
                               rhomb__pyramid_front(&b->status, 0).distance != RHOMB_UNSOLVED);
    if (!met && s->pyramid.directions == 2)
        RHOMB_TRY(rhomb__pyramid_look(&s->pyramid, s->bound, &met));
    /* From the second time on only that makes it stop before the bound. */
    if (!met && s->pyramid.watches && s->settled < b->complete) {
        status = rhomb__fail(&s->ctx->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                             "%s: the wavefront stopped at column %lld, where nothing has met",
                             s->ctx->device->info.name, (long long)s->settled);
        goto out;
    }
    if (!met) {
        s->pyramid.watches = true;
        *done = ruled_out(s, s->pyramid.start) >= s->bound;
        return RHOMB_OK;
    }
    RHOMB_TRY(rhomb__pyramid_replay(&s->pyramid, s->bound, &distance));
    /* The last band goes beyond the limit, where pruning has left cells out. */
    if (distance <= s->problem->plan->upper_bound)
        s->solution->distance = distance;
    *done = true;
out:
    return status;
}

/* Waits for a batch and decides how to go on. */
static rhomb_status finish_batch(solver *s, batch *b, bool *done)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(take_batch(s, b));
    const int64_t distance = rhomb__pyramid_front(&b->status, 0).distance;
    if (has_stopped(s, b) && s->pyramid.tiling.shape == RHOMB_TILE_DIAMOND) {
        if (distance <= s->problem->plan->upper_bound)
            s->solution->distance = distance;
        *done = true;
    } else if (has_stopped(s, b) ||
               (s->pyramid.directions == 2 && ruled_out(s, b->complete) >= s->bound)) {
        RHOMB_TRY(settle(s, b, done));
    } else if (ruled_out(s, b->complete) >= s->bound) {
        *done = true;
    } else {
        RHOMB_TRY(report_progress(s, ruled_out(s, b->complete)));
        RHOMB_TRY(look(s, ruled_out(s, b->complete), done));
    }
out:
    return status;
}

/* Enqueues and reads until the distance is known or all columns up to the bound are complete. */
static rhomb_status run(solver *s)
{
    rhomb_status status = RHOMB_OK;
    const int ahead = s->problem->plan->bands_per_read > 1 ? 2 : 1;
    bool done = false;
    for (int turn = 0; !done; turn++) {
        batch *next = &s->batches[turn % ahead];
        if (next->read != NULL)
            RHOMB_TRY(finish_batch(s, next, &done));
        if (!done)
            RHOMB_TRY(enqueue_batch(s, next));
        /* Nothing under way and nothing left to enqueue: the device lost columns. */
        if (!done && s->batches[0].read == NULL && s->batches[1].read == NULL) {
            status = rhomb__fail(&s->ctx->error, RHOMB_ERR_INTERNAL,
                                 "no column is left below the bound %lld", (long long)s->bound);
            goto out;
        }
    }
out:
    return status;
}

/*
 * The distance never exceeds the longer length, so only a limit of the caller's can leave it
 * unknown: without one, a run that ends without a distance was computed wrongly.
 */
static rhomb_status judge(const solver *s)
{
    const rhomb_plan *plan = s->problem->plan;
    const int64_t longer = rhomb__max(s->problem->query_length, s->problem->target_length);
    const int64_t distance = s->solution->distance;
    if (distance == -1 ? plan->upper_bound < longer && s->bound == plan->upper_bound
                       : distance >= plan->lower_bound && distance <= s->bound)
        return RHOMB_OK;
    return rhomb__fail(&s->ctx->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                       "%s: the wavefront ended with distance %lld, outside [%lld, %lld]",
                       s->ctx->device->info.name, (long long)distance, (long long)plan->lower_bound,
                       (long long)s->bound);
}

static void release(solver *s)
{
    for (int i = 0; i < 2; i++) {
        if (s->batches[i].read != NULL)
            clReleaseEvent(s->batches[i].read);
    }
    rhomb__pyramid_release(&s->pyramid);
}

static rhomb_status wavefront_solve(rhomb_context *ctx, const rhomb__program *program,
                                    const rhomb__problem *problem, rhomb__solution *solution)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_plan *plan = problem->plan;
    const rhomb__solution unsolved = {.distance = -1};
    *solution = unsolved;
    solver s = {.ctx = ctx, .problem = problem, .program = program, .solution = solution};
    s.bound = plan->upper_bound;
    s.batch_bands = rhomb__min(FIRST_BATCH_BANDS, plan->bands_per_read);
    s.may_beam = plan->beam_diagonals > 0;
    s.began = s.last_read = rhomb__now();
    s.next_look = plan->beam_forced ? 0 : FIRST_LOOK_SECONDS;
    s.tile = *plan;
    s.tiled = *problem;
    s.tiled.plan = &s.tile;
    RHOMB_TRY(rhomb__pyramid_open(&s.pyramid, ctx, program, &s.tiled, s.bound));
    s.settled = s.pyramid.start;
    RHOMB_TRY(run(&s));
    solution->launches += s.pyramid.launches;
    if (solution->estimate == 0)
        RHOMB_TRY(judge(&s));
out:
    /* Batches that run on write into `s`: wait for them, whatever happened. */
    if (s.batches[0].read != NULL || s.batches[1].read != NULL) {
        const rhomb_status finished = rhomb__queue_finish(ctx);
        status = status == RHOMB_OK ? finished : status;
    }
    release(&s);
    return status;
}

const rhomb__engine rhomb__engine_wavefront = {"wavefront", pack_target, pack_query,
                                               wavefront_program, wavefront_solve};
