/* SPDX-License-Identifier: MIT */
/*
 * Records of PAF files, see paf_reader.h. A record is read up to its path, and the rest of the line
 * after the path has been read. Text that nobody has asked for is skipped, but never the line's
 * end: a file that ends within a line is truncated.
 */
#include "src/formats/paf_reader.h"

#include "src/base/error.h"
#include "src/io/foreign.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a tag that is kept. */
#define TAG_BYTES ((size_t)1 << 20)

rhomb_status rhomb__paf_fail(rhomb_paf *paf, const char *format, ...)
{
    char reason[512];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return rhomb__fail(&paf->error, RHOMB_ERR_INPUT, "%s: line %lld: %s", paf->stream.name,
                       (long long)paf->line, reason);
}

void rhomb_paf_watch(rhomb_paf *paf, rhomb_paf_progress_fn progress, void *user)
{
    if (paf == NULL)
        return;
    paf->progress = progress;
    paf->progress_user = user;
}

static double fraction(const rhomb_paf *paf)
{
    const int64_t bytes = paf->stream.file_bytes;
    if (paf->sam == NULL)
        return rhomb__stream_fraction(&paf->stream);
    return bytes > 0 ? (double)rhomb__sam_tell(paf->sam) / (double)bytes : -1;
}

/* Before a window's worth of the file is read. */
static rhomb_status tell(rhomb_paf *paf)
{
    if (paf->progress == NULL || paf->stream.at < paf->stream.end ||
        paf->progress(fraction(paf), paf->progress_user) == 0)
        return RHOMB_OK;
    return rhomb__fail(&paf->error, RHOMB_ERR_CANCELLED, "stopped while reading %s",
                       paf->stream.name);
}

/* The next record of SAM is the window. */
static rhomb_status fill_from_sam(rhomb_paf *paf)
{
    const char *line = "";
    size_t length = 0;
    if (paf->stream.at < paf->stream.end)
        return RHOMB_OK;
    const rhomb_status status = rhomb__sam_next(paf->sam, &line, &length);
    paf->stream.at = (const unsigned char *)line;
    paf->stream.end = paf->stream.at + length;
    return status;
}

rhomb_status rhomb__paf_peek(rhomb_paf *paf, int *byte)
{
    rhomb_status status = tell(paf);
    if (status == RHOMB_OK)
        status = paf->sam != NULL ? fill_from_sam(paf) : rhomb__stream_fill(&paf->stream);
    if (status == RHOMB_OK)
        *byte = paf->stream.at < paf->stream.end ? *paf->stream.at : -1;
    return status;
}

/* The window holds no byte. */
static rhomb_status fail_cut(rhomb_paf *paf)
{
    return rhomb__paf_fail(paf, "the file ends in the middle of a line: it is truncated");
}

static bool ends_field(int byte)
{
    return byte == '\t' || byte == '\n' || byte == '\r';
}

rhomb_status rhomb__paf_read_field(rhomb_paf *paf, const char *what, size_t most, rhomb__bytes *out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__stream *stream = &paf->stream;
    int byte = 0;
    out->length = 0;
    RHOMB_TRY(rhomb__bytes_append(&paf->error, out, "", 0));
    for (;;) {
        RHOMB_TRY(rhomb__paf_peek(paf, &byte));
        if (byte < 0)
            RHOMB_TRY(fail_cut(paf));
        const unsigned char *at = stream->at;
        while (at < stream->end && *at >= ' ' && *at != 127)
            at++;
        const size_t run = (size_t)(at - stream->at);
        if (run > most - out->length)
            RHOMB_TRY(rhomb__paf_fail(paf, "%s has more than %zu bytes", what, most));
        RHOMB_TRY(rhomb__bytes_append(&paf->error, out, stream->at, run));
        stream->at = at;
        if (at == stream->end)
            continue;
        if (!ends_field(*at))
            status = rhomb__paf_fail(paf, "byte 0x%02x in %s: not a text file", *at, what);
        goto out;
    }

out:
    return status;
}

