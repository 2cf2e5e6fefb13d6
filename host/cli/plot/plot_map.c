/* SPDX-License-Identifier: MIT */
/*
 * Where what is in a picture, as JSON for the script of a page: frames as [panel, left, top, width,
 * height]; both axes' length and sequences as [name, start, low, high], as in plot_data.h; and
 * where paths are, as pieces [x, y, x, y] in bases of the axes, so that the script finds what
 * belongs to a range of the target.
 */
#include "host/cli/plot/plot_picture.h"

#include <math.h>

/* More would make pages that no browser likes: short paths are left out, and small gaps. */
enum { MOST_PIECES = 5000 };

/* A name as JSON in a script, which "</" would end. */
static void append_name(cli_buffer *map, const char *name)
{
    cli_buffer quoted = {0};
    cli_append_string(&quoted, name);
    for (size_t i = 0; i < quoted.length; i++)
        cli_append_bytes(map, quoted.data[i] == '<' ? "\\u003c" : &quoted.data[i],
                         quoted.data[i] == '<' ? 6 : 1);
    map->failed |= quoted.failed;
    cli_buffer_release(&quoted);
}

static void append_axis(cli_buffer *map, const char *name, const cli_plot_axis *axis)
{
    cli_append_format(map, ",\n\"%s\":{\"length\":%.0f,\"list\":[", name, axis->length);
    for (size_t i = 0; i < axis->count; i++) {
        const cli_plot_span *span = &axis->spans[i];
        cli_append_text(map, i > 0 ? ",\n[" : "[");
        append_name(map, axis->list[span->sequence].name);
        cli_append_format(map, ",%.0f,%.0f,%.0f]", span->start, span->low, span->high);
    }
    cli_append_text(map, "]}");
}

void cli_map_frame(cli_buffer *map, cli_panel_kind kind, const cli_frame *frame)
{
    cli_append_format(map, "%s[%d,%.0f,%.0f,%.0f,%.0f]", map->length == 0 ? "{\"frames\":[" : ",",
                      (int)kind, frame->left, frame->top, frame->width, frame->height);
}

/* What a piece leaves out: offsets that differ less, and traces of fewer bases. */
typedef struct detail {
    double offset, bases;
} detail;

/* The end of the piece that begins with a column. */
static size_t piece_end(const cli_trace *trace, size_t from, const detail *d)
{
    const double offset = (double)trace->columns[from].first;
    size_t end = from + 1;
    if (!trace->has_path)
        return trace->count;
    for (; end < trace->count; end++) {
        const cli_trace_column *c = &trace->columns[end];
        if (c->gap || fabs((double)c->low - offset) > d->offset ||
            fabs((double)c->high - offset) > d->offset)
            break;
    }
    return end;
}

/* Appends all pieces, or with a NULL only counts them. */
static size_t append_pieces(cli_buffer *map, const cli_plot *plot, const detail *d)
{
    const cli_traces *traces = &plot->data->traces;
    size_t count = 0;
    for (size_t i = 0; i < traces->count; i++) {
        const cli_trace *trace = &traces->traces[i];
        const int64_t bases = trace->columns[trace->count - 1].last_at - trace->columns[0].first_at;
        for (size_t from = 0, end; from < trace->count && (double)bases >= d->bases; from = end) {
            end = piece_end(trace, from, d);
            count++;
            if (map == NULL)
                continue;
            const cli_trace_column *first = &trace->columns[from], *last = &trace->columns[end - 1];
            const cli_point a = cli_panel_vertex(plot, trace, first->first_at, first->first);
            const cli_point b = cli_panel_vertex(plot, trace, last->last_at, last->last);
            cli_append_format(map, "%s[%.0f,%.0f,%.0f,%.0f]", count > 1 ? ",\n" : "", a.x, a.y, b.x,
                              b.y);
        }
    }
    return count;
}

void cli_map_end(cli_buffer *map, const cli_plot *plot)
{
    /* A part of what the script shows at most, a share of 1e-4 of the picture. */
    detail d = {.offset = fmin(plot->targets.length, plot->queries.length) / 4e4};
    while (append_pieces(NULL, plot, &d) > MOST_PIECES) {
        d.offset *= 2;
        d.bases = fmax(2 * d.bases, d.offset);
    }
    cli_append_text(map, "]");
    append_axis(map, "targets", &plot->targets);
    append_axis(map, "queries", &plot->queries);
    cli_append_text(map, ",\n\"pieces\":[");
    append_pieces(map, plot, &d);
    cli_append_text(map, "]}");
}
