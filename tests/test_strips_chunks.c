/* SPDX-License-Identifier: MIT */
/*
 * Which device has which strips of a shared sweep: counted one by one; when chunks pay, and how
 * large they are.
 */
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

TEST_MAIN(test_owners, test_travel, test_chunks)
