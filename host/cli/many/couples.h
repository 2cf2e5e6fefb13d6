/* SPDX-License-Identifier: MIT */
/* Couples: records of two assemblies that belong together. match.h finds them. */
#ifndef RHOMB_CLI_COUPLES_H
#define RHOMB_CLI_COUPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/cli/sketch/range_list.h"

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
