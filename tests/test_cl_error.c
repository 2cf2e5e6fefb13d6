/* SPDX-License-Identifier: MIT */
/*
 * Names and statuses of OpenCL codes, and the detail that a failed call leaves. No device
 * needed.
 */
#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "support/test.h"

static void test_names(void **state)
{
    assert_string_equal(rhomb__cl_error_name(CL_SUCCESS), "CL_SUCCESS");
    assert_string_equal(rhomb__cl_error_name(-5), "CL_OUT_OF_RESOURCES");
    assert_string_equal(rhomb__cl_error_name(-19), "CL_KERNEL_ARG_INFO_NOT_AVAILABLE");
    assert_string_equal(rhomb__cl_error_name(-30), "CL_INVALID_VALUE");
    assert_string_equal(rhomb__cl_error_name(-68), "CL_INVALID_DEVICE_PARTITION_COUNT");
    assert_string_equal(rhomb__cl_error_name(-1001), "CL_PLATFORM_NOT_FOUND_KHR");
    assert_string_equal(rhomb__cl_error_name(-69), "CL error");
    assert_string_equal(rhomb__cl_error_name(1), "CL error");
    /* OpenCL 1.2 names every number from -1 to -19 and from -30 to -68. */
    for (cl_int code = 0; code >= -68; code--)
        if (code >= -19 || code <= -30)
            assert_string_not_equal(rhomb__cl_error_name(code), "CL error");
}

static void test_statuses(void **state)
{
    assert_int_equal(rhomb__cl_status(CL_SUCCESS), RHOMB_OK);
    assert_int_equal(rhomb__cl_status(CL_OUT_OF_HOST_MEMORY), RHOMB_ERR_MEMORY);
    assert_int_equal(rhomb__cl_status(CL_MEM_OBJECT_ALLOCATION_FAILURE), RHOMB_ERR_DEVICE_MEMORY);
    assert_int_equal(rhomb__cl_status(CL_INVALID_BUFFER_SIZE), RHOMB_ERR_DEVICE_MEMORY);
    assert_int_equal(rhomb__cl_status(CL_BUILD_PROGRAM_FAILURE), RHOMB_ERR_BUILD);
    assert_int_equal(rhomb__cl_status(-1001), RHOMB_ERR_NO_DEVICE);
    assert_int_equal(rhomb__cl_status(CL_OUT_OF_RESOURCES), RHOMB_ERR_DEVICE);
    assert_int_equal(rhomb__cl_status(-9999), RHOMB_ERR_DEVICE);
}

/* The detail of a call with the given text, with a device open or not. */
static void check_detail(const char *call, bool is_open, const char *expected)
{
    rhomb_context *ctx = calloc(1, sizeof *ctx);
    rhomb__device device = {.info = {.name = "Test device"}};
    assert_non_null(ctx);
    ctx->stream.device = is_open ? &device : NULL;
    assert_int_equal(rhomb__cl_fail(&ctx->stream, CL_INVALID_KERNEL, call, "host/x.c", 7),
                     RHOMB_ERR_DEVICE);
    assert_string_equal(rhomb_context_error(ctx), expected);
    free(ctx);
}

static void test_detail(void **state)
{
    check_detail("clFinish(queue)", true,
                 "clFinish failed: CL_INVALID_KERNEL (-48) on Test device (host/x.c:7)");
    check_detail("clFinish(queue)", false, "clFinish failed: CL_INVALID_KERNEL (-48) (host/x.c:7)");
    check_detail("*(clone) = clCreateBuffer(f(c), 0, size, NULL, &code)", false,
                 "clCreateBuffer failed: CL_INVALID_KERNEL (-48) (host/x.c:7)");
    check_detail("code", false, "code failed: CL_INVALID_KERNEL (-48) (host/x.c:7)");
}

static rhomb_status use_macros(rhomb_context *ctx, cl_int first, cl_int second, int *reached)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    RHOMB_CL(&ctx->stream, first);
    *reached = 1;
    RHOMB_CL_OUT(&ctx->stream, code, code = second);
    *reached = 2;
out:
    return status;
}

static void test_macros(void **state)
{
    rhomb_context *ctx = calloc(1, sizeof *ctx);
    int reached = 0;
    assert_non_null(ctx);
    assert_int_equal(use_macros(ctx, CL_SUCCESS, CL_SUCCESS, &reached), RHOMB_OK);
    assert_int_equal(reached, 2);
    assert_string_equal(rhomb_context_error(ctx), "");
    assert_int_equal(use_macros(ctx, CL_SUCCESS, CL_OUT_OF_HOST_MEMORY, &reached),
                     RHOMB_ERR_MEMORY);
    assert_int_equal(reached, 1);
    /* The first detail wins, the status returned is the call's own. */
    reached = 0;
    assert_int_equal(use_macros(ctx, CL_INVALID_VALUE, CL_SUCCESS, &reached), RHOMB_ERR_DEVICE);
    assert_int_equal(reached, 0);
    assert_non_null(strstr(rhomb_context_error(ctx), "CL_OUT_OF_HOST_MEMORY (-6)"));
    assert_non_null(strstr(rhomb_context_error(ctx), "test_cl_error.c:"));
    free(ctx);
}

TEST_MAIN(test_names, test_statuses, test_detail, test_macros)
