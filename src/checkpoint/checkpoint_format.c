/* SPDX-License-Identifier: MIT */
/* Checksums of checkpoints, see checkpoint_format.h. */
#include "src/checkpoint/checkpoint_format.h"

#include <assert.h>
#include <string.h>
#include <zlib.h>

uint32_t rhomb__checkpoint_sum(uint32_t before, const void *data, size_t bytes)
{
    return bytes > 0 ? (uint32_t)crc32_z(before, data, bytes) : before;
}

uint32_t rhomb__checkpoint_chain(uint32_t chain, uint32_t sum)
{
    unsigned char bytes[4];
    rhomb__put_u32(bytes, sum);
    return rhomb__checkpoint_sum(chain, bytes, sizeof bytes);
}

void rhomb__checkpoint_name(unsigned char *at, const char *name)
{
    const size_t length = strlen(name);
    assert(length <= RHOMB__CHECKPOINT_NAME);
    memcpy(at, name, length);
}
