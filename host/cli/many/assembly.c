/* SPDX-License-Identifier: MIT */
/*
 * Assemblies, see assembly.h. A reader runs one job at a time, reading or a digest. Meanwhile only
 * the job's thread touches context and sequence, except for what rhomb.h allows.
 */
#include "host/cli/many/assembly.h"

#include "host/cli/base/cli.h"
#include "host/cli/base/mix.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "rhomb/all_records.h"
#include "rhomb/pairs.h"

/*
 * Shorter records are kept even if there is an index, which takes 33 ns for each of its records to
 * find one: 9,000 small ones took 5.4 s to be read again, and 0.1 s to be kept.
 */
enum { KEPT_BASES = 1 << 16 };

struct cli_assembly_reader {
    cli_assembly assembly;
    rhomb_sequence *sequence; /* of cli_assembly_start_one() */
    const char *region;
    bool is_one;
    rhomb_context *ctx;
    int32_t threads;
    atomic_int owners; /* the program, and a job with a thread: the last one frees it */
    bool runs;         /* a job does, on a thread that is not joined */
    bool is_done;      /* with reading */
    double began, ended;
    bool wants_minimizers;
    bool wants_md5;
    pthread_t thread;
    rhomb_status status;
    char wrong; /* a character that is no base, and where it is, from 1 on; of the last record */
    int64_t wrong_at;
};

/* Whether a file has an index that is not older. */
static bool has_index(const char *path)
{
    struct stat file, index;
    char *name = cli_with_ending(path, ".fai");
    const bool has = name != NULL && stat(path, &file) == 0 && S_ISREG(file.st_mode) &&
                     stat(name, &index) == 0 && index.st_mtime >= file.st_mtime;
    free(name);
    return has;
}

/* A copy of a text with its NUL; NULL of NULL, or without memory. */
static char *copy_of(const char *text, int64_t length)
{
    char *copy = text != NULL ? malloc((size_t)length + 1) : NULL;
    return copy != NULL ? memcpy(copy, text, (size_t)length + 1) : NULL;
}

static bool add_record(cli_assembly_reader *reader, const rhomb_record *from)
{
    cli_assembly *a = &reader->assembly;
    cli_record *grown = cli_list_grown(a->records, a->count, sizeof *grown);
    if (grown == NULL)
        return false;
    a->records = grown;
    cli_record *record = &a->records[a->count];
    *record = (cli_record){.name = strdup(from->name), .length = from->length};
    record->begin = a->count > 0 ? record[-1].begin + record[-1].length : 0;
    if (record->name == NULL)
        return false;
    a->count++;
    a->digest = cli_mix(a->digest, from->name, strlen(from->name) + 1);
    record->digest = cli_mix(CLI_MIX_NONE, from->bases, (size_t)from->length);
    a->digest = cli_mix(a->digest, &record->digest, sizeof record->digest);
    if (!a->is_indexed || from->length < KEPT_BASES) {
        record->bases = copy_of(from->bases, from->length);
        record->qualities = copy_of(from->qualities, from->length);
        if (record->bases == NULL || (record->qualities == NULL && from->qualities != NULL))
            return false;
    }
    return !reader->wants_minimizers ||
           cli_minimizers_add(&a->minimizers, from->bases, from->length,
                              cli_space_limit() > 0 ? 1 : cli_threads_meant(reader->threads));
}

/*
 * Notes the first character that is no base: what is aligned is checked there as well, but a file
 * of proteins may have no partner for any record.
 */
static bool check_bases(cli_assembly_reader *reader, const rhomb_record *record)
{
    static const char CODES[] = "ACGTUNRYSWKMBDHVacgtunryswkmbdhv";
    const int64_t at = (int64_t)strspn(record->bases, CODES);
    reader->wrong_at = at + 1;
    reader->wrong = at < record->length ? record->bases[at] : '\0';
    return at == record->length;
}

static rhomb_status read_all(cli_assembly_reader *reader)
{
    rhomb_records *records = NULL;
    const rhomb_record *record = NULL;
    rhomb_status status = rhomb_records_open(reader->ctx, reader->assembly.path, &records);
    while (status == RHOMB_OK) {
        status = rhomb_records_next(records, &record);
        if (status != RHOMB_OK || record == NULL)
            break;
        if (!add_record(reader, record))
            status = RHOMB_ERR_MEMORY;
        else if (reader->wants_minimizers && !check_bases(reader, record))
            status = RHOMB_ERR_ALPHABET;
        else if (reader->wants_md5)
            status = rhomb_records_md5(records,
                                       reader->assembly.records[reader->assembly.count - 1].md5);
    }
    rhomb_records_destroy(records);
    if (status == RHOMB_OK)
        cli_minimizers_finish(&reader->assembly.minimizers);
    return status;
}