/* Skips the rest of a field whose value does not matter. */
static rhomb_status skip_field(rhomb_paf *paf)
{
    rhomb_status status = RHOMB_OK;
    rhomb__stream *stream = &paf->stream;
    int byte = 0;
    do {
        RHOMB_TRY(rhomb__paf_peek(paf, &byte));
        if (byte < 0)
            RHOMB_TRY(fail_cut(paf));
        while (stream->at < stream->end && !ends_field(*stream->at) && *stream->at != '\0')
            stream->at++;
    } while (stream->at == stream->end);
    if (*stream->at == '\0')
        status = rhomb__paf_fail(paf, "a NUL byte: not a text file");

out:
    return status;
}

rhomb_status rhomb__paf_end_field(rhomb_paf *paf, bool *more)
{
    rhomb_status status = RHOMB_OK;
    int byte = 0;
    RHOMB_TRY(rhomb__paf_peek(paf, &byte));
    if (byte == '\r') {
        paf->stream.at++;
        RHOMB_TRY(rhomb__paf_peek(paf, &byte));
        if (byte >= 0 && byte != '\n')
            RHOMB_TRY(rhomb__paf_fail(
                paf, "a carriage return within a line: lines must end in LF or CRLF"));
    }
    if (byte < 0)
        RHOMB_TRY(fail_cut(paf));
    paf->stream.at++;
    *more = byte == '\t';
    if (!*more) {
        paf->line++;
        paf->section = RHOMB__PAF_OUTSIDE;
        paf->tags.complete = true;
    }

out:
    return status;
}

/* Takes "NM:i:" of a tag and returns "NM:i"; a field that is not a tag gives "", anywhere in it. */
static rhomb_status read_tag_name(rhomb_paf *paf, char tag[5])
{
    rhomb_status status = RHOMB_OK;
    char text[6] = "";
    for (int i = 0; i < 5; i++) {
        int byte = 0;
        RHOMB_TRY(rhomb__paf_peek(paf, &byte));
        if (byte <= ' ' || ((i == 2 || i == 4) && byte != ':')) {
            text[0] = '\0';
            break;
        }
        text[i] = (char)byte;
        paf->stream.at++;
    }
    text[4] = '\0';
    memcpy(tag, text, 5);

out:
    return status;
}

/* After the name of a tag that is a path: *taken if the path is to be read. */
static rhomb_status begin_path(rhomb_paf *paf, rhomb_paf_path notation, bool *taken)
{
    const bool first = paf->row.path == RHOMB_PAF_PATH_NONE;
    /* The notation of a record's first path stays in force until the second one has begun. */
    const bool second = paf->reads_both && paf->row.path == paf->notation;
    *taken = first || (second && notation != paf->row.path);
    if (*taken && !paf->has_strand)
        return rhomb__paf_fail(paf, "tag %s: a record whose strand is * has no path",
                               rhomb__paf_path_tag(notation));
    if (*taken) {
        paf->section = first ? RHOMB__PAF_PATH : RHOMB__PAF_SECOND;
        paf->notation = notation;
        paf->cursor = (rhomb__paf_cursor){0};
    }
    if (first)
        paf->row.path = notation;
    return RHOMB_OK;
}

/* Reads the value of a tag that has no meaning here, and adds both to the others. */
static rhomb_status keep_tag(rhomb_paf *paf, const char *tag)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__paf_read_field(paf, tag, TAG_BYTES, &paf->value));
    RHOMB_TRY(rhomb__bytes_append(&paf->error, &paf->others, "\t", 1));
    RHOMB_TRY(rhomb__bytes_append(&paf->error, &paf->others, tag, strlen(tag)));
    RHOMB_TRY(rhomb__bytes_append(&paf->error, &paf->others, ":", 1));
    RHOMB_TRY(rhomb__bytes_append(&paf->error, &paf->others, paf->value.data, paf->value.length));
    paf->tags.others = paf->others.data;

out:
    return status;
}

/* Reads a tag, or only the name of a path that is to be read. */
static rhomb_status read_tag(rhomb_paf *paf)
{
    rhomb_status status = RHOMB_OK;
    char tag[5];
    bool is_path = false;
    RHOMB_TRY(read_tag_name(paf, tag));
    if (strcmp(tag, "cg:Z") == 0)
        RHOMB_TRY(begin_path(paf, RHOMB_PAF_PATH_CG, &is_path));
    if (strcmp(tag, "cs:Z") == 0)
        RHOMB_TRY(begin_path(paf, RHOMB_PAF_PATH_CS, &is_path));
    if (is_path)
        goto out;
    RHOMB_TRY(rhomb__paf_tag_matters(tag)         ? rhomb__paf_read_value(paf, tag)
              : paf->keeps_tags && tag[0] != '\0' ? keep_tag(paf, tag)
                                                  : skip_field(paf));

out:
    return status;
}

