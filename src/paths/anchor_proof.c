/* SPDX-License-Identifier: MIT */
/*
 * Anchors, see rhomb/anchors.h. P goes through *runs*, which are words that are in the target just
 * once, in the same order there, extended by matches to both sides. Between runs are *gaps*, whose
 * costs are bounded as if nothing matched there:
 *
 *      gap 0   run 0    gap 1   run 1    ...   run R - 1   gap R
 *     |------|========|-------|========|     |===========|-------|
 *
 * Let B be what the gaps before a place cost, and e what a broken word does. Between a place a and
 * a later one b, P costs B(b) - B(a), and the words that count are those that end up to b, less
 * those that begin before a. So x is proved if e * begun(a) - B(a) <= e * ended(b) - B(b) for all a
 * up to x and all b after it: the most on the left is compared with the least on the right. Within
 * one run P costs nothing. A place in a gap has the gap's cost and none of its words.
 */
#include "src/paths/anchor_proof.h"

#include "src/base/int64.h"
#include "src/base/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Words by chance: one of 4^6 words that the target does not have otherwise. */
enum { LEAST_WORD = 16, MOST_WORD = 31, BEYOND_CHANCE = 6 };

/* Of a target that a thread looks through at a time. */
#define PIECE (INT64_C(1) << 20)

/* A slot without a word, and a word that is not of A, C, G and T. */
#define NONE UINT32_MAX

/* The words of the query, side by side, and where the target has them. */
typedef struct words {
    const rhomb_pair *pair;
    int64_t length, count;
    uint64_t *codes;
    uint32_t *same; /* the first word with that code, or NONE */
    uint32_t *slots;
    uint64_t mask;       /* of slots */
    atomic_uchar *times; /* in the target; 2: or more */
    int64_t *places;     /* one of them */
    uint32_t *counted;   /* words before each that count for the proof */
} words;

/* Matches on one diagonal. */
typedef rhomb_anchor run;

static int code_of(char base)
{
    switch (base) {
    case 'A':
    case 'a':
        return 0;
    case 'C':
    case 'c':
        return 1;
    case 'G':
    case 'g':
        return 2;
    case 'T':
    case 't':
    case 'U':
    case 'u':
        return 3;
    default:
        return -1;
    }
}

static bool match(char a, char b)
{
    const int code = code_of(a);
    return code >= 0 && code == code_of(b);
}

int64_t rhomb__anchor_word(int64_t target_length)
{
    int64_t word = BEYOND_CHANCE;
    for (int64_t all = 1; all < target_length; all *= 4)
        word++;
    return rhomb__min(rhomb__max(word, LEAST_WORD), MOST_WORD);
}

/*
 * A mismatch breaks one word, a gap in the query one or none, and one in the target, of L bases, at
 * most 2 + (L - 2) / k, the larger of which only cost more each.
 */
int64_t rhomb__anchor_edit(const rhomb__costs *costs, int64_t word)
{
    int64_t least = rhomb__min(costs->mismatch, rhomb__costs_gap(costs, 1));
    for (int64_t broken = 2; broken < 1000; broken++)
        least = rhomb__min(least, rhomb__costs_gap(costs, 2 + (broken - 2) * word) / broken);
    for (int piece = 0; piece < costs->pieces; piece++)
        least = rhomb__min(least, costs->extend[piece] * (word - 1));
    return least;
}

static uint64_t slot_of(const words *w, uint64_t code)
{
    return (code * UINT64_C(0x9e3779b97f4a7c15) >> 20) & w->mask;
}

/* Fills the table with the query's words. */
static void enter_words(words *w)
{
    memset(w->slots, 0xff, (w->mask + 1) * sizeof *w->slots);
    for (int64_t i = 0; i < w->count; i++) {
        uint64_t code = 0;
        bool is_known = true;
        for (int64_t k = 0; k < w->length; k++) {
            const int base = code_of(w->pair->query[i * w->length + k]);
            is_known = is_known && base >= 0;
            code = code << 2 | (uint64_t)(base & 3);
        }
        w->codes[i] = code;
        w->same[i] = NONE;
        if (!is_known)
            continue;
        uint64_t at = slot_of(w, code);
        while (w->slots[at] != NONE && w->codes[w->slots[at]] != code)
            at = (at + 1) & w->mask;
        if (w->slots[at] == NONE)
            w->slots[at] = (uint32_t)i;
        w->same[i] = w->slots[at];
    }
}

