/* SPDX-License-Identifier: MIT */
/*
 * The kernels as host code (emu/), so that the sanitizers see every access: packing against a
 * plain reference, the pure functions of cl/extend.clh against naive ones, and whole distances
 * against textbook dynamic programming. The driver does what host/engine_wavefront.c does, with
 * memory cut as tightly as it can be: packed sequences of rhomb__packed_bytes(), letters of just
 * the piece, and for each launch columns of just the diagonals that src/tiling.c says it touches.
 * The bit-parallel engine has a test of its own, test_emulated_sweep.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "emu/emu_packed.h"
#include "emulated_variants.h"
#include "src/int64.h"
#include "src/plan.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

#define DECLARE_PACK(name)      extern const emulated_pack name;
#define DECLARE_WAVEFRONT(name) extern const emulated_wavefront name;
EMULATED_PACK_MAP(DECLARE_PACK)
EMULATED_WAVEFRONT_MAP(DECLARE_WAVEFRONT)

#define ADDRESS(name) &name,
static const emulated_pack *const PACKS[] = {EMULATED_PACK_MAP(ADDRESS)};
static const emulated_wavefront *const WAVEFRONTS[] = {EMULATED_WAVEFRONT_MAP(ADDRESS)};

enum { LONGEST = 70, PALETTE = 4, PAIRS = 360 };

/* A sequence as codes, and packed. */
typedef struct sequence {
    unsigned char codes[LONGEST];
    int64_t length;
    uint32_t *packed;
} sequence;

/* Marsaglia's xorshift, the same in each run. */
static uint64_t random_state;

static int64_t random_below(int64_t end)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int64_t)((random_state >> 16) % (uint64_t)end);
}

static void *allocate(int64_t bytes)
{
    void *memory = malloc((size_t)bytes);
    assert_non_null(memory);
    return memory;
}

/* ----------------------------------------------------------------- packing */

static const emulated_pack *find_pack(int32_t symbol_bits)
{
    for (size_t i = 0; i < COUNT(PACKS); i++)
        if (PACKS[i]->symbol_bits == symbol_bits)
            return PACKS[i];
    fail_msg("cl/pack.cl is not emulated with %d bits", (int)symbol_bits);
    return NULL;
}

/* Letters are codes shifted by this, so that a letter taken for a code shows. */
#define LETTER_OF(code) ((unsigned char)((code) + 40))

/* Packs with the emulated kernel in launches that look at most_letters. */
static uint32_t *pack(int32_t symbol_bits, const unsigned char *codes, int64_t length,
                      int64_t most_letters)
{
    const rhomb__packing packing = rhomb__packing_windows(length, symbol_bits);
    unsigned char table[256], letters[LONGEST];
    for (int code = 0; code < 256; code++)
        table[LETTER_OF(code)] = (unsigned char)code;
    for (int64_t i = 0; i < length; i++)
        letters[i] = LETTER_OF(codes[i]);
    uint32_t *packed = emulated_pack_sequence(find_pack(symbol_bits), &packing, letters, length,
                                              table, most_letters);
    assert_non_null(packed);
    return packed;
}

/* The code at a position, which may be in the padding. */
static uint32_t code_at(const sequence *s, int64_t at)
{
    return at >= 0 && at < s->length ? s->codes[at] : 0;
}

static void fill_random(sequence *s, int64_t length, int32_t symbol_bits)
{
    s->length = length;
    for (int64_t i = 0; i < length; i++)
        s->codes[i] = (unsigned char)random_below(INT64_C(1) << symbol_bits);
}

static void test_pack(void **state)
{
    static const int64_t MOST_LETTERS[] = {INT64_MAX, 40, 100, 1000};
    (void)state;
    random_state = 1;
    for (size_t v = 0; v < COUNT(PACKS); v++) {
        const int32_t bits = PACKS[v]->symbol_bits;
        const int64_t stride = RHOMB_STRIDE_OF(bits);
        for (int64_t length = 0; length <= LONGEST; length++) {
            sequence s;
            fill_random(&s, length, bits);
            s.packed = pack(bits, s.codes, length, MOST_LETTERS[length % 4]);
            const int64_t words = rhomb__packed_bytes(length, bits) / 4;
            assert_true(words * stride >= length + 2 * RHOMB_PAD_SYMBOLS);
            for (int64_t w = 0; w < words; w++) {
                uint32_t expected = 0;
                for (int64_t i = 0; i < 2 * stride; i++)
                    expected = expected << bits | code_at(&s, w * stride - RHOMB_PAD_SYMBOLS + i);
                if (s.packed[w] != expected)
                    fail_msg("%d bits, length %lld: word %lld is %08x, not %08x", (int)bits,
                             (long long)length, (long long)w, s.packed[w], expected);
            }
            free(s.packed);
        }
    }
}

