/* SPDX-License-Identifier: MIT */
/*
 * Batches with a scoring, in every mode, against whole matrices in plain code: scores, begins and
 * ends by the rules of rhomb/batch.h, and paths that have the score. All tiny pairs, random
 * families, lengths at the edges of strips, bits and bins, and the same pairs in other orders.
 *
 *     test_batch_modes CASE [PERCENT [PAIRS]]    PERCENT of the random pairs, 100 unless told; a
 *                                                file of pairs for the comparison with peers
 */
#include "rhomb/pairs.h"
#include "rhomb/scoring.h"
#include "support/amount.h"
#include "support/check.h"
#include "support/mode_check.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/peers.h"

static session device;
static const char *data; /* a file of pairs; NULL: none */

/*
 * All pairs of strings of up to 4 letters, with all small limits. With the last scoring gaps alone
 * are often better than all else: no extension ends there, and none goes on because of them.
 */
static void test_exhaustive(void **state)
{
    static const char *const SCORINGS[] = {"match:2,4,4,2", "match:1,1,0,1", "match:3,0,0,0",
                                           "match:2,3,2,2,4,1", "match:1,19,39,3"};
    static const int64_t BONUSES[] = {0, 1, 3, 100000}, DROPS[] = {-1, 1, 4, 45};
    for (size_t s = 0; s < COUNT(SCORINGS); s++) {
        mode_asker a = mode_asker_of(device.ctx, SCORINGS[s], RHOMB_MODE_LOCAL);
        mode_add_tiny(&a, 31);
        for (int mode = RHOMB_MODE_GLOBAL; mode <= RHOMB_MODE_LOCAL; mode++) {
            a.mode.mode = (rhomb_mode)mode;
            for (int limits = 0; limits < (mode == RHOMB_MODE_ENDS_FREE ? 16 : 1); limits++) {
                a.mode.free_ends =
                    (rhomb_free_ends){limits & 1, (limits & 2) / 2, limits & 4, (limits & 8) / 4};
                mode_ask_one(&a);
            }
        }
        a.mode = (oracle_mode){.mode = RHOMB_MODE_EXTEND, .z_drop = -1};
        for (size_t bonus = 0; bonus < COUNT(BONUSES); bonus++)
            for (size_t drop = 0; drop < COUNT(DROPS); drop++) {
                a.mode.z_drop = DROPS[drop];
                a.mode.end_bonus = BONUSES[bonus];
                mode_ask_one(&a);
            }
        mode_release(&a);
    }
}

static const char *const SETS[] = {"match:2,4,4,2",      "asm20",         "map-ont",
                                   "match:5,4,10,1",     "match:1,3,0,2", "wfa",
                                   "affine2p:4,6,2,20,1"};

static void check_random(rhomb_mode mode, int64_t count, const char *name)
{
    for (size_t s = 0; s < COUNT(SETS); s++) {
        rng r = rng_for(name, (int64_t)(s * 8 + mode));
        mode_asker a = mode_asker_of(device.ctx, SETS[s], mode);
        const bool no_match = mode_penalties_of(device.ctx, SETS[s]).match == 0;
        if (no_match && (mode == RHOMB_MODE_LOCAL || mode == RHOMB_MODE_EXTEND))
            continue;
        for (int round = 0; round < 4; round++) {
            /* A share of it: a round of each set, in turns. */
            if (!amount_is_whole() && round != ((int)s + (int)mode) % 4)
                continue;
            mode_add_random(&a, count / 4 * amount_percent() / 100, round == 0 ? 400 : 120, &r);
            mode_draw(&a, &r);
            a.cigar = round != 2;
            a.ends_only = round == 2;
            mode_ask(&a);
            mode_release(&a);
        }
    }
}

/* The mode of a case that runs in each. */
static rhomb_mode mode_of(void **state)
{
    return *(const rhomb_mode *)*state;
}

static void test_random(void **state)
{
    static const char *const NAMES[] = {"modes global", "modes ends", "modes extend",
                                        "modes local"};
    check_random(mode_of(state), 2400, NAMES[mode_of(state)]);
}

