/* SPDX-License-Identifier: MIT */
/*
 * Pairs from two files of records, see pairs_reader.h: record i of one with record i of the other.
 * The letters of a chunk's records are copied together, because their lines have to be joined.
 */
#include "pairs_reader.h"

#include "clock.h"

#include <string.h>

/* Pairs of a chunk at most: records may be empty. */
#define PAIRS_MOST 65536

/* A record that was read, or that a file lacks. */
typedef struct record {
    bool found;
    int64_t length;
} record;

static rhomb_status read_record(rhomb_pairs *pairs, rhomb__chunk *chunk, int side, record *out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__records *records = &pairs->records[side];
    RHOMB_TRY(rhomb__records_next(records, &out->found));
    if (!out->found)
        goto out;
    const char *name = rhomb__records_name(records);
    RHOMB_TRY(rhomb__bytes_append(&pairs->error, &chunk->names[side], name, strlen(name) + 1));
    RHOMB_TRY(rhomb__records_letters(records, &chunk->letters[side], &out->length));

out:
    return status;
}

/* One file goes on where the other has ended: a fault, and so are all pairs after it. */
static rhomb_status add_lonely(rhomb_pairs *pairs, rhomb__chunk *chunk,
                               const record found[RHOMB__SIDES])
{
    rhomb_status status = RHOMB_OK;
    const int side = found[RHOMB__TARGET].found ? RHOMB__TARGET : RHOMB__QUERY;
    const int missing = RHOMB__SIDES - 1 - side;
    const rhomb__records *records = &pairs->records[side];
    RHOMB_TRY(rhomb__bytes_append(&pairs->error, &chunk->names[missing], "", 1));
    RHOMB_TRY(rhomb__chunk_add_fault(pairs, chunk, chunk->is.count,
                                     "%s: has no record %lld, for '" RHOMB__NAME_FORMAT "' of %s",
                                     pairs->records[missing].stream.name, (long long)records->count,
                                     rhomb__records_name(records), records->stream.name));

out:
    return status;
}

/* Adds the next pair, if there is one, with lengths for pointers. */
static rhomb_status add_pair(rhomb_pairs *pairs, rhomb__chunk *chunk)
{
    rhomb_status status = RHOMB_OK;
    record records[RHOMB__SIDES] = {{.found = false}, {.found = false}};
    for (int side = 0; side < RHOMB__SIDES; side++)
        RHOMB_TRY(read_record(pairs, chunk, side, &records[side]));
    if (!records[RHOMB__TARGET].found && !records[RHOMB__QUERY].found) {
        pairs->ended = true;
        goto out;
    }
    rhomb_pair pair = {.target_length = records[RHOMB__TARGET].length,
                       .query_length = records[RHOMB__QUERY].length};
    if (!records[RHOMB__TARGET].found || !records[RHOMB__QUERY].found) {
        RHOMB_TRY(add_lonely(pairs, chunk, records));
        pair = (rhomb_pair){.target = NULL};
    }
    const rhomb_pair_names names = {NULL, NULL};
    RHOMB_TRY(rhomb__bytes_append(&pairs->error, &chunk->pair_names, &names, sizeof names));
    RHOMB_TRY(rhomb__bytes_append(&pairs->error, &chunk->pairs, &pair, sizeof pair));
    chunk->is.count++;

out:
    return status;
}

/* Now that they stay where they are, says where letters and names are. */
static void publish_pairs(rhomb__chunk *chunk)
{
    rhomb_pair *pairs = (rhomb_pair *)(void *)chunk->pairs.data;
    rhomb_pair_names *names = (rhomb_pair_names *)(void *)chunk->pair_names.data;
    const char *letters[RHOMB__SIDES] = {chunk->letters[0].data, chunk->letters[1].data};
    const char *name[RHOMB__SIDES] = {chunk->names[0].data, chunk->names[1].data};
    for (size_t i = 0; i < chunk->is.count; i++) {
        names[i] = (rhomb_pair_names){.target = name[RHOMB__TARGET], .query = name[RHOMB__QUERY]};
        for (int side = 0; side < RHOMB__SIDES; side++)
            name[side] += strlen(name[side]) + 1;
        if (pairs[i].target_length > 0) {
            pairs[i].target = letters[RHOMB__TARGET];
            letters[RHOMB__TARGET] += pairs[i].target_length;
        }
        if (pairs[i].query_length > 0) {
            pairs[i].query = letters[RHOMB__QUERY];
            letters[RHOMB__QUERY] += pairs[i].query_length;
        }
    }
    chunk->is.pairs = pairs;
    chunk->is.names = names;
}

rhomb_status rhomb__pairs_fill_records(rhomb_pairs *pairs, rhomb__chunk *chunk)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    while (status == RHOMB_OK && !pairs->ended && chunk->is.count < PAIRS_MOST &&
           chunk->letters[0].length + chunk->letters[1].length + chunk->names[0].length +
                   chunk->names[1].length <
               pairs->text_bytes)
        status = add_pair(pairs, chunk);
    publish_pairs(chunk);
    pairs->report.seconds_read += rhomb__now() - began;
    return status;
}
