/* SPDX-License-Identifier: MIT */
/*
 * Pauses of a shared sweep, see strips_pause.h.
 */
#include "src/strips/strips_pause.h"

#include "src/base/int64.h"

/* The plain launch after a strip's last one; 0: it has none. */
static int64_t plain_end(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t i)
{
    const int64_t last = records[i].last_launch;
    return last < 0 ? 0 : last + 1 - rhomb__strip_delay(&sweep->chunks, i / 2 - 1);
}

/* The first plain launch with a step of a strip that has any. */
static int64_t plain_begin(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t i)
{
    return rhomb__floor_div(records[i].first_step, sweep->shape.steps) -
           rhomb__strip_delay(&sweep->chunks, i / 2 - 1);
}

int64_t rhomb__pause_at(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t launch)
{
    int64_t furthest = 0;
    for (int64_t i = 2; i < rhomb__sweep_records(sweep); i++) {
        const int64_t done = launch - rhomb__strip_delay(&sweep->chunks, i / 2 - 1);
        furthest = rhomb__max(furthest, rhomb__min(done, plain_end(sweep, records, i)));
    }
    return furthest;
}

int64_t rhomb__pause_end(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t plain)
{
    int64_t delay = 0;
    for (int64_t i = 2; i < rhomb__sweep_records(sweep); i++) {
        if (records[i].last_launch >= 0 && plain_begin(sweep, records, i) < plain)
            delay = rhomb__max(delay, rhomb__strip_delay(&sweep->chunks, i / 2 - 1));
    }
    return plain + delay;
}

int64_t rhomb__pause_begin(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t plain)
{
    for (int64_t i = 2; i < rhomb__sweep_records(sweep); i++) {
        if (plain_end(sweep, records, i) > plain)
            return plain + rhomb__strip_delay(&sweep->chunks, i / 2 - 1);
    }
    return rhomb__pause_end(sweep, records, plain);
}

bool rhomb__pause_written(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t plain,
                          int64_t direction, int64_t *g, rhomb__written *written)
{
    const rhomb__strip_shape *shape = &sweep->shape;
    const int64_t before = *g < sweep->strips ? written->end : INT64_MIN;
    while (--*g >= 0) {
        const rhomb_strip *strip = &records[2 + 2 * *g + direction];
        const int64_t delay = rhomb__strip_delay(&sweep->chunks, *g);
        const int64_t done =
            (plain + delay) * shape->steps - strip->first_step + strip->first_block - shape->lag;
        written->begin = rhomb__max(strip->first_block, before);
        written->end = rhomb__min(done, strip->end_block);
        written->owner = rhomb__strip_owner(&sweep->chunks, *g);
        if (written->begin < written->end)
            return true;
    }
    return false;
}
