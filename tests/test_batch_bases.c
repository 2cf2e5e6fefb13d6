/* SPDX-License-Identifier: MIT */
/*
 * Bases of a job (src/batch/batch_bases.h): past the caches or not, the same bytes come out,
 * and none around them is touched.
 */
#include "src/batch/batch_bases.h"
#include "src/batch/batch_shape.h"
#include "support/rng.h"
#include "support/test.h"

enum { LONGEST = 200, ROOM = 512 };

static void test_copies(void **state)
{
    char letters[LONGEST + 16], expected[ROOM];
    char *to = aligned_alloc(32, ROOM);
    rng r = rng_for("letters of a job", 0);
    assert_non_null(to);
    for (size_t i = 0; i < sizeof letters; i++)
        letters[i] = (char)rng_between(&r, 33, 126);
    for (int64_t length = 0; length <= LONGEST; length++)
        for (int64_t from = 0; from < 16; from++)
            for (int past = 0; past < 2; past++) {
                const int64_t at = RHOMB_WORD_SYMBOLS * (length % 3);
                const int64_t room = rhomb__batch_room(length);
                memset(to, 1, ROOM);
                memset(expected, 1, ROOM);
                memset(expected + at, 'A', (size_t)room);
                memcpy(expected + at, letters + from, (size_t)length);
                assert_int_equal(rhomb__batch_copy_bases(to, at, letters + from, length, past),
                                 at + room);
                rhomb__bases_are_past();
                assert_memory_equal(to, expected, ROOM);
            }
    assert_int_equal(rhomb__batch_copy_bases(to, 0, NULL, 0, true), RHOMB_WORD_SYMBOLS);
    assert_int_equal(rhomb__batch_copy_bases(to, 0, NULL, 0, false), RHOMB_WORD_SYMBOLS);
    free(to);
}

TEST_MAIN(test_copies)
