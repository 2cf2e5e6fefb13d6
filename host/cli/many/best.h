/* SPDX-License-Identifier: MIT */
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
 * has several, each base belongs to one couple (segments.h), and a couple that is left without a
 * substantial block is none, unless its target is the query's best.
 */
#ifndef RHOMB_CLI_BEST_H
#define RHOMB_CLI_BEST_H

#include "host/cli/many/assembly.h"
#include "host/cli/many/couples.h"

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

#endif
