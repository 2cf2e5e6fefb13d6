/* SPDX-License-Identifier: MIT */
/*
 * The grammar of FASTA and FASTQ, see records.h.
 */
#include "src/io/records.h"

#include "src/io/fai.h"
#include "src/io/foreign.h"

#include "src/base/clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The longest name, as in PAF (paf.c): longer ones come from files without line ends. */
#define NAME_BYTES 65536

static rhomb_status fail_line(rhomb__records *r, const char *format, ...) RHOMB__PRINTF(2, 3);

/* Records an error in the current line. */
static rhomb_status fail_line(rhomb__records *r, const char *format, ...)
{
    char reason[512];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return rhomb__fail(r->stream.error, RHOMB_ERR_INPUT, "%s: line %lld: %s", r->stream.name,
                       (long long)r->line, reason);
}

const char *rhomb__records_name(const rhomb__records *r)
{
    return r->name.data != NULL ? r->name.data : "";
}

static rhomb_status fill_window(rhomb__records *r)
{
    const double began = rhomb__now();
    const rhomb_status status = rhomb__stream_fill(&r->stream);
    r->seconds_read += rhomb__now() - began;
    return status;
}

/* The next byte, which stays in the window; -1 at the end of the data. */
static rhomb_status peek(rhomb__records *r, int *byte)
{
    rhomb__stream *stream = &r->stream;
    const rhomb_status status = stream->at < stream->end ? RHOMB_OK : fill_window(r);
    if (status == RHOMB_OK)
        *byte = stream->at < stream->end ? *stream->at : -1;
    return status;
}

/* Takes the byte that peek() returned. */
static void advance(rhomb__records *r)
{
    if (*r->stream.at++ == '\n')
        r->line++;
}

