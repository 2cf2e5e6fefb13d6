/* SPDX-License-Identifier: MIT */
/*
 * Minimizers, see minimizers.h. minimap2's function ends the process where it finds no memory, so
 * it gets all that it may need beforehand: it is given a slice at a time, and there is room for
 * each k-mer of a slice. Slices overlap by a window, so that each window is in one of them, and
 * what two of them have is the same place twice.
 */
#include "host/cli/sketch/minimizers.h"

#include <mmpriv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

const bool cli_has_minimizers = true;

enum {
    SLICE_BASES = 1 << 16,
    THREADS_MOST = 64,
    OVERLAP_MOST = CLI_MINIMIZER_BASES_MOST + CLI_MINIMIZER_WINDOW_MOST
};

_Static_assert(sizeof(cli_key_value) == sizeof(mm128_t), "sorted by minimap2's function");

void cli_key_values_sort(cli_key_value *entries, size_t count)
{
    mm128_t *list = (mm128_t *)(void *)entries;
    if (count > 1)
        radix_sort_128x(list, list + count);
}

/* The slices of a record, which threads take in turn. */
typedef struct slices {
    const cli_minimizers *list;
    const char *bases;
    int64_t length;
    atomic_int_least64_t next;
} slices;

/* What a thread has found. */
typedef struct finding {
    slices *from;
    cli_key_value *entries;
    size_t count;
    size_t room;
    bool failed; /* out of memory */
} finding;

static bool make_room(cli_key_value **entries, size_t *room, size_t count)
{
    if (count <= *room)
        return true;
    const size_t more = count > 2 * *room ? count : 2 * *room;
    cli_key_value *grown = realloc(*entries, more * sizeof *grown);
    if (grown == NULL)
        return false;
    *entries = grown;
    *room = more;
    return true;
}

/* Whether a slice is one of those that are looked at: a fixed choice, without any pattern. */
static bool is_chosen(const cli_minimizers *list, int64_t slice)
{
    if (list->shape.share >= 1)
        return true;
    uint64_t mixed = (uint64_t)slice + list->seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((mixed ^ mixed >> 31) >> 11) * 0x1p-53 < list->shape.share;
}

/* Takes over what minimap2 has found in a slice that begins at `begin`. */
static bool keep(finding *f, const mm128_v *found, int64_t begin)
{
    const uint64_t one_in = (uint64_t)f->from->list->shape.one_in;
    if (!make_room(&f->entries, &f->room, f->count + found->n))
        return false;
    for (size_t i = 0; i < found->n; i++) {
        if (one_in > 0 && (found->a[i].x >> 8) % one_in != 0)
            continue;
        const uint64_t place = found->a[i].y & UINT32_MAX;
        f->entries[f->count++] =
            (cli_key_value){.key = found->a[i].x >> 8,
                            .value = place + ((uint64_t)(f->from->list->bases + begin) << 1)};
    }
    return true;
}

static void *find(void *user)
{
    finding *f = user;
    slices *from = f->from;
    const cli_minimizer_shape *shape = &from->list->shape;
    const int64_t overlap = shape->k + shape->w - 1;
    mm128_v found = {.m = SLICE_BASES + OVERLAP_MOST};
    found.a = malloc(found.m * sizeof *found.a);
    f->failed = found.a == NULL;
    int64_t slice;
    while (!f->failed && (slice = atomic_fetch_add(&from->next, 1)) * SLICE_BASES < from->length) {
        const int64_t begin = slice * SLICE_BASES, rest = from->length - begin;
        const int64_t most = SLICE_BASES + overlap;
        if (!is_chosen(from->list, slice))
            continue;
        found.n = 0;
        mm_sketch(NULL, from->bases + begin, (int)(rest < most ? rest : most), shape->w, shape->k,
                  0, 0, &found);
        f->failed = !keep(f, &found, begin);
    }
    free(found.a);
    return NULL;
}

/* Appends what all threads have found. */
static bool collect(cli_minimizers *list, finding *findings, int count)
{
    size_t more = 0;
    bool failed = false;
    for (int i = 0; i < count; i++) {
        more += findings[i].count;
        failed = failed || findings[i].failed;
    }
    failed = failed || !make_room(&list->entries, &list->room, list->count + more);
    for (int i = 0; i < count; i++) {
        if (!failed && findings[i].count > 0)
            memcpy(list->entries + list->count, findings[i].entries,
                   findings[i].count * sizeof *findings[i].entries);
        list->count += failed ? 0 : findings[i].count;
        free(findings[i].entries);
    }
    return !failed;
}

bool cli_minimizers_add(cli_minimizers *list, const char *bases, int64_t length, int threads)
{
    slices from = {.list = list, .bases = bases, .length = length};
    finding findings[THREADS_MOST];
    pthread_t helpers[THREADS_MOST];
    int started = 1;
    if (length == 0)
        return true;
    atomic_init(&from.next, 0);
    findings[0] = (finding){.from = &from};
    for (; started < threads && started < THREADS_MOST && started * (int64_t)SLICE_BASES < length;
         started++) {
        findings[started] = (finding){.from = &from};
        if (pthread_create(&helpers[started], NULL, find, &findings[started]) != 0)
            break;
    }
    find(&findings[0]);
    for (int i = 1; i < started; i++)
        pthread_join(helpers[i], NULL);
    const bool good = collect(list, findings, started);
    list->bases += length;
    return good;
}

void cli_minimizers_finish(cli_minimizers *list)
{
    cli_key_value *entries = list->entries;
    size_t kept = 0;
    cli_key_values_sort(entries, list->count);
    for (size_t i = 0, end; i < list->count; i = end) {
        bool is_unique = true;
        for (end = i + 1; end < list->count && entries[end].key == entries[i].key; end++)
            is_unique = is_unique && entries[end].value == entries[i].value;
        if (is_unique)
            entries[kept++] = entries[i];
    }
    list->count = kept;
}

void cli_minimizers_release(cli_minimizers *list)
{
    free(list->entries);
    *list = (cli_minimizers){0};
}
