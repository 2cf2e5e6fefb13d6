/* SPDX-License-Identifier: MIT */
/* A checkpoint whose content was changed, with the right checksums. */
#ifndef RHOMB_TEST_CHECKPOINT_REPAIR_H
#define RHOMB_TEST_CHECKPOINT_REPAIR_H

#include <string.h>

#include "src/checkpoint/checkpoint_format.h"

/* Gives a head and sections what they need, as far as there are sections. */
static inline void checkpoint_repair(unsigned char *bytes, size_t size, uint64_t format)
{
    rhomb__checkpoint_frame frame;
    const size_t other = sizeof frame + sizeof(uint64_t);
    uint64_t chain = 0;
    if (size < sizeof frame + sizeof format)
        return;
    memcpy(bytes, RHOMB__CHECKPOINT_HEAD, sizeof frame.name);
    memcpy(bytes + sizeof frame, &format, sizeof format);
    for (size_t at = 0; size - at >= other;) {
        memcpy(&frame, bytes + at, sizeof frame);
        const uint64_t padded = (frame.bytes + 7) & ~UINT64_C(7);
        if (frame.bytes > size - at - other || padded > size - at - other)
            return;
        const size_t summed = sizeof frame + (size_t)padded;
        chain = rhomb__checkpoint_chain(chain, bytes + at, summed);
        memcpy(bytes + at + summed, &chain, sizeof chain);
        at += summed + sizeof chain;
    }
}

#endif
