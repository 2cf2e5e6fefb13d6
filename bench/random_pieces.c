/* SPDX-License-Identifier: MIT */
/*
 * Pairs that are put together from segments, see random_pieces.h.
 *
 * The target is cut into segments in random order, with stretches that both sequences share between
 * them:
 *
 *     target  ----====--------NNNNNNNN------=====--------=====------
 *     query   ----    ---##---NN      ------=x=x=--------~~~~~------
 *              deleted  inserted  run of N   diverged     unrelated
 */
#include "random_pieces.h"

#include <stdlib.h>
#include <string.h>

#include "tests/reference/random_bases.h"

/* Share of edits in a diverged segment. */
#define DIVERGED_RATE 0.25

typedef struct segment {
    random_piece_kind kind;
    int64_t length;
} segment;

/* A pair under construction. */
typedef struct builder {
    const random_recipe *recipe;
    char *target;
    int64_t target_used;
    char *query;
    int64_t query_used;
    int64_t query_room;
    uint64_t state;
    segment *segments;
    int64_t *cuts; /* where the segments lie in what the sequences share */
    int64_t count;
} builder;

/* Classes of a recipe end with one that has no segments. */
static int64_t count_pieces(const random_piece_class *classes)
{
    int64_t count = 0;
    for (; classes->count > 0; classes++)
        count += classes->count * ((INT64_C(1) << classes->octaves) - 1);
    return count;
}

/* Adds the segments of one octave, those that are scaled to nothing left out. */
static void make_octave(builder *w, const random_piece_class *class_, int octave, double scale)
{
    const int64_t longest = class_->longest >> octave;
    const int64_t lengths =
        class_->octaves > 1 ? longest / 2 : longest - class_->shortest + 1; /* that there are */
    for (int64_t i = 0; i < (int64_t)class_->count << octave; i++) {
        const int64_t less = lengths > 1 ? random_below(&w->state, lengths) : 0;
        const segment p = {class_->kind, (int64_t)((double)(longest - less) * scale)};
        if (p.length > 0)
            w->segments[w->count++] = p;
    }
}

/* Makes the segments and puts them in random order. */
static void make_pieces(builder *w, double scale)
{
    for (const random_piece_class *c = w->recipe->classes; c->count > 0; c++)
        for (int octave = 0; octave < c->octaves; octave++)
            make_octave(w, c, octave, scale);
    for (int64_t i = w->count - 1; i > 0; i--) {
        const int64_t other = random_below(&w->state, i + 1);
        const segment swapped = w->segments[i];
        w->segments[i] = w->segments[other];
        w->segments[other] = swapped;
    }
}

static int compare_cuts(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Room in the query for `length` bases; the room is ample, so that it is never cut in practice.
 */
static int64_t query_fit(const builder *w, int64_t length)
{
    const int64_t left = w->query_room - w->query_used;
    return length < left ? length : left;
}

static void query_random(builder *w, int64_t length)
{
    const int64_t fits = query_fit(w, length);
    random_bases(w->query + w->query_used, fits, &w->state);
    w->query_used += fits;
}

/* New bases of the target; returns where they begin. */
static const char *target_random(builder *w, int64_t length)
{
    char *begin = w->target + w->target_used;
    random_bases(begin, length, &w->state);
    w->target_used += length;
    return begin;
}

static int64_t short_length(builder *w)
{
    int64_t length = 1;
    while (random_below(&w->state, w->recipe->short_more + 1) != 0)
        length++;
    return length;
}

/* A stretch that both share, with substitutions and short insertions and deletions. */
static void put_shared(builder *w, int64_t length)
{
    const double substitutions = w->recipe->substitution_rate, shorts = w->recipe->short_rate;
    const uint64_t substituted = random_threshold(substitutions);
    const uint64_t inserted = random_threshold(substitutions + shorts);
    const uint64_t deleted = random_threshold(substitutions + 2 * shorts);
    const char *letters = target_random(w, length);
    for (int64_t i = 0; i < length && query_fit(w, 1) > 0; i++) {
        const uint64_t dice = random_next(&w->state) >> 11;
        if (dice >= inserted && dice < deleted) {
            i += short_length(w) - 1;
            continue;
        }
        w->query[w->query_used++] =
            dice < substituted ? random_other_base(letters[i], &w->state) : letters[i];
        if (dice >= substituted && dice < inserted)
            query_random(w, short_length(w));
    }
}

static void put_inverted(builder *w, int64_t length)
{
    const char *letters = target_random(w, length);
    for (int64_t i = query_fit(w, length); i > 0; i--)
        w->query[w->query_used++] = complement_base(letters[i - 1]);
}

static void put_gap(builder *w, int64_t length)
{
    const int64_t left = query_fit(w, length / w->recipe->query_gap_share);
    memset(w->target + w->target_used, 'N', (size_t)length);
    memset(w->query + w->query_used, 'N', (size_t)left);
    w->target_used += length;
    w->query_used += left;
}

static void put_piece(builder *w, const segment *p)
{
    switch (p->kind) {
    case PIECE_DELETED:
        target_random(w, p->length);
        break;
    case PIECE_INSERTED:
        query_random(w, p->length);
        break;
    case PIECE_UNRELATED:
        target_random(w, p->length);
        query_random(w, p->length);
        break;
    case PIECE_INVERTED:
        put_inverted(w, p->length);
        break;
    case PIECE_DIVERGED: {
        const char *letters = target_random(w, p->length);
        /* Twice as many bases at most come out. */
        w->query_used += random_edits(letters, query_fit(w, 2 * p->length) / 2, DIVERGED_RATE,
                                      &w->state, w->query + w->query_used);
        break;
    }
    case PIECE_GAP:
        put_gap(w, p->length);
        break;
    }
}

/* Lays the segments into a target of `length` bases; false where they leave no room. */
static bool build(builder *w, int64_t length)
{
    int64_t shared = length, before = 0;
    for (int64_t i = 0; i < w->count; i++)
        shared -= w->segments[i].kind != PIECE_INSERTED ? w->segments[i].length : 0;
    if (shared < 0)
        return false;
    for (int64_t i = 0; i < w->count; i++)
        w->cuts[i] = random_below(&w->state, shared + 1);
    qsort(w->cuts, (size_t)w->count, sizeof *w->cuts, compare_cuts);
    for (int64_t i = 0; i < w->count; i++) {
        put_shared(w, w->cuts[i] - before);
        put_piece(w, &w->segments[i]);
        before = w->cuts[i];
    }
    put_shared(w, shared - before);
    return true;
}

int64_t random_pieces(const random_recipe *recipe, double scale, char *target,
                      int64_t target_length, char *query, int64_t query_room)
{
    const size_t most = (size_t)count_pieces(recipe->classes);
    builder w = {.recipe = recipe,
                 .target = target,
                 .query = query,
                 .query_room = query_room,
                 .state = recipe->seed,
                 .segments = malloc(most * sizeof *w.segments),
                 .cuts = malloc(most * sizeof *w.cuts)};
    bool good = w.segments != NULL && w.cuts != NULL;
    if (good) {
        make_pieces(&w, scale);
        good = build(&w, target_length);
    }
    free(w.cuts);
    free(w.segments);
    return good ? w.query_used : -1;
}
