/* SPDX-License-Identifier: MIT */
/*
 * The driver of all fault injection: it makes each OpenCL call of something fail in turn, alone or
 * with all that follow, and changes what comes back from the device. What is done meanwhile is a
 * subject: one distance, a batch, subproblems that are split, an alignment. Whatever fails, a call
 * returns the right status and names the culprit, nothing stays behind, and the next one succeeds.
 */
#ifndef RHOMB_FAULT_DRIVER_H
#define RHOMB_FAULT_DRIVER_H

#include "fault_fixture.h"
#include "fault_opencl.h"
#include "rhomb/batch.h"

typedef struct fault_subject fault_subject;

struct fault_subject {
    /* Fails the test when a result is wrong that was said to be right. */
    void (*run)(rhomb_context *ctx, const fault_subject *subject, fault_result *result);
    int way;              /* one of the subject's own enum */
    int64_t z_drop;       /* of an extension; below 0: none */
    const fault_job *job; /* of a distance */
    int64_t distance;     /* what a run without a fault comes to */
    bool several;         /* devices take turns, see RHOMB_TEST_DEVICE */
    bool free_groups;     /* of a batch or a matrix: the device says how large they are */
    bool cached;          /* first uses keep programs in the tests' cache, else they compile them */

    int64_t
        least_calls; /* a run makes more than that, and more than `least_named` of one function */
    int64_t least_named;
    bool strict;  /* in an open context, all failures but those of releases are noticed */
    bool tangled; /* several threads or buffers: another failure than the first may be reported */
};

/* The distance of a job, which has to outlive the subject. */
fault_subject fault_distance(const fault_job *job);

/* How a batch works: a few pairs of all sorts, in several jobs. */
typedef enum fault_batch_work {
    FAULT_BATCH_PATHS,     /* one job after the other */
    FAULT_BATCH_WORKERS,   /* several side by side, with a profile */
    FAULT_BATCH_DISTANCES, /* no paths; some pairs are for the engines of long pairs */
    FAULT_BATCH_SCORED,    /* with a scoring, end to end */
    FAULT_BATCH_PLANES,    /* the same, by matrices in bit planes */
    FAULT_BATCH_LOCAL,     /* and local alignments */
    FAULT_BATCH_WORKS,
    FAULT_BATCH_ARRAY = FAULT_BATCH_WORKS, /* one call for all, the same to the device */
    FAULT_BATCH_BORROWED                   /* as workers; the batch borrows the pairs */
} fault_batch_work;

/* Its distance is the sum over all pairs that were delivered in order. */
fault_subject fault_batch(fault_batch_work work);

/* A distance matrix; its distance is the sum over all pairs. */
fault_subject fault_matrix(void);

/* How ranges of the known pair are split, in several portions. */
typedef enum fault_split_way {
    FAULT_SPLIT_GROUPS, /* each by a group, host/splits/split.c */
    FAULT_SPLIT_WIDE,   /* launches of all of them, host/splits/split_wide.c */
    FAULT_SPLIT_AFFINE, /* the same with affine costs, host/splits/split_affine.c */
    FAULT_SPLIT_SWEEPS, /* by sweeps side by side, host/splits/sweep_many.c */
    FAULT_SPLIT_SLICED, /* the same with gap-affine costs and gaps at borders */
    FAULT_SPLIT_WAYS
} fault_split_way;

/* Its distance is the sum of the places of all points. */
fault_subject fault_split(fault_split_way way);

/*
 * Paths of base cases with gap-affine costs, host/splits/ranges_affine.c; its distance is the sum
 * of all costs.
 */
fault_subject fault_paths(void);

/*
 * An alignment. Each engine has a pair with all phases, so that subproblems are swept or split in
 * launches, then by groups, and base cases are of all kinds.
 */
fault_subject fault_align(rhomb_engine engine);

/* The same with gap-affine costs: two rounds of splits by either, and base cases. */
fault_subject fault_align_scored(rhomb_engine engine);

/* The same as fault_align() with a checkpoint at each moment that can have one. */
fault_subject fault_align_kept(rhomb_engine engine);

/* One sweep, after the path along a guide (host/divide/guide_follow.c). */
fault_subject fault_guide(void);

/*
 * The distance of a job, stopped at a checkpoint at some call of the progress function, two or
 * three of which come before the first step; the next run goes on from there. The file lasts until
 * fault_checkpoint_end().
 */
fault_subject fault_checkpoint(const fault_job *job, int stops);
void fault_checkpoint_end(void);

