/* SPDX-License-Identifier: MIT */
/*
 * SAM 1.6 (samtools.github.io/hts-specs/SAMv1.pdf), see align_formats.h: one record with all bases
 * of the query that were aligned, or two where a rotated one begins again, of which the second is
 * supplementary. The rest of the query's record is hard clips, as in wfmash: soft clips would need
 * their bases, which are not read when an index gives the region. What BAM cannot hold is refused,
 * as tools that read SAM convert it to BAM.
 */
#include "host/cli/align/align_formats.h"

#include <ctype.h>
#include <inttypes.h>

#include "host/cli/align/record_names.h"
#include "rhomb/rhomb.h"

/* BAM's limits: 31 bits for lengths and sizes, 28 for an operation, 8 for a name and its NUL. */
static const int64_t LENGTH_MOST = INT32_MAX;
static const int64_t OPERATION_MOST = (INT64_C(1) << 28) - 1;
enum { NAME_MOST = 254, FIXED_BYTES = 32, TAG_BYTES = 192, CLIPS_MOST = 2 };

/* Appends the arguments of a command, in one line. */
static void append_command(cli_buffer *out, const cli_head *head)
{
    cli_append_text(out, "rhomb");
    for (int i = 0; i < head->argc; i++) {
        cli_append_text(out, " ");
        for (const char *at = head->argv[i]; *at != '\0'; at++)
            cli_append_bytes(out, (unsigned char)*at < ' ' ? " " : at, 1);
    }
}

void cli_append_target(cli_buffer *out, const cli_target *target, const char *const marks[4])
{
    cli_append_text(out, marks[0]);
    cli_append_text(out, target->name);
    cli_append_labelled(out, marks[1], target->length);
    cli_append_text(out, target->md5 != NULL ? marks[2] : "");
    cli_append_text(out, target->md5 != NULL ? target->md5 : "");
    cli_append_text(out, marks[3]);
}

void cli_write_sam_head(cli_sink *sink, const cli_head *head)
{
    static const char *const MARKS[] = {"@SQ\tSN:", "\tLN:", "\tM5:", "\n"};
    cli_append_text(&sink->text, "@HD\tVN:1.6\tSO:coordinate\n");
    for (size_t i = 0; i < head->target_count && cli_sink_spill(sink); i++)
        cli_append_target(&sink->text, &head->targets[i], MARKS);
    cli_append_text(&sink->text, "@PG\tID:rhomb\tPN:rhomb\tVN:" RHOMB_VERSION "\tCL:");
    append_command(&sink->text, head);
    cli_append_text(&sink->text, "\n");
}

static void append_clip(cli_buffer *out, int64_t bases)
{
    if (bases == 0)
        return;
    cli_append_number(out, bases);
    cli_append_text(out, "H");
}

/* Mismatches, each after the number of matches before it. */
static void write_mismatches(cli_sink *sink, const char *bases, int64_t count, int64_t matches)
{
    for (int64_t i = 0; i < count && cli_sink_spill(sink); i++) {
        cli_append_number(&sink->text, i == 0 ? matches : 0);
        cli_sink_upper_bases(sink, &bases[i], 1);
    }
}

static void write_md(cli_sink *sink, const cli_path *path, const cli_path_row *row)
{
    cli_path_place place = row->begin;
    cli_path_piece piece;
    int64_t matches = 0;
    cli_append_text(&sink->text, "\tMD:Z:");
    while (cli_sink_spill(sink) && cli_path_next(path, &place, &row->end, &piece)) {
        const char *bases = path->target + piece.target;
        if (piece.code == RHOMB_CIGAR_EQ)
            matches += piece.length;
        if (piece.code == RHOMB_CIGAR_X)
            write_mismatches(sink, bases, piece.length, matches);
        if (piece.code == RHOMB_CIGAR_D) {
            cli_append_number(&sink->text, matches);
            cli_append_text(&sink->text, "^");
            cli_sink_upper_bases(sink, bases, piece.length);
        }
        if (piece.code == RHOMB_CIGAR_X || piece.code == RHOMB_CIGAR_D)
            matches = 0;
    }
    cli_append_number(&sink->text, matches);
}

/* The bases of a record; BAM has no U, and makes N of it. */
static void write_bases(cli_sink *sink, const char *bases, int64_t count, bool is_dna)
{
    if (count == 0)
        cli_append_text(&sink->text, "*");
    else if (is_dna)
        cli_sink_dna_bases(sink, bases, count);
    else
        cli_sink_bases(sink, bases, count);
    cli_append_text(&sink->text, "\t*");
}

