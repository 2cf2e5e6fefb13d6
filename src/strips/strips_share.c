/* SPDX-License-Identifier: MIT */
/*
 * When sharing pays, see strips_share.h.
 */
#include "src/strips/strips_share.h"

#include "src/base/int64.h"

/*
 * What a launch takes besides on each device of several: two small kernels, a read and a write.
 * Sharing has to gain a PAYS-th of the time of a launch.
 */
#define EXCHANGE_SECONDS 50e-6
#define PAYS             10

/* By how many blocks a strip follows the one above in a wide band. */
static int64_t blocks_apart(const rhomb__sweep *sweep)
{
    return sweep->strip_rows / RHOMB__BLOCK_COLUMNS + sweep->shape.lag + sweep->shape.steps;
}

int64_t rhomb__sweep_in_flight(const rhomb__sweep *sweep, int64_t bound)
{
    const int64_t end = sweep->columns - sweep->rows, apart = end < 0 ? -end : end;
    const int64_t diagonals = 2 * rhomb__costs_beside(&sweep->costs, end, bound) + apart;
    const int64_t blocks = rhomb__min(diagonals / RHOMB__BLOCK_COLUMNS, sweep->blocks[0]);
    return blocks / blocks_apart(sweep);
}

bool rhomb__sharing_pays(const rhomb__sweep *sweep, int64_t in_flight, const double *speeds,
                         const rhomb__strip_chunks *chunks, double step_seconds)
{
    const double steps = (double)sweep->shape.steps, least = steps * step_seconds;
    const double cells = (double)in_flight * (sweep->blocks[1] > 0 ? 2 : 1) *
                         (double)sweep->strip_rows * steps * RHOMB__BLOCK_COLUMNS;
    const double alone = cells / speeds[0] > least ? cells / speeds[0] : least;
    double turn = 0, shared = least;
    for (int32_t i = 0; i < chunks->owners; i++)
        turn += (double)chunks->strips[i];
    for (int32_t i = 0; i < chunks->owners; i++) {
        const double busy = cells * (double)chunks->strips[i] / (turn * speeds[i]);
        shared = busy > shared ? busy : shared;
    }
    return chunks->owners > 1 && in_flight >= chunks->owners &&
           (shared + EXCHANGE_SECONDS) * (1 + 1.0 / PAYS) < alone;
}

int64_t rhomb__chunk_strips(const rhomb__sweep *sweep, int32_t owners, int64_t in_flight)
{
    const double launches = (double)blocks_apart(sweep) / (double)sweep->shape.steps;
    int64_t strips = 1;
    while ((double)(strips * strips) * launches * owners <
           2.0 * RHOMB__BORDER_TRAVEL * (double)in_flight)
        strips++;
    return strips;
}

rhomb__strip_chunks rhomb__chunks_for(const rhomb__sweep *sweep, const double *speeds,
                                      int32_t owners, int64_t in_flight)
{
    const double strips = (double)rhomb__chunk_strips(sweep, owners, in_flight) * owners;
    rhomb__strip_chunks chunks = {.owners = owners, .travel = RHOMB__BORDER_TRAVEL};
    double sum = 0;
    for (int32_t i = 0; i < owners; i++)
        sum += speeds[i];
    for (int32_t i = 0; i < owners; i++)
        chunks.strips[i] = rhomb__max((int64_t)(strips * speeds[i] / sum + 0.5), 1);
    return chunks;
}
