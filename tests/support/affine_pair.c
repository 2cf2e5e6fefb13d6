/* SPDX-License-Identifier: MIT */
/*
 * See affine_pair.h. What pair.h has no model for is put together from left to right: bases that
 * both sequences have, and bases of one alone.
 */
#include "affine_pair.h"

#include <stdlib.h>

#define BASES "ACGT"
#define CODES "ACGTNRYSWKMBDHV"

const char *affine_family_text(affine_family family)
{
    static const char *const TEXTS[] = {
#define AFFINE_FAMILY_TEXT(name, text) text,
        AFFINE_FAMILIES(AFFINE_FAMILY_TEXT)
#undef AFFINE_FAMILY_TEXT
    };
    return TEXTS[family];
}

/* Bases that both have, with errors in the second. */
static void add_shared(pair *p, int64_t bases, double error_rate, rng *r)
{
    letters piece = {NULL, 0, 0};
    letters_append(&piece, "", 0);
    letters_random(&piece, BASES, bases, r);
    letters_append(&p->a, piece.at, piece.length);
    letters_mutate(&p->b, &piece, error_rate, BASES, r);
    free(piece.at);
}

static void add_mismatches(pair *p, int64_t bases, rng *r)
{
    for (int64_t i = 0; i < bases; i++) {
        const int64_t one = rng_below(r, 4);
        letters_append(&p->a, &BASES[one], 1);
        letters_append(&p->b, &BASES[(one + rng_between(r, 1, 3)) % 4], 1);
    }
}

static letters *either(pair *p, rng *r)
{
    return rng_chance(r, 0.5) ? &p->a : &p->b;
}

/* 1 in most cases, and up to `most`, each octave as likely. */
static int64_t gap_length(int64_t most, rng *r)
{
    int64_t length = rng_between(r, 1, 3);
    while (length < most && rng_chance(r, 0.6))
        length = 2 * length + rng_below(r, 2);
    return length < most ? length : most > 1 ? most : 1;
}

/* Up to three things side by side: mismatches, a gap, a gap of the other kind. */
static void make_beside(int64_t length, rng *r, pair *p)
{
    while (p->a.length < length) {
        add_shared(p, rng_below(r, 1 + length / 4), 0.02, r);
        letters *side = either(p, r);
        add_mismatches(p, rng_below(r, 4), r);
        letters_random(side, BASES, gap_length(length / 4, r), r);
        if (rng_chance(r, 0.5))
            letters_random(side == &p->a ? &p->b : &p->a, BASES, gap_length(length / 4, r), r);
        add_mismatches(p, rng_below(r, 4), r);
    }
}

static void make_ends(int64_t length, rng *r, pair *p)
{
    const int64_t which = rng_between(r, 1, 15); /* of the four ends */
    for (int end = 0; end < 4; end++) {
        if (end == 2)
            add_shared(p, length / 2, rng_chance(r, 0.5) ? 0.05 : 0, r);
        if ((which >> end & 1) != 0)
            letters_random(end % 2 == 0 ? &p->a : &p->b, BASES, gap_length(length / 2, r), r);
    }
}

/*
 * A gap that ends, begins or lies across row or column `edge`, give or take one:
 *
 *     edge - before        edge
 *          |----- gap -------|---- ...
 */
static void add_gap_at(pair *p, int64_t edge, int64_t most, double error_rate, rng *r)
{
    letters *gapped = either(p, r);
    letters *ruler = rng_chance(r, 0.5) ? gapped : gapped == &p->a ? &p->b : &p->a;
    const int64_t gap = gap_length(most, r);
    const int64_t before = rng_chance(r, 0.3) ? 0 : rng_chance(r, 0.3) ? gap : rng_below(r, gap);
    const int64_t begin = edge - before + rng_between(r, -1, 1);
    const double none = 0;
    while (ruler->length < begin) {
        const int64_t left = begin - ruler->length;
        /* Errors change lengths: none in the last bases. */
        add_shared(p, left > 16 ? left / 2 : left, left > 16 ? error_rate : none, r);
    }
    letters_random(gapped, BASES, gap, r);
}

static void make_across(const int64_t *edges, int64_t count, int64_t length, rng *r, pair *p)
{
    const int64_t unit = edges[rng_below(r, count)];
    const double error_rate = rng_chance(r, 0.5) ? 0.03 : 0;
    const int64_t most = rng_chance(r, 0.5) ? 8 : 2 * unit < length / 2 ? 2 * unit : length / 2;
    for (int64_t edge = unit; edge < length;
         edge += unit * rng_between(r, 1, 1 + length / unit / 3))
        add_gap_at(p, edge, most, error_rate, r);
    add_shared(p, rng_below(r, 80), error_rate, r);
}

