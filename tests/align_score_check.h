/* SPDX-License-Identifier: MIT */
/*
 * Asks rhomb_align() with a scoring, and judges path and report by oracles that know nothing of the
 * library: as align_check.h does for unit costs.
 */
#ifndef RHOMB_TESTS_ALIGN_SCORE_CHECK_H
#define RHOMB_TESTS_ALIGN_SCORE_CHECK_H

#include "rhomb/align.h"
#include "rhomb/tuning.h"
#include "support/score_check.h"

/* One question. */
typedef struct align_score_question {
    const pair *p; /* the target, and the query */
    const score_set *set;
    rhomb_engine engine;
    rhomb_alphabet alphabet;
    rhomb_tuning tuning;
    int64_t max_distance;
    int64_t least; /* oracle_gotoh() */
    const char *family;
    int64_t index;
} align_score_question;

/* What is open, the path that came last, and what was asked so far. All zero at first. */
typedef struct align_score_asker {
    session session;
    rhomb_path_op *ops;
    int64_t count;
    int64_t room;
    rhomb_align_report report; /* its `whole` is gone */
    int64_t asked;
    int64_t split[2]; /* after the first time, where the wavefront or the sweep solved the pair */
} align_score_asker;

/* A question without a limit and tuning, whose answer is Gotoh's. */
align_score_question align_score_question_of(const pair *p, const score_set *set,
                                             const char *family, int64_t index);

/* Asks; a wrong answer fails the cmocka test that is running. */
void align_score_ask(align_score_asker *asker, const align_score_question *q);

/* The same, where the path has to be the last one's, operation for operation. */
void align_score_ask_same(align_score_asker *asker, const align_score_question *q);

/* False when there is no device. */
bool align_score_open(align_score_asker *asker);
void align_score_close(align_score_asker *asker);

#endif
