/* SPDX-License-Identifier: MIT */
/*
 * How `rhomb distance` prints a result or a plan: a TSV line, text, or JSON; and what `rhomb align`
 * reports of its run. A failed write is noticed when the output is committed.
 */
#ifndef RHOMB_CLI_REPORT_H
#define RHOMB_CLI_REPORT_H

#include <time.h>

#include "host/cli/base/cli.h"
#include "host/cli/base/schema.h"
#include <rhomb/align.h>
#include <rhomb/local.h>
#include <rhomb/plan.h>
#include <rhomb/scoring.h>

/* What the program knows of a run beyond the library's report. Everything is borrowed. */
typedef struct cli_run {
    int argc;
    char **argv; /* from the command's name on */
    time_t start;
    double start_seconds; /* by cli_seconds_now() */
    double read_seconds;  /* from the start of the first file to the end of the last */
    double open_seconds;  /* finding and opening the device */
    bool read_while_open; /* the two overlap */
    const rhomb_device_info *device;
    const rhomb_context *ctx;     /* whose devices share a run */
    const rhomb_sequence *target; /* NULL, as the query, where there are many pairs */
    const rhomb_sequence *query;
    const char *target_name;
    const char *query_name;
    bool reverse;                    /* the strand is the other one */
    int64_t rotation;                /* bases of the strand that come last instead of first */
    bool shows_strand;               /* TSV has columns for both */
    const char *score;               /* the scoring as given; NULL: unit costs */
    const rhomb_scoring *scoring;    /* the same; NULL: unit costs */
    rhomb_alphabet alphabet;         /* what matches what */
    bool has_checkpoint;             /* reports say so */
    bool with_path;                  /* the run computes, or plans, the path besides the distance */
    rhomb_mode mode;                 /* of the alignment */
    const rhomb_local_report *local; /* with a mode other than GLOBAL; else NULL */
} cli_run;

/*
 * One line: target, its length, query, its length, distance, similarity, with `shows_strand` strand
 * and rotation, then engine, device, seconds. With a match score, the score comes after the
 * distance. A distance that was proved to exceed the limit K is ">K", its similarity "<S". What is
 * not known is "*". `seconds` are what it took. The first function writes a `#` line of these
 * names; the last one a line for a record without a partner.
 */
void cli_report_tsv_head(cli_buffer *out, const cli_run *run);
void cli_report_tsv(cli_buffer *out, const cli_run *run, const rhomb_report *report,
                    double seconds);
void cli_report_tsv_left(cli_buffer *out, const cli_run *run, bool is_target, const char *name,
                         int64_t length);
/* The full report with its provenance. False, with a message, if there is no memory for it. */
bool cli_report_json(FILE *stream, const cli_run *run, const rhomb_report *report);

/*
 * Where time and memory went, as messages for -v; of an alignment also its path. The second
 * function, in report_json.c, has those of the fields of the full report.
 */
void cli_report_details(const cli_run *run, const rhomb_report *report,
                        const rhomb_align_report *path);
void cli_report_fields(const cli_run *run, const rhomb_report *report,
                       const rhomb_align_report *path);

/* The same for an alignment. The text, for cJSON_free(), has no line end and may be NULL. */
bool cli_align_json(FILE *stream, const cli_run *run, const rhomb_align_report *report);
char *cli_align_json_text(const cli_run *run, const rhomb_align_report *report);

/* The beginning of a report of many pairs: device and scoring. As cli_align_json_text(). */
char *cli_many_json_text(const cli_run *run, const char *schema);
void cli_many_json_describe(cli_schema *schema);

/* Append a pair to a report of many distances, or a record without a partner. */
void cli_report_json_row(cli_buffer *out, const cli_run *run, const rhomb_report *report);
void cli_report_json_left(cli_buffer *out, bool is_target, const char *name, int64_t length);

/* The plan of --dry-run. With a path, times and memory are those of both. */
void cli_plan_text(FILE *stream, const cli_run *run, const rhomb_plan *plan);
bool cli_plan_json(FILE *stream, const cli_run *run, const rhomb_plan *plan);

/* The same of an alignment that is not end to end. */
void cli_mode_plan_text(FILE *stream, const cli_run *run, const rhomb_mode_plan *plan);
bool cli_mode_plan_json(FILE *stream, const cli_run *run, const rhomb_mode_plan *plan);

/* Similarities for which a plan estimates seconds, and the distances that they imply. */
typedef struct cli_estimate {
    double similarity; /* -1 for the worst case */
    int64_t distance;
    double seconds;
} cli_estimate;

enum { CLI_ESTIMATES = 5 };

/*
 * The most memory that a path takes. On the host, per edit: two operations of 8 bytes, half as much
 * again while the path grows, and 200 bytes for each subproblem of 64 edits or more. On the device,
 * beyond the distance's: the bound on SPLIT_BYTES (host/divide/align_rounds.c) and LEAF_*
 * (host/divide/align_base_cases.c), which are used one after the other, and half of what the
 * sequences take, which are packed in another way after a sweep: 20 to 50 Mbp pairs have taken 64
 * to 79 MiB (align_synthetic.csv).
 */
enum { CLI_PATH_BYTES_AN_EDIT = 28, CLI_PATH_DEVICE_BYTES = 64 << 20 };

/* The expected time for a distance; with a path, of both. */
double cli_plan_seconds(const cli_run *run, const rhomb_plan *plan, int64_t distance);

/* What --dry-run says where a plan has must_build. */
#define CLI_MUST_BUILD "not in the program cache: a run builds them first, in some seconds"

/* The host's bytes for the largest distance of a plan. */
int64_t cli_path_bytes(const rhomb_plan *plan);

/* The device's bytes, whatever the distance. */
int64_t cli_path_device_bytes(const rhomb_plan *plan);

/* The estimates that lie between the plan's bounds; the worst case is the last one. */
size_t cli_plan_estimates(const cli_run *run, const rhomb_plan *plan,
                          cli_estimate estimates[CLI_ESTIMATES]);

#endif
