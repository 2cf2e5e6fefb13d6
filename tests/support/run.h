/* SPDX-License-Identifier: MIT */
/*
 * What programs of tests begin with: a device, the folder of real pairs, and a choice of tests.
 */
#ifndef RHOMB_TESTS_RUN_H
#define RHOMB_TESTS_RUN_H

#include "check.h"
#include "test.h"

/* A context with the device of RHOMB_TEST_DEVICE; NULL where there is none, and then says so. */
rhomb_context *device_open(void);

/* Whether there is one; says so if not. */
bool device_exists(void);

/*
 * Runs tests in a session, or with a name just the one that is called so, "test_" before it or not.
 * Exit status: 77 without a device, 2 where no test has the name.
 */
#define session_run(session, tests, name) session_run_of(session, tests, COUNT(tests), name)
/* A program of these tests alone, in a session. */
#define SESSION_MAIN(session, ...)                                                    \
    int main(void)                                                                    \
    {                                                                                 \
        const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, __VA_ARGS__)}; \
        return session_run(&(session), tests, NULL);                                  \
    }
int session_run_of(session *s, const struct CMUnitTest *tests, size_t count, const char *name);

/* The folder of real pairs, RHOMB_DATA or else `folder`; NULL where it is not there, and says so.
 */
const char *real_folder(const char *folder);

/* The bases of NAME.fa.gz there, which the caller frees. Fails the test that is running. */
letters real_letters(rhomb_context *ctx, const char *folder, const char *name);

#endif
