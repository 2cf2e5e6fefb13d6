/* SPDX-License-Identifier: MIT */
/*
 * Reading through a FASTA index, see fai.h. For each record the .fai has: name, number of bases n,
 * offset o of the first one, bases per line l, bytes per line b. So base i is at
 *
 *     at(i) = o + i / l * b + i % l          in the decompressed file,
 *
 * and the .gzi has pairs (address in the file, offset in the decompressed data) of bgzip blocks.
 *
 * htslib's faidx is not used, because it trusts the index: with l = 0 it divides by zero, a .gzi
 * that does not fit ends the process (an assertion of 1.16), and a name's place is not checked.
 * Here an index must fit at both ends of the record: the line before at(0) is the record's header,
 * and the record ends after at(n - 1). Otherwise the file is read from its beginning; but one that
 * ends before the index's last record does is taken for truncated.
 */
#include "src/io/fai.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A header line longer than this is not recognised: the whole file is read then. */
#define HEADER_MAX_BYTES 4096
/* The most whitespace and line ends between a record and the next. */
#define GAP_MAX_BYTES 64

typedef struct entry {
    int64_t bases; /* -1: the name is not in the index */
    int64_t offset;
    int64_t line_bases;
    int64_t line_bytes;
} entry;

typedef struct index_reader {
    rhomb__error error; /* of failed attempts, which are not reported to the caller */
    rhomb__stream stream;
    FILE *gzi;
    int64_t block_count; /* in the .gzi */
} index_reader;

/* Opens PATH followed by `suffix`, unless that file is older than `path` itself. */
static FILE *open_fresh(const char *path, const char *suffix)
{
    FILE *file = NULL;
    struct stat data;
    struct stat index;
    const size_t bytes = strlen(path) + strlen(suffix) + 1;
    char *name = malloc(bytes);
    if (name == NULL)
        return NULL;
    snprintf(name, bytes, "%s%s", path, suffix);
    if (stat(path, &data) == 0 && S_ISREG(data.st_mode) && stat(name, &index) == 0 &&
        S_ISREG(index.st_mode) &&
        (index.st_mtim.tv_sec > data.st_mtim.tv_sec ||
         (index.st_mtim.tv_sec == data.st_mtim.tv_sec &&
          index.st_mtim.tv_nsec >= data.st_mtim.tv_nsec)))
        file = fopen(name, "rb");
    free(name);
    return file;
}

/* Takes one number and the blank before it; negative numbers and overflow are failures. */
static bool take_number(char **text, int64_t *number)
{
    char *end = NULL;
    errno = 0;
    *number = strtoll(*text, &end, 10);
    const bool taken = end != *text && errno == 0 && *number >= 0;
    *text = end;
    return taken;
}

/* Takes the four numbers of a line. Empty records have no line length, so they are left out. */
static bool take_entry(char *text, entry *out)
{
    entry e;
    if (!take_number(&text, &e.bases) || !take_number(&text, &e.offset) ||
        !take_number(&text, &e.line_bases) || !take_number(&text, &e.line_bytes))
        return false;
    const bool fits = e.bases > 0 && e.line_bases > 0 && e.line_bytes >= e.line_bases &&
                      e.line_bytes - e.line_bases <= GAP_MAX_BYTES &&
                      e.bases <= INT64_MAX / 4 / (1 + GAP_MAX_BYTES) && e.offset <= INT64_MAX / 4;
    *out = e;
    return fits;
}

/* Finds the names that the region may mean. False when the index cannot be used. */
static bool find_entries(const char *path, const rhomb__region *region,
                         entry entries[RHOMB__REGION_NAMES])
{
    FILE *fai = open_fresh(path, ".fai");
    if (fai == NULL)
        return false;
    bool is_usable = true;
    char *line = NULL;
    size_t capacity = 0;
    while (is_usable && getline(&line, &capacity, fai) >= 0) {
        char *tab = strchr(line, '\t');
        if (tab == NULL) {
            is_usable = false;
            break;
        }
        *tab = '\0';
        const size_t which = rhomb__region_find(region, line);
        if (which < region->name_count)
            is_usable = entries[which].bases < 0 && take_entry(tab + 1, &entries[which]);
    }
    is_usable = is_usable && !ferror(fai);
    free(line);
    fclose(fai);
    return is_usable;
}

static uint64_t little_endian_64(const unsigned char bytes[8])
{
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--)
        value = value << 8 | bytes[i];
    return value;
}

