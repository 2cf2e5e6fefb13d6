/* SPDX-License-Identifier: MIT */
/* Paths and their rows, see path_rows.h. */
#include "host/cli/writers/path_rows.h"

#include "rhomb/identity.h"

#include <inttypes.h>
#include <stdio.h>

static bool takes_target(unsigned code)
{
    return code != RHOMB_CIGAR_I;
}

static bool takes_query(unsigned code)
{
    return code != RHOMB_CIGAR_D;
}

/* Then each pair of symbols has a score of its own. */
static bool has_matrix(const cli_path *path)
{
    return path->scoring != NULL && path->scoring->matrix != NULL;
}

static bool is_gap(unsigned code)
{
    return code == RHOMB_CIGAR_I || code == RHOMB_CIGAR_D;
}

bool cli_path_is_similar(const cli_path *path, cli_similar *s, int64_t index)
{
    while (s->known <= index) {
        if (s->read == 0)
            s->now = rhomb_similar_begin(path->least_identity);
        const rhomb_similar_part part = s->read < path->count
                                            ? rhomb_similar_add(&s->now, path->ops[s->read++])
                                            : rhomb_similar_end(&s->now);
        if (part == RHOMB_SIMILAR_OPEN)
            continue;
        s->known = s->read;
        s->is_similar = part == RHOMB_SIMILAR_YES;
    }
    return s->is_similar;
}

void cli_path_take_parts(cli_path *path, const rhomb_pair_extent *e)
{
    path->target_before += e->target_begin;
    path->target_after += path->target_length - e->target_end;
    path->target += e->target_begin;
    path->target_length = e->target_end - e->target_begin;
    path->query_before += path->reverse ? path->query_length - e->query_end : e->query_begin;
    path->query_after += path->reverse ? e->query_begin : path->query_length - e->query_end;
    path->query += e->query_begin;
    path->query_length = e->query_end - e->query_begin;
}

cli_path_cursor cli_path_end(const cli_path *path)
{
    return (cli_path_cursor){
        .index = path->count, .target = path->target_length, .query = path->query_length};
}

/* The cursor on the strand. */
static int64_t strand_cursor(const cli_path *path, int64_t at)
{
    const int64_t cursor = at + path->rotation;
    return cursor >= path->query_length && path->rotation > 0 ? cursor - path->query_length
                                                              : cursor;
}

cli_path_range cli_path_query_range(const cli_path *path, int64_t begin, int64_t end)
{
    const int64_t first = strand_cursor(path, begin), last = first + end - begin;
    return path->reverse ? (cli_path_range){path->query_before + path->query_length - last,
                                            path->query_before + path->query_length - first}
                         : (cli_path_range){path->query_before + first, path->query_before + last};
}

int64_t cli_path_query_position(const cli_path *path, int64_t base)
{
    return cli_path_query_range(path, base, base + 1).end;
}

int64_t cli_path_target_record(const cli_path *path)
{
    return path->target_before + path->target_length + path->target_after;
}

int64_t cli_path_query_record(const cli_path *path)
{
    return path->query_before + path->query_length + path->query_after;
}

/* Adds an operation to the score. */
static void follow(cli_path_turn *now, rhomb_path_op op)
{
    const unsigned code = (unsigned)RHOMB_CIGAR_CODE(op);
    const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(op);
    now->index++;
    if (code == RHOMB_CIGAR_EQ) {
        now->score += length;
    } else if (is_gap(code)) {
        now->score -= length;
        now->bases += length;
    }
}

/*
 * Whether the score has just risen by `gain` from a valley. Of equal peaks the first one counts, of
 * equal valleys the last one.
 */
static bool turns_up(cli_path_rows *rows, int64_t gain)
{
    const cli_path_turn *now = &rows->now;
    if (rows->rises) {
        if (now->score > rows->peak.score)
            rows->peak = *now;
        rows->rises = rows->peak.score - now->score < gain;
        rows->valley = *now;
        return false;
    }
    if (now->score <= rows->valley.score)
        rows->valley = *now;
    rows->rises = now->score - rows->valley.score >= gain;
    return rows->rises;
}

/*
 * Finds the next long gap, or an empty one at the end. A gap that would be the whole path does not
 * split, since no row would be left.
 */
