/* SPDX-License-Identifier: MIT */
/*
 * The device layer on a real device, the one that "auto" takes: listing, opening by each form of
 * selector, how far launches run ahead, building, what a failed build says, and the program cache
 * across contexts. Exits with 77 where there is no device.
 */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/device/cache.h"
#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/open.h"
#include "host/device/program.h"
#include "host/device/queue.h"
#include "support/run.h"
#include "support/test.h"
#include "support/whole_files.h"

/* Writes i * FACTOR. */
static const rhomb__kernel_source TINY = {
    "tiny.cl",
    "__kernel void fill(__global int *out)\n"
    "{\n"
    "    out[get_global_id(0)] = (int)get_global_id(0) * FACTOR;\n"
    "}\n",
    "0123456789012345678901234567890123456789012345678901234567890123",
};

static const rhomb__kernel_source BROKEN = {
    "broken.cl",
    "#line 1 \"cl/broken.cl\"\n"
    "__kernel void fill(__global int *out)\n"
    "{\n"
    "    out[0] = undeclared_name;\n"
    "}\n",
    "0000000000000000000000000000000000000000000000000000000000000000",
};

typedef struct fixture {
    char folder[64]; /* of the cache, and of kernel files */
    char log[16384]; /* every message, a line each */
    rhomb_context *ctx;
} fixture;

static void append_message(int level, const char *text, void *user)
{
    fixture *f = user;
    const size_t length = strlen(f->log);
    assert_null(strchr(text, '\n'));
    snprintf(f->log + length, sizeof f->log - length, "%d %s\n", level, text);
}

static rhomb_context *open_context(fixture *f, const char *selector)
{
    rhomb_context_options options = RHOMB_CONTEXT_OPTIONS_INIT;
    rhomb_context *ctx = NULL;
    options.cache_dir = f->folder;
    options.log = append_message;
    options.log_user = f;
    assert_int_equal(rhomb_context_create(&ctx, &options), RHOMB_OK);
    assert_int_equal(rhomb_context_open(ctx, selector, 0), RHOMB_OK);
    return ctx;
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    if (f == NULL)
        return -1;
    snprintf(f->folder, sizeof f->folder, "/tmp/rhomb-test-device-XXXXXX");
    if (mkdtemp(f->folder) == NULL)
        return -1;
    f->ctx = open_context(f, NULL);
    f->log[0] = '\0';
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", f->folder);
    rhomb_context_destroy(f->ctx);
    free(f);
    return system(command);
}

static void assert_logged(const fixture *f, const char *text)
{
    assert_contains(f->log, text);
}

static void assert_not_logged(const fixture *f, const char *text)
{
    if (strstr(f->log, text) != NULL)
        fail_msg("\"%s\" in the log:\n%s", text, f->log);
}

static rhomb_status run_fill(rhomb_context *ctx, cl_program handle, cl_int values[64])
{
    rhomb_status status = RHOMB_OK;
    const size_t count = 64;
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = NULL;
    cl_mem buffer = NULL;
    const cl_context context = ctx->stream.device->context;
    const cl_command_queue queue = ctx->stream.queue;
    RHOMB_CL_OUT(&ctx->stream, code, kernel = clCreateKernel(handle, "fill", &code));
    RHOMB_CL_OUT(
        &ctx->stream, code,
        buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, count * sizeof values[0], NULL, &code));
    RHOMB_CL(&ctx->stream, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    RHOMB_CL(&ctx->stream,
             clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    RHOMB_CL(&ctx->stream, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof values[0],
                                               values, 0, NULL, NULL));
out:
    if (buffer != NULL)
        clReleaseMemObject(buffer);
    if (kernel != NULL)
        clReleaseKernel(kernel);
    return status;
}

/* Builds `source`, runs it, and checks that it multiplies by `factor`. */
static rhomb__program *check_program(rhomb_context *ctx, const rhomb__kernel_source *source,
                                     const char *options, cl_int factor)
{
    rhomb__program *program = NULL;
    cl_int values[64] = {0};
    if (rhomb__program_get(ctx, source, options, &program) != RHOMB_OK ||
        run_fill(ctx, program->handle, values) != RHOMB_OK)
        fail_msg("%s", rhomb_context_error(ctx));
    for (cl_int i = 0; i < 64; i++)
        assert_int_equal(values[i], i * factor);
    return program;
}