/* Reads tags up to the path or the line's end. */
static rhomb_status read_tags(rhomb_paf *paf)
{
    rhomb_status status = RHOMB_OK;
    while (paf->section == RHOMB__PAF_TAGS) {
        bool more = false;
        RHOMB_TRY(rhomb__paf_end_field(paf, &more));
        if (more)
            RHOMB_TRY(read_tag(paf));
    }

out:
    return status;
}

/* Skips the rest of the current line. */
static rhomb_status skip_line(rhomb_paf *paf)
{
    rhomb_status status = RHOMB_OK;
    while (paf->section != RHOMB__PAF_OUTSIDE) {
        bool more = false;
        RHOMB_TRY(skip_field(paf));
        RHOMB_TRY(rhomb__paf_end_field(paf, &more));
    }

out:
    return status;
}

/* The columns of the first line of a window that is no comment; 0 if it does not end there. */
static int first_columns(const unsigned char *at, const unsigned char *end)
{
    while (at < end) {
        const unsigned char *const line = at;
        int tabs = 0;
        for (; at < end && *at != '\n'; at++)
            tabs += *at == '\t';
        if (at++ == end)
            return 0;
        if (*line != '#' && *line != '\n' && *line != '\r')
            return tabs + 1;
    }
    return 0;
}

/* Checks the first bytes of a file. */
static rhomb_status check_start(rhomb_paf *paf)
{
    const rhomb__stream *stream = &paf->stream;
    const size_t bytes = (size_t)(stream->end - stream->at);
    const char *foreign =
        rhomb__foreign_format((const char *)stream->at, bytes,
                              paf->takes_tables ? RHOMB__READS_RANGES : RHOMB__READS_PAF);
    paf->begun = true;
    const int columns = first_columns(stream->at, stream->end);
    paf->is_table = paf->takes_tables && columns > 0 && columns < RHOMB__PAF_COLUMN_COUNT;
    if (foreign == NULL)
        return RHOMB_OK;
    return rhomb__fail(&paf->error, RHOMB_ERR_INPUT,
                       paf->takes_tables
                           ? "%s: is not PAF, SAM, BAM, CRAM or a table of ranges: it is %s"
                           : "%s: is not a PAF file: it is %s; 'rhomb align TARGET "
                             "QUERY -o FILE.paf' writes one",
                       stream->name, foreign);
}

/* Goes to the next line that is not empty; *found is false if there is none. */
static rhomb_status find_line(rhomb_paf *paf, bool *found)
{
    rhomb_status status = RHOMB_OK;
    int byte = 0;
    *found = false;
    RHOMB_TRY(rhomb__paf_peek(paf, &byte));
    if (!paf->begun)
        RHOMB_TRY(check_start(paf));
    while (byte == '\n' || byte == '\r' || (byte == '#' && paf->is_table)) {
        bool more = true;
        while (more) {
            if (byte == '#')
                RHOMB_TRY(skip_field(paf));
            RHOMB_TRY(rhomb__paf_end_field(paf, &more));
        }
        RHOMB_TRY(rhomb__paf_peek(paf, &byte));
    }
    *found = byte >= 0;

out:
    return status;
}

static rhomb_status next_row(rhomb_paf *paf, bool *found)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(skip_line(paf));
    RHOMB_TRY(find_line(paf, found));
    paf->tags = (rhomb_paf_tags){.complete = !*found, .others = ""};
    paf->others.length = 0;
    if (*found) {
        RHOMB_TRY(rhomb__paf_read_columns(paf));
        RHOMB_TRY(read_tags(paf));
    }

out:
    return status;
}

static rhomb_status next_operations(rhomb_paf *paf, rhomb_path_op *ops, size_t room, size_t *count)
{
    rhomb_status status = RHOMB_OK;
    bool over = false;
    if (paf->section != RHOMB__PAF_PATH)
        return RHOMB_OK;
    RHOMB_TRY(rhomb__paf_read_path(paf, ops, room, count, &over));
    if (over)
        RHOMB_TRY(read_tags(paf));

out:
    return status;
}

