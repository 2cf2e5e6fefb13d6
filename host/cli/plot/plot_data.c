/* SPDX-License-Identifier: MIT */
/*
 * Rows (records) and operations of a PAF file, see plot_data.h: checks that a path stays in its
 * row's range and ends where the range does, clips it to what is shown, and passes it on.
 *
 * Positions of the query are counted along the aligned strand, from that strand's beginning. Names
 * and lengths come from the reader, which promises 0 <= begin <= end <= length < 2^60.
 */
#include "host/cli/plot/plot_data.h"

#include <math.h>

void cli_plot_data_init(cli_plot_data *data, const char *path, const cli_plot_view *view,
                        int64_t window)
{
    *data = (cli_plot_data){.path = path, .view = *view, .unit = 1};
    if (window > 0) {
        data->unit = window;
        data->unit_is_fixed = true;
    }
}

void cli_plot_data_free(cli_plot_data *data)
{
    cli_traces_free(&data->traces);
    cli_plot_names_free(&data->targets);
    cli_plot_names_free(&data->queries);
    cli_plot_names_free(&data->others[0]);
    cli_plot_names_free(&data->others[1]);
    cli_buffer_release(&data->held);
}

/* The end of what is shown of a sequence. */
static int64_t range_end(const cli_plot_range *range, int64_t length)
{
    return range->end > 0 && range->end < length ? range->end : length;
}

/* A row's part of a sequence, and what the options say of it. */
typedef struct side {
    const cli_plot_range *range;
    const char *option, *kind, *name;
    int64_t begin, end, length;
} side;

/* An exit status if the range does not fit this sequence, one of `count` so far. */
static int check_range(const cli_plot_data *data, const side *s, size_t count)
{
    const cli_plot_range *range = s->range;
    const int64_t line = data->now.row->line;
    if (!cli_plot_is_part(range))
        return CLI_OK;
    if (count > 1) {
        cli_error("%s: line %" PRId64 ": --%s: %s is a second %s; name one, as in %s:%" PRId64
                  "-%" PRId64,
                  data->path, line, s->option, s->name, s->kind, s->name, range->begin + 1,
                  range_end(range, s->length));
        return CLI_INPUT;
    }
    if (range->end > s->length || range->begin >= s->length)
        return cli_fail_with(CLI_INPUT,
                             "%s: line %" PRId64 ": --%s reaches outside of %s, which has %" PRId64
                             " bases",
                             data->path, line, s->option, s->name, s->length);
    return CLI_OK;
}

static bool is_named(const side *s)
{
    return s->range->name == NULL || strcmp(s->range->name, s->name) == 0;
}

static bool is_in_range(const side *s)
{
    const int64_t end = range_end(s->range, s->length);
    return s->begin == s->end ? s->begin >= s->range->begin && s->begin <= end
                              : s->end > s->range->begin && s->begin < end;
}

/* Keeps in mind what a range that names a sequence, of side 0 or 1, leaves out. */
static int note_other(cli_plot_data *data, int number, const side *s)
{
    size_t index;
    data->seen[number] = data->seen[number] || is_named(s);
    return is_named(s) ? CLI_OK : cli_plot_find(data, &data->others[number], s->name, 0, &index);
}

/* Whether this row is shown, and its target; an exit status if a range does not fit it. */
static int find_target(cli_plot_data *data, const rhomb_paf_record *row, bool *shown)
{
    const cli_plot_view *view = &data->view;
    const side target = {&view->target,     "target-range",  "target",          row->target_name,
                         row->target_begin, row->target_end, row->target_length};
    const side query = {&view->query,     "query-range",  "query",          row->query_name,
                        row->query_begin, row->query_end, row->query_length};
    /* The row of an unaligned query. */
    const bool none = strcmp(row->target_name, "*") == 0 && row->target_length == 0;
    const bool is_short = row->target_end - row->target_begin < view->least &&
                          row->query_end - row->query_begin < view->least;
    int status = none ? CLI_OK : note_other(data, 0, &target);
    if (status == CLI_OK)
        status = note_other(data, 1, &query);
    *shown = status == CLI_OK && !none && !is_short && is_named(&target) && is_named(&query);
    if (*shown && cli_plot_is_part(&view->query)) {
        status = cli_plot_find(data, &data->queries, query.name, query.length, &data->now.query);
        if (status == CLI_OK)
            status = check_range(data, &query, data->queries.count);
        *shown = is_in_range(&query);
    }
    if (status != CLI_OK || !*shown)
        return status;
    status = cli_plot_find(data, &data->targets, target.name, target.length, &data->now.target);
    if (status == CLI_OK)
        status = check_range(data, &target, data->targets.count);
    *shown = is_in_range(&target);
    return status;
}

