/* SPDX-License-Identifier: MIT */
/*
 * Distance matrices: all pairs of sets of sequences of many kinds against edlib and the textbook,
 * with tunings that send them through every level, in jobs of few pairs, with room to pack some of
 * them; the order of results; limits, scorings, beginning in the middle; callers that
 * stop; and arguments that cannot be.
 */
#include "rhomb/matrix.h"

#include <math.h>
#include <time.h>

#include "host/device/context.h"
#include "host/device/driver_context.h"
#include "rhomb/scoring.h"
#include "support/amount.h"
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/edlib_distance.h"
#include "tests/reference/gotoh.h"

enum { MOST = 48, LONGEST = 2600 };

static session device;

/* Sequences, and what has come of them. */
typedef struct set {
    char text[MOST][LONGEST + 1];
    rhomb_matrix_sequence sequences[MOST];
    int64_t count;
    int64_t distances[MOST][MOST]; /* row, column < row */
    int64_t next_row, next_column; /* that have to come next */
    int64_t calls, stop_at;
    double fraction;
    int64_t told;
    bool told_building;
} set;

static int take(int64_t row, int64_t column, const int64_t *distances, size_t count, void *user)
{
    set *s = user;
    assert_int_equal(row, s->next_row);
    assert_int_equal(column, s->next_column);
    assert_true(count > 0 && column + (int64_t)count <= row);
    memcpy(&s->distances[row][column], distances, count * sizeof *distances);
    s->next_column += (int64_t)count;
    if (s->next_column == row) {
        s->next_row++;
        s->next_column = 0;
    }
    s->calls++;
    return s->stop_at > 0 && s->calls >= s->stop_at;
}

static int watch(const rhomb_matrix_progress *progress, void *user)
{
    set *s = user;
    assert_int_equal(progress->pairs, s->count * (s->count - 1) / 2);
    assert_true(progress->done <= progress->pairs);
    assert_true(progress->fraction >= s->fraction && progress->fraction <= 1);
    s->fraction = progress->fraction;
    s->told++;
    s->told_building |= progress->building;
    return 0;
}

static rhomb_matrix_options options_for(set *s)
{
    rhomb_matrix_options options = RHOMB_MATRIX_OPTIONS_INIT;
    options.results = take;
    options.user = s;
    options.progress = watch;
    options.progress_user = s;
    s->next_row = 1;
    s->next_column = s->calls = s->stop_at = s->told = 0;
    s->fraction = 0;
    return options;
}

static char random_letter(rng *r, const char *alphabet)
{
    return alphabet[rng_below(r, (int64_t)strlen(alphabet))];
}

/* A copy of `from` with edits. */
static int64_t mutate(const char *from, int64_t length, double rate, const char *alphabet, rng *r,
                      char *to)
{
    int64_t n = 0;
    for (int64_t i = 0; i < length && n < LONGEST - 1; i++) {
        const int64_t kind = rng_chance(r, rate) ? rng_below(r, 3) : 3;
        if (kind != 1)
            to[n++] = kind == 0 ? random_letter(r, alphabet) : from[i];
        if (kind == 2)
            to[n++] = random_letter(r, alphabet);
    }
    return n;
}

/* Relatives of one sequence, strangers, empty ones, equal ones, short ones. */
static void make_set(set *s, int64_t count, int64_t length, const char *alphabet, rng *r)
{
    char first[LONGEST];
    s->count = count;
    for (int64_t i = 0; i < length; i++)
        first[i] = random_letter(r, alphabet);
    for (int64_t k = 0; k < count; k++) {
        const int64_t kind = rng_below(r, 12);
        int64_t n = 0;
        if (kind < 7)
            n = mutate(first, length, rng_chance(r, 0.5) ? 0.004 : 0.05, alphabet, r, s->text[k]);
        else if (kind < 8)
            n = mutate(first, rng_below(r, length + 1), 0.01, alphabet, r, s->text[k]);
        else if (kind < 9 && k > 0)
            memcpy(s->text[k], s->text[k - 1], (size_t)(n = s->sequences[k - 1].length));
        else if (kind < 11)
            for (n = 0; n < length / 4; n++)
                s->text[k][n] = random_letter(r, alphabet);
        s->sequences[k] = (rhomb_matrix_sequence){s->text[k], n, NULL};
        if (n == 0 && rng_chance(r, 0.5))
            s->sequences[k].bases = NULL;
    }
}

