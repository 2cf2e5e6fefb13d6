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
 * Device memory: two columns for the diagonals that a batch can touch. They grow with the pyramid,
 * by a 32nd on either side at least (so a run copies each value less than 17 times on the device),
 * and never past what the bound on the distance allows.
 */
#include "engine.h"

#include "../cl/abi.h"
#include "../cl/params.def"
#include "../src/int64.h"
#include "../src/plan.h"
#include "clock.h"
#include "context.h"
#include "queue.h"

#include <stdlib.h>

/* The first batch; the time that a batch and a launch may take by the rate measured so far. */
#define FIRST_BATCH_BANDS 4
#define BATCH_SECONDS     0.2
#define LAUNCH_SECONDS    0.05
#define GROWTH_SHARE      32

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
    int64_t complete; /* columns that are complete when it is done */
    int64_t cells;    /* that its tiles have, pruned ones included */
} batch;

typedef struct solver {
    rhomb_context *ctx;
    const rhomb__problem *problem;
    rhomb__solution *solution;
    rhomb__tiling tiling;
    cl_kernel kernel;
    rhomb__buffer status;
    rhomb__buffer columns[2];
    rhomb__window held; /* diagonals that the columns hold */
    int64_t band;       /* the next one to enqueue */
    int64_t bound;      /* on the distance, as read last */
    int32_t front;      /* that the next band reads */
    int32_t source;     /* the column that the next trapezoid reads */
    uint32_t tiles;     /* as read last, modulo 2^32 */
    double began;
    double last_read;
    double next_look; /* when to ask whether another engine should take over */
    double pace;      /* the least column / reach of any look */
    double tile_rate; /* cells a second that launches had, pruned tiles included: for pacing */
    double cell_rate; /* cells a second that were computed: for the caller */
    int64_t batch_bands;
    bool calibrated; /* problem->calibrate was called */
    batch batches[2];
} solver;

static rhomb__packing pack_target(const rhomb_plan *plan)
{
    return rhomb__packing_windows(plan->target_length, plan->symbol_bits);
}

static rhomb__packing pack_query(const rhomb_plan *plan)
{
    return rhomb__packing_windows(plan->query_length, plan->symbol_bits);
}

static rhomb_status wavefront_program(rhomb_context *ctx, const rhomb_plan *plan,
                                      rhomb__program **out)
{
    const int32_t SYMBOL_BITS = plan->symbol_bits;
    const int32_t OFFSET_BITS = plan->offset_bits;
    const int32_t GROUP_SIZE = plan->group_size;
    const int32_t ITEM_DIAGONALS = plan->diagonals_per_item;
    const int32_t TILE_COLUMNS = plan->tile_columns;
    const int32_t TILE_SHAPE =
        plan->tile_shape == RHOMB_TILE_DIAMOND ? RHOMB_SHAPE_DIAMOND : RHOMB_SHAPE_TRAPEZOID;
    const rhomb__parameter parameters[] = {RHOMB_WAVEFRONT_PARAMS(RHOMB__PARAMETER)};
    return rhomb__program_with(ctx, &rhomb__source_wavefront, parameters,
                               sizeof parameters / sizeof parameters[0], out);
}

static int64_t offset_bytes(const solver *s)
{
    return s->problem->plan->offset_bits / 8;
}

/* Fills elements [from, to) of a column with "no offset", which a load replaces by the floor. */
static rhomb_status clear_column(solver *s, const rhomb__buffer *column, int64_t from, int64_t to)
{
    rhomb_status status = RHOMB_OK;
    const int64_t none64 = -INT64_C(0x4000000000000000);
    const int32_t none32 = -0x40000000;
    const int64_t bytes = offset_bytes(s);
    if (to > from)
        RHOMB_CL(s->ctx,
                 clEnqueueFillBuffer(s->ctx->device->queue, column->handle,
                                     bytes == 8 ? (const void *)&none64 : (const void *)&none32,
                                     (size_t)bytes, (size_t)(from * bytes),
                                     (size_t)((to - from) * bytes), 0, NULL, NULL));
out:
    return status;
}

