/* SPDX-License-Identifier: MIT */
/*
 * rusticl_crash: whether the smallest kernels that crash Mesa's rusticl still do, on its first
 * device. They are expected failures: the program fails when one of them runs, as what is done
 * about it can go then, and when the first does not run with what the library does about that one
 * (context.h). Exits with 77 on a release that never crashed.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/device/program.h"

enum { ITEMS = 16, GROUP = 8, N = 3 }; /* LOOP has N in its text */

/* How the process that runs a kernel ends, unless it crashes; sanitizers end one that does with 1.
 */
enum { RIGHT = 0, WRONG = 3, NO_DEVICE = 4, NOT_BUILT = 5, SKIPPED = 77 };

/* A kernel k sets ITEMS integers to N. */
typedef struct crash {
    const char *name;
    int first_release; /* of Mesa, that crashes */
    const char *kernel;
} crash;

/* It needs all of this: two functions, the outer one static, a branch or a loop, and a store after.
 */
static const crash FUNCTIONS = {
    "a function that calls one with a barrier", 25,
    "void pass() { barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "static void tile(int n) { if (n > 0) pass(); }\n"
    "__kernel void k(__global int *out, int n) { tile(n); out[get_global_id(0)] = n; }\n"};

/*
 * The loop's condition is false at once, yet its body runs with all items masked: the index that is
 * loaded is any number, and the load by it, being the same for the group, is not masked. It takes
 * two groups. Those of affine_wavefront.cl come to that now and then; a CPU's own tuning is
 * vectors.
 */
static const crash LOOP = {
    "a load by a loaded index in a loop of the group", 26,
    "__kernel void k(__global int *out, int n) {\n"
    "    for (int at = get_group_id(0); at < n - 3; at += get_num_groups(0))\n"
    "        out[at] = out[out[at] * 1000000007L];\n"
    "    out[get_global_id(0)] = n;\n"
    "}\n"};

/* Runs a kernel, which may crash. */
static int run(cl_device_id device, const char *text, const char *options)
{
    const int n = N;
    int out[ITEMS] = {0};
    const size_t items = ITEMS, group = GROUP;
    cl_int code = CL_SUCCESS;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS)
        return NOT_BUILT;
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof out, NULL, &code);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    clSetKernelArg(kernel, 1, sizeof n, &n);
    code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL);
    bool right = code == CL_SUCCESS;
    for (int i = 0; i < ITEMS; i++)
        right = right && out[i] == n;
    return right ? RIGHT : WRONG;
}

/* Of rusticl; exits where there is none, or one of before `first_release`. */
static cl_device_id find_device(int first_release)
{
    char version[256] = "";
    cl_platform_id platforms[8] = {NULL};
    cl_device_id device = NULL;
    cl_uint count = 0;
    clGetPlatformIDs(8, platforms, &count);
    for (cl_uint i = 0; i < count && i < 8 && device == NULL; i++) {
        char name[256] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (strcmp(name, "rusticl") == 0)
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    }
    if (device == NULL ||
        clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof version, version, NULL) != CL_SUCCESS)
        _exit(NO_DEVICE);
    if (atoi(version) < first_release)
        _exit(SKIPPED);
    return device;
}

/* Runs it in a process of its own. Any end but those above is a crash. */
static int end_of_run(const crash *c, const char *options)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        _exit(run(find_device(c->first_release), c->kernel, options));
    }
    int end = -1;
    if (child < 0 || waitpid(child, &end, 0) < 0) {
        perror("rusticl_crash");
        exit(1);
    }
    return WIFEXITED(end) ? WEXITSTATUS(end) : -1;
}

/* Whether it crashes this release, or is not of this release. */
static bool still_crashes(const crash *c, const char *what_can_go)
{
    const int end = end_of_run(c, "");
    if (end == NO_DEVICE || end == NOT_BUILT) {
        fprintf(stderr, "rusticl_crash: %s: %s\n", c->name,
                end == NO_DEVICE ? "there is no device of rusticl" : "the kernel does not compile");
        return false;
    }
    if (end == RIGHT || end == WRONG) {
        fprintf(stderr,
                "rusticl_crash: %s no longer crashes this release. When none that people use does, "
                "remove %s and what is here\n",
                c->name, what_can_go);
        return false;
    }
    printf("%s: %s\n", end == SKIPPED ? "never crashed this release" : "crashes", c->name);
    return true;
}

int main(void)
{
    const rhomb_device_info rusticl = {.platform = "rusticl"};
    const char *options = rhomb__quirks_of(&rusticl).build_options;
    const int around = end_of_run(&FUNCTIONS, options);
    if (around == SKIPPED) {
        printf("skipped: rusticl of a Mesa before %d\n", FUNCTIONS.first_release);
        return SKIPPED;
    }
    if (around != RIGHT) {
        fprintf(stderr, "rusticl_crash: with%s %s\n", options,
                around == NO_DEVICE ? "there is no device of rusticl" : "the kernel does not run");
        return 1;
    }
    const bool functions = still_crashes(&FUNCTIONS, "device.c");
    const bool loop = still_crashes(&LOOP, "its name in driver_set.sh");
    return functions && loop ? 0 : 1;
}
