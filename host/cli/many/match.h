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
} cli_couple;

/* Couples in the order of the targets, then of the queries. All zeros is an empty list. */
typedef struct cli_couples {
    cli_couple *list;
    size_t count;
    size_t begin, end; /* of those that are asked for: all, or a part */
    bool is_last;      /* they are the last ones, after which records without a partner come */
} cli_couples;

/*
 * Leaves the couples of a part. Parts follow each other, and none begins within the couples of a
 * target. They are cut so that the one with most to do has as little as can be, by the product of a
 * couple's lengths; some may be empty. Nothing changes where no part is asked for.
 */
void cli_match_part(const cli_assembly *const assemblies[2], const cli_part_asked *part,
                    cli_couples *couples);

/*
 * By a mode: "names" of both are the same; "order" in the files; "best": those that share most
 * unique minimizers, which both assemblies have, one query for each target and the other way round,
 * or, with `many`, a target for each query;
 * or else the name of a file with a line for each couple: target, query and, if it is not +, the
 * strand. Blank lines, and those that begin with #, are skipped there; a record may be in several
 * lines. Says how many couples there are; none are an error. The exit status, with the message
 * printed. The caller frees couples->list.
 */
int cli_match(const char *mode, const cli_assembly *const assemblies[2], bool many,
              cli_couples *couples);

/* Whether a mode goes with the alphabet, and with this build. The exit status. */
int cli_match_check(const cli_command *command, const char *mode, rhomb_alphabet alphabet);

/* What to do with a record without a partner, of target (0) or query (1). The exit status. */
typedef int (*cli_leave_fn)(int side, const cli_record *record, void *user);

/*
 * Calls `leave` for each record that has no partner, targets first; and says how many there are.
 * The exit status, which is that of the first call that fails.
 */
int cli_match_leave(const cli_assembly *const assemblies[2], const cli_couples *couples,
                    cli_leave_fn leave, void *user);

/* Whether minimizers are needed for it. */
bool cli_match_needs_minimizers(const char *mode);

#endif
