/* SPDX-License-Identifier: MIT */
/*
 * See wavefront_model.h.
 */
#include "wavefront_model.h"

#include "cl/abi.h"
#include "src/base/int64.h"
#include "support/guard.h"
#include "support/test.h"

enum { PALETTE = 4, TINY = 70, WORD = RHOMB_WORD_SYMBOLS };

/* A pair that grows symbol by symbol. */
typedef struct builder {
    model_pair *pair;
    int64_t room;
    unsigned char palette[PALETTE];
    rng *r;
} builder;

static void put(builder *b, unsigned char **to, int64_t *length, unsigned char code)
{
    if (rhomb__max(b->pair->m, b->pair->n) == b->room) {
        b->room = 2 * b->room + 256;
        b->pair->query[0] = realloc(b->pair->query[0], (size_t)b->room);
        b->pair->target[0] = realloc(b->pair->target[0], (size_t)b->room);
        assert_true(b->pair->query[0] != NULL && b->pair->target[0] != NULL);
    }
    (*to)[(*length)++] = code;
}

static void put_query(builder *b, unsigned char code)
{
    put(b, &b->pair->query[0], &b->pair->m, code);
}

static void put_target(builder *b, unsigned char code)
{
    put(b, &b->pair->target[0], &b->pair->n, code);
}

static void put_both(builder *b, unsigned char code)
{
    put_query(b, code);
    put_target(b, code);
}

static unsigned char any(builder *b)
{
    return b->palette[rng_below(b->r, PALETTE)];
}

/* A substitution, an insertion or a deletion; now and then one that makes no difference. */
static void put_edit(builder *b)
{
    const int64_t kind = rng_below(b->r, 3);
    if (kind != 1)
        put_query(b, any(b));
    if (kind != 2)
        put_target(b, any(b));
}

/* Symbols of both: any, or the palette's first ones in turn. */
static void put_run(builder *b, int64_t length, int64_t unit)
{
    for (int64_t i = 0; i < length; i++)
        put_both(b, unit > 0 ? b->palette[i % unit] : any(b));
}

static void make_unrelated(builder *b, int64_t query_length, int64_t target_length)
{
    for (int64_t i = 0; i < query_length; i++)
        put_query(b, any(b));
    for (int64_t j = 0; j < target_length; j++)
        put_target(b, any(b));
}

/* An edit in `one_in` symbols on average, and one long insertion or deletion, or none. */
static void make_similar(builder *b, int64_t length, int64_t one_in, int64_t unit, int64_t longest)
{
    const int64_t gap_at = rng_below(b->r, 2 * length + 1);
    for (int64_t i = 0; i < length; i++) {
        if (rng_below(b->r, one_in) == 0)
            put_edit(b);
        else
            put_both(b, unit > 0 ? b->palette[i % unit] : any(b));
        if (i == gap_at) {
            const bool in_query = rng_chance(b->r, 0.5);
            for (int64_t gap = rng_below(b->r, longest + 1); gap > 0; gap--)
                in_query ? put_query(b, any(b)) : put_target(b, any(b));
        }
    }
}

static void make_tiny(builder *b)
{
    static const int64_t EDGES[] = {0, 1, 2, 3, 31, 32, 33, 63, 64, 65, TINY};
    const int64_t length = rng_chance(b->r, 0.5) ? EDGES[rng_below(b->r, (int64_t)COUNT(EDGES))]
                                                 : rng_below(b->r, TINY + 1);
    if (rng_chance(b->r, 0.3)) {
        make_unrelated(b, length, rng_below(b->r, TINY + 1));
        return;
    }
    const int64_t unit = rng_chance(b->r, 0.3) ? rng_between(b->r, 1, 3) : 0;
    make_similar(b, length, rng_between(b->r, 2, 100), unit, 20);
    b->pair->m = rhomb__min(b->pair->m, TINY);
    b->pair->n = rhomb__min(b->pair->n, TINY);
}

static void make_blocks(builder *b)
{
    for (int64_t block = rng_between(b->r, 1, 5); block > 0; block--) {
        const unsigned char code = any(b);
        make_similar(b, rng_between(b->r, 1, 150), rng_between(b->r, 10, 100), 0, 30);
        for (int64_t i = rng_between(b->r, 1, 200); i > 0; i--) {
            if (rng_below(b->r, 100) == 0)
                put_edit(b);
            put_both(b, code);
        }
    }
}

/*
 * A lane follows a run for a window and two steps of four words; what is left is the group's, which
 * compares a word an item first and then four.
 */
static void make_runs(builder *b, int64_t group_size)
{
    const int64_t steps = WORD + 2 * 4 * WORD, group = group_size * WORD;
    const int64_t lengths[] = {1,     WORD,          2 * WORD,         4 * WORD,         5 * WORD,
                               steps, steps + group, steps + 2 * WORD, steps + 5 * group};
    for (int64_t run = rng_between(b->r, 2, 6); run > 0; run--) {
        const int64_t unit = rng_chance(b->r, 0.3) ? rng_between(b->r, 1, 3) : 0;
        const int64_t length = lengths[rng_below(b->r, (int64_t)COUNT(lengths))];
        put_run(b, rhomb__max(length + rng_between(b->r, -1, 1), 0), unit);
        for (int64_t edits = rng_between(b->r, 0, 3); edits > 0; edits--)
            put_edit(b);
    }
}

/*
 * Blocks of one base that both have, after an indel, so that paths come there on many diagonals;
 * some go over into a block of another base, or have other bases inside in one of the
 * sequences. As long as what a group compares in its rounds: a word an item, 4, and 16; it looks at
 * bases after the first one.
 */
