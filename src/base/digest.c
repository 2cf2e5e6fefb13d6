/* SPDX-License-Identifier: MIT */
/*
 * See digest.h. htslib counts in unsigned long, which holds a size_t on every platform it supports
 * except 64-bit Windows; feeding it in steps keeps large blocks right there too.
 */
#include "src/base/digest.h"

#include <htslib/hts.h>

bool rhomb__md5_hex(const void *data, size_t size, char out[RHOMB__MD5_HEX_SIZE])
{
    const size_t step = (size_t)1 << 30;
    unsigned char digest[16];
    hts_md5_context *md5 = hts_md5_init();
    out[0] = '\0';
    if (md5 == NULL)
        return false;
    for (size_t at = 0; at < size; at += step) {
        const size_t part = size - at < step ? size - at : step;
        hts_md5_update(md5, (const unsigned char *)data + at, (unsigned long)part);
    }
    hts_md5_final(digest, md5);
    hts_md5_hex(out, digest);
    hts_md5_destroy(md5);
    return true;
}

/* Folded piece by piece, so that no copy is needed. */
void rhomb__md5_bases_hex(hts_md5_context *md5, const char *bases, size_t length,
                          char out[RHOMB__MD5_HEX_SIZE])
{
    unsigned char piece[8192], digest[16];
    hts_md5_reset(md5);
    for (size_t at = 0; at < length; at += sizeof piece) {
        const size_t bytes = length - at < sizeof piece ? length - at : sizeof piece;
        for (size_t i = 0; i < bytes; i++) {
            const unsigned char base = (unsigned char)bases[at + i];
            piece[i] = base - (base >= 'a' && base <= 'z' ? 'a' - 'A' : 0);
        }
        hts_md5_update(md5, piece, (unsigned long)bytes);
    }
    hts_md5_final(digest, md5);
    hts_md5_hex(out, digest);
}
