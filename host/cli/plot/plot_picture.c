/* SPDX-License-Identifier: MIT */
/* Puts title and panels on a page and writes it, see plot_picture.h. */
#include "host/cli/plot/plot_picture.h"

#include <math.h>
#include <rhomb/identity.h>

/*
 * Distances before scaling. A panel has its heading above, the labels of its axis below, and a
 * share of the remaining height.
 */
enum {
    WIDTH = 900,
    TITLE = 46,
    TITLE_LINE = 18, /* a second one */
    HEADING = 24,
    LABELS = 20,
    AXIS_TITLE = 16,
    LEFT = 78,
    LEFT_NAMES = 130, /* if names of queries stand there; more, up to a quarter, for long ones */
    RIGHT = 22,
    BOTTOM = 6
};

static const double SHARES[CLI_PANELS] = {
    [CLI_PANEL_PATH] = 430,
    [CLI_PANEL_OFFSET] = 165,
    [CLI_PANEL_IDENTITY] = 165,
    [CLI_PANEL_SIZES] = 165,
};

/* Whether a panel has an axis title: the last one along the target, and the sizes. */
static bool has_title(const cli_picture *picture, size_t panel)
{
    if (picture->panels[panel] == CLI_PANEL_SIZES)
        return true;
    for (size_t i = panel + 1; i < picture->panel_count; i++) {
        if (picture->panels[i] != CLI_PANEL_SIZES)
            return false;
    }
    return true;
}

/* The height outside the frames. */
static double height_beside(const cli_picture *picture)
{
    double height = TITLE + BOTTOM;
    for (size_t i = 0; i < picture->panel_count; i++)
        height += HEADING + LABELS + (has_title(picture, i) ? AXIS_TITLE : 0);
    return height;
}

/* What a picture shows, and how it is divided. */
typedef struct page {
    const cli_picture *picture;
    cli_plot plot;
    char titles[2][600]; /* lines; the second may be empty */
    double path;         /* the share of the path in the height */
    double room;         /* the room of turned names, beyond that of other labels */
} page;

static double share_of(const page *p, cli_panel_kind kind)
{
    return kind == CLI_PANEL_PATH ? p->path : SHARES[kind];
}

static double height_of_frames(const page *p)
{
    double height = 0;
    for (size_t i = 0; i < p->picture->panel_count; i++)
        height += share_of(p, p->picture->panels[i]);
    return height;
}

/* Text is at most a quarter smaller than the width asks for. */
static const double LEAST_SCALE = 0.75;

double cli_picture_least_height(const cli_picture *picture)
{
    return ceil(LEAST_SCALE * height_beside(picture) + 24.0 * (double)picture->panel_count);
}

/* "chr1 (248.4 Mb)", "chr1:1,001-2,000 (1 kb of 248.4 Mb)", "3 targets (1.2 Gb)". */
static void describe(const cli_plot_axis *axis, const char *what, char *text, size_t size)
{
    cli_text bases, shown, begin, end;
    double total = 0;
    for (size_t i = 0; i < axis->count; i++)
        total += (double)axis->list[i].length;
    cli_show_bases(total, &bases);
    const cli_plot_span *span = &axis->spans[0];
    if (axis->count != 1)
        snprintf(text, size, "%zu %s (%s)", axis->count, what, bases.text);
    else if (span->begin <= 0 && (double)span->end >= total)
        snprintf(text, size, "%.150s (%s)", axis->list[0].name, bases.text);
    else
        snprintf(text, size, "%.150s:%s-%s (%s of %s)", axis->list[0].name,
                 cli_show_count(span->begin + 1, &begin), cli_show_count(span->end, &end),
                 cli_show_bases((double)(span->end - span->begin), &shown), bases.text);
}

static double percent_of(int64_t matches, int64_t columns)
{
    return cli_percent(rhomb_identity(matches, columns));
}

