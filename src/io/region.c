/* SPDX-License-Identifier: MIT */
/*
 * Regions through hts_parse_region(), see region.h. That parser is lenient with numbers: 0 means
 * "from the start" or "to the end", "1e70" overflows, and ends beyond the record are cut off. Here
 * a range is plain digits with commas, counts from 1 and lies inside the record, or it is an error:
 * the distance of anything but the requested range would be a wrong answer.
 */
#include "src/io/region.h"

#include <ctype.h>
#include <htslib/hts.h>
#include <stdlib.h>
#include <string.h>

/* More digits than this could overflow an int64_t. */
#define MAX_DIGITS 18

typedef struct name_query {
    rhomb__region *region;
    bool out_of_memory;
} name_query;

/* An hts_name2id_f that knows no name, and notes the names that it is asked for. */
static int note_name(void *user, const char *name)
{
    name_query *query = user;
    rhomb__region *region = query->region;
    if (region->name_count == RHOMB__REGION_NAMES ||
        rhomb__region_find(region, name) < region->name_count)
        return -1;
    const size_t bytes = strlen(name) + 1;
    char *copy = malloc(bytes);
    if (copy == NULL) {
        query->out_of_memory = true;
        return -1;
    }
    memcpy(copy, name, bytes);
    region->names[region->name_count++] = copy;
    return -1;
}

rhomb_status rhomb__region_create(rhomb__error *error, const char *text, rhomb__region *region)
{
    *region = (rhomb__region){.text = text};
    if (text == NULL)
        return RHOMB_OK;
    name_query query = {region, false};
    int id = 0;
    hts_pos_t begin = 0;
    hts_pos_t end = 0;
    (void)hts_parse_region(text, &id, &begin, &end, note_name, &query, HTS_PARSE_THOUSANDS_SEP);
    rhomb_status status = RHOMB_OK;
    if (query.out_of_memory || id == -2)
        status = rhomb__fail_memory(error, strlen(text) + 1, "a region");
    else if (region->name_count == 0)
        status = rhomb__fail(error, RHOMB_ERR_INPUT, "region '%s': a '{' has no '}'", text);
    if (status != RHOMB_OK)
        rhomb__region_release(region);
    return status;
}

void rhomb__region_release(rhomb__region *region)
{
    for (size_t i = 0; i < region->name_count; i++)
        free(region->names[i]);
    *region = (rhomb__region){0};
}

size_t rhomb__region_find(const rhomb__region *region, const char *name)
{
    size_t i = 0;
    while (i < region->name_count && strcmp(region->names[i], name) != 0)
        i++;
    return i;
}

typedef struct existing_names {
    const rhomb__region *region;
    const int64_t *lengths;
} existing_names;

/* An hts_name2id_f for the names that exist. */
static int find_existing(void *user, const char *name)
{
    const existing_names *names = user;
    const size_t i = rhomb__region_find(names->region, name);
    return i < names->region->name_count && names->lengths[i] >= 0 ? (int)i : -1;
}

/* NULL if a range has the form that the file's comment requires, else what is wrong with it. */
static const char *find_range_fault(const char *range)
{
    if (range[strspn(range, "0123456789,-")] != '\0')
        return "a range must be BEG-END, in digits";
    for (const char *comma = strchr(range, ','); comma != NULL; comma = strchr(comma + 1, ','))
        if (comma == range || !isdigit((unsigned char)comma[-1]) ||
            !isdigit((unsigned char)comma[1]))
            return "a comma must be between two digits";
    if (*range == '-' && range[strspn(range, "-")] == '\0')
        return "a range must be BEG-END, in digits";
    const char *p = range;
    while (*p != '\0') {
        int digits = 0;
        bool is_zero = true;
        for (; *p != '\0' && *p != '-'; p++) {
            digits += *p != ',';
            is_zero = is_zero && (*p == '0' || *p == ',');
        }
        if (digits > MAX_DIGITS)
            return "a number has too many digits";
        if (digits > 0 && is_zero)
            return "positions count from 1";
        if (*p == '-')
            p++;
    }
    return NULL;
}

rhomb_status rhomb__region_resolve(rhomb__error *error, const char *input,
                                   const rhomb__region *region,
                                   const int64_t lengths[RHOMB__REGION_NAMES], size_t *which,
                                   rhomb__region_part *part)
{
    const char *text = region->text;
    existing_names names = {region, lengths};
    int id = -1;
    hts_pos_t from = 0;
    hts_pos_t to = 0;
    const bool parsed = hts_parse_region(text, &id, &from, &to, find_existing, &names,
                                         HTS_PARSE_THOUSANDS_SEP) != NULL;
    if (id == -2)
        return rhomb__fail_memory(error, strlen(text) + 1, "a region");
    if (id < 0)
        return rhomb__fail(error, RHOMB_ERR_INPUT,
                           "%s: region '%s' is a record and also a part of another: write {NAME} "
                           "or {NAME}:BEG-END",
                           input, text);
    *which = (size_t)id;
    const int64_t length = lengths[id];
    const char *rest = text + strlen(region->names[id]) + (*text == '{' ? 2 : 0);
    const char *fault = *rest == ':' ? find_range_fault(rest + 1) : NULL;
    const bool is_open = to == HTS_POS_MAX;
    if (fault == NULL && (!parsed || from < 0))
        fault = "a range must be BEG-END, with BEG at most END";
    if (fault != NULL)
        return rhomb__fail(error, RHOMB_ERR_INPUT, "%s: region '%s': %s", input, text, fault);
    if ((from > 0 && from >= length) || (!is_open && to > length))
        return rhomb__fail(error, RHOMB_ERR_INPUT,
                           "%s: region '%s' is out of range: the record has %lld bases", input,
                           text, (long long)length);
    *part = (rhomb__region_part){.record = region->names[id],
                                 .record_length = length,
                                 .begin = from,
                                 .end = is_open ? length : to};
    return RHOMB_OK;
}
