/* SPDX-License-Identifier: MIT */
/*
 * A device that works without an error, and computes or hands over something else: what comes back
 * from it is changed on the way. A call ends with an error that names the device, or, where what
 * was changed is no more than a hint, with the right result; and the next one is as good.
 */
#include "fault_tester.h"

#include "cl/abi.h"
#include "rhomb/cigar.h"

/* Changes what comes from the device. */
typedef void tamper_fn(void *data, size_t bytes);

typedef struct garbage {
    const char *what;
    tamper_fn *tamper;
} garbage;
#define GARBAGE(tamper) \
    {                   \
#        tamper, tamper \
    }

/* A subject in a context whose self-tests have passed, which all that is changed there shares. */
typedef struct warm {
    fault_subject subject;
    rhomb_context *ctx;
    int64_t sum;
} warm;

static warm warm_up(const char *subject)
{
    warm w = {.subject = fault_subject_named(subject)};
    w.ctx = fault_warm_context(&w.subject, &w.sum);
    return w;
}

/* Of sequences that are as long as each other, so that no length gives a distance away. */
static warm warm_up_equal(const char *subject)
{
    warm w = {.subject = fault_subject_named(subject)};
    w.subject.equal = true;
    w.ctx = fault_warm_context(&w.subject, &w.sum);
    return w;
}

/*
 * Runs with tampered reads: that gives the status `expected`, an error that names the device or the
 * right result, and the next run is as good.
 */
static void expect_status(const warm *w, tamper_fn *tamper, const char *what, rhomb_status expected)
{
    const fault_subject *s = &w->subject;
    const fault_plan plan = {.tamper = tamper};
    fault_result result;
    const int64_t handles = fault_live_handles();
    fault_begin(&plan);
    s->run(w->ctx, s, &result);
    fault_end();
    if (result.status != expected || (expected == RHOMB_OK && result.sum != w->sum))
        fail_msg("%s, %s: %lld, %s", what, s->name, (long long)result.sum,
                 rhomb_status_name(result.status));
    if (expected != RHOMB_OK)
        fault_expect_detail(&result, rhomb_context_device(w->ctx)->name);
    fault_check_left(handles);
    s->run(w->ctx, s, &result);
    assert_int_equal(result.status, RHOMB_OK);
    assert_int_equal(result.sum, w->sum);
}

static void set_zeros(void *data, size_t bytes)
{
    memset(data, 0, bytes);
}

static void set_ones(void *data, size_t bytes)
{
    memset(data, 0xff, bytes);
}

static void set_high_bits(void *data, size_t bytes)
{
    memset(data, 0x80, bytes);
}

/* A function that changes each record `r` of what is read, where it may be such. */
#define RECORDS(name, type, change)                                                               \
    static void name(void *data, size_t bytes)                                                    \
    {                                                                                             \
        type *r = data;                                                                           \
        for (size_t left = bytes % sizeof *r == 0 ? bytes / sizeof *r : 0; left > 0; left--, r++) \
            change;                                                                               \
    }

/* Points of subproblems: outside, beside the right ones, inside with parts of too unlike lengths.
 */
RECORDS(move_points, rhomb_split_point, r->target += 5000)
RECORDS(spoil_points, rhomb_split_point, r->target ^= r->status == RHOMB_SPLIT_FOUND)
RECORDS(spoil_diagonals, rhomb_split_point, r->query = 0)
RECORDS(say_apart, rhomb_split_point, r->status = RHOMB_SPLIT_APART)
RECORDS(spoil_a_little, rhomb_split_point, (r->target -= 1, r->query -= 1))
/* Of affine splits: none of which costs what it says, or that do not meet. */
RECORDS(spoil_affine_points, rhomb_affine_point, r->target ^= 3)
RECORDS(spoil_keys, rhomb_affine_point, r->key = RHOMB_AFFINE_APART)
/* Answers: distances that could be, or could not; operations that are in no room. */
RECORDS(spoil_leaves, rhomb_batch_answer, r->distance ^= 1)
RECORDS(spoil_little, rhomb_batch_answer, r->distance ^= r->distance > 1)
RECORDS(spoil_costs, rhomb_batch_answer, r->distance--)
RECORDS(spoil_places, rhomb_batch_answer, r->cigar_at = UINT32_MAX)
RECORDS(spoil_counts, rhomb_batch_answer, r->cigar_count = left % 2 == 0 ? 0 : 100000)
/* Cells beside the best ones. */
RECORDS(spoil_cells, rhomb_long_local_cell, r->column ^= 1)
/* Strips: that begin and end where they cannot, scores that are none, could be, or are low. */
RECORDS(spoil_begins, rhomb_strip, r->front[0].begin = r->front[1].begin = INT64_MAX - 1)
RECORDS(spoil_ends, rhomb_strip, r->front[0].end = r->front[1].end = INT64_MIN)
RECORDS(spoil_scores, rhomb_strip, r->front[0].score = r->front[1].score = INT64_MAX)
RECORDS(raise_scores, rhomb_strip, (r->front[0].score++, r->front[1].score++))
RECORDS(lower_scores, rhomb_strip, (r->front[0].score /= 2, r->front[1].score /= 2))

