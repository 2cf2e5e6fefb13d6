/* SPDX-License-Identifier: MIT */
/*
 * The tester of alignments: asks rhomb_align(), with unit costs or a scoring, and looks at the
 * path, the report, the memory and each progress; every test of alignments that come out goes
 * through here, so that a failure always says all that is needed to see it again.
 */
#ifndef RHOMB_TESTS_ALIGN_CHECK_H
#define RHOMB_TESTS_ALIGN_CHECK_H

#include "rhomb/align.h"
#include "rhomb/tuning.h"
#include "support/check.h"
#include "tests/reference/align_model.h"

typedef struct align_question {
    const pair *p;        /* the target, and the query */
    const score_set *set; /* NULL: unit costs */
    rhomb_alphabet alphabet;
    rhomb_engine engine;
    rhomb_tuning tuning;
    int64_t max_distance;
    int64_t distance; /* or penalty, were there no limit; with match scores the negative score */
    bool judged_only; /* by the cost and the bases, not compared with the rule's path */
    const char *family;
    int64_t index;
} align_question;

/* What is open, and memory that questions use again. All zero at first. */
typedef struct align_asker {
    session session;
    align_model model;   /* of unit costs */
    letters compared[2]; /* folded where the alphabet folds */
    rhomb_path_op *ops;  /* the path that came last */
    int64_t count;
    int64_t room;
    int64_t asked;
    int64_t swept;                     /* that the bit-parallel engine solved */
    int64_t split[2];                  /* where the wavefront or the sweep did, split again */
    int64_t dealt[RHOMB_MOST_DEVICES]; /* splits of each of several devices */
} align_asker;

/* A question without a limit and tuning; the distance is edlib's, ... */
align_question align_question_of(const pair *p, rhomb_alphabet alphabet, rhomb_engine engine,
                                 const char *family, int64_t index);

/* ... or with a scoring Gotoh's. */
align_question align_question_scored(const pair *p, const score_set *set, const char *family,
                                     int64_t index);

/* The distance as the library counts it. */
int64_t align_penalty(const align_question *q);

/* Asks; a wrong answer fails the cmocka test that is running. `report` may be NULL. */
void align_ask(align_asker *asker, const align_question *q, rhomb_align_report *report);

/* The same, where the path has to be the last one's, operation for operation. */
void align_ask_same(align_asker *asker, const align_question *q);

/* Fails the test where several devices are open and one of them has split nothing. */
void align_asker_expect_all(const align_asker *asker);

/* False when there is no device. */
bool align_asker_open(align_asker *asker);
void align_asker_close(align_asker *asker);

#endif
