/* SPDX-License-Identifier: MIT */
/*
 * Forms of packed sequences, see pack.h.
 */
#include "host/upload/pack.h"

#include "cl/abi.h"
#include "src/base/int64.h"
#include "src/base/known_runs.h"
#include "src/planner/engine_plan.h"

#include <stdlib.h>

rhomb_status rhomb__pack_program(rhomb_context *ctx, rhomb__program **out)
{
    return rhomb__program_with(ctx, &rhomb__source_pack, NULL, 0, out);
}

rhomb__packing rhomb__packing_windows(int64_t length, int32_t planes, int32_t directions)
{
    const int64_t unit_bytes = rhomb__unit_bytes(planes);
    const int64_t units = rhomb__packed_bytes(length, planes) / unit_bytes;
    const rhomb__packing packing = {
        .kernel = "rhomb_pack_windows",
        .unit_bytes = unit_bytes,
        .unit_symbols = RHOMB_WORD_SYMBOLS,
        .looks_at = RHOMB_WORD_SYMBOLS,
        .planes = planes,
        .has_tables = true,
        .parts = {{units, -RHOMB_PAD_SYMBOLS, 1},
                  {directions == 2 ? units : 0, length - 1 + RHOMB_PAD_SYMBOLS, -1}}};
    return packing;
}

int64_t rhomb__packing_units_bytes(const rhomb__packing *packing)
{
    return (packing->parts[0].units + packing->parts[1].units) * packing->unit_bytes;
}

static int64_t table_bytes(const rhomb__packing *packing, int64_t length)
{
    const int64_t tables = packing->parts[1].units > 0 ? 2 : 1;
    return packing->has_tables ? tables * rhomb__run_table_bytes(length) : 0;
}

int64_t rhomb__packing_bytes(const rhomb__packing *packing, int64_t length)
{
    return rhomb__packing_units_bytes(packing) + table_bytes(packing, length);
}

bool rhomb__packing_tables(const rhomb__packing *packing, const rhomb__codes *codes,
                           const char *bases, int64_t length, int32_t threads, uint32_t **out,
                           int64_t *bytes)
{
    *bytes = table_bytes(packing, length);
    *out = *bytes > 0 ? malloc((size_t)*bytes) : NULL;
    if (*bytes == 0)
        return true;
    if (*out == NULL)
        return false;
    uint32_t *backward = packing->parts[1].units > 0 ? *out + rhomb__run_chunks(length) : NULL;
    if (rhomb__known_runs_find(codes, bases, length, threads, *out, backward))
        return true;
    free(*out);
    *out = NULL;
    return false;
}

rhomb__pair_packing rhomb__pair_packing_windows(int64_t target_length, int64_t query_length,
                                                int32_t planes, int32_t directions)
{
    return (rhomb__pair_packing){rhomb__packing_windows(target_length, planes, directions),
                                 rhomb__packing_windows(query_length, planes, directions)};
}

/*
 * The number of units of a part before base `at`, counting the units in the order of the bases:
 * those that begin before it.
 */
static int64_t units_before(const rhomb__packing *packing, int part, int64_t at)
{
    const int64_t all = packing->parts[part].units;
    const int64_t size = packing->unit_symbols;
    const bool forward = packing->parts[part].step > 0;
    const int64_t origin = packing->parts[part].origin;
    /*
     * In this order the reversed part's last unit is the first. It looks at bases from origin -
     * (all - 1) * size downwards.
     */
    const int64_t first = forward ? origin : origin - (all - 1) * size - (packing->looks_at - 1);
    return rhomb__min(rhomb__max(rhomb__ceil_div(at - first, size), 0), all);
}

rhomb__chunk rhomb__packing_chunk(const rhomb__packing *packing, int64_t begin, int64_t most_bases,
                                  int64_t length)
{
    const int64_t shared = packing->looks_at - 1;
    rhomb__chunk p = {.begin = begin, .next = rhomb__min(begin + most_bases - shared, length)};
    p.end = rhomb__min(p.next + shared, length);
    for (int part = 0; part < 2; part++) {
        const int64_t all = packing->parts[part].units;
        const int64_t before = begin == 0 ? 0 : units_before(packing, part, begin);
        const int64_t until = p.next == length ? all : units_before(packing, part, p.next);
        p.parts[part].first_unit = packing->parts[part].step > 0 ? before : all - until;
        p.parts[part].units = until - before;
    }
    return p;
}
