/* SPDX-License-Identifier: MIT */
/*
 * Couples: records of two assemblies that belong together. match.h finds them.
 */
#ifndef RHOMB_CLI_COUPLES_H
#define RHOMB_CLI_COUPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A target and its query. */
typedef struct cli_couple {
    size_t target, query; /* numbers of records */
    char strand;          /* of the query, '+' or '-'; NUL: not known */
    /* Numbers of couples: the query's one before, and after; its own where there is none. */
    size_t before, after;
} cli_couple;

/* A stretch of a query with several targets: where a block of one of them is. 0-based, half-open.
 */
typedef struct cli_piece {
    size_t query, target;
    int64_t begin, end;
} cli_piece;

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
    bool is_last;      /* they are the last ones, after which records without a partner come */
    cli_piece *pieces; /* by query; for those that --match best has given several targets */
    size_t piece_count;
    cli_lost *lost[2]; /* of each target, and of each query; NULL: not known */
} cli_couples;

/* Appends to the lists. False if there is no memory. */
bool cli_couples_add(cli_couples *couples, cli_couple couple);
bool cli_couples_add_piece(cli_couples *couples, cli_piece piece);

/* The pieces of a query, *count of them; NULL if it has none. */
const cli_piece *cli_couples_pieces(const cli_couples *couples, size_t query, size_t *count);

void cli_couples_release(cli_couples *couples);

#endif
