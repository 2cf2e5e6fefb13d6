/* SPDX-License-Identifier: MIT */
/*
 * The shape of a long local sweep, see long_shape.h.
 */
#include "src/planner/long_shape.h"

#include "cl/abi.h"
#include "src/base/int64.h"
#include "src/planner/fit.h"
#include "src/planner/profiles.h"
#include "src/scoring/costs.h"

#define MOST_GROUP 256
#define MOST_ROWS  32
#define MOST_STEPS 65536 /* with lanes */

static rhomb_status check(rhomb__error *error, const rhomb__long_shape *s)
{
    const int64_t most_steps = s->group_size == 1 ? MOST_STEPS : RHOMB_LONG_LOCAL_STEPS;
    if (s->group_size < 1 || s->group_size > MOST_GROUP ||
        (s->group_size & (s->group_size - 1)) != 0)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "%d items of a local sweep's group: a power of two up to %d is allowed",
                           (int)s->group_size, MOST_GROUP);
    if (s->item_rows < 1 || s->item_rows > MOST_ROWS)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "%d rows of a local sweep's item: 1 to %d are allowed",
                           (int)s->item_rows, MOST_ROWS);
    if (s->drops && (s->group_size == 1 ? s->item_rows < 2
                                        : s->item_rows < 2 * RHOMB_BATCH_LOCAL_BLOCK ||
                                              s->item_rows % RHOMB_BATCH_LOCAL_BLOCK != 0))
        return rhomb__fail(
            error, RHOMB_ERR_ARGUMENT,
            "%d rows of an item do not go with a z-drop: in vectors at least 2, else "
            "at least %d, and a multiple of %d",
            (int)s->item_rows, 2 * RHOMB_BATCH_LOCAL_BLOCK, RHOMB_BATCH_LOCAL_BLOCK);
    if (s->steps < 1 || s->steps > most_steps)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "%d steps of a local sweep's launch: 1 to %lld are allowed",
                           (int)s->steps, (long long)most_steps);
    return RHOMB_OK;
}

/* See cl/local/long_local_items.clh. */
static rhomb__local_need local_need(const rhomb__long_shape *s)
{
    const int64_t block = RHOMB_BATCH_LOCAL_BLOCK * (1 + s->pieces), cell = 3;
    const int64_t top = s->drops ? 2 * RHOMB_BATCH_LOCAL_BLOCK : 0;
    const int64_t ring = s->item_rows / RHOMB_BATCH_LOCAL_BLOCK;
    const int64_t of_item = 2 * block + s->item_rows + cell + 1 + ring * top;
    const int64_t shared = (RHOMB_LONG_LOCAL_STEPS + 1) * (block + top), cells = sizeof(rhomb_i32);
    return (rhomb__local_need){of_item * cells, shared * cells + 64};
}

rhomb_status rhomb__long_shape_make(rhomb__error *error, const rhomb_device_info *device,
                                    const rhomb_tuning *tuning, const rhomb_scoring *scoring,
                                    int64_t target_length, bool drops, rhomb__long_shape *s)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    const int64_t strips = row->local_unit_strips * (int64_t)rhomb__max(device->compute_units, 1);
    *s = (rhomb__long_shape){.pieces = rhomb__scoring_pieces(scoring), .drops = drops};
    const bool given = tuning->local_group_size != 0;
    s->group_size =
        given ? tuning->local_group_size : rhomb__group_on(device, row->local_group_size);
    s->item_rows = row->local_item_rows;
    if (s->group_size > 1)
        s->item_rows = rhomb__min((drops ? 2 : 1) * row->local_group_rows, row->local_item_rows);
    if (tuning->local_item_rows != 0)
        s->item_rows = tuning->local_item_rows;
    s->steps = s->group_size > 1
                   ? RHOMB_LONG_LOCAL_STEPS
                   : (int32_t)rhomb__min(rhomb__max(target_length / strips, row->local_least_steps),
                                         row->local_most_steps);
    if (tuning->local_steps != 0)
        s->steps = tuning->local_steps;
    else if (s->group_size > 1 && row->local_steps > 0)
        s->steps = row->local_steps;
    s->group_size = rhomb__group_fitting(device, local_need(s), s->group_size, given);
    RHOMB_TRY(check(error, s));
    s->lanes = rhomb__lanes_of_group(s->group_size);
    s->items = s->group_size * s->lanes;
    s->columns = s->lanes > 1 ? 1 : RHOMB_BATCH_LOCAL_BLOCK;
out:
    return status;
}

