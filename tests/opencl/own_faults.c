/* SPDX-License-Identifier: MIT */
/*
 * See own_faults.h. The lock is held in all but fault_begin() and its kind, and opencl_fails(),
 * which take it.
 */
#include "own_opencl.h"

#include <string.h>
#include <time.h>

static struct {
    fault_plan plan;
    fault_outcome outcome;
    bool excuses; /* what fails from now on */
} now;

void fault_begin(const fault_plan *plan)
{
    opencl_enter();
    opencl_free_dead();
    memset(&now, 0, sizeof now);
    now.plan = *plan;
    opencl_leave();
}

fault_outcome fault_end(void)
{
    opencl_enter();
    const fault_outcome outcome = now.outcome;
    memset(&now, 0, sizeof now);
    opencl_leave();
    return outcome;
}

void fault_excuse(bool excuses)
{
    opencl_enter();
    now.excuses = excuses;
    opencl_leave();
}

static cl_int count_call(const char *function, cl_int fitting)
{
    const fault_plan *plan = &now.plan;
    if (plan->function != NULL && strcmp(plan->function, function) != 0)
        return CL_SUCCESS;
    now.outcome.calls++;
    if (plan->call == 0 ||
        (plan->lasting ? now.outcome.calls < plan->call : now.outcome.calls != plan->call))
        return CL_SUCCESS;
    const cl_int code = plan->code != CL_SUCCESS ? plan->code : fitting;
    if (now.outcome.function == NULL) {
        now.outcome.function = function;
        now.outcome.code = code;
        now.outcome.is_excused = now.excuses;
    }
    return code;
}

cl_int opencl_fails(const char *function, cl_int fitting)
{
    opencl_enter();
    const cl_int code = count_call(function, fitting);
    const bool waits =
        code == CL_SUCCESS && now.plan.slow && strcmp(now.plan.function, function) == 0;
    opencl_leave();
    if (waits)
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    return code;
}

bool fault_fails(const char *function)
{
    return opencl_fails(function, CL_OUT_OF_RESOURCES) != CL_SUCCESS;
}

const fault_plan *opencl_plan(void)
{
    return &now.plan;
}

bool opencl_number(cl_device_info asked, cl_ulong *answer)
{
    for (size_t i = 0; i < FAULT_NUMBERS && now.plan.numbers[i].asked != 0; i++)
        if (now.plan.numbers[i].asked == asked) {
            *answer = now.plan.numbers[i].answer;
            return true;
        }
    return false;
}

size_t opencl_most_items(cl_kernel kernel, bool launches)
{
    cl_ulong most = kernel->program->context->device->most_items;
    opencl_number(CL_DEVICE_MAX_WORK_GROUP_SIZE, &most);
    if (now.plan.limited == NULL || strstr(kernel->row->name, now.plan.limited) == NULL)
        return most;
    now.outcome.launches += launches;
    return now.plan.group_limit < most ? now.plan.group_limit : most;
}

bool opencl_takes_option(const char *option)
{
    const bool takes = now.plan.taken_option != NULL && strcmp(option, now.plan.taken_option) == 0;
    now.outcome.builds += takes;
    return takes;
}
