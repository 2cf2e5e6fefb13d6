/* SPDX-License-Identifier: MIT */
/*
 * Several sweeps in one: the strips of all are under way in the same launches, so that a device is
 * busy that a single sweep would leave idle. Nothing is shared: each sweep has a *share* of every
 * buffer, behind those of the sweeps before it. Pure integer functions, as strips.h.
 *
 *     blocks     columns, differences across      | sweep 0            | sweep 1       | ...
 *     items      packed rows                      | forward | backward | forward | ...
 *     records    and, two less, differences down  | 0 0 | 0 1 2 3 4 5 | 0 0 | 0 1 2 3 ...
 *                                                   above  its strips   above
 *
 * The kernel knows nothing of this. It counts blocks in the buffers, and records say which; a
 * strip's rows are where its record says, and the record above it is two before. Strip i is record
 * i + 2, so the two records above a sweep's first strips stand where strips could be. They have no
 * launches, and so are not listed for any.
 *
 * All have the same shape, and their launches are counted alike: launch 0 is the first of all.
 */
#ifndef RHOMB_SRC_STRIPS_MANY_H
#define RHOMB_SRC_STRIPS_MANY_H

#include "src/planner/strips.h"

typedef struct rhomb__sweep_share {
    rhomb__sweep sweep;
    int64_t first_block;
    int64_t first_item; /* of the rows */
    int64_t first_record;
    int64_t launches; /* known with the band */
} rhomb__sweep_share;

/* A sweep splits the target, so a target that is too short for that changes places. */
bool rhomb__sweep_swaps(int64_t target_length);

/* What all shares together take. */
typedef struct rhomb__sweep_totals {
    int64_t blocks;
    int64_t items; /* of the rows */
    int64_t records;
    int64_t strips; /* that have a place for differences down: all records but two */
} rhomb__sweep_totals;

/* Puts the shares behind each other; of each the sweep is given. */
rhomb__sweep_totals rhomb__shares_lay_out(rhomb__sweep_share *shares, int64_t count);

/*
 * Where the letters of a share come from: a range of a sequence that is packed for the wavefront in
 * two copies, forwards and reversed behind it (cl/common/extend.clh).
 */
typedef struct rhomb__share_side {
    bool from_query;      /* the packed query, or the packed target */
    int64_t whole;        /* letters of that sequence */
    int64_t copy_symbols; /* of a copy, in whole words, the padding of both ends included */
    int64_t at;           /* the range's first letter, and ... */
    int64_t length;       /* ... as many as the sweep has of them */
} rhomb__share_side;

/* The rows and the columns of a share, the forward sweep's and those of the backward one. */
void rhomb__share_ranges(const rhomb__sweep_share *share, const rhomb__share_side *columns_from,
                         const rhomb__share_side *rows_from, rhomb_pack_range rows[2],
                         rhomb_pack_range columns[2]);

/* Fills a share's records, in those of all, for paths of cost `bound` at most. */
void rhomb__share_band(rhomb__sweep_share *share, int64_t bound, rhomb_strip *records);

/* The records of a share as its sweep alone would have left them, for what strips.h says of them.
 */
void rhomb__share_take_out(const rhomb__sweep_share *share, rhomb_strip *records);

/*
 * How many of all strips, as the kernel counts them, are under way in each of `launches` launches.
 */
void rhomb__shares_count(const rhomb_strip *records, int64_t strips, int64_t steps,
                         int64_t launches, int64_t *counts);

/*
 * Lists the strips that are under way in the launches [first, end), those of one launch behind
 * those of the launch before; those of launch l end before listed[ends[l - first]]. These are the
 * groups that have something to do, and no others, so that a device spreads them evenly. `counts`
 * is what rhomb__shares_count() says.
 */
void rhomb__shares_list(const rhomb_strip *records, int64_t strips, int64_t steps, int64_t first,
                        int64_t end, const int64_t *counts, int64_t *ends, uint32_t *listed);

#endif
