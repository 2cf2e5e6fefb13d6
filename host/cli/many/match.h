/* SPDX-License-Identifier: MIT */
/* Which record of one assembly belongs to which one of another. */
#ifndef RHOMB_CLI_MATCH_H
#define RHOMB_CLI_MATCH_H

#include "host/cli/command/options.h"
#include "host/cli/many/assembly.h"
#include "host/cli/sketch/blocks.h"

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
 * see below; "best-target": each query with one target; or else the name of a file with a line
 * for each couple: target, query and, if it is not +, the strand, which only DNA has. Blank lines,
 * and those that begin with #, are skipped there; a record may be in several lines. Says how many
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

/*
 * Partners by their bases, for --match best. What counts are minimizers that both assemblies have
 * once, so that a base is shared with one record of the other assembly at most:
 *
 *     shared    the bases from one of them to the next, where these follow each other in both
 *               records and are near; and of each other one, its own. So are longer stretches
 *               without any, such as repeats, after even longer ones with.
 *     block     collinear ones (blocks.h); lighter ones that go elsewhere are taken away first
 *
 * Records that are the same in both files, and have no partner by that, such as a plasmid that each
 * has twice, are partners in their order.
 *
 * With one partner each, the couples that share most bases come first. One that shares less than a
 * tenth of the shorter record, and of what either record shares with its best one, is left, as a
 * repeat may be all of it.
 *
 * With several, a query has the target with which it shares most, and each other one with which it
 * has a *substantial* block: one in which near ones share at least 10,000 bases; or a fifth of the
 * shorter record, where that is less, or a thousandth, where that is more. A Ty element or L1 that
 * moved, of some 6,000 bases, is not enough for chromosomes; an arm that moved is. If any record
 * has several, each base belongs to one couple (see below), and a couple that is left without a
 * substantial block is none, unless its target is the query's best.
 */

/* One partner for each record. Fills list and lost. The exit status, with the message printed. */
int cli_best_single(const cli_assembly *const assemblies[2], cli_couples *couples);

/*
 * A target, or several, for each query, and several queries for each target. Fills list, query by
 * query, and, if any record has several, segments. The exit status, with the message printed.
 */
int cli_best_several(cli_assembly_reader *const readers[2], const cli_assembly *const assemblies[2],
                     cli_couples *couples);

/*
 * One target for each query, any number of queries for a target: that with which most of the
 * query's minimizers are shared, see votes.h. As above; assemblies need no lists of minimizers.
 */
int cli_best_target(cli_assembly_reader *const readers[2], const cli_assembly *const assemblies[2],
                    cli_couples *couples);

/*
 * Which bases of two assemblies belong to which couple of records: collinear blocks of all records
 * at once (blocks.h), so that those of two couples have no base in common, in either assembly. Of a
 * duplicate, as a segment of a chromosome that another one has as well, the copy that is in order
 * belongs to its couple, and the other one to none.
 */

typedef struct cli_segment_couple {
    size_t record[2]; /* target, query */
    int64_t needed;   /* bases of one of its blocks; without it the couple has no segment: */
    bool is_lost;     /* found */
} cli_segment_couple;

typedef struct cli_segment_search {
    cli_assembly_reader *const *readers; /* for bases: of targets, and queries */
    const cli_assembly *const *assemblies;
    int64_t near; /* minimizers this far from each other belong together */
    int64_t least_anchors;
    cli_segment_couple *couples;
    size_t couple_count;
} cli_segment_search;

/*
 * Adds the segments of all couples, by their anchors, which have places among all bases and are in
 * the order of the target. The exit status, with the message printed.
 */
int cli_segments_find(const cli_segment_search *search, const cli_anchor *anchors, size_t count,
                      cli_couples *couples);

#endif