/* Reads a pair of numbers of the .gzi. */
static bool read_block(FILE *gzi, int64_t index, int64_t *address, int64_t *offset)
{
    unsigned char bytes[16];
    if (fseeko(gzi, (off_t)(8 + 16 * index), SEEK_SET) != 0 || fread(bytes, 16, 1, gzi) != 1)
        return false;
    *address = (int64_t)(little_endian_64(bytes) & INT64_MAX);
    *offset = (int64_t)(little_endian_64(bytes + 8) & INT64_MAX);
    return true;
}

/* Opens the .gzi, which begins with the number of its blocks. */
static bool open_gzi(index_reader *reader, const char *path)
{
    unsigned char bytes[8];
    reader->gzi = open_fresh(path, ".gzi");
    if (reader->gzi == NULL || fread(bytes, 8, 1, reader->gzi) != 1)
        return false;
    const uint64_t count = little_endian_64(bytes);
    reader->block_count = (int64_t)count;
    return count <= INT64_MAX / 32;
}

/* Moves the stream to a byte of the decompressed data. */
static bool seek_to(index_reader *reader, int64_t place)
{
    if (reader->gzi == NULL)
        return rhomb__stream_seek(&reader->stream, place, 0) == RHOMB_OK;
    /* The last block that starts at or before the place; the first one is not in the file. */
    int64_t address = 0;
    int64_t offset = 0;
    int64_t low = 0;
    int64_t high = reader->block_count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        int64_t block_address = 0;
        int64_t block_offset = 0;
        if (!read_block(reader->gzi, middle, &block_address, &block_offset))
            return false;
        if (block_offset <= place) {
            low = middle + 1;
            address = block_address;
            offset = block_offset;
        } else {
            high = middle;
        }
    }
    return rhomb__stream_seek(&reader->stream, address, place - offset) == RHOMB_OK;
}

/* Reads up to `bytes` from `place` on; less only at the end of the data. Negative on failure. */
static int64_t read_at(index_reader *reader, int64_t place, char *out, int64_t bytes)
{
    rhomb__stream *stream = &reader->stream;
    int64_t done = 0;
    if (!seek_to(reader, place))
        return -1;
    while (done < bytes) {
        if (rhomb__stream_fill(stream) != RHOMB_OK)
            return -1;
        const int64_t have = stream->end - stream->at;
        if (have == 0)
            break;
        const int64_t step = bytes - done < have ? bytes - done : have;
        memcpy(out + done, stream->at, (size_t)step);
        stream->at += step;
        done += step;
    }
    return done;
}

/* The marker '>' or '@' if the line that ends before the first base names the record. */
static char find_header(index_reader *reader, const entry *e, const char *name)
{
    char text[HEADER_MAX_BYTES + 1];
    const int64_t bytes = e->offset < HEADER_MAX_BYTES ? e->offset : HEADER_MAX_BYTES;
    if (bytes < 2 || read_at(reader, e->offset - bytes, text, bytes) != bytes ||
        text[bytes - 1] != '\n')
        return '\0';
    text[bytes - 1] = '\0';
    int64_t start = bytes - 1;
    while (start > 0 && text[start - 1] != '\n')
        start--;
    if (start == 0 && bytes < e->offset)
        return '\0';
    const char *line = text + start;
    const char marker = *line;
    if (marker != '>' && marker != '@')
        return '\0';
    line += 1 + strspn(line + 1, " \t");
    const size_t length = strlen(name);
    const bool matches = strncmp(line, name, length) == 0 && strchr(" \t\r", line[length]) != NULL;
    return matches ? marker : '\0';
}

static int64_t place_of(const entry *e, int64_t base)
{
    return e->offset + base / e->line_bases * e->line_bytes + base % e->line_bases;
}

/* Reads the last line of the index; false if there is none, or it is too long. */
static bool read_last_line(FILE *fai, char text[HEADER_MAX_BYTES + 1], char **line)
{
    if (fseeko(fai, -HEADER_MAX_BYTES, SEEK_END) != 0)
        rewind(fai);
    size_t bytes = fread(text, 1, HEADER_MAX_BYTES, fai);
    const bool is_all = bytes < HEADER_MAX_BYTES;
    while (bytes > 0 && text[bytes - 1] == '\n')
        bytes--;
    text[bytes] = '\0';
    char *end = strrchr(text, '\n');
    *line = end != NULL ? end + 1 : text;
    return end != NULL || is_all;
}

