/* SPDX-License-Identifier: MIT */
/*
 * What contexts of one device share, see driver_context.h.
 */
#include "host/device/driver_context.h"

#include <stdlib.h>
#include <string.h>

#include "host/device/cl_error.h"
#include "src/base/error.h"

rhomb_status rhomb__driver_context_create(rhomb__device_stream *stream, rhomb__device *device)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)device->platform, 0};
    rhomb__driver_context *driver = calloc(1, sizeof *driver);
    if (driver == NULL)
        return rhomb__fail_memory(&stream->error, sizeof *driver, "a device");
    pthread_mutex_init(&driver->mutex, NULL);
    pthread_cond_init(&driver->changed, NULL);
    driver->users = 1;
    RHOMB_CL_OUT(stream, code,
                 driver->handle = clCreateContext(properties, 1, &device->id, NULL, NULL, &code));
    /* Batches that are asked for their times read them from their queue, which may be this one. */
    const cl_command_queue_properties kept =
        device->quirks.one_queue ? CL_QUEUE_PROFILING_ENABLE : 0;
    if (device->quirks.shares_queue)
        RHOMB_CL_OUT(stream, code,
                     driver->queue = clCreateCommandQueue(driver->handle, device->id, kept, &code));
    device->driver = driver;
    driver = NULL;
out:
    rhomb__driver_context_release(driver);
    return status;
}

rhomb__driver_context *rhomb__driver_context_share(rhomb__driver_context *driver)
{
    pthread_mutex_lock(&driver->mutex);
    driver->users++;
    pthread_mutex_unlock(&driver->mutex);
    return driver;
}

static void release_program(rhomb__program *program)
{
    if (program->handle != NULL)
        clReleaseProgram(program->handle);
    free(program->options);
    free(program);
}

void rhomb__driver_context_release(rhomb__driver_context *driver)
{
    if (driver == NULL)
        return;
    pthread_mutex_lock(&driver->mutex);
    const bool is_last = --driver->users == 0;
    pthread_mutex_unlock(&driver->mutex);
    if (!is_last)
        return;
    while (driver->programs != NULL) {
        rhomb__program *next = driver->programs->next;
        release_program(driver->programs);
        driver->programs = next;
    }
    if (driver->queue != NULL)
        clReleaseCommandQueue(driver->queue);
    if (driver->handle != NULL)
        clReleaseContext(driver->handle);
    pthread_cond_destroy(&driver->changed);
    pthread_mutex_destroy(&driver->mutex);
    free(driver);
}

/* Where the program is in the list; at its end, which is NULL, if it is not. With the mutex. */
static rhomb__program **find(rhomb__driver_context *driver, const rhomb__kernel_source *source,
                             const char *options)
{
    rhomb__program **at = &driver->programs;
    while (*at != NULL && ((*at)->source != source || strcmp((*at)->options, options) != 0))
        at = &(*at)->next;
    return at;
}

/* A program that is to be built. NULL without memory. */
static rhomb__program *make(const rhomb__kernel_source *source, const char *options)
{
    rhomb__program *program = calloc(1, sizeof *program);
    if (program == NULL)
        return NULL;
    atomic_init(&program->packs_ranges, false);
    program->source = source;
    program->options = rhomb__format("%s", options);
    if (program->options != NULL)
        return program;
    free(program);
    return NULL;
}

rhomb__claim rhomb__program_claim(rhomb__driver_context *driver, const rhomb__kernel_source *source,
                                  const char *options, bool waits, rhomb__program **program)
{
    rhomb__claim claim = RHOMB__CLAIM_BUILT;
    *program = NULL;
    pthread_mutex_lock(&driver->mutex);
    rhomb__program **at = find(driver, source, options);
    while (waits && *at != NULL && !(*at)->is_built) {
        pthread_cond_wait(&driver->changed, &driver->mutex);
        at = find(driver, source, options);
    }
    if (*at == NULL) {
        *program = *at = make(source, options);
        claim = *program != NULL ? RHOMB__CLAIM_OWN : RHOMB__CLAIM_NO_MEMORY;
    } else if ((*at)->is_built) {
        *program = *at;
    } else {
        claim = RHOMB__CLAIM_BUSY;
    }
    pthread_mutex_unlock(&driver->mutex);
    return claim;
}

void rhomb__program_settle(rhomb__driver_context *driver, rhomb__program *program, bool is_built)
{
    pthread_mutex_lock(&driver->mutex);
    program->is_built = is_built;
    if (!is_built)
        *find(driver, program->source, program->options) = program->next;
    pthread_cond_broadcast(&driver->changed);
    pthread_mutex_unlock(&driver->mutex);
    if (!is_built)
        release_program(program);
}

/* Whether a test of all programs, of which any may be NULL, has come so far. With the mutex. */
static bool has_come_to(rhomb__test_state state, rhomb__test test, rhomb__program *const *programs,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (programs[i] != NULL && programs[i]->tests[test] < state)
            return false;
    return true;
}

/* Of all that have not passed before. With the mutex. */
static void set_state(rhomb__test_state state, rhomb__test test, rhomb__program *const *programs,
                      size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (programs[i] != NULL && programs[i]->tests[test] != RHOMB__TEST_PASSED)
            programs[i]->tests[test] = state;
}

bool rhomb__test_has_passed(rhomb_context *ctx, rhomb__test test, rhomb__program *const *programs,
                            size_t count)
{
    rhomb__driver_context *driver = ctx->stream.device->driver;
    pthread_mutex_lock(&driver->mutex);
    const bool has_passed = has_come_to(RHOMB__TEST_PASSED, test, programs, count);
    pthread_mutex_unlock(&driver->mutex);
    return has_passed;
}

bool rhomb__test_claim(rhomb_context *ctx, rhomb__test test, rhomb__program *const *programs,
                       size_t count)
{
    rhomb__driver_context *driver = ctx->stream.device->driver;
    pthread_mutex_lock(&driver->mutex);
    while (driver->tester != NULL && driver->tester != ctx &&
           !has_come_to(RHOMB__TEST_PASSED, test, programs, count))
        pthread_cond_wait(&driver->changed, &driver->mutex);
    /* One that runs is this context's own: a test uses what it tests. */
    const bool is_due = !has_come_to(RHOMB__TEST_RUNS, test, programs, count);
    if (is_due) {
        set_state(RHOMB__TEST_RUNS, test, programs, count);
        driver->tester = ctx;
        driver->tests++;
    }
    pthread_mutex_unlock(&driver->mutex);
    return is_due;
}

void rhomb__test_settle(rhomb_context *ctx, rhomb__test test, rhomb__program *const *programs,
                        size_t count, bool has_passed)
{
    rhomb__driver_context *driver = ctx->stream.device->driver;
    pthread_mutex_lock(&driver->mutex);
    set_state(has_passed ? RHOMB__TEST_PASSED : RHOMB__TEST_TO_DO, test, programs, count);
    if (--driver->tests == 0)
        driver->tester = NULL;
    pthread_cond_broadcast(&driver->changed);
    pthread_mutex_unlock(&driver->mutex);
}
