/* SPDX-License-Identifier: MIT */
/*
 * The printer, see printer.h. One mutex guards all that threads share, except the chunks of a job,
 * which two atomics count down: one when a thread takes a chunk, one when it is done. A taken chunk
 * keeps its job alive, so a late helper finds either no chunk or one of a later job, and nobody
 * waits for it. Sheets form a ring: the writer may lag by all of them but the one that is being
 * formatted.
 */
#include "host/cli/batch/printer.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

enum {
    PIECE_ROWS = 256, /* some 20 kilobytes: worth a write, and small enough to share */
    WORTH_HELP = 4,   /* chunks that take about as long as waking a helper */
    SHEETS = 3,
    KEPT_BYTES = 1 << 18, /* of a chunk's buffer, for the next rows */
    HELPERS_MOST = 31
};

typedef struct chunk {
    cli_buffer text;
    size_t rows; /* in it */
} chunk;

/* The rows of a call of cli_printer_print(). */
typedef struct sheet {
    chunk *chunks;
    size_t count;
    size_t capacity;
} sheet;

typedef struct job {
    cli_print_fn print;
    void *user;
    size_t rows;
    sheet *sheet;
} job;

struct cli_printer {
    const cli_output *output;
    pthread_mutex_t mutex;
    pthread_cond_t work;     /* for helpers: there is a job */
    pthread_cond_t to_write; /* for the writer: there is a sheet */
    pthread_cond_t done;     /* for the caller: all chunks are done, or a sheet is written */
    pthread_t helpers[HELPERS_MOST];
    int helper_count;
    pthread_t writer;
    bool has_writer;
    bool stopping;
    sheet sheets[SHEETS];
    int64_t printed; /* sheets that are formatted */
    int64_t written;
    int code; /* the errno of the first failure, 0 without one */
    atomic_int_least64_t format_ns;
    double write_seconds;
    cli_printer_write write; /* NULL: to the stream */
    void *write_user;
    cli_sink_tap tap; /* NULL: none */
    void *tap_user;
    job job;
    int64_t jobs;         /* that were shared: each helper looks at a job once */
    atomic_size_t left;   /* chunks of the job that no thread has taken */
    atomic_size_t undone; /* chunks that are not done */
};

/* Takes a chunk; false where none is left. */
static bool take_chunk(cli_printer *p, size_t *left)
{
    *left = atomic_load(&p->left);
    while (*left > 0 && !atomic_compare_exchange_weak(&p->left, left, *left - 1))
        continue;
    return *left > 0;
}

/* Formats chunks as long as there are any. */
static void run_chunks(cli_printer *p)
{
    for (size_t left; take_chunk(p, &left);) {
        const job *j = &p->job;
        const size_t i = j->sheet->count - left;
        const size_t first = i * PIECE_ROWS;
        const size_t rest = j->rows - first;
        const double began = cli_seconds_now();
        /* Not in place: chunks share cache lines, and each field of a row updates its buffer. */
        chunk own = j->sheet->chunks[i];
        own.text.length = 0;
        if (own.text.capacity >
            KEPT_BYTES) /* rows of megabases are rare, and not worth keeping it */
            cli_buffer_release(&own.text);
        own.rows = j->print(&own.text, first, rest < PIECE_ROWS ? rest : PIECE_ROWS, j->user);
        j->sheet->chunks[i] = own;
        atomic_fetch_add(&p->format_ns, (int64_t)(1e9 * (cli_seconds_now() - began)));
        if (atomic_fetch_sub(&p->undone, 1) == 1) {
            pthread_mutex_lock(&p->mutex);
            pthread_cond_signal(&p->done);
            pthread_mutex_unlock(&p->mutex);
        }
    }
}

/*
 * Wakes two helpers, each of which wakes two more as long as there is work for them: no thread
 * makes a system call for every helper, and helpers that would be too late sleep on.
 */
