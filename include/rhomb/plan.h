/* SPDX-License-Identifier: MIT */
/*
 * What a call will do and cost, before it runs; and what it did, as part of its report.
 *
 * Words. *Diagonal* k = j - i; the end diagonal is K = n - m. *Wavefront r* of the pyramid holds,
 * for each diagonal |k| <= r, the furthest offset j with D(j - k, j) <= r; *cells* are its entries.
 * A *launch* of the wavefront advances it by a batch of scores; a *tile* is the part of it that one
 * work-group computes. A *band* is diagonals of the matrix, those that a sweep computes.
 */
#ifndef RHOMB_PLAN_H
#define RHOMB_PLAN_H

#include <rhomb/tuning.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call will do, or did: the choices and their costs; made by the library. */
struct rhomb_plan {
    const char *engine;          /* "wavefront", "bitparallel", or "trivial" (nothing to compute) */
    const char *reason;          /* one sentence: why this engine */
    int32_t planes;              /* bit planes per symbol, 2 to 8 */
    int32_t offset_bits;         /* wavefront: 32 or 64 */
    rhomb_tile_shape tile_shape; /* wavefront; this and the next fields as in rhomb_tuning */
    int32_t group_size;
    int32_t diagonals_per_item;
    int32_t tile_scores;
    /* The tile of a wide pyramid, as in rhomb_tuning; 0: the tile does not change. */
    int32_t wide_group_size, wide_diagonals_per_item, wide_tile_scores;
    int64_t wide_diagonals;
    int32_t launches_per_read;
    bool pruning;
    int32_t lanes; /* bit-parallel: vector lanes, each like an item; 1 where items are many */
    int32_t words_per_item; /* bit-parallel; 0 in a wavefront's plan */
    int32_t blocks_per_launch;
    int32_t directions;       /* 1, or 2 that meet in the middle */
    int64_t first_half_width; /* bit-parallel: of the first band, as in rhomb_tuning */
    const char *tuning_row;   /* the row of the tuning table that the values come from */
    int64_t target_length, query_length;
    /*
     * Of the distance, known without running. With unit costs: |n - m|, and 1 unless identical;
     * max(n, m), or max_distance if that is smaller.
     */
    int64_t lower_bound, upper_bound;
    int64_t host_bytes;         /* the library's peak memory on the host */
    int64_t sequence_bytes;     /* both packed sequences on the device */
    int64_t device_bytes_min;   /* packed sequences, and the first wavefronts or a whole sweep */
    int64_t device_bytes_max;   /* the same for the largest distance, or a sweep that takes over */
    int64_t device_bytes_limit; /* the device's memory */
    int64_t buffer_bytes_min;   /* the largest single buffer of device_bytes_min */
    int64_t buffer_bytes_limit; /* the largest buffer that the device allows */
    double cells_per_second;    /* the engine's rate, for estimates */
    double column_seconds;    /* the minimum time of a wavefront, or of a column of a narrow band */
    bool may_switch;          /* AUTO: the other engine may take over */
    double setup_seconds;     /* transfer and packing */
    const char *rates_source; /* the origin of the rates, in words */
    double path_share;        /* the time of the path, as a multiple of the distance's time */
    double start_seconds;     /* the fixed time of a call, however short the pair */
    int64_t edit_penalty;     /* as in rhomb_report */
    double mean_edit_penalty; /* of an edit, if each kind is as frequent; for estimates */
    const char *step;         /* bit-parallel: "myers" or "bit-sliced"; else NULL */
    int64_t probe_half_width; /* bit-sliced: of a first, narrow band, as first_half_width; 0: none,
                           as where the tuning gives first_half_width */
    bool is_trivial;          /* no engine runs: no work, no tile */
    int64_t expected_distance; /* by a guide (rhomb/guide.h); -1: not known */
    int64_t devices;           /* that share the sweeps; 1: the first one runs alone */
    int64_t path_devices;      /* that split an alignment's subproblems, if that takes long */
    bool must_build;           /* its program is neither in memory nor in the cache, where PoCL's is
                                from the second use on; not in a report */
};

/*
 * Plans what rhomb_distance() would do, without allocating or running anything on the device.
 * Returns the same as rhomb_distance(), whose arguments it has; on failure *out is NULL. The caller
 * releases *out.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_plan_distance(rhomb_context *ctx, const char *target,
                                                            int64_t target_length,
                                                            const char *query, int64_t query_length,
                                                            const rhomb_options *options,
                                                            rhomb_plan **out);

/* Releases a plan of rhomb_plan_distance(). NULL is allowed. */
RHOMB_API void rhomb_plan_destroy(rhomb_plan *plan);

/*
 * The time for a distance by the plan's model, in seconds: an estimate, not a bound. The second
 * function is for the path of an alignment alone: the time after the distance is known. Plans must
 * be the library's own, not copies.
 */
RHOMB_API double rhomb_plan_seconds(const rhomb_plan *plan, int64_t distance);
RHOMB_API double rhomb_plan_path_seconds(const rhomb_plan *plan, int64_t distance);

#ifdef __cplusplus
}
#endif

#endif
