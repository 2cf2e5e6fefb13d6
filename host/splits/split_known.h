/* SPDX-License-Identifier: MIT */
/*
 * The known-answer test of programs that split subproblems. They pass it before their breakpoints
 * are trusted on a device.
 */
#ifndef RHOMB_HOST_SPLIT_KNOWN_H
#define RHOMB_HOST_SPLIT_KNOWN_H

#include "host/device/program.h"
#include "host/splits/splitter.h"

/*
 * Splits known subproblems in the way of a splitter of unit costs, with its plan and this tuning,
 * unless the program has passed before, or the splitter is itself one of a self-test.
 * RHOMB_ERR_DEVICE_WRONG_RESULT where another breakpoint comes out.
 */
rhomb_status rhomb__split_self_test(const rhomb__splitter *tested, rhomb__program *program,
                                    const rhomb__split_tuning *tuning);

#endif
