/* SPDX-License-Identifier: MIT */
/*
 * Readers of pairs and their chunks, see pairs_reader.h: creation and destruction, faults, and
 * failures, which are held back until the pairs before them have been delivered.
 */
#include "src/io/pairs_reader.h"

#include "src/base/parallel.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Text of a chunk: some thousand reads, a quarter of a millisecond of work. Copied text is still in
 * a core's cache when it is parsed; for mapped text 8 MiB are no faster.
 */
#define TEXT_BYTES ((size_t)2 << 20)

static rhomb_status open_files(rhomb_pairs *pairs, bool live)
{
    rhomb_status status = RHOMB_OK;
    if (live)
        RHOMB_TRY(rhomb__live_open(pairs));
    if (pairs->live_fd >= 0)
        goto out;
    if (pairs->is_text) {
        RHOMB_TRY(rhomb__stream_open(&pairs->stream, &pairs->error, pairs->paths[0]));
        rhomb__stream_use_threads(&pairs->stream, pairs->stream.file_bytes, pairs->threads);
        if (pairs->threads > 1 && rhomb__stream_is_plain(&pairs->stream) &&
            pairs->stream.file_bytes > (int64_t)pairs->text_bytes)
            pairs->ahead = rhomb__ahead_start(pairs->stream.fd, pairs->text_bytes, pairs->threads);
        goto out;
    }
    for (int side = 0; side < RHOMB__SIDES; side++)
        RHOMB_TRY(rhomb__side_open(pairs, side));

out:
    return status;
}

/* Passes a failure from the reader's own record to the caller's. */
static rhomb_status report(const rhomb_pairs *pairs, rhomb_status status)
{
    return rhomb__fail(pairs->reported, status, "%s", rhomb__error_text(&pairs->error));
}

rhomb_status rhomb__pairs_open(rhomb__error *error, const char *path, const char *queries,
                               const rhomb_pairs_options *options, int32_t threads,
                               size_t text_bytes, rhomb_pairs **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb_pairs *pairs = NULL;
    *out = NULL;
    if (options->one_to_many && queries == NULL)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "one_to_many needs a file of queries");
    if (options->live && queries != NULL)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "live needs one file of pairs");
    if (options->parts < 0 || options->part < 0 ||
        (options->parts > 0 ? options->part >= options->parts : options->part > 0))
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "there is no part %lld of %lld",
                           (long long)options->part, (long long)options->parts);
    if (queries != NULL && strcmp(path, "-") == 0 && strcmp(queries, "-") == 0)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "targets and queries cannot both be standard input");
    pairs = calloc(1, sizeof *pairs);
    if (pairs == NULL)
        return rhomb__fail_memory(error, sizeof *pairs, "a pair reader");
    pairs->reported = error;
    pairs->live_fd = -1;
    pairs->is_text = queries == NULL;
    pairs->one_target = options->one_to_many;
    pairs->qualities = options->qualities;
    pairs->part = options->part;
    pairs->part_count = options->parts > 0 ? options->parts : 1;
    pairs->text_bytes = text_bytes > 0 ? text_bytes : TEXT_BYTES;
    pairs->threads = rhomb__threads_meant(threads);
    pairs->paths[0] = strdup(path);
    pairs->paths[1] = strdup(pairs->is_text ? "" : queries);
    if (pairs->paths[0] == NULL || pairs->paths[1] == NULL)
        RHOMB_TRY(rhomb__fail_memory(error, strlen(path), "a file name"));
    status = open_files(pairs, options->live);
    if (status != RHOMB_OK)
        status = report(pairs, status);

out:
    if (status != RHOMB_OK) {
        rhomb_pairs_destroy(pairs);
        pairs = NULL;
    }
    *out = pairs;
    return status;
}

/*
 * A text has two buffers, of the chunk and of what is carried to the next one. Two files have four,
 * as bases may be copied from a side's buffer to the chunk's; names are short.
 */
void rhomb__pairs_bound(rhomb_pairs *pairs, size_t bytes)
{
    pairs->most_bytes = bytes / (pairs->is_text ? 2 : 2 * RHOMB__SIDES);
    pairs->carried.most = pairs->most_bytes;
    for (int side = 0; side < RHOMB__SIDES; side++)
        pairs->sides[side].bases.most = pairs->most_bytes;
}

void rhomb_pairs_destroy(rhomb_pairs *pairs)
{
    if (pairs == NULL)
        return;
    rhomb__ahead_release(pairs->ahead);
    for (int side = 0; side < RHOMB__SIDES; side++) {
        free(pairs->paths[side]);
        rhomb__side_close(&pairs->sides[side]);
    }
    rhomb__bytes_release(&pairs->carried);
    rhomb__live_close(pairs);
    rhomb__stream_close(&pairs->stream);
    rhomb__error_clear(&pairs->error);
    free(pairs);
}

const rhomb_pairs_report *rhomb_pairs_get_report(const rhomb_pairs *pairs)
{
    return pairs != NULL ? &pairs->report : NULL;
}

rhomb_status rhomb__chunk_add_fault(rhomb_pairs *pairs, rhomb__chunk *chunk, size_t index,
                                    const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const rhomb_pair_fault fault = {.index = index};
    const rhomb_status status =
        rhomb__bytes_append(&pairs->error, &chunk->details, text, strlen(text) + 1);
    return status != RHOMB_OK
               ? status
               : rhomb__bytes_append(&pairs->error, &chunk->faults, &fault, sizeof fault);
}

/* Sets the pointers to the details of the faults, which no longer move. */
static void publish_faults(rhomb__chunk *chunk)
{
    rhomb_pair_fault *faults = (rhomb_pair_fault *)(void *)chunk->faults.data;
    const char *detail = chunk->details.data;
    chunk->is.faults = faults;
    chunk->is.fault_count = chunk->faults.length / sizeof *faults;
    for (size_t i = 0; i < chunk->is.fault_count; i++) {
        faults[i].detail = detail;
        detail += strlen(detail) + 1;
    }
}

