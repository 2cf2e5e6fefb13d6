/* SPDX-License-Identifier: MIT */
/*
 * Several sweeps in one: the strips of all run in the same launches, to keep a device busy that a
 * single sweep would leave idle. Nothing is shared: each sweep has a *share* of every buffer, after
 * those of the previous sweeps. Pure integer functions, as in strips.h.
 *
 *     blocks     columns, differences across      | sweep 0            | sweep 1       | ...
 *     items      packed rows                      | forward | backward | forward | ...
 *     records    and, two less, differences down  | 0 0 | 0 1 2 3 4 5 | 0 0 | 0 1 2 3 ...
 *                                                   above  its strips   above
 *
 * The kernel knows nothing of this. It counts blocks in the buffers, and records say which. A
 * strip's rows are where its record says, and the record above it is two places earlier. Strip i is
 * record i + 2, so the two records above a sweep's first strips occupy the places of strips. They
 * have no launches, and so are not listed for any.
 *
 * All sweeps have the same shape and number their launches alike: launch 0 is the first of all.
 */
#ifndef RHOMB_SRC_STRIPS_MANY_H
#define RHOMB_SRC_STRIPS_MANY_H

#include "src/strips/strips.h"

typedef struct rhomb__sweep_share {
    rhomb__sweep sweep;
    int64_t first_block;
    int64_t first_item; /* of the rows */
    int64_t first_record;
    int64_t bound;    /* on the cost of the paths that its band holds */
    int64_t launches; /* known with the band */
} rhomb__sweep_share;

/*
 * A sweep splits the target. If the target is too short for that, it is swapped with the query, by
 * unit costs; others would need the gaps at its borders swapped, too.
 */
bool rhomb__sweep_swaps(const rhomb__costs *costs, int64_t target_length);

/*
 * Whether a subproblem can be swept, by its lengths and gaps. With unit costs all can. With others
 * the target has to be long enough, and of whole blocks where the subproblem ends within a gap: the
 * backward sweep begins with the matches that make its blocks whole, and the gap could not go on
 * over them. Splits keep this: first halves are whole blocks, second halves end as their parents
 * do.
 */
bool rhomb__sweep_can(const rhomb__costs *costs, const rhomb_subproblem *subproblem);

/* The sweep of a subproblem in two directions, with target and query swapped if they are. */
rhomb__sweep rhomb__sweep_of(const rhomb_subproblem *subproblem, const rhomb__strip_shape *shape);

/* The size of all shares together. */
typedef struct rhomb__sweep_totals {
    int64_t blocks;
    int64_t items; /* of the rows */
    int64_t records;
    int64_t strips; /* that have a place for differences down: all records but two */
} rhomb__sweep_totals;

/* Lays out the shares one after the other; the sweep of each is given. */
rhomb__sweep_totals rhomb__shares_lay_out(rhomb__sweep_share *shares, int64_t count);

/*
 * Where the bases of a share come from: a range of a sequence that is packed for the wavefront in
 * two copies, first forward, then reversed (cl/common/extend.clh).
 */
typedef struct rhomb__share_side {
    bool from_query;      /* the packed query, or the packed target */
    int64_t whole;        /* bases of that sequence */
    int64_t copy_symbols; /* of a copy, in whole words, with the padding of both ends */
    int64_t at;           /* the range's first base, and ... */
    int64_t length;       /* ... its length in the sweep */
} rhomb__share_side;

/* The rows and the columns of a share, those of the forward sweep and of the backward one. */
void rhomb__share_ranges(const rhomb__sweep_share *share, const rhomb__share_side *columns_from,
                         const rhomb__share_side *rows_from, rhomb_pack_range rows[2],
                         rhomb_pack_range columns[2]);

/* Fills a share's records, within the array of all, for paths of cost at most `bound`. */
void rhomb__share_band(rhomb__sweep_share *share, int64_t bound, rhomb_strip *records);

/*
 * Turns the records of a share into those that its sweep alone would have left, for the functions
 * of strips.h.
 */
void rhomb__share_take_out(const rhomb__sweep_share *share, rhomb_strip *records);

/*
 * The number of strips, of all that the kernel counts, that run in each of `launches` launches.
 */