static void note_word(words *w, uint64_t code, int64_t place)
{
    uint64_t at = slot_of(w, code);
    for (; w->slots[at] != NONE; at = (at + 1) & w->mask) {
        const uint32_t word = w->slots[at];
        if (w->codes[word] != code)
            continue;
        /* Which place stays is only asked where there is one. */
        if (atomic_load_explicit(&w->times[word], memory_order_relaxed) < 2 &&
            atomic_fetch_add_explicit(&w->times[word], 1, memory_order_relaxed) == 0)
            w->places[word] = place;
        return;
    }
}

/* Looks for the words that begin in a piece of the target. */
static void scan_piece(int64_t index, void *user)
{
    words *w = user;
    const char *target = w->pair->target;
    const int64_t begin = index * PIECE;
    const int64_t end = rhomb__min(begin + PIECE + w->length - 1, w->pair->target_length);
    const uint64_t mask = (UINT64_C(1) << 2 * w->length) - 1;
    uint64_t code = 0;
    int64_t known = 0; /* bases of the word so far */
    for (int64_t at = begin; at < end; at++) {
        const int base = code_of(target[at]);
        known = base < 0 ? 0 : known + 1;
        code = (code << 2 | (uint64_t)(base & 3)) & mask;
        if (known >= w->length)
            note_word(w, code, at + 1 - w->length);
    }
}

static bool is_single(const words *w, int64_t i)
{
    return w->same[i] != NONE && atomic_load(&w->times[w->same[i]]) == 1;
}

/*
 * The longest list of words that the target has once each and in this order, by the places where
 * lists of each length end least far. Its words are in `list`, which has room for all. Their
 * number, -1 without memory.
 */
