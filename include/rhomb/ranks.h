/* SPDX-License-Identifier: MIT */
/*
 * Several processes that solve a pair together, *ranks*: of one machine or of several, each with a
 * device. Rank 0 makes the calls; the others serve it. They need a way to pass messages, which the
 * caller provides: the program has one by MPI (RHOMB_MPI), and any other will do.
 *
 *     rank 0                                       the others
 *     rhomb_context_open_share(ctx, ...)           rhomb_context_open_share(ctx, ...)
 *     rhomb_context_join_ranks(ctx, &ranks, ...)   rhomb_ranks_serve(ctx, &ranks, ...)
 *     rhomb_distance(ctx, ...), rhomb_align() ...      |
 *     rhomb_context_destroy(ctx)                       returns
 *
 * After it has joined, the context has a device of each rank besides its own, as if it had opened
 * them itself: rhomb_context_device_at() lists them, and rhomb_distance() and rhomb_align() use
 * them where that is faster, with the same results. Sequences are sent to the ranks as they are
 * needed; only rank 0 reads files.
 */
#ifndef RHOMB_RANKS_H
#define RHOMB_RANKS_H

#include "rhomb/rhomb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Messages of one channel from one rank to another arrive in the order in which they were sent. */
#define RHOMB_RANK_CHANNELS 4

/*
 * A rank, and how it passes messages. The functions return 0, or another number if the other rank
 * cannot be reached any more: the call then ends with RHOMB_ERR_DEVICE, and so do all later ones of
 * a context that has this rank. When a process ends, or rhomb_ranks_serve() fails in it, what
 * others wait for from it has to fail as well. On rank 0 they may be called from several threads at
 * the same time, for different ranks.
 */
typedef struct rhomb_ranks {
    size_t struct_size;
    int32_t rank;  /* of this process: 0 to count - 1 */
    int32_t count; /* of all: 1 to RHOMB_MOST_DEVICES */
    void *user;
    /*
     * Sends bytes to a rank, at least one. On return `data` may change. Messages below
     * RHOMB_RANK_BUFFERED bytes, however many, are kept until they are received, so that the sender
     * need not wait for it.
     */
    int (*send)(int32_t to, int32_t channel, const void *data, size_t bytes, void *user);
    /* Waits for the next message of a rank, which has exactly this many bytes. */
    int (*receive)(int32_t from, int32_t channel, void *data, size_t bytes, void *user);
    /* Sets *waits to whether a message of a rank can be received at once. */
    int (*probe)(int32_t from, int32_t channel, bool *waits, void *user);
} rhomb_ranks;

#define RHOMB_RANK_BUFFERED ((size_t)16 << 20)

#define RHOMB_RANKS_INIT                                  \
    {                                                     \
        sizeof(rhomb_ranks), 0, 1, NULL, NULL, NULL, NULL \
    }

/*
 * Opens one device, so that each of several processes on a machine has its own: of those that
 * `selector` means (rhomb_context_open(); NULL and "auto" mean "all") the one at index
 * `share` modulo their number. Returns the same as rhomb_context_open().
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_open_share(rhomb_context *ctx,
                                                                 const char *selector,
                                                                 uint32_t flags, int32_t share);

/*
 * On rank 0: adds the devices of the other ranks to the context, which has one device open, or none
 * ("auto" is opened then). Waits until all of them serve. `opened` is what opening the device has
 * returned; if that has failed, or this call does, the others are told to end, and it returns why.
 * With one rank nothing happens, and its functions may be NULL.
 *
 * Returns RHOMB_OK; RHOMB_ERR_ARGUMENT if the context has several devices, or a batch that is not
 * destroyed; RHOMB_ERR_DEVICE if a rank cannot be reached or is of another version; what opening
 * its device has returned on a rank where it has failed.
 *
 * `ranks` is copied; `user` has to live as long as the context has these devices: until it is
 * destroyed, or opens others.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_join_ranks(rhomb_context *ctx,
                                                                 const rhomb_ranks *ranks,
                                                                 rhomb_status opened);

/*
 * On every other rank: does what rank 0 asks for, on the first open device ("auto" if none is
 * open), until rank 0 has no use for it any more. What fails is reported to rank 0, whose call
 * fails. `opened` is what opening the device has returned, so that rank 0 learns of that, too.
 * Returns RHOMB_OK in the end; RHOMB_ERR_DEVICE if rank 0 cannot be reached.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_ranks_serve(rhomb_context *ctx,
                                                          const rhomb_ranks *ranks,
                                                          rhomb_status opened);

#ifdef __cplusplus
}
#endif

#endif
