/* SPDX-License-Identifier: MIT */
/*
 * What `rhomb matrix` is asked for, and its parts: names of the sequences, rows of the output, the
 * file that a later run goes on from.
 */
#ifndef RHOMB_CLI_MATRIX_RUN_H
#define RHOMB_CLI_MATRIX_RUN_H

#include <rhomb/matrix.h>
#include <rhomb/verify.h>

#include "host/cli/base/sink.h"
#include "host/cli/command/options.h"
#include "host/cli/many/assembly.h"
#include "host/cli/sketch/relation.h"

enum { CLI_MATRIX_TSV, CLI_MATRIX_CSV, CLI_MATRIX_LONG, CLI_MATRIX_PHYLIP };

typedef struct cli_matrix_arguments {
    cli_operand_list files;
    const char *against; /* a file of columns, of which `files` are the rows; NULL: one set */
    const char *device;
    const char *output;
    const char *resume;
    cli_part_asked part; /* its distances go to `resume`, and to no matrix */
    const char *cache_dir;
    uint32_t open_flags;
    int32_t threads;
    int format;
    bool lower;
    bool similarity;
    bool by_file; /* an entry is a file, with all of its records */
    bool dry_run;
    const char *limit_as;         /* for a distance beyond the limit; NULL: as usual */
    bool strand_auto;             /* records may be reverse-complemented */
    const char *strands;          /* a file for the strand of each; NULL: none */
    bool sketch;                  /* look at long pairs before they are solved */
    rhomb_matrix_options options; /* points to the next members: arguments stay in place */
    rhomb_matrix_tuning tuning;
    cli_score score;
    int64_t edit_penalty; /* of an edit, where each costs the same; else 0 */
} cli_matrix_arguments;

/* Runs it. The exit status. */
int cli_matrix_run(const cli_matrix_arguments *args);

/*
 * All records of all files, in their order; or all files, whose entries in the list have no bases,
 * and the length of all records. The first ones are those of --against. All zeros: none.
 */
typedef struct cli_matrix_sequences {
    cli_operand_list inputs;   /* all files; that list is owned */
    bool *turned;              /* of each: it is the other strand of its record; NULL: none is */
    char **strands;            /* bases of those */
    int64_t columns;           /* of two sets, the first one; else 0, see rhomb_matrix_options */
    bool has_two;              /* sets */
    rhomb_sequence_set **sets; /* of each file */
    int files;                 /* that have been read */
    rhomb_matrix_sequence *list;
    char **owned; /* names that were made, by sequence; NULL where the record's is used */
    int64_t count;
    bool by_file;
    cli_assembly_reader **readers; /* by file; */
    const cli_assembly **assemblies;
} cli_matrix_sequences;

/*
 * Reads the files. A sequence has the name of its record or, if several records have it, FILE:NAME;
 * a file that of the file without its folder and extension, or else FILE. The exit status.
 */
int cli_matrix_read(rhomb_context *ctx, const cli_matrix_arguments *args,
                    cli_matrix_sequences *out);

/* As cli_fail(); where the library names a sequence with a byte that is no base, also its file.
 */
int cli_matrix_fail(const rhomb_context *ctx, rhomb_status status,
                    const cli_matrix_sequences *sequences);
void cli_matrix_sequences_release(cli_matrix_sequences *sequences);

/*
 * With --strand auto, turns the records that look reverse-complemented, see matrix_strands.c, and
 * writes the file of --strands; else says which do. The exit status.
 */
int cli_matrix_orient(const cli_matrix_arguments *args, cli_matrix_sequences *sequences);

/* All pairs; the pair after another one; the pair of a number, and the number of a pair. */
typedef struct cli_matrix_cell {
    int64_t row, column;
} cli_matrix_cell;

int64_t cli_matrix_pairs(const cli_matrix_sequences *sequences);
cli_matrix_cell cli_matrix_after(const cli_matrix_sequences *sequences, cli_matrix_cell cell);
cli_matrix_cell cli_matrix_cell_of(const cli_matrix_sequences *sequences, int64_t pair);
int64_t cli_matrix_number(const cli_matrix_sequences *sequences, cli_matrix_cell cell);

/* Of a device, whose thread alone uses it. */
typedef struct cli_matrix_looker {
    cli_kept_target kept;
    rhomb_guide_point *points;
} cli_matrix_looker;

/* Looks at long pairs, for their guides. All zeros: none. `list` and `scoring` are borrowed. */
typedef struct cli_matrix_guides {
    const rhomb_matrix_sequence *list;
    const rhomb_scoring *scoring;
    cli_matrix_looker *lookers; /* of each device */
    int32_t devices;
    int threads; /* of each */
} cli_matrix_guides;

/* Whether long pairs are looked at. */
bool cli_matrix_looks(const cli_matrix_arguments *args);
/* False if there is no memory. */
bool cli_matrix_guides_open(cli_matrix_guides *guides, const cli_matrix_arguments *args,
                            const rhomb_matrix_sequence *list, int32_t devices);
/* A rhomb_matrix_guide_fn, for a cli_matrix_guides. */
bool cli_matrix_guide(int64_t row, int64_t column, int32_t device, rhomb_guide *guide, void *user);
void cli_matrix_guides_release(cli_matrix_guides *guides);

/*
 * The distances of files for the pairs first .. end - 1, as rhomb_matrix_compute() computes those
 * of sequences: the sum over best partners, of which a record that has none has an empty one. The
 * exit status; the message of `take` is left to the caller.
 */
int cli_matrix_files_compute(const cli_matrix_arguments *args,
                             const cli_matrix_sequences *sequences, rhomb_context *ctx,
                             int64_t first, int64_t end, rhomb_matrix_fn take, void *user);
/* As rhomb_matrix_digest(). */
void cli_matrix_files_digest(const cli_matrix_arguments *args,
                             const cli_matrix_sequences *sequences, char out[33]);
/* Reads files as a whole. The exit status. */
int cli_matrix_files_read(const cli_matrix_arguments *args, cli_matrix_sequences *out);

/* Writes what the pairs first .. end - 1 would take, and runs nothing. The exit status. */
int cli_matrix_plan(const cli_matrix_arguments *args, const cli_matrix_sequences *sequences,
                    rhomb_context *ctx, int64_t first, int64_t end, const cli_output *output);

/* Writes rows as the distances come; a square when all are there. */
typedef struct cli_matrix_rows {
    const cli_matrix_arguments *args;
    const cli_matrix_sequences *sequences;
    bool is_square;
    int64_t *distances; /* of all pairs, or of one row */
    int64_t done;       /* pairs */
    cli_sink sink;
} cli_matrix_rows;

/* Begins with the header. CLI_OK or CLI_MEMORY. `args` and `sequences` are borrowed. */
int cli_matrix_rows_begin(cli_matrix_rows *rows, const cli_matrix_arguments *args,
                          const cli_matrix_sequences *sequences, FILE *stream);
/* Takes the next distances of a row; false if writing has failed. */
bool cli_matrix_rows_take(cli_matrix_rows *rows, int64_t row, int64_t column,
                          const int64_t *distances, size_t count);
/*
 * Writes what is left, or drops it if there will be no more, and releases all. Returns 0 or the
 * errno of the first failure.
 */
int cli_matrix_rows_end(cli_matrix_rows *rows, bool complete);

#endif
