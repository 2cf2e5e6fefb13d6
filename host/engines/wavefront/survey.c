/* SPDX-License-Identifier: MIT */
/*
 * What the host reads from the pyramid's wavefronts: how far they have come, and where those of the
 * two directions meet; see pyramid.h.
 */
#include "host/engines/wavefront/pyramid.h"

#include "host/device/context.h"
#include "src/base/int64.h"

#include <stdlib.h>

/* A wavefront on the host, or a part of one. */
typedef struct offsets {
    void *at;
    int64_t bytes;        /* of an offset */
    rhomb__window window; /* the diagonals */
} offsets;

/*
 * An offset that no kernel stores is taken as the nearest one that a kernel could store, so that
 * sums of garbage do not overflow.
 */
static int64_t offset_of(const offsets *column, const rhomb__tiling *tiling, int64_t k)
{
    const int64_t m = tiling->query_length, n = tiling->target_length;
    const int64_t index = k - column->window.low;
    const int64_t stored = column->bytes == 8 ? ((const int64_t *)column->at)[index]
                                              : ((const int32_t *)column->at)[index];
    return rhomb__max(rhomb__min(stored, k > n - m ? n : m + k), -(m + n));
}

/* Reads the part of a direction's wavefront that holds a window. */
static rhomb_status read_offsets(const rhomb__pyramid *pyramid, const rhomb__buffer *wavefront,
                                 int direction, offsets *part)
{
    const rhomb__window held = pyramid->held;
    const size_t size = (size_t)((part->window.high - part->window.low + 1) * part->bytes);
    const int64_t first = direction * (held.high - held.low + 1) + part->window.low - held.low;
    part->at = malloc(size);
    if (part->at == NULL)
        return rhomb__fail_memory(&pyramid->stream->error, size, "part of a wavefront");
    return rhomb__buffer_read(pyramid->stream, wavefront, first * part->bytes, size, part->at);
}

rhomb_status rhomb__pyramid_survey(const rhomb__pyramid *pyramid, int64_t *reach)
{
    rhomb_status status = RHOMB_OK;
    offsets all = {NULL, pyramid->problem->plan->wavefront.offset_bits / 8, pyramid->held};
    *reach = 0;
    RHOMB_TRY(read_offsets(pyramid, &pyramid->wavefronts[1], 0, &all));
    for (int64_t k = all.window.low; k <= all.window.high; k++)
        *reach = rhomb__max(*reach, 2 * offset_of(&all, &pyramid->tiling, k) - k);
out:
    free(all.at);
    return status;
}

rhomb_status rhomb__pyramid_meeting(const rhomb__pyramid *pyramid, rhomb__window window,
                                    int64_t forward, int64_t backward,
                                    rhomb__breakpoint *breakpoint)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__tiling *tiling = &pyramid->tiling;
    const int64_t m = tiling->query_length, n = tiling->target_length, end = n - m;
    const rhomb__window held = pyramid->held;
    /* Diagonals that both directions have reached and whose wavefronts are held. */
    window.low =
        rhomb__max(rhomb__max(window.low, -forward), rhomb__max(end - held.high, end - backward));
    window.high =
        rhomb__min(rhomb__min(window.high, forward), rhomb__min(end - held.low, end + backward));
    const rhomb__buffer *newest = &pyramid->wavefronts[pyramid->source];
    const int64_t bytes = pyramid->problem->plan->wavefront.offset_bits / 8;
    offsets there = {NULL, bytes, window},
            back = {NULL, bytes, {end - window.high, end - window.low}};
    if (window.low <= window.high) {
        RHOMB_TRY(read_offsets(pyramid, newest, 0, &there));
        RHOMB_TRY(read_offsets(pyramid, newest, 1, &back));
    }
    for (int64_t k = window.low; k <= window.high; k++) {
        const int64_t j = offset_of(&there, tiling, k);
        if (j + offset_of(&back, tiling, end - k) >= n && j >= 0 && j - k >= 0) {
            const rhomb__breakpoint here = {.target = j, .query = j - k, .cost = forward};
            *breakpoint = here;
            goto out;
        }
    }
    status =
        rhomb__fail(&pyramid->stream->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                    "%s: after %lld and %lld edits the wavefronts have met, but nowhere",
                    pyramid->stream->device->info.name, (long long)forward, (long long)backward);
out:
    free(there.at);
    free(back.at);
    return status;
}
