/* SPDX-License-Identifier: MIT */
/* What the command line of `rhomb batch` says. */
#ifndef RHOMB_CLI_BATCH_ARGUMENTS_H
#define RHOMB_CLI_BATCH_ARGUMENTS_H

#include "host/cli/base/rows.h"
#include "host/cli/command/options.h"

typedef struct cli_batch_arguments {
    const char *path;    /* the file of pairs, or of targets */
    const char *queries; /* NULL: one file */
    const char *match;   /* how records find partners, see cli_match(); NULL: by their numbers */
    const char *device;
    const char *output;
    const char *resume; /* see batch_kept.h; NULL: nothing is kept */
    const char *cache_dir;
    uint32_t open_flags;
    int32_t threads;
    bool strand_auto; /* queries may be on either strand of their targets */
    bool keep_going;
    bool header;
    bool sketch; /* look at some pairs */
    bool flush;  /* deliver rows when the input pauses */
    int format;  /* cli_row_format */
    cli_part_asked part;
    rhomb_pairs_options pairs;
    rhomb_batch_options options;
    rhomb_batch_tuning tuning;
    cli_score score;
} cli_batch_arguments;

/* In batch_run.c: solves all pairs and prints their rows. The exit status. */
int cli_batch_run(const cli_batch_arguments *args, int argc, char **argv);

#endif