static bool is_blank(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static rhomb_status skip_blank_lines(rhomb__records *r, int *next)
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

/* A line that is whole in the window: from the stream's place to LF or CRLF. */
typedef struct whole_line {
    const char *text;
    size_t length; /* without the line end */
} whole_line;

/*
 * The fast way through a line begins with this. A line that the window's end cuts, or that is
 * unusual, is read byte by byte.
 */
static bool see_line(const rhomb__records *r, whole_line *line)
{
    const char *at = (const char *)r->stream.at;
    const char *eol = memchr(at, '\n', (size_t)(r->stream.end - r->stream.at));
    if (eol == NULL)
        return false;
    *line = (whole_line){at, (size_t)(eol - at)};
    if (line->length > 0 && eol[-1] == '\r')
        line->length--;
    return true;
}

/* Takes a line that see_line() found. */
static void take_line(rhomb__records *r, const whole_line *line)
{
    r->stream.at += line->length;
    r->stream.at += *r->stream.at == '\r';
    advance(r);
}

/* Whether skip_text() would find nothing wrong. */
static bool is_usual_text(const char *text, size_t length)
{
    return memchr(text, '\r', length) == NULL && memchr(text, '\0', length) == NULL;
}

/*
 * Skips the rest of a line whose text does not matter. A carriage return inside it would be a line
 * end in a file from an old Macintosh: all bases would be taken for the description.
 */
static rhomb_status skip_text(rhomb__records *r)
{
    whole_line line;
    if (see_line(r, &line) && is_usual_text(line.text, line.length)) {
        take_line(r, &line);
        return RHOMB_OK;
    }
    rhomb_status status = RHOMB_OK;
    int byte = 0;
    bool returned = false;
    RHOMB_TRY(peek(r, &byte));
    while (byte >= 0 && byte != '\n') {
        if (byte == '\0')
            RHOMB_TRY(fail_line(r, "a NUL byte: not a text file"));
        if (returned && byte != '\r')
            RHOMB_TRY(
                fail_line(r, "a carriage return within a line: lines must end in LF or CRLF"));
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
 * Takes a line of bases or of qualities, and adds their number to *count. Whitespace and a carriage
 * return may be at its end.
 */
static rhomb_status read_line(rhomb__records *r, rhomb__bytes *bases, int64_t *count)
{
    rhomb_status status = RHOMB_OK;
    whole_line line;
    if (see_line(r, &line) && rhomb__is_bases(line.text, line.length)) {
        if (bases != NULL)
            RHOMB_TRY(rhomb__bytes_append(r->stream.error, bases, line.text, line.length));
        *count += (int64_t)line.length;
        take_line(r, &line);
        goto out;
    }
    bool blank = false;
    for (;;) {
        int byte = 0;
        int64_t run = 0;
        RHOMB_TRY(peek(r, &byte));
        if (!blank)
            RHOMB_TRY(rhomb__stream_bases(&r->stream, INT64_MAX, bases, &run));
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
            status =
                byte > ' ' && byte != 127
                    ? fail_line(r, "whitespace in the sequence of record '" RHOMB__NAME_FORMAT "'",
                                rhomb__records_name(r))
                    : fail_line(r,
                                "byte 0x%02x in record '" RHOMB__NAME_FORMAT "': not a text file",
                                (unsigned)byte, rhomb__records_name(r));
            goto out;
        }
        blank = true;
        advance(r);
    }

out:
    return status;
}

/* Whether the name in a header is printable, and the text after it is usual. */
static bool find_usual_name(const whole_line *line, const char **name, size_t *length)
{
    const char *at = line->text;
    const char *end = at + line->length;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    *name = at;
    *length = rhomb__base_run(at, (size_t)(end - at));
    at += *length;
    return at == end || ((*at == ' ' || *at == '\t') && is_usual_text(at, (size_t)(end - at)));
}

static rhomb_status append_to_name(rhomb__records *r, const char *text, size_t length)
{
    if (length > NAME_BYTES - r->name.length)
        return fail_line(r, "the name has more than %d bytes", NAME_BYTES);
    return rhomb__bytes_append(r->stream.error, &r->name, text, length);
}

/* Reads the line that begins with the marker, the window's first byte, and keeps its name. */
static rhomb_status read_header(rhomb__records *r)
{
    rhomb_status status = RHOMB_OK;
    whole_line line;
    const char *name = "";
    size_t length = 0;
    int byte = 0;
    advance(r);
    r->name.length = 0;
    if (see_line(r, &line) && find_usual_name(&line, &name, &length)) {
        RHOMB_TRY(append_to_name(r, name, length));
        take_line(r, &line);
        goto out;
    }
    RHOMB_TRY(rhomb__bytes_append(r->stream.error, &r->name, "", 0));
    for (;;) {
        RHOMB_TRY(peek(r, &byte));
        if (byte < 0 || byte == '\n' || (is_blank(byte) && r->name.length > 0) || byte == '\r')
            break;
        if (!is_blank(byte)) {
            if (byte < ' ' || byte == 127)
                RHOMB_TRY(fail_line(r, "byte 0x%02x in a record's name: not a text file",
                                    (unsigned)byte));
            const char base = (char)byte;
            RHOMB_TRY(append_to_name(r, &base, 1));
        }
        advance(r);
    }
    RHOMB_TRY(skip_text(r));

out:
    return status;
}

/*
 * Takes the sequence lines of a record that are whole in the window and of the usual kind. *bases
 * is NULL if bases are only counted.
 */
static rhomb_status read_usual_lines(rhomb__records *r, rhomb__bytes *bases, int64_t *length)
{
    rhomb_status status = RHOMB_OK;
    rhomb__bytes *into = bases != NULL ? bases : &r->skipped;
    int64_t lines = 0;
    r->skipped.length = 0;
    const size_t before = into->length;
    RHOMB_TRY(rhomb__stream_lines(&r->stream, '>', into, &lines));
    *length += (int64_t)(into->length - before);
    r->line += lines;
out:
    return status;
}

/*
 * Reads sequence lines until one begins with '>', or to the end. read_line() reads the line that
 * the window's end cuts.
 */
static rhomb_status read_lines(rhomb__records *r, rhomb__bytes *bases, int64_t *length)
{
    rhomb_status status = RHOMB_OK;
    int next = 0;
    RHOMB_TRY(peek(r, &next));
    while (next >= 0 && next != '>') {
        RHOMB_TRY(read_usual_lines(r, bases, length));
        RHOMB_TRY(peek(r, &next));
        if (next < 0 || next == '>')
            break;
        RHOMB_TRY(read_line(r, bases, length));
        RHOMB_TRY(peek(r, &next));
    }

out:
    return status;
}

/* Qualities are ASCII, unlike bases. */
static rhomb_status check_qualities(rhomb__records *r, int64_t count)
{
    unsigned char any = 0;
    for (int64_t i = 0; i < count && r->qualities != NULL; i++)
        any |= (unsigned char)r->qualities->data[(int64_t)r->qualities->length - count + i];
    return any < 128
               ? RHOMB_OK
               : fail_line(r,
                           "qualities of FASTQ record '" RHOMB__NAME_FORMAT "' are not all ASCII",
                           rhomb__records_name(r));
}

/*
 * Reads the lines of a record's qualities. They may begin with any character, even '@' and '+', so
 * only their number tells where they end; if it does not fit, the last line may be the next
 * record's.
 */
static rhomb_status read_qualities(rhomb__records *r, int64_t bases)
{
    rhomb_status status = RHOMB_OK;
    const int64_t first_line = r->line;
    int64_t last_line = 0;
    int64_t before = 0; /* the last line */
    int64_t count = 0;
    int next = 0;
    while (count < bases) {
        RHOMB_TRY(peek(r, &next));
        if (next < 0)
            break;
        before = count;
        last_line = r->line;
        RHOMB_TRY(read_line(r, r->qualities, &count));
    }
    if (count == bases) {
        status = check_qualities(r, bases);
        goto out;
    }
    char with_last[64] = "";
    if (before > 0 && count > bases)
        snprintf(with_last, sizeof with_last, ", or %lld with line %lld", (long long)count,
                 (long long)last_line);
    r->line = first_line;
    status =
        fail_line(r, "FASTQ record '" RHOMB__NAME_FORMAT "' has %lld bases, but %lld qualities%s",
                  rhomb__records_name(r), (long long)bases,
                  (long long)(with_last[0] != '\0' ? before : count), with_last);

out:
    return status;
}

/* Reads the sequence, '+' and quality lines of a FASTQ record. */
static rhomb_status read_fastq_body(rhomb__records *r, rhomb__bytes *bases, int64_t *length)
{
    rhomb_status status = RHOMB_OK;
    int next = 0;
    RHOMB_TRY(peek(r, &next));
    while (next != '+') {
        if (next < 0 || next == '@' || next == '>') {
            status = fail_line(r, "FASTQ record '" RHOMB__NAME_FORMAT "' has no line with '+'",
                               rhomb__records_name(r));
            goto out;
        }
        RHOMB_TRY(read_line(r, bases, length));
        RHOMB_TRY(peek(r, &next));
    }
    RHOMB_TRY(skip_text(r));
    RHOMB_TRY(read_qualities(r, *length));
    /* The record is whole: if the rest of the file cannot be read, the next one fails. */
    if (skip_blank_lines(r, &next) == RHOMB_OK && next >= 0 && next != '@')
        status = fail_line(
            r,
            "FASTQ record '" RHOMB__NAME_FORMAT
            "' has more qualities than its %lld bases, or the next record does not begin with '@'",
            rhomb__records_name(r), (long long)*length);

out:
    return status;
}

/* Checks the first byte that is not whitespace. */
static rhomb_status check_start(rhomb__records *r, int first)
{
    const rhomb__stream *stream = &r->stream;
    const char *foreign = rhomb__foreign_format(
        (const char *)stream->at, (size_t)(stream->end - stream->at), RHOMB__READS_SEQUENCES);
    if (foreign != NULL)
        return rhomb__fail(stream->error, RHOMB_ERR_INPUT,
                           "%s: is not a FASTA or FASTQ file: it is %s%s", stream->name, foreign,
                           strstr(foreign, "AM file") != NULL
                               ? "; 'samtools fasta' writes the sequences of one"
                               : "");
    r->is_fastq = first == '@';
    if (r->is_fastq || first == '>')
        return RHOMB_OK;
    return first > ' ' && first < 127
               ? fail_line(
                     r, "not a FASTA or FASTQ file: a record begins with '>' or '@', not with '%c'",
                     first)
               : fail_line(r,
                           "not a FASTA or FASTQ file: a record begins with '>' or '@', not with "
                           "byte 0x%02x",
                           (unsigned)first);
}

rhomb_status rhomb__records_open(rhomb__records *r, rhomb__error *error, const char *path)
{
    *r = (rhomb__records){.line = 1};
    rhomb_status status = rhomb__stream_open(&r->stream, error, path);
    if (status == RHOMB_OK)
        status = rhomb__fai_check(&r->stream, path);
    if (status != RHOMB_OK)
        rhomb__stream_close(&r->stream);
    return status;
}

void rhomb__records_close(rhomb__records *r)
{
    rhomb__bytes_release(&r->name);
    rhomb__bytes_release(&r->skipped);
    rhomb__stream_close(&r->stream);
}

rhomb_status rhomb__records_next(rhomb__records *r, bool *found)
{
    rhomb_status status = RHOMB_OK;
    int next = 0;
    *found = false;
    RHOMB_TRY(peek(r, &next));
    if (r->count == 0) {
        r->has_blank_start = is_blank(next) || next == '\n';
        RHOMB_TRY(skip_blank_lines(r, &next));
        if (next >= 0)
            RHOMB_TRY(check_start(r, next));
    }
    if (next < 0)
        goto out;
    RHOMB_TRY(read_header(r));
    r->count++;
    *found = true;

out:
    return status;
}

rhomb_status rhomb__records_fail_none(const rhomb__records *r)
{
    return rhomb__fail(r->stream.error, RHOMB_ERR_INPUT, "%s: %s", r->stream.name,
                       r->has_blank_start ? "has no record, only blank lines" : "is empty");
}

rhomb_status rhomb__records_bases(rhomb__records *r, rhomb__bytes *bases, int64_t *length)
{
    *length = 0;
    return r->is_fastq ? read_fastq_body(r, bases, length) : read_lines(r, bases, length);
}