static void test_list(void **state)
{
    fixture *f = *state;
    const rhomb_device_info *const *list = NULL;
    size_t count = 0;
    size_t chosen = 0;
    assert_int_equal(rhomb_context_devices(f->ctx, &list, &count), RHOMB_OK);
    assert_string_equal(rhomb_context_error(f->ctx), "");
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(list[i]->index, i);
        assert_true(list[i]->name[0] != '\0' && list[i]->vendor[0] != '\0');
        assert_true(list[i]->note[0] != '\0');
        assert_int_equal(strncmp(list[i]->opencl_version, "OpenCL ", 7), 0);
        if (list[i]->usable) {
            assert_true(list[i]->memory_bytes > 0 && list[i]->max_buffer_bytes > 0);
            assert_true(list[i]->max_group_size > 0 && list[i]->compute_units > 0);
        }
        if (list[i]->chosen) {
            chosen++;
            assert_true(list[i]->usable);
            assert_ptr_equal(strstr(list[i]->note, "chosen: "), list[i]->note);
            assert_int_equal(rhomb_context_device(f->ctx)->index, i);
        }
    }
    assert_int_equal(chosen, 1);
}

static void test_open_failures(void **state)
{
    fixture *f = *state;
    const rhomb_device_info *before = rhomb_context_device(f->ctx);
    assert_int_equal(rhomb_context_open(f->ctx, "no such device", 0), RHOMB_ERR_NO_DEVICE);
    assert_contains(rhomb_context_error(f->ctx), "\"no such device\"\nDevices found:\n  #0 ");
    assert_int_equal(rhomb_context_open(f->ctx, NULL, 1u << 31), RHOMB_ERR_ARGUMENT);
    const bool is_gpu = before->kind == RHOMB_DEVICE_GPU;
    assert_ptr_equal(rhomb_context_device(f->ctx), before); /* the open device stays */
    assert_int_equal(rhomb_context_open(f->ctx, NULL, RHOMB_REQUIRE_GPU),
                     is_gpu ? RHOMB_OK : RHOMB_ERR_NO_DEVICE);
}

static void test_need_device(void **state)
{
    fixture *f = *state;
    rhomb_context *ctx = NULL;
    assert_int_equal(rhomb_context_create(&ctx, NULL), RHOMB_OK);
    assert_null(rhomb_context_device(ctx));
    assert_int_equal(rhomb__context_need_device(ctx), RHOMB_OK);
    assert_int_equal(rhomb_context_device(ctx)->index, rhomb_context_device(f->ctx)->index);
    const rhomb__device *open = ctx->stream.device;
    assert_int_equal(rhomb__context_need_device(ctx), RHOMB_OK);
    assert_ptr_equal(ctx->stream.device, open);
    rhomb_context_destroy(ctx);
}

static void test_build_failure(void **state)
{
    fixture *f = *state;
    rhomb__program *program = NULL;
    assert_int_equal(rhomb__program_get(f->ctx, &BROKEN, "-DSOME=1", &program), RHOMB_ERR_BUILD);
    assert_null(program);
    const char *detail = rhomb_context_error(f->ctx);
    /* NVIDIA's compiler names no file: it ignores #line. */
    const bool has_lines = strstr(detail, "<kernel>:") == NULL;
    const char *const parts[] = {
        "cannot build broken.cl for ",
        rhomb_context_device(f->ctx)->name,
        "\"-cl-std=CL1.2",
        " -DSOME=1\"",
        "CL_BUILD_PROGRAM_FAILURE (-11)\n",
        "undeclared_name",
        has_lines ? "broken.cl:3" : "<kernel>:4",
    };
    for (size_t i = 0; i < COUNT(parts); i++)
        assert_contains(detail, parts[i]);
    /* The device is as good as before. */
    rhomb__error_clear(&f->ctx->stream.error);
    check_program(f->ctx, &TINY, "-DFACTOR=3", 3);
}

/* Uses TINY in a context of its own. */
static void use_again(fixture *f, const char *options, int factor)
{
    rhomb_context *ctx = open_context(f, NULL);
    f->log[0] = '\0';
    check_program(ctx, &TINY, options, factor);
    rhomb_context_destroy(ctx);
}

static void test_disk(void **state)
{
    fixture *f = *state;
    const bool is_pocl = rhomb__quirks_of(rhomb_context_device(f->ctx)).fetches_slowly;
    check_program(f->ctx, &TINY, "-DFACTOR=5", 5);
    if (is_pocl) { /* to store it takes as long as to compile it: not at the first use */
        assert_logged(f, "1 tiny.cl: for the program cache at its next use");
        assert_not_logged(f, "for the program cache in ");
        use_again(f, "-DFACTOR=5", 5);
        assert_logged(f, "1 tiny.cl: compiled in ");
    }
    assert_logged(f, "for the program cache in ");
    f->log[0] = '\0';
    rhomb_context *second = open_context(f, NULL);
    check_program(second, &TINY, "-DFACTOR=5", 5);
    assert_logged(f, "1 tiny.cl: loaded from the program cache in ");
    assert_not_logged(f, "compiled");
    check_program(second, &TINY, "-DFACTOR=6", 6);
    assert_logged(f, "compiled");
    rhomb_context_destroy(second);

    /* Another text, though of the same name and options, is another program. */
    rhomb__kernel_source other = TINY;
    other.sha256 = BROKEN.sha256;
    f->log[0] = '\0';
    check_program(f->ctx, &other, "-DFACTOR=5", 5);
    assert_logged(f, "compiled");
}

