/* SPDX-License-Identifier: MIT */
/* Events as text, see events.h. */
#include "host/cli/report/events.h"

#include "host/cli/base/cli.h"

const char *const cli_event_names[CLI_EVENT_TYPES] = {"insertion",      "deletion",
                                                      "replacement",    "inversion",
                                                      "relocation",     "inverted_relocation",
                                                      "translocation",  "inverted_translocation",
                                                      "rotation",       "junction",
                                                      "duplication",    "tandem_duplication",
                                                      "lost_duplicate", "lost_tandem_duplicate"};

static cli_event_type type_of(const rhomb_event *e)
{
    switch (e->kind) {
    case RHOMB_EVENT_INSERTION:
        return CLI_EVENT_INSERTION;
    case RHOMB_EVENT_DELETION:
        return CLI_EVENT_DELETION;
    case RHOMB_EVENT_REPLACEMENT:
        return CLI_EVENT_REPLACEMENT;
    case RHOMB_EVENT_INVERSION:
        return CLI_EVENT_INVERSION;
    case RHOMB_EVENT_RELOCATION:
        return e->inverted ? CLI_EVENT_INVERTED_RELOCATION : CLI_EVENT_RELOCATION;
    case RHOMB_EVENT_TRANSLOCATION:
        return e->inverted ? CLI_EVENT_INVERTED_TRANSLOCATION : CLI_EVENT_TRANSLOCATION;
    case RHOMB_EVENT_JUNCTION:
        return CLI_EVENT_JUNCTION;
    case RHOMB_EVENT_ROTATION:
        break;
    }
    return CLI_EVENT_ROTATION;
}

bool cli_events_find(const rhomb_comparison *comparison, const rhomb_sequence_set *targets,
                     const rhomb_sequence_set *queries, cli_events *events)
{
    int64_t count;
    const rhomb_event *found = rhomb_comparison_get_events(comparison, &count);
    *events = (cli_events){.targets = targets, .queries = queries};
    events->list = malloc(((size_t)count + 1) * sizeof *events->list);
    if (events->list == NULL)
        return false;
    for (int64_t i = 0; i < count; i++) {
        const rhomb_event *e = &found[i];
        events->list[events->count++] =
            (cli_event){*e, type_of(e), e->before.target >= 0 ? e->before : e->after};
    }
    return true;
}

int64_t cli_events_count(const cli_events *events, cli_event_type type)
{
    int64_t count = 0;
    for (size_t i = 0; i < events->count; i++)
        count += events->list[i].type == type;
    return count;
}

const char *cli_sequence_name(const rhomb_sequence_set *set, int64_t index)
{
    const char *name = "", *bases;
    int64_t length;
    return rhomb_sequence_set_get(set, index, &name, &bases, &length) == RHOMB_OK ? name : "";
}

const char *cli_event_target(const cli_events *events, const cli_event *event)
{
    return cli_sequence_name(events->targets, event->event.target);
}

const char *cli_event_query(const cli_events *events, const cli_event *event)
{
    return cli_sequence_name(events->queries, event->event.query);
}

/* Columns of tables, and in which order TSV, HTML and BED have them; those of BED have no names. */
enum {
    TYPE,
    TARGET,
    TARGET_BEGIN,
    TARGET_END,
    QUERY,
    QUERY_BEGIN,
    QUERY_END,
    STRAND,
    BASES,
    SCORE
};

static const char *const COLUMNS[] = {"type",       "target", "target_begin",
                                      "target_end", "query",  "query_begin",
                                      "query_end",  "strand", "bases"};
static const int TABLE[] = {TYPE,        TARGET,    TARGET_BEGIN, TARGET_END, QUERY,
                            QUERY_BEGIN, QUERY_END, STRAND,       BASES};
static const int BED[] = {TARGET, TARGET_BEGIN, TARGET_END,  TYPE,      SCORE,
                          STRAND, QUERY,        QUERY_BEGIN, QUERY_END, BASES};

/* Appends a cell. */
static void append_cell(const cli_events *events, const cli_event *e, int column, bool html,
                        cli_buffer *out)
{
    const rhomb_event *r = &e->event;
    const char *const texts[] = {[TYPE] = cli_event_names[e->type],
                                 [TARGET] = cli_event_target(events, e),
                                 [QUERY] = cli_event_query(events, e),
                                 [STRAND] = r->reverse ? "-" : "+",
                                 [SCORE] = "0"};
    const int64_t numbers[] = {[TARGET_BEGIN] = r->target_begin,
                               [TARGET_END] = r->target_end,
                               [QUERY_BEGIN] = r->query_begin,
                               [QUERY_END] = r->query_end,
                               [BASES] = r->bases};
    if (texts[column] == NULL)
        cli_append_number(out, numbers[column]);
    else if (html)
        cli_append_escaped(out, texts[column]);
    else
        cli_append_field(out, texts[column]);
}

