/* SPDX-License-Identifier: MIT */
/*
 * A batch and a distance matrix as subjects of faults, see fault_subjects.h. What is delivered is
 * the same each time, whatever fails after it. The sequences are in memory that is there from the
 * beginning, so that no allocation is the test's own.
 */
#include "fault_subjects.h"

#include "rhomb/batch.h"
#include "rhomb/matrix.h"

/* One pair has a byte that is in no alphabet. */
enum { PAIRS = 60, LONGEST = 200, SPOILT = 7 };
enum { SEQUENCES = 6, LENGTH = 150, ENTRIES = SEQUENCES * (SEQUENCES - 1) / 2 };

static struct {
    char target[LONGEST], query[LONGEST + LONGEST / 4];
    rhomb_pair pair;
} pairs[PAIRS];

/* Twice the unit costs; and what local alignments are scored by. */
static const rhomb_scoring TWICE = {0, 2, 0, 2, -1, -1, NULL}, SCORES = {2, 3, 4, 1, -1, -1, NULL};

/* What a run has delivered, and what the first one has. */
typedef struct progress {
    uint64_t *known;
    bool has_paths;
    int64_t delivered, sum;
    char lacking[1024]; /* the detail of a pair that a long pair's engine has no memory for */
    const char *complaint;
} progress;

/* The next result is the same as the first time; 0 is none. */
static void take_next(progress *p, uint64_t hash)
{
    uint64_t *known = &p->known[p->delivered++];
    if (*known == 0)
        *known = hash;
    if (*known != hash)
        p->complaint = "another result";
    p->sum += (int64_t)(hash % 1000003);
}

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
    if (index == SPOILT)
        query[m++] = 'X';
    pairs[index].pair = (rhomb_pair){target, n, query, m};
}

static uint64_t hash_of(const rhomb_pair_result *result)
{
    uint64_t hash = 1 + (uint64_t)result->status;
    if (result->status != RHOMB_OK)
        return hash;
    hash = hash * 31 + (uint64_t)result->distance;
    if (result->extent != NULL)
        hash = hash * 31 + (uint64_t)result->extent->score;
    for (int64_t i = 0; i < (int64_t)result->cigar_count; i++)
        hash = (hash ^ result->cigar[i]) * UINT64_C(0x100000001B3);
    return hash;
}

static int take_pairs(int64_t first, const rhomb_pair_result *const *results, size_t count,
                      void *user)
{
    progress *p = user;
    if (first != p->delivered || first + (int64_t)count > PAIRS)
        p->complaint = "results are out of order";
    for (size_t i = 0; i < count && p->complaint == NULL; i++) {
        if (results[i]->status == RHOMB_ERR_DEVICE_MEMORY && !p->has_paths) {
            snprintf(p->lacking, sizeof p->lacking, "%s", results[i]->detail);
            p->delivered++;
        } else {
            take_next(p, hash_of(results[i]));
        }
    }
    return 0;
}

/*
 * Adds the pairs one by one, to a batch that calls back. The array they are in leads nowhere as
 * soon as the batch says that it has failed.
 */
