/* SPDX-License-Identifier: MIT */
/*
 * What follows from a case's report, and the table of cases for people.
 */
#include <inttypes.h>
#include <string.h>

#include "bench.h"

const char *bench_shape_name(rhomb_tile_shape shape)
{
    return shape == RHOMB_TILE_DIAMOND     ? "diamond"
           : shape == RHOMB_TILE_TRAPEZOID ? "trapezoid"
                                           : "";
}

double bench_gcups(const bench_case *c)
{
    const rhomb_report *r = &c->report;
    const double seconds = c->times[BENCH_SOLVE].median;
    if (r->distance < 0 || seconds <= 0)
        return 0;
    return (double)r->target_length * (double)r->query_length / seconds / 1e9;
}

double bench_cells_per_second(const bench_case *c)
{
    const double seconds = c->times[BENCH_SOLVE].median;
    return seconds > 0 ? (double)c->report.cells / seconds : 0;
}

double bench_cells_per_cpu_second(const bench_case *c)
{
    const double seconds = c->times[BENCH_CPU].median;
    return seconds > 0 ? (double)c->report.cells / seconds : 0;
}

int64_t bench_two_columns_bytes(const rhomb_report *report)
{
    return 2 * report->plan->directions * report->diagonals_in_use *
           (report->plan->offset_bits / 8);
}

double bench_memory_ratio(const rhomb_report *report)
{
    const int64_t needed = bench_two_columns_bytes(report) + report->plan->sequence_bytes;
    return needed > 0 ? (double)report->device_bytes / (double)needed : 0;
}

void bench_title(const bench *b, const char *suite)
{
    const rhomb_device_info *device = b->ctx != NULL ? rhomb_context_device(b->ctx) : NULL;
    printf("\n%s", suite);
    if (device != NULL)
        printf(": %s, driver %s", device->name, device->driver_version);
    putchar('\n');
}

void bench_heading(void)
{
    printf("%-34s %9s  %-11s %-24s %9s %9s %9s %9s %8s %8s %10s %6s %7s\n", "case", "distance",
           "asked", "tile", "work s", "solve s", "min", "max", "Gcell/s", "GCUPS", "device MB",
           "excess", "ratio");
}

void bench_tile_text(const rhomb_plan *plan, char *text, size_t size)
{
    if (plan->words_per_item > 0)
        snprintf(text, size, "sweep %dx%d B%d %d", (int)plan->group_size, (int)plan->words_per_item,
                 (int)plan->blocks_per_launch, (int)plan->directions);
    else
        snprintf(text, size, "%.4s %dx%d T%d%s%s", bench_shape_name(plan->tile_shape),
                 (int)plan->group_size, (int)plan->diagonals_per_item, (int)plan->tile_scores,
                 plan->pruning ? "" : " all", plan->offset_bits == 64 ? " 64" : "");
}

void bench_row(bench *b, const bench_case *c)
{
    const rhomb_report *r = &c->report;
    const bench_times *solve = &c->times[BENCH_SOLVE];
    char tile[BENCH_TILE_TEXT], distance[32];
    bench_tile_text(r->plan, tile, sizeof tile);
    snprintf(distance, sizeof distance, r->distance < 0 ? ">%" PRId64 : "%" PRId64,
             r->distance < 0 ? r->max_distance : r->distance);
    printf("%-34s %9s  %-11s %-24s %9.4f %9.4f %9.4f %9.4f %8.3f %8.1f %10.3f %6.2f",
           bench_case_name(c), distance, bench_engine_name(c->engine), tile,
           c->times[BENCH_WORK].median, solve->median, solve->least, solve->most,
           bench_cells_per_second(c) / 1e9, bench_gcups(c), (double)r->device_bytes / 1e6,
           bench_memory_ratio(r));
    if (c->ratio > 0)
        printf(" %7.3f%s", c->ratio,
               c->within != NULL && strcmp(c->within, "no") == 0 ? " MISSED" : "");
    putchar('\n');
    if (c->late_cells_per_second > 0)
        printf("%-34s in the second half of the columns %.4g cells/s\n", "",
               c->late_cells_per_second);
    if (c->times[BENCH_PROCESS].median > 0)
        printf("%-34s open %.3f s, build %.3f s, whole process %.3f s\n", "",
               c->times[BENCH_OPEN].median, c->times[BENCH_BUILD].median,
               c->times[BENCH_PROCESS].median);
    fflush(stdout);
    bench_csv_row(b, c);
}
