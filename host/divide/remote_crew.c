/* SPDX-License-Identifier: MIT */
/*
 * Subproblems over ranks, see remote_crew.h.
 */
#include "host/divide/remote_crew.h"

#include "host/divide/aligner.h"
#include "host/divide/wave_member.h"
#include "host/splits/sweep_many.h"
#include "src/base/int64.h"

#include <stdlib.h>
#include <time.h>

rhomb_status rhomb__remote_crew_open(rhomb_context *other, const rhomb__task *whole,
                                     const rhomb__crew_order *order)
{
    rhomb_status status = RHOMB_OK;
    rhomb__message m = {.kind = 0};
    RHOMB_TRY(rhomb__remote_pair_send(other, RHOMB__PAIR_CALL, whole, false));
    rhomb__message_put(&m, order, sizeof *order);
    RHOMB_TRY(rhomb__ask(other, RHOMB__ASK_CREW_OPEN, &m));
out:
    rhomb__message_release(&m);
    return status;
}

/* The sections of a state have this character before their names; any would do. */
#define PREFIX 'R'

/* What an earlier run has left of a part, in memory; nothing if it is new. */
static rhomb_status put_saved(const rhomb__crew_part *part, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &part->ctx->stream.error;
    rhomb__saver *saver = NULL;
    char *state = NULL;
    int64_t bytes = 0;
    if (part->keeper.saved != NULL) {
        RHOMB_TRY(rhomb__saver_open_memory(error, &saver));
        rhomb__saver_prefix(saver, PREFIX);
        rhomb__saved_copy(part->keeper.saved, saver);
        state = rhomb__saver_take(saver, &bytes);
        if (state == NULL) {
            status = rhomb__fail_memory(error, 1, "a checkpoint");
            goto out;
        }
    }
    rhomb__message_put(m, &bytes, sizeof bytes);
    rhomb__message_put(m, state, bytes);
out:
    free(state);
    rhomb__saver_close(saver);
    return status;
}

/* Takes a state out of a message; NULL where there is none. */
static rhomb_status take_state(rhomb__error *error, const char *name, rhomb__message *m,
                               rhomb__saved **whole, rhomb__saved **state)
{
    rhomb_status status = RHOMB_OK;
    int64_t bytes = 0;
    *whole = *state = NULL;
    rhomb__message_take(m, &bytes, sizeof bytes);
    if (bytes == 0)
        return RHOMB_OK;
    char *memory = bytes > 0 && bytes <= m->bytes ? malloc((size_t)bytes) : NULL;
    if (memory == NULL)
        return rhomb__fail_memory(error, (size_t)bytes, "a checkpoint");
    rhomb__message_take(m, memory, bytes);
    RHOMB_TRY(rhomb__saved_open_memory(error, name, memory, bytes, whole));
    RHOMB_TRY(rhomb__saved_part(error, *whole, PREFIX, state));
out:
    return status;
}

/* The rank has sent its state: it is put into the file, once it is its turn. */
static rhomb_status keep_state(const rhomb__crew_part *part, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &part->ctx->stream.error;
    rhomb__saved *whole = NULL, *state = NULL;
    RHOMB_TRY(take_state(error, "of another rank", m, &whole, &state));
    RHOMB_TRY(rhomb__message_end(error, m));
    rhomb__saver *saver = part->keeper.begin(part->keeper.user);
    if (saver != NULL && state != NULL)
        rhomb__saved_copy(state, saver);
    RHOMB_TRY(part->keeper.end(part->keeper.user, RHOMB_OK));
out:
    rhomb__saved_close(state);
    rhomb__saved_close(whole);
    return status;
}

/* What the rank was told of a part. */
typedef struct told {
    bool to_stop; /* once, at the latest when it is done, so that nothing stays in the channel */
    bool to_save; /* and has not replied */
} told;

static rhomb_status tell_stop(const rhomb__crew_part *part, told *t)
{
    if (t->to_stop)
        return RHOMB_OK;
    t->to_stop = true;
    return rhomb__link_tell(&part->ctx->stream.error, &part->ctx->remote->link, RHOMB__WORD_STOP);
}

/* Waits for a reply, and tells the rank meanwhile what is to be. */
static rhomb_status wait_for_reply(const rhomb__crew_part *part, told *t)
{
    rhomb_status status = RHOMB_OK;
    const struct timespec pause = {.tv_nsec = 1000000};
    rhomb__error *error = &part->ctx->stream.error;
    rhomb__link *link = &part->ctx->remote->link;
    for (bool waits = false; !t->to_stop;) { /* afterwards there is nothing more to look for */
        RHOMB_TRY(rhomb__link_probe(error, link, RHOMB__CHANNEL_ASK, &waits));
        if (waits)
            break;
        if (atomic_load(part->stopped)) {
            RHOMB_TRY(tell_stop(part, t));
        } else if (!t->to_save && rhomb__split_is_due(&part->keeper)) {
            t->to_save = true;
            RHOMB_TRY(rhomb__link_tell(error, link, RHOMB__WORD_SAVE));
        }
        nanosleep(&pause, NULL);
    }
out:
    return status;
}