/* Clips a target position to what is shown. */
static int64_t cut(const cli_plot_data *data, int64_t at)
{
    const cli_plot_range *range = &data->view.target;
    const int64_t end = range_end(range, data->now.row->target_length);
    if (at < range->begin)
        return range->begin;
    return at > end ? end : at;
}

/* The same for an oriented query position. */
static int64_t cut_other(const cli_plot_data *data, int64_t other)
{
    const cli_plot_row *now = &data->now;
    return other < now->low ? now->low : other > now->high ? now->high : other;
}

/* What is shown of an operation that comes next: [begin, end) of its bases. */
typedef struct segment {
    int64_t begin, end;
} segment;

/* A gap is shown if its place in the other sequence is; begin == end: it is not. */
static segment segment_of(const cli_plot_data *data, uint64_t code, int64_t bases)
{
    const int64_t at = data->now.at, other = data->now.other;
    segment p = {0, bases};
    if (code == RHOMB_CIGAR_I) {
        p.end = cut(data, at) == at ? bases : 0;
    } else {
        p.begin = cut(data, at) - at;
        p.end = cut(data, at + bases) - at;
    }
    if (code == RHOMB_CIGAR_D) {
        p.end = cut_other(data, other) == other ? p.end : p.begin;
    } else {
        const int64_t begin = cut_other(data, other) - other;
        const int64_t end = cut_other(data, other + bases) - other;
        p.begin = begin > p.begin ? begin : p.begin;
        p.end = end < p.end ? end : p.end;
    }
    if (p.end < p.begin)
        p.end = p.begin;
    return p;
}

static void touch_query(cli_plot_data *data, int64_t other)
{
    cli_plot_sequence *query = &data->queries.list[data->now.query];
    const int64_t at = data->now.row->reverse ? query->length - other : other;
    if (at < query->low)
        query->low = at;
    if (at > query->high)
        query->high = at;
}

