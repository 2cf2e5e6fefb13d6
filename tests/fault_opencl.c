/* SPDX-License-Identifier: MIT */
/*
 * See fault_opencl.h. The real functions come from the loader that the library was configured with,
 * by dlopen(), so that this program's names and its names do not meet.
 *
 * A release that fails has released all the same, as has an unmapping, and a clFinish() that fails
 * has waited: nobody could do better about it than to go on.
 *
 * Calls may come from several threads, each with a queue of its own. What is noted about them is
 * behind one lock, which is never held while a real function runs.
 */
#include "fault_opencl.h"

#include "fault_device.h"
#include "support/test.h"

#include <time.h>

#include <dlfcn.h>
#include <pthread.h>

static struct {
    fault_plan plan;
    fault_outcome outcome;
    bool excuses; /* what fails from now on */
} now;

/* Guards all that is noted here. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A handle that is alive; of an event also its command and where that was enqueued. */
typedef struct live_handle {
    const void *handle;
    const void *queue;
    int64_t command;
} live_handle;

static live_handle live[1024];
static int64_t live_count;
static const char *misuse; /* the function that was called with a handle that is not alive */

/* Commands are numbered as they are enqueued; a queue works in this order. */
static int64_t last_command;

typedef struct watched_queue {
    const void *queue;
    int64_t borrower; /* the last command that reads or writes memory of the host */
    int64_t settled;  /* it and all before it are known to have ended */
} watched_queue;

static watched_queue queues[128];
static int queue_count;
static bool abandoned; /* a queue was released while it borrowed */

void fault_begin(const fault_plan *plan)
{
    pthread_mutex_lock(&lock);
    memset(&now, 0, sizeof now);
    now.plan = *plan;
    pthread_mutex_unlock(&lock);
}

fault_outcome fault_end(void)
{
    pthread_mutex_lock(&lock);
    const fault_outcome outcome = now.outcome;
    memset(&now, 0, sizeof now);
    pthread_mutex_unlock(&lock);
    return outcome;
}

void fault_excuse(bool excuses)
{
    pthread_mutex_lock(&lock);
    now.excuses = excuses;
    pthread_mutex_unlock(&lock);
}

static bool count_call(const char *function, cl_int fitting, cl_int *code)
{
    const fault_plan *plan = &now.plan;
    *code = CL_SUCCESS;
    if (plan->function != NULL && strcmp(plan->function, function) != 0)
        return false;
    now.outcome.calls++;
    if (plan->call == 0 ||
        (plan->lasting ? now.outcome.calls < plan->call : now.outcome.calls != plan->call))
        return false;
    *code = plan->code != CL_SUCCESS ? plan->code : fitting;
    if (now.outcome.function == NULL) {
        now.outcome.function = function;
        now.outcome.code = *code;
        now.outcome.is_excused = now.excuses;
    }
    return true;
}

/* Counts a call, and says whether it fails. */
static bool fails(const char *function, cl_int fitting, cl_int *code)
{
    pthread_mutex_lock(&lock);
    const bool failed = count_call(function, fitting, code);
    const bool slow = now.plan.slow && strcmp(now.plan.function, function) == 0;
    pthread_mutex_unlock(&lock);
    if (slow && !failed)
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    return failed;
}

static _Noreturn void stop(const char *why)
{
    fprintf(stderr, "fault_opencl.c has no room for more %s\n", why);
    abort();
}

static watched_queue *find_queue(const void *queue)
{
    for (int i = 0; i < queue_count; i++)
        if (queues[i].queue == queue)
            return &queues[i];
    if (queue_count == COUNT(queues))
        stop("queues");
    queues[queue_count] = (watched_queue){queue, 0, 0};
    return &queues[queue_count++];
}

int64_t fault_live_handles(void)
{
    pthread_mutex_lock(&lock);
    const int64_t count = live_count;
    pthread_mutex_unlock(&lock);
    return count;
}

void fault_forget_handles(void)
{
    pthread_mutex_lock(&lock);
    live_count = 0;
    queue_count = 0;
    misuse = NULL;
    abandoned = false;
    fault_device_forget();
    pthread_mutex_unlock(&lock);
}

