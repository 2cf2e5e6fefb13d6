/* SPDX-License-Identifier: MIT */
/*
 * Reading ahead, see pairs_ahead.h. Piece k of a file comes from its bytes from k S on. Text can be
 * cut where a line begins with '>': a part extends from the first such place in its bytes to the
 * first one in the bytes of a later part. Parts inside a long pair are empty.
 *
 *     bytes     |0        |1        |2        |3        |4        |
 *     pairs     >..<..>..<..>......................<....>..<..>..<
 *     part 0   [0...........)
 *     part 1                [..........................)            and 2 is empty
 *     part 3                                           [.....)
 *
 * So each part is found from its own bytes and those after them, independently of the others.
 */
#include "src/io/pairs_ahead.h"

#include "src/base/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

/*
 * One in THREADS_SHARE threads reads ahead, up to a maximum. A core finds 20 to 40 M 150 bp pairs
 * per second, so more readers would outrun the user of the pairs, and the other threads have work.
 */
#define THREADS_SHARE 3
#define THREADS_MOST  8
/* Parts per thread, for users that take a while to start, such as a device. */
#define PIECES_EACH 6
/* Bytes first read after a part, for the end of its last pair. */
#define TAIL_BYTES 4096
/*
 * A part that becomes this many times as long as intended ends the reading ahead: a pair of 16 MB
 * is work enough by itself, and text that is not a pair may go on forever.
 */
#define MOST_TIMES 8
/*
 * Parts that share a mapping. Memory is returned to the system one mapping at a time, and removing
 * its pages from all cores costs about as much for one part as for all; but keeping one of its
 * parts keeps the others, too.
 */
#define PIECES_MAPPED 8

struct rhomb__ahead {
    int fd;
    size_t bytes; /* S */
    pthread_mutex_t lock;
    pthread_cond_t room; /* for another part, or reading is over */
    pthread_cond_t done; /* a part is done */
    pthread_t threads[THREADS_MOST];
    int32_t thread_count;
    bool stop;
    int64_t next;         /* that a thread takes next */
    int64_t taken;        /* number taken by the user */
    int64_t size;         /* of the ring: the most parts ahead of the user */
    rhomb__file_map *map; /* of the part taken last; NULL: there is none */
    int64_t map_index;
    rhomb__text_part parts[PIECES_EACH * THREADS_MOST];
    bool is_done[PIECES_EACH * THREADS_MOST];
};

/*
 * Brings in more of the file until the part has `bytes` bytes; false at its end, and on failure.
 * Its length is queried each time, as it may have changed: a file that has become shorter than the
 * text seen so far is a failure.
 */
static bool see_on(const rhomb__ahead *ahead, rhomb__text_part *p, size_t bytes)
{
    struct stat info;
    p->failed = p->text.map == NULL || fstat(ahead->fd, &info) != 0;
    if (p->failed)
        return false;
    const int64_t rest = (int64_t)info.st_size - p->place;
    const size_t there = rest <= 0 ? 0 : rest < (int64_t)bytes ? (size_t)rest : bytes;
    const int64_t seen_end = p->place + (int64_t)p->length;
    if (there == p->length)
        return false;
    p->failed = !rhomb__file_map_bring(p->text.map, seen_end, p->place + (int64_t)there);
    if (p->failed)
        return false;
    p->text.at = rhomb__file_map_text(p->text.map, p->place);
    p->length = there;
    return there == bytes;
}

/*
 * Reads the text of part `index`. Its first byte is the last one of the part before, which tells
 * whether a line begins.
 */
static void read_part(const rhomb__ahead *ahead, rhomb__text_part *p, int64_t index)
{
    const size_t before = index > 0;
    const size_t own_end = before + ahead->bytes;
    p->place = index * (int64_t)ahead->bytes - (int64_t)before;
    size_t wanted = own_end + (ahead->bytes < TAIL_BYTES ? ahead->bytes : TAIL_BYTES);
    bool more = see_on(ahead, p, wanted);
    if (p->failed)
        return;
    p->ended = !more && p->length <= own_end;
    p->begin = index > 0 ? rhomb__seq_start(p->text.at, p->length, before) : 0;
    p->end = p->begin;
    if (p->begin >= own_end || p->begin == p->length)
        return;
    p->end = rhomb__seq_start(p->text.at, p->length, own_end);
    while (p->end == p->length && more) {
        p->too_long = p->length > MOST_TIMES * ahead->bytes;
        if (p->too_long)
            break;
        wanted += p->length;
        more = see_on(ahead, p, wanted);
        if (p->failed)
            break;
        p->end = rhomb__seq_start(p->text.at, p->length, own_end);
    }
    if (p->too_long || p->failed)
        p->end = p->begin;
}

static void empty_part(rhomb__text_part *p)
{
    p->length = p->begin = p->end = 0;
    p->ended = p->too_long = p->no_memory = false;
    p->part.count = p->part.fault_count = 0;
    p->part.lines = 0;
}