static void find_long_gap(const cli_path *path, const cli_path_cuts *cuts, cli_path_rows *rows)
{
    const int64_t gain = cuts->split < CLI_PATH_GAIN ? cuts->split : CLI_PATH_GAIN;
    const bool is_last = cuts->split == 0 || rows->long_gap.end == path->count;
    rows->long_gap = (cli_path_gap){path->count, path->count};
    if (is_last)
        return;
    while (rows->now.index < path->count) {
        follow(&rows->now, path->ops[rows->now.index]);
        if (!turns_up(rows, gain))
            continue;
        const cli_path_turn peak = rows->peak;
        rows->peak = rows->now;
        if (rows->valley.bases - peak.bases >= cuts->split) {
            rows->long_gap = (cli_path_gap){peak.index, rows->valley.index};
            return;
        }
    }
    if (rows->now.bases - rows->peak.bases >= cuts->split && rows->peak.index > 0)
        rows->long_gap.begin = rows->peak.index;
}

/* Finds the next range that is not similar, or an empty one at the end. */
static void find_other(const cli_path *path, const cli_path_cuts *cuts, cli_path_rows *rows)
{
    int64_t begin = cuts->similar_only ? rows->other.end : path->count;
    while (begin < path->count && cli_path_is_similar(path, &rows->similar, begin))
        begin = rows->similar.known;
    int64_t end = begin;
    while (end < path->count && !cli_path_is_similar(path, &rows->similar, end))
        end = rows->similar.known;
    rows->other = (cli_path_gap){begin, end};
}

/* Finds the next gap: all those of both kinds that touch, from the first one on. */
static void find_gap(const cli_path *path, const cli_path_cuts *cuts, cli_path_rows *rows)
{
    cli_path_gap *gap = &rows->gap, *const found[] = {&rows->long_gap, &rows->other};
    gap->begin = gap->end = found[0]->begin < found[1]->begin ? found[0]->begin : found[1]->begin;
    for (int i = 0; i < 2; i++) {
        if (found[i]->begin > gap->end || found[i]->begin == path->count)
            continue;
        if (found[i]->end > gap->end)
            gap->end = found[i]->end;
        if (i == 0)
            find_long_gap(path, cuts, rows);
        else
            find_other(path, cuts, rows);
        i = -1;
    }
}

/* Adds columns to a row: all that it has of an operation. Their score, if it is by itself. */
static void count_columns(const cli_path *path, cli_path_row *row, const cli_path_segment *segment,
                          int64_t length)
{
    const unsigned code = segment->code;
    if (is_gap(code) || has_matrix(path))
        row->score +=
            rhomb_scoring_bases_score(path->scoring, (rhomb_path_op)length << 4 | code,
                                      takes_target(code) ? path->target + segment->target : NULL,
                                      takes_query(code) ? path->query + segment->query : NULL);
    row->gaps += is_gap(code);
    if (code == RHOMB_CIGAR_EQ)
        row->matches += length;
    else if (code == RHOMB_CIGAR_X)
        row->mismatches += length;
    else if (code == RHOMB_CIGAR_I)
        row->inserted += length;
    else
        row->deleted += length;
}

/* What a row's matches and mismatches come to, without a matrix. */
static int64_t score_columns(const cli_path *path, const cli_path_row *row)
{
    if (has_matrix(path))
        return 0;
    return rhomb_scoring_op_score(path->scoring,
                                  (rhomb_path_op)row->matches << 4 | RHOMB_CIGAR_EQ) +
           rhomb_scoring_op_score(path->scoring,
                                  (rhomb_path_op)row->mismatches << 4 | RHOMB_CIGAR_X);
}

/* The columns of an operation that still fit in a row. */
static int64_t fit(const cli_path_segment *rest, int64_t target_room, int64_t query_room)
{
    int64_t length = rest->length;
    if (takes_target(rest->code) && length > target_room)
        length = target_room;
    return takes_query(rest->code) && length > query_room ? query_room : length;
}

/*
 * Adds columns to a row, up to a chunk's end, the beginning of a rotated strand or the operation
 * `end`.
 */
