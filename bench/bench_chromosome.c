/* SPDX-License-Identifier: MIT */
/*
 * The suite `chromosome`: generated pairs like human and chimpanzee chromosome 1, whole and at a
 * quarter of their length, with a distance of about a fifth of it. What makes such pairs hard is
 * that the differences are not spread evenly: long insertions and deletions take the path far from
 * the diagonal, and pieces that have nothing to do with each other lie between stretches that
 * differ by a hundredth.
 *
 *     target  ----====--------NNNNNNNN------=====--------=====------
 *     query   ----    ---##---NN      ------=x=x=--------~~~~~------
 *              deleted  inserted  run of N   diverged     unrelated
 *
 * The target is cut into pieces in random order, with stretches that both sequences share between
 * them; lengths of a class fall in octaves, each with twice as many pieces as the next longer one,
 * so that each octave has as many bases (a power law). PIECES was balanced by hand until distance
 * and lengths were in the ratio of the real pair's, 51 M of 249 M and 228 M.
 */
#include "bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench_random.h"

#define SEED UINT64_C(20050901)

/* Letters of the target at a quarter, the scale of all lengths below. */
#define QUARTER_LENGTH 62000000

/* Between the pieces, for each letter: a substitution, a short insertion or deletion begins. */
#define SUBSTITUTION_RATE 0.012
#define SHORT_RATE        0.0007
/* A short one goes on with three chances in four: four letters in the mean. */
#define SHORT_MORE 3

/* Share of edits in a diverged piece. */
#define DIVERGED_RATE 0.25

/* A run of N has this share left in the query. */
#define QUERY_GAP_SHARE 4

typedef enum piece_kind {
    DELETED,   /* letters that the query lacks */
    INSERTED,  /* letters that the target lacks */
    UNRELATED, /* as many letters in both, and nothing in common */
    INVERTED,  /* the query has the reverse complement */
    DIVERGED,  /* the query has a copy with many edits */
    GAP        /* a run of N, of which the query has a shorter one */
} piece_kind;

/* `count` pieces of above longest / 2 to `longest` letters, twice as many in each octave below. */
static const struct {
    piece_kind kind;
    int count;
    int octaves; /* 0: `count` pieces of exactly `longest` */
    int64_t longest;
} PIECES[] = {
    {DELETED, 2, 11, 204800},  {INSERTED, 1, 11, 204800}, {UNRELATED, 1, 3, 2000000},
    {INVERTED, 1, 3, 1000000}, {DIVERGED, 1, 2, 1000000}, {GAP, 1, 0, 4000000},
    {GAP, 5, 0, 100000},
};

enum { CLASS_COUNT = sizeof PIECES / sizeof PIECES[0] };

typedef struct piece {
    piece_kind kind;
    int64_t length;
} piece;

/* A pair under construction. */
typedef struct builder {
    char *target;
    int64_t target_used;
    char *query;
    int64_t query_used;
    int64_t query_room;
    uint64_t state;
    piece *pieces;
    int64_t *cuts; /* where the pieces lie in what the sequences share */
    int64_t count;
} builder;

/* Pieces of all classes. */
static int64_t count_pieces(void)
{
    int64_t count = 0;
    for (int c = 0; c < CLASS_COUNT; c++) {
        const int64_t lots = PIECES[c].octaves > 0 ? (INT64_C(1) << PIECES[c].octaves) - 1 : 1;
        count += PIECES[c].count * lots;
    }
    return count;
}

/* Makes the pieces, those that are scaled to nothing left out, and puts them in random order. */
static void make_pieces(builder *w, double scale)
{
    for (int c = 0; c < CLASS_COUNT; c++) {
        int64_t longest = PIECES[c].longest, count = PIECES[c].count;
        for (int octave = 0; octave < (PIECES[c].octaves > 0 ? PIECES[c].octaves : 1); octave++) {
            for (int64_t i = 0; i < count; i++) {
                const int64_t less =
                    PIECES[c].octaves > 0 ? bench_random_below(&w->state, longest / 2) : 0;
                const piece p = {PIECES[c].kind, (int64_t)((double)(longest - less) * scale)};
                if (p.length > 0)
                    w->pieces[w->count++] = p;
            }
            longest /= 2;
            count *= 2;
        }
    }
    for (int64_t i = w->count - 1; i > 0; i--) {
        const int64_t other = bench_random_below(&w->state, i + 1);
        const piece swapped = w->pieces[i];
        w->pieces[i] = w->pieces[other];
        w->pieces[other] = swapped;
    }
}