/* Adds a vertex; the first one of a row begins its trace, or continues the preceding row's. */
static int add_vertex(cli_plot_data *data, int64_t at, int64_t other)
{
    cli_plot_row *now = &data->now;
    cli_traces *traces = &data->traces;
    bool gap = false;
    if (!now->drawing) {
        const cli_trace *last = traces->count > 0 ? &traces->traces[traces->count - 1] : NULL;
        touch_query(data, other);
        if (now->goes_on && last != NULL) {
            const cli_trace_column *end = &last->columns[last->count - 1];
            gap = end->last_at != at || end->last != other - at;
        } else {
            cli_trace *trace = cli_traces_begin(traces);
            if (trace == NULL)
                return cli_fail(NULL, RHOMB_ERR_MEMORY);
            trace->target = now->target;
            trace->query = now->query;
            trace->reverse = now->row->reverse;
            trace->has_path = now->row->path != RHOMB_PAF_PATH_NONE;
        }
        now->drawing = true;
        now->from = at;
    }
    return cli_traces_add(traces, at, other - at, gap) ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

static int64_t *size_of(cli_plot_data *data, bool deletion, int64_t bases)
{
    int power = 0;
    while (bases >> (power + 1) > 0)
        power++;
    return &data->sizes[deletion][power];
}

/* Counts a gap; it continues a gap of its kind that ends here, since rows may cut a gap. */
static void count_size(cli_plot_data *data, bool deletion, int64_t bases)
{
    cli_plot_row *now = &data->now;
    if (now->gap_bases > 0 && now->gap_is_deletion == deletion) {
        --*size_of(data, deletion, now->gap_bases);
        cli_plot_sum(&now->gap_bases, bases);
    } else {
        now->gap_bases = bases;
    }
    now->gap_is_deletion = deletion;
    ++*size_of(data, deletion, now->gap_bases);
}

/* Counts what is missing between two rows of one alignment, if it is in one sequence only. */
static void count_gap(cli_plot_data *data, const cli_plot_row *before)
{
    cli_plot_row *now = &data->now;
    const int64_t deleted = cut(data, now->at) - cut(data, before->at);
    const int64_t inserted = cut_other(data, now->other) - cut_other(data, before->other);
    const bool no_target = now->at == before->at, no_query = now->other == before->other;
    now->gap_bases = before->gap_bases;
    now->gap_is_deletion = before->gap_is_deletion;
    if (deleted > 0 && no_query && cut_other(data, now->other) == now->other)
        count_size(data, true, deleted);
    else if (inserted > 0 && no_target && cut(data, now->at) == now->at)
        count_size(data, false, inserted);
    else if (!no_target || !no_query)
        now->gap_bases = 0;
}

/* What has been decided of the path up to here, of what is shown of it. */
static void settle_similar(cli_plot_data *data, rhomb_similar_part part)
{
    cli_plot_row *now = &data->now;
    if (part == RHOMB_SIMILAR_OPEN)
        return;
    if (now->drawing) {
        cli_trace *trace = &data->traces.traces[data->traces.count - 1];
        const int64_t last = trace->columns[trace->count - 1].last_at;
        trace->is_similar |= part == RHOMB_SIMILAR_YES;
        if (part == RHOMB_SIMILAR_NO)
            cli_traces_tell_other(&data->traces, now->open > now->from ? now->open : now->from,
                                  now->at < last ? now->at : last);
    }
    now->open = now->at;
}

/* Whether this row continues the alignment of the preceding row, and from where. */
static bool goes_on(const cli_plot_row *before, const cli_plot_row *now, bool reverse)
{
    return before->drawing && before->row == NULL && before->target == now->target &&
           before->query == now->query && before->reverse == reverse &&
           before->block == now->block && before->at <= now->at && before->other <= now->other;
}

int cli_plot_begin_row(cli_plot_data *data, const rhomb_paf_record *row, int64_t block)
{
    const cli_plot_row before = data->now;
    cli_plot_row *now = &data->now;
    *now = (cli_plot_row){.row = row, .reverse = row->reverse, .block = block};
    data->held.length = data->held_at = 0;
    int status = find_target(data, row, &now->shown);
    if (status != CLI_OK || !now->shown)
        return status;
    status = cli_plot_find(data, &data->queries, row->query_name, row->query_length, &now->query);
    if (status != CLI_OK)
        return status;
    now->at = row->target_begin;
    now->at_end = row->target_end;
    now->other = row->reverse ? row->query_length - row->query_end : row->query_begin;
    now->other_end = now->other + (row->query_end - row->query_begin);
    now->similar = rhomb_similar_begin(data->view.least_identity);
    now->open = now->at;
    const cli_plot_range *range = &data->view.query;
    const int64_t end = range_end(range, row->query_length);
    now->low = row->reverse ? row->query_length - end : range->begin;
    now->high = row->reverse ? row->query_length - range->begin : end;
    data->totals.rows++;
    if (!cli_plot_is_part(range))
        status = cli_plot_windows_cover(data, now->target, cut(data, now->at),
                                        cut(data, now->at_end), false);
    if (status != CLI_OK || row->path == RHOMB_PAF_PATH_NONE)
        return status;
    data->totals.with_path++;
    if (row->matches >= 0) {
        cli_plot_sum(&data->totals.said_matches, row->matches);
        cli_plot_sum(&data->totals.said_bases, row->block_length);
    }
    now->goes_on = goes_on(&before, now, row->reverse);
    if (now->goes_on)
        count_gap(data, &before);
    return CLI_OK;
}

/* Makes windows for what is shown of a row in a range of the query. */
static int cover(cli_plot_data *data, int64_t begin, int64_t end)
{
    return cli_plot_is_part(&data->view.query)
               ? cli_plot_windows_cover(data, data->now.target, begin, end, true)
               : CLI_OK;
}

/* Bases only in the query. */
static int add_insertion(cli_plot_data *data, int64_t bases)
{
    cli_plot_row *now = &data->now;
    const segment shown = segment_of(data, RHOMB_CIGAR_I, bases);
    const int64_t from = now->other + shown.begin, to = now->other + shown.end;
    now->other += bases;
    bases = to - from;
    if (bases == 0)
        return CLI_OK;
    int status = cover(data, now->at, now->at);
    if (status != CLI_OK)
        return status;
    cli_plot_sum(&data->totals.inserted, bases);
    count_size(data, false, bases);
    cli_plot_windows_insert(data, now->target, now->at, bases);
    status = add_vertex(data, now->at, from);
    if (status == CLI_OK)
        status = add_vertex(data, now->at, to);
    if (status == CLI_OK)
        cli_traces_count(&data->traces, &(cli_trace_sums){.columns = bases, .gaps = bases});
    return status;
}

/* The end of the kept window of a position, `end` at most. */
static int64_t unit_end(const cli_plot_data *data, int64_t at, int64_t end)
{
    const int64_t next = (at / data->unit + 1) * data->unit;
    return next < end ? next : end;
}

/*
 * Bases of the target, and with `both` of the query: a vertex at the end of each window, so that
 * what belongs to a window is counted there.
 */
static int add_bases(cli_plot_data *data, uint64_t code, int64_t bases, bool both)
{
    cli_plot_row *now = &data->now;
    const int64_t at = now->at, from = now->other;
    const segment shown = segment_of(data, both ? code : RHOMB_CIGAR_D, bases);
    const int64_t begin = at + shown.begin, end = at + shown.end;
    now->at += bases;
    now->other += both ? bases : 0;
    if (begin == end)
        return CLI_OK;
    int status = cover(data, begin, end);
    if (status != CLI_OK)
        return status;
    if (code == RHOMB_CIGAR_EQ)
        cli_plot_sum(&data->totals.matches, end - begin);
    else if (code == RHOMB_CIGAR_X)
        cli_plot_sum(&data->totals.mismatches, end - begin);
    else if (both)
        cli_plot_sum(&data->totals.either, end - begin);
    else
        cli_plot_sum(&data->totals.deleted, end - begin);
    if (both)
        now->gap_bases = 0;
    else
        count_size(data, true, end - begin);
    cli_plot_windows_add(data, now->target, begin, end,
                         !both && now->has_either ? RHOMB_CIGAR_M : code);
    if (!now->drawing)
        status = add_vertex(data, begin, both ? from + (begin - at) : from);
    for (int64_t next = begin; status == CLI_OK && next < end;) {
        const int64_t to = unit_end(data, next, end);
        const cli_trace_sums sums = {.matches = code == RHOMB_CIGAR_EQ ? to - next : 0,
                                     .columns = to - next,
                                     .gaps = both ? 0 : to - next,
                                     .either = code == RHOMB_CIGAR_M ? to - next : 0};
        status = add_vertex(data, to, both ? from + (to - at) : now->other);
        if (status == CLI_OK)
            cli_traces_count(&data->traces, &sums);
        next = to;
    }
    return status;
}

static int off_range(const cli_plot_data *data)
{
    const rhomb_paf_record *row = data->now.row;
    return cli_fail_with(
        CLI_INPUT, "%s: line %" PRId64 ": the path does not fit the ranges of target and query",
        data->path, row->line);
}

/* Adds operations, as long as they stay in the row's ranges. */
static int feed(cli_plot_data *data, const rhomb_path_op *ops, size_t count)
{
    cli_plot_row *now = &data->now;
    int status = CLI_OK;
    for (size_t i = 0; now->shown && status == CLI_OK && i < count; i++) {
        const uint64_t code = RHOMB_CIGAR_CODE(ops[i]);
        const int64_t bases = (int64_t)RHOMB_CIGAR_LENGTH(ops[i]);
        const bool of_target = code != RHOMB_CIGAR_I, of_query = code != RHOMB_CIGAR_D;
        if ((of_target && bases > now->at_end - now->at) ||
            (of_query && bases > now->other_end - now->other))
            return off_range(data);
        now->has_either |= code == RHOMB_CIGAR_M;
        now->has_known |= code == RHOMB_CIGAR_EQ || code == RHOMB_CIGAR_X;
        status = of_target ? add_bases(data, code, bases, of_query) : add_insertion(data, bases);
        if (status == CLI_OK && !now->has_either)
            settle_similar(data, rhomb_similar_add(&now->similar, ops[i]));
    }
    return status;
}

static rhomb_path_op *held_ops(const cli_plot_data *data)
{
    return (rhomb_path_op *)(void *)data->held.data;
}

static size_t held_count(const cli_plot_data *data)
{
    return data->held.length / sizeof(rhomb_path_op);
}

static int feed_held(cli_plot_data *data)
{
    const size_t count = held_count(data);
    data->held.length = 0;
    return feed(data, held_ops(data), count);
}

int cli_plot_add_ops(cli_plot_data *data, const rhomb_path_op *ops, size_t count)
{
    size_t unknown = 0;
    while (!data->now.has_known && unknown < count &&
           RHOMB_CIGAR_CODE(ops[unknown]) != RHOMB_CIGAR_EQ &&
           RHOMB_CIGAR_CODE(ops[unknown]) != RHOMB_CIGAR_X)
        unknown++;
    cli_append_bytes(&data->held, (const char *)ops, unknown * sizeof *ops);
    if (data->held.failed)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    const int status = unknown < count ? feed_held(data) : CLI_OK;
    return status == CLI_OK ? feed(data, ops + unknown, count - unknown) : status;
}

bool cli_plot_wants_matches(const cli_plot_data *data)
{
    return data->now.shown && data->held.length > 0;
}

/* Takes what an operation is of the path that is held; false if that is another path. */
static bool take_held(cli_plot_data *data, rhomb_path_op op)
{
    const uint64_t code = RHOMB_CIGAR_CODE(op);
    const bool is_gap = code == RHOMB_CIGAR_I || code == RHOMB_CIGAR_D;
    for (uint64_t bases = RHOMB_CIGAR_LENGTH(op); bases > 0;) {
        if (data->held_at == held_count(data))
            return false;
        rhomb_path_op *held = &held_ops(data)[data->held_at];
        const uint64_t length = RHOMB_CIGAR_LENGTH(*held);
        if (RHOMB_CIGAR_CODE(*held) != (is_gap ? code : RHOMB_CIGAR_M))
            return false;
        const uint64_t taken = bases < length ? bases : length;
        bases -= taken;
        *held -= taken << 4;
        data->held_at += taken == length;
    }
    return true;
}

static int are_different(const cli_plot_data *data)
{
    return cli_fail_with(CLI_INPUT, "%s: line %" PRId64 ": tags cg and cs are different paths",
                         data->path, data->now.row->line);
}

int cli_plot_add_matches(cli_plot_data *data, const rhomb_path_op *ops, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!take_held(data, ops[i]))
            return are_different(data);
    }
    return feed(data, ops, count);
}

