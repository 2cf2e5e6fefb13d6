/* SPDX-License-Identifier: MIT */
/*
 * Real sequences from the folder RHOMB_DATA (see there for where they come from): distances of
 * pairs of genomes, alignments with unit costs, which are judged, and compared with the documented
 * rule's where that does not take long, and alignments with known gap-affine penalties; and a batch
 * of long reads with known distances.
 *
 *     test_real FOLDER quick|slow|gpu|reads     FOLDER where RHOMB_DATA is not set
 *
 * Exits with 77 without the folder, the reads or a device.
 */
#include <htslib/bgzf.h>
#include <htslib/kstring.h>
#include <unistd.h>

#include "align_check.h"
#include "support/batch_check.h"
#include "support/run.h"
#include "support/test.h"

typedef struct known_pair {
    const char *size;  /* of the run that computes the distance; NULL: none */
    const char *paths; /* and of the one that aligns */
    const char *target;
    const char *query;
    int64_t distance;
    int64_t penalty; /* with 4,6,2; -1: unknown */
} known_pair;

/*
 * "quick" has distances up to 30,000, "slow" up to 200,000, "gpu" what a CPU computes for an hour.
 * edlib and a full bit-parallel matrix gave the distances, BiWFA of WFA2-lib the penalties.
 */
static const known_pair PAIRS[] = {
    {"quick", "quick", "mt_human", "mt_orang", 3315, 11548},
    {"quick", "quick", "mt_human", "mt_chimp", 1473, 5968},
    {"quick", "quick", "c4_chm13", "c4_hg002", 23, 96},
    {"quick", "slow", "caulobacter_CB15", "caulobacter_NA1000", 26177, 52564},
    {"slow", "slow", "enm002_human", "enm002_chimp", 71684, 235904},
    {"slow", "slow", "yeast_S288C", "yeast_sacCer3", 157410, 358340},
    {NULL, "gpu", "yeast_S288C", "yeast_sacCer3", 157410, -1},
    {"gpu", "gpu", "CP000051", "AE002160", 549784, -1},
    {"gpu", "gpu", "BA000035", "BX927147", 1528200, -1},
};

/* Paths of larger distances are judged only: the rule's takes the host many minutes. */
enum { MOST_BY_RULE = 100000 };

static align_asker asker;
static const char *data_folder, *size;

static void check_distance(const known_pair *known, const pair *p)
{
    rhomb_result *result = NULL;
    rhomb_context *ctx = asker.session.ctx;
    if (rhomb_distance(ctx, p->a.at, p->a.length, p->b.at, p->b.length, NULL, &result) != RHOMB_OK)
        fail_msg("%s and %s: %s", known->target, known->query, rhomb_context_error(ctx));
    const rhomb_report *report = rhomb_result_report(result);
    printf("%s and %s: distance %lld in %.2f s, %.3g cells a second\n", known->target, known->query,
           (long long)report->distance, report->seconds_solve,
           (double)report->cells / report->seconds_solve);
    if (report->distance != known->distance)
        fail_msg("%s and %s: %lld instead of %lld", known->target, known->query,
                 (long long)report->distance, (long long)known->distance);
    rhomb_result_destroy(result);
}

/* With unit costs, or with the costs of "wfa" where the penalty is known. */
static void align_by(const known_pair *known, const pair *p, rhomb_engine engine, bool scored)
{
    static const rhomb_scoring WFA = {0, 4, 6, 2, -1, -1, NULL};
    const score_set set = score_set_of(&WFA);
    rhomb_align_report report;
    const align_question q = {.p = p,
                              .set = scored ? &set : NULL,
                              .alphabet = RHOMB_ALPHABET_DNA,
                              .engine = engine,
                              .tuning = RHOMB_TUNING_INIT,
                              .max_distance = RHOMB_NO_LIMIT,
                              .distance = scored ? known->penalty : known->distance,
                              .judged_only = known->distance > MOST_BY_RULE,
                              .family = known->query};
    if (q.distance < 0)
        return;
    align_ask(&asker, &q, &report);
    printf("%s and %s, %s: %lld, %lld operations, %.3f s for the distance, %.3f s in all\n",
           known->target, known->query, report.engine, (long long)q.distance,
           (long long)report.operations, report.whole->seconds_solve, report.seconds_total);
}

