/* SPDX-License-Identifier: MIT */
/*
 * What a sweep over a long pair is told, see long_job.h.
 */
#include "src/planner/long_job.h"

#include "src/base/int64.h"
#include "src/planner/long_shape.h"
#include "src/scoring/costs.h"

rhomb_status rhomb__long_check_mode(rhomb__error *error, const rhomb_mode_options *mode,
                                    const rhomb_scoring *scoring)
{
    const rhomb_free_ends *ends = &mode->free_ends;
    const bool scores = mode->mode == RHOMB_MODE_EXTEND || mode->mode == RHOMB_MODE_LOCAL;
    if ((unsigned)mode->mode > RHOMB_MODE_LOCAL)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "unknown mode %d", (int)mode->mode);
    if (scores && scoring->matrix != NULL && scoring->match == 0)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "local alignment and extension need a matrix with a score above 0: by "
                           "%s nothing aligned is always best",
                           scoring->matrix->name);
    if (scores && scoring->match == 0)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "local alignment and extension need a scoring with a match score");
    if (ends->query_begin < 0 || ends->query_end < 0 || ends->target_begin < 0 ||
        ends->target_end < 0 || mode->end_bonus < 0 || mode->z_drop < RHOMB_NO_LIMIT)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "free ends, z_drop and end_bonus must not be negative");
    if (mode->mode == RHOMB_MODE_EXTEND && scoring->matrix != NULL &&
        (mode->z_drop >= 0 || mode->end_bonus > 0))
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "z_drop and end_bonus do not go with a substitution matrix");
    return RHOMB_OK;
}

bool rhomb__long_drops(const rhomb_mode_options *mode)
{
    return mode->mode == RHOMB_MODE_EXTEND && mode->z_drop >= 0;
}

/* Where alignments with free ends begin and end, in a matrix of n columns and m rows. */
typedef struct edges {
    int64_t free_rows;
    int64_t free_columns;
    int64_t first_row;
    int64_t first_column;
} edges;

static edges edges_of(const rhomb_mode_options *mode, int64_t n, int64_t m)
{
    const rhomb_free_ends *ends = &mode->free_ends;
    return (edges){rhomb__min(ends->query_begin, m), rhomb__min(ends->target_begin, n),
                   m - rhomb__min(ends->query_end, m), n - rhomb__min(ends->target_end, n)};
}

/* The least that some path from a cell to an end takes: gaps alone, or mismatches and a gap. */
static int64_t path_from(const rhomb_scoring *s, const edges *e, int64_t n, int64_t m, int64_t row,
                         int64_t column)
{
    const int64_t rows = m - row, columns = n - column, both = rhomb__min(rows, columns);
    const int64_t rest = rows > columns ? rhomb__scoring_gap(s, e->first_row - row - both)
                                        : rhomb__scoring_gap(s, e->first_column - column - both);
    const int64_t gaps =
        rhomb__min(rhomb__scoring_gap(s, rows) + rhomb__scoring_gap(s, e->first_column - column),
                   rhomb__scoring_gap(s, columns) + rhomb__scoring_gap(s, e->first_row - row));
    return rhomb__min(gaps, both * s->mismatch + rest);
}

/* A score that the best alignment with free ends has at least. */
static int64_t least_with_free_ends(const rhomb_scoring *s, const edges *e, int64_t n, int64_t m)
{
    const int64_t rows = rhomb__min(e->free_rows, rhomb__max(m - n, 0));
    const int64_t columns = rhomb__min(e->free_columns, rhomb__max(n - m, 0));
    int64_t least = path_from(s, e, n, m, rows, columns);
    least = rhomb__min(least, path_from(s, e, n, m, e->free_rows, 0));
    return -rhomb__min(least, path_from(s, e, n, m, 0, e->free_columns));
}

/*
 * What an extension may have less at the end of the query than its best score. More than makes any
 * end of the query better than all else is not needed.
 */
