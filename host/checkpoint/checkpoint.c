/* SPDX-License-Identifier: MIT */
/* The checkpoint of a call, see checkpoint.h. */
#include "host/checkpoint/checkpoint.h"

#include "host/device/context.h"
#include "host/device/program.h"
#include "host/device/queue.h"
#include "src/base/clock.h"
#include "src/base/digest.h"
#include "src/base/error.h"
#include "src/base/int64.h"
#include "src/base/parallel.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Seconds between two checkpoints, if the caller does not say. */
#define DEFAULT_SECONDS 300

/* Buffers are read in pieces: a bus is as quick with pieces of this size as with larger ones. */
#define PIECE_BYTES (INT64_C(4) << 20)

struct rhomb__checkpoint {
    rhomb__device_stream *stream;
    rhomb__checkpoint_order order;
    rhomb__saver *held; /* the file, so that no other run has it */
    rhomb__saved *found;
    bool is_resumed, is_stepping, stops;
    double last;    /* when the last one began */
    double seconds; /* that the call waited for them */
    int64_t written;
    /* The one that a thread brings to the disk. */
    rhomb__saver *saver;
    pthread_t thread;
    bool has_thread, is_good;
    const char *why;
};

rhomb_status rhomb__checkpoint_open(rhomb__device_stream *stream,
                                    const rhomb__checkpoint_order *order, rhomb__checkpoint **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__saver *probe = NULL;
    rhomb__checkpoint *c = calloc(1, sizeof *c);
    *out = NULL;
    if (c == NULL) {
        free(order->identity);
        return rhomb__fail_memory(&stream->error, sizeof *c, "a checkpoint");
    }
    c->stream = stream;
    c->order = *order;
    if (c->order.seconds <= 0)
        c->order.seconds = DEFAULT_SECONDS;
    RHOMB_TRY(rhomb__saver_hold(&stream->error, order->path, order->identity, &c->found, &c->held));
    c->is_resumed = c->found != NULL;
    RHOMB_TRY(rhomb__saver_open(&stream->error, order->path, order->identity, &probe));
    c->last = rhomb__now();
    *out = c;
    c = NULL;
out:
    rhomb__saver_close(probe);
    rhomb__checkpoint_close(c);
    return status;
}

const rhomb__saved *rhomb__checkpoint_found(const rhomb__checkpoint *c)
{
    return c != NULL ? c->found : NULL;
}

void rhomb__checkpoint_drop(rhomb__checkpoint *c)
{
    if (c == NULL)
        return;
    rhomb__saved_close(c->found);
    c->found = NULL;
}

void rhomb__checkpoint_step(rhomb__checkpoint *c, bool is_stepping)
{
    if (c != NULL)
        c->is_stepping = is_stepping;
}

bool rhomb__checkpoint_defers(rhomb__checkpoint *c)
{
    if (c == NULL || !c->is_stepping)
        return false;
    c->stops = true;
    return true;
}

bool rhomb__checkpoint_stops(const rhomb__checkpoint *c)
{
    return c != NULL && c->stops;
}

bool rhomb__checkpoint_is_due(const rhomb__checkpoint *c)
{
    return c != NULL && (c->stops || rhomb__now() - c->last >= c->order.seconds);
}

/* Of the thread, which touches nothing but the saver and what it found out. */
static void *commit(void *user)
{
    rhomb__checkpoint *c = user;
    c->is_good = rhomb__saver_commit(c->saver, &c->why);
    return NULL;
}

/* Waits for the one that is on its way to the disk. */
static void join(rhomb__checkpoint *c)
{
    if (c->saver == NULL)
        return;
    if (c->has_thread)
        pthread_join(c->thread, NULL);
    c->has_thread = false;
    c->written += c->is_good;
    if (!c->is_good)
        rhomb__log(c->stream, 0,
                   "the resume file %s could not be written, what it was before stays: %s",
                   c->order.path, c->why);
    rhomb__saver_close(c->is_good ? c->held : c->saver);
    c->held = c->is_good ? c->saver : c->held;
    c->saver = NULL;
}

rhomb__saver *rhomb__checkpoint_begin(rhomb__checkpoint *c)
{
    rhomb__saver *saver = NULL;
    rhomb__error error = {RHOMB_OK, NULL, ""};
    c->last = rhomb__now();
    join(c);
    if (rhomb__saver_open(&error, c->order.path, c->order.identity, &saver) != RHOMB_OK) {
        rhomb__log(c->stream, 0, "%s; the call goes on", rhomb__error_text(&error));
        rhomb__error_clear(&error);
        return NULL;
    }
    c->order.head(saver, c->order.user);
    return saver;
}

