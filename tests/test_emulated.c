/* SPDX-License-Identifier: MIT */
/*
 * Packing and extending as host code (emu/), so that the sanitizers see every access:
 * cl/common/pack.cl against a plain reference, and the pure functions of cl/common/extend.clh
 * and the tables of cl/common/runs.clh against loops over symbols. Packed sequences have
 * rhomb__packing_bytes() and not one more, and launches see just their piece of the bases. The
 * engines have tests of their own, test_emulated_wavefront.c and test_emulated_sweep.c.
 */
#include <limits.h>

#include "emu/emu_packed.h"
#include "emulated_variants.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "support/pair.h"
#include "support/rng.h"
#include "support/test.h"

#define DECLARE_WAVEFRONT(name) extern const emulated_wavefront name;
EMULATED_WAVEFRONT_MAP(DECLARE_WAVEFRONT)
EMULATED_WAVEFRONT_DIAMOND_MAP(DECLARE_WAVEFRONT)

#define ADDRESS(name) &name,
static const emulated_wavefront *const WAVEFRONTS[] = {EMULATED_WAVEFRONT_MAP(ADDRESS)
                                                           EMULATED_WAVEFRONT_DIAMOND_MAP(ADDRESS)};

enum { LONGEST = 1100, WORD = RHOMB_WORD_SYMBOLS, STEP = 4 * WORD };

/* A sequence as codes, and packed: forward, then reversed. */
typedef struct sequence {
    unsigned char codes[LONGEST];
    int64_t length;
    int32_t planes;
    uint32_t *packed;
} sequence;

static int64_t units_of(const sequence *s)
{
    return rhomb__packed_bytes(s->length, s->planes) / rhomb__unit_bytes(s->planes);
}

/* The code at a position of a part, which may be in the padding. */
static uint32_t code_at(const sequence *s, int part, int64_t at)
{
    return at < 0 || at >= s->length ? 0 : s->codes[part == 0 ? at : s->length - 1 - at];
}

/* Bit `plane` of the WORD symbols from `at` on, the first one in the top bit. */
static uint32_t word_at(const sequence *s, int part, int64_t at, int plane)
{
    uint32_t word = 0;
    for (int64_t i = 0; i < WORD; i++)
        word = word << 1 | (code_at(s, part, at + i) >> plane & 1u);
    return word;
}

static void fill_random(sequence *s, int64_t length, int32_t planes, rng *r)
{
    s->length = length;
    s->planes = planes;
    for (int64_t i = 0; i < length; i++)
        s->codes[i] = (unsigned char)rng_below(r, INT64_C(1) << planes);
}

/* Bytes are codes shifted by this, so that a byte taken for a code shows. */
#define LETTER_OF(code) ((unsigned char)((code) + 40))

/* Packs with the emulated kernel in launches that look at most_bases. */
static void pack(sequence *s, int32_t directions, int64_t most_bases)
{
    const rhomb__packing packing = rhomb__packing_windows(s->length, s->planes, directions);
    unsigned char table[256], symbols[LONGEST];
    for (int code = 0; code < 256; code++)
        table[LETTER_OF(code)] = (unsigned char)code;
    for (int64_t i = 0; i < s->length; i++)
        symbols[i] = LETTER_OF(s->codes[i]);
    assert_int_equal(packing.parts[0].units, units_of(s));
    assert_int_equal(packing.parts[1].units, directions == 2 ? units_of(s) : 0);
    s->packed = emulated_pack_sequence(&packing, symbols, s->length, table, most_bases);
    assert_non_null(s->packed);
}

