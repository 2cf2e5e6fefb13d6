/* SPDX-License-Identifier: MIT */
/* The portions of subproblems, see splitter.h. */
#include "host/splits/splitter.h"

#include "host/device/context.h"
#include "host/device/queue.h"

#include <stdlib.h>

rhomb_status rhomb__splitter_open(rhomb_context *ctx, const rhomb__split_way *way,
                                  const rhomb__split_source *source, rhomb__splitter **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__splitter *s = calloc(1, way->splitter_bytes);
    *out = NULL;
    if (s == NULL)
        return rhomb__fail_memory(&ctx->stream.error, way->splitter_bytes, "a splitter");
    s->way = way;
    s->ctx = ctx;
    s->source = *source;
    s->most_bytes = source->tuning.portion_bytes;
    if (way->open != NULL)
        RHOMB_TRY(way->open(s));
    *out = s;
    s = NULL;
out:
    rhomb__splitter_close(s);
    return status;
}

void rhomb__splitter_close(rhomb__splitter *s)
{
    if (s != NULL && s->way->close != NULL)
        s->way->close(s);
    free(s);
}

const rhomb_split_pair *rhomb__splitter_pair(const rhomb__splitter *s, int64_t i)
{
    return &s->subproblems[s->order[s->first + i].index].pair;
}

rhomb_status rhomb__splitter_advance(const rhomb__splitter *s, double done)
{
    const double portion = done < s->portion_work ? done : s->portion_work;
    return s->source.advance == NULL
               ? RHOMB_OK
               : s->source.advance(s->ctx, (s->work_done + portion) / s->all_work, s->source.user);
}

rhomb_status rhomb__splitter_look(rhomb__splitter *s, double work)
{
    rhomb_status status = RHOMB_OK;
    s->since_look += work;
    s->enqueued += work;
    if (s->since_look <= s->look_work)
        return RHOMB_OK;
    s->since_look = 0;
    RHOMB_TRY(rhomb__queue_finish(&s->ctx->stream));
    RHOMB_TRY(rhomb__splitter_advance(s, s->enqueued));
out:
    return status;
}

static rhomb_status make_order(rhomb__splitter *s)
{
    rhomb_status status = RHOMB_OK;
    const size_t bytes = (size_t)s->count * sizeof *s->order;
    s->all_work = 0;
    s->order = malloc(bytes);
    if (s->order == NULL)
        return rhomb__fail_memory(&s->ctx->stream.error, bytes, "the order of subproblems");
    for (int64_t i = 0; i < s->count; i++) {
        const rhomb_split_pair *pair = &s->subproblems[i].pair;
        RHOMB_TRY(s->way->check(s, &s->subproblems[i]));
        s->order[i] =
            (rhomb__order_entry){s->way->size != NULL ? s->way->size(pair) : pair->distance, i};
        s->all_work += s->way->work(s, pair);
    }
    rhomb__order_sort(s->order, s->count);
out:
    return status;
}

/* Takes as many subproblems as fit, from s->first on. */
static void plan_portion(rhomb__splitter *s)
{
    int64_t bytes = 0;
    s->portion_work = 0;
    for (s->portion = 0; s->first + s->portion < s->count; s->portion++) {
        const double work = s->way->work(s, rhomb__splitter_pair(s, s->portion));
        bytes += s->way->bytes(s, s->portion);
        if (s->portion > 0 &&
            (bytes > s->most_bytes || (s->most_work > 0 && s->portion_work + work > s->most_work)))
            break;
        s->portion_work += work;
    }
}

static rhomb_status run_portion(rhomb__splitter *s, rhomb__breakpoint *breakpoints)
{
    rhomb_status status = RHOMB_OK;
    s->enqueued = 0;
    RHOMB_TRY(s->way->run(s));
    for (int64_t i = 0; i < s->portion; i++)
        RHOMB_TRY(s->way->take(s, i, &breakpoints[s->order[s->first + i].index]));
    s->work.problems += s->portion;
    s->work.portions++;
    s->work_done += s->portion_work;
    RHOMB_TRY(rhomb__splitter_advance(s, 0));
out:
    if (status != RHOMB_OK) /* running commands may use the portion's memory */
        clFinish(s->ctx->stream.queue);
    s->way->drop(s);
    return status;
}

rhomb_status rhomb__splitter_solve(rhomb__splitter *s, const rhomb__plan *plan,
                                   const rhomb_subproblem *subproblems, int64_t count,
                                   rhomb__breakpoint *breakpoints)
{
    rhomb_status status = RHOMB_OK;
    if (count <= 0)
        return RHOMB_OK;
    s->plan = *plan;
    s->subproblems = subproblems;
    s->count = count;
    s->first = 0;
    s->work_done = s->since_look = 0;
    RHOMB_TRY(make_order(s));
    if (s->way->begin != NULL)
        RHOMB_TRY(s->way->begin(s));
    for (; s->first < count; s->first += s->portion) {
        plan_portion(s);
        RHOMB_TRY(run_portion(s, breakpoints));
    }
out:
    if (s->way->end != NULL)
        s->way->end(s);
    free(s->order);
    s->order = NULL;
    return status;
}
