/* SPDX-License-Identifier: MIT */
/*
 * Paths on the host of what is too long for kernels, with random costs and borders: each leads
 * through its subproblem at the cost of Gotoh's matrix. test_split_paths compares them with the
 * kernel's.
 */
#include "src/paths/long_path.h"
#include "support/amount.h"
#include "support/split_list.h"
#include "support/test.h"

static int64_t allocations = -1; /* that succeed before one fails; -1: all do */

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);

static bool fails(void)
{
    return allocations >= 0 && allocations-- == 0;
}

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_realloc(void *block, size_t bytes)
{
    return fails() ? NULL : __real_realloc(block, bytes);
}

static rhomb_status find(const split_list *list, const rhomb_subproblem *of, rhomb__path *path,
                         bool *found)
{
    rhomb__error error = {0};
    const rhomb__codes codes = codes_of_bytes();
    const rhomb__path_pair whole = {list->target.at, list->target.length,
                                    list->query.at,  list->query.length,
                                    &codes,          &list->costs};
    return rhomb__long_path(&error, &whole, of, path, found);
}

static bool takes_both_texts(const split_list *list, const rhomb_subproblem *of)
{
    (void)list;
    return of->pair.target_length > 0 && of->pair.query_length > 0;
}

static void check(const split_list *list, int64_t index)
{
    static rhomb_cigar_op ops[4096];
    static const int64_t BESIDE[] = {-7, -2, -1, 1, 2, 7};
    rhomb__path path = {.count = 0};
    bool found = false;
    assert_int_equal(find(list, &list->at[index], &path, &found), RHOMB_OK);
    assert_true(found && path.count <= (int64_t)COUNT(ops));
    for (int64_t i = 0; i < path.count; i++)
        ops[i] = (rhomb_cigar_op)path.ops[i];
    const rhomb__cigar cigar = {ops, path.count};
    split_list_check_path(list, index, &cigar);
    rhomb__path_release(&path);
    for (size_t i = 0; i < COUNT(BESIDE); i++) {
        rhomb_subproblem wrong = list->at[index];
        wrong.pair.distance += BESIDE[i];
        if (wrong.pair.distance < 0)
            continue;
        assert_int_equal(find(list, &wrong, &path, &found), RHOMB_OK);
        assert_true(!found && path.count == 0);
    }
}

static void test_random(void **state)
{
    for (int64_t i = 0; i < amount(60); i++) {
        rng r = rng_for("long path", i);
        const rhomb__costs costs = split_list_random_costs(&r, i % 3 == 0 ? 60 : 8);
        split_list list = split_list_of(&costs, takes_both_texts);
        split_list_add_random(&list, i % 4 == 3 ? "ACGTN" : NULL, 90, 60, &r);
        for (int64_t k = 0; k < list.count; k++)
            check(&list, k);
        split_list_release(&list);
    }
}

/* Without memory for the edits, the waves or the path. */
static void test_no_memory(void **state)
{
    const rhomb__costs costs = {.mismatch = 4, .pieces = 1, .open = {6, 0}, .extend = {2, 0}};
    split_list list = split_list_of(&costs, takes_both_texts);
    rng r = rng_for("long path, no memory", 0);
    split_list_add_random(&list, NULL, 90, 1, &r);
    for (int64_t i = 0; i < 4; i++) {
        rhomb__path path = {.count = 0};
        bool found = false;
        allocations = i;
        const rhomb_status status = find(&list, &list.at[0], &path, &found);
        allocations = -1;
        assert_int_equal(status, i < 3 ? RHOMB_ERR_MEMORY : RHOMB_OK);
        rhomb__path_release(&path);
    }
    split_list_release(&list);
}

TEST_MAIN(test_random, test_no_memory)