/* Leaves out the pairs of other parts. `first` is the number of the chunk's first pair. */
static void keep_part(const rhomb_pairs *pairs, rhomb__chunk *chunk, int64_t first)
{
    const int64_t parts = pairs->part_count;
    rhomb_pair *list = chunk->is_text ? chunk->part.pairs : (void *)chunk->pairs.data;
    rhomb_pair_names *names = chunk->is.names != NULL ? (void *)chunk->pair_names.data : NULL;
    rhomb_pair_fault *faults = (rhomb_pair_fault *)(void *)chunk->faults.data;
    const char **qualities = chunk->is.qualities != NULL ? (void *)chunk->qualities.data : NULL;
    /* Pairs of the part before this chunk, and the first one in it. */
    chunk->is.first = (first + parts - 1 - pairs->part) / parts;
    const size_t from = (size_t)(chunk->is.first * parts + pairs->part - first);
    size_t kept = 0, kept_faults = 0;
    if (parts == 1)
        return;
    for (size_t i = from; i < chunk->is.count; i += (size_t)parts, kept++) {
        list[kept] = list[i];
        if (names != NULL)
            names[kept] = names[i];
        if (qualities != NULL)
            qualities[kept] = qualities[i];
    }
    for (size_t i = 0; i < chunk->is.fault_count; i++)
        if (faults[i].index >= from && (faults[i].index - from) % (size_t)parts == 0) {
            faults[kept_faults] = faults[i];
            faults[kept_faults++].index = (faults[i].index - from) / (size_t)parts;
        }
    chunk->is.count = kept;
    chunk->is.fault_count = kept_faults;
}

/* Empties a chunk and keeps its memory. */
static void empty_chunk(rhomb__chunk *chunk)
{
    chunk->is = (rhomb_pair_chunk){0};
    chunk->begin = chunk->length = 0;
    rhomb__part_text_unmap(&chunk->text);
    for (int side = 0; side < RHOMB__SIDES; side++)
        chunk->bases[side].length = chunk->names[side].length = 0;
    chunk->pairs.length = chunk->pair_names.length = chunk->qualities.length = 0;
    chunk->faults.length = chunk->details.length = 0;
}

/* What has been read, as rhomb_pairs_report has it. */
static double fraction_read(const rhomb_pairs *pairs)
{
    if (pairs->ahead != NULL)
        return (double)pairs->report.bytes / (double)pairs->stream.file_bytes;
    return rhomb__stream_fraction(pairs->is_text ? &pairs->stream
                                                 : &pairs->sides[1].records.stream);
}

rhomb_status rhomb_pairs_next(rhomb_pairs *pairs, rhomb_pair_chunk **out)
{
    if (pairs == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(pairs->reported);
    if (out == NULL)
        return rhomb__fail(pairs->reported, RHOMB_ERR_ARGUMENT, "chunk must not be NULL");
    rhomb__chunk *chunk = (rhomb__chunk *)(void *)*out;
    if (chunk == NULL) {
        chunk = calloc(1, sizeof *chunk);
        if (chunk == NULL)
            return rhomb__fail_memory(pairs->reported, sizeof *chunk, "a chunk of pairs");
        *out = &chunk->is;
    }
    /* Blank lines at the beginning of a text may fill a whole chunk, and so may other parts. */
    do {
        empty_chunk(chunk);
        chunk->is_text = pairs->is_text;
        for (int side = 0; side < RHOMB__SIDES; side++)
            chunk->bases[side].most = pairs->most_bytes;
        if (pairs->status == RHOMB_OK && !pairs->ended)
            pairs->status = pairs->is_text ? rhomb__pairs_fill_text(pairs, chunk)
                                           : rhomb__pairs_fill_records(pairs, chunk);
        publish_faults(chunk);
        const int64_t first = pairs->report.pairs;
        pairs->report.pairs += (int64_t)chunk->is.count;
        keep_part(pairs, chunk, first);
    } while (chunk->is.count == 0 && pairs->status == RHOMB_OK && !pairs->ended);
    pairs->report.fraction = fraction_read(pairs);
    return chunk->is.count > 0 || pairs->status == RHOMB_OK ? RHOMB_OK
                                                            : report(pairs, pairs->status);
}

int64_t rhomb_pair_chunk_line(const rhomb_pair_chunk *is, size_t index)
{
    const rhomb__chunk *chunk = (const rhomb__chunk *)(const void *)is;
    if (is == NULL || index >= is->count || !chunk->is_text || is->pairs[index].query == NULL)
        return 0;
    int64_t line = chunk->lines + 1;
    const char *at = chunk->text.at + chunk->begin;
    const char *end = is->pairs[index].query;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        at++;
        line++;
    }
    return line;
}

void rhomb_pair_chunk_destroy(rhomb_pair_chunk *is)
{
    rhomb__chunk *chunk = (rhomb__chunk *)(void *)is;
    if (chunk == NULL)
        return;
    for (int side = 0; side < RHOMB__SIDES; side++) {
        rhomb__bytes_release(&chunk->bases[side]);
        rhomb__bytes_release(&chunk->names[side]);
    }
    rhomb__seq_part_release(&chunk->part);
    rhomb__bytes_release(&chunk->pairs);
    rhomb__bytes_release(&chunk->pair_names);
    rhomb__bytes_release(&chunk->qualities);
    rhomb__bytes_release(&chunk->faults);
    rhomb__bytes_release(&chunk->details);
    rhomb__part_text_release(&chunk->text);
    free(chunk);
}
