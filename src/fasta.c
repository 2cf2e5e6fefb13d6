/* SPDX-License-Identifier: MIT */
/*
 * FASTA and FASTQ, see fasta.h. The parser pulls bytes through the window of a stream and holds no
 * line, so that a record of one line costs what a record of short lines costs.
 *
 * The file is read to its end even when the record that is wanted has been found, because only then
 * it is known that the name stands once and that nothing is truncated. What is kept does not depend
 * on the number of records: the letters of the records that the region may mean (two at most), and
 * the first names for an error that lists them.
 */
#include "fasta.h"

#include "fai.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records that an error lists, and the bytes of a name that it shows. */
#define LIST_RECORDS    20
#define LIST_NAME_BYTES 80

/* A record that the region may mean. */
typedef struct candidate {
    int64_t times; /* that its name stands in the file */
    int64_t length;
    rhomb__bytes letters; /* of the first one, released when there is a second */
} candidate;

typedef struct reader {
    rhomb__stream stream;
    rhomb__region region;
    candidate candidates[RHOMB__REGION_NAMES]; /* the first is the only record without a region */
    int64_t records;
    int64_t line; /* 1-based */
    bool is_fastq;
    rhomb__bytes name;    /* of the current record */
    rhomb__bytes listing; /* lines "  NAME  LENGTH" */
    rhomb__bytes skipped; /* letters of lines that are only counted */
} reader;

static rhomb_status fail_line(reader *r, const char *format, ...) RHOMB__PRINTF(2, 3);

/* Records that the current line is wrong. */
static rhomb_status fail_line(reader *r, const char *format, ...)
{
    char reason[512];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return rhomb__fail(r->stream.error, RHOMB_ERR_INPUT, "%s: line %lld: %s", r->stream.name,
                       (long long)r->line, reason);
}

/* The current record's name as messages show it. */
static const char *record_name(const reader *r)
{
    return r->name.data != NULL ? r->name.data : "";
}

#define NAME_FORMAT "%.80s" /* LIST_NAME_BYTES */

/* The next byte without using it up, -1 at the end of the data. */
static rhomb_status peek(reader *r, int *byte)
{
    const rhomb_status status = rhomb__stream_fill(&r->stream);
    if (status == RHOMB_OK)
        *byte = r->stream.at < r->stream.end ? *r->stream.at : -1;
    return status;
}

/* Uses up the byte that peek() has shown. */
static void advance(reader *r)
{
    if (*r->stream.at++ == '\n')
        r->line++;
}

static bool is_blank(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static rhomb_status skip_blank_lines(reader *r, int *next)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(peek(r, next));
    while (is_blank(*next) || *next == '\n') {
        advance(r);
        RHOMB_TRY(peek(r, next));
    }

out:
    return status;
}

/*
 * Uses up the rest of a line whose text does not matter. A carriage return inside it would be a
 * line end of a file from an old Macintosh: all letters would be taken for the description.
 */
static rhomb_status skip_text(reader *r)
{
    rhomb_status status = RHOMB_OK;
    int byte = 0;
    bool returned = false;
    RHOMB_TRY(peek(r, &byte));
    while (byte >= 0 && byte != '\n') {
        if (byte == '\0') {
            status = fail_line(r, "a NUL byte: this is no text file");
            goto out;
        }
        if (returned && byte != '\r') {
            status = fail_line(r, "a carriage return that ends no line: lines must end in LF or "
                                  "CRLF");
            goto out;
        }
        returned = byte == '\r';
        advance(r);
        RHOMB_TRY(peek(r, &byte));
    }
    if (byte == '\n')
        advance(r);

out:
    return status;
}

/*
 * Uses up a line of letters, or of qualities, and adds their number to *count. Blanks and a
 * carriage return may stand at its end.
 */
static rhomb_status read_line(reader *r, rhomb__bytes *letters, int64_t *count)
{
    rhomb_status status = RHOMB_OK;
    bool blank = false;
    for (;;) {
        int byte = 0;
        int64_t run = 0;
        RHOMB_TRY(peek(r, &byte));
        if (!blank)
            RHOMB_TRY(rhomb__stream_letters(&r->stream, INT64_MAX, letters, &run));
        *count += run;
        if (run > 0)
            continue;
        if (byte < 0)
            goto out;
        if (byte == '\n') {
            advance(r);
            goto out;
        }
        if (!is_blank(byte)) {
            status = byte > ' ' && byte < 127
                         ? fail_line(r, "a blank between the letters of record '" NAME_FORMAT "'",
                                     record_name(r))
                         : fail_line(r, "byte 0x%02x in record '" NAME_FORMAT "': this is no text",
                                     (unsigned)byte, record_name(r));
            goto out;
        }
        blank = true;
        advance(r);
    }

out:
    return status;
}