static int64_t bonus_of(const rhomb_mode_options *mode, const rhomb_scoring *s, int64_t most,
                        int64_t m)
{
    return rhomb__min(mode->end_bonus,
                      most + 1 + s->mismatch + rhomb__scoring_gap(s, m) + rhomb__scoring_gap(s, 1));
}

static rhomb_status check_numbers(rhomb__error *error, const rhomb_scoring *scoring, int64_t n,
                                  int64_t m, int64_t highest)
{
    if (rhomb__max(n, m) > RHOMB__LONG_MOST_BASES)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "an alignment of %lld bases that is not end to end: up to %lld are "
                           "allowed",
                           (long long)rhomb__max(n, m), (long long)RHOMB__LONG_MOST_BASES);
    if (rhomb__scoring_most(scoring) > RHOMB__LONG_MOST_ADDEND || highest > RHOMB__LONG_MOST_SCORE)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "scores of an alignment of %lld and %lld bases might need more than the "
                           "31 bits that there are",
                           (long long)n, (long long)m);
    return RHOMB_OK;
}

/*
 * The most columns, or rows, of an alignment with that score, of which so many are rows, or
 * columns: what their matches add beyond the score pays for gaps.
 */
static int64_t long_reach(const rhomb_scoring *scoring, int64_t others, int64_t length,
                          int64_t score)
{
    const int64_t extend = rhomb__scoring_extend(scoring);
    if (extend == 0)
        return length;
    return rhomb__min(length, others + (others * scoring->match - score) / extend);
}

rhomb_status rhomb__long_forward(rhomb__error *error, const rhomb_mode_options *mode,
                                 const rhomb_scoring *scoring, int64_t n, int64_t m,
                                 rhomb_long_local_job *job, int32_t *best)
{
    rhomb_status status = RHOMB_OK;
    const int64_t shorter = rhomb__min(n, m);
    const edges e = edges_of(mode, n, m);
    int64_t least = 0, bonus = 0, credit = 0, rows = m, columns = n;
    /* Lengths and values first: then nothing below exceeds 64 bits. */
    RHOMB_TRY(check_numbers(error, scoring, n, m, 0));
    const int64_t most = shorter * scoring->match;
    if (mode->mode == RHOMB_MODE_ENDS_FREE) {
        least = least_with_free_ends(scoring, &e, n, m);
    } else if (rhomb__long_drops(mode)) {
        least = -rhomb__scoring_gap(scoring, n) -
                rhomb__scoring_gap(scoring, m); /* no cell has less, and all count */
    } else if (mode->mode == RHOMB_MODE_EXTEND) {
        bonus = bonus_of(mode, scoring, most, m);
        least = -bonus;
        rows = long_reach(scoring, n, m, least);
        columns = long_reach(scoring, rows, n, least);
    }
    if (mode->mode != RHOMB_MODE_LOCAL)
        credit = (rhomb__long_drops(mode) ? 0 : most) + 1 - least;
    RHOMB_TRY(check_numbers(error, scoring, n, m, most + credit));
    *best = (int32_t)(mode->mode == RHOMB_MODE_LOCAL       ? 0
                      : mode->mode == RHOMB_MODE_ENDS_FREE ? credit + least
                                                           : credit + 1);
    *job = (rhomb_long_local_job){.query_length = (rhomb_i32)rows,
                                  .target_length = (rhomb_i32)columns,
                                  .credit = (rhomb_i32)credit,
                                  .bonus = (rhomb_i32)bonus};
    if (mode->mode == RHOMB_MODE_ENDS_FREE) {
        job->free_rows = (rhomb_i32)e.free_rows;
        job->free_columns = (rhomb_i32)e.free_columns;
        job->first_row = (rhomb_i32)e.first_row;
        job->first_column = (rhomb_i32)e.first_column;
    }
    if (mode->mode == RHOMB_MODE_ENDS_FREE ||
        (mode->mode == RHOMB_MODE_EXTEND && mode->end_bonus > 0))
        job->last_row = (rhomb_i32)m;
    job->last_column = (rhomb_i32)n;
out:
    return status;
}