/* All but the records: the differences in the middle columns. */
static void spoil_differences(void *data, size_t bytes)
{
    if (bytes < sizeof(rhomb_strip) || bytes % sizeof(rhomb_strip) != 0)
        memset(data, 0xff, bytes);
}

/* Of operations of leaves, which end with one, the last says the contrary of the bases. */
static void spoil_operations(void *data, size_t bytes)
{
    const size_t count = bytes / sizeof(rhomb_cigar_op);
    rhomb_cigar_op *last = (rhomb_cigar_op *)data + (count > 0 ? count - 1 : 0);
    if (count > 0 && RHOMB_CIGAR_LENGTH(*last) > 0 &&
        strchr("ID=X", RHOMB_CIGAR_LETTER(*last)) != NULL)
        *last ^= RHOMB_CIGAR_EQ ^ RHOMB_CIGAR_X;
}

/* A longer gap or run than there is. */
static void lengthen_operation(void *data, size_t bytes)
{
    uint32_t *operations = data;
    if (bytes > 100) /* more than answers take */
        operations[0] += 16;
}

/* Answers of a batch, after the counts: beyond both lengths, operations where none are. */
#define ANSWERS(name, change)                                                \
    static void name(void *data, size_t bytes)                               \
    {                                                                        \
        rhomb_batch_counts *counts = data;                                   \
        rhomb_batch_answer *r = (rhomb_batch_answer *)(counts + 1);          \
        for (; bytes >= sizeof *counts + sizeof *r; bytes -= sizeof *r, r++) \
            change;                                                          \
    }
ANSWERS(spoil_batch_distances, r->distance += 100000)
ANSWERS(spoil_batch_places, r->cigar_at = UINT32_MAX - 1)
ANSWERS(spoil_batch_places_low, r->cigar_at = 0)

#define ANY_BYTES GARBAGE(set_zeros), GARBAGE(set_high_bits), GARBAGE(set_ones)

/* What is noticed. */
static const struct {
    const char *subjects[5];
    garbage cases[8];
} NOTICED[] = {
    {{"align, trapezoids", "align, sweeps"},
     {ANY_BYTES, GARBAGE(spoil_points), GARBAGE(spoil_leaves), GARBAGE(spoil_operations)}},
    {{"align, affine", "align, sliced"},
     {ANY_BYTES, GARBAGE(spoil_affine_points), GARBAGE(spoil_leaves), GARBAGE(spoil_operations)}},
    {{"ends-free", "extend", "local", "z-drop"}, {ANY_BYTES, GARBAGE(spoil_cells)}},
    {{"split by groups", "split by launches"},
     {GARBAGE(set_zeros), GARBAGE(set_high_bits), GARBAGE(move_points), GARBAGE(spoil_diagonals),
      GARBAGE(say_apart)}},
    {{"split by sweeps", "split, sliced"},
     {GARBAGE(set_zeros), GARBAGE(set_high_bits), GARBAGE(spoil_ends), GARBAGE(spoil_begins),
      GARBAGE(spoil_scores), GARBAGE(raise_scores), GARBAGE(spoil_differences)}},
    {{"split, affine"}, {GARBAGE(spoil_keys)}},
    {{"affine paths"},
     {ANY_BYTES, GARBAGE(spoil_costs), GARBAGE(spoil_places), GARBAGE(spoil_counts)}},
    {{"guide"}, {ANY_BYTES, GARBAGE(spoil_ends), GARBAGE(spoil_scores), GARBAGE(lower_scores)}},
    {{"batch"},
     {GARBAGE(set_high_bits), GARBAGE(set_ones), GARBAGE(spoil_batch_distances),
      GARBAGE(spoil_batch_places), GARBAGE(spoil_batch_places_low)}},
    {{"matrix"}, {GARBAGE(spoil_batch_distances), GARBAGE(set_high_bits)}},
};