/* Reads the line that begins with the marker, the window's first byte, and keeps its name. */
static rhomb_status read_header(reader *r)
{
    rhomb_status status = RHOMB_OK;
    int byte = 0;
    advance(r);
    r->name.length = 0;
    RHOMB_TRY(rhomb__bytes_append(r->stream.error, &r->name, "", 0));
    for (;;) {
        RHOMB_TRY(peek(r, &byte));
        if (byte < 0 || byte == '\n' || (is_blank(byte) && r->name.length > 0) || byte == '\r')
            break;
        if (!is_blank(byte)) {
            if (byte < ' ' || byte == 127) {
                status =
                    fail_line(r, "byte 0x%02x in a record's name: this is no text", (unsigned)byte);
                goto out;
            }
            const char letter = (char)byte;
            RHOMB_TRY(rhomb__bytes_append(r->stream.error, &r->name, &letter, 1));
        }
        advance(r);
    }
    RHOMB_TRY(skip_text(r));

out:
    return status;
}

/* Counts the record whose header was read. *letters is where its letters go, NULL to skip them. */
static candidate *begin_record(reader *r, rhomb__bytes **letters)
{
    candidate *c = NULL;
    *letters = NULL;
    r->records++;
    if (r->region.text == NULL) {
        c = &r->candidates[0];
    } else {
        const size_t i = rhomb__region_find(&r->region, record_name(r));
        if (i == r->region.name_count)
            return NULL;
        c = &r->candidates[i];
    }
    if (c->times++ == 0)
        *letters = &c->letters;
    else
        rhomb__bytes_release(&c->letters);
    return c;
}

static rhomb_status end_record(reader *r, candidate *c, int64_t length)
{
    if (c != NULL)
        c->length = length;
    if (r->records > LIST_RECORDS)
        return RHOMB_OK;
    char line[LIST_NAME_BYTES + 64];
    const int bytes =
        snprintf(line, sizeof line, "%s  " NAME_FORMAT "  %lld", r->listing.length > 0 ? "\n" : "",
                 record_name(r), (long long)length);
    return rhomb__bytes_append(r->stream.error, &r->listing, line, (size_t)bytes);
}

/*
 * Takes the lines of a record's letters that are whole in the window and of the usual kind.
 * *letters is NULL where they are only counted.
 */
static rhomb_status read_usual_lines(reader *r, char marker, rhomb__bytes *letters, int64_t *length)
{
    rhomb_status status = RHOMB_OK;
    rhomb__bytes *into = letters != NULL ? letters : &r->skipped;
    int64_t lines = 0;
    r->skipped.length = 0;
    const size_t before = into->length;
    RHOMB_TRY(rhomb__stream_lines(&r->stream, marker, into, &lines));
    *length += (int64_t)(into->length - before);
    r->line += lines;
out:
    return status;
}

/*
 * Reads lines of letters until one begins with the marker, which is then *next; or to the end. The
 * line that the window's end cuts is left to read_line().
 */
static rhomb_status read_lines(reader *r, char marker, rhomb__bytes *letters, int64_t *length,
                               int *next)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(peek(r, next));
    while (*next >= 0 && *next != marker) {
        RHOMB_TRY(read_usual_lines(r, marker, letters, length));
        RHOMB_TRY(peek(r, next));
        if (*next < 0 || *next == marker)
            break;
        RHOMB_TRY(read_line(r, letters, length));
        RHOMB_TRY(peek(r, next));
    }

out:
    return status;
}

/* Whether the file begins as SAM does: "@HD", "@SQ" and so on look like FASTQ names. */
static bool is_sam_header(const reader *r)
{
    static const char codes[] = "HD SQ RG PG CO";
    return r->records == 1 && r->name.length == 2 && strstr(codes, record_name(r)) != NULL;
}

/*
 * Reads the sequence, '+' and quality lines of a FASTQ record. Qualities may begin with any letter,
 * '@' and '+' too, so only their number says where they end.
 */
