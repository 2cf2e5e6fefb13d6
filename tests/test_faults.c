/* SPDX-License-Identifier: MIT */
/*
 * One table of faults for all subjects (fault_subjects.h): each OpenCL call in turn, alone and with
 * all that follow, each command that ends with an error, each lock, allocation and thread. A call
 * returns the right status and names the culprit, nothing stays behind on any device, the next one
 * is as good.
 *
 * test_faults CASE [SUBJECT]
 */
#include "fault_tester.h"

#include "support/thread_ranks.h"

static const struct row {
    const char *name; /* of the case */
    fault fault;
    const char *subject; /* NULL: all */
} ROWS[] = {
    {"calls", {"each call", .plan = {.call = 0}}, NULL},
    {"calls", {"a lost device", .plan = {.lasting = true, .code = CL_OUT_OF_RESOURCES}}, NULL},
    {"calls", {"each command", .plan = {.function = "clGetEventInfo", .by_command = true}}, NULL},
    {"calls", {"each read", .plan = {.function = "clEnqueueReadBuffer"}}, NULL},
    {"calls", {"each write", .plan = {.function = "clEnqueueWriteBuffer"}}, NULL},
    {"calls", {"each marker", .plan = {.function = "clEnqueueMarkerWithWaitList"}}, NULL},
    {"calls", {"each flush", .plan = {.function = "clFlush"}}, NULL},
    {"calls", {"each buffer", .plan = {.function = "clCreateBuffer"}}, NULL},
    {"calls", {"each lock", .plan = {.function = "fcntl"}}, NULL},
    /* A worker cannot open, while others, still opening, have pairs in the caller's memory. */
    {"calls", {"each queue", .plan = {.function = "clCreateCommandQueue", .slow = true}}, NULL},
    {"first", {"a first use", .plan = {.code = CL_OUT_OF_HOST_MEMORY}, .first_use = true}, NULL},
    {"first",
     {"a device lost early", .plan = {.lasting = true, .code = CL_OUT_OF_RESOURCES},
      .first_use = true},
     "few calls"},
    {"first", {"each allocation", .first_use = true, .is_allocation = true}, NULL},
    {"first",
     {"nothing kept", .first_use = true, .is_allocation = true, .cache = FAULT_CACHE_EMPTY},
     "few calls"},
    {"first",
     {"to be stored", .first_use = true, .is_allocation = true, .cache = FAULT_CACHE_NOTED},
     "few calls"},
    {"first",
     {"no platforms", .plan = {.no_platforms = true}, .first_use = true, .is_allocation = true,
      .status = RHOMB_ERR_NO_DEVICE},
     "few calls"},
    {"first",
     {"no device of use", .plan = {.numbers = {{CL_DEVICE_AVAILABLE, 0}}}, .first_use = true,
      .is_allocation = true, .status = RHOMB_ERR_NO_DEVICE},
     "few calls"},
    /* The detail has a log below it, which may be left out. */
    {"first",
     {"a build that fails", .plan = {.call = 1, .function = "clBuildProgram"}, .first_use = true,
      .is_allocation = true, .status = RHOMB_ERR_BUILD, .cache = FAULT_CACHE_EMPTY},
     "few calls"},
};

static const char *only_case, *only_subject;

static bool is_asked(const struct row *row, const fault_subject *s)
{
    return (only_case == NULL || strcmp(only_case, row->name) == 0) &&
           (only_subject == NULL || strcmp(only_subject, s->name) == 0) &&
           (row->subject == NULL || strcmp(row->subject, s->name) == 0) &&
           !(row->fault.first_use && s->dear && !fault_is_slow()) &&
           !(row->fault.is_allocation && s->ranks > 0); /* messages are the test's own */
}

static void test_subject(void **state)
{
    const fault_subject *s = *state;
    const int64_t handles = fault_live_handles();
    int64_t sum = 0;
    rhomb_context *ctx = NULL;
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        if (!is_asked(&ROWS[i], s))
            continue;
        if (ctx == NULL && !ROWS[i].fault.first_use)
            ctx = fault_warm_context(s, &sum);
        fault_fail(s, &ROWS[i].fault, ctx, sum);
    }
    rhomb_context_destroy(ctx);
    ranks_wait();
    fault_check_left(handles);
}

/* Says where a test has failed. */
static int tell(void **state)
{
    if (fault_where()[0] != '\0')
        print_error("%s\n", fault_where());
    return 0;
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[64];
    size_t count = 0;
    setenv("RHOMB_TEST_OPENCL", "cpu,cpu", 0);
    only_case = argc > 1 ? argv[1] : NULL;
    only_subject = argc > 2 ? argv[2] : NULL;
    for (const fault_subject *s = FAULT_SUBJECTS; s->name != NULL && count < COUNT(tests); s++) {
        bool asked = false;
        for (size_t i = 0; i < COUNT(ROWS); i++)
            asked |= is_asked(&ROWS[i], s);
        if (asked)
            tests[count++] =
                (struct CMUnitTest){s->name, test_subject, NULL, tell, (void *)(uintptr_t)s};
    }
    return _cmocka_run_group_tests("faults", tests, count, NULL, NULL);
}
