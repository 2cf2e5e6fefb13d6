/* SPDX-License-Identifier: MIT */
/*
 * A sequence as it was read: name, origin and letters. See rhomb_sequence_read() in rhomb.h.
 */
#ifndef RHOMB_SRC_SEQUENCE_H
#define RHOMB_SRC_SEQUENCE_H

#include "error.h"

struct rhomb_sequence {
    char *path;
    char *name;
    char *letters; /* length letters and a NUL */
    int64_t length;
    char md5[33];
};

#endif
