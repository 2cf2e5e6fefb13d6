/* SPDX-License-Identifier: MIT */
/*
 * Rows in the file of --resume, see range_rows.h. A row is a digest of its ranges, of eight bytes,
 * and numbers of seven bits a byte, the lowest first: most operations take one or two bytes.
 */
#include "host/cli/align/range_rows.h"

#include "host/cli/base/mix.h"

/* A section of the journal, its mark: the number of rows, and these. */
static const char ROWS[] = "rows";

/* What a row has. */
enum { EXCEEDS = 1, EXTENT = 2, FAILED = 4 };

/* Numbers of an extent. */
enum { EXTENT_NUMBERS = 6 };

/* The file is written when it lacks so many bytes or seconds. */
enum { FRESH_BYTES = 1 << 23, FRESH_SECONDS = 5 };

static uint64_t digest_of_row(const cli_range_row *row)
{
    const int64_t numbers[] = {row->line,   row->record[0], row->record[1], row->begin[0],
                               row->end[0], row->begin[1],  row->end[1],    row->reverse};
    return cli_mix(CLI_MIX_NONE, numbers, sizeof numbers);
}

static uint64_t digest_of_set(const rhomb_sequence_set *set)
{
    uint64_t digest = CLI_MIX_NONE;
    for (int64_t i = 0; i < rhomb_sequence_set_count(set); i++) {
        const char *name = NULL, *bases = NULL;
        int64_t length = 0;
        (void)!rhomb_sequence_set_get(set, i, &name, &bases, &length);
        digest = cli_mix(digest, name, strlen(name) + 1);
        digest = cli_mix(digest, bases, (size_t)length);
    }
    return digest;
}

/* Counts the rows that an earlier run has left. */
static void count_rows(cli_ranges_kept *kept)
{
    rhomb__section section = {.end = 0};
    while (cli_journal_next(kept->journal, &section)) {
        int64_t rows;
        if (strcmp(section.name, ROWS) != 0 || section.bytes < (int64_t)sizeof rows)
            continue;
        memcpy(&rows, section.content, sizeof rows);
        kept->rows += rows;
    }
}

int cli_ranges_kept_open(cli_ranges_kept *kept, const cli_range_rows *rows, bool by_target)
{
    const cli_align_arguments *args = rows->args;
    const rhomb_options *o = &args->pair.options;
    const rhomb_free_ends *ends = &args->how.free_ends;
    cli_buffer identity = {0};
    cli_journal_line(&identity, "version", rhomb_version());
    cli_journal_line(&identity, "call", "align --ranges");
    cli_journal_line(&identity, "scoring", args->pair.score.text);
    cli_journal_line(&identity, "scoring of N and IUPAC codes", args->ambiguous.text);
    cli_append_format(&identity,
                      "target: %016" PRIx64 "\nquery: %016" PRIx64 "\npart: %" PRId64 "/%" PRId64
                      "\nby-target: %d\nextend-ends: %" PRId64 "\nmax-distance: %" PRId64
                      "\nalphabet: %d\nmode: %d\nfree-ends: %" PRId64 ",%" PRId64 ",%" PRId64
                      ",%" PRId64 "\nz-drop: %" PRId64 "\nend-bonus: %" PRId64 "\n",
                      digest_of_set(cli_range_rows_set(rows, 0)),
                      digest_of_set(cli_range_rows_set(rows, 1)), args->pair.part.number,
                      args->pair.part.of, (int)by_target, args->extend_ends, o->max_distance,
                      (int)o->alphabet, (int)args->how.mode, ends->query_begin, ends->query_end,
                      ends->target_begin, ends->target_end, args->how.z_drop, args->how.end_bonus);
    cli_append_bytes(&identity, "", 1);
    const int status =
        identity.failed ? cli_fail(NULL, RHOMB_ERR_MEMORY)
                        : cli_journal_open(&kept->journal, args->pair.resume, identity.data, ROWS);
    cli_buffer_release(&identity);
    if (status != CLI_OK)
        return status;
    count_rows(kept);
    kept->settled = cli_seconds_now();
    if (kept->rows > 0)
        cli_note(0, "%" PRId64 " row%s complete already", kept->rows,
                 kept->rows == 1 ? " is" : "s are");
    return CLI_OK;
}

static void put(cli_buffer *out, uint64_t number)
{
    char *at = cli_buffer_room(out, 10);
    if (at == NULL)
        return;
    for (; number > 127; number >>= 7)
        *at++ = (char)((number & 127) | 128);
    *at++ = (char)number;
    cli_buffer_taken(out, at);
}

/* The next number of the section; 0 where it ends before. */
static uint64_t get(cli_ranges_kept *kept)
{
    uint64_t number = 0;
    for (int shift = 0; kept->at < kept->end && shift < 64; shift += 7) {
        const unsigned char byte = (unsigned char)*kept->at++;
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return number;
    }
    return 0;
}

