/* SPDX-License-Identifier: MIT */
/*
 * Random pairs of sequences. A recipe says how the second one comes from the first; each model is
 * something that real genomes do, or that a program like this one is known to get wrong.
 */
#ifndef RHOMB_TESTS_PAIR_H
#define RHOMB_TESTS_PAIR_H

#include "rng.h"

/* A sequence with room to grow; not NUL-terminated. NULL until something, or "", is appended. */
typedef struct letters {
    char *at;
    int64_t length;
    int64_t room;
} letters;

typedef struct pair {
    letters a;
    letters b;
} pair;

/* PAIR(MODEL, name in messages). Errors are substitutions, insertions and deletions, in thirds. */
#define PAIR_MODELS(PAIR)                                                            \
    PAIR(UNIFORM, "errors spread evenly")                                            \
    PAIR(SPACED, "an edit every so many letters")                                    \
    PAIR(LONG_INDEL, "one long indel, and errors")                                   \
    PAIR(LONG_INDELS, "several long indels, and errors")                             \
    PAIR(BLOCK_SWAP, "two blocks change places, and errors")                         \
    PAIR(TANDEM, "a short unit repeated, not as often in the other one, and errors") \
    PAIR(HOMOPOLYMER, "runs of one letter, of unequal length")                       \
    PAIR(RUNS, "errors, and runs of N in either")                                    \
    PAIR(GAPS, "errors, and stretches of one letter in both, after indels")          \
    PAIR(REVERSED, "the first one backwards, with errors")                           \
    PAIR(UNRELATED, "nothing in common, about the same length")                      \
    PAIR(UNEQUAL, "nothing in common, very unequal lengths")                         \
    PAIR(PART, "a prefix, a suffix or a middle part of the first, with errors")

typedef enum pair_model {
#define PAIR_MODEL_ENUM(model, text) PAIR_##model,
    PAIR_MODELS(PAIR_MODEL_ENUM)
#undef PAIR_MODEL_ENUM
        PAIR_MODEL_COUNT
} pair_model;

typedef struct pair_recipe {
    pair_model model;
    int64_t length;        /* of the first sequence, about that of the longer one */
    double error_rate;     /* 0 to 1 */
    int64_t spacing;       /* of SPACED: bases from one edit to the next */
    int64_t longest_indel; /* of the models with long indels */
    const char *alphabet;  /* bases to draw from */
    bool lower_case;       /* a part of the bases in lower case */
} pair_recipe;

const char *pair_model_text(pair_model model);

/* Makes a pair; what `p` held is released. Aborts without memory. */
void pair_make(const pair_recipe *recipe, rng *r, pair *p);

void pair_release(pair *p);

void pair_swap(pair *p);

/*
 * Of the pairs of two of the `strings` shortest texts over {A, C}, 2^(n + 1) - 1 of which have up
 * to n bases, the one with this number, from 0 on. The memory of `p` is used again.
 */
void pair_tiny(pair *p, int strings, int number);

/* Pieces that fixed cases are made of. */
void letters_append(letters *to, const char *at, int64_t length);
void letters_repeat(letters *to, const char *unit, int64_t length); /* up to `length` bases */
void letters_random(letters *to, const char *alphabet, int64_t length, rng *r);
void letters_mutate(letters *to, const letters *from, double error_rate, const char *alphabet,
                    rng *r);
void letters_reverse(letters *these);

/*
 * Makes a pair with runs of these two symbols, of one to five chunks that are known before
 * (RHOMB_RUN_CHUNK), or a symbol less or more. In the target, or from its end in every other pair,
 * they begin at a chunk's edge, or a symbol beside it. The query's are shifted against them by
 * indels, and end earlier or later or with them. 12 to 60 kb, at a distance of some 100.
 */
void pair_make_known_runs(const char *symbols, int64_t number, rng *r, pair *p);

#endif
