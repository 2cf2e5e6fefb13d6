/* SPDX-License-Identifier: MIT */
/*
 * What rhomb_bench says: rows of a CSV file with all that is needed to tell where a figure comes
 * from, and a table for people. README.md explains the columns.
 */
#include "bench_align.h"
#include "bench_batch.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* -------------------------------------------------------------------- CSV */

/* One walk over the columns writes either their names or a row, so that the two always agree. */
typedef struct csv_line {
    FILE *file;
    bool names;
    bool begun;
} csv_line;

static void put_field(csv_line *line, const char *text)
{
    if (line->begun)
        fputc(',', line->file);
    line->begun = true;
    if (strpbrk(text, ",\"\n") == NULL) {
        fputs(text, line->file);
        return;
    }
    fputc('"', line->file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', line->file);
        fputc(*text == '\n' ? ' ' : *text, line->file);
    }
    fputc('"', line->file);
}

static void put_text(csv_line *line, const char *name, const char *value)
{
    put_field(line, line->names ? name : value);
}

static void put_int(csv_line *line, const char *name, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    put_text(line, name, text);
}

/* 0 stands for "not measured", an empty field. */
static void put_real(csv_line *line, const char *name, double value)
{
    char text[32] = "";
    if (value != 0)
        snprintf(text, sizeof text, "%.6g", value);
    put_text(line, name, text);
}

static const char *shape_name(rhomb_tile_shape shape)
{
    return shape == RHOMB_TILE_DIAMOND     ? "diamond"
           : shape == RHOMB_TILE_TRAPEZOID ? "trapezoid"
                                           : "";
}

static const char *case_name(const bench_case *c)
{
    return c->name != NULL ? c->name : c->pair->name;
}

/* Cells of the whole dynamic-programming matrix a second, the paper's Eq. 2; 0 without an end. */
static double gcups(const bench_measured *measured)
{
    const rhomb_report *r = &measured->report;
    if (r->distance < 0 || measured->solve.median <= 0)
        return 0;
    return (double)r->target_length * (double)r->query_length / measured->solve.median / 1e9;
}

static double cells_per_second(const bench_measured *measured)
{
    if (measured->solve.median <= 0)
        return 0;
    return (double)measured->report.cells / measured->solve.median;
}

/* The memory that the pyramid and the letters need: two columns of the diagonals in use. */
static int64_t two_columns_bytes(const rhomb_report *report)
{
    return 2 * report->plan.directions * report->diagonals_in_use * (report->plan.offset_bits / 8);
}

static double memory_ratio(const rhomb_report *report)
{
    const int64_t needed = two_columns_bytes(report) + report->plan.sequence_bytes;
    return needed > 0 ? (double)report->device_bytes / (double)needed : 0;
}

