/* SPDX-License-Identifier: MIT */
/* Tables as text and as HTML, see report_run.h. */
#include "host/cli/report/report_run.h"

const int CLI_TABLES_ONE[2] = {-34, 44};

static void put_row(cli_tables *p, const char *element, const int *widths, char *cells)
{
    cli_append_text(&p->out, p->html ? "<tr>" : "");
    for (int i = 0; cells != NULL; i++) {
        const char *cell = cells;
        cells = strchr(cells, '\t');
        if (cells != NULL)
            *cells++ = '\0';
        if (!p->html) {
            cli_append_format(&p->out, "%*s", widths[i], cell);
            continue;
        }
        const char *attributes = i > 0 && widths == CLI_TABLES_ONE ? " colspan=\"2\""
                                 : i > 0                           ? ""
                                 : cell[0] == ' '                  ? " class=\"n i\""
                                                                   : " class=\"n\"";
        cli_append_format(&p->out, "<%s%s>", element, attributes);
        cli_append_escaped(&p->out, cell + strspn(cell, " "));
    }
    cli_append_text(&p->out, p->html ? "</tr>\n" : "\n");
}

void cli_tables_row(cli_tables *p, const int *widths, const char *format, ...)
{
    char cells[512];
    va_list args;
    va_start(args, format);
    vsnprintf(cells, sizeof cells, format, args);
    va_end(args);
    put_row(p, "td", widths, cells);
}

void cli_tables_begin(cli_tables *p, const int *widths, const char *names)
{
    char cells[256];
    snprintf(cells, sizeof cells, "%s", names);
    cli_append_text(&p->out, p->html ? "</table>\n<table>\n" : "\n");
    put_row(p, "th", widths, cells);
}

double cli_tables_percent(int64_t part, int64_t whole)
{
    return whole > 0 ? cli_percent((double)part / (double)whole) : 0;
}