void rhomb__long_backward(const rhomb_mode_options *mode, const rhomb_scoring *scoring,
                          const rhomb_pair_extent *extent, rhomb_long_local_job *job, int32_t *best)
{
    const int64_t n = extent->target_end, m = extent->query_end;
    const int64_t rows = long_reach(scoring, n, m, extent->score);
    const int64_t columns = long_reach(scoring, rows, n, extent->score);
    const int64_t most = rhomb__min(rows, columns) * scoring->match + 1;
    *best = (int32_t)most;
    *job = (rhomb_long_local_job){.query_length = (rhomb_i32)rows,
                                  .target_length = (rhomb_i32)columns,
                                  .credit = (rhomb_i32)(most - extent->score)};
    if (mode->mode == RHOMB_MODE_LOCAL)
        return;
    job->first_row = (rhomb_i32)(m - rhomb__min(mode->free_ends.query_begin, m));
    job->first_column = (rhomb_i32)(n - rhomb__min(mode->free_ends.target_begin, n));
    job->last_row = (rhomb_i32)m;
    job->last_column = (rhomb_i32)n;
}

bool rhomb__long_is_before(rhomb_mode mode, const rhomb_long_local_cell *a,
                           const rhomb_long_local_cell *b)
{
    const int64_t at = (int64_t)a->column + a->row, other = (int64_t)b->column + b->row;
    if (a->score != b->score)
        return a->score > b->score;
    if (mode == RHOMB_MODE_EXTEND && at != other)
        return at < other;
    return a->column != b->column ? a->column < b->column : a->row < b->row;
}

/* The same cell as `best`, or one of the border if that is better. */
static void take_border(const rhomb_scoring *s, const rhomb_long_local_job *job, int64_t row,
                        int64_t column, rhomb_long_local_cell *best)
{
    const int64_t paid = column > 0 ? column - job->free_columns : row - job->free_rows;
    const rhomb_long_local_cell cell = {
        (rhomb_i32)rhomb__max(job->credit - rhomb__scoring_gap(s, paid), 0), (rhomb_i32)column,
        (rhomb_i32)row, 0};
    if (rhomb__long_is_before(RHOMB_MODE_ENDS_FREE, &cell, best))
        *best = cell;
}

rhomb_long_local_cell rhomb__long_border_end(const rhomb_mode_options *mode,
                                             const rhomb_scoring *scoring,
                                             const rhomb_long_local_job *job)
{
    rhomb_long_local_cell best = {0, 0, 0, 0};
    best.score = mode->mode == RHOMB_MODE_EXTEND ? job->credit : 0;
    if (mode->mode != RHOMB_MODE_ENDS_FREE)
        return best;
    /* In the first column, if it is the last one, or by its last row; in the first row likewise. */
    if (job->last_column == 0)
        take_border(scoring, job, job->first_row, 0, &best);
    else if (job->first_row == 0)
        take_border(scoring, job, 0, job->last_column, &best);
    if (job->last_row == 0)
        take_border(scoring, job, 0, job->first_column, &best);
    else if (job->first_column == 0)
        take_border(scoring, job, job->last_row, 0, &best);
    return best;
}

void rhomb__long_drop_take(rhomb__long_drop *d, const rhomb_scoring *scoring, int64_t z_drop,
                           int64_t score, int64_t row)
{
    const int64_t each = rhomb__scoring_extend(scoring);
    if (d->dropped)
        return;
    const int64_t column = ++d->looked_at - row;
    const int64_t rows = row - d->row, columns = column - d->column;
    if (score > d->score) {
        d->score = score;
        d->row = row;
        d->column = column;
    } else if (rows >= 0 && columns >= 0) {
        const int64_t beside = rows > columns ? rows - columns : columns - rows;
        d->dropped = d->score - score > z_drop + beside * each;
    }
}