/* Releases it, unless a job or the program still has it. */
static void drop(cli_assembly_reader *reader)
{
    if (atomic_fetch_sub(&reader->owners, 1) > 1)
        return;
    for (size_t i = 0; i < reader->assembly.count; i++) {
        free(reader->assembly.records[i].name);
        free(reader->assembly.records[i].bases);
        free(reader->assembly.records[i].qualities);
    }
    free(reader->assembly.records);
    cli_minimizers_release(&reader->assembly.minimizers);
    rhomb_sequence_destroy(reader->sequence);
    rhomb_context_destroy(reader->ctx);
    free(reader);
}

static void read_file(cli_assembly_reader *reader)
{
    reader->began = cli_seconds_now();
    reader->status = reader->is_one ? rhomb_sequence_read(reader->ctx, reader->assembly.path,
                                                          reader->region, &reader->sequence)
                                    : read_all(reader);
    reader->ended = cli_seconds_now();
    reader->is_done = true;
}

/* A job, as the next one. */
static void *run_reading(void *user)
{
    read_file(user);
    drop(user);
    return NULL;
}

static void *run_digest(void *user)
{
    cli_assembly_reader *reader = user;
    (void)rhomb_sequence_md5(reader->sequence);
    drop(reader);
    return NULL;
}

static void start_job(cli_assembly_reader *reader, void *(*job)(void *))
{
    if (reader->threads == 1)
        return;
    atomic_fetch_add(&reader->owners, 1);
    reader->runs = pthread_create(&reader->thread, NULL, job, reader) == 0;
    if (!reader->runs)
        atomic_fetch_sub(&reader->owners, 1);
}

/* Starts to read as the fields of `how` say. */
static cli_assembly_reader *start(const cli_assembly_reader *how)
{
    cli_assembly_reader *reader = malloc(sizeof *reader);
    if (reader != NULL)
        *reader = *how;
    if (reader == NULL || cli_context_create(&reader->ctx, "off", how->threads) != RHOMB_OK) {
        cli_fail(NULL, RHOMB_ERR_MEMORY);
        free(reader);
        return NULL;
    }
    atomic_init(&reader->owners, 1);
    start_job(reader, run_reading);
    return reader;
}

cli_assembly_reader *cli_assembly_start(const char *path, int32_t threads,
                                        const cli_minimizer_shape *shape, bool md5)
{
    const cli_assembly_reader how = {.threads = threads,
                                     .wants_minimizers = shape->w > 0,
                                     .wants_md5 = md5,
                                     .assembly = {.path = path,
                                                  .is_indexed = has_index(path),
                                                  .digest = CLI_MIX_NONE,
                                                  .minimizers = {.shape = *shape}}};
    return start(&how);
}

cli_assembly_reader *cli_assembly_start_one(const char *path, const char *region, int32_t threads)
{
    const cli_assembly_reader how = {
        .threads = threads, .is_one = true, .region = region, .assembly = {.path = path}};
    return start(&how);
}

/* The bytes of a file once it is uncompressed, roughly. */
static double size_of(const char *path)
{
    struct stat file;
    const size_t length = strlen(path);
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode))
        return 1e8;
    return (double)file.st_size * (length > 3 && strcmp(path + length - 3, ".gz") == 0 ? 4 : 1);
}

cli_minimizer_shape cli_assembly_shape(const char *target, const char *query)
{
    /* As many as a million, so that records of some kilobases have some. */
    enum { WINDOW_LEAST = 10, WINDOW_MOST = 100, MINIMIZERS = 1 << 20, BASES = 21 };
    const double window = 2 * (size_of(target) + size_of(query)) / 2 / MINIMIZERS;
    return (cli_minimizer_shape){.k = BASES,
                                 .w = window < WINDOW_LEAST  ? WINDOW_LEAST
                                      : window > WINDOW_MOST ? WINDOW_MOST
                                                             : (int)window,
                                 .share = 1};
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const cli_named *)a)->name, ((const cli_named *)b)->name);
}

cli_named *cli_assembly_names(const cli_assembly *assembly)
{
    cli_named *names = malloc((assembly->count + 1) * sizeof *names);
    for (size_t i = 0; i < assembly->count && names != NULL; i++)
        names[i] = (cli_named){assembly->records[i].name, i};
    if (names != NULL)
        qsort(names, assembly->count, sizeof *names, compare_names);
    return names;
}

const cli_named *cli_named_find(const cli_named *names, size_t count, const char *name)
{
    const cli_named key = {name, 0};
    return bsearch(&key, names, count, sizeof *names, compare_names);
}