static void fill(const rhomb__ahead *ahead, rhomb__text_part *p, int64_t index)
{
    const double began = rhomb__now();
    empty_part(p);
    read_part(ahead, p, index);
    const double read = rhomb__now();
    if (p->end > p->begin &&
        !rhomb__seq_parse(&p->part, RHOMB__SEQ_BETWEEN, p->text.at + p->begin, p->end - p->begin))
        p->no_memory = true;
    p->seconds_read = read - began;
    p->seconds_parse = rhomb__now() - read;
}

/*
 * The mapping of part `index`, which the part owns together with others; NULL if there is none.
 * It is made for the first of its parts, begins with the byte before that, and extends as far as
 * the last one may become long.
 */
static rhomb__file_map *take_map(rhomb__ahead *ahead, int64_t index)
{
    const int64_t bytes = (int64_t)ahead->bytes;
    const int64_t map_index = index / PIECES_MAPPED;
    if (ahead->map_index != map_index) {
        const int64_t place = map_index * PIECES_MAPPED * bytes;
        rhomb__file_map_release(ahead->map);
        ahead->map_index = map_index;
        ahead->map = rhomb__file_map_create(ahead->fd, place > 0 ? place - 1 : 0,
                                            (PIECES_MAPPED + 2 * MOST_TIMES) * bytes);
    }
    return ahead->map != NULL ? rhomb__file_map_share(ahead->map) : NULL;
}

static void *read_parts(void *user)
{
    rhomb__ahead *ahead = user;
    pthread_mutex_lock(&ahead->lock);
    while (!ahead->stop) {
        if (ahead->next == ahead->taken + ahead->size) {
            pthread_cond_wait(&ahead->room, &ahead->lock);
            continue;
        }
        const int64_t index = ahead->next++;
        const int64_t at = index % ahead->size;
        rhomb__text_part *p = &ahead->parts[at];
        p->text.map = take_map(ahead, index);
        pthread_mutex_unlock(&ahead->lock);
        fill(ahead, p, index);
        pthread_mutex_lock(&ahead->lock);
        ahead->is_done[at] = true;
        ahead->stop = ahead->stop || p->ended;
        pthread_cond_signal(&ahead->done);
    }
    pthread_cond_broadcast(&ahead->room);
    pthread_mutex_unlock(&ahead->lock);
    return NULL;
}

rhomb__ahead *rhomb__ahead_start(int fd, size_t bytes, int32_t threads)
{
    const int32_t share = threads / THREADS_SHARE;
    const int32_t wanted = share < 1 ? 1 : share > THREADS_MOST ? THREADS_MOST : share;
    rhomb__ahead *ahead = calloc(1, sizeof *ahead);
    if (ahead == NULL)
        return NULL;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->room, NULL);
    pthread_cond_init(&ahead->done, NULL);
    ahead->fd = fd;
    ahead->bytes = bytes;
    ahead->size = PIECES_EACH * wanted;
    ahead->map_index = -1;
    while (ahead->thread_count < wanted &&
           pthread_create(&ahead->threads[ahead->thread_count], NULL, read_parts, ahead) == 0)
        ahead->thread_count++;
    if (ahead->thread_count == 0) {
        rhomb__ahead_release(ahead);
        return NULL;
    }
    return ahead;
}

void rhomb__ahead_next(rhomb__ahead *ahead, rhomb__text_part *part)
{
    rhomb__part_text_release(&part->text);
    pthread_mutex_lock(&ahead->lock);
    const int64_t at = ahead->taken % ahead->size;
    while (!ahead->is_done[at])
        pthread_cond_wait(&ahead->done, &ahead->lock);
    const rhomb__text_part next = ahead->parts[at];
    ahead->parts[at] = *part;
    *part = next;
    ahead->is_done[at] = false;
    ahead->taken++;
    pthread_cond_signal(&ahead->room);
    pthread_mutex_unlock(&ahead->lock);
}

void rhomb__part_text_unmap(rhomb__part_text *text)
{
    rhomb__file_map_release(text->map);
    text->map = NULL;
    text->at = NULL;
}

void rhomb__part_text_release(rhomb__part_text *text)
{
    rhomb__file_map_release(text->map);
    free(text->buffer);
    *text = (rhomb__part_text){0};
}

static void release_part(rhomb__text_part *part)
{
    rhomb__part_text_release(&part->text);
    rhomb__seq_part_release(&part->part);
    *part = (rhomb__text_part){0};
}

void rhomb__ahead_release(rhomb__ahead *ahead)
{
    if (ahead == NULL)
        return;
    pthread_mutex_lock(&ahead->lock);
    ahead->stop = true;
    pthread_cond_broadcast(&ahead->room);
    pthread_mutex_unlock(&ahead->lock);
    for (int32_t i = 0; i < ahead->thread_count; i++)
        pthread_join(ahead->threads[i], NULL);
    for (int64_t i = 0; i < ahead->size; i++)
        release_part(&ahead->parts[i]);
    rhomb__file_map_release(ahead->map);
    pthread_cond_destroy(&ahead->room);
    pthread_cond_destroy(&ahead->done);
    pthread_mutex_destroy(&ahead->lock);
    free(ahead);
}
