/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target for the reader of PAF, SAM and BAM, verifying and comparing: an input is such a file,
 * compressed or not. Whatever it is, its records keep what paf.h promises, the same whatever the
 * room for operations, or there is an error with a detail; and no path leads out of the sequences,
 * which are fixed.
 */
#include "rhomb/comparison.h"
#include "tests/fuzz.h"

#include <htslib/hts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/rhomb-fuzz-paf-XXXXXX";
static char file_path[64];
static rhomb_context *ctx;
static rhomb_sequence_set *set;

static void release(void)
{
    unlink(file_path);
    rmdir(folder);
    rhomb_sequence_set_destroy(set);
    rhomb_context_destroy(ctx);
}

static void prepare(void)
{
    static const char RECORDS[] = ">t\nACGTACGTAC\n>u\nNNACGTRY\n>q\nACGTTCGAC\n>r\nrygtacgnn\n";
    if (set != NULL)
        return;
    hts_set_log_level(HTS_LOG_OFF);
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(file_path, sizeof file_path, "%s/in", folder);
    fuzz_write_file(file_path, RECORDS, sizeof RECORDS - 1);
    REQUIRE(rhomb_context_create(&ctx, NULL) == RHOMB_OK);
    REQUIRE(rhomb_sequence_set_read(ctx, file_path, &set) == RHOMB_OK);
    atexit(release);
}

static void mix(uint64_t *digest, uint64_t value)
{
    *digest = (*digest ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    *digest ^= *digest >> 29;
}

static void check_row(const rhomb_paf_record *row, int64_t rows, uint64_t *digest)
{
    REQUIRE(row->index == rows && row->line > rows);
    REQUIRE(row->query_name != NULL && row->target_name != NULL);
    REQUIRE(0 <= row->query_begin && row->query_begin <= row->query_end);
    REQUIRE(row->query_end <= row->query_length && row->query_length < INT64_C(1) << 60);
    REQUIRE(0 <= row->target_begin && row->target_begin <= row->target_end);
    REQUIRE(row->target_end <= row->target_length && row->target_length < INT64_C(1) << 60);
    REQUIRE(row->matches >= -1 && row->block_length >= 0 &&
            row->mapq >= 0); /* -1: SAM without NM */
    mix(digest, (uint64_t)row->line);
    mix(digest, (uint64_t)row->target_end);
    mix(digest, strlen(row->query_name));
}

static rhomb_status read_path(rhomb_paf *paf, size_t room, uint64_t *digest)
{
    rhomb_path_op ops[64];
    rhomb_status status = RHOMB_OK;
    size_t count = 0;
    unsigned before = 16;
    do {
        status = rhomb_paf_ops(paf, ops, room, &count);
        REQUIRE(count <= room && (status == RHOMB_OK || count == 0));
        for (size_t i = 0; i < count; i++) {
            REQUIRE(RHOMB_CIGAR_LENGTH(ops[i]) > 0 && RHOMB_CIGAR_CODE(ops[i]) != before);
            before = (unsigned)RHOMB_CIGAR_CODE(ops[i]);
            REQUIRE(strchr("MID=X", RHOMB_CIGAR_LETTER(ops[i])) != NULL);
            mix(digest, ops[i]);
        }
    } while (count > 0);
    if (status == RHOMB_OK) {
        const rhomb_paf_tags *tags = rhomb_paf_get_tags(paf);
        REQUIRE(tags->complete);
        mix(digest, tags->has_edits ? (uint64_t)tags->edits : 1);
        mix(digest, tags->has_divergence);
    }
    return status;
}

/* Reads all; a digest of what has come, up to an error in a path, whose operations may differ. */
static rhomb_status read_all(size_t room, uint64_t *digest, int64_t *rows)
{
    rhomb_paf *paf = NULL;
    const rhomb_paf_record *row = NULL;
    *digest = 0;
    *rows = 0;
    rhomb_status status = rhomb_paf_open(ctx, file_path, &paf);
    while (status == RHOMB_OK) {
        uint64_t next = *digest;
        status = rhomb_paf_next(paf, &row);
        REQUIRE(status == RHOMB_OK || row == NULL);
        if (row == NULL)
            break;
        check_row(row, *rows, &next);
        if (room > 0)
            status = read_path(paf, room, &next);
        if (status == RHOMB_OK) {
            *digest = next;
            ++*rows;
        }
    }
    REQUIRE(status == RHOMB_OK || status == RHOMB_ERR_INPUT);
    REQUIRE((status == RHOMB_OK) == (rhomb_context_error(ctx)[0] == '\0'));
    rhomb_paf_destroy(paf);
    return status;
}

static void check_verify(rhomb_status read, int64_t rows, bool whole)
{
    rhomb_verify_options options = RHOMB_VERIFY_OPTIONS_INIT;
    rhomb_verify_report report = RHOMB_VERIFY_REPORT_INIT;
    rhomb_paf *paf = NULL;
    if (rhomb_paf_open(ctx, file_path, &paf) != RHOMB_OK)
        return;
    options.whole = whole;
    options.least_gap = whole ? 3 : 0;
    const rhomb_status status = rhomb_verify(paf, set, set, &options, &report);
    REQUIRE(status == RHOMB_OK || status == RHOMB_ERR_INPUT);
    REQUIRE(status == RHOMB_ERR_INPUT || (read == RHOMB_OK && report.rows == rows));
    rhomb_paf_destroy(paf);
}

/* What comparing promises: bases are aligned, in gaps or outside, and columns add up. */
static void check_compare(rhomb_status read, int64_t rows)
{
    rhomb_comparison *comparison = NULL;
    rhomb_paf *paf = NULL;
    if (rhomb_paf_open(ctx, file_path, &paf) != RHOMB_OK)
        return;
    const rhomb_status status = rhomb_compare(paf, set, set, NULL, &comparison);
    REQUIRE(status == RHOMB_OK || status == RHOMB_ERR_INPUT);
    REQUIRE((status == RHOMB_OK) == (comparison != NULL));
    if (comparison != NULL) {
        const rhomb_comparison_report *r = rhomb_comparison_get_report(comparison);
        const rhomb_comparison_sum *one = r->one_to_one, *all = r->all;
        REQUIRE(read == RHOMB_OK && r->records == rows);
        REQUIRE(all->records == rows - r->unaligned && one->records <= all->records);
        REQUIRE(r->target->aligned + r->target->in_gaps + r->target->outside == 36);
        REQUIRE(r->query->aligned + r->query->in_gaps + r->query->outside == 36);
        REQUIRE(r->target->aligned >= r->target->repeated && r->query->in_gaps >= 0);
        REQUIRE(all->columns ==
                all->matches + all->mismatches + all->insertions.bases + all->deletions.bases);
        REQUIRE(one->columns <= all->columns && all->identity >= 0 && all->identity <= 1);
    }
    rhomb_comparison_destroy(comparison);
    rhomb_paf_destroy(paf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t digests[2];
    int64_t rows[3];
    prepare();
    fuzz_write_file(file_path, data, size);
    const rhomb_status status = read_all(64, &digests[0], &rows[0]);
    REQUIRE(read_all(1 + size % 3, &digests[1], &rows[1]) == status);
    REQUIRE(digests[0] == digests[1] && rows[0] == rows[1]);
    if (read_all(0, &digests[1], &rows[2]) == RHOMB_OK && status == RHOMB_OK)
        REQUIRE(rows[2] == rows[0]);
    check_verify(status, rows[0], false);
    check_verify(status, rows[0], true);
    if (size % 3 == 0) /* one in three, as it takes as long as the others */
        check_compare(status, rows[0]);
    return 0;
}
