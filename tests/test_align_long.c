/* SPDX-License-Identifier: MIT */
/*
 * Alignments of long pairs with other than unit costs that differ so little that nothing splits
 * them, and parts of pairs that do: their paths are found on the host (src/paths/long_path.h). Long
 * is what has more than 511 bases here: the program has its own src/planner/affine_paths.c.
 */
#include "align_check.h"
#include "src/paths/long_path.h"
#include "support/quick_build.h"
#include "support/test.h"

static align_asker asker;
static int64_t found_on_host;

rhomb_status __real_rhomb__long_path(rhomb__error *error, const rhomb__path_pair *whole,
                                     const rhomb_subproblem *subproblem, rhomb__path *way,
                                     bool *found);
rhomb_status __wrap_rhomb__long_path(rhomb__error *error, const rhomb__path_pair *whole,
                                     const rhomb_subproblem *subproblem, rhomb__path *way,
                                     bool *found);

rhomb_status __wrap_rhomb__long_path(rhomb__error *error, const rhomb__path_pair *whole,
                                     const rhomb_subproblem *subproblem, rhomb__path *way,
                                     bool *found)
{
    found_on_host++;
    return __real_rhomb__long_path(error, whole, subproblem, way, found);
}

/* Copies with some edits each, at both ends as well. */
static void make_pair(int64_t edits, rng *r, pair *p)
{
    p->a.length = p->b.length = 0;
    letters_random(&p->a, "ACGT", rng_between(r, 600, 2500), r);
    const int64_t n = p->a.length;
    int64_t at = 0;
    for (int64_t i = 0; i <= edits; i++) {
        int64_t to = i == edits ? n : at + rng_below(r, 2 * n / (edits + 1));
        to = to < n ? to : n;
        letters_append(&p->b, p->a.at + at, to - at);
        at = to;
        if (i == edits)
            break;
        const int64_t kind = rng_below(r, 3), length = rng_between(r, 1, 3);
        if (kind > 0)
            letters_random(&p->b, "ACGT", kind == 1 ? 1 : length, r);
        if (kind != 2)
            at = at + 1 < n ? at + 1 : n;
    }
}

static void ask_set(const rhomb_scoring *scoring, int64_t pairs)
{
    static const rhomb_engine ENGINES[] = {RHOMB_ENGINE_AUTO, RHOMB_ENGINE_WAVEFRONT,
                                           RHOMB_ENGINE_BITPARALLEL};
    const score_set set = score_set_of(scoring);
    const int64_t before = found_on_host;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < pairs; i++) {
        rng r = rng_for("align long", i);
        make_pair(i % 9, &r, &p);
        align_question q = align_question_scored(&p, &set, "long", i);
        q.engine = ENGINES[i % (int64_t)COUNT(ENGINES)];
        align_ask(&asker, &q, NULL);
    }
    assert_true(found_on_host - before > pairs / 2);
    pair_release(&p);
}

static void test_long(void **state)
{
    static const rhomb_scoring WFA = {0, 4, 6, 2, -1, -1, NULL}, ASM10 = {1, 9, 16, 2, 41, 1, NULL};
    ask_set(&WFA, 90);
    ask_set(&ASM10, 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_long)};
    quick_builds = true;
    if (!align_asker_open(&asker))
        return 77;
    const int failures = cmocka_run_group_tests_name("align_long", tests, NULL, NULL);
    align_asker_close(&asker);
    return failures != 0;
}
