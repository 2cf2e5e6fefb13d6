/* SPDX-License-Identifier: MIT */
/*
 * Rows of the CSV file, with all that is needed to tell where a figure comes from. README.md
 * explains the columns; scripts read them by name, and new ones go to the end.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "bench_align.h"
#include "bench_batch.h"
#include "bench_local.h"

/* One walk over the columns writes either their names or a row, so that the two always agree. */
typedef struct csv_line {
    const bench *b;
    bool names;
    bool begun;
} csv_line;

static void put_field(csv_line *line, const char *text)
{
    FILE *file = line->b->csv;
    if (line->begun)
        fputc(',', file);
    line->begun = true;
    if (strpbrk(text, ",\"\n") == NULL) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text == '\n' ? ' ' : *text, file);
    }
    fputc('"', file);
}

/* The next of some names with blanks between them, or with values that one. */
static const char *put_name(csv_line *line, const char *names, const char *value)
{
    char name[64];
    const size_t length = strcspn(names, " ");
    snprintf(name, sizeof name, "%.*s", (int)length, names);
    put_field(line, line->names ? name : value);
    return names + length + strspn(names + length, " ");
}

/* Columns with the names in `names` and as many values. */
static void put_texts(csv_line *line, const char *names, const char *const *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        names = put_name(line, names, values[i] != NULL ? values[i] : "");
    assert(*names == '\0');
}

static void put_ints(csv_line *line, const char *names, const int64_t *values, size_t count)
{
    char text[32];
    for (size_t i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%" PRId64, values[i]);
        names = put_name(line, names, text);
    }
    assert(*names == '\0');
}

/* 0 stands for "not measured", an empty field. */
static void put_reals(csv_line *line, const char *names, const double *values, size_t count)
{
    char text[32];
    for (size_t i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%.6g", values[i]);
        names = put_name(line, names, values[i] != 0 ? text : "");
    }
    assert(*names == '\0');
}

#define COUNT(type, ...) (sizeof(type[]){__VA_ARGS__} / sizeof(type))
#define TEXTS(names, ...)                                       \
    put_texts(&line, names, (const char *const[]){__VA_ARGS__}, \
              COUNT(const char *const, __VA_ARGS__))
#define INTS(names, ...) \
    put_ints(&line, names, (const int64_t[]){__VA_ARGS__}, COUNT(const int64_t, __VA_ARGS__))
#define REALS(names, ...) \
    put_reals(&line, names, (const double[]){__VA_ARGS__}, COUNT(const double, __VA_ARGS__))

