/* SPDX-License-Identifier: MIT */
/*
 * Building programs: memory, then disk, then the driver's compiler. The disk cache is only a
 * shortcut: if anything is odd about a cached binary, the embedded text is compiled.
 *
 * Every build gets -cl-std=CL1.2. It changes nothing where it was tried (PoCL 3.1 and 5.0; NVIDIA
 * 580 gives the same PTX byte for byte). But by the standard a driver may use the newest 1.x that
 * it has, and a kernel that needs more than 1.2 must fail on the developer's machine, not on a
 * user's.
 */
#include "host/device/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/device/cache.h"
#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/group_limit.h"
#include "src/base/clock.h"
#include "src/base/error.h"

#define COMMON_OPTIONS "-cl-std=CL1.2"

/*
 * Programs that need many registers, on Intel's GPUs: of each source those with a parameter from
 * some value on. There a thread has 128 registers, or 256 with an option and half as many threads.
 * Without it these programs spill 1 to 10 kB a thread; bench/NOTES.md has the table. A compiler
 * that does not know the options, or refuses the program with them, builds it without.
 */
static const struct {
    const rhomb__kernel_source *source;
    const char *parameter;
    int least;
} LARGE[] = {
    {&rhomb__source_wavefront, "-DRHOMB_ITEM_DIAGONALS=", 4},
    {&rhomb__source_split_wide, "-DRHOMB_ITEM_DIAGONALS=", 4},
    {&rhomb__source_affine_wavefront, "-DRHOMB_ITEM_DIAGONALS=", 8},
    {&rhomb__source_bitsliced, "-DRHOMB_OPEN_2=", 1},
    {&rhomb__source_batch_sliced, "-DRHOMB_ITEM_WORDS=", 1},
    {&rhomb__source_batch_local, "-DRHOMB_PIECES=", 2},
    {&rhomb__source_batch_extend, "-DRHOMB_PIECES=", 1},
    {&rhomb__source_long_local, "-DRHOMB_PIECES=", 2},
};

/*
 * The compiler makes all programs for a Data Center GPU Max 32 items wide, half of whose registers
 * an item has with 16. So there all of these get the option, and the large ones are 16 wide.
 */
#define REGISTERS "-cl-intel-256-GRF-per-thread"
#define NARROW    REGISTERS " -D__kernel=__attribute__((intel_reqd_sub_group_size(16)))__kernel"

/* What is about to be built. */
typedef struct recipe {
    const rhomb__kernel_source *source;
    char *options;    /* all that it cannot do without, as passed to the compiler */
    const char *wish; /* an option that it can do without, or "" */
    char *key;        /* in the disk cache; NULL for a text from RHOMB_KERNEL_DIR */
    char *local_text; /* from RHOMB_KERNEL_DIR; NULL for the embedded one */
} recipe;

/*
 * What the disk cache has of a program after its first use on PoCL. Before PoCL gives a binary it
 * compiles all kernels once more, for groups of any size: as long again as the first time. So a
 * program that is used once is not stored; at the second use PoCL's own cache, if it has one, knows
 * what the first has compiled.
 */
static const char NOTE[] = "compiled once";

/* A whole file as a text; NULL, with errno set, when it cannot be read. */
static char *read_file(const char *path)
{
    char *text = NULL;
    long size = -1;
    bool good = false;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size >= 0 && fseek(file, 0, SEEK_SET) == 0)
        text = calloc((size_t)size + 1, 1);
    if (text != NULL)
        good = fread(text, 1, (size_t)size, file) == (size_t)size;
    if (!good) {
        const int reason = errno;
        free(text);
        text = NULL;
        errno = reason;
    }
    fclose(file);
    return text;
}

/*
 * Reads a family's file for development. Its first line makes each reading a different text,
 * because drivers with their own cache may not notice changes in included files.
 */
static rhomb_status read_local(rhomb_context *ctx, const char *folder, const char *file,
                               char **text)
{
    rhomb_status status = RHOMB_OK;
    char *content = NULL;
    char *path = rhomb__format("%s/%s", folder, file);
    if (path == NULL)
        return rhomb__fail_memory(&ctx->stream.error, strlen(folder), "the path of a kernel file");
    content = read_file(path);
    if (content == NULL)
        RHOMB_TRY(rhomb__fail(&ctx->stream.error, RHOMB_ERR_BUILD,
                              "cannot read the kernel file %s (RHOMB_KERNEL_DIR): %s", path,
                              strerror(errno)));
    *text = rhomb__format("/* %.9f */\n#line 1 \"%s\"\n%s", rhomb__now(), path, content);
    if (*text == NULL)
        status = rhomb__fail_memory(&ctx->stream.error, strlen(content), path);
out:
    free(content);
    free(path);
    return status;
}