static int compare_cuts(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Room in the query for `length` letters; the room is ample, so that it is never cut in practice.
 */
static int64_t query_fit(const builder *w, int64_t length)
{
    const int64_t left = w->query_room - w->query_used;
    return length < left ? length : left;
}

static void query_random(builder *w, int64_t length)
{
    const int64_t fits = query_fit(w, length);
    bench_random_fill(w->query + w->query_used, fits, &w->state);
    w->query_used += fits;
}

/* New letters of the target; returns where they begin. */
static const char *target_random(builder *w, int64_t length)
{
    char *begin = w->target + w->target_used;
    bench_random_fill(begin, length, &w->state);
    w->target_used += length;
    return begin;
}

static int64_t short_length(builder *w)
{
    int64_t length = 1;
    while (bench_random_below(&w->state, SHORT_MORE + 1) != 0)
        length++;
    return length;
}

/* A stretch that both share, with substitutions and short insertions and deletions. */
static void put_shared(builder *w, int64_t length)
{
    const uint64_t substituted = bench_random_threshold(SUBSTITUTION_RATE);
    const uint64_t inserted = bench_random_threshold(SUBSTITUTION_RATE + SHORT_RATE);
    const uint64_t deleted = bench_random_threshold(SUBSTITUTION_RATE + 2 * SHORT_RATE);
    const char *letters = target_random(w, length);
    for (int64_t i = 0; i < length && query_fit(w, 1) > 0; i++) {
        const uint64_t dice = bench_random(&w->state) >> 11;
        if (dice >= inserted && dice < deleted) {
            i += short_length(w) - 1;
            continue;
        }
        w->query[w->query_used++] =
            dice < substituted ? bench_random_other(letters[i], &w->state) : letters[i];
        if (dice >= substituted && dice < inserted)
            query_random(w, short_length(w));
    }
}

static void put_inverted(builder *w, int64_t length)
{
    const char *letters = target_random(w, length);
    for (int64_t i = query_fit(w, length); i > 0; i--) {
        const char letter = letters[i - 1];
        w->query[w->query_used++] = letter == 'A'   ? 'T'
                                    : letter == 'C' ? 'G'
                                    : letter == 'G' ? 'C'
                                                    : 'A';
    }
}

static void put_gap(builder *w, int64_t length)
{
    const int64_t left = query_fit(w, length / QUERY_GAP_SHARE);
    memset(w->target + w->target_used, 'N', (size_t)length);
    memset(w->query + w->query_used, 'N', (size_t)left);
    w->target_used += length;
    w->query_used += left;
}

static void put_piece(builder *w, const piece *p)
{
    switch (p->kind) {
    case DELETED:
        target_random(w, p->length);
        break;
    case INSERTED:
        query_random(w, p->length);
        break;
    case UNRELATED:
        target_random(w, p->length);
        query_random(w, p->length);
        break;
    case INVERTED:
        put_inverted(w, p->length);
        break;
    case DIVERGED: {
        const char *letters = target_random(w, p->length);
        /* Twice as many letters at most come out. */
        w->query_used += bench_random_mutate(letters, query_fit(w, 2 * p->length) / 2,
                                             DIVERGED_RATE, &w->state, w->query + w->query_used);
        break;
    }
    case GAP:
        put_gap(w, p->length);
        break;
    }
}

/* Lays the pieces into a target of `length` letters; false where they leave no room. */
static bool build(builder *w, int64_t length)
{
    int64_t shared = length, before = 0;
    for (int64_t i = 0; i < w->count; i++)
        shared -= w->pieces[i].kind != INSERTED ? w->pieces[i].length : 0;
    if (shared < 0)
        return false;
    for (int64_t i = 0; i < w->count; i++)
        w->cuts[i] = bench_random_below(&w->state, shared + 1);
    qsort(w->cuts, (size_t)w->count, sizeof *w->cuts, compare_cuts);
    for (int64_t i = 0; i < w->count; i++) {
        put_shared(w, w->cuts[i] - before);
        put_piece(w, &w->pieces[i]);
        before = w->cuts[i];
    }
    put_shared(w, shared - before);
    return true;
}

/* `scale` multiplies the length of everything. */
static bool generate(bench *b, const char *name, double scale, bench_pair *pair)
{
    const int64_t length = (int64_t)(QUARTER_LENGTH * scale);
    const int64_t room = length + length / 2 + 1000;
    builder w = {.query_room = room, .state = SEED};
    if (!bench_pair_allocate(b, name, length, room, pair))
        return false;
    w.target = pair->memory[0] + 1;
    w.query = pair->memory[1] + 1;
    w.pieces = malloc((size_t)count_pieces() * sizeof *w.pieces);
    w.cuts = malloc((size_t)count_pieces() * sizeof *w.cuts);
    bool good = w.pieces != NULL && w.cuts != NULL;
    if (good) {
        make_pieces(&w, scale);
        good = build(&w, length);
    }
    pair->query_length = w.query_used;
    free(w.cuts);
    free(w.pieces);
    if (!good) {
        bench_pair_release(pair);
        bench_fail(b, "%s: no room for its pieces", name);
    }
    return good;
}

/* The whole one takes minutes on the quickest device, so that only --only asks for it. */
static const struct {
    const char *name;
    double scale;
    bool on_request;
} CHROMOSOMES[] = {{"quarter 62 M x 57 M", 1, false}, {"whole 249 M x 229 M", 4.016, true}};

enum { CHROMOSOME_COUNT = sizeof CHROMOSOMES / sizeof CHROMOSOMES[0] };

/* Times the pair once, checks the distance by another sweep, and says what was done. */
static bool run_pair(bench *b, const bench_pair *pair)
{
    bench_runs runs = {0};
    bench_case c = {.suite = "chromosome",
                    .pair = pair,
                    .engine = bench_engine(b, RHOMB_ENGINE_AUTO),
                    .tuning = b->tuning,
                    .max_distance = RHOMB_NO_LIMIT,
                    .distance = BENCH_UNKNOWN,
                    .repeat = 1};
    if (!bench_run_checked(b, &c, b->verify_long, &runs))
        return false;
    const rhomb_report *r = &runs.report;
    if (runs.count == 0)
        return true;
    printf("%-34s %" PRId64 " x %" PRId64 ", similarity %.4f, %.4g cells in %" PRId64 " bands\n",
           "", r->target_length, r->query_length, r->similarity, (double)r->cells, r->bands);
    printf("%-34s %s: %s\n", "", r->plan.engine, r->plan.reason);
    return true;
}

bool bench_suite_chromosome(bench *b)
{
    if (b->write == NULL) {
        if (!bench_open(b))
            return false;
        bench_heading(b, "chromosome");
    }
    for (int i = 0; i < CHROMOSOME_COUNT; i++) {
        bench_pair pair;
        const double scale = CHROMOSOMES[i].scale * b->scale;
        if (!bench_wants(b, CHROMOSOMES[i].name) || QUARTER_LENGTH * scale > (double)b->max_length)
            continue;
        if (CHROMOSOMES[i].on_request && b->only == NULL)
            continue;
        if (!generate(b, CHROMOSOMES[i].name, scale, &pair))
            return false;
        const bool good =
            b->write != NULL ? bench_pair_write(b, &pair, b->write) : run_pair(b, &pair);
        bench_pair_release(&pair);
        if (!good)
            return false;
    }
    return true;
}
