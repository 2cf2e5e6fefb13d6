/* SPDX-License-Identifier: MIT */
/*
 * See drawn_path.h.
 */
#include "drawn_path.h"

#include <ctype.h>

#include "tests/reference/path.h"
#include "tests/reference/random_bases.h"

/* A base in either case, and one that does not match it. */
static char draw_letter(rng *r)
{
    const char letter = "ACGTUN"[rng_below(r, 6)];
    return rng_chance(r, 0.2) ? (char)tolower(letter) : letter;
}

static char draw_other(rng *r, char letter)
{
    char other = letter;
    while (folded_base(other) == folded_base(letter))
        other = draw_letter(r);
    return other;
}

/* Appends an operation with random bases. */
void drawn_extend(drawn_path *d, rng *r, unsigned code, int64_t length)
{
    cli_path *p = &d->path;
    for (int64_t i = 0; i < length; i++) {
        const char letter = draw_letter(r);
        if (code != RHOMB_CIGAR_I)
            d->target[p->target_length++] = letter;
        if (code == RHOMB_CIGAR_EQ)
            d->query[p->query_length++] = rng_chance(r, 0.5) ? folded_base(letter) : letter;
        else if (code != RHOMB_CIGAR_D)
            d->query[p->query_length++] = code == RHOMB_CIGAR_X ? draw_other(r, letter) : letter;
    }
    d->edits += code == RHOMB_CIGAR_EQ ? 0 : length;
    d->ops[p->count++] = (rhomb_path_op)length << 4 | code;
}

void drawn_clear(drawn_path *d)
{
    d->path = (cli_path){.target_name = "target",
                         .query_name = "query",
                         .target = d->target,
                         .query = d->query,
                         .ops = d->ops};
    d->edits = 0;
}

/* Half of the paths have a scoring of their own. */
static void draw_scoring(drawn_path *d, rng *r)
{
    const bool has_second = rng_chance(r, 0.5);
    d->scoring = (rhomb_scoring){.match = rng_chance(r, 0.5) ? 0 : rng_between(r, 1, 9),
                                 .mismatch = rng_between(r, 1, 9),
                                 .gap_open = rng_between(r, 0, 9),
                                 .gap_extend = rng_between(r, 2, 9),
                                 .gap_open_2 = has_second ? rng_between(r, 10, 30) : -1,
                                 .gap_extend_2 = has_second ? 1 : -1};
    if (rng_chance(r, 0.5))
        d->path.scoring = &d->scoring;
}

/* Codes at random, and then stretches where the path gains and where it is a gap in pieces. */
void drawn_make(drawn_path *d, rng *r)
{
    static const unsigned CODES[] = {RHOMB_CIGAR_EQ, RHOMB_CIGAR_X, RHOMB_CIGAR_I, RHOMB_CIGAR_D};
    const int64_t count = rng_below(r, (rng_chance(r, 0.5) ? 40 : DRAWN_OPS) + 1);
    const bool stretches = rng_chance(r, 0.5);
    unsigned last = 0;
    bool gains = rng_chance(r, 0.5);
    drawn_clear(d);
    draw_scoring(d, r);
    while (d->path.count < count) {
        const unsigned code = CODES[rng_below(r, 4)];
        if (code == last)
            continue;
        last = code;
        gains ^= rng_chance(r, 0.05);
        const bool is_long = stretches ? gains == (code == RHOMB_CIGAR_EQ) : rng_chance(r, 0.2);
        const int64_t most = rng_chance(r, 0.1) ? DRAWN_RUN : 20;
        drawn_extend(d, r, code, rng_between(r, 1, is_long ? most : 4));
    }
}

/* The same from right to left. */
void drawn_backwards(drawn_path *d, const drawn_path *of)
{
    drawn_clear(d);
    d->path.target_length = of->path.target_length;
    d->path.query_length = of->path.query_length;
    d->path.count = of->path.count;
    d->edits = of->edits;
    d->scoring = of->scoring;
    d->path.scoring = of->path.scoring != NULL ? &d->scoring : NULL;
    for (int64_t i = 0; i < of->path.target_length; i++)
        d->target[i] = of->target[of->path.target_length - 1 - i];
    for (int64_t i = 0; i < of->path.query_length; i++)
        d->query[i] = of->query[of->path.query_length - 1 - i];
    for (int64_t i = 0; i < of->path.count; i++)
        d->ops[i] = of->ops[of->path.count - 1 - i];
}

void drawn_extend_by(drawn_path *d, rng *r, const char *cigar)
{
    rhomb_path_op ops[DRAWN_OPS];
    const int64_t count = path_read(cigar, ops);
    for (int64_t i = 0; i < count; i++)
        drawn_extend(d, r, RHOMB_CIGAR_CODE(ops[i]), (int64_t)RHOMB_CIGAR_LENGTH(ops[i]));
}
