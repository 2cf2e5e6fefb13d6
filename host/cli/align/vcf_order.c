/* SPDX-License-Identifier: MIT */
/* The order of VCF's records, see vcf_order.h. */
#include "host/cli/align/vcf_order.h"

#include <stdlib.h>
#include <string.h>

typedef struct line {
    int64_t position;
    int64_t bases; /* of REF */
    size_t at, length;
} line;

/* The first character of a column, from 0 on. */
static const char *column(const char *at, int number)
{
    while (number-- > 0)
        at = strchr(at, '\t') + 1;
    return at;
}

static line line_at(const cli_buffer *records, size_t at)
{
    const char *text = records->data + at;
    const char *end = memchr(text, '\n', records->length - at), *ref = column(text, 3);
    return (line){.position = strtoll(column(text, 1), NULL, 10),
                  .bases = strchr(ref, '\t') - ref,
                  .at = at,
                  .length = (size_t)(end - text) + 1};
}

static int compare(const void *a, const void *b)
{
    const line *x = a, *y = b;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

bool cli_vcf_order(const cli_buffer *records, cli_buffer *out, int64_t *overlapping)
{
    size_t count = 0;
    int64_t ended = 0;
    for (size_t at = 0; at < records->length; at++)
        count += records->data[at] == '\n';
    line *lines = malloc((count > 0 ? count : 1) * sizeof *lines);
    if (lines == NULL)
        return false;
    for (size_t i = 0, at = 0; i < count; at += lines[i++].length)
        lines[i] = line_at(records, at);
    qsort(lines, count, sizeof *lines, compare);
    for (size_t i = 0; i < count; i++) {
        const int64_t end = lines[i].position + lines[i].bases;
        *overlapping += lines[i].position < ended;
        ended = end > ended ? end : ended;
        cli_append_bytes(out, records->data + lines[i].at, lines[i].length);
    }
    free(lines);
    return true;
}