/* Replaces one column by a larger one; what it held and the new one holds too is copied. */
static rhomb_status move_column(solver *s, rhomb__buffer *column, rhomb__window to)
{
    rhomb_status status = RHOMB_OK;
    const int64_t bytes = offset_bytes(s);
    const int64_t low = rhomb__max(s->held.low, to.low);
    const int64_t kept = rhomb__max(rhomb__min(s->held.high, to.high) - low + 1, 0);
    const int64_t size = to.high - to.low + 1;
    rhomb__buffer moved = {NULL, 0};
    RHOMB_TRY(rhomb__buffer_create(s->ctx, size * bytes, "a column of the pyramid", &moved));
    if (kept > 0)
        RHOMB_CL(s->ctx, clEnqueueCopyBuffer(s->ctx->device->queue, column->handle, moved.handle,
                                             (size_t)((low - s->held.low) * bytes),
                                             (size_t)((low - to.low) * bytes),
                                             (size_t)(kept * bytes), 0, NULL, NULL));
    RHOMB_TRY(clear_column(s, &moved, 0, kept > 0 ? low - to.low : size));
    RHOMB_TRY(clear_column(s, &moved, low - to.low + kept, kept > 0 ? size : 0));
    RHOMB_TRY(rhomb__queue_finish(s->ctx));
    rhomb__buffer_release(s->ctx, column);
    *column = moved;
out:
    if (status != RHOMB_OK)
        rhomb__buffer_release(s->ctx, &moved);
    return status;
}

/*
 * Makes the columns hold the diagonals of `need`. A trapezoid's target column holds nothing that is
 * needed once all its bands are done, so it is given back before the other one moves: the peak is
 * two columns of the new size.
 */
static rhomb_status hold(solver *s, rhomb__window need, int64_t first_column)
{
    rhomb_status status = RHOMB_OK;
    if (need.low >= s->held.low && need.high <= s->held.high && s->columns[0].handle != NULL)
        return RHOMB_OK;
    const rhomb__window most = rhomb__window_from(&s->tiling, first_column, s->bound);
    const int64_t spare = (need.high - need.low + 1) / GROWTH_SHARE + s->tiling.diagonals;
    const rhomb__window to = {
        rhomb__min(need.low, rhomb__max(most.low - s->tiling.diagonals, need.low - spare)),
        rhomb__max(need.high, rhomb__min(most.high + s->tiling.diagonals, need.high + spare))};
    RHOMB_TRY(rhomb__queue_finish(s->ctx));
    const bool trapezoids = s->tiling.shape == RHOMB_TILE_TRAPEZOID;
    const rhomb__window held = s->held;
    if (trapezoids) {
        rhomb__buffer_release(s->ctx, &s->columns[1 - s->source]);
        RHOMB_TRY(move_column(s, &s->columns[s->source], to));
        s->held.high = s->held.low - 1;
        RHOMB_TRY(move_column(s, &s->columns[1 - s->source], to));
    } else {
        RHOMB_TRY(move_column(s, &s->columns[0], to));
        RHOMB_TRY(move_column(s, &s->columns[1], to));
    }
    s->held = to;
    s->solution->column_bytes =
        rhomb__max(s->solution->column_bytes, s->columns[0].bytes + s->columns[1].bytes);
    rhomb__log(s->ctx, 2, "columns hold %lld diagonals (%lld before), %lld bytes in all",
               (long long)(to.high - to.low + 1), (long long)(held.high - held.low + 1),
               (long long)s->solution->column_bytes);
out:
    return status;
}

