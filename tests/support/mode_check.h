/* SPDX-License-Identifier: MIT */
/*
 * The tester of batches with a scoring: gives pairs to a batch in some mode, and compares each
 * score, begin and end with whole matrices in plain code, and each path with its score.
 */
#ifndef RHOMB_TESTS_MODE_CHECK_H
#define RHOMB_TESTS_MODE_CHECK_H

#include "rng.h"
#include "tests/reference/gotoh_modes.h"

/* A row of cmocka's tests: a test whose *state is a mode. */
#define IN_MODE(name, test, mode)                                        \
    {                                                                    \
        name, test, NULL, NULL, (void *)(uintptr_t) & (const rhomb_mode) \
        {                                                                \
            mode                                                         \
        }                                                                \
    }

/* Prints the command that asks a batch for a pair. */
void batch_print_command(const rhomb_pair *p, const char *options, const rhomb_batch_tuning *t);

/* Pairs, and what a batch has said of them. */
typedef struct mode_asker {
    rhomb_context *ctx;
    const char *scoring;
    rhomb_alphabet alphabet;
    oracle_mode mode;
    oracle_penalties penalties;
    bool cigar;
    bool ends_only;
    rhomb_batch_tuning tuning;
    rhomb_pair *pairs;
    int64_t count;
    int64_t delivered;
    rhomb_pair_extent *expected; /* NULL: by the oracle */
    rhomb_pair_extent *got;      /* NULL: not kept */
    int64_t operations;          /* a digest of all paths */
    /*
     * NULL: by the oracle. Else results that have to be the same, with the same paths, but for
     * those above max_distance, which is for these alone.
     */
    const rhomb_pair_result *const *like;
    int64_t max_distance;
} mode_asker;

/* The penalties of a scoring as users write it. */
oracle_penalties mode_penalties_of(rhomb_context *ctx, const char *text);

/* With CIGARs, and no pairs. */
mode_asker mode_asker_of(rhomb_context *ctx, const char *scoring, rhomb_mode mode);

/* Adds a copy of a pair; `count` random ones of all families, of up to some `most` bases. */
void mode_add(mode_asker *a, const char *target, int64_t n, const char *query, int64_t m);
void mode_add_random(mode_asker *a, int64_t count, int64_t most, rng *r);

/* Adds all pairs of so many texts over {A, C}, see pair_tiny(). */
void mode_add_tiny(mode_asker *a, int strings);

/* Random limits, drops and bonuses, as the mode has them. */
void mode_draw(mode_asker *a, rng *r);

/*
 * Asks for all pairs, and compares. A wrong answer fails the cmocka test that is running, after the
 * command that repeats it was printed.
 */
void mode_ask(mode_asker *a);

/*
 * One of many questions: asks it where RHOMB_TEST_SHARE has it (amount.h). Which ones that are
 * differs with scoring and mode; the first one of a program always is.
 */
void mode_ask_one(mode_asker *a);

/* The results of all pairs as they come, which the caller destroys. */
const rhomb_pair_result *const *mode_results(const mode_asker *a);

void mode_release(mode_asker *a);

#endif
