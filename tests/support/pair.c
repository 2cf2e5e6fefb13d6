/* SPDX-License-Identifier: MIT */
/*
 * Random pairs of sequences, see pair.h.
 */
#include "pair.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void letters_append(letters *to, const char *at, int64_t length)
{
    if (to->at == NULL || to->length + length > to->room) {
        to->room = 2 * (to->length + length) + 1;
        to->at = realloc(to->at, (size_t)to->room);
        if (to->at == NULL)
            abort();
    }
    if (length > 0)
        memcpy(to->at + to->length, at, (size_t)length);
    to->length += length;
}

void letters_repeat(letters *to, const char *unit, int64_t length)
{
    const int64_t size = (int64_t)strlen(unit);
    for (int64_t i = 0; i < length; i++)
        letters_append(to, unit + i % size, 1);
}

static char any_letter(const char *alphabet, rng *r)
{
    return alphabet[rng_below(r, (int64_t)strlen(alphabet))];
}

void letters_random(letters *to, const char *alphabet, int64_t length, rng *r)
{
    for (int64_t i = 0; i < length; i++) {
        const char letter = any_letter(alphabet, r);
        letters_append(to, &letter, 1);
    }
}

/* Appends one base of `from` with an edit: substituted, preceded by another one, or left out. */
static void append_edited(letters *to, char letter, const char *alphabet, rng *r)
{
    const int64_t kind = rng_below(r, 3);
    if (kind < 2)
        letters_random(to, alphabet, 1, r);
    if (kind == 1)
        letters_append(to, &letter, 1);
}

void letters_mutate(letters *to, const letters *from, double error_rate, const char *alphabet,
                    rng *r)
{
    for (int64_t i = 0; i < from->length; i++) {
        if (rng_chance(r, error_rate))
            append_edited(to, from->at[i], alphabet, r);
        else
            letters_append(to, from->at + i, 1);
    }
}

void letters_reverse(letters *these)
{
    for (int64_t i = 0, j = these->length - 1; i < j; i++, j--) {
        const char letter = these->at[i];
        these->at[i] = these->at[j];
        these->at[j] = letter;
    }
}

/* Takes `count` bases out at `at`, or puts as many new ones there. */
static void insert_or_delete(letters *these, int64_t at, int64_t count, const char *alphabet,
                             rng *r)
{
    letters changed = {NULL, 0, 0};
    letters_append(&changed, these->at, at);
    if (rng_chance(r, 0.5)) {
        letters_random(&changed, alphabet, count, r);
    } else {
        const int64_t left = these->length - at;
        at += count < left ? count : left;
    }
    letters_append(&changed, these->at + at, these->length - at);
    free(these->at);
    *these = changed;
}

/* Writes `letter` over a stretch. */
static void cover_with_run(letters *these, char letter, rng *r)
{
    const int64_t at = rng_below(r, these->length + 1);
    const int64_t length = rng_below(r, these->length - at + 1);
    if (length > 0)
        memset(these->at + at, letter, (size_t)length);
}

/* A run of one base between two random pieces; either piece may be missing. */
static void append_homopolymer(letters *to, const pair_recipe *recipe, int64_t length,
                               const letters *before, const letters *after)
{
    const char unit[2] = {recipe->alphabet[0], '\0'};
    letters_append(to, before->at, before->length);
    letters_repeat(to, unit, length);
    letters_append(to, after->at, after->length);
}

static void make_tandem(const pair_recipe *recipe, rng *r, pair *p)
{
    char unit[40] = "";
    const int64_t size = rng_between(r, 1, rng_chance(r, 0.8) ? 7 : 37);
    for (int64_t i = 0; i < size; i++)
        unit[i] = any_letter(recipe->alphabet, r);
    letters other = {NULL, 0, 0};
    letters_repeat(&p->a, unit, recipe->length);
    letters_repeat(&other, unit, recipe->length + size * rng_between(r, -3, 3));
    letters_mutate(&p->b, &other, recipe->error_rate, recipe->alphabet, r);
    free(other.at);
}

static void make_homopolymers(const pair_recipe *recipe, rng *r, pair *p)
{
    letters before = {NULL, 0, 0}, after = {NULL, 0, 0};
    letters_random(&before, recipe->alphabet, rng_below(r, 20) * rng_below(r, 2), r);
    letters_random(&after, recipe->alphabet, rng_below(r, 20) * rng_below(r, 2), r);
    append_homopolymer(&p->a, recipe, recipe->length, &before, &after);
    append_homopolymer(&p->b, recipe, rng_below(r, 2 * recipe->length + 2), &before, &after);
    free(before.at);
    free(after.at);
}

