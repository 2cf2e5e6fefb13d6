/* SPDX-License-Identifier: MIT */
/*
 * Which record of one assembly belongs to which one of another.
 */
#ifndef RHOMB_CLI_MATCH_H
#define RHOMB_CLI_MATCH_H

#include "host/cli/base/options.h"
#include "host/cli/many/assembly.h"

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

/*
 * Leaves the couples of a part. Parts follow each other, and none begins within the couples of a
 * target, nor between those of a query that has pieces. They are cut so that the one with most to
 * do has as little as can be, by the product of a couple's lengths; some may be empty. Nothing
 * changes where no part is asked for.
 */
void cli_match_part(const cli_assembly *const assemblies[2], const cli_part_asked *part,
                    cli_couples *couples);

/*
 * By a mode: "names" of both are the same; "order" in the files; "best": those that share most
 * bases, one query for each target and the other way round or, with `many`, several of each, see
 * best.h; or else the name of a file with a line for each couple: target, query and, if it is not
 * +, the strand. Blank lines, and those that begin with #, are skipped there; a record may be in
 * several lines. Says how many couples there are; none are an error. The exit status, with the
 * message printed. The caller releases the couples.
 */
int cli_match(const char *mode, const cli_assembly *const assemblies[2], bool many,
              cli_couples *couples);

/* Whether a mode goes with the alphabet, and with this build. The exit status. */
int cli_match_check(const cli_command *command, const char *mode, rhomb_alphabet alphabet);

/* What to do with a record without a partner, of target (0) or query (1). The exit status. */
typedef int (*cli_leave_fn)(int side, const cli_record *record, void *user);

/*
 * Calls `leave` for each record that has no partner, targets first; and says how many there are,
 * and of some to which record their best partner belongs. The exit status, which is that of the
 * first call that fails.
 */
int cli_match_leave(const cli_assembly *const assemblies[2], const cli_couples *couples,
                    cli_leave_fn leave, void *user);

/* Whether minimizers are needed for it. */
bool cli_match_needs_minimizers(const char *mode);

#endif