static rhomb_status read_fastq_body(reader *r, rhomb__bytes *letters, int64_t *length, int *next)
{
    rhomb_status status = RHOMB_OK;
    int64_t qualities = 0;
    RHOMB_TRY(peek(r, next));
    while (*next != '+') {
        if (*next < 0 || *next == '@' || *next == '>') {
            status = fail_line(r, "FASTQ record '" NAME_FORMAT "' has no line with '+'%s",
                               record_name(r), is_sam_header(r) ? "; is this a SAM file?" : "");
            goto out;
        }
        RHOMB_TRY(read_line(r, letters, length));
        RHOMB_TRY(peek(r, next));
    }
    RHOMB_TRY(skip_text(r));
    RHOMB_TRY(peek(r, next));
    while (*next >= 0 && qualities < *length) {
        RHOMB_TRY(read_line(r, NULL, &qualities));
        RHOMB_TRY(peek(r, next));
    }
    RHOMB_TRY(skip_blank_lines(r, next));
    if (qualities != *length)
        status = fail_line(r, "FASTQ record '" NAME_FORMAT "' has %lld letters, but %lld qualities",
                           record_name(r), (long long)*length, (long long)qualities);
    else if (*next >= 0 && *next != '@')
        status = fail_line(r,
                           "FASTQ record '" NAME_FORMAT "' has more qualities than its %lld "
                           "letters, or the next record does not begin with '@'",
                           record_name(r), (long long)*length);

out:
    return status;
}

/* What else a file may be, by its first bytes: to say it rather than "no FASTA". */
static const struct {
    const char *magic;
    size_t bytes;
    const char *what;
} FOREIGN_FORMATS[] = {
    {"BAM\1", 4, "a BAM file"},
    {"CRAM", 4, "a CRAM file"},
    {"BCF\2", 4, "a BCF file"},
    {"##fileformat=VCF", 16, "a VCF file"},
    {"\x7f"
     "ELF",
     4, "a program"},
    {"\x1f\x8b", 2, "truncated gzip data, or compressed twice"},
    {"BZh", 3, "compressed with bzip2; only gzip and bgzip are read"},
    {"\xfd"
     "7zXZ",
     5, "compressed with xz; only gzip and bgzip are read"},
    {"\x28\xb5\x2f\xfd", 4, "compressed with zstd; only gzip and bgzip are read"},
    {"PK\3\4", 4, "a zip archive; only gzip and bgzip are read"},
    {"\xef\xbb\xbf", 3, "text with a byte order mark, which must be removed"},
};

/* Judges the first byte that is no blank. */
static rhomb_status check_start(reader *r, int first)
{
    rhomb__stream *stream = &r->stream;
    const size_t have = (size_t)(stream->end - stream->at);
    if (first == '>' || first == '@') {
        r->is_fastq = first == '@';
        return RHOMB_OK;
    }
    for (size_t i = 0; i < sizeof FOREIGN_FORMATS / sizeof *FOREIGN_FORMATS; i++) {
        if (have >= FOREIGN_FORMATS[i].bytes &&
            memcmp(stream->at, FOREIGN_FORMATS[i].magic, FOREIGN_FORMATS[i].bytes) == 0)
            return rhomb__fail(stream->error, RHOMB_ERR_INPUT, "%s: is no FASTA or FASTQ: it is %s",
                               stream->name, FOREIGN_FORMATS[i].what);
    }
    return first > ' ' && first < 127
               ? fail_line(r, "no FASTA or FASTQ: a record begins with '>' or '@', not with '%c'",
                           first)
               : fail_line(r,
                           "no FASTA or FASTQ: a record begins with '>' or '@', not with byte "
                           "0x%02x",
                           (unsigned)first);
}

/* Reads all records; the candidates and the listing are filled afterwards. */
static rhomb_status read_records(reader *r)
{
    rhomb_status status = RHOMB_OK;
    int next = 0;
    RHOMB_TRY(peek(r, &next));
    if (next < 0) {
        status = rhomb__fail(r->stream.error, RHOMB_ERR_INPUT, "%s: is empty", r->stream.name);
        goto out;
    }
    RHOMB_TRY(skip_blank_lines(r, &next));
    if (next < 0) {
        status = rhomb__fail(r->stream.error, RHOMB_ERR_INPUT,
                             "%s: has no record, only blank lines", r->stream.name);
        goto out;
    }
    RHOMB_TRY(check_start(r, next));
    while (next >= 0) {
        rhomb__bytes *letters = NULL;
        int64_t length = 0;
        RHOMB_TRY(read_header(r));
        candidate *c = begin_record(r, &letters);
        RHOMB_TRY(r->is_fastq ? read_fastq_body(r, letters, &length, &next)
                              : read_lines(r, '>', letters, &length, &next));
        RHOMB_TRY(end_record(r, c, length));
    }

out:
    return status;
}

