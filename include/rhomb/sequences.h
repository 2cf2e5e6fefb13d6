/* SPDX-License-Identifier: MIT */
/*
 * Reading one sequence from a FASTA or FASTQ file. rhomb.h includes this header; whole files are
 * read by rhomb/all_records.h.
 */
#ifndef RHOMB_SEQUENCES_H
#define RHOMB_SEQUENCES_H

#include <rhomb/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rhomb_sequence rhomb_sequence;

/*
 * Reads one record of a FASTA or FASTQ file: plain, gzip or bgzip; "-" is standard input.
 *
 * `region` selects what to read: NULL is the only record of the file; "name" is that record;
 * "name:beg-end" is a part of it, 1-based and inclusive, commas allowed; "name:beg" goes to the
 * end; "{name}:beg-end" is for a name with a colon. An index next to the file (`.fai`, and `.gzi`
 * for bgzip) is used unless it is older than the file; none is ever written.
 *
 * Lines may end in LF or CRLF and have any length. Bases are kept as they are in the file
 * (rhomb_distance() checks them). A record without bases is an empty sequence. htslib may print its
 * own message about a damaged file to standard error. Its log level is the program's to set:
 * hts_set_log_level(HTS_LOG_OFF) loses no detail of an error.
 *
 * Returns RHOMB_OK; RHOMB_ERR_INPUT (file missing, unreadable, a folder, empty, truncated, shorter
 * than its index says, or not FASTA or FASTQ; no such record; a duplicate record name; several
 * records and no region, listed); RHOMB_ERR_MEMORY or RHOMB_ERR_ARGUMENT. On failure *out is NULL.
 *
 * The sequence does not need the context afterwards.
 *
 * Cost: under a limit on the address space (RLIMIT_AS) a sequence may have half of what that leaves
 * for text beside a device's driver; more is RHOMB_ERR_MEMORY. A program with such a limit should
 * have few malloc arenas (with glibc MALLOC_ARENA_MAX=1).
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_sequence_read(rhomb_context *ctx, const char *path,
                                                            const char *region,
                                                            rhomb_sequence **out);

/* Releases a sequence. NULL is allowed. */
RHOMB_API void rhomb_sequence_destroy(rhomb_sequence *sequence);

/* The record's name up to the first whitespace; for a region, the region as requested. */
RHOMB_API const char *rhomb_sequence_name(const rhomb_sequence *sequence);
/* The sequence: rhomb_sequence_length() bytes, followed by a NUL. */
RHOMB_API const char *rhomb_sequence_bases(const rhomb_sequence *sequence);
RHOMB_API int64_t rhomb_sequence_length(const rhomb_sequence *sequence);
/* The qualities of FASTQ, as many as bases and a NUL; NULL: the file has none. */
RHOMB_API const char *rhomb_sequence_qualities(const rhomb_sequence *sequence);
/* The path of the file, as given. */
RHOMB_API const char *rhomb_sequence_path(const rhomb_sequence *sequence);
/* The whole record: its name, its length, and the 0-based position at which this part begins. */
RHOMB_API const char *rhomb_sequence_record(const rhomb_sequence *sequence);
RHOMB_API int64_t rhomb_sequence_record_length(const rhomb_sequence *sequence);
RHOMB_API int64_t rhomb_sequence_record_begin(const rhomb_sequence *sequence);
/*
 * MD5 of the upper-case sequence (of the part alone, for a part) in hexadecimal, as in the M5 tag
 * of SAM's @SQ. The first call computes it, on any thread; other threads may read the sequence and
 * use the functions above meanwhile.
 */
RHOMB_API const char *rhomb_sequence_md5(const rhomb_sequence *sequence);

#ifdef __cplusplus
}
#endif

#endif
