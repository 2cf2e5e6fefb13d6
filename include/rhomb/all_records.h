/* SPDX-License-Identifier: MIT */
/*
 * Rhomb: the records of a sequence file, one after the other, in the memory of one of them.
 *
 *     rhomb_records *records = NULL;
 *     const rhomb_record *record = NULL;
 *     rhomb_status status = rhomb_records_open(ctx, "assembly.fa.gz", &records);
 *     while (status == RHOMB_OK) {
 *         status = rhomb_records_next(records, &record);
 *         if (status != RHOMB_OK || record == NULL)
 *             break;
 *         printf("%s\t%" PRId64 "\n", record->name, record->length);
 *     }
 *     rhomb_records_destroy(records);
 *
 * Everything said in rhomb.h about guarantees, growing structures, threads and units holds here.
 */
#ifndef RHOMB_ALL_RECORDS_H
#define RHOMB_ALL_RECORDS_H

#include <rhomb/rhomb.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A record; made by the library. */
typedef struct rhomb_record {
    const char *name;  /* up to the first whitespace */
    const char *bases; /* `length` of them and a NUL, as they are in the file */
    int64_t length;
    const char *qualities; /* of FASTQ, as many and a NUL; NULL: none. Since 0.3.0 */
} rhomb_record;

typedef struct rhomb_records rhomb_records;

/*
 * Opens a FASTA or FASTQ file, as rhomb_sequence_read() accepts them; "-" is standard input.
 * Returns RHOMB_OK; RHOMB_ERR_INPUT (missing, unreadable, a folder); RHOMB_ERR_MEMORY or
 * RHOMB_ERR_ARGUMENT. On failure *out is NULL.
 * The reader uses the context for threads and errors until it is destroyed. `path` is copied.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_records_open(rhomb_context *ctx, const char *path,
                                                           rhomb_records **out);

/*
 * Reads the next record. *record is NULL after the last one. Names need not be unique.
 * Returns RHOMB_OK; RHOMB_ERR_INPUT (truncated or damaged data, not a FASTA or FASTQ file, without
 * any record); or RHOMB_ERR_MEMORY. After a failure there are no more records.
 * *record belongs to the reader, and is valid until the next call.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_records_next(rhomb_records *records,
                                                           const rhomb_record **record);

/*
 * The MD5 of the bases that rhomb_records_next() gave last, in upper case, as SAM's M5 is: 32
 * hexadecimal digits and a NUL. Returns RHOMB_OK; RHOMB_ERR_ARGUMENT (no record was read); or
 * RHOMB_ERR_MEMORY.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_records_md5(rhomb_records *records, char md5[33]);

/* Closes the file and releases the reader. NULL is allowed. */
RHOMB_API void rhomb_records_destroy(rhomb_records *records);

#ifdef __cplusplus
}
#endif

#endif
