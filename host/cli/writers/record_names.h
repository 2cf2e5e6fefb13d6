/* SPDX-License-Identifier: MIT */
/* What of names, sequences and paths SAM, and with it BAM and VCF, can hold. */
#ifndef RHOMB_CLI_RECORD_NAMES_H
#define RHOMB_CLI_RECORD_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/cli/writers/path_rows.h"

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

/* The same of a target's name and length, for SAM. */
bool cli_lacks_sam_target(const char *name, int64_t length, char *why, size_t size);

/*
 * Whether SAM, or BAM made of it, cannot hold something, with the reason as a sentence in `why`: of
 * the names and sequences, before there are operations; and of the operations.
 */
bool cli_sam_lacks_sequences(const cli_path *path, char *why, size_t size);
bool cli_sam_lacks_path(const cli_path *path, char *why, size_t size);

#endif