static int64_t expected(const set *s, int64_t i, int64_t j, bool fold, int64_t limit, int64_t unit)
{
    const rhomb_matrix_sequence *a = &s->sequences[i], *b = &s->sequences[j];
    const int64_t distance =
        unit * oracle_distance(s->text[i], a->length, s->text[j], b->length, fold);
    return limit >= 0 && distance > limit ? -1 : distance;
}

/* All pairs from number `first` on. */
static void check_all(const set *s, const rhomb_matrix_options *options, int64_t unit,
                      int64_t number)
{
    const bool fold = options->alphabet == RHOMB_ALPHABET_DNA;
    assert_int_equal(s->next_row, s->count > 0 ? s->count : 1);
    assert_int_equal(s->next_column, 0);
    for (int64_t i = 1; i < s->count; i++)
        for (int64_t j = 0; j < i; j++) {
            if (rhomb_matrix_pair(i, j) < options->first_pair)
                continue;
            const int64_t wanted = expected(s, i, j, fold, options->max_distance, unit);
            if (s->distances[i][j] != wanted)
                fail_msg("set %" PRId64 " (seed %" PRIu64 "), sequences %" PRId64 " and %" PRId64
                         ": %" PRId64 " instead of %" PRId64,
                         number, rng_seed(), i, j, s->distances[i][j], wanted);
        }
}

/* One in several: jobs of few pairs, low limits, room for few, groups; often as they are. */
static rhomb_matrix_tuning random_tuning(rng *r)
{
    rhomb_matrix_tuning t = RHOMB_MATRIX_TUNING_INIT;
    if (rng_chance(r, 0.5))
        t.job_pairs = rng_between(r, 1, 50);
    if (rng_chance(r, 0.5))
        t.first_limit = (int32_t)rng_between(r, 1, 20);
    if (rng_chance(r, 0.5))
        t.last_limit = (int32_t)rng_between(r, 1, 300);
    if (rng_chance(r, 0.3))
        t.pool_bytes = rng_between(r, 1, 8000);
    if (rng_chance(r, 0.2))
        t.group_size = 8;
    return t;
}

static void all_pairs_of_many_sets(void **state)
{
    static const char *const LETTERS[] = {"ACGT", "ACGTN", "acgtuACGTUNRY", "ACGTU"};
    set *s = calloc(1, sizeof *s);
    assert_non_null(s);
    int64_t long_pairs = 0, pooled = 0;
    for (int64_t number = 0; number < amount(60); number++) {
        rng r = rng_for("matrix", number);
        rhomb_matrix_report report = RHOMB_MATRIX_REPORT_INIT;
        const rhomb_matrix_tuning tuning = random_tuning(&r);
        make_set(s, rng_between(&r, 0, 14), rng_between(&r, 1, number % 6 == 0 ? 2000 : 200),
                 LETTERS[number % 4], &r);
        rhomb_matrix_options options = options_for(s);
        options.tuning = rng_chance(&r, 0.8) ? &tuning : NULL;
        if (rng_chance(&r, 0.3))
            options.max_distance = rng_below(&r, 100);
        const int64_t pairs = s->count * (s->count - 1) / 2;
        options.first_pair = rng_chance(&r, 0.3) ? rng_below(&r, pairs + 1) : 0;
        for (int64_t k = 0; k < options.first_pair; k++) {
            s->next_column++;
            if (s->next_column == s->next_row) {
                s->next_row++;
                s->next_column = 0;
            }
        }
        const rhomb_status status =
            rhomb_matrix_compute(device.ctx, s->sequences, s->count, &options, &report);
        if (status != RHOMB_OK)
            fail_msg("set %" PRId64 ": %s", number, rhomb_context_error(device.ctx));
        check_all(s, &options, 1, number);
        assert_int_equal(report.pairs, pairs - options.first_pair);
        assert_true(report.long_pairs <= report.pairs && report.pooled <= s->count);
        if (options.tuning == NULL) /* all within the kernels' limits */
            assert_int_equal(report.long_pairs, 0);
        long_pairs += report.long_pairs;
        pooled += report.pairs - report.long_pairs;
        assert_true(s->told > 0 || report.pairs == 0 || report.jobs == 0);
    }
    assert_true(pooled > amount(100) && (long_pairs > 0 || !amount_is_whole()));
    free(s);
}

static int64_t count_programs(const rhomb_context *ctx)
{
    int64_t count = 0;
    for (const rhomb__program *p = ctx->stream.device->driver->programs; p != NULL; p = p->next)
        count++;
    return count;
}

