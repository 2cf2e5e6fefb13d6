/* SPDX-License-Identifier: MIT */
/*
 * `--audit`: what the alignments that rows bring cost, beside the least cost of the same ranges. A
 * cost is the penalty or, with a match score, less the score: so what is lost is never negative.
 */
#ifndef RHOMB_CLI_AUDIT_H
#define RHOMB_CLI_AUDIT_H

#include "host/cli/align/range_rows.h"
#include "host/cli/base/sink.h"
#include "host/cli/writers/path_rows.h"

/* Rows that lost most, which the summary names. */
enum { CLI_AUDIT_WORST = 10 };

typedef struct cli_audit_worst {
    int64_t line, lost;
    int64_t given, least; /* costs */
} cli_audit_worst;

/* All zeros is none. */
typedef struct cli_audit {
    cli_output output;
    cli_sink sink;
    int64_t given;   /* rows with an alignment */
    int64_t optimal; /* of these */
    int64_t bases;   /* of the targets of these */
    cli_buffer lost; /* an int64_t of each of these */
    int64_t lost_sum;
    int64_t ambiguous; /* of these, with other bases than A, C, G, T and U */
    int64_t apart;     /* of those, by args->ambiguous */
    cli_audit_worst worst[CLI_AUDIT_WORST];
    int32_t worst_count;
} cli_audit;

/* Which quantiles summaries have. */
enum { CLI_AUDIT_QUANTILES = 4 };
extern const int64_t CLI_AUDIT_PERCENT[CLI_AUDIT_QUANTILES];

/* What so many percent of the rows lost at most, after cli_audit_end(), if there are any. */
int64_t cli_audit_quantile(const cli_audit *audit, int64_t percent);

/* What 1,000 bases of the target lost, 0 if there are none. */
double cli_audit_per_kb(const cli_audit *audit);

/* Opens the file. The exit status, as below. */
int cli_audit_open(cli_audit *audit, const char *name);

/* Writes the line of a row; `path` has the best alignment, NULL: there is none, for `why`. */
int cli_audit_add(cli_audit *audit, const cli_range_row *row, const cli_path *path,
                  const char *why);

/* Puts the file in its place, and says what it comes to. */
int cli_audit_end(cli_audit *audit, const cli_align_arguments *args);

void cli_audit_close(cli_audit *audit);

#endif