/* Adds the list of the file's records to the error that was just recorded. */
static rhomb_status fail_listed(reader *r, rhomb_status status)
{
    char line[64];
    if (r->records > LIST_RECORDS) {
        const int bytes = snprintf(line, sizeof line, "\n  ... and %lld more",
                                   (long long)(r->records - LIST_RECORDS));
        if (rhomb__bytes_append(r->stream.error, &r->listing, line, (size_t)bytes) != RHOMB_OK)
            return status;
    }
    rhomb__error_attach(r->stream.error, r->listing.data);
    return status;
}

/* Decides which candidate is meant and which of its letters, after all records were read. */
static rhomb_status choose(reader *r, candidate **chosen, int64_t *begin, int64_t *end)
{
    rhomb__error *error = r->stream.error;
    const char *input = r->stream.name;
    int64_t lengths[RHOMB__REGION_NAMES];
    size_t which = 0;
    bool exists = false;
    if (r->region.text == NULL) {
        *chosen = &r->candidates[0];
        *begin = 0;
        *end = (*chosen)->length;
        if (r->records == 1)
            return RHOMB_OK;
        return fail_listed(r, rhomb__fail(error, RHOMB_ERR_INPUT,
                                          "%s: has %lld records; say which one to use (name, "
                                          "length):",
                                          input, (long long)r->records));
    }
    for (size_t i = 0; i < RHOMB__REGION_NAMES; i++) {
        lengths[i] = r->candidates[i].times > 0 ? r->candidates[i].length : -1;
        exists = exists || lengths[i] >= 0;
    }
    if (!exists)
        return fail_listed(r, rhomb__fail(error, RHOMB_ERR_INPUT,
                                          "%s: has no record for '%s'; it has (name, length):",
                                          input, r->region.text));
    const rhomb_status status =
        rhomb__region_resolve(error, input, &r->region, lengths, &which, begin, end);
    if (status != RHOMB_OK)
        return status;
    *chosen = &r->candidates[which];
    if ((*chosen)->times > 1)
        return rhomb__fail(error, RHOMB_ERR_INPUT, "%s: %lld records have the name '%s'", input,
                           (long long)(*chosen)->times, r->region.names[which]);
    return RHOMB_OK;
}

/* Moves the letters [begin, end) of the buffer into the sequence and gives back what is left. */
static void take_letters(rhomb_sequence *sequence, rhomb__bytes *letters, int64_t begin,
                         int64_t end)
{
    sequence->length = end - begin;
    if (letters->data == NULL)
        return; /* no letters: the accessor knows */
    if (begin > 0)
        memmove(letters->data, letters->data + begin, (size_t)sequence->length);
    letters->data[sequence->length] = '\0';
    char *trimmed = realloc(letters->data, (size_t)sequence->length + 1);
    sequence->letters = trimmed != NULL ? trimmed : letters->data;
    *letters = (rhomb__bytes){0};
}

static rhomb_status read_stream(rhomb__error *error, const char *path, int32_t threads, reader *r,
                                rhomb__bytes *letters, int64_t *begin, int64_t *end)
{
    rhomb_status status = RHOMB_OK;
    candidate *chosen = NULL;
    RHOMB_TRY(rhomb__stream_open(&r->stream, error, path));
    rhomb__stream_use_threads(&r->stream, r->stream.file_bytes, threads);
    RHOMB_TRY(read_records(r));
    RHOMB_TRY(choose(r, &chosen, begin, end));
    *letters = chosen->letters;
    chosen->letters = (rhomb__bytes){0};

out:
    return status;
}

rhomb_status rhomb__fasta_read(rhomb__error *error, const char *path, const char *region,
                               int32_t threads, rhomb_sequence **out)
{
    rhomb_status status = RHOMB_OK;
    reader r = {.line = 1};
    rhomb__bytes letters = {0};
    int64_t begin = 0;
    int64_t end = 0;
    *out = NULL;
    if (path == NULL)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "the path is NULL");
    RHOMB_TRY(rhomb__region_create(error, region, &r.region));
    if (region != NULL && strcmp(path, "-") != 0 &&
        rhomb__fai_fetch(path, &r.region, threads, &letters))
        end = (int64_t)letters.length;
    else
        RHOMB_TRY(read_stream(error, path, threads, &r, &letters, &begin, &end));
    RHOMB_TRY(rhomb__sequence_create(error, path, region != NULL ? region : record_name(&r), out));
    take_letters(*out, &letters, begin, end);

out:
    rhomb__bytes_release(&letters);
    for (size_t i = 0; i < RHOMB__REGION_NAMES; i++)
        rhomb__bytes_release(&r.candidates[i].letters);
    rhomb__bytes_release(&r.name);
    rhomb__bytes_release(&r.listing);
    rhomb__bytes_release(&r.skipped);
    rhomb__region_release(&r.region);
    rhomb__stream_close(&r.stream);
    return status;
}