rhomb_status rhomb__fai_check(const rhomb__stream *stream, const char *path)
{
    char text[HEADER_MAX_BYTES + 1], *line = NULL, *tab = NULL;
    entry e;
    FILE *fai = rhomb__stream_is_plain(stream) ? open_fresh(path, ".fai") : NULL;
    if (fai == NULL)
        return RHOMB_OK;
    if (read_last_line(fai, text, &line))
        tab = strchr(line, '\t');
    fclose(fai);
    if (tab == NULL || !take_entry(tab + 1, &e) || place_of(&e, e.bases - 1) < stream->file_bytes)
        return RHOMB_OK;
    *tab = '\0';
    return rhomb__fail(
        stream->error, RHOMB_ERR_INPUT,
        "%s: does not fit its index %s.fai, in which record '%.80s' ends at byte "
        "%lld of the file, which has %lld: either the file is truncated or the index "
        "is of another one",
        stream->name, path, line, (long long)place_of(&e, e.bases - 1) + 1,
        (long long)stream->file_bytes);
}

static bool is_gap(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static bool is_base(char byte)
{
    return byte >= '!' && byte <= '~';
}

/* Whether the first line ends where the index says and is followed by another, if it says so. */
static bool first_line_fits(index_reader *reader, const entry *e)
{
    char text[GAP_MAX_BYTES + 2];
    const int64_t gap = e->line_bytes - e->line_bases;
    if (e->bases <= e->line_bases)
        return true;
    if (gap < 1 || read_at(reader, place_of(e, e->line_bases - 1), text, gap + 2) != gap + 2)
        return false;
    for (int64_t i = 1; i < gap; i++)
        if (!is_gap((unsigned char)text[i]) || text[i] == '\n')
            return false;
    return is_base(text[0]) && text[gap] == '\n' && is_base(text[gap + 1]);
}

/* Whether the record's last base is where the index says, and is the end of the record. */
static bool ends_there(index_reader *reader, const entry *e, char marker)
{
    char text[GAP_MAX_BYTES + 1];
    const int64_t bytes = read_at(reader, place_of(e, e->bases - 1), text, GAP_MAX_BYTES);
    if (bytes < 1 || !is_base(text[0]))
        return false;
    text[bytes] = '\0';
    const size_t blanks = strspn(text + 1, " \t\r");
    const size_t gap = blanks + strspn(text + 1 + blanks, " \t\r\n");
    const char next = text[1 + gap];
    if (1 + (int64_t)gap == bytes)
        return bytes < GAP_MAX_BYTES && marker == '>'; /* the end of the data */
    return text[1 + blanks] == '\n' && next == (marker == '>' ? '>' : '+');
}

/* Appends the bases [begin, end) of the record. */
static bool read_bases(index_reader *reader, const entry *e, int64_t begin, int64_t end,
                       rhomb__bytes *bases)
{
    rhomb__stream *stream = &reader->stream;
    int64_t wanted = end - begin;
    if (!seek_to(reader, place_of(e, begin)))
        return false;
    while (wanted > 0) {
        int64_t count = 0;
        if (rhomb__stream_fill(stream) != RHOMB_OK ||
            rhomb__stream_bases(stream, wanted, bases, &count) != RHOMB_OK)
            return false;
        wanted -= count;
        for (; stream->at < stream->end && is_gap(*stream->at); stream->at++)
            count++;
        if (count == 0)
            return false;
    }
    return true;
}

bool rhomb__fai_fetch(const char *path, const rhomb__region *region, int32_t threads,
                      rhomb__bytes *bases, rhomb__region_part *part)
{
    index_reader reader = {.gzi = NULL};
    entry entries[RHOMB__REGION_NAMES];
    int64_t lengths[RHOMB__REGION_NAMES];
    size_t which = 0;
    bool found = false;

    for (size_t i = 0; i < RHOMB__REGION_NAMES; i++)
        entries[i].bases = -1;
    if (!find_entries(path, region, entries))
        goto out;
    for (size_t i = 0; i < RHOMB__REGION_NAMES; i++)
        lengths[i] = entries[i].bases;
    if (rhomb__region_resolve(&reader.error, path, region, lengths, &which, part) != RHOMB_OK ||
        rhomb__stream_open(&reader.stream, &reader.error, path) != RHOMB_OK)
        goto out;

    const BGZF *bgzf = reader.stream.bgzf;
    if (bgzf->is_gzip || (bgzf->is_compressed && !open_gzi(&reader, path)))
        goto out;
    const entry *e = &entries[which];
    const char marker = find_header(&reader, e, region->names[which]);
    if (marker == '\0' || !first_line_fits(&reader, e) || !ends_there(&reader, e, marker))
        goto out;
    rhomb__stream_use_threads(&reader.stream, (part->end - part->begin) / 4, threads);
    found = read_bases(&reader, e, part->begin, part->end, bases);

out:
    if (!found)
        rhomb__bytes_release(bases);
    rhomb__stream_close(&reader.stream);
    if (reader.gzi != NULL)
        fclose(reader.gzi);
    rhomb__error_clear(&reader.error);
    return found;
}
