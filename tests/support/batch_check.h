/* SPDX-License-Identifier: MIT */
/*
 * The tester of batches: gives a list of pairs to a batch and looks at all that comes back, each
 * distance, each path, the order, and the report. Every test of batches goes through here, so that
 * a failure always says all that is needed to see it again.
 */
#ifndef RHOMB_TESTS_BATCH_CHECK_H
#define RHOMB_TESTS_BATCH_CHECK_H

#include "pair_list.h"
#include "tests/reference/path.h"

/* How a batch is asked. What is 0 is left to the library. */
typedef struct batch_setup {
    int64_t max_distance;
    bool cigar;
    rhomb_batch_tuning tuning;
    int64_t at_once; /* pairs of a call of rhomb_batch_add(); 0: a whole list */
} batch_setup;

#define BATCH_SETUP_INIT                                 \
    {                                                    \
        RHOMB_NO_LIMIT, true, RHOMB_BATCH_TUNING_INIT, 0 \
    }

/* A batch that is open, and what it has been asked. */
typedef struct batch_asker {
    rhomb_context *ctx;
    rhomb_batch *batch;
    batch_setup setup;
    rhomb_alphabet alphabet;
    const pair_list *list;       /* whose results are due */
    int64_t base;                /* the number of its first pair */
    int64_t delivered;           /* since the batch began */
    const char *complaint;       /* the first one */
    int64_t culprit;             /* the pair of the list that it is about; -1: none */
    rhomb_pair_result wrong;     /* that pair's result */
    rhomb_batch_report expected; /* of the fields that are determined by the pairs */
    path path;
    /* Paths of a larger distance are judged, but not compared with the rule's. */
    int64_t most_path;
} batch_asker;

/* Opens a batch for lists of an alphabet. Failures fail the cmocka test that is running. */
void batch_asker_open(batch_asker *asker, rhomb_context *ctx, const batch_setup *setup,
                      rhomb_alphabet alphabet);

/*
 * Adds all pairs of a list, finishes, and compares. A wrong answer fails the test after everything
 * about it was printed and its pair was written to a file.
 */
void batch_asker_ask(batch_asker *asker, const pair_list *list);

/* Compares the report with all that was asked, and destroys the batch. */
void batch_asker_close(batch_asker *asker, rhomb_batch_report *report);

/* The three of them. `report` may be NULL. */
void batch_ask(rhomb_context *ctx, const batch_setup *setup, const pair_list *list,
               rhomb_batch_report *report);

#endif
