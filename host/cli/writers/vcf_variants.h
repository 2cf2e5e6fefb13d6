/* SPDX-License-Identifier: MIT */
/* The variants of a path, one after the other, as vcf_rows.h says what they are. */
#ifndef RHOMB_CLI_VCF_VARIANTS_H
#define RHOMB_CLI_VCF_VARIANTS_H

#include "host/cli/writers/path_rows.h"

/* A range of both sequences, counted from the path's beginning. */
typedef struct cli_variant_range {
    int64_t target;
    int64_t target_end;
    int64_t query;
    int64_t query_end;
    int64_t op; /* its first operation */
} cli_variant_range;

/* How far the variants of a path are, and the mismatches of an operation that are still to come. */
typedef struct cli_variants {
    cli_path_cursor cursor;
    cli_variant_range mismatches;
} cli_variants;

/* Whether a side of it has no bases, so that both get one more; and whether no base precedes it. */
bool cli_variant_range_lacks_allele(const cli_variant_range *s);
bool cli_variant_range_is_first(const cli_variant_range *s);

/* The next variant, without a base before or after it. False if there is none. */
bool cli_variants_next(const cli_path *path, cli_variants *variants, cli_variant_range *variant);

#endif
