/* SPDX-License-Identifier: MIT */
/*
 * Pairs from one file, see pairs_reader.h. A plain one is read ahead, see pairs_ahead.h. Else a
 * chunk's memory is filled by large reads and pairs point into it. The text after the last whole
 * pair goes to the front of the next chunk:
 *
 *     chunk k      |..................................|> half a p|
 *     chunk k + 1                              |> half a p|air ..................................|
 */
#include "src/io/pairs_reader.h"

#include "src/base/clock.h"
#include "src/io/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static rhomb_status make_room(rhomb_pairs *pairs, rhomb__chunk *chunk, size_t bytes)
{
    rhomb__part_text *text = &chunk->text;
    if (pairs->most_bytes > 0 && bytes > pairs->most_bytes)
        return rhomb__fail_text(&pairs->error, pairs->most_bytes);
    if (text->capacity < bytes) {
        char *grown = realloc(text->buffer, bytes);
        if (grown == NULL)
            return rhomb__fail_memory(&pairs->error, bytes, "the text of a file of pairs");
        text->buffer = grown;
        text->capacity = bytes;
    }
    text->at = text->buffer;
    return RHOMB_OK;
}

/* The room that a text of `length` bytes gets where `room` is wanted. */
static size_t bound_room(const rhomb_pairs *pairs, size_t room, size_t length)
{
    const size_t most = pairs->most_bytes;
    return most > 0 && room > most && length < most ? most : room;
}

/* Checks the beginning of the file: another format is one error, not a fault per line. */
static rhomb_status check_start(rhomb_pairs *pairs, const char *text, size_t length)
{
    int64_t line = pairs->lines + 1;
    size_t at = 0;
    if (pairs->begun)
        return RHOMB_OK;
    for (; at < length && (text[at] == '\n' || text[at] == '\r' || text[at] == ' '); at++)
        line += text[at] == '\n';
    pairs->begun = at < length;
    if (at == length || text[at] == '>' || text[at] == '<')
        return RHOMB_OK;
    if (pairs->live_fd >= 0 && length > 1 && memcmp(text, "\x1f\x8b", 2) == 0)
        return rhomb__fail(&pairs->error, RHOMB_ERR_INPUT,
                           "%s: is compressed: input that may pause must be plain text",
                           pairs->stream.name);
    const char *foreign = rhomb__foreign_format(text + at, length - at, RHOMB__READS_SEQUENCES);
    if (foreign != NULL)
        return rhomb__fail(&pairs->error, RHOMB_ERR_INPUT, "%s: is not a file of pairs: it is %s",
                           pairs->stream.name, foreign);
    char first[8];
    const unsigned char byte = (unsigned char)text[at];
    snprintf(first, sizeof first, byte > ' ' && byte < 127 ? "'%c'" : "0x%02x", byte);
    return rhomb__fail(&pairs->error, RHOMB_ERR_INPUT,
                       "%s: line %lld: not a file of pairs: a pair begins with '>', not with %s%s",
                       pairs->stream.name, (long long)line, first,
                       byte == '@' ? " (FASTA and FASTQ need two files)" : "");
}

/*
 * Checks text without a whole pair so far, so that a long file that is not a file of pairs fails
 * here, and not when memory runs out. Whitespace before the first pair is dropped.
 */
static rhomb_status check_text(rhomb_pairs *pairs, const char *text, size_t before, size_t *length)
{
    const rhomb_status status = check_start(pairs, text, *length);
    if (status != RHOMB_OK)
        return status;
    const char *nul = memchr(text + before, '\0', *length - before);
    if (pairs->begun && nul == NULL)
        return RHOMB_OK;
    int64_t line = pairs->lines;
    for (const char *at = text; at < (nul != NULL ? nul : text + *length); at++)
        line += *at == '\n';
    if (nul != NULL)
        return rhomb__fail(&pairs->error, RHOMB_ERR_INPUT,
                           "%s: line %lld: a NUL byte: not a text file", pairs->stream.name,
                           (long long)line + 1);
    pairs->report.bytes += (int64_t)*length;
    pairs->lines = line;
    *length = 0;
    return RHOMB_OK;
}

