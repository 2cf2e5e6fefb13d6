/* SPDX-License-Identifier: MIT */
/*
 * Numbers of 32 bits in kernels, where sequences are as long as these allow, or longer, for which
 * no test has the time: where a matrix ends (cl/common/extend.clh), and where a strip begins and
 * ends (cl/common/passage.clh). As host code, so that sanitizers see an overflow.
 */
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "support/test.h"

#include "opencl/own_kernel_c.h"

#define __global
#define RHOMB_PLANES      2
#define RHOMB_OFFSET_BITS 32
#include "cl/common/extend.clh"

#define RHOMB_GAP_OPEN   0
#define RHOMB_GAP_EXTEND 1
#include "cl/common/passage.clh"

/* A mismatch at the first symbol outside the matrix, and only there. */
static void check_cut(int64_t i, int64_t j, int64_t m, int64_t n)
{
    uint32_t expected = 0;
    for (int64_t s = 0; s < RHOMB_WORD_SYMBOLS && expected == 0; s++)
        if (i < 0 || j < 0 || i + s >= m || j + s >= n)
            expected = 0x80000000u >> s;
    assert_int_equal(rhomb_cut((rhomb_off)i, (rhomb_off)j, (rhomb_off)m, (rhomb_off)n), expected);
}

/* In small matrices of all sizes, and at the ends of the largest. */
static void test_cut(void **state)
{
    static const int64_t LENGTHS[] = {0, 1, 31, 32, 33, 70};
    const int64_t far = INT32_MAX - (1 << 17);
    for (size_t l = 0; l < COUNT(LENGTHS) * COUNT(LENGTHS); l++) {
        const int64_t m = LENGTHS[l % COUNT(LENGTHS)], n = LENGTHS[l / COUNT(LENGTHS)];
        for (int64_t i = -35; i < m + 35; i++)
            for (int64_t j = -35; j < n + 35; j += 1 + (i & 3)) {
                check_cut(i, j, m, n);
                check_cut(far - m + i, far - n + j, far, far);
            }
    }
}

/* On all diagonals of the longest sequences, a tile on either side included. */
static void test_furthest(void **state)
{
    const int64_t longest = RHOMB__MAX_LENGTH_32, beside = 1 << 14;
    const int64_t lengths[] = {0, 1, 100, longest / 2, longest - 1, longest};
    for (size_t l = 0; l < COUNT(lengths) * COUNT(lengths); l++) {
        const int64_t m = lengths[l % COUNT(lengths)], n = lengths[l / COUNT(lengths)];
        const int64_t diagonals[] = {-m - beside, -m,    -1,        0, 1,         1 << 20,
                                     n - m - 1,   n - m, n - m + 1, n, n + beside};
        for (size_t d = 0; d < COUNT(diagonals); d++) {
            const int64_t k = diagonals[d];
            assert_int_equal(rhomb_furthest((rhomb_off)m, (rhomb_off)n, (rhomb_off)k),
                             rhomb__min(n, m + k));
        }
    }
}

/* 2^31 columns, and more than any sequence has: their blocks as columns are numbers still. */
static void test_near_block(void **state)
{
    static const int64_t FAR[] = {INT64_C(1) << 27, (INT64_C(1) << 27) + 5, INT64_C(1) << 28,
                                  INT64_C(1) << 40};
    for (size_t i = 0; i < COUNT(FAR); i++) {
        assert_true(rhomb_near_block(FAR[i]) * RHOMB_BLOCK > 1 << 29);
        assert_true(rhomb_near_block(-FAR[i]) * RHOMB_BLOCK < -(1 << 29));
    }
    assert_int_equal(rhomb_near_block(-70), -70);
}

TEST_MAIN(test_cut, test_furthest, test_near_block)
