/* SPDX-License-Identifier: MIT */
/*
 * What CMakeLists.txt puts in place of the known-answer tests in the program that test_oclgrind.sh
 * runs, but for those of several devices: an interpreter takes a minute or two for each, and looks
 * at every access of the pairs that follow anyway.
 */
#include "host/device/program.h"

bool __real_rhomb__test_begin(rhomb_context *ctx, rhomb__test test, rhomb__program *const *programs,
                              size_t count);
bool __wrap_rhomb__test_begin(rhomb_context *ctx, rhomb__test test, rhomb__program *const *programs,
                              size_t count);

bool __wrap_rhomb__test_begin(rhomb_context *ctx, rhomb__test test, rhomb__program *const *programs,
                              size_t count)
{
    return test == RHOMB__TEST_SHARED && __real_rhomb__test_begin(ctx, test, programs, count);
}
