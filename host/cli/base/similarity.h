/* SPDX-License-Identifier: MIT */
/*
 * The similarity of a pair as text, the same in a TSV row of `rhomb batch` as in that of
 * `rhomb distance`.
 */
#ifndef RHOMB_CLI_SIMILARITY_H
#define RHOMB_CLI_SIMILARITY_H

#include <stdint.h>

enum { CLI_SIMILARITY_BYTES = 64 };

/* The decimals with which 1 - d / length differs for every d: at least 6. */
int cli_similarity_decimals(int64_t longer_length);

/*
 * Puts 1 - distance / longer length at `at`, where there are CLI_SIMILARITY_BYTES, and returns its
 * end: with these decimals, rounded to even where it is half way; beyond 9,999,999 letters, as
 * printf() rounds the double. 1 where there are no letters.
 */
char *cli_put_similarity(char *at, int64_t distance, int64_t longer_length);

#endif
