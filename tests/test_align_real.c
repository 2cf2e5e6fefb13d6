/* SPDX-License-Identifier: MIT */
/*
 * Alignments of real pairs of genomes with known distances, from the folder RHOMB_DATA: each path
 * is judged, and compared with the documented rule's where the distance is not too large for that.
 * Which pairs: "quick" the small ones with both engines, "slow" larger ones with the engine that
 * "auto" takes, "gpu" those that take a CPU minutes to hours.
 *
 *     test_align_real FOLDER quick|slow|gpu     FOLDER where RHOMB_DATA is not set
 *
 * Exits with 77 without the folder or a device.
 */
#include <unistd.h>

#include "align_check.h"
#include "support/run.h"
#include "support/test.h"

typedef struct known_pair {
    const char *size;
    const char *target;
    const char *query;
    int64_t distance;
} known_pair;

/* As in test_real.c, but for Caulobacter, which takes longer here. */
static const known_pair PAIRS[] = {
    {"quick", "mt_human", "mt_orang", 3315},
    {"quick", "mt_human", "mt_chimp", 1473},
    {"quick", "c4_chm13", "c4_hg002", 23},
    {"slow", "caulobacter_CB15", "caulobacter_NA1000", 26177},
    {"slow", "enm002_human", "enm002_chimp", 71684},
    {"slow", "yeast_S288C", "yeast_sacCer3", 157410},
    {"gpu", "yeast_S288C", "yeast_sacCer3", 157410},
    {"gpu", "CP000051", "AE002160", 549784},
    {"gpu", "BA000035", "BX927147", 1528200},
};
enum { PAIR_COUNT = COUNT(PAIRS) };

/* Paths of larger distances are judged only: the rule's takes the host many minutes. */
enum { MOST_BY_RULE = 100000 };

static align_asker asker;
static const char *data_folder;
static const char *size;

static void ask(const pair *p, const known_pair *known, rhomb_engine engine, int64_t index)
{
    rhomb_align_report report;
    const align_question q = {.p = p,
                              .alphabet = RHOMB_ALPHABET_DNA,
                              .engine = engine,
                              .tuning = RHOMB_TUNING_INIT,
                              .max_distance = RHOMB_NO_LIMIT,
                              .distance = known->distance,
                              .judged_only = known->distance > MOST_BY_RULE,
                              .family = known->query,
                              .index = index};
    align_ask(&asker, &q, &report);
    printf("%s and %s, %s: %lld operations, %.3f s for the distance, %.3f s in all\n",
           known->target, known->query, report.engine, (long long)report.operations,
           report.whole->seconds_solve, report.seconds_total);
}

static void test_pairs(void **state)
{
    for (int64_t i = 0; i < PAIR_COUNT; i++) {
        const known_pair *known = &PAIRS[i];
        if (strcmp(known->size, size) != 0)
            continue;
        pair p = {real_letters(asker.session.ctx, data_folder, known->target),
                  real_letters(asker.session.ctx, data_folder, known->query)};
        ask(&p, known, RHOMB_ENGINE_AUTO, i);
        if (strcmp(size, "quick") == 0) {
            ask(&p, known, RHOMB_ENGINE_WAVEFRONT, i);
            ask(&p, known, RHOMB_ENGINE_BITPARALLEL, i);
        }
        pair_release(&p);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs)};
    if (argc != 3)
        return 2;
    size = argv[2];
    data_folder = real_folder(argv[1]);
    if (data_folder == NULL || !align_asker_open(&asker))
        return 77;
    const int failures = cmocka_run_group_tests_name("align real", tests, NULL, NULL);
    align_asker_close(&asker);
    return failures != 0;
}
