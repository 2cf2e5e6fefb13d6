/* SPDX-License-Identifier: MIT */
/*
 * Sets of sequences, see sequence_set.h. Records are sorted by name once they are read, so that
 * files of millions of reads work as well as files of chromosomes.
 */
#include "src/io/sequence_set.h"

#include "src/base/error.h"
#include "src/io/records.h"
#include "src/io/region.h"

#include <stdlib.h>
#include <string.h>

typedef struct record {
    char *name;
    char *bases;
    char *qualities; /* NULL: of FASTA, or not asked for */
    int64_t length;
    size_t place; /* in the file */
} record;

struct rhomb_sequence_set {
    rhomb__error *error; /* the caller's */
    char *path;
    rhomb__bytes records; /* record each, sorted by name */
    size_t *places;       /* by the order of the file: the number in that of names */
};

static record *records_of(const rhomb_sequence_set *set)
{
    return (record *)(void *)set->records.data;
}

static size_t count_of(const rhomb_sequence_set *set)
{
    return set->records.length / sizeof(record);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const record *)a)->name, ((const record *)b)->name);
}

/* The text, trimmed; NULL if there is none. */
static char *take_text(rhomb__bytes *text)
{
    char *trimmed = text->data != NULL ? realloc(text->data, text->length + 1) : NULL;
    char *taken = trimmed != NULL ? trimmed : text->data;
    *text = (rhomb__bytes){0};
    return taken;
}

/* Reads the reader's current record, and adds it. */
static rhomb_status add_record(rhomb_sequence_set *set, rhomb__records *from, bool qualities)
{
    rhomb_status status = RHOMB_OK;
    rhomb__bytes bases = {0}, letters = {0};
    from->qualities = qualities ? &letters : NULL;
    record new = {.place = count_of(set), .name = rhomb__format("%s", rhomb__records_name(from))};
    if (new.name == NULL) {
        status = rhomb__fail_memory(set->error, from->name.length + 1, "a record's name");
        goto out;
    }
    RHOMB_TRY(rhomb__records_bases(from, &bases, &new.length));
    new.bases = take_text(&bases);
    new.qualities = take_text(&letters);
    RHOMB_TRY(rhomb__bytes_append(set->error, &set->records, &new, sizeof new));
    new = (record){0};

out:
    from->qualities = NULL;
    rhomb__bytes_release(&letters);
    rhomb__bytes_release(&bases);
    free(new.name);
    free(new.bases);
    free(new.qualities);
    return status;
}

static rhomb_status read_all(rhomb_sequence_set *set, rhomb__records *from, int32_t threads,
                             bool qualities)
{
    rhomb_status status = RHOMB_OK;
    bool found = false;
    RHOMB_TRY(rhomb__records_open(from, set->error, set->path));
    rhomb__stream_use_threads(&from->stream, from->stream.file_bytes, threads);
    RHOMB_TRY(rhomb__records_next(from, &found));
    while (found) {
        RHOMB_TRY(add_record(set, from, qualities));
        RHOMB_TRY(rhomb__records_next(from, &found));
    }
    if (count_of(set) == 0) {
        status = rhomb__records_fail_none(from);
        goto out;
    }
    qsort(set->records.data, count_of(set), sizeof(record), compare_names);
    set->places = malloc(count_of(set) * sizeof *set->places);
    if (set->places == NULL) {
        status = rhomb__fail_memory(set->error, count_of(set) * sizeof *set->places,
                                    "a set of sequences");
        goto out;
    }
    for (size_t i = 0; i < count_of(set); i++)
        set->places[records_of(set)[i].place] = i;

out:
    return status;
}

rhomb_status rhomb__sequence_set_read(rhomb__error *error, const char *path, int32_t threads,
                                      bool qualities, rhomb_sequence_set **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__records from = {.count = 0};
    *out = NULL;
    rhomb_sequence_set *set = calloc(1, sizeof *set);
    if (set == NULL)
        return rhomb__fail_memory(error, sizeof *set, "a set of sequences");
    set->error = error;
    set->path = rhomb__format("%s", path);
    if (set->path == NULL) {
        status = rhomb__fail_memory(error, strlen(path) + 1, "a file name");
        goto out;
    }
    RHOMB_TRY(read_all(set, &from, threads, qualities));
    *out = set;

out:
    rhomb__records_close(&from);
    if (status != RHOMB_OK)
        rhomb_sequence_set_destroy(set);
    return status;
}

void rhomb_sequence_set_destroy(rhomb_sequence_set *set)
{
    if (set == NULL)
        return;
    for (size_t i = 0; i < count_of(set); i++) {
        free(records_of(set)[i].name);
        free(records_of(set)[i].bases);
        free(records_of(set)[i].qualities);
    }
    rhomb__bytes_release(&set->records);
    free(set->places);
    free(set->path);
    free(set);
}

