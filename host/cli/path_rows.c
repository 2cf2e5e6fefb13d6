/* SPDX-License-Identifier: MIT */
/*
 * Paths and their rows, see path_rows.h.
 */
#include "path_rows.h"

static bool takes_target(unsigned code)
{
    return code != RHOMB_CIGAR_I;
}

static bool takes_query(unsigned code)
{
    return code != RHOMB_CIGAR_D;
}

static bool is_gap(unsigned code)
{
    return code == RHOMB_CIGAR_I || code == RHOMB_CIGAR_D;
}

/* What is left of the operation at a place, which is not the end. */
static cli_path_piece rest_at(const cli_path *path, const cli_path_place *place)
{
    const rhomb_path_op op = path->ops[place->index];
    return (cli_path_piece){.code = (unsigned)RHOMB_CIGAR_CODE(op),
                            .length = (int64_t)RHOMB_CIGAR_LENGTH(op) - place->used,
                            .target = place->target,
                            .query = place->query};
}

/* Moves behind the first `length` columns of the operation there. */
static void move(const cli_path *path, cli_path_place *place, int64_t length)
{
    const cli_path_piece rest = rest_at(path, place);
    place->target += takes_target(rest.code) ? length : 0;
    place->query += takes_query(rest.code) ? length : 0;
    place->used += length;
    if (length == rest.length) {
        place->index++;
        place->used = 0;
    }
}

bool cli_path_next(const cli_path *path, cli_path_place *place, const cli_path_place *end,
                   cli_path_piece *piece)
{
    if (place->index == end->index && place->used == end->used)
        return false;
    *piece = rest_at(path, place);
    if (place->index == end->index)
        piece->length = end->used - place->used;
    move(path, place, piece->length);
    return true;
}

cli_path_place cli_path_end(const cli_path *path)
{
    return (cli_path_place){
        .index = path->count, .target = path->target_length, .query = path->query_length};
}

/* Whether the rest of the operation there is left out. A cut never comes into one of those. */
static bool is_split(const cli_path_cuts *cuts, const cli_path_piece *rest)
{
    return cuts->split > 0 && is_gap(rest->code) && rest->length >= cuts->split;
}

/* Adds columns to a row. */
static void count_columns(cli_path_row *row, unsigned code, int64_t length)
{
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

/* Takes columns into a row until a cut. */
static void fill_row(const cli_path *path, const cli_path_cuts *cuts, cli_path_place *place,
                     cli_path_row *row)
{
    int64_t room = cuts->chunk > 0 ? cuts->chunk - place->target % cuts->chunk : INT64_MAX;
    while (place->index < path->count) {
        const cli_path_piece rest = rest_at(path, place);
        if (is_split(cuts, &rest) || (takes_target(rest.code) && room == 0))
            return;
        const bool fits = !takes_target(rest.code) || rest.length <= room;
        const int64_t length = fits ? rest.length : room;
        room -= takes_target(rest.code) ? length : 0;
        count_columns(row, rest.code, length);
        move(path, place, length);
    }
}

bool cli_path_next_row(const cli_path *path, const cli_path_cuts *cuts, cli_path_place *place,
                       cli_path_row *row)
{
    /* The row without columns: one index further is the end of an empty path. */
    if (path->count == 0) {
        *row = (cli_path_row){0};
        return place->index++ == 0;
    }
    while (place->index < path->count) {
        const cli_path_piece rest = rest_at(path, place);
        if (!is_split(cuts, &rest))
            break;
        move(path, place, rest.length);
    }
    if (place->index == path->count)
        return false;
    *row = (cli_path_row){.begin = *place};
    fill_row(path, cuts, place, row);
    row->end = *place;
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
    const int64_t edits = row->mismatches + row->gaps;
    return edits > 0 ? (double)edits / (double)(edits + row->matches) : 0;
}
