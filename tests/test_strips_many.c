/* SPDX-License-Identifier: MIT */
/*
 * Sweeps beside each other, and their step. Several in one: no two have anything in common, each
 * one's records are those of a band of its own that lies elsewhere, what is taken out is as it was,
 * and a launch has all strips that are running. The model of what they take: seconds are those
 * that were measured on an H200, and the steps that are chosen are the quickest. Which device has
 * which strips of a shared sweep, counted one by one; when chunks pay, and how large they are. And
 * the bit-sliced step as the host knows it (src/strips/sliced.h): planes, differences, savings and
 * gaps that go on, against loops over single rows and bases.
 */
#include "src/base/int64.h"
#include "src/strips/sliced.h"
#include "src/strips/strips_many.h"
#include "support/cost_sets.h"
#include "support/rng.h"
#include "support/test.h"

enum {
    LONGEST = 600,
    MOST_SHARES = 7,
    MOST_RECORDS = MOST_SHARES * (2 + 2 * LONGEST / 32 + 4),
    MOST_LAUNCHES = 2000,
    MOST_LISTED = 3 * MOST_RECORDS
};

typedef struct setting {
    int64_t count;
    int64_t bounds[MOST_SHARES];
    rhomb__sweep_share shares[MOST_SHARES];
    rhomb__sweep_totals totals;
    rhomb_strip records[MOST_RECORDS];
} setting;

/* Lengths from one block for all of a sweep to many strips, and bounds from the least on. */
static setting random_setting(rng *r)
{
    setting s = {.count = rng_between(r, 1, MOST_SHARES)};
    const int64_t items = rng_between(r, 1, 4);
    const rhomb__strip_shape shape = {.items = items,
                                      .words = rng_between(r, 1, 2),
                                      .lag = rng_chance(r, 0.5) ? 1 : items - 1,
                                      .steps = rng_between(r, 1, 12)};
    for (int64_t i = 0; i < s.count; i++) {
        const int64_t n = rng_between(r, 1, rng_chance(r, 0.3) ? 40 : LONGEST);
        const int64_t m = rng_chance(r, 0.5) ? rng_between(r, 1, LONGEST)
                                             : rhomb__max(n - rng_between(r, 0, 9), 1);
        s.shares[i].sweep = rhomb__sweep_make(n, m, &shape, 2);
        s.bounds[i] = llabs(n - m) + rng_between(r, 0, rng_chance(r, 0.5) ? 3 : 200);
    }
    s.totals = rhomb__shares_lay_out(s.shares, s.count);
    assert_true(s.totals.records <= MOST_RECORDS);
    memset(s.records, 0x55, sizeof s.records);
    for (int64_t i = 0; i < s.count; i++)
        rhomb__share_band(&s.shares[i], s.bounds[i], s.records);
    return s;
}

/* The rows of a strip, its blocks and its place belong to its share alone. */
static void check_places(const setting *s)
{
    int64_t blocks = 0, items = 0, records = 0;
    for (int64_t i = 0; i < s->count; i++) {
        const rhomb__sweep_share *share = &s->shares[i];
        const rhomb__sweep *sweep = &share->sweep;
        const rhomb_strip *own = &s->records[share->first_record];
        const int64_t middle = blocks + sweep->blocks[0], end = middle + sweep->blocks[1];
        assert_true(share->first_record == records);
        for (int64_t k = 2; k < rhomb__sweep_records(sweep); k++) {
            const int64_t direction = k % 2, g = k / 2 - 1;
            assert_true(own[k].first_block >= (direction == 0 ? blocks : middle));
            assert_true(own[k].end_block <= (direction == 0 ? middle : end));
            assert_true(own[k].first_item ==
                        items + (direction * sweep->strips + g) * sweep->shape.items);
        }
        blocks = end;
        items += 2 * sweep->strips * sweep->shape.items;
        records += rhomb__sweep_records(sweep);
    }
    assert_true(s->totals.blocks == blocks && s->totals.items == items);
    assert_true(s->totals.records == records && s->totals.strips == records - 2);
}

