/* SPDX-License-Identifier: MIT */
/*
 * What every test needs: C's headers, and cmocka, which wants several of them before its own.
 */
#ifndef RHOMB_TESTS_TEST_H
#define RHOMB_TESTS_TEST_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Fails the test if a text lacks a part. */
#define assert_contains(text, part)                          \
    do {                                                     \
        if (strstr((text), (part)) == NULL)                  \
            fail_msg("no \"%s\" in \"%s\"", (part), (text)); \
    } while (0)

/*
 * TEST_LIST(ENTRY, NAME, ...): what ENTRY, as cmocka_unit_test, makes of each of up to 24 names.
 * TEST_MAIN(NAME, ...): a program of these tests alone; ..._WITH(SETUP, TEARDOWN, NAME, ...): of a
 * group; ..._OF(ENTRY, SETUP, TEARDOWN, NAME, ...): of other entries.
 */
#define TEST_LIST_1(entry, f)       entry(f)
#define TEST_LIST_2(entry, f, ...)  entry(f), TEST_LIST_1(entry, __VA_ARGS__)
#define TEST_LIST_3(entry, f, ...)  entry(f), TEST_LIST_2(entry, __VA_ARGS__)
#define TEST_LIST_4(entry, f, ...)  entry(f), TEST_LIST_3(entry, __VA_ARGS__)
#define TEST_LIST_5(entry, f, ...)  entry(f), TEST_LIST_4(entry, __VA_ARGS__)
#define TEST_LIST_6(entry, f, ...)  entry(f), TEST_LIST_5(entry, __VA_ARGS__)
#define TEST_LIST_7(entry, f, ...)  entry(f), TEST_LIST_6(entry, __VA_ARGS__)
#define TEST_LIST_8(entry, f, ...)  entry(f), TEST_LIST_7(entry, __VA_ARGS__)
#define TEST_LIST_9(entry, f, ...)  entry(f), TEST_LIST_8(entry, __VA_ARGS__)
#define TEST_LIST_10(entry, f, ...) entry(f), TEST_LIST_9(entry, __VA_ARGS__)
#define TEST_LIST_11(entry, f, ...) entry(f), TEST_LIST_10(entry, __VA_ARGS__)
#define TEST_LIST_12(entry, f, ...) entry(f), TEST_LIST_11(entry, __VA_ARGS__)
#define TEST_LIST_13(entry, f, ...) entry(f), TEST_LIST_12(entry, __VA_ARGS__)
#define TEST_LIST_14(entry, f, ...) entry(f), TEST_LIST_13(entry, __VA_ARGS__)
#define TEST_LIST_15(entry, f, ...) entry(f), TEST_LIST_14(entry, __VA_ARGS__)
#define TEST_LIST_16(entry, f, ...) entry(f), TEST_LIST_15(entry, __VA_ARGS__)
#define TEST_LIST_17(entry, f, ...) entry(f), TEST_LIST_16(entry, __VA_ARGS__)
#define TEST_LIST_18(entry, f, ...) entry(f), TEST_LIST_17(entry, __VA_ARGS__)
#define TEST_LIST_19(entry, f, ...) entry(f), TEST_LIST_18(entry, __VA_ARGS__)
#define TEST_LIST_20(entry, f, ...) entry(f), TEST_LIST_19(entry, __VA_ARGS__)
#define TEST_LIST_21(entry, f, ...) entry(f), TEST_LIST_20(entry, __VA_ARGS__)
#define TEST_LIST_22(entry, f, ...) entry(f), TEST_LIST_21(entry, __VA_ARGS__)
#define TEST_LIST_23(entry, f, ...) entry(f), TEST_LIST_22(entry, __VA_ARGS__)
#define TEST_LIST_24(entry, f, ...) entry(f), TEST_LIST_23(entry, __VA_ARGS__)
#define TEST_LIST_OF(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, \
                     a18, a19, a20, a21, a22, a23, a24, list, ...)                               \
    list
#define TEST_LIST(entry, ...)                                                                   \
    TEST_LIST_OF(__VA_ARGS__, TEST_LIST_24, TEST_LIST_23, TEST_LIST_22, TEST_LIST_21,           \
                 TEST_LIST_20, TEST_LIST_19, TEST_LIST_18, TEST_LIST_17, TEST_LIST_16,          \
                 TEST_LIST_15, TEST_LIST_14, TEST_LIST_13, TEST_LIST_12, TEST_LIST_11,          \
                 TEST_LIST_10, TEST_LIST_9, TEST_LIST_8, TEST_LIST_7, TEST_LIST_6, TEST_LIST_5, \
                 TEST_LIST_4, TEST_LIST_3, TEST_LIST_2, TEST_LIST_1, )                          \
    (entry, __VA_ARGS__)
#define TEST_MAIN_OF(entry, setup, teardown, ...)                          \
    int main(void)                                                         \
    {                                                                      \
        const struct CMUnitTest tests[] = {TEST_LIST(entry, __VA_ARGS__)}; \
        return cmocka_run_group_tests(tests, setup, teardown);             \
    }
#define TEST_MAIN_WITH(setup, teardown, ...) \
    TEST_MAIN_OF(cmocka_unit_test, setup, teardown, __VA_ARGS__)
#define TEST_MAIN(...) TEST_MAIN_WITH(NULL, NULL, __VA_ARGS__)

/* cmocka hands a state to every test, and callbacks have arguments that few tests look at. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#endif
