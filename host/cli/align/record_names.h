/* SPDX-License-Identifier: MIT */
/*
 * Names of records that SAM, and with it VCF, can hold.
 */
#ifndef RHOMB_CLI_RECORD_NAMES_H
#define RHOMB_CLI_RECORD_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A byte for a message, which may be part of a multibyte character. */
typedef struct cli_byte_text {
    char at[sizeof "byte 0xff"];
} cli_byte_text;

const char *cli_show_byte(char byte, cli_byte_text *text);

/*
 * Whether a name cannot be that of a reference, or of a query: it has a character that is not
 * allowed, none at all, or more than `most`. The reason is a sentence in `why`.
 */
bool cli_lacks_target_name(const char *name, int64_t most, char *why, size_t size);
bool cli_lacks_query_name(const char *name, int64_t most, char *why, size_t size);

#endif