static void test_noticed(void **state)
{
    for (size_t i = 0; i < COUNT(NOTICED); i++)
        for (size_t k = 0; k < COUNT(NOTICED[i].subjects) && NOTICED[i].subjects[k] != NULL; k++) {
            const warm w = warm_up(NOTICED[i].subjects[k]);
            const garbage *g = NOTICED[i].cases;
            for (; g->tamper != NULL; g++)
                expect_status(&w, g->tamper, g->what, RHOMB_ERR_DEVICE_WRONG_RESULT);
            rhomb_context_destroy(w.ctx);
        }
}

/* A distance that could be, but is a few edits too large. Where the wavefront computes its last
 * launch again (one of each direction's fronts is as before column 0), the directions do not meet.
 */
static void hide_meeting(void *data, size_t bytes)
{
    rhomb_wavefront_status *status = data;
    if (bytes == sizeof *status &&
        (status->front[0][0].column == 0 || status->front[0][1].column == 0))
        status->met = 0;
}

/* A device that is wrong from its first use on: the self-test says so, each time, with a text. */
static void test_self_tests(void **state)
{
    static const struct {
        const char *subject, *text;
        tamper_fn *tamper;
    } cases[] = {
        {"trapezoids", "the self-test of the wavefront engine gave ", hide_meeting},
        {"split by groups", "self-test of the split kernel", spoil_a_little},
        {"split by launches", "self-test of the split kernel", spoil_a_little},
        {"affine paths", "self-test of the kernels for base cases", lengthen_operation},
        {"batch", "distance 1000", spoil_batch_distances},
        {"matrix", "the self-test of the batch kernels gave ", spoil_little},
        {"matrix", "distance 1000", spoil_batch_distances},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const fault_plan plan = {.tamper = cases[i].tamper};
        const fault_subject s = fault_subject_named(cases[i].subject);
        fault_result result;
        rhomb_status status;
        rhomb_context *ctx = fault_create_context(false, &status);
        assert_int_equal(rhomb_context_open(ctx, "0", 0), RHOMB_OK);
        for (int k = 0; k < 2; k++) { /* a program that has failed is not trusted later */
            fault_begin(&plan);
            s.run(ctx, &s, &result);
            fault_end();
            assert_int_equal(result.status, RHOMB_ERR_DEVICE_WRONG_RESULT);
            fault_expect_detail(&result, cases[i].text);
            fault_expect_detail(&result, rhomb_context_device(ctx)->name);
        }
        s.run(ctx, &s, &result);
        assert_int_equal(result.status, RHOMB_OK);
        rhomb_context_destroy(ctx);
        fault_check_left(0);
    }
}

/* What tamper_status() puts into a status record. */
static rhomb_front told_front;

static void tamper_status(void *data, size_t bytes)
{
    rhomb_wavefront_status *status = data;
    if (bytes != sizeof *status)
        return; /* the sizes that the self-test asks for */
    for (int i = 0; i < 4; i++)
        status->front[i / 2][i % 2] = told_front;
}

/* Two directions go by where they meet and by the bound, and by nothing else of a front. */
static void test_garbage(void **state)
{
    static const rhomb_status WRONG = RHOMB_ERR_DEVICE_WRONG_RESULT;
    static const struct {
        const char *what;
        rhomb_front front;
        rhomb_status trapezoids;
    } cases[] = {
        {"distance beyond the longer length", {371, 371, 0, 0}, RHOMB_OK},
        {"distance 0", {0, 371, 0, 0}, RHOMB_OK},
        {"distance below RHOMB_UNSOLVED", {-2, 371, 0, 0}, RHOMB_OK},
        {"distance without measure", {INT64_MAX, 371, 0, 0}, RHOMB_OK},
        {"never solved", {RHOMB_UNSOLVED, INT64_MAX, 0, 0}, RHOMB_OK},
        {"bound below any distance",
         {RHOMB_UNSOLVED, INT64_MIN, 0, 0},
         RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"bound 1", {RHOMB_UNSOLVED, 1, 0, 0}, RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"column and reach without measure", {RHOMB_UNSOLVED, 371, INT64_MAX, INT64_MAX}, RHOMB_OK},
        {"column and reach below 0", {RHOMB_UNSOLVED, 371, INT64_MIN, INT64_MIN}, RHOMB_OK},
    };
    static const char *const distances[] = {"trapezoids", "diamonds", "sweeps", "sliced", "affine"};
    for (size_t k = 0; k < COUNT(distances); k++) {
        const warm w = warm_up_equal(distances[k]);
        for (size_t i = 0; k < 2 && i < COUNT(cases); i++) {
            told_front = cases[i].front;
            expect_status(&w, tamper_status, cases[i].what, k == 0 ? cases[i].trapezoids : WRONG);
        }
        expect_status(&w, set_high_bits, "all bytes 0x80", WRONG);
        expect_status(&w, set_zeros, "all bytes 0", WRONG);
        rhomb_context_destroy(w.ctx);
    }
}

