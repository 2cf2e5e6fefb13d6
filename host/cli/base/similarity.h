/* SPDX-License-Identifier: MIT */
/*
 * The similarity of a pair as text, the same in the TSV rows of `rhomb batch` and `rhomb distance`.
 */
#ifndef RHOMB_CLI_SIMILARITY_H
#define RHOMB_CLI_SIMILARITY_H

#include <stdint.h>

enum { CLI_SIMILARITY_BYTES = 64 };

/* The number of decimals with which 1 - d / length differs for every d: at least 6. */
int cli_similarity_decimals(int64_t longer_length);

/*
 * Puts 1 - distance / longer length at `at`, which has CLI_SIMILARITY_BYTES, and returns its end:
 * with these decimals, ties rounded to even; beyond 9,999,999 bases, as printf() rounds the double.
 * 1 for two empty sequences.
 */
char *cli_put_similarity(char *at, int64_t distance, int64_t longer_length);

#endif
