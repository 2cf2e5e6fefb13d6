/* SPDX-License-Identifier: MIT */
/* Formats by their first lines, see foreign.h. */
#include "src/io/foreign.h"

#include <stdbool.h>
#include <string.h>

/* Where its mark is: in the first bytes, in a line up to the first without #, in the next one. */
typedef enum part { HEAD = 1, LINE = 2, SECOND_LINE = 4 } part;

typedef struct format {
    part part;
    const char *begin;   /* NULL: any */
    const char *columns; /* as of has_columns(); NULL: any */
    const char *what;
    unsigned taken_by; /* rhomb__reads */
} format;

/* The first row that fits counts: names of PAF may begin like anything. */
static const format FORMATS[] = {
    {LINE, NULL, "*nnns", "a PAF file", RHOMB__READS_PAF | RHOMB__READS_RANGES},
    {LINE, NULL, "*nn*nns", "a table of ranges", RHOMB__READS_RANGES},
    {HEAD, "BAM\1", NULL, "a BAM file", 0},
    {HEAD, "CRAM", NULL, "a CRAM file", 0},
    {HEAD, "BCF\2", NULL, "a BCF file", 0},
    {HEAD, "\x43\x27\x41\x1a", NULL, "a 2bit file", 0},
    {HEAD, "\x1a\x41\x27\x43", NULL, "a 2bit file", 0},
    {HEAD, "\177ELF", NULL, "a program", 0},
    {HEAD, "\x1f\x8b", NULL, "truncated gzip data, or compressed twice", 0},
    {HEAD, "BZh", NULL, "compressed with bzip2; only gzip and bgzip are read", 0},
    {HEAD, "\3757zXZ", NULL, "compressed with xz; only gzip and bgzip are read", 0},
    {HEAD, "\x28\xb5\x2f\xfd", NULL, "compressed with zstd; only gzip and bgzip are read", 0},
    {HEAD, "PK\3\4", NULL, "a zip archive; only gzip and bgzip are read", 0},
    {HEAD, "\xef\xbb\xbf", NULL, "text with a byte order mark, which must be removed", 0},
    {LINE, "##fileformat=VCF", NULL, "a VCF file", 0},
    {LINE, "##gff-version", NULL, "a GFF file", 0},
    {LINE, "##maf ", NULL, "a MAF file", 0},
    {LINE, "#=======================================", NULL, "alignments in EMBOSS's format", 0},
    {LINE, "#target\tposition", NULL, "a TSV file of differences", 0},
    {LINE, "#target\tquery\t", NULL, "a matrix as 'rhomb matrix --format long' writes it", 0},
    {LINE, "#target\ttarget_length\t", NULL, "a TSV file of distances", 0},
    {LINE, "#type\t", NULL, "a TSV file of rearrangements", 0},
    {LINE, "line\ttarget\t", NULL, "a TSV file of 'align --audit', for 'report --audit'", 0},
    {LINE, "distance\t", NULL, "a matrix", 0},
    {LINE, "distance,", NULL, "a matrix", 0},
    {LINE, "similarity\t", NULL, "a matrix", 0},
    {LINE, "similarity,", NULL, "a matrix", 0},
    {LINE, "penalty\t", NULL, "a matrix", 0},
    {LINE, "penalty,", NULL, "a matrix", 0},
    {LINE, NULL, "n.", "a matrix in PHYLIP's format", 0},
    {LINE, "chain ", NULL, "a chain file", 0},
    {SECOND_LINE, "NUCMER", NULL, "a delta file of MUMmer", 0},
    {SECOND_LINE, "PROMER", NULL, "a delta file of MUMmer", 0},
    {LINE, "@HD\tVN:", NULL, "a SAM file", 0},
    {LINE, "@SQ\tSN:", NULL, "a SAM file", 0},
    {LINE, "@PG\tID:", NULL, "a SAM file", 0},
    {LINE, ">", NULL, "a FASTA or FASTQ file", RHOMB__READS_SEQUENCES},
    {LINE, "@", NULL, "a FASTA or FASTQ file", RHOMB__READS_SEQUENCES},
    {LINE, "{", NULL, "a JSON file", 0},
    {LINE, "[", NULL, "a JSON file", 0},
    {LINE, "LOCUS  ", NULL, "a GenBank file", 0},
    {LINE, "<!DOCTYPE html", NULL, "an HTML page", 0},
    {LINE, "<html", NULL, "an HTML page", 0},
    {LINE, "track ", NULL, "a BED file", 0},
    {LINE, "browser ", NULL, "a BED file", 0},
    {LINE, NULL, "*nn.", "a BED file", 0},
    {LINE, NULL, "*nn*.", "a BED file", 0},
    {LINE, NULL, "*nn**.", "a BED file", 0},
    {LINE, NULL, "*nn**s", "a BED file", 0},
};

/*
 * Whether the columns of a line, apart by tabs, are as `pattern` has them: * any, n digits, s a
 * strand; . at its end: these alone, in a line that has its end, else the first ones.
 */
static bool has_columns(const char *at, const char *end, bool is_whole, const char *pattern)
{
    for (; *pattern != '\0' && *pattern != '.'; pattern++) {
        if (at == NULL)
            return false;
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        const size_t length = (size_t)((tab != NULL ? tab : end) - at);
        for (size_t i = 0; *pattern == 'n' && i < length; i++)
            if (at[i] < '0' || at[i] > '9')
                return false;
        if ((*pattern == 'n' && length == 0) ||
            (*pattern == 's' && (length != 1 || strchr("+-*", *at) == NULL)))
            return false;
        at = tab != NULL ? tab + 1 : NULL;
    }
    return *pattern == '\0' || (is_whole && at == NULL);
}

/* The first row of these parts that a line fits; NULL if there is none. */
static const format *find(const char *line, const char *end, bool is_whole, unsigned parts)
{
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
        const format *f = &FORMATS[i];
        const size_t bytes = f->begin != NULL ? strlen(f->begin) : 0;
        if ((f->part & parts) != 0 && bytes <= (size_t)(end - line) &&
            (bytes == 0 || memcmp(line, f->begin, bytes) == 0) &&
            (f->columns == NULL || has_columns(line, end, is_whole, f->columns)))
            return f;
    }
    return NULL;
}

const char *rhomb__foreign_format(const char *data, size_t bytes, rhomb__reads reader)
{
    const char *const limit = data + bytes;
    unsigned parts = HEAD | LINE;
    while (data < limit && parts != 0) {
        const char *eol = memchr(data, '\n', (size_t)(limit - data));
        const char *end = eol != NULL ? eol : limit;
        end -= end > data && end[-1] == '\r';
        const format *f = find(data, end, eol != NULL, parts);
        if (f != NULL)
            return (f->taken_by & reader) != 0 ? NULL : f->what;
        parts &= ~(unsigned)HEAD;
        if (end > data && *data != '#')
            parts = parts == LINE ? SECOND_LINE : 0;
        data = eol != NULL ? eol + 1 : limit;
    }
    return NULL;
}
