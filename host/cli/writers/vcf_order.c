/* SPDX-License-Identifier: MIT */
/* The order of records of VCF, see vcf_rows.h. */
#include "host/cli/writers/vcf_rows.h"

#include <stdlib.h>
#include <string.h>

/* A line among those of a target. */
typedef struct line {
    int64_t position, end;
    size_t at, length; /* in the text, with the line end */
} line;

/* The first character of a column, from 0 on; each record has ten. */
static const char *column(const char *at, int number)
{
    while (number-- > 0)
        at = strchr(at, '\t') + 1;
    return at;
}

/* What INFO has of a record. */
static const char *info_of(const char *record, const char *key)
{
    return strstr(column(record, 7), key) + strlen(key);
}

/*
 * Where what REF stands for ends, as a position after it; POS for a record that stands for none: of
 * breakends, and of what is inverted or there again.
 */
static int64_t end_of(const char *text, int64_t position)
{
    const char *ref = column(text, 3);
    const int64_t bases = strchr(ref, '\t') - ref;
    const char *alt = ref + bases + 1;
    const bool is_symbolic = alt[0] == '<';
    if (strncmp(alt, "<INV", 4) == 0 || strncmp(alt, "<DUP", 4) == 0 ||
        alt[strcspn(alt, "[]\t")] != '\t')
        return position;
    return is_symbolic ? strtoll(info_of(text, ";END="), NULL, 10) + 1 : position + bases;
}

static int compare(const void *a, const void *b)
{
    const line *x = a, *y = b;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static bool have_same_query(const char *a, const char *b)
{
    const char *x = info_of(a, "QNAME="), *y = info_of(b, "QNAME=");
    const size_t length = strcspn(x, ";");
    return length == strcspn(y, ";") && memcmp(x, y, length) == 0;
}

/* The lines of a text in their order, for free(). NULL without memory. */
static line *order_lines(const cli_buffer *records, size_t *count)
{
    *count = 0;
    for (size_t at = 0; at < records->length; at++)
        *count += records->data[at] == '\n';
    line *lines = malloc((*count > 0 ? *count : 1) * sizeof *lines);
    if (lines == NULL)
        return NULL;
    for (size_t i = 0, at = 0; i < *count; at += lines[i++].length) {
        const char *text = records->data + at;
        const char *end = memchr(text, '\n', records->length - at);
        lines[i] = (line){.position = strtoll(column(text, 1), NULL, 10),
                          .at = at,
                          .length = (size_t)(end - text) + 1};
    }
    qsort(lines, *count, sizeof *lines, compare);
    return lines;
}

bool cli_vcf_order(const cli_buffer *records, cli_sink *out, int64_t *overlapping)
{
    size_t count = 0;
    const line *last = NULL; /* the one that ends last */
    line *lines = order_lines(records, &count);
    if (lines == NULL)
        return false;
    for (size_t i = 0; i < count && cli_sink_spill(out); i++) {
        line *here = &lines[i];
        here->end = end_of(records->data + here->at, here->position);
        *overlapping += last != NULL && here->end > here->position && here->position < last->end &&
                        !have_same_query(records->data + here->at, records->data + last->at);
        if (last == NULL || here->end > last->end)
            last = here;
        cli_append_bytes(&out->text, records->data + here->at, here->length);
    }
    free(lines);
    return true;
}