static int64_t chain(const words *w, uint32_t *list)
{
    int64_t length = 0;
    uint32_t *before = malloc((size_t)rhomb__max(w->count, 1) * sizeof *before);
    if (before == NULL)
        return -1;
    for (int64_t i = 0; i < w->count; i++) {
        if (!is_single(w, i))
            continue;
        int64_t low = 0, high = length;
        while (low < high) {
            const int64_t middle = (low + high) / 2;
            if (w->places[w->same[list[middle]]] < w->places[w->same[i]])
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low > 0 ? list[low - 1] : NONE;
        list[low] = (uint32_t)i;
        length = rhomb__max(length, low + 1);
    }
    for (int64_t i = length - 1; i > 0; i--)
        list[i - 1] = before[list[i]];
    free(before);
    return length;
}

/* Extends a run by matches, to the left up to where the one before ends. */
static run extend(const rhomb_pair *p, run r, int64_t target_from, int64_t query_from)
{
    while (r.target > target_from && r.query > query_from &&
           match(p->target[r.target - 1], p->query[r.query - 1])) {
        r.target--;
        r.query--;
        r.length++;
    }
    while (r.target + r.length < p->target_length && r.query + r.length < p->query_length &&
           match(p->target[r.target + r.length], p->query[r.query + r.length]))
        r.length++;
    return r;
}

/* The runs of the words of a list, which become fewer. Their number. */
static int64_t make_runs(const words *w, const uint32_t *list, int64_t count, run *runs)
{
    int64_t made = 0, target = 0, query = 0; /* where the last one ends */
    for (int64_t i = 0; i < count; i++) {
        const run word = {w->places[w->same[list[i]]], list[i] * w->length, w->length};
        if (word.target < target || word.query < query)
            continue;
        const run r = extend(w->pair, word, target, query);
        runs[made++] = r;
        target = r.target + r.length;
        query = r.query + r.length;
    }
    return made;
}

/* Counts the words that no path has without a match of P, which costs them an edit. */
static void count_words(words *w, const run *runs, int64_t count)
{
    int64_t at = 0;
    w->counted[0] = 0;
    for (int64_t i = 0; i < w->count; i++) {
        const int64_t query = i * w->length, end = query + w->length;
        while (at < count && runs[at].query + runs[at].length < end)
            at++;
        const bool in_run = at < count && runs[at].query <= query;
        const int times = w->same[i] != NONE ? atomic_load(&w->times[w->same[i]]) : 2;
        const bool counts =
            times == 0 || (times == 1 && in_run &&
                           w->places[w->same[i]] - query == runs[at].target - runs[at].query);
        w->counted[i + 1] = w->counted[i] + counts;
    }
}

/* Words that count and begin before a base of the query, and that end up to it. */
static int64_t begun(const words *w, int64_t query)
{
    return w->counted[rhomb__min(rhomb__ceil_div(query, w->length), w->count)];
}

static int64_t ended(const words *w, int64_t query)
{
    return w->counted[query / w->length];
}

/* The first number of words of which more than `most` count; one above all: none. */
static int64_t first_above(const words *w, int64_t most)
{
    int64_t low = 0;
    int64_t high = w->count + 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (w->counted[middle] <= most)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * The part of a run whose matches are proved: from where enough words end that what is on the left,
 * at most `left`, does not exceed them, to where not more begin than `right` allows, the least.
 */
static run proved(const words *w, const run *r, int64_t edit, int64_t left, int64_t right,
                  int64_t before)
{
    const int64_t end = r->query + r->length;
    const int64_t needed = rhomb__ceil_div(rhomb__max(left + before, 0), edit);
    const int64_t allowed = rhomb__floor_div(right + before, edit);
    run part = *r;
    if (allowed < 0)
        return (run){0};
    /* The match of base q is after the places up to q, and before those from q + 1 on. */
    const int64_t from = first_above(w, needed - 1) * w->length - 1;
    const int64_t words_at_most = first_above(w, allowed) - 1;
    const int64_t last = words_at_most < w->count ? words_at_most * w->length : end;
    const int64_t begin = rhomb__max(from, r->query), stop = rhomb__min(last + 1, end);
    part.target += begin - r->query;
    part.query = begin;
    part.length = stop - begin;
    return part;
}

/* What gap number `index` costs at most. */
static int64_t gap_cost(const words *w, const rhomb__costs *costs, const run *runs, int64_t count,
                        int64_t index)
{
    const run *before = index > 0 ? &runs[index - 1] : NULL;
    const run *after = index < count ? &runs[index] : NULL;
    const int64_t target = before != NULL ? before->target + before->length : 0;
    const int64_t query = before != NULL ? before->query + before->length : 0;
    return rhomb__costs_most(costs,
                             (after != NULL ? after->target : w->pair->target_length) - target,
                             (after != NULL ? after->query : w->pair->query_length) - query);
}

/* Turns runs into anchors, in their place, and returns how many there are; -1 without memory. */
static int64_t prove(const words *w, const rhomb__costs *costs, run *runs, int64_t count)
{
    const int64_t edit = rhomb__anchor_edit(costs, w->length);
    int64_t *least = malloc((size_t)(count + 1) * sizeof *least);   /* on the right of each run */
    int64_t *before = malloc((size_t)(count + 2) * sizeof *before); /* what the gaps cost */
    int64_t most = INT64_MIN, made = 0;
    if (least == NULL || before == NULL || edit == 0) {
        const bool has_memory = least != NULL && before != NULL;
        free(least);
        free(before);
        return has_memory ? 0 : -1;
    }
    before[0] = 0;
    for (int64_t i = 0; i <= count; i++)
        before[i + 1] = before[i] + gap_cost(w, costs, runs, count, i);
    for (int64_t i = count; i > 0; i--) {
        const int64_t here =
            edit * ended(w, runs[i - 1].query + runs[i - 1].length) - before[i + 1];
        least[i - 1] = i == count ? here : rhomb__min(here, least[i]);
    }
    for (int64_t i = 0; i < count; i++) {
        most = rhomb__max(most, edit * begun(w, runs[i].query) - before[i]);
        const run part = proved(w, &runs[i], edit, most, least[i], before[i + 1]);
        if (part.length > 0)
            runs[made++] = part;
    }
    free(least);
    free(before);
    return made;
}

static bool allocate(words *w)
{
    const size_t count = (size_t)w->count;
    uint64_t slots = 2;
    while (slots < 2 * count)
        slots *= 2;
    w->mask = slots - 1;
    w->codes = malloc(count * sizeof *w->codes);
    w->same = malloc(count * sizeof *w->same);
    w->slots = malloc(slots * sizeof *w->slots);
    w->times = calloc(count, sizeof *w->times);
    w->places = malloc(count * sizeof *w->places);
    w->counted = malloc((count + 1) * sizeof *w->counted);
    return w->codes != NULL && w->same != NULL && w->slots != NULL && w->times != NULL &&
           w->places != NULL && w->counted != NULL;
}

static void release(words *w)
{
    free(w->codes);
    free(w->same);
    free(w->slots);
    free(w->times);
    free(w->places);
    free(w->counted);
}

/* The runs of the words that the target has once; their number, -1 without memory. */
static int64_t find_runs(const words *w, run **runs)
{
    uint32_t *list = malloc((size_t)w->count * sizeof *list);
    int64_t count = list != NULL ? chain(w, list) : -1;
    *runs = count > 0 ? malloc((size_t)count * sizeof **runs) : NULL;
    if (count > 0)
        count = *runs != NULL ? make_runs(w, list, count, *runs) : -1;
    free(list);
    return count;
}

/* Enters the words of a pair; false without memory. */
static bool begin(words *w, const rhomb_pair *pair, int64_t word, int32_t threads)
{
    *w = (words){.pair = pair, .length = word, .count = pair->query_length / word};
    if (!allocate(w))
        return false;
    enter_words(w);
    rhomb__parallel_run(rhomb__threads_meant(threads), rhomb__ceil_div(pair->target_length, PIECE),
                        scan_piece, w);
    return true;
}

int64_t rhomb__anchors_of_runs(const rhomb_pair *pair, const rhomb__costs *costs, int64_t word,
                               rhomb_anchor *runs, int64_t count)
{
    words w;
    int64_t proved = -1;
    if (begin(&w, pair, word, 1)) {
        count_words(&w, runs, count);
        proved = prove(&w, costs, runs, count);
    }
    release(&w);
    return proved;
}

rhomb_status rhomb__anchors_by_words(const rhomb_pair *pair, const rhomb__costs *costs,
                                     int64_t word, int32_t threads, rhomb_anchor **anchors,
                                     size_t *count)
{
    words w;
    int64_t found = -1;
    *anchors = NULL;
    *count = 0;
    if (pair->query_length < word || pair->query_length / word >= NONE || costs->matrix != NULL)
        return RHOMB_OK;
    if (begin(&w, pair, word, threads))
        found = find_runs(&w, anchors);
    if (found > 0) {
        count_words(&w, *anchors, found);
        found = prove(&w, costs, *anchors, found);
    }
    release(&w);
    if (found <= 0) {
        free(*anchors);
        *anchors = NULL;
    }
    *count = (size_t)rhomb__max(found, 0);
    return found < 0 ? RHOMB_ERR_MEMORY : RHOMB_OK;
}

rhomb_status rhomb_anchors_find(const rhomb_pair *pair, const rhomb_scoring *scoring,
                                int32_t threads, rhomb_anchor **anchors, size_t *count)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb__costs costs = rhomb__costs_edit();
    if (pair == NULL || anchors == NULL || count == NULL || pair->target_length < 0 ||
        pair->query_length < 0 || (pair->target == NULL && pair->target_length > 0) ||
        (pair->query == NULL && pair->query_length > 0) || threads < 0)
        return RHOMB_ERR_ARGUMENT;
    if (scoring != NULL && rhomb__costs_of(&error, scoring, &costs) != RHOMB_OK)
        return RHOMB_ERR_ARGUMENT;
    return rhomb__anchors_by_words(pair, &costs, rhomb__anchor_word(pair->target_length), threads,
                                   anchors, count);
}

void rhomb_anchors_destroy(rhomb_anchor *anchors)
{
    free(anchors);
}
