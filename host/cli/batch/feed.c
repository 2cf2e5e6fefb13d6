/* SPDX-License-Identifier: MIT */
/*
 * The feed, see matched.h. The reader has a context of its own, because a context is for one thread
 * at a time; its error waits there until it is asked for.
 */
#include "host/cli/batch/matched.h"

#include <pthread.h>

/* The most chunks that wait to be used: one or two for jitter, and one that is being taken. */
enum { AHEAD = 3 };

struct cli_feed {
    const char *path;
    const char *queries;
    rhomb_pairs_options options;
    bool orients; /* queries */
    cli_strands strands;
    rhomb_context *ctx;
    rhomb_pairs *pairs;
    cli_matched *matched; /* instead of all of these */
    int code;             /* its exit status */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pthread_t thread;
    int owners; /* the program, and the thread: the last one releases it */
    bool threaded;
    bool sparing; /* there is a limit on the address space: chunks that are given back go */
    bool stopping;
    bool ended; /* the reader has ended: `status` says how */
    rhomb_status status;
    cli_load *free; /* the one that has been free longest comes first: it may keep text mapped */
    cli_load **last_free;
    cli_load *first; /* of those that wait */
    cli_load **last; /* where the next one is linked */
    int waiting;
};

static void release_loads(cli_load *load)
{
    while (load != NULL) {
        cli_load *next = load->next;
        if (load->release != NULL) {
            load->release(load);
        } else {
            cli_strands_drop(load);
            rhomb_pair_chunk_destroy(load->chunk);
            free(load);
        }
        load = next;
    }
}

static void drop(cli_feed *feed)
{
    pthread_mutex_lock(&feed->mutex);
    const bool last = --feed->owners == 0;
    pthread_mutex_unlock(&feed->mutex);
    if (!last)
        return;
    release_loads(feed->free);
    release_loads(feed->first);
    cli_votes_release(&feed->strands.votes);
    rhomb_pairs_destroy(feed->pairs);
    rhomb_context_destroy(feed->ctx);
    pthread_cond_destroy(&feed->changed);
    pthread_mutex_destroy(&feed->mutex);
    free(feed);
}

/* Fills a load; sets *load to NULL if there is nothing more. Only the reader calls it. */
static rhomb_status fill(cli_feed *feed, cli_load **load)
{
    rhomb_status status = RHOMB_OK;
    if (feed->pairs == NULL)
        status =
            rhomb_pairs_open(feed->ctx, feed->path, feed->queries, &feed->options, &feed->pairs);
    if (status == RHOMB_OK && *load == NULL) {
        *load = calloc(1, sizeof **load);
        status = *load != NULL ? RHOMB_OK : RHOMB_ERR_MEMORY;
    }
    if (status == RHOMB_OK)
        status = rhomb_pairs_next(feed->pairs, &(*load)->chunk);
    if (status == RHOMB_OK && feed->orients && !cli_strands_choose(&feed->strands, *load))
        status = RHOMB_ERR_MEMORY;
    if (*load != NULL && (status != RHOMB_OK || (*load)->chunk->count == 0)) {
        (*load)->next = NULL;
        release_loads(*load);
        *load = NULL;
    } else if (*load != NULL)
        (*load)->fraction = rhomb_pairs_get_report(feed->pairs)->fraction;
    return status;
}

/* Takes a free load; for NULL, fill() makes a new one. */
static cli_load *take_free(cli_feed *feed)
{
    cli_load *load = feed->free;
    if (load != NULL)
        feed->free = load->next;
    if (feed->free == NULL)
        feed->last_free = &feed->free;
    return load;
}

static void *run_reader(void *user)
{
    cli_feed *feed = user;
    pthread_mutex_lock(&feed->mutex);
    while (!feed->stopping && !feed->ended) {
        if (feed->waiting == AHEAD) {
            pthread_cond_wait(&feed->changed, &feed->mutex);
            continue;
        }
        cli_load *load = take_free(feed);
        pthread_mutex_unlock(&feed->mutex);
        const rhomb_status status = fill(feed, &load);
        pthread_mutex_lock(&feed->mutex);
        if (load != NULL) {
            load->next = NULL;
            *feed->last = load;
            feed->last = &load->next;
            feed->waiting++;
        }
        feed->status = status;
        feed->ended = load == NULL;
        pthread_cond_broadcast(&feed->changed);
    }
    pthread_mutex_unlock(&feed->mutex);
    drop(feed);
    return NULL;
}

