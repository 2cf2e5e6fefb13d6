/* SPDX-License-Identifier: MIT */
/*
 * The files that alignments go to: the output in its format, an index beside it where that format
 * has one, and the intervals that are aligned. All of them are complete, or not there.
 *
 * Paths come one after the other, each with its own target, query and strand; in BAM and CRAM with
 * an index in the order of the targets and of their positions, and in VCF of the targets. Functions
 * return an exit status, after a message.
 */
#ifndef RHOMB_CLI_ALIGN_FILES_H
#define RHOMB_CLI_ALIGN_FILES_H

#include "host/cli/align/align_arguments.h"
#include "host/cli/base/sink.h"
#include "host/cli/many/many.h"
#include "host/cli/writers/bam_file.h"
#include "host/cli/writers/path_rows.h"

/* Whether records of a format have all bases of the query, those without an alignment too. */
bool cli_align_has_bases(int format);

/* Gives the query of a name, for SAM: *side is valid up to the next call. The exit status. */
typedef int (*cli_align_read)(const char *name, const cli_side **side, void *user);

/* All zeros is nothing. */
typedef struct cli_align_files {
    const cli_align_arguments *args;
    cli_output output;
    cli_output index; /* if there is to be one: index_ending is not NULL */
    cli_output callable;
    const char *index_ending;
    cli_sink sink;          /* of the output; what formats other than these need is written here */
    cli_sink callable_sink; /* if it was asked for */
    cli_bam *bam;           /* of BAM and CRAM, for which the sink keeps text */
    bool is_ordered;        /* VCF: a target's records are put in order once it has them all, */
    cli_sink records;       /* and these are so far here, as text; of SAM, those that are kept */
    int64_t overlapping;    /* VCF: records where queries overlap */
    int64_t dissimilar; /* paths without similar sequence, of which --similar-only leaves nothing */
    bool was_looked_at; /* for long gaps in segments: one is said, or another file has them */
    const cli_head *head;
    size_t target;       /* SAM: its number in the head, */
    int64_t last_pair;   /* the last one that queries with a record wait for, */
    int64_t pairs;       /* and how many are complete: the caller's to say, as the following */
    cli_align_read read; /* NULL: paths have no sides */
    void *user;
    int64_t chains;       /* so far */
    const char *left_out; /* VCF: why it lacks some of the sequences; NULL: it does not */
    const char *region;   /* VCF: the name of a target that reads as one; NULL: none does */
    int64_t symbolic;     /* alleles, so far */
    int64_t events;       /* VCF: records of these, which have no bases */
} cli_align_files;

/* Opens the files, so that a bad name fails before anything else. `args` are borrowed. */
int cli_align_files_open(cli_align_files *files, const cli_align_arguments *args);

/*
 * Opens the index, and refuses what the format cannot hold whatever the paths. The head may have no
 * path yet.
 */
int cli_align_files_prepare(cli_align_files *files, const cli_head *head);

/*
 * Whether the format can hold what is known of a path: its sequences, and once it has operations
 * those as well.
 */
int cli_align_files_check(const cli_align_files *files, const cli_path *path);

/* Begins the text: the head, if the format has one. */
int cli_align_files_begin(cli_align_files *files, const cli_head *head);

/* Writes what is in the sinks, if it is much. */
int cli_align_files_spill(cli_align_files *files);

/* Writes a path. JSON has no paths here. */
int cli_align_files_add(cli_align_files *files, const cli_path *path);

/* The target that paths were of has no more. */
int cli_align_files_end_target(cli_align_files *files);

/* Writes that a query has no alignment, in the formats that have a record for that. */
int cli_align_files_add_unaligned(cli_align_files *files, const cli_side *query);

/* Adds lines of VCF, in no order, before the end of their target, if the head says has_events. */
void cli_align_files_add_lines(cli_align_files *files, const cli_buffer *lines);

/* Writes the rest; and, which does that too, puts the files in their places. */
int cli_align_files_finish(cli_align_files *files);
int cli_align_files_commit(cli_align_files *files);

/* Removes what was not committed and releases everything. */
void cli_align_files_close(cli_align_files *files);

#endif