/* The key that the only file of the cache was stored under, read as cache.h lays it out. */
static void read_key(const char *folder, char *key, size_t size)
{
    unsigned char header[56];
    char path[512] = "";
    struct dirent *entry;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.')
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    closedir(dir);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(header, 1, sizeof header, file), sizeof header);
    const size_t length = header[12] + 256u * header[13];
    assert_true(length < size);
    assert_int_equal(fread(key, 1, length, file), length);
    key[length] = '\0';
    fclose(file);
}

static void test_rejected_binary(void **state)
{
    fixture *f = *state;
    char key[4096];
    check_program(f->ctx, &TINY, "-DFACTOR=7", 7);
    read_key(f->folder, key, sizeof key);
    assert_contains(key, "\nsource tiny.cl 0123");
    assert_contains(key, "\noptions -cl-std=CL1.2");
    assert_contains(key, " -DFACTOR=7\n");
    assert_non_null(strstr(key, rhomb_context_device(f->ctx)->name));
    assert_non_null(strstr(key, rhomb_context_device(f->ctx)->driver_version));

    rhomb__cache_store(f->ctx, key, (const unsigned char *)"no program", 10);
    use_again(f, "-DFACTOR=7", 7);
    assert_logged(f, "1 tiny.cl: the driver rejects the cached program");
    assert_logged(f, "1 tiny.cl: compiled in ");

    /* And what was compiled has taken its place. */
    use_again(f, "-DFACTOR=7", 7);
    assert_logged(f, "loaded from the program cache");
}

static void test_kernel_folder(void **state)
{
    fixture *f = *state;
    char paths[2][128];
    rhomb__program *program = NULL;
    check_program(f->ctx, &TINY, "-DFACTOR=1", 1);
    use_again(f, "-DFACTOR=1", 1); /* on PoCL it is stored now */
    f->log[0] = '\0';
    snprintf(paths[0], sizeof paths[0], "%s/tiny.cl", f->folder);
    snprintf(paths[1], sizeof paths[1], "%s/part.clh", f->folder);
    file_write_text(paths[0],
                    "#include \"part.clh\"\n"
                    "__kernel void fill(__global int *out)\n"
                    "{\n"
                    "    out[get_global_id(0)] = (int)get_global_id(0) * (FACTOR + PART);\n"
                    "}\n");
    setenv("RHOMB_KERNEL_DIR", f->folder, 1);
    for (cl_int part = 10; part <= 20; part += 10) {
        char text[32];
        snprintf(text, sizeof text, "#define PART %d\n", (int)part);
        file_write_text(paths[1], text);
        rhomb_context *ctx = open_context(f, NULL);
        check_program(ctx, &TINY, "-DFACTOR=1", 1 + part);
        rhomb_context_destroy(ctx);
    }
    assert_not_logged(f, "loaded from the program cache");
    assert_int_equal(rhomb__program_get(f->ctx, &BROKEN, "", &program), RHOMB_ERR_BUILD);
    assert_contains(rhomb_context_error(f->ctx), "broken.cl (RHOMB_KERNEL_DIR): No such");
    unsetenv("RHOMB_KERNEL_DIR");

    /* The embedded text is back, from the cache that the files have left alone. */
    rhomb_context *ctx = open_context(f, NULL);
    check_program(ctx, &TINY, "-DFACTOR=1", 1);
    assert_logged(f, "loaded from the program cache");
    rhomb_context_destroy(ctx);
}

/*
 * Launches in the queue before the host first waits: two stretches of 32 where they are short or
 * nothing is known of them, else as many as are expected to take two tenths of a second, or two.
 */
static void test_pace(void **state)
{
    static const struct {
        double expected; /* seconds */
        int64_t launches;
    } CASES[] = {{0, 64}, {1e-6, 64}, {0.003, 64}, {0.0126, 16}, {0.06, 4}, {0.1, 2}, {3600, 2}};
    fixture *f = *state;
    for (size_t i = 0; i < COUNT(CASES); i++) {
        rhomb__pace pace = rhomb__pace_begin(0);
        int64_t launches = 0, behind = -1;
        while (behind < 0 && launches <= 64) {
            launches++;
            assert_int_equal(
                rhomb__pace_launched(&f->ctx->stream, &pace, CASES[i].expected, &behind), RHOMB_OK);
        }
        assert_int_equal(launches, CASES[i].launches);
        assert_int_equal(behind, CASES[i].launches / 2);
        rhomb__pace_end(&pace);
    }
}

#define DEVICE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_LIST(DEVICE_TEST, test_list, test_open_failures, test_need_device, test_pace,
                  test_build_failure, test_disk, test_rejected_binary, test_kernel_folder)};
    return device_exists() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
