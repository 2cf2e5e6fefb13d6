/* SPDX-License-Identifier: MIT */
/*
 * What a device has of a sweep, see sweeps.h: it may be another rank's.
 */
#include "host/engines/bitparallel/sweeps.h"
#include "host/engines/served.h"

/* Bytes of a buffer, once the device has done what is enqueued. */
static rhomb_status read_bytes(rhomb__sweeps *s, int buffer, int64_t at, int64_t bytes, void *to)
{
    if (s->rank != NULL)
        return rhomb__remote_read(s->rank, RHOMB__ASK_SWEEP_READ, buffer, at, bytes, to);
    return rhomb__buffer_read(s->stream, &s->buffers[buffer], at, bytes, to);
}

rhomb_status rhomb__sweeps_read_records(rhomb__sweeps *s)
{
    s->reads++;
    return read_bytes(s, RHOMB__SWEEP_STRIPS, 0, s->totals.records * (int64_t)sizeof *s->answers,
                      s->answers);
}

rhomb_status rhomb__sweeps_read_middle(rhomb__sweeps *s, rhomb__sweeps *to)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sweep *sweep = &s->shares[0].sweep;
    const int64_t bytes = rhomb__sweeps_rows_bytes(sweep);
    int64_t first = 0, end = 0;
    rhomb__sweep_middle(sweep, to->records, &first, &end);
    const int64_t own_end = rhomb__strips_owned(&sweep->chunks, s->owner, end);
    for (int64_t i = rhomb__strips_owned(&sweep->chunks, s->owner, first); i < own_end;) {
        const int64_t g = rhomb__strip_of_owner(&sweep->chunks, s->owner, i);
        int64_t count = 1;
        while (i + count < own_end &&
               rhomb__strip_of_owner(&sweep->chunks, s->owner, i + count) == g + count)
            count++;
        RHOMB_TRY(read_bytes(s, RHOMB__SWEEP_DOWN, g * bytes, count * bytes,
                             (char *)to->down + g * bytes));
        i += count;
    }
out:
    return status;
}
