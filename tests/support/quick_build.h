/* SPDX-License-Identifier: MIT */
/*
 * Programs that are compiled without optimizing. A test of many programs runs each for a moment,
 * and PoCL takes most of a test's time to optimize them. Linked with rhomb_build_quickly() of
 * CMakeLists.txt, which has the library's calls of clBuildProgram() come here first.
 *
 * What a CPU's compiler makes of a kernel at its best is for the other tests. Some set this only
 * where a share is taken (amount.h), and are optimized with all cases.
 */
#ifndef RHOMB_TESTS_QUICK_BUILD_H
#define RHOMB_TESTS_QUICK_BUILD_H

#include <stdbool.h>

/* False at first: many pairs take longer without optimizing than their programs do with it. */
extern bool quick_builds;

#endif