void rhomb__checkpoint_end(rhomb__checkpoint *c, rhomb__saver *saver)
{
    if (saver != NULL) {
        c->saver = saver;
        c->has_thread = !c->stops && pthread_create(&c->thread, NULL, commit, c) == 0;
        if (!c->has_thread) {
            commit(c);
            join(c);
        }
    }
    c->seconds += rhomb__now() - c->last;
}

rhomb_status rhomb__checkpoint_settle(rhomb__checkpoint *c, rhomb__saver *saver, rhomb_status saved)
{
    if (saved != RHOMB_OK) {
        rhomb__saver_close(saver);
        return saved;
    }
    rhomb__checkpoint_end(c, saver);
    return c->stops ? rhomb__fail(&c->stream->error, RHOMB_ERR_CANCELLED, "stopped at a checkpoint")
                    : RHOMB_OK;
}

void rhomb__checkpoint_write(rhomb__checkpoint *c)
{
    if (c != NULL)
        rhomb__checkpoint_end(c, rhomb__checkpoint_begin(c));
}

void rhomb__checkpoint_report(const rhomb__checkpoint *c, rhomb_report *report)
{
    if (c == NULL)
        return;
    report->resumed = c->is_resumed;
    report->checkpoints = c->written;
    report->seconds_checkpoint = c->seconds;
}

void rhomb__checkpoint_close(rhomb__checkpoint *c)
{
    if (c == NULL)
        return;
    join(c);
    if (c->held != NULL && !c->is_resumed && c->written == 0)
        rhomb__saver_drop(c->held); /* it is empty */
    rhomb__saver_close(c->held);
    rhomb__saved_close(c->found);
    free(c->order.identity);
    free(c);
}

static rhomb_status save_buffer(rhomb__device_stream *stream, rhomb__saver *saver, const char *name,
                                const rhomb__buffer *buffer, int64_t bytes)
{
    rhomb_status status = RHOMB_OK;
    const int64_t most = rhomb__min(rhomb__max(bytes, 1), PIECE_BYTES);
    char *piece = malloc((size_t)most);
    if (piece == NULL)
        return rhomb__fail_memory(&stream->error, (size_t)most, "a checkpoint");
    rhomb__saver_begin(saver, name, bytes);
    RHOMB_TRY(rhomb__queue_finish(stream));
    for (int64_t at = 0; at < bytes && !rhomb__saver_failed(saver); at += most) {
        const size_t part = (size_t)rhomb__min(bytes - at, most);
        RHOMB_TRY(rhomb__buffer_read(stream, buffer, at, part, piece));
        rhomb__saver_add(saver, piece, part);
    }
out:
    free(piece);
    return status;
}

/* A buffer of a run; its bytes, which are negative where it is left out. */
static const rhomb__buffer *find_buffer(const rhomb__kept_buffer *kept, const void *run,
                                        int64_t *bytes)
{
    const void *buffer = (const char *)run + kept->buffer;
    memcpy(bytes, (const char *)run + kept->bytes, sizeof *bytes);
    return buffer;
}

rhomb_status rhomb__buffers_save(rhomb__device_stream *stream, rhomb__saver *saver,
                                 const rhomb__kept_buffer *buffers, const void *run)
{
    rhomb_status status = RHOMB_OK;
    for (int64_t bytes = 0; buffers->name != NULL; buffers++) {
        const rhomb__buffer *buffer = find_buffer(buffers, run, &bytes);
        if (bytes >= 0)
            RHOMB_TRY(save_buffer(stream, saver, buffers->name, buffer, bytes));
    }
out:
    return status;
}

rhomb_status rhomb__buffers_restore(rhomb__device_stream *stream, const rhomb__saved *saved,
                                    const rhomb__kept_buffer *buffers, const void *run)
{
    rhomb_status status = RHOMB_OK;
    for (int64_t bytes = 0; buffers->name != NULL; buffers++) {
        const void *content = NULL;
        const rhomb__buffer *buffer = find_buffer(buffers, run, &bytes);
        if (bytes >= 0)
            RHOMB_TRY(rhomb__saved_need(&stream->error, saved, buffers->name, bytes, &content));
        if (bytes > 0)
            RHOMB_TRY(rhomb__buffer_write(stream, buffer, bytes, content));
    }
out:
    return status;
}

