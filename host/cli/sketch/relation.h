/* SPDX-License-Identifier: MIT */
/*
 * How two DNA sequences belong together, by their minimizers: on which strand, where a circle was
 * cut, how many collinear blocks there are, how similar they may be. Found in a fraction of a
 * second, and never more than a guess.
 */
#ifndef RHOMB_CLI_RELATION_H
#define RHOMB_CLI_RELATION_H

#include "host/cli/base/cli.h"
#include "host/cli/sketch/blocks.h"
#include <rhomb/guide.h>
#include <rhomb/scoring.h>

/* Of sequences below this length nothing is said. */
enum { CLI_RELATION_BASES_LEAST = 400 };

typedef struct cli_relation {
    bool is_related; /* there are blocks; nothing else is known if not */
    /*
     * The blocks, if any, have less than a tenth of the shorter sequence; and there would be more
     * if the rest were as similar as 75 %.
     */
    bool is_unrelated;
    bool reverse;      /* the query's other strand belongs to the target, or was given */
    bool is_opposite;  /* a strand was given, and the other one belongs to the target */
    int64_t rotation;  /* that strand's first bases that belong to its end; 0: none */
    double similarity; /* roughly, of what they have in common */
    double share;      /* of both sequences that was looked at */
    /*
     * In the order of the target. Positions are of the query as it is after its strand and rotation
     * were chosen, so that a block with `reverse` is inverted.
     */
    cli_block *blocks;
    size_t count;
    size_t inverted;
    bool is_rearranged;  /* some are inverted, or elsewhere */
    bool is_interrupted; /* related, in order, but a tenth or more is unlike */
    int64_t covered;     /* bases of the blocks' shorter sides that are alike */
    /*
     * One sequence has less than a fifth of the other's bases, and lies within it: there, about; 0
     * and 0 if not.
     */
    int64_t within_begin, within_end;
    /* Unique k-mers of both, in the order of the target, on the forward strands. */
    cli_anchor *anchors;
    size_t anchor_count;
    int k;
    double seconds;
} cli_relation;

/*
 * The minimizers of a target that was looked at, for other queries of it. All zeros at first;
 * release list when it is no longer used. They are kept as long as the target is the same one.
 */
typedef struct cli_kept_target {
    int64_t number; /* of the target, as the options name it */
    cli_minimizers list;
} cli_kept_target;

/*
 * How a relation is found. `threads` may work. Of long sequences a part is looked at, the same with
 * any number of threads: some tenths of a second for one of them. With `whole` it is all in any
 * case; with `guides`, if the sequences differ by so much that a guide is worth it.
 */
typedef struct cli_relation_options {
    int threads;
    bool whole;
    bool guides;
    cli_kept_target *kept; /* NULL: nothing is kept */
    int64_t number;        /* with `kept`: of the target, at least 1 */
    bool dense;            /* with four times as many minimizers, for smaller blocks */
    int strand;            /* '+' or '-': given; 0: to be found */
    bool has_rotation;     /* given: */
    int64_t rotation;      /* the one to use */
    const cli_ranges
        *taken; /* as of cli_block_limits, with strand '+' and rotation 0 alone; or NULL */
} cli_relation_options;

/* The bases of a block of two records at least: by the shorter one, of a contig and its chromosome
 * the contig. */
int64_t cli_relation_least(int64_t target_length, int64_t query_length, bool dense);

/* False if there is no memory. Release the relation in any case. */
bool cli_relate(const cli_two *two, const cli_relation_options *options, cli_relation *relation);

void cli_relation_release(cli_relation *relation);

/*
 * Cutting blocks. An alignment takes time by the square of its edits, and most of them may be where
 * sequence was replaced, inserted or deleted. So blocks are cut in the middle of long exact matches
 * that both sequences have once, close to either side of such places, and some tens of kilobases
 * apart elsewhere:
 *
 *     target   ====|=======|-------|========|====     ====  alike     ----  not alike
 *     query    ====|=======|---|========|====
 *
 * Each segment has an alignment of least cost. That all of them together have it too is likely, and
 * not certain: where unit costs would have led through the match, they now go along it.
 */

/*
 * Replaces the blocks of a relation of two forward strands, which have been extended, by the
 * segments of each, in the order of the target; all but a block's last one go on. False without
 * memory.
 */
bool cli_blocks_cut(const cli_two *two, cli_relation *relation);

/*
 * What a look at two sequences before the work says to the user: what kind of pair they are, where
 * another command is better. It changes no result.
 */

/* What a run has no option for, so that a word about it is of use. */
typedef struct cli_look_asked {
    bool strand;
    bool rotation;
    bool as_given;      /* nor will it have: another command is no advice */
    const char *prefix; /* of the words, such as the names of the pair; NULL: none */
} cli_look_asked;

/* Says what is unusual about a pair, and with -v what else was found; nothing for NULL. */
void cli_look_warn(const cli_relation *relation, const cli_look_asked *asked);

/*
 * Says where one sequence lies within the other one, if it has less than a fifth of its bases: end
 * to end that costs all the rest. Nothing for NULL.
 */
void cli_look_warn_within(const cli_relation *relation, const cli_look_asked *asked,
                          const rhomb_sequence *target, const rhomb_sequence *query);

/*
 * Guides from sketches: of the anchors of two sequences those along which a path is believed to
 * lead, as the library takes them (rhomb/guide.h).
 */

/*
 * The longest chain of anchors that grow in both sequences, without those that are not worth the
 * way to their diagonals, thinned out, as the query has them on a strand and with a rotation, and
 * points on the straight line in long gaps: guide->points, which the caller frees. Where no anchors
 * are left the guide says that the sequences are unlike; of sequences that are unrelated, but for
 * less than a tenth perhaps, it has no points. scoring is NULL for unit costs. False if there is
 * nothing to say, or no memory.
 */
bool cli_guide_make(const cli_relation *relation, const rhomb_scoring *scoring,
                    int64_t target_length, int64_t query_length, bool reverse, int64_t rotation,
                    rhomb_guide *guide, rhomb_guide_point **points);

/*
 * Longest chains of points that two sequences have in common (M. L. Fredman, Discrete Mathematics
 * 11, 1975): a false point is in it only where no more true ones are in its place.
 */

/*
 * Of `count` points, whose targets grow, leaves a longest chain of which the queries grow as well:
 * its length in *length. False if there is no memory.
 */
bool cli_chain_keep(rhomb_guide_point *points, size_t count, size_t *length);

/*
 * Of a chain, leaves the points that are worth the way to them: each is worth `gain`, and each
 * diagonal (query minus target) between one point and the next costs 1, from diagonal 0 at the
 * beginning to `end` at the end. A repeat elsewhere, or a piece that is inverted, has a few points
 * far off, and no path goes there. *length may be 0. False if there is no memory.
 */
bool cli_chain_straighten(rhomb_guide_point *points, size_t count, double gain, int64_t end,
                          size_t *length);

#endif
