/* SPDX-License-Identifier: MIT */
/*
 * The text of a gzip file that is not a bgzip file. htslib's BGZF layer reads those, too, but drops
 * up to 64 KiB of text before a place where the data is damaged or ends; here nothing is dropped.
 *
 * As in gzip, members are read one after another as one text, and zeros may follow the last one.
 * Anything else after it is a failure, reported after all text: it may be a member whose first byte
 * is damaged.
 */
#ifndef RHOMB_SRC_GUNZIP_H
#define RHOMB_SRC_GUNZIP_H

#include <htslib/hfile.h>

typedef struct rhomb__gunzip rhomb__gunzip;

/* Reads `file`, which is borrowed, from its current place on. NULL if there is no memory. */
rhomb__gunzip *rhomb__gunzip_create(hFILE *file);
void rhomb__gunzip_destroy(rhomb__gunzip *gunzip); /* NULL is allowed */

/*
 * Reads up to `bytes` bytes of text and returns their number; 0 only at the end of the data. Text
 * before a failure is returned first; the next call and all later ones return -1.
 */
ssize_t rhomb__gunzip_read(rhomb__gunzip *gunzip, void *out, size_t bytes);

/*
 * Why it was -1: BGZF_ERR_IO for truncated data, BGZF_ERR_HEADER, BGZF_ERR_ZLIB or BGZF_ERR_CRC. 0:
 * reading the file failed, see herrno(), or there is no memory.
 */
int rhomb__gunzip_code(const rhomb__gunzip *gunzip);

#endif