static void write_row(cli_sink *sink, const cli_path *path, const cli_path_row *row, bool is_first,
                      bool is_dna)
{
    enum { REVERSE = 16, SUPPLEMENTARY = 2048 };
    const int64_t bases = row->end.query - row->begin.query;
    const cli_path_range query = cli_path_query_range(path, row->begin.query, row->end.query);
    const int64_t after = cli_path_query_record(path) - query.end;
    cli_append_text(&sink->text, path->query_name);
    cli_append_labelled(&sink->text, "\t",
                        (path->reverse ? REVERSE : 0) + (is_first ? 0 : SUPPLEMENTARY));
    cli_append_text(&sink->text, "\t");
    cli_append_text(&sink->text, path->target_name);
    cli_append_labelled(&sink->text, "\t", path->target_before + row->begin.target + 1);
    cli_append_text(&sink->text, "\t255\t");
    append_clip(&sink->text, path->reverse ? after : query.begin);
    cli_write_cigar(sink, path, row->begin, &row->end);
    append_clip(&sink->text, path->reverse ? query.begin : after);
    cli_append_text(&sink->text, "\t*\t0\t0\t");
    write_bases(sink, path->query + row->begin.query, bases, is_dna);
    cli_append_path_tags(&sink->text, path, row, "");
    if (path->md)
        write_md(sink, path, row);
    cli_append_text(&sink->text, "\n");
}

void cli_write_sam(cli_sink *sink, const cli_path *path, bool has_primary, bool is_dna)
{
    static const cli_path_cuts NONE = {0};
    cli_path_rows rows = {0};
    cli_path_row row;
    for (; cli_path_next_row(path, &NONE, &rows, &row); has_primary = true)
        write_row(sink, path, &row, !has_primary, is_dna);
}

void cli_write_sam_unaligned(cli_sink *sink, const char *name, const char *bases, int64_t length,
                             bool is_dna)
{
    cli_append_text(&sink->text, name);
    cli_append_text(&sink->text, "\t4\t*\t0\t0\t*\t*\t0\t0\t");
    write_bases(sink, bases, length, is_dna);
    cli_append_text(&sink->text, "\n");
}

static bool lacks_length(const char *role, int64_t length, int64_t least, char *why, size_t size)
{
    if (length >= least && length <= LENGTH_MOST)
        return false;
    snprintf(why, size, "the %s has %" PRId64 " bases: %" PRId64 " to %" PRId64 " are allowed",
             role, length, least, LENGTH_MOST);
    return true;
}

static bool lacks_clip(const char *where, int64_t length, char *why, size_t size)
{
    if (length <= OPERATION_MOST)
        return false;
    snprintf(why, size,
             "the query's record has %" PRId64 " bases %s the region: up to %" PRId64
             " are allowed",
             length, where, OPERATION_MOST);
    return true;
}

bool cli_sam_lacks_sequences(const cli_path *path, char *why, size_t size)
{
    if (cli_lacks_target_name(path->target_name, NAME_MOST, why, size) ||
        cli_lacks_query_name(path->query_name, NAME_MOST, why, size) ||
        lacks_length("target", cli_path_target_record(path), 1, why, size) ||
        lacks_length("query", path->query_length, 0, why, size) ||
        lacks_clip("before", path->query_before, why, size) ||
        lacks_clip("after", path->query_after, why, size))
        return true;
    cli_byte_text byte;
    for (int64_t i = 0; i < path->query_length; i++) {
        if (isalpha((unsigned char)path->query[i]))
            continue;
        snprintf(why, size, "character %" PRId64 " of the query is %s: A to Z are allowed", i + 1,
                 cli_show_byte(path->query[i], &byte));
        return true;
    }
    return false;
}

/* The most that MD takes: an operation has a number, and a character for each base. */
static int64_t md_bytes(const cli_path *path)
{
    int64_t bytes = CLI_NUMBER_BYTES;
    for (int64_t i = 0; i < path->count; i++) {
        const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(path->ops[i]);
        const unsigned code = (unsigned)RHOMB_CIGAR_CODE(path->ops[i]);
        if (code == RHOMB_CIGAR_X || code == RHOMB_CIGAR_D)
            bytes += CLI_NUMBER_BYTES + (code == RHOMB_CIGAR_X ? 2 : 1) * length;
    }
    return bytes;
}

bool cli_sam_lacks_path(const cli_path *path, char *why, size_t size)
{
    int64_t length = 0, number = 0;
    char letter = '\0';
    for (int64_t i = 0; i < path->count; i++) {
        const char next = cli_path_letter(path, (unsigned)RHOMB_CIGAR_CODE(path->ops[i]));
        length = (next == letter ? length : 0) + (int64_t)RHOMB_CIGAR_LENGTH(path->ops[i]);
        number += next != letter;
        letter = next;
        if (length <= OPERATION_MOST)
            continue;
        snprintf(why, size,
                 "operation %" PRId64 " is %" PRId64 "%c: up to %" PRId64 " bases are allowed",
                 number, length, letter, OPERATION_MOST);
        return true;
    }
    /* A base takes half a byte, a quality one, an operation four, wherever BAM stores it. */
    const int64_t bytes = FIXED_BYTES + TAG_BYTES + (int64_t)strlen(path->query_name) + 1 +
                          (path->query_length + 1) / 2 + path->query_length +
                          4 * (path->count + CLIPS_MOST) + (path->md ? md_bytes(path) : 0);
    if (bytes <= LENGTH_MOST)
        return false;
    snprintf(why, size, "the record would have %" PRId64 " bytes: up to %" PRId64 " are allowed",
             bytes, LENGTH_MOST);
    return true;
}
