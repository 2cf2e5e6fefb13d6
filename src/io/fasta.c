/* SPDX-License-Identifier: MIT */
/*
 * One record of a FASTA or FASTQ file, see fasta.h.
 *
 * The file is read to its end even after the requested record was found: only then is it known that
 * the name is unique and that nothing is truncated. Memory does not depend on the number of
 * records: it holds the bases of the records that the region may mean (two at most), and the first
 * names for an error that lists them.
 */
#include "src/io/fasta.h"

#include "src/base/digest.h"
#include "src/io/fai.h"
#include "src/io/records.h"

#include <htslib/hts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records that an error lists, and the bytes of a name that it shows. */
#define LIST_RECORDS    20
#define LIST_NAME_BYTES 80

/* A record that the region may mean. */
typedef struct candidate {
    int64_t times; /* that its name occurs in the file */
    int64_t length;
    rhomb__bytes bases; /* of the first one, released if there is a second */
    rhomb__bytes qualities;
} candidate;

typedef struct reader {
    rhomb__records records;
    rhomb__region region;
    candidate candidates[RHOMB__REGION_NAMES]; /* the first is the only record without a region */
    rhomb__bytes listing;                      /* lines "  NAME  LENGTH" */
} reader;

/* Notes the record that was just begun. *bases is where its bases go, NULL to skip them. */
static candidate *begin_record(reader *r, rhomb__bytes **bases)
{
    candidate *c = NULL;
    *bases = NULL;
    if (r->region.text == NULL) {
        c = &r->candidates[0];
    } else {
        const size_t i = rhomb__region_find(&r->region, rhomb__records_name(&r->records));
        if (i == r->region.name_count)
            return NULL;
        c = &r->candidates[i];
    }
    if (c->times++ == 0)
        *bases = &c->bases;
    else
        rhomb__bytes_release(&c->bases);
    if (*bases == NULL)
        rhomb__bytes_release(&c->qualities);
    return c;
}

static rhomb_status end_record(reader *r, candidate *c, int64_t length)
{
    if (c != NULL)
        c->length = length;
    if (r->records.count > LIST_RECORDS)
        return RHOMB_OK;
    char line[LIST_NAME_BYTES + 64];
    const int bytes = snprintf(line, sizeof line, "%s  " RHOMB__NAME_FORMAT "  %lld",
                               r->listing.length > 0 ? "\n" : "", rhomb__records_name(&r->records),
                               (long long)length);
    return rhomb__bytes_append(r->records.stream.error, &r->listing, line, (size_t)bytes);
}

/* Reads all records; the candidates and the listing are filled afterwards. */
static rhomb_status read_records(reader *r)
{
    rhomb_status status = RHOMB_OK;
    rhomb__records *records = &r->records;
    bool found = false;
    RHOMB_TRY(rhomb__records_next(records, &found));
    while (found) {
        rhomb__bytes *bases = NULL;
        int64_t length = 0;
        candidate *c = begin_record(r, &bases);
        records->qualities = bases != NULL ? &c->qualities : NULL;
        RHOMB_TRY(rhomb__records_bases(records, bases, &length));
        RHOMB_TRY(end_record(r, c, length));
        RHOMB_TRY(rhomb__records_next(records, &found));
    }
    if (records->count == 0)
        status = rhomb__records_fail_none(records);

out:
    return status;
}

/* Adds the list of the file's records to the error that was just recorded. */
static rhomb_status fail_listed(reader *r, rhomb_status status)
{
    char line[64];
    if (r->records.count > LIST_RECORDS) {
        const int bytes = snprintf(line, sizeof line, "\n  ... and %lld more",
                                   (long long)(r->records.count - LIST_RECORDS));
        if (rhomb__bytes_append(r->records.stream.error, &r->listing, line, (size_t)bytes) !=
            RHOMB_OK)
            return status;
    }
    rhomb__error_attach(r->records.stream.error, r->listing.data);
    return status;
}

/* Decides which candidate and which part of it is meant, after all records were read. */
static rhomb_status choose(reader *r, candidate **chosen, rhomb__region_part *part)
{
    rhomb__error *error = r->records.stream.error;
    const char *input = r->records.stream.name;
    int64_t lengths[RHOMB__REGION_NAMES];
    size_t which = 0;
    bool exists = false;
    if (r->region.text == NULL) {
        *chosen = &r->candidates[0];
        *part = (rhomb__region_part){.record = rhomb__records_name(&r->records),
                                     .record_length = (*chosen)->length,
                                     .end = (*chosen)->length};
        if (r->records.count == 1)
            return RHOMB_OK;
        return fail_listed(r, rhomb__fail(error, RHOMB_ERR_INPUT,
                                          "%s: has %lld records; say which one to use (name, "
                                          "length):",
                                          input, (long long)r->records.count));
    }
    for (size_t i = 0; i < RHOMB__REGION_NAMES; i++) {
        lengths[i] = r->candidates[i].times > 0 ? r->candidates[i].length : -1;
        exists = exists || lengths[i] >= 0;
    }
    if (!exists)
        return fail_listed(r, rhomb__fail(error, RHOMB_ERR_INPUT,
                                          "%s: has no record for '%s'; it has (name, length):",
                                          input, r->region.text));
    const rhomb_status status =
        rhomb__region_resolve(error, input, &r->region, lengths, &which, part);
    if (status != RHOMB_OK)
        return status;
    *chosen = &r->candidates[which];
    if ((*chosen)->times > 1)
        return rhomb__fail(error, RHOMB_ERR_INPUT, "%s: %lld records have the name '%s'", input,
                           (long long)(*chosen)->times, r->region.names[which]);
    return RHOMB_OK;
}

