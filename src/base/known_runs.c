/* SPDX-License-Identifier: MIT */
/*
 * Runs of one symbol, see known_runs.h. A run that has a whole chunk, in either direction, has a
 * whole *half* of one, counted from the beginning. So halves are looked at, of which nearly all
 * end at the first symbols; adjacent ones of one symbol are a run, which is followed to its ends.
 */
#include "src/base/known_runs.h"

#include "cl/abi.h"
#include "src/base/int64.h"
#include "src/base/parallel.h"

#include <stdlib.h>
#include <string.h>

#define HALF (RHOMB_RUN_CHUNK / 2)

/* Halves of a task: 16 Mi symbols. Each half is a cache miss, a task takes half a millisecond. */
#define TASK_HALVES INT64_C(8192)

int64_t rhomb__run_chunks(int64_t length)
{
    return RHOMB_RUN_CHUNKS(length);
}

typedef struct finding {
    const rhomb__codes *codes;
    const char *bases;
    int64_t halves;
    bool *uniform; /* whether a half is one symbol */
} finding;

/* A rhomb__parallel_task. */
static void look_task(int64_t index, void *user)
{
    const finding *f = user;
    const int64_t end = rhomb__min((index + 1) * TASK_HALVES, f->halves);
    for (int64_t half = index * TASK_HALVES; half < end; half++) {
        const char *at = f->bases + half * HALF;
        f->uniform[half] = rhomb__codes_equal(f->codes, at, at + 1, HALF - 1);
    }
}

/* Notes the chunks that lie in a run [begin, end) of symbols. */
static void note_run(int64_t begin, int64_t end, uint32_t *table)
{
    const int64_t first = rhomb__ceil_div(begin, RHOMB_RUN_CHUNK), last = end / RHOMB_RUN_CHUNK;
    for (int64_t chunk = first; chunk < last; chunk++)
        table[chunk] = (uint32_t)(last - chunk);
}

/* The end of the run that symbol `at` is in. */
static int64_t run_end(const finding *f, int64_t at, int64_t length)
{
    return at + 1 +
           rhomb__codes_equal_run(f->codes, f->bases + at, f->bases + at + 1, length - at - 1);
}

static bool same(const finding *f, int64_t a, int64_t b)
{
    return f->codes->code[(unsigned char)f->bases[a]] == f->codes->code[(unsigned char)f->bases[b]];
}

bool rhomb__known_runs_find(const rhomb__codes *codes, const char *bases, int64_t length,
                            int32_t threads, uint32_t *forward, uint32_t *backward)
{
    const size_t table_bytes = (size_t)rhomb__run_chunks(length) * sizeof *forward;
    finding f = {codes, bases, length / HALF, NULL};
    memset(forward, 0, table_bytes);
    if (backward != NULL)
        memset(backward, 0, table_bytes);
    if (f.halves == 0)
        return true;
    f.uniform = malloc((size_t)f.halves * sizeof *f.uniform);
    if (f.uniform == NULL)
        return false;
    rhomb__parallel_run(threads, rhomb__ceil_div(f.halves, TASK_HALVES), look_task, &f);
    for (int64_t half = 0; half < f.halves;) {
        if (!f.uniform[half]) {
            half++;
            continue;
        }
        /* The half before is not of this symbol: the run begins less than a half before this one.
         */
        int64_t begin = half * HALF;
        while (begin > 0 && same(&f, begin - 1, half * HALF))
            begin--;
        while (half + 1 < f.halves && f.uniform[half + 1] && same(&f, (half + 1) * HALF, begin))
            half++;
        const int64_t end = run_end(&f, half * HALF, length);
        note_run(begin, end, forward);
        if (backward != NULL)
            note_run(length - end, length - begin, backward);
        half = end / HALF; /* it is the next run's, or none's */
    }
    free(f.uniform);
    return true;
}
