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