/* The next bytes; false where the section ends before. */
static bool get_bytes(cli_ranges_kept *kept, void *bytes, size_t count)
{
    if ((size_t)(kept->end - kept->at) < count)
        return false;
    memcpy(bytes, kept->at, count);
    kept->at += count;
    return true;
}

/* Goes to the section of the next row. */
static bool find(cli_ranges_kept *kept)
{
    while (kept->at == kept->end) {
        if (!cli_journal_next(kept->journal, &kept->section))
            return false;
        if (strcmp(kept->section.name, ROWS) != 0)
            continue;
        kept->at = (const char *)kept->section.content + sizeof(int64_t);
        kept->end = (const char *)kept->section.content + kept->section.bytes;
    }
    return true;
}

static bool take_extent(cli_ranges_kept *kept)
{
    int64_t n[EXTENT_NUMBERS];
    if (!get_bytes(kept, n, sizeof n))
        return false;
    kept->extent = (rhomb_pair_extent){n[0], n[1], n[2], n[3], n[4], n[5] != 0};
    return true;
}

static bool take_failure(cli_ranges_kept *kept, cli_range_result *result)
{
    result->status = (rhomb_status)get(kept);
    const size_t length = (size_t)get(kept);
    if ((size_t)(kept->end - kept->at) < length)
        return false;
    free(kept->detail);
    kept->detail = strndup(kept->at, length);
    kept->ops.failed = kept->ops.failed || kept->detail == NULL;
    kept->at += length;
    result->detail = kept->detail;
    return true;
}

int cli_ranges_kept_take(cli_ranges_kept *kept, const cli_range_row *row, cli_range_result *result)
{
    uint64_t digest = 0;
    bool fine = find(kept) && get_bytes(kept, &digest, sizeof digest);
    if (fine && digest != digest_of_row(row))
        return cli_fail_with(CLI_INPUT, "the file of --resume is of other rows: line %" PRId64,
                             row->line);
    const uint64_t what = get(kept);
    *result = (cli_range_result){.exceeds = (what & EXCEEDS) != 0};
    if ((what & EXTENT) != 0)
        fine = fine && take_extent(kept);
    if ((what & FAILED) != 0)
        fine = fine && take_failure(kept, result);
    result->count = (int64_t)get(kept);
    fine = fine && result->count <= kept->end - kept->at;
    kept->ops.length = 0;
    for (int64_t i = 0; fine && i < result->count; i++) {
        const rhomb_path_op op = get(kept);
        cli_append_bytes(&kept->ops, (const char *)&op, sizeof op);
    }
    kept->rows--;
    result->extent = (what & EXTENT) != 0 ? &kept->extent : NULL;
    result->ops = (const rhomb_path_op *)(const void *)kept->ops.data;
    if (kept->ops.failed)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    return fine ? CLI_OK : cli_fail_with(CLI_INPUT, "the file of --resume is damaged");
}

int cli_ranges_kept_add(cli_ranges_kept *kept, const cli_range_row *row,
                        const cli_range_result *result)
{
    cli_buffer *out = &kept->fresh;
    const uint64_t digest = digest_of_row(row);
    const rhomb_pair_extent *e = result->extent;
    const bool failed = result->status != RHOMB_OK;
    if (kept->journal == NULL)
        return CLI_OK;
    cli_append_bytes(out, (const char *)&digest, sizeof digest);
    put(out, (result->exceeds ? EXCEEDS : 0u) | (e != NULL ? EXTENT : 0u) | (failed ? FAILED : 0u));
    if (e != NULL) {
        const int64_t n[EXTENT_NUMBERS] = {e->score,       e->target_begin, e->target_end,
                                           e->query_begin, e->query_end,    e->reached_end};
        cli_append_bytes(out, (const char *)n, sizeof n);
    }
    if (failed) {
        const char *detail = result->detail != NULL ? result->detail : "";
        put(out, (uint64_t)result->status);
        put(out, strlen(detail));
        cli_append_text(out, detail);
    }
    put(out, (uint64_t)result->count);
    for (int64_t i = 0; i < result->count; i++)
        put(out, result->ops[i]);
    kept->fresh_rows++;
    return out->length >= FRESH_BYTES || cli_seconds_now() - kept->settled >= FRESH_SECONDS
               ? cli_ranges_kept_settle(kept)
               : CLI_OK;
}

int cli_ranges_kept_settle(cli_ranges_kept *kept)
{
    if (kept->journal == NULL || kept->fresh_rows == 0)
        return CLI_OK;
    if (kept->fresh.failed)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    cli_journal_add(kept->journal, ROWS, &kept->fresh_rows, 1, kept->fresh.data,
                    kept->fresh.length);
    kept->fresh.length = 0;
    kept->fresh_rows = 0;
    kept->settled = cli_seconds_now();
    return cli_journal_settle(kept->journal);
}

void cli_ranges_kept_release(cli_ranges_kept *kept)
{
    cli_journal_release(kept->journal);
    cli_buffer_release(&kept->fresh);
    cli_buffer_release(&kept->ops);
    free(kept->detail);
    *kept = (cli_ranges_kept){0};
}
