/* SPDX-License-Identifier: MIT */
/*
 * Indexes by htslib, see vcf_index.h.
 */
#include "host/cli/align/vcf_index.h"

#include <errno.h>
#include <htslib/tbx.h>
#include <string.h>

/* Positions below these fit: tabix's bins end at 2^29, those of CSI where htslib's parser ends. */
static const int64_t TBI_MOST = INT64_C(1) << 29;
static const int64_t CSI_MOST = INT64_C(1) << TBX_MAX_SHIFT;
enum { TBI_SHIFT = 0, CSI_SHIFT = 14 /* log2 of the smallest bin: that of tabix */ };

static const char CSI[] = ".csi";

const char *cli_vcf_index_ending(int64_t target_length)
{
    return target_length < TBI_MOST ? ".tbi" : target_length < CSI_MOST ? CSI : NULL;
}

int cli_vcf_index(const char *file, const char *index, const char *ending)
{
    const int shift = strcmp(ending, CSI) == 0 ? CSI_SHIFT : TBI_SHIFT;
    errno = 0;
    if (tbx_index_build3(file, index, shift, 0, &tbx_conf_vcf) == 0)
        return 0;
    return errno != 0 ? errno : EIO;
}
