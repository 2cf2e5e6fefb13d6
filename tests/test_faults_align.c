/* SPDX-License-Identifier: MIT */
/*
 * A device that fails while a pair is aligned: each OpenCL call in turn, alone and with all that
 * follow, each command that ends with an error, and results that are garbage. The call fails with
 * the right status, nothing stays behind, and the next one is as good.
 */
#include "cl/abi.h"
#include "fault_driver.h"
#include "rhomb/cigar.h"

/* There are thousands of calls, most of them in loops: steps are no number that a loop has. */
static void fail_calls(fault_plan plan, rhomb_engine engine, int64_t apart)
{
    const fault_subject s = fault_align(engine);
    fault_fail_calls(&s, plan, (fault_steps){apart, 0});
}

static void fail_scored(fault_plan plan, rhomb_engine engine, int64_t apart)
{
    const fault_subject s = fault_align_scored(engine);
    fault_fail_calls(&s, plan, (fault_steps){apart, 0});
}

static void test_calls(void **state)
{
    fail_calls(FAULT_ALONE, RHOMB_ENGINE_WAVEFRONT, 7);
    fail_calls(FAULT_ALONE, RHOMB_ENGINE_BITPARALLEL, 59);
}

static void test_lost_device(void **state)
{
    fail_calls(FAULT_LOST, RHOMB_ENGINE_WAVEFRONT, 23);
}

static void test_failed_commands(void **state)
{
    fail_calls(FAULT_COMMAND, RHOMB_ENGINE_BITPARALLEL, 1);
}

static void test_scored(void **state)
{
    fail_scored(FAULT_ALONE, RHOMB_ENGINE_WAVEFRONT, 7);
    fail_scored(FAULT_ALONE, RHOMB_ENGINE_BITPARALLEL, 7);
    fail_scored(FAULT_LOST, RHOMB_ENGINE_WAVEFRONT, 23);
    fail_scored(FAULT_COMMAND, RHOMB_ENGINE_BITPARALLEL, 1);
}

/* Cells beside the best ones. */
static void spoil_cells(void *data, size_t bytes)
{
    rhomb_long_local_cell *cells = data;
    for (size_t i = 0; bytes % sizeof *cells == 0 && i < bytes / sizeof *cells; i++)
        cells[i].column ^= 1;
}

static void check_mode(rhomb_mode mode, int64_t z_drop)
{
    static const fault_garbage cases[] = {{"all bytes 0", fault_set_zeros},
                                          {"all bytes 0x80", fault_set_high_bits},
                                          {"all bytes 0xff", fault_set_ones},
                                          {"other cells", spoil_cells}};
    const fault_subject s = fault_local(mode, z_drop);
    fault_fail_calls(&s, FAULT_ALONE, FAULT_EACH_CALL);
    fault_fail_calls(&s, FAULT_LOST, (fault_steps){5, 0});
    fault_fail_calls(&s, FAULT_COMMAND, FAULT_EACH_CALL);
    fault_expect_noticed(&s, cases, COUNT(cases));
}

static void test_local(void **state)
{
    for (int mode = RHOMB_MODE_ENDS_FREE; mode <= RHOMB_MODE_LOCAL; mode++)
        check_mode((rhomb_mode)mode, RHOMB_NO_LIMIT);
    check_mode(RHOMB_MODE_EXTEND, 40);
}

/* Opening, building, self-tests. */
static void test_first_use(void **state)
{
    const fault_subject s = fault_align(RHOMB_ENGINE_BITPARALLEL);
    fault_fail_first_use(&s, (fault_plan){.code = CL_OUT_OF_HOST_MEMORY}, (fault_steps){1, 8});
}

/* Points of parts, of which each is beside the right one. */
static void spoil_points(void *data, size_t bytes)
{
    rhomb_split_point *points = data;
    for (size_t i = 0; bytes % sizeof *points == 0 && i < bytes / sizeof *points; i++)
        if (points[i].status == RHOMB_SPLIT_FOUND)
            points[i].target ^= 1;
}

/* Distances of leaves that could be. */
static void spoil_leaves(void *data, size_t bytes)
{
    rhomb_batch_answer *answers = data;
    for (size_t i = 0; bytes % sizeof *answers == 0 && i < bytes / sizeof *answers; i++)
        answers[i].distance ^= 1;
}

