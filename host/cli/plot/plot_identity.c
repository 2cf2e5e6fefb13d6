/* SPDX-License-Identifier: MIT */
/*
 * Identity as colours along the paths of the dot plot, in windows of the target as the panel of the
 * identity has them, but for each path by itself; and what is not similar (rhomb/similar.h).
 */
#include "host/cli/plot/plot_panels.h"

#include <rhomb/identity.h>

/*
 * The best alignments of random sequences at unit costs have an identity of 0.530 if the four bases
 * are equally frequent and 0.545 with 35 % of G and C, at 10,000 to 30,000 bases. With other costs
 * it is less.
 */
const double cli_random_percent = 55;

enum { LEAST_COLUMNS = 100 }; /* fewer say little of a pair */

/* The least identities of the colours, in percent, and what legends call them. */
static const double LIMITS[] = {99.9, 99, 95, 90, 80};
static const char *const NAMES[] = {"99.9", "99", "95", "90", "80", "below 80", "not similar"};

/* Grey for windows in which most columns are gaps. */
static cli_colour colour_of(const cli_trace_sums *sums)
{
    if (sums->gaps > sums->columns / 2)
        return CLI_GREY;
    if (sums->other > sums->columns / 2)
        return CLI_IDENTITY_OTHER;
    const double percent = 100 * rhomb_identity(sums->matches, sums->columns) + 1e-9;
    size_t i = 0;
    while (i < CLI_COUNT(LIMITS) && percent < LIMITS[i])
        i++;
    return (cli_colour)(CLI_IDENTITY + (int)i);
}

/* The window that a column ends in, which includes its own end. */
static int64_t window_of(const cli_plot *plot, const cli_trace_column *column)
{
    return (column->last_at > 0 ? column->last_at - 1 : 0) / plot->window;
}

/* The end of the columns from `from` on that are in one window, and their sums. */
static size_t window_end(const cli_plot *plot, const cli_trace *trace, size_t from,
                         cli_trace_sums *sums)
{
    const int64_t window = window_of(plot, &trace->columns[from]);
    size_t end = from;
    *sums = (cli_trace_sums){0};
    do
        cli_trace_add_sums(sums, &trace->columns[end++].sums);
    while (end < trace->count && !trace->columns[end].gap &&
           window_of(plot, &trace->columns[end]) == window);
    return end;
}

void cli_panel_draw_coloured(const cli_plot *plot, const cli_trace *trace, cli_line *line,
                             cli_seen *seen)
{
    cli_colour before = CLI_BLACK; /* none of these */
    size_t end;
    for (size_t from = 0; from < trace->count; from = end) {
        cli_trace_sums sums;
        end = window_end(plot, trace, from, &sums);
        const cli_colour colour = sums.columns > 0 ? colour_of(&sums) : before;
        if (colour != before || trace->columns[from].gap) {
            cli_line_end(line);
            cli_line_style(line, colour, 1.8, false);
            if (from > 0 && !trace->columns[from].gap)
                cli_panel_column(plot, trace, from - 1, line);
        }
        before = colour;
        seen->colours[colour] = true;
        seen->imperfect |= sums.matches < sums.columns;
        for (size_t i = from; i < end; i++)
            cli_panel_column(plot, trace, i, line);
    }
    cli_line_end(line);
}

/* Paths without a difference are called so, though their colour is that of at least 99.9 %. */
static const char *legend_name(int i, const cli_seen *seen)
{
    if (i == CLI_COUNT(NAMES))
        return "gap";
    return i == 0 && !seen->imperfect ? "100" : NAMES[i];
}

