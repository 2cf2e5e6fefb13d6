/* SPDX-License-Identifier: MIT */
/*
 * See sweep_model.h.
 */
#include "sweep_model.h"

#include "src/base/int64.h"

#include <string.h>

static void complain(sweep_model *m, const char *what, int64_t strip)
{
    if (m->wrong == NULL) {
        m->wrong = what;
        m->wrong_strip = strip;
    }
}

int64_t sweep_model_first_block(const rhomb__sweep *sweep, int64_t direction)
{
    return direction * sweep->blocks[0];
}

int64_t sweep_model_end_block(const rhomb__sweep *sweep, int64_t direction)
{
    return sweep->blocks[0] + direction * sweep->blocks[1];
}

/* The first row below a strip. */
static int64_t bottom_of(const sweep_model *m, int64_t strip)
{
    return (strip / 2 + 1) * m->sweep->strip_rows;
}

/* How far right of the end diagonal a column is, where it meets a strip's last row. */
static int64_t beyond_end(const sweep_model *m, int64_t strip, int64_t column)
{
    const int64_t first = sweep_model_first_block(m->sweep, strip % 2) * RHOMB__BLOCK_COLUMNS;
    return column - first - bottom_of(m, strip) - (m->sweep->columns - m->sweep->rows);
}

/* What the last base of a long gap costs, and what such a gap has besides. */
static int64_t extension(const sweep_model *m)
{
    return rhomb__costs_least_extend(&m->sweep->costs);
}

static int64_t opening(const sweep_model *m)
{
    const rhomb__costs *costs = &m->sweep->costs;
    return costs->open[costs->pieces - 1];
}

/*
 * What a path may cost by the scores of a strip's direction. Its last gap may end at the other
 * direction's beginning without having been opened, but scores within it have the opening.
 */
static int64_t most_of(const sweep_model *m, int64_t strip)
{
    const int32_t gap = m->sweep->gaps[strip % 2 == 0 ? 1 : 0];
    return m->bound + (gap == RHOMB_GAP_NONE ? 0 : m->sweep->costs.open[RHOMB_GAP_PIECE(gap)]);
}

static void start_strip(sweep_model *m, int64_t i)
{
    const int64_t first = sweep_model_first_block(m->sweep, i < 0 ? i + 2 : i % 2);
    model_strip *strip = &m->strips[2 + i];
    memset(strip, 0, sizeof *strip);
    strip->begin = strip->end = strip->least_unknown = strip->limit = -1;
    strip->front.begin = RHOMB_NO_BLOCK;
    strip->front.end = first;
    if (i >= 0) {
        strip->front.end = m->records[2 + i].first_block;
        strip->front.room = INT64_MIN / 2;
        return;
    }
    /* Row 0: a gap, which leaves every diagonal as much room but for its opening. */
    strip->front.begin = first;
    strip->front.room = most_of(m, i) - extension(m) * (m->sweep->columns - m->sweep->rows);
}

/* The block after those that a strip can have, by what it knows of the one above. */
static int64_t known_end(const sweep_model *m, int64_t i)
{
    const rhomb_strip_front *above = &m->strips[i].before;
    const int64_t room =
        above->room / (2 * extension(m)); /* in diagonals beyond the end diagonal */
    const int64_t at_corner = beyond_end(m, i, 0);
    const int64_t end = rhomb__floor_div(room - at_corner, RHOMB__BLOCK_COLUMNS) + 1;
    return above->begin == RHOMB_NO_BLOCK ? 0 : rhomb__min(end, m->records[2 + i].end_block);
}

/* The first item of strip i sweeps a block, if it is one of its own. */
static void do_top(sweep_model *m, int64_t i, int64_t block, int64_t end, int64_t step)
{
    model_strip *strip = &m->strips[2 + i];
    const rhomb_strip_front *above = &m->strips[i].before;
    if (block < above->begin || block >= end)
        return;
    model_block b = {i, block, strip->begin < 0, block < above->end};
    if (b.first)
        strip->begin = strip->end = block;
    if (block != strip->end)
        complain(m, "leaves out a block", i);
    if (b.above_known) {
        const model_handed *h = &m->row[block];
        const int64_t wait = step - h->step;
        if (h->writer != i - 2)
            complain(m, "reads what the strip above has not written, or not any more", i);
        else if (step / m->sweep->shape.steps == h->step / m->sweep->shape.steps)
            complain(m, "reads what the same launch writes", i);
        else if (wait != m->sweep->shape.steps) /* fewer would be one launch in the end */
            complain(m, "waits longer than it has to", i);
    } else if (strip->least_unknown < 0) {
        strip->least_unknown = block;
    }
    strip->gain[block] = m->sweep_block(m->user, &b);
    strip->end = block + 1;
    m->blocks++;
}

