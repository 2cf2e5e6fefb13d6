/* SPDX-License-Identifier: MIT */
/*
 * The path of an alignment, see path_ops.h.
 */
#include "src/paths/path_ops.h"

#include "src/base/int64.h"
#include "src/base/parallel.h"

#include <stdlib.h>
#include <string.h>

enum {
    CODES = 16,
    NO_CODE = CODES,
    FIRST_ROOM = 256,
    STRETCH_OPS = 4096, /* that a thread processes at a time */
    THREAD_OPS = 16384, /* for which a thread pays that only copies them */
};

rhomb_status rhomb__path_reserve(rhomb__error *error, rhomb__path *path, int64_t more)
{
    if (path->room - path->count >= more)
        return RHOMB_OK;
    int64_t room = path->room > 0 ? path->room + path->room / 2 : FIRST_ROOM;
    if (room < path->count + more)
        room = path->count + more;
    rhomb_path_op *ops = realloc(path->ops, (size_t)room * sizeof *ops);
    if (ops == NULL)
        return rhomb__fail_memory(error, (size_t)room * sizeof *ops, "the operations of a path");
    path->ops = ops;
    path->room = room;
    return RHOMB_OK;
}

static void count_bases(rhomb__path *path, uint32_t code, int64_t length)
{
    switch (code) {
    case RHOMB_CIGAR_EQ:
        path->matches += length;
        break;
    case RHOMB_CIGAR_X:
        path->mismatches += length;
        break;
    case RHOMB_CIGAR_I:
        path->inserted += length;
        break;
    default:
        path->deleted += length;
    }
}

rhomb_status rhomb__path_append(rhomb__error *error, rhomb__path *path, uint32_t code,
                                int64_t length)
{
    rhomb_status status = RHOMB_OK;
    if (length == 0)
        return RHOMB_OK;
    count_bases(path, code, length);
    if (path->count > 0 && RHOMB_CIGAR_CODE(path->ops[path->count - 1]) == code) {
        path->ops[path->count - 1] += (rhomb_path_op)length << 4;
        return RHOMB_OK;
    }
    RHOMB_TRY(rhomb__path_reserve(error, path, 1));
    path->ops[path->count++] = (rhomb_path_op)length << 4 | code;
out:
    return status;
}

/* Some of the short pairs whose operations are appended, and the place of the first new one. */
typedef struct bundle {
    int64_t first;
    int64_t end;
    int64_t at;
    uint32_t code_before; /* of the operation before it; or NO_CODE */
    int64_t joined;       /* bases by which that one grows */
    int64_t bases[CODES];
} bundle;

typedef struct appending {
    rhomb_path_op *ops;
    const rhomb__cigar *cigars;
    bundle *bundles;
} appending;

static void append_bundle(int64_t index, void *user)
{
    const appending *a = user;
    bundle *b = &a->bundles[index];
    rhomb_path_op *const begin = a->ops + b->at, *at = begin;
    for (int64_t i = b->first; i < b->end; i++) {
        const rhomb_cigar_op *op = a->cigars[i].ops, *const end = op + a->cigars[i].count;
        if (op < end && RHOMB_CIGAR_CODE(*op) ==
                            (at > begin ? RHOMB_CIGAR_CODE(at[-1]) : (uint64_t)b->code_before)) {
            const rhomb_path_op length = RHOMB_CIGAR_LENGTH(*op);
            b->bases[RHOMB_CIGAR_CODE(*op)] += (int64_t)length;
            if (at > begin)
                at[-1] += length << 4;
            else
                b->joined += (int64_t)length;
            op++;
        }
        for (; op < end; op++) {
            *at++ = *op;
            b->bases[RHOMB_CIGAR_CODE(*op)] += RHOMB_CIGAR_LENGTH(*op);
        }
    }
}

/*
 * Makes bundles of about equal numbers of operations, and sets their places: whether a bundle's
 * first operation is new depends on the last one before it. Returns the end of the last bundle.
 */
static int64_t make_bundles(const rhomb__path *path, const rhomb__cigar *cigars, int64_t count,
                            bundle *bundles, int64_t *made)
{
    int64_t at = path->count, in_bundle = STRETCH_OPS;
    uint32_t code = at > 0 ? (uint32_t)RHOMB_CIGAR_CODE(path->ops[at - 1]) : NO_CODE;
    *made = 0;
    for (int64_t i = 0; i < count; i++) {
        const rhomb__cigar *cigar = &cigars[i];
        if (in_bundle >= STRETCH_OPS) {
            const bundle next = {.first = i, .at = at, .code_before = code};
            bundles[(*made)++] = next;
            in_bundle = 0;
        }
        bundles[*made - 1].end = i + 1;
        if (cigar->count == 0)
            continue;
        at += cigar->count - (RHOMB_CIGAR_CODE(cigar->ops[0]) == code);
        code = RHOMB_CIGAR_CODE(cigar->ops[cigar->count - 1]);
        in_bundle += cigar->count;
    }
    return at;
}

rhomb_status rhomb__path_append_cigars(rhomb__error *error, rhomb__path *path,
                                       const rhomb__cigar *cigars, int64_t count, int32_t threads)
{
    rhomb_status status = RHOMB_OK;
    int64_t all = 0, made = 0;
    for (int64_t i = 0; i < count; i++)
        all += cigars[i].count;
    if (all == 0)
        return RHOMB_OK;
    const size_t bytes = (size_t)(all / STRETCH_OPS + 1) * sizeof(bundle);
    bundle *bundles = malloc(bytes);
    if (bundles == NULL)
        return rhomb__fail_memory(error, bytes, "putting a path together");
    RHOMB_TRY(rhomb__path_reserve(error, path, all));
    const int64_t end = make_bundles(path, cigars, count, bundles, &made);
    appending a = {path->ops, cigars, bundles};
    const int64_t busy = rhomb__min(threads, all / THREAD_OPS + 1);
    rhomb__parallel_run((int32_t)busy, made, append_bundle, &a);
    for (int64_t b = 0; b < made; b++) {
        if (bundles[b].joined > 0)
            path->ops[bundles[b].at - 1] += (rhomb_path_op)bundles[b].joined << 4;
        path->matches += bundles[b].bases[RHOMB_CIGAR_EQ];
        path->mismatches += bundles[b].bases[RHOMB_CIGAR_X];
        path->inserted += bundles[b].bases[RHOMB_CIGAR_I];
        path->deleted += bundles[b].bases[RHOMB_CIGAR_D];
    }
    path->count = end;
out:
    free(bundles);
    return status;
}

void rhomb__path_trim(rhomb__path *path)
{
    if (path->count == 0 || path->count == path->room)
        return;
    rhomb_path_op *ops = realloc(path->ops, (size_t)path->count * sizeof *ops);
    if (ops == NULL)
        return;
    path->ops = ops;
    path->room = path->count;
}

void rhomb__path_release(rhomb__path *path)
{
    const rhomb__path empty = {0};
    free(path->ops);
    *path = empty;
}
