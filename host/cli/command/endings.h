/* SPDX-License-Identifier: MIT */
/*
 * The extension of an output's name: a format that the command writes, or another one, which is
 * refused because the name would be wrong. Names without one, and .txt, are for the format that the
 * command writes by itself.
 */
#ifndef RHOMB_CLI_ENDINGS_H
#define RHOMB_CLI_ENDINGS_H

#include "host/cli/command/command.h"

/* What a command can write. */
struct cli_endings {
    const cli_word *formats;
    size_t count;
    /* Fields of its arguments: an int, which is CLI_NO_FORMAT unless it is given, and ... */
    size_t format_at;
    size_t output_at;   /* ... the name, which may be NULL */
    size_t compress_at; /* a bool: whether the name ends in .gz or .bgz; 0 if these are refused */
    bool has_option;    /* --format, with which names go that say no other format */
};

/* Those of an array of words; `format` and `output` are the fields. */
#define CLI_ENDINGS(words, format, output) \
    .formats = words, .count = CLI_COUNT(words), .format_at = format, .output_at = output

/* A format that was not given. */
enum { CLI_NO_FORMAT = -1 };

/*
 * Sets *format, unless it was given, if the first `length` characters of a name end in one of the
 * formats. CLI_OK, or CLI_USAGE after a message if another one was given.
 */
int cli_format_by_name(const cli_command *command, const cli_word *formats, size_t count,
                       const char *name, size_t length, int *format);

/*
 * Chooses the format by the extension of the output's name, unless it was given; else it is the
 * first of the list. CLI_OK, or CLI_USAGE after a message.
 */
int cli_choose_format(const cli_command *command, void *arguments);

/*
 * What a path has, without its folder, before .fa, .fasta and other endings of sequences, and .gz:
 * a text for free(). NULL without memory.
 */
char *cli_stem(const char *path);

/* Whether a name ends in .gz or .bgz. */
bool cli_is_gzip_name(const char *name);

#endif
