/* SPDX-License-Identifier: MIT */
/*
 * Programs and kernels: compile.sh makes a shared object of a text and its options, once, in a
 * folder where it is found by a hash of all that it is made of. See own_opencl.h.
 */
#include "own_opencl.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/amount.h"

extern char **environ;

/* The compiler and its options, of which the first tier has more. */
#define COMPILER (amount_is_first_tier() ? OPENCL_COMPILER OPENCL_FIRST_TIER : OPENCL_COMPILER)

/* A binary is this and the key. */
#define BINARY "Rhomb's test program "

enum { MOST_OPTIONS = 64 };

static cl_program make_program(cl_context context)
{
    cl_program program = opencl_make(OPENCL_PROGRAM, sizeof *program);
    program->context = context;
    opencl_use(context);
    return program;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                     const size_t *lengths, cl_int *code)
{
    OPENCL_MAY_NOT_MAKE(CL_OUT_OF_RESOURCES);
    opencl_enter();
    OPENCL_IS(context, OPENCL_CONTEXT);
    OPENCL_CHECK(count == 1 && lengths == NULL, "not one text");
    cl_program program = make_program(context);
    program->text = strdup(strings[0]);
    opencl_leave();
    return program;
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *devices,
                                     const size_t *lengths, const unsigned char **binaries,
                                     cl_int *status, cl_int *code)
{
    cl_program program = NULL;
    const size_t prefix = strlen(BINARY);
    OPENCL_MAY_NOT_MAKE(CL_OUT_OF_RESOURCES);
    opencl_enter();
    OPENCL_IS(context, OPENCL_CONTEXT);
    OPENCL_CHECK(count == 1 && devices[0] == context->device, "not the context's device");
    const int good = lengths[0] > prefix && memcmp(binaries[0], BINARY, prefix) == 0 &&
                     lengths[0] - prefix < sizeof program->key;
    if (good) {
        program = make_program(context);
        memcpy(program->key, binaries[0] + prefix, lengths[0] - prefix);
    }
    opencl_leave();
    if (status != NULL)
        *status = good ? CL_SUCCESS : CL_INVALID_BINARY;
    if (code != NULL)
        *code = good ? CL_SUCCESS : CL_INVALID_BINARY;
    return program;
}

void opencl_end_program(cl_program program)
{
    free(program->text);
    free(program->log);
    opencl_drop(program->context);
}

static void add_to_hash(uint64_t hash[2], const char *text)
{
    for (; *text != '\0'; text++) {
        hash[0] = (hash[0] ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
        hash[1] = (hash[1] + (unsigned char)*text) * UINT64_C(0x9E3779B97F4A7C15);
        hash[1] ^= hash[1] >> 32;
    }
    hash[0] = hash[0] * 31 + 1;
}

/* A whole file, which the caller frees; "" where there is none. */
static char *read_text(const char *path)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    const size_t size = file != NULL && fstat(fileno(file), &info) == 0 ? (size_t)info.st_size : 0;
    char *text = calloc(size + 1, 1);
    OPENCL_CHECK(text != NULL, "no memory");
    if (file != NULL) {
        text[fread(text, 1, size, file)] = '\0';
        fclose(file);
    }
    return text;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    OPENCL_CHECK(file != NULL, "%s: %s", path, strerror(errno));
    fputs(text, file);
    fclose(file);
}

static void make_key(cl_program program, const char *options)
{
    static const char *const FILES[] = {
        OPENCL_FOLDER "/compile.sh", OPENCL_FOLDER "/own_kernel_c.h",
        OPENCL_FOLDER "/own_kernel_lanes.h", OPENCL_FOLDER "/own_group.h"};
    uint64_t hash[2] = {UINT64_C(0xCBF29CE484222325), 1};
    add_to_hash(hash, program->text);
    add_to_hash(hash, options);
    add_to_hash(hash, COMPILER);
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        char *text = read_text(FILES[i]);
        add_to_hash(hash, text);
        free(text);
    }
    snprintf(program->key, sizeof program->key, "%016llx%016llx", (unsigned long long)hash[0],
             (unsigned long long)hash[1]);
}

/* Whether all options are known; adds those that define or look for something to compile.sh's
 * arguments.
 */
static bool split_options(char *options, const char **arguments, int count)
{
    for (char *rest = options, *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        OPENCL_CHECK(count < MOST_OPTIONS - 2, "too many options");
        if (strncmp(word, "-D", 2) == 0 || strcmp(word, "-I") == 0 || word[0] != '-')
            arguments[count++] = word;
        else if (strcmp(word, "-cl-std=CL1.2") != 0 && strcmp(word, "-cl-opt-disable") != 0 &&
                 !opencl_takes_option(word))
            return false;
    }
    arguments[count] = NULL;
    return true;
}

