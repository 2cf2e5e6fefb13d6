/* SPDX-License-Identifier: MIT */
/*
 * What the writer (saver.h) and the reader (saved.h) of checkpoints agree on. A checkpoint is how
 * far a run has come: the state of one pair, which is written anew each time, or the results of
 * many, in a file that grows. It is a sequence of sections, with numbers in the machine's order:
 *
 *     name      8 characters, the last ones 0
 *     bytes     u64, of the content
 *     content   and zeros, up to a multiple of 8 bytes
 *     chain     u64, the CRC-32 of zlib of all sections up to here, without their chains
 *
 * The first one is the head, whose content is the format (u64) and the call's identity, lines
 * "name: value". So each chain covers every byte of the file and their order, and what is large is
 * read once. Checksums find damage, and keep out nobody who wants to deceive.
 *
 * A file that is written at once ends with a section "end" without content. One that grows ends
 * anywhere: it counts up to the last section of a name that its owner gives, the mark. Such files
 * of one call may follow each other in one file; the chain begins anew with each head.
 */
#ifndef RHOMB_SRC_CHECKPOINT_FORMAT_H
#define RHOMB_SRC_CHECKPOINT_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#define RHOMB__CHECKPOINT_FORMAT 5
#define RHOMB__CHECKPOINT_HEAD   "RhombCkp"
#define RHOMB__CHECKPOINT_END    "end"

typedef struct rhomb__checkpoint_frame {
    char name[8];
    uint64_t bytes;
} rhomb__checkpoint_frame;

/* The next link of the chain; the first one comes after 0. */
static inline uint64_t rhomb__checkpoint_chain(uint64_t chain, const void *data, size_t bytes)
{
    return bytes > 0 ? crc32_z((uLong)chain, data, bytes) : chain;
}

#endif