/* Stretches of the shorter one, in order, between many bases of the longer one alone. */
static void make_unequal(int64_t length, rng *r, pair *p)
{
    letters *longer = either(p, r);
    const int64_t pieces = rng_below(r, 4);
    for (int64_t i = 0; i < pieces; i++) {
        letters_random(longer, BASES, rng_below(r, 1 + length / (pieces + 1)), r);
        add_shared(p, rng_below(r, 1 + length / 30), 0.1, r);
    }
    letters_random(longer, BASES, rng_below(r, 1 + length / 2), r);
}

static void make_empty(int64_t length, rng *r, pair *p)
{
    const int64_t few = rng_below(r, 4);
    letters *side = either(p, r);
    letters_random(side == &p->a ? &p->b : &p->a, "AC", few < 2 ? 0 : few - 1, r);
    letters_random(side, "AC", rng_chance(r, 0.2) ? 0 : rng_below(r, 1 + length), r);
}

/* By one of the models of pair.h. */
static void make_by_model(pair_model model, const char *alphabet, double error_rate, int64_t length,
                          rng *r, pair *p)
{
    const pair_recipe recipe = {.model = model,
                                .length = length,
                                .error_rate = error_rate,
                                .spacing = 8,
                                .longest_indel = length / 2,
                                .alphabet = alphabet};
    pair_make(&recipe, r, p);
}

void affine_pair_make(affine_family family, int64_t length, rng *r, pair *p)
{
    static const int64_t WORDS[] = {16, 32, 64, 512}, STRIPS[] = {512, 1024, 2048, 4096};
    static const pair_model REPEATS[] = {PAIR_TANDEM, PAIR_HOMOPOLYMER, PAIR_GAPS};
    static const pair_model CODED[] = {PAIR_UNIFORM, PAIR_RUNS, PAIR_LONG_INDELS};
    const double error_rate = (double)rng_between(r, 1, 30) / 100;
    pair_release(p);
    letters_append(&p->a, "", 0);
    letters_append(&p->b, "", 0);
    switch (family) {
    case AFFINE_BESIDE:
        make_beside(length, r, p);
        break;
    case AFFINE_ENDS:
        make_ends(length, r, p);
        break;
    case AFFINE_ACROSS:
        make_across(WORDS, 4, length, r, p);
        break;
    case AFFINE_STRIPS:
        make_across(STRIPS, 4, rng_between(r, 600, 4200), r, p);
        break;
    case AFFINE_UNEQUAL:
        make_unequal(length, r, p);
        break;
    case AFFINE_UNRELATED:
        make_by_model(PAIR_UNRELATED, BASES, 0, length, r, p);
        break;
    case AFFINE_REPEATS:
        make_by_model(REPEATS[rng_below(r, 3)], rng_chance(r, 0.5) ? "AC" : BASES, error_rate / 3,
                      length, r, p);
        break;
    case AFFINE_CODES:
        make_by_model(CODED[rng_below(r, 3)], rng_chance(r, 0.5) ? "ACGTN" : CODES, error_rate,
                      length, r, p);
        break;
    case AFFINE_EMPTY:
        make_empty(length, r, p);
        break;
    default:
        make_by_model(family == AFFINE_LONG_GAPS ? PAIR_LONG_INDELS : PAIR_UNIFORM, BASES,
                      family == AFFINE_LONG_GAPS ? error_rate / 4 : error_rate, length, r, p);
        break;
    }
}

/* Bases of one sequence alone; those of the other are drawn from others. */
static void add_side(pair *p, int64_t most, rng *r)
{
    const bool in_target = rng_chance(r, 0.5);
    letters_random(in_target ? &p->a : &p->b, in_target ? "AC" : "GT", rng_below(r, most + 1), r);
}

void affine_bordered_pair(int64_t length, int64_t gap, rng *r, pair *p)
{
    pair_release(p);
    letters_append(&p->a, "", 0);
    letters_append(&p->b, "", 0);
    add_side(p, gap, r);
    const int64_t most = rng_below(r, length + 1);
    while (p->a.length < most) {
        const int64_t bases = rng_between(r, 1, 1 + length / 4), at = p->a.length;
        if (rng_chance(r, 0.3)) { /* mismatches */
            letters_random(&p->a, "AC", bases, r);
            letters_random(&p->b, "GT", bases, r);
        } else if (rng_chance(r, 0.3)) {
            add_side(p, bases, r);
        } else {
            letters_random(&p->a, rng_chance(r, 0.5) ? "ACGT" : "AG", bases, r);
            letters_append(&p->b, p->a.at + at, bases);
        }
    }
    add_side(p, gap, r);
}
