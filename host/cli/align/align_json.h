/* SPDX-License-Identifier: MIT */
/* The JSON of `rhomb align`: its documents, `rhomb help schema`, with operations. */
#ifndef RHOMB_CLI_ALIGN_JSON_H
#define RHOMB_CLI_ALIGN_JSON_H

#include "host/cli/base/sink.h"
#include "host/cli/many/many.h"
#include "host/cli/pair/report.h"
#include "host/cli/writers/path_rows.h"

/*
 * Writes the report of one pair, whose operations are not held as JSON: they are the last member.
 * `path` NULL: there is none.
 */
void cli_write_align_json(cli_sink *sink, const cli_run *run, const rhomb_align_report *report,
                          const cli_path *path);

/* The same of many alignments: what comes before them, each, and what comes after them. */
void cli_write_alignments_begin(cli_sink *sink, const cli_run *run);
void cli_write_alignment(cli_sink *sink, const cli_path *path, const cli_part *part, bool is_first);
void cli_write_alignments_end(cli_sink *sink, cli_many *many);

#endif
