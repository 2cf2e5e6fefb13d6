/* SPDX-License-Identifier: MIT */
/*
 * Sends sequences to the device, where cl/common/pack.cl packs them. Shared by all engines.
 *
 * A sequence is sent once, in chunks of a few megabytes: one chunk is copied while the previous one
 * crosses the bus and is packed. The way of a chunk depends on the device:
 *
 *     a GPU      bases --copy--> half of the pinned memory --bus--> staging buffer --> packing
 *                                  other half: filled meanwhile
 *     a CPU      bases ----------------------------------------------------------> packing
 *
 * A bus reaches its full speed only from pinned memory; from anywhere else the driver makes a copy
 * first, on one thread. A short sequence crosses the bus from where it is, and so does a long one
 * if no memory can be pinned.
 *
 * The calls only enqueue. Until rhomb__send_finish() the sequences are borrowed, and the host is
 * free for other work. That function must be called, whatever happens in between.
 */
#ifndef RHOMB_HOST_SEND_H
#define RHOMB_HOST_SEND_H

#include "cl/abi.h"
#include "host/device/buffer.h"
#include "host/device/program.h"
#include "src/base/alphabet.h"

/* The program of the packing kernels. */
rhomb_status rhomb__pack_program(rhomb_context *ctx, rhomb__program **out);

/*
 * How symbols are packed: a kernel of cl/common/pack.cl that writes units, each of which looks at
 * `looks_at` symbols and begins unit_symbols after the one before. Symbol s of a part is symbol
 * origin + step * s of the sequence; the parts follow each other.
 */
typedef struct rhomb__packing {
    const char *kernel;
    int64_t unit_bytes;
    int64_t unit_symbols;
    int64_t looks_at;
    int32_t planes;
    bool has_tables; /* of runs of one symbol, after the parts: one for each part that has units */
    struct {
        int64_t units;
        int64_t origin;
        int64_t step;
    } parts[2];
} rhomb__packing;

/*
 * Words of a whole sequence, padded at both ends (cl/common/extend.clh), and, with two directions,
 * of the same reversed; then the tables of runs in these directions (RHOMB_RUN_CHUNK).
 */
rhomb__packing rhomb__packing_windows(int64_t length, int32_t planes, int32_t directions);

/* How both sequences of a pair are packed. */
typedef struct rhomb__pair_packing {
    rhomb__packing target, query;
} rhomb__pair_packing;

/* Both as windows: for wavefronts and, with two directions, for all subproblems of an alignment. */
rhomb__pair_packing rhomb__pair_packing_windows(int64_t target_length, int64_t query_length,
                                                int32_t planes, int32_t directions);

/* A sequence to be sent: `what` names it in errors. */
typedef struct rhomb__bases {
    const char *bases;
    int64_t length;
    const rhomb__codes *codes;
    const char *what;
} rhomb__bases;

/* Sequences that may be sent at the same time. */
#define RHOMB__SEND_MOST 2

/* Sequences being sent. All zeros: none. */
typedef struct rhomb__sending {
    rhomb__buffer table;   /* of codes */
    rhomb__buffer staging; /* a chunk; empty on a CPU */
    rhomb__pinned pinned;  /* host memory for two chunks; empty if there is none */
    cl_event written[2];   /* the last write out of each half */
    int next_half;
    int64_t chunk_bases;
    int count; /* of sequences */
    cl_kernel kernels[RHOMB__SEND_MOST];
    cl_mem wrapped[RHOMB__SEND_MOST];   /* bases that a CPU reads in place; else NULL */
    uint32_t *tables[RHOMB__SEND_MOST]; /* of runs; NULL if there are none */
} rhomb__sending;

/* Sends both sequences of a pair; after it rhomb__send_finish() must be called in any case. */
rhomb_status rhomb__send_pair(rhomb__device_stream *stream, const rhomb__program *program,
                              const rhomb__pair_packing *packing, const rhomb__bases *target,
                              const rhomb__bases *query, rhomb__buffer *packed_target,
                              rhomb__buffer *packed_query, rhomb__sending *sending);

/* Both steps in one: the pair is packed on return. On failure both buffers are empty. */
rhomb_status rhomb__pack_pair(rhomb__device_stream *stream, const rhomb__program *program,
                              const rhomb__pair_packing *packing, const rhomb__bases *target,
                              const rhomb__bases *query, rhomb__buffer *packed_target,
                              rhomb__buffer *packed_query);

/* Waits until everything is packed and releases the resources. Nothing is borrowed any more. */
rhomb_status rhomb__send_finish(rhomb__device_stream *stream, rhomb__sending *sending);

/* Units of a packed sequence, and the bases that they are packed from (cl/common/pack.cl). */
typedef struct rhomb__pack_units {
    cl_mem bases, table, packed;
    rhomb_i64 begin;  /* of the bases in the sequence, */
    rhomb_i64 length; /* which has so many */
    rhomb_i64 origin, step;
    rhomb_i64 part_unit, first_unit, units;
    rhomb_i32 planes;
} rhomb__pack_units;

/* Enqueues the packing of units; none is nothing to do. */
rhomb_status rhomb__pack_units_enqueue(rhomb__device_stream *stream, cl_kernel kernel,
                                       const rhomb__pack_units *units);

#endif
