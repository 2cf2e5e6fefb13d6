/* SPDX-License-Identifier: MIT */
/*
 * The values of options, see words.h. One table has the keys of --tune and where their values go.
 */
#include "host/cli/base/words.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const cli_word cli_alphabets[2] = {{"dna", RHOMB_ALPHABET_DNA}, {"bytes", RHOMB_ALPHABET_BYTES}};

const cli_word cli_engines[3] = {{"auto", RHOMB_ENGINE_AUTO},
                                 {"wavefront", RHOMB_ENGINE_WAVEFRONT},
                                 {"bitparallel", RHOMB_ENGINE_BITPARALLEL}};

const cli_word cli_tile_shapes[3] = {{"auto", RHOMB_TILE_AUTO},
                                     {"trapezoid", RHOMB_TILE_TRAPEZOID},
                                     {"diamond", RHOMB_TILE_DIAMOND}};

const cli_word cli_scorings[9] = {{"edit", 0},   {"affine:", 0}, {"affine2p:", 0},
                                  {"match:", 0}, {"wfa", 0},     {"asm5", 0},
                                  {"asm10", 0},  {"asm20", 0},   {"map-ont", 0}};

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
        if (strcasecmp(list[i].word, text) == 0) {
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

typedef enum key_kind {
    SHAPE,     /* a word, rhomb_tile_shape */
    PRUNING,   /* on or off; the field says the opposite */
    COUNT,     /* int32_t */
    LONG_COUNT /* int64_t */
} key_kind;

/* A key with several values has a row for each, in their order. */
static const struct {
    const char *key;
    key_kind kind;
    size_t at; /* in rhomb_tuning */
} KEYS[] = {
    {"shape", SHAPE, offsetof(rhomb_tuning, tile_shape)},
    {"group", COUNT, offsetof(rhomb_tuning, group_size)},
    {"items", COUNT, offsetof(rhomb_tuning, diagonals_per_item)},
    {"scores", COUNT, offsetof(rhomb_tuning, tile_scores)},
    {"launches", COUNT, offsetof(rhomb_tuning, launches_per_read)},
    {"prune", PRUNING, offsetof(rhomb_tuning, no_pruning)},
    {"words", COUNT, offsetof(rhomb_tuning, words_per_item)},
    {"blocks", COUNT, offsetof(rhomb_tuning, blocks_per_launch)},
    {"directions", COUNT, offsetof(rhomb_tuning, directions)},
    {"wide", LONG_COUNT, offsetof(rhomb_tuning, wide_diagonals)},
    {"wide", COUNT, offsetof(rhomb_tuning, wide_group_size)},
    {"wide", COUNT, offsetof(rhomb_tuning, wide_diagonals_per_item)},
    {"wide", COUNT, offsetof(rhomb_tuning, wide_tile_scores)},
    {"local", COUNT, offsetof(rhomb_tuning, local_group_size)},
    {"local", COUNT, offsetof(rhomb_tuning, local_item_rows)},
    {"local", COUNT, offsetof(rhomb_tuning, local_steps)},
    {"chunk", LONG_COUNT, offsetof(rhomb_tuning, chunk_strips)},
};

/* Sets the field of the tuning at `field` to a value of a kind. */
static bool set_field(key_kind kind, const char *value, void *field)
{
    static const cli_word SWITCH[] = {{"off", 0}, {"on", 1}};
    int word;
    int64_t number = -1;
    switch (kind) {
    case SHAPE:
        if (!cli_parse_word(value, cli_tile_shapes, CLI_COUNT(cli_tile_shapes), &word))
            return false;
        *(rhomb_tile_shape *)field = (rhomb_tile_shape)word;
        return true;
    case PRUNING:
        if (!cli_parse_word(value, SWITCH, CLI_COUNT(SWITCH), &word))
            return false;
        *(bool *)field = word == 0;
        return true;
    case COUNT:
        if (!cli_parse_count(value, &number) || number > INT32_MAX)
            return false;
        *(int32_t *)field = (int32_t)number;
        return true;
    default:
        if (!cli_parse_count(value, &number))
            return false;
        *(int64_t *)field = number;
        return true;
    }
}

/* One KEY=VALUE[:VALUE...]. */
static bool set_key(const char *key, const char *value, void *tuning)
{
    size_t i = 0;
    while (i < CLI_COUNT(KEYS) && strcmp(key, KEYS[i].key) != 0)
        i++;
    for (; i < CLI_COUNT(KEYS) && strcmp(key, KEYS[i].key) == 0; i++) {
        char part[64];
        const size_t length = strcspn(value, ":");
        snprintf(part, sizeof part, "%.*s", (int)length, value);
        if (!set_field(KEYS[i].kind, part, (char *)tuning + KEYS[i].at))
            return false;
        value += length;
        if (value[0] == '\0')
            return i + 1 == CLI_COUNT(KEYS) || strcmp(key, KEYS[i + 1].key) != 0;
        value++;
    }
    return false;
}

const char *cli_read_items(const char *text,
                           bool (*set)(const char *key, const char *value, void *user), void *user)
{
    while (true) {
        char item[64];
        const size_t length = strcspn(text, ",");
        snprintf(item, sizeof item, "%.*s", (int)length, text);
        char *value = strchr(item, '=');
        if (value != NULL)
            *value++ = '\0';
        if (value == NULL || length >= sizeof item || !set(item, value, user))
            return text;
        if (text[length] == '\0')
            return NULL;
        text += length + 1;
    }
}

const char *cli_read_tuning(const char *text, rhomb_tuning *tuning)
{
    return cli_read_items(text, set_key, tuning);
}