/* Launches the tiles of a band, in several launches if one would take too long. */
static rhomb_status launch_band(solver *s, const rhomb__band *band)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__problem *problem = s->problem;
    const bool wide = problem->plan->offset_bits == 64;
    const rhomb__buffer *from = &s->columns[s->source];
    const rhomb__buffer *to = &s->columns[1 - s->source];
    const int32_t prune = problem->plan->pruning;
    const int64_t tile_cells = rhomb__tile_cells(&s->tiling);
    const int64_t most_tiles =
        rhomb__max((int64_t)(s->tile_rate * LAUNCH_SECONDS / (double)tile_cells), INT64_C(1));
    for (int64_t tile = 0; tile < band->tiles; tile += most_tiles) {
        /* Offsets in the kernel's width: m, n, origin, first_diagonal, tile_pitch, r0. */
        const int64_t offsets64[] = {
            problem->query_length, problem->target_length,
            s->held.low,           band->first_diagonal + tile * band->pitch,
            band->pitch,           band->start};
        int32_t offsets32[6];
        const void *offsets[6];
        for (int i = 0; i < 6; i++) {
            offsets32[i] = (int32_t)offsets64[i];
            offsets[i] = wide ? (const void *)&offsets64[i] : (const void *)&offsets32[i];
        }
        const size_t size = wide ? sizeof(int64_t) : sizeof(int32_t);
        /*
         * rhomb_wavefront_band(query, target, column_a, column_b, status, m, n, prune, front,
         *                      origin, first_diagonal, tile_pitch, r0)
         */
        const rhomb__argument arguments[] = {
            RHOMB__ARGUMENT(problem->query->handle),
            RHOMB__ARGUMENT(problem->target->handle),
            RHOMB__ARGUMENT(from->handle),
            RHOMB__ARGUMENT(to->handle),
            RHOMB__ARGUMENT(s->status.handle),
            {size, offsets[0]},
            {size, offsets[1]},
            RHOMB__ARGUMENT(prune),
            RHOMB__ARGUMENT(s->front),
            {size, offsets[2]},
            {size, offsets[3]},
            {size, offsets[4]},
            {size, offsets[5]},
        };
        RHOMB_TRY(rhomb__queue_arguments(s->ctx, s->kernel, arguments,
                                         sizeof arguments / sizeof arguments[0]));
        RHOMB_TRY(rhomb__queue_launch(s->ctx, s->kernel, rhomb__min(band->tiles - tile, most_tiles),
                                      problem->plan->group_size));
        s->solution->launches++;
    }
out:
    return status;
}

/* Enqueues one band and turns columns and fronts for the next one. */
static rhomb_status enqueue_band(solver *s, const rhomb__band *band, batch *b)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(launch_band(s, band));
    if (s->tiling.shape == RHOMB_TILE_TRAPEZOID)
        s->source = 1 - s->source;
    if (band->stores_end)
        s->front = 1 - s->front;
    b->complete = band->complete;
    b->cells += band->tiles * rhomb__tile_cells(&s->tiling);
    s->band++;
    s->solution->bands++;
out:
    return status;
}

/* The bands of the next batch, and the diagonals that they touch. */
static int64_t plan_batch(const solver *s, rhomb__window *need)
{
    int64_t bands = 0;
    double cells = 0;
    for (; bands < s->batch_bands; bands++) {
        const rhomb__band band = rhomb__band_at(&s->tiling, s->band + bands, s->bound);
        if (band.start >= s->bound || (bands > 0 && cells > s->tile_rate * BATCH_SECONDS))
            break;
        cells += (double)band.tiles * (double)rhomb__tile_cells(&s->tiling);
        if (band.tiles == 0)
            continue;
        const rhomb__window reach = rhomb__band_reach(&s->tiling, &band);
        need->low = rhomb__min(need->low, reach.low);
        need->high = rhomb__max(need->high, reach.high);
    }
    return bands;
}

/*
 * Enqueues a batch and the read of the status behind it. Nothing happens when all columns up to the
 * bound are enqueued.
 */
static rhomb_status enqueue_batch(solver *s, batch *b)
{
    rhomb_status status = RHOMB_OK;
    rhomb__window need = {INT64_MAX, INT64_MIN};
    const int64_t bands = plan_batch(s, &need);
    if (bands == 0)
        return RHOMB_OK;
    const int64_t first = rhomb__band_at(&s->tiling, s->band, s->bound).start + 1;
    if (need.low <= need.high)
        RHOMB_TRY(hold(s, need, rhomb__max(first, 0)));
    b->cells = 0;
    for (int64_t i = 0; i < bands; i++) {
        const rhomb__band band = rhomb__band_at(&s->tiling, s->band, s->bound);
        RHOMB_TRY(enqueue_band(s, &band, b));
    }
    if (need.low <= need.high)
        s->solution->diagonals_in_use =
            rhomb__max(s->solution->diagonals_in_use, need.high - need.low + 1);
    RHOMB_CL(s->ctx, clEnqueueReadBuffer(s->ctx->device->queue, s->status.handle, CL_FALSE, 0,
                                         sizeof b->status, &b->status, 0, NULL, &b->read));
    RHOMB_CL(s->ctx, clFlush(s->ctx->device->queue));
    s->solution->reads++;
    s->batch_bands = rhomb__min(2 * s->batch_bands, s->problem->plan->bands_per_read);
out:
    return status;
}