/*
 * More pairs than the first block has, near each other and then far apart: the first ones need no
 * wide groups, where a device has two kinds.
 */
static void blocks_near_and_far(void **state)
{
    set *s = calloc(1, sizeof *s);
    session fresh;
    int64_t programs[2];
    assert_non_null(s);
    assert_true(session_open(&fresh));
    for (int far = 0; far < 2; far++) {
        rng r = rng_for("blocks", far);
        rhomb_matrix_report report = RHOMB_MATRIX_REPORT_INIT;
        char first[LONGEST];
        s->count = MOST;
        for (int64_t i = 0; i < 500; i++)
            first[i] = random_letter(&r, "ACGT");
        for (int64_t k = 0; k < s->count; k++) {
            const int64_t n = mutate(first, 500, far > 0 ? 0.5 : 0.01, "ACGT", &r, s->text[k]);
            s->sequences[k] = (rhomb_matrix_sequence){s->text[k], n, NULL};
        }
        const rhomb_matrix_options options = options_for(s);
        assert_int_equal(rhomb_matrix_compute(fresh.ctx, s->sequences, s->count, &options, &report),
                         RHOMB_OK);
        check_all(s, &options, 1, -4 - far);
        assert_true(report.pairs > 1024 && report.long_pairs == 0);
        programs[far] = count_programs(fresh.ctx);
    }
    const bool has_wide = fresh.ctx->stream.device->info.kind == RHOMB_DEVICE_GPU;
    assert_int_equal(programs[1], programs[0] + has_wide);
    session_close(&fresh);
    free(s);
}

/* What bytes are, case matters; and other than letters. */
static void bytes_as_they_are(void **state)
{
    set *s = calloc(1, sizeof *s);
    assert_non_null(s);
    rng r = rng_for("bytes", 0);
    make_set(s, 12, 300, "ab~!ABcdefghi", &r);
    rhomb_matrix_options options = options_for(s);
    options.alphabet = RHOMB_ALPHABET_BYTES;
    assert_int_equal(rhomb_matrix_compute(device.ctx, s->sequences, s->count, &options, NULL),
                     RHOMB_OK);
    check_all(s, &options, 1, -1);
    free(s);
}

/* Multiples of unit costs, by the kernels. */
static void multiples(void **state)
{
    set *s = calloc(1, sizeof *s);
    assert_non_null(s);
    rng r = rng_for("multiples", 0);
    rhomb_scoring scoring;
    rhomb_matrix_report report = RHOMB_MATRIX_REPORT_INIT;
    make_set(s, 10, 150, "ACGT", &r);
    rhomb_matrix_options options = options_for(s);
    options.scoring = &scoring;
    options.max_distance = 61;
    assert_int_equal(rhomb_scoring_parse(device.ctx, "affine:3,0,3", &scoring), RHOMB_OK);
    assert_int_equal(rhomb_matrix_compute(device.ctx, s->sequences, s->count, &options, &report),
                     RHOMB_OK);
    check_all(s, &options, 3, -2);
    assert_true(report.pooled > 0);
    free(s);
}

/* Other scorings, by batches, in several blocks, all pairs and up to a limit. */
static void scorings(void **state)
{
    static const struct {
        const char *name;
        oracle_penalties penalties;
    } SCORINGS[] = {
        {"wfa", {.mismatch = 4, .pieces = 1, .open = {6}, .extend = {2}}},
        {"affine2p:3,4,2,20,1", {.mismatch = 3, .pieces = 2, .open = {4, 20}, .extend = {2, 1}}}};
    set *s = calloc(1, sizeof *s);
    assert_non_null(s);
    for (size_t k = 0; k < 4; k++) {
        rng r = rng_for("scorings", (int64_t)k);
        rhomb_scoring scoring;
        rhomb_matrix_report report = RHOMB_MATRIX_REPORT_INIT;
        rhomb_matrix_tuning tuning = RHOMB_MATRIX_TUNING_INIT;
        const int64_t limit = k < 2 ? RHOMB_NO_LIMIT : 80;
        int64_t exceeding = 0;
        make_set(s, 20, 150, k % 2 == 0 ? "ACGT" : "ACGTN", &r);
        rhomb_matrix_options options = options_for(s);
        options.scoring = &scoring;
        options.max_distance = limit;
        options.tuning = &tuning;
        tuning.job_pairs = 70;
        assert_int_equal(rhomb_scoring_parse(device.ctx, SCORINGS[k % 2].name, &scoring), RHOMB_OK);
        assert_int_equal(
            rhomb_matrix_compute(device.ctx, s->sequences, s->count, &options, &report), RHOMB_OK);
        for (int64_t i = 1; i < s->count; i++)
            for (int64_t j = 0; j < i; j++) {
                const int64_t penalty =
                    oracle_gotoh(s->text[j], s->sequences[j].length, s->text[i],
                                 s->sequences[i].length, &SCORINGS[k % 2].penalties);
                const bool exceeds = limit >= 0 && penalty > limit;
                assert_int_equal(s->distances[i][j], exceeds ? -1 : penalty);
                exceeding += exceeds;
            }
        assert_true(report.pooled == 0 && report.long_pairs == 0 && report.pairs == 190);
        assert_true(report.exceeding == exceeding && (exceeding > 0) == (limit >= 0));
    }
    free(s);
}