/* Runs compile.sh with its output into a file; whether it succeeds. */
static bool compile(const char **arguments, const char *log)
{
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    if (posix_spawn(&child, arguments[0], &actions, NULL, (char **)(uintptr_t)arguments, environ) ==
        0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    posix_spawn_file_actions_destroy(&actions);
    return status == 0;
}

static void load(cl_program program, const char *object)
{
    void *library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    OPENCL_CHECK(library != NULL, "%s", dlerror());
    *(const group_item **)dlsym(library, "rhomb_item") = group_now;
    *(void (**)(void))dlsym(library, "rhomb_barrier") = group_barrier;
    program->kernels = dlsym(library, "rhomb_kernels");
    program->barriers = *(const _Bool *)dlsym(library, "rhomb_has_barriers");
    program->locals = dlsym(library, "rhomb_locals");
}

/* Only one process compiles a program, whatever others wait for it. */
static cl_int build(cl_program program, const char *options)
{
    char text[4096], object[4096], log[4096], name[4096], given[2048], compiler[2048];
    const char *folder = getenv("RHOMB_TEST_PROGRAMS"), *refused = opencl_plan()->refused_option;
    const char *arguments[MOST_OPTIONS] = {OPENCL_FOLDER "/compile.sh", text, object};
    int count = 3;
    cl_int code = CL_SUCCESS;
    snprintf(compiler, sizeof compiler, "%s", COMPILER);
    for (char *rest = compiler, *word; (word = strtok_r(rest, " ", &rest)) != NULL;)
        arguments[count++] = word;
    snprintf(given, sizeof given, "%s", options);
    if ((refused != NULL && strstr(options, refused) != NULL) ||
        !split_options(given, arguments, count))
        return CL_INVALID_BUILD_OPTIONS;
    if (folder == NULL)
        folder = OPENCL_PROGRAMS;
    if (program->text != NULL)
        make_key(program, options);
    snprintf(name, sizeof name, "%s/%s", folder, program->key);
    snprintf(text, sizeof text, "%.4000s.cl", name);
    snprintf(object, sizeof object, "%.4000s.so", name);
    snprintf(log, sizeof log, "%.4000s.log", name);
    (void)mkdir(folder, 0777);
    const int lock = open(text, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    OPENCL_CHECK(lock >= 0 && flock(lock, LOCK_EX) == 0, "%s: %s", text, strerror(errno));
    if (access(object, R_OK) != 0) {
        if (program->text == NULL)
            code = CL_INVALID_BINARY;
        else
            write_text(text, program->text);
        if (code == CL_SUCCESS && !compile(arguments, log))
            code = CL_BUILD_PROGRAM_FAILURE;
    }
    close(lock);
    free(program->log);
    program->log = code == CL_BUILD_PROGRAM_FAILURE ? read_text(log) : NULL;
    if (code == CL_SUCCESS)
        load(program, object);
    return code;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *note)(cl_program, void *), void *user)
{
    (void)user;
    OPENCL_MAY_FAIL(CL_BUILD_PROGRAM_FAILURE);
    opencl_enter();
    OPENCL_IS(program, OPENCL_PROGRAM);
    OPENCL_CHECK(count == 1 && devices[0] == program->context->device && note == NULL,
                 "not the context's device");
    const cl_int code = build(program, options != NULL ? options : "");
    opencl_leave();
    return code;
}

cl_int clGetProgramInfo(cl_program program, cl_program_info name, size_t room, void *value,
                        size_t *size)
{
    char binary[128];
    cl_int code = CL_SUCCESS;
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    opencl_enter();
    OPENCL_IS(program, OPENCL_PROGRAM);
    OPENCL_CHECK(program->kernels != NULL, "a program that was not built");
    const size_t bytes = (size_t)snprintf(binary, sizeof binary, "%s%s", BINARY, program->key);
    if (name == CL_PROGRAM_BINARY_SIZES)
        code = opencl_answer(&bytes, sizeof bytes, room, value, size);
    else if (name == CL_PROGRAM_BINARIES && value != NULL && room >= sizeof(char *))
        memcpy(*(char **)value, binary, bytes);
    else
        code = CL_INVALID_VALUE;
    opencl_leave();
    return code;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name,
                             size_t room, void *value, size_t *size)
{
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    opencl_enter();
    OPENCL_IS(program, OPENCL_PROGRAM);
    OPENCL_CHECK(name == CL_PROGRAM_BUILD_LOG && device == program->context->device,
                 "a question that nobody asks");
    const char *log = program->log != NULL ? program->log : "";
    const cl_int code = opencl_answer(log, strlen(log) + 1, room, value, size);
    opencl_leave();
    return code;
}

size_t opencl_local_bytes(cl_kernel kernel)
{
    size_t bytes = 0;
    const group_local *const *locals = kernel->program->locals;
    for (const group_local *l = locals[0]; l < locals[1]; l++)
        bytes += strcmp(l->kernel, kernel->row->name) == 0 ? l->bytes : 0;
    return bytes;
}

static cl_kernel make_kernel(cl_program program, const group_kernel *row)
{
    cl_kernel kernel = opencl_make(OPENCL_KERNEL, sizeof *kernel);
    kernel->program = program;
    kernel->row = row;
    kernel->values = calloc((size_t)row->count, sizeof *kernel->values);
    OPENCL_CHECK(kernel->values != NULL, "no memory");
    opencl_use(program);
    return kernel;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    cl_kernel kernel = NULL;
    OPENCL_MAY_NOT_MAKE(CL_OUT_OF_RESOURCES);
    opencl_enter();
    OPENCL_IS(program, OPENCL_PROGRAM);
    OPENCL_CHECK(program->kernels != NULL, "a program that was not built");
    for (const group_kernel *row = program->kernels; row->name != NULL && kernel == NULL; row++)
        if (strcmp(row->name, name) == 0)
            kernel = make_kernel(program, row);
    OPENCL_CHECK(kernel != NULL, "no kernel is called %s", name);
    opencl_leave();
    return kernel;
}

cl_int clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels,
                                cl_uint *count)
{
    cl_uint n = 0;
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    opencl_enter();
    OPENCL_IS(program, OPENCL_PROGRAM);
    OPENCL_CHECK(program->kernels != NULL, "a program that was not built");
    while (program->kernels[n].name != NULL)
        n++;
    OPENCL_CHECK(kernels == NULL || room >= n, "no room for %u kernels", (unsigned)n);
    for (cl_uint i = 0; kernels != NULL && i < n; i++)
        kernels[i] = make_kernel(program, &program->kernels[i]);
    if (count != NULL)
        *count = n;
    opencl_leave();
    return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    opencl_enter();
    OPENCL_IS(kernel, OPENCL_KERNEL);
    const group_kernel *row = kernel->row;
    const size_t local_bytes = size;
    OPENCL_CHECK(index < (cl_uint)row->count, "%s has no argument %u", row->name, (unsigned)index);
    if (row->kinds[index] == GROUP_LOCAL) {
        OPENCL_CHECK(value == NULL && size > 0, "%s: argument %u is local memory", row->name,
                     (unsigned)index);
        value = &local_bytes;
        size = sizeof size;
    }
    OPENCL_CHECK(size == row->sizes[index] && size <= sizeof kernel->values[0],
                 "%s: argument %u has %zu bytes, and is given %zu", row->name, (unsigned)index,
                 row->sizes[index], size);
    OPENCL_CHECK(value != NULL || row->kinds[index] == GROUP_GLOBAL, "%s: argument %u has no value",
                 row->name, (unsigned)index);
    if (value != NULL)
        memcpy(kernel->values[index], value, size);
    else
        memset(kernel->values[index], 0, size);
    kernel->set |= 1 << index;
    opencl_leave();
    return CL_SUCCESS;
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, size_t room, void *value,
                       size_t *size)
{
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    opencl_enter();
    OPENCL_IS(kernel, OPENCL_KERNEL);
    OPENCL_CHECK(name == CL_KERNEL_FUNCTION_NAME, "a question that nobody asks");
    const char *text = kernel->row->name;
    const cl_int code = opencl_answer(text, strlen(text) + 1, room, value, size);
    opencl_leave();
    return code;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info name, size_t room, void *value,
                                size_t *size)
{
    OPENCL_MAY_FAIL(CL_OUT_OF_RESOURCES);
    opencl_enter();
    OPENCL_IS(kernel, OPENCL_KERNEL);
    const size_t most = opencl_most_items(kernel, false);
    const size_t required[3] = {kernel->row->group, kernel->row->group != 0,
                                kernel->row->group != 0};
    const cl_ulong local = opencl_local_bytes(kernel);
    cl_int code = CL_INVALID_VALUE;
    OPENCL_CHECK(device == kernel->program->context->device, "another device");
    if (name == CL_KERNEL_WORK_GROUP_SIZE)
        code = opencl_answer(&most, sizeof most, room, value, size);
    else if (name == CL_KERNEL_COMPILE_WORK_GROUP_SIZE)
        code = opencl_answer(required, sizeof required, room, value, size);
    else if (name == CL_KERNEL_LOCAL_MEM_SIZE)
        code = opencl_answer(&local, sizeof local, room, value, size);
    opencl_leave();
    return code;
}
