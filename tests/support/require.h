/* SPDX-License-Identifier: MIT */
/*
 * For functions that judge: they return what is wrong, as the text of the condition that does not
 * hold, or NULL.
 */
#ifndef RHOMB_TESTS_REQUIRE_H
#define RHOMB_TESTS_REQUIRE_H

#define REQUIRE(condition)     \
    do {                       \
        if (!(condition))      \
            return #condition; \
    } while (0)

#endif
