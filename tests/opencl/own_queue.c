/* SPDX-License-Identifier: MIT */
/*
 * Queues and their commands, which run in order, when somebody waits; see own_opencl.h.
 */
#include "own_opencl.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef enum command_kind {
    COMMAND_READ,
    COMMAND_WRITE,
    COMMAND_FILL,
    COMMAND_COPY,
    COMMAND_LAUNCH,
    COMMAND_NOTHING /* a marker, or an unmapping */
} command_kind;

struct opencl_command {
    opencl_command *next;
    command_kind kind;
    cl_event event;
    cl_mem buffer, from;
    size_t offset, from_offset, size;
    void *to;           /* of a read */
    const void *source; /* of a write */
    uint64_t sum;       /* of what it is to write */
    unsigned char pattern[128];
    size_t pattern_size;
    cl_kernel kernel;
    size_t groups[3], group;
    unsigned char (*values)[640];
    cl_mem *buffers; /* that the launch uses */
};

static cl_ulong now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (cl_ulong)t.tv_sec * 1000000000U + (cl_ulong)t.tv_nsec;
}

static uint64_t sum_of(const unsigned char *bytes, size_t size)
{
    uint64_t sum = 0;
    for (size_t i = 0; i + sizeof sum <= size; i += sizeof sum) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        sum ^= sum >> 29;
    }
    for (size_t i = size - size % sizeof sum; i < size; i++)
        sum = sum * 257 + bytes[i];
    return sum;
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *code)
{
    OPENCL_MAY_NOT_MAKE(CL_OUT_OF_RESOURCES);
    opencl_enter();
    OPENCL_IS(context, OPENCL_CONTEXT);
    OPENCL_CHECK(context->device == device, "a device of another context");
    OPENCL_CHECK((properties & ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE) == 0,
                 "a queue out of order");
    cl_command_queue queue = opencl_make(OPENCL_QUEUE, sizeof *queue);
    queue->context = context;
    queue->profiles = (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
    queue->end = &queue->first;
    opencl_use(context);
    opencl_leave();
    return queue;
}

bool opencl_queue_borrows(cl_command_queue queue)
{
    const opencl_command *c = queue->first;
    while (c != NULL && c->to == NULL && c->source == NULL)
        c = c->next;
    return c != NULL;
}

void opencl_end_queue(cl_command_queue queue)
{
    OPENCL_CHECK(!opencl_queue_borrows(queue), "a command has yet to use memory of the host");
    opencl_run_to(queue, queue->enqueued);
    opencl_drop(queue->context);
}

/* What a pointer of the kernel's points to; local memory is made for the launch, with garbage. */
static void *memory_of(const opencl_command *c, int i)
{
    enum { GARBAGE = 0x5C };
    size_t size;
    cl_mem buffer = c->buffers[i];
    if (c->kernel->row->kinds[i] == GROUP_GLOBAL) {
        OPENCL_CHECK(buffer == NULL || buffer->maps == 0 || buffer->borrowed,
                     "%s uses a buffer that is mapped", c->kernel->row->name);
        return buffer != NULL ? buffer->bytes : NULL;
    }
    memcpy(&size, c->values[i], sizeof size);
    void *bytes = malloc(size);
    OPENCL_CHECK(bytes != NULL, "no memory");
    return memset(bytes, GARBAGE, size);
}

static void launch(opencl_command *c)
{
    const group_kernel *row = c->kernel->row;
    void *arguments[32], *memory[32] = {NULL};
    for (int i = 0; i < row->count; i++) {
        arguments[i] = c->values[i];
        if (row->kinds[i] == GROUP_VALUE)
            continue;
        memory[i] = memory_of(c, i);
        arguments[i] = &memory[i];
    }
    group_launch(row, c->groups, c->group, c->kernel->program->barriers, arguments);
    for (int i = 0; i < row->count; i++)
        if (row->kinds[i] == GROUP_LOCAL)
            free(memory[i]);
}

static void run(opencl_command *c)
{
    unsigned char *bytes = c->buffer != NULL ? c->buffer->bytes + c->offset : NULL;
    switch (c->kind) {
    case COMMAND_READ:
        memcpy(c->to, bytes, c->size);
        if (opencl_plan()->tamper != NULL)
            opencl_plan()->tamper(c->to, c->size);
        break;
    case COMMAND_WRITE:
        OPENCL_CHECK(c->sum == sum_of(c->source, c->size),
                     "memory has changed that a command had yet to read");
        memcpy(bytes, c->source, c->size);
        break;
    case COMMAND_FILL:
        for (size_t i = 0; i < c->size; i += c->pattern_size)
            memcpy(bytes + i, c->pattern, c->pattern_size);
        break;
    case COMMAND_COPY:
        memcpy(bytes, c->from->bytes + c->from_offset, c->size);
        break;
    case COMMAND_LAUNCH:
        launch(c);
        break;
    case COMMAND_NOTHING:
        break;
    }
}

static void release_command(opencl_command *c)
{
    if (c->buffer != NULL)
        opencl_drop(c->buffer);
    if (c->from != NULL)
        opencl_drop(c->from);
    for (int i = 0; c->buffers != NULL && i < c->kernel->row->count; i++)
        if (c->buffers[i] != NULL)
            opencl_drop(c->buffers[i]);
    if (c->kernel != NULL)
        opencl_drop(c->kernel);
    if (c->event != NULL)
        opencl_drop(c->event);
    free(c->buffers);
    free(c->values);
    free(c);
}

void opencl_run_to(cl_command_queue queue, int64_t number)
{
    enum { STARTED = 2, ENDED = 3 };
    opencl_use(queue);
    while (queue->done < number) {
        opencl_command *c = queue->first;
        queue->first = c->next;
        if (queue->first == NULL)
            queue->end = &queue->first;
        if (c->event != NULL)
            c->event->times[STARTED] = now();
        run(c);
        if (c->event != NULL)
            c->event->times[ENDED] = now();
        queue->done++;
        release_command(c);
    }
    queue->object.uses--; /* its end may be what runs it */
}

static opencl_command *make_command(cl_command_queue queue, command_kind kind, cl_uint waits,
                                    const cl_event *events, const char *function)
{
    opencl_check(queue, OPENCL_QUEUE, function);
    OPENCL_CHECK(waits == 0 && events == NULL, "a list of events to wait for");
    opencl_command *c = calloc(1, sizeof *c);
    OPENCL_CHECK(c != NULL, "no memory");
    c->kind = kind;
    return c;
}

static void set_range(opencl_command *c, cl_mem buffer, size_t offset, size_t size,
                      const char *function)
{
    opencl_check(buffer, OPENCL_BUFFER, function);
    if (size == 0 || offset > buffer->size || size > buffer->size - offset)
        opencl_misuse(function, "%zu bytes from %zu on of a buffer of %zu", size, offset,
                      buffer->size);
    c->buffer = buffer;
    c->offset = offset;
    c->size = size;
    opencl_use(buffer);
}

/* Puts it at the queue's end; a blocking one is waited for. */
static void enqueue(cl_command_queue queue, opencl_command *c, cl_bool blocking, cl_event *event)
{
    queue->enqueued++;
    if (event != NULL) {
        cl_event e = opencl_make(OPENCL_EVENT, sizeof *e);
        e->queue = queue;
        e->command = queue->enqueued;
        e->times[0] = e->times[1] = now();
        opencl_use(queue);
        opencl_use(e);
        c->event = e;
        *event = e;
    }
    *queue->end = c;
    queue->end = &c->next;
    if (blocking) {
        queue->flushed = queue->enqueued;
        opencl_run_to(queue, queue->enqueued);
    }
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void *data, cl_uint waits, const cl_event *events,
                           cl_event *event)
{
    enum { GARBAGE = 0xA7 };
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    opencl_enter();
    opencl_command *c = make_command(queue, COMMAND_READ, waits, events, __func__);
    set_range(c, buffer, offset, size, __func__);
    OPENCL_CHECK(data != NULL, "no memory to read to");
    c->to = data;
    if (!blocking)
        memset(data, GARBAGE, size);
    enqueue(queue, c, blocking, event);
    opencl_leave();
    return CL_SUCCESS;
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t size, const void *data, cl_uint waits, const cl_event *events,
                            cl_event *event)
{
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    opencl_enter();
    opencl_command *c = make_command(queue, COMMAND_WRITE, waits, events, __func__);
    set_range(c, buffer, offset, size, __func__);
    OPENCL_CHECK(data != NULL, "no memory to write from");
    c->source = data;
    c->sum = sum_of(data, size);
    enqueue(queue, c, blocking, event);
    opencl_leave();
    return CL_SUCCESS;
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                           size_t pattern_size, size_t offset, size_t size, cl_uint waits,
                           const cl_event *events, cl_event *event)
{
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    opencl_enter();
    opencl_command *c = make_command(queue, COMMAND_FILL, waits, events, __func__);
    set_range(c, buffer, offset, size, __func__);
    OPENCL_CHECK(pattern_size > 0 && pattern_size <= sizeof c->pattern &&
                     (pattern_size & (pattern_size - 1)) == 0 && offset % pattern_size == 0 &&
                     size % pattern_size == 0,
                 "a pattern of %zu bytes for %zu", pattern_size, size);
    memcpy(c->pattern, pattern, pattern_size);
    c->pattern_size = pattern_size;
    enqueue(queue, c, CL_FALSE, event);
    opencl_leave();
    return CL_SUCCESS;
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                           size_t to_offset, size_t size, cl_uint waits, const cl_event *events,
                           cl_event *event)
{
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    opencl_enter();
    opencl_command *c = make_command(queue, COMMAND_COPY, waits, events, __func__);
    set_range(c, from, from_offset, size, __func__);
    c->from = from;
    c->from_offset = from_offset;
    set_range(c, to, to_offset, size, __func__);
    OPENCL_CHECK(from != to || from_offset + size <= to_offset || to_offset + size <= from_offset,
                 "a copy onto itself");
    enqueue(queue, c, CL_FALSE, event);
    opencl_leave();
    return CL_SUCCESS;
}

/* Groups of a launch, from its items. */
static void set_groups(opencl_command *c, cl_uint dimensions, const size_t *global,
                       const size_t *local)
{
    const group_kernel *row = c->kernel->row;
    OPENCL_CHECK(dimensions >= 1 && dimensions <= 3 && local != NULL, "no groups");
    c->group = local[0];
    for (cl_uint d = 0; d < 3; d++) {
        const size_t all = d < dimensions ? global[d] : 1, size = d < dimensions ? local[d] : 1;
        OPENCL_CHECK(size > 0 && all > 0 && all % size == 0 && (d == 0 || size == 1),
                     "%s: %zu items by groups of %zu", row->name, all, size);
        c->groups[d] = all / size;
    }
    OPENCL_CHECK(row->group == 0 || row->group == c->group,
                 "%s: a group of %zu, and the kernel requires %zu", row->name, c->group,
                 row->group);
    OPENCL_CHECK(c->group <= opencl_most_items(c->kernel, true),
                 "%s: a group of %zu, more than the device or the kernel allows", row->name,
                 c->group);
}

static void set_arguments(opencl_command *c)
{
    const group_kernel *row = c->kernel->row;
    size_t local = opencl_local_bytes(c->kernel);
    OPENCL_CHECK(c->kernel->set == (1 << row->count) - 1, "%s: an argument has no value",
                 row->name);
    c->values = calloc((size_t)row->count, sizeof *c->values);
    c->buffers = calloc((size_t)row->count, sizeof *c->buffers);
    OPENCL_CHECK(c->values != NULL && c->buffers != NULL, "no memory");
    memcpy(c->values, c->kernel->values, (size_t)row->count * sizeof *c->values);
    for (int i = 0; i < row->count; i++) {
        if (row->kinds[i] == GROUP_LOCAL)
            local += *(const size_t *)(const void *)c->values[i];
        if (row->kinds[i] != GROUP_GLOBAL)
            continue;
        memcpy(&c->buffers[i], c->values[i], sizeof c->buffers[i]);
        if (c->buffers[i] == NULL)
            continue;
        OPENCL_IS(c->buffers[i], OPENCL_BUFFER);
        OPENCL_CHECK(c->buffers[i]->context == c->kernel->program->context,
                     "%s: a buffer of another context", row->name);
        opencl_use(c->buffers[i]);
    }
    OPENCL_CHECK(local <= opencl_device_number(c->kernel->program->context->device,
                                               CL_DEVICE_LOCAL_MEM_SIZE),
                 "%s: %zu bytes of local memory, more than the device has", row->name, local);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint waits, const cl_event *events, cl_event *event)
{
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    opencl_enter();
    opencl_command *c = make_command(queue, COMMAND_LAUNCH, waits, events, __func__);
    OPENCL_IS(kernel, OPENCL_KERNEL);
    OPENCL_CHECK(offset == NULL, "an offset");
    OPENCL_CHECK(kernel->program->context == queue->context, "a kernel of another context");
    c->kernel = kernel;
    opencl_use(kernel);
    set_groups(c, dimensions, global, local);
    set_arguments(c);
    enqueue(queue, c, CL_FALSE, event);
    opencl_leave();
    return CL_SUCCESS;
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint waits, const cl_event *events,
                                   cl_event *event)
{
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    opencl_enter();
    enqueue(queue, make_command(queue, COMMAND_NOTHING, waits, events, __func__), CL_FALSE, event);
    opencl_leave();
    return CL_SUCCESS;
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                         cl_map_flags flags, size_t offset, size_t size, cl_uint waits,
                         const cl_event *events, cl_event *event, cl_int *code)
{
    OPENCL_MAY_NOT_MAKE(CL_MAP_FAILURE);
    opencl_enter();
    opencl_command *c = make_command(queue, COMMAND_NOTHING, waits, events, __func__);
    set_range(c, buffer, offset, size, __func__);
    OPENCL_CHECK(blocking && flags != 0, "a map that is not waited for, or for nothing");
    enqueue(queue, c, blocking, event);
    buffer->maps++;
    void *mapped = buffer->bytes + offset;
    opencl_leave();
    return mapped;
}

/* One that fails has waited, or unmapped, all the same. */
cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void *mapped, cl_uint waits,
                               const cl_event *events, cl_event *event)
{
    const cl_int failure = opencl_fails(__func__, CL_OUT_OF_RESOURCES);
    opencl_enter();
    opencl_command *c = make_command(queue, COMMAND_NOTHING, waits, events, __func__);
    OPENCL_IS(buffer, OPENCL_BUFFER);
    OPENCL_CHECK(buffer->maps > 0 && (unsigned char *)mapped >= buffer->bytes &&
                     (unsigned char *)mapped < buffer->bytes + buffer->size,
                 "what is not mapped");
    buffer->maps--;
    c->buffer = buffer;
    opencl_use(buffer);
    enqueue(queue, c, CL_FALSE, event);
    opencl_leave();
    return failure;
}

cl_int clFlush(cl_command_queue queue)
{
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    opencl_enter();
    OPENCL_IS(queue, OPENCL_QUEUE);
    queue->flushed = queue->enqueued;
    opencl_leave();
    return CL_SUCCESS;
}

cl_int clFinish(cl_command_queue queue)
{
    const cl_int failure = opencl_fails(__func__, CL_OUT_OF_RESOURCES);
    opencl_enter();
    OPENCL_IS(queue, OPENCL_QUEUE);
    queue->flushed = queue->enqueued;
    opencl_run_to(queue, queue->enqueued);
    opencl_leave();
    return failure;
}