/*
 * Takes replies until the rank is done: *m has the last one. After a state that cannot be kept, or
 * is the last one that is wanted, the rank is told to stop.
 */
static rhomb_status take_replies(const rhomb__crew_part *part, told *t, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK, kept = RHOMB_OK;
    for (int32_t is_done = 0; is_done == 0;) {
        RHOMB_TRY(wait_for_reply(part, t));
        RHOMB_TRY(rhomb__ask_end(part->ctx, RHOMB__ASK_CREW_SOLVE, m));
        rhomb__message_take(m, &is_done, sizeof is_done);
        if (is_done != 0 || t->to_stop)
            continue;
        t->to_save = false;
        kept = keep_state(part, m);
        if (kept != RHOMB_OK)
            RHOMB_TRY(tell_stop(part, t));
    }
out:
    return kept != RHOMB_OK ? kept : status;
}

rhomb_status rhomb__remote_crew_solve(const rhomb__crew_part *part, bool large)
{
    rhomb_status status = RHOMB_OK;
    rhomb__message m = {.kind = 0};
    rhomb__error *error = &part->ctx->stream.error;
    told t = {.to_stop = false};
    int64_t done = 0;
    const int32_t is_large = large;
    rhomb__message_put(&m, &is_large, sizeof is_large);
    rhomb__message_put(&m, &part->count, sizeof part->count);
    rhomb__message_put(&m, part->subproblems, part->count * (int64_t)sizeof *part->subproblems);
    RHOMB_TRY(put_saved(part, &m));
    RHOMB_TRY(rhomb__ask_begin(part->ctx, RHOMB__ASK_CREW_SOLVE, &m));
    const rhomb_status replied = take_replies(part, &t, &m);
    const rhomb_status told_last = tell_stop(part, &t);
    RHOMB_TRY(replied != RHOMB_OK ? replied : told_last);
    rhomb__message_take(&m, &done, sizeof done);
    rhomb__message_take(&m, part->breakpoints, part->count * (int64_t)sizeof *part->breakpoints);
    RHOMB_TRY(rhomb__message_end(error, &m));
    *part->cells += done;
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
    rhomb__sweeper *sweeper;  /* NULL: it splits by wavefronts, ... */
    rhomb__wave_member waves; /* ... with these */
    bool is_told;             /* to stop, or will not be: no word waits in the channel */
    bool saves;               /* rank 0 wants to know how far it is */
    rhomb__saver *saver;
} served_crew;

/* Takes a word of rank 0; the last one for each job is to stop. */
static rhomb_status hear_word(rhomb_context *ctx, served_crew *own)
{
    rhomb__word word = RHOMB__WORD_STOP;
    const rhomb_status status = rhomb__link_hear(&ctx->stream.error, &own->served->leader, &word);
    own->saves = status == RHOMB_OK && word == RHOMB__WORD_SAVE;
    own->is_told = !own->saves;
    return status;
}

/* Of a rhomb__split_keeper; `user` is the crew: its state becomes a message. */
static rhomb__saver *begin_state(void *user)
{
    served_crew *own = user;
    own->saves = false;
    if (rhomb__saver_open_memory(&own->served->ctx->stream.error, &own->saver) == RHOMB_OK)
        rhomb__saver_prefix(own->saver, PREFIX);
    return own->saver;
}

static rhomb_status end_state(void *user, rhomb_status saved)
{
    rhomb_status status = saved;
    served_crew *own = user;
    rhomb_context *ctx = own->served->ctx;
    rhomb__message m = {.kind = 0};
    const int32_t is_done = 0;
    int64_t bytes = 0;
    char *state = own->saver != NULL ? rhomb__saver_take(own->saver, &bytes) : NULL;
    if (status == RHOMB_OK && state == NULL)
        status = rhomb__fail_memory(&ctx->stream.error, 1, "a checkpoint");
    if (status == RHOMB_OK) {
        rhomb__message_put(&m, &is_done, sizeof is_done);
        rhomb__message_put(&m, &bytes, sizeof bytes);
        rhomb__message_put(&m, state, bytes);
        status = rhomb__answer(ctx, &own->served->leader, RHOMB__ASK_CREW_SOLVE, RHOMB_OK, &m);
    }
    free(state);
    rhomb__saver_close(own->saver);
    own->saver = NULL;
    rhomb__message_release(&m);
    return status;
}

static bool wants_state(void *user)
{
    return ((served_crew *)user)->saves;
}

/* Of rhomb__sweep_source: rank 0 may wish to stop, or to know how far the rank is. */
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
    if (own->is_told)
        status = rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped with rank 0");
out:
    return status;
}

/* Of rhomb__split_source. */
static rhomb_status portion_done(rhomb_context *ctx, int64_t cells_done, int64_t cells, void *user)
{
    (void)cells_done;
    (void)cells;
    return look_for_stop(ctx, 0, user);
}