static void make_gaps(builder *b, int64_t group_size)
{
    const int64_t longest = rhomb__min(21 * group_size * WORD, 1400);
    while (b->pair->n < longest) {
        make_similar(b, rng_between(b->r, 1, 100), rng_between(b->r, 5, 60), 0, 0);
        const bool in_query = rng_chance(b->r, 0.5);
        for (int64_t indel = rng_below(b->r, 30); indel > 0; indel--)
            in_query ? put_query(b, any(b)) : put_target(b, any(b));
        for (int64_t blocks = rng_between(b->r, 1, 3); blocks > 0; blocks--) {
            const unsigned char code = any(b);
            for (int64_t i = rng_between(b->r, 1, longest) / blocks; i > 0; i--)
                put_both(b, code);
            for (int64_t more = rng_below(b->r, 2) * rng_below(b->r, 20); more > 0; more--)
                in_query ? put_target(b, code) : put_query(b, code);
            for (int64_t others = rng_below(b->r, 2) * rng_below(b->r, 3); others > 0; others--)
                in_query ? put_target(b, any(b)) : put_query(b, any(b));
            for (int64_t i = rng_below(b->r, 2) * rng_between(b->r, 1, longest / 2); i > 0; i--)
                put_both(b, code);
        }
    }
}

/*
 * One base, and in one of the sequences another one at regular distances: whatever has come to
 * one of these goes on to the next in the next column, on all diagonals.
 */
static void make_grid(builder *b, int64_t group_size)
{
    const bool in_query = rng_chance(b->r, 0.5);
    const int64_t distance =
        rng_chance(b->r, 0.3) ? rng_between(b->r, 20, 80) : rng_between(b->r, 320, 480);
    const int64_t lines = 10 + rng_below(b->r, rhomb__min(group_size, 128) + 1);
    const unsigned char letter = b->palette[0];
    const unsigned char other = (unsigned char)(letter ^ 1);
    for (int64_t i = 0; i < lines * distance; i++) {
        const unsigned char line = i % distance == distance - 1 ? other : letter;
        put_query(b, in_query ? line : letter);
        put_target(b, in_query ? letter : line);
    }
}

static unsigned char *reversed(const unsigned char *codes, int64_t length)
{
    unsigned char *copy = filled_memory(length, 1);
    for (int64_t i = 0; i < length; i++)
        copy[i] = codes[length - 1 - i];
    return copy;
}

void model_pair_make(model_pair *p, model_kind kind, int32_t planes, int64_t group_size, rng *r)
{
    builder b = {.pair = p, .r = r};
    memset(p, 0, sizeof *p);
    p->planes = planes;
    for (int i = 0; i < PALETTE; i++)
        b.palette[i] = (unsigned char)rng_below(r, INT64_C(1) << planes);
    /* The padding has code 0, too. */
    if (rng_chance(r, 0.5))
        b.palette[rng_below(r, 2)] = 0;
    switch (kind) {
    case MODEL_TINY:
        make_tiny(&b);
        break;
    case MODEL_UNRELATED:
        make_unrelated(&b, rng_between(r, 1, 250), rng_between(r, 1, 250));
        break;
    case MODEL_SIMILAR:
        make_similar(&b, rng_between(r, 50, 600), rng_between(r, 5, 100), 0, 100);
        break;
    case MODEL_TANDEM:
        make_similar(&b, rng_between(r, 50, 900), rng_between(r, 5, 400), rng_between(r, 1, 4), 60);
        break;
    case MODEL_BLOCKS:
        make_blocks(&b);
        break;
    case MODEL_RUNS:
        make_runs(&b, group_size);
        break;
    case MODEL_GAPS:
        make_gaps(&b, group_size);
        break;
    default:
        make_grid(&b, group_size);
    }
    p->query[1] = reversed(p->query[0], p->m);
    p->target[1] = reversed(p->target[0], p->n);
}

void model_pair_release(model_pair *p)
{
    for (int direction = 0; direction < 2; direction++) {
        free(p->query[direction]);
        free(p->target[direction]);
    }
}

static void print_codes(const char *what, const unsigned char *codes, int64_t length)
{
    fprintf(stderr, "%s, %lld:", what, (long long)length);
    for (int64_t i = 0; i < length && length <= 2000; i++)
        fprintf(stderr, " %d", codes[i]);
    fputc('\n', stderr);
}

void model_pair_print(const model_pair *p)
{
    print_codes("query", p->query[0], p->m);
    print_codes("target", p->target[0], p->n);
}

plain_pair model_texts(const model_pair *p, int direction)
{
    return (plain_pair){(const char *)p->target[0], p->n, (const char *)p->query[0], p->m,
                        direction == 1};
}

int64_t model_offset(const model_columns *c, int64_t r, int64_t k)
{
    const plain_pair *p = &c->wavefront.pair;
    const int64_t limit = rhomb__min(p->n, p->m + k);
    return r < 0 || k < -rhomb__min(r, p->m) || k > rhomb__min(r, p->n)
               ? rhomb__min(r + rhomb__min(k, 0), limit)
               : plain_wavefront_of(&c->wavefront, r)[k];
}

void model_columns_make(model_columns *c, const model_pair *p, int direction, int64_t more,
                        int64_t most)
{
    const plain_pair texts = model_texts(p, direction);
    int64_t last = most - 1;
    memset(c, 0, sizeof *c);
    c->pair = p;
    plain_wavefront_begin_all(&c->wavefront, &texts);
    for (; c->columns <= last; c->columns++) {
        plain_wavefront_next(&c->wavefront);
        if (last == most - 1 && model_offset(c, c->columns, p->n - p->m) >= p->n)
            last = rhomb__min(c->columns + more, last);
    }
}

void model_columns_release(model_columns *c)
{
    plain_wavefront_end(&c->wavefront);
}