/* Moves `length` bytes of text, which begin at `begin` in the buffer, and frees the rest. */
static char *take_text(rhomb__bytes *text, int64_t begin, int64_t length)
{
    if (text->data == NULL)
        return NULL; /* empty: the accessor handles NULL */
    if (begin > 0)
        memmove(text->data, text->data + begin, (size_t)length);
    text->data[length] = '\0';
    char *whole = text->data, *trimmed = realloc(whole, (size_t)length + 1);
    *text = (rhomb__bytes){0};
    return trimmed != NULL ? trimmed : whole;
}

static rhomb_status read_stream(rhomb__error *error, const char *path, int32_t threads, reader *r,
                                rhomb__bytes *bases, rhomb__bytes *qualities,
                                rhomb__region_part *part)
{
    rhomb_status status = RHOMB_OK;
    candidate *chosen = NULL;
    RHOMB_TRY(rhomb__records_open(&r->records, error, path));
    rhomb__stream_use_threads(&r->records.stream, r->records.stream.file_bytes, threads);
    RHOMB_TRY(read_records(r));
    RHOMB_TRY(choose(r, &chosen, part));
    *bases = chosen->bases;
    *qualities = chosen->qualities;
    chosen->bases = chosen->qualities = (rhomb__bytes){0};

out:
    return status;
}

rhomb_status rhomb__fasta_read(rhomb__error *error, const char *path, const char *region,
                               int32_t threads, size_t most, rhomb_sequence **out)
{
    rhomb_status status = RHOMB_OK;
    reader r = {.region = {0}};
    rhomb__bytes bases = {.most = most}, qualities = {.most = most};
    rhomb__region_part part = {0};
    *out = NULL;
    for (size_t i = 0; i < RHOMB__REGION_NAMES; i++)
        r.candidates[i].bases.most = r.candidates[i].qualities.most = most;
    if (path == NULL)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "the path is NULL");
    RHOMB_TRY(rhomb__region_create(error, region, &r.region));
    const bool fetched = region != NULL && strcmp(path, "-") != 0 &&
                         rhomb__fai_fetch(path, &r.region, threads, &bases, &part);
    if (!fetched)
        RHOMB_TRY(read_stream(error, path, threads, &r, &bases, &qualities, &part));
    RHOMB_TRY(
        rhomb__sequence_create(error, path, region != NULL ? region : part.record, &part, out));
    (*out)->bases = take_text(&bases, fetched ? 0 : part.begin, (*out)->length);
    (*out)->qualities = take_text(&qualities, part.begin, (*out)->length);

out:
    rhomb__bytes_release(&bases);
    rhomb__bytes_release(&qualities);
    for (size_t i = 0; i < RHOMB__REGION_NAMES; i++) {
        rhomb__bytes_release(&r.candidates[i].bases);
        rhomb__bytes_release(&r.candidates[i].qualities);
    }
    rhomb__bytes_release(&r.listing);
    rhomb__region_release(&r.region);
    rhomb__records_close(&r.records);
    return status;
}

rhomb_status rhomb__sequence_create(rhomb__error *error, const char *path, const char *name,
                                    const rhomb__region_part *part, rhomb_sequence **out)
{
    *out = NULL;
    rhomb_sequence *sequence = calloc(1, sizeof *sequence);
    if (sequence != NULL) {
        sequence->path = strdup(path);
        sequence->name = strdup(name);
        sequence->length = part->end - part->begin;
        sequence->record = strdup(part->record);
        sequence->record_length = part->record_length;
        sequence->record_begin = part->begin;
        sequence->md5 = calloc(1, RHOMB__MD5_HEX_SIZE);
        sequence->md5_context = hts_md5_init();
    }
    if (sequence == NULL || sequence->path == NULL || sequence->name == NULL ||
        sequence->record == NULL || sequence->md5 == NULL || sequence->md5_context == NULL) {
        rhomb_sequence_destroy(sequence);
        return rhomb__fail_memory(error, sizeof *sequence + strlen(path) + strlen(name),
                                  "a sequence");
    }
    *out = sequence;
    return RHOMB_OK;
}

void rhomb_sequence_destroy(rhomb_sequence *sequence)
{
    if (sequence == NULL)
        return;
    if (sequence->md5_context != NULL)
        hts_md5_destroy(sequence->md5_context);
    free(sequence->md5);
    free(sequence->bases);
    free(sequence->qualities);
    free(sequence->record);
    free(sequence->name);
    free(sequence->path);
    free(sequence);
}