/* "1,473 edits, identity 91.30 %, 1 row": as much of it as is known. */
static void summarise(const cli_plot_data *data, char *text, size_t size)
{
    const cli_plot_totals *t = &data->totals;
    const bool is_range =
        cli_plot_is_part(&data->view.target) || cli_plot_is_part(&data->view.query);
    cli_text count;
    text[0] = '\0';
    if (t->with_path > 0 && t->either == 0) {
        int64_t edits = t->mismatches;
        cli_plot_sum(&edits, t->inserted);
        cli_plot_sum(&edits, t->deleted);
        int64_t columns = edits;
        cli_plot_sum(&columns, t->matches);
        snprintf(text, size, "%s edit%s, identity %.2f %%, ", cli_show_count(edits, &count),
                 cli_s(edits), percent_of(t->matches, columns));
    } else if (t->with_path > 0 && !is_range) {
        snprintf(text, size, "identity %.2f %% by columns 10 and 11, ",
                 percent_of(t->said_matches, t->said_bases));
    }
    snprintf(text + strlen(text), size - strlen(text), "%s record%s",
             cli_show_count(t->rows, &count), cli_s(t->rows));
    if (t->with_path < t->rows)
        snprintf(text + strlen(text), size - strlen(text), ", %s without a path",
                 cli_show_count(t->rows - t->with_path, &count));
}

/* Says what a number like 53 % may hide. */
static bool add_others(const cli_plot_data *data, char *text, size_t size)
{
    cli_plot_pairs pairs;
    cli_text some, all;
    if (!cli_plot_count_pairs(data, &pairs))
        return false;
    if (pairs.other > 0 && pairs.known == 1)
        snprintf(text + strlen(text), size - strlen(text), ", not similar");
    else if (pairs.other > 0)
        snprintf(text + strlen(text), size - strlen(text), ", %s of %s pairs not similar",
                 cli_show_count(pairs.other, &some), cli_show_count(pairs.known, &all));
    return true;
}

static bool title_fits(const cli_canvas *canvas, const char *text)
{
    return cli_canvas_text_width(canvas, 14, strlen(text)) <= canvas->width - 20 * canvas->scale;
}

/* Splits a title that is too long at its last space that leaves a line. */
static void split_title(const cli_canvas *canvas, const char *title, page *p)
{
    size_t end = strlen(title);
    char *line = p->titles[0];
    snprintf(line, sizeof p->titles[0], "%s", title);
    while (end > 0 && !title_fits(canvas, line)) {
        do
            end--;
        while (end > 0 && title[end] != ' ');
        snprintf(line, sizeof p->titles[0], "%.*s", (int)end, title);
    }
    if (end == 0) /* no space */
        snprintf(line, sizeof p->titles[0], "%s", title);
    else if (title[end] != '\0')
        snprintf(p->titles[1], sizeof p->titles[1], "%s", title + end + 1);
}

/* One line if all fits into it or if there is no room for two: else target over query. */
static void make_titles(const cli_canvas *canvas, bool has_room, page *p)
{
    const char *title = p->picture->title;
    char target[256], query[256], text[600];
    describe(&p->plot.targets, "targets", target, sizeof target);
    describe(&p->plot.queries, "queries", query, sizeof query);
    snprintf(text, sizeof text, "%s \xc3\x97 %s", target, query);
    p->titles[1][0] = '\0';
    if (!has_room || title_fits(canvas, title != NULL ? title : text)) {
        snprintf(p->titles[0], sizeof p->titles[0], "%s", title != NULL ? title : text);
    } else if (title != NULL) {
        split_title(canvas, title, p);
    } else {
        snprintf(p->titles[0], sizeof p->titles[0], "%s", target);
        snprintf(p->titles[1], sizeof p->titles[1], "\xc3\x97 %s", query);
    }
}

/* The height of the second line. */
static double more_title(const page *p)
{
    return p->titles[1][0] != '\0' ? TITLE_LINE : 0;
}

