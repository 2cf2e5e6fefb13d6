/* SPDX-License-Identifier: MIT */
/* Events as records of VCF, see events.h. */
#include "host/cli/report/events.h"

#include "host/cli/base/cli.h"
#include "host/cli/base/sink.h"
#include "host/cli/sketch/blocks.h"
#include "host/cli/writers/vcf_rows.h"

/* A base beside which the query goes on elsewhere, and what it has up to there or from there on. */
typedef struct breakend {
    int64_t target, position; /* 1-based */
    bool is_end;              /* the query has the bases up to it, in the target's order */
    int64_t low, high;        /* by how much it may be elsewhere */
} breakend;

/* Two of them that the query joins. */
typedef struct adjacency {
    breakend ends[2]; /* in the target's order */
    const cli_event *event;
    int64_t query; /* where it is joined, 1-based */
} adjacency;

typedef struct maker {
    const cli_events *events;
    cli_event_records *out;
    adjacency *list;
    size_t count;
    bool failed;
} maker;

/* The upper-case base of a target at a 1-based position; NUL beyond its ends. */
static char base_at(const maker *m, int64_t target, int64_t position)
{
    const char *name, *bases;
    int64_t length;
    if (rhomb_sequence_set_get(m->events->targets, target, &name, &bases, &length) != RHOMB_OK ||
        position < 1 || position > length)
        return '\0';
    return (char)cli_upper_base((unsigned char)bases[position - 1]);
}

/* The bases of an event's query; none without one. */
static const char *query_bases(const maker *m, const rhomb_event *r, int64_t *length)
{
    const char *name, *bases;
    const bool found =
        rhomb_sequence_set_get(m->events->queries, r->query, &name, &bases, length) == RHOMB_OK;
    *length = found ? *length : 0;
    return found ? bases : "";
}

/* Begins a record up to ALT; NULL if there is no such base. */
static cli_buffer *begin(maker *m, int64_t target, int64_t position)
{
    const char base = base_at(m, target, position);
    cli_buffer *out = &m->out->of_target[target];
    if (base == '\0')
        return NULL;
    cli_append_format(out, "%s\t%" PRId64, cli_sequence_name(m->events->targets, target), position);
    m->out->count++;
    return out;
}

static void append_ref(const maker *m, cli_buffer *out, int64_t target, int64_t position)
{
    const char base[2] = {base_at(m, target, position), '\0'};
    cli_append_text(out, base);
}

/* An interval that an end may be in, unless it is sure. */
static void append_interval(cli_buffer *out, const char *name, int64_t low, int64_t high)
{
    if (low == 0 && high == 0)
        return;
    cli_append_format(out, "%s=%" PRId64 ",%" PRId64, name, low, high);
}

/*
 * A record without bases of what is between two breakends, or from one to the other: POS is the
 * base before or, at the target's beginning, the first base, and END the last one.
 */
static void add_symbolic(maker *m, const cli_event *e, const char *alt, int64_t length,
                         const breakend *first, const breakend *last)
{
    const rhomb_event *r = &e->event;
    const int64_t before = first->position - !first->is_end, end = last->position - !last->is_end;
    const int64_t position = before > 0 ? before : 1;
    /* Without bases of the query it is at the base before or, at its beginning, the one after. */
    int64_t bases;
    (void)query_bases(m, r, &bases);
    const bool is_before =
        r->query_begin == r->query_end && r->query_begin != (r->reverse ? bases : 0);
    const int64_t start = r->reverse ? r->query_end + is_before : r->query_begin + !is_before;
    cli_buffer *out = begin(m, r->target, position);
    if (out == NULL)
        return;
    cli_append_text(out, "\t.\t");
    append_ref(m, out, r->target, position);
    cli_append_format(out, "\t<%s>\t.\tPASS\tSVTYPE=%.3s;SVLEN=%" PRId64 ";END=%" PRId64, alt, alt,
                      length, end > position ? end : position);
    if (first->low < 0 || first->high > 0)
        append_interval(out, ";CIPOS", first->low - (position - before),
                        first->high - (position - before));
    if (first != last)
        append_interval(out, ";CIEND", last->low, last->high);
    if (e->type == CLI_EVENT_TANDEM_DUPLICATION && length > 0)
        cli_append_labelled(out, ";CN=", 1 + (r->bases + length / 2) / length);
    cli_append_text(out, r->in_record ? ";INBASES;" : ";");
    cli_vcf_append_query(out, cli_event_query(m->events, e), start, r->reverse);
}

