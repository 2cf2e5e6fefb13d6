/* SPDX-License-Identifier: MIT */
/* Usage errors, see command.h. */
#include "host/cli/command/command.h"

#include <errno.h>
#include <sys/stat.h>

const cli_option *cli_find_option(const cli_command *command, const char *name, size_t *number)
{
    *number = 0;
    for (size_t i = 0; i < CLI_GROUPS; i++) {
        for (const cli_option *o = command->options[i]; o != NULL && o->name != NULL;
             o++, ++*number) {
            if (strcmp(o->name, name) == 0)
                return o;
        }
    }
    return NULL;
}

int cli_bad_usage(const cli_command *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    cli_error_list(format, args);
    va_end(args);
    cli_say("try 'rhomb help %s'", command->name);
    return CLI_USAGE;
}

int cli_check_read_twice(const cli_command *command, const char *what, const char *name)
{
    struct stat file;
    if (strcmp(name, "-") != 0 && stat(name, &file) == 0 && S_ISDIR(file.st_mode))
        return cli_fail_to_open(name, EISDIR);
    const bool is_file =
        strcmp(name, "-") != 0 && (stat(name, &file) != 0 || S_ISREG(file.st_mode));
    return is_file ? CLI_OK
                   : cli_bad_usage(command, "%s twice, so '%s' has to be a file", what, name);
}

cli_word_list cli_list_words(const cli_word *words, size_t count, const char *last)
{
    cli_word_list list = {""};
    for (size_t i = 0, used = 0; i < count; i++, used = strlen(list.text))
        snprintf(list.text + used, sizeof list.text - used, "%s%s",
                 i == 0          ? ""
                 : i + 1 < count ? ", "
                                 : last,
                 words[i].word);
    return list;
}

int cli_bad_word(const cli_command *command, const char *option, const char *text,
                 const cli_word *words, size_t count)
{
    return cli_bad_usage(command, "--%s: '%s' is not %s%s", option, text,
                         cli_list_words(words, count, " or ").text,
                         cli_nearest(text, "", words, count, sizeof words[0]).text);
}

enum { LONGEST_NAME = 63 /* longer names are never near to anything */ };

/* The textbook edit distance of two short names, in which two characters in the wrong order are
 * one. */
static size_t name_distance(const char *a, const char *b)
{
    size_t rows[LONGEST_NAME + 1][LONGEST_NAME + 1];
    const size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST_NAME || m > LONGEST_NAME)
        return LONGEST_NAME;
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            size_t best = i + j;
            if (i > 0 && j > 0 && rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]) < best)
                best = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (i > 0 && rows[i - 1][j] + 1 < best)
                best = rows[i - 1][j] + 1;
            if (j > 0 && rows[i][j - 1] + 1 < best)
                best = rows[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                rows[i - 2][j - 2] + 1 < best)
                best = rows[i - 2][j - 2] + 1;
            rows[i][j] = best;
        }
    }
    return rows[n][m];
}

cli_hint cli_nearest(const char *text, const char *dashes, const void *records, size_t count,
                     size_t stride)
{
    cli_hint hint = {""};
    const size_t length = strlen(text);
    const char *nearest = NULL;
    size_t least = 1 + length / 4; /* more edits than this are another word, not a typo */
    for (size_t i = 0; i < count; i++) {
        const char *name;
        memcpy(&name, (const char *)records + i * stride, sizeof name);
        const bool begins = length >= 3 && strncmp(name, text, length) == 0;
        const size_t distance = begins ? 0 : name_distance(text, name);
        if (distance >= strlen(name))
            continue; /* nothing in common */
        if (distance < least || (distance == least && nearest == NULL)) {
            least = distance;
            nearest = name;
        }
    }
    if (nearest != NULL && (strcspn(nearest, ":") != length || strncmp(nearest, text, length) != 0))
        snprintf(hint.text, sizeof hint.text, "; did you mean '%s%s'?", dashes, nearest);
    return hint;
}
