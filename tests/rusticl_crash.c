/* SPDX-License-Identifier: MIT */
/*
 * rusticl_crash: whether the smallest kernel that crashes Mesa's rusticl still does, on its first
 * device. It is an expected failure: the program fails when the kernel runs, as what the library
 * does about it (rhomb__program_quirks()) can go then, and when it does not run with that.
 * Exits with 77 on a release that never crashed.
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

enum { ITEMS = 8, FIRST_RELEASE = 25 };

/* How the process that runs it ends, unless it crashes; sanitizers end one that does with 1. */
enum { RIGHT = 0, WRONG = 3, NO_DEVICE = 4, SKIPPED = 77 };

/* It needs all of this: two functions, the outer one static, a branch or a loop, and a store after.
 */
static const char KERNEL[] =
    "void pass() { barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "static void tile(int n) { if (n > 0) pass(); }\n"
    "__kernel void k(__global int *out, int n) { tile(n); out[get_global_id(0)] = n; }\n";

/* Whether the kernel gives what it should; may crash. */
static bool runs_right(cl_device_id device, const char *options)
{
    const char *text = KERNEL;
    const int n = 3;
    int out[ITEMS] = {0};
    const size_t items = ITEMS;
    cl_int code = CL_SUCCESS;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS)
        return false;
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof out, NULL, &code);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    clSetKernelArg(kernel, 1, sizeof n, &n);
    code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL);
    bool right = code == CL_SUCCESS;
    for (int i = 0; i < ITEMS; i++)
        right = right && out[i] == n;
    return right;
}

/* Of rusticl; exits where there is none, or an old one. */
static cl_device_id find_device(void)
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
    if (atoi(version) < FIRST_RELEASE)
        _exit(SKIPPED);
    return device;
}

/* Runs it in a process of its own. Any end but those above is a crash. */
static int end_of_run(const char *options)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        _exit(runs_right(find_device(), options) ? RIGHT : WRONG);
    }
    int end = -1;
    if (child < 0 || waitpid(child, &end, 0) < 0) {
        perror("rusticl_crash");
        exit(1);
    }
    return WIFEXITED(end) ? WEXITSTATUS(end) : -1;
}

int main(void)
{
    const rhomb_device_info rusticl = {.platform = "rusticl"};
    const char *options = rhomb__program_quirks(&rusticl);
    const int around = end_of_run(options);
    if (around == SKIPPED) {
        printf("skipped: rusticl of a Mesa before %d\n", FIRST_RELEASE);
        return SKIPPED;
    }
    if (around != RIGHT) {
        fprintf(stderr, "rusticl_crash: with%s %s\n", options,
                around == NO_DEVICE ? "there is no device of rusticl" : "the kernel does not run");
        return 1;
    }
    const int plain = end_of_run("");
    if (plain == RIGHT || plain == WRONG) {
        fprintf(stderr,
                "rusticl_crash: the kernel no longer crashes this release. When none that people "
                "use does, remove rhomb__program_quirks() and this test\n");
        return 1;
    }
    printf("the kernel crashes rusticl, but not with%s\n", options);
    return 0;
}
