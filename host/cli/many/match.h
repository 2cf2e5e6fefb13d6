/* SPDX-License-Identifier: MIT */
/* Which record of one assembly belongs to which one of another. */
#ifndef RHOMB_CLI_MATCH_H
#define RHOMB_CLI_MATCH_H

#include "host/cli/command/options.h"
#include "host/cli/many/assembly.h"
#include "host/cli/many/couples.h"

/* The modes of cli_match() that are no file. */
extern const cli_word cli_match_modes[4];

/* The row of --match. */
#define CLI_ROW_MATCH(at_)                                                                         \
    {                                                                                              \
        .name = "match", .kind = CLI_OPTION_INPUT, .at = at_, .value = "MODE",                     \
        .words = cli_match_modes, .word_count = CLI_COUNT(cli_match_modes),                        \
        .help = "pair records: names, order, best, best-target, FILE\n"                            \
                "names: those with the same names; order: those in the same order; best: those "   \
                "that are most alike (and their strand); best-target: each query with the target " \
                "that it shares most with, as reads with their amplicons; FILE: a target, a "      \
                "query and a strand in each line"                                                  \
    }

/*
 * Leaves the couples of a part. Parts follow each other, and none begins within the couples of a
 * target, nor between those of a query that has segments. They are cut so that the one with most to
 * do has as little as can be, by the product of a couple's lengths; some may be empty. Nothing
 * changes where no part is asked for.
 */
void cli_match_part(const cli_assembly *const assemblies[2], const cli_part_asked *part,
                    cli_couples *couples);

/*
 * By a mode: "names" of both are the same; "order" in the files; "best": those that share most
 * bases, one query for each target and the other way round or, if there may be `several`, of each,
 * see best.h; "best-target": each query with one target; or else the name of a file with a line for
 * each couple: target, query and, if it is not +, the strand, which only DNA has. Blank lines, and
 * those that begin with #, are skipped there; a record may be in several lines. Says how many
 * couples there are; none are an error. The exit status, with the message printed. The caller
 * releases the couples.
 */
int cli_match(const char *mode, const cli_assembly *const assemblies[2],
              cli_assembly_reader *const readers[2], bool several, bool is_dna,
              cli_couples *couples);

/* The same without a word, where there are none too. */
int cli_match_find(const char *mode, const cli_assembly *const assemblies[2],
                   cli_assembly_reader *const readers[2], bool several, bool is_dna,
                   cli_couples *couples);

/* Refuses an option that a build without sketches cannot have. The exit status. */
int cli_need_minimizers(const cli_command *command, const char *option);

/* What to do with a record without a partner, of target (0) or query (1). The exit status. */
typedef int (*cli_leave_fn)(int side, const cli_record *record, void *user);

/*
 * Calls `leave`, unless it is NULL, for each record that has no partner, targets first; and says
 * how many there are, and of some to which record their best partner belongs. The exit status,
 * which is that of the first call that fails.
 */
int cli_match_leave(const cli_assembly *const assemblies[2], const cli_couples *couples,
                    cli_leave_fn leave, void *user);

/* The option, where minimizers are needed for it, else NULL, as for NULL. */
const char *cli_match_sketched(const char *mode);

/* Whether lists of minimizers are needed, of both assemblies. */
bool cli_match_needs_lists(const char *mode);

#endif
