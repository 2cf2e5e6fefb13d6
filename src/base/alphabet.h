/* SPDX-License-Identifier: MIT */
/*
 * Alphabets: counting symbols, checking them, and giving each a code. Codes number the symbols that
 * the pair has (after folding). Their count decides the number of bit planes of a packed symbol, so
 * N and IUPAC codes stay exact, and cost nothing if a pair has none. In RHOMB_ALPHABET_IUPAC the
 * codes of a pair that has others than A, C, G and T are masks of bases, and two match that have
 * one in common. Symbols match themselves in each alphabet, and either order is the same; but of
 * three masks the first may match the second, that the third, and not the first the third.
 */
#ifndef RHOMB_SRC_ALPHABET_H
#define RHOMB_SRC_ALPHABET_H

#include "src/base/error.h"

/* The count of each byte in a sequence. */
typedef struct rhomb__histogram {
    int64_t count[256];
} rhomb__histogram;

/* The code of each byte: from 0 on, one for each symbol of the pair. */
typedef struct rhomb__codes {
    uint8_t code[256];
    int32_t symbols; /* different symbols of the pair, after folding; or they are masks: this */
} rhomb__codes;

#define RHOMB__MASKS (-1)

bool rhomb__alphabet_exists(rhomb_alphabet alphabet);

/* Whether its sequences have a reverse strand. */
static inline bool rhomb__alphabet_has_strands(rhomb_alphabet alphabet)
{
    return alphabet == RHOMB_ALPHABET_DNA || alphabet == RHOMB_ALPHABET_IUPAC;
}

/* The symbol that a byte is compared as: upper case but in BYTES, and in DNA T for U. */
int rhomb__alphabet_fold(rhomb_alphabet alphabet, int byte);

/* The folded symbols of an alphabet other than BYTES, in the order of their codes. */
const char *rhomb__alphabet_symbols(rhomb_alphabet alphabet);

/* Whether a sequence may have a byte. */
bool rhomb__alphabet_has(rhomb_alphabet alphabet, int byte);

/* The bases that a folded symbol stands for, a bit each; 0 of what is not a base. */
uint8_t rhomb__alphabet_mask(int folded);

/* Whether a symbol matches another one. */
bool rhomb__alphabet_matches(rhomb_alphabet alphabet, char a, char b);

/* Counts on up to `threads` threads, see parallel.h. */
void rhomb__histogram_count(const char *bases, int64_t length, int32_t threads,
                            rhomb__histogram *out);

/* The peak memory of rhomb__histogram_count(). */
int64_t rhomb__histogram_bytes(int64_t length, int32_t threads);

/*
 * RHOMB_ERR_ALPHABET unless every symbol is in the alphabet. The detail names the symbol, its
 * 1-based position and `what` ("target").
 */
rhomb_status rhomb__histogram_check(rhomb__error *error, rhomb_alphabet alphabet, const char *what,
                                    const char *bases, int64_t length,
                                    const rhomb__histogram *histogram);

rhomb_base_counts rhomb__histogram_classify(const rhomb__histogram *histogram,
                                            rhomb_alphabet alphabet);

/* Codes for a pair that passed rhomb__histogram_check(). */
rhomb__codes rhomb__codes_assign(rhomb_alphabet alphabet, const rhomb__histogram *target,
                                 const rhomb__histogram *query);

/* The bit planes that hold so many different codes, at least 2; those of masks (cl/abi.h). */
int32_t rhomb__planes_of(int32_t symbols);

static inline bool rhomb__codes_match(const rhomb__codes *codes, char a, char b)
{
    const uint8_t x = codes->code[(unsigned char)a], y = codes->code[(unsigned char)b];
    return codes->symbols == RHOMB__MASKS ? (x & y) != 0 : x == y;
}

/* The number of matches before the first mismatch within `length` symbols. */
int64_t rhomb__codes_run(const rhomb__codes *codes, const char *a, const char *b, int64_t length);

/* Whether two sequences of the same length match symbol by symbol. */
bool rhomb__codes_all_match(const rhomb__codes *codes, const char *a, const char *b,
                            int64_t length);

/*
 * The same of equal codes: a symbol that takes the place of an equal one matches what that matches.
 */
int64_t rhomb__codes_equal_run(const rhomb__codes *codes, const char *a, const char *b,
                               int64_t length);
bool rhomb__codes_equal(const rhomb__codes *codes, const char *a, const char *b, int64_t length);

#endif