static void append_rows(const cli_events *events, const int *columns, size_t count, cli_buffer *out)
{
    for (size_t i = 0; i < events->count; i++) {
        for (size_t k = 0; k < count; k++) {
            cli_append_text(out, k > 0 ? "\t" : "");
            append_cell(events, &events->list[i], columns[k], false, out);
        }
        cli_append_text(out, "\n");
    }
}

void cli_events_tsv(const cli_events *events, cli_buffer *out)
{
    for (size_t i = 0; i < CLI_COUNT(COLUMNS); i++)
        cli_append_format(out, "%s%s", i == 0 ? "#" : "\t", COLUMNS[i]);
    cli_append_text(out, "\n");
    append_rows(events, TABLE, CLI_COUNT(TABLE), out);
}

void cli_events_bed(const cli_events *events, cli_buffer *out)
{
    append_rows(events, BED, CLI_COUNT(BED), out);
}

static int by_bases(const void *a, const void *b)
{
    const cli_event *x = *(const cli_event *const *)a, *y = *(const cli_event *const *)b;
    if (x->event.bases != y->event.bases)
        return x->event.bases > y->event.bases ? -1 : 1;
    return (x > y) - (x < y);
}

/* All events, the largest first, for free(); NULL without memory. */
static const cli_event **order_events(const cli_events *events)
{
    const cli_event **list = malloc((events->count + 1) * sizeof *list);
    for (size_t i = 0; i < events->count && list != NULL; i++)
        list[i] = &events->list[i];
    if (list != NULL)
        qsort(list, events->count, sizeof *list, by_bases);
    return list;
}

/* Appends a range as a region; one without bases as the position before it. */
static void append_region(cli_buffer *out, const char *name, int64_t begin, int64_t end)
{
    cli_append_text(out, "  ");
    cli_append_field(out, name);
    cli_append_labelled(out, ":", begin < end ? begin + 1 : end);
    if (begin < end)
        cli_append_labelled(out, "-", end);
}

void cli_events_text(const cli_events *events, size_t most, cli_buffer *out)
{
    enum { TYPE_WIDTH = 22, BASES_WIDTH = 12 };
    const cli_event **list = order_events(events);
    out->failed = out->failed || list == NULL;
    for (size_t i = 0; i < events->count && i < most && list != NULL; i++) {
        const rhomb_event *e = &list[i]->event;
        char text[TYPE_WIDTH + BASES_WIDTH + CLI_NUMBER_BYTES];
        snprintf(text, sizeof text, "%-*s%*" PRId64, TYPE_WIDTH, cli_event_names[list[i]->type],
                 BASES_WIDTH, e->bases);
        for (char *c = text; *c != '\0'; c++)
            *c = *c == '_' ? ' ' : *c;
        cli_append_text(out, text);
        append_region(out, cli_event_target(events, list[i]), e->target_begin, e->target_end);
        append_region(out, cli_event_query(events, list[i]), e->query_begin, e->query_end);
        cli_append_text(out, e->reverse ? " -\n" : " +\n");
    }
    free(list);
}

void cli_events_html(const cli_events *events, size_t most, cli_buffer *out)
{
    const cli_event **list = order_events(events);
    const bool is_cut = list != NULL && most > 0 && events->count > most;
    const int64_t least = is_cut ? list[most - 1]->event.bases : 0;
    out->failed = out->failed || list == NULL;
    cli_append_text(out, "<table id=\"events\" style=\"font-size:80%\">\n<tr>");
    for (size_t i = 0; i < CLI_COUNT(COLUMNS); i++)
        cli_append_format(out, "%s%s", i == 0 ? "<th class=\"n\">" : "<th>", COLUMNS[i]);
    cli_append_text(out, "</tr>\n");
    for (size_t i = 0; i < events->count; i++) {
        if (events->list[i].event.bases < least)
            continue;
        cli_append_text(out, "<tr>");
        for (size_t k = 0; k < CLI_COUNT(TABLE); k++) {
            cli_append_text(out, k == 0 ? "<td class=\"n\">" : "<td>");
            append_cell(events, &events->list[i], TABLE[k], true, out);
        }
        cli_append_text(out, "</tr>\n");
    }
    cli_append_text(out, "</table>\n");
    free(list);
}

void cli_events_release(cli_events *events)
{
    free(events->list);
    *events = (cli_events){0};
}