void fault_check_use(void)
{
    pthread_mutex_lock(&lock);
    const char *function = misuse;
    bool borrows = abandoned;
    for (int i = 0; i < queue_count; i++)
        borrows |= queues[i].borrower > queues[i].settled;
    pthread_mutex_unlock(&lock);
    if (function != NULL)
        fail_msg("%s of a handle that is not alive", function);
    if (fault_device_excess()[0] != '\0')
        fail_msg("%s", fault_device_excess());
    if (borrows)
        fail_msg("a transfer may still use memory of the host");
}

/* The lock is held in these. */
static void add_handle(const void *handle, const void *queue, int64_t command)
{
    if (live_count == COUNT(live))
        stop("handles");
    live[live_count++] = (live_handle){handle, queue, command};
}

static live_handle *find_handle(const void *handle)
{
    for (int64_t i = 0; i < live_count; i++)
        if (live[i].handle == handle)
            return &live[i];
    return NULL;
}

static void settle(const void *queue, int64_t command)
{
    watched_queue *found = find_queue(queue);
    if (found->settled < command)
        found->settled = command;
}

/* An object that was made, or NULL. */
static void note_handle(const void *handle)
{
    pthread_mutex_lock(&lock);
    if (handle != NULL)
        add_handle(handle, NULL, 0);
    pthread_mutex_unlock(&lock);
}

/* Whether the handle was alive until now. */
static bool forget_handle(const void *handle, const char *function)
{
    pthread_mutex_lock(&lock);
    live_handle *found = find_handle(handle);
    if (found == NULL)
        misuse = function;
    else
        *found = live[--live_count];
    pthread_mutex_unlock(&lock);
    return found != NULL;
}

/* A command that was enqueued, with the event that it may have. */
static void note_command(cl_int code, const void *queue, const cl_event *event, bool borrows,
                         cl_bool blocking)
{
    if (code != CL_SUCCESS)
        return;
    pthread_mutex_lock(&lock);
    last_command++;
    if (borrows)
        find_queue(queue)->borrower = last_command;
    if (blocking)
        settle(queue, last_command);
    if (event != NULL)
        add_handle(*event, queue, last_command);
    pthread_mutex_unlock(&lock);
}

/* All commands of a queue, or those up to the event's, have ended. */
static void note_finish(const void *queue)
{
    pthread_mutex_lock(&lock);
    settle(queue, last_command);
    pthread_mutex_unlock(&lock);
}

static void note_complete(const void *event)
{
    pthread_mutex_lock(&lock);
    const live_handle *found = find_handle(event);
    if (found != NULL)
        settle(found->queue, found->command);
    pthread_mutex_unlock(&lock);
}

static void forget_queue(const void *queue)
{
    pthread_mutex_lock(&lock);
    watched_queue *found = find_queue(queue);
    abandoned |= found->borrower > found->settled;
    *found = queues[--queue_count];
    pthread_mutex_unlock(&lock);
}

