/* SPDX-License-Identifier: MIT */
/*
 * The kernel of cl/affine/affine_path.cl as host code, in buffers of the exact sizes that
 * src/planner/affine_paths.c says, so that the sanitizers see every access: by either way, each
 * path leads through its subproblem at the cost of Gotoh's matrix, and of a wrong cost the kernel
 * says so.
 */
#include "emu/emu_packed.h"
#include "emulated_variants.h"
#include "src/planner/affine_paths.h"
#include "src/planner/engine_plan.h"
#include "support/affine_list.h"
#include "support/amount.h"
#include "support/cost_sets.h"
#include "support/guard.h"
#include "support/test.h"

#define DECLARE(name) extern const emulated_affine_path name;
EMULATED_AFFINE_PATH_MAP(DECLARE)

#define ADDRESS(name) &name,
static const emulated_affine_path *const VARIANTS[] = {EMULATED_AFFINE_PATH_MAP(ADDRESS)};

static rhomb__costs costs_of(const emulated_affine_path *variant)
{
    rhomb__costs costs = costs_of_numbers(variant->costs);
    costs.replaced = costs.mismatch == 0;
    if (costs.replaced)
        costs.mismatch = 2 * (costs.open[0] + costs.extend[0]);
    return costs;
}

/* A launch in memory of its own. */
typedef struct launch {
    rhomb__affine_path_way way;
    emulated_affine_path_arguments arguments;
    rhomb_affine_path *jobs;
    uint32_t taken;
} launch;

/* Adds `beside` to all costs, and runs the kernel. */
static void run(const emulated_affine_path *variant, const affine_list *list, int64_t beside,
                int64_t groups, launch *l)
{
    const rhomb__costs costs = costs_of(variant);
    emulated_affine_path_arguments *a = &l->arguments;
    int64_t cells = 0, operations = 0;
    l->jobs = filled_memory(list->count, sizeof *l->jobs);
    for (int64_t i = 0; i < list->count; i++) {
        rhomb_subproblem s = list->subproblems[i];
        s.pair.distance += beside;
        const rhomb__affine_path_size size = rhomb__affine_path_size_by(l->way, &costs, &s);
        l->jobs[i] = rhomb__affine_path_describe(&size, &s, operations);
        operations += size.operations;
        cells = size.cells > cells ? size.cells : cells;
    }
    l->taken = 0;
    a->query = emulated_pack_bases(list->query.at, list->query.length, variant->planes, 2);
    a->target = emulated_pack_bases(list->target.at, list->target.length, variant->planes, 2);
    a->whole = (rhomb_split_whole){
        .query_length = list->query.length,
        .target_length = list->target.length,
        .query_backward = rhomb__packed_bytes(list->query.length, variant->planes) / 4,
        .target_backward = rhomb__packed_bytes(list->target.length, variant->planes) / 4};
    a->jobs = l->jobs;
    a->answers = filled_memory(list->count, sizeof *a->answers);
    a->operations = filled_memory(operations, sizeof *a->operations);
    a->memory = filled_memory(groups * cells, sizeof *a->memory);
    a->taken = &l->taken;
    a->count = (uint32_t)list->count;
    a->group_cells = cells;
    variant->solve(a, groups);
}

static void release(launch *l)
{
    free((void *)(uintptr_t)l->arguments.query);
    free((void *)(uintptr_t)l->arguments.target);
    free(l->jobs);
    free(l->arguments.answers);
    free(l->arguments.operations);
    free(l->arguments.memory);
}

static void check_list(const emulated_affine_path *variant, const affine_list *list,
                       rhomb__affine_path_way way, int64_t groups)
{
    const rhomb__costs costs = costs_of(variant);
    launch l = {.way = way};
    run(variant, list, 0, groups, &l);
    for (int64_t i = 0; i < list->count; i++) {
        const rhomb_batch_answer *answer = &l.arguments.answers[i];
        const rhomb__cigar path = {l.arguments.operations + answer->cigar_at, answer->cigar_count};
        assert_int_equal(answer->distance, list->subproblems[i].pair.distance);
        assert_true(answer->cigar_at >= l.jobs[i].operations_at);
        assert_true(answer->cigar_at + answer->cigar_count <=
                    l.jobs[i].operations_at + l.jobs[i].operations);
        affine_list_check(list, i, &costs, &path);
    }
    release(&l);
}

static void expect_noticed(const emulated_affine_path *variant, const affine_list *list,
                           rhomb__affine_path_way way, int64_t beside)
{
    launch l = {.way = way};
    run(variant, list, beside, 1, &l);
    for (int64_t i = 0; i < list->count; i++) {
        const int64_t right = list->subproblems[i].pair.distance;
        if (l.arguments.answers[i].distance == right + beside)
            fail_msg("subproblem %lld of cost %lld was solved at %lld more", (long long)i,
                     (long long)right, (long long)beside);
    }
    release(&l);
}

static void test_paths(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        const rhomb__costs costs = costs_of(VARIANTS[v]);
        const int64_t longest = costs.extend[0] > 10 ? 10 : 70;
        for (int64_t number = 0; number < amount(4); number++) {
            affine_list list = {.count = 0};
            rng r = rng_for("emulated affine paths", (int64_t)v * 100 + number);
            affine_list_add_random(&list, number % 2 == 0 ? NULL : "ACGT", longest, amount(40),
                                   &costs, &r);
            check_list(VARIANTS[v], &list, RHOMB__AFFINE_BY_WAVES, 1 + number % 3);
            check_list(VARIANTS[v], &list, RHOMB__AFFINE_BY_MATRIX, 1 + number % 3);
            for (int64_t beside = 1; number == 0 && beside <= 3; beside++) {
                expect_noticed(VARIANTS[v], &list, RHOMB__AFFINE_BY_WAVES, beside);
                expect_noticed(VARIANTS[v], &list, RHOMB__AFFINE_BY_MATRIX, beside);
            }
            affine_list_release(&list);
        }
    }
}

/* Costs that are too small, which a subproblem's borders may not exclude. */
static void test_too_small(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        const rhomb__costs costs = costs_of(VARIANTS[v]);
        affine_list list = {.count = 0}, dear = {.count = 0};
        rng r = rng_for("emulated affine paths, less", (int64_t)v);
        affine_list_add_random(&list, "ACGT", costs.extend[0] > 10 ? 10 : 60, amount(40), &costs,
                               &r);
        dear = list;
        dear.count = 0;
        for (int64_t i = 0; i < list.count; i++)
            if (list.subproblems[i].pair.distance > 3)
                dear.subproblems[dear.count++] = list.subproblems[i];
        for (int64_t beside = -3; beside < 0; beside++) {
            expect_noticed(VARIANTS[v], &dear, RHOMB__AFFINE_BY_WAVES, beside);
            expect_noticed(VARIANTS[v], &dear, RHOMB__AFFINE_BY_MATRIX, beside);
        }
        affine_list_release(&list);
    }
}

int main(int argc, char **argv)
{
    amount_from(argc, argv, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_too_small),
    };
    return cmocka_run_group_tests_name("emulated affine paths", tests, NULL, NULL);
}
