/* SPDX-License-Identifier: MIT */
/*
 * How two DNA sequences belong together, by their minimizers: on which strand, where a circle was
 * cut, how many collinear blocks there are, how similar they may be. Found in a fraction of a
 * second, and never more than a guess.
 */
#ifndef RHOMB_CLI_RELATION_H
#define RHOMB_CLI_RELATION_H

#include "host/cli/sketch/blocks.h"

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

#endif