static void put_provenance(csv_line *line, const bench *b)
{
    const rhomb_device_info *device = b->ctx != NULL ? rhomb_context_device(b->ctx) : NULL;
    const time_t now = time(NULL);
    struct tm utc;
    char date[32] = "";
    if (gmtime_r(&now, &utc) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    put_text(line, "date", date);
    put_text(line, "commit", b->commit);
    put_text(line, "version", rhomb_version());
    put_text(line, "machine", b->machine);
    put_text(line, "device", device != NULL ? device->name : "");
    put_text(line, "driver", device != NULL ? device->driver_version : "");
    put_text(line, "platform", device != NULL ? device->platform : "");
}

static void put_case(csv_line *line, const bench_case *c, const rhomb_report *r)
{
    put_text(line, "suite", c->suite);
    put_text(line, "case", case_name(c));
    put_text(line, "pair", c->pair->name);
    put_int(line, "target_length", r->target_length);
    put_int(line, "query_length", r->query_length);
    put_int(line, "distance", r->distance);
    put_int(line, "max_distance", r->max_distance);
    put_text(line, "verified_by", c->verified_by);
}

static void put_plan(csv_line *line, const rhomb_plan *plan)
{
    put_text(line, "engine", plan->engine);
    put_text(line, "shape", shape_name(plan->tile_shape));
    put_int(line, "group", plan->group_size);
    put_int(line, "items", plan->diagonals_per_item);
    put_int(line, "columns", plan->tile_columns);
    put_int(line, "bands", plan->bands_per_read);
    put_int(line, "offset_bits", plan->offset_bits);
    put_text(line, "pruning", plan->pruning ? "on" : "off");
}

static void put_times(csv_line *line, const bench_case *c, const bench_measured *m)
{
    put_int(line, "runs", m->runs);
    put_real(line, "solve_median_seconds", m->solve.median);
    put_real(line, "solve_min_seconds", m->solve.least);
    put_real(line, "solve_max_seconds", m->solve.most);
    put_real(line, "read_seconds", c->pair->read_seconds);
    put_real(line, "open_seconds", m->open_seconds);
    put_real(line, "inspect_seconds", m->inspect_seconds);
    put_real(line, "build_seconds", m->build_seconds);
    put_real(line, "transfer_seconds", m->transfer_seconds);
    put_real(line, "total_seconds", m->total_seconds);
    put_real(line, "process_seconds", m->process_seconds);
    put_int(line, "cells", m->report.cells);
    put_real(line, "cells_per_second", cells_per_second(m));
    put_real(line, "late_cells_per_second", m->late_cells_per_second);
    put_real(line, "gcups", gcups(m));
}

static void put_memory(csv_line *line, const rhomb_report *r)
{
    put_int(line, "diagonals_in_use", r->diagonals_in_use);
    put_int(line, "column_bytes", r->column_bytes);
    put_int(line, "two_columns_bytes", two_columns_bytes(r));
    put_int(line, "sequence_bytes", r->plan.sequence_bytes);
    put_int(line, "device_bytes", r->device_bytes);
    put_real(line, "memory_ratio", memory_ratio(r));
}

/* What came after the columns above had been read by scripts: new columns go to the end. */
static void put_sweep(csv_line *line, const bench_case *c, const bench_measured *m)
{
    const rhomb_plan *plan = &m->report.plan;
    put_text(line, "asked", bench_engine_name(c->engine));
    put_int(line, "planes", plan->planes);
    put_int(line, "words", plan->words_per_item);
    put_int(line, "blocks", plan->blocks_per_launch);
    put_int(line, "directions", plan->directions);
    put_int(line, "first_beside", plan->first_beside);
    put_int(line, "band_count", m->report.bands);
    put_int(line, "launches", m->report.launches);
    put_text(line, "reason", plan->reason != NULL ? plan->reason : "");
}

static void put_comparison(csv_line *line, const bench_measured *m)
{
    put_real(line, "work_median_seconds", m->work.median);
    put_real(line, "similarity", m->report.similarity > 0 ? m->report.similarity : 0);
    put_real(line, "peer_seconds", m->peer_seconds);
    put_real(line, "ratio", m->ratio);
    put_text(line, "within", m->within != NULL ? m->within : "");
}

static void put_wavefront(csv_line *line, const bench *b, const bench_measured *m)
{
    const rhomb_plan *plan = &m->report.plan;
    put_int(line, "beam_bound", m->report.beam_bound);
    put_int(line, "beam_cells", m->report.beam_cells);
    put_real(line, "issue_instructions", m->issue_ratio > 0 ? b->instructions : 0);
    put_real(line, "issue_ratio", m->issue_ratio);
    put_int(line, "wide_group", plan->wide_group_size);
    put_int(line, "wide_items", plan->wide_diagonals_per_item);
    put_int(line, "wide_columns", plan->wide_tile_columns);
    put_int(line, "wide_diagonals", plan->wide_diagonals);
}

static void write_line(const bench *b, bool names, const bench_case *c, const bench_measured *m)
{
    csv_line line = {.file = b->csv, .names = names};
    put_provenance(&line, b);
    put_case(&line, c, &m->report);
    put_plan(&line, &m->report.plan);
    put_times(&line, c, m);
    put_memory(&line, &m->report);
    put_text(&line, "command", b->command);
    put_sweep(&line, c, m);
    put_comparison(&line, m);
    put_wavefront(&line, b, m);
    fputc('\n', b->csv);
    fflush(b->csv);
}

/* ----------------------------------------------------------- CSV, of batches */

static double per_second(double pairs, double seconds)
{
    return seconds > 0 ? pairs / seconds : 0;
}

static void put_set(csv_line *line, const bench *b, const bench_batch_row *row)
{
    const rhomb_device_info *device = b->ctx != NULL ? rhomb_context_device(b->ctx) : NULL;
    put_text(line, "suite", row->suite);
    put_text(line, "case", row->set->name);
    put_text(line, "program", row->program);
    put_text(line, "cigar", row->cigar ? "1" : "0");
    put_int(line, "threads", row->threads);
    put_int(line, "compute_units", device != NULL ? device->compute_units : 0);
    put_int(line, "set_pairs", (int64_t)row->set->count);
    put_int(line, "pairs", (int64_t)row->pairs);
    put_int(line, "length", row->set->length);
    put_real(line, "error", row->set->rate);
    put_real(line, "mean_distance", row->mean_distance);
    put_text(line, "verified_by", row->verified_by);
}

static void put_rates(csv_line *line, const bench_batch_row *row)
{
    const double pairs = (double)row->pairs;
    put_int(line, "runs", row->runs);
    put_real(line, "first_seconds", row->first_seconds);
    put_real(line, "median_seconds", row->seconds.median);
    put_real(line, "min_seconds", row->seconds.least);
    put_real(line, "max_seconds", row->seconds.most);
    put_real(line, "pairs_per_second", per_second(pairs, row->seconds.median));
    put_real(line, "cpu_seconds", row->cpu_seconds);
    put_real(line, "pairs_per_core_second", per_second(pairs, row->cpu_seconds));
    put_real(line, "edlib_core_ratio", row->edlib_ratio);
    put_real(line, "wfa2_core_ratio", row->wfa2_ratio);
}

static void put_stages(csv_line *line, const rhomb_batch_report *report)
{
    put_real(line, "build_seconds", report->seconds_build);
    put_real(line, "fill_seconds", report->seconds_fill);
    put_real(line, "device_seconds", report->seconds_device);
    put_real(line, "results_seconds", report->seconds_results);
    put_real(line, "deliver_seconds", report->seconds_deliver);
    put_real(line, "long_seconds", report->seconds_long);
    put_int(line, "long_pairs", report->long_pairs);
    put_int(line, "jobs", report->jobs);
    put_int(line, "device_bytes", report->device_bytes);
    put_int(line, "host_bytes", report->host_bytes);
}

static void put_whole(csv_line *line, const bench_batch_whole *whole)
{
    put_int(line, "whole_pairs", whole->pairs);
    put_real(line, "whole_seconds", whole->seconds);
    put_real(line, "whole_start_seconds", whole->start_seconds);
    put_real(line, "whole_pairs_per_second", whole->pairs_per_second);
    put_real(line, "read_pairs_per_second", whole->read_per_second);
    put_real(line, "whole_ratio", whole->ratio);
}

static void write_batch_line(const bench *b, bool names, const bench_batch_row *row)
{
    csv_line line = {.file = b->csv, .names = names};
    put_provenance(&line, b);
    put_set(&line, b, row);
    put_rates(&line, row);
    put_stages(&line, &row->report);
    put_whole(&line, &row->whole);
    put_text(&line, "command", b->command);
    fputc('\n', b->csv);
    fflush(b->csv);
}

void bench_csv_batch_row(bench *b, const bench_batch_row *row)
{
    if (b->csv != NULL)
        write_batch_line(b, false, row);
}

/* ------------------------------------------------------ CSV, of alignments */

static void put_align_pair(csv_line *line, const bench_align_row *row)
{
    const rhomb_report *whole = &row->report.whole;
    put_text(line, "suite", row->suite);
    put_text(line, "case", row->pair->name);
    put_int(line, "target_length", whole->target_length);
    put_int(line, "query_length", whole->query_length);
    put_int(line, "distance", whole->distance);
    put_real(line, "similarity", whole->similarity > 0 ? whole->similarity : 0);
    put_text(line, "verified_by", row->verified_by);
    put_text(line, "asked", bench_engine_name(row->asked));
    put_text(line, "engine", row->report.engine);
}

static void put_path(csv_line *line, const rhomb_align_report *r)
{
    put_int(line, "operations", r->operations);
    put_int(line, "matches", r->matches);
    put_int(line, "mismatches", r->mismatches);
    put_int(line, "inserted", r->inserted);
    put_int(line, "deleted", r->deleted);
    put_int(line, "splits", r->splits);
    put_int(line, "leaves", r->leaves);
    put_int(line, "distance_cells", r->whole.cells);
    put_int(line, "split_cells", r->cells);
}

static void put_align_times(csv_line *line, const bench_align_row *row)
{
    put_int(line, "runs", row->runs);
    put_real(line, "distance_median_seconds", row->distance_solve.median);
    put_real(line, "distance_min_seconds", row->distance_solve.least);
    put_real(line, "distance_max_seconds", row->distance_solve.most);
    put_real(line, "align_median_seconds", row->align.median);
    put_real(line, "align_min_seconds", row->align.least);
    put_real(line, "align_max_seconds", row->align.most);
    put_real(line, "first_seconds", row->whole_seconds);
    put_real(line, "split_seconds", row->split_seconds);
    put_real(line, "leaves_seconds", row->leaves_seconds);
    put_real(line, "total_seconds", row->total_seconds);
    put_real(line, "ratio", row->ratio);
    put_text(line, "within", row->within ? "yes" : "no");
}

static void put_align_memory(csv_line *line, const bench_align_row *row)
{
    put_int(line, "distance_device_bytes", row->distance.device_bytes);
    put_int(line, "device_bytes", row->report.device_bytes);
    put_int(line, "host_bytes", row->report.host_bytes);
    put_text(line, "memory_within", row->memory_within ? "yes" : "no");
}

static void write_align_line(const bench *b, bool names, const bench_align_row *row)
{
    csv_line line = {.file = b->csv, .names = names};
    put_provenance(&line, b);
    put_align_pair(&line, row);
    put_path(&line, &row->report);
    put_align_times(&line, row);
    put_align_memory(&line, row);
    put_real(&line, "cpu_seconds", row->cpu_seconds);
    put_real(&line, "peer_seconds", row->peer_seconds);
    put_real(&line, "peer_cpu_seconds", row->peer_cpu_seconds);
    put_real(&line, "core_ratio", row->core_ratio);
    put_text(&line, "command", b->command);
    fputc('\n', b->csv);
    fflush(b->csv);
}

void bench_csv_align_row(bench *b, const bench_align_row *row)
{
    if (b->csv != NULL)
        write_align_line(b, false, row);
}

/* ---------------------------------------------------------------- CSV, file */

static void write_names(const bench *b, bench_rows rows)
{
    const bench_pair pair = {.name = ""};
    const bench_case no_case = {.suite = "", .pair = &pair, .verified_by = ""};
    const bench_measured nothing = {.report = {.plan = {.engine = ""}}};
    const bench_set no_set = {.count = 0};
    const bench_batch_row no_row = {.suite = "", .set = &no_set, .program = ""};
    const bench_align_row no_alignment = {.suite = "", .pair = &pair, .report = {.engine = ""}};
    switch (rows) {
    case BENCH_ROWS_CASES:
        write_line(b, true, &no_case, &nothing);
        break;
    case BENCH_ROWS_BATCHES:
        write_batch_line(b, true, &no_row);
        break;
    case BENCH_ROWS_ALIGNMENTS:
        write_align_line(b, true, &no_alignment);
        break;
    }
}

bool bench_csv_open(bench *b, const char *path, bench_rows rows)
{
    if (path == NULL)
        return true;
    b->csv = fopen(path, "w");
    if (b->csv == NULL)
        return bench_fail(b, "cannot write %s", path);
    write_names(b, rows);
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

/* ------------------------------------------------------------------ table */

void bench_title(const bench *b, const char *suite)
{
    const rhomb_device_info *device = b->ctx != NULL ? rhomb_context_device(b->ctx) : NULL;
    printf("\n%s", suite);
    if (device != NULL)
        printf(": %s, driver %s", device->name, device->driver_version);
    putchar('\n');
}

void bench_heading(const bench *b, const char *suite)
{
    bench_title(b, suite);
    printf("%-34s %9s  %-24s %8s %8s %8s %8s %8s %8s  %10s %10s %5s\n", "case", "distance", "tile",
           "solve s", "min", "max", "total s", "Gcell/s", "GCUPS", "needed MB", "device MB",
           "ratio");
}

void bench_tile_text(const rhomb_plan *plan, char *text, size_t size)
{
    if (plan->words_per_item > 0) {
        snprintf(text, size, "sweep %dx%d B%d %d", (int)plan->group_size, (int)plan->words_per_item,
                 (int)plan->blocks_per_launch, (int)plan->directions);
        return;
    }
    snprintf(text, size, "%.4s %dx%d T%d%s%s", shape_name(plan->tile_shape), (int)plan->group_size,
             (int)plan->diagonals_per_item, (int)plan->tile_columns, plan->pruning ? "" : " all",
             plan->offset_bits == 64 ? " 64" : "");
}

void bench_csv_row(bench *b, const bench_case *c, const bench_measured *measured)
{
    if (b->csv != NULL)
        write_line(b, false, c, measured);
}

void bench_row(bench *b, const bench_case *c, const bench_measured *measured)
{
    const rhomb_report *r = &measured->report;
    char tile[BENCH_TILE_TEXT], distance[32];
    bench_tile_text(&r->plan, tile, sizeof tile);
    snprintf(distance, sizeof distance, r->distance < 0 ? ">%" PRId64 : "%" PRId64,
             r->distance < 0 ? r->max_distance : r->distance);
    printf("%-34s %9s  %-24s %8.4f %8.4f %8.4f %8.3f %8.3f %8.1f  %10.3f %10.3f %5.2f\n",
           case_name(c), distance, tile, measured->solve.median, measured->solve.least,
           measured->solve.most, measured->total_seconds, cells_per_second(measured) / 1e9,
           gcups(measured), (double)(two_columns_bytes(r) + r->plan.sequence_bytes) / 1e6,
           (double)r->device_bytes / 1e6, memory_ratio(r));
    if (measured->late_cells_per_second > 0)
        printf("%-34s in the second half of the columns %.4g cells/s\n", "",
               measured->late_cells_per_second);
    if (measured->process_seconds > 0)
        printf("%-34s open %.3f s, build %.3f s, whole process %.3f s\n", "",
               measured->open_seconds, measured->build_seconds, measured->process_seconds);
    fflush(stdout);
    bench_csv_row(b, c, measured);
}
