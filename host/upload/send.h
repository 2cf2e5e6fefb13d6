/* SPDX-License-Identifier: MIT */
/*
 * The way of letters to the device, where cl/common/pack.cl packs them. Shared by all engines.
 *
 * Letters travel once, in pieces of a few megabytes: one is copied while the one before crosses the
 * bus and is packed. What a piece goes through depends on the device:
 *
 *     a GPU      letters --copy--> half of the pinned memory --bus--> staging buffer --> packing
 *                                  other half: filled meanwhile
 *     a CPU      letters ----------------------------------------------------------> packing
 *
 * Buses reach their speed from pinned memory only; from anywhere else a driver copies by itself, on
 * one thread. A short sequence takes the bus from where it is, and so does a long one where no
 * memory can be pinned.
 *
 * The calls only enqueue: until rhomb__send_finish() the letters are borrowed, and the host is free
 * for something else. Whatever happens in between, it has to be called.
 */
#ifndef RHOMB_HOST_SEND_H
#define RHOMB_HOST_SEND_H

#include "host/upload/pack.h"

/* A sequence to be sent: `what` names it in errors. */
typedef struct rhomb__letters {
    const char *letters;
    int64_t length;
    const rhomb__codes *codes;
    const char *what;
} rhomb__letters;

/* Sequences that may be sent at a time. */
#define RHOMB__SEND_MOST 2

/* Sequences on their way. All zeros: there are none. */
typedef struct rhomb__sending {
    rhomb__buffer table;   /* of codes */
    rhomb__buffer staging; /* a piece; empty on a CPU */
    cl_mem pinned;         /* memory of the host, two pieces; NULL where there is none */
    char *halves;          /* where that is mapped */
    cl_event written[2];   /* the last write out of each half */
    int next_half;
    int64_t piece_letters;
    int count; /* of sequences */
    cl_kernel kernels[RHOMB__SEND_MOST];
    cl_mem wrapped[RHOMB__SEND_MOST]; /* letters that a CPU reads where they are; else NULL */
} rhomb__sending;

/* Gets ready to send sequences with these codes, the longest of `longest` letters. */
rhomb_status rhomb__send_begin(rhomb_context *ctx, const rhomb__codes *codes, int64_t longest,
                               rhomb__sending *sending);

/* Sends one and has it packed into a new buffer, which belongs to the caller also on failure. */
rhomb_status rhomb__send_sequence(rhomb_context *ctx, const rhomb__program *program,
                                  const rhomb__packing *packing, const rhomb__letters *letters,
                                  rhomb__sending *sending, rhomb__buffer *out);

/* Waits until all is packed, and releases what it took. Nothing is borrowed any more. */
rhomb_status rhomb__send_finish(rhomb_context *ctx, rhomb__sending *sending);

#endif
