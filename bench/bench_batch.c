/* SPDX-License-Identifier: MIT */
/*
 * The suites `batch` and `batch_grid`: many short pairs, distance alone and with CIGAR, by one
 * batch object that is used again for each run, and by edlib and WFA2 in turns with it, so that
 * whatever else the machine does meets all of them. A run ends when the last result has been
 * delivered; its bases lie in the caller's memory.
 *
 * Before anything is timed a run has every CIGAR applied to its pair and counted, and edlib solves
 * all pairs, or a sample of 2,000 or more spread evenly where all would take too long. Later runs
 * must deliver the same sums.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_batch.h"
#include "tests/reference/path_judge.h"

/*
 * Steps of a bit-parallel matrix, of 64 rows each, which edlib does some 0.7e9 of in a second of a
 * core: for each thread of the peers those that verify the distances, and those of a timed run.
 * What a pair takes beside its bases is edlib's 3 microseconds for 150 bases.
 */
#define CHECK_STEPS 1e9
#define TURN_STEPS  5e7
#define PAIR_STEPS  2000
#define CHECK_LEAST 2000
#define TURN_LEAST  64

/* Where the results of a run go. */
typedef struct sink {
    const bench_set *set;
    bool cigar;
    bool checks;        /* each pair is looked at, in a run that is not timed */
    bool known;         /* `distances` has what must come out, else it takes what does */
    int64_t *distances; /* of the set */
    int64_t distance_sum;
    int64_t operations;
    size_t wrong; /* a pair's number + 1 */
    const char *why;
} sink;

/* NULL, or what is wrong with a pair. */
static const char *check_pair(sink *s, size_t number, const rhomb_pair_result *r)
{
    if (r->status != RHOMB_OK)
        return r->detail;
    const char *complaint =
        s->cigar ? path_judge(r->cigar, r->cigar_count, &s->set->pairs[number], r->distance) : NULL;
    if (complaint == NULL && s->known && s->distances[number] != r->distance)
        complaint = "with a CIGAR the distance is another one";
    s->distances[number] = r->distance;
    return complaint;
}

static int take(int64_t first, const rhomb_pair_result *const *results, size_t count, void *user)
{
    sink *s = user;
    for (size_t i = 0; i < count; i++) {
        s->distance_sum += results[i]->distance;
        s->operations += results[i]->cigar_count;
    }
    for (size_t i = 0; i < count && s->checks && s->wrong == 0; i++) {
        const size_t number = ((size_t)first + i) % s->set->count;
        s->why = check_pair(s, number, results[i]);
        s->wrong = s->why != NULL ? number + 1 : 0;
    }
    return s->wrong != 0;
}

/* A set under measurement. */
typedef struct contest {
    bench *b;
    const bench_set *set;
    int peer_threads;
    bench_sample checked;
    bench_sample timed;
    sink sink;
    rhomb_batch *batch;
    bench_workers *workers[BENCH_PEERS]; /* NULL: the bench was built without it */
    rhomb_batch_report before;           /* the timed runs */
    bench_case turns[1 + BENCH_PEERS];   /* the batch, and the peers */
} contest;

/* All pairs once, through the batch. */
static bool solve(contest *c, double seconds[BENCH_CLOCKS])
{
    bench *b = c->b;
    const double cpu = bench_cpu_now(), began = bench_now();
    c->sink.distance_sum = c->sink.operations = 0;
    rhomb_status status = rhomb_batch_add(c->batch, c->set->pairs, c->set->count);
    if (status == RHOMB_OK)
        status = rhomb_batch_finish(c->batch);
    seconds[BENCH_WALL] = bench_now() - began;
    seconds[BENCH_CPU] = bench_cpu_now() - cpu;
    if (c->sink.wrong != 0)
        return bench_fail(b, "%s, pair %zu: %s", c->set->name, c->sink.wrong - 1, c->sink.why);
    return status == RHOMB_OK || bench_fail(b, "%s: %s", c->set->name, rhomb_context_error(b->ctx));
}

/* The run that warms up, and after it the one in which all is checked. */
static bool solve_first(contest *c, double seconds[BENCH_CLOCKS])
{
    double unused[BENCH_CLOCKS];
    if (!solve(c, seconds))
        return false;
    c->sink.checks = true;
    const bool good = solve(c, unused) &&
                      (c->sink.known || bench_workers_solve(c->b, c->workers[BENCH_EDLIB], c->set,
                                                            c->checked, c->sink.distances));
    c->sink.checks = false;
    c->sink.known = true;
    c->before = *rhomb_batch_get_report(c->batch);
    return good;
}

