/* SPDX-License-Identifier: MIT */
/* A checkpoint whose content was changed, with the right checksums. */
#ifndef RHOMB_TEST_CHECKPOINT_REPAIR_H
#define RHOMB_TEST_CHECKPOINT_REPAIR_H

#include <string.h>

#include "src/checkpoint/checkpoint_format.h"

/* Gives head and sections the checksums that they need, as far as there are sections. */
static inline void checkpoint_repair(unsigned char *bytes, size_t size)
{
    size_t at = RHOMB__CHECKPOINT_HEAD;
    if (size < at)
        return;
    memcpy(bytes, RHOMB__CHECKPOINT_MAGIC, 16);
    rhomb__put_u32(bytes + 16, RHOMB__CHECKPOINT_FORMAT);
    uint32_t chain = rhomb__checkpoint_sum(0, bytes, 20);
    rhomb__put_u32(bytes + 20, chain);
    while (size - at >= RHOMB__CHECKPOINT_FRAME + RHOMB__CHECKPOINT_TAIL) {
        const uint64_t content = rhomb__get_u64(bytes + at + RHOMB__CHECKPOINT_NAME);
        const uint64_t room = size - at - RHOMB__CHECKPOINT_FRAME - RHOMB__CHECKPOINT_TAIL;
        if (content > room || ((content + 7) & ~UINT64_C(7)) > room)
            return;
        const size_t summed = RHOMB__CHECKPOINT_FRAME + (size_t)((content + 7) & ~UINT64_C(7));
        const uint32_t sum = rhomb__checkpoint_sum(0, bytes + at, summed);
        chain = rhomb__checkpoint_chain(chain, sum);
        rhomb__put_u32(bytes + at + summed, sum);
        rhomb__put_u32(bytes + at + summed + 4, chain);
        at += summed + RHOMB__CHECKPOINT_TAIL;
    }
}

#endif