/*
 * Reads on after the carried text until the chunk has whole pairs, and is full or input pauses.
 * *got is the length of all its text, of which chunk->length is whole pairs.
 */
static rhomb_status read_text(rhomb_pairs *pairs, rhomb__chunk *chunk, size_t *got)
{
    rhomb_status status = RHOMB_OK;
    rhomb__stream *stream = &pairs->stream;
    size_t length = pairs->carried.length;
    size_t room = pairs->text_bytes;
    while (room < 2 * length)
        room *= 2;
    room = bound_room(pairs, room, length);
    *got = 0;
    RHOMB_TRY(make_room(pairs, chunk, room));
    if (length > 0)
        memcpy(chunk->text.buffer, pairs->carried.data, length);
    pairs->carried.length = 0;
    for (;;) {
        size_t more = 0;
        const size_t before = length;
        char *at = chunk->text.buffer + length;
        status = pairs->live_fd >= 0 ? rhomb__live_read(pairs, at, room - length, &more)
                                     : rhomb__stream_read(stream, at, room - length, &more);
        length += more;
        const bool all = status == RHOMB_OK && stream->ended;
        chunk->length = all ? length : rhomb__seq_cut(chunk->text.at, length);
        *got = length;
        if (status != RHOMB_OK || all || chunk->length > 0)
            break;
        RHOMB_TRY(check_text(pairs, chunk->text.at, before, &length));
        *got = length;
        room = length == room ? bound_room(pairs, 2 * room, length) : room;
        RHOMB_TRY(make_room(pairs, chunk, room));
    }

out:
    return status;
}

static rhomb_status add_fault(rhomb_pairs *pairs, rhomb__chunk *chunk,
                              const rhomb__seq_fault *fault, size_t index, int64_t line)
{
    static const char *const texts[] = {
        [RHOMB__SEQ_NO_TARGET] = "a '>' line without a '<' line after it",
        [RHOMB__SEQ_NO_QUERY] = "a '<' line without a '>' line before it",
        [RHOMB__SEQ_STRAY] = "a line that begins neither with '>' nor with '<'",
        [RHOMB__SEQ_CUT] =
            "a '>' line without a '<' line after it (FASTA and FASTQ need two files)",
    };
    const char *input = pairs->stream.name;
    return fault->problem == RHOMB__SEQ_NO_TEXT
               ? rhomb__chunk_add_fault(pairs, chunk, index,
                                        "%s: line %lld: byte 0x%02x within a sequence", input,
                                        (long long)line, (unsigned)fault->byte)
               : rhomb__chunk_add_fault(pairs, chunk, index, "%s: line %lld: %s", input,
                                        (long long)line, texts[fault->problem]);
}

/* Takes the faults and the line count of a part of the text. */
static rhomb_status take_faults(rhomb_pairs *pairs, rhomb__chunk *chunk,
                                const rhomb__seq_part *part, size_t first)
{
    rhomb_status status = RHOMB_OK;
    for (size_t f = 0; f < part->fault_count; f++)
        RHOMB_TRY(add_fault(pairs, chunk, &part->faults[f], first + part->faults[f].index,
                            pairs->lines + part->faults[f].line + 1));
    pairs->lines += part->lines;
out:
    return status;
}

/*
 * Copies the names of the chunk's pairs, of which one has one. Those that have none, as faults
 * have, are empty until names no longer move, and then NULL.
 */