/* Where and when; a row ends with end_line(). */
static csv_line begin_line(const bench *b, bool names)
{
    csv_line line = {.b = b, .names = names};
    const rhomb_device_info *device = b->ctx != NULL ? rhomb_context_device(b->ctx) : NULL;
    const time_t now = time(NULL);
    struct tm utc;
    char date[32] = "";
    if (gmtime_r(&now, &utc) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    TEXTS("date commit version machine", date, b->commit, rhomb_version(), b->machine);
    TEXTS("device driver platform", device != NULL ? device->name : "",
          device != NULL ? device->driver_version : "", device != NULL ? device->platform : "");
    return line;
}

static void end_line(const csv_line *line)
{
    fputc('\n', line->b->csv);
    fflush(line->b->csv);
}

static csv_line put_guided(csv_line line, const bench_case *c)
{
    const bench_guided *g = &c->guided;
    INTS("guide_bound", c->report.guide_bound);
    REALS("guide_seconds guide_share sketch_seconds told_seconds told_cpu_seconds estimate_seconds "
          "estimate_ratio",
          c->report.seconds_guide, g->guide_share, g->sketch_seconds, g->told_seconds,
          g->told_cpu_seconds, g->estimate_seconds, g->estimate_ratio);
    REALS("eta_least eta_most", c->foretold.least, c->foretold.most);
    INTS("eta_moments eta_silent fraction_falls", c->foretold.moments, c->foretold.silent,
         c->foretold.falls);
    return line;
}

static csv_line put_scored(csv_line line, const bench_case *c)
{
    const rhomb_report *r = &c->report;
    const bench_scored *s = &c->scored;
    char score[32] = "";
    if (r->has_score)
        snprintf(score, sizeof score, "%" PRId64, r->score);
    TEXTS("scoring score", s->text, score);
    REALS("cpu_median_seconds cells_per_cpu_second biwfa_cpu_seconds biwfa_core_ratio "
          "ksw2_cells_per_cpu_second ksw2_core_ratio",
          c->times[BENCH_CPU].median, bench_cells_per_cpu_second(c), s->biwfa_cpu_seconds,
          s->biwfa_ratio, s->ksw2_rate, s->ksw2_ratio);
    return put_guided(line, c);
}

/* What came after the other columns had been read by scripts. */
static csv_line put_later(csv_line line, const bench_case *c)
{
    const rhomb_report *r = &c->report;
    const rhomb_plan *plan = r->plan;
    TEXTS("asked", bench_engine_name(c->engine));
    INTS("planes words blocks directions first_half_width band_count launches", plan->planes,
         plan->words_per_item, plan->blocks_per_launch, plan->directions, plan->first_half_width,
         r->batches, r->launches);
    TEXTS("reason", plan->reason);
    REALS("work_median_seconds similarity peer_seconds ratio", c->times[BENCH_WORK].median,
          r->similarity > 0 ? r->similarity : 0, c->peer_seconds, c->ratio);
    TEXTS("within", c->within);
    REALS("issue_instructions issue_ratio", c->issue_ratio > 0 ? line.b->instructions : 0,
          c->issue_ratio);
    INTS("wide_group wide_items wide_columns wide_diagonals", plan->wide_group_size,
         plan->wide_diagonals_per_item, plan->wide_tile_scores, plan->wide_diagonals);
    return put_scored(line, c);
}

static void write_case(const bench *b, bool names, const bench_case *c)
{
    const rhomb_report *r = &c->report;
    const rhomb_plan *plan = r->plan;
    const bench_times *times = c->times, *solve = &times[BENCH_SOLVE];
    csv_line line = begin_line(b, names);
    TEXTS("suite case pair", c->suite, bench_case_name(c), c->pair->name);
    INTS("target_length query_length distance max_distance", r->target_length, r->query_length,
         r->distance, r->max_distance);
    TEXTS("verified_by engine shape", c->verified_by, plan->engine,
          bench_shape_name(plan->tile_shape));
    INTS("group items columns bands offset_bits", plan->group_size, plan->diagonals_per_item,
         plan->tile_scores, plan->launches_per_read, plan->offset_bits);
    TEXTS("pruning", plan->pruning ? "on" : "off");
    INTS("runs", c->runs);
    REALS("solve_median_seconds solve_min_seconds solve_max_seconds", solve->median, solve->least,
          solve->most);
    REALS("read_seconds open_seconds inspect_seconds build_seconds transfer_seconds",
          c->pair->read_seconds, times[BENCH_OPEN].median, times[BENCH_INSPECT].median,
          times[BENCH_BUILD].median, times[BENCH_TRANSFER].median);
    REALS("total_seconds process_seconds", times[BENCH_TOTAL].median, times[BENCH_PROCESS].median);
    INTS("cells", r->cells);
    REALS("cells_per_second late_cells_per_second gcups", bench_cells_per_second(c),
          c->late_cells_per_second, bench_gcups(c));
    INTS("diagonals_in_use column_bytes two_columns_bytes sequence_bytes device_bytes",
         r->diagonals_in_use, r->column_bytes, bench_two_columns_bytes(r), plan->sequence_bytes,
         r->device_bytes);
    REALS("memory_ratio", bench_memory_ratio(r));
    TEXTS("command", b->command);
    line = put_later(line, c);
    end_line(&line);
}

static void write_batch(const bench *b, bool names, const bench_batch_row *row)
{
    const rhomb_device_info *device = b->ctx != NULL ? rhomb_context_device(b->ctx) : NULL;
    const rhomb_batch_report *r = &row->report;
    const bench_batch_whole *whole = &row->whole;
    const double pairs = (double)row->pairs;
    csv_line line = begin_line(b, names);
    TEXTS("suite case program", row->suite, row->set->name, row->program);
    INTS("cigar threads compute_units set_pairs pairs length", row->cigar, row->threads,
         device != NULL ? device->compute_units : 0, (int64_t)row->set->count, (int64_t)row->pairs,
         row->set->length);
    REALS("error mean_distance", row->set->rate, row->mean_distance);
    TEXTS("verified_by", row->verified_by);
    INTS("runs", row->runs);
    REALS("first_seconds median_seconds min_seconds max_seconds", row->first_seconds,
          row->seconds.median, row->seconds.least, row->seconds.most);
    REALS("pairs_per_second cpu_seconds pairs_per_core_second",
          row->seconds.median > 0 ? pairs / row->seconds.median : 0, row->cpu_seconds,
          row->cpu_seconds > 0 ? pairs / row->cpu_seconds : 0);
    REALS("edlib_core_ratio wfa2_core_ratio", row->ratios[BENCH_EDLIB], row->ratios[BENCH_WFA2]);
    REALS("build_seconds fill_seconds device_seconds results_seconds deliver_seconds long_seconds",
          r->seconds_build, r->seconds_fill, r->seconds_device, r->seconds_results,
          r->seconds_deliver, r->seconds_long);
    INTS("long_pairs jobs device_bytes host_bytes whole_pairs", r->long_pairs, r->jobs,
         r->device_bytes, r->host_bytes, whole->pairs);
    REALS("whole_seconds whole_start_seconds whole_pairs_per_second read_pairs_per_second "
          "whole_ratio",
          whole->seconds, whole->start_seconds, whole->pairs_per_second, whole->read_per_second,
          whole->ratio);
    TEXTS("command", b->command);
    TEXTS("scoring", row->scoring);
    REALS("cells_per_second", row->seconds.median > 0 ? row->cells / row->seconds.median : 0);
    end_line(&line);
}

static void write_align(const bench *b, bool names, const bench_align_row *row)
{
    const rhomb_align_report *r = &row->report;
    const bench_case *c = row->aligned;
    const bench_times *times = c->times, *peer = row->peer->times;
    const bench_times *alone = &row->alone->times[BENCH_SOLVE], *all = &times[BENCH_SOLVE];
    csv_line line = begin_line(b, names);
    TEXTS("suite case", c->suite, c->pair->name);
    INTS("target_length query_length distance", r->whole->target_length, r->whole->query_length,
         r->whole->distance);
    REALS("similarity", r->whole->similarity > 0 ? r->whole->similarity : 0);
    TEXTS("verified_by asked engine", c->verified_by, bench_engine_name(c->engine), r->engine);
    INTS("operations matches mismatches inserted deleted splits leaves distance_cells split_cells",
         r->operations, r->matches, r->mismatches, r->inserted, r->deleted, r->splits,
         r->base_cases, r->whole->cells, r->cells);
    INTS("runs", c->runs);
    REALS("distance_median_seconds distance_min_seconds distance_max_seconds", alone->median,
          alone->least, alone->most);
    REALS("align_median_seconds align_min_seconds align_max_seconds", all->median, all->least,
          all->most);
    REALS("first_seconds split_seconds leaves_seconds total_seconds ratio",
          times[BENCH_FIRST].median, times[BENCH_SPLIT].median, times[BENCH_LEAVES].median,
          times[BENCH_TOTAL].median, row->ratio);
    TEXTS("within", row->within ? "yes" : "no");
    INTS("distance_device_bytes device_bytes host_bytes", row->alone->report.device_bytes,
         r->device_bytes, r->host_bytes);
    TEXTS("memory_within", row->memory_within ? "yes" : "no");
    REALS("cpu_seconds peer_seconds peer_cpu_seconds core_ratio", times[BENCH_CPU].median,
          peer[BENCH_WALL].median, peer[BENCH_CPU].median, row->core_ratio);
    TEXTS("command", b->command);
    const int64_t edits = bench_align_edits(r);
    char score[32] = "";
    if (r->whole->has_score)
        snprintf(score, sizeof score, "%" PRId64, r->whole->score);
    TEXTS("scoring score", c->scored.text, score);
    REALS("build_seconds distance_cpu_seconds device_bytes_per_edit host_bytes_per_edit",
          row->build_seconds, row->alone->times[BENCH_CPU].median,
          edits > 0 ? (double)r->device_bytes / (double)edits : 0,
          edits > 0 ? (double)r->host_bytes / (double)edits : 0);
    end_line(&line);
}

static void write_local(const bench *b, bool names, const bench_local_row *row)
{
    const rhomb_local_report *r = &row->report;
    csv_line line = begin_line(b, names);
    TEXTS("suite case scoring", row->suite, row->pair->name, row->scoring);
    INTS("target_length query_length score target_begin target_end query_begin query_end",
         row->pair->target_length, row->pair->query_length, row->extent.score,
         row->extent.target_begin, row->extent.target_end, row->extent.query_begin,
         row->extent.query_end);
    INTS("operations runs cells cells_pruned begin_cells begin_cells_pruned launches device_bytes",
         row->operations, row->runs, r->cells, r->cells_pruned, r->begin_cells,
         r->begin_cells_pruned, r->launches, r->device_bytes);
    REALS("end_median_seconds end_min_seconds end_max_seconds begin_median_seconds "
          "path_median_seconds all_median_seconds transfer_seconds build_seconds cells_per_second",
          row->end.median, row->end.least, row->end.most, row->begin.median, row->path.median,
          row->all.median, row->transfer_seconds, row->build_seconds, row->cells_per_second);
    TEXTS("command", b->command);
    end_line(&line);
}

void bench_csv_local_row(bench *b, const bench_local_row *row)
{
    if (b->csv != NULL)
        write_local(b, false, row);
}

void bench_csv_row(bench *b, const bench_case *c)
{
    if (b->csv != NULL)
        write_case(b, false, c);
}

void bench_csv_batch_row(bench *b, const bench_batch_row *row)
{
    if (b->csv != NULL)
        write_batch(b, false, row);
}

void bench_csv_align_row(bench *b, const bench_align_row *row)
{
    if (b->csv != NULL)
        write_align(b, false, row);
}

bool bench_csv_open(bench *b, bench_rows rows)
{
    static const bench_pair pair = {.name = ""};
    static const bench_set no_set = {.count = 0};
    static const bench_local_row no_part = {.pair = &pair};
    static const rhomb_plan no_plan = {.engine = ""};
    static const bench_case no_case = {.pair = &pair, .report = {.plan = &no_plan}};
    static const bench_batch_row no_row = {.set = &no_set};
    static const bench_align_row no_alignment = {.alone = &no_case,
                                                 .aligned = &no_case,
                                                 .peer = &no_case,
                                                 .report = {.whole = &no_case.report}};
    if (b->csv_path == NULL)
        return true;
    b->csv = fopen(b->csv_path, "w");
    if (b->csv == NULL)
        return bench_fail(b, "cannot write %s", b->csv_path);
    if (rows == BENCH_ROWS_CASES)
        write_case(b, true, &no_case);
    else if (rows == BENCH_ROWS_BATCHES)
        write_batch(b, true, &no_row);
    else if (rows == BENCH_ROWS_LOCAL)
        write_local(b, true, &no_part);
    else
        write_align(b, true, &no_alignment);
    return true;
}

bool bench_csv_close(bench *b)
{
    if (b->csv == NULL)
        return true;
    const bool good = !ferror(b->csv);
    const bool closed = fclose(b->csv) == 0;
    b->csv = NULL;
    return (good && closed) || bench_fail(b, "the CSV file could not be written");
}