static bool draw_title(const page *p)
{
    const cli_canvas *canvas = p->plot.canvas;
    char text[600];
    const double room = canvas->width - 20 * canvas->scale, more = more_title(p);
    cli_point at = {canvas->width / 2, 20 * canvas->scale};
    cli_canvas_colour(canvas, CLI_BLACK);
    cli_canvas_bold(canvas, true);
    cli_canvas_text(canvas, at, 14, CLI_MIDDLE, room, p->titles[0]);
    at.y += TITLE_LINE * canvas->scale;
    if (more > 0)
        cli_canvas_text(canvas, at, 14, CLI_MIDDLE, room, p->titles[1]);
    cli_canvas_bold(canvas, false);
    summarise(p->plot.data, text, sizeof text);
    if (!add_others(p->plot.data, text, sizeof text))
        return false;
    at.y += more * canvas->scale;
    cli_canvas_text(canvas, at, CLI_FONT_SIZE + 1, CLI_MIDDLE, room, text);
    return true;
}

/* What is drawn, for cli_picture_save(). */
typedef struct subject {
    const cli_picture *picture;
    const cli_plot_data *data;
    cli_buffer *map; /* of HTML; else NULL */
    double path;     /* the share of the path in the height */
} subject;

/* Chooses which sequences of several have their names, once the frames' sizes are known. */
static void place_names(cli_plot *plot, const cli_frame *path, bool has_path)
{
    const double line = 12 * plot->canvas->scale;
    plot->named_targets =
        cli_plot_place_names(&plot->targets, path->left, path->left + path->width, line);
    if (has_path)
        plot->named_queries =
            cli_plot_place_names(&plot->queries, path->top + path->height, path->top, line);
}

/* The left edge of frames where names of queries stand there. */
static double left_of_names(const cli_plot *plot)
{
    const double scale = plot->canvas->scale, usual = LEFT_NAMES * scale;
    size_t longest = 0;
    for (size_t i = 0; i < plot->queries.count; i++) {
        const size_t length = strlen(plot->queries.list[plot->queries.spans[i].sequence].name);
        longest = length > longest ? length : longest;
    }
    const double names = cli_canvas_text_width(plot->canvas, CLI_FONT_SIZE, longest) + 31 * scale;
    return fmax(fmin(names, plot->canvas->width / 4), usual);
}

/* The left edge of frames, if that of the path is so high. */
static double left_edge(const cli_plot *plot, double height)
{
    const double scale = plot->canvas->scale;
    if (plot->queries.count > 1)
        return left_of_names(plot);
    const double labels = cli_canvas_text_width(plot->canvas, CLI_FONT_SIZE,
                                                cli_panel_label_characters(plot, height));
    return fmax(LEFT * scale, labels + 22 * scale);
}

static double frame_width(const cli_canvas *canvas, double left)
{
    return floor(canvas->width - left - RIGHT * canvas->scale);
}

/* Turned names need room, and are left out where there is none. Returns the height of frames. */
static double leave_room(page *p, double frames, double width)
{
    const double scale = p->plot.canvas->scale;
    p->plot.turned = cli_panel_turned_names(&p->plot, width);
    if (frames - p->plot.turned < 40 * scale * (double)p->picture->panel_count)
        p->plot.turned = fmin(p->plot.turned, -1);
    p->room = fmax(p->plot.turned - LABELS * scale, 0);
    return frames - p->room;
}

static bool draw_panels(page *p, cli_buffer *map)
{
    const cli_picture *picture = p->picture;
    cli_plot *plot = &p->plot;
    const cli_canvas *canvas = plot->canvas;
    const double scale = canvas->scale, shares = height_of_frames(p);
    double frames = canvas->height - scale * (height_beside(picture) + more_title(p));
    const double left = left_edge(plot, frames * p->path / shares);
    const double width = frame_width(canvas, left);
    double top = (TITLE + more_title(p)) * scale;
    frames = leave_room(p, frames, width);
    for (size_t i = 0; i < picture->panel_count; i++) {
        const cli_panel_kind kind = picture->panels[i];
        const double height = frames * share_of(p, kind) / shares;
        top += HEADING * scale;
        /* Whole pixels keep edges and grids sharp. */
        const cli_frame frame = {
            .left = floor(left), .top = floor(top), .width = width, .height = floor(height)};
        place_names(plot, &frame, kind == CLI_PANEL_PATH);
        if (map != NULL)
            cli_map_frame(map, kind, &frame);
        if (!cli_panel_draw(plot, kind, &frame, has_title(picture, i)))
            return false;
        if (kind != CLI_PANEL_SIZES && has_title(picture, i))
            top += p->room;
        top += height + (LABELS + (has_title(picture, i) ? AXIS_TITLE : 0)) * scale;
    }
    return true;
}

