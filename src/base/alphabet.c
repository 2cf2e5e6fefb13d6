/* SPDX-License-Identifier: MIT */
/*
 * Alphabets, see alphabet.h.
 */
#include "src/base/alphabet.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cl/abi.h"
#include "src/base/int64.h"
#include "src/base/parallel.h"

/* The bases that RHOMB_ALPHABET_DNA accepts, folded; the codes follow this order. */
static const char DNA_BASES[] = "ACGTNRYSWKMBDHV";

/* The bases that each of these stands for; cl/batch/batch_pack.clh has those of the first four. */
enum { A = 1, C = 2, T = 4, G = 8 };
static const uint8_t DNA_MASKS[] = {A,     C,         G,         T,         A | C | G | T,
                                    A | G, C | T,     C | G,     A | T,     G | T,
                                    A | C, C | G | T, A | G | T, A | C | T, A | C | G};

/* Those of RHOMB_ALPHABET_PROTEIN, in NCBI's order. */
static const char AMINO_ACIDS[] = "ARNDCQEGHILKMFPSTWYVBZX*";

static bool is_lower(int byte)
{
    return byte >= 'a' && byte <= 'z';
}

bool rhomb__alphabet_exists(rhomb_alphabet alphabet)
{
    return alphabet == RHOMB_ALPHABET_DNA || alphabet == RHOMB_ALPHABET_BYTES ||
           alphabet == RHOMB_ALPHABET_IUPAC || alphabet == RHOMB_ALPHABET_PROTEIN;
}

int rhomb__alphabet_fold(rhomb_alphabet alphabet, int byte)
{
    if (alphabet == RHOMB_ALPHABET_BYTES)
        return byte;
    const int upper = is_lower(byte) ? byte - 'a' + 'A' : byte;
    return upper == 'U' && alphabet != RHOMB_ALPHABET_PROTEIN ? 'T' : upper;
}

const char *rhomb__alphabet_symbols(rhomb_alphabet alphabet)
{
    return alphabet == RHOMB_ALPHABET_PROTEIN ? AMINO_ACIDS : DNA_BASES;
}

static bool is_in(const char *bases, int byte)
{
    return byte != '\0' && strchr(bases, byte) != NULL;
}

bool rhomb__alphabet_has(rhomb_alphabet alphabet, int byte)
{
    return alphabet == RHOMB_ALPHABET_BYTES ||
           is_in(rhomb__alphabet_symbols(alphabet), rhomb__alphabet_fold(alphabet, byte));
}

uint8_t rhomb__alphabet_mask(int folded)
{
    return is_in(DNA_BASES, folded) ? DNA_MASKS[strchr(DNA_BASES, folded) - DNA_BASES] : 0;
}

bool rhomb__alphabet_matches(rhomb_alphabet alphabet, char a, char b)
{
    const int x = rhomb__alphabet_fold(alphabet, (unsigned char)a);
    const int y = rhomb__alphabet_fold(alphabet, (unsigned char)b);
    return x == y || (alphabet == RHOMB_ALPHABET_IUPAC &&
                      (rhomb__alphabet_mask(x) & rhomb__alphabet_mask(y)) != 0);
}

/* Bases that one task counts. Clearing and summing its tables takes a hundredth of its time. */
#define PIECE_BASES (INT64_C(16) * 1024 * 1024)

/* Below this, the tables of pairs would take longer than counting one base at a time. */
#define PAIRS_MIN_BASES (INT64_C(256) * 1024)

/* The count of each pair of bytes, at each even place of a word of eight. */
typedef struct pair_tables {
    uint32_t count[4][65536];
} pair_tables;

static void count_singly(const unsigned char *bytes, int64_t length, rhomb__histogram *out)
{
    for (int64_t i = 0; i < length; i++)
        out->count[bytes[i]]++;
}

/*
 * Counts pairs: half as many increments as bases. Four tables in turn, because in a homopolymer
 * each increment of one table would wait for the one before. 250 M bases take 0.09 s on one core;
 * four tables of single bytes take 0.17 s, a comparison for each of ten common characters (in
 * vectors) 0.08 to 0.2 s, depending on the compiler. The caller counts the bases after the last
 * whole word.
 */
