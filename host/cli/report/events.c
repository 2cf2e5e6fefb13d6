/* SPDX-License-Identifier: MIT */
/*
 * Events as text, see events.h.
 */
#include "host/cli/report/events.h"

#include "host/cli/base/cli.h"

#include <stdlib.h>
#include <string.h>

const char *const cli_event_names[CLI_EVENT_TYPES] = {"insertion",
                                                      "deletion",
                                                      "replacement",
                                                      "inversion",
                                                      "relocation",
                                                      "inverted_relocation",
                                                      "translocation",
                                                      "inverted_translocation",
                                                      "rotation",
                                                      "duplication",
                                                      "tandem_duplication",
                                                      "lost_duplicate",
                                                      "lost_tandem_duplicate"};

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
    for (int64_t i = 0; i < count; i++)
        events->list[events->count++] = (cli_event){found[i], type_of(&found[i])};
    return true;
}

int64_t cli_events_count(const cli_events *events, cli_event_type type)
{
    int64_t count = 0;
    for (size_t i = 0; i < events->count; i++)
        count += events->list[i].type == type;
    return count;
}

/* The name of a sequence. */
static const char *name_of(const rhomb_sequence_set *set, int64_t index)
{
    const char *name = "", *bases;
    int64_t length;
    return rhomb_sequence_set_get(set, index, &name, &bases, &length) == RHOMB_OK ? name : "";
}

static const char *const COLUMNS[] = {"type",       "target", "target_begin",
                                      "target_end", "query",  "query_begin",
                                      "query_end",  "strand", "bases"};

/* Appends the cells of an event, with this text before each and that one after it. */
static void append_cells(const cli_events *events, const cli_event *e, bool html, cli_buffer *out)
{
    const rhomb_event *r = &e->event;
    const char *const texts[] = {cli_event_names[e->type], name_of(events->targets, r->target),
                                 name_of(events->queries, r->query), r->reverse ? "-" : "+"};
    static const int TEXTS[] = {0, 1, -1, -1, 2, -1, -1, 3, -1};
    const int64_t numbers[] = {
        0, 0, r->target_begin, r->target_end, 0, r->query_begin, r->query_end, 0, r->bases};
    for (size_t i = 0; i < CLI_COUNT(COLUMNS); i++) {
        cli_append_text(out, html ? (i == 0 ? "<td class=\"n\">" : "<td>") : i > 0 ? "\t" : "");
        if (TEXTS[i] < 0)
            cli_append_number(out, numbers[i]);
        else if (html)
            cli_append_escaped(out, texts[TEXTS[i]]);
        else
            cli_append_field(out, texts[TEXTS[i]]);
    }
}

void cli_events_tsv(const cli_events *events, cli_buffer *out)
{
    for (size_t i = 0; i < CLI_COUNT(COLUMNS); i++) {
        cli_append_text(out, i == 0 ? "#" : "\t");
        cli_append_text(out, COLUMNS[i]);
    }
    cli_append_text(out, "\n");
    for (size_t i = 0; i < events->count; i++) {
        append_cells(events, &events->list[i], false, out);
        cli_append_text(out, "\n");
    }
}

static int by_bases(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* The least size of the largest `most` events. */
static int64_t least_of(const cli_events *events, size_t most)
{
    int64_t *sizes = malloc((events->count + 1) * sizeof *sizes);
    int64_t least = 0;
    for (size_t i = 0; i < events->count && sizes != NULL; i++)
        sizes[i] = events->list[i].event.bases;
    if (sizes != NULL && events->count > most) {
        qsort(sizes, events->count, sizeof *sizes, by_bases);
        least = sizes[most - 1];
    }
    free(sizes);
    return least;
}

void cli_events_html(const cli_events *events, size_t most, cli_buffer *out)
{
    const int64_t least = least_of(events, most);
    cli_append_text(out, "<table id=\"events\" style=\"font-size:80%\">\n<tr>");
    for (size_t i = 0; i < CLI_COUNT(COLUMNS); i++) {
        cli_append_text(out, i == 0 ? "<th class=\"n\">" : "<th>");
        cli_append_text(out, COLUMNS[i]);
    }
    cli_append_text(out, "</tr>\n");
    for (size_t i = 0; i < events->count; i++) {
        if (events->list[i].event.bases < least)
            continue;
        cli_append_text(out, "<tr>");
        append_cells(events, &events->list[i], true, out);
        cli_append_text(out, "</tr>\n");
    }
    cli_append_text(out, "</table>\n");
}

void cli_events_release(cli_events *events)
{
    free(events->list);
    *events = (cli_events){0};
}