/* The share of [begin, end) that is in [from, to). */
static void cut_share(int64_t begin, int64_t end, int64_t from, int64_t to, double share[2])
{
    const double bases = (double)(end - begin);
    if (begin == end)
        return;
    share[0] = fmax(share[0], (double)(from - begin) / bases);
    share[1] = fmin(share[1], (double)(to - begin) / bases);
}

/* A row without a path: the straight line between its ends, clipped to what is shown. */
static int add_line(cli_plot_data *data)
{
    cli_plot_row *now = &data->now;
    const double bases = (double)(now->at_end - now->at);
    const double others = (double)(now->other_end - now->other);
    double share[2] = {0, 1};
    cut_share(now->at, now->at_end, cut(data, now->at), cut(data, now->at_end), share);
    cut_share(now->other, now->other_end, cut_other(data, now->other),
              cut_other(data, now->other_end), share);
    for (int i = 0; i < 2 && share[0] <= share[1]; i++) {
        const bool is_end = share[i] == 1;
        const int64_t at = is_end ? now->at_end : now->at + (int64_t)(share[i] * bases + 0.5);
        const int64_t other = is_end ? now->other_end : now->other + (int64_t)(share[i] * others);
        int status = cover(data, at, at);
        if (status == CLI_OK)
            status = add_vertex(data, at, other);
        if (status != CLI_OK)
            return status;
        touch_query(data, other);
    }
    return CLI_OK;
}