/* Passes a failure to the caller, now and in every later call. */
static rhomb_status report(rhomb_paf *paf, rhomb_status status)
{
    paf->status = status;
    return rhomb__fail(paf->reported, status, "%s", rhomb__error_text(&paf->error));
}

rhomb_status rhomb_paf_next(rhomb_paf *paf, const rhomb_paf_record **row)
{
    if (row != NULL)
        *row = NULL;
    if (paf == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(paf->reported);
    if (row == NULL)
        return rhomb__fail(paf->reported, RHOMB_ERR_ARGUMENT, "row must not be NULL");
    bool found = false;
    const rhomb_status status = paf->status != RHOMB_OK ? paf->status : next_row(paf, &found);
    if (status != RHOMB_OK)
        return report(paf, status);
    *row = found ? &paf->row : NULL;
    return RHOMB_OK;
}

rhomb_status rhomb_paf_ops(rhomb_paf *paf, rhomb_path_op *ops, size_t room, size_t *count)
{
    if (count != NULL)
        *count = 0;
    if (paf == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(paf->reported);
    if (ops == NULL || count == NULL || room == 0)
        return rhomb__fail(paf->reported, RHOMB_ERR_ARGUMENT,
                           "ops and count must not be NULL, nor room 0");
    const rhomb_status status =
        paf->status != RHOMB_OK ? paf->status : next_operations(paf, ops, room, count);
    if (status == RHOMB_OK)
        return RHOMB_OK;
    *count = 0;
    return report(paf, status);
}

void rhomb_paf_read_both(rhomb_paf *paf)
{
    if (paf != NULL)
        paf->reads_both = true;
}

bool rhomb_paf_second_path(rhomb_paf *paf)
{
    const bool found = paf != NULL && paf->status == RHOMB_OK && paf->section == RHOMB__PAF_SECOND;
    if (found)
        paf->section = RHOMB__PAF_PATH;
    return found;
}

void rhomb_paf_take_tables(rhomb_paf *paf)
{
    if (paf != NULL)
        paf->takes_tables = true;
}

void rhomb_paf_keep_tags(rhomb_paf *paf)
{
    if (paf != NULL)
        paf->keeps_tags = true;
}

const rhomb_paf_tags *rhomb_paf_get_tags(const rhomb_paf *paf)
{
    return paf != NULL ? &paf->tags : NULL;
}

static rhomb_status open_file(rhomb_paf *paf)
{
    hFILE *file = NULL;
    rhomb_status status = rhomb__stream_find(&paf->stream, &paf->error, paf->path, &file);
    if (status != RHOMB_OK)
        return status;
    if (!rhomb__sam_is(file))
        return rhomb__stream_begin(&paf->stream, file);
    status = rhomb__sam_open(&paf->error, file, paf->stream.name, &paf->sam);
    if (status == RHOMB_OK)
        paf->line += rhomb__sam_head_lines(paf->sam);
    paf->begun = true;
    return status;
}

rhomb_status rhomb__paf_open(rhomb__error *error, const char *path, rhomb_paf **out)
{
    rhomb_status status = RHOMB_OK;
    *out = NULL;
    rhomb_paf *paf = calloc(1, sizeof *paf);
    if (paf == NULL)
        return rhomb__fail_memory(error, sizeof *paf, "a PAF reader");
    paf->reported = error;
    paf->line = 1;
    paf->tags = (rhomb_paf_tags){.complete = true, .others = ""};
    paf->path = rhomb__format("%s", path);
    if (paf->path == NULL)
        RHOMB_TRY(rhomb__fail_memory(error, strlen(path) + 1, "a file name"));
    status = open_file(paf);
    if (status != RHOMB_OK)
        status = report(paf, status);

out:
    if (status != RHOMB_OK) {
        rhomb_paf_destroy(paf);
        paf = NULL;
    }
    *out = paf;
    return status;
}

void rhomb_paf_destroy(rhomb_paf *paf)
{
    if (paf == NULL)
        return;
    rhomb__stream_close(&paf->stream);
    rhomb__sam_close(paf->sam);
    rhomb__bytes_release(&paf->others);
    rhomb__bytes_release(&paf->query_name);
    rhomb__bytes_release(&paf->target_name);
    rhomb__bytes_release(&paf->value);
    rhomb__bytes_release(&paf->scoring);
    rhomb__error_clear(&paf->error);
    free(paf->path);
    free(paf);
}
