/* SPDX-License-Identifier: MIT */
/*
 * Whether a VCF file gives the query back: its text, as it goes to the file, is read again and
 * applied to the target, as `bcftools consensus` does it, and the result is compared with the
 * query, ignoring case.
 */
#ifndef RHOMB_CLI_VCF_CHECK_H
#define RHOMB_CLI_VCF_CHECK_H

#include <stddef.h>

#include "host/cli/writers/path_rows.h"

/* One pass over the lines of a path; all zeros but `path` at its beginning. */
typedef struct cli_vcf_check {
    const cli_path *path; /* borrowed; its operations are not looked at */
    int64_t target;       /* bases so far, from the path's beginning */
    int64_t query;
    int64_t position;   /* POS, as far as it has been read */
    int column;         /* of the line, from 0 */
    size_t in_column;   /* its characters so far */
    bool is_dissimilar; /* FILTER, once it has begun */
    bool in_head;       /* in a line that begins with # */
    char anchor;        /* the base before, which the record before has already; NUL: it has not */
    bool failed;
    int64_t records;
} cli_vcf_check;

/* Reads on; a cli_sink_tap. */
void cli_vcf_check_text(void *check, const char *text, size_t length);

/*
 * The end of the path's lines. False if they do not give the query, with the reason as a sentence
 * in `why`.
 */
bool cli_vcf_check_end(cli_vcf_check *check, char *why, size_t size);

#endif