static rhomb_status copy_names(rhomb_pairs *pairs, rhomb__chunk *chunk)
{
    static const rhomb_pair_names none = {NULL, NULL};
    rhomb_status status = RHOMB_OK;
    const char *end = chunk->text.at + chunk->begin + chunk->length;
    for (size_t i = 0; i < chunk->part.count; i++) {
        const rhomb_pair *p = &chunk->part.pairs[i];
        const char *sequences[RHOMB__SIDES] = {p->target, p->query};
        const int64_t lengths[RHOMB__SIDES] = {p->target_length, p->query_length};
        for (int side = 0; side < RHOMB__SIDES; side++) {
            const char *name = "";
            const size_t length = sequences[side] != NULL
                                      ? rhomb__seq_name(sequences[side], lengths[side], end, &name)
                                      : 0;
            RHOMB_TRY(rhomb__bytes_append(&pairs->error, &chunk->names[side], name, length));
            RHOMB_TRY(rhomb__bytes_append(&pairs->error, &chunk->names[side], "", 1));
        }
        RHOMB_TRY(rhomb__bytes_append(&pairs->error, &chunk->pair_names, &none, sizeof none));
    }
    rhomb_pair_names *names = (rhomb_pair_names *)(void *)chunk->pair_names.data;
    const char *at[RHOMB__SIDES] = {chunk->names[0].data, chunk->names[1].data};
    for (size_t i = 0; i < chunk->part.count; i++) {
        names[i].target = at[RHOMB__TARGET][0] != '\0' ? at[RHOMB__TARGET] : NULL;
        names[i].query = at[RHOMB__QUERY][0] != '\0' ? at[RHOMB__QUERY] : NULL;
        for (int side = 0; side < RHOMB__SIDES; side++)
            at[side] += strlen(at[side]) + 1;
    }
    chunk->is.names = names;

out:
    return status;
}

/* Gives the chunk the pairs that it has. */
static rhomb_status publish(rhomb_pairs *pairs, rhomb__chunk *chunk)
{
    const bool has_names = chunk->part.count > 0 && chunk->part.has_names;
    const rhomb_status status = has_names ? copy_names(pairs, chunk) : RHOMB_OK;
    chunk->is.pairs = chunk->part.pairs;
    chunk->is.count = status == RHOMB_OK ? chunk->part.count : 0;
    return status;
}

/* Finds the pairs of the chunk's text. */
static rhomb_status parse_text(rhomb_pairs *pairs, rhomb__chunk *chunk)
{
    rhomb_status status = RHOMB_OK;
    rhomb__seq_part *part = &chunk->part;
    if (chunk->length == 0)
        return RHOMB_OK;
    if (!rhomb__seq_parse(part, pairs->state, chunk->text.at, chunk->length))
        return rhomb__fail_memory(&pairs->error, chunk->length, "the pairs of a text");
    chunk->lines = pairs->lines;
    pairs->state = part->lines > 0 ? part->after : pairs->state;
    RHOMB_TRY(take_faults(pairs, chunk, part, 0));
    status = publish(pairs, chunk);
out:
    return status;
}

/* After a part that is too long, the text comes from the stream. */
static rhomb_status stop_ahead(rhomb_pairs *pairs)
{
    rhomb__ahead_release(pairs->ahead);
    pairs->ahead = NULL;
    return rhomb__stream_seek(&pairs->stream, pairs->ahead_end, 0);
}

/* Fills the chunk with the next part that was read ahead, or with nothing if there are no more. */
static rhomb_status fill_ahead(rhomb_pairs *pairs, rhomb__chunk *chunk)
{
    rhomb_status status = RHOMB_OK;
    rhomb__text_part part = {.text = chunk->text, .part = chunk->part};
    rhomb__ahead_next(pairs->ahead, &part);
    chunk->text = part.text;
    chunk->begin = part.begin;
    chunk->length = part.end - part.begin;
    chunk->part = part.part;
    chunk->lines = pairs->lines;
    pairs->ended = part.ended;
    pairs->report.bytes += (int64_t)chunk->length;
    pairs->report.seconds_read += part.seconds_read;
    pairs->report.seconds_parse += part.seconds_parse;
    if (part.too_long || part.failed) {
        rhomb__part_text_unmap(&chunk->text);
        chunk->begin = 0;
        return stop_ahead(pairs);
    }
    if (chunk->length > 0)
        pairs->ahead_end = part.place + (int64_t)part.end;
    RHOMB_TRY(check_start(pairs, chunk->text.at, part.length));
    RHOMB_TRY(take_faults(pairs, chunk, &chunk->part, 0));
    RHOMB_TRY(publish(pairs, chunk));
    if (part.no_memory)
        status = rhomb__fail_memory(&pairs->error, pairs->text_bytes, "the pairs of a text");
out:
    return status;
}