/* A path may pass the corner of two ranges. */
static void uncount_hidden(cli_plot_data *data)
{
    if (!cli_plot_is_part(&data->view.query) || data->now.drawing)
        return;
    data->totals.rows--;
    data->totals.with_path -= data->now.row->path != RHOMB_PAF_PATH_NONE;
}

int cli_plot_end_row(cli_plot_data *data)
{
    cli_plot_row *now = &data->now;
    int status = CLI_OK;
    if (now->shown && now->row->path == RHOMB_PAF_PATH_NONE) {
        status = add_line(data);
        uncount_hidden(data);
        now->drawing = false; /* nothing continues it */
    } else if (now->shown) {
        if (data->held_at > 0 && data->held_at < held_count(data))
            return are_different(data);
        if (data->held_at == 0)
            status = feed_held(data);
        if (status != CLI_OK)
            return status;
        if (now->at != now->at_end || now->other != now->other_end)
            return off_range(data);
        if (now->has_known)
            settle_similar(data, rhomb_similar_end(&now->similar));
        if (now->drawing) {
            const cli_trace *trace = &data->traces.traces[data->traces.count - 1];
            const cli_trace_column *end = &trace->columns[trace->count - 1];
            touch_query(data, end->last_at + end->last);
        }
        uncount_hidden(data);
    }
    now->row = NULL;
    return status;
}