static void count_pairs(const unsigned char *bytes, int64_t words, pair_tables *tables,
                        rhomb__histogram *out)
{
    for (int64_t i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, bytes + 8 * i, 8);
        tables->count[0][word & 0xffff]++;
        tables->count[1][word >> 16 & 0xffff]++;
        tables->count[2][word >> 32 & 0xffff]++;
        tables->count[3][word >> 48]++;
    }
    for (int pair = 0; pair < 65536; pair++) {
        const int64_t times = (int64_t)tables->count[0][pair] + tables->count[1][pair] +
                              tables->count[2][pair] + tables->count[3][pair];
        out->count[pair & 0xff] += times;
        out->count[pair >> 8] += times;
    }
}

static void count_piece(const unsigned char *bytes, int64_t length, rhomb__histogram *out)
{
    /* Without memory for the tables it only takes longer. */
    pair_tables *tables = length >= PAIRS_MIN_BASES ? calloc(1, sizeof *tables) : NULL;
    const int64_t words = tables != NULL ? length / 8 : 0;
    if (tables != NULL)
        count_pairs(bytes, words, tables, out);
    count_singly(bytes + 8 * words, length - 8 * words, out);
    free(tables);
}

typedef struct counting {
    const unsigned char *bytes;
    int64_t length;
    pthread_mutex_t lock; /* of *sum */
    rhomb__histogram *sum;
} counting;

/* A rhomb__parallel_task. */
static void count_task(int64_t index, void *user)
{
    counting *c = user;
    rhomb__histogram piece = {{0}};
    const int64_t begin = index * PIECE_BASES;
    const int64_t left = c->length - begin;
    count_piece(c->bytes + begin, left < PIECE_BASES ? left : PIECE_BASES, &piece);
    pthread_mutex_lock(&c->lock);
    for (int b = 0; b < 256; b++)
        c->sum->count[b] += piece.count[b];
    pthread_mutex_unlock(&c->lock);
}

void rhomb__histogram_count(const char *bases, int64_t length, int32_t threads,
                            rhomb__histogram *out)
{
    counting c = {(const unsigned char *)bases, length, PTHREAD_MUTEX_INITIALIZER, out};
    memset(out, 0, sizeof *out);
    rhomb__parallel_run(threads, rhomb__ceil_div(length, PIECE_BASES), count_task, &c);
    pthread_mutex_destroy(&c.lock);
}

int64_t rhomb__histogram_bytes(int64_t length, int32_t threads)
{
    const int64_t pieces = rhomb__ceil_div(length, PIECE_BASES);
    return length < PAIRS_MIN_BASES ? 0
                                    : rhomb__min(threads, pieces) * (int64_t)sizeof(pair_tables);
}

rhomb_status rhomb__histogram_check(rhomb__error *error, rhomb_alphabet alphabet, const char *what,
                                    const char *bases, int64_t length,
                                    const rhomb__histogram *histogram)
{
    int64_t strangers = 0;
    for (int b = 0; b < 256; b++)
        strangers += rhomb__alphabet_has(alphabet, b) ? 0 : histogram->count[b];
    if (strangers == 0)
        return RHOMB_OK;
    int64_t at = 0;
    while (at < length && rhomb__alphabet_has(alphabet, (unsigned char)bases[at]))
        at++;
    const int byte = (unsigned char)bases[at];
    char name[32] = "";
    if (byte > ' ' && byte < 127)
        name[0] = (char)byte;
    const bool is_protein = alphabet == RHOMB_ALPHABET_PROTEIN;
    return rhomb__fail(error, RHOMB_ERR_ALPHABET,
                       "%s: character '%s' (byte 0x%02x) at position %lld is not %s (%lld such "
                       "character%s in all); the alphabet %s",
                       what, name, (unsigned)byte, (long long)at + 1,
                       is_protein ? "an amino acid, B, Z, X or *" : "a nucleotide or IUPAC code",
                       (long long)strangers, strangers == 1 ? "" : "s",
                       !is_protein && rhomb__alphabet_has(RHOMB_ALPHABET_PROTEIN, byte)
                           ? "\"protein\" is for proteins, and \"bytes\" accepts any byte"
                           : "\"bytes\" accepts any byte");
}