/* The last item of strip i passes a block that the first one has swept. */
static void do_bottom(sweep_model *m, int64_t i, int64_t block, int64_t step)
{
    model_strip *strip = &m->strips[2 + i];
    const int64_t left = block * RHOMB__BLOCK_COLUMNS, right = left + RHOMB__BLOCK_COLUMNS;
    const bool last_strip = i + 2 >= 2 * m->sweep->strips;
    const int64_t below_first = last_strip ? 0 : m->records[2 + i + 2].first_block;
    if (strip->begin < 0 || block < strip->begin || block >= strip->end)
        return;
    if (block == strip->begin)
        strip->score =
            m->strips[i].front.begin_score +
            (m->left_edge != NULL ? m->left_edge(m->user, i) : extension(m) * m->sweep->strip_rows);
    const int64_t left_score = strip->score;
    strip->score += strip->gain[block];
    strip->front.end = block + 1;
    strip->front.score = strip->score;
    m->row[block] = (model_handed){i, step};
    /*
     * What is left of the bound there, and diagonals to the right, which cost nothing; and an
     * opening, by which vertices between those of paths may be worse.
     */
    const int64_t room =
        most_of(m, i) - strip->score + extension(m) * beyond_end(m, i, right) + opening(m);
    if (room < 2 * extension(m) * rhomb__max(beyond_end(m, i, left), 0))
        return;
    strip->front.room = rhomb__max(strip->front.room, room);
    if (strip->front.begin == RHOMB_NO_BLOCK && block >= below_first) {
        strip->front.begin = block;
        strip->front.begin_score = left_score;
    }
}

/*
 * The end by which a strip goes in a launch: once its first item is beyond it, what the strip above
 * finds out later comes too late. With unit costs it finds out nothing.
 */
static int64_t end_of_launch(sweep_model *m, int64_t i, int64_t due)
{
    model_strip *strip = &m->strips[2 + i];
    const rhomb__strip_shape *shape = &m->sweep->shape;
    const int64_t begin = m->strips[i].before.begin, known = known_end(m, i);
    const bool has_ended = strip->limit >= 0 && strip->limit < due;
    const int64_t end = has_ended ? strip->limit : known;
    if (begin < due + shape->steps && due - shape->lag < end)
        strip->limit = end;
    return end;
}

static void run_strip(sweep_model *m, int64_t i, int64_t launch)
{
    const rhomb__strip_shape *shape = &m->sweep->shape;
    const rhomb_strip *record = &m->records[2 + i];
    if (launch > record->last_launch)
        return;
    const int64_t due = record->first_block + launch * shape->steps - record->first_step;
    const int64_t end = end_of_launch(m, i, due);
    for (int64_t step = launch * shape->steps; step < (launch + 1) * shape->steps; step++) {
        const int64_t block = record->first_block + step - record->first_step;
        do_top(m, i, block, end, step);
        do_bottom(m, i, block - shape->lag, step);
    }
}

/* Strips take turns in any order, so every other launch goes through them backwards. */
static void run_launch(sweep_model *m, int64_t launch, int64_t first, int64_t end)
{
    for (int64_t i = 0; i < rhomb__sweep_records(m->sweep); i++)
        m->strips[i].before = m->strips[i].front;
    for (int64_t i = 2 * first; i < 2 * end; i++)
        run_strip(m, launch % 2 == 0 ? i : 2 * first + 2 * end - 1 - i, launch);
}

/* Now that all is known: did it sweep all that it should have, and with what? */
static void check_strip(sweep_model *m, int64_t i)
{
    model_strip *strip = &m->strips[2 + i], *above = &m->strips[i];
    above->before = above->front;
    const int64_t end = known_end(m, i);
    const bool any = above->front.begin != RHOMB_NO_BLOCK && above->front.begin < end;
    if (any != (strip->begin >= 0))
        complain(m, any ? "never begins" : "begins without a reason", i);
    else if (any && strip->begin != above->front.begin)
        complain(m, "does not begin where it should", i);
    else if (any && (opening(m) == 0 ? strip->end != end : strip->end > end))
        complain(m, "does not end where it should", i);
    m->limited += any && strip->end < end;
    if (any && strip->front.end != strip->end)
        complain(m, "is not through when its launches are", i);
    if (strip->least_unknown >= 0 && strip->least_unknown < above->front.end)
        complain(m, "misses a block of the strip above", i);
}

/* The front that counts goes where the last launch puts it; the other one is of no use. */
static void leave_front(sweep_model *m, int64_t i)
{
    rhomb_strip *record = &m->records[2 + i];
    if (record->last_launch < 0)
        return;
    memset(record->front, 0x5a, sizeof record->front);
    record->front[record->last_launch % 2] = m->strips[2 + i].front;
}

void sweep_model_run(sweep_model *m)
{
    const int64_t strips = 2 * m->sweep->strips;
    int64_t first = 0, end = 0;
    m->wrong = NULL;
    m->blocks = m->limited = 0;
    m->launches = rhomb__sweep_band(m->sweep, m->bound, m->records);
    for (int64_t i = -2; i < strips; i++)
        start_strip(m, i);
    for (int64_t b = 0; b < MODEL_MOST_BLOCKS; b++)
        m->row[b] = (model_handed){-1, 0};
    for (int64_t launch = 0; launch < m->launches; launch++) {
        rhomb__sweep_active(m->sweep, m->records, launch, &first, &end);
        if (first < end)
            run_launch(m, launch, first, end);
    }
    for (int64_t i = 0; i < strips; i++) {
        check_strip(m, i);
        leave_front(m, i);
    }
}