/* Seen from its first block and its first row, a strip is as in a sweep alone. */
static void check_record(const rhomb__sweep_share *share, const rhomb_strip *here,
                         const rhomb_strip *alone)
{
    const int64_t blocks = share->first_block, column = blocks * RHOMB__BLOCK_COLUMNS;
    assert_true(here->first_block - blocks == alone->first_block);
    assert_true(here->end_block - blocks == alone->end_block);
    assert_true(here->below_first_block - blocks == alone->below_first_block);
    assert_true(here->corner - column == alone->corner);
    assert_true(here->slack + here->corner == alone->slack + alone->corner);
    assert_true(here->first_step == alone->first_step);
    assert_true(here->last_launch == alone->last_launch);
    assert_true(here->above_last_launch == alone->above_last_launch);
    for (int f = 0; f < 2; f++) {
        const rhomb_strip_front *front = &here->front[f], *other = &alone->front[f];
        const bool begun = other->begin != RHOMB_NO_BLOCK;
        assert_true(front->begin == (begun ? other->begin + blocks : RHOMB_NO_BLOCK));
        assert_true(front->end - blocks == other->end);
        assert_true(front->room == other->room && front->score == other->score);
        assert_true(front->begin_score == other->begin_score);
    }
}

static void check_bands(setting *s)
{
    rhomb_strip alone[MOST_RECORDS];
    for (int64_t i = 0; i < s->count; i++) {
        const rhomb__sweep_share *share = &s->shares[i];
        const int64_t records = rhomb__sweep_records(&share->sweep);
        const int64_t launches = rhomb__sweep_band(&share->sweep, s->bounds[i], alone);
        assert_true(share->launches == launches);
        for (int64_t k = 0; k < records; k++)
            check_record(share, &s->records[share->first_record + k], &alone[k]);
        rhomb__share_take_out(share, s->records);
        assert_memory_equal(&s->records[share->first_record], alone,
                            (size_t)records * sizeof *alone);
    }
}

/* Whether a strip has steps in a launch, by the steps of its items. */
static bool is_due(const rhomb__sweep_share *share, const rhomb_strip *strip, int64_t launch)
{
    const rhomb__strip_shape *shape = &share->sweep.shape;
    const int64_t blocks = strip->end_block - strip->first_block;
    const int64_t first = launch * shape->steps, end = first + shape->steps;
    return blocks > 0 && strip->first_step < end && strip->first_step + blocks + shape->lag > first;
}

static void check_launches(setting *s)
{
    static int64_t counts[MOST_LAUNCHES], ends[MOST_LAUNCHES];
    static uint32_t listed[MOST_LISTED];
    const int64_t steps = s->shares[0].sweep.shape.steps;
    int64_t launches = 0;
    for (int64_t i = 0; i < s->count; i++)
        launches = rhomb__max(launches, s->shares[i].launches);
    assert_true(launches <= MOST_LAUNCHES);
    rhomb__shares_count(s->records, s->totals.strips, steps, launches, counts);
    for (int64_t first = 0, end; first < launches; first = end) {
        end = rhomb__min(first + 1 + first % 3, launches);
        rhomb__shares_list(s->records, s->totals.strips, steps, first, end, counts, ends, listed);
        for (int64_t launch = first; launch < end; launch++) {
            int64_t at = ends[launch - first] - counts[launch];
            assert_true(at == (launch > first ? ends[launch - first - 1] : 0));
            for (int64_t i = 0; i < s->count; i++) {
                const rhomb__sweep_share *share = &s->shares[i];
                for (int64_t k = 0; k < 2 * share->sweep.strips; k++) {
                    const int64_t strip = share->first_record + k;
                    if (!is_due(share, &s->records[strip + 2], launch))
                        continue;
                    assert_true(at < ends[launch - first]);
                    assert_int_equal(listed[at++], strip);
                }
            }
            assert_true(at == ends[launch - first] && counts[launch] > 0);
        }
    }
}

static void test_shares(void **state)
{
    for (int64_t i = 0; i < 3000; i++) {
        rng r = rng_for("shares", i);
        setting s = random_setting(&r);
        check_places(&s);
        check_launches(&s);
        check_bands(&s);
    }
}

