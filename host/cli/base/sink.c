/* SPDX-License-Identifier: MIT */
/*
 * Sinks, see sink.h. htslib compresses the blocks, and this file writes them: htslib's own writer
 * does not report why a write failed, and then leaks what it holds.
 */
#include "host/cli/base/sink.h"

#include <ctype.h>
#include <errno.h>
#include <htslib/bgzf.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    THREADS_MOST = 64,
    BLOCKS_A_THREAD = 8, /* between two writes: some 10 ms of work, so that starting threads costs
                            nothing; more only take memory */
    LEVEL = -1           /* zlib's default, as bgzip has it */
};

static void fail(cli_sink *sink, int code)
{
    if (sink->code == 0)
        sink->code = code != 0 ? code : EIO;
}

void cli_sink_open(cli_sink *sink, FILE *stream, int threads)
{
    *sink = (cli_sink){.stream = stream, .most = CLI_SINK_PIECE};
    if (threads <= 0)
        return;
    sink->threads = threads < THREADS_MOST ? threads : THREADS_MOST;
    const size_t blocks = (size_t)sink->threads * BLOCKS_A_THREAD;
    sink->most = blocks * BGZF_BLOCK_SIZE;
    sink->blocks = malloc(blocks * BGZF_MAX_BLOCK_SIZE);
    sink->lengths = calloc(blocks, sizeof *sink->lengths);
    if (sink->blocks == NULL || sink->lengths == NULL)
        fail(sink, ENOMEM);
}

void cli_sink_open_text(cli_sink *sink)
{
    *sink = (cli_sink){.most = SIZE_MAX};
}

static void write_bytes(cli_sink *sink, const char *bytes, size_t count)
{
    errno = 0;
    if (sink->code == 0 && count > 0 && fwrite(bytes, 1, count, sink->stream) != count)
        fail(sink, errno);
}

/* Blocks of one stretch of the text, which threads take in turn. */
typedef struct compression {
    cli_sink *sink;
    const char *text;
    size_t bytes;
    size_t count;
    atomic_size_t next;
    atomic_bool failed;
} compression;

static void *compress_blocks(void *user)
{
    compression *c = user;
    size_t i;
    while ((i = atomic_fetch_add(&c->next, 1)) < c->count) {
        const size_t first = i * BGZF_BLOCK_SIZE;
        const size_t rest = c->bytes - first;
        c->sink->lengths[i] = BGZF_MAX_BLOCK_SIZE;
        if (bgzf_compress(c->sink->blocks + i * BGZF_MAX_BLOCK_SIZE, &c->sink->lengths[i],
                          c->text + first, rest < BGZF_BLOCK_SIZE ? rest : BGZF_BLOCK_SIZE,
                          LEVEL) != 0)
            atomic_store(&c->failed, true);
    }
    return NULL;
}

/* Compresses and writes `bytes` of text, at most `most`. */
static void write_blocks(cli_sink *sink, const char *text, size_t bytes)
{
    compression c = {.sink = sink,
                     .text = text,
                     .bytes = bytes,
                     .count = bytes / BGZF_BLOCK_SIZE + (bytes % BGZF_BLOCK_SIZE > 0)};
    pthread_t helpers[THREADS_MOST];
    int started = 0;
    while (started + 1 < sink->threads && (size_t)started + 1 < c.count &&
           pthread_create(&helpers[started], NULL, compress_blocks, &c) == 0)
        started++;
    compress_blocks(&c);
    for (int i = 0; i < started; i++)
        pthread_join(helpers[i], NULL);
    if (atomic_load(&c.failed))
        fail(sink, ENOMEM);
    for (size_t i = 0; i < c.count; i++)
        write_bytes(sink, sink->blocks + i * BGZF_MAX_BLOCK_SIZE, sink->lengths[i]);
}

void cli_sink_show(cli_sink *sink)
{
    const size_t unseen = sink->text.length - sink->tapped;
    for (int i = 0; i < 2 && unseen > 0; i++)
        if (sink->taps[i].see != NULL)
            sink->taps[i].see(sink->taps[i].user, sink->text.data + sink->tapped, unseen);
    sink->tapped = sink->text.length;
}

static void set_tap(cli_sink *sink, int index, cli_sink_tap tap, void *user)
{
    cli_sink_show(sink);
    sink->taps[index].see = tap;
    sink->taps[index].user = user;
}

