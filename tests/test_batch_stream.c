/* SPDX-License-Identifier: MIT */
/*
 * A stream of pairs that no memory would hold: adds them for as long as it takes, looks at every
 * distance and every CIGAR's cost, and at how much memory the process has.
 *
 *     test_batch_stream MEGABYTES     bases of the stream, in millions
 *
 * Memory may grow while the first eighth passes, in which all that is kept gets its size, and
 * by no more than a few megabytes after it. Exits with 77 without a device.
 */
#include <sys/resource.h>

#include "support/batch_check.h"
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"

/* Pairs of the block that the stream repeats: a prime, so that jobs begin anywhere in it. */
#define BLOCK_PAIRS 19997
#define LENGTH      150
/* What the allocator may waste, and threads' stacks. */
#define MOST_GROWTH_BYTES (INT64_C(16) << 20)

static session device;
static int64_t megabytes;

typedef struct stream {
    pair_list block;
    int64_t delivered;
    int64_t wrong; /* number of the first pair that came out wrong; -1: none */
} stream;

static int take(int64_t first, const rhomb_pair_result *const *results, size_t count, void *user)
{
    stream *s = user;
    s->wrong = first == s->delivered ? s->wrong : first;
    for (size_t i = 0; i < count && s->wrong < 0; i++) {
        const int64_t index = (first + (int64_t)i) % BLOCK_PAIRS;
        const rhomb_pair texts = pair_list_compared(&s->block, index);
        const int64_t distance = s->block.at[index].distance;
        if (results[i]->status != RHOMB_OK || results[i]->distance != distance ||
            path_judge(results[i]->cigar, results[i]->cigar_count, &texts, distance) != NULL)
            s->wrong = first + (int64_t)i;
    }
    s->delivered += (int64_t)count;
    return s->wrong >= 0;
}

static void make_block(stream *s)
{
    rng r = rng_for("stream", 0);
    s->block = pair_list_of("stream", RHOMB_ALPHABET_DNA);
    s->wrong = -1;
    for (int64_t i = 0; i < BLOCK_PAIRS; i++) {
        const pair_recipe recipe = {.model = PAIR_UNIFORM,
                                    .length = LENGTH,
                                    .error_rate = i % 100 == 0 ? 0.3 : 0.02,
                                    .alphabet = i % 64 == 0 ? "ACGTN" : "ACGT"};
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        pair_make(&recipe, &r, &p);
        pair_list_add(&s->block, &p);
        pair_release(&p);
    }
}

/* The most memory that the process has had. */
static int64_t peak_bytes(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return (int64_t)usage.ru_maxrss * 1024;
}

static void test_stream(void **state)
{
    static rhomb_pair pairs[BLOCK_PAIRS];
    stream s = {.delivered = 0};
    int64_t letters_added = 0, early_bytes = 0;
    rhomb_batch *batch = NULL;
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    make_block(&s);
    for (int64_t i = 0; i < BLOCK_PAIRS; i++)
        pairs[i] = pair_list_given(&s.block, i);
    options.cigar = true;
    options.results = take;
    options.user = &s;
    if (rhomb_batch_create(device.ctx, &options, &batch) != RHOMB_OK)
        fail_msg("%s", rhomb_context_error(device.ctx));
    while (letters_added < megabytes * 1000000) {
        if (rhomb_batch_add(batch, pairs, BLOCK_PAIRS) != RHOMB_OK)
            fail_msg("pair %" PRId64 ": %s", s.wrong, rhomb_context_error(device.ctx));
        letters_added += s.block.given.length;
        if (letters_added < megabytes * 1000000 / 8)
            early_bytes = peak_bytes();
    }
    if (rhomb_batch_finish(batch) != RHOMB_OK)
        fail_msg("pair %" PRId64 ": %s", s.wrong, rhomb_context_error(device.ctx));
    const rhomb_batch_report *report = rhomb_batch_get_report(batch);
    const int64_t growth = peak_bytes() - early_bytes;
    printf("%" PRId64 " pairs, %" PRId64 " letters in %.1f s; %" PRId64 " MB at first, %" PRId64
           " kB more later\n",
           report->pairs, report->bases, report->seconds_total, early_bytes >> 20, growth >> 10);
    assert_int_equal(report->bases, letters_added);
    assert_int_equal(report->pairs, s.delivered);
    assert_true(early_bytes > 0 && growth <= MOST_GROWTH_BYTES);
    rhomb_batch_destroy(batch);
    pair_list_release(&s.block);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stream)};
    if (argc != 2)
        return 2;
    megabytes = strtoll(argv[1], NULL, 10);
    return session_run(&device, tests, NULL);
}