/* What a device leaves can be anywhere: only what a strip can come to is sound. */
static void test_sound(void **state)
{
    const rhomb__strip_shape shape = {.items = 1, .words = 1, .lag = 1, .steps = 4};
    const rhomb__sweep sweep = rhomb__sweep_make(320, 320, &shape, 2);
    rhomb_strip records[2 + 2 * 320 / 32];
    assert_true(rhomb__sweep_records(&sweep) == sizeof records / sizeof *records);
    rhomb__sweep_band(&sweep, 50, records);
    rhomb_strip *strip = &records[6];
    rhomb_strip_front *front = &strip->front[strip->last_launch & 1];
    const rhomb_strip_front good = {.begin = strip->first_block,
                                    .begin_score = 3,
                                    .room = 50,
                                    .end = strip->end_block,
                                    .score = 30};
    *front = good;
    assert_true(rhomb__strip_is_sound(&sweep, strip));
    rhomb_strip_front bad[] = {good, good, good, good, good, good, good};
    bad[0].end = strip->end_block + 1;
    bad[1].end = strip->first_block - 1;
    bad[2].score = -1;
    bad[3].begin = strip->end_block;
    bad[4].begin = strip->first_block - 1;
    bad[5].begin_score = INT64_MAX;
    bad[6].room = INT64_MAX;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        *front = bad[i];
        assert_false(rhomb__strip_is_sound(&sweep, strip));
    }
}

enum {
    LONGEST_MEASURED = 900,
    MOST_MEASURED = 2 + 2 * (LONGEST_MEASURED / 32 + 2),
    MOST_PARTS = 128
};

static const rhomb__sweep_rates H200 = {132, 33e12, 5.6e-6, 0.28e-6, 128};

static void test_measure(void **state)
{
    rhomb_strip records[MOST_MEASURED];
    for (int64_t i = 0; i < 3000; i++) {
        rng r = rng_for("sweep measure", i);
        const int64_t items = rng_between(&r, 1, 4);
        const rhomb__strip_shape shape = {.items = items,
                                          .words = rng_between(&r, 1, 2),
                                          .lag = items - 1,
                                          .steps = rng_between(&r, 1, 12)};
        const int64_t n = rng_between(&r, 17, LONGEST_MEASURED),
                      m = rng_between(&r, 1, LONGEST_MEASURED);
        const int64_t bound = llabs(n - m) + rng_between(&r, 0, 200);
        const rhomb__sweep sweep = rhomb__sweep_make(n, m, &shape, 2);
        assert_true(rhomb__sweep_records(&sweep) <= MOST_MEASURED);
        const rhomb__sweep_extent extent = rhomb__sweep_measure(&sweep, bound);
        assert_int_equal(extent.launches, rhomb__sweep_band(&sweep, bound, records));
        assert_int_equal(extent.strip_blocks * RHOMB__BLOCK_COLUMNS * sweep.strip_rows,
                         rhomb__sweep_band_cells(&sweep, records));
    }
}

/* bench/NOTES.md: one sweep of the widest band. */
static void test_measured(void **state)
{
    static const struct {
        int64_t length, items, words, steps;
        double seconds;
    } ROWS[] = {{167000, 128, 2, 32, 8.62e-3},  {167000, 128, 2, 16, 8.9e-3},
                {167000, 128, 1, 32, 9.2e-3},   {167000, 64, 2, 32, 9.2e-3},
                {167000, 32, 2, 16, 10.2e-3},   {1050000, 128, 2, 32, 64.7e-3},
                {1050000, 128, 2, 64, 65.6e-3}, {1050000, 64, 2, 32, 67.8e-3},
                {1050000, 128, 4, 32, 68.7e-3}, {1050000, 128, 1, 32, 69.9e-3},
                {3200000, 128, 4, 64, 340e-3},  {3200000, 128, 2, 32, 345e-3}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const rhomb_subproblem pair = {
            .pair = {0, ROWS[i].length, 0, ROWS[i].length, ROWS[i].length}};
        const rhomb__sweep_list list = {&pair, 1};
        const rhomb__strip_shape shape = {.items = ROWS[i].items,
                                          .words = ROWS[i].words,
                                          .lag = ROWS[i].items - 1,
                                          .steps = ROWS[i].steps};
        const double ratio = rhomb__sweeps_seconds(&H200, &list, &shape) / ROWS[i].seconds;
        if (ratio < 0.9 || ratio > 1.1)
            fail_msg("%lld x %lld, %lld steps: %.2f of what was measured", (long long)ROWS[i].items,
                     (long long)ROWS[i].words, (long long)ROWS[i].steps, ratio);
    }
}

