/* SPDX-License-Identifier: MIT */
/*
 * Subproblems over ranks, see remote_crew.h.
 */
#include "host/divide/remote_crew.h"

#include "host/divide/aligner.h"
#include "src/base/int64.h"

#include <stdlib.h>
#include <time.h>

rhomb_status rhomb__remote_crew_open(rhomb_context *other, const rhomb__task *whole,
                                     int64_t portion_bytes)
{
    rhomb_status status = RHOMB_OK;
    rhomb__message m = {.kind = 0};
    RHOMB_TRY(rhomb__remote_pair_send(other, RHOMB__PAIR_CALL, whole, false));
    rhomb__message_put(&m, &portion_bytes, sizeof portion_bytes);
    RHOMB_TRY(rhomb__ask(other, RHOMB__ASK_CREW_OPEN, &m));
out:
    rhomb__message_release(&m);
    return status;
}

/*
 * Waits for the reply, and tells the rank to stop if that is to be. It is told once for each job,
 * at the latest when that is done, so that nothing stays in the channel.
 */
static rhomb_status wait_for_reply(rhomb_context *other, const atomic_bool *stopped)
{
    rhomb_status status = RHOMB_OK;
    const struct timespec pause = {.tv_nsec = 1000000};
    rhomb__error *error = &other->stream.error;
    rhomb__link *link = &other->remote->link;
    bool has_told = false, waits = false;
    for (;;) {
        RHOMB_TRY(rhomb__link_probe(error, link, RHOMB__CHANNEL_ASK, &waits));
        if (waits || has_told) /* nothing more to look for */
            break;
        if (atomic_load(stopped) && !has_told) {
            RHOMB_TRY(rhomb__link_tell(error, link));
            has_told = true;
        }
        nanosleep(&pause, NULL);
    }
    if (!has_told)
        RHOMB_TRY(rhomb__link_tell(error, link));
out:
    return status;
}

rhomb_status rhomb__remote_crew_solve(rhomb_context *other, const rhomb_subproblem *subproblems,
                                      int64_t count, rhomb__breakpoint *breakpoints,
                                      const atomic_bool *stopped, int64_t *cells)
{
    rhomb_status status = RHOMB_OK;
    rhomb__message m = {.kind = 0};
    int64_t done = 0;
    rhomb__message_put(&m, &count, sizeof count);
    rhomb__message_put(&m, subproblems, count * (int64_t)sizeof *subproblems);
    RHOMB_TRY(rhomb__ask_begin(other, RHOMB__ASK_CREW_SOLVE, &m));
    RHOMB_TRY(wait_for_reply(other, stopped));
    RHOMB_TRY(rhomb__ask_end(other, RHOMB__ASK_CREW_SOLVE, &m));
    rhomb__message_take(&m, &done, sizeof done);
    rhomb__message_take(&m, breakpoints, count * (int64_t)sizeof *breakpoints);
    RHOMB_TRY(rhomb__message_end(&other->stream.error, &m));
    *cells += done;
out:
    rhomb__message_release(&m);
    return status;
}

void rhomb__remote_crew_close(rhomb_context *other)
{
    rhomb__message m = {.kind = 0};
    if (!other->remote->link.is_lost)
        (void)rhomb__ask(other, RHOMB__ASK_CREW_CLOSE, &m);
    rhomb__message_release(&m);
}

/* A member of a crew, on its rank: as much of an aligner as it needs. */
typedef struct served_crew {
    rhomb__served *served;
    rhomb__aligner aligner;
    rhomb__buffer target, query;
    rhomb__sweeper *sweeper;
    bool is_told; /* to stop, or will not be: no word waits in the channel */
} served_crew;

/* Takes rank 0's word, once for each job. */
static rhomb_status hear_word(rhomb_context *ctx, served_crew *own)
{
    own->is_told = true;
    return rhomb__link_hear(&ctx->stream.error, &own->served->leader);
}

/* Of rhomb__sweep_source: rank 0 may wish to stop. */
static rhomb_status look_for_stop(rhomb_context *ctx, double fraction, void *user)
{
    rhomb_status status = RHOMB_OK;
    served_crew *own = user;
    bool waits = false;
    (void)fraction;
    RHOMB_TRY(
        rhomb__link_probe(&ctx->stream.error, &own->served->leader, RHOMB__CHANNEL_STOP, &waits));
    if (!waits)
        return RHOMB_OK;
    RHOMB_TRY(hear_word(ctx, own));
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped with rank 0");
out:
    return status;
}

