/* SPDX-License-Identifier: MIT */
/*
 * What the tests of rhomb_verify() share: a PAF file and two of sequences, written from texts, and
 * what was found when they were verified.
 */
#ifndef RHOMB_TESTS_VERIFY_FIXTURE_H
#define RHOMB_TESTS_VERIFY_FIXTURE_H

#include "rhomb/verify.h"

enum { PAF, TARGETS, QUERIES, FILES };

extern char paths[FILES][64];
extern rhomb_context *ctx;
extern rhomb_verify_options options; /* set_options() makes them the defaults again */
extern rhomb_verify_report report;   /* of the last verify() */

/* What that has found: a bit for each kind, and the first error. */
extern unsigned found;
extern rhomb_verify_error first; /* its row and text are gone */
extern char first_text[512];
extern int64_t first_line; /* 0: of no row */

#define KIND(name) (1u << RHOMB_VERIFY_##name)

void write_file(int which, const char *text);

/* Verifies a text against the two files that were written. */
rhomb_status verify(const char *text);

/* The same, which fails with that status and those words. */
void expect_failure(rhomb_status wanted, const char *text, const char *words);

/* Of a group of tests, of each test, and of the group. */
int set_up(void **state);
int set_options(void **state);
int tear_down(void **state);
#define VERIFY_TEST(test) cmocka_unit_test_setup(test, set_options)

#endif