/* `count` parts of a pair as CP000051 x AE002160 is. */
static rhomb__sweep_list parts_of(rhomb_subproblem *pairs, int64_t count)
{
    const rhomb__sweep_list list = {pairs, count};
    for (int64_t i = 0; i < count; i++) {
        const rhomb_subproblem part = {
            .pair = {0, 1038842 / count, 0, 1069412 / count, 549784 / count}};
        pairs[i] = part;
    }
    return list;
}

/* The cells halve from round to round, and what parts wait for each other all but halves. */
static void test_rounds(void **state)
{
    rhomb_subproblem pairs[MOST_PARTS];
    double before = 0;
    for (int64_t count = 2; count <= MOST_PARTS; count *= 2) {
        const rhomb__sweep_list list = parts_of(pairs, count);
        rhomb__strip_shape shape = {.items = 128, .words = 2, .lag = 127, .steps = 32};
        const double seconds = rhomb__sweeps_choose_steps(&H200, &list, &shape);
        assert_true(seconds == rhomb__sweeps_seconds(&H200, &list, &shape));
        if (before > 0)
            assert_true(seconds > 0.49 * before && seconds < 0.6 * before);
        else
            assert_true(seconds > 20e-3 && seconds < 28e-3);
        before = seconds;
        for (rhomb__strip_shape other = shape; other.steps >= 16; other.steps /= 2)
            assert_true(rhomb__sweeps_seconds(&H200, &list, &other) >= seconds);
        for (rhomb__strip_shape other = shape; other.steps <= 256; other.steps *= 2)
            assert_true(rhomb__sweeps_seconds(&H200, &list, &other) >= seconds);
    }
}

/* A full device takes its time for the cells; a short target changes places. */
static void test_limits(void **state)
{
    rhomb_subproblem pairs[MOST_PARTS];
    rhomb__strip_shape shape = {.items = 128, .words = 4, .lag = 127, .steps = 128};
    for (int64_t i = 0; i < MOST_PARTS; i++)
        pairs[i] = (rhomb_subproblem){.pair = {0, 1000000, 0, 1000000, 1000000}};
    const rhomb__sweep_list many = {pairs, MOST_PARTS};
    /* Above and below the band lies a quarter of each matrix. */
    const double cells = MOST_PARTS * 0.75e12,
                 seconds = rhomb__sweeps_seconds(&H200, &many, &shape);
    assert_true(seconds > cells / 33e12 && seconds < 1.1 * cells / 33e12);
    const rhomb_subproblem thin[] = {{.pair = {0, 20, 0, 50000, 49990}},
                                     {.pair = {0, 50000, 0, 20, 49990}}};
    const rhomb__costs edit = rhomb__costs_edit();
    const rhomb__sweep_list straight = {&thin[1], 1}, swapped = {&thin[0], 1}, none = {thin, 0};
    assert_true(rhomb__sweeps_seconds(&H200, &straight, &shape) ==
                rhomb__sweeps_seconds(&H200, &swapped, &shape));
    assert_int_equal(rhomb__sweeps_mean_rows(&straight, &edit), 20);
    assert_int_equal(rhomb__sweeps_mean_rows(&swapped, &edit), 20);
    assert_int_equal(rhomb__sweeps_mean_rows(&many, &edit), 1000000);
    assert_int_equal(rhomb__sweeps_mean_rows(&none, &edit), 0);
    assert_true(rhomb__sweeps_choose_steps(&H200, &none, &shape) == 0);
    assert_int_equal(shape.steps, 16);
}

static rhomb__sweep random_sweep(rng *r)
{
    const rhomb__strip_shape shape = {.items = 1, .words = 1, .lag = 1, .steps = 4};
    rhomb__sweep sweep = rhomb__sweep_make(16, rng_between(r, 1, 3000), &shape, 2);
    sweep.chunks.owners = (int32_t)rng_between(r, 0, 5);
    for (int32_t i = 0; i < sweep.chunks.owners; i++)
        sweep.chunks.strips[i] = rng_between(r, 1, 6);
    return sweep;
}