/* Groups as on a GPU, low limits, little memory, small jobs. */
static void test_tuned(void **state)
{
    const rhomb_mode mode = mode_of(state);
    static const int32_t GROUPS[] = {8, 1, 8, 8, 8}, FIRST[] = {0, 3, 0, 0, 0};
    static const int32_t LAST[] = {0, 20, 0, 0, 0}, BITS[] = {0, 32, 32, 16, 16};
    static const int64_t JOBS[] = {0, 0, 16384, 0, 16384};
    for (size_t i = 0; i < COUNT(GROUPS); i++) {
        /* A share of it: one for each mode, and a second one for the first. */
        if (!amount_is_whole() && i % 4 != (size_t)mode)
            continue;
        rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
        tuning.group_size = GROUPS[i];
        tuning.first_limit = FIRST[i];
        tuning.last_limit = LAST[i];
        tuning.job_bases = JOBS[i];
        tuning.column_bytes = INT64_C(1) << 20;
        tuning.score_bits = BITS[i];
        rng r = rng_for("modes tuned", (int64_t)(i * 8 + mode));
        mode_asker a =
            mode_asker_of(device.ctx, JOBS[i] > 0 ? "match:2,3,2,2,4,1" : "match:2,4,4,2", mode);
        a.tuning = tuning;
        mode_draw(&a, &r);
        mode_add_random(&a, 300, 200, &r);
        mode_ask(&a);
        mode_release(&a);
    }
}

/* With as many work-items for all. */
static void test_one_bin(void **state)
{
    rng r = rng_for("modes one bin", 0);
    mode_asker a = mode_asker_of(device.ctx, "match:2,4,4,2", RHOMB_MODE_LOCAL);
    mode_add_random(&a, 100, 300, &r);
    a.tuning.one_bin = true;
    a.tuning.group_size = 8;
    mode_ask(&a);
    a.tuning.score_bits = 16;
    mode_ask(&a);
    mode_release(&a);
}

/* Several jobs, one after the other, of which each may begin where the one before suggests. */
static void test_jobs(void **state)
{
    for (int mode = RHOMB_MODE_GLOBAL; mode <= RHOMB_MODE_ENDS_FREE; mode++) {
        rng r = rng_for("modes jobs", mode);
        mode_asker a = mode_asker_of(device.ctx, "wfa", (rhomb_mode)mode);
        a.tuning.job_bases = 4096;
        a.tuning.workers = 1;
        mode_draw(&a, &r);
        mode_add_random(&a, 200, 300, &r);
        mode_ask(&a);
        mode_release(&a);
    }
}

/* The same pairs by their length, backwards and mixed have the same alignments. */
static int compare_lengths(const void *x, const void *y)
{
    const rhomb_pair *a = x, *b = y;
    return (a->query_length > b->query_length) - (a->query_length < b->query_length);
}

static void test_orders(void **state)
{
    for (int mode = RHOMB_MODE_GLOBAL; mode <= RHOMB_MODE_LOCAL; mode++) {
        rng r = rng_for("modes orders", mode);
        mode_asker a = mode_asker_of(device.ctx, "match:2,4,4,2", (rhomb_mode)mode);
        mode_draw(&a, &r);
        mode_add_random(&a, 200, 300, &r);
        qsort(a.pairs, (size_t)a.count, sizeof *a.pairs, compare_lengths);
        mode_ask(&a);
        for (int64_t i = 0; i < a.count / 2; i++) {
            const rhomb_pair swap = a.pairs[i];
            a.pairs[i] = a.pairs[a.count - 1 - i];
            a.pairs[a.count - 1 - i] = swap;
        }
        mode_ask(&a);
        for (int64_t i = a.count - 1; i > 0; i--) {
            const int64_t other = rng_below(&r, i + 1);
            const rhomb_pair swap = a.pairs[i];
            a.pairs[i] = a.pairs[other];
            a.pairs[other] = swap;
        }
        mode_ask(&a);
        mode_release(&a);
    }
}

/* Without and with two pairs of 16 bits in a number of a GPU. */
static void set_bits(mode_asker *a, int bits)
{
    a->tuning.group_size = bits > 0 ? 8 : 0;
    a->tuning.score_bits = bits;
}

/* Equal sequences whose score is at the limit of 16 bits, and at what the planner allows them. */
static void test_bits(void **state)
{
    static const char *const SCORINGS[] = {"match:100,4,4,2", "match:127,127,4,2",
                                           "match:128,127,4,2", "match:127,128,4,2"};
    rng r = rng_for("modes bits", 0);
    char bases[400];
    for (size_t i = 0; i < sizeof bases; i++)
        bases[i] = "ACGT"[rng_below(&r, 4)];
    for (size_t s = 0; s < COUNT(SCORINGS); s++) {
        mode_asker a = mode_asker_of(device.ctx, SCORINGS[s], RHOMB_MODE_LOCAL);
        const int64_t match = mode_penalties_of(device.ctx, SCORINGS[s]).match;
        for (int64_t beside = -1; beside <= 1; beside++) {
            const int64_t most = 16000 / match + beside; /* the planner's limit */
            mode_add(&a, bases, most, bases, most);
            mode_add(&a, bases, 32767 / match + beside, bases, 32767 / match + beside);
            mode_add(&a, bases, 163 + beside, bases, 163 + beside);
            mode_add(&a, bases, 327 + beside, bases, 327 + beside);
            mode_add(&a, bases, 400, bases + 20, 300 + beside);
        }
        for (int bits = 0; bits <= 32; bits += 16) {
            set_bits(&a, bits);
            mode_ask_one(&a);
        }
        mode_release(&a);
    }
}