/* Everything that a binary depends on, see cache.h. NULL without memory. */
static char *make_key(const rhomb_device_info *device, const recipe *made)
{
    return rhomb__format("rhomb %s\nsource %s %s\noptions %s%s%s\ndevice %s\nversion %s\n"
                         "driver %s\nplatform %s\n",
                         RHOMB_VERSION, made->source->file, made->source->sha256, made->options,
                         made->wish[0] != '\0' ? " " : "", made->wish, device->name,
                         device->opencl_version, device->driver_version, device->platform);
}

static void release_recipe(recipe *made)
{
    free(made->options);
    free(made->key);
    free(made->local_text);
}

static const char *wish_of(const rhomb_device_info *device, const rhomb__kernel_source *source,
                           const char *options)
{
    const bool wide = strstr(device->name, "GPU Max") != NULL;
    if (device->kind != RHOMB_DEVICE_GPU || strstr(device->vendor, "Intel") == NULL)
        return "";
    for (size_t i = 0; i < sizeof LARGE / sizeof LARGE[0]; i++) {
        if (LARGE[i].source != source)
            continue;
        const char *at = strstr(options, LARGE[i].parameter);
        const bool is_large = at != NULL && atoi(at + strlen(LARGE[i].parameter)) >= LARGE[i].least;
        return is_large ? (wide ? NARROW : REGISTERS) : wide ? REGISTERS : "";
    }
    return "";
}

static rhomb_status make_recipe(rhomb_context *ctx, const rhomb__kernel_source *source,
                                const char *options, recipe *made)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__device *device = ctx->stream.device;
    const char *folder = getenv("RHOMB_KERNEL_DIR");
    const bool is_local = folder != NULL && folder[0] != '\0';
    made->source = source;
    made->wish = wish_of(&device->info, source, options);
    made->options = rhomb__format("%s%s%s%s%s%s%s", COMMON_OPTIONS, device->quirks.build_options,
                                  device->quirks.shares_kernels ? " -DRHOMB_GROUPS_LAST" : "",
                                  options[0] != '\0' ? " " : "", options, is_local ? " -I " : "",
                                  is_local ? folder : "");
    if (made->options == NULL)
        RHOMB_TRY(rhomb__fail_memory(&ctx->stream.error, sizeof COMMON_OPTIONS + strlen(options),
                                     "build options"));
    if (is_local) {
        status = read_local(ctx, folder, source->file, &made->local_text);
        goto out;
    }
    made->key = make_key(&device->info, made);
    if (made->key == NULL)
        status = rhomb__fail_memory(&ctx->stream.error, strlen(made->options), "a program's key");
out:
    return status;
}

static void release_handle(cl_program handle)
{
    if (handle != NULL)
        clReleaseProgram(handle);
}