/* What an affine wavefront is told of its looks. */
static rhomb_affine_status looked;

static void tamper_looks(void *data, size_t bytes)
{
    if (bytes == sizeof looked)
        memcpy(data, &looked, sizeof looked);
}

/* Looks that were not, costs that cannot be; how far it has come is a hint. */
static void test_garbage_looks(void **state)
{
    static const struct {
        const char *what;
        rhomb_affine_status looked;
    } cases[] = {{"met before the first look", {-1, INT32_MAX, {0, 0}}},
                 {"met at a look to come", {1000, INT32_MAX, {0, 0}}},
                 {"met at once, no cost", {0, INT32_MAX, {0, 0}}},
                 {"met at once, cost 1", {0, 1, {0, 0}}},
                 {"met at once, a cost below 0", {0, -5, {0, 0}}},
                 {"never met", {RHOMB_AFFINE_NOT_MET, INT32_MAX, {UINT32_MAX, UINT32_MAX}}}};
    const warm w = warm_up_equal("affine");
    for (size_t i = 0; i < COUNT(cases); i++) {
        looked = cases[i].looked;
        expect_status(&w, tamper_looks, cases[i].what, RHOMB_ERR_DEVICE_WRONG_RESULT);
    }
    rhomb_context_destroy(w.ctx);
}

/* What the lengths alone rule out is refused, with what was said. */
static void expect_text(const char *subject, tamper_fn *tamper, const char *text)
{
    const fault_plan plan = {.tamper = tamper};
    const warm w = warm_up(subject);
    fault_result result;
    fault_begin(&plan);
    w.subject.run(w.ctx, &w.subject, &result);
    fault_end();
    assert_int_equal(result.status, RHOMB_ERR_DEVICE_WRONG_RESULT);
    fault_expect_detail(&result, text);
    rhomb_context_destroy(w.ctx);
}

/* A bound that is too low would leave columns without a diagonal, a path that is too cheap a band.
 */
static void test_too_low(void **state)
{
    static const char text[] = "says that the distance is at most 59, and it is at least 60";
    told_front = (rhomb_front){RHOMB_UNSOLVED, 59, 0, 0};
    expect_text("trapezoids", tamper_status, text);
    expect_text("diamonds", tamper_status, text);
    expect_text("guide", lower_scores, "a path along the guide costs");
}

/* What two directions go by: `change` makes it something else in each read of a status record. */
static void (*change)(rhomb_wavefront_status *status);

static void tamper_meeting(void *data, size_t bytes)
{
    if (bytes == sizeof(rhomb_wavefront_status))
        change(data);
}

static void never_met(rhomb_wavefront_status *status)
{
    status->met = 0;
}

static void come_far(rhomb_wavefront_status *status)
{
    status->complete[0] = INT64_MAX;
}

static void fall_back(rhomb_wavefront_status *status)
{
    status->complete[0] = status->complete[1] = -2;
}

static void stop_within_launch(rhomb_wavefront_status *status)
{
    status->complete[0]--;
    status->complete[1]--;
}

static void pass_each_other(rhomb_wavefront_status *status)
{
    status->furthest[0][0] = status->furthest[1][1] = UINT32_MAX;
}

static void stay_behind(rhomb_wavefront_status *status)
{
    memset(status->furthest, 0, sizeof status->furthest);
}

