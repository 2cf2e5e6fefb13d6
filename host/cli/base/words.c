/* SPDX-License-Identifier: MIT */
/* The values of options, see words.h. */
#include "host/cli/base/words.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const cli_word cli_alphabets[4] = {{"dna", RHOMB_ALPHABET_DNA},
                                   {"bytes", RHOMB_ALPHABET_BYTES},
                                   {"iupac", RHOMB_ALPHABET_IUPAC},
                                   {"protein", RHOMB_ALPHABET_PROTEIN}};

const cli_word cli_engines[3] = {{"auto", RHOMB_ENGINE_AUTO},
                                 {"wavefront", RHOMB_ENGINE_WAVEFRONT},
                                 {"bitparallel", RHOMB_ENGINE_BITPARALLEL}};

const cli_word cli_tile_shapes[3] = {{"auto", RHOMB_TILE_AUTO},
                                     {"trapezoid", RHOMB_TILE_TRAPEZOID},
                                     {"diamond", RHOMB_TILE_DIAMOND}};

const cli_word cli_scorings[10] = {{"edit", 0},    {"affine:", 0}, {"affine2p:", 0}, {"match:", 0},
                                   {"matrix:", 0}, {"wfa", 0},     {"asm5", 0},      {"asm10", 0},
                                   {"asm20", 0},   {"map-ont", 0}};

bool cli_parse_count(const char *text, int64_t *value)
{
    static const char UNITS[] = "KMG";
    if (!isdigit((unsigned char)text[0]))
        return false;
    char *end;
    errno = 0;
    const long long number = strtoll(text, &end, 10);
    int64_t unit = 1;
    if (end[0] != '\0') {
        const char *found = strchr(UNITS, toupper((unsigned char)end[0]));
        if (found == NULL || end[1] != '\0')
            return false;
        for (const char *each = UNITS; each <= found; each++)
            unit *= 1000;
    }
    if (errno != 0 || number > INT64_MAX / unit)
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

#define AT(member) offsetof(rhomb_tuning, member)
#define WIDE       "write wide=DIAGONALS:GROUP:ITEMS:SCORES"
#define LOCAL      "write local=GROUP:ROWS:STEPS"

const cli_key cli_pair_keys[17] = {
    {"shape", CLI_KEY_SHAPE, AT(tile_shape), NULL},
    {"group", CLI_KEY_COUNT, AT(group_size), NULL},
    {"items", CLI_KEY_COUNT, AT(diagonals_per_item), NULL},
    {"scores", CLI_KEY_COUNT, AT(tile_scores), NULL},
    {"launches", CLI_KEY_COUNT, AT(launches_per_read), NULL},
    {"prune", CLI_KEY_BOOL, AT(no_pruning), "write prune=on|off"},
    {"words", CLI_KEY_COUNT, AT(words_per_item), NULL},
    {"blocks", CLI_KEY_COUNT, AT(blocks_per_launch), NULL},
    {"directions", CLI_KEY_COUNT, AT(directions), NULL},
    {"wide", CLI_KEY_LONG, AT(wide_diagonals), WIDE},
    {"wide", CLI_KEY_COUNT, AT(wide_group_size), WIDE},
    {"wide", CLI_KEY_COUNT, AT(wide_diagonals_per_item), WIDE},
    {"wide", CLI_KEY_COUNT, AT(wide_tile_scores), WIDE},
    {"local", CLI_KEY_COUNT, AT(local_group_size), LOCAL},
    {"local", CLI_KEY_COUNT, AT(local_item_rows), LOCAL},
    {"local", CLI_KEY_COUNT, AT(local_steps), LOCAL},
    {"chunk", CLI_KEY_LONG, AT(chunk_strips), NULL},
};

/* Whether a value is the first or the second word of "KEY=FIRST|SECOND", where a hint ends. */
static bool parse_bool(const char *value, const char *hint, bool *out)
{
    const char *first = strchr(hint, '=') + 1, *second = strchr(hint, '|') + 1;
    const size_t length = (size_t)(second - first) - 1;
    *out = strcasecmp(value, second) == 0;
    return *out || (strlen(value) == length && strncasecmp(value, first, length) == 0);
}

/* Sets the field of a key to a value. */
static bool set_field(const cli_key *key, const char *value, void *fields)
{
    void *field = (char *)fields + key->at;
    int word;
    int64_t number = -1;
    switch (key->kind) {
    case CLI_KEY_SHAPE:
        if (!cli_parse_word(value, cli_tile_shapes, CLI_COUNT(cli_tile_shapes), &word))
            return false;
        *(rhomb_tile_shape *)field = (rhomb_tile_shape)word;
        return true;
    case CLI_KEY_BOOL:
        return parse_bool(value, key->hint, field);
    case CLI_KEY_COUNT:
        if (!cli_parse_count(value, &number) || number > INT32_MAX)
            return false;
        *(int32_t *)field = (int32_t)number;
        return true;
    case CLI_KEY_LONG:
        return cli_parse_count(value, field);
    default:
        return false;
    }
}

const cli_key *cli_find_key(const char *item, const cli_key *keys, size_t count)
{
    const size_t length = strcspn(item, "=,");
    for (size_t i = 0; i < count; i++) {
        if (strlen(keys[i].key) == length && strncmp(item, keys[i].key, length) == 0)
            return &keys[i];
    }
    return NULL;
}

/* One KEY=VALUE[:VALUE...]. */
static bool set_key(const cli_key *key, const cli_key *end, const char *value, void *fields)
{
    for (const char *name = key->key; key < end && strcmp(name, key->key) == 0; key++) {
        char part[64];
        const size_t length = strcspn(value, ":");
        snprintf(part, sizeof part, "%.*s", (int)length, value);
        if (!set_field(key, part, fields))
            return false;
        value += length;
        if (value[0] == '\0')
            return key + 1 == end || strcmp(name, key[1].key) != 0;
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
        const char *value = strchr(item, '=');
        const cli_key *key = cli_find_key(item, keys, count);
        if (value == NULL || length >= sizeof item || key == NULL ||
            !set_key(key, keys + count, value + 1, fields))
            return text;
        if (text[length] == '\0')
            return NULL;
        text += length + 1;
    }
}
