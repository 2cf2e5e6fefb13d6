/* SPDX-License-Identifier: MIT */
/*
 * Readers, see reader.h. A reader runs one job at a time, reading or the digest. Meanwhile only the
 * job's thread touches context and sequence, except for what rhomb.h allows.
 */
#include "host/cli/base/reader.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <rhomb/pairs.h>

struct cli_reader {
    const char *path;
    const char *region;
    rhomb_context *ctx;
    atomic_int owners; /* the program, and a job with a thread: the last one frees it */
    bool threaded;     /* whether jobs get a thread */
    bool running;      /* a job has one, which is not joined yet */
    bool finished;     /* the file was read, or reading failed */
    pthread_t thread;
    rhomb_status status;
    rhomb_sequence *sequence;
    double began;
    double ended;
};

static void drop(cli_reader *reader)
{
    if (atomic_fetch_sub(&reader->owners, 1) > 1)
        return;
    rhomb_sequence_destroy(reader->sequence);
    rhomb_context_destroy(reader->ctx);
    free(reader);
}

static void read_file(cli_reader *reader)
{
    reader->began = cli_seconds_now();
    reader->status =
        rhomb_sequence_read(reader->ctx, reader->path, reader->region, &reader->sequence);
    reader->ended = cli_seconds_now();
    reader->finished = true;
}

/* A job. */
static void *run_reading(void *user)
{
    read_file(user);
    drop(user);
    return NULL;
}

/* A job. */
static void *run_digest(void *user)
{
    cli_reader *reader = user;
    (void)rhomb_sequence_md5(reader->sequence);
    drop(reader);
    return NULL;
}

static void start_job(cli_reader *reader, void *(*job)(void *))
{
    if (!reader->threaded)
        return;
    atomic_fetch_add(&reader->owners, 1);
    reader->running = pthread_create(&reader->thread, NULL, job, reader) == 0;
    if (!reader->running)
        atomic_fetch_sub(&reader->owners, 1);
}

cli_reader *cli_reader_start(const char *path, const char *region, int32_t threads)
{
    cli_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL || cli_context_create(&reader->ctx, "off", threads) != RHOMB_OK) {
        cli_fail(NULL, RHOMB_ERR_MEMORY);
        free(reader);
        return NULL;
    }
    atomic_init(&reader->owners, 1);
    reader->path = path;
    reader->region = region;
    reader->threaded = threads != 1;
    start_job(reader, run_reading);
    return reader;
}

int cli_reader_finish(cli_reader *reader, const rhomb_sequence **sequence)
{
    cli_reader_join(reader);
    if (!reader->finished)
        read_file(reader);
    if (reader->status != RHOMB_OK)
        return cli_fail(reader->ctx, reader->status);
    *sequence = reader->sequence;
    return CLI_OK;
}

bool cli_reader_has_several(const cli_reader *reader)
{
    /* The library's own words for that; its status is the same for all that is wrong with a file.
     */
    return reader->finished && reader->region == NULL && reader->status == RHOMB_ERR_INPUT &&
           strstr(rhomb_context_error(reader->ctx), "say which one to use") != NULL;
}

bool cli_say_if_pairs(const char *path)
{
    rhomb_context *ctx = NULL;
    rhomb_pairs *pairs = NULL;
    rhomb_pair_chunk *chunk = NULL;
    struct stat file; /* a pipe cannot be read twice */
    const bool is_pairs = strcmp(path, "-") != 0 && stat(path, &file) == 0 &&
                          S_ISREG(file.st_mode) && cli_context_create(&ctx, "off", 1) == RHOMB_OK &&
                          rhomb_pairs_open(ctx, path, NULL, NULL, &pairs) == RHOMB_OK &&
                          rhomb_pairs_next(pairs, &chunk) == RHOMB_OK && chunk->count > 0 &&
                          (chunk->fault_count == 0 || chunk->faults[0].index > 0);
    if (is_pairs)
        cli_say("%s is a file of pairs, for 'rhomb batch'", path);
    rhomb_pair_chunk_destroy(chunk);
    rhomb_pairs_destroy(pairs);
    rhomb_context_destroy(ctx);
    return is_pairs;
}

double cli_reader_began(const cli_reader *reader)
{
    return reader->began;
}

double cli_reader_ended(const cli_reader *reader)
{
    return reader->ended;
}

void cli_reader_digest(cli_reader *reader)
{
    start_job(reader, run_digest);
}

void cli_reader_join(cli_reader *reader)
{
    if (reader->running)
        pthread_join(reader->thread, NULL);
    reader->running = false;
}

void cli_reader_release(cli_reader *reader)
{
    if (reader == NULL)
        return;
    if (reader->running)
        pthread_detach(reader->thread);
    drop(reader);
}