static void check_packed(const sequence *s, int part)
{
    const uint32_t *words = s->packed + part * units_of(s) * RHOMB_UNIT_WORDS(s->planes);
    for (int64_t unit = 0; unit < units_of(s); unit++) {
        for (int plane = 0; plane < RHOMB_UNIT_WORDS(s->planes); plane++, words++) {
            const uint32_t expected = word_at(s, part, unit * WORD - RHOMB_PAD_SYMBOLS, plane);
            if (*words != expected)
                fail_msg("%d planes, length %lld, part %d: plane %d of unit %lld is %08x, not %08x",
                         (int)s->planes, (long long)s->length, part, plane, (long long)unit, *words,
                         expected);
        }
    }
}

static void test_pack(void **state)
{
    static const int32_t PLANES[] = {1, 2, 3, 5, 8};
    static const int64_t MOST_LETTERS[] = {INT64_MAX, WORD, 70, 1000};
    static sequence s;
    rng r = rng_for("emulated_pack", 0);
    for (size_t p = 0; p < COUNT(PLANES); p++) {
        for (int64_t length = 0; length <= 3 * WORD + 2; length++) {
            fill_random(&s, length, PLANES[p], &r);
            const int32_t directions = rng_chance(&r, 0.7) ? 2 : 1;
            pack(&s, directions, MOST_LETTERS[length % 4]);
            assert_true(units_of(&s) * WORD >= length + 2 * RHOMB_PAD_SYMBOLS);
            for (int part = 0; part < directions; part++)
                check_packed(&s, part);
            free(s.packed);
        }
    }
}

/* The words of a part, from the one that begins with symbol 0 on. */
static const uint32_t *origin_of(const sequence *s, int part)
{
    const int64_t unit = part * units_of(s) + RHOMB_PAD_SYMBOLS / WORD;
    return s->packed + unit * RHOMB_UNIT_WORDS(s->planes);
}

static void check_window(const emulated_wavefront *v, const sequence *s, int part, int64_t at)
{
    uint32_t window[8];
    v->window(origin_of(s, part), at, window);
    for (int plane = 0; plane < s->planes; plane++)
        if (window[plane] != word_at(s, part, at, plane))
            fail_msg("%d planes, length %lld, part %d: the window at %lld is %08x, not %08x",
                     (int)s->planes, (long long)s->length, part, (long long)at, window[plane],
                     word_at(s, part, at, plane));
}

/* All positions near the ends of sequence and padding, of which a window needs two words. */
static void check_windows(const emulated_wavefront *v, const sequence *s, int part)
{
    const int64_t end = (units_of(s) - 1) * WORD - RHOMB_PAD_SYMBOLS;
    for (int64_t i = 0; i < 2 * WORD; i++) {
        check_window(v, s, part, -RHOMB_PAD_SYMBOLS + i);
        check_window(v, s, part, end - 1 - i);
    }
    for (int64_t at = -2 * WORD; at < s->length + 2 * WORD; at++)
        check_window(v, s, part, at);
}

/* Symbols that are equal from (i, j) on, `most` at most, padding included. */
static int64_t equal_symbols(const sequence *query, const sequence *target, int part, int64_t i,
                             int64_t j, int64_t most)
{
    int64_t equal = 0;
    while (equal < most && code_at(query, part, i + equal) == code_at(target, part, j + equal))
        equal++;
    return equal;
}

static void check_differ(const emulated_wavefront *v, const sequence *query, const sequence *target,
                         int part, int64_t i, int64_t j)
{
    uint32_t expected = 0;
    for (int64_t s = 0; s < WORD; s++)
        expected = expected << 1 | (code_at(query, part, i + s) != code_at(target, part, j + s));
    const uint32_t found = v->differ(origin_of(query, part), origin_of(target, part), i, j);
    if (found != expected)
        fail_msg("%d planes, part %d: (%lld, %lld) of %lld x %lld differ in %08x, not %08x",
                 (int)v->planes, part, (long long)i, (long long)j, (long long)query->length,
                 (long long)target->length, found, expected);
}

/*
 * Follows a run for some steps. One that is not open has been followed to its end; any other one
 * for as many steps, which near the end of the matrix may be of a word.
 */
