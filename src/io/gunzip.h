/* SPDX-License-Identifier: MIT */
/*
 * The text of a gzip file that is no bgzip file. htslib's BGZF layer reads those, too, but drops up
 * to 64 KiB of text in front of a place where the data is damaged or ends; here nothing is dropped.
 *
 * As gzip does it: members are read one after another as one text, and zeros may follow the last
 * one. Anything else behind it is a failure, behind all text: it may be a member whose first byte
 * is damaged.
 */
#ifndef RHOMB_SRC_GUNZIP_H
#define RHOMB_SRC_GUNZIP_H

#include <htslib/hfile.h>

typedef struct rhomb__gunzip rhomb__gunzip;

/* Reads `file`, which is borrowed, from its place on. NULL where there is no memory. */
rhomb__gunzip *rhomb__gunzip_create(hFILE *file);
void rhomb__gunzip_destroy(rhomb__gunzip *gunzip); /* NULL is allowed */

/*
 * Reads up to `bytes` bytes of text and returns how many; 0 only at the end of the data. What comes
 * before a failure is returned first; -1 with the next call and all after it.
 */
ssize_t rhomb__gunzip_read(rhomb__gunzip *gunzip, void *out, size_t bytes);

/*
 * Why it was -1: BGZF_ERR_IO for data that ends in the middle, BGZF_ERR_HEADER, BGZF_ERR_ZLIB or
 * BGZF_ERR_CRC. 0: reading the file has failed, see herrno(), or else there is no memory.
 */
int rhomb__gunzip_code(const rhomb__gunzip *gunzip);

#endif