static void swap_blocks(const pair_recipe *recipe, rng *r, pair *p)
{
    const int64_t middle = rng_below(r, p->a.length + 1);
    letters swapped = {NULL, 0, 0};
    letters_append(&swapped, p->a.at + middle, p->a.length - middle);
    letters_append(&swapped, p->a.at, middle);
    letters_mutate(&p->b, &swapped, recipe->error_rate, recipe->alphabet, r);
    free(swapped.at);
}

static void take_part(const pair_recipe *recipe, rng *r, pair *p)
{
    const int64_t cut = rng_below(r, p->a.length + 1), kind = rng_below(r, 3);
    const int64_t begin = kind == 0 ? 0 : cut / (kind == 1 ? 1 : 2);
    const int64_t end = kind == 1 ? p->a.length : cut;
    const letters part = {p->a.at + begin, end - begin, 0};
    letters_mutate(&p->b, &part, recipe->error_rate, recipe->alphabet, r);
}

static void add_spaced_edits(const pair_recipe *recipe, rng *r, pair *p)
{
    for (int64_t i = 0; i < p->a.length; i++) {
        if (i % recipe->spacing == recipe->spacing - 1)
            append_edited(&p->b, p->a.at[i], recipe->alphabet, r);
        else
            letters_append(&p->b, p->a.at + i, 1);
    }
}

static void add_long_indels(const pair_recipe *recipe, int64_t count, rng *r, pair *p)
{
    letters_mutate(&p->b, &p->a, recipe->error_rate, recipe->alphabet, r);
    for (; count > 0; count--)
        insert_or_delete(&p->b, rng_below(r, p->b.length + 1),
                         rng_between(r, 0, recipe->longest_indel), recipe->alphabet, r);
}

static void cover_with_runs(const pair_recipe *recipe, rng *r, pair *p)
{
    const char *n = strchr(recipe->alphabet, 'N');
    const char letter = n != NULL ? *n : recipe->alphabet[0];
    if (rng_chance(r, 0.5))
        cover_with_run(&p->a, letter, r);
    letters_mutate(&p->b, &p->a, recipe->error_rate, recipe->alphabet, r);
    for (int64_t runs = rng_below(r, 3); runs > 0; runs--)
        cover_with_run(&p->b, letter, r);
}

/* As two assemblies have stretches of N: both, with an indel in front; some with two bases. */
static void make_gaps(const pair_recipe *recipe, rng *r, pair *p)
{
    while (p->a.length < recipe->length) {
        const int64_t left = recipe->length - p->a.length;
        letters piece = {NULL, 0, 0};
        letters_random(&piece, recipe->alphabet, rng_between(r, 1, left / 4 + 1), r);
        letters_append(&p->a, piece.at, piece.length);
        letters_mutate(&p->b, &piece, recipe->error_rate, recipe->alphabet, r);
        free(piece.at);
        letters_random(rng_chance(r, 0.5) ? &p->a : &p->b, recipe->alphabet,
                       rng_below(r, recipe->longest_indel / 4 + 2), r);
        for (int64_t letters_of_gap = rng_between(r, 1, 2); letters_of_gap > 0; letters_of_gap--) {
            const char unit[2] = {any_letter(recipe->alphabet, r), '\0'};
            const int64_t length = rng_between(r, 1, left + 1);
            letters_repeat(&p->a, unit, length);
            letters_repeat(&p->b, unit, length + rng_below(r, 2) * rng_below(r, 9));
        }
    }
}

/* Makes p->b from p->a, which is random; TANDEM, HOMOPOLYMER and GAPS make both. */
static void make_second(const pair_recipe *recipe, rng *r, pair *p)
{
    switch (recipe->model) {
    case PAIR_SPACED:
        add_spaced_edits(recipe, r, p);
        break;
    case PAIR_LONG_INDEL:
        add_long_indels(recipe, 1, r, p);
        break;
    case PAIR_LONG_INDELS:
        add_long_indels(recipe, rng_between(r, 2, 5), r, p);
        break;
    case PAIR_BLOCK_SWAP:
        swap_blocks(recipe, r, p);
        break;
    case PAIR_TANDEM:
        make_tandem(recipe, r, p);
        break;
    case PAIR_HOMOPOLYMER:
        make_homopolymers(recipe, r, p);
        break;
    case PAIR_RUNS:
        cover_with_runs(recipe, r, p);
        break;
    case PAIR_GAPS:
        make_gaps(recipe, r, p);
        break;
    case PAIR_UNRELATED:
        letters_random(&p->b, recipe->alphabet, recipe->length + rng_below(r, 5), r);
        break;
    case PAIR_UNEQUAL:
        letters_random(&p->b, recipe->alphabet, rng_below(r, recipe->length / 20 + 4), r);
        break;
    case PAIR_PART:
        take_part(recipe, r, p);
        break;
    default:
        letters_mutate(&p->b, &p->a, recipe->error_rate, recipe->alphabet, r);
        break;
    }
    if (recipe->model == PAIR_REVERSED)
        letters_reverse(&p->b);
}