/* Of operations of leaves, which end with one, the last says the contrary of the bases. */
static void spoil_operations(void *data, size_t bytes)
{
    const size_t count = bytes / sizeof(rhomb_cigar_op);
    rhomb_cigar_op *last = (rhomb_cigar_op *)data + (count > 0 ? count - 1 : 0);
    if (count > 0 && RHOMB_CIGAR_LENGTH(*last) > 0 &&
        strchr("ID=X", RHOMB_CIGAR_LETTER(*last)) != NULL)
        *last ^= RHOMB_CIGAR_EQ ^ RHOMB_CIGAR_X;
}

/* Points of affine splits, none of which costs what it says. */
static void spoil_affine_points(void *data, size_t bytes)
{
    rhomb_affine_point *points = data;
    for (size_t i = 0; bytes % sizeof *points == 0 && i < bytes / sizeof *points; i++)
        points[i].target ^= 3;
}

static void test_scored_garbage(void **state)
{
    static const fault_garbage cases[] = {
        {"all bytes 0", fault_set_zeros},   {"all bytes 0x80", fault_set_high_bits},
        {"all bytes 0xff", fault_set_ones}, {"points beside the right ones", spoil_affine_points},
        {"other distances", spoil_leaves},  {"X for = and the reverse", spoil_operations}};
    const fault_subject wavefront = fault_align_scored(RHOMB_ENGINE_WAVEFRONT);
    const fault_subject sweeps = fault_align_scored(RHOMB_ENGINE_BITPARALLEL);
    fault_expect_noticed(&wavefront, cases, COUNT(cases));
    fault_expect_noticed(&sweeps, cases, COUNT(cases));
}

static void test_garbage(void **state)
{
    static const fault_garbage cases[] = {
        {"all bytes 0", fault_set_zeros},   {"all bytes 0x80", fault_set_high_bits},
        {"all bytes 0xff", fault_set_ones}, {"points beside the right ones", spoil_points},
        {"other distances", spoil_leaves},  {"X for = and the reverse", spoil_operations},
    };
    const fault_subject wavefront = fault_align(RHOMB_ENGINE_WAVEFRONT);
    const fault_subject sweeps = fault_align(RHOMB_ENGINE_BITPARALLEL);
    fault_expect_noticed(&wavefront, cases, COUNT(cases));
    fault_expect_noticed(&sweeps, cases, COUNT(cases));
}

/* One bit of one read. */
static struct {
    int64_t reads;
    int64_t at;
    uint32_t random;
} flip;

static void flip_bit(void *data, size_t bytes)
{
    if (flip.reads++ != flip.at || bytes == 0)
        return;
    fault_random(&flip.random);
    ((unsigned char *)data)[(flip.random >> 8) % bytes] ^=
        (unsigned char)(1u << (flip.random >> 5 & 7));
}

/* A bit that is wrong, in each read in turn: that is noticed, or the path is none the worse. */
static void test_bits(void **state)
{
    enum { ROUNDS = 12 };
    const fault_plan plan = {.tamper = flip_bit};
    fault_result result;
    rhomb_status status;
    int64_t noticed = 0;
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    assert_int_equal(rhomb_context_open(ctx, NULL, 0), RHOMB_OK);
    for (int64_t round = 0; round < ROUNDS; round++) {
        const fault_subject s =
            fault_align(round % 2 == 0 ? RHOMB_ENGINE_WAVEFRONT : RHOMB_ENGINE_BITPARALLEL);
        s.run(ctx, &s, &result); /* whose self-tests have all passed then */
        flip.random = (uint32_t)round * 77777 + 5;
        flip.reads = 1;
        for (flip.at = 0; flip.reads > flip.at; flip.at++) {
            flip.reads = 0;
            fault_begin(&plan);
            s.run(ctx, &s, &result);
            fault_end();
            noticed += result.status != RHOMB_OK;
            if (result.status != RHOMB_OK && result.status != RHOMB_ERR_DEVICE_WRONG_RESULT)
                fail_msg("read %lld of round %lld: %s: %s", (long long)flip.at, (long long)round,
                         rhomb_status_name(result.status), result.detail);
        }
    }
    assert_true(noticed > 5);
    rhomb_context_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),           cmocka_unit_test(test_lost_device),
        cmocka_unit_test(test_failed_commands), cmocka_unit_test(test_first_use),
        cmocka_unit_test(test_garbage),         cmocka_unit_test(test_bits),
        cmocka_unit_test(test_scored),          cmocka_unit_test(test_local),
        cmocka_unit_test(test_scored_garbage),
    };
    return fault_run(tests);
}