static void check_run(const emulated_wavefront *v, const sequence *query, const sequence *target,
                      int part, int64_t i, int64_t j, int64_t steps)
{
    const int64_t m = query->length, n = target->length, room = rhomb__min(m - i, n - j);
    const int64_t equal = equal_symbols(query, target, part, i, j, room);
    const int64_t all_steps = rhomb__min(steps, LONGEST);
    const int64_t least = rhomb__min(equal, all_steps * (room >= all_steps * STEP ? STEP : WORD));
    bool open = steps == 1;
    const int64_t end =
        v->run(origin_of(query, part), origin_of(target, part), j - i, j, m, n, steps, &open);
    const int64_t found = end - j;
    if (open ? found < least || found > rhomb__min(equal, all_steps * STEP) : found != equal)
        fail_msg("%d planes, part %d: a run of %lld from (%lld, %lld) in %lld by %lld ends after "
                 "%lld symbols and %lld steps%s",
                 (int)v->planes, part, (long long)equal, (long long)i, (long long)j, (long long)m,
                 (long long)n, (long long)found, (long long)steps, open ? ", and goes on" : "");
    /* Nothing else than the number of steps may end it. */
    assert_true(!open || steps < LONGEST);
}

static void check_pair(const emulated_wavefront *v, const sequence *query, const sequence *target,
                       int part, rng *r)
{
    const int64_t m = query->length, n = target->length;
    for (int64_t i = -3; i < m + 3; i++) {
        for (int64_t shift = -3; shift <= 3; shift++) {
            const int64_t j = i + shift;
            check_differ(v, query, target, part, i, j);
            if (i < 0 || j < 0 || i > m || j > n)
                continue;
            for (int64_t steps = 1; steps <= 3; steps++)
                check_run(v, query, target, part, i, j, steps);
            check_run(v, query, target, part, i, j, INT_MAX);
        }
    }
    for (int k = 0; k < 200; k++)
        check_differ(v, query, target, part, rng_between(r, -WORD, m + WORD),
                     rng_between(r, -WORD, n + WORD));
}

/* A copy of `of` with few differences, or none, so that runs end anywhere. */
static void fill_similar(sequence *s, const sequence *of, int64_t length, rng *r)
{
    const int64_t one_in = rng_chance(r, 0.3) ? INT64_C(1) << 40 : rng_between(r, 5, 300);
    fill_random(s, length, of->planes, r);
    for (int64_t i = 0; i < length; i++)
        if (rng_below(r, one_in) != 0)
            s->codes[i] = (unsigned char)code_at(of, 0, i);
}

static void test_extend(void **state)
{
    static const int64_t LENGTHS[] = {1,        7,        31,           WORD,         33,
                                      63,       64,       65,           STEP - 1,     STEP,
                                      STEP + 1, 2 * STEP, 2 * STEP + 1, 3 * STEP - 1, 5 * STEP};
    static sequence query, target;
    rng r = rng_for("emulated_extend", 0);
    for (size_t w = 0; w < COUNT(WAVEFRONTS); w++) {
        for (size_t l = 0; l < COUNT(LENGTHS); l++) {
            const int64_t other = rng_chance(&r, 0.5) ? LENGTHS[l] : LENGTHS[rng_below(&r, 15)];
            fill_random(&target, LENGTHS[l], WAVEFRONTS[w]->planes, &r);
            fill_similar(&query, &target, other, &r);
            pack(&query, 2, INT64_MAX);
            pack(&target, 2, INT64_MAX);
            for (int part = 0; part < 2; part++) {
                check_windows(WAVEFRONTS[w], &query, part);
                check_pair(WAVEFRONTS[w], &query, &target, part, &r);
            }
            free(query.packed);
            free(target.packed);
        }
    }
}