static bool init_page(const subject *s, const cli_canvas *canvas, page *p)
{
    *p = (page){.picture = s->picture,
                .plot = {.canvas = canvas, .data = s->data, .colour_by = s->picture->colour_by},
                .path = s->path};
    if (!cli_plot_layout(s->data, &p->plot.targets, &p->plot.queries))
        return false;
    p->plot.unit = cli_plot_unit(&p->plot.targets, &p->plot.queries);
    p->plot.window = cli_plot_window_bases(s->data, &p->plot.targets);
    return true;
}

static void free_page(page *p)
{
    cli_plot_axis_free(&p->plot.targets);
    cli_plot_axis_free(&p->plot.queries);
}

static bool draw_page(page *p, cli_canvas *canvas, cli_buffer *map)
{
    const double beside = height_beside(p->picture), natural = beside + height_of_frames(p);
    const double scale = fmin(canvas->width / WIDTH, canvas->height / natural);
    canvas->scale = fmax(scale, LEAST_SCALE);
    const double rest = canvas->height / canvas->scale - beside - TITLE_LINE;
    make_titles(canvas, rest >= 40 * (double)p->picture->panel_count, p);
    if (!draw_title(p) || !draw_panels(p, map))
        return false;
    if (map != NULL)
        cli_map_end(map, &p->plot);
    return true;
}

static bool draw(cli_canvas *canvas, void *user)
{
    const subject *s = user;
    page p;
    const bool drawn = init_page(s, canvas, &p) && draw_page(&p, canvas, s->map);
    free_page(&p);
    return drawn;
}

/* Axes that differ less have the same scale: wider frames, or higher ones, show no more. */
static const double ALIKE = 1.25;

/*
 * The height of a picture that is as wide as usual, and the share of the path in it: square where
 * the axes are alike. False if memory is short.
 */
static bool choose_height(subject *s, double *height)
{
    const cli_canvas canvas = {.scale = 1, .width = WIDTH};
    page p;
    bool done = init_page(s, &canvas, &p);
    if (done) {
        const double ratio = p.plot.queries.length / p.plot.targets.length;
        double width = frame_width(&canvas, left_edge(&p.plot, p.path));
        /* Labels may be wider in a higher frame. */
        for (int i = 0; i < 2 && ratio <= ALIKE && ratio >= 1 / ALIKE; i++) {
            p.path = width * ratio;
            width = frame_width(&canvas, left_edge(&p.plot, p.path));
        }
        make_titles(&canvas, true, &p);
        leave_room(&p, height_of_frames(&p), width);
        s->path = p.path;
        *height = ceil(height_beside(p.picture) + height_of_frames(&p) + more_title(&p) + p.room);
    }
    free_page(&p);
    return done;
}

static int write_html(const subject *s, const cli_picture_drawing *drawing, cli_output *output)
{
    cli_buffer svg = {0};
    int status = cli_picture_svg(s->picture, drawing, &svg);
    if (status == CLI_OK)
        status = cli_html_write(s->picture, s->data, &svg, s->map, output);
    cli_buffer_release(&svg);
    return status;
}

int cli_picture_write(const cli_picture *picture, const cli_plot_data *data, cli_output *output)
{
    cli_buffer map = {0};
    subject s = {picture, data, picture->format == CLI_HTML ? &map : NULL, SHARES[CLI_PANEL_PATH]};
    double height = picture->height;
    if (height == 0 && !choose_height(&s, &height))
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    const double width = picture->width > 0 ? picture->width : WIDTH;
    const cli_picture_drawing drawn = {width, height, draw, &s};
    const int status = picture->format == CLI_HTML ? write_html(&s, &drawn, output)
                                                   : cli_picture_save(picture, &drawn, output);
    cli_buffer_release(&map);
    return status;
}