/* ------------------------------------------------------- cl/extend.clh */

/* The words of a packed sequence, from the one that holds symbol 0 at its top on. */
static const uint32_t *origin_of(const sequence *s, int32_t symbol_bits)
{
    return s->packed + RHOMB_PAD_SYMBOLS / RHOMB_STRIDE_OF(symbol_bits);
}

/* Equal symbols at (i, j), `most` at most, padding included. */
static int64_t equal_symbols(const sequence *query, const sequence *target, int64_t i, int64_t j,
                             int64_t most)
{
    int64_t equal = 0;
    while (equal < most && code_at(query, i + equal) == code_at(target, j + equal))
        equal++;
    return equal;
}

/* Checks both windows at one position, as far as their words are there. */
static void check_windows(const emulated_wavefront *v, const sequence *s, int64_t at)
{
    const int32_t bits = v->symbol_bits;
    const int64_t stride = RHOMB_STRIDE_OF(bits);
    const int64_t words = rhomb__packed_bytes(s->length, bits) / 4;
    const int64_t word = (at + RHOMB_PAD_SYMBOLS) / stride;
    const uint32_t *packed = origin_of(s, bits);
    for (int64_t i = 0; i < stride + 1; i++)
        if ((v->window(packed, at) << (i * bits)) >> (32 - bits) != code_at(s, at + i))
            fail_msg("%d bits, length %lld: window at %lld, symbol %lld", (int)bits,
                     (long long)s->length, (long long)at, (long long)i);
    for (int64_t i = 0; word + 2 < words && i < 3 * stride + 1; i++)
        if ((v->wide_window(packed, at) << (i * bits)) >> (64 - bits) != code_at(s, at + i))
            fail_msg("%d bits, length %lld: wide window at %lld, symbol %lld", (int)bits,
                     (long long)s->length, (long long)at, (long long)i);
}

/* All positions near the ends of sequence and padding. */
static void check_all_windows(const emulated_wavefront *v, const sequence *s)
{
    const int64_t stride = RHOMB_STRIDE_OF(v->symbol_bits);
    const int64_t words = rhomb__packed_bytes(s->length, v->symbol_bits) / 4;
    const int64_t end = words * stride - RHOMB_PAD_SYMBOLS;
    for (int64_t i = 0; i < 40; i++) {
        check_windows(v, s, -RHOMB_PAD_SYMBOLS + i);
        check_windows(v, s, end - 1 - i);
    }
    for (int64_t at = -40; at < s->length + 40; at++)
        check_windows(v, s, at);
}

static void check_probe_and_run(const emulated_wavefront *v, const sequence *query,
                                const sequence *target, int64_t i, int64_t j)
{
    const int32_t bits = v->symbol_bits;
    const int64_t stride = RHOMB_STRIDE_OF(bits);
    const uint32_t *q = origin_of(query, bits), *t = origin_of(target, bits);
    const int64_t m = query->length, n = target->length;
    bool full = false;
    const int64_t probed = v->probe(q, t, i, j, &full);
    const int64_t equal = equal_symbols(query, target, i, j, stride + 1);
    if (probed != equal || full != (equal == stride + 1))
        fail_msg("%d bits: a probe at (%lld, %lld) finds %lld%s, not %lld", (int)bits, (long long)i,
                 (long long)j, (long long)probed, full ? ", full" : "", (long long)equal);

    /* A run ends at a mismatch, or less than a wide probe behind the matrix. */
    const int64_t end = v->run(q, t, j - i, j, m, n);
    const int64_t room = rhomb__min(m - i, n - j);
    int64_t least = j, most = j;
    if (i >= 0 && j >= 0 && room > 0) {
        const int64_t run = equal_symbols(query, target, i, j, room);
        least = j + run;
        most = run < room ? least : least + 3 * stride;
    }
    if (end < least || end > most)
        fail_msg("%d bits: a run from (%lld, %lld) in %lld by %lld ends at %lld, not %lld to %lld",
                 (int)bits, (long long)i, (long long)j, (long long)m, (long long)n, (long long)end,
                 (long long)least, (long long)most);
}