int64_t rhomb_sequence_set_count(const rhomb_sequence_set *set)
{
    return set != NULL ? (int64_t)count_of(set) : 0;
}

const rhomb__error *rhomb__sequence_set_error(const rhomb_sequence_set *set)
{
    return set->error;
}

/* The file, for messages. */
static const char *path_of(const rhomb_sequence_set *set)
{
    return strcmp(set->path, "-") == 0 ? "standard input" : set->path;
}

/* NULL if there is none; *twice if there are several. */
static const record *find_record(const rhomb_sequence_set *set, const char *name, bool *twice)
{
    const record *records = records_of(set);
    size_t low = 0;
    size_t high = count_of(set);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(records[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < count_of(set) && strcmp(records[low].name, name) == 0;
    *twice = found && low + 1 < count_of(set) && strcmp(records[low + 1].name, name) == 0;
    return found ? &records[low] : NULL;
}

bool rhomb__sequence_set_has(const rhomb_sequence_set *set, const char *name)
{
    bool twice = false;
    return find_record(set, name, &twice) != NULL;
}

static rhomb_status fail_twice(const rhomb_sequence_set *set, const char *name)
{
    return rhomb__fail(set->error, RHOMB_ERR_INPUT,
                       "%s: several records have the name '" RHOMB__NAME_FORMAT "'", path_of(set),
                       name);
}

/* Bases [begin, end) of a record. */
static void take_part(const rhomb_sequence_set *set, const record *from, int64_t begin, int64_t end,
                      rhomb__sequence_part *out)
{
    out->index = (size_t)(from - records_of(set));
    out->begin = begin;
    out->bases = from->bases != NULL ? from->bases + begin : "";
    out->length = end - begin;
}

/* The region that `name` means, if it is not a record itself. */
static rhomb_status find_region(const rhomb_sequence_set *set, const char *name,
                                rhomb__sequence_part *out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__region region = {.text = NULL};
    const record *records[RHOMB__REGION_NAMES] = {NULL};
    int64_t lengths[RHOMB__REGION_NAMES] = {0};
    size_t which = 0;
    rhomb__region_part part;
    bool exists = false;
    RHOMB_TRY(rhomb__region_create(set->error, name, &region));
    for (size_t i = 0; i < region.name_count; i++) {
        bool twice = false;
        records[i] = find_record(set, region.names[i], &twice);
        lengths[i] = records[i] != NULL ? records[i]->length : -1;
        exists = exists || records[i] != NULL;
        if (twice) {
            status = fail_twice(set, region.names[i]);
            goto out;
        }
    }
    if (!exists) {
        status = rhomb__fail(set->error, RHOMB_ERR_INPUT,
                             "%s: has no record '" RHOMB__NAME_FORMAT "'", path_of(set), name);
        goto out;
    }
    RHOMB_TRY(rhomb__region_resolve(set->error, path_of(set), &region, lengths, &which, &part));
    take_part(set, records[which], part.begin, part.end, out);

out:
    rhomb__region_release(&region);
    return status;
}

rhomb_status rhomb__sequence_set_locate(const rhomb_sequence_set *set, const char *name,
                                        rhomb__sequence_part *out)
{
    bool twice = false;
    rhomb__error_clear(set->error);
    const record *found = find_record(set, name, &twice);
    *out = (rhomb__sequence_part){.bases = NULL};
    if (twice)
        return fail_twice(set, name);
    if (found == NULL)
        return find_region(set, name, out);
    take_part(set, found, 0, found->length, out);
    return RHOMB_OK;
}

int64_t rhomb__sequence_set_length(const rhomb_sequence_set *set, size_t index)
{
    return records_of(set)[index].length;
}

size_t rhomb__sequence_set_place(const rhomb_sequence_set *set, size_t index)
{
    return records_of(set)[index].place;
}

size_t rhomb__sequence_set_number(const rhomb_sequence_set *set, size_t place)
{
    return set->places[place];
}

rhomb_status rhomb_sequence_set_get(const rhomb_sequence_set *set, int64_t index, const char **name,
                                    const char **bases, int64_t *length)
{
    if (set == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(set->error);
    if (index < 0 || index >= rhomb_sequence_set_count(set) || name == NULL || bases == NULL ||
        length == NULL)
        return rhomb__fail(set->error, RHOMB_ERR_ARGUMENT,
                           "the set has no record of that number, or a pointer is NULL");
    const record *found = &records_of(set)[set->places[index]];
    *name = found->name;
    *bases = found->bases != NULL ? found->bases : "";
    *length = found->length;
    return RHOMB_OK;
}

const char *rhomb_sequence_set_qualities(const rhomb_sequence_set *set, int64_t index)
{
    if (set == NULL || index < 0 || index >= rhomb_sequence_set_count(set))
        return NULL;
    return records_of(set)[set->places[index]].qualities;
}
