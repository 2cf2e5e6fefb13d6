/* SPDX-License-Identifier: MIT */
/*
 * The path of an alignment, see path_ops.h.
 */
#include "path_ops.h"

#include <stdlib.h>

enum { FIRST_ROOM = 256 };

/* Makes room for `more` operations. */
static rhomb_status grow(rhomb__error *error, rhomb__path *path, int64_t more)
{
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

static void count_letters(rhomb__path *path, uint32_t code, int64_t length)
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
    count_letters(path, code, length);
    if (path->count > 0 && RHOMB_CIGAR_CODE(path->ops[path->count - 1]) == code) {
        path->ops[path->count - 1] += (rhomb_path_op)length << 4;
        return RHOMB_OK;
    }
    if (path->count == path->room)
        RHOMB_TRY(grow(error, path, 1));
    path->ops[path->count++] = (rhomb_path_op)length << 4 | code;
out:
    return status;
}

rhomb_status rhomb__path_append_cigar(rhomb__error *error, rhomb__path *path,
                                      const rhomb_cigar_op *cigar, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    int64_t letters[16] = {0};
    if (count == 0)
        return RHOMB_OK;
    RHOMB_TRY(
        rhomb__path_append(error, path, RHOMB_CIGAR_CODE(cigar[0]), RHOMB_CIGAR_LENGTH(cigar[0])));
    if (path->room - path->count < count - 1)
        RHOMB_TRY(grow(error, path, count - 1));
    for (int64_t i = 1; i < count; i++) { /* neighbours differ */
        path->ops[path->count++] = cigar[i];
        letters[RHOMB_CIGAR_CODE(cigar[i])] += RHOMB_CIGAR_LENGTH(cigar[i]);
    }
    path->matches += letters[RHOMB_CIGAR_EQ];
    path->mismatches += letters[RHOMB_CIGAR_X];
    path->inserted += letters[RHOMB_CIGAR_I];
    path->deleted += letters[RHOMB_CIGAR_D];
out:
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