static int64_t strip_rows(const rhomb__long_shape *s)
{
    return (int64_t)s->items * s->item_rows;
}

int64_t rhomb__long_strips(const rhomb__long_shape *s, int64_t query_length)
{
    return rhomb__ceil_div(query_length, strip_rows(s));
}

int64_t rhomb__long_lag(const rhomb__long_shape *s)
{
    return RHOMB_LONG_LAG((int64_t)s->items, s->item_rows, s->columns, s->steps, s->drops);
}

/* Columns of a strip, some of them beyond the target. */
static int64_t strip_columns(const rhomb__long_shape *s, int64_t target_length)
{
    return target_length + (s->drops ? strip_rows(s) : 0);
}

/* All steps of a strip. */
static int64_t all_steps(const rhomb__long_shape *s, int64_t target_length)
{
    return rhomb__ceil_div(strip_columns(s, target_length), s->columns) + s->items - 1;
}

int64_t rhomb__long_launches(const rhomb__long_shape *s, int64_t target_length,
                             int64_t query_length)
{
    const int64_t strips = rhomb__long_strips(s, query_length);
    return rhomb__ceil_div((strips - 1) * rhomb__long_lag(s) + all_steps(s, target_length),
                           s->steps);
}

void rhomb__long_running(const rhomb__long_shape *s, int64_t target_length, int64_t query_length,
                         int64_t launch, int64_t *first, int64_t *end, int64_t *step)
{
    const int64_t begin = launch * s->steps; /* of the first strip of all */
    const int64_t past = begin - all_steps(s, target_length);
    const int64_t lag = rhomb__long_lag(s);
    *first = past < 0 ? 0 : past / lag + 1;
    *end = rhomb__min((begin + s->steps - 1) / lag + 1, rhomb__long_strips(s, query_length));
    *step = begin - *first * lag;
}

/*
 * The first item of strip q, before which are q * R rows, takes antidiagonal t in the block (t - q
 * * R - 2) / columns, at the step of that number. Of the strips with cells there the last one comes
 * last.
 */
int64_t rhomb__long_complete(const rhomb__long_shape *s, int64_t target_length,
                             int64_t query_length, int64_t launches)
{
    const int64_t rows = strip_rows(s), lag = rhomb__long_lag(s);
    const int64_t strips = rhomb__long_strips(s, query_length);
    int64_t complete = 1, beyond = target_length + query_length + 1;
    while (beyond - complete > 1) {
        const int64_t t = complete + (beyond - complete) / 2;
        const int64_t strip = rhomb__min((t - 2) / rows, strips - 1);
        if ((t - 2 - strip * rows) / s->columns + strip * lag < launches * s->steps)
            complete = t;
        else
            beyond = t;
    }
    return complete;
}

int64_t rhomb__long_border_bytes(const rhomb__long_shape *s, int64_t target_length)
{
    return rhomb__ceil_div(strip_columns(s, target_length), s->columns) * s->columns *
           (1 + s->pieces) * (int64_t)sizeof(rhomb_i32);
}

int64_t rhomb__long_state_bytes(const rhomb__long_shape *s, int64_t query_length)
{
    return rhomb__long_strips(s, query_length) *
           RHOMB_LONG_LOCAL_STATE((int64_t)s->items, s->item_rows, s->pieces, s->columns,
                                  s->drops) *
           (int64_t)sizeof(rhomb_i32);
}

int64_t rhomb__long_trace_bytes(const rhomb__long_shape *s, int64_t target_length)
{
    return all_steps(s, target_length) * s->columns * strip_rows(s);
}

/* Few strips of a chunk take many borders, and many take much for their trace. */
int64_t rhomb__long_chunk_strips(const rhomb__long_shape *s, int64_t target_length,
                                 int64_t query_length, const rhomb__long_room *room, int64_t *bytes)
{
    const int64_t strips = rhomb__long_strips(s, query_length);
    const int64_t trace = rhomb__long_trace_bytes(s, target_length);
    const int64_t border = rhomb__long_border_bytes(s, target_length);
    int64_t least = 0;
    *bytes = INT64_MAX;
    for (int64_t chunk = rhomb__min(strips, room->buffer / trace); chunk > 0; chunk--) {
        const int64_t chunks = rhomb__ceil_div(strips, chunk);
        const int64_t kept = chunks > 1 ? chunks * border : 0, all = chunk * trace + kept;
        if (kept + border > room->buffer || all >= *bytes)
            continue;
        *bytes = all;
        least = chunk;
        if (all <= room->usual)
            break;
    }
    return *bytes <= room->most ? least : 0;
}