/* How far the directions have come is a hint when to look whether they have met, and no more. */
static void test_garbage_meeting(void **state)
{
    static const struct {
        const char *what;
        void (*change)(rhomb_wavefront_status *status);
        rhomb_status status;
    } cases[] = {
        {"never met", never_met, RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"a column without measure", come_far, RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"a column before all others", fall_back, RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"a score within a launch", stop_within_launch, RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"furthest antidiagonals without measure", pass_each_other, RHOMB_OK},
        {"furthest antidiagonals 0", stay_behind, RHOMB_OK},
    };
    const warm w = warm_up_equal("trapezoids");
    for (size_t i = 0; i < COUNT(cases); i++) {
        change = cases[i].change;
        expect_status(&w, tamper_meeting, cases[i].what, cases[i].status);
    }
    rhomb_context_destroy(w.ctx);
}

/* What tamper_fronts() adds to a strip's front, where a path may leave the strip. */
static rhomb_strip_front garbage_front;

static void tamper_fronts(void *data, size_t bytes)
{
    rhomb_strip *strips = data;
    if (bytes % sizeof *strips != 0 || strips[0].last_launch != -1)
        return; /* not the strips, which begin with row 0 */
    for (size_t i = 2; i < bytes / sizeof *strips; i++) {
        rhomb_strip_front *front = &strips[i].front[strips[i].last_launch & 1];
        if (front->begin == RHOMB_NO_BLOCK)
            continue;
        front->begin += garbage_front.begin;
        front->begin_score += garbage_front.begin_score;
        front->end += garbage_front.end;
        front->score += garbage_front.score;
    }
}

static void test_garbage_fronts(void **state)
{
    static const struct {
        const char *what;
        rhomb_strip_front front;
    } cases[] = {
        {"scores without measure", {.score = INT64_MAX / 2}},
        {"scores below 0", {.score = -1000}},
        {"first scores without measure", {.begin_score = INT64_MAX / 2}},
        {"first scores below 0", {.begin_score = -1000}},
        {"beginnings left of the band", {.begin = -100}},
        {"beginnings after the end", {.begin = 100}},
        {"ends left of the band", {.end = -100}},
        {"ends right of the band", {.end = 100}},
    };
    const warm w = warm_up_equal("sweeps");
    for (size_t i = 0; i < COUNT(cases); i++) {
        garbage_front = cases[i].front;
        expect_status(&w, tamper_fronts, cases[i].what, RHOMB_ERR_DEVICE_WRONG_RESULT);
    }
    rhomb_context_destroy(w.ctx);
}

/* One bit of one read. */
static struct {
    int64_t reads;
    int64_t at;
    uint32_t random;
} flip;

static void flip_bit(void *data, size_t bytes)
{
    if (flip.reads++ != flip.at || bytes == 0)
        return;
    fault_random(&flip.random);
    ((unsigned char *)data)[(flip.random >> 8) % bytes] ^=
        (unsigned char)(1u << (flip.random >> 5 & 7));
}

/* A bit that is wrong, in each read in turn: that is noticed, or the path is none the worse. */
static void test_bits(void **state)
{
    enum { ROUNDS = 12 };
    const fault_plan plan = {.tamper = flip_bit};
    const warm both[] = {warm_up("align, trapezoids"), warm_up("align, sweeps")};
    fault_result result;
    int64_t noticed = 0;
    for (int64_t round = 0; round < ROUNDS; round++) {
        const warm *w = &both[round % 2];
        flip.random = (uint32_t)round * 77777 + 5;
        flip.reads = 1;
        for (flip.at = 0; flip.reads > flip.at; flip.at++) {
            flip.reads = 0;
            fault_begin(&plan);
            w->subject.run(w->ctx, &w->subject, &result);
            fault_end();
            noticed += result.status != RHOMB_OK;
            if (result.status == RHOMB_OK)
                assert_int_equal(result.sum, w->sum);
            else if (result.status != RHOMB_ERR_DEVICE_WRONG_RESULT)
                fail_msg("read %lld of round %lld: %s: %s", (long long)flip.at, (long long)round,
                         rhomb_status_name(result.status), result.detail);
        }
    }
    assert_true(noticed > 5);
    rhomb_context_destroy(both[0].ctx);
    rhomb_context_destroy(both[1].ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_LIST(cmocka_unit_test, test_noticed, test_self_tests, test_garbage, test_garbage_looks,
                  test_too_low, test_garbage_meeting, test_garbage_fronts, test_bits)};
    setenv("RHOMB_TEST_OPENCL", "cpu", 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
