/* SPDX-License-Identifier: MIT */
/*
 * Wavefronts that do not follow matches, to see what following them costs. Nothing in the
 * library makes such kernels, and its self-test would refuse them. So the linker passes the
 * library's calls of clCreateKernel through here (--wrap): where wanted, a program that has passed
 * its test is built once more from the same text with RHOMB_NO_EXTENSION, and the kernel comes from
 * that one. The host's side of a run is then exactly the same.
 *
 * Without extension a pyramid is that of two sequences without a match: all columns up to the
 * longer length are computed, and a limit below that is exceeded as with random sequences.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "host/device/program.h"

#define MACRO "RHOMB_NO_EXTENSION"

cl_kernel __real_clCreateKernel(cl_program program, const char *name, cl_int *code);
cl_kernel __wrap_clCreateKernel(cl_program program, const char *name, cl_int *code);

/* There is one of it as there is one linker: a wrapper has no argument of its own. */
static struct {
    bool wanted;
    cl_program program; /* that was built once more ... */
    cl_program plain;   /* ... as this one; NULL: none yet */
} twins;

bool bench_leave_out_extension(bool yes)
{
    twins.wanted = yes;
    if (!yes && twins.plain != NULL) {
        clReleaseProgram(twins.plain);
        twins.plain = NULL;
    }
    return strstr(rhomb__source_wavefront.text, MACRO) != NULL;
}

/* A text that a program knows of itself; NULL when there is none. The caller frees it. */
static char *text_of(cl_program program, cl_device_id device)
{
    size_t size = 0;
    const bool source = device == NULL;
    const cl_int code =
        source ? clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size)
               : clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, 0, NULL, &size);
    char *text = code == CL_SUCCESS && size > 1 ? calloc(size + 1, 1) : NULL;
    if (text != NULL && source)
        clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, text, NULL);
    else if (text != NULL)
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, size, text, NULL);
    return text;
}

/* Builds a program once more; one from a cache has no text of its own, and is of the library's. */
static cl_int build_plain(cl_program program, cl_program *out)
{
    cl_context context = NULL;
    cl_device_id device = NULL;
    char *options = NULL, *all = NULL, *text = NULL;
    cl_int code = clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof context, &context, NULL);
    if (code == CL_SUCCESS)
        code = clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof device, &device, NULL);
    if (code != CL_SUCCESS)
        return code;
    options = text_of(program, device);
    text = text_of(program, NULL);
    const size_t size = (options != NULL ? strlen(options) : 0) + sizeof " -D" MACRO;
    all = malloc(size);
    code = CL_OUT_OF_HOST_MEMORY;
    if (all != NULL) {
        const char *source = text != NULL ? text : rhomb__source_wavefront.text;
        snprintf(all, size, "%s -D" MACRO, options != NULL ? options : "");
        *out = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    }
    if (code == CL_SUCCESS)
        code = clBuildProgram(*out, 1, &device, all, NULL, NULL);
    free(all);
    free(text);
    free(options);
    return code;
}

cl_kernel __wrap_clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    if (!twins.wanted || strncmp(name, "rhomb_wavefront", 15) != 0)
        return __real_clCreateKernel(program, name, code);
    if (twins.plain == NULL || twins.program != program) {
        cl_program plain = NULL;
        *code = build_plain(program, &plain);
        if (*code != CL_SUCCESS) {
            if (plain != NULL)
                clReleaseProgram(plain);
            return NULL;
        }
        if (twins.plain != NULL)
            clReleaseProgram(twins.plain);
        twins.program = program;
        twins.plain = plain;
    }
    return __real_clCreateKernel(twins.plain, name, code);
}
