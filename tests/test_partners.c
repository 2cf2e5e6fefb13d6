/* SPDX-License-Identifier: MIT */
/*
 * test_partners CASES [BASES]: the ranges of the rows of --match best --blocks, of planted sets of
 * one record to eight. No base is in two rows, in either file; of a row's shorter side, at most a
 * twentieth is opposite what it does not belong to; and the rows leave little out.
 */
#include "host/cli/many/match.h"
#include "host/cli/pair/pair_looks.h"
#include "planted_set.h"
#include "support/amount.h"
#include "support/test.h"

#include <unistd.h>

static int64_t cases, bases;

enum { ROWS_MOST = 4096, SUBSTANTIAL = 10000 };

typedef struct rows {
    planted_range list[ROWS_MOST];
    int count;
} rows;

static char folder[] = "/tmp/rhomb-test-partners-XXXXXX";
static char paths[2][80];

static void write_set(const planted_set *set)
{
    for (int side = 0; side < 2; side++) {
        unlink(paths[side]);
        FILE *file = fopen(paths[side], "w");
        assert_non_null(file);
        for (int i = 0; i < set->records; i++)
            fprintf(file, ">%d\n%s\n", i, set->bases[side][i]);
        assert_int_equal(fclose(file), 0);
    }
}

/* Finds partners and their blocks, as rhomb align does. */
static void find_rows(rows *found)
{
    cli_pair_arguments args = CLI_PAIR_ARGUMENTS_INIT;
    cli_assembly_reader *readers[2];
    const cli_assembly *assemblies[2];
    cli_couples couples;
    args.blocks = true;
    args.threads = 1;
    const cli_minimizer_shape shape = cli_assembly_shape(paths[0], paths[1]);
    for (int i = 0; i < 2; i++) {
        readers[i] = cli_assembly_start(paths[i], args.threads, &shape, false);
        assert_non_null(readers[i]);
        assert_int_equal(cli_assembly_finish(readers[i], &assemblies[i]), CLI_OK);
    }
    assert_int_equal(cli_match("best", assemblies, readers, &couples), CLI_OK);
    cli_looks looks = {
        .args = &args, .readers = readers, .assemblies = assemblies, .couples = &couples};
    assert_true(cli_looks_open(&looks));
    found->count = 0;
    while (looks.next < couples.count) {
        assert_int_equal(cli_looks_ahead(&looks), CLI_OK);
        cli_looking *l = cli_looks_next(&looks);
        cli_looking_end(l);
        assert_true(l->has_memory && found->count + (int)l->found.count < ROWS_MOST);
        for (size_t i = 0; i < l->found.count; i++) {
            const cli_block *b = &l->found.blocks[i];
            found->list[found->count++] =
                (planted_range){{atoi(l->pair.target.name), atoi(l->pair.query.name)},
                                {b->target_begin, b->query_begin},
                                {b->target_end, b->query_end},
                                b->reverse};
        }
        cli_looking_drop(l);
    }
    cli_looks_release(&looks);
    for (int i = 0; i < 2; i++)
        cli_assembly_release(readers[i]);
    cli_couples_release(&couples);
}

static bool overlap(const planted_range *a, const planted_range *b)
{
    bool any = false;
    for (int side = 0; side < 2; side++)
        any = any || (a->record[side] == b->record[side] && a->begin[side] < b->end[side] &&
                      b->begin[side] < a->end[side]);
    return any;
}

/* What is wrong with the rows of a set; NULL if nothing is. */
static const char *check(const planted_set *set, const planted_set_recipe *recipe,
                         const rows *found)
{
    /* Smaller pieces may give a query no further target: a row goes on over them. */
    const bool is_substantial = recipe->least >= SUBSTANTIAL;
    int64_t alike = 0, all = 0;
    for (int i = 0; i < found->count; i++) {
        const planted_likeness row = planted_set_compare(set, &found->list[i]);
        alike += row.alike;
        if ((is_substantial ? 19 : 8) * row.unlike > row.alike)
            return "a row is not similar";
        for (int k = 0; k < i; k++)
            if (overlap(&found->list[i], &found->list[k]))
                return "two rows overlap";
    }
    for (int i = 0; i < set->records; i++)
        all += set->length[recipe->swapped][i];
    return is_substantial && 20 * (all - alike) > all ? "much is in no row" : NULL;
}

static void print_range(const char *what, const planted_range *r)
{
    print_error("%s %d:%" PRId64 "-%" PRId64 " %d:%" PRId64 "-%" PRId64 " %c\n", what, r->record[0],
                r->begin[0], r->end[0], r->record[1], r->begin[1], r->end[1],
                r->reverse ? '-' : '+');
}

static void explain(const planted_set *set, const rows *found)
{
    for (int i = 0; i < found->count; i++)
        print_range("row", &found->list[i]);
    for (int i = 0; i < set->count; i++) {
        const planted_match *m = &set->matches[i];
        const planted_range range = {{m->record[0], m->record[1]},
                                     {m->begin[0], m->begin[1]},
                                     {m->begin[0] + m->length, m->begin[1] + m->length},
                                     m->reverse};
        print_range("planted", &range);
    }
}

static void test_planted(void **state)
{
    static planted_set set;
    static rows found;
    static const int64_t LEASTS[] = {SUBSTANTIAL, SUBSTANTIAL, 3000};
    static const double RATES[] = {0, 0.001, 0.005, 0.02};
    for (int64_t i = 0; i < amount(cases); i++) {
        rng r = rng_for("partners", i);
        const planted_set_recipe recipe = {.records = (int)rng_between(&r, 1, PLANTED_RECORDS),
                                           .bases = bases,
                                           .least = LEASTS[rng_below(&r, COUNT(LEASTS))],
                                           .events = (int)rng_between(&r, 1, 8),
                                           .rate = RATES[rng_below(&r, COUNT(RATES))],
                                           .turned = rng_chance(&r, 0.3),
                                           .swapped = rng_chance(&r, 0.3)};
        planted_set_make(&set, &recipe, &r);
        write_set(&set);
        find_rows(&found);
        const char *wrong = check(&set, &recipe, &found);
        if (wrong != NULL) {
            explain(&set, &found);
            fail_msg("case %" PRId64 ", rate %.3f: %s; again: RHOMB_TEST_SEED=%" PRIu64
                     " test_partners %" PRId64 " %" PRId64,
                     i, recipe.rate, wrong, rng_seed(), cases, bases);
        }
        planted_set_release(&set);
    }
}

int main(int argc, char **argv)
{
    cases = argc > 1 ? atoll(argv[1]) : 20;
    bases = argc > 2 ? atoll(argv[2]) : 300000;
    if (!cli_has_minimizers)
        return 77;
    if (mkdtemp(folder) == NULL)
        return 1;
    for (int i = 0; i < 2; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%d.fa", folder, i);
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_planted)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int i = 0; i < 2; i++)
        unlink(paths[i]);
    rmdir(folder);
    return failed;
}