static int64_t below(int64_t gap)
{
    return gap > 0 ? -gap : 0;
}

static int64_t above(int64_t gap)
{
    return gap < 0 ? -gap : 0;
}

/* The breakend of what is beside an event. */
static breakend beside(const rhomb_event_end *end, bool is_after)
{
    const bool is_end = is_after == end->reverse;
    return (breakend){end->target, end->position + !is_end, is_end, 0, 0};
}

/* The breakend of an event's range that is its end or beginning in the target. */
static breakend edge(const rhomb_event *r, bool is_end)
{
    return is_end ? (breakend){r->target, r->target_end, true, below(-r->gap_after),
                               above(-r->gap_after)}
                  : (breakend){r->target, r->target_begin + 1, false, below(r->gap_before),
                               above(r->gap_before)};
}

/* The breakend of an event's range, where the query comes into it or goes out of it. */
static breakend own(const rhomb_event *r, bool is_after)
{
    return edge(r, is_after != r->reverse);
}

/*
 * How many bases after the first of two breakends that the query joins are the same as those that
 * it has from the second one on, so that it may be joined so much further on.
 */
static int64_t same_bases(const maker *m, const breakend *a, const breakend *b)
{
    for (int64_t same = 0;; same++) {
        const int64_t beyond = a->is_end ? a->position + 1 + same : a->position - 1 - same;
        const int64_t within = b->is_end ? b->position - same : b->position + same;
        const char base = cli_block_base(base_at(m, a->target, beyond), !a->is_end);
        if (base == '\0' || base != cli_block_base(base_at(m, b->target, within), b->is_end))
            return same;
    }
}

/* Has an interval include where a breakend is if its bases go on, or others have its last ones. */
static void widen_end(breakend *end, int64_t more, int64_t less)
{
    const int64_t low = end->is_end ? -less : -more, high = end->is_end ? more : less;
    end->low = low < end->low ? low : end->low;
    end->high = high > end->high ? high : end->high;
}

/* Has the intervals of two breakends that the query joins include wherever it may join them. */
static void widen(const maker *m, breakend *a, breakend *b)
{
    const int64_t a_more = same_bases(m, a, b), b_more = same_bases(m, b, a);
    widen_end(a, a_more, b_more);
    widen_end(b, b_more, a_more);
}

/* Bases that the target alone has. */
static void add_deleted(maker *m, const cli_event *e)
{
    const rhomb_event *r = &e->event;
    const int64_t deleted = r->target_end - r->target_begin;
    const int64_t bases = e->type == CLI_EVENT_DELETION ? r->bases : deleted;
    breakend before = {r->target, r->target_begin, true, 0, deleted - bases};
    breakend after = {r->target, r->target_begin + bases + 1, false, 0, deleted - bases};
    if (r->query_begin == r->query_end)
        widen(m, &before, &after);
    add_symbolic(m, e, "DEL", -bases, &before, &after);
}

/* How many of the first bases of an insertion follow it in the target, or of its last precede it.
 */
static int64_t same_inserted(const maker *m, const rhomb_event *r, bool before)
{
    int64_t length, same = 0;
    const char *bases = query_bases(m, r, &length);
    const int64_t count = length > 0 ? r->query_end - r->query_begin : 0;
    for (; same < count; same++) {
        const int64_t there = before ? r->target_begin - same : r->target_begin + 1 + same;
        const int64_t at = before == r->reverse ? r->query_begin + same : r->query_end - 1 - same;
        const char base = base_at(m, r->target, there);
        if (base == '\0' || base != cli_block_base(bases[at], r->reverse))
            break;
    }
    return same;
}

