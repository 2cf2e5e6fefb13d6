/* SPDX-License-Identifier: MIT */
/*
 * The public reader of records over that of records.h. See rhomb/all_records.h.
 */
#ifndef RHOMB_SRC_RECORD_LIST_H
#define RHOMB_SRC_RECORD_LIST_H

#include "rhomb/all_records.h"
#include "src/base/error.h"

/* rhomb_records_open() with the context's error and threads. */
rhomb_status rhomb__records_create(rhomb__error *error, const char *path, int32_t threads,
                                   rhomb_records **out);

#endif
