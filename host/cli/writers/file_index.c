/* SPDX-License-Identifier: MIT */
/* Indexes by htslib, see align_formats.h. */
#include "host/cli/writers/align_formats.h"

#include <errno.h>
#include <htslib/sam.h>
#include <htslib/tbx.h>

/* Positions below these fit: the bins of .tbi and .bai end at 2^29, those of .csi at 2^31. */
static const int64_t BINS_MOST = INT64_C(1) << 29;
static const int64_t CSI_MOST = INT64_C(1) << TBX_MAX_SHIFT;
enum { BINS_SHIFT = 0, CSI_SHIFT = 14 /* log2 of the smallest bin, as in the other two */ };

static const char CSI[] = ".csi";

const char *cli_index_ending(cli_indexed kind, int64_t target_length)
{
    if (kind == CLI_INDEXED_CRAM)
        return ".crai";
    if (target_length < BINS_MOST)
        return kind == CLI_INDEXED_VCF ? ".tbi" : ".bai";
    return target_length < CSI_MOST ? CSI : NULL;
}

int cli_index_build(cli_indexed kind, const char *file, const char *index, const char *ending)
{
    const int shift = strcmp(ending, CSI) == 0 ? CSI_SHIFT : BINS_SHIFT;
    errno = 0;
    const int code = kind == CLI_INDEXED_VCF
                         ? tbx_index_build3(file, index, shift, 0, &tbx_conf_vcf)
                         : sam_index_build3(file, index, shift, 0);
    if (code >= 0)
        return 0;
    return errno != 0 ? errno : EIO;
}
