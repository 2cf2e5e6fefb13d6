/* SPDX-License-Identifier: MIT */
/*
 * Suites of one program on a pair: `pairs` and `synthetic`, which are plain calls; `matrix`,
 * `chromosome`, and `saturated`.
 *
 * In `matrix` each pair of random sequences is measured twice: as "matrix" by a sweep whose first
 * band is as wide as can be, which is the rate of a busy device, and as "unrelated" the way a user
 * asks for it, where the engine chooses the band. GCUPS counts the cells of the whole matrix. A
 * band never holds those that are further from both ends' diagonals than any path can go, so that
 * fewer cells are computed: both rates are printed.
 */
#include <inttypes.h>
#include <string.h>

#include "bench.h"
#include "tests/reference/edlib_distance.h"

/* The longest pairs for which edlib is worth waiting for: a second or two. */
#define EDLIB_LENGTH 200000

/* Lanes that a multiprocessor of NVIDIA issues to in a cycle, since Volta: 4 schedulers of 32. */
#define NVIDIA_LANES 128

static bool measure_plain(bench *b, const bench_suite *suite, const bench_source *source,
                          const bench_pair *pair)
{
    const bool known = source->files[0] != NULL;
    bench_case c = bench_case_of(b, suite, pair);
    c.distance = known ? source->distance : bench_check_by_tiles(b, pair);
    c.verified_by = known ? BENCH_BY_TABLE : BENCH_BY_TILES;
    return c.distance >= 0 && bench_run(b, &c);
}

static bool run_matrix(bench *b, bench_case *c, int64_t longer)
{
    c->engine = RHOMB_ENGINE_BITPARALLEL;
    c->tuning.first_half_width = longer;
    if (!bench_run_checked(b, c, true))
        return false;
    if (c->runs > 0) /* the margins of strips can make it more than all */
        printf("%-34s %.0f %% of the matrix computed\n", "",
               100 * (double)c->report.cells /
                   ((double)c->report.target_length * (double)c->report.query_length));
    return true;
}

/* Both rows; what the first one finds out, the second one has to find as well. */
static bool measure_matrix(bench *b, const bench_suite *suite, const bench_source *source,
                           const bench_pair *pair)
{
    const int64_t longer =
        pair->target_length > pair->query_length ? pair->target_length : pair->query_length;
    bench_case plain = bench_case_of(b, suite, pair), whole;
    plain.once_when_long = true;
    if (longer <= EDLIB_LENGTH && oracle_has_edlib()) {
        plain.distance =
            oracle_edlib(pair->query, pair->query_length, pair->target, pair->target_length);
        plain.verified_by = "edlib";
    }
    whole = plain;
    whole.name = source->also;
    if (bench_wants(b, source->also)) {
        if (!run_matrix(b, &whole, longer))
            return false;
        plain.distance = whole.distance;
        plain.verified_by = whole.verified_by;
    }
    return !bench_wants(b, source->name) || bench_run_checked(b, &plain, true);
}

/* Times the pair once, checks the distance by another sweep, and says what was done. */
static bool measure_chromosome(bench *b, const bench_suite *suite, const bench_source *source,
                               const bench_pair *pair)
{
    bench_case c = bench_case_of(b, suite, pair);
    (void)source;
    c.repeat = 1;
    c.verify_first = false;
    if (!bench_run_checked(b, &c, b->verify_long))
        return false;
    const rhomb_report *r = &c.report;
    if (c.runs == 0)
        return true;
    printf("%-34s %" PRId64 " x %" PRId64 ", similarity %.4f, %.4g cells in %" PRId64 " batches\n",
           "", r->target_length, r->query_length, r->similarity, (double)r->cells, r->batches);
    printf("%-34s %s: %s\n", "", r->plan->engine, r->plan->reason);
    return true;
}

