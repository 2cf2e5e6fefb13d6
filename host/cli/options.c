/* SPDX-License-Identifier: MIT */
/*
 * What commands need to read their options: numbers, words, --tune, and messages that name the
 * nearest thing there is. Options themselves are parsed by getopt_long() in each command.
 */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Names longer than this are never near to anything; it bounds the rows of name_distance(). */
enum { LONGEST_NAME = 63 };

const cli_word cli_alphabets[2] = {{"dna", RHOMB_ALPHABET_DNA}, {"bytes", RHOMB_ALPHABET_BYTES}};

const cli_word cli_engines[3] = {{"auto", RHOMB_ENGINE_AUTO},
                                 {"wavefront", RHOMB_ENGINE_WAVEFRONT},
                                 {"bitparallel", RHOMB_ENGINE_BITPARALLEL}};

const cli_word cli_tile_shapes[3] = {{"auto", RHOMB_TILE_AUTO},
                                     {"trapezoid", RHOMB_TILE_TRAPEZOID},
                                     {"diamond", RHOMB_TILE_DIAMOND}};

int cli_bad_usage(const cli_command *command, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cli_error("%s", text);
    cli_say("try 'rhomb help %s'", command->name);
    return CLI_USAGE;
}

/* The textbook's edit distance, for two short names. */
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
    size_t least = 1 + length / 4; /* more edits than this are another word, not a slip */
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

/* A long option, as typed: unknown, or the beginning of several. */
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

bool cli_parse_count(const char *text, int64_t *value)
{
    if (!isdigit((unsigned char)text[0]))
        return false;
    char *end;
    errno = 0;
    const long long number = strtoll(text, &end, 10);
    if (errno != 0)
        return false;
    int64_t unit = 1;
    if (end[0] != '\0') {
        switch (toupper((unsigned char)end[0])) {
        case 'K':
            unit = 1000;
            break;
        case 'M':
            unit = 1000000;
            break;
        case 'G':
            unit = 1000000000;
            break;
        default:
            return false;
        }
        if (end[1] != '\0')
            return false;
    }
    if (number > INT64_MAX / unit)
        return false;
    *value = number * unit;
    return true;
}

bool cli_parse_word(const char *text, const cli_word *list, size_t count, int *value)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].word, text) == 0) {
            *value = list[i].value;
            return true;
        }
    }
    return false;
}

const char *cli_word_of(int value, const cli_word *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].value == value)
            return list[i].word;
    }
    return "?";
}

/* A rate of --tune: a count, times in nanoseconds. False for a key that is none, too. */
static bool set_rate(const char *key, const char *value, rhomb_tuning *tuning, rhomb_rates *rates)
{
    const struct {
        const char *key;
        double *field;
        double unit;
    } fields[] = {
        {"wavefront-cells", &rates->cells_per_second, 1},
        {"wavefront-column", &rates->column_seconds, 1e-9},
        {"sweep-cells", &rates->sweep_cells_per_second, 1},
        {"sweep-block", &rates->sweep_block_seconds, 1e-9},
        {"letters", &rates->letters_per_second, 1},
    };
    int64_t number;
    for (size_t i = 0; i < CLI_COUNT(fields); i++) {
        if (strcmp(key, fields[i].key) != 0)
            continue;
        if (!cli_parse_count(value, &number))
            return false;
        *fields[i].field = (double)number * fields[i].unit;
        tuning->rates = rates;
        return true;
    }
    return false;
}

/* One KEY=VALUE of --tune. The ranges are the library's business. */
static bool set_tuning(const char *key, const char *value, rhomb_tuning *tuning, rhomb_rates *rates)
{
    static const cli_word SWITCH[] = {{"off", 0}, {"on", 1}};
    const struct {
        const char *key;
        int32_t *field;
    } numbers[] = {
        {"group", &tuning->group_size},
        {"items", &tuning->diagonals_per_item},
        {"columns", &tuning->tile_columns},
        {"bands", &tuning->bands_per_read},
        {"words", &tuning->words_per_item},
        {"blocks", &tuning->blocks_per_launch},
        {"directions", &tuning->directions},
        {"offsets", &tuning->offset_bits},
        {"lanes", &tuning->lanes},
        {"wide-group", &tuning->wide_group_size},
        {"wide-items", &tuning->wide_diagonals_per_item},
        {"wide-columns", &tuning->wide_tile_columns},
    };
    int word;
    int64_t number;
    if (strcmp(key, "shape") == 0) {
        if (!cli_parse_word(value, cli_tile_shapes, CLI_COUNT(cli_tile_shapes), &word))
            return false;
        tuning->tile_shape = (rhomb_tile_shape)word;
        return true;
    }
    if (strcmp(key, "prune") == 0) {
        if (!cli_parse_word(value, SWITCH, CLI_COUNT(SWITCH), &word))
            return false;
        tuning->no_pruning = word == 0;
        return true;
    }
    if (strcmp(key, "wide") == 0)
        return cli_parse_count(value, &tuning->wide_diagonals);
    if (strcmp(key, "beside") == 0)
        return cli_parse_count(value, &tuning->first_beside);
    if (strcmp(key, "beam") == 0) {
        tuning->beam_diagonals = -1;
        return strcmp(value, "off") == 0 || cli_parse_count(value, &tuning->beam_diagonals);
    }
    for (size_t i = 0; i < CLI_COUNT(numbers); i++) {
        if (strcmp(key, numbers[i].key) != 0)
            continue;
        if (!cli_parse_count(value, &number) || number > INT32_MAX)
            return false;
        *numbers[i].field = (int32_t)number;
        return true;
    }
    return set_rate(key, value, tuning, rates);
}

int cli_parse_tuning(const cli_command *command, const char *text, rhomb_tuning *tuning,
                     rhomb_rates *rates)
{
    while (true) {
        char item[64];
        const size_t length = strcspn(text, ",");
        snprintf(item, sizeof item, "%.*s", (int)length, text);
        char *value = strchr(item, '=');
        if (value != NULL)
            *value++ = '\0';
        if (value == NULL || length >= sizeof item || !set_tuning(item, value, tuning, rates))
            return cli_bad_usage(command, "--tune does not know '%.*s'", (int)length, text);
        if (text[length] == '\0')
            return CLI_OK;
        text += length + 1;
    }
}
