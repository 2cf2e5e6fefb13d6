/* SPDX-License-Identifier: MIT */
/*
 * The options of all commands on one pair of sequences: which records, which device, how to
 * compute. A command adds lists of its own.
 */
#ifndef RHOMB_CLI_PAIR_OPTIONS_H
#define RHOMB_CLI_PAIR_OPTIONS_H

#include "host/cli/command/options.h"

/* Which strand of the query is meant. CLI_STRAND_NONE: the option was not given, so + is. */
typedef enum cli_strand {
    CLI_STRAND_NONE,
    CLI_STRAND_FORWARD,
    CLI_STRAND_REVERSE,
    CLI_STRAND_AUTO
} cli_strand;

enum { CLI_ROTATE_NONE = -1, CLI_ROTATE_AUTO = -2 };

/* The first member of a command's arguments. */
typedef struct cli_pair_arguments {
    const char *target_path;
    const char *query_path;
    const char *target_region;
    const char *query_region;
    const char *device;
    const char *output;
    const char *cache_dir;
    uint32_t open_flags;
    int32_t threads;
    bool dry_run;
    bool sketch;           /* look at the pair before the work */
    int strand;            /* cli_strand */
    bool parts;            /* parts of both are aligned, and not both from end to end */
    bool as_given;         /* of --haplotype: strand, rotation, regions and blocks are no options */
    bool blocks;           /* align collinear blocks: the look finds all, on the forward strand */
    bool cut;              /* and cuts them: see relation.h; with `match` */
    const char *match;     /* how records find partners, see cli_match(); NULL: there is one pair */
    const char *resume;    /* the file that a later run goes on with; NULL without */
    bool resume_beside;    /* it is OUTPUT.resume */
    cli_part_asked part;   /* of the pairs that `match` finds */
    int32_t at_a_time;     /* pairs or blocks on a device; 0: as it suits */
    int64_t rotation;      /* of the query; or CLI_ROTATE_NONE, CLI_ROTATE_AUTO */
    rhomb_options options; /* points to the next members: arguments stay in place */
    rhomb_tuning tuning;
    const char *tune; /* as given; NULL: none */
    cli_score score;
} cli_pair_arguments;

#define CLI_PAIR_ARGUMENTS_INIT                                                     \
    {                                                                               \
        .sketch = true, .rotation = CLI_ROTATE_NONE, .options = RHOMB_OPTIONS_INIT, \
        .tuning = RHOMB_TUNING_INIT                                                 \
    }

/* Lists of a group each. */
extern const cli_option cli_pair_input_options[];
extern const cli_option cli_pair_match_options[];
extern const cli_option cli_pair_device_options[];
extern const cli_option cli_pair_long_options[];
extern const cli_option cli_pair_expert_options[];

/* What goes with what of these. */
extern const cli_rule cli_pair_rules[];

/* TARGET and QUERY, both needed. */
#define CLI_PAIR_OPERANDS                                               \
    .operands = {{"TARGET", offsetof(cli_pair_arguments, target_path)}, \
                 {"QUERY", offsetof(cli_pair_arguments, query_path)}},  \
    .least_operands = 2

/* Whether the outputs have columns for strand and rotation. */
bool cli_pair_shows_strand(const cli_pair_arguments *args);

/*
 * Once options are read: gives the library its scoring, and refuses what this build cannot do. The
 * exit status, with the message printed.
 */
int cli_pair_settle(const cli_command *command, cli_pair_arguments *args);

/* A command's `files`: what --resume writes beside what options name. */
void cli_pair_list_files(const void *arguments, cli_files *files);

/* The row of --dry-run. */
#define CLI_PAIR_ROW_DRY_RUN                                                                      \
    CLI_SWITCH("dry-run", offsetof(cli_pair_arguments, dry_run), true,                            \
               "print the plan (engine, memory, time); run nothing\nIt goes to standard output, " \
               "and no file is written; of many pairs or blocks, it is that of each and the sum")

#endif
