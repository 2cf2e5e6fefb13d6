/* SPDX-License-Identifier: MIT */
/*
 * Reads files while the program does something else: another file, opening the device. Each reader
 * has a context of its own, because a context is for one thread at a time. Errors wait until they
 * are asked for, so which one is printed does not depend on which file was faster.
 *
 * Of a file it reads one record; or all: names, lengths and, to find partners for them, minimizers.
 * The bases of records of 64 kb and more are read again when they are needed if the file has an
 * index (.fai), so that memory does not grow with these; else they are kept.
 */
#ifndef RHOMB_CLI_ASSEMBLY_H
#define RHOMB_CLI_ASSEMBLY_H

#include "host/cli/base/cli.h"
#include "host/cli/sketch/blocks.h"
#include "host/cli/sketch/minimizers.h"

typedef struct cli_record {
    char *name;
    int64_t length;
    int64_t begin;   /* of the bases of all records, one after the other */
    char *bases;     /* NULL if they are to be read again */
    char *qualities; /* NULL as well, and of FASTA */
    uint64_t digest; /* of the bases */
    char md5[33];    /* "" if it was not asked for */
} cli_record;

typedef struct cli_assembly {
    const char *path;
    cli_record *records;
    size_t count;
    bool is_indexed;
    uint64_t digest;           /* of names and bases */
    cli_minimizers minimizers; /* of all records; empty if they are not asked for */
} cli_assembly;

typedef struct cli_assembly_reader cli_assembly_reader;

/*
 * Starts to read a file on a thread of its own, unless `threads` is 1. With a shape, whose w is not
 * 0, minimizers are computed; with `md5`, a digest of each record. The path is borrowed. NULL, with
 * the message printed, if there is no memory.
 */
cli_assembly_reader *cli_assembly_start(const char *path, int32_t threads,
                                        const cli_minimizer_shape *shape, bool md5);

/*
 * Starts to read one record of a file, or a range of it, as `region` says, which may be NULL and is
 * borrowed, on a thread as above.
 */
cli_assembly_reader *cli_assembly_start_one(const char *path, const char *region, int32_t threads);

/*
 * Waits until it has been read. CLI_OK, with a sequence that belongs to the reader; else the exit
 * status, with the message printed. The second function: whether that failed because there are
 * several records and none was named.
 */
int cli_assembly_one(cli_assembly_reader *reader, const rhomb_sequence **sequence);
bool cli_assembly_has_several(const cli_assembly_reader *reader);

/*
 * Computes the digest of that sequence on a thread of its own. cli_assembly_join() waits for it;
 * without a thread, rhomb_sequence_md5() computes it when asked.
 */
void cli_assembly_digest(cli_assembly_reader *reader);
void cli_assembly_join(cli_assembly_reader *reader);

/* When reading began and ended, by cli_seconds_now(). */
void cli_assembly_times(const cli_assembly_reader *reader, double *began, double *ended);

/*
 * After an error with a file of sequences: if it is one of pairs, says which command reads it.
 * False if it is not, or not a regular file.
 */
bool cli_say_if_pairs(const char *path);

/* A shape for two files of these names, by their sizes. */
cli_minimizer_shape cli_assembly_shape(const char *target, const char *query);

/*
 * Waits until the file has been read. *assembly belongs to the reader. The exit status, with the
 * message printed: names must be unique.
 */
int cli_assembly_finish(cli_assembly_reader *reader, const cli_assembly **assembly);

/*
 * The bases of a record; *owned, if it is not NULL, is to be given to rhomb_sequence_destroy() when
 * they are no longer used. The exit status, with the message printed.
 */
int cli_assembly_bases(cli_assembly_reader *reader, size_t index, const char **bases,
                       rhomb_sequence **owned);

/* A name, and the number of its record. */
typedef struct cli_named {
    const char *name;
    size_t index;
} cli_named;

/* The names of all records, sorted; the caller frees them. NULL if there is no memory. */
cli_named *cli_assembly_names(const cli_assembly *assembly);

/* One of them, NULL if there is none of that name. */
const cli_named *cli_named_find(const cli_named *names, size_t count, const char *name);

/* The record that has a base, by its place among the bases of all. */
size_t cli_assembly_record_at(const cli_assembly *assembly, int64_t base);

/*
 * Releases it with what was read. NULL is allowed. A reader that is still running, because
 * something else has ended the program with an error, is not waited for, as it may wait for its
 * input for ever: it releases itself, unless the process ends first.
 */
void cli_assembly_release(cli_assembly_reader *reader);

/* Couples: records of two assemblies that belong together. match.h finds them. */

/* A target and its query. */
typedef struct cli_couple {
    size_t target, query; /* numbers of records */
    char strand;          /* of the query, '+' or '-'; NUL: not known */
    /* Numbers of couples: the query's one before, and after; its own where there is none. */
    size_t before, after;
} cli_couple;

/* What belongs to a couple: the ranges of a block in both records, which no other one has a base
 * of.
 */
typedef struct cli_segment {
    size_t record[2]; /* target, query */
    cli_range range[2];
} cli_segment;

/* Why a record has no partner: the best one that it could have is another record's. */
typedef struct cli_lost {
    bool has_best;
    size_t best;   /* a record of the other assembly, */
    size_t holder; /* and to which one it belongs */
} cli_lost;

/* Couples in the order of the targets, then of the queries. All zeros is an empty list. */
typedef struct cli_couples {
    cli_couple *list;
    size_t count;
    size_t begin, end; /* of those that are asked for: all, or a part */
    bool is_listed;    /* by a file, which says all that there is */
    bool is_last;      /* they are the last ones, after which records without a partner come */
    /* By target, and by query; NULL unless --match best has given a record several partners. */
    cli_segment *segments[2];
    size_t segment_count;
    cli_lost *lost[2]; /* of each target, and of each query; NULL: not known */
} cli_couples;

/* Appends to the list. False if there is no memory. */
bool cli_couples_add(cli_couples *couples, cli_couple couple);

/*
 * Appends the ranges of one side, 0 or 1, of segments that belong to its record, but to other
 * couples. False if there is no memory.
 */
bool cli_couples_others(const cli_couples *couples, const cli_couple *couple, int side,
                        cli_ranges *ranges);

/* Which of the records of a side, 0 or 1, are in a couple. The caller frees it; NULL without
 * memory. */
bool *cli_couples_have(const cli_couples *couples, int side, size_t records);

void cli_couples_release(cli_couples *couples);

#endif