static void fill_row(const cli_path *path, int64_t chunk, int64_t end, cli_path_cursor *cursor,
                     cli_path_row *row)
{
    const int64_t seam = path->query_length - path->rotation;
    int64_t room = chunk > 0 ? chunk - cursor->target % chunk : INT64_MAX;
    int64_t query_room = cursor->query < seam ? seam - cursor->query : INT64_MAX;
    while (cursor->index < end) {
        const cli_path_segment rest = cli_path_rest(path, cursor);
        const int64_t length = fit(&rest, room, query_room);
        if (length == 0)
            break;
        room -= takes_target(rest.code) ? length : 0;
        query_room -= takes_query(rest.code) ? length : 0;
        count_columns(path, row, &rest, length);
        cli_path_move(cursor, &rest, length);
    }
    row->score += score_columns(path, row);
}

/* Moves past an operation. */
static void move_on(const cli_path *path, cli_path_cursor *cursor)
{
    const cli_path_segment rest = cli_path_rest(path, cursor);
    cli_path_move(cursor, &rest, rest.length);
}

bool cli_path_next_row(const cli_path *path, const cli_path_cuts *cuts, cli_path_rows *rows,
                       cli_path_row *row)
{
    cli_path_cursor *cursor = &rows->cursor;
    /* The row without columns; an empty path ends at index 1. */
    if (path->count == 0) {
        *row = (cli_path_row){0};
        return cursor->index++ == 0;
    }
    while (cursor->index == rows->gap.begin && cursor->index < path->count) {
        while (cursor->index < rows->gap.end)
            move_on(path, cursor);
        find_gap(path, cuts, rows);
    }
    if (cursor->index == path->count)
        return false;
    *row = (cli_path_row){.begin = *cursor};
    fill_row(path, cuts->chunk, rows->gap.begin, cursor, row);
    row->end = *cursor;
    return true;
}

/* Counts the operations of a gap that have a code, and their bases. */
static int64_t count_segments(const cli_path *path, const cli_path_gap *gap, unsigned code,
                              int64_t *bases)
{
    int64_t segments = 0;
    *bases = 0;
    for (int64_t i = gap->begin; i < gap->end; i++) {
        const bool counts = RHOMB_CIGAR_CODE(path->ops[i]) == code;
        segments += counts;
        *bases += counts ? (int64_t)RHOMB_CIGAR_LENGTH(path->ops[i]) : 0;
    }
    return segments;
}

/* The cursor before an operation. */
static cli_path_cursor place_of(const cli_path *path, int64_t index)
{
    cli_path_cursor cursor = {0};
    while (cursor.index < index)
        move_on(path, &cursor);
    return cursor;
}

bool cli_path_tell_broken_gap(const cli_path *path, char text[CLI_BROKEN_GAP_BYTES])
{
    static const unsigned CODES[] = {RHOMB_CIGAR_D, RHOMB_CIGAR_I};
    const cli_path_cuts cuts = {.split = CLI_LONG_GAP};
    cli_path_rows rows = {0};
    const cli_path_gap *gap = &rows.long_gap;
    int64_t bases = 0, segments = 0;
    int i = 2;
    while (i == 2 && gap->end < path->count) {
        find_long_gap(path, &cuts, &rows);
        for (i = 0; i < 2; i++) {
            segments = count_segments(path, gap, CODES[i], &bases);
            if (bases >= CLI_LONG_GAP && segments > 1)
                break;
        }
    }
    if (i == 2)
        return false;
    const cli_path_cursor begin = place_of(path, gap->begin), end = place_of(path, gap->end);
    const cli_path_range query = cli_path_query_range(path, begin.query, end.query);
    snprintf(text, CLI_BROKEN_GAP_BYTES,
             "%s of %" PRId64 " bases is in %" PRId64 " pieces, at %.150s:%" PRId64 "-%" PRId64
             " and %.150s:%" PRId64 "-%" PRId64
             ": unit costs do not keep a gap together, --score wfa does",
             CODES[i] == RHOMB_CIGAR_D ? "a deletion" : "an insertion", bases, segments,
             path->target_name, path->target_before + begin.target + 1,
             path->target_before + end.target, path->query_name, query.begin + 1, query.end);
    return true;
}

int64_t cli_path_row_columns(const cli_path_row *row)
{
    return row->matches + cli_path_row_edits(row);
}

int64_t cli_path_row_edits(const cli_path_row *row)
{
    return row->mismatches + row->inserted + row->deleted;
}

double cli_path_row_divergence(const cli_path_row *row)
{
    return rhomb_gap_compressed_divergence(row->matches, row->mismatches, row->gaps);
}
