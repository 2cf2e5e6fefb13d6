/* SPDX-License-Identifier: MIT */
/*
 * cl/batch/batch.cl as host code, for one set of parameters; see emulated.h.
 */
#include "emulated.h"

#include "opencl_c.h"
#include "opencl_short_vectors.h"
/* After the vectors. */
#include "cl/batch/batch.cl"

static void pack_item(const void *arguments)
{
    const emulated_batch_arguments *a = arguments;
#if RHOMB_PLANES == 0
    rhomb_batch_fold(a->letters, a->codes, a->packed, a->flags, a->counts, a->words, a->dna);
#elif RHOMB_PLANES == 2
    rhomb_batch_pack_acgt(a->letters, a->codes, a->packed, a->flags, a->counts, a->words, a->dna);
#else
    rhomb_batch_pack(a->letters, a->codes, a->packed, a->flags, a->counts, a->words, a->dna);
#endif
}

static void solve_item(const void *arguments)
{
    const emulated_batch_arguments *a = arguments;
    rhomb_batch_solve(a->packed, a->packed, a->flags, a->flags, a->pairs, a->lists, a->answers,
                      a->cigars, a->columns, a->counts, a->state, a->list_pitch, a->level,
                      a->levels, a->limit, a->max_distance, a->all);
}

static void pack(const emulated_batch_arguments *a)
{
    const size_t groups = (a->words + RHOMB_BATCH_PACK_GROUP - 1) / RHOMB_BATCH_PACK_GROUP;
    emu_launch(groups, RHOMB_BATCH_PACK_GROUP, false, pack_item, a);
}

static void solve(const emulated_batch_arguments *a, int64_t groups)
{
    emu_launch((size_t)groups, RHOMB_GROUP_SIZE, true, solve_item, a);
}

extern const emulated_batch EMULATED_NAME;
const emulated_batch EMULATED_NAME = {RHOMB_PLANES, RHOMB_GROUP_SIZE, RHOMB_PATH, pack, solve};
