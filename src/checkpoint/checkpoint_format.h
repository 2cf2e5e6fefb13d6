/* SPDX-License-Identifier: MIT */
/*
 * What the writer (saver.h) and the reader (saved.h) of checkpoints agree on. A checkpoint is how
 * far a run has come: the state of one pair, which is written anew each time, or the results of
 * many, in a file that grows. All numbers are little-endian:
 *
 *     "Rhomb checkpoint"    16 bytes
 *     format                u32, RHOMB__CHECKPOINT_FORMAT
 *     checksum              u32, of these 20 bytes
 *     sections, the first of which, "call", says what it is of:
 *         name              8 characters, the last ones 0
 *         bytes             u64, of the content
 *         content           and zeros, up to a multiple of 8 bytes
 *         checksum          u32, of all of this section so far
 *         chain             u32, of the chain so far, at first the head's checksum, and this
 *                           section's
 *
 * The last chain covers every byte of the file and their order, and what is large is read once.
 * Checksums are CRC-32 as in zlib: they find damage, and keep out nobody who wants to deceive.
 *
 * A file that is written at once ends with a section "end" without content. One that grows ends
 * anywhere: it counts up to the last section of a name that its owner gives, the mark. Such files
 * of one call may follow each other in one file; the chain begins anew with each head.
 */
#ifndef RHOMB_SRC_CHECKPOINT_FORMAT_H
#define RHOMB_SRC_CHECKPOINT_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define RHOMB__CHECKPOINT_FORMAT 4
#define RHOMB__CHECKPOINT_MAGIC  "Rhomb checkpoint"
#define RHOMB__CHECKPOINT_CALL   "call"
#define RHOMB__CHECKPOINT_END    "end"

enum {
    RHOMB__CHECKPOINT_NAME = 8,   /* bytes of a section's name */
    RHOMB__CHECKPOINT_FRAME = 16, /* before a section's content */
    RHOMB__CHECKPOINT_TAIL = 8,   /* after it */
    RHOMB__CHECKPOINT_HEAD = 24
};

static inline void rhomb__put_u32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

static inline void rhomb__put_u64(unsigned char *at, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

static inline uint32_t rhomb__get_u32(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t rhomb__get_u64(const unsigned char *at)
{
    return rhomb__get_u32(at) | (uint64_t)rhomb__get_u32(at + 4) << 32;
}

/* The name of a section, at most 8 characters. */
void rhomb__checkpoint_name(unsigned char *at, const char *name);

/* The checksum of some bytes after those that have the checksum `before`, 0 for none. */
uint32_t rhomb__checkpoint_sum(uint32_t before, const void *data, size_t bytes);

/* The next link of the chain. */
uint32_t rhomb__checkpoint_chain(uint32_t chain, uint32_t sum);

#endif