static rhomb_status open_crew(rhomb__served *served, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = served->ctx;
    int64_t portion_bytes = 0;
    rhomb__message_take(m, &portion_bytes, sizeof portion_bytes);
    RHOMB_TRY(rhomb__message_end(&ctx->stream.error, m));
    rhomb__message_clear(m);
    rhomb__serve_crew_close(served);
    served_crew *own = calloc(1, sizeof *own);
    served->crew = own;
    if (own == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *own, "a crew of devices");
    own->served = served;
    own->is_told = true;
    own->aligner.ctx = ctx;
    own->aligner.whole = served->pairs[RHOMB__PAIR_CALL].task;
    RHOMB_TRY(rhomb__align_pack_on(&own->aligner, ctx, &own->target, &own->query));
    const int64_t left = ctx->stream.device->info.memory_bytes - ctx->stream.bytes_in_use;
    const rhomb__sweep_source source = {.target = &own->target,
                                        .query = &own->query,
                                        .target_length = own->aligner.whole.target_length,
                                        .query_length = own->aligner.whole.query_length,
                                        .portion_bytes = rhomb__min(portion_bytes, left),
                                        .advance = look_for_stop,
                                        .user = own};
    RHOMB_TRY(rhomb__sweeper_open(ctx, &source, &own->sweeper));
out:
    return status;
}

static rhomb_status solve(rhomb__served *served, served_crew *own, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &served->ctx->stream.error;
    rhomb__plan plan;
    int64_t count = 0;
    rhomb_subproblem *subproblems = NULL;
    rhomb__breakpoint *breakpoints = NULL;
    const int64_t before = rhomb__sweeper_work(own->sweeper).cells;
    own->is_told = false;
    rhomb__message_take(m, &count, sizeof count);
    if (count < 1 || count > m->bytes)
        return rhomb__fail(error, RHOMB_ERR_INTERNAL, "no such subproblems");
    subproblems = malloc((size_t)count * sizeof *subproblems);
    breakpoints = calloc((size_t)count, sizeof *breakpoints); /* all bytes are sent */
    if (subproblems == NULL || breakpoints == NULL) {
        status =
            rhomb__fail_memory(error, (size_t)count * (sizeof *subproblems + sizeof *breakpoints),
                               "the subproblems of devices");
        goto out;
    }
    rhomb__message_take(m, subproblems, count * (int64_t)sizeof *subproblems);
    RHOMB_TRY(rhomb__message_end(error, m));
    rhomb__message_clear(m);
    RHOMB_TRY(rhomb__align_plan_strips(&own->aligner, served->ctx, subproblems, count, &plan));
    RHOMB_TRY(rhomb__sweeper_solve(own->sweeper, &plan, subproblems, count, breakpoints));
    const int64_t cells = rhomb__sweeper_work(own->sweeper).cells - before;
    rhomb__message_put(m, &cells, sizeof cells);
    rhomb__message_put(m, breakpoints, count * (int64_t)sizeof *breakpoints);
out:
    free(breakpoints);
    free(subproblems);
    return status;
}

rhomb_status rhomb__serve_crew(rhomb__served *served, rhomb__message *m)
{
    served_crew *own = served->crew;
    const rhomb__request request = (rhomb__request)m->kind;
    if (request == RHOMB__ASK_CREW_OPEN)
        return open_crew(served, m);
    if (own == NULL)
        return rhomb__fail(&served->ctx->stream.error, RHOMB_ERR_INTERNAL, "no crew is open");
    if (!own->is_told) {
        const rhomb_status heard = hear_word(served->ctx, own);
        if (heard != RHOMB_OK)
            return heard;
    }
    if (request == RHOMB__ASK_CREW_SOLVE)
        return solve(served, own, m);
    rhomb__message_clear(m);
    rhomb__serve_crew_close(served);
    return RHOMB_OK;
}

void rhomb__serve_crew_close(rhomb__served *served)
{
    served_crew *own = served->crew;
    if (own == NULL)
        return;
    rhomb__sweeper_close(own->sweeper);
    rhomb__buffer_release(&served->ctx->stream, &own->query);
    rhomb__buffer_release(&served->ctx->stream, &own->target);
    free(own);
    served->crew = NULL;
}
