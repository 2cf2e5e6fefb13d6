/* SPDX-License-Identifier: MIT */
/*
 * Records for users of the library, see record_list.h.
 */
#include "src/io/record_list.h"

#include "src/base/digest.h"
#include "src/io/records.h"

#include <htslib/hts.h>
#include <stdlib.h>

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