/* Bases that the query alone has. */
static void add_inserted(maker *m, const cli_event *e)
{
    const rhomb_event *r = &e->event;
    const bool is_gap = e->type == CLI_EVENT_INSERTION;
    const int64_t deleted = r->target_end - r->target_begin;
    breakend at = {r->target, r->target_begin, true, 0, is_gap ? deleted : 0};
    if (deleted == 0)
        widen_end(&at, same_inserted(m, r, false), same_inserted(m, r, true));
    add_symbolic(m, e, "INS", is_gap ? r->bases : r->query_end - r->query_begin, &at, &at);
}

/* Bases of one side, and of the other one where both have some, that no record of a path has. */
static void add_between(maker *m, const cli_event *e)
{
    const rhomb_event *r = &e->event;
    if (r->in_record)
        return;
    if (e->type != CLI_EVENT_INSERTION && r->target_end > r->target_begin)
        add_deleted(m, e);
    if (e->type == CLI_EVENT_INSERTION ||
        (e->type == CLI_EVENT_REPLACEMENT && r->query_end > r->query_begin))
        add_inserted(m, e);
}

/* A range of the target: inverted, or what the query has again. */
static void add_range(maker *m, const cli_event *e)
{
    const rhomb_event *r = &e->event;
    breakend begin = edge(r, false), end = edge(r, true);
    breakend before = {begin.target, begin.position - 1, true, begin.low, begin.high};
    if (e->type == CLI_EVENT_INVERSION) {
        widen(m, &before, &end);
    } else if (e->type == CLI_EVENT_TANDEM_DUPLICATION) {
        widen(m, &end, &begin);
    } else {
        breakend sides[2] = {beside(&r->before, false), beside(&r->after, true)};
        for (int i = 0; i < 2; i++)
            widen(m, &sides[i], (i > 0) != r->reverse ? &end : &begin);
    }
    add_symbolic(m, e,
                 e->type == CLI_EVENT_INVERSION            ? "INV"
                 : e->type == CLI_EVENT_TANDEM_DUPLICATION ? "DUP:TANDEM"
                                                           : "DUP",
                 r->target_end - r->target_begin, e->type == CLI_EVENT_INVERSION ? &before : &begin,
                 &end);
}

static int compare_ends(const breakend *a, const breakend *b)
{
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    if (a->position != b->position)
        return a->position < b->position ? -1 : 1;
    return a->is_end - b->is_end;
}

static int by_ends(const void *a, const void *b)
{
    const adjacency *x = a, *y = b;
    const int first = compare_ends(&x->ends[0], &y->ends[0]);
    return first != 0 ? first : compare_ends(&x->ends[1], &y->ends[1]);
}

static void add_adjacency(maker *m, const cli_event *e, breakend a, breakend b, int64_t query)
{
    adjacency *list = cli_list_grown(m->list, m->count, sizeof *list);
    m->failed = m->failed || list == NULL;
    if (list == NULL)
        return;
    m->list = list;
    const bool is_turned = compare_ends(&a, &b) > 0;
    list[m->count++] = (adjacency){{is_turned ? b : a, is_turned ? a : b}, e, query};
}

static void add_moved(maker *m, const cli_event *e)
{
    const rhomb_event *r = &e->event;
    if (r->before.target >= 0)
        add_adjacency(m, e, beside(&r->before, false), own(r, false), r->query_begin + 1);
    if (r->after.target >= 0)
        add_adjacency(m, e, own(r, true), beside(&r->after, true), r->query_end);
    if (r->left_begin < r->left_end)
        add_adjacency(m, e, (breakend){r->target, r->left_begin, true, 0, 0},
                      (breakend){r->target, r->left_end + 1, false, 0, 0}, r->query_begin + 1);
}

/*
 * Writes the record of one of two breakends: its base, and before or after it the other one, which
 * a bracket shows from its base on or, turned, up to it.
 */
