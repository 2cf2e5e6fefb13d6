/* SPDX-License-Identifier: MIT */
/*
 * The values of options, see words.h.
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

static const cli_key KEYS[] = {
    {"shape", CLI_KEY_SHAPE, offsetof(rhomb_tuning, tile_shape)},
    {"group", CLI_KEY_COUNT, offsetof(rhomb_tuning, group_size)},
    {"items", CLI_KEY_COUNT, offsetof(rhomb_tuning, diagonals_per_item)},
    {"scores", CLI_KEY_COUNT, offsetof(rhomb_tuning, tile_scores)},
    {"launches", CLI_KEY_COUNT, offsetof(rhomb_tuning, launches_per_read)},
    {"prune", CLI_KEY_PRUNING, offsetof(rhomb_tuning, no_pruning)},
    {"words", CLI_KEY_COUNT, offsetof(rhomb_tuning, words_per_item)},
    {"blocks", CLI_KEY_COUNT, offsetof(rhomb_tuning, blocks_per_launch)},
    {"directions", CLI_KEY_COUNT, offsetof(rhomb_tuning, directions)},
    {"wide", CLI_KEY_LONG, offsetof(rhomb_tuning, wide_diagonals)},
    {"wide", CLI_KEY_COUNT, offsetof(rhomb_tuning, wide_group_size)},
    {"wide", CLI_KEY_COUNT, offsetof(rhomb_tuning, wide_diagonals_per_item)},
    {"wide", CLI_KEY_COUNT, offsetof(rhomb_tuning, wide_tile_scores)},
    {"local", CLI_KEY_COUNT, offsetof(rhomb_tuning, local_group_size)},
    {"local", CLI_KEY_COUNT, offsetof(rhomb_tuning, local_item_rows)},
    {"local", CLI_KEY_COUNT, offsetof(rhomb_tuning, local_steps)},
    {"chunk", CLI_KEY_LONG, offsetof(rhomb_tuning, chunk_strips)},
};

/* Sets the field at `field` to a value of a kind. */
static bool set_field(cli_key_kind kind, const char *value, void *field)
{
    static const cli_word SWITCH[] = {{"off", 0}, {"on", 1}};
    int word;
    int64_t number = -1;
    switch (kind) {
    case CLI_KEY_SHAPE:
        if (!cli_parse_word(value, cli_tile_shapes, CLI_COUNT(cli_tile_shapes), &word))
            return false;
        *(rhomb_tile_shape *)field = (rhomb_tile_shape)word;
        return true;
    case CLI_KEY_PRUNING:
        if (!cli_parse_word(value, SWITCH, CLI_COUNT(SWITCH), &word))
            return false;
        *(bool *)field = word == 0;
        return true;
    case CLI_KEY_COUNT:
        if (!cli_parse_count(value, &number) || number > INT32_MAX)
            return false;
        *(int32_t *)field = (int32_t)number;
        return true;
    case CLI_KEY_FLAG:
        if (!cli_parse_count(value, &number) || number > 1)
            return false;
        *(bool *)field = number == 1;
        return true;
    default:
        if (!cli_parse_count(value, &number))
            return false;
        *(int64_t *)field = number;
        return true;
    }
}

/* One KEY=VALUE[:VALUE...]. */
static bool set_key(const cli_key *keys, size_t count, const char *key, const char *value,
                    void *fields)
{
    size_t i = 0;
    while (i < count && strcmp(key, keys[i].key) != 0)
        i++;
    for (; i < count && strcmp(key, keys[i].key) == 0; i++) {
        char part[64];
        const size_t length = strcspn(value, ":");
        snprintf(part, sizeof part, "%.*s", (int)length, value);
        if (!set_field(keys[i].kind, part, (char *)fields + keys[i].at))
            return false;
        value += length;
        if (value[0] == '\0')
            return i + 1 == count || strcmp(key, keys[i + 1].key) != 0;
        value++;
    }
    return false;
}

const char *cli_read_keys(const char *text, const cli_key *keys, size_t count, void *fields)
{
    while (true) {
        char item[64];
        const size_t length = strcspn(text, ",");
        snprintf(item, sizeof item, "%.*s", (int)length, text);
        char *value = strchr(item, '=');
        if (value != NULL)
            *value++ = '\0';
        if (value == NULL || length >= sizeof item || !set_key(keys, count, item, value, fields))
            return text;
        if (text[length] == '\0')
            return NULL;
        text += length + 1;
    }
}

const char *cli_read_tuning(const char *text, rhomb_tuning *tuning)
{
    return cli_read_keys(text, KEYS, CLI_COUNT(KEYS), tuning);
}