/* A local alignment of one pair; its distance is the sum of its score, begins and ends. */
fault_subject fault_local(rhomb_mode mode, int64_t z_drop);

/* Lists the devices in a new context, opens "auto", runs there, and destroys the context. */
void fault_first_use(const fault_subject *subject, fault_result *result);

/* The same with the distance of a job. */
void fault_first_solve(const fault_job *job, fault_result *result);

/*
 * Which calls fail: `apart` from one to the next, and a `spread`-th of their number further, so
 * that the last ones, most of which are in loops, are further apart; 0: no further.
 */
typedef struct fault_steps {
    int64_t apart;
    int64_t spread;
} fault_steps;

#define FAULT_EACH_CALL ((fault_steps){1, 0})

/* What fails: a call alone; it and all that follow, as a device is lost; a command that has begun.
 */
#define FAULT_ALONE   ((fault_plan){0})
#define FAULT_LOST    ((fault_plan){.lasting = true, .code = CL_OUT_OF_RESOURCES})
#define FAULT_COMMAND ((fault_plan){.function = "clGetEventInfo", .by_command = true})

/*
 * How many times as far as its steps say a test goes on from call (or allocation) `at`: a random
 * number up to `most`, the same in every run and not in step with any loop. The tests labelled slow
 * set RHOMB_TEST_EACH_FAULT, which makes it 1.
 */
int64_t fault_stride(int64_t at, uint32_t most);

/* Fails calls of a run by a plan, in a context that stays. */
void fault_fail_calls(const fault_subject *subject, fault_plan plan, fault_steps steps);

/* A first use without a fault, for PoCL's cache, and for ours if the subject is cached. */
void fault_fill_caches(const fault_subject *subject);

/* Fails calls of a first use by a plan, after one without a fault. */
void fault_fail_first_use(const fault_subject *subject, fault_plan plan, fault_steps steps);

/* Whether the result is what may come of the failure. */
void fault_check_result(const fault_subject *subject, const fault_plan *plan,
                        const fault_outcome *fault, const fault_result *result);

/* Changes what comes from the device. */
typedef void fault_tamper(void *data, size_t bytes);

fault_tamper fault_set_zeros;
fault_tamper fault_set_ones;
fault_tamper fault_set_high_bits; /* all bytes 0x80 */

/* Whether what is read are the records of sweeps; and such that end where they cannot, or have
 * scores that are none. */
bool fault_are_strips(size_t bytes);
fault_tamper fault_spoil_ends;
fault_tamper fault_spoil_scores;

/*
 * Runs with tampered reads, in a context whose self-tests have passed: that gives the status
 * `expected`, an error that names the device or the right result, and the next run is as good.
 */
void fault_expect_tampered(const fault_subject *subject, fault_tamper *tamper, const char *what,
                           rhomb_status expected);

/* The same for each of several ways to tamper. */
typedef struct fault_garbage {
    const char *what;
    fault_tamper *tamper;
} fault_garbage;
#define FAULT_GARBAGE(tamper) \
    {                         \
#        tamper, tamper       \
    }
void fault_expect_noticed(const fault_subject *subject, const fault_garbage *garbage, size_t count);

/* A device that is wrong from its first use on: the self-test says so, with a text. */
void fault_expect_self_test(const fault_subject *subject, fault_tamper *tamper, const char *text);

/* What the same tests are made of: a kind of subjects, in all ways that there are of it. */
typedef struct fault_kind {
    fault_subject (*subject)(int way);
    int ways;
    fault_steps lost;      /* where all calls fail from one on */
    fault_steps first_use; /* and where opening, building and self-tests are part of it */
} fault_kind;

/* Each call alone, with all that follow, each command that ends with an error, and a first use. */
void fault_test_calls(void **kind);
void fault_test_lost_device(void **kind);
void fault_test_failed_commands(void **kind);
void fault_test_first_use(void **kind);
#define FAULT_TESTS(kind)                                               \
    cmocka_unit_test_prestate(fault_test_calls, &(kind)),               \
        cmocka_unit_test_prestate(fault_test_lost_device, &(kind)),     \
        cmocka_unit_test_prestate(fault_test_failed_commands, &(kind)), \
        cmocka_unit_test_prestate(fault_test_first_use, &(kind))

/* Runs a program's tests, each afresh; its exit status, which is 77 without a device. */
#define fault_run(tests) fault_run_tests(tests, COUNT(tests))
int fault_run_tests(const struct CMUnitTest *tests, size_t count);

#endif
