/* SPDX-License-Identifier: MIT */
/*
 * Pairs from two files of records, see pairs_reader.h: record i of one with record i of the other.
 * Bases are copied, because their lines must be joined. Each file has a buffer of records that no
 * chunk has yet; if there are enough threads, both are filled at the same time. Records that both
 * have go to the chunk:
 *
 *     targets    [0 1 2 3 4 5 6|7 8)
 *     queries    [0 1 2 3 4 5 6)           chunk: pairs 0 to 6; 7 and 8 stay
 *
 * How far a buffer is filled depends only on the files, and so do the chunks.
 *
 * One target of many queries stays in its buffer, and each chunk gets a copy of it.
 */
#include "src/io/pairs_reader.h"

#include "src/base/clock.h"
#include "src/base/parallel.h"

#include <string.h>

/* The most pairs of a chunk, and records of a buffer: they may be empty sequences. */
#define PAIRS_MOST 65536

/*
 * With at least this many threads each file has its own. On two cores the other one has work:
 * 300,000 150 bp pairs as FASTQ take 0.25 s with a thread per file and 0.21 s without, because a
 * thread that does not get a core at once is waited for.
 */
#define THREADS_LEAST 4

/* Pairs that are appended at a time. */
#define BLOCK_PAIRS 64

/* Passes the error of one of the files to the reader's own record. */
static rhomb_status fail_side(rhomb_pairs *pairs, const rhomb__side *side)
{
    return rhomb__fail(&pairs->error, side->status, "%s", rhomb__error_text(&side->error));
}

rhomb_status rhomb__side_open(rhomb_pairs *pairs, int index)
{
    rhomb__side *side = &pairs->sides[index];
    rhomb__stream *stream = &side->records.stream;
    side->budget = (pairs->text_bytes + 1) / 2;
    side->status = rhomb__records_open(&side->records, &side->error, pairs->paths[index]);
    if (side->status != RHOMB_OK)
        return fail_side(pairs, side);
    rhomb__stream_use_threads(stream, stream->file_bytes, pairs->threads);
    if (index == RHOMB__QUERY && pairs->qualities)
        side->records.qualities = &side->bases; /* after the bases of a record */
    return RHOMB_OK;
}

void rhomb__side_close(rhomb__side *side)
{
    rhomb__records_close(&side->records);
    rhomb__bytes_release(&side->bases);
    rhomb__bytes_release(&side->names);
    rhomb__bytes_release(&side->sizes);
    rhomb__error_clear(&side->error);
}

static const rhomb__record_size *first_size(const rhomb__side *side)
{
    if (side->sizes.data == NULL) /* there is none */
        return NULL;
    return (const rhomb__record_size *)(const void *)(side->sizes.data + side->sizes_at);
}

/* The records that belong to no chunk: their number and bytes. */
static size_t record_count(const rhomb__side *side)
{
    return (side->sizes.length - side->sizes_at) / sizeof(rhomb__record_size);
}

static size_t waiting_bytes(const rhomb__side *side)
{
    return side->bases.length - side->bases_at + side->names.length - side->names_at;
}

/* Reads a record; on failure nothing of it is kept. */
static rhomb_status read_record(rhomb__side *side)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &side->error;
    const size_t bases = side->bases.length, names = side->names.length;
    bool found = false;
    RHOMB_TRY(rhomb__records_next(&side->records, &found));
    side->ended = !found;
    if (!found)
        goto out;
    const char *name = rhomb__records_name(&side->records);
    rhomb__record_size size = {.name = strlen(name) + 1};
    RHOMB_TRY(rhomb__bytes_append(error, &side->names, name, size.name));
    RHOMB_TRY(rhomb__records_bases(&side->records, &side->bases, &size.bases));
    size.qualities = (int64_t)(side->bases.length - bases) - size.bases;
    RHOMB_TRY(rhomb__bytes_append(error, &side->sizes, &size, sizeof size));

out:
    if (status != RHOMB_OK) {
        side->bases.length = bases;
        side->names.length = names;
    }
    return status;
}

/* Moves the contents of a buffer from `at` on to its beginning. */
static void move_down(rhomb__bytes *buffer, size_t *at)
{
    if (*at > 0) /* so the buffer is not empty */
        memmove(buffer->data, buffer->data + *at, buffer->length - *at);
    buffer->length -= *at;
    *at = 0;
}

