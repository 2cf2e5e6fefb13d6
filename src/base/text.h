/* SPDX-License-Identifier: MIT */
/*
 * Formatted texts of any length, allocated.
 */
#ifndef RHOMB_SRC_TEXT_H
#define RHOMB_SRC_TEXT_H

#include "src/base/error.h"

/* printf() into a new text, which the caller frees. NULL when there is no memory. */
char *rhomb__format(const char *format, ...) RHOMB__PRINTF(1, 2);

#endif