const char *rhomb_sequence_name(const rhomb_sequence *sequence)
{
    return sequence != NULL ? sequence->name : "";
}

const char *rhomb_sequence_bases(const rhomb_sequence *sequence)
{
    return sequence != NULL && sequence->bases != NULL ? sequence->bases : "";
}

const char *rhomb_sequence_qualities(const rhomb_sequence *sequence)
{
    return sequence != NULL ? sequence->qualities : NULL;
}

int64_t rhomb_sequence_length(const rhomb_sequence *sequence)
{
    return sequence != NULL ? sequence->length : 0;
}

const char *rhomb_sequence_path(const rhomb_sequence *sequence)
{
    return sequence != NULL ? sequence->path : "";
}

const char *rhomb_sequence_record(const rhomb_sequence *sequence)
{
    return sequence != NULL ? sequence->record : "";
}

int64_t rhomb_sequence_record_length(const rhomb_sequence *sequence)
{
    return sequence != NULL ? sequence->record_length : 0;
}

int64_t rhomb_sequence_record_begin(const rhomb_sequence *sequence)
{
    return sequence != NULL ? sequence->record_begin : 0;
}

const char *rhomb_sequence_md5(const rhomb_sequence *sequence)
{
    if (sequence == NULL)
        return "";
    if (sequence->md5[0] == '\0')
        rhomb__md5_bases_hex(sequence->md5_context, rhomb_sequence_bases(sequence),
                             (size_t)sequence->length, sequence->md5);
    return sequence->md5;
}

/* Records for users of the library, see rhomb/all_records.h. */
struct rhomb_records {
    rhomb__error *error; /* the caller's */
    rhomb__records from;
    rhomb__bytes bases, qualities;
    rhomb_record record;
    bool has_any;
    bool has_ended;
};

rhomb_status rhomb__records_create(rhomb__error *error, const char *path, int32_t threads,
                                   rhomb_records **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb_records *records = calloc(1, sizeof *records);
    *out = NULL;
    if (records == NULL)
        return rhomb__fail_memory(error, sizeof *records, "a reader of records");
    records->error = error;
    RHOMB_TRY(rhomb__records_open(&records->from, error, path));
    rhomb__stream_use_threads(&records->from.stream, records->from.stream.file_bytes, threads);
    *out = records;

out:
    if (status != RHOMB_OK)
        rhomb_records_destroy(records);
    return status;
}

/* Reads the record that the reader has come to, with a NUL after its bases. */
static rhomb_status read_record(rhomb_records *records)
{
    rhomb_status status = RHOMB_OK;
    records->bases.length = records->qualities.length = 0;
    records->from.qualities = &records->qualities;
    RHOMB_TRY(rhomb__records_bases(&records->from, &records->bases, &records->record.length));
    RHOMB_TRY(rhomb__bytes_append(records->error, &records->bases, "", 0));
    RHOMB_TRY(rhomb__bytes_append(records->error, &records->qualities, "", 0));
    records->record.name = rhomb__records_name(&records->from);
    records->record.bases = records->bases.data;
    records->record.qualities = records->from.is_fastq ? records->qualities.data : NULL;

out:
    return status;
}

rhomb_status rhomb_records_next(rhomb_records *records, const rhomb_record **record)
{
    rhomb_status status = RHOMB_OK;
    bool found = false;
    if (record != NULL)
        *record = NULL;
    if (records == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(records->error);
    if (record == NULL)
        return rhomb__fail(records->error, RHOMB_ERR_ARGUMENT, "record must not be NULL");
    if (records->has_ended)
        return RHOMB_OK;
    records->has_ended = true; /* unless all goes well */
    RHOMB_TRY(rhomb__records_next(&records->from, &found));
    if (!found && !records->has_any)
        RHOMB_TRY(rhomb__records_fail_none(&records->from));
    if (found) {
        RHOMB_TRY(read_record(records));
        records->has_any = true;
        records->has_ended = false;
        *record = &records->record;
    }

out:
    return status;
}

rhomb_status rhomb_records_md5(rhomb_records *records, char md5[RHOMB__MD5_HEX_SIZE])
{
    if (records == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(records->error);
    if (md5 == NULL || !records->has_any || records->has_ended)
        return rhomb__fail(records->error, RHOMB_ERR_ARGUMENT,
                           md5 == NULL ? "md5 must not be NULL" : "there is no record to digest");
    hts_md5_context *context = hts_md5_init();
    if (context == NULL)
        return rhomb__fail_memory(records->error, 0, "a digest");
    rhomb__md5_bases_hex(context, records->record.bases, (size_t)records->record.length, md5);
    hts_md5_destroy(context);
    return RHOMB_OK;
}

void rhomb_records_destroy(rhomb_records *records)
{
    if (records == NULL)
        return;
    rhomb__records_close(&records->from);
    rhomb__bytes_release(&records->bases);
    rhomb__bytes_release(&records->qualities);
    free(records);
}