/* The compiler's log; NULL when it is empty or cannot be read. The caller frees it. */
static char *fetch_log(const rhomb__device *device, cl_program handle)
{
    size_t size = 0;
    if (clGetProgramBuildInfo(handle, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
            CL_SUCCESS ||
        size <= 1)
        return NULL;
    char *text = calloc(size + 1, 1);
    if (text != NULL && clGetProgramBuildInfo(handle, device->id, CL_PROGRAM_BUILD_LOG, size, text,
                                              NULL) != CL_SUCCESS)
        text[0] = '\0';
    if (text != NULL && text[strspn(text, " \t\r\n")] == '\0') {
        free(text);
        text = NULL;
    }
    return text;
}

/* Logs the compiler's warnings, one message per line. */
static void log_warnings(rhomb_context *ctx, const char *file, cl_program handle)
{
    char *text = ctx->stream.log != NULL ? fetch_log(ctx->stream.device, handle) : NULL;
    for (char *line = text; line != NULL && *line != '\0';) {
        char *end = line + strcspn(line, "\r\n");
        const bool last = *end == '\0';
        *end = '\0';
        if (*line != '\0')
            rhomb__log(&ctx->stream, 2, "%s: %s", file, line);
        line = last ? end : end + 1;
    }
    free(text);
}

/* Records a failed build with the compiler's log, and returns the status. */
static rhomb_status fail_build(rhomb_context *ctx, const recipe *made, cl_program handle,
                               cl_int code)
{
    const bool is_rejected = code == CL_INVALID_BUILD_OPTIONS || code == CL_INVALID_BINARY;
    const rhomb_status status = rhomb__fail(
        &ctx->stream.error, is_rejected ? RHOMB_ERR_BUILD : rhomb__cl_status(code),
        "cannot build %s for %s with \"%s\": %s (%d)", made->source->file,
        ctx->stream.device->info.name, made->options, rhomb__cl_error_name(code), (int)code);
    char *text = fetch_log(ctx->stream.device, handle);
    rhomb__error_attach(&ctx->stream.error, text != NULL ? text : "The compiler left no log.");
    free(text);
    return status;
}

/* With the wish, if there is one, or else without. */
static cl_int build(rhomb_context *ctx, const recipe *made, cl_program handle)
{
    const rhomb__device *device = ctx->stream.device;
    char *all = made->wish[0] != '\0' ? rhomb__format("%s %s", made->options, made->wish) : NULL;
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    if (all != NULL) {
        code = clBuildProgram(handle, 1, &device->id, all, NULL, NULL);
        if (code != CL_SUCCESS)
            rhomb__log(&ctx->stream, 1, "%s: built without %s, which the compiler refuses: %s (%d)",
                       made->source->file, made->wish, rhomb__cl_error_name(code), (int)code);
    }
    free(all);
    return code == CL_SUCCESS ? code
                              : clBuildProgram(handle, 1, &device->id, made->options, NULL, NULL);
}

static rhomb_status compile(rhomb_context *ctx, const recipe *made, cl_program *out)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__device *device = ctx->stream.device;
    const char *text = made->local_text != NULL ? made->local_text : made->source->text;
    cl_program handle = NULL;
    cl_int code = CL_SUCCESS;
    const double begin = rhomb__now();
    RHOMB_CL_OUT(&ctx->stream, code,
                 handle = clCreateProgramWithSource(device->context, 1, &text, NULL, &code));
    code = build(ctx, made, handle);
    if (code != CL_SUCCESS)
        RHOMB_TRY(fail_build(ctx, made, handle, code));
    rhomb__log(&ctx->stream, 1, "%s: compiled in %.3f s (%s)", made->source->file,
               rhomb__now() - begin, made->options);
    log_warnings(ctx, made->source->file, handle);
    *out = handle;
    handle = NULL;
out:
    release_handle(handle);
    return status;
}

/* The binary in the disk cache, which the caller frees; false where there is none, or a note. */
static bool load_binary(rhomb_context *ctx, const recipe *made, unsigned char **binary,
                        size_t *size)
{
    *binary = NULL;
    if (made->key == NULL || !rhomb__cache_load(ctx, made->key, binary, size))
        return false;
    const bool is_note = *size == sizeof NOTE && memcmp(*binary, NOTE, *size) == 0;
    if (is_note) {
        free(*binary);
        *binary = NULL;
    }
    return !is_note;
}

/* Loads the program from the disk cache; NULL when that fails for any reason. */
static cl_program load(rhomb_context *ctx, const recipe *made)
{
    const rhomb__device *device = ctx->stream.device;
    unsigned char *binary = NULL;
    size_t size = 0;
    cl_int loaded = CL_SUCCESS;
    cl_int code = CL_SUCCESS;
    const double begin = rhomb__now();
    if (!load_binary(ctx, made, &binary, &size))
        return NULL;
    const unsigned char *bytes = binary;
    cl_program handle =
        clCreateProgramWithBinary(device->context, 1, &device->id, &size, &bytes, &loaded, &code);
    if (code == CL_SUCCESS)
        code = loaded;
    if (code == CL_SUCCESS)
        code = clBuildProgram(handle, 1, &device->id, made->options, NULL, NULL);
    if (code == CL_SUCCESS) {
        rhomb__log(&ctx->stream, 1, "%s: loaded from the program cache in %.3f s (%s)",
                   made->source->file, rhomb__now() - begin, made->options);
    } else {
        rhomb__log(&ctx->stream, 1, "%s: the driver rejects the cached program: %s (%d)",
                   made->source->file, rhomb__cl_error_name(code), (int)code);
        release_handle(handle);
        handle = NULL;
    }
    free(binary);
    return handle;
}

/* Whether the disk cache has a file for the program, whatever is in it. */
static bool has_file(const rhomb_context *ctx, const recipe *made)
{
    char *path = rhomb__cache_path(ctx, made->key);
    const bool found = path != NULL && access(path, F_OK) == 0;
    free(path);
    return found;
}

