/* SPDX-License-Identifier: MIT */
/*
 * Random records of PAF, see verify_model.h.
 */
#include "verify_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/reference/random_bases.h"

static char random_letter(rng *r)
{
    return "ACGTUacgtu"[rng_below(r, 10)];
}

static bool same_letter(char a, char b)
{
    return folded_base(a) == folded_base(b);
}

/* Adds an operation's bases to both sequences. */
static void add_letters(made *m, rng *r, unsigned code, int64_t length)
{
    if (code == RHOMB_CIGAR_EQ && m->first_equal < 0)
        m->first_equal = m->target_length;
    for (int64_t i = 0; i < length; i++) {
        char letter = random_letter(r);
        if (code != RHOMB_CIGAR_I)
            m->target[m->target_length++] = letter;
        const char other = letter;
        const bool matches = code == RHOMB_CIGAR_EQ, is_pair = matches || code == RHOMB_CIGAR_X;
        do
            letter = is_pair ? random_letter(r) : letter;
        while (is_pair && same_letter(letter, other) != matches);
        if (code != RHOMB_CIGAR_D)
            m->query[m->query_length++] = letter;
    }
}

static int64_t add_flank(char *letters, int64_t *length, rng *r)
{
    for (int64_t left = rng_below(r, MOST_FLANK + 1); left > 0; left--)
        letters[(*length)++] = random_letter(r);
    return *length;
}

static void make_ops(made *m, rng *r)
{
    static const unsigned CODES[] = {RHOMB_CIGAR_EQ, RHOMB_CIGAR_X, RHOMB_CIGAR_I, RHOMB_CIGAR_D};
    unsigned before = RHOMB_CIGAR_M;
    m->count = (int)rng_between(r, 1, MOST_OPS);
    for (int i = 0; i < m->count; i++) {
        unsigned code;
        do
            code = CODES[rng_chance(r, 0.4) ? 0 : rng_below(r, 4)];
        while (code == before);
        before = code;
        const int64_t length = rng_between(r, 1, rng_chance(r, 0.1) ? 600 : 9);
        m->ops[i] = (rhomb_path_op)length << 4 | code;
        m->matches += code == RHOMB_CIGAR_EQ ? length : 0;
        m->edits += code == RHOMB_CIGAR_EQ ? 0 : length;
        m->block += length;
        add_letters(m, r, code, length);
    }
}

static void turn_around(made *m)
{
    complement_bases(m->query, m->query_length);
    const int64_t begin = m->query_begin;
    m->query_begin = m->query_length - m->query_end;
    m->query_end = m->query_length - begin;
}

void make_row(made *m, rng *r)
{
    *m = (made){.first_equal = -1, .notation = "=M:lb"[rng_below(r, 5)]};
    m->target_begin = add_flank(m->target, &m->target_length, r);
    m->query_begin = add_flank(m->query, &m->query_length, r);
    make_ops(m, r);
    m->target_end = m->target_length;
    m->query_end = m->query_length;
    add_flank(m->target, &m->target_length, r);
    add_flank(m->query, &m->query_length, r);
    memcpy(m->target_bases, m->target + m->target_begin, sizeof m->target - MOST_FLANK);
    memcpy(m->query_bases, m->query + m->query_begin, sizeof m->query - MOST_FLANK);
    m->reverse = rng_chance(r, 0.5);
    if (m->reverse)
        turn_around(m);
}

/* A base of cs; a path that is too long finds none. */
static char named(const char *letters, int64_t at)
{
    return letters[at] != '\0' ? letters[at] : 'n';
}

/* An operation of a CIGAR, with M or without. */
static size_t print_cigar_op(const made *m, char *out, size_t room, rhomb_path_op op)
{
    const char letter = RHOMB_CIGAR_LETTER(op);
    const bool is_pair = letter == '=' || letter == 'X';
    return (size_t)snprintf(out, room, "%lld%c", (long long)RHOMB_CIGAR_LENGTH(op),
                            m->notation == 'M' && is_pair ? 'M' : letter);
}

/* An operation of cs; `*target` and `*query` are the bases of the path before it. */
static size_t print_difference(const made *m, char *out, size_t room, rhomb_path_op op,
                               int64_t *target, int64_t *query)
{
    const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(op);
    const char letter = RHOMB_CIGAR_LETTER(op);
    const char *named_target = m->target_bases + *target;
    const char *named_query = m->query_bases + *query;
    size_t at = 0;
    *target += letter != 'I' ? length : 0;
    *query += letter != 'D' ? length : 0;
    if (letter == '=' && m->notation != 'l')
        return (size_t)snprintf(out, room, ":%" PRId64, length);
    if (letter != 'X')
        out[at++] = letter == '=' ? '=' : letter == 'I' ? '+' : '-';
    for (int64_t i = 0; i < length; i++) {
        if (letter == 'X')
            out[at++] = '*';
        out[at++] = letter == 'I' ? named(named_query, i) : named(named_target, i);
        if (letter == 'X')
            out[at++] = named(named_query, i);
    }
    return at;
}

static size_t print_path(const made *m, char *out, size_t room)
{
    const bool has_cigar = strchr("=Mb", m->notation) != NULL;
    int64_t target = 0;
    int64_t query = 0;
    size_t at = 0;
    if (has_cigar)
        at = (size_t)snprintf(out, room, "\tcg:Z:");
    for (int i = 0; has_cigar && i < m->count; i++)
        at += print_cigar_op(m, out + at, room - at, m->ops[i]);
    if (has_cigar && m->notation != 'b')
        return at;
    at += (size_t)snprintf(out + at, room - at, "\tcs:Z:");
    for (int i = 0; i < m->count; i++)
        at += print_difference(m, out + at, room - at, m->ops[i], &target, &query);
    return at;
}

const char *print_row(const said *s)
{
    static char text[4 * MOST_LETTERS];
    const made *m = &s->m;
    size_t at = (size_t)snprintf(
        text, sizeof text,
        "q\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%c\tt\t%" PRId64 "\t%" PRId64 "\t%" PRId64
        "\t%" PRId64 "\t%" PRId64 "\t255\tde:f:%.5f",
        s->query_length, m->query_begin, m->query_end, m->reverse ? '-' : '+', s->target_length,
        m->target_begin, m->target_end, m->matches, m->block, s->divergence);
    if (s->scoring != NULL)
        at += (size_t)snprintf(text + at, sizeof text - at, "\tsc:Z:%s", s->scoring);
    at += print_path(m, text + at, sizeof text - at);
    snprintf(text + at, sizeof text - at, "\tNM:i:%" PRId64 "\tAS:i:%" PRId64 "\n", m->edits,
             s->score);
    return text;
}