void *fault_real(const char *name)
{
    static void *library;
    pthread_mutex_lock(&lock);
    if (library == NULL)
        library = dlopen(FAULT_OPENCL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    pthread_mutex_unlock(&lock);
    void *function = library != NULL ? dlsym(library, name) : NULL;
    if (function == NULL) {
        fprintf(stderr, "no real %s: %s\n", name, dlerror());
        abort();
    }
    return function;
}

/* A function that returns a code and makes nothing. */
#define STATUS_FUNCTION(name, fitting, parameters, arguments)              \
    cl_int name parameters                                                 \
    {                                                                      \
        cl_int code;                                                       \
        return fails(#name, fitting, &code) ? code : REAL(name) arguments; \
    }

/* A function that makes an object, and returns the code by its last parameter. */
#define CREATE_FUNCTION(type, name, fitting, parameters, arguments) \
    type name parameters                                            \
    {                                                               \
        type handle = NULL;                                         \
        cl_int code;                                                \
        if (!fails(#name, fitting, &code))                          \
            handle = REAL(name) arguments;                          \
        note_handle(handle);                                        \
        if (errcode_ret != NULL)                                    \
            *errcode_ret = code;                                    \
        return handle;                                              \
    }

#define RELEASE_FUNCTION(name, type)                                                              \
    cl_int name(type handle)                                                                      \
    {                                                                                             \
        cl_int code;                                                                              \
        const bool failed = fails(#name, CL_OUT_OF_RESOURCES, &code);                             \
        const cl_int real = forget_handle(handle, #name) ? REAL(name)(handle) : CL_INVALID_VALUE; \
        return failed ? code : real;                                                              \
    }

/* A function that enqueues a command; `borrows` memory of the host, and may be `blocking`. */
#define ENQUEUE_FUNCTION(name, borrows, blocking, parameters, arguments) \
    cl_int name parameters                                               \
    {                                                                    \
        cl_int code;                                                     \
        if (fails(#name, CL_OUT_OF_RESOURCES, &code))                    \
            return code;                                                 \
        code = REAL(name) arguments;                                     \
        note_command(code, queue, event, borrows, blocking);             \
        return code;                                                     \
    }

cl_int clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms)
{
    cl_int code;
    if (fails("clGetPlatformIDs", CL_OUT_OF_HOST_MEMORY, &code))
        return code;
    if (!now.plan.no_platforms)
        return REAL(clGetPlatformIDs)(num_entries, platforms, num_platforms);
    if (num_platforms != NULL)
        *num_platforms = 0;
    return CL_SUCCESS;
}

STATUS_FUNCTION(clGetPlatformInfo, CL_OUT_OF_RESOURCES,
                (cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                 size_t *size_ret),
                (platform, name, size, value, size_ret))

STATUS_FUNCTION(clGetDeviceIDs, CL_OUT_OF_RESOURCES,
                (cl_platform_id platform, cl_device_type type, cl_uint num_entries,
                 cl_device_id *devices, cl_uint *num_devices),
                (platform, type, num_entries, devices, num_devices))

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void *value,
                       size_t *size_ret)
{
    cl_int code;
    if (fails("clGetDeviceInfo", CL_OUT_OF_RESOURCES, &code))
        return code;
    return fault_device_info(&now.plan, device, name, size, value, size_ret);
}

CREATE_FUNCTION(cl_context, clCreateContext, CL_OUT_OF_RESOURCES,
                (const cl_context_properties *properties, cl_uint num_devices,
                 const cl_device_id *devices,
                 void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
                 cl_int *errcode_ret),
                (properties, num_devices, devices, notify, user, &code))
RELEASE_FUNCTION(clReleaseContext, cl_context)

CREATE_FUNCTION(cl_command_queue, clCreateCommandQueue, CL_OUT_OF_RESOURCES,
                (cl_context context, cl_device_id device, cl_command_queue_properties properties,
                 cl_int *errcode_ret),
                (context, device, properties, &code))

cl_int clReleaseCommandQueue(cl_command_queue queue)
{
    cl_int code;
    const bool failed = fails("clReleaseCommandQueue", CL_OUT_OF_RESOURCES, &code);
    const bool alive = forget_handle(queue, "clReleaseCommandQueue");
    if (alive)
        forget_queue(queue);
    const cl_int real = alive ? REAL(clReleaseCommandQueue)(queue) : CL_INVALID_VALUE;
    return failed ? code : real;
}

CREATE_FUNCTION(cl_program, clCreateProgramWithSource, CL_OUT_OF_RESOURCES,
                (cl_context context, cl_uint count, const char **strings, const size_t *lengths,
                 cl_int *errcode_ret),
                (context, count, strings, lengths, &code))
CREATE_FUNCTION(cl_program, clCreateProgramWithBinary, CL_OUT_OF_RESOURCES,
                (cl_context context, cl_uint num_devices, const cl_device_id *devices,
                 const size_t *lengths, const unsigned char **binaries, cl_int *binary_status,
                 cl_int *errcode_ret),
                (context, num_devices, devices, lengths, binaries, binary_status, &code))
RELEASE_FUNCTION(clReleaseProgram, cl_program)

cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                      void *user)
{
    cl_int code;
    if (fails("clBuildProgram", CL_BUILD_PROGRAM_FAILURE, &code))
        return code;
    if (now.plan.refused_option != NULL && strstr(options, now.plan.refused_option) != NULL)
        return CL_INVALID_BUILD_OPTIONS;
    char used[1024];
    fault_device_options(&now.plan, options, used, sizeof used);
    return REAL(clBuildProgram)(program, num_devices, devices, used, notify, user);
}

STATUS_FUNCTION(clGetProgramInfo, CL_OUT_OF_RESOURCES,
                (cl_program program, cl_program_info name, size_t size, void *value,
                 size_t *size_ret),
                (program, name, size, value, size_ret))
STATUS_FUNCTION(clGetProgramBuildInfo, CL_OUT_OF_RESOURCES,
                (cl_program program, cl_device_id device, cl_program_build_info name, size_t size,
                 void *value, size_t *size_ret),
                (program, device, name, size, value, size_ret))

CREATE_FUNCTION(cl_kernel, clCreateKernel, CL_OUT_OF_RESOURCES,
                (cl_program program, const char *name, cl_int *errcode_ret), (program, name, &code))

cl_int clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels,
                                cl_uint *count)
{
    cl_int code;
    cl_uint made = 0;
    if (fails("clCreateKernelsInProgram", CL_OUT_OF_RESOURCES, &code))
        return code;
    code = REAL(clCreateKernelsInProgram)(program, room, kernels, &made);
    if (count != NULL)
        *count = made;
    for (cl_uint i = 0; kernels != NULL && code == CL_SUCCESS && i < made; i++)
        note_handle(kernels[i]);
    return code;
}

RELEASE_FUNCTION(clReleaseKernel, cl_kernel)
STATUS_FUNCTION(clSetKernelArg, CL_OUT_OF_RESOURCES,
                (cl_kernel kernel, cl_uint index, size_t size, const void *value),
                (kernel, index, size, value))

STATUS_FUNCTION(clGetKernelInfo, CL_OUT_OF_RESOURCES,
                (cl_kernel kernel, cl_kernel_info name, size_t size, void *value, size_t *size_ret),
                (kernel, name, size, value, size_ret))

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info name, size_t size, void *value,
                                size_t *size_ret)
{
    cl_int code;
    if (fails("clGetKernelWorkGroupInfo", CL_OUT_OF_RESOURCES, &code))
        return code;
    code = REAL(clGetKernelWorkGroupInfo)(kernel, device, name, size, value, size_ret);
    if (code == CL_SUCCESS && name == CL_KERNEL_WORK_GROUP_SIZE)
        fault_device_limit(&now.plan, kernel, value);
    return code;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                      cl_int *errcode_ret)
{
    cl_int code;
    cl_mem handle = NULL;
    if (!fails("clCreateBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE, &code)) {
        if (fault_device_buffer_exceeds(&now.plan, size))
            code = CL_INVALID_BUFFER_SIZE;
        else
            handle = REAL(clCreateBuffer)(context, flags, size, host_ptr, &code);
    }
    note_handle(handle);
    if (errcode_ret != NULL)
        *errcode_ret = code;
    return handle;
}
RELEASE_FUNCTION(clReleaseMemObject, cl_mem)

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void *data, cl_uint num_events, const cl_event *events,
                           cl_event *event)
{
    cl_int code;
    if (fails("clEnqueueReadBuffer", CL_OUT_OF_RESOURCES, &code))
        return code;
    if (now.plan.tamper != NULL)
        blocking = CL_TRUE;
    code = REAL(clEnqueueReadBuffer)(queue, buffer, blocking, offset, size, data, num_events,
                                     events, event);
    note_command(code, queue, event, true, blocking);
    if (code == CL_SUCCESS && now.plan.tamper != NULL)
        now.plan.tamper(data, size);
    return code;
}

ENQUEUE_FUNCTION(clEnqueueWriteBuffer, true, blocking,
                 (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                  size_t size, const void *data, cl_uint num_events, const cl_event *events,
                  cl_event *event),
                 (queue, buffer, blocking, offset, size, data, num_events, events, event))
ENQUEUE_FUNCTION(clEnqueueFillBuffer, false, CL_FALSE,
                 (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                  size_t offset, size_t size, cl_uint num_events, const cl_event *events,
                  cl_event *event),
                 (queue, buffer, pattern, pattern_size, offset, size, num_events, events, event))
ENQUEUE_FUNCTION(clEnqueueCopyBuffer, false, CL_FALSE,
                 (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                  size_t to_offset, size_t size, cl_uint num_events, const cl_event *events,
                  cl_event *event),
                 (queue, from, to, from_offset, to_offset, size, num_events, events, event))

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *global_offset, const size_t *global,
                              const size_t *local, cl_uint num_events, const cl_event *events,
                              cl_event *event)
{
    cl_int code;
    if (fails("clEnqueueNDRangeKernel", CL_OUT_OF_RESOURCES, &code))
        return code;
    if (fault_device_launch_exceeds(&now.plan, queue, kernel, local))
        return CL_INVALID_WORK_GROUP_SIZE;
    code = REAL(clEnqueueNDRangeKernel)(queue, kernel, dimensions, global_offset, global, local,
                                        num_events, events, event);
    note_command(code, queue, event, false, CL_FALSE);
    return code;
}

ENQUEUE_FUNCTION(clEnqueueMarkerWithWaitList, false, CL_FALSE,
                 (cl_command_queue queue, cl_uint num_events, const cl_event *events,
                  cl_event *event),
                 (queue, num_events, events, event))

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void *mapped,
                               cl_uint num_events, const cl_event *events, cl_event *event)
{
    cl_int code;
    const bool failed = fails("clEnqueueUnmapMemObject", CL_OUT_OF_RESOURCES, &code);
    const cl_int real =
        REAL(clEnqueueUnmapMemObject)(queue, buffer, mapped, num_events, events, event);
    note_command(real, queue, event, false, CL_FALSE);
    return failed ? code : real;
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                         cl_map_flags flags, size_t offset, size_t size, cl_uint num_events,
                         const cl_event *events, cl_event *event, cl_int *errcode_ret)
{
    cl_int code;
    void *mapped = NULL;
    if (!fails("clEnqueueMapBuffer", CL_MAP_FAILURE, &code)) {
        mapped = REAL(clEnqueueMapBuffer)(queue, buffer, blocking, flags, offset, size, num_events,
                                          events, event, &code);
        note_command(code, queue, event, false, blocking);
    }
    if (errcode_ret != NULL)
        *errcode_ret = code;
    return mapped;
}

STATUS_FUNCTION(clFlush, CL_OUT_OF_RESOURCES, (cl_command_queue queue), (queue))

cl_int clFinish(cl_command_queue queue)
{
    cl_int code;
    const bool failed = fails("clFinish", CL_OUT_OF_RESOURCES, &code);
    const cl_int real = REAL(clFinish)(queue);
    note_finish(queue);
    return failed ? code : real;
}

cl_int clGetEventInfo(cl_event event, cl_event_info name, size_t size, void *value,
                      size_t *size_ret)
{
    cl_int code;
    const bool failed = fails("clGetEventInfo", CL_OUT_OF_RESOURCES, &code);
    if (failed && !now.plan.by_command)
        return code;
    const cl_int real = REAL(clGetEventInfo)(event, name, size, value, size_ret);
    if (name != CL_EVENT_COMMAND_EXECUTION_STATUS || real != CL_SUCCESS)
        return real;
    if (failed)
        *(cl_int *)value = code;
    else if (*(cl_int *)value == CL_COMPLETE)
        note_complete(event);
    return real;
}
STATUS_FUNCTION(clGetEventProfilingInfo, CL_INVALID_EVENT,
                (cl_event event, cl_profiling_info name, size_t size, void *value,
                 size_t *size_ret),
                (event, name, size, value, size_ret))
RELEASE_FUNCTION(clReleaseEvent, cl_event)