/* A caller that stops gets no more; what it had is right, and it can go on from there. */
static void stops_and_goes_on(void **state)
{
    set *s = calloc(1, sizeof *s);
    assert_non_null(s);
    rng r = rng_for("stops", 0);
    rhomb_matrix_tuning tuning = RHOMB_MATRIX_TUNING_INIT;
    make_set(s, 30, 200, "ACGT", &r);
    tuning.job_pairs = 7;
    rhomb_matrix_options options = options_for(s);
    options.tuning = &tuning;
    s->stop_at = 9;
    assert_int_equal(rhomb_matrix_compute(device.ctx, s->sequences, s->count, &options, NULL),
                     RHOMB_ERR_CANCELLED);
    assert_int_equal(s->calls, 9);
    s->stop_at = 0;
    s->fraction = 0;
    options.first_pair = rhomb_matrix_pair(s->next_row, s->next_column);
    assert_int_equal(rhomb_matrix_compute(device.ctx, s->sequences, s->count, &options, NULL),
                     RHOMB_OK);
    options.first_pair = 0;
    check_all(s, &options, 1, -3);
    free(s);
}

static int64_t polls_left;

static int stop_soon(const rhomb_matrix_progress *progress, void *user)
{
    return polls_left-- == 0;
}

/* Wherever progress is told, it can be the end; with a scoring if there is one. */
static void stop_at_polls(const rhomb_scoring *scoring)
{
    set *s = calloc(1, sizeof *s);
    assert_non_null(s);
    rng r = rng_for("polls", 0);
    rhomb_matrix_tuning tuning = RHOMB_MATRIX_TUNING_INIT;
    make_set(s, 8, 200, "ACGT", &r);
    tuning.job_pairs = 5;
    tuning.last_limit = 8; /* the others are long pairs, with unit costs */
    rhomb_status status = RHOMB_ERR_CANCELLED;
    int64_t turns = 0, early = 0; /* that ended after some results, between long pairs */
    for (; status != RHOMB_OK; turns++) {
        rhomb_matrix_options options = options_for(s);
        options.tuning = &tuning;
        options.scoring = scoring;
        options.progress = stop_soon;
        polls_left = turns;
        const int64_t before = device.ctx->stream.bytes_in_use;
        status = rhomb_matrix_compute(device.ctx, s->sequences, s->count, &options, NULL);
        assert_true(status == RHOMB_OK || status == RHOMB_ERR_CANCELLED);
        assert_int_equal(device.ctx->stream.bytes_in_use, before);
        early += status == RHOMB_ERR_CANCELLED && s->calls > 0;
    }
    assert_true(scoring != NULL ? turns > 1 : turns > 10 && early > 0);
    free(s);
}

static void stops_at_any_poll(void **state)
{
    static const rhomb_scoring WFA = {0, 4, 6, 2, -1, -1, NULL};
    stop_at_polls(NULL);
    stop_at_polls(&WFA);
}

static void refuses(rhomb_status wanted, const rhomb_matrix_sequence *sequences, int64_t count,
                    const rhomb_matrix_options *options, const char *words)
{
    const rhomb_status status = rhomb_matrix_compute(device.ctx, sequences, count, options, NULL);
    assert_string_equal(rhomb_status_name(status), rhomb_status_name(wanted));
    if (strstr(rhomb_context_error(device.ctx), words) == NULL)
        fail_msg("no '%s' in: %s", words, rhomb_context_error(device.ctx));
}

