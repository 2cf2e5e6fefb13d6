/* SPDX-License-Identifier: MIT */
/*
 * The path of a subproblem with gap-affine costs on the host, for what costs so little that nothing
 * splits it and is too long for the kernel of base cases: by that kernel's rule
 * (cl/affine/affine_path_waves.clh), so that lengths do not change a path.
 *
 * Every wavefront is kept. Time: that of comparing the bases once on each diagonal that a path of
 * this cost may be on. Memory: 8 bytes for each score, such a diagonal, and component (3, or 5 with
 * two pieces): 0.3 MiB for a cost of 50, at most 400 MiB where an opening is a thousand extensions.
 */
#ifndef RHOMB_SRC_LONG_PATH_H
#define RHOMB_SRC_LONG_PATH_H

#include "cl/abi.h"
#include "src/paths/path_ops.h"

/*
 * Appends the path of a subproblem with bases of both sequences. *found is whether the least cost
 * is the one that it names, and valid if RHOMB_OK is returned; nothing is appended where it is not.
 */
rhomb_status rhomb__long_path(rhomb__error *error, const rhomb__path_pair *pair,
                              const rhomb_subproblem *subproblem, rhomb__path *path, bool *found);

#endif
