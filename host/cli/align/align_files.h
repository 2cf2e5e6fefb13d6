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
#include "host/cli/pair/pair_run.h"
#include "host/cli/pair/report.h"
#include "host/cli/report/report_run.h"
#include "host/cli/writers/align_formats.h"
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

/* The JSON of `rhomb align`: its documents, `rhomb help schema`, with operations. */

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

/*
 * The alignments of a run with --blocks as records of PAF, in a file beside the output, for what is
 * known only once there are all of them: what was rearranged. They are compared as by `rhomb
 * report`; --rearrangements has the events, and VCF is written then, with records of these among
 * those of the paths.
 */

/* All zeros is nothing. */
typedef struct cli_kept_records {
    const cli_align_arguments *args;
    cli_align_arguments paf; /* the same, for the file of records */
    cli_align_files files;
    cli_output rearrangements;
    cli_report report; /* unless the caller has one */
} cli_kept_records;

/* Whether records are kept; and whether the output is written of them, when there are all. */
bool cli_records_are_kept(const cli_align_arguments *args);
bool cli_records_come_first(const cli_align_arguments *args);

/*
 * Opens the files: beside the output, which is open, or where temporary files are, or under the
 * name that the arguments have. The exit status, as below.
 */
int cli_kept_records_open(cli_kept_records *kept, const cli_align_arguments *args,
                          const cli_output *output);

/* All paths are in `files`: its temporary file can be read. */
int cli_kept_records_finish(cli_kept_records *kept);

/*
 * Compares, when all paths are in `files`, and writes what is asked for: VCF to `output`, which has
 * not begun. `only` names the sequences that were aligned, or is NULL, NULL for all.
 */
int cli_kept_records_use(cli_kept_records *kept, const char *const only[2], const cli_head *head,
                         cli_align_files *output);

/* Puts the list of events in its place. */
int cli_kept_records_commit(cli_kept_records *kept);

void cli_kept_records_close(cli_kept_records *kept);

/*
 * --haplotype: both haplotypes of a sample are aligned to the target, one after the other. Their
 * records are kept, and VCF is written of both, see vcf_rows.h.
 */

/* All zeros is nothing. */
typedef struct cli_diploid {
    cli_align_arguments args[2];
    cli_kept_records kept[2];
    cli_align_files files; /* the output, between both */
    const char *left_out;  /* of the first one, as heads have it */
    char *sample;
    int done; /* haplotypes so far */
} cli_diploid;

/* The exit status. */
int cli_diploid_run(const cli_align_arguments *args, int argc, char **argv);

/*
 * When all paths of a haplotype are in its records: takes the output, and gives it back, written,
 * to the second one. The exit status.
 */
int cli_diploid_take(cli_diploid *diploid, const cli_head *head, cli_align_files *output);

/*
 * A block that was cut (sketch/relation.h), put together again from the results of its segments,
 * which come one after the other.
 */

/* All zeros is none. */
typedef struct cli_joined {
    cli_buffer ops; /* rhomb_path_op each: of the segments so far, and how many there are */
    int64_t segments;
    cli_block block; /* which has these */
    char *oriented;  /* the query's bases on their strand */
} cli_joined;

/*
 * Adds a segment. After the last one *whole is the block as a part, but for its path, which is in
 * `ops`; then it is to be emptied. The exit status.
 */
int cli_joined_add(cli_joined *joined, const cli_part *part, cli_part *whole);

void cli_joined_empty(cli_joined *joined);
void cli_joined_release(cli_joined *joined);

/*
 * The queries whose bases SAM needs when all of their records are known: that of the present pair,
 * or one that is read again.
 */

typedef struct cli_queries {
    const cli_assemblies *from;
    const cli_side *present; /* of the pair that is delivered, or NULL */
    cli_side again;
    rhomb_sequence *owned; /* has its bases; NULL: its assembly has them */
    cli_named *names;      /* of all queries, once one was asked for */
} cli_queries;

/* A cli_align_read: `queries` is a cli_queries. */
int cli_queries_read(const char *name, const cli_side **side, void *queries);

void cli_queries_release(cli_queries *queries);

#endif