/* The newer of the two fronts: the one whose column is further, or that has the distance. */
static rhomb_front newer_front(const rhomb_wavefront_status *status)
{
    const rhomb_front *a = &status->front[0], *b = &status->front[1];
    if ((a->distance != RHOMB_UNSOLVED) != (b->distance != RHOMB_UNSOLVED))
        return a->distance != RHOMB_UNSOLVED ? *a : *b;
    return a->column > b->column ? *a : *b;
}

/*
 * Tells the caller how far the run has come. If the end diagonal goes on as it did, its offset
 * reaches n at column n / (reach / column); work grows with the square of the columns.
 */
static rhomb_status report_progress(const solver *s, const rhomb_front *front, int64_t complete)
{
    const rhomb_options *options = s->problem->options;
    if (options->progress == NULL)
        return RHOMB_OK;
    const double done = (double)complete;
    double expected = (double)s->bound;
    if (front->reach > 0 && front->column > 0)
        expected = (double)front->column * (double)s->problem->target_length / (double)front->reach;
    expected = expected > (double)s->bound ? (double)s->bound : expected < done ? done : expected;
    rhomb_progress progress = {0};
    progress.lower_bound =
        rhomb__max(s->problem->plan->lower_bound, rhomb__min(complete + 1, s->bound));
    progress.upper_bound = s->bound;
    progress.fraction = expected > 0 ? done * done / (expected * expected) : 0;
    progress.seconds = rhomb__now() - s->problem->began;
    progress.eta_seconds =
        progress.fraction > 0 ? progress.seconds * (1 / progress.fraction - 1) : -1;
    progress.cells_per_second = s->cell_rate;
    if (options->progress(&progress, options->progress_user) != 0)
        return rhomb__fail(&s->ctx->error, RHOMB_ERR_CANCELLED, "stopped at distance > %lld",
                           (long long)complete);
    return RHOMB_OK;
}

/* The furthest antidiagonal i + j that the columns enqueued so far come to. */
static rhomb_status read_reach(solver *s, int64_t *reach)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__buffer *column =
        &s->columns[s->tiling.shape == RHOMB_TILE_DIAMOND ? 1 : s->source];
    const bool wide = offset_bytes(s) == 8;
    void *offsets = malloc((size_t)column->bytes);
    *reach = 0;
    if (offsets == NULL)
        return rhomb__fail_memory(&s->ctx->error, (size_t)column->bytes, "a column of the pyramid");
    RHOMB_CL(s->ctx, clEnqueueReadBuffer(s->ctx->device->queue, column->handle, CL_TRUE, 0,
                                         (size_t)column->bytes, offsets, 0, NULL, NULL));
    for (int64_t k = s->held.low; k <= s->held.high; k++) {
        const int64_t at = k - s->held.low;
        const int64_t offset =
            wide ? ((const int64_t *)offsets)[at] : ((const int32_t *)offsets)[at];
        *reach = rhomb__max(*reach, 2 * offset - k);
    }
out:
    free(offsets);
    return status;
}

/* Has guessed rates measured where that pays; the time that it takes is none of the run's. */
static rhomb_status know_rates(solver *s, const rhomb__look *sight)
{
    const rhomb__problem *problem = s->problem;
    const double began = rhomb__now();
    if (problem->calibrate == NULL || s->calibrated ||
        !rhomb__plan_wants_rates(problem->plan, sight))
        return RHOMB_OK;
    s->calibrated = true;
    const rhomb_status status = problem->calibrate(s->ctx, problem->user);
    s->began += rhomb__now() - began;
    return status;
}

/*
 * Asks the planner, now and then, whether the other engine should take over; columns up to
 * `complete` are known to be no solution. The looks grow rarer with the time that the run has
 * taken, since each waits for all that is enqueued.
 */