/* Owners take turns, as their chunks are long. */
static void test_owners(void **state)
{
    for (int64_t number = 0; number < 300; number++) {
        rng r = rng_for("chunks", number);
        const rhomb__sweep sweep = random_sweep(&r);
        const int32_t owners = sweep.chunks.owners > 1 ? sweep.chunks.owners : 1;
        int64_t owned[RHOMB_MOST_DEVICES] = {0}, borders[RHOMB_MOST_DEVICES] = {0}, left = 0;
        int32_t owner = owners - 1;
        for (int64_t g = 0; g < sweep.strips; g++) {
            const bool begins = left == 0;
            if (begins) {
                owner = (owner + 1) % owners;
                left = owners > 1 ? sweep.chunks.strips[owner] : sweep.strips;
            }
            assert_int_equal(rhomb__strip_owner(&sweep.chunks, g), owner);
            assert_int_equal(rhomb__strip_begins_chunk(&sweep.chunks, g), begins && g > 0);
            for (int32_t o = 0; o < owners; o++) {
                assert_int_equal(rhomb__strips_owned(&sweep.chunks, o, g), owned[o]);
                assert_int_equal(rhomb__borders_owned(&sweep.chunks, o, g, sweep.strips),
                                 borders[o]);
            }
            assert_int_equal(rhomb__strip_of_owner(&sweep.chunks, owner, owned[owner]), g);
            owned[owner]++;
            left--;
            if (owners > 1 && left == 0 && g + 1 < sweep.strips) {
                assert_int_equal(rhomb__border_of_owner(&sweep.chunks, owner, borders[owner]), g);
                borders[owner]++;
            }
        }
        assert_int_equal(rhomb__borders_owned(&sweep.chunks, owner, sweep.strips, sweep.strips),
                         borders[owner]);
    }
}

/* A strip that begins a chunk begins `travel` launches later, and all after it as well. */
static void test_travel(void **state)
{
    for (int64_t number = 0; number < 50; number++) {
        rng r = rng_for("travel", number);
        rhomb__sweep sweep = random_sweep(&r);
        const int64_t most = sweep.rows + sweep.columns, records = rhomb__sweep_records(&sweep);
        rhomb_strip *alone = malloc((size_t)records * sizeof *alone);
        rhomb_strip *shared = malloc((size_t)records * sizeof *shared);
        assert_true(alone != NULL && shared != NULL);
        sweep.chunks.travel = (int32_t)rng_between(&r, 0, 3);
        const int64_t launches = rhomb__sweep_band(&sweep, most, shared);
        assert_int_equal(rhomb__sweep_measure(&sweep, most).launches, launches);
        rhomb__sweep plain = sweep;
        plain.chunks.owners = 1;
        rhomb__sweep_band(&plain, most, alone);
        int64_t later = 0;
        for (int64_t g = 0; g < sweep.strips; g++) {
            const rhomb_strip *x = &shared[2 + 2 * g], *y = &alone[2 + 2 * g];
            later += rhomb__strip_begins_chunk(&sweep.chunks, g) ? sweep.chunks.travel : 0;
            if (x->last_launch >= 0)
                assert_int_equal(x->first_step - y->first_step, later * sweep.shape.steps);
            assert_true(x->first_block == y->first_block && x->end_block == y->end_block);
        }
        free(alone);
        free(shared);
    }
}

static bool pays(const rhomb__sweep *sweep, int64_t in_flight, const double *speeds, int32_t owners)
{
    const rhomb__strip_chunks chunks = rhomb__chunks_for(sweep, speeds, owners, in_flight);
    return rhomb__sharing_pays(sweep, in_flight, speeds, &chunks, 0.75e-6);
}

