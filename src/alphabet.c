/* SPDX-License-Identifier: MIT */
/*
 * Letters, see alphabet.h.
 */
#include "alphabet.h"

#include <string.h>

/* Letters that RHOMB_ALPHABET_DNA accepts in upper case; the codes follow this order. */
static const char DNA_LETTERS[] = "ACGTNRYSWKMBDHVU";

static bool is_lower(int byte)
{
    return byte >= 'a' && byte <= 'z';
}

static int fold(rhomb_alphabet alphabet, int byte)
{
    return alphabet == RHOMB_ALPHABET_DNA && is_lower(byte) ? byte - 'a' + 'A' : byte;
}

static bool is_in(const char *letters, int byte)
{
    return byte != '\0' && strchr(letters, byte) != NULL;
}

static bool is_letter(rhomb_alphabet alphabet, int byte)
{
    return alphabet == RHOMB_ALPHABET_BYTES || is_in(DNA_LETTERS, fold(alphabet, byte));
}

/*
 * Four tables in turn: with one, a run of equal letters waits for its own last increment, which is
 * three times slower on a homopolymer and on N runs.
 */
void rhomb__histogram_count(const char *letters, int64_t length, rhomb__histogram *out)
{
    int64_t partial[4][256];
    memset(partial, 0, sizeof partial);
    const unsigned char *bytes = (const unsigned char *)letters;
    int64_t i = 0;
    for (; i + 4 <= length; i += 4) {
        partial[0][bytes[i]]++;
        partial[1][bytes[i + 1]]++;
        partial[2][bytes[i + 2]]++;
        partial[3][bytes[i + 3]]++;
    }
    for (; i < length; i++)
        partial[0][bytes[i]]++;
    for (int b = 0; b < 256; b++)
        out->count[b] = partial[0][b] + partial[1][b] + partial[2][b] + partial[3][b];
}

rhomb_status rhomb__histogram_check(rhomb__error *error, rhomb_alphabet alphabet, const char *what,
                                    const char *letters, int64_t length,
                                    const rhomb__histogram *histogram)
{
    int64_t strangers = 0;
    for (int b = 0; b < 256; b++)
        strangers += is_letter(alphabet, b) ? 0 : histogram->count[b];
    if (strangers == 0)
        return RHOMB_OK;
    int64_t at = 0;
    while (at < length && is_letter(alphabet, (unsigned char)letters[at]))
        at++;
    const int byte = (unsigned char)letters[at];
    char name[32] = "";
    if (byte > ' ' && byte < 127)
        name[0] = (char)byte;
    return rhomb__fail(error, RHOMB_ERR_ALPHABET,
                       "%s: letter '%s' (byte 0x%02x) at position %lld is neither a nucleotide nor "
                       "an IUPAC code (%lld such letters in all); the alphabet \"bytes\" takes any "
                       "letter",
                       what, name, (unsigned)byte, (long long)at + 1, (long long)strangers);
}

rhomb_letter_counts rhomb__histogram_classify(const rhomb__histogram *histogram,
                                              rhomb_alphabet alphabet)
{
    rhomb_letter_counts counts = {0};
    for (int b = 0; b < 256; b++) {
        const int letter = fold(alphabet, b);
        const int64_t count = histogram->count[b];
        if (is_in("ACGT", letter))
            counts.acgt += count;
        else if (letter == 'N')
            counts.n += count;
        else if (is_in(DNA_LETTERS, letter))
            counts.iupac += count;
        else
            counts.other += count;
        if (letter != b)
            counts.folded += count;
    }
    return counts;
}

rhomb__codes rhomb__codes_assign(rhomb_alphabet alphabet, const rhomb__histogram *target,
                                 const rhomb__histogram *query)
{
    bool present[256] = {false};
    for (int b = 0; b < 256; b++) {
        if (target->count[b] + query->count[b] > 0)
            present[fold(alphabet, b)] = true;
    }
    rhomb__codes codes = {{0}, 0};
    uint8_t code_of[256] = {0};
    for (const char *letter = DNA_LETTERS; *letter != '\0'; letter++) {
        if (present[(unsigned char)*letter])
            code_of[(unsigned char)*letter] = (uint8_t)codes.symbols++;
    }
    for (int b = 0; b < 256; b++) {
        if (present[b] && !is_in(DNA_LETTERS, b))
            code_of[b] = (uint8_t)codes.symbols++;
    }
    for (int b = 0; b < 256; b++)
        codes.code[b] = code_of[fold(alphabet, b)];
    return codes;
}

bool rhomb__codes_equal(const rhomb__codes *codes, const char *a, const char *b, int64_t length)
{
    for (int64_t i = 0; i < length; i++) {
        if (codes->code[(unsigned char)a[i]] != codes->code[(unsigned char)b[i]])
            return false;
    }
    return true;
}
