/* SPDX-License-Identifier: MIT */
/*
 * Asks rhomb_distance() with a scoring, and compares penalty and score with those of oracles that
 * know nothing of the library. As check.h does for unit costs: a failure says all that is needed to
 * see it again.
 */
#ifndef RHOMB_TESTS_SCORE_CHECK_H
#define RHOMB_TESTS_SCORE_CHECK_H

#include "check.h"
#include "rhomb/scoring.h"
#include "tests/reference/gotoh.h"

/* A scoring, how users write it, and what oracles make of it. */
typedef struct score_set {
    rhomb_scoring scoring;
    oracle_penalties penalties;
    char text[96];
} score_set;

score_set score_set_of(const rhomb_scoring *scoring);

/* The planes that its costs take: of 2 * (open + extend) + 1 values, without what all have in
 * common. */
int score_set_planes(const score_set *set);

/* One question. What is 0 or NULL at the end is left out of messages. */
typedef struct score_question {
    const letters *target;
    const letters *query;
    const score_set *set;
    const variant *variant; /* NULL: as the library chooses */
    rhomb_engine engine;
    rhomb_alphabet alphabet;
    int64_t max_distance;
    int64_t least; /* penalty, with the sign turned the score: oracle_gotoh() */
    const char *family;
    int64_t index;
    const char *relation; /* to the case that this one was made from */
    const char *checkpoint;
} score_question;

/* A question without a limit; the answer is Gotoh's. */
score_question score_question_of(const pair *p, const score_set *set, const char *family,
                                 int64_t index);

/* The penalty as the library counts it. */
int64_t score_penalty(const score_question *q);

/* Asks. A wrong answer fails the cmocka test that is running. `report` may be NULL. */
void score_ask(session *s, const score_question *q, rhomb_report *report);

/* What must be as well when a penalty is right. */
typedef enum score_relation {
    SCORE_SWAPPED,
    SCORE_REVERSED,
    SCORE_SELF,
    SCORE_LIMIT_BELOW,
    SCORE_LIMIT_EXACT,
    SCORE_LIMIT_ABOVE,
    SCORE_LIMIT_HALF,
    SCORE_LIMIT_ZERO,
    SCORE_RESUMED, /* stopped where progress was told last, and gone on with */
    SCORE_RELATIONS
} score_relation;

void score_ask_related(session *s, const score_question *from, score_relation which);

#endif
