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

/* cmocka hands a state to every test, and callbacks have arguments that few tests look at. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#endif
