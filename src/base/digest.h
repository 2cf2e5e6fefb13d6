/* SPDX-License-Identifier: MIT */
/*
 * MD5 of a block of memory, through htslib. For naming and checking what the library itself stored,
 * and for SAM's M5 tag: not for anything that must withstand an attacker.
 */
#ifndef RHOMB_SRC_DIGEST_H
#define RHOMB_SRC_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

struct hts_md5_context;

/* 32 hexadecimal digits and a NUL. */
#define RHOMB__MD5_HEX_SIZE 33

/* Writes the digest in lower case. False, and "" in `out`, when there is no memory for it. */
bool rhomb__md5_hex(const void *data, size_t size, char out[RHOMB__MD5_HEX_SIZE]);

/* The same of bases in upper case, as SAM's M5 is, by a context that can be used again. */
void rhomb__md5_bases_hex(struct hts_md5_context *md5, const char *bases, size_t length,
                          char out[RHOMB__MD5_HEX_SIZE]);

#endif
