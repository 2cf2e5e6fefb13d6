/* SPDX-License-Identifier: MIT */
/*
 * Platform, devices, contexts, buffers and events; see own_opencl.h.
 */
#include "own_opencl.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEVICES = 8, PREFERRED_MULTIPLE = 0x1067 };

static struct _cl_platform_id platform;
static struct _cl_device_id devices[MOST_DEVICES];
static cl_uint device_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *const KINDS[OPENCL_KINDS] = {"nothing", "context", "queue", "program",
                                                "kernel",  "buffer",  "event"};

/* All objects that there ever were, so that none is a leak. */
static opencl_object **made;
static size_t made_count;
static int64_t live_count;

void opencl_enter(void)
{
    pthread_mutex_lock(&lock);
}

void opencl_leave(void)
{
    pthread_mutex_unlock(&lock);
}

void opencl_misuse(const char *function, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    fprintf(stderr, "OpenCL: %s: ", function);
    vfprintf(stderr, what, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

void *opencl_make(opencl_kind kind, size_t bytes)
{
    opencl_object *object = calloc(1, bytes);
    if (made_count % 1024 == 0)
        made = realloc(made, (made_count + 1024) * sizeof *made);
    OPENCL_CHECK(object != NULL && made != NULL, "no memory");
    object->kind = kind;
    object->handles = 1;
    made[made_count++] = object;
    live_count++;
    return object;
}

void opencl_free_dead(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < made_count; i++)
        if (made[i]->handles > 0 || made[i]->uses > 0)
            made[kept++] = made[i];
        else
            free(made[i]);
    made_count = kept;
}

int64_t fault_live_handles(void)
{
    opencl_enter();
    const int64_t count = live_count;
    opencl_leave();
    return count;
}

bool fault_borrows(void)
{
    bool borrows = false;
    opencl_enter();
    for (size_t i = 0; i < made_count; i++)
        borrows |= made[i]->kind == OPENCL_QUEUE && opencl_queue_borrows((cl_command_queue)made[i]);
    opencl_leave();
    return borrows;
}

void opencl_check(const void *object, opencl_kind kind, const char *function)
{
    const opencl_object *o = object;
    if (o == NULL || o->kind != kind)
        opencl_misuse(function, "not a %s", KINDS[kind]);
    if (o->handles <= 0)
        opencl_misuse(function, "a %s that was released", KINDS[kind]);
}

static void end_buffer(cl_mem buffer)
{
    if (!buffer->borrowed) {
        buffer->context->device->used -= buffer->size;
        free(buffer->bytes);
    }
    opencl_drop(buffer->context);
}

static void end_if_unused(opencl_object *o)
{
    if (o->handles > 0 || o->uses > 0)
        return;
    switch (o->kind) {
    case OPENCL_QUEUE:
        opencl_end_queue((cl_command_queue)o);
        break;
    case OPENCL_PROGRAM:
        opencl_end_program((cl_program)o);
        break;
    case OPENCL_KERNEL:
        free(((cl_kernel)o)->values);
        opencl_drop(((cl_kernel)o)->program);
        break;
    case OPENCL_BUFFER:
        end_buffer((cl_mem)o);
        break;
    case OPENCL_EVENT:
        opencl_drop(((cl_event)o)->queue);
        break;
    default:
        break;
    }
}

void opencl_use(void *object)
{
    ((opencl_object *)object)->uses++;
}

void opencl_drop(void *object)
{
    ((opencl_object *)object)->uses--;
    end_if_unused(object);
}

/* One that fails has released all the same: nobody could do better about it than to go on. */
static cl_int release(void *object, opencl_kind kind, const char *function)
{
    const cl_int code = opencl_fails(function, CL_OUT_OF_RESOURCES);
    opencl_enter();
    opencl_check(object, kind, function);
    live_count -= --((opencl_object *)object)->handles == 0;
    end_if_unused(object);
    opencl_leave();
    return code;
}

#define RELEASE(function, type, kind)            \
    cl_int function(type object)                 \
    {                                            \
        return release(object, kind, #function); \
    }
RELEASE(clReleaseContext, cl_context, OPENCL_CONTEXT)
RELEASE(clReleaseCommandQueue, cl_command_queue, OPENCL_QUEUE)
RELEASE(clReleaseProgram, cl_program, OPENCL_PROGRAM)
RELEASE(clReleaseKernel, cl_kernel, OPENCL_KERNEL)
RELEASE(clReleaseMemObject, cl_mem, OPENCL_BUFFER)
RELEASE(clReleaseEvent, cl_event, OPENCL_EVENT)

cl_int opencl_answer(const void *answer, size_t bytes, size_t room, void *value, size_t *size)
{
    if (size != NULL)
        *size = bytes;
    if (value == NULL)
        return CL_SUCCESS;
    if (room < bytes)
        return CL_INVALID_VALUE;
    memcpy(value, answer, bytes);
    return CL_SUCCESS;
}

static cl_int answer_text(const char *text, size_t room, void *value, size_t *size)
{
    return opencl_answer(text, strlen(text) + 1, room, value, size);
}

static void make_device(cl_device_id device, const char *kind, int number)
{
    const int is_gpu = strcmp(kind, "gpu") == 0;
    OPENCL_CHECK(is_gpu || strcmp(kind, "cpu") == 0, "no kind of device is called %s", kind);
    device->type = is_gpu ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
    device->memory = (cl_ulong)4 << 30;
    device->most_bytes = (cl_ulong)1 << 30;
    device->local_bytes = 48 << 10;
    device->most_items = is_gpu ? 256 : 4096;
    device->units = 4;
    device->lanes = is_gpu ? 32 : 0;
    snprintf(device->name, sizeof device->name, "Rhomb's test %s %d", kind, number);
}

/* With the lock. */
static void make_devices(void)
{
    const char *text = getenv("RHOMB_TEST_OPENCL");
    char kinds[64];
    if (device_count > 0)
        return;
    snprintf(kinds, sizeof kinds, "%s", text != NULL && text[0] != '\0' ? text : "gpu");
    for (char *rest = kinds, *kind; (kind = strtok_r(rest, ",", &rest)) != NULL; device_count++) {
        OPENCL_CHECK(device_count < MOST_DEVICES, "too many devices");
        make_device(&devices[device_count], kind, (int)device_count);
    }
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    OPENCL_MAY_FAIL(CL_OUT_OF_HOST_MEMORY);
    if (room > 0 && platforms != NULL)
        platforms[0] = &platform;
    if (count != NULL)
        *count = !opencl_plan()->no_platforms;
    return CL_SUCCESS;
}

cl_int clGetPlatformInfo(cl_platform_id asked, cl_platform_info name, size_t room, void *value,
                         size_t *size)
{
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    OPENCL_CHECK(asked == &platform, "not a platform");
    switch (name) {
    case CL_PLATFORM_NAME:
        return answer_text("Rhomb's tests", room, value, size);
    case CL_PLATFORM_VERSION:
        return answer_text("OpenCL 1.2 Rhomb's tests", room, value, size);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clGetDeviceIDs(cl_platform_id asked, cl_device_type type, cl_uint room, cl_device_id *found,
                      cl_uint *count)
{
    cl_uint n = 0;
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    OPENCL_CHECK(asked == &platform, "not a platform");
    opencl_enter();
    make_devices();
    for (cl_uint i = 0; i < device_count; i++) {
        if ((devices[i].type & type) == 0)
            continue;
        if (n < room && found != NULL)
            found[n] = &devices[i];
        n++;
    }
    if (count != NULL)
        *count = n;
    opencl_leave();
    return n > 0 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

static cl_int answer_number(cl_ulong number, size_t bytes, size_t room, void *value, size_t *size)
{
    const cl_uint narrow = (cl_uint)number;
    return bytes == sizeof narrow ? opencl_answer(&narrow, bytes, room, value, size)
                                  : opencl_answer(&number, bytes, room, value, size);
}

static const char *text_of(cl_device_id device, cl_device_info name)
{
    const fault_plan *plan = opencl_plan();
    switch (name) {
    case CL_DEVICE_NAME:
        return plan->name != NULL ? plan->name : device->name;
    case CL_DEVICE_VENDOR:
        return plan->vendor != NULL ? plan->vendor : "Rhomb";
    case CL_DEVICE_VERSION:
        return "OpenCL 1.2 Rhomb's tests";
    case CL_DEVICE_OPENCL_C_VERSION:
        return "OpenCL C 1.2";
    case CL_DRIVER_VERSION:
        return "1";
    case CL_DEVICE_PROFILE:
        return plan->profile != NULL ? plan->profile : "FULL_PROFILE";
    case CL_DEVICE_EXTENSIONS:
        return "";
    default:
        return NULL;
    }
}

/* What a device is by itself; 0 bytes of what it does not know. */
static cl_ulong number_of(cl_device_id device, cl_device_info name, size_t *bytes)
{
    enum { DIMENSIONS = 3, ALIGNED_BITS = 1024, MEGAHERTZ = 1000 };
    *bytes = sizeof(cl_ulong);
    switch (name) {
    case CL_DEVICE_TYPE:
        return device->type;
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        return device->memory;
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        return device->most_bytes;
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return device->local_bytes;
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return device->most_items;
    case PREFERRED_MULTIPLE:
        *bytes = device->lanes > 0 ? sizeof(size_t) : 0;
        return device->lanes;
    }
    *bytes = sizeof(cl_uint);
    switch (name) {
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
        return DIMENSIONS;
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        return device->units;
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
        return MEGAHERTZ;
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
        return ALIGNED_BITS;
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_ENDIAN_LITTLE:
        return CL_TRUE;
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
        return device->lanes == 0;
    default:
        *bytes = 0;
        return 0;
    }
}

cl_ulong opencl_device_number(cl_device_id device, cl_device_info name)
{
    size_t bytes;
    cl_ulong number = number_of(device, name, &bytes);
    opencl_number(name, &number);
    return number;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t room, void *value,
                       size_t *size)
{
    size_t bytes = 0;
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    OPENCL_CHECK(device >= devices && device < devices + device_count, "not a device");
    const char *text = text_of(device, name);
    if (text != NULL)
        return answer_text(text, room, value, size);
    cl_ulong number = number_of(device, name, &bytes);
    if (opencl_number(name, &number) && bytes == 0)
        bytes = sizeof(size_t);
    if (name == CL_DEVICE_MAX_WORK_ITEM_SIZES) {
        const size_t items[] = {number, device->most_items, device->most_items};
        return opencl_answer(items, sizeof items, room, value, size);
    }
    return bytes > 0 ? answer_number(number, bytes, room, value, size) : CL_INVALID_VALUE;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count,
                           const cl_device_id *ids,
                           void(CL_CALLBACK *note)(const char *, const void *, size_t, void *),
                           void *user, cl_int *code)
{
    (void)properties, (void)note, (void)user;
    OPENCL_MAY_NOT_MAKE(CL_OUT_OF_RESOURCES);
    OPENCL_CHECK(count == 1 && ids[0] >= devices && ids[0] < devices + device_count,
                 "not one device");
    opencl_enter();
    cl_context context = opencl_make(OPENCL_CONTEXT, sizeof *context);
    context->device = ids[0];
    opencl_leave();
    return context;
}

/* Garbage where the specification says that contents are not defined, at either end. */
static void spoil(unsigned char *bytes, size_t size)
{
    enum { GARBAGE = 0xC5 };
    const size_t some = size < ((size_t)1 << 20) ? size : (size_t)1 << 16;
    memset(bytes, GARBAGE, some);
    memset(bytes + size - some, GARBAGE, some);
}

/*
 * Of exactly so many bytes: the address sanitizer sees any access beyond them.
 */
static unsigned char *allocate(size_t size)
{
    enum { ALIGNED = 128 };
    void *bytes = NULL;
    if (posix_memalign(&bytes, ALIGNED, size) != 0)
        return NULL;
    spoil(bytes, size);
    return bytes;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code)
{
    cl_mem buffer = NULL;
    cl_int failure = CL_SUCCESS;
    const int borrows = (flags & CL_MEM_USE_HOST_PTR) != 0;
    OPENCL_MAY_NOT_MAKE(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    opencl_enter();
    OPENCL_IS(context, OPENCL_CONTEXT);
    cl_device_id device = context->device;
    OPENCL_CHECK(size > 0, "a buffer of no bytes");
    OPENCL_CHECK((host != NULL) == borrows, "host memory without the flag, or the flag without it");
    unsigned char *bytes = host;
    if (size > opencl_device_number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE))
        failure = CL_INVALID_BUFFER_SIZE;
    else if (!borrows &&
             (device->used + size > opencl_device_number(device, CL_DEVICE_GLOBAL_MEM_SIZE) ||
              (bytes = allocate(size)) == NULL))
        failure = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    if (failure == CL_SUCCESS) {
        buffer = opencl_make(OPENCL_BUFFER, sizeof *buffer);
        buffer->context = context;
        buffer->bytes = bytes;
        buffer->size = size;
        buffer->borrowed = borrows;
        device->used += borrows ? 0 : size;
        opencl_use(context);
    }
    opencl_leave();
    if (code != NULL)
        *code = failure;
    return buffer;
}

cl_int clGetEventInfo(cl_event event, cl_event_info name, size_t room, void *value, size_t *size)
{
    const cl_int failure = opencl_fails(__func__, CL_OUT_OF_RESOURCES);
    OPENCL_CHECK(name == CL_EVENT_COMMAND_EXECUTION_STATUS, "a question that nobody asks");
    opencl_enter();
    OPENCL_IS(event, OPENCL_EVENT);
    cl_command_queue queue = event->queue;
    OPENCL_CHECK(event->command <= queue->flushed, "a look at a command that was not flushed");
    const bool by_command = opencl_plan()->by_command;
    if (failure != CL_SUCCESS && by_command)
        event->failure = failure;
    if (failure == CL_SUCCESS && event->failure == CL_SUCCESS && event->command > queue->done &&
        event->looks++ > 0)
        opencl_run_to(queue, event->command);
    const cl_int status = event->failure != CL_SUCCESS    ? event->failure
                          : event->command <= queue->done ? CL_COMPLETE
                                                          : CL_SUBMITTED;
    opencl_leave();
    return failure != CL_SUCCESS && !by_command
               ? failure
               : opencl_answer(&status, sizeof status, room, value, size);
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t room, void *value,
                               size_t *size)
{
    OPENCL_MAY_FAIL(CL_INVALID_EVENT);
    opencl_enter();
    OPENCL_IS(event, OPENCL_EVENT);
    OPENCL_CHECK(name >= CL_PROFILING_COMMAND_QUEUED && name <= CL_PROFILING_COMMAND_END,
                 "not a time");
    const int known = event->queue->profiles && event->command <= event->queue->done;
    const cl_ulong time = event->times[name - CL_PROFILING_COMMAND_QUEUED];
    opencl_leave();
    return known ? opencl_answer(&time, sizeof time, room, value, size)
                 : CL_PROFILING_INFO_NOT_AVAILABLE;
}
