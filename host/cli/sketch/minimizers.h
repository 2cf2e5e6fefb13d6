/* SPDX-License-Identifier: MIT */
/*
 * Minimizers of sequences: of each window of w k-mers the one with the least hash, on either strand
 * (M. Roberts et al., Bioinformatics 20, 2004), as minimap2 computes them. Two sequences that share
 * a stretch share its minimizers, so these few say where the two belong together.
 *
 * Several records may have one list: entries count on from record to record. Only what is unique is
 * kept, as repeats say nothing about a position.
 *
 * minimizers.c is the only file that needs minimap2's library; no_minimizers.c is in its place in a
 * build without (-DRHOMB_SKETCH=OFF).
 */
#ifndef RHOMB_CLI_MINIMIZERS_H
#define RHOMB_CLI_MINIMIZERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this build has minimizers. If not, nothing is ever found. */
extern const bool cli_has_minimizers;

/* Two numbers that are sorted by the first one. */
typedef struct cli_key_value {
    uint64_t key;   /* the hash of a k-mer */
    uint64_t value; /* where its last base is; the lowest bit is the strand that has the hash */
} cli_key_value;

enum { CLI_MINIMIZER_BASES_MOST = 28, CLI_MINIMIZER_WINDOW_MOST = 255 };

/* What is looked at. Lists can be compared if k and w are the same. */
typedef struct cli_minimizer_shape {
    int k;        /* bases of a k-mer, up to CLI_MINIMIZER_BASES_MOST */
    int w;        /* k-mers of a window, up to CLI_MINIMIZER_WINDOW_MOST */
    double share; /* of the sequence, in pieces all over it; 1: all */
    int one_in;   /* of minimizers, those whose hash is a multiple of it; 0: all */
} cli_minimizer_shape;

/* All zeros but the shape is an empty list. */
typedef struct cli_minimizers {
    cli_minimizer_shape shape;
    uint64_t seed; /* which pieces are looked at, if not all are */
    cli_key_value *entries;
    size_t count;
    size_t room;
    int64_t bases; /* of all records so far */
} cli_minimizers;

/*
 * Appends the minimizers of a record, computed by up to `threads` threads. Case is ignored; k-mers
 * with anything but A, C, G, T and U are left out. Lists are in order only after
 * cli_minimizers_finish(). False if there is no memory.
 */
bool cli_minimizers_add(cli_minimizers *list, const char *bases, int64_t length, int threads);

/* Sorts the list by hash, and drops what occurs more than once. */
void cli_minimizers_finish(cli_minimizers *list);

/* Both, for a list of one record. */
static inline bool cli_minimizers_list(cli_minimizers *list, const char *bases, int64_t length,
                                       int threads)
{
    const bool good = cli_minimizers_add(list, bases, length, threads);
    if (good)
        cli_minimizers_finish(list);
    return good;
}

void cli_minimizers_release(cli_minimizers *list);

/* Sorts by key; equal keys come in any order, but always in the same one. */
void cli_key_values_sort(cli_key_value *entries, size_t count);

#endif