/* 62 x 57 Mbp in groups of 128 items with 4 words, launches of 128 blocks, at 33e12 cells/s. */
static void test_chunks(void **state)
{
    const rhomb__strip_shape shape = {.items = 128, .words = 4, .lag = 127, .steps = 128};
    const rhomb__sweep sweep = rhomb__sweep_make(62000000, 56939740, &shape, 2);
    const double speeds[] = {33e12, 33e12, 11e12};
    const int64_t wide = rhomb__sweep_in_flight(&sweep, 12673391);
    const int64_t narrow = rhomb__sweep_in_flight(&sweep, 5200000);
    assert_int_equal(wide, 12673391 / 16 / (16384 / 16 + 127 + 128));
    assert_true(pays(&sweep, wide, speeds, 2));
    assert_false(pays(&sweep, wide, speeds, 1));
    assert_true(pays(&sweep, narrow, speeds, 2));
    assert_false(pays(&sweep, 40, speeds, 2));
    /* The least chunk of a far slower device is more than its share. */
    const double unequal[] = {33e12, 33e12, 1e12};
    assert_false(pays(&sweep, narrow, unequal, 3));
    const rhomb__strip_chunks chunks = rhomb__chunks_for(&sweep, speeds, 3, wide);
    assert_int_equal(chunks.owners, 3);
    assert_int_equal(chunks.strips[0], chunks.strips[1]);
    assert_true(chunks.strips[0] > 5 && chunks.strips[0] < 40);
    assert_in_range(chunks.strips[2], chunks.strips[0] / 3 - 1, chunks.strips[0] / 3 + 1);
}

/* The bits of a number. */
static int bits_of(int64_t n)
{
    int bits = 0;
    while (n >> bits > 0)
        bits++;
    return bits;
}

/* Numbers up to two gaps of a base for differences, and up to an opening for what is saved. */
static void test_planes(void **state)
{
    for (int64_t i = 0; i < 20000; i++) {
        rng r = rng_for("planes", i);
        const rhomb__costs c = random_costs(&r, INT64_C(1) << rng_between(&r, 0, 13));
        const rhomb__slices planes = rhomb__sliced_planes(&c);
        const int u = bits_of(2 * (c.open[0] + c.extend[0])), x = bits_of(c.open[0]);
        const int x2 = c.pieces == 2 ? bits_of(c.open[1]) : 0;
        assert_int_equal(planes.u, u);
        assert_int_equal(planes.saves[0], x);
        assert_int_equal(planes.saves[1], x2);
        assert_int_equal(rhomb__sliced_state_words(&c), 2 * (u + x + x2));
        assert_int_equal(rhomb__sliced_border_words(&c), (u + x + x2 + 1) / 2);
    }
}

/* The largest numbers that are allowed, and one more. */
static void test_can(void **state)
{
    rhomb__costs c = {.mismatch = 1, .pieces = 1, .open = {32766, 0}, .extend = {1, 0}};
    assert_true(rhomb__sliced_can(&c));
    assert_int_equal(rhomb__sliced_planes(&c).u, 16);
    c.extend[0] = 2;
    assert_false(rhomb__sliced_can(&c));
    c.open[0] = 0;
    c.extend[0] = 32767;
    assert_true(rhomb__sliced_can(&c));
    c.open[1] = 32768; /* of a second piece that is not there */
    assert_true(rhomb__sliced_can(&c));
    c.pieces = 2;
    c.extend[1] = 1;
    assert_false(rhomb__sliced_can(&c));
    c.open[1] = 32767;
    assert_true(rhomb__sliced_can(&c));
    c.extend[0] = 32768;
    assert_false(rhomb__sliced_can(&c));
}

enum { WORDS = 4, ROWS = 32 * WORDS };

/* Rows with any numbers, and their state in planes; what the host does not read is anything. */
typedef struct rows_of_numbers {
    rhomb__costs costs;
    int64_t growth[ROWS];
    int64_t saves[2][ROWS];
    uint32_t *state;
} rows_of_numbers;

static void put_number(uint32_t *words, int64_t bit, int planes, int64_t number)
{
    for (int k = 0; k < planes; k++) {
        words[k] &= ~(UINT32_C(1) << bit);
        words[k] |= (uint32_t)(number >> k & 1) << bit;
    }
}

static void make_rows(rows_of_numbers *n, rng *r)
{
    const rhomb__costs *c = &n->costs;
    n->costs = random_costs(r, INT64_C(1) << rng_between(r, 0, 12));
    const rhomb__slices planes = rhomb__sliced_planes(c);
    const int64_t pitch = rhomb__sliced_state_words(c), first = c->open[0] + c->extend[0];
    const size_t bytes = (size_t)(WORDS * pitch) * sizeof *n->state; /* of just the size */
    n->state = malloc(bytes);
    assert_non_null(n->state);
    memset(n->state, 0x5a, bytes);
    for (int64_t row = 0; row < ROWS; row++) {
        uint32_t *words = &n->state[row / 32 * pitch];
        n->growth[row] = rng_between(r, -first, first);
        put_number(words, row % 32, planes.u, first - n->growth[row]);
        words += planes.u;
        for (int piece = 0; piece < c->pieces; piece++) {
            n->saves[piece][row] = rng_between(r, 0, c->open[piece]);
            put_number(words, row % 32, planes.saves[piece], n->saves[piece][row]);
            words += planes.saves[piece];
        }
    }
}

