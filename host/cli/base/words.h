/* SPDX-License-Identifier: MIT */
/*
 * What the values of options mean: numbers, words, and the keys of --tune. Nothing here prints, so
 * that rhomb_bench reads the same values with the same code.
 */
#ifndef RHOMB_CLI_WORDS_H
#define RHOMB_CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rhomb/tuning.h"

#define CLI_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Numbers: digits, then K, M or G (thousand, million, thousand million; lower case too). False for
 * anything else and for more than INT64_MAX.
 */
bool cli_parse_count(const char *text, int64_t *value);

/* A word with a meaning, in lists that the options and the reports share. */
typedef struct cli_word {
    const char *word;
    int value;
} cli_word;

extern const cli_word cli_alphabets[4];   /* rhomb_alphabet */
extern const cli_word cli_engines[3];     /* rhomb_engine */
extern const cli_word cli_tile_shapes[3]; /* rhomb_tile_shape */
extern const cli_word cli_scorings[10];   /* names, and how forms begin: values mean nothing */

/* Whether sequences have a reverse strand, and minimizers. */
static inline bool cli_is_dna(rhomb_alphabet alphabet)
{
    return alphabet == RHOMB_ALPHABET_DNA || alphabet == RHOMB_ALPHABET_IUPAC;
}

/* False when `text` is not in the list. */
bool cli_parse_word(const char *text, const cli_word *list, size_t count, int *value);
/* The word of a value; "?" for one that is not in the list. */
const char *cli_word_of(int value, const cli_word *list, size_t count);

typedef enum cli_key_kind {
    CLI_KEY_COUNT, /* int32_t */
    CLI_KEY_LONG,  /* a count, int64_t */
    CLI_KEY_BOOL,  /* a bool; the hint has the words, that for false first */
    CLI_KEY_SHAPE  /* a word, rhomb_tile_shape */
} cli_key_kind;

/* A key of --tune; one with several values has a row for each, in their order. */
typedef struct cli_key {
    const char *key;
    cli_key_kind kind;
    size_t at;        /* of a structure */
    const char *hint; /* what to write; or NULL */
} cli_key;

/* The keys of one pair. */
extern const cli_key cli_pair_keys[17];

/*
 * The value of --tune: KEY=VALUE[,KEY=VALUE...], where some values are several with colons between
 * them. The library checks their ranges. Returns NULL, or where in `text` the first invalid item
 * begins; it ends before the next comma.
 */
const char *cli_read_keys(const char *text, const cli_key *keys, size_t count, void *fields);

/* The first row of an item's key; NULL if there is none. */
const cli_key *cli_find_key(const char *item, const cli_key *keys, size_t count);

/* All keys of --tune, for help texts. */
#define CLI_TUNE_HELP                                                                   \
    "shape, group, items, scores, launches, prune, wide; words, blocks, chunk; local; " \
    "directions: for experts and tests; see the manual page"

#endif
