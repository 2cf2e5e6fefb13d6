/* SPDX-License-Identifier: MIT */
/*
 * A batch under fault injection, see fault_driver.h. Results are compared with what they have to
 * be. The pairs are in memory that is there from the beginning, so that no allocation is the test's
 * own.
 */
#include "fault_driver.h"
#include "rhomb/batch.h"
#include "src/base/int64.h"
#include "tests/reference/gotoh_modes.h"
#include "tests/reference/path.h"

/* One pair has a byte that is in no alphabet. */
enum { PAIRS = 60, LONGEST = 200, SPOILT = 7 };

static struct {
    char target[LONGEST], query[LONGEST + LONGEST / 4];
    rhomb_pair pair;
    int64_t distance;
    int64_t local_score;
} pairs[PAIRS];

/* Twice the unit costs; and what local alignments are scored by. */
static const rhomb_scoring TWICE = {0, 2, 0, 2, -1, -1}, SCORES = {2, 3, 4, 1, -1, -1};

/* What a run has delivered. */
typedef struct progress {
    bool has_paths;
    bool doubled; /* distances are penalties of TWICE */
    bool local;
    int64_t delivered;
    int64_t distances;
    char lacking[1024]; /* the detail of a pair that a long pair's engine has no memory for */
    const char *complaint;
} progress;

static uint32_t next_random(uint32_t bound)
{
    static uint32_t random = 1;
    return (fault_random(&random) >> 8) % bound;
}

/*
 * One in eight is unlike, one in eight has an N, and one is empty. Then many are unlike, so that
 * jobs with more operations than the one before follow, with few more and with far more.
 */
static void make_pair(int index)
{
    const bool unlike = index % 8 == 3 || (index >= 28 && index < 52);
    char *target = pairs[index].target, *query = pairs[index].query;
    const int64_t n = index == 5 ? 0 : next_random(LONGEST + 1);
    int64_t m = 0;
    for (int64_t j = 0; j < n; j++) {
        const bool edited = next_random(unlike ? 2 : 25) == 0;
        target[j] = "ACGT"[next_random(4)];
        if (!edited || next_random(3) > 0)
            query[m++] = edited ? "ACGT"[next_random(4)] : target[j];
        if (edited && next_random(4) == 0 && m < LONGEST)
            query[m++] = 'A';
    }
    if (index % 8 == 1 && n > 0)
        target[n / 2] = 'N';
    pairs[index].pair = (rhomb_pair){target, n, query, m};
    pairs[index].distance = oracle_textbook(query, m, target, n);
    const oracle_penalties scores = {
        .match = 2, .mismatch = 3, .pieces = 1, .open = {4, 0}, .extend = {1, 0}};
    const oracle_mode mode = {.mode = RHOMB_MODE_LOCAL};
    pairs[index].local_score = oracle_mode_extent(target, n, query, m, &scores, &mode, NULL).score;
    if (index == SPOILT) {
        query[m] = 'X';
        pairs[index].pair.query_length = m + 1;
        pairs[index].distance = -1;
    }
}

static int64_t make_pairs(void)
{
    static int64_t sum;
    for (int i = 0; sum == 0 && i < PAIRS; i++)
        make_pair(i);
    sum = 0;
    for (int i = 0; i < PAIRS; i++)
        sum += pairs[i].distance;
    return sum;
}

static const char *judge(progress *p, const rhomb_pair_result *result, int64_t index)
{
    if (index >= PAIRS)
        return "more results than pairs";
    if (result->status == RHOMB_ERR_DEVICE_MEMORY && !p->has_paths) {
        snprintf(p->lacking, sizeof p->lacking, "%s", result->detail);
        return NULL;
    }
    if (result->status != (index == SPOILT ? RHOMB_ERR_ALPHABET : RHOMB_OK))
        return "another status";
    if (p->local)
        return index == SPOILT || result->extent->score == pairs[index].local_score
                   ? NULL
                   : "another score";
    if (result->distance != (p->doubled && index != SPOILT ? 2 : 1) * pairs[index].distance)
        return "another distance";
    return p->has_paths && index != SPOILT ? path_judge(result->cigar, result->cigar_count,
                                                        &pairs[index].pair, pairs[index].distance)
                                           : NULL;
}