void rhomb__shares_count(const rhomb_strip *records, int64_t strips, int64_t steps,
                         int64_t launches, int64_t *counts);

/*
 * Lists the strips that run in the launches [first, end), those of one launch after those of the
 * previous launch; those of launch l end before listed[ends[l - first]]. These are exactly the
 * groups that have work, so a device spreads them evenly. `counts` comes from
 * rhomb__shares_count().
 */
void rhomb__shares_list(const rhomb_strip *records, int64_t strips, int64_t steps, int64_t first,
                        int64_t end, const int64_t *counts, int64_t *ends, uint32_t *listed);

/*
 * Models of the time of launches: whether several devices share a sweep, and in which chunks
 * (strips.h); and the number of steps of a launch for sweeps side by side.
 * Shares and shapes change speed, never results: a subproblem is split in the first row with the
 * least sum of both costs, whatever the strips are like.
 */

/* The most strips of a direction that run at a time in the band for a bound, about. */
int64_t rhomb__sweep_in_flight(const rhomb__sweep *sweep, int64_t bound);

/*
 * Whether several devices take less time than the first one alone, where that many strips of a
 * direction run at a time. Speeds are in cells a second; a step takes at least `step_seconds`.
 */
bool rhomb__sharing_pays(const rhomb__sweep *sweep, int64_t in_flight, const double *speeds,
                         const rhomb__strip_chunks *chunks, double step_seconds);

/*
 * Launches that a border has to travel: a read, a copy and a write have to be done within them. Two
 * H200 need 42 microseconds a launch with one, 24 to 29 with two.
 */
#define RHOMB__BORDER_TRAVEL 2

/*
 * The strips of a chunk, where about `in_flight` strips run at a time on equal devices. A launch
 * takes as long as the device with the most strips in it, which has up to a chunk too many: c of
 * the W / D that are its share, half of that in the mean. Each border delays the strips below it by
 * `travel` launches, of c * (the launches by which a strip follows the one above). The sum of both,
 * travel / (c * launches) + c * D / (2 * W), is least at c = sqrt(2 * travel * W / (launches * D)).
 */
int64_t rhomb__chunk_strips(const rhomb__sweep *sweep, int32_t owners, int64_t in_flight);

/* The same for devices of different speeds, which get chunks in proportion to them. */
rhomb__strip_chunks rhomb__chunks_for(const rhomb__sweep *sweep, const double *speeds,
                                      int32_t owners, int64_t in_flight);

/* The speed of a device. */
typedef struct rhomb__sweep_rates {
    int64_t units;                            /* over which groups are spread */
    double cells_per_second;                  /* of all units, when they are busy */
    double launch_seconds, hand_over_seconds; /* of a launch, and of a block */
    int32_t full_items;                       /* that a unit runs side by side */
} rhomb__sweep_rates;

/* Subproblems of known distances, which are ranges of a pair. */
typedef struct rhomb__sweep_list {
    const rhomb_subproblem *subproblems;
    int64_t count;
} rhomb__sweep_list;

/* The mean number of rows of a subproblem by these costs; 0 without subproblems. */
int64_t rhomb__sweeps_mean_rows(const rhomb__sweep_list *list, const rhomb__costs *costs);

/*
 * The seconds for subproblems side by side, in two directions. With L launches of S steps, in each
 * of which a unit has on average G groups with a block to do:
 *
 *     L (launch + S (hand-over + words * 512 * max(items * G + full / 2, items, full) / its rate))
 *
 * A block has 32 rows by 16 columns for each word of an item. A unit runs up to `full` items side
 * by side, so fewer take as long. The unit that all others wait for has full / 2 items more than
 * the average.
 */
double rhomb__sweeps_seconds(const rhomb__sweep_rates *rates, const rhomb__sweep_list *list,
                             const rhomb__strip_shape *shape);

/*
 * The number of steps from 16 to 256 with which a shape is fastest, in shape->steps; returns the
 * seconds. More steps mean fewer launches, but a longer wait of each strip for the one above.
 */
double rhomb__sweeps_choose_steps(const rhomb__sweep_rates *rates, const rhomb__sweep_list *list,
                                  rhomb__strip_shape *shape);

#endif