/* Whether it is time to read more. At most half of the data read is moved: see fill_side(). */
static bool has_room(const rhomb__side *side)
{
    return side->status == RHOMB_OK && !side->ended && waiting_bytes(side) <= side->budget / 2 &&
           record_count(side) <= PAIRS_MOST / 2;
}

/* Reads until the buffer is full. */
static void fill_side(rhomb__side *side)
{
    const double began = rhomb__now();
    move_down(&side->bases, &side->bases_at);
    move_down(&side->names, &side->names_at);
    move_down(&side->sizes, &side->sizes_at);
    while (side->status == RHOMB_OK && !side->ended && waiting_bytes(side) < side->budget &&
           record_count(side) < PAIRS_MOST)
        side->status = read_record(side);
    side->seconds += rhomb__now() - began;
}

typedef struct filling {
    rhomb__side *sides[RHOMB__SIDES];
} filling;

static void fill_one(int64_t index, void *user)
{
    filling *f = user;
    fill_side(f->sides[index]);
}

/* Reads more from the files that have room, once one of them has no records left. */
static void fill_sides(rhomb_pairs *pairs)
{
    filling f = {{NULL, NULL}};
    int64_t count = 0;
    bool empty = false;
    for (int i = 0; i < RHOMB__SIDES; i++) {
        rhomb__side *side = &pairs->sides[i];
        empty = empty || record_count(side) == 0;
        if (has_room(side))
            f.sides[count++] = side;
    }
    if (empty && count > 0)
        rhomb__parallel_run(pairs->threads < THREADS_LEAST ? 1 : RHOMB__SIDES, count, fill_one, &f);
}

/*
 * Moves `bytes` bytes from *at on to the end of `out`. An empty `out` is swapped with the whole
 * buffer, and the rest copied back, if that copies less.
 */
static rhomb_status move_bytes(rhomb_pairs *pairs, rhomb__bytes *out, rhomb__bytes *buffer,
                               size_t *at, size_t bytes)
{
    rhomb_status status = RHOMB_OK;
    const size_t rest = buffer->length - *at - bytes;
    if (bytes == 0)
        goto out;
    if (out->length > 0 || *at > 0 || rest > bytes) {
        RHOMB_TRY(rhomb__bytes_append(&pairs->error, out, buffer->data + *at, bytes));
        *at += bytes;
        goto out;
    }
    RHOMB_TRY(rhomb__bytes_append(&pairs->error, out, buffer->data + bytes, rest));
    const rhomb__bytes all = *buffer;
    *buffer = *out;
    *out = all;
    out->length = bytes;

out:
    return status;
}

/* Moves a file's next `count` records to a chunk, with or without their bases. */
static rhomb_status move_records(rhomb_pairs *pairs, rhomb__chunk *chunk, int index, size_t count,
                                 bool with_bases)
{
    rhomb_status status = RHOMB_OK;
    rhomb__side *side = &pairs->sides[index];
    const rhomb__record_size *sizes = first_size(side);
    size_t bases = 0, names = 0;
    for (size_t i = 0; i < count; i++) {
        bases += (size_t)(sizes[i].bases + sizes[i].qualities);
        names += sizes[i].name;
    }
    RHOMB_TRY(move_bytes(pairs, &chunk->names[index], &side->names, &side->names_at, names));
    if (with_bases)
        RHOMB_TRY(move_bytes(pairs, &chunk->bases[index], &side->bases, &side->bases_at, bases));
    else
        side->bases_at += bases;
    side->sizes_at += count * sizeof *sizes;
    side->taken += (int64_t)count;

out:
    return status;
}

static rhomb_status add_pairs(rhomb_pairs *pairs, rhomb__chunk *chunk, const rhomb_pair *all,
                              size_t count)
{
    static const rhomb_pair_names names[BLOCK_PAIRS];
    static const char *const qualities[BLOCK_PAIRS];
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__bytes_append(&pairs->error, &chunk->qualities, qualities,
                                  count * sizeof *qualities));
    RHOMB_TRY(rhomb__bytes_append(&pairs->error, &chunk->pair_names, names, count * sizeof *names));
    RHOMB_TRY(rhomb__bytes_append(&pairs->error, &chunk->pairs, all, count * sizeof *all));
    chunk->is.count += count;

out:
    return status;
}

/*
 * Adds so many pairs with lengths in place of pointers: of records of both sides, or of the target
 * that all queries share.
 */
