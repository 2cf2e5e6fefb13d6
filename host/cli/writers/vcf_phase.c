/* SPDX-License-Identifier: MIT */
/* Two haplotypes in one VCF, see vcf_rows.h. */
#include "host/cli/writers/vcf_rows.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 10, POS = 1, REF = 3, ALT = 4, FILTER = 6, INFO = 7 };

typedef struct range {
    int64_t begin, end; /* 0-based */
} range;

/* A record; columns are in the text of its haplotype, up to a tab. */
typedef struct record {
    int64_t position;
    const char *columns[COLUMNS];
    size_t lengths[COLUMNS];
    int haplotype;
    bool is_mismatch;
} record;

void cli_haplotype_cover(cli_haplotype *haplotype, const cli_path *path)
{
    const cli_path_cursor end = cli_path_end(path);
    cli_path_cursor cursor = {0};
    cli_path_segment segment;
    cli_buffer *out = &haplotype->ranges;
    while (cli_path_next(path, &cursor, &end, &segment)) {
        if (segment.code != RHOMB_CIGAR_EQ && segment.code != RHOMB_CIGAR_X)
            continue;
        const int64_t begin = path->target_before + segment.target;
        const range r = {begin, begin + segment.length};
        range *last = out->length > 0 ? (range *)(void *)(out->data + out->length) - 1 : NULL;
        if (last != NULL && last->end == r.begin)
            last->end = r.end;
        else
            cli_append_bytes(out, (const char *)&r, sizeof r);
    }
}

static int by_begin(const void *a, const void *b)
{
    const range *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Puts ranges in order, and joins those that meet. */
static void join_ranges(cli_buffer *ranges)
{
    range *list = (range *)(void *)ranges->data;
    const size_t count = ranges->length / sizeof *list;
    size_t left = 0;
    if (count > 1)
        qsort(list, count, sizeof *list, by_begin);
    for (size_t i = 0; i < count; i++) {
        if (left > 0 && list[i].begin <= list[left - 1].end)
            list[left - 1].end =
                list[i].end > list[left - 1].end ? list[i].end : list[left - 1].end;
        else
            list[left++] = list[i];
    }
    ranges->length = left * sizeof *list;
}

/* Whether all bases of a record's REF are opposite bases of a haplotype. */
static bool is_covered(const cli_haplotype *haplotype, const record *r)
{
    const range *list = (const range *)(const void *)haplotype->ranges.data;
    size_t low = 0, high = haplotype->ranges.length / sizeof *list;
    const int64_t begin = r->position - 1, end = begin + (int64_t)r->lengths[REF];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list[middle].begin <= begin)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && end <= list[low - 1].end;
}

/* Reads the line at `at`; the next one. */
static const char *read_line(const char *at, int haplotype, record *r)
{
    *r = (record){.haplotype = haplotype};
    for (int i = 0; i < COLUMNS; i++) {
        r->columns[i] = at;
        r->lengths[i] = strcspn(at, "\t\n");
        at += r->lengths[i] + 1;
    }
    r->position = strtoll(r->columns[POS], NULL, 10);
    r->is_mismatch = r->lengths[REF] == 1 && r->lengths[ALT] == 1;
    return at;
}

static int compare_column(const record *a, const record *b, int column)
{
    const size_t x = a->lengths[column], y = b->lengths[column];
    const int order = memcmp(a->columns[column], b->columns[column], x < y ? x : y);
    return order != 0 ? order : (x > y) - (x < y);
}

/* What makes two records one: position, kind and REF. */
static int compare_site(const record *a, const record *b)
{
    if (a->position != b->position)
        return a->position < b->position ? -1 : 1;
    if (a->is_mismatch != b->is_mismatch)
        return a->is_mismatch ? -1 : 1;
    return compare_column(a, b, REF);
}

static int by_site(const void *a, const void *b)
{
    const record *x = a, *y = b;
    const int site = compare_site(x, y);
    if (site != 0)
        return site;
    const int allele = compare_column(x, y, ALT);
    return allele != 0 ? allele : x->haplotype - y->haplotype;
}