static void refuses_what_cannot_be(void **state)
{
    set *s = calloc(1, sizeof *s);
    assert_non_null(s);
    rhomb_matrix_sequence two[] = {{"ACGT", 4, NULL}, {"ACXT", 4, "chr\x07"}};
    rhomb_matrix_sequence bad[] = {{"ACGT", 4, NULL}, {NULL, 4, NULL}};
    rhomb_matrix_tuning tuning = RHOMB_MATRIX_TUNING_INIT;
    rhomb_scoring scoring = RHOMB_SCORING_EDIT;
    const rhomb_matrix_options good = options_for(s);
    rhomb_matrix_options o = good;
    rhomb_matrix_report report = RHOMB_MATRIX_REPORT_INIT;
    assert_int_equal(rhomb_matrix_compute(NULL, two, 1, &good, NULL), RHOMB_ERR_ARGUMENT);
    refuses(RHOMB_ERR_ALPHABET, two, 2, &good, "chr");
    refuses(RHOMB_ERR_ARGUMENT, bad, 2, &good, "sequence 1");
    refuses(RHOMB_ERR_ARGUMENT, NULL, 2, &good, "no matrix");
    refuses(RHOMB_ERR_ARGUMENT, two, -1, &good, "no matrix");
    refuses(RHOMB_ERR_ARGUMENT, two, 2, NULL, "results function");
    o.first_pair = 2;
    refuses(RHOMB_ERR_ARGUMENT, two, 2, &o, "first_pair");
    o = good;
    o.struct_size = 3;
    refuses(RHOMB_ERR_ARGUMENT, two, 2, &o, "rhomb_matrix_options");
    o = good;
    o.max_distance = -7;
    refuses(RHOMB_ERR_ARGUMENT, two, 2, &o, "max_distance");
    o = good;
    scoring.gap_extend = 0;
    o.scoring = &scoring;
    refuses(RHOMB_ERR_ARGUMENT, two, 2, &o, "");
    o = good;
    o.tuning = &tuning;
    tuning.group_size = 3;
    refuses(RHOMB_ERR_ARGUMENT, two, 2, &o, "power of two");
    tuning.group_size = 0;
    tuning.last_limit = 2001;
    refuses(RHOMB_ERR_ARGUMENT, two, 2, &o, "last_limit");
    tuning.last_limit = 0;
    tuning.job_pairs = -1;
    refuses(RHOMB_ERR_ARGUMENT, two, 2, &o, "job_pairs");
    report.struct_size = 1;
    assert_int_equal(rhomb_matrix_compute(device.ctx, two, 1, &good, &report), RHOMB_ERR_ARGUMENT);
    /* None, one: nothing is delivered. */
    assert_int_equal(rhomb_matrix_compute(device.ctx, NULL, 0, &good, NULL), RHOMB_OK);
    assert_int_equal(rhomb_matrix_compute(device.ctx, two, 1, &good, NULL), RHOMB_OK);
    assert_int_equal(s->calls, 0);
    free(s);
}

static void numbers_of_pairs(void **state)
{
    int64_t number = 0;
    for (int64_t i = 0; i < 50; i++)
        for (int64_t j = 0; j < i; j++)
            assert_int_equal(rhomb_matrix_pair(i, j), number++);
}

/* How progress goes while programs are built, which takes long. */
typedef struct going {
    int64_t builds;   /* that were told */
    int64_t between;  /* calls with a fraction that is above 0, and below 1 */
    double slept;     /* seconds, all while programs were built */
    double most_left; /* of the time, over what the time without building would say */
} going;

static int watch_going(const rhomb_matrix_progress *progress, void *user)
{
    static const struct timespec LONG = {.tv_nsec = 300000000};
    going *g = user;
    const double f = progress->fraction;
    if (progress->building) {
        nanosleep(&LONG, NULL);
        g->builds++;
        g->slept += 0.3;
    } else if (f > 0 && f < 1) {
        const double wanted = (progress->seconds - g->slept) * (1 - f) / f;
        g->between++;
        g->most_left = fmax(g->most_left, progress->eta_seconds / wanted);
    }
    return 0;
}

static int take_any(int64_t row, int64_t column, const int64_t *distances, size_t count, void *user)
{
    return 0;
}

static going compute_going(rhomb_context *ctx, const rhomb_matrix_sequence *sequences,
                           int64_t count, const rhomb_matrix_tuning *tuning)
{
    going g = {0};
    rhomb_matrix_options options = RHOMB_MATRIX_OPTIONS_INIT;
    options.results = take_any;
    options.tuning = tuning;
    options.progress = watch_going;
    options.progress_user = &g;
    assert_int_equal(rhomb_matrix_compute(ctx, sequences, count, &options, NULL), RHOMB_OK);
    return g;
}

