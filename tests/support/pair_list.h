/* SPDX-License-Identifier: MIT */
/*
 * Many pairs, each with what has to come out of it.
 */
#ifndef RHOMB_TESTS_PAIR_LIST_H
#define RHOMB_TESTS_PAIR_LIST_H

#include "pair.h"
#include "rhomb/batch.h"

typedef struct listed_pair {
    int64_t target_at; /* in the list's bases */
    int64_t target_length;
    int64_t query_at;
    int64_t query_length;
    int64_t distance;    /* were there no limit */
    rhomb_status status; /* other than RHOMB_OK: of this pair alone */
    bool other_bases;    /* than A, C, G and T */
} listed_pair;

typedef struct pair_list {
    const char *family; /* in messages */
    rhomb_alphabet alphabet;
    letters given;
    letters compared; /* the same, folded where the alphabet folds */
    listed_pair *at;
    int64_t count;
    int64_t room;
} pair_list;

/* An empty list. */
pair_list pair_list_of(const char *family, rhomb_alphabet alphabet);

/*
 * Adds a copy of a pair; the first of its sequences is the target. edlib says the distance. Aborts
 * without memory.
 */
listed_pair *pair_list_add(pair_list *list, const pair *p);

/* As pair_list_add(), where the distance is known. */
listed_pair *pair_list_add_known(pair_list *list, const pair *p, int64_t distance);

/* The texts of a pair, as they are given to the library, or as they are compared. */
rhomb_pair pair_list_given(const pair_list *list, int64_t index);
rhomb_pair pair_list_compared(const pair_list *list, int64_t index);

void pair_list_release(pair_list *list);

/*
 * Makes a pair of texts of `length` bases, more or less, whose distance is `distance` exactly, in
 * one of PLANT_COUNT ways. False where that does not come to be, as in texts that are too short.
 */
typedef enum plant {
    PLANT_SUBSTITUTIONS, /* spread over the text, as are the next ones */
    PLANT_EDITS,
    PLANT_INDEL,       /* a long one, and a few edits */
    PLANT_BLOCK,       /* edits side by side in the middle */
    PLANT_HOMOPOLYMER, /* of unequal lengths, with edits */
    PLANT_TANDEM,
    PLANT_COUNT
} plant;

bool pair_plant(plant how, int64_t length, int64_t distance, const char *alphabet, rng *r, pair *p);

#endif