/* Names tell records apart in the output. */
static int check_names(const cli_assembly *assembly)
{
    int status = CLI_OK;
    cli_named *names = cli_assembly_names(assembly);
    if (names == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    for (size_t i = 1; i < assembly->count && status == CLI_OK; i++) {
        if (strcmp(names[i].name, names[i - 1].name) == 0)
            status = cli_fail_with(CLI_INPUT, "%s: several records have the name '%s'",
                                   cli_input_name(assembly->path), names[i].name);
    }
    free(names);
    if (status == CLI_INPUT)
        cli_say_if_pairs(assembly->path);
    return status;
}

void cli_assembly_join(cli_assembly_reader *reader)
{
    if (reader->runs)
        pthread_join(reader->thread, NULL);
    reader->runs = false;
}

int cli_assembly_one(cli_assembly_reader *reader, const rhomb_sequence **sequence)
{
    cli_assembly_join(reader);
    if (!reader->is_done)
        read_file(reader);
    *sequence = reader->sequence;
    return reader->status == RHOMB_OK ? CLI_OK : cli_fail(reader->ctx, reader->status);
}

bool cli_assembly_has_several(const cli_assembly_reader *reader)
{
    /* The library's own words for that; its status is the same for all that is wrong with a file.
     */
    return reader->is_done && reader->region == NULL && reader->status == RHOMB_ERR_INPUT &&
           strstr(rhomb_context_error(reader->ctx), "say which one to use") != NULL;
}

void cli_assembly_digest(cli_assembly_reader *reader)
{
    start_job(reader, run_digest);
}

void cli_assembly_times(const cli_assembly_reader *reader, double *began, double *ended)
{
    *began = reader->began;
    *ended = reader->ended;
}

bool cli_say_if_pairs(const char *path)
{
    rhomb_context *ctx = NULL;
    rhomb_pairs *pairs = NULL;
    rhomb_pair_chunk *chunk = NULL;
    struct stat file; /* a pipe cannot be read twice */
    const bool is_pairs = strcmp(path, "-") != 0 && stat(path, &file) == 0 &&
                          S_ISREG(file.st_mode) && cli_context_create(&ctx, "off", 1) == RHOMB_OK &&
                          rhomb_pairs_open(ctx, path, NULL, NULL, &pairs) == RHOMB_OK &&
                          rhomb_pairs_next(pairs, &chunk) == RHOMB_OK && chunk->count > 0 &&
                          (chunk->fault_count == 0 || chunk->faults[0].index > 0);
    if (is_pairs)
        cli_say("%s is a file of pairs, for 'rhomb batch'", path);
    rhomb_pair_chunk_destroy(chunk);
    rhomb_pairs_destroy(pairs);
    rhomb_context_destroy(ctx);
    return is_pairs;
}

int cli_assembly_finish(cli_assembly_reader *reader, const cli_assembly **assembly)
{
    cli_assembly_join(reader);
    if (!reader->is_done)
        read_file(reader);
    *assembly = &reader->assembly;
    if (reader->status == RHOMB_ERR_ALPHABET)
        return cli_fail_with(
            CLI_INPUT,
            "%s: record '%s': character '%c' at position %lld is not a nucleotide or IUPAC code; "
            "proteins go with --alphabet protein of 'rhomb distance', 'align', 'batch' and "
            "'matrix'",
            cli_input_name(reader->assembly.path),
            reader->assembly.records[reader->assembly.count - 1].name, reader->wrong,
            (long long)reader->wrong_at);
    return reader->status == RHOMB_OK ? check_names(&reader->assembly)
                                      : cli_fail(reader->ctx, reader->status);
}

int cli_assembly_bases(cli_assembly_reader *reader, size_t index, const char **bases,
                       rhomb_sequence **owned)
{
    const cli_record *record = &reader->assembly.records[index];
    *owned = NULL;
    *bases = record->bases;
    if (record->bases != NULL)
        return CLI_OK;
    char *region = malloc(strlen(record->name) + sizeof "{}");
    if (region == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    strcat(strcat(strcpy(region, "{"), record->name), "}");
    const rhomb_status status =
        rhomb_sequence_read(reader->ctx, reader->assembly.path, region, owned);
    free(region);
    if (status != RHOMB_OK)
        return cli_fail(reader->ctx, status);
    *bases = rhomb_sequence_bases(*owned);
    return rhomb_sequence_length(*owned) == record->length
               ? CLI_OK
               : cli_fail_with(CLI_INPUT, "%s: has changed since it was read first: record '%s'",
                               reader->assembly.path, record->name);
}

size_t cli_assembly_record_at(const cli_assembly *assembly, int64_t base)
{
    size_t low = 0, high = assembly->count;
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        if (assembly->records[middle].begin <= base)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void cli_assembly_release(cli_assembly_reader *reader)
{
    if (reader == NULL)
        return;
    if (reader->runs)
        pthread_detach(reader->thread);
    drop(reader);
}
