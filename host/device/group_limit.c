/* SPDX-License-Identifier: MIT */
/*
 * What kernels allow, see group_limit.h.
 */
#include "host/device/group_limit.h"

#include <stdlib.h>

#include "host/device/cl_error.h"
#include "src/base/int64.h"

/* Longer names are cut. */
#define NAME_SIZE 128

static const char *name_of(cl_kernel kernel, char name[NAME_SIZE])
{
    if (clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, NAME_SIZE, name, NULL) != CL_SUCCESS)
        return "a kernel";
    name[NAME_SIZE - 1] = '\0';
    return name;
}

/* The groups that are chosen next have at most so many work-items. */
static void lower(rhomb__device *device, int64_t items)
{
    const int64_t before = device->info.max_group_size;
    const int64_t fitting = rhomb__power_of_two_within(items);
    if (fitting >= before)
        return;
    device->groups_before = before;
    device->info.max_group_size = fitting;
}

static rhomb_status fail_group(rhomb_context *ctx, const char *file, cl_kernel kernel,
                               int64_t required, int64_t limit)
{
    char name[NAME_SIZE];
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_BUILD,
                       "%s: groups of %lld work-items are too large for the kernel %s (%s), which "
                       "allows %lld",
                       ctx->stream.device->info.name, (long long)required, name_of(kernel, name),
                       file, (long long)limit);
}

/* What a kernel takes for itself is mostly for each of its work-items. */
static rhomb_status refuse_local(rhomb_context *ctx, const char *file, cl_kernel kernel,
                                 int64_t required, cl_ulong bytes)
{
    char name[NAME_SIZE];
    rhomb__device *device = ctx->stream.device;
    if (required > 2)
        lower(device, required / 2);
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_BUILD,
                       "%s: groups of %lld work-items of the kernel %s (%s) take %llu bytes of "
                       "local memory, and the device has %lld",
                       device->info.name, (long long)required, name_of(kernel, name), file,
                       (unsigned long long)bytes, (long long)device->info.local_memory_bytes);
}

static rhomb_status check_kernel(rhomb_context *ctx, const char *file, cl_kernel kernel)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device *device = ctx->stream.device;
    size_t required[3] = {0, 0, 0}, limit = 0;
    cl_ulong local_bytes = 0;
    RHOMB_CL(&ctx->stream,
             clGetKernelWorkGroupInfo(kernel, device->id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                      sizeof required, required, NULL));
    RHOMB_CL(&ctx->stream, clGetKernelWorkGroupInfo(kernel, device->id, CL_KERNEL_WORK_GROUP_SIZE,
                                                    sizeof limit, &limit, NULL));
    RHOMB_CL(&ctx->stream, clGetKernelWorkGroupInfo(kernel, device->id, CL_KERNEL_LOCAL_MEM_SIZE,
                                                    sizeof local_bytes, &local_bytes, NULL));
    const int64_t size = (int64_t)(required[0] * required[1] * required[2]);
    if (limit > 0 && size > (int64_t)limit) {
        lower(device, (int64_t)limit);
        status = fail_group(ctx, file, kernel, size, (int64_t)limit);
    } else if (local_bytes > (cl_ulong)device->info.local_memory_bytes) {
        status = refuse_local(ctx, file, kernel, size, local_bytes);
    }
out:
    return status;
}

rhomb_status rhomb__group_limit_check(rhomb_context *ctx, const char *file, cl_program program)
{
    rhomb_status status = RHOMB_OK;
    cl_uint count = 0, made = 0;
    cl_kernel *kernels = NULL;
    ctx->stream.device->groups_before = 0;
    RHOMB_CL(&ctx->stream, clCreateKernelsInProgram(program, 0, NULL, &count));
    kernels = calloc((size_t)count + 1, sizeof(cl_kernel));
    if (kernels == NULL)
        RHOMB_TRY(rhomb__fail_memory(&ctx->stream.error, count * sizeof(cl_kernel), "kernels"));
    RHOMB_CL(&ctx->stream, clCreateKernelsInProgram(program, count, kernels, NULL));
    made = count;
    for (cl_uint i = 0; i < count; i++)
        RHOMB_TRY(check_kernel(ctx, file, kernels[i]));
out:
    for (cl_uint i = 0; i < made; i++)
        clReleaseKernel(kernels[i]);
    free(kernels);
    return status;
}

rhomb_status rhomb__group_limit_of(rhomb__device_stream *stream, cl_kernel kernel, int64_t most,
                                   int64_t *items)
{
    rhomb_status status = RHOMB_OK;
    size_t limit = 0;
    RHOMB_CL(stream, clGetKernelWorkGroupInfo(kernel, stream->device->id, CL_KERNEL_WORK_GROUP_SIZE,
                                              sizeof limit, &limit, NULL));
    *items = rhomb__max(
        rhomb__min(rhomb__min((int64_t)limit, most), stream->device->info.max_group_size), 1);
out:
    return status;
}

/* Says that smaller groups are taken, instead of the error. */
static void say_smaller(rhomb_context *ctx)
{
    rhomb__log(&ctx->stream, 1, "smaller groups: %s", rhomb__error_text(&ctx->stream.error));
    rhomb__error_clear(&ctx->stream.error);
}

rhomb_status rhomb__group_limit_fit(rhomb_context *ctx, const char *file, cl_kernel kernel,
                                    bool given, int32_t *group_size)
{
    rhomb_status status = RHOMB_OK;
    int64_t items = 0;
    RHOMB_TRY(rhomb__group_limit_of(&ctx->stream, kernel, *group_size, &items));
    if (items >= *group_size)
        goto out;
    status = fail_group(ctx, file, kernel, *group_size, items);
    if (given)
        goto out;
    say_smaller(ctx);
    *group_size = (int32_t)rhomb__power_of_two_within(items);
    status = RHOMB_OK;
out:
    return status;
}

bool rhomb__group_limit_lowered(rhomb_context *ctx, bool given)
{
    rhomb__device *device = ctx->stream.device;
    if (device == NULL || device->groups_before == 0 || ctx->stream.error.status != RHOMB_ERR_BUILD)
        return false;
    if (given)
        device->info.max_group_size = device->groups_before;
    device->groups_before = 0;
    if (given)
        return false;
    say_smaller(ctx);
    return true;
}