static rhomb_status add_lengths(rhomb_pairs *pairs, rhomb__chunk *chunk, size_t count)
{
    rhomb_status status = RHOMB_OK;
    const size_t step = pairs->one_target ? 0 : 1;
    const rhomb__record_size *targets = first_size(&pairs->sides[RHOMB__TARGET]);
    const rhomb__record_size *queries = first_size(&pairs->sides[RHOMB__QUERY]);
    for (int side = pairs->one_target ? RHOMB__QUERY : 0; side < RHOMB__SIDES; side++)
        RHOMB_TRY(move_records(pairs, chunk, side, count, true));
    for (size_t i = 0; i < count;) {
        rhomb_pair block[BLOCK_PAIRS];
        size_t n = 0;
        for (; n < BLOCK_PAIRS && i < count; n++, i++)
            block[n] = (rhomb_pair){.target_length = targets[step * i].bases,
                                    .query_length = queries[i].bases};
        RHOMB_TRY(add_pairs(pairs, chunk, block, n));
    }

out:
    return status;
}

/* One file goes on after the other has ended: this pair and all after it are faults. */
static rhomb_status add_lonely(rhomb_pairs *pairs, rhomb__chunk *chunk, int index)
{
    rhomb_status status = RHOMB_OK;
    const int missing = RHOMB__SIDES - 1 - index;
    const rhomb__side *side = &pairs->sides[index];
    const rhomb_pair none = {.target = NULL};
    RHOMB_TRY(rhomb__bytes_append(&pairs->error, &chunk->names[missing], "", 1));
    RHOMB_TRY(rhomb__chunk_add_fault(
        pairs, chunk, chunk->is.count, "%s: has no record %lld, for '" RHOMB__NAME_FORMAT "' of %s",
        pairs->sides[missing].records.stream.name, (long long)(side->taken + 1),
        side->names.data + side->names_at, side->records.stream.name));
    RHOMB_TRY(move_records(pairs, chunk, index, 1, false));
    RHOMB_TRY(add_pairs(pairs, chunk, &none, 1));

out:
    return status;
}

static rhomb_status fail_targets(rhomb_pairs *pairs, const char *what)
{
    return rhomb__fail(&pairs->error, RHOMB_ERR_INPUT,
                       "%s: has %s: one against many needs a file of one target",
                       pairs->sides[RHOMB__TARGET].records.stream.name, what);
}

/* Reads the only target. */
static rhomb_status read_target(rhomb_pairs *pairs)
{
    rhomb__side *side = &pairs->sides[RHOMB__TARGET];
    const double began = rhomb__now();
    pairs->has_target = true;
    while (side->status == RHOMB_OK && !side->ended && record_count(side) < 2)
        side->status = read_record(side);
    side->seconds += rhomb__now() - began;
    if (side->status != RHOMB_OK)
        return fail_side(pairs, side);
    return record_count(side) == 1   ? RHOMB_OK
           : record_count(side) == 0 ? fail_targets(pairs, "no record")
                                     : fail_targets(pairs, "more than one record");
}

/* Adds pairs of the target and the queries that have been read. */
static rhomb_status add_queries(rhomb_pairs *pairs, rhomb__chunk *chunk)
{
    const rhomb__side *side = &pairs->sides[RHOMB__QUERY];
    const size_t room = PAIRS_MOST - chunk->is.count;
    const size_t count = record_count(side) < room ? record_count(side) : room;
    if (count == 0 && side->status != RHOMB_OK)
        return fail_side(pairs, side);
    pairs->ended = count == 0;
    return count > 0 ? add_lengths(pairs, chunk, count) : RHOMB_OK;
}

/* Gives a chunk that is full the target. */
static rhomb_status copy_target(rhomb_pairs *pairs, rhomb__chunk *chunk)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__side *side = &pairs->sides[RHOMB__TARGET];
    RHOMB_TRY(rhomb__bytes_append(&pairs->error, &chunk->names[RHOMB__TARGET], side->names.data,
                                  side->names.length));
    if (side->bases.length > 0)
        RHOMB_TRY(rhomb__bytes_append(&pairs->error, &chunk->bases[RHOMB__TARGET], side->bases.data,
                                      side->bases.length));

out:
    return status;
}

/*
 * Adds pairs from the records read, or reports why there are no more. Of two failures the one at
 * the earlier record counts; at the same record, the target's.
 */
