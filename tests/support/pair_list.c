/* SPDX-License-Identifier: MIT */
/*
 * See pair_list.h.
 */
#include "pair_list.h"

#include "tests/reference/edlib_distance.h"
#include "tests/reference/random_bases.h"

#include <stdlib.h>
#include <string.h>

/* Rounds in which a planted pair comes closer to its distance. */
#define MOST_ROUNDS 64

pair_list pair_list_of(const char *family, rhomb_alphabet alphabet)
{
    const pair_list list = {.family = family, .alphabet = alphabet};
    match_iupac(alphabet == RHOMB_ALPHABET_IUPAC);
    return list;
}

static char compared_letter(const pair_list *list, char letter)
{
    return list->alphabet != RHOMB_ALPHABET_BYTES ? folded_base(letter) : letter;
}

/* Appends a text to both copies; true where it has IUPAC codes. */
static bool append(pair_list *list, const letters *text)
{
    const int64_t begin = list->given.length;
    bool other = false;
    letters_append(&list->given, text->at, text->length);
    letters_append(&list->compared, text->at, text->length);
    for (int64_t x = begin; x < list->compared.length; x++) {
        const char letter = compared_letter(list, list->compared.at[x]);
        list->compared.at[x] = letter;
        other |= letter != 'A' && letter != 'C' && letter != 'G' && letter != 'T';
    }
    return other;
}

listed_pair *pair_list_add_known(pair_list *list, const pair *p, int64_t distance)
{
    if (list->count == list->room) {
        list->room = 2 * list->room + 64;
        list->at = realloc(list->at, (size_t)list->room * sizeof *list->at);
        if (list->at == NULL)
            abort();
    }
    listed_pair *new = &list->at[list->count++];
    new->target_at = list->given.length;
    new->target_length = p->a.length;
    const bool other_target = append(list, &p->a);
    new->query_at = list->given.length;
    new->query_length = p->b.length;
    const bool other_query = append(list, &p->b);
    new->other_bases = other_target || other_query;
    new->distance = distance;
    new->status = RHOMB_OK;
    return new;
}

listed_pair *pair_list_add(pair_list *list, const pair *p)
{
    listed_pair *new = pair_list_add_known(list, p, 0);
    const rhomb_pair texts = pair_list_compared(list, list->count - 1);
    new->distance =
        oracle_edlib(texts.target, texts.target_length, texts.query, texts.query_length);
    return new;
}

static rhomb_pair texts_of(const pair_list *list, const letters *text, int64_t index)
{
    const listed_pair *p = &list->at[index];
    const rhomb_pair texts = {text->at + p->target_at, p->target_length, text->at + p->query_at,
                              p->query_length};
    return texts;
}

rhomb_pair pair_list_given(const pair_list *list, int64_t index)
{
    return texts_of(list, &list->given, index);
}

rhomb_pair pair_list_compared(const pair_list *list, int64_t index)
{
    return texts_of(list, &list->compared, index);
}

void pair_list_release(pair_list *list)
{
    free(list->given.at);
    free(list->compared.at);
    free(list->at);
    *list = pair_list_of(list->family, list->alphabet);
}

/* Changes the base at `at` to another one. */
static void substitute(letters *text, int64_t at, const char *alphabet, rng *r)
{
    const char before = text->at[at];
    while (text->at[at] == before)
        text->at[at] = alphabet[rng_below(r, (int64_t)strlen(alphabet))];
}

static void insert(letters *text, int64_t at, char letter)
{
    letters_append(text, &letter, 1);
    memmove(text->at + at + 1, text->at + at, (size_t)(text->length - 1 - at));
    text->at[at] = letter;
}

static void delete (letters *text, int64_t at)
{
    memmove(text->at + at, text->at + at + 1, (size_t)(text->length - 1 - at));
    text->length--;
}

/* One edit, between the positions `begin` and `end` of a text, so the distance grows by one at
 * most. */
static void edit(plant how, letters *text, int64_t begin, int64_t end, const char *alphabet, rng *r)
{
    const int64_t at = rng_between(r, begin, end - 1);
    const int64_t kind = how == PLANT_SUBSTITUTIONS ? 0 : rng_below(r, 3);
    if (kind == 0)
        substitute(text, at, alphabet, r);
    else if (kind == 1)
        insert(text, at, alphabet[rng_below(r, (int64_t)strlen(alphabet))]);
    else
        delete (text, at);
}

/* The two texts that edits are added to, at most `distance` apart. */
static void make_base(plant how, int64_t length, int64_t distance, const char *alphabet, rng *r,
                      pair *p)
{
    char unit[8] = "";
    pair_release(p);
    letters_append(&p->a, "", 0);
    for (int64_t x = 0; x < (how == PLANT_HOMOPOLYMER ? 1 : 5); x++)
        unit[x] = alphabet[rng_below(r, (int64_t)strlen(alphabet))];
    if (how == PLANT_HOMOPOLYMER || how == PLANT_TANDEM)
        letters_repeat(&p->a, unit, length);
    else
        letters_random(&p->a, alphabet, length, r);
    const int64_t cut = how == PLANT_INDEL                                ? distance - distance / 8
                        : how == PLANT_HOMOPOLYMER || how == PLANT_TANDEM ? distance / 2
                                                                          : 0;
    const int64_t at = rng_below(r, length - cut + 1);
    letters_append(&p->b, p->a.at, at);
    letters_append(&p->b, p->a.at + at + cut, length - cut - at);
}

static int64_t distance_of(const pair *p)
{
    return oracle_edlib(p->a.at, p->a.length, p->b.at, p->b.length);
}

bool pair_plant(plant how, int64_t length, int64_t distance, const char *alphabet, rng *r, pair *p)
{
    if (length < distance)
        return false;
    make_base(how, length, distance, alphabet, r, p);
    int64_t now = distance_of(p);
    for (int round = 0; now != distance && round < MOST_ROUNDS; round++) {
        for (int64_t edits = distance - now; edits > 0; edits--) {
            const int64_t middle = p->b.length / 2;
            const bool block = how == PLANT_BLOCK && middle > distance;
            if (p->b.length == 0)
                insert(&p->b, 0, alphabet[0]);
            else
                edit(how, &p->b, block ? middle - distance : 0,
                     block ? middle + distance : p->b.length, alphabet, r);
        }
        now = distance_of(p);
    }
    if (rng_chance(r, 0.5))
        pair_swap(p);
    return now == distance;
}
