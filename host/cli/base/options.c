/* SPDX-License-Identifier: MIT */
/*
 * Messages about wrong options, which suggest the nearest valid one. getopt_long() parses the
 * options in each command, words.c their values.
 */
#include "host/cli/base/cli.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* Longer names are never near to anything; it bounds the rows of name_distance(). */
enum { LONGEST_NAME = 63 };

int cli_bad_usage(const cli_command *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    cli_error_list(format, args);
    va_end(args);
    cli_say("try 'rhomb help %s'", command->name);
    return CLI_USAGE;
}

/* The textbook edit distance of two short names. */
static size_t name_distance(const char *a, const char *b)
{
    size_t row[LONGEST_NAME + 1];
    const size_t length = strlen(b);
    if (strlen(a) > LONGEST_NAME || length > LONGEST_NAME)
        return LONGEST_NAME;
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            const size_t above = row[j + 1];
            size_t best = diagonal + (a[i] != b[j]);
            if (above + 1 < best)
                best = above + 1;
            if (row[j] + 1 < best)
                best = row[j] + 1;
            row[j + 1] = best;
            diagonal = above;
        }
    }
    return row[length];
}

const char *cli_nearest(const char *text, const void *records, size_t count, size_t stride)
{
    const size_t length = strlen(text);
    const char *nearest = NULL;
    size_t least = 1 + length / 4; /* more edits than this are another word, not a typo */
    for (size_t i = 0; i < count; i++) {
        const char *name;
        memcpy(&name, (const char *)records + i * stride, sizeof name);
        const bool begins = length >= 3 && strncmp(name, text, length) == 0;
        const size_t distance = begins ? 0 : name_distance(text, name);
        if (distance < least || (distance == least && nearest == NULL)) {
            least = distance;
            nearest = name;
        }
    }
    return nearest;
}

/* A long option, as typed: unknown, or the prefix of several. */
static int bad_long_option(const cli_command *command, const char *typed,
                           const struct option *longs)
{
    char name[LONGEST_NAME + 1];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(typed + 2, "="), typed + 2);
    size_t count = 0;
    size_t beginnings = 0;
    for (; longs[count].name != NULL; count++)
        beginnings += strncmp(longs[count].name, name, strlen(name)) == 0;
    if (beginnings > 1)
        return cli_bad_usage(command, "option '--%s' is ambiguous", name);
    const char *nearest = cli_nearest(name, longs, count, sizeof longs[0]);
    if (nearest != NULL)
        return cli_bad_usage(command, "unknown option '--%s'; did you mean '--%s'?", name, nearest);
    return cli_bad_usage(command, "unknown option '--%s'", name);
}

int cli_bad_option(const cli_command *command, char **argv, int code, const struct option *longs)
{
    const char *typed = argv[optind - 1];
    const bool is_long = strncmp(typed, "--", 2) == 0;
    if (code == ':' && is_long)
        return cli_bad_usage(command, "option '%s' needs a value", typed);
    if (code == ':')
        return cli_bad_usage(command, "option '-%c' needs a value", optopt);
    if (optopt == 0)
        return bad_long_option(command, typed, longs);
    for (; longs->name != NULL; longs++) {
        if (longs->val == optopt)
            return cli_bad_usage(command, "option '--%s' takes no value", longs->name);
    }
    return cli_bad_usage(command, "unknown option '-%c'", optopt);
}

int cli_parse_limit(const cli_command *command, const char *text, int64_t *limit)
{
    if (cli_parse_count(text, limit))
        return CLI_OK;
    return cli_bad_usage(
        command, "--max-distance: '%s' is not a valid number (digits, then K, M or G)", text);
}

int cli_parse_letters(const cli_command *command, const char *option, const char *text,
                      int64_t *letters)
{
    if (cli_parse_count(text, letters) && *letters > 0)
        return CLI_OK;
    return cli_bad_usage(command, "%s: '%s' is not a positive integer (digits, then K, M or G)",
                         option, text);
}

int cli_parse_output(const cli_command *command, const char *option, const char *text,
                     const char **path)
{
    *path = text;
    return *text != '\0' ? CLI_OK : cli_bad_usage(command, "%s: the file name is empty", option);
}

int cli_parse_threads(const cli_command *command, const char *text, int32_t *threads)
{
    int64_t number;
    if (!cli_parse_count(text, &number) || number < 1 || number > INT32_MAX)
        return cli_bad_usage(command, "--threads: '%s' is not a positive integer", text);
    *threads = (int32_t)number;
    return CLI_OK;
}

int32_t cli_threads_meant(int32_t asked)
{
    const long cores = asked > 0 ? asked : sysconf(_SC_NPROCESSORS_ONLN);
    return (int32_t)(cores < 1 ? 1 : asked == 0 && cores > 16 ? 16 : cores);
}

int cli_parse_alphabet(const cli_command *command, const char *text, rhomb_alphabet *alphabet)
{
    int word;
    if (!cli_parse_word(text, cli_alphabets, CLI_COUNT(cli_alphabets), &word))
        return cli_bad_usage(command, "--alphabet: '%s' is not dna or bytes", text);
    *alphabet = (rhomb_alphabet)word;
    return CLI_OK;
}

int cli_parse_tuning(const cli_command *command, const char *text, rhomb_tuning *tuning,
                     rhomb_rates *rates)
{
    const char *unknown = cli_read_tuning(text, tuning, rates);
    if (unknown == NULL)
        return CLI_OK;
    return cli_bad_usage(command, "--tune: unknown key or invalid value in '%.*s'",
                         (int)strcspn(unknown, ","), unknown);
}
