/* SPDX-License-Identifier: MIT */
/*
 * Where the text of an alignment goes: to a stream, plain or in the compressed blocks of bgzip, in
 * pieces, so that a line of any length takes little memory. A writer appends to `text` and spills
 * now and then; the first failure ends the writing, and closing returns it.
 */
#ifndef RHOMB_CLI_SINK_H
#define RHOMB_CLI_SINK_H

#include <stdio.h>

#include "host/cli/base/text_buffer.h"

/* The most bytes that are appended between two checks of the fill: a piece of a long run. */
enum { CLI_SINK_PIECE = 1 << 16 };

/* What sees the text before it is written. */
typedef void (*cli_sink_tap)(void *user, const char *text, size_t length);

typedef struct cli_sink {
    cli_buffer text;
    size_t most; /* the text is written once it has this many bytes */
    FILE *stream;
    int threads;  /* that compress; 0: plain */
    char *blocks; /* compressed blocks of all threads, and their lengths */
    size_t *lengths;
    int code; /* the errno of the first failure, 0 without one */
    struct {
        cli_sink_tap see;
        void *user;
    } taps[2];
    size_t tapped; /* bytes of the text that the taps have seen */
} cli_sink;

/*
 * Begins to write to a stream, which stays the caller's. `threads` compress; 0 is for plain text.
 * Failures wait for cli_sink_close().
 */
void cli_sink_open(cli_sink *sink, FILE *stream, int threads);

/* Begins to keep all text, however much, in sink->text: of what a whole is needed. */
void cli_sink_open_text(cli_sink *sink);

/*
 * From now on the tap sees all text, in pieces and in order; NULL ends that. What was appended
 * before is not of the new tap.
 */
void cli_sink_set_tap(cli_sink *sink, cli_sink_tap tap, void *user);

/* The same for a second tap, which keeps a copy. */
void cli_sink_set_copy(cli_sink *sink, cli_sink_tap tap, void *user);

/* Shows both all text so far. */
void cli_sink_show(cli_sink *sink);

/* A base in upper case, with T for U. */
int cli_upper_base(int base);

/* The slow path of cli_sink_spill(). */
void cli_sink_flush(cli_sink *sink);

/* Writes the text if there is much of it; false if something has failed: write no more. */
static inline bool cli_sink_spill(cli_sink *sink)
{
    if (sink->text.length >= sink->most || sink->text.failed)
        cli_sink_flush(sink);
    return sink->code == 0;
}

/*
 * Appends any number of bases, spilling on the way: as they are, with T for U, and this in lower or
 * in upper case; or one character that often.
 */
void cli_sink_bases(cli_sink *sink, const char *bases, int64_t count);
void cli_sink_dna_bases(cli_sink *sink, const char *bases, int64_t count);
void cli_sink_lower_bases(cli_sink *sink, const char *bases, int64_t count);
void cli_sink_upper_bases(cli_sink *sink, const char *bases, int64_t count);
void cli_sink_repeat(cli_sink *sink, char character, int64_t count);

/*
 * Writes the rest and releases the sink, which may be all zeros. Returns 0 or the errno of the
 * first failure. The stream has a buffer of its own, which is not flushed.
 */
int cli_sink_close(cli_sink *sink);

/* Releases it without writing more. */
void cli_sink_release(cli_sink *sink);

#endif
