/* SPDX-License-Identifier: MIT */
/*
 * How sequences are packed on the device (cl/common/pack.cl): the forms there are, and which of
 * their units a chunk of a sequence yields. send.h sends the sequences.
 */
#ifndef RHOMB_HOST_PACK_H
#define RHOMB_HOST_PACK_H

#include "host/device/buffer.h"
#include "host/device/program.h"
#include "src/base/alphabet.h"

/* The program of the packing kernels. */
rhomb_status rhomb__pack_program(rhomb_context *ctx, rhomb__program **out);

/*
 * How symbols are packed: a kernel of cl/common/pack.cl that writes units, each of which looks at
 * `looks_at` symbols and begins unit_symbols after the one before. Symbol s of a part is symbol
 * origin + step * s of the sequence; the parts follow each other.
 */
typedef struct rhomb__packing {
    const char *kernel;
    int64_t unit_bytes;
    int64_t unit_symbols;
    int64_t looks_at;
    int32_t planes;
    bool has_tables; /* of runs of one symbol, after the parts: one for each part that has units */
    struct {
        int64_t units;
        int64_t origin;
        int64_t step;
    } parts[2];
} rhomb__packing;

/*
 * Words of a whole sequence, padded at both ends (cl/common/extend.clh), and, with two directions,
 * of the same reversed; then the tables of runs in these directions (RHOMB_RUN_CHUNK).
 */
rhomb__packing rhomb__packing_windows(int64_t length, int32_t planes, int32_t directions);

/* The bytes of a packed sequence of `length` symbols, and those before its tables of runs. */
int64_t rhomb__packing_bytes(const rhomb__packing *packing, int64_t length);
int64_t rhomb__packing_units_bytes(const rhomb__packing *packing);

/*
 * Makes the tables of runs of a sequence (src/base/known_runs.h), one after the other. The caller
 * frees *out; *bytes is 0 and *out NULL where the packing has none. False without memory.
 */
bool rhomb__packing_tables(const rhomb__packing *packing, const rhomb__codes *codes,
                           const char *bases, int64_t length, int32_t threads, uint32_t **out,
                           int64_t *bytes);

/* How both sequences of a pair are packed. */
typedef struct rhomb__pair_packing {
    rhomb__packing target, query;
} rhomb__pair_packing;

/* Both as windows: for wavefronts and, with two directions, for all subproblems of an alignment. */
rhomb__pair_packing rhomb__pair_packing_windows(int64_t target_length, int64_t query_length,
                                                int32_t planes, int32_t directions);

/*
 * A chunk of a sequence: the bases [begin, end), and the units of each part that belong to it. A
 * unit belongs to the chunk with the first base that it looks at. Units that only look before the
 * sequence belong to its first chunk, those that only look after it to the last. Bases from `next`
 * on begin the next chunk: those up to `end` are in both.
 */
typedef struct rhomb__chunk {
    int64_t begin;
    int64_t end;
    int64_t next;
    struct {
        int64_t first_unit;
        int64_t units;
    } parts[2];
} rhomb__chunk;

/*
 * The chunk from base `begin` on, of at most most_bases, which must be more than a unit looks at.
 * The first chunk begins with 0; the last one has next == length. An empty sequence has one chunk.
 */
rhomb__chunk rhomb__packing_chunk(const rhomb__packing *packing, int64_t begin, int64_t most_bases,
                                  int64_t length);

#endif