/* A mismatch at the first symbol outside the matrix, and only there. */
static void check_cut(const emulated_wavefront *v, int64_t i, int64_t j, int64_t m, int64_t n)
{
    uint32_t expected = 0;
    for (int64_t s = 0; s < WORD && expected == 0; s++)
        if (i + s < 0 || j + s < 0 || i + s >= m || j + s >= n || i < 0 || j < 0)
            expected = 0x80000000u >> s;
    const uint32_t found = v->cut(i, j, m, n);
    if (found != expected)
        fail_msg("%d bits: (%lld, %lld) of %lld by %lld is cut by %08x, not %08x",
                 (int)v->offset_bits, (long long)i, (long long)j, (long long)m, (long long)n, found,
                 expected);
}

/* In matrices of all sizes, and where only 64 bits hold the lengths, at their ends. */
static void test_cut(void **state)
{
    static const int64_t LENGTHS[] = {0, 1, 31, 32, 33, 70};
    for (size_t w = 0; w < COUNT(WAVEFRONTS); w++) {
        const emulated_wavefront *v = WAVEFRONTS[w];
        const int64_t far = v->offset_bits == 64 ? INT64_C(1) << 40 : INT32_MAX - (1 << 17);
        for (size_t l = 0; l < COUNT(LENGTHS) * COUNT(LENGTHS); l++) {
            const int64_t m = LENGTHS[l % COUNT(LENGTHS)], n = LENGTHS[l / COUNT(LENGTHS)];
            for (int64_t i = -35; i < m + 35; i++) {
                for (int64_t j = -35; j < n + 35; j += 1 + (i & 3)) {
                    check_cut(v, i, j, m, n);
                    check_cut(v, far - m + i, far - n + j, far, far);
                }
            }
        }
    }
}

/* On all diagonals of the longest sequences, a tile on either side included. */
static void test_furthest(void **state)
{
    const int64_t longest = RHOMB__MAX_LENGTH_32, beside = 1 << 14;
    const int64_t lengths[] = {0, 1, 100, longest / 2, longest - 1, longest};
    for (size_t w = 0; w < COUNT(WAVEFRONTS); w++) {
        for (size_t l = 0; l < COUNT(lengths) * COUNT(lengths); l++) {
            const int64_t m = lengths[l % COUNT(lengths)], n = lengths[l / COUNT(lengths)];
            const int64_t diagonals[] = {
                -m - beside,      -m,        -1,    0,         1, 1 << 20,
                (1 << 20) + 9000, n - m - 1, n - m, n - m + 1, n, n + beside};
            for (size_t d = 0; d < COUNT(diagonals); d++) {
                const int64_t k = diagonals[d];
                assert_int_equal(WAVEFRONTS[w]->furthest(m, n, k), rhomb__min(n, m + k));
            }
        }
    }
}

enum { CHUNK = RHOMB_RUN_CHUNK };

/* Random symbols and long runs, of which some begin and end at the edges of chunks. */
static void fill_runs(letters *s, int64_t least, rng *r)
{
    static const char *const UNITS[] = {"\1", "\2", "\1", "\3"};
    while (s->length < least) {
        const int64_t rest = CHUNK - s->length % CHUNK;
        letters_random(s, "\1\2\3", rng_chance(r, 0.5) ? rest : rng_between(r, 1, 3000), r);
        for (int64_t run = rng_between(r, 1, 3); run > 0; run--)
            letters_repeat(s, UNITS[rng_below(r, (int64_t)COUNT(UNITS))],
                           rng_chance(r, 0.5) ? CHUNK * rng_between(r, 1, 3)
                                              : rng_between(r, 1, 3 * CHUNK));
    }
}

static char symbol_at(const letters *s, int direction, int64_t at)
{
    return s->at[direction == 0 ? at : s->length - 1 - at];
}

static int64_t matches_at(const letters *query, const letters *target, int direction, int64_t row,
                          int64_t column)
{
    int64_t matches = 0;
    while (row + matches < query->length && column + matches < target->length &&
           symbol_at(query, direction, row + matches) ==
               symbol_at(target, direction, column + matches))
        matches++;
    return matches;
}

