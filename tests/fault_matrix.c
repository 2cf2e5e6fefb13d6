/* SPDX-License-Identifier: MIT */
/*
 * A distance matrix under fault injection, see fault_driver.h: sequences whose pairs go through two
 * levels of kernels in several jobs, and one pair that is for the engines of long pairs. What
 * is delivered has to be right, whatever fails after it.
 */
#include "fault_driver.h"
#include "rhomb/matrix.h"

enum { SEQUENCES = 6, LENGTH = 150, PAIRS = SEQUENCES * (SEQUENCES - 1) / 2 };

static struct {
    char text[SEQUENCES][LENGTH];
    rhomb_matrix_sequence list[SEQUENCES];
    int64_t distances[PAIRS];
    int64_t sum;
} made;

/* Copies with 0, 2, 4 ... substitutions, and a stranger; a word more or less of each. */
static void make(void)
{
    uint32_t random = 1;
    if (made.sum > 0)
        return;
    for (int k = 0; k < SEQUENCES; k++) {
        if (k == 0 || k == SEQUENCES - 1)
            fault_random_letters(made.text[k], LENGTH);
        else
            memcpy(made.text[k], made.text[0], LENGTH);
        for (int i = 0; i < 2 * k; i++) {
            const uint32_t at = (fault_random(&random) >> 8) % LENGTH;
            made.text[k][at] = made.text[k][at] == 'A' ? 'C' : 'A';
        }
        made.list[k] = (rhomb_matrix_sequence){made.text[k], LENGTH - k, NULL};
    }
    for (int i = 1; i < SEQUENCES; i++)
        for (int j = 0; j < i; j++) {
            const int64_t distance = oracle_textbook(made.text[i], made.list[i].length,
                                                     made.text[j], made.list[j].length);
            made.distances[rhomb_matrix_pair(i, j)] = distance;
            made.sum += distance;
        }
}

typedef struct progress {
    int64_t delivered, sum;
    const char *complaint;
} progress;

static int take(int64_t row, int64_t column, const int64_t *distances, size_t count, void *user)
{
    progress *p = user;
    if (rhomb_matrix_pair(row, column) != p->delivered)
        p->complaint = "results are out of order";
    for (size_t i = 0; i < count && p->complaint == NULL; i++) {
        if (distances[i] != made.distances[p->delivered])
            p->complaint = "another distance";
        p->sum += distances[i];
        p->delivered++;
    }
    return 0;
}

static void run(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    progress p = {.delivered = 0};
    rhomb_matrix_tuning tuning = RHOMB_MATRIX_TUNING_INIT;
    rhomb_matrix_options options = RHOMB_MATRIX_OPTIONS_INIT;
    /* Of 1: what takes PoCL the least time to compile. */
    tuning.group_size = !s->free_groups;
    tuning.first_limit = 5;
    tuning.last_limit = 40; /* the stranger's pairs are beyond it */
    tuning.launch_pairs = 6;
    options.results = take;
    options.user = &p;
    options.tuning = &tuning;
    (void)s;
    result->status = rhomb_matrix_compute(ctx, made.list, SEQUENCES, &options, NULL);
    fault_keep_detail(ctx, result);
    if (p.complaint != NULL)
        fail_msg("before pair %lld: %s", (long long)p.delivered, p.complaint);
    if (result->status == RHOMB_OK)
        assert_int_equal(p.delivered, PAIRS);
    result->distance = result->status == RHOMB_OK ? p.sum : -2;
}

fault_subject fault_matrix(void)
{
    make();
    const fault_subject s = {
        .run = run, .distance = made.sum, .least_calls = 50, .least_named = 2, .tangled = true};
    return s;
}