static void call_helpers(cli_printer *p)
{
    for (int i = 0; i < 2 && atomic_load(&p->left) >= WORTH_HELP; i++)
        pthread_cond_signal(&p->work);
}

static void *help(void *user)
{
    cli_printer *p = user;
    int64_t seen = 0;
    pthread_mutex_lock(&p->mutex);
    while (!p->stopping) {
        if (p->jobs == seen) {
            pthread_cond_wait(&p->work, &p->mutex);
            continue;
        }
        seen = p->jobs;
        pthread_mutex_unlock(&p->mutex);
        call_helpers(p);
        run_chunks(p);
        pthread_mutex_lock(&p->mutex);
    }
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

/* Writes a sheet; returns 0 or an errno. */
static int write_sheet(const cli_printer *p, const sheet *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const cli_buffer *text = &s->chunks[i].text;
        if (text->failed)
            return ENOMEM;
        errno = 0;
        if (text->length > 0 && p->write != NULL) {
            const int code = p->write(p->write_user, text->data, text->length);
            if (code != 0)
                return code;
        } else if (text->length > 0 &&
                   fwrite(text->data, 1, text->length, p->output->stream) != text->length)
            return errno != 0 ? errno : EIO;
        if (p->tap != NULL && text->length > 0)
            p->tap(p->tap_user, text->data, text->length);
    }
    return 0;
}

/* Writes the next sheet, unless something has failed. The mutex is held, except while writing. */
static void write_next(cli_printer *p)
{
    const sheet *s = &p->sheets[p->written % SHEETS];
    int code = p->code;
    if (code == 0) {
        pthread_mutex_unlock(&p->mutex);
        const double began = cli_seconds_now();
        code = write_sheet(p, s);
        const double seconds = cli_seconds_now() - began;
        pthread_mutex_lock(&p->mutex);
        p->write_seconds += seconds;
        p->code = p->code != 0 ? p->code : code; /* memory may have run out meanwhile */
    }
    p->written++;
    pthread_cond_broadcast(&p->done);
}

static void *run_writer(void *user)
{
    cli_printer *p = user;
    pthread_mutex_lock(&p->mutex);
    while (!p->stopping || p->written < p->printed) {
        if (p->written < p->printed)
            write_next(p);
        else
            pthread_cond_wait(&p->to_write, &p->mutex);
    }
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

cli_printer *cli_printer_start(const cli_output *output, int32_t threads)
{
    cli_printer *p = calloc(1, sizeof *p);
    if (p == NULL) {
        cli_fail(NULL, RHOMB_ERR_MEMORY);
        return NULL;
    }
    p->output = output;
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->to_write, NULL);
    pthread_cond_init(&p->done, NULL);
    p->has_writer = threads > 1 && pthread_create(&p->writer, NULL, run_writer, p) == 0;
    while (p->helper_count + 1 < threads && p->helper_count < HELPERS_MOST &&
           pthread_create(&p->helpers[p->helper_count], NULL, help, p) == 0)
        p->helper_count++;
    return p;
}

void cli_printer_divert(cli_printer *p, cli_printer_write write, void *user)
{
    p->write = write;
    p->write_user = user;
}

void cli_printer_tap(cli_printer *p, cli_sink_tap tap, void *user)
{
    p->tap = tap;
    p->tap_user = user;
}

static bool make_chunks(sheet *s, size_t count)
{
    if (s->capacity < count) {
        chunk *grown = realloc(s->chunks, count * sizeof *grown);
        if (grown == NULL)
            return false;
        s->chunks = grown;
        for (; s->capacity < count; s->capacity++)
            s->chunks[s->capacity] = (chunk){.rows = 0};
    }
    s->count = count;
    return true;
}

