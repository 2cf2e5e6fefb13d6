/* SPDX-License-Identifier: MIT */
/*
 * SAM 1.6 (samtools.github.io/hts-specs/SAMv1.pdf), of which htslib makes BAM and CRAM; see
 * align_formats.h: the records of queries that have all of theirs. What BAM cannot hold is refused,
 * as tools that read SAM convert it to BAM.
 */
#include "host/cli/writers/align_formats.h"

#include "host/cli/base/cli.h"

struct cli_sam_record {
    cli_sam_kept kept;
    const char *texts[CLI_SAM_TEXTS];
    /* All records of its query, the longest one first. */
    cli_sam_record *const *others;
    size_t count;
};

/* Reads the record at *at, and moves past it. */
static cli_sam_record next_record(const char **at)
{
    cli_sam_record r = {.count = 0};
    memcpy(&r.kept, *at, sizeof r.kept);
    *at += sizeof r.kept;
    for (int i = 0; i < CLI_SAM_TEXTS; i++) {
        r.texts[i] = *at;
        *at += strlen(*at) + 1;
    }
    return r;
}

int64_t cli_sam_last_pair(const cli_buffer *text)
{
    int64_t last = -1;
    for (const char *at = text->data; text->length > 0 && at < text->data + text->length;) {
        const int64_t pair = next_record(&at).kept.last_pair;
        last = pair > last ? pair : last;
    }
    return last;
}

static int64_t aligned_bases(const cli_sam_record *r)
{
    return r->kept.in_query.end - r->kept.in_query.begin;
}

/* By query, then by length; equal ones as they came. */
static int compare_queries(const void *a, const void *b)
{
    const cli_sam_record *x = *(cli_sam_record *const *)a, *y = *(cli_sam_record *const *)b;
    const int order = strcmp(x->texts[CLI_SAM_QUERY], y->texts[CLI_SAM_QUERY]);
    if (order != 0 || aligned_bases(x) == aligned_bases(y))
        return order != 0 ? order : (x > y) - (x < y);
    return aligned_bases(x) > aligned_bases(y) ? -1 : 1;
}

static int compare_places(const void *a, const void *b)
{
    const cli_sam_record *x = *(cli_sam_record *const *)a, *y = *(cli_sam_record *const *)b;
    if (x->kept.target != y->kept.target)
        return x->kept.target < y->kept.target ? -1 : 1;
    if (x->kept.in_target.begin != y->kept.in_target.begin)
        return x->kept.in_target.begin < y->kept.in_target.begin ? -1 : 1;
    return (x > y) - (x < y);
}

/* Tells the records of each query of the others. */
static void find_others(const cli_sam_records *r)
{
    for (size_t i = 0, end; i < r->count; i = end) {
        for (end = i + 1; end < r->count; end++)
            if (strcmp(r->by_query[i]->texts[CLI_SAM_QUERY],
                       r->by_query[end]->texts[CLI_SAM_QUERY]) != 0)
                break;
        for (size_t k = i; k < end; k++) {
            r->by_query[k]->others = &r->by_query[i];
            r->by_query[k]->count = end - i;
        }
    }
}

bool cli_sam_settle(const cli_buffer *text, cli_sam_records *out)
{
    *out = (cli_sam_records){.count = 0};
    for (const char *at = text->data; text->length > 0 && at < text->data + text->length;
         out->count++)
        (void)next_record(&at);
    out->list = calloc(out->count + 1, sizeof *out->list);
    out->by_query = calloc(out->count + 1, sizeof(cli_sam_record *));
    out->by_place = calloc(out->count + 1, sizeof(cli_sam_record *));
    if (out->list == NULL || out->by_query == NULL || out->by_place == NULL) {
        cli_sam_release(out);
        return false;
    }
    const char *at = text->data;
    for (size_t i = 0; i < out->count; i++) {
        out->list[i] = next_record(&at);
        out->by_query[i] = out->by_place[i] = &out->list[i];
    }
    qsort(out->by_query, out->count, sizeof(cli_sam_record *), compare_queries);
    qsort(out->by_place, out->count, sizeof(cli_sam_record *), compare_places);
    find_others(out);
    return true;
}

void cli_sam_release(cli_sam_records *records)
{
    free(records->list);
    free(records->by_query);
    free(records->by_place);
}

const char *cli_sam_query(const cli_sam_record *record)
{
    return record->texts[CLI_SAM_QUERY];
}

/* Some bases as an operation of a CIGAR, if there are any. */
static void append_operation(cli_buffer *out, int64_t bases, const char *letter)
{
    if (bases == 0)
        return;
    cli_append_number(out, bases);
    cli_append_text(out, letter);
}

/* Bases of the query's record before what is aligned, on its strand; and after it. */
static int64_t clipped(const cli_sam_kept *k, bool before)
{
    return before != (k->reverse != 0) ? k->in_query.begin : k->query_bases - k->in_query.end;
}

