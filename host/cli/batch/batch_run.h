/* SPDX-License-Identifier: MIT */
/*
 * What `rhomb batch` does once its options are known.
 */
#ifndef RHOMB_CLI_BATCH_RUN_H
#define RHOMB_CLI_BATCH_RUN_H

#include "host/cli/base/options.h"
#include "host/cli/base/rows.h"

typedef struct cli_batch_arguments {
    const char *path;    /* the file of pairs, or of targets */
    const char *queries; /* NULL: one file */
    const char *match;   /* how records find partners, see cli_match(); NULL: by their numbers */
    const char *device;
    const char *output;
    const char *cache_dir;
    uint32_t open_flags;
    int32_t threads;
    bool keep_going;
    bool header;
    bool sketch; /* look at some pairs */
    bool flush;  /* deliver rows when the input pauses */
    int format;  /* cli_row_format */
    cli_part_asked part;
    rhomb_pairs_options pairs;
    rhomb_batch_options options;
    rhomb_batch_tuning tuning;
    rhomb_scoring scoring; /* of --score, where options.scoring is set */
} cli_batch_arguments;

/* Solves all pairs and prints their rows. The exit status, with any message printed. */
int cli_batch_run(const cli_batch_arguments *args);

#endif