/* Formats the rows of the job, with the helpers if there is something to share. */
static void format(cli_printer *p)
{
    const size_t count = p->job.sheet->count;
    atomic_store(&p->undone, count);
    atomic_store(&p->left, count);
    if (count > 1 && p->helper_count > 0) {
        pthread_mutex_lock(&p->mutex);
        p->jobs++;
        pthread_mutex_unlock(&p->mutex);
        call_helpers(p);
    }
    run_chunks(p);
    pthread_mutex_lock(&p->mutex);
    while (atomic_load(&p->undone) > 0)
        pthread_cond_wait(&p->done, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
}

/* Leaves out what follows a chunk that ends early; returns the number of rows. */
static size_t cut(sheet *s, size_t rows)
{
    size_t printed = 0;
    for (size_t i = 0; i < s->count; i++) {
        const size_t rest = rows - printed;
        const size_t whole = rest < PIECE_ROWS ? rest : PIECE_ROWS;
        printed += s->chunks[i].rows;
        if (s->chunks[i].rows < whole)
            s->count = i + 1;
    }
    return printed;
}

/* Gives a sheet to the writer, or writes it. False if writing has failed. */
static bool hand_over(cli_printer *p)
{
    pthread_mutex_lock(&p->mutex);
    p->printed++;
    if (p->has_writer)
        pthread_cond_signal(&p->to_write);
    else
        write_next(p);
    const bool good = p->code == 0;
    pthread_mutex_unlock(&p->mutex);
    return good;
}

bool cli_printer_print(cli_printer *p, cli_print_fn print, void *user, size_t count,
                       size_t *printed)
{
    *printed = 0;
    pthread_mutex_lock(&p->mutex);
    while (p->printed - p->written == SHEETS)
        pthread_cond_wait(&p->done, &p->mutex);
    sheet *s = &p->sheets[p->printed % SHEETS];
    if (p->code == 0 && !make_chunks(s, (count + PIECE_ROWS - 1) / PIECE_ROWS))
        p->code = ENOMEM;
    const bool good = p->code == 0;
    pthread_mutex_unlock(&p->mutex);
    if (!good)
        return false;
    p->job = (job){.print = print, .user = user, .rows = count, .sheet = s};
    format(p);
    *printed = cut(s, count);
    return hand_over(p);
}

/* Waits until everything is written. The mutex is held. */
static void wait_for_writer(cli_printer *p)
{
    while (p->written < p->printed)
        pthread_cond_wait(&p->done, &p->mutex);
}

bool cli_printer_flush(cli_printer *p)
{
    pthread_mutex_lock(&p->mutex);
    wait_for_writer(p);
    errno = 0;
    if (p->code == 0 && fflush(p->output->stream) != 0)
        p->code = errno != 0 ? errno : EIO;
    const bool good = p->code == 0;
    pthread_mutex_unlock(&p->mutex);
    return good;
}

int cli_printer_finish(cli_printer *p)
{
    pthread_mutex_lock(&p->mutex);
    wait_for_writer(p);
    const int code = p->code;
    pthread_mutex_unlock(&p->mutex);
    return cli_output_status(p->output, code);
}

double cli_printer_format_seconds(const cli_printer *p)
{
    return 1e-9 * (double)atomic_load(&p->format_ns);
}

double cli_printer_write_seconds(const cli_printer *p)
{
    return p->write_seconds;
}

void cli_printer_release(cli_printer *p)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->mutex);
    p->stopping = true;
    pthread_cond_broadcast(&p->work);
    pthread_cond_broadcast(&p->to_write);
    pthread_mutex_unlock(&p->mutex);
    for (int i = 0; i < p->helper_count; i++)
        pthread_join(p->helpers[i], NULL);
    if (p->has_writer)
        pthread_join(p->writer, NULL);
    for (int i = 0; i < SHEETS; i++) {
        for (size_t k = 0; k < p->sheets[i].capacity; k++)
            cli_buffer_release(&p->sheets[i].chunks[k].text);
        free(p->sheets[i].chunks);
    }
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->to_write);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->mutex);
    free(p);
}
