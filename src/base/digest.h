/* SPDX-License-Identifier: MIT */
/*
 * MD5 of a block of memory, through htslib. For naming and checking what the library itself stored,
 * and for SAM's M5 tag: not for anything that must withstand an attacker.
 */
#ifndef RHOMB_SRC_DIGEST_H
#define RHOMB_SRC_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

/* 32 hexadecimal digits and a NUL. */
#define RHOMB__MD5_HEX_SIZE 33

/* Writes the digest in lower case. False, and "" in `out`, when there is no memory for it. */
bool rhomb__md5_hex(const void *data, size_t size, char out[RHOMB__MD5_HEX_SIZE]);

#endif