/* The batch's turn: timed runs must deliver what the checked one has. */
static bool run_batch(bench *b, bench_case *turn, double seconds[BENCH_CLOCKS])
{
    contest *c = turn->user;
    const int64_t distances = c->sink.distance_sum, operations = c->sink.operations;
    if (turn->calls == 0)
        return solve_first(c, seconds);
    return solve(c, seconds) &&
           ((c->sink.distance_sum == distances && c->sink.operations == operations) ||
            bench_fail(b, "%s: two runs differ", c->set->name));
}

static bool run_peer(bench *b, bench_case *turn, double seconds[BENCH_CLOCKS])
{
    const contest *c = turn->user;
    bench_workers *workers = c->workers[turn - c->turns - 1];
    const double cpu = bench_cpu_now(), began = bench_now();
    const bool good = bench_workers_solve(b, workers, c->set, c->timed, c->sink.distances);
    seconds[BENCH_WALL] = bench_now() - began;
    seconds[BENCH_CPU] = bench_cpu_now() - cpu;
    return good;
}

static void put_heading(void)
{
    printf("%-22s %-6s %5s %7s %8s %8s %10s %10s %10s %9s %9s  %s\n", "case", "", "", "threads",
           "pairs", "distance", "seconds", "min", "max", "M pairs/s", "per core",
           "to edlib's and WFA2's");
}

/* The batch's report with what a timed run has in the mean. */
static rhomb_batch_report report_of_a_run(const contest *c)
{
    rhomb_batch_report report = *rhomb_batch_get_report(c->batch);
    const rhomb_batch_report *before = &c->before;
    const int runs = c->turns[0].runs;
    report.jobs = (report.jobs - before->jobs) / runs;
    report.long_pairs = (report.long_pairs - before->long_pairs) / runs;
    report.seconds_fill = (report.seconds_fill - before->seconds_fill) / runs;
    report.seconds_device = (report.seconds_device - before->seconds_device) / runs;
    report.seconds_results = (report.seconds_results - before->seconds_results) / runs;
    report.seconds_deliver = (report.seconds_deliver - before->seconds_deliver) / runs;
    report.seconds_long = (report.seconds_long - before->seconds_long) / runs;
    return report;
}

static bench_batch_row row_of(const contest *c, const bench_case *turn, size_t pairs, int threads)
{
    bench_batch_row row = {.suite = turn->suite,
                           .set = c->set,
                           .program = turn->name,
                           .cigar = c->sink.cigar,
                           .threads = threads,
                           .pairs = pairs,
                           .mean_distance = (double)c->sink.distance_sum / (double)c->set->count,
                           .verified_by = "rhomb",
                           .runs = turn->runs,
                           .first_seconds = turn->first_seconds,
                           .seconds = turn->times[BENCH_WALL],
                           .cpu_seconds = turn->times[BENCH_CPU].median};
    return row;
}

static double pairs_per_core_second(const bench_batch_row *row)
{
    return (double)row->pairs / row->cpu_seconds;
}

static void put_row(bench *b, const bench_batch_row *row)
{
    printf("%-22s %-6s %5s %7d %8zu %8.2f %10.5f %10.5f %10.5f %9.4f %9.4f", row->set->name,
           row->program, row->cigar ? "cigar" : "", row->threads, row->pairs, row->mean_distance,
           row->seconds.median, row->seconds.least, row->seconds.most,
           (double)row->pairs / row->seconds.median / 1e6, pairs_per_core_second(row) / 1e6);
    if (row->ratios[BENCH_EDLIB] != 0 || row->ratios[BENCH_WFA2] != 0)
        printf("  %.2f, %.2f", row->ratios[BENCH_EDLIB], row->ratios[BENCH_WFA2]);
    putchar('\n');
    if (row->whole.seconds > 0)
        printf("%-22s whole command on %.1f M pairs %.3f s, start %.3f s, %.4f M pairs/s; reading "
               "alone %.4f; ratio %.2f\n",
               "", (double)row->whole.pairs / 1e6, row->whole.seconds, row->whole.start_seconds,
               row->whole.pairs_per_second / 1e6, row->whole.read_per_second / 1e6,
               row->whole.ratio);
    fflush(stdout);
    bench_csv_batch_row(b, row);
}

/* Rows of the batch and its peers, after the timed runs. */
static bool put_rows(contest *c)
{
    bench *b = c->b;
    const rhomb_batch_report report = report_of_a_run(c);
    bench_batch_row ours = row_of(c, &c->turns[0], c->set->count, report.workers);
    char sample[32] = "";
    ours.report = report;
    if (c->checked.step > 1)
        snprintf(sample, sizeof sample, " on %zu pairs", c->checked.count);
    snprintf(ours.verified_by, sizeof ours.verified_by, "edlib%s%s", sample,
             c->sink.cigar ? "; every CIGAR" : "");
    for (bench_peer peer = 0; peer < BENCH_PEERS; peer++) {
        if (c->workers[peer] == NULL)
            continue;
        const bench_batch_row theirs =
            row_of(c, &c->turns[1 + peer], c->timed.count, c->peer_threads);
        ours.ratios[peer] = pairs_per_core_second(&ours) / pairs_per_core_second(&theirs);
        put_row(b, &theirs);
    }
    const bool whole = b->program != NULL && c->set->length > 0 && c->sink.cigar;
    const bool good = !whole || bench_batch_run_whole(b, c->set, ours.seconds.median, &ours.whole);
    put_row(b, &ours);
    return good;
}