/* With free ends the score of two gaps is at what the planner allows 16 bits. */
static void test_low_bits(void **state)
{
    mode_asker a = mode_asker_of(device.ctx, "match:1,127,100,50", RHOMB_MODE_ENDS_FREE);
    char target[200], query[200];
    memset(target, 'A', sizeof target);
    memset(query, 'C', sizeof query);
    for (int64_t beside = -2; beside <= 2; beside++) {
        mode_add(&a, target, 158, query, 158 + beside);
        query[157] = query[0] = 'A';
        mode_add(&a, target, 158 + beside, query, 158);
        query[157] = query[0] = 'C';
    }
    for (int free = 0; free < 3; free++) {
        a.mode.free_ends = (rhomb_free_ends){free, 0, 2 * free, free};
        for (int bits = 0; bits <= 32; bits += 16) {
            set_bits(&a, bits);
            mode_ask_one(&a);
        }
    }
    mode_release(&a);
}

/*
 * Lengths at the edges of blocks, of items and of strips, with many cells of the best score: the
 * first one in the target counts, then the first one in the query.
 */
static void test_ties(void **state)
{
    static const int64_t LENGTHS[] = {1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65};
    char same[66], two[66];
    for (size_t i = 0; i < sizeof same; i++) {
        same[i] = 'A';
        two[i] = "AC"[i % 2];
    }
    for (int mode = RHOMB_MODE_ENDS_FREE; mode <= RHOMB_MODE_LOCAL; mode += 2) {
        mode_asker a = mode_asker_of(device.ctx, "match:1,1,0,1", (rhomb_mode)mode);
        a.mode.free_ends = (rhomb_free_ends){5, 3, 8, 20};
        for (size_t n = 0; n < COUNT(LENGTHS); n++)
            for (size_t m = 0; m < COUNT(LENGTHS); m++) {
                mode_add(&a, two, LENGTHS[n], two, LENGTHS[m]);
                mode_add(&a, same, LENGTHS[n], two, LENGTHS[m]);
                mode_add(&a, two, LENGTHS[n], "CCA", 3);
            }
        for (int bits = 0; bits <= 32; bits += 16) {
            set_bits(&a, bits);
            a.ends_only = bits == 16;
            a.cigar = bits != 16;
            mode_ask_one(&a);
        }
        mode_release(&a);
    }
}

/* Pieces of the long reads of a file, or generated ones where it is not there. */
static void add_pieces(mode_asker *a, int64_t most, rng *r)
{
    rhomb_pairs *pairs = NULL;
    rhomb_pair_chunk *chunk = NULL;
    if (data == NULL || rhomb_pairs_open(device.ctx, data, NULL, NULL, &pairs) != RHOMB_OK) {
        mode_add_random(a, most, 1500, r);
        return;
    }
    assert_int_equal(rhomb_pairs_next(pairs, &chunk), RHOMB_OK);
    for (int64_t i = 0; i < most && chunk->count > 0; i++) {
        const rhomb_pair *p = &chunk->pairs[(size_t)i % chunk->count];
        const int64_t n = rng_below(r, 1500) + 1, m = n + rng_between(r, -40, 40);
        if (m < 1 || n >= p->target_length || m >= p->query_length)
            continue;
        const int64_t at = rng_below(r, p->target_length - n);
        const int64_t beside = at < p->query_length - m ? at : p->query_length - m;
        mode_add(a, p->target + at, n, p->query + beside, m);
    }
    rhomb_pair_chunk_destroy(chunk);
    rhomb_pairs_destroy(pairs);
}

/* Whether peers mean the same: they take other codes in ways of their own. */
static bool is_plain(const char *bases, int64_t length)
{
    for (int64_t i = 0; i < length; i++)
        if (memchr("ACGT", bases[i], 4) == NULL)
            return false;
    return length > 0;
}