/* By the engine that "auto" takes; where that is quick by each. */
static void align_pair(const known_pair *known, const pair *p)
{
    static const rhomb_engine ENGINES[] = {RHOMB_ENGINE_AUTO, RHOMB_ENGINE_WAVEFRONT,
                                           RHOMB_ENGINE_BITPARALLEL};
    const size_t engines = strcmp(size, "quick") == 0 ? COUNT(ENGINES) : 1;
    for (size_t i = 0; i < engines; i++) {
        align_by(known, p, ENGINES[i], false);
        align_by(known, p, ENGINES[i], true);
    }
}

static void test_pairs(void **state)
{
    for (size_t i = 0; i < COUNT(PAIRS); i++) {
        const known_pair *known = &PAIRS[i];
        const bool asked = known->size != NULL && strcmp(known->size, size) == 0;
        if (!asked && strcmp(known->paths, size) != 0)
            continue;
        pair p = {real_letters(asker.session.ctx, data_folder, known->target),
                  real_letters(asker.session.ctx, data_folder, known->query)};
        if (asked)
            check_distance(known, &p);
        if (strcmp(known->paths, size) == 0)
            align_pair(known, &p);
        pair_release(&p);
    }
}

static pair_list reads = {.family = "hifi", .alphabet = RHOMB_ALPHABET_DNA};

/* One line of `>` and the query, and one of `<` and the target. False at the end. */
static bool read_texts(BGZF *file, kstring_t *line, pair *p)
{
    static const char MARKS[] = {'>', '<'};
    letters *const texts[] = {&p->b, &p->a};
    pair_release(p);
    for (int i = 0; i < 2; i++) {
        if (bgzf_getline(file, '\n', line) < 1)
            return false;
        assert_int_equal(line->s[0], MARKS[i]);
        letters_append(texts[i], line->s + 1, (int64_t)line->l - 1);
    }
    return true;
}

/* Reads hifi.seq.gz and hifi.expected.tsv; false where they are not there. */
static bool read_pairs(void)
{
    char name[1024];
    long long index, lengths[2], distance;
    kstring_t line = {0, 0, NULL};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    snprintf(name, sizeof name, "%s/hifi.seq.gz", data_folder);
    BGZF *texts = bgzf_open(name, "r");
    snprintf(name, sizeof name, "%s/hifi.expected.tsv", data_folder);
    FILE *expected = fopen(name, "r");
    const bool found = texts != NULL && expected != NULL;
    while (found && read_texts(texts, &line, &p)) {
        if (fscanf(expected, "%lld %lld %lld %lld", &index, &lengths[0], &lengths[1], &distance) !=
                4 ||
            index != reads.count || lengths[0] != p.b.length || lengths[1] != p.a.length)
            fail_msg("%s: pair %lld is another one", name, (long long)reads.count);
        pair_list_add_known(&reads, &p, distance);
    }
    if (texts != NULL)
        bgzf_close(texts);
    if (expected != NULL)
        fclose(expected);
    free(line.s);
    pair_release(&p);
    return found;
}

static void test_reads(void **state)
{
    batch_setup setup = BATCH_SETUP_INIT;
    assert_true(read_pairs());
    assert_int_equal(reads.count, 50);
    for (int cigar = 0; cigar < 2; cigar++) {
        rhomb_batch_report report;
        setup.cigar = cigar == 1;
        batch_ask(asker.session.ctx, &setup, &reads, &report);
        printf("%lld pairs with %lld letters in %.3f s%s\n", (long long)report.pairs,
               (long long)report.bases, report.seconds_total, setup.cigar ? ", with paths" : "");
    }
    pair_list_release(&reads);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest pairs[] = {TEST_LIST(cmocka_unit_test, test_pairs)};
    const struct CMUnitTest batch[] = {TEST_LIST(cmocka_unit_test, test_reads)};
    char name[1024];
    if (argc != 3)
        return 2;
    size = argv[2];
    data_folder = real_folder(argv[1]);
    snprintf(name, sizeof name, "%s/hifi.seq.gz", data_folder != NULL ? data_folder : ".");
    const bool is_batch = strcmp(size, "reads") == 0;
    if (data_folder == NULL || (is_batch && access(name, R_OK) != 0) || !align_asker_open(&asker))
        return 77;
    const int failures = is_batch ? cmocka_run_group_tests_name("reads", batch, NULL, NULL)
                                  : cmocka_run_group_tests_name("real pairs", pairs, NULL, NULL);
    align_asker_close(&asker);
    return failures != 0;
}