static int take(int64_t first, const rhomb_pair_result *const *results, size_t count, void *user)
{
    progress *p = user;
    if (first != p->delivered)
        p->complaint = "results are out of order";
    for (size_t i = 0; i < count && p->complaint == NULL; i++) {
        p->complaint = judge(p, results[i], first + (int64_t)i);
        p->distances += pairs[first + (int64_t)i].distance;
    }
    p->delivered += (int64_t)count;
    return 0;
}

/*
 * Adds the pairs one by one, to a batch that calls back. The array they are in leads nowhere as
 * soon as the batch says that it has failed.
 */
static rhomb_status run_batch(rhomb_context *ctx, const rhomb_batch_options *options)
{
    rhomb_batch *batch = NULL;
    rhomb_pair all[PAIRS];
    for (int i = 0; i < PAIRS; i++)
        all[i] = pairs[i].pair;
    rhomb_status status = rhomb_batch_create(ctx, options, &batch);
    assert_int_equal(batch == NULL, status != RHOMB_OK);
    for (int i = 0; status == RHOMB_OK && i < PAIRS; i++)
        status = rhomb_batch_add(batch, &all[i], 1);
    if (status == RHOMB_OK)
        status = rhomb_batch_finish(batch);
    const rhomb_pair nowhere = {(const char *)(uintptr_t)64, LONGEST, (const char *)(uintptr_t)64,
                                LONGEST};
    for (int i = 0; status != RHOMB_OK && i < PAIRS; i++)
        all[i] = nowhere;
    rhomb_batch_destroy(batch);
    return status;
}

/* All pairs at once; their results count only where there is no failure. */
static rhomb_status run_array(rhomb_context *ctx, const rhomb_batch_options *options, progress *p)
{
    rhomb_pair all[PAIRS];
    const rhomb_pair_result *const *results = NULL;
    for (int i = 0; i < PAIRS; i++)
        all[i] = pairs[i].pair;
    const rhomb_status status = rhomb_batch_align(ctx, all, PAIRS, options, &results);
    assert_int_equal(results == NULL, status != RHOMB_OK);
    if (status == RHOMB_OK)
        take(0, results, PAIRS, p);
    rhomb_batch_results_destroy(results);
    return status;
}

static void run(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    const fault_batch_work work = (fault_batch_work)s->way;
    progress p = {.has_paths = work != FAULT_BATCH_DISTANCES,
                  .doubled = work == FAULT_BATCH_SCORED || work == FAULT_BATCH_PLANES,
                  .local = work == FAULT_BATCH_LOCAL};
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    tuning.job_bases = 4096;
    tuning.workers = work == FAULT_BATCH_PATHS ? 1 : 3;
    /* Of 1, or 2: what takes PoCL the least time to compile. */
    tuning.group_size = s->free_groups ? 0 : work == FAULT_BATCH_PLANES ? 2 : 1;
    tuning.bit_planes = work == FAULT_BATCH_PLANES;
    /* Unless plans are looked at: of more, sanitizers take long to note all bytes. */
    tuning.column_bytes = s->free_groups ? 0 : INT64_C(1) << 24;
    tuning.first_limit = 50;
    tuning.last_limit = p.local || p.doubled ? 0 : p.has_paths ? 200 : 74; /* four are beyond */
    options.cigar = p.has_paths;
    options.scoring = p.local ? &SCORES : p.doubled ? &TWICE : NULL;
    options.mode = p.local ? RHOMB_MODE_LOCAL : RHOMB_MODE_GLOBAL;
    options.results = take;
    options.user = &p;
    options.tuning = &tuning;
    options.profile = work == FAULT_BATCH_WORKERS;
    options.borrow_pairs = work == FAULT_BATCH_BORROWED;
    result->status =
        work == FAULT_BATCH_ARRAY ? run_array(ctx, &options, &p) : run_batch(ctx, &options);
    fault_keep_detail(ctx, result);
    if (p.complaint != NULL)
        fail_msg("before pair %lld: %s", (long long)p.delivered, p.complaint);
    if (result->status == RHOMB_OK && p.lacking[0] != '\0') {
        result->status = RHOMB_ERR_DEVICE_MEMORY;
        snprintf(result->detail, sizeof result->detail, "%s", p.lacking);
    }
    result->distance = result->status == RHOMB_OK ? p.distances : -2;
}

fault_subject fault_batch(fault_batch_work work)
{
    const fault_subject s = {.run = run,
                             .way = work,
                             .distance = make_pairs(),
                             .least_calls = 50,
                             .least_named = 2,
                             .tangled = true};
    return s;
}