/* Opens what splits, once the pair is packed. */
static rhomb_status open_means(rhomb_context *ctx, served_crew *own, const rhomb__crew_order *order)
{
    const int64_t left = ctx->stream.device->info.memory_bytes - ctx->stream.bytes_in_use;
    const rhomb__split_source waves = {.tuning = {.portion_bytes = order->portion_bytes},
                                       .portion_done = portion_done,
                                       .user = own};
    const rhomb__sweep_source sweeps = {.target = &own->target,
                                        .query = &own->query,
                                        .target_length = own->aligner.whole.target_length,
                                        .query_length = own->aligner.whole.query_length,
                                        .portion_bytes = rhomb__min(order->portion_bytes, left),
                                        .advance = look_for_stop,
                                        .user = own};
    if (order->by_waves)
        return rhomb__wave_member_open(&own->waves, ctx, &own->aligner.whole, order->cost,
                                       &own->target, &own->query, &waves);
    return rhomb__sweeper_open(ctx, &sweeps, &own->sweeper);
}

static rhomb_status open_crew(rhomb__served *served, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = served->ctx;
    rhomb__crew_order order;
    rhomb__message_take(m, &order, sizeof order);
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
    RHOMB_TRY(open_means(ctx, own, &order));
out:
    return status;
}

/* A job, as it was sent. */
typedef struct served_job {
    int32_t is_large;
    int64_t count;
    rhomb_subproblem *subproblems;
    rhomb__breakpoint *breakpoints;
    rhomb__saved *whole, *state; /* what an earlier run has left of it */
} served_job;

static rhomb_status take_job(rhomb__error *error, rhomb__message *m, served_job *job)
{
    rhomb_status status = RHOMB_OK;
    rhomb__message_take(m, &job->is_large, sizeof job->is_large);
    rhomb__message_take(m, &job->count, sizeof job->count);
    if (job->count < 1 || job->count > m->bytes)
        return rhomb__fail(error, RHOMB_ERR_INTERNAL, "no such subproblems");
    const size_t count = (size_t)job->count;
    job->subproblems = malloc(count * sizeof *job->subproblems);
    job->breakpoints = calloc(count, sizeof *job->breakpoints); /* all bytes are sent */
    if (job->subproblems == NULL || job->breakpoints == NULL)
        return rhomb__fail_memory(error,
                                  count * (sizeof *job->subproblems + sizeof *job->breakpoints),
                                  "the subproblems of devices");
    rhomb__message_take(m, job->subproblems, job->count * (int64_t)sizeof *job->subproblems);
    RHOMB_TRY(take_state(error, "of rank 0", m, &job->whole, &job->state));
    RHOMB_TRY(rhomb__message_end(error, m));
    rhomb__message_clear(m);
out:
    return status;
}

static rhomb_status sweep(served_crew *own, const served_job *job,
                          const rhomb__split_keeper *keeper, int64_t *cells)
{
    rhomb_status status = RHOMB_OK;
    rhomb__plan plan;
    const int64_t before = rhomb__sweeper_work(own->sweeper).cells;
    rhomb__sweeper_keep(own->sweeper, keeper);
    RHOMB_TRY(rhomb__align_plan_strips(&own->aligner, own->aligner.ctx, job->subproblems,
                                       job->count, &plan));
    RHOMB_TRY(
        rhomb__sweeper_solve(own->sweeper, &plan, job->subproblems, job->count, job->breakpoints));
    *cells = rhomb__sweeper_work(own->sweeper).cells - before;
out:
    return status;
}

static rhomb_status solve(rhomb__served *served, served_crew *own, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    served_job job = {.count = 0};
    const int32_t is_done = 1;
    int64_t cells = 0;
    own->is_told = own->saves = false;
    RHOMB_TRY(take_job(&served->ctx->stream.error, m, &job));
    const rhomb__split_keeper keeper = {begin_state, end_state, wants_state, own, job.state};
    own->waves.source.keeper = keeper;
    if (own->sweeper != NULL)
        RHOMB_TRY(sweep(own, &job, &keeper, &cells));
    else
        RHOMB_TRY(rhomb__wave_member_split(&own->waves, served->ctx, job.is_large != 0,
                                           job.subproblems, job.count, job.breakpoints, &cells));
    rhomb__message_put(m, &is_done, sizeof is_done);
    rhomb__message_put(m, &cells, sizeof cells);
    rhomb__message_put(m, job.breakpoints, job.count * (int64_t)sizeof *job.breakpoints);
out:
    rhomb__saved_close(job.state);
    rhomb__saved_close(job.whole);
    free(job.breakpoints);
    free(job.subproblems);
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
    while (!own->is_told) {
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
    rhomb__wave_member_close(&own->waves);
    rhomb__buffer_release(&served->ctx->stream, &own->query);
    rhomb__buffer_release(&served->ctx->stream, &own->target);
    free(own);
    served->crew = NULL;
}