/* The peer's score has to be that of the oracle, and so have ends that no tie makes uncertain. */
static void check_peer(rhomb_mode mode, const char *scoring, int32_t group)
{
    rng r = rng_for("modes peers", mode);
    mode_asker a = mode_asker_of(device.ctx, scoring, mode);
    a.penalties = mode_penalties_of(device.ctx, scoring);
    a.tuning.group_size = group;
    if (oracle_mode_peer(mode)[0] == '\0' || !oracle_mode_peer_takes(mode, &a.penalties))
        return;
    mode_draw(&a, &r);
    add_pieces(&a, amount(120), &r);
    a.expected = calloc((size_t)a.count, sizeof *a.expected);
    assert_non_null(a.expected);
    for (int64_t i = 0; i < a.count; i++) {
        bool ties = false;
        const rhomb_pair *p = &a.pairs[i];
        a.expected[i] = oracle_mode_extent(p->target, p->target_length, p->query, p->query_length,
                                           &a.penalties, &a.mode, &ties);
        if (!is_plain(p->target, p->target_length) || !is_plain(p->query, p->query_length))
            continue;
        const rhomb_pair_extent peer = oracle_mode_by_peer(p, &a.penalties, &a.mode);
        const rhomb_pair_extent *e = &a.expected[i];
        if (!(ties && a.mode.z_drop >= 0) && peer.score != e->score)
            fail_msg("%s: pair %lld: %lld, and by the oracle %lld", oracle_mode_peer(mode),
                     (long long)i, (long long)peer.score, (long long)e->score);
        if (mode == RHOMB_MODE_EXTEND && !ties &&
            (peer.target_end != e->target_end || peer.query_end != e->query_end))
            fail_msg("%s: pair %lld: ends at %lld, %lld, and by the oracle at %lld, %lld",
                     oracle_mode_peer(mode), (long long)i, (long long)peer.target_end,
                     (long long)peer.query_end, (long long)e->target_end, (long long)e->query_end);
    }
    mode_ask(&a);
    free(a.expected);
    mode_release(&a);
}

static void test_peers(void **state)
{
    check_peer(RHOMB_MODE_ENDS_FREE, "wfa", 0);
    check_peer(RHOMB_MODE_ENDS_FREE, "affine2p:4,6,2,20,1", 0);
    check_peer(RHOMB_MODE_EXTEND, "match:2,4,4,2", 0);
    check_peer(RHOMB_MODE_EXTEND, "match:2,4,4,2", 8);
    check_peer(RHOMB_MODE_EXTEND, "map-ont", 0);
    check_peer(RHOMB_MODE_LOCAL, "match:2,4,4,2", 0);
    check_peer(RHOMB_MODE_LOCAL, "match:1,3,5,2", 0);
}

/*
 * Paths that the kernels leave: their memory would be more than they have, or the sequences are
 * longer than jobs take; and what is not aligned end to end then.
 */
static void test_long(void **state)
{
    rng r = rng_for("modes long", 0);
    mode_asker a = mode_asker_of(device.ctx, "match:2,4,4,2", RHOMB_MODE_GLOBAL);
    const pair_recipe recipe = {.model = PAIR_UNRELATED, .length = 6000, .alphabet = "ACGT"};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rhomb_pair_extent expected = {.reached_end = true};
    pair_make(&recipe, &r, &p);
    mode_add(&a, p.a.at, p.a.length, p.b.at, p.b.length);
    a.penalties = mode_penalties_of(device.ctx, a.scoring);
    expected.score =
        -oracle_gotoh(p.a.at, p.a.length, p.b.at, p.b.length, &a.penalties); /* linear memory */
    expected.target_end = p.a.length;
    expected.query_end = p.b.length;
    a.expected = &expected;
    pair_release(&p);
    mode_ask(&a);
    a.tuning.long_bases = 5000;
    mode_ask(&a);
    mode_release(&a);
}

static const struct CMUnitTest TESTS[] = {
    {"exhaustive", test_exhaustive, NULL, NULL, NULL},
    IN_MODE("global", test_random, RHOMB_MODE_GLOBAL),
    IN_MODE("ends_free", test_random, RHOMB_MODE_ENDS_FREE),
    IN_MODE("extend", test_random, RHOMB_MODE_EXTEND),
    IN_MODE("local", test_random, RHOMB_MODE_LOCAL),
    IN_MODE("tuned_global", test_tuned, RHOMB_MODE_GLOBAL),
    IN_MODE("tuned_ends_free", test_tuned, RHOMB_MODE_ENDS_FREE),
    IN_MODE("tuned_extend", test_tuned, RHOMB_MODE_EXTEND),
    IN_MODE("tuned_local", test_tuned, RHOMB_MODE_LOCAL),
    {"one_bin", test_one_bin, NULL, NULL, NULL},
    {"jobs", test_jobs, NULL, NULL, NULL},
    {"orders", test_orders, NULL, NULL, NULL},
    {"bits", test_bits, NULL, NULL, NULL},
    {"low_bits", test_low_bits, NULL, NULL, NULL},
    {"ties", test_ties, NULL, NULL, NULL},
    {"peers", test_peers, NULL, NULL, NULL},
    {"long", test_long, NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    if (argc > 3)
        data = argv[3];
    amount_from(argc, argv, 2);
    return session_run(&device, TESTS, argc > 1 ? argv[1] : NULL);
}
