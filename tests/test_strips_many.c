/* SPDX-License-Identifier: MIT */
/*
 * Several sweeps in one: no two have anything in common, each one's records are those of a band of
 * its own that lies elsewhere, what is taken out is as it was, and a launch has all strips that are
 * under way, whichever sweep they belong to, and begins and ends with one.
 */
#include "src/base/int64.h"
#include "src/strips/strips_many.h"
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

TEST_MAIN(test_shares, test_sound)
