/* SPDX-License-Identifier: MIT */
/*
 * Which device has which strips of a shared sweep: counted one by one; when chunks pay, and how
 * large they are.
 */
#include "src/base/int64.h"
#include "src/strips/strips_pause.h"
#include "src/strips/strips_share.h"
#include "support/rng.h"
#include "support/test.h"

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

/* Launches of one strip that were done so far: the next plain one has to follow. */
typedef struct walk {
    rhomb__sweep sweep;
    rhomb_strip *records;
    int64_t *next;    /* plain launch of each strip */
    int32_t *written; /* of each block of either direction: the strip that wrote it last; -1 */
    int64_t launches;
} walk;

/* Does a launch of the strips that are under way. */
static void do_launch(walk *w, int64_t launch, int64_t *first, int64_t *end)
{
    const rhomb__strip_shape *shape = &w->sweep.shape;
    rhomb__sweep_active(&w->sweep, w->records, launch, first, end);
    for (int64_t i = 2 * *first; i < 2 * *end; i++) {
        const rhomb_strip *strip = &w->records[2 + i];
        const int64_t delay = rhomb__strip_delay(&w->sweep.chunks, i / 2);
        if (launch > strip->last_launch || strip->first_step >= (launch + 1) * shape->steps)
            continue; /* the kernel does nothing */
        assert_int_equal(launch - delay, w->next[i]);
        w->next[i]++;
        const int64_t due =
            launch * shape->steps - strip->first_step + strip->first_block - shape->lag;
        for (int64_t b = rhomb__max(due, strip->first_block);
             b < rhomb__min(due + shape->steps, strip->end_block); b++)
            w->written[b] = (int32_t)i;
    }
}

/* Whether each strip has done what one device would have done up to a plain launch. */
static void expect_done(const walk *w, int64_t plain)
{
    for (int64_t i = 0; i < 2 * w->sweep.strips; i++) {
        const rhomb_strip *strip = &w->records[2 + i];
        const int64_t delay = rhomb__strip_delay(&w->sweep.chunks, i / 2);
        const int64_t begin = rhomb__floor_div(strip->first_step, w->sweep.shape.steps) - delay;
        const int64_t end = strip->last_launch + 1 - delay;
        if (strip->last_launch >= 0)
            assert_int_equal(w->next[i], rhomb__max(begin, rhomb__min(plain, end)));
    }
}

/* Whether owners have the blocks that strips wrote last, but for those in no strip's way. */
static void expect_written(const walk *w, int64_t plain)
{
    for (int64_t direction = 0; direction < 2; direction++) {
        rhomb__written part = {0};
        int64_t from = INT64_MAX, g = w->sweep.strips;
        int64_t at = INT64_MIN;
        while (rhomb__pause_written(&w->sweep, w->records, plain, direction, &g, &part)) {
            assert_true(part.begin >= at && part.begin < part.end);
            from = rhomb__min(from, part.begin);
            for (int64_t b = rhomb__max(at, from); b < part.begin; b++)
                assert_int_equal(w->written[b], -1);
            for (int64_t b = part.begin; b < part.end; b++)
                assert_int_equal(rhomb__strip_owner(&w->sweep.chunks, w->written[b] / 2),
                                 part.owner);
            at = part.end;
        }
        const int64_t last = rhomb__sweep_last_block(&w->sweep, direction);
        for (int64_t b = rhomb__max(at, direction * w->sweep.blocks[0]); b < last; b++)
            assert_int_equal(w->written[b], -1);
        for (int64_t i = direction; i < 2 * w->sweep.strips; i += 2) /* who is yet to come */
            if (w->records[2 + i].end_block > w->records[2 + i].first_block && w->next[i] == 0 &&
                from < INT64_MAX)
                assert_true(w->records[2 + i].first_block >= from);
    }
}

static walk begin_walk(rng *r)
{
    walk w = {.sweep = random_sweep(r)};
    const rhomb__strip_shape shape = {
        .items = 1, .words = 1, .lag = rng_between(r, 0, 3), .steps = rng_between(r, 1, 6)};
    const rhomb__strip_chunks chunks = w.sweep.chunks;
    w.sweep = rhomb__sweep_make(rng_between(r, 40, 3000), rng_between(r, 40, 3000), &shape,
                                (int)rng_between(r, 1, 2));
    w.sweep.chunks = chunks;
    w.sweep.chunks.travel = 2 * (int32_t)rng_between(r, 0, 2);
    const int64_t end = w.sweep.columns - w.sweep.rows;
    const size_t strips = 2 * (size_t)w.sweep.strips;
    w.records = malloc((strips + 2) * sizeof *w.records);
    w.next = calloc(strips, sizeof *w.next);
    w.written = malloc((size_t)(w.sweep.columns / 16) * sizeof *w.written);
    assert_true(w.records != NULL && w.next != NULL && w.written != NULL);
    w.launches = rhomb__sweep_band(&w.sweep, (end < 0 ? -end : end) + rng_below(r, 900), w.records);
    for (int64_t b = 0; b < w.sweep.columns / 16; b++)
        w.written[b] = -1;
    for (int64_t i = 0; i < 2 * w.sweep.strips; i++)
        w.next[i] = w.records[2 + i].last_launch < 0
                        ? 0
                        : rhomb__floor_div(w.records[2 + i].first_step, shape.steps) -
                              rhomb__strip_delay(&w.sweep.chunks, i / 2);
    return w;
}

/*
 * A sweep that pauses now and then: each strip does all its launches in order, none twice, and at
 * each pause all have done what one device would have.
 */
static void test_pauses(void **state)
{
    int64_t pauses = 0;
    for (int64_t number = 0; number < 400; number++) {
        rng r = rng_for("pauses", number);
        walk w = begin_walk(&r);
        int64_t first = 0, end = 0, launch = 0;
        while (launch < w.launches) {
            do_launch(&w, launch++, &first, &end);
            if (rng_below(&r, 7) != 0)
                continue;
            const int64_t plain = rhomb__pause_at(&w.sweep, w.records, launch);
            w.sweep.chunks.until = plain;
            while (launch < rhomb__pause_end(&w.sweep, w.records, plain))
                do_launch(&w, launch++, &first, &end);
            w.sweep.chunks.until = 0;
            expect_done(&w, plain);
            expect_written(&w, plain);
            w.sweep.chunks.from = plain;
            launch = rhomb__pause_begin(&w.sweep, w.records, plain);
            first = end = 0;
            pauses++;
        }
        expect_done(&w, w.launches);
        free(w.records);
        free(w.next);
        free(w.written);
    }
    assert_true(pauses > 1000);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_owners), cmocka_unit_test(test_travel),
                                       cmocka_unit_test(test_pauses),
                                       cmocka_unit_test(test_chunks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