static void write_breakend(maker *m, const adjacency *a, int number, size_t id)
{
    const breakend *here = &a->ends[number], *there = &a->ends[1 - number];
    const char *bracket = there->is_end ? "]" : "[";
    cli_buffer *out = begin(m, here->target, here->position);
    if (out == NULL)
        return;
    cli_append_format(out, "\tbnd%zu%c\t", id, "ab"[number]);
    append_ref(m, out, here->target, here->position);
    cli_append_text(out, "\t");
    if (here->is_end)
        append_ref(m, out, here->target, here->position);
    cli_append_format(out, "%s%s:%" PRId64 "%s", bracket,
                      cli_sequence_name(m->events->targets, there->target), there->position,
                      bracket);
    if (!here->is_end)
        append_ref(m, out, here->target, here->position);
    cli_append_format(out, "\t.\tPASS\tSVTYPE=BND;MATEID=bnd%zu%c;EVENT=%s_%td", id,
                      "ab"[1 - number], cli_event_names[a->event->type],
                      a -> event - m -> events -> list + 1);
    append_interval(out, ";CIPOS", here->low, here->high);
    cli_append_text(out, a->event->event.in_record ? ";INBASES;" : ";");
    cli_vcf_append_query(out, cli_event_query(m->events, a->event), a->query,
                         a->event->event.reverse);
}

/* Writes what the query joins, once where two events are beside each other. */
static void write_adjacencies(maker *m)
{
    if (m->count > 0)
        qsort(m->list, m->count, sizeof *m->list, by_ends);
    for (size_t i = 0, id = 0; i < m->count; i++) {
        adjacency *a = &m->list[i];
        const bool has_bases = base_at(m, a->ends[0].target, a->ends[0].position) != '\0' &&
                               base_at(m, a->ends[1].target, a->ends[1].position) != '\0';
        if (!has_bases || (i > 0 && by_ends(a - 1, a) == 0))
            continue;
        id++;
        widen(m, &a->ends[0], &a->ends[1]);
        write_breakend(m, a, 0, id);
        write_breakend(m, a, 1, id);
    }
}

static void add_event(maker *m, const cli_event *e)
{
    switch (e->type) {
    case CLI_EVENT_INSERTION:
    case CLI_EVENT_DELETION:
    case CLI_EVENT_REPLACEMENT:
    case CLI_EVENT_LOST_DUPLICATE:
    case CLI_EVENT_LOST_TANDEM_DUPLICATE:
        add_between(m, e);
        break;
    case CLI_EVENT_INVERSION:
    case CLI_EVENT_DUPLICATION:
    case CLI_EVENT_TANDEM_DUPLICATION:
        add_range(m, e);
        break;
    case CLI_EVENT_RELOCATION:
    case CLI_EVENT_INVERTED_RELOCATION:
    case CLI_EVENT_TRANSLOCATION:
    case CLI_EVENT_INVERTED_TRANSLOCATION:
        add_moved(m, e);
        break;
    case CLI_EVENT_JUNCTION:
        add_adjacency(m, e, beside(&e->event.before, false), beside(&e->event.after, true),
                      e->event.query_begin + 1);
        break;
    case CLI_EVENT_ROTATION:
    case CLI_EVENT_TYPES:
        break;
    }
}

bool cli_event_records_make(const cli_events *events, cli_event_records *out)
{
    maker m = {.events = events, .out = out};
    *out = (cli_event_records){.targets = rhomb_sequence_set_count(events->targets)};
    out->of_target = calloc((size_t)out->targets + 1, sizeof *out->of_target);
    if (out->of_target == NULL)
        return false;
    for (size_t i = 0; i < events->count; i++)
        add_event(&m, &events->list[i]);
    write_adjacencies(&m);
    free(m.list);
    for (int64_t i = 0; i < out->targets; i++)
        m.failed = m.failed || out->of_target[i].failed;
    return !m.failed;
}

void cli_event_records_release(cli_event_records *records)
{
    for (int64_t i = 0; i < records->targets && records->of_target != NULL; i++)
        cli_buffer_release(&records->of_target[i]);
    free(records->of_target);
    *records = (cli_event_records){0};
}
