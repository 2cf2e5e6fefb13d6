/* SPDX-License-Identifier: MIT */
/*
 * A page of HTML that needs nothing else: what the caller has to add, the picture as SVG, a script
 * with which one zooms into it (plot_script.js), the pairs as a table, version and command.
 */
#include "host/cli/plot/plot_picture.h"

#include <rhomb/rhomb.h>

/* Of pairs; more would make pages that no browser likes. */
enum { MOST_PAIRS = 2000 };

void cli_html_begin(cli_buffer *html, const char *title)
{
    cli_append_text(
        html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    cli_append_escaped(html, title);
    cli_append_text(
        html,
        "</title>\n<style>\n"
        "body{font-family:sans-serif;margin:1em auto;max-width:1200px;padding:0 1em}\n"
        "#view{border:1px solid #ccc;touch-action:none;cursor:grab}\n"
        "#view svg{display:block;width:100%;height:auto}\n"
        "#view path{vector-effect:non-scaling-stroke}\n"
        "#rule text{font-family:sans-serif;fill:#06c;paint-order:stroke;stroke:#fff}\n"
        "table{border-collapse:collapse;margin:1em 0}td,th{padding:.1em .8em;text-align:right}\n"
        "tr:nth-child(even){background:#f4f4f4}.n{text-align:left}\n"
        ".i{padding-left:2em}.r{columns:36em}.r table{break-inside:avoid;margin:0 0 1em}\n"
        ".r td,.r th{white-space:nowrap;padding:.1em .5em}.r .i{padding-left:1.7em}\n"
        "#at{min-height:1.3em;font-family:monospace}\n"
        "</style>\n</head>\n<body>\n<h1>");
    cli_append_escaped(html, title);
    cli_append_text(html, "</h1>\n");
}

static void append_head(cli_buffer *html, const cli_picture *picture, const cli_plot_data *data)
{
    cli_html_begin(html, picture->title != NULL ? picture->title : cli_input_name(data->path));
    if (picture->above != NULL)
        cli_append_bytes(html, picture->above->data, picture->above->length);
    cli_append_text(html, "<p><button id=\"in\">+</button> <button id=\"out\">-</button> "
                          "<button id=\"all\">all</button> wheel, drag, keys + - 0 and arrows; "
                          "#target:from-to after the address goes there</p>\n"
                          "<div id=\"at\">&nbsp;</div>\n<div id=\"view\" tabindex=\"0\">\n");
}

static bool append_pairs(cli_buffer *html, const cli_plot_data *data)
{
    cli_append_text(html, "<table id=\"pairs\">\n<tr><th class=\"n\">target<th>bases"
                          "<th class=\"n\">query<th>bases<th>columns<th>of gaps<th>identity<th>"
                          "</tr>\n");
    const int64_t count = cli_plot_pair_rows(data, MOST_PAIRS, html);
    cli_append_text(html, "</table>\n");
    if (count > MOST_PAIRS)
        cli_append_format(html, "<p>The first %d of %lld pairs.</p>\n", MOST_PAIRS,
                          (long long)count);
    return count >= 0;
}

static void append_script(cli_buffer *html, const cli_buffer *map)
{
    cli_append_text(html, "<script type=\"application/json\" id=\"map\">\n");
    cli_append_bytes(html, map->data, map->length);
    cli_append_text(html, "\n</script>\n<script>\n");
    cli_append_text(html, cli_html_script);
    cli_append_text(html, "</script>\n");
}

void cli_html_svg(cli_buffer *html, const cli_buffer *svg)
{
    static const char DECLARATION[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    const size_t skipped = strlen(DECLARATION);
    if (svg->length > skipped)
        cli_append_bytes(html, svg->data + skipped, svg->length - skipped);
}

void cli_html_command(cli_buffer *html, const cli_picture *picture)
{
    cli_append_format(html, "<p>Made by rhomb %s: <code>rhomb", rhomb_version());
    for (int i = 0; i < picture->argc; i++) {
        cli_append_text(html, " ");
        cli_append_escaped(html, picture->argv[i]);
    }
    cli_append_text(html, "</code></p>\n");
}

int cli_html_write(const cli_picture *picture, const cli_plot_data *data, const cli_buffer *svg,
                   const cli_buffer *map, cli_output *output)
{
    cli_buffer html = {0};
    append_head(&html, picture, data);
    cli_html_svg(&html, svg);
    cli_append_text(&html, "</div>\n");
    bool complete = append_pairs(&html, data);
    cli_html_command(&html, picture);
    append_script(&html, map);
    cli_append_text(&html, "</body>\n</html>\n");
    complete = complete && !html.failed && !map->failed;
    const int status = complete ? cli_output_write(output, html.data, html.length)
                                : cli_fail(NULL, RHOMB_ERR_MEMORY);
    cli_buffer_release(&html);
    return status;
}