/* Whole chunks of one symbol around `at`; and then the symbols from there to their end. */
static int64_t rest_of_chunks(const letters *s, int direction, int64_t at)
{
    const int64_t begin = at / CHUNK * CHUNK;
    int64_t end = begin;
    while (end < s->length && symbol_at(s, direction, end) == symbol_at(s, direction, begin))
        end++;
    end = end / CHUNK * CHUNK;
    return end > at ? end - at : 0;
}

static void check_known(const emulated_wavefront *v, const emulated_launch_arguments *a,
                        const letters *query, const letters *target, rng *r)
{
    for (int number = 0; number < 300; number++) {
        const int direction = (int)rng_below(r, a->launch.directions);
        int64_t place[2];
        for (int side = 0; side < 2; side++) {
            const int64_t length = side == 0 ? query->length : target->length;
            place[side] = rng_chance(r, 0.5)
                              ? rng_between(r, 0, length / CHUNK) * CHUNK + rng_between(r, -1, 1)
                              : rng_between(r, 0, length);
            place[side] = rhomb__min(rhomb__max(place[side], 0), length);
        }
        const int64_t row = place[0], column = place[1];
        const int64_t matches = matches_at(query, target, direction, row, column);
        const int64_t chunks = rhomb__min(rest_of_chunks(query, direction, row),
                                          rest_of_chunks(target, direction, column));
        const int64_t expected = matches > 0 ? chunks : 0;
        const bool mirrored = rng_chance(r, 0.5);
        const int64_t i = mirrored ? column : row, j = mirrored ? row : column;
        const int64_t known = v->known(a, direction, mirrored, i, j);
        const int64_t alone = v->alone(a, direction, mirrored, i, j);
        assert_true(expected <= matches);
        if (known != expected || alone != matches)
            fail_msg("PLANES=%d OFFSET_BITS=%d: %lld known from (%lld, %lld) in direction %d%s, of "
                     "%lld by %lld symbols, not %lld; %lld match, not %lld",
                     (int)v->planes, (int)v->offset_bits, (long long)known, (long long)row,
                     (long long)column, direction, mirrored ? ", mirrored" : "",
                     (long long)query->length, (long long)target->length, (long long)expected,
                     (long long)alone, (long long)matches);
    }
}

/* What the tables say, and runs that are followed with them. */
static void test_known(void **state)
{
    for (size_t i = 0; i < 3 * COUNT(WAVEFRONTS); i++) {
        const emulated_wavefront *v = WAVEFRONTS[i / 3];
        const int32_t directions = i % 3 == 2 ? 1 : 2;
        rng r = rng_for("known runs", (int64_t)i);
        letters query = {NULL, 0, 0}, target = {NULL, 0, 0};
        fill_runs(&query, rng_between(&r, 1, 60000), &r);
        fill_runs(&target, rng_between(&r, 1, 60000), &r);
        const emulated_launch_arguments a = {
            .query = emulated_pack_codes((const unsigned char *)query.at, query.length, v->planes,
                                         directions),
            .target = emulated_pack_codes((const unsigned char *)target.at, target.length,
                                          v->planes, directions),
            .launch = {.query_length = query.length,
                       .target_length = target.length,
                       .query_backward = rhomb__packed_bytes(query.length, v->planes) / 4,
                       .target_backward = rhomb__packed_bytes(target.length, v->planes) / 4,
                       .directions = directions}};
        check_known(v, &a, &query, &target, &r);
        free((void *)(uintptr_t)a.query);
        free((void *)(uintptr_t)a.target);
        free(query.at);
        free(target.at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pack),     cmocka_unit_test(test_extend), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_furthest), cmocka_unit_test(test_known),
    };
    return cmocka_run_group_tests_name("emulated", tests, NULL, NULL);
}
