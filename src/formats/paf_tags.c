/* SPDX-License-Identifier: MIT */
/*
 * Values of PAF's columns and tags, see paf_reader.h. Numbers are read by hand: strtod() takes the
 * decimal point from the process's locale.
 */
#include "src/formats/paf_reader.h"

#include <stdio.h>
#include <string.h>

/* The most bytes of a text: no scoring has as many, but other programs' tags may. */
enum { TEXT_BYTES = 65536 };

bool rhomb__paf_parse_number(const char *text, int64_t *out)
{
    int64_t number = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9' || number > (RHOMB__PAF_LIMIT - 1 - (*text - '0')) / 10)
            return false;
        number = number * 10 + (*text - '0');
    }
    *out = number;
    return true;
}

bool rhomb__paf_tag_matters(const char *tag)
{
    static const char *const KNOWN[] = {"NM:i", "AS:i", "nn:i", "de:f", "tp:A",
                                        "sc:Z", "ro:i", "bl:i", "al:Z"};
    size_t i = 0;
    while (i < sizeof KNOWN / sizeof *KNOWN && strcmp(tag, KNOWN[i]) != 0)
        i++;
    return i < sizeof KNOWN / sizeof *KNOWN;
}

static rhomb_status parse_integer(rhomb_paf *paf, const char *tag, int64_t *out)
{
    const char *text = paf->value.data;
    const bool negative = *text == '-';
    if (!rhomb__paf_parse_number(text + (negative || *text == '+'), out))
        return rhomb__paf_fail(paf, "tag %s: '%s' is not an integer", tag, text);
    *out = negative ? -*out : *out;
    return RHOMB_OK;
}

/* value * 10^power; the power is a few hundred at most. */
static double scale(double value, int64_t power)
{
    for (; power > 0 && power < 400; power--)
        value *= 10;
    for (; power < 0 && power > -400; power++)
        value /= 10;
    return value;
}

static int64_t take_digits(const char **at, double *value)
{
    const char *begin = *at;
    for (; **at >= '0' && **at <= '9'; (*at)++)
        *value = *value * 10 + (**at - '0');
    return *at - begin;
}

/*
 * A decimal number, and half a unit of its last digit: 0 if it has neither a point nor an exponent,
 * as a divergence written 0 or 1 is taken to be exact.
 */
static bool parse_real(const char *at, double *value, double *rounding)
{
    double exponent = 0;
    *value = 0;
    const bool negative = *at == '-';
    at += negative || *at == '+';
    int64_t digits = take_digits(&at, value);
    int64_t behind = 0;
    const bool has_point = *at == '.';
    at += has_point;
    if (has_point)
        behind = take_digits(&at, value);
    digits += behind;
    const bool has_exponent = digits > 0 && (*at == 'e' || *at == 'E');
    at += has_exponent;
    const bool falls = has_exponent && *at == '-';
    at += has_exponent && (falls || *at == '+');
    if (has_exponent && take_digits(&at, &exponent) == 0)
        return false;
    if (digits == 0 || *at != '\0' || exponent > 300)
        return false;
    const int64_t power = (falls ? -(int64_t)exponent : (int64_t)exponent) - behind;
    *value = scale(negative ? -*value : *value, power);
    *rounding = has_point || has_exponent ? scale(0.5, power) : 0;
    return true;
}

static rhomb_status parse_divergence(rhomb_paf *paf)
{
    rhomb_paf_tags *tags = &paf->tags;
    tags->has_divergence = parse_real(paf->value.data, &tags->divergence, &tags->divergence_by);
    return tags->has_divergence
               ? RHOMB_OK
               : rhomb__paf_fail(paf, "tag de:f: '%s' is not a number", paf->value.data);
}

rhomb_status rhomb__paf_read_value(rhomb_paf *paf, const char *tag)
{
    rhomb_status status = RHOMB_OK;
    rhomb_paf_tags *tags = &paf->tags;
    bool has_block = false; /* its value says so itself */
    const struct {
        const char *tag;
        int64_t *value;
        bool *has;
    } integers[] = {{"NM:i", &tags->edits, &tags->has_edits},
                    {"AS:i", &tags->score, &tags->has_score},
                    {"nn:i", &tags->ambiguous, &tags->has_ambiguous},
                    {"ro:i", &tags->rotation, &tags->has_rotation},
                    {"bl:i", &tags->block, &has_block}};
    char what[16];
    snprintf(what, sizeof what, "tag %s", tag);
    if (strcmp(tag, "sc:Z") == 0) {
        RHOMB_TRY(rhomb__paf_read_field(paf, what, TEXT_BYTES, &paf->scoring));
        tags->scoring = paf->scoring.data;
        goto out;
    }
    RHOMB_TRY(rhomb__paf_read_field(paf, what, RHOMB__PAF_VALUE_BYTES, &paf->value));
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        if (strcmp(integers[i].tag, tag) == 0) {
            RHOMB_TRY(parse_integer(paf, tag, integers[i].value));
            *integers[i].has = true;
        }
    }
    /* Tags in lower case are anybody's: other texts are another program's. */
    if (strcmp(tag, "al:Z") == 0)
        tags->is_iupac = strcmp(paf->value.data, "iupac") == 0;
    if (strcmp(tag, "de:f") == 0)
        RHOMB_TRY(parse_divergence(paf));
    if (strcmp(tag, "tp:A") == 0) {
        if (paf->value.length != 1)
            status = rhomb__paf_fail(paf, "tag tp:A: '%s' is not one character", paf->value.data);
        else
            tags->type = paf->value.data[0];
    }

out:
    return status;
}