/* A copy of `of` with few differences, so that probes and runs end anywhere. */
static void fill_similar(sequence *s, const sequence *of, int64_t length, int32_t symbol_bits)
{
    fill_random(s, length, symbol_bits);
    for (int64_t i = 0; i < length; i++)
        if (random_below(20) != 0)
            s->codes[i] = (unsigned char)code_at(of, i);
}

static void test_extend(void **state)
{
    static const int64_t LENGTHS[] = {1, 7, 8, 9, 33, 69, 70};
    (void)state;
    random_state = 2;
    for (size_t w = 0; w < COUNT(WAVEFRONTS); w++) {
        const emulated_wavefront *v = WAVEFRONTS[w];
        for (size_t l = 0; l < COUNT(LENGTHS); l++) {
            sequence query, target;
            fill_random(&target, LENGTHS[l], v->symbol_bits);
            fill_similar(&query, &target, LENGTHS[random_below(COUNT(LENGTHS))], v->symbol_bits);
            query.packed = pack(v->symbol_bits, query.codes, query.length, INT64_MAX);
            target.packed = pack(v->symbol_bits, target.codes, target.length, INT64_MAX);
            check_all_windows(v, &query);
            for (int64_t i = -3; i < query.length + 3; i++)
                for (int64_t shift = -3; shift <= 3; shift++)
                    check_probe_and_run(v, &query, &target, i, i + shift);
            free(query.packed);
            free(target.packed);
        }
    }
}

/* --------------------------------------------------------------- distances */

typedef struct problem {
    const emulated_wavefront *variant;
    const sequence *query;
    const sequence *target;
    int64_t limit; /* on the distance */
    bool pruning;
    int64_t bands_per_read;
    int64_t tiles_per_launch;
} problem;

/* A run of the engine. The columns hold all diagonals that any tile can touch, in 64 bits. */
typedef struct driver {
    const problem *p;
    rhomb__tiling tiling;
    rhomb_wavefront_status *status;
    int64_t *columns[2];
    int64_t low; /* the first diagonal of the columns */
    int64_t high;
    int source;
    int32_t front;
} driver;

static int64_t no_offset(const emulated_wavefront *v)
{
    return v->offset_bits == 32 ? -INT64_C(0x40000000) : -INT64_C(0x4000000000000000);
}

/* A part of a column in the variant's width, in memory of just its size. */
static void *cut_column(const driver *d, int which, rhomb__window part)
{
    const int64_t count = part.high - part.low + 1;
    const int64_t *from = d->columns[which] + (part.low - d->low);
    assert_true(part.low >= d->low && part.high <= d->high);
    if (d->p->variant->offset_bits == 64)
        return memcpy(allocate(8 * count), from, (size_t)(8 * count));
    int32_t *narrow = allocate(4 * count);
    for (int64_t i = 0; i < count; i++)
        narrow[i] = (int32_t)from[i];
    return narrow;
}

static void put_column(driver *d, int which, rhomb__window part, void *column)
{
    const int64_t count = part.high - part.low + 1;
    int64_t *to = d->columns[which] + (part.low - d->low);
    for (int64_t i = 0; i < count; i++)
        to[i] = d->p->variant->offset_bits == 64 ? ((int64_t *)column)[i] : ((int32_t *)column)[i];
    free(column);
}

/* The tiles of a band, `tiles_per_launch` at a time. */
static void launch_band(driver *d, const rhomb__band *band)
{
    const problem *p = d->p;
    for (int64_t tile = 0; tile < band->tiles; tile += p->tiles_per_launch) {
        rhomb__band part = *band;
        part.first_diagonal += tile * band->pitch;
        part.tiles = rhomb__min(band->tiles - tile, p->tiles_per_launch);
        const rhomb__window reach = rhomb__band_reach(&d->tiling, &part);
        void *a = cut_column(d, d->source, reach);
        void *b = cut_column(d, 1 - d->source, reach);
        const emulated_band_arguments arguments = {
            p->query->packed,    p->target->packed, a,          b,        d->status,
            p->query->length,    p->target->length, p->pruning, d->front, reach.low,
            part.first_diagonal, part.pitch,        part.start};
        p->variant->launch(&arguments, part.tiles);
        put_column(d, d->source, reach, a);
        put_column(d, 1 - d->source, reach, b);
    }
    if (d->tiling.shape == RHOMB_TILE_TRAPEZOID)
        d->source = 1 - d->source;
    if (band->stores_end)
        d->front = 1 - d->front;
}

