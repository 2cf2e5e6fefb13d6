/* SPDX-License-Identifier: MIT */
/*
 * The transcript of a reader of pairs, see pairs_fixture.h.
 */
#include "pairs_fixture.h"

#include <unistd.h>

#include <sys/stat.h>

#include "fasta_fixture.h"
#include "support/test.h"

char queries_path[128];

rhomb__bytes transcript;

static void note_bytes(const char *bytes, int64_t length)
{
    assert_int_equal(
        rhomb__bytes_append(&error, &transcript, length > 0 ? bytes : "", (size_t)length),
        RHOMB_OK);
}

void note(const char *format, ...)
{
    char line[4096];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    assert_true(length >= 0 && (size_t)length < sizeof line);
    note_bytes(line, length);
}

/* Notes a detail with the folder's name, which differs from run to run, left out. */
static void note_detail(const char *detail)
{
    assert_non_null(detail);
    for (const char *at; (at = strstr(detail, folder)) != NULL; detail = at + strlen(folder) + 1)
        note("%.*s", (int)(at - detail), detail);
    note("%s\n", detail);
}

/* Counting lines takes as long as the chunk is, so that of many pairs only some are asked for. */
static bool wants_line(int64_t number)
{
    return number < 8 || number % 97 == 0;
}

void note_chunk(const rhomb_pair_chunk *chunk, int64_t first)
{
    size_t fault = 0;
    assert_int_equal(chunk->first, first);
    for (size_t i = 0; i < chunk->count; i++) {
        const rhomb_pair *pair = &chunk->pairs[i];
        if (fault < chunk->fault_count && chunk->faults[fault].index == i) {
            assert_int_equal(pair->query_length + pair->target_length, 0);
            note("!");
            note_detail(chunk->faults[fault++].detail);
            continue;
        }
        const rhomb_pair_names none = {NULL, NULL};
        const rhomb_pair_names *names = chunk->names != NULL ? &chunk->names[i] : &none;
        const bool wanted = wants_line(first + (int64_t)i);
        const int64_t line = wanted ? rhomb_pair_chunk_line(chunk, i) : 0;
        if (names->query != NULL || names->target != NULL)
            note("%s %s ", names->query != NULL ? names->query : "*",
                 names->target != NULL ? names->target : "*");
        if (line > 0)
            note("%" PRId64 " ", line);
        note_bytes(pair->query, pair->query_length);
        note("-");
        note_bytes(pair->target, pair->target_length);
        note("\n");
    }
    assert_int_equal(fault, chunk->fault_count);
}

const char *read_all(const char *queries, size_t text_bytes, int32_t readers)
{
    const rhomb_pairs_options options = RHOMB_PAIRS_OPTIONS_INIT;
    return read_all_with(queries, &options, text_bytes, readers);
}

rhomb_status read_bounded(const char *queries, size_t text_bytes, int32_t readers, size_t bound,
                          void (*check)(const rhomb_pairs *pairs, const rhomb_pair_chunk *chunk),
                          int64_t *count)
{
    const rhomb_pairs_options options = RHOMB_PAIRS_OPTIONS_INIT;
    rhomb_pairs *pairs = NULL;
    rhomb_pair_chunk *chunk = NULL;
    *count = 0;
    assert_int_equal(
        rhomb__pairs_open(&error, file_path, queries, &options, readers, text_bytes, &pairs),
        RHOMB_OK);
    if (bound > 0)
        rhomb__pairs_bound(pairs, bound);
    rhomb_status status = RHOMB_OK;
    do {
        status = rhomb_pairs_next(pairs, &chunk);
        check(pairs, chunk);
        *count += (int64_t)chunk->count;
    } while (status == RHOMB_OK && chunk->count > 0);
    rhomb__error_clear(&error);
    rhomb_pair_chunk_destroy(chunk);
    rhomb_pairs_destroy(pairs);
    return status;
}

/* The bytes of a file; 0 where it is none. */
static int64_t file_bytes(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) ? file.st_size : 0;
}

const char *read_all_with(const char *queries, const rhomb_pairs_options *options,
                          size_t text_bytes, int32_t readers)
{
    rhomb_pairs *pairs = NULL;
    rhomb_pair_chunk *chunk = NULL;
    const char *last = queries != NULL ? queries : file_path;
    const int64_t bytes = file_bytes(last);
    int64_t count = 0;
    transcript.length = 0;
    note("%s", "");
    rhomb__error_clear(&error);
    rhomb_status status =
        rhomb__pairs_open(&error, file_path, queries, options, readers, text_bytes, &pairs);
    while (status == RHOMB_OK) {
        status = rhomb_pairs_next(pairs, &chunk);
        if (status != RHOMB_OK || chunk->count == 0)
            break;
        note_chunk(chunk, count);
        count += (int64_t)chunk->count;
    }
    if (status == RHOMB_OK) {
        const rhomb_pairs_report *report = rhomb_pairs_get_report(pairs);
        assert_int_equal(report->pairs, count);
        assert_true(count == 0 || (report->seconds_read > 0 && report->seconds_parse > 0));
        if (count > 0 && file_bytes(last) == bytes) /* which was not cut off meanwhile */
            assert_true(report->fraction == (bytes > 0 ? 1 : -1));
        assert_int_equal(rhomb_pairs_next(pairs, &chunk), RHOMB_OK);
        assert_int_equal(chunk->count, 0);
    } else {
        assert_int_equal(status, RHOMB_ERR_INPUT);
        note_detail(rhomb__error_text(&error));
        if (pairs != NULL) { /* and again, whatever the record was used for meanwhile */
            rhomb__error_clear(&error);
            assert_int_equal(rhomb_pairs_next(pairs, &chunk), status);
            assert_true(rhomb__error_text(&error)[0] != '\0');
        }
    }
    rhomb_pair_chunk_destroy(chunk);
    rhomb_pairs_destroy(pairs);
    return transcript.data;
}

char *random_text(rng *r, size_t bytes, int64_t longest, size_t *length)
{
    static const char letters[] = "ACGTACGTACGTACGTACGTACGTACGTACGTACGT \r\t<>N\x7f";
    char *text = malloc(bytes + (size_t)longest + 8);
    const double odd = rng_chance(r, 0.5) ? 0.001 : 0.1;
    bool query = true;
    size_t at = 0;
    assert_non_null(text);
    while (at < bytes) {
        query = rng_chance(r, odd) ? rng_chance(r, 0.5) : query;
        if (!rng_chance(r, odd / 4))
            text[at++] = query ? '>' : '<';
        query = !query;
        for (int64_t i = rng_below(r, longest); i > 0; i--)
            text[at++] = letters[rng_below(r, rng_chance(r, odd / 10) ? 43 : 36)];
        if (rng_chance(r, odd))
            text[at++] = '\r';
        text[at++] = '\n';
    }
    *length = at;
    return text;
}

int pairs_set_up(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    snprintf(queries_path, sizeof queries_path, "%s/in2", folder);
    return 0;
}

int pairs_tear_down(void **state)
{
    rhomb__bytes_release(&transcript);
    return remove_folder(state);
}

int pairs_remove_files(void **state)
{
    unlink(queries_path);
    return remove_files(state);
}