/* A feed without a thread. NULL, with the message printed, if there is no memory. */
static cli_feed *create(void)
{
    cli_feed *feed = calloc(1, sizeof *feed);
    if (feed == NULL) {
        cli_fail(NULL, RHOMB_ERR_MEMORY);
        return NULL;
    }
    pthread_mutex_init(&feed->mutex, NULL);
    pthread_cond_init(&feed->changed, NULL);
    feed->last = &feed->first;
    feed->last_free = &feed->free;
    feed->owners = 1;
    return feed;
}

cli_feed *cli_feed_start(const char *path, const char *queries, const rhomb_pairs_options *options,
                         bool orients, int32_t threads)
{
    cli_feed *feed = create();
    if (feed == NULL)
        return NULL;
    if (cli_context_create(&feed->ctx, "off", threads) != RHOMB_OK) {
        cli_fail(NULL, RHOMB_ERR_MEMORY);
        drop(feed);
        return NULL;
    }
    feed->path = path;
    feed->queries = queries;
    feed->options = *options;
    feed->orients = orients;
    feed->strands.has_one_target = options->one_to_many;
    feed->owners = 2;
    feed->sparing = cli_space_limit() > 0;
    feed->threaded = threads != 1 && !feed->sparing &&
                     pthread_create(&feed->thread, NULL, run_reader, feed) == 0;
    if (feed->threaded)
        pthread_detach(feed->thread);
    else
        feed->owners = 1;
    return feed;
}

cli_feed *cli_feed_of(cli_matched *matched)
{
    cli_feed *feed = create();
    if (feed != NULL) {
        feed->matched = matched;
        feed->sparing = true; /* loads are not filled again */
    }
    return feed;
}

rhomb_status cli_feed_next(cli_feed *feed, cli_load **load)
{
    if (feed->matched != NULL) {
        feed->code = cli_matched_next(feed->matched, load);
        return feed->code == CLI_OK ? RHOMB_OK : RHOMB_ERR_INPUT;
    }
    if (!feed->threaded) {
        *load = take_free(feed);
        return fill(feed, load);
    }
    pthread_mutex_lock(&feed->mutex);
    while (feed->first == NULL && !feed->ended)
        pthread_cond_wait(&feed->changed, &feed->mutex);
    *load = feed->first;
    if (*load != NULL) {
        feed->first = (*load)->next;
        feed->waiting--;
        if (feed->first == NULL)
            feed->last = &feed->first;
        pthread_cond_broadcast(&feed->changed);
    }
    const rhomb_status status = *load != NULL ? RHOMB_OK : feed->status;
    pthread_mutex_unlock(&feed->mutex);
    return status;
}

bool cli_feed_is_ready(cli_feed *feed)
{
    pthread_mutex_lock(&feed->mutex);
    const bool ready = feed->first != NULL || feed->ended;
    pthread_mutex_unlock(&feed->mutex);
    return ready;
}

int cli_feed_fail(const cli_feed *feed, rhomb_status status)
{
    return feed->code != CLI_OK ? feed->code : cli_fail(feed->ctx, status);
}

void cli_feed_recycle(cli_feed *feed, cli_load *load)
{
    load->next = NULL;
    if (feed->sparing) {
        release_loads(load);
        return;
    }
    pthread_mutex_lock(&feed->mutex);
    *feed->last_free = load;
    feed->last_free = &load->next;
    pthread_mutex_unlock(&feed->mutex);
}

rhomb_pairs_report cli_feed_report(const cli_feed *feed)
{
    return feed->pairs != NULL ? *rhomb_pairs_get_report(feed->pairs) : (rhomb_pairs_report){0};
}

void cli_feed_release(cli_feed *feed)
{
    if (feed == NULL)
        return;
    pthread_mutex_lock(&feed->mutex);
    feed->stopping = true;
    pthread_cond_broadcast(&feed->changed);
    pthread_mutex_unlock(&feed->mutex);
    drop(feed);
}

const cli_load *cli_load_of(const cli_load *load, int64_t pair)
{
    while (pair - load->chunk->first >= (int64_t)load->chunk->count)
        load = load->next;
    return load;
}

size_t cli_load_fault(const cli_load *load, size_t index)
{
    const rhomb_pair_chunk *chunk = load->chunk;
    size_t low = 0;
    size_t high = chunk->fault_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (chunk->faults[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t cli_load_bytes(const cli_load *load)
{
    const rhomb_pair_chunk *chunk = load->chunk;
    int64_t bytes = (int64_t)(chunk->count * sizeof *chunk->pairs);
    for (size_t i = 0; i < chunk->count; i++)
        bytes += chunk->pairs[i].target_length + chunk->pairs[i].query_length;
    return bytes;
}