static rhomb_status add_next(rhomb_pairs *pairs, rhomb__chunk *chunk)
{
    size_t counts[RHOMB__SIDES];
    for (int i = 0; i < RHOMB__SIDES; i++) {
        const rhomb__side *side = &pairs->sides[i];
        counts[i] = record_count(side);
        if (counts[i] == 0 && side->status != RHOMB_OK)
            return fail_side(pairs, side);
    }
    const size_t least = counts[0] < counts[1] ? counts[0] : counts[1];
    const size_t room = PAIRS_MOST - chunk->is.count;
    if (least > 0)
        return add_lengths(pairs, chunk, least < room ? least : room);
    pairs->ended = counts[0] == counts[1];
    return pairs->ended
               ? RHOMB_OK
               : add_lonely(pairs, chunk, counts[RHOMB__TARGET] > 0 ? RHOMB__TARGET : RHOMB__QUERY);
}

/* Sets the pointers to bases and names, which no longer move. */
static void publish_pairs(const rhomb_pairs *reader, rhomb__chunk *chunk)
{
    const rhomb__records *queries = &reader->sides[RHOMB__QUERY].records;
    const bool one_target = reader->one_target;
    const bool has_qualities = queries->qualities != NULL && queries->is_fastq;
    const char **qualities = (const char **)(void *)chunk->qualities.data;
    rhomb_pair *pairs = (rhomb_pair *)(void *)chunk->pairs.data;
    rhomb_pair_names *names = (rhomb_pair_names *)(void *)chunk->pair_names.data;
    const char *bases[RHOMB__SIDES] = {chunk->bases[0].data, chunk->bases[1].data};
    const char *name[RHOMB__SIDES] = {chunk->names[0].data, chunk->names[1].data};
    for (size_t i = 0; i < chunk->is.count; i++) {
        names[i] = (rhomb_pair_names){.target = name[RHOMB__TARGET], .query = name[RHOMB__QUERY]};
        for (int side = one_target ? RHOMB__QUERY : 0; side < RHOMB__SIDES; side++)
            name[side] += strlen(name[side]) + 1;
        if (pairs[i].target_length > 0) {
            pairs[i].target = bases[RHOMB__TARGET];
            bases[RHOMB__TARGET] += one_target ? 0 : pairs[i].target_length;
        }
        if (pairs[i].query_length > 0) {
            pairs[i].query = bases[RHOMB__QUERY];
            bases[RHOMB__QUERY] += pairs[i].query_length;
            if (has_qualities)
                qualities[i] = bases[RHOMB__QUERY];
            bases[RHOMB__QUERY] += has_qualities ? pairs[i].query_length : 0;
        }
    }
    chunk->is.pairs = pairs;
    chunk->is.names = names;
    chunk->is.qualities = has_qualities ? qualities : NULL;
}

/* Adds the files' costs since the last call to the report. */
static void report_sides(rhomb_pairs *pairs)
{
    for (int i = 0; i < RHOMB__SIDES; i++) {
        rhomb__side *side = &pairs->sides[i];
        pairs->report.seconds_read += side->records.seconds_read;
        pairs->report.seconds_parse += side->seconds - side->records.seconds_read;
        side->seconds = side->records.seconds_read = 0;
    }
}

rhomb_status rhomb__pairs_fill_records(rhomb_pairs *pairs, rhomb__chunk *chunk)
{
    rhomb_status status = RHOMB_OK;
    if (pairs->one_target && !pairs->has_target)
        RHOMB_TRY(read_target(pairs));
    while (status == RHOMB_OK && !pairs->ended && chunk->is.count < PAIRS_MOST &&
           chunk->bases[0].length + chunk->bases[1].length + chunk->names[0].length +
                   chunk->names[1].length <
               pairs->text_bytes) {
        fill_sides(pairs);
        const double began = rhomb__now();
        status = pairs->one_target ? add_queries(pairs, chunk) : add_next(pairs, chunk);
        pairs->report.seconds_parse += rhomb__now() - began;
    }
    const double began = rhomb__now();
    if (pairs->one_target && chunk->is.count > 0) {
        const rhomb_status copied = copy_target(pairs, chunk);
        chunk->is.count = copied == RHOMB_OK ? chunk->is.count : 0;
        status = copied == RHOMB_OK ? status : copied;
    }
    publish_pairs(pairs, chunk);
    pairs->report.seconds_parse += rhomb__now() - began;
    report_sides(pairs);

out:
    return status;
}