/* The sequences, the guide's points and the kernels: what has a digest. */
enum { TARGET, QUERY, GUIDE, DIGESTS };

typedef struct digests {
    const void *data[DIGESTS];
    size_t bytes[DIGESTS];
    char hex[DIGESTS][RHOMB__MD5_HEX_SIZE];
} digests;

/* A rhomb__parallel_task. */
static void digest_one(int64_t index, void *user)
{
    digests *d = user;
    (void)rhomb__md5_hex(d->data[index], d->bytes[index], d->hex[index]);
}

/* The kernels whose buffers a checkpoint has: builds of one version may differ. */
static char *digest_kernels(void)
{
    char hex[RHOMB__MD5_HEX_SIZE] = "";
    char *all =
        rhomb__format("%s%s%s%s%s%s%s", rhomb__source_wavefront.sha256,
                      rhomb__source_wavefront_diamond.sha256, rhomb__source_bitparallel.sha256,
                      rhomb__source_bitparallel_lanes.sha256, rhomb__source_bitsliced.sha256,
                      rhomb__source_bitsliced_lanes.sha256, rhomb__source_affine_wavefront.sha256);
    const bool made = all != NULL && rhomb__md5_hex(all, strlen(all), hex);
    free(all);
    return made ? rhomb__format("%s", hex) : NULL;
}

static char *describe_tuning(const rhomb_tuning *t)
{
    return rhomb__format(
        "%d %d %d %d %d %d %d %d %d %d %lld %d %d %d %lld %lld", (int)t->tile_shape,
        (int)t->group_size, (int)t->diagonals_per_item, (int)t->tile_scores,
        (int)t->launches_per_read, (int)t->offset_bits, (int)t->no_pruning, (int)t->words_per_item,
        (int)t->blocks_per_launch, (int)t->directions, (long long)t->first_half_width,
        (int)t->wide_group_size, (int)t->wide_diagonals_per_item, (int)t->wide_tile_scores,
        (long long)t->wide_diagonals, (long long)t->chunk_strips);
}

static const char *const ALPHABETS[] = {"dna", "bytes", "iupac"};
static const char *const ENGINES[] = {"auto", "wavefront", "bitparallel"};

rhomb_status rhomb__identity_make(rhomb__error *error, const char *call,
                                  const rhomb__identified *target, const rhomb__identified *query,
                                  const rhomb_options *options, int32_t threads, char **out)
{
    const rhomb_scoring *s = options->scoring;
    const rhomb_guide *guide = options->guide;
    const int64_t points = guide != NULL ? guide->count : 0;
    digests d = {.data = {target->bases, query->bases, points > 0 ? guide->points : NULL},
                 .bytes = {(size_t)target->length, (size_t)query->length,
                           (size_t)points * sizeof(rhomb_guide_point)}};
    char *kernels = digest_kernels(), *tuning = describe_tuning(options->tuning);
    rhomb__parallel_run(threads, DIGESTS, digest_one, &d);
    *out = NULL;
    if (kernels != NULL && tuning != NULL && d.hex[TARGET][0] != '\0' && d.hex[QUERY][0] != '\0' &&
        d.hex[GUIDE][0] != '\0')
        *out = rhomb__format(
            "version: %s\nkernels: %s\ncall: %s\ntarget: %lld bases, MD5 %s\n"
            "query: %lld bases, MD5 %s\nalphabet: %s\nengine: %s\nlimit: %lld\n"
            "scoring: %lld %lld %lld %lld %lld %lld\ntuning: %s\nguide: %lld points, MD5 %s\n",
            RHOMB_VERSION, kernels, call, (long long)target->length, d.hex[TARGET],
            (long long)query->length, d.hex[QUERY], ALPHABETS[options->alphabet],
            ENGINES[options->engine], (long long)options->max_distance, (long long)s->match,
            (long long)s->mismatch, (long long)s->gap_open, (long long)s->gap_extend,
            (long long)s->gap_open_2, (long long)s->gap_extend_2, tuning, (long long)points,
            d.hex[GUIDE]);
    free(kernels);
    free(tuning);
    return *out != NULL ? RHOMB_OK : rhomb__fail_memory(error, 1024, "what a checkpoint is of");
}
