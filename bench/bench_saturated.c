/* SPDX-License-Identifier: MIT */
/*
 * The suite `saturated`: unrelated letters without pruning, stopped long before the end. Every
 * column is full, so the run shows what the device does once it is busy; a second one, of the same
 * kernel without extension (bench_extension.c), shows what following matches costs.
 *
 * The rate is that of the second half of the columns, where it was measured. It is compared with
 * that of the run without extension, and with what the device can issue:
 *
 *     compute units * lanes of a unit * clock / (instructions a cell * computed for a counted cell)
 */
#include "bench.h"

#include <string.h>

/* Lanes that a multiprocessor of NVIDIA issues to in a cycle, since Volta: 4 schedulers of 32. */
#define NVIDIA_LANES 128

static double rate_of(const bench_measured *m)
{
    return m->late_cells_per_second > 0 ? m->late_cells_per_second
           : m->solve.median > 0        ? (double)m->report.cells / m->solve.median
                                        : 0;
}

/* Cells a second that the device can issue; 0 where its lanes or its clock are not known. */
static double issue_rate(const bench *b, const rhomb_plan *plan)
{
    const rhomb_device_info *device = rhomb_context_device(b->ctx);
    const double lanes = b->lanes_per_unit > 0                      ? (double)b->lanes_per_unit
                         : strstr(device->vendor, "NVIDIA") != NULL ? NVIDIA_LANES
                                                                    : 0;
    const double issued = device->compute_units * lanes * device->clock_mhz * 1e6;
    const double width = (double)plan->group_size * plan->diagonals_per_item;
    /* The margins of a trapezoid are computed and do not count. */
    const double margins = plan->tile_shape == RHOMB_TILE_TRAPEZOID ? 2.0 * plan->tile_columns : 0;
    return issued * (width - margins) / width / b->instructions;
}

/* All runs of a case; false when one fails. */
static bool run_all(bench *b, const bench_case *c, bench_measured *measured)
{
    bench_runs runs = {0};
    while (!runs.done)
        if (!bench_run_once(b, c, &runs))
            return false;
    memset(measured, 0, sizeof *measured);
    if (runs.count > 0)
        *measured = bench_summary(b, &runs);
    return true;
}

static bool run_without_extension(bench *b, bench_case c, bench_measured *measured)
{
    c.name = "the same without extension";
    c.verified_by = "the count of cells";
    bool good = true;
    memset(measured, 0, sizeof *measured);
    if (!bench_leave_out_extension(true))
        printf("%-34s left out: the kernels have no such variant\n", c.name);
    else
        good = run_all(b, &c, measured);
    bench_leave_out_extension(false);
    if (good && measured->runs > 0)
        bench_row(b, &c, measured);
    return good;
}

static bool run_pair(bench *b, const bench_pair *pair)
{
    bench_measured measured, plain;
    bench_case c = {.suite = "saturated",
                    .name = "unrelated, stopped",
                    .pair = pair,
                    .engine = bench_engine(b, RHOMB_ENGINE_WAVEFRONT),
                    .tuning = b->tuning,
                    .max_distance = b->stop_at,
                    .verified_by = "the limit and the count of cells",
                    .repeat = b->repeat,
                    .verify_first = true};
    c.tuning.no_pruning = true;
    if (!run_all(b, &c, &measured))
        return false;
    if (measured.runs == 0)
        return true;
    /* Only now: the self-test comes with the first run, and wants extensions. */
    if (!run_without_extension(b, c, &plain))
        return false;
    const double issue = issue_rate(b, &measured.report.plan);
    measured.ratio = rate_of(&plain) > 0 ? rate_of(&measured) / rate_of(&plain) : 0;
    measured.issue_ratio = issue > 0 ? rate_of(&measured) / issue : 0;
    bench_row(b, &c, &measured);
    if (measured.ratio > 0)
        printf("%-34s %.3f of the rate without extension\n", "", measured.ratio);
    if (measured.issue_ratio > 0)
        printf("%-34s %.3f of the issue limit, %.4g cells/s at %g instructions a cell\n", "",
               measured.issue_ratio, issue, b->instructions);
    return true;
}

bool bench_suite_saturated(bench *b)
{
    bench_pair pair;
    if (!bench_pair_unrelated(b, "unrelated 12.6 M x 13.1 M", 12600000, 13104000, &pair))
        return false;
    if (!run_pair(b, &pair))
        b->failed = true;
    bench_pair_release(&pair);
    return true;
}
