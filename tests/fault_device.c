/* SPDX-License-Identifier: MIT */
/*
 * See fault_device.h.
 */
#include "fault_device.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Guards what is noted. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t limited_launches, taken_options;
static char excess[256]; /* the first launch or buffer that exceeds a limit */

void fault_device_forget(void)
{
    pthread_mutex_lock(&lock);
    excess[0] = '\0';
    pthread_mutex_unlock(&lock);
}

const char *fault_device_excess(void)
{
    return excess;
}

/* A number of the plan; `otherwise` where it has none. */
static cl_ulong number_of(const fault_plan *plan, cl_device_info asked, cl_ulong otherwise)
{
    for (size_t i = 0; i < FAULT_NUMBERS && plan->numbers[i].asked != 0; i++)
        if (plan->numbers[i].asked == asked)
            return plan->numbers[i].answer;
    return otherwise;
}

/* Notes what exceeds a limit, unless something has before. */
static bool exceeds(const char *what, cl_ulong amount, cl_ulong limit)
{
    if (amount <= limit)
        return false;
    pthread_mutex_lock(&lock);
    if (excess[0] == '\0')
        snprintf(excess, sizeof excess, "%s: %llu, and %llu are allowed", what,
                 (unsigned long long)amount, (unsigned long long)limit);
    pthread_mutex_unlock(&lock);
    return true;
}

static void name_kernel(cl_kernel kernel, char name[128])
{
    name[0] = '\0';
    REAL(clGetKernelInfo)(kernel, CL_KERNEL_FUNCTION_NAME, 128, name, NULL);
}

static bool is_limited(const fault_plan *plan, cl_kernel kernel)
{
    char name[128];
    name_kernel(kernel, name);
    return plan->limited != NULL && strstr(name, plan->limited) != NULL;
}

bool fault_device_launch_exceeds(const fault_plan *plan, cl_command_queue queue, cl_kernel kernel,
                                 const size_t *local)
{
    const size_t items = local != NULL ? local[0] : 1;
    const cl_ulong most = number_of(plan, CL_DEVICE_MAX_WORK_GROUP_SIZE, CL_ULONG_MAX);
    const cl_ulong room = number_of(plan, CL_DEVICE_LOCAL_MEM_SIZE, CL_ULONG_MAX);
    const bool limited = is_limited(plan, kernel);
    cl_device_id device = NULL;
    cl_ulong taken = 0;
    char name[128], what[192];
    name_kernel(kernel, name);
    REAL(clGetCommandQueueInfo)(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    REAL(clGetKernelWorkGroupInfo)
    (kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof taken, &taken, NULL);
    pthread_mutex_lock(&lock);
    limited_launches += limited;
    pthread_mutex_unlock(&lock);
    snprintf(what, sizeof what, "work-items of a group of %s", name);
    if (exceeds(what, items, limited ? plan->group_limit : most) || exceeds(what, items, most))
        return true;
    snprintf(what, sizeof what, "local memory of %s, groups of %zu", name, items);
    return exceeds(what, taken, room); /* arguments included */
}

int64_t fault_limited_launches(void)
{
    pthread_mutex_lock(&lock);
    const int64_t count = limited_launches;
    pthread_mutex_unlock(&lock);
    return count;
}

cl_int fault_device_info(const fault_plan *plan, cl_device_id device, cl_device_info name,
                         size_t size, void *value, size_t *size_ret)
{
    cl_int code;
    size_t got = 0;
    const char *text = name == CL_DEVICE_PROFILE  ? plan->profile
                       : name == CL_DEVICE_VENDOR ? plan->vendor
                       : name == CL_DEVICE_NAME   ? plan->name
                                                  : NULL;
    if (text != NULL) {
        got = strlen(text) + 1;
        if (value != NULL)
            memcpy(value, text, got);
        if (size_ret != NULL)
            *size_ret = got;
        return CL_SUCCESS;
    }
    code = REAL(clGetDeviceInfo)(device, name, size, value, &got);
    for (size_t i = 0; i < FAULT_NUMBERS && plan->numbers[i].asked != 0; i++)
        if (plan->numbers[i].asked == name) {
            if (code != CL_SUCCESS) /* the device does not know the question: a size_t */
                got = sizeof(size_t);
            code = CL_SUCCESS;
            if (value != NULL) /* OpenCL here is little endian; of several numbers, the first */
                memcpy(value, &plan->numbers[i].answer, got < 8 ? got : 8);
        }
    if (size_ret != NULL)
        *size_ret = got;
    return code;
}

void fault_device_limit(const fault_plan *plan, cl_kernel kernel, size_t *items)
{
    if (is_limited(plan, kernel) && *items > plan->group_limit)
        *items = plan->group_limit;
}

bool fault_device_buffer_exceeds(const fault_plan *plan, size_t bytes)
{
    return exceeds("bytes of a buffer", bytes,
                   number_of(plan, CL_DEVICE_MAX_MEM_ALLOC_SIZE, CL_ULONG_MAX));
}

/* Bit planes in unrolled loops take longer without optimizing. */
void fault_device_options(const fault_plan *plan, const char *options, char *used, size_t room)
{
    const bool is_sliced =
        strstr(options, "-DRHOMB_ITEM_WORDS=") != NULL && strstr(options, "-DRHOMB_OPEN=") != NULL;
    snprintf(used, room, "%s%s", options, plan->quick && !is_sliced ? " -cl-opt-disable" : "");
    char *taken = plan->taken_option != NULL ? strstr(used, plan->taken_option) : NULL;
    if (taken == NULL)
        return;
    memset(taken, ' ', strlen(plan->taken_option));
    pthread_mutex_lock(&lock);
    taken_options++;
    pthread_mutex_unlock(&lock);
}

int64_t fault_taken_options(void)
{
    pthread_mutex_lock(&lock);
    const int64_t count = taken_options;
    pthread_mutex_unlock(&lock);
    return count;
}