double cli_panel_identity_legend(const cli_canvas *canvas, const cli_frame *frame,
                                 const cli_seen *seen)
{
    const double scale = canvas->scale, right = frame->left + frame->width;
    double x = right;
    int first = 0; /* it says what the numbers are */
    while (first < (int)CLI_COUNT(LIMITS) && !seen->colours[CLI_IDENTITY + first])
        first++;
    for (int i = CLI_COUNT(NAMES); i >= 0; i--) {
        const bool gaps = i == CLI_COUNT(NAMES);
        const cli_colour colour = gaps ? CLI_GREY : (cli_colour)(CLI_IDENTITY + i);
        char name[16];
        snprintf(name, sizeof name, "%s%s", legend_name(i, seen),
                 i == first && i < (int)CLI_COUNT(LIMITS) ? " %" : "");
        const double room = cli_canvas_text_width(canvas, CLI_FONT_SIZE, strlen(name));
        if (!seen->colours[colour] || x - room - 16 * scale < frame->left)
            continue;
        cli_panel_legend_at(canvas, frame, x, colour, name);
        x -= room + 16 * scale;
    }
    return right - x;
}

typedef struct pair {
    size_t target, query;
    cli_trace_sums sums;
    bool is_similar; /* at least in a segment */
} pair;

static int by_pair(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    return (x->query > y->query) - (x->query < y->query);
}

/* All *count pairs with a path, with the sums of their records; NULL if memory is short. */
static pair *list_pairs(const cli_plot_data *data, size_t *count)
{
    const cli_traces *traces = &data->traces;
    pair *list = calloc(traces->count + 1, sizeof *list);
    size_t rows = 0;
    for (size_t i = 0; list != NULL && i < traces->count; i++) {
        const cli_trace *trace = &traces->traces[i];
        list[rows] =
            (pair){.target = trace->target, .query = trace->query, .is_similar = trace->is_similar};
        for (size_t j = 0; j < trace->count; j++)
            cli_trace_add_sums(&list[rows].sums, &trace->columns[j].sums);
        rows += trace->has_path;
    }
    *count = 0;
    if (list != NULL)
        qsort(list, rows, sizeof *list, by_pair);
    for (size_t i = 0; i < rows; i++) {
        pair *last = *count > 0 ? &list[*count - 1] : NULL;
        if (last == NULL || by_pair(last, &list[i]) != 0) {
            list[(*count)++] = list[i];
            continue;
        }
        cli_trace_add_sums(&last->sums, &list[i].sums);
        last->is_similar |= list[i].is_similar;
    }
    return list;
}

/* Whether it is known that nothing of a pair is similar. */
static bool is_other(const pair *p)
{
    return p->sums.either == 0 && p->sums.columns >= LEAST_COLUMNS && !p->is_similar;
}

bool cli_plot_count_pairs(const cli_plot_data *data, cli_plot_pairs *pairs)
{
    size_t count;
    pair *list = list_pairs(data, &count);
    *pairs = (cli_plot_pairs){0};
    for (size_t i = 0; i < count; i++) {
        const cli_trace_sums *sums = &list[i].sums;
        pairs->known += sums->either == 0 && sums->columns >= LEAST_COLUMNS;
        pairs->other += is_other(&list[i]);
    }
    free(list);
    return list != NULL;
}

static void append_count(cli_buffer *html, int64_t count)
{
    cli_text text;
    cli_append_format(html, "<td>%s", cli_show_count(count, &text));
}

static void append_name(cli_buffer *html, const cli_plot_sequence *sequence)
{
    cli_append_text(html, "<td class=\"n\">");
    cli_append_escaped(html, sequence->name);
    append_count(html, sequence->length);
}

int64_t cli_plot_pair_rows(const cli_plot_data *data, int64_t most, cli_buffer *html)
{
    size_t count;
    pair *list = list_pairs(data, &count);
    for (size_t i = 0; i < count && (int64_t)i < most; i++) {
        const cli_trace_sums *sums = &list[i].sums;
        cli_append_text(html, "<tr>");
        append_name(html, &data->targets.list[list[i].target]);
        append_name(html, &data->queries.list[list[i].query]);
        append_count(html, sums->columns);
        append_count(html, sums->gaps);
        if (sums->either > 0)
            cli_append_text(html, "<td>not known<td>");
        else
            cli_append_format(html, "<td>%.2f %%<td>%s",
                              cli_percent(rhomb_identity(sums->matches, sums->columns)),
                              is_other(&list[i]) ? "not similar" : "");
        cli_append_text(html, "</tr>\n");
    }
    free(list);
    return list != NULL ? (int64_t)count : -1;
}
