/* SPDX-License-Identifier: MIT */
/* Tables of a report, which are lines of text or rows of HTML. */
#ifndef RHOMB_CLI_TABLE_PRINT_H
#define RHOMB_CLI_TABLE_PRINT_H

#include "host/cli/base/cli.h"

/* Where rows go. */
typedef struct cli_tables {
    cli_buffer out;
    bool html;
} cli_tables;

/* The widths in text of a name and of one cell for all other columns. */
extern const int CLI_TABLES_ONE[2];

/* A row; the spaces that a name begins with are its level. `widths` are those of printf(). */
void cli_tables_row(cli_tables *p, const char *element, const int *widths, int count,
                    const char *const *texts);

/* Begins a table: its name and those of its columns. */
void cli_tables_begin(cli_tables *p, const int *widths, int count, const char *const *texts);

/* A number; a share; and a part of a whole with its share. */
const char *cli_tables_number(int64_t number, cli_text *text);
const char *cli_tables_percent(double share, cli_text *text);
const char *cli_tables_share(int64_t part, int64_t whole, cli_text *text);

#endif