rhomb_base_counts rhomb__histogram_classify(const rhomb__histogram *histogram,
                                            rhomb_alphabet alphabet)
{
    const bool folds = alphabet != RHOMB_ALPHABET_BYTES;
    rhomb_base_counts counts = {0};
    for (int b = 0; b < 256; b++) {
        const int base = rhomb__alphabet_fold(alphabet, b);
        const int64_t count = histogram->count[b];
        if (is_in("ACGT", base))
            counts.acgt += count;
        else if (base == 'N')
            counts.n += count;
        else if (is_in(DNA_BASES, base))
            counts.iupac += count;
        else
            counts.other += count;
        counts.folded += folds && is_lower(b) ? count : 0;
        counts.uracils += folds && base == 'T' && b != 'T' && b != 't' ? count : 0;
    }
    return counts;
}

/* Of a pair with A, C, G and T alone, matches are equal bases: their codes take fewer planes. */
static bool has_ambiguous(const bool present[256])
{
    for (const char *base = DNA_BASES; *base != '\0'; base++)
        if (present[(unsigned char)*base] && strchr("ACGT", *base) == NULL)
            return true;
    return false;
}

static rhomb__codes masks(void)
{
    rhomb__codes codes = {{0}, RHOMB__MASKS};
    for (int b = 0; b < 256; b++)
        codes.code[b] = rhomb__alphabet_mask(rhomb__alphabet_fold(RHOMB_ALPHABET_IUPAC, b));
    return codes;
}

rhomb__codes rhomb__codes_assign(rhomb_alphabet alphabet, const rhomb__histogram *target,
                                 const rhomb__histogram *query)
{
    bool present[256] = {false};
    for (int b = 0; b < 256; b++) {
        if (target->count[b] + query->count[b] > 0)
            present[rhomb__alphabet_fold(alphabet, b)] = true;
    }
    rhomb__codes codes = {{0}, 0};
    uint8_t code_of[256] = {0};
    if (alphabet == RHOMB_ALPHABET_IUPAC && has_ambiguous(present))
        return masks();
    for (const char *base = DNA_BASES; *base != '\0'; base++) {
        if (present[(unsigned char)*base])
            code_of[(unsigned char)*base] = (uint8_t)codes.symbols++;
    }
    for (int b = 0; b < 256; b++) {
        if (present[b] && !is_in(DNA_BASES, b))
            code_of[b] = (uint8_t)codes.symbols++;
    }
    for (int b = 0; b < 256; b++)
        codes.code[b] = code_of[rhomb__alphabet_fold(alphabet, b)];
    return codes;
}

/* Bytes compared at once: those that differ are compared again while they are in the cache. */
#define COMPARED_BYTES INT64_C(256)

int32_t rhomb__planes_of(int32_t symbols)
{
    int32_t bits = 2;
    if (symbols == RHOMB__MASKS)
        return RHOMB_MASK_PLANES;
    while (INT32_C(1) << bits < symbols)
        bits++;
    return bits;
}

static int64_t run_of(const rhomb__codes *codes, const char *a, const char *b, int64_t length,
                      bool masks)
{
    int64_t run = 0;
    while (run < length) {
        const int64_t end = length - run < COMPARED_BYTES ? length : run + COMPARED_BYTES;
        if (memcmp(a + run, b + run, (size_t)(end - run)) == 0) {
            run = end;
            continue;
        }
        for (; run < end; run++) {
            const uint8_t x = codes->code[(unsigned char)a[run]];
            const uint8_t y = codes->code[(unsigned char)b[run]];
            if (masks ? (x & y) == 0 : x != y)
                return run;
        }
    }
    return run;
}

int64_t rhomb__codes_run(const rhomb__codes *codes, const char *a, const char *b, int64_t length)
{
    return codes->symbols == RHOMB__MASKS ? run_of(codes, a, b, length, true)
                                          : run_of(codes, a, b, length, false);
}

bool rhomb__codes_all_match(const rhomb__codes *codes, const char *a, const char *b, int64_t length)
{
    return rhomb__codes_run(codes, a, b, length) == length;
}

int64_t rhomb__codes_equal_run(const rhomb__codes *codes, const char *a, const char *b,
                               int64_t length)
{
    return run_of(codes, a, b, length, false);
}

bool rhomb__codes_equal(const rhomb__codes *codes, const char *a, const char *b, int64_t length)
{
    return rhomb__codes_equal_run(codes, a, b, length) == length;
}