static void start(driver *d, const problem *p)
{
    const emulated_wavefront *v = p->variant;
    const int64_t end_diagonal = p->target->length - p->query->length;
    const rhomb_front front = {RHOMB_UNSOLVED, p->limit, rhomb__min(end_diagonal, 0), 0};
    const rhomb__tiling tiling = {v->tile_shape == RHOMB_SHAPE_DIAMOND ? RHOMB_TILE_DIAMOND
                                                                       : RHOMB_TILE_TRAPEZOID,
                                  (int64_t)v->group_size * v->item_diagonals,
                                  v->tile_columns,
                                  p->query->length,
                                  p->target->length,
                                  p->pruning};
    memset(d, 0, sizeof *d);
    d->p = p;
    d->tiling = tiling;
    d->low = -p->query->length - 3 * tiling.diagonals;
    d->high = p->target->length + 3 * tiling.diagonals;
    d->status = allocate(sizeof *d->status);
    *d->status = (rhomb_wavefront_status){{front, front}, 0, 0};
    for (int c = 0; c < 2; c++) {
        d->columns[c] = allocate(8 * (d->high - d->low + 1));
        for (int64_t k = d->low; k <= d->high; k++)
            d->columns[c][k - d->low] = no_offset(v);
    }
}

/* The distance that the bands find: RHOMB_UNSOLVED when none is left below the limit. */
static int64_t solve(const problem *p)
{
    driver d;
    int64_t bound = p->limit, distance = RHOMB_UNSOLVED;
    start(&d, p);
    for (int64_t index = 0; distance == RHOMB_UNSOLVED; index++) {
        const rhomb__band band = rhomb__band_at(&d.tiling, index, bound);
        const bool ended = band.start >= bound;
        if (!ended)
            launch_band(&d, &band);
        if (ended || (index + 1) % p->bands_per_read == 0) {
            const rhomb_front *fronts = d.status->front;
            distance = rhomb__max(fronts[0].distance, fronts[1].distance);
            bound = rhomb__min(bound, rhomb__min(fronts[0].bound, fronts[1].bound));
        }
        if (ended)
            break;
    }
    free(d.columns[0]);
    free(d.columns[1]);
    free(d.status);
    return distance;
}

/* Textbook dynamic programming, a row at a time. */
static int64_t reference_distance(const sequence *query, const sequence *target)
{
    int64_t row[LONGEST + 1];
    for (int64_t j = 0; j <= target->length; j++)
        row[j] = j;
    for (int64_t i = 1; i <= query->length; i++) {
        int64_t diagonal = row[0];
        row[0] = i;
        for (int64_t j = 1; j <= target->length; j++) {
            const int64_t replaced = diagonal + (query->codes[i - 1] != target->codes[j - 1]);
            diagonal = row[j];
            row[j] = rhomb__min(replaced, rhomb__min(row[j], row[j - 1]) + 1);
        }
    }
    return row[target->length];
}

static void print_sequence(const char *what, const sequence *s)
{
    fprintf(stderr, "%s, %lld:", what, (long long)s->length);
    for (int64_t i = 0; i < s->length; i++)
        fprintf(stderr, " %d", s->codes[i]);
    fputc('\n', stderr);
}

static void check_distance(const problem *p, int64_t expected)
{
    const emulated_wavefront *v = p->variant;
    const int64_t found = solve(p);
    /* Beyond the limit the kernel may know the distance or not, but nothing below. */
    if (expected <= p->limit ? found == expected : found == RHOMB_UNSOLVED || found > p->limit)
        return;
    print_sequence("query", p->query);
    print_sequence("target", p->target);
    fail_msg("distance %lld, not %lld: limit %lld, pruning %d, %lld bands a read, %lld tiles a "
             "launch, SYMBOL_BITS=%d OFFSET_BITS=%d GROUP_SIZE=%d ITEM_DIAGONALS=%d "
             "TILE_COLUMNS=%d TILE_SHAPE=%d",
             (long long)found, (long long)expected, (long long)p->limit, p->pruning,
             (long long)p->bands_per_read, (long long)p->tiles_per_launch, (int)v->symbol_bits,
             (int)v->offset_bits, (int)v->group_size, (int)v->item_diagonals, (int)v->tile_columns,
             (int)v->tile_shape);
}

/* A length near the edges of words, probes and tiles, or any. */
static int64_t random_length(void)
{
    static const int64_t EDGES[] = {1,  2,  3,  4,  5,  7,  8,  9,  10, 12, 13, 14, 15, 16,
                                    17, 24, 25, 26, 31, 32, 33, 34, 63, 64, 65, 69, 70};
    return random_below(4) != 0 ? EDGES[random_below(COUNT(EDGES))] : 1 + random_below(LONGEST);
}

