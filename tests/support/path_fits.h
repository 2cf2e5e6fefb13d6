/* SPDX-License-Identifier: MIT */
/*
 * Whether a path is what rhomb__path_tidy() takes for one, by what that goes by.
 */
#ifndef RHOMB_TESTS_PATH_FITS_H
#define RHOMB_TESTS_PATH_FITS_H

#include "src/paths/path_segments.h"
#include "support/test.h"

#include <stdlib.h>

static inline bool path_fits(const rhomb__path *path, const rhomb__path_pair *both, int64_t cost,
                             int32_t threads)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb__path_segments stretches;
    bool fits = false;
    assert_int_equal(rhomb__path_cut(&error, path, both, cost, threads, &stretches, &fits),
                     RHOMB_OK);
    for (int64_t i = 0; i < stretches.count; i++)
        fits = fits && rhomb__path_segment_fits(path, both, &stretches.begin[i]);
    free(stretches.begin);
    return fits;
}

#endif