/*
 * Random sequences without pruning, stopped long before the end. Every column is full, so the run
 * shows what the device does once it is busy; a second one, of the same kernel without extension
 * (bench_extension.c), shows what following matches costs. The rate is that of the second half of
 * the columns, where it was measured. It is compared with that of the run without extension, and
 * with what the device can issue:
 *
 *     compute units * lanes of a unit * clock / (instructions a cell * computed for a counted cell)
 */

static double rate_of(const bench_case *c)
{
    const double seconds = c->times[BENCH_SOLVE].median;
    return c->late_cells_per_second > 0 ? c->late_cells_per_second
           : seconds > 0                ? (double)c->report.cells / seconds
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
    const double margins = plan->tile_shape == RHOMB_TILE_TRAPEZOID ? 2.0 * plan->tile_scores : 0;
    return issued * (width - margins) / width / b->instructions;
}

static bool run_without_extension(bench *b, bench_case *c)
{
    bool good = true;
    c->name = "the same without extension";
    c->verified_by = "the count of cells";
    if (bench_leave_out_extension(true))
        good = bench_run(b, c);
    else
        printf("%-34s left out: the kernels have no such variant\n", c->name);
    bench_leave_out_extension(false);
    return good;
}

/* The affine wavefront, up to the same column: cells are those that matter, not whole tiles. */
static bool measure_affine(bench *b, const bench_suite *suite, const bench_pair *pair,
                           const char *text)
{
    bench_case c = bench_case_of(b, suite, pair);
    rhomb_scoring scoring;
    if (rhomb_scoring_parse(b->ctx, text, &scoring) != RHOMB_OK)
        return bench_fail(b, "%s: %s", text, rhomb_context_error(b->ctx));
    c.name = "unrelated, affine, stopped";
    c.scoring = &scoring;
    c.scored.text = text;
    c.max_distance = b->stop_at;
    c.verified_by = "the limit and the count of cells";
    c.once_when_long = true;
    if (!bench_take_turns(b, &c, 1) || c.runs == 0)
        return !b->failed;
    const int64_t cells = (int64_t)bench_affine_cells(&c, c.max_distance + 1);
    if (c.report.cells < cells)
        return bench_fail(b, "%s: %" PRId64 " cells of tiles do not make %" PRId64, c.name,
                          c.report.cells, cells);
    c.report.cells = cells;
    bench_row(b, &c);
    return true;
}

static bool measure_saturated(bench *b, const bench_suite *suite, const bench_source *source,
                              const bench_pair *pair)
{
    bench_case c = bench_case_of(b, suite, pair), plain;
    if (source->scorings != NULL)
        return measure_affine(b, suite, pair, source->scorings[0]);
    c.name = "unrelated, stopped";
    c.max_distance = b->stop_at;
    c.verified_by = "the limit and the count of cells";
    c.tuning.no_pruning = true;
    plain = c;
    if (!bench_take_turns(b, &c, 1) || c.runs == 0)
        return !b->failed;
    /* Only now: the self-test comes with the first run, and wants extensions. */
    if (!run_without_extension(b, &plain))
        return false;
    const double issue = issue_rate(b, c.report.plan);
    c.ratio = rate_of(&plain) > 0 ? rate_of(&c) / rate_of(&plain) : 0;
    c.issue_ratio = issue > 0 ? rate_of(&c) / issue : 0;
    bench_row(b, &c);
    if (c.ratio > 0)
        printf("%-34s %.3f of the rate without extension\n", "", c.ratio);
    if (c.issue_ratio > 0)
        printf("%-34s %.3f of the issue limit, %.4g cells/s at %g instructions a cell\n", "",
               c.issue_ratio, issue, b->instructions);
    return true;
}

const bench_method bench_plain = {.measure = measure_plain, .heading = bench_heading};
const bench_method bench_matrix = {.measure = measure_matrix, .heading = bench_heading};
const bench_method bench_chromosome = {.measure = measure_chromosome, .heading = bench_heading};
const bench_method bench_saturated = {.measure = measure_saturated, .heading = bench_heading};