static void test_rows(void **state)
{
    for (int64_t i = 0; i < 500; i++) {
        rng r = rng_for("rows", i);
        rows_of_numbers n;
        make_rows(&n, &r);
        const rhomb__sliced_rows rows = rhomb__sliced_rows_of(&n.costs, n.state);
        for (int64_t row = 0; row < ROWS; row++) {
            for (int piece = 0; piece < n.costs.pieces; piece++)
                assert_true(rhomb__sliced_saves(&rows, row, piece) == n.saves[piece][row]);
        }
        for (int k = 0; k < 100; k++) {
            const int64_t from = rng_between(&r, 0, ROWS);
            const int64_t count = rng_between(&r, 0, ROWS - from);
            int64_t sum = 0;
            for (int64_t row = from; row < from + count; row++)
                sum += n.growth[row];
            assert_true(rhomb__sliced_growth(&rows, from, count) == sum);
        }
        free(n.state);
    }
}

/*
 * A gap that goes on, base by base: with a piece that is open, or a new one. Pieces of the same gap
 * may take turns, which never is better than the best one alone.
 */
static void test_runs(void **state)
{
    for (int64_t i = 0; i < 5000; i++) {
        rng r = rng_for("runs", i);
        const rhomb__costs c = random_costs(&r, 60);
        int32_t saves[2] = {0, 0}, after[2];
        int64_t any = 0, open[2];
        for (int piece = 0; piece < c.pieces; piece++) {
            saves[piece] = (int32_t)rng_between(&r, 0, c.open[piece]);
            open[piece] = c.open[piece] - saves[piece]; /* the cost before the first base */
        }
        for (int64_t bases = 0; bases < 100; bases++) {
            assert_true(rhomb__sliced_run_on(&c, saves, bases) == any);
            rhomb__sliced_run_saves(&c, saves, bases, after);
            for (int piece = 0; piece < 2; piece++) {
                const int64_t saved =
                    piece < c.pieces ? rhomb__max(any + c.open[piece] - open[piece], 0) : 0;
                assert_true(after[piece] == saved);
            }
            int64_t next = INT64_MAX;
            for (int piece = 0; piece < c.pieces; piece++) {
                open[piece] = rhomb__min(open[piece], any + c.open[piece]) + c.extend[piece];
                next = rhomb__min(next, open[piece]);
            }
            any = next;
        }
    }
}

/* More planes are more work, and few of a short form less. */
static void test_operations(void **state)
{
    const rhomb__costs edit = rhomb__costs_edit();
    rhomb__costs c = {.mismatch = 2, .pieces = 1, .open = {3, 0}, .extend = {1, 0}};
    const double few = rhomb__sliced_operations(&c, 2, 1);
    assert_true(rhomb__sliced_operations(&edit, 2, 1) < few);
    assert_true(rhomb__sliced_operations(&c, 8, 1) == few + 12);
    assert_true(rhomb__sliced_operations(&c, 2, 2) < few);
    assert_true(rhomb__sweep_rate(17e9, &c, 2, 1) == 17e9 * 17 / few);
    assert_true(rhomb__sweep_rate(17e9, NULL, 2, 1) == 17e9);
    assert_true(rhomb__sweep_rate(17e9, NULL, 19, 1) == 8.5e9);
    c.mismatch = 3;
    const double more = rhomb__sliced_operations(&c, 2, 1);
    assert_true(more > few);
    c.extend[0] = 2;
    assert_true(rhomb__sliced_operations(&c, 2, 1) >= more);
    c.pieces = 2;
    c.open[1] = 9;
    c.extend[1] = 1;
    assert_true(rhomb__sliced_operations(&c, 2, 1) > more * 3 / 2);
}

TEST_MAIN(test_shares, test_sound, test_measure, test_measured, test_rounds, test_limits,
          test_owners, test_travel, test_chunks, test_planes, test_can, test_rows, test_runs,
          test_operations)