static void fill_from(sequence *s, int64_t length, const unsigned char palette[PALETTE],
                      int64_t letters)
{
    s->length = length;
    for (int64_t i = 0; i < length; i++)
        s->codes[i] = palette[random_below(letters)];
}

/* Few edits; now and then a long insertion or deletion. */
static void fill_edited(sequence *s, const sequence *of, const unsigned char palette[PALETTE])
{
    const int64_t one_in = 2 + random_below(30);
    const int64_t skipped_at = random_below(2 * LONGEST);
    const int64_t skipped = random_below(LONGEST);
    s->length = 0;
    for (int64_t i = 0; i < of->length; i++) {
        const int64_t edit = random_below(one_in);
        if (edit != 0 && s->length < LONGEST)
            s->codes[s->length++] = edit == 1 ? palette[random_below(PALETTE)] : of->codes[i];
        if (random_below(one_in) == 0 && s->length < LONGEST)
            s->codes[s->length++] = palette[random_below(PALETTE)];
        if (i == skipped_at)
            i += skipped;
    }
    if (s->length == 0)
        s->codes[s->length++] = palette[0];
}

/* One letter throughout, or a short unit again and again. */
static void fill_repeat(sequence *s, int64_t length, const unsigned char palette[PALETTE])
{
    const int64_t unit = 1 + random_below(3);
    s->length = length;
    for (int64_t i = 0; i < length; i++)
        s->codes[i] = palette[i % unit];
}

/* A pair of one of the models; code 0, which the padding has too, is in half of them. */
static void make_pair(sequence *query, sequence *target, int32_t symbol_bits)
{
    unsigned char palette[PALETTE];
    for (int i = 0; i < PALETTE; i++)
        palette[i] = (unsigned char)random_below(INT64_C(1) << symbol_bits);
    if (random_below(2) == 0)
        palette[random_below(2)] = 0;
    switch (random_below(4)) {
    case 0:
        fill_from(target, random_length(), palette, 2);
        fill_from(query, random_length(), palette, PALETTE);
        break;
    case 1:
        fill_repeat(target, random_length(), palette);
        fill_repeat(query, random_length(), palette);
        break;
    case 2:
        fill_repeat(target, random_length(), palette);
        fill_edited(query, target, palette);
        break;
    default:
        fill_from(target, random_length(), palette, PALETTE);
        fill_edited(query, target, palette);
    }
}

/* Solves a pair with one variant: as it is, and with a limit at or just beside the distance. */
static void check_pair(const emulated_wavefront *v, const sequence *query, const sequence *target,
                       int64_t expected)
{
    const int64_t longer = rhomb__max(query->length, target->length);
    problem p = {.variant = v, .query = query, .target = target, .limit = longer};
    p.pruning = random_below(4) != 0;
    p.bands_per_read = 1 + random_below(10);
    p.tiles_per_launch = random_below(2) == 0 ? INT64_MAX : 1 + random_below(4);
    check_distance(&p, expected);
    p.limit = rhomb__min(expected + random_below(3) - 1, longer);
    if (p.limit >= rhomb__max(1, rhomb__max(query->length, target->length) -
                                     rhomb__min(query->length, target->length)))
        check_distance(&p, expected);
}

static void test_distances(void **state)
{
    (void)state;
    random_state = 3;
    for (int number = 0; number < PAIRS; number++) {
        const int32_t symbol_bits = 2 << number % 3;
        sequence query, target;
        make_pair(&query, &target, symbol_bits);
        query.packed = pack(symbol_bits, query.codes, query.length, INT64_MAX);
        target.packed = pack(symbol_bits, target.codes, target.length, INT64_MAX);
        /* Equal sequences never get to an engine: the planner says 0. */
        const int64_t expected = reference_distance(&query, &target);
        for (size_t v = 0; v < COUNT(WAVEFRONTS); v++) {
            /* The widest tiles look furthest into the padding, and take the longest. */
            const bool wide = WAVEFRONTS[v]->group_size * WAVEFRONTS[v]->item_diagonals > 1000;
            if (expected > 0 && WAVEFRONTS[v]->symbol_bits == symbol_bits &&
                (!wide || number % 40 < 3))
                check_pair(WAVEFRONTS[v], &query, &target, expected);
        }
        free(query.packed);
        free(target.packed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pack),
        cmocka_unit_test(test_extend),
        cmocka_unit_test(test_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