static rhomb_status consider_switch(solver *s, int64_t complete, bool *done)
{
    rhomb_status status = RHOMB_OK;
    const double seconds = rhomb__now() - s->began;
    int64_t reach = 0, estimate = 0;
    if (!s->problem->plan->may_switch || seconds < s->next_look)
        return RHOMB_OK;
    const int64_t column = rhomb__max(s->batches[0].complete, s->batches[1].complete);
    RHOMB_TRY(read_reach(s, &reach));
    const double pace = (double)column / (double)rhomb__max(reach, 1);
    s->pace = s->pace > 0 && s->pace < pace ? s->pace : pace;
    const rhomb__look sight = {seconds, column, reach, s->pace};
    RHOMB_TRY(know_rates(s, &sight));
    if (rhomb__plan_should_switch(s->problem->plan, &sight, &estimate)) {
        s->solution->estimate = estimate;
        s->solution->proved = complete;
        /* A bound that is just the caller's limit says nothing of the distance. */
        s->solution->bound =
            s->bound < s->problem->plan->upper_bound ? s->bound : s->problem->upper_bound;
        *done = true;
        rhomb__log(s->ctx, 1, "wavefront: column %lld comes to %.1f %%; distance expected %lld",
                   (long long)column,
                   100.0 * (double)reach /
                       (double)(s->problem->target_length + s->problem->query_length),
                   (long long)estimate);
    }
    s->next_look = LOOK_GROWTH * seconds;
out:
    return status;
}

/* Waits for a batch and takes what it says. */
static rhomb_status finish_batch(solver *s, batch *b, bool *done)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__queue_wait(s->ctx, b->read));
    clReleaseEvent(b->read);
    b->read = NULL;
    const double now = rhomb__now();
    const rhomb_front front = newer_front(&b->status);
    const int64_t cells =
        (int64_t)(uint32_t)(b->status.tiles - s->tiles) * rhomb__tile_cells(&s->tiling);
    s->tiles = b->status.tiles;
    s->solution->cells += cells;
    if (cells > 0 && now > s->last_read) {
        s->tile_rate = (double)b->cells / (now - s->last_read);
        s->cell_rate = (double)cells / (now - s->last_read);
    }
    s->last_read = now;
    s->bound = rhomb__min(s->bound, front.bound);
    if (front.distance != RHOMB_UNSOLVED) {
        /* The last band goes beyond the limit, where pruning has left cells out. */
        if (front.distance <= s->problem->plan->upper_bound)
            s->solution->distance = front.distance;
        *done = true;
    } else if (b->complete >= s->bound) {
        *done = true;
    } else {
        RHOMB_TRY(report_progress(s, &front, b->complete));
        RHOMB_TRY(consider_switch(s, b->complete, done));
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
                       (long long)longer);
}

static rhomb_status prepare(solver *s, const rhomb__program *program)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    /* Column 0 on the end diagonal: without an edit, diagonals below 0 start outside the matrix. */
    const int64_t end_diagonal = s->problem->target_length - s->problem->query_length;
    const rhomb_front front = {RHOMB_UNSOLVED, s->bound, rhomb__min(end_diagonal, 0), 0};
    const rhomb_wavefront_status initial = {{front, front}, 0, 0};
    RHOMB_CL_OUT(s->ctx, code,
                 s->kernel = clCreateKernel(program->handle, "rhomb_wavefront_band", &code));
    RHOMB_TRY(rhomb__buffer_create(s->ctx, sizeof initial, "the status record", &s->status));
    RHOMB_CL(s->ctx, clEnqueueWriteBuffer(s->ctx->device->queue, s->status.handle, CL_TRUE, 0,
                                          sizeof initial, &initial, 0, NULL, NULL));
out:
    return status;
}

static void release(solver *s)
{
    for (int i = 0; i < 2; i++) {
        if (s->batches[i].read != NULL)
            clReleaseEvent(s->batches[i].read);
        rhomb__buffer_release(s->ctx, &s->columns[i]);
    }
    rhomb__buffer_release(s->ctx, &s->status);
    if (s->kernel != NULL)
        clReleaseKernel(s->kernel);
}

static rhomb_status wavefront_solve(rhomb_context *ctx, const rhomb__program *program,
                                    const rhomb__problem *problem, rhomb__solution *solution)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_plan *plan = problem->plan;
    const rhomb__solution unsolved = {.distance = -1};
    *solution = unsolved;
    solver s = {.ctx = ctx, .problem = problem, .solution = solution};
    s.tiling = rhomb__plan_tiling(plan, problem->target_length, problem->query_length);
    s.held.high = -1;
    s.band = problem->first_column / plan->tile_columns;
    s.bound = plan->upper_bound;
    s.batch_bands = rhomb__min(FIRST_BATCH_BANDS, plan->bands_per_read);
    s.tile_rate = plan->cells_per_second;
    s.began = s.last_read = rhomb__now();
    s.next_look = FIRST_LOOK_SECONDS;
    RHOMB_TRY(prepare(&s, program));
    RHOMB_TRY(run(&s));
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