/* The time left does not follow from that of building. */
static void building_is_not_progress(void **state)
{
    session fresh; /* it has no program yet */
    set *s = calloc(1, sizeof *s);
    rng r = rng_for("going", 0);
    rhomb_matrix_tuning tuning = RHOMB_MATRIX_TUNING_INIT;
    assert_non_null(s);
    assert_true(session_open(&fresh));
    make_set(s, 20, 400, "ACGT", &r);
    tuning.job_pairs = 5;
    const going g = compute_going(fresh.ctx, s->sequences, s->count, &tuning);
    assert_true(g.builds > 0 && g.between > 3);
    assert_true(g.most_left <= 1.000001);
    session_close(&fresh);
    free(s);
}

/* There is progress within a long pair. */
static void progress_of_one_pair(void **state)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rng r = rng_for("one pair", 0);
    letters_random(&p.a, "ACGT", 300000, &r);
    letters_random(&p.b, "ACGT", 300000, &r);
    const rhomb_matrix_sequence two[] = {{p.a.at, p.a.length, NULL}, {p.b.at, p.b.length, NULL}};
    const going g = compute_going(device.ctx, two, 2, NULL);
    assert_true(g.between > 0);
    pair_release(&p);
}

/* Whatever results depend on changes the digest, and nothing else does. */
static void digests(void **state)
{
    const rhomb_matrix_sequence two[] = {{"ACGT", 4, "a"}, {"AC", 2, "b"}};
    const rhomb_matrix_sequence names[] = {{"ACGT", 4, "ab"}, {"AC", 2, ""}};
    const rhomb_matrix_sequence bases[] = {{"ACGT", 4, "a"}, {"AG", 2, "b"}};
    const rhomb_matrix_sequence order[] = {{"AC", 2, "b"}, {"ACGT", 4, "a"}};
    const rhomb_scoring scoring = {0, 4, 6, 2, -1, -1, NULL}, unit = RHOMB_SCORING_EDIT;
    rhomb_matrix_tuning tuning = RHOMB_MATRIX_TUNING_INIT;
    rhomb_matrix_options o[6];
    char all[9][33], same[2][33];
    for (size_t i = 0; i < COUNT(o); i++)
        o[i] = (rhomb_matrix_options)RHOMB_MATRIX_OPTIONS_INIT;
    o[1].max_distance = 7;
    o[2].alphabet = RHOMB_ALPHABET_BYTES;
    o[3].scoring = &scoring;
    o[4].tuning = &tuning;
    o[5].scoring = &unit;
    const rhomb_matrix_sequence *const sets[] = {two, names, bases, order};
    for (int i = 0; i < 4; i++)
        assert_int_equal(rhomb_matrix_digest(device.ctx, sets[i], 2, NULL, all[i]), RHOMB_OK);
    assert_int_equal(rhomb_matrix_digest(device.ctx, two, 1, NULL, all[4]), RHOMB_OK);
    assert_int_equal(rhomb_matrix_digest(device.ctx, NULL, 0, NULL, all[5]), RHOMB_OK);
    for (int i = 1; i < 4; i++)
        assert_int_equal(rhomb_matrix_digest(device.ctx, two, 2, &o[i], all[5 + i]), RHOMB_OK);
    for (size_t i = 0; i < COUNT(all); i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(all[i], all[k]);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rhomb_matrix_digest(device.ctx, two, 2, &o[4 + i], same[i]), RHOMB_OK);
        assert_string_equal(same[i], all[0]);
    }
    assert_int_equal(rhomb_matrix_digest(device.ctx, two, -1, NULL, same[0]), RHOMB_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_pairs),
        cmocka_unit_test(blocks_near_and_far), /* before others need programs */
        cmocka_unit_test(all_pairs_of_many_sets),
        cmocka_unit_test(bytes_as_they_are),
        cmocka_unit_test(multiples),
        cmocka_unit_test(scorings),
        cmocka_unit_test(stops_and_goes_on),
        cmocka_unit_test(stops_at_any_poll),
        cmocka_unit_test(refuses_what_cannot_be),
        cmocka_unit_test(digests),
        cmocka_unit_test(building_is_not_progress),
        cmocka_unit_test(progress_of_one_pair),
    };
    return session_run(&device, tests, NULL);
}
