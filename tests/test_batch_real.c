/* SPDX-License-Identifier: MIT */
/*
 * Pairs of long reads with known distances as one batch, from hifi.seq.gz and hifi.expected.tsv of
 * the folder RHOMB_DATA (see there for where they come from).
 *
 *     test_batch_real FOLDER     where RHOMB_DATA is not set
 *
 * Exits with 77 without the files or a device.
 */
#include <htslib/bgzf.h>
#include <htslib/kstring.h>

#include "support/batch_check.h"
#include "support/check.h"
#include "support/test.h"

static session device;
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

/* Reads both files; false where they are not there. */
static bool read_pairs(const char *folder)
{
    char name[1024];
    long long index, lengths[2], distance;
    kstring_t line = {0, 0, NULL};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    snprintf(name, sizeof name, "%s/hifi.seq.gz", folder);
    BGZF *texts = bgzf_open(name, "r");
    snprintf(name, sizeof name, "%s/hifi.expected.tsv", folder);
    FILE *expected = fopen(name, "r");
    const bool found = texts != NULL && expected != NULL;
    while (found && read_texts(texts, &line, &p)) {
        if (fscanf(expected, "%lld %lld %lld %lld", &index, &lengths[0], &lengths[1], &distance) !=
                4 ||
            index != reads.count || lengths[0] != p.b.length || lengths[1] != p.a.length) {
            fprintf(stderr, "%s: pair %lld is another one\n", name, (long long)reads.count);
            exit(1);
        }
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
    assert_int_equal(reads.count, 50);
    for (int cigar = 0; cigar < 2; cigar++) {
        rhomb_batch_report report;
        setup.cigar = cigar == 1;
        batch_ask(device.ctx, &setup, &reads, &report);
        printf("%lld pairs with %lld letters in %.3f s%s\n", (long long)report.pairs,
               (long long)report.bases, report.seconds_total, setup.cigar ? ", with paths" : "");
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reads)};
    if (argc != 2)
        return 2;
    const char *folder = getenv("RHOMB_DATA");
    if (folder == NULL || folder[0] == '\0')
        folder = argv[1];
    if (!read_pairs(folder)) {
        printf("skipped: no hifi.seq.gz in %s; set RHOMB_DATA\n", folder);
        pair_list_release(&reads);
        return 77;
    }
    if (!session_open(&device)) {
        pair_list_release(&reads);
        return 77;
    }
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    session_close(&device);
    pair_list_release(&reads);
    return failures != 0;
}