void cli_sink_set_tap(cli_sink *sink, cli_sink_tap tap, void *user)
{
    set_tap(sink, 0, tap, user);
}

void cli_sink_set_copy(cli_sink *sink, cli_sink_tap tap, void *user)
{
    set_tap(sink, 1, tap, user);
}

/* Writes the text. Compression keeps what does not fill a block until the `end`. */
static void write_text(cli_sink *sink, bool end)
{
    cli_buffer *text = &sink->text;
    if (text->failed)
        fail(sink, ENOMEM);
    cli_sink_show(sink);
    size_t written = text->length;
    if (sink->threads == 0) {
        write_bytes(sink, text->data, text->length);
    } else if (sink->code == 0) {
        const size_t whole = end ? text->length : text->length - text->length % BGZF_BLOCK_SIZE;
        for (written = 0; written < whole;) {
            const size_t rest = whole - written;
            const size_t bytes = rest < sink->most ? rest : sink->most;
            write_blocks(sink, text->data + written, bytes);
            written += bytes;
        }
        if (written > 0)
            memmove(text->data, text->data + written, text->length - written);
    }
    text->length -= written;
    sink->tapped -= written;
}

void cli_sink_flush(cli_sink *sink)
{
    write_text(sink, false);
}

/* Room for the next piece of so many bytes, which is then taken off; NULL: there is no more. */
static char *next_piece(cli_sink *sink, int64_t *count, int64_t *piece)
{
    *piece = *count < CLI_SINK_PIECE ? *count : CLI_SINK_PIECE;
    *count -= *piece;
    char *at =
        *piece > 0 && cli_sink_spill(sink) ? cli_buffer_room(&sink->text, (size_t)*piece) : NULL;
    if (at != NULL)
        cli_buffer_taken(&sink->text, at + *piece);
    return at;
}

void cli_sink_bases(cli_sink *sink, const char *bases, int64_t count)
{
    int64_t piece;
    for (char *at; (at = next_piece(sink, &count, &piece)) != NULL; bases += piece)
        memcpy(at, bases, (size_t)piece);
}

static void write_folded(cli_sink *sink, const char *bases, int64_t count, int (*fold)(int))
{
    int64_t piece;
    for (char *at; (at = next_piece(sink, &count, &piece)) != NULL; bases += piece)
        for (int64_t i = 0; i < piece; i++)
            at[i] = (char)fold((unsigned char)bases[i]);
}

static int with_t(int base)
{
    return base == 'U' ? 'T' : base == 'u' ? 't' : base;
}

static int lower_base(int base)
{
    return tolower(with_t(base));
}

int cli_upper_base(int base)
{
    return toupper(with_t(base));
}

void cli_sink_dna_bases(cli_sink *sink, const char *bases, int64_t count)
{
    write_folded(sink, bases, count, with_t);
}

void cli_sink_lower_bases(cli_sink *sink, const char *bases, int64_t count)
{
    write_folded(sink, bases, count, lower_base);
}

void cli_sink_upper_bases(cli_sink *sink, const char *bases, int64_t count)
{
    write_folded(sink, bases, count, cli_upper_base);
}

void cli_sink_repeat(cli_sink *sink, char character, int64_t count)
{
    int64_t piece;
    for (char *at; (at = next_piece(sink, &count, &piece)) != NULL;)
        memset(at, character, (size_t)piece);
}

/* An empty block marks the end: the file is not truncated. */
static void write_last_block(cli_sink *sink)
{
    size_t length = BGZF_MAX_BLOCK_SIZE;
    if (bgzf_compress(sink->blocks, &length, "", 0, LEVEL) != 0)
        fail(sink, ENOMEM);
    write_bytes(sink, sink->blocks, length);
}

int cli_sink_close(cli_sink *sink)
{
    if (sink->text.failed)
        fail(sink, ENOMEM);
    if (sink->stream != NULL)
        write_text(sink, true);
    if (sink->threads > 0 && sink->code == 0)
        write_last_block(sink);
    const int code = sink->code;
    cli_sink_release(sink);
    return code;
}

void cli_sink_release(cli_sink *sink)
{
    cli_buffer_release(&sink->text);
    free(sink->blocks);
    free(sink->lengths);
    *sink = (cli_sink){0};
}
