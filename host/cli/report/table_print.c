/* SPDX-License-Identifier: MIT */
/* Tables as text and as HTML, see report_run.h. */
#include "host/cli/report/report_run.h"

const int CLI_TABLES_ONE[2] = {-34, 44};

void cli_tables_row(cli_tables *p, const char *element, const int *widths, int count,
                    const char *const *texts)
{
    cli_append_text(&p->out, p->html ? "<tr>" : "");
    for (int i = 0; i < count; i++) {
        if (!p->html) {
            cli_append_format(&p->out, "%*s", widths[i], texts[i]);
            continue;
        }
        const char *attributes = i > 0 && widths == CLI_TABLES_ONE ? " colspan=\"2\""
                                 : i > 0                           ? ""
                                 : texts[0][0] == ' '              ? " class=\"n i\""
                                                                   : " class=\"n\"";
        cli_append_format(&p->out, "<%s%s>", element, attributes);
        cli_append_escaped(&p->out, texts[i] + strspn(texts[i], " "));
    }
    cli_append_text(&p->out, p->html ? "</tr>\n" : "\n");
}

const char *cli_tables_number(int64_t number, cli_text *text)
{
    snprintf(text->text, sizeof text->text, "%" PRId64, number);
    return text->text;
}

const char *cli_tables_percent(double share, cli_text *text)
{
    snprintf(text->text, sizeof text->text, "%.2f %%", cli_percent(share));
    return text->text;
}

const char *cli_tables_share(int64_t part, int64_t whole, cli_text *text)
{
    snprintf(text->text, sizeof text->text, "%" PRId64 " (%.2f %%)", part,
             whole > 0 ? cli_percent((double)part / (double)whole) : 0);
    return text->text;
}

void cli_tables_begin(cli_tables *p, const int *widths, int count, const char *const *texts)
{
    cli_append_text(&p->out, p->html ? "</table>\n<table>\n" : "\n");
    cli_tables_row(p, "th", widths, count, texts);
}