/*
 * The program under a name of its own, which no device runs, so that its binary may be fetched
 * where devices share their kernels (context.h). NULL if it cannot be built.
 */
static cl_program make_copy(const rhomb_context *ctx, const recipe *made)
{
    const rhomb__device *device = ctx->stream.device;
    const char *text = made->source->text;
    char *options =
        rhomb__format("%s -DRHOMB_COPY=%p,%.9f", made->options, (const void *)ctx, rhomb__now());
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    cl_program copy = NULL;
    if (options != NULL)
        copy = clCreateProgramWithSource(device->context, 1, &text, NULL, &code);
    if (copy != NULL && clBuildProgram(copy, 1, &device->id, options, NULL, NULL) != CL_SUCCESS) {
        clReleaseProgram(copy);
        copy = NULL;
    }
    free(options);
    return copy;
}

/* The binary of a built program, which the caller frees; NULL where there is none. */
static unsigned char *fetch_binary(cl_program handle, size_t *size, cl_int *code)
{
    unsigned char *binary = NULL;
    *size = 0;
    *code = clGetProgramInfo(handle, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL);
    if (*code == CL_SUCCESS && *size > 0)
        binary = malloc(*size);
    if (binary != NULL)
        *code = clGetProgramInfo(handle, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
    if (*code == CL_SUCCESS)
        return binary;
    free(binary);
    return NULL;
}

/* Puts a compiled program into the disk cache, if its binary can be had, or a note. */
static void store(rhomb_context *ctx, const recipe *made, cl_program handle)
{
    size_t size = 0;
    cl_int code = CL_SUCCESS;
    const double begin = rhomb__now();
    if (made->key == NULL || ctx->cache_dir == NULL)
        return;
    /* A file that is there, a note or one that is no use, gives way to the program. */
    if (ctx->stream.device->quirks.fetches_slowly && !has_file(ctx, made)) {
        if (rhomb__cache_store(ctx, made->key, (const unsigned char *)NOTE, sizeof NOTE))
            rhomb__log(&ctx->stream, 1, "%s: for the program cache at its next use",
                       made->source->file);
        return;
    }
    cl_program copy = ctx->stream.device->quirks.shares_kernels ? make_copy(ctx, made) : NULL;
    unsigned char *binary =
        fetch_binary(ctx->stream.device->quirks.shares_kernels ? copy : handle, &size, &code);
    release_handle(copy);
    if (binary != NULL) {
        rhomb__cache_store(ctx, made->key, binary, size);
        rhomb__log(&ctx->stream, 1, "%s: %zu bytes for the program cache in %.3f s",
                   made->source->file, size, rhomb__now() - begin);
    } else {
        rhomb__log(&ctx->stream, 1, "%s: the driver gives no binary to cache: %s (%d)",
                   made->source->file, rhomb__cl_error_name(code), (int)code);
    }
    free(binary);
}

void rhomb__build_begin(rhomb_context *ctx)
{
    rhomb__device *device = ctx->stream.device;
    if (device->building++ == 0)
        device->build_began = rhomb__now();
}

void rhomb__build_end(rhomb_context *ctx)
{
    rhomb__device *device = ctx->stream.device;
    if (--device->building == 0)
        device->build_seconds += rhomb__now() - device->build_began;
}

double rhomb__work_clock(const rhomb_context *ctx)
{
    const rhomb__device *device = ctx->stream.device;
    return (device->building > 0 ? device->build_began : rhomb__now()) - device->build_seconds;
}

bool rhomb__test_begin(rhomb_context *ctx, rhomb__test test, rhomb__program *const *programs,
                       size_t count)
{
    if (rhomb__test_has_passed(ctx, test, programs, count))
        return false;
    rhomb__build_begin(ctx);
    const bool is_due = rhomb__test_claim(ctx, test, programs, count);
    if (!is_due)
        rhomb__build_end(ctx);
    return is_due;
}

void rhomb__test_end(rhomb_context *ctx, rhomb__test test, rhomb__program *const *programs,
                     size_t count, rhomb_status status)
{
    rhomb__test_settle(ctx, test, programs, count, status == RHOMB_OK);
    rhomb__build_end(ctx);
}

static rhomb_status tell(rhomb_context *ctx)
{
    const rhomb__build_watch *watch = &ctx->build_watch;
    return watch->tell != NULL ? watch->tell(ctx, watch->user) : RHOMB_OK;
}

/* Loads or compiles a program. */
static rhomb_status make(rhomb_context *ctx, rhomb__program *program)
{
    rhomb_status status = RHOMB_OK;
    recipe made = {0};
    RHOMB_TRY(make_recipe(ctx, program->source, program->options, &made));
    program->handle = load(ctx, &made);
    if (program->handle == NULL) {
        RHOMB_TRY(tell(ctx));
        RHOMB_TRY(compile(ctx, &made, &program->handle));
        store(ctx, &made, program->handle);
    }
out:
    release_recipe(&made);
    return status;
}

/* Builds a program of one's own claim; one with too large groups is kept, to be refused again. */
static rhomb_status build_own(rhomb_context *ctx, rhomb__program *program)
{
    rhomb_status status = RHOMB_OK;
    bool is_built = false;
    RHOMB_TRY(make(ctx, program));
    status = rhomb__group_limit_check(ctx, program->source->file, program->handle);
    program->fits = status == RHOMB_OK;
    is_built = status == RHOMB_OK || status == RHOMB_ERR_BUILD;
out:
    rhomb__program_settle(ctx->stream.device->driver, program, is_built);
    return status;
}

/* Answers whether a program would have to be compiled. */
static rhomb_status ask(rhomb_context *ctx, const rhomb__kernel_source *source, const char *options)
{
    rhomb_status status = RHOMB_OK;
    recipe made = {0};
    unsigned char *binary = NULL;
    size_t size = 0;
    rhomb__program *program = NULL;
    rhomb__driver_context *driver = ctx->stream.device->driver;
    const rhomb__claim claim = rhomb__program_claim(driver, source, options, false, &program);
    if (claim == RHOMB__CLAIM_NO_MEMORY)
        return rhomb__fail_memory(&ctx->stream.error, strlen(options), "a program");
    if (claim != RHOMB__CLAIM_OWN)
        return RHOMB_OK;
    RHOMB_TRY(make_recipe(ctx, source, options, &made));
    if (!load_binary(ctx, &made, &binary, &size))
        *ctx->lacks_program = true;
    free(binary);
out:
    rhomb__program_settle(driver, program, false);
    release_recipe(&made);
    return status;
}

rhomb_status rhomb__program_get(rhomb_context *ctx, const rhomb__kernel_source *source,
                                const char *options, rhomb__program **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__driver_context *driver = ctx->stream.device->driver;
    rhomb__program *program = NULL;
    *out = NULL;
    if (ctx->lacks_program != NULL)
        return ask(ctx, source, options);
    rhomb__claim claim = rhomb__program_claim(driver, source, options, false, &program);
    const bool takes_time = claim != RHOMB__CLAIM_BUILT;
    if (takes_time)
        rhomb__build_begin(ctx);
    if (claim == RHOMB__CLAIM_BUSY) {
        RHOMB_TRY(tell(ctx)); /* the wait may be as long as a compilation */
        claim = rhomb__program_claim(driver, source, options, true, &program);
    }
    if (claim == RHOMB__CLAIM_NO_MEMORY)
        status =
            rhomb__fail_memory(&ctx->stream.error, sizeof *program + strlen(options), "a program");
    else if (claim == RHOMB__CLAIM_OWN)
        status = build_own(ctx, program);
    else if (!program->fits)
        status = rhomb__group_limit_check(ctx, source->file, program->handle);
    if (status == RHOMB_OK)
        *out = program;
out:
    if (takes_time)
        rhomb__build_end(ctx);
    return status;
}

rhomb_status rhomb__program_with(rhomb_context *ctx, const rhomb__kernel_source *source,
                                 const rhomb__parameter *parameters, size_t count,
                                 rhomb__program **out)
{
    char options[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof options; i++)
        used += (size_t)snprintf(options + used, sizeof options - used, "%s-D%s=%d",
                                 i > 0 ? " " : "", parameters[i].name, (int)parameters[i].value);
    return rhomb__program_get(ctx, source, options, out);
}

rhomb_status rhomb__kernel_make(rhomb__device_stream *stream, const rhomb__program *program,
                                const char *name, cl_kernel *out)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    RHOMB_CL_OUT(stream, code, *out = clCreateKernel(program->handle, name, &code));
out:
    return status;
}

void rhomb__kernel_release(cl_kernel *kernel)
{
    if (*kernel != NULL)
        clReleaseKernel(*kernel);
    *kernel = NULL;
}