/* The batch and the peers. */
static bool create_all(contest *c)
{
    bench *b = c->b;
    rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    tuning.workers = (int32_t)b->workers;
    options.tuning = &tuning;
    options.cigar = c->sink.cigar;
    options.results = take;
    options.user = &c->sink;
    if (rhomb_batch_create(b->ctx, &options, &c->batch) != RHOMB_OK)
        return bench_fail(b, "%s: %s", c->set->name, rhomb_context_error(b->ctx));
    for (bench_peer peer = 0; peer < BENCH_PEERS; peer++) {
        if (!bench_has_peer(peer))
            continue;
        c->workers[peer] = bench_workers_create(b, peer, c->sink.cigar, c->peer_threads);
        if (c->workers[peer] == NULL)
            return false;
    }
    return true;
}

/* Distance alone, or with a CIGAR, from the batch's creation to the rows. */
static bool measure(contest *c, const bench_suite *suite, bool cigar)
{
    c->batch = NULL;
    c->sink.cigar = cigar;
    memset(c->workers, 0, sizeof c->workers);
    bool good = create_all(c);
    for (int i = 0; i < 1 + BENCH_PEERS; i++) {
        bench_case *turn = &c->turns[i];
        *turn = bench_case_of(c->b, suite, NULL);
        turn->name = i == 0 ? "rhomb" : bench_peer_names[i - 1];
        turn->run = i == 0 ? run_batch : run_peer;
        turn->user = c;
        turn->done = i > 0 && c->workers[i - 1] == NULL;
    }
    good = good && bench_take_turns(c->b, c->turns, 1 + BENCH_PEERS) && put_rows(c);
    for (bench_peer peer = 0; peer < BENCH_PEERS; peer++)
        bench_workers_destroy(c->workers[peer]);
    rhomb_batch_destroy(c->batch);
    return good;
}

/* How many pairs take edlib about as long as so many steps; `least` in any case, if there are. */
static size_t share(const bench_set *set, double steps, size_t least)
{
    const double length = (double)set->bases / 2 / (double)set->count;
    const double wanted = steps / (length * (length / 64 + 1) + PAIR_STEPS);
    const size_t count = wanted > (double)least ? (size_t)wanted : least;
    return count < set->count ? count : set->count;
}

static bool measure_set(bench *b, const bench_suite *suite, const bench_set *set)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const int threads = b->peer_threads > 0 ? (int)b->peer_threads : cores > 0 ? (int)cores : 1;
    contest c = {.b = b, .set = set, .peer_threads = threads};
    const size_t step = set->count / share(set, CHECK_STEPS * threads, CHECK_LEAST);
    c.checked = (bench_sample){.step = step, .count = (set->count + step - 1) / step};
    /* Neighbours: with a stride through memory WFA2 has a third less to show on 150 bp. */
    c.timed = (bench_sample){
        .step = 1, .count = share(set, TURN_STEPS * threads, TURN_LEAST * (size_t)threads)};
    c.sink.set = set;
    c.sink.distances = calloc(set->count, sizeof *c.sink.distances);
    if (c.sink.distances == NULL)
        return bench_fail(b, "out of memory for %s", set->name);
    const bool good = measure(&c, suite, false) && measure(&c, suite, true);
    free(c.sink.distances);
    return good;
}

static bool measure_source(bench *b, const bench_suite *suite, const bench_source *source)
{
    char path[BENCH_PATH_BYTES];
    bench_set set;
    const bool reads = source->files[0] != NULL;
    snprintf(path, sizeof path, "%s/%s", reads ? b->data : "", reads ? source->files[0] : "");
    if (reads && access(path, R_OK) != 0)
        return true; /* not everyone has them */
    if (reads ? !bench_set_read(b, source, path, &set) : !bench_set_make(b, source, &set))
        return false;
    const bool good = measure_set(b, suite, &set);
    bench_set_release(&set);
    return good;
}

const bench_method bench_batch = {.measure_set = measure_source,
                                  .heading = put_heading,
                                  .rows = BENCH_ROWS_BATCHES,
                                  .needs_edlib = true,
                                  .own_engines = true};
