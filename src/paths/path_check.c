/* SPDX-License-Identifier: MIT */
/*
 * Whether a path is valid, segment by segment, see path_segments.h.
 */
#include "src/paths/path_segments.h"

#include "src/base/int64.h"
#include "src/base/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    CHUNK_OPS = 2048, /* a segment begins in each, if it has an X */
    LEAST_CHUNKS = 128,
    /* The least number for which a thread pays: to check operations only, and bases as well. */
    MEASURED_OPS = 16384,
    LOOKED_OPS = 4096,
    LOOKED_BASES = 1 << 19,
};

/* Of CHUNK_OPS operations: their bases and cost, and the bases before the first X. */
typedef struct chunk {
    rhomb__path_segment x; /* op is -1 if there is none */
    int64_t target;
    int64_t query;
    int64_t cost;
} chunk;

typedef struct cutting {
    const rhomb__path *path;
    const rhomb__path_pair *pair;
    int64_t cost; /* of the whole path */
    int64_t chunk_ops;
    chunk *chunks;
    atomic_bool wrong;
} cutting;

/* Whether an operation can follow the one before it: so each gap is one operation. */
static bool is_sound(const rhomb__path *path, int64_t index, bool has_mismatches)
{
    const rhomb_path_op op = path->ops[index];
    const uint64_t code = RHOMB_CIGAR_CODE(op);
    return RHOMB_CIGAR_LENGTH(op) != 0 &&
           (code == RHOMB_CIGAR_EQ || (code == RHOMB_CIGAR_X && has_mismatches) ||
            code == RHOMB_CIGAR_I || code == RHOMB_CIGAR_D) &&
           (index == 0 || code != RHOMB_CIGAR_CODE(path->ops[index - 1]));
}

static void measure_chunk(int64_t index, void *user)
{
    cutting *c = user;
    const rhomb__path *path = c->path;
    const int64_t end = rhomb__min((index + 1) * c->chunk_ops, path->count);
    const rhomb__costs *costs = c->pair->costs;
    chunk p = {{-1, 0, 0}, 0, 0, 0};
    bool sound = true;
    for (int64_t i = index * c->chunk_ops; i < end && sound; i++) {
        const rhomb_path_op op = path->ops[i];
        if (p.x.op < 0 && rhomb__op_is(op, RHOMB_CIGAR_X)) {
            const rhomb__path_segment here = {i, p.target, p.query};
            p.x = here;
        }
        /* Lengths may be anything, and so may gaps: no sum gets the chance to overflow. */
        sound = is_sound(path, i, !costs->replaced) &&
                rhomb__op_target_bases(op) <= c->pair->target_length - p.target &&
                rhomb__op_query_bases(op) <= c->pair->query_length - p.query;
        p.target += sound ? rhomb__op_target_bases(op) : 0;
        p.query += sound ? rhomb__op_query_bases(op) : 0;
        p.cost += sound ? rhomb__op_cost(costs, op) : 0;
        sound = sound && p.cost <= c->cost;
    }
    c->chunks[index] = p;
    if (!sound)
        atomic_store(&c->wrong, true);
}

/*
 * Lists the segments of measured chunks; false if the path leaves a sequence or ends early, or
 * costs something else.
 */
static bool list_segments(const cutting *c, int64_t count, rhomb__path_segments *out)
{
    rhomb__path_segment at = {0, 0, 0};
    int64_t cost = 0;
    out->count = 0;
    for (int64_t i = 0; i < count; i++) {
        const chunk *p = &c->chunks[i];
        if (p->target > c->pair->target_length - at.target ||
            p->query > c->pair->query_length - at.query || p->cost > c->cost - cost)
            return false;
        if (i == 0) {
            out->begin[out->count++] = at;
        } else if (p->x.op >= 0) {
            const rhomb__path_segment x = {p->x.op, at.target + p->x.target, at.query + p->x.query};
            out->begin[out->count++] = x;
        }
        at.target += p->target;
        at.query += p->query;
        cost += p->cost;
    }
    at.op = c->path->count;
    out->begin[out->count] = at;
    return at.target == c->pair->target_length && at.query == c->pair->query_length &&
           cost == c->cost;
}

rhomb_status rhomb__path_cut(rhomb__error *error, const rhomb__path *path,
                             const rhomb__path_pair *pair, int64_t cost, int32_t threads,
                             rhomb__path_segments *out, bool *fits)
{
    const int64_t chunk_ops = rhomb__min(rhomb__ceil_div(path->count, LEAST_CHUNKS) + 1, CHUNK_OPS);
    const int64_t count = rhomb__ceil_div(path->count, chunk_ops);
    const size_t bytes = (size_t)(count + 1) * sizeof(chunk);
    const rhomb__path_segments none = {NULL, 0};
    *out = none;
    chunk *chunks = malloc(bytes);
    out->begin = malloc((size_t)(count + 1) * sizeof *out->begin);
    if (chunks == NULL || out->begin == NULL) {
        free(chunks);
        free(out->begin);
        *out = none;
        return rhomb__fail_memory(error, bytes, "looking at a path");
    }
    cutting c = {
        .path = path, .pair = pair, .cost = cost, .chunk_ops = chunk_ops, .chunks = chunks};
    atomic_init(&c.wrong, false);
    const int64_t busy = rhomb__min(threads, path->count / MEASURED_OPS + 1);
    rhomb__parallel_run((int32_t)busy, count, measure_chunk, &c);
    *fits = !atomic_load(&c.wrong) && list_segments(&c, count, out);
    free(chunks);
    if (!*fits) {
        free(out->begin);
        *out = none;
    }
    return RHOMB_OK;
}

int32_t rhomb__path_threads(const rhomb__path *path, const rhomb__path_pair *pair, int32_t threads)
{
    const int64_t bases = pair->target_length + pair->query_length;
    const int64_t worth = path->count / LOOKED_OPS + bases / LOOKED_BASES + 1;
    return (int32_t)rhomb__min(threads, worth);
}

static bool are_mismatches(const rhomb__codes *codes, const char *a, const char *b, int64_t length)
{
    for (int64_t i = 0; i < length; i++)
        if (rhomb__codes_match(codes, a[i], b[i]))
            return false;
    return true;
}

bool rhomb__path_segment_fits(const rhomb__path *path, const rhomb__path_pair *pair,
                              const rhomb__path_segment *segment)
{
    const char *target = pair->target + segment->target, *query = pair->query + segment->query;
    for (int64_t i = segment->op; i < segment[1].op; i++) {
        const rhomb_path_op op = path->ops[i];
        const int64_t length = rhomb__op_length(op);
        if ((rhomb__op_is(op, RHOMB_CIGAR_EQ) &&
             !rhomb__codes_all_match(pair->codes, target, query, length)) ||
            (rhomb__op_is(op, RHOMB_CIGAR_X) &&
             !are_mismatches(pair->codes, target, query, length)))
            return false;
        target += rhomb__op_target_bases(op);
        query += rhomb__op_query_bases(op);
    }
    return true;
}