static rhomb_status add_each(rhomb_context *ctx, const rhomb_batch_options *options,
                             rhomb_pair *all)
{
    rhomb_batch *batch = NULL;
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
static rhomb_status align_all(rhomb_context *ctx, const rhomb_batch_options *options,
                              const rhomb_pair *all, progress *p)
{
    const rhomb_pair_result *const *results = NULL;
    const rhomb_status status = rhomb_batch_align(ctx, all, PAIRS, options, &results);
    assert_int_equal(results == NULL, status != RHOMB_OK);
    if (status == RHOMB_OK)
        take_pairs(0, results, PAIRS, p);
    rhomb_batch_results_destroy(results);
    return status;
}

/* The call has ended. */
static void finish(rhomb_context *ctx, const progress *p, int64_t all, fault_result *result)
{
    fault_keep_detail(ctx, result);
    if (p->complaint != NULL)
        fail_msg("before pair %lld: %s", (long long)p->delivered, p->complaint);
    if (result->status == RHOMB_OK && p->lacking[0] != '\0') {
        result->status = RHOMB_ERR_DEVICE_MEMORY;
        snprintf(result->detail, sizeof result->detail, "%s", p->lacking);
    }
    if (result->status == RHOMB_OK)
        assert_int_equal(p->delivered, all);
    result->sum = result->status == RHOMB_OK ? p->sum : -2;
}

void fault_run_batch(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    static uint64_t known[FAULT_BATCH_WORKS][PAIRS];
    const fault_batch_work work = (fault_batch_work)s->way;
    const bool local = work == FAULT_BATCH_LOCAL, planes = work == FAULT_BATCH_PLANES;
    const bool scored = work == FAULT_BATCH_SCORED || planes;
    progress p = {.known = known[work], .has_paths = work != FAULT_BATCH_DISTANCES};
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    rhomb_pair all[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        if (pairs[i].pair.target == NULL)
            make_pair(i);
        all[i] = pairs[i].pair;
    }
    tuning.job_bases = 4096;
    tuning.workers = work == FAULT_BATCH_PATHS ? 1 : 3;
    tuning.group_size = s->free_tuning ? 0 : planes ? 2 : 1;
    tuning.bit_planes = planes;
    /* Unless plans are looked at: of more, sanitizers take long to note all bytes. */
    tuning.column_bytes = s->free_tuning ? 0 : INT64_C(1) << 20;
    tuning.first_limit = 50;
    tuning.last_limit = local || scored ? 0 : p.has_paths ? 200 : 74; /* four are beyond */
    options.cigar = p.has_paths;
    options.scoring = local ? &SCORES : scored ? &TWICE : NULL;
    options.mode = local ? RHOMB_MODE_LOCAL : RHOMB_MODE_GLOBAL;
    options.results = take_pairs;
    options.user = &p;
    options.tuning = &tuning;
    options.profile = work == FAULT_BATCH_WORKERS;
    options.borrow_pairs = work == FAULT_BATCH_BORROWED;
    result->status = work == FAULT_BATCH_ARRAY ? align_all(ctx, &options, all, &p)
                                               : add_each(ctx, &options, all);
    finish(ctx, &p, PAIRS, result);
}

static int take_row(int64_t row, int64_t column, const int64_t *distances, size_t count, void *user)
{
    progress *p = user;
    if (rhomb_matrix_pair(row, column) != p->delivered)
        p->complaint = "results are out of order";
    for (size_t i = 0; i < count && p->complaint == NULL; i++)
        take_next(p, (uint64_t)distances[i] + 1);
    return 0;
}

/*
 * Pairs that go through two levels of kernels in several launches, and some that are for the
 * engines of long pairs: copies with 0, 2, 4 ... substitutions, and a stranger; a word more or less
 * of each.
 */
void fault_run_matrix(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    static char text[SEQUENCES][LENGTH];
    static uint64_t known[ENTRIES];
    rhomb_matrix_sequence list[SEQUENCES];
    rhomb_matrix_tuning tuning = RHOMB_MATRIX_TUNING_INIT;
    rhomb_matrix_options options = RHOMB_MATRIX_OPTIONS_INIT;
    progress p = {.known = known};
    uint32_t random = 1;
    for (int k = 0; k < SEQUENCES; k++) {
        if (k == 0 || k == SEQUENCES - 1)
            fault_random_letters(text[k], LENGTH);
        else
            memcpy(text[k], text[0], LENGTH);
        for (int i = 0; i < 2 * k; i++) {
            char *at = &text[k][(fault_random(&random) >> 8) % LENGTH];
            *at = *at == 'A' ? 'C' : 'A';
        }
        list[k] = (rhomb_matrix_sequence){text[k], LENGTH - k, NULL};
    }
    tuning.group_size = !s->free_tuning;
    tuning.first_limit = 5;
    tuning.last_limit = 40; /* the stranger's pairs are beyond it */
    tuning.job_pairs = 6;
    options.results = take_row;
    options.user = &p;
    options.tuning = &tuning;
    result->status = rhomb_matrix_compute(ctx, list, SEQUENCES, &options, NULL);
    finish(ctx, &p, ENTRIES, result);
}
