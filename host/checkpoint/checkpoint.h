/* SPDX-License-Identifier: MIT */
/*
 * The checkpoint of a call (rhomb_options): what an earlier run left, and when and how this run
 * writes its own.
 *
 * A checkpoint begins with the call's identity and what the caller of rhomb__checkpoint_open() says
 * of the stage of the work; the engine or the aligner that runs adds its own state. Sections are
 * written while nothing runs on the device. A thread waits for the disk, so that the device does
 * not.
 *
 * Stopping. A caller's wish to stop comes in the middle of some step. While `is_stepping` is set it
 * is kept in `stops`, so that the step ends first, its state is saved, and then the call ends.
 */
#ifndef RHOMB_HOST_CHECKPOINT_H
#define RHOMB_HOST_CHECKPOINT_H

#include "host/device/buffer.h"
#include "rhomb/guide.h"
#include "rhomb/scoring.h"
#include "rhomb/tuning.h"
#include "src/base/error.h"
#include "src/checkpoint/state.h"

typedef struct rhomb__checkpoint rhomb__checkpoint;

/* Adds what is the same for all that may run: the stage of the call. */
typedef void rhomb__checkpoint_head(rhomb__saver *saver, void *user);

/* What a call says of its checkpoint. */
typedef struct rhomb__checkpoint_order {
    const char *path; /* borrowed */
    double seconds;   /* between two of them; 0: the default */
    char *identity;   /* of the call, see below; becomes the checkpoint's, also on failure */
    rhomb__checkpoint_head *head;
    void *user;
} rhomb__checkpoint_order;

/*
 * Reads what an earlier run has left, and makes sure that the file can be written. RHOMB_ERR_INPUT
 * for a file that is damaged or of another call, with the reason; RHOMB_ERR_OUTPUT;
 * RHOMB_ERR_MEMORY.
 */
rhomb_status rhomb__checkpoint_open(rhomb__device_stream *stream,
                                    const rhomb__checkpoint_order *order, rhomb__checkpoint **out);

/* What an earlier run has left; NULL: nothing, or it was dropped. Valid until it is dropped. */
const rhomb__saved *rhomb__checkpoint_found(const rhomb__checkpoint *checkpoint);

/* The state was taken over: memory is given back. NULL is allowed. */
void rhomb__checkpoint_drop(rhomb__checkpoint *checkpoint);

/* Whether a step runs, from whose middle the call must not end. NULL: there is no checkpoint. */
void rhomb__checkpoint_step(rhomb__checkpoint *checkpoint, bool is_stepping);

/*
 * The caller wishes to stop: true if that was noted and the step is to go on. NULL: false.
 */
bool rhomb__checkpoint_defers(rhomb__checkpoint *checkpoint);

/* Whether the caller has wished to stop, so that a call ends after the next checkpoint. */
bool rhomb__checkpoint_stops(const rhomb__checkpoint *checkpoint);

/* Whether it is time for one. NULL: never. */
bool rhomb__checkpoint_is_due(const rhomb__checkpoint *checkpoint);

/*
 * Begins one, with the identity and the stage. *saver is NULL if that failed, which was logged:
 * the call goes on without. Waits for the one before to be on the disk.
 */
rhomb__saver *rhomb__checkpoint_begin(rhomb__checkpoint *checkpoint);

/*
 * Ends what rhomb__checkpoint_begin() began; it may be NULL. Where the caller wishes to stop, it is
 * on the disk on return; else it will be.
 */
void rhomb__checkpoint_end(rhomb__checkpoint *checkpoint, rhomb__saver *saver);

/*
 * Ends one after a step whose state was saved with this status, on failure without it.
 * RHOMB_ERR_CANCELLED, with the detail, where the caller wishes to stop.
 */
rhomb_status rhomb__checkpoint_settle(rhomb__checkpoint *checkpoint, rhomb__saver *saver,
                                      rhomb_status saved);

/* One that has nothing but the stage. */
void rhomb__checkpoint_write(rhomb__checkpoint *checkpoint);

/* Fills the report. NULL: does nothing. */
void rhomb__checkpoint_report(const rhomb__checkpoint *checkpoint, rhomb_report *report);

/* Waits for the disk. NULL is allowed. */
void rhomb__checkpoint_close(rhomb__checkpoint *checkpoint);

/*
 * A buffer of a run: where the structure has it, and how many bytes of it count. A negative number:
 * a checkpoint does not have it.
 */
typedef struct rhomb__kept_buffer {
    const char *name; /* of the section; NULL: after the last one */
    size_t buffer;    /* a rhomb__buffer, and ... */
    size_t bytes;     /* ... an int64_t */
} rhomb__kept_buffer;

/* All of a buffer. */
#define RHOMB__KEPT(structure, name, buffer)                                 \
    {                                                                        \
        name, offsetof(structure, buffer), offsetof(structure, buffer.bytes) \
    }

/*
 * Saves the buffers of a run as sections, and restores them. They wait for the device.
 * RHOMB_ERR_INPUT if a section is missing or has another size.
 */
rhomb_status rhomb__buffers_save(rhomb__device_stream *stream, rhomb__saver *saver,
                                 const rhomb__kept_buffer *buffers, const void *run);
rhomb_status rhomb__buffers_restore(rhomb__device_stream *stream, const rhomb__saved *saved,
                                    const rhomb__kept_buffer *buffers, const void *run);

/*
 * What a checkpoint is of: version, sequences and options, as lines "name: value" of a text. Two
 * calls with the same text compute the same, step by step, wherever they run. The device, its
 * rates, threads and folders are no part of it. A sequence is borrowed.
 */
typedef struct rhomb__identified {
    const char *bases;
    int64_t length;
} rhomb__identified;

/*
 * The text of a call of some name, "distance" or "align", with complete options; the caller frees
 * it. Takes the time of two MD5 sums of the sequences, on up to two threads. RHOMB_ERR_MEMORY.
 */
rhomb_status rhomb__identity_make(rhomb__error *error, const char *call,
                                  const rhomb__identified *target, const rhomb__identified *query,
                                  const rhomb_options *options, int32_t threads, char **out);

#endif
