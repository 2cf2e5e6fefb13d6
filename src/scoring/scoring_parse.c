/* SPDX-License-Identifier: MIT */
/*
 * Scorings as users write them: a name, or a form with its values, see rhomb/scoring.h.
 */
#include "src/scoring/costs.h"
#include "src/scoring/score_matrix.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* NAME, or NAME:VALUE,... with as many values as this says. */
enum { MOST_VALUES = 6 };

static const struct {
    const char *name;
    rhomb_scoring scoring;
} PRESETS[] = {
    {"edit", RHOMB_SCORING_EDIT},          {"wfa", {0, 4, 6, 2, -1, -1, NULL}},
    {"asm5", {1, 19, 39, 3, 81, 1, NULL}}, {"asm10", {1, 9, 16, 2, 41, 1, NULL}},
    {"asm20", {1, 4, 6, 2, 26, 1, NULL}},  {"map-ont", {2, 4, 4, 2, 24, 1, NULL}},
};

/* A form, and where its values go in the order A, B, O1, E1, O2, E2. */
typedef struct form {
    const char *name;
    const char *values;
    int least, most;
    int first; /* 1: no match score; 2: a matrix, whose name comes before */
} form;

static const form FORMS[] = {
    {"affine", "X,O,E", 3, 3, 1},
    {"affine2p", "X,O1,E1,O2,E2", 5, 5, 1},
    {"match", "A,B,O,E[,O2,E2]", 4, 6, 0},
    {"matrix", "NAME,O,E[,O2,E2]", 2, 4, 2},
};

static bool is_named(const char *text, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(text, name, length) == 0;
}

static rhomb_status fail_unknown(rhomb__error *error, const char *text)
{
    char known[256] = "";
    for (size_t i = 0; i < COUNT(PRESETS) + COUNT(FORMS); i++) {
        const form *own = i < COUNT(PRESETS) ? NULL : &FORMS[i - COUNT(PRESETS)];
        const bool is_last = i + 1 == COUNT(PRESETS) + COUNT(FORMS);
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s%s%s",
                 i == 0    ? ""
                 : is_last ? " or "
                           : ", ",
                 own == NULL ? PRESETS[i].name : own->name, own == NULL ? "" : ":",
                 own == NULL ? "" : own->values);
    }
    return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "scoring '%s' is not %s", text, known);
}

/* One value of `length` characters. One that is too large stays too large. */
static rhomb_status read_value(rhomb__error *error, const char *text, size_t length, int64_t *value)
{
    const bool is_negative = length > 1 && text[0] == '-';
    *value = 0;
    for (size_t i = is_negative ? 1 : 0; i < length || length == 0; i++) {
        if (length == 0 || text[i] < '0' || text[i] > '9')
            return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "scoring: '%.*s' is not a whole number",
                               (int)length, text);
        if (*value < INT64_C(1) << 50)
            *value = 10 * *value + (text[i] - '0');
    }
    if (is_negative)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "scoring: '%.*s' is negative", (int)length,
                           text);
    return RHOMB_OK;
}

static rhomb_status read_values(rhomb__error *error, const form *own, const char *text,
                                rhomb_scoring *scoring)
{
    rhomb_status status = RHOMB_OK;
    int64_t values[MOST_VALUES] = {0, 0, 0, 0, -1, -1};
    int count = 0;
    for (const char *at = text + (own->first == 2 ? strcspn(text, ",") + 1 : 0);; at++) {
        const size_t length = strcspn(at, ",");
        if (own->first + count < MOST_VALUES)
            RHOMB_TRY(read_value(error, at, length, &values[own->first + count]));
        count++;
        at += length;
        if (*at == '\0')
            break;
    }
    if (count < own->least || count > own->most) {
        status =
            rhomb__fail(error, RHOMB_ERR_ARGUMENT, "scoring '%s:%s' has %d value%s, and needs %s",
                        own->name, text, count, count == 1 ? "" : "s",
                        own->values + (own->first == 2 ? strlen("NAME,") : 0));
        goto out;
    }
    if (own->first != 1 && count == own->most - 1) {
        status = rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                             "scoring '%s:%s' has only half of a second piece: %s", own->name, text,
                             own->values);
        goto out;
    }
    *scoring =
        (rhomb_scoring){values[0], values[1], values[2], values[3], values[4], values[5], NULL};
out:
    return status;
}

/* NAME,VALUE,...: a matrix, and what gaps cost. */
static rhomb_status read_matrix(rhomb__error *error, const form *own, const char *text,
                                rhomb__matrix_find_fn find, void *user, rhomb_scoring *scoring)
{
    rhomb_status status = RHOMB_OK;
    const size_t length = strcspn(text, ",");
    const rhomb_score_matrix *matrix = NULL;
    char known[256], name[4096];
    if (length == 0 || length >= sizeof name || text[length] == '\0')
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "scoring '%s:%s' needs %s", own->name, text,
                           own->values);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    RHOMB_TRY(read_values(error, own, text, scoring));
    matrix = rhomb__matrix_built_in(name);
    rhomb__matrix_names(known, sizeof known);
    if (matrix == NULL && find != NULL)
        RHOMB_TRY(find(user, name, &matrix));
    if (matrix == NULL)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "scoring: matrix '%s' is not %s", name,
                           known);
    rhomb_scoring_set_matrix(scoring, matrix);
out:
    return status;
}

static rhomb_status parse(rhomb__error *error, const char *text, rhomb__matrix_find_fn find,
                          void *user, rhomb_scoring *out)
{
    const size_t length = strcspn(text, ":");
    const char *values = text + length + (text[length] == ':');
    for (size_t i = 0; i < COUNT(PRESETS); i++) {
        if (!is_named(text, length, PRESETS[i].name))
            continue;
        if (text[length] == ':')
            return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "scoring '%s': %s takes no values", text,
                               PRESETS[i].name);
        *out = PRESETS[i].scoring;
        return RHOMB_OK;
    }
    for (size_t i = 0; i < COUNT(FORMS); i++) {
        if (!is_named(text, length, FORMS[i].name))
            continue;
        if (*values == '\0')
            return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "scoring '%s' needs values: %s:%s", text,
                               FORMS[i].name, FORMS[i].values);
        return FORMS[i].first == 2 ? read_matrix(error, &FORMS[i], values, find, user, out)
                                   : read_values(error, &FORMS[i], values, out);
    }
    return fail_unknown(error, text);
}

rhomb_status rhomb__scoring_parse_with(rhomb__error *error, const char *text,
                                       rhomb__matrix_find_fn find, void *user, rhomb_scoring *out)
{
    rhomb_status status = RHOMB_OK;
    rhomb_scoring scoring;
    rhomb__costs costs;
    RHOMB_TRY(parse(error, text, find, user, &scoring));
    RHOMB_TRY(rhomb__costs_of(error, &scoring, &costs));
    *out = scoring;
out:
    return status;
}

rhomb_status rhomb__scoring_parse(rhomb__error *error, const char *text, rhomb_scoring *out)
{
    return rhomb__scoring_parse_with(error, text, NULL, NULL, out);
}