static void lower_some(letters *these, rng *r)
{
    bool lower = false;
    for (int64_t i = 0; i < these->length; i++) {
        lower ^= rng_chance(r, 0.1);
        if (lower)
            these->at[i] = (char)tolower((unsigned char)these->at[i]);
    }
}

void pair_make(const pair_recipe *recipe, rng *r, pair *p)
{
    pair_release(p);
    letters_append(&p->a, "", 0);
    letters_append(&p->b, "", 0);
    if (recipe->model != PAIR_TANDEM && recipe->model != PAIR_HOMOPOLYMER &&
        recipe->model != PAIR_GAPS)
        letters_random(&p->a, recipe->alphabet, recipe->length, r);
    make_second(recipe, r, p);
    if (recipe->lower_case) {
        lower_some(&p->a, r);
        lower_some(&p->b, r);
    }
    if (rng_chance(r, 0.5))
        pair_swap(p);
}

void pair_swap(pair *p)
{
    const letters a = p->a;
    p->a = p->b;
    p->b = a;
}

/* Its bits, after a 1. */
static void string_of(letters *to, int number)
{
    to->length = 0;
    letters_append(to, "", 0);
    for (; number > 1; number >>= 1)
        letters_append(to, (number & 1) != 0 ? "C" : "A", 1);
}

void pair_tiny(pair *p, int strings, int number)
{
    string_of(&p->a, 1 + number % strings);
    string_of(&p->b, 1 + number / strings);
}

void pair_release(pair *p)
{
    const pair none = {{NULL, 0, 0}, {NULL, 0, 0}};
    free(p->a.at);
    free(p->b.at);
    *p = none;
}

const char *pair_model_text(pair_model model)
{
    static const char *const TEXTS[] = {
#define PAIR_MODEL_TEXT(name, text) text,
        PAIR_MODELS(PAIR_MODEL_TEXT)
#undef PAIR_MODEL_TEXT
    };
    return TEXTS[model];
}

enum { CHUNK = 4096 };

/* Random symbols up to a place beside the edge of a chunk of `a`, and of `b` with some edits. */
static void append_to_edge(pair *p, int64_t beside, rng *r)
{
    const int64_t from = p->a.length, edge = (from + 200 + CHUNK) / CHUNK * CHUNK + beside;
    letters_random(&p->a, "ACGT", edge - from, r);
    for (int64_t at = from, left; at < edge; at += left) {
        left = edge - at < 300 ? edge - at : rng_between(r, 100, 300);
        letters_append(&p->b, p->a.at + at, left);
        if (rng_chance(r, 0.5))
            letters_random(&p->b, "ACGT", rng_between(r, 1, 6), r);
        else
            p->b.length -= rng_between(r, 1, 6);
    }
}

void pair_make_known_runs(const char *symbols, int64_t number, rng *r, pair *p)
{
    p->a.length = p->b.length = 0;
    for (int run = 0; run < 2; run++) {
        const int64_t length = (1 + (number + run) % 5) * CHUNK + (number / 5 + run) % 3 - 1;
        const char symbol[] = {symbols[run], '\0'}, next[] = {symbols[1 - run], '\0'};
        append_to_edge(p, (number + run) % 3 - 1, r);
        letters_repeat(&p->a, symbol, length);
        letters_repeat(&p->b, symbol,
                       rng_chance(r, 0.3) ? length : length + rng_between(r, -40, 40));
        if (rng_chance(r, 0.5)) { /* another one right after it */
            letters_repeat(&p->a, next, CHUNK + 30);
            letters_repeat(&p->b, next, CHUNK + rng_between(r, -10, 70));
        }
    }
    letters_random(&p->a, "ACGT", 100, r);
    letters_append(&p->b, p->a.at + p->a.length - 100, 100);
    if (number % 2 != 0) {
        letters_reverse(&p->a);
        letters_reverse(&p->b);
    }
}
