/* SPDX-License-Identifier: MIT */
/*
 * Devices that are too small: what can be foreseen is refused before there is a buffer, what cannot
 * is an error that says so, and what can be done without is left out.
 */
#include "fault_driver.h"
#include "rhomb/plan.h"

static const fault_work TILES[] = {FAULT_TRAPEZOIDS, FAULT_DIAMONDS};

/* Solves a job on a device with changed numbers, and expects a refusal that says `text`. */
static void expect_no_memory(const fault_job *job, const fault_plan *plan, const char *text)
{
    fault_result result;
    fault_begin(plan);
    fault_first_solve(job, &result);
    fault_end();
    if (result.status != RHOMB_ERR_DEVICE_MEMORY)
        fail_msg("%s: %s", rhomb_status_name(result.status), result.detail);
    fault_expect_detail(&result, text);
    assert_int_equal(fault_live_handles(), 0);
}

/* What can be foreseen is refused before there is a buffer, and by the plan as well. */
static void test_memory_foreseen(void **state)
{
    static const cl_device_info asked[] = {CL_DEVICE_GLOBAL_MEM_SIZE, CL_DEVICE_MAX_MEM_ALLOC_SIZE};
    for (size_t i = 0; i < COUNT(asked); i++) {
        const fault_plan plan = {.function = "clCreateBuffer", .numbers = {{asked[i], 8000}}};
        fault_job job;
        rhomb_plan *planned = NULL;
        rhomb_status status;
        fault_make_job(&job, FAULT_TRAPEZOIDS);
        expect_no_memory(&job, &plan,
                         asked[i] == CL_DEVICE_GLOBAL_MEM_SIZE
                             ? "8000 bytes of memory; the packed sequences"
                             : "has at most 8000 bytes; the largest that the pair needs has");
        fault_begin(&plan);
        rhomb_context *ctx = fault_create_context(&status);
        assert_non_null(ctx);
        assert_int_equal(rhomb_plan_distance(ctx, job.target, job.target_length, job.query,
                                             job.query_length, &job.options, &planned),
                         RHOMB_ERR_DEVICE_MEMORY);
        assert_true(rhomb_context_error(ctx)[0] != '\0');
        rhomb_context_destroy(ctx);
        const fault_outcome outcome = fault_end();
        assert_int_equal(outcome.calls, 0);
    }
}

static char *make_letters(int64_t length)
{
    char *letters = malloc((size_t)length);
    assert_non_null(letters);
    fault_random_letters(letters, length);
    return letters;
}

/* Memory that runs out while the columns grow, and a buffer that gets too large. */
static void test_memory_columns(void **state)
{
    enum { LENGTH = 20000 };
    char *letters = make_letters(2 * LENGTH);
    for (size_t i = 0; i < COUNT(TILES); i++) {
        fault_job job;
        fault_job large;
        fault_result result;
        rhomb_plan *planned = NULL;
        rhomb_status status;
        fault_make_job(&job, TILES[i]);
        large = job;
        large.target = letters;
        large.query = letters + LENGTH;
        large.target_length = large.query_length = LENGTH;
        large.tuning.offset_bits = 64;
        large.options.tuning = &large.tuning;
        rhomb_context *ctx = fault_create_context(&status);
        assert_non_null(ctx);
        assert_int_equal(rhomb_plan_distance(ctx, large.target, LENGTH, large.query, LENGTH,
                                             &large.options, &planned),
                         RHOMB_OK);
        rhomb_context_destroy(ctx);
        const cl_ulong enough = (cl_ulong)planned->device_bytes_min;
        rhomb_plan_destroy(planned);
        expect_no_memory(&large, &(fault_plan){.numbers = {{CL_DEVICE_GLOBAL_MEM_SIZE, enough}}},
                         "for a wavefront");
        /* No single sequence needs as much, but a column does. */
        const fault_plan plan = {.numbers = {{CL_DEVICE_MAX_MEM_ALLOC_SIZE, 66000}}};
        expect_no_memory(&large, &plan, "for a wavefront, and a buffer has at most");

        /* The context of such a failure solves what does fit. */
        fault_begin(&plan);
        ctx = fault_create_context(&status);
        assert_non_null(ctx);
        fault_solve(ctx, &large, &result);
        assert_int_equal(result.status, RHOMB_ERR_DEVICE_MEMORY);
        fault_solve(ctx, &job, &result);
        assert_int_equal(result.distance, job.distance);
        rhomb_context_destroy(ctx);
        fault_end();
        assert_int_equal(fault_live_handles(), 0);
    }
    free(letters);
}

/* PoCL with the least memory that it can be told to have (main() tells it). */
static void test_memory_pocl(void **state)
{
    enum { LENGTH = 300000000, LETTERS = 129 };
    const fault_plan plan = {.function = "clCreateBuffer"};
    fault_job job;
    fault_result result;
    rhomb_status status;
    rhomb_context *ctx = fault_create_context(&status);
    assert_int_equal(rhomb_context_open(ctx, NULL, 0), RHOMB_OK);
    const bool limited = rhomb_context_device(ctx)->memory_bytes <= INT64_C(1) << 30;
    char *letters = limited ? calloc(LENGTH, 1) : NULL;
    if (letters == NULL) {
        rhomb_context_destroy(ctx);
        skip();
    }
    for (int i = 0; i < LETTERS; i++) /* so many take a byte each, in either direction */
        letters[i] = (char)i;
    fault_make_job(&job, FAULT_TRAPEZOIDS);
    job.target = letters;
    job.query = letters + 1;
    job.target_length = LENGTH;
    job.query_length = LENGTH - 1;
    job.options.alphabet = RHOMB_ALPHABET_BYTES;
    fault_begin(&plan);
    fault_solve(ctx, &job, &result);
    const fault_outcome outcome = fault_end();
    assert_int_equal(result.status, RHOMB_ERR_DEVICE_MEMORY);
    fault_expect_detail(&result, "bytes of memory; the packed sequences and the first columns");
    assert_int_equal(outcome.calls, 0);
    free(letters);
    rhomb_context_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_foreseen),
        cmocka_unit_test(test_memory_columns),
        cmocka_unit_test(test_memory_pocl),
    };
    setenv("POCL_MEMORY_LIMIT", "1", 1); /* GiB; before PoCL is loaded */
    return fault_run(tests);
}
