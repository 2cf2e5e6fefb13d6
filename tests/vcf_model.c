/* SPDX-License-Identifier: MIT */
/*
 * See vcf_model.h.
 */
#include "vcf_model.h"

#include "support/require.h"
#include "tests/reference/random_bases.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A field of a line. */
typedef struct field {
    const char *at;
    size_t length;
} field;

enum { FIELDS = 10 };

/* Splits a line that ends at `end`; false if it has another number of fields. */
static bool split(const char *line, const char *end, field fields[FIELDS])
{
    for (int i = 0; i < FIELDS; i++) {
        const char *tab = memchr(line, '\t', (size_t)(end - line));
        if ((tab == NULL) != (i == FIELDS - 1))
            return false;
        fields[i] = (field){line, (size_t)((tab != NULL ? tab : end) - line)};
        line = tab != NULL ? tab + 1 : end;
    }
    return true;
}

static bool is_text(const field *f, const char *text)
{
    return f->length == strlen(text) && memcmp(f->at, text, f->length) == 0;
}

static bool is_equal(const char *a, const char *b, int64_t length)
{
    for (int64_t i = 0; i < length; i++)
        if (folded_base(a[i]) != folded_base(b[i]))
            return false;
    return true;
}

static bool is_upper(const field *f)
{
    for (size_t i = 0; i < f->length; i++)
        if (!isupper((unsigned char)f->at[i]))
            return false;
    return f->length > 0;
}

/* Where the two sequences have got to, and where the last record ended without its anchor. */
typedef struct place {
    int64_t target;
    int64_t query;
    int64_t changed; /* -1: nothing yet */
} place;

/* Only an anchor is common: the first base, or the last one at the beginning. */
static const char *judge_alleles(const field *ref, const field *alt, const place *at,
                                 int64_t *first, int64_t *end)
{
    const bool begins = ref->at[0] == alt->at[0];
    const bool ends = ref->at[ref->length - 1] == alt->at[alt->length - 1];
    const bool is_indel = ref->length == 1 || alt->length == 1;
    *first = at->target;
    *end = at->target + (int64_t)ref->length;
    REQUIRE(!(begins && ends && ref->length == alt->length && ref->length == 1));
    REQUIRE(!begins || is_indel);
    REQUIRE(!ends || (is_indel && (begins || at->target == 0)));
    if (ends && at->target == 0)
        --*end;
    else if (begins)
        ++*first;
    return NULL;
}

static const char *apply(const field *f, const vcf_model_pair *p, place *at)
{
    char *end;
    const field *ref = &f[3], *alt = &f[4];
    const int64_t position = strtoll(f[1].at, &end, 10) - 1 - p->before;
    int64_t first, last;
    char info[64];
    REQUIRE(is_text(&f[0], p->name) && *end == '\t' && end > f[1].at);
    REQUIRE(is_text(&f[2], ".") && is_text(&f[5], "."));
    REQUIRE(is_text(&f[6], "PASS") || is_text(&f[6], "dissimilar"));
    REQUIRE(is_text(&f[8], "GT") && is_text(&f[9], "1"));
    REQUIRE(is_upper(ref) && is_upper(alt));
    REQUIRE(position >= at->target && position + (int64_t)ref->length <= p->target_length);
    const int64_t copied = position - at->target;
    REQUIRE(at->query + copied + (int64_t)alt->length <= p->query_length);
    REQUIRE(is_equal(p->target + at->target, p->query + at->query, copied));
    at->target = position;
    at->query += copied;
    snprintf(info, sizeof info, ";QSTART=%lld;QSTRAND=+", (long long)at->query + 1);
    REQUIRE(strncmp(f[7].at, "QNAME=", 6) == 0 && f[7].length > strlen(info));
    REQUIRE(memcmp(f[7].at + f[7].length - strlen(info), info, strlen(info)) == 0);
    REQUIRE(is_equal(ref->at, p->target + at->target, (int64_t)ref->length));
    REQUIRE(is_equal(alt->at, p->query + at->query, (int64_t)alt->length));
    const char *complaint = judge_alleles(ref, alt, at, &first, &last);
    if (complaint != NULL)
        return complaint;
    REQUIRE(first > at->changed);
    at->changed = last;
    at->target += (int64_t)ref->length;
    at->query += (int64_t)alt->length;
    return NULL;
}

const char *vcf_model_judge(const char *text, const vcf_model_pair *pair)
{
    place at = {0, 0, -1};
    while (*text != '\0') {
        field fields[FIELDS];
        const char *end = strchr(text, '\n');
        REQUIRE(end != NULL);
        REQUIRE(split(text, end, fields));
        const char *complaint = apply(fields, pair, &at);
        if (complaint != NULL)
            return complaint;
        text = end + 1;
    }
    const int64_t rest = pair->target_length - at.target;
    REQUIRE(rest == pair->query_length - at.query);
    REQUIRE(is_equal(pair->target + at.target, pair->query + at.query, rest));
    return NULL;
}