/* Another record in SA, with its CIGAR in short, as minimap2 has it: SA of many blocks is short. */
static void append_other(cli_buffer *out, const cli_sam_record *other)
{
    const cli_sam_kept *k = &other->kept;
    const int64_t query = aligned_bases(other), target = k->in_target.end - k->in_target.begin;
    cli_append_format(out, "%s,%" PRId64 ",%c,", other->texts[CLI_SAM_TARGET],
                      k->in_target.begin + 1, k->reverse != 0 ? '-' : '+');
    append_operation(out, clipped(k, true), "S");
    append_operation(out, query < target ? query : target, "M");
    append_operation(out, query > target ? query - target : 0, "I");
    append_operation(out, target > query ? target - query : 0, "D");
    append_operation(out, clipped(k, false), "S");
    cli_append_format(out, ",255,%" PRId64 ";", k->edits);
}

/* A query's bases on a strand, and its qualities. BAM has no U, and makes N of it. */
static bool write_bases(cli_sink *sink, const cli_side *side, bool reverse, bool is_dna)
{
    const int64_t count = side->length;
    char *turned = reverse ? cli_orient(side->bases, count, true, 0) : NULL;
    const char *bases = reverse ? turned : side->bases;
    if (reverse && turned == NULL)
        return false;
    if (count == 0)
        cli_append_text(&sink->text, "*");
    else if (is_dna)
        cli_sink_dna_bases(sink, bases, count);
    else
        cli_sink_bases(sink, bases, count);
    free(turned);
    cli_append_text(&sink->text, "\t");
    if (count == 0 || side->qualities == NULL)
        cli_append_text(&sink->text, "*");
    else if (!reverse)
        cli_sink_bases(sink, side->qualities, count);
    for (int64_t i = count; reverse && side->qualities != NULL && i > 0; i--)
        cli_sink_bases(sink, side->qualities + i - 1, 1);
    return true;
}

/* The part of a side that a record has aligned. */
static cli_side aligned_part(const cli_side *side, const cli_sam_kept *k)
{
    const int64_t begin = k->in_query.begin - side->before;
    return (cli_side){.bases = side->bases + begin,
                      .qualities = side->qualities != NULL ? side->qualities + begin : NULL,
                      .length = k->in_query.end - k->in_query.begin};
}

bool cli_sam_write(cli_sink *sink, const cli_sam_record *r, const cli_side *side, bool is_dna)
{
    enum { REVERSE = 16, SECONDARY = 256, SUPPLEMENTARY = 2048 };
    static const cli_side NO_BASES = {.length = 0};
    const cli_sam_kept *k = &r->kept;
    const bool is_primary = r->others[0] == r, reverse = k->reverse != 0;
    const cli_side own = {.bases = r->texts[CLI_SAM_BASES], .length = aligned_bases(r)};
    const cli_side part = k->is_secondary != 0 ? NO_BASES
                          : side == NULL       ? own
                          : is_primary         ? *side
                                               : aligned_part(side, k);
    /* Hard clips of a primary record are for bases that were not read. */
    const bool is_whole = side != NULL && is_primary;
    const int64_t before = clipped(k, true), after = clipped(k, false);
    const int64_t unread_before = !is_whole ? before : reverse ? side->after : side->before;
    const int64_t unread_after = !is_whole ? after : reverse ? side->before : side->after;
    cli_buffer *out = &sink->text;
    cli_append_format(out, "%s\t%d\t%s\t%" PRId64 "\t255\t", r->texts[CLI_SAM_QUERY],
                      (reverse ? REVERSE : 0) + (k->is_secondary != 0 ? SECONDARY : 0) +
                          (is_primary ? 0 : SUPPLEMENTARY),
                      r->texts[CLI_SAM_TARGET], k->in_target.begin + 1);
    append_operation(out, unread_before, "H");
    append_operation(out, before - unread_before, "S");
    cli_sink_bases(sink, r->texts[CLI_SAM_CIGAR], (int64_t)strlen(r->texts[CLI_SAM_CIGAR]));
    append_operation(out, after - unread_after, "S");
    append_operation(out, unread_after, "H");
    cli_append_text(out, "\t*\t0\t0\t");
    if (!write_bases(sink, &part, side != NULL && reverse, is_dna))
        return false;
    cli_sink_bases(sink, r->texts[CLI_SAM_TAGS], (int64_t)strlen(r->texts[CLI_SAM_TAGS]));
    cli_append_text(out, r->count > 1 ? "\tSA:Z:" : "");
    for (size_t i = 0; i < r->count && cli_sink_spill(sink); i++)
        if (r->others[i] != r)
            append_other(out, r->others[i]);
    cli_append_text(out, "\n");
    return true;
}

void cli_write_sam(cli_sink *sink, const cli_path *path, const cli_path_cuts *cuts, bool is_dna)
{
    cli_sink text;
    cli_sam_records records;
    cli_sink_open_text(&text);
    cli_sam_keep(&text, path, cuts, 0);
    bool good = !text.text.failed && cli_sam_settle(&text.text, &records);
    for (size_t i = 0; good && i < records.count; i++)
        good = cli_sam_write(sink, records.by_place[i], path->side, is_dna);
    if (good)
        cli_sam_release(&records);
    sink->text.failed = sink->text.failed || !good;
    cli_sink_release(&text);
}

void cli_write_sam_unaligned(cli_sink *sink, const cli_side *query, bool is_dna)
{
    cli_append_format(&sink->text, "%s\t4\t*\t0\t0\t*\t*\t0\t0\t", query->name);
    (void)write_bases(sink, query, false, is_dna);
    cli_append_text(&sink->text, "\n");
}