rhomb_status rhomb__pairs_fill_text(rhomb_pairs *pairs, rhomb__chunk *chunk)
{
    size_t got = 0;
    if (pairs->ahead != NULL)
        return fill_ahead(pairs, chunk);
    const double began = rhomb__now();
    rhomb_status status = read_text(pairs, chunk, &got);
    const double read = rhomb__now();
    if (status == RHOMB_OK) {
        pairs->ended = pairs->stream.ended;
        status = rhomb__bytes_append(&pairs->error, &pairs->carried, chunk->text.at + chunk->length,
                                     got - chunk->length);
    }
    const rhomb_status began_well = check_start(pairs, chunk->text.at, got);
    const rhomb_status parsed = began_well == RHOMB_OK ? parse_text(pairs, chunk) : began_well;
    pairs->report.bytes += (int64_t)chunk->length;
    pairs->report.seconds_read += read - began;
    pairs->report.seconds_parse += rhomb__now() - read;
    return status == RHOMB_OK ? parsed : status;
}

rhomb_status rhomb__live_open(rhomb_pairs *pairs)
{
    const char *path = pairs->paths[0];
    const bool is_input = strcmp(path, "-") == 0;
    struct stat info;
    if ((is_input ? fstat(STDIN_FILENO, &info) : stat(path, &info)) != 0 ||
        !(S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) || S_ISCHR(info.st_mode)))
        return RHOMB_OK;
    /* Standard input is the caller's: only a copy of its descriptor is closed later. */
    pairs->live_fd =
        is_input ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC);
    pairs->stream.error = &pairs->error;
    pairs->stream.name = is_input ? "standard input" : path;
    return pairs->live_fd >= 0
               ? RHOMB_OK
               : rhomb__fail(&pairs->error, RHOMB_ERR_INPUT, "%s: cannot be opened: %s",
                             pairs->stream.name, strerror(errno));
}

/* Whether a call may be repeated. */
static bool is_passing(int code)
{
    return code == EINTR || code == EAGAIN || code == EWOULDBLOCK;
}

rhomb_status rhomb__live_read(rhomb_pairs *pairs, char *out, size_t bytes, size_t *got)
{
    struct pollfd input = {.fd = pairs->live_fd, .events = POLLIN};
    bool has_line = false;
    *got = 0;
    while (*got < bytes) {
        const int ready = poll(&input, 1, has_line ? 0 : -1);
        if (ready == 0)
            break;
        const ssize_t count = ready < 0 ? -1 : read(pairs->live_fd, out + *got, bytes - *got);
        if (count < 0 && is_passing(errno))
            continue;
        if (count < 0)
            return rhomb__fail(&pairs->error, RHOMB_ERR_INPUT, "%s: cannot be read: %s",
                               pairs->stream.name, strerror(errno));
        pairs->stream.ended = count == 0;
        if (count == 0)
            break;
        has_line = has_line || memchr(out + *got, '\n', (size_t)count) != NULL;
        *got += (size_t)count;
    }
    return RHOMB_OK;
}

void rhomb__live_close(rhomb_pairs *pairs)
{
    if (pairs->live_fd >= 0)
        close(pairs->live_fd);
    pairs->live_fd = -1;
}