/* All records of both, in their order, for free(). NULL without memory. */
static record *list_records(const cli_haplotype haplotypes[2], size_t *count)
{
    *count = 0;
    for (int h = 0; h < 2; h++)
        for (size_t i = 0; i < haplotypes[h].records.length; i++)
            *count += haplotypes[h].records.data[i] == '\n';
    record *list = malloc((*count + 1) * sizeof *list);
    for (size_t h = 0, i = 0; h < 2 && list != NULL; h++) {
        const cli_buffer *text = &haplotypes[h].records;
        for (const char *at = text->data; text->length > 0 && at < text->data + text->length; i++)
            at = read_line(at, (int)h, &list[i]);
    }
    if (list != NULL)
        qsort(list, *count, sizeof *list, by_site);
    return list;
}

/* The value of a key of INFO, which ends before a semicolon or the column. */
static void append_value(cli_buffer *out, const record *r, const char *key)
{
    const char *at = strstr(r->columns[INFO], key);
    cli_append_bytes(out, at + strlen(key), strcspn(at + strlen(key), ";\t"));
}

/* INFO of one record, or of both: their values after each other. */
static void append_info(cli_buffer *out, const record *const own[2])
{
    static const char *const KEYS[] = {"QNAME=", ";QSTART=", ";QSTRAND="};
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        cli_append_text(out, KEYS[i]);
        for (int h = 0; h < 2; h++) {
            if (own[h] == NULL)
                continue;
            cli_append_text(out, h > 0 && own[0] != NULL ? "," : "");
            append_value(out, own[h], KEYS[i]);
        }
    }
}

/* Writes what is one: a record of one haplotype, or one of each. */
static void write_site(cli_buffer *out, const record *const own[2],
                       const cli_haplotype haplotypes[2])
{
    const record *first = own[0] != NULL ? own[0] : own[1];
    const bool differ =
        own[0] != NULL && own[1] != NULL && compare_column(own[0], own[1], ALT) != 0;
    bool passes = true;
    for (int h = 0; h < 2; h++)
        passes = passes && (own[h] == NULL || own[h]->columns[FILTER][0] == 'P');
    cli_append_bytes(out, first->columns[0],
                     (size_t)(first->columns[ALT] + first->lengths[ALT] - first->columns[0]));
    if (differ) {
        cli_append_text(out, ",");
        cli_append_bytes(out, own[1]->columns[ALT], own[1]->lengths[ALT]);
    }
    cli_append_text(out, passes ? "\t.\tPASS\t" : "\t.\tdissimilar\t");
    append_info(out, own);
    cli_append_text(out, "\tGT\t");
    for (int h = 0; h < 2; h++) {
        cli_append_text(out, h > 0 ? "|" : "");
        cli_append_text(out, own[h] != NULL                      ? (differ && h > 0 ? "2" : "1")
                             : is_covered(&haplotypes[h], first) ? "0"
                                                                 : ".");
    }
    cli_append_text(out, "\n");
}

/* Whether the line that was written last is right; so is what there is no memory for. */
static bool is_right(const cli_buffer *out, size_t begin, const record *const own[2])
{
    const char *const lines[2] = {own[0] != NULL ? own[0]->columns[0] : NULL,
                                  own[1] != NULL ? own[1]->columns[0] : NULL};
    return out->failed || cli_vcf_check_phased(out->data + begin, lines);
}

rhomb_status cli_vcf_phase(cli_haplotype haplotypes[2], cli_sink *out)
{
    size_t count = 0, next = 0;
    rhomb_status status = RHOMB_OK;
    for (int h = 0; h < 2; h++) {
        if (haplotypes[h].records.failed || haplotypes[h].ranges.failed)
            return RHOMB_ERR_MEMORY;
        join_ranges(&haplotypes[h].ranges);
    }
    record *list = list_records(haplotypes, &count);
    if (list == NULL)
        return RHOMB_ERR_MEMORY;
    for (size_t i = 0; i < count && status == RHOMB_OK && cli_sink_spill(out); i = next) {
        const record *own[2] = {NULL, NULL};
        for (next = i; next < count && compare_site(&list[i], &list[next]) == 0 &&
                       own[list[next].haplotype] == NULL;
             next++)
            own[list[next].haplotype] = &list[next];
        const size_t begin = out->text.length;
        write_site(&out->text, own, haplotypes);
        if (!is_right(&out->text, begin, own))
            status = RHOMB_ERR_INTERNAL;
    }
    free(list);
    for (int h = 0; h < 2; h++)
        haplotypes[h].records.length = haplotypes[h].ranges.length = 0;
    return status;
}
