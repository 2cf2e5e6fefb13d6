/* SPDX-License-Identifier: MIT */
/*
 * The differential tester: asks rhomb_distance() for one distance, with unit costs or a scoring,
 * compares it with the one that is expected, and looks through the report. Every test of distances
 * goes through here, so that a failure always says all that is needed to see it again.
 */
#ifndef RHOMB_TESTS_CHECK_H
#define RHOMB_TESTS_CHECK_H

#include "cost_sets.h"
#include "pair.h"
#include "rhomb/plan.h"

/* A tuning, and the bit planes of the pairs that run with it: so each has one program. */
typedef struct variant {
    rhomb_tile_shape shape;
    int32_t group;
    int32_t items;
    int32_t columns;
    int32_t launches;
    int32_t offset_bits;
    int32_t planes; /* 0: those of any pair */
    bool no_pruning;
    int32_t directions;
    /*
     * Of the bit-parallel engine, whose variants have words > 0, columns 16 and nothing above but
     * group, planes and directions.
     */
    int32_t lanes;
    int32_t words;
    int32_t blocks;
    int64_t half_width;
} variant;

bool variant_is_sweep(const variant *v);

/* W: diagonals of a tile, or rows of a strip. */
int64_t variant_diagonals(const variant *v);

/* Whether pairs of more than 20,000 bases are given to it: they would take others too long. */
bool variant_is_long(const variant *v);

/*
 * All variants: a table, and the tiles and sweeps of the tuning rows, each with 2 planes and with
 * 3, 4 or 8. `position` counts from 0; NULL after the last one.
 */
const variant *variant_at(size_t position);

/* Bases of which a pair takes just the variant's planes, if it has most of them. */
const char *variant_letters(const variant *v, rhomb_alphabet *alphabet);

/* Memory that ends at a page which cannot be touched: reading one base too many is a crash. */
typedef struct guard {
    char *begin;
    char *end; /* the page that cannot be touched */
    int64_t mapped;
} guard;

/* Maps room for at least `bytes`. False when the system refuses. */
bool guard_create(guard *g, int64_t bytes);

void guard_release(guard *g);

/* Copies bases right before the guard page; more than fit are returned as they are. */
const char *guard_place(const guard *g, const char *bases, int64_t length);

/* What a test has open. */
typedef struct session {
    rhomb_context *ctx;
    guard guards[2];
} session;

/* False when there is no device. */
bool session_open(session *s);
void session_close(session *s);

/*
 * Where several devices are open (RHOMB_TEST_DEVICE=all), the strips of a chunk for case `index`: 1
 * to 3, so that every sweep is shared. Else 0.
 */
int32_t session_chunk(const session *s, int64_t index);

/* One question. What is 0 or NULL at the end is left out of messages. */
typedef struct question {
    const letters *target;
    const letters *query;
    rhomb_alphabet alphabet;
    const variant *variant; /* NULL: as the library chooses */
    const score_set *set;   /* NULL: unit costs, ... */
    rhomb_engine engine;    /* ... whose engine is the variant's */
    int64_t max_distance;
    int64_t distance; /* or penalty, were there no limit; with match scores the negative score */
    const char *family;
    int64_t index;
    const pair_recipe *recipe;
    const char *relation; /* to the case that this one was made from */
    const char *checkpoint;
} question;

/* A question without a limit; the distance is the oracle's. */
question question_of(const pair *p, rhomb_alphabet alphabet, const variant *v, const char *family,
                     int64_t index);

/* The same with a scoring, where the answer is Gotoh's. */
question question_scored(const pair *p, const score_set *set, const char *family, int64_t index);

/* The distance as the library counts it. */
int64_t question_penalty(const question *q);

/*
 * Asks. A wrong answer fails the cmocka test that is running, after everything about it was printed
 * and its sequences were written to files. `report` may be NULL.
 */
void question_ask(session *s, const question *q, rhomb_report *report);

/* Things that must be as well when a distance is right: each is another question. */
typedef enum relation {
    RELATION_SWAPPED,
    RELATION_REVERSED,
    RELATION_SELF,
    RELATION_LIMIT_BELOW,
    RELATION_LIMIT_EXACT,
    RELATION_LIMIT_ABOVE,
    RELATION_LIMIT_HALF,
    RELATION_LIMIT_ZERO,
    RELATION_LIMIT_LENGTHS,                 /* one less than the lengths differ */
    RELATION_UNIT_COUNT,                    /* with unit costs: test_checkpoint has the next */
    RELATION_RESUMED = RELATION_UNIT_COUNT, /* stopped where progress was last told, and gone on */
    RELATION_COUNT
} relation;

void question_ask_related(session *s, const question *q, relation which);

/* The last progress, and the first thing that was wrong with any. */
typedef struct history {
    rhomb_progress last;
    int64_t calls;
    int64_t stop_at; /* the call that ends the run; 0: none does */
    const char *complaint;
} history;

#define HISTORY_INIT                                                  \
    {                                                                 \
        .last = {.lower_bound = INT64_MIN, .upper_bound = INT64_MAX } \
    }

/* A progress function that keeps a history: bounds and time go one way. It may end the run. */
int history_note(const rhomb_progress *progress, void *user);

/* Writes the sequences of a question with a wrong answer to files, named in `files`. */
void failed_write(const char *family, int64_t index, const letters *target, const letters *query,
                  char files[2][512]);

/* Bit planes that the bases of a pair take, by counting them: 2 to 8. */
int32_t pair_planes(const pair *p, rhomb_alphabet alphabet);

#endif
