/* SPDX-License-Identifier: MIT */
/*
 * Choosing devices by what users write, without any; and what an error of an OpenCL call becomes.
 */
#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/device.h"
#include "host/device/program.h"
#include "support/test.h"

#define NONE RHOMB__DEVICE_NONE

#define UUID_A "6f1ca1d0-0f3b-11ee-be56-0242ac120002"
#define UUID_B "7f1ca1d0-0f3b-11ee-be56-0242ac120002"

/* Gi: of memory. */
#define DEVICE(type, model, maker, system, bus, id, Gi, units, mhz, ...)                   \
    {                                                                                      \
        .kind = RHOMB_DEVICE_##type, .name = model, .vendor = maker, .platform = system,   \
        .pci = bus, .uuid = id, .memory_bytes = INT64_C(Gi) << 30, .compute_units = units, \
        .clock_mhz = mhz, __VA_ARGS__                                                      \
    }
#define USABLE .note = "", .usable = true

#define POCL  "Portable Computing Language OpenCL 3.0 PoCL 3.1"
#define INTEL "Intel(R) OpenCL Graphics OpenCL 3.0"
#define CUDA  "NVIDIA CUDA OpenCL 3.0"

/* A server: a CPU, a weak GPU in the CPU, two equal cards, and one of them once more. */
static const rhomb_device_info SERVER[] = {
    DEVICE(CPU, "pthread-skylake", "GenuineIntel", POCL, NULL, NULL, 500, 96, 3000, .index = 0,
           .unified_memory = true, USABLE),
    DEVICE(GPU, "Intel(R) UHD Graphics", "Intel(R) Corporation", INTEL, "0000:00:02.0", NULL, 50,
           96, 1300, .index = 1, .unified_memory = true, USABLE),
    DEVICE(GPU, "NVIDIA H200", "NVIDIA Corporation", CUDA, "0000:3b:00.0", UUID_A, 140, 20, 1980,
           .index = 2, USABLE),
    DEVICE(GPU, "NVIDIA H200", "NVIDIA Corporation", CUDA, "0001:3b:00.0", UUID_B, 140, 20, 1980,
           .index = 3, USABLE),
    DEVICE(GPU, "pocl-cuda H200", "NVIDIA Corporation", POCL, "0000:3b:00.0", NULL, 150, 20, 1980,
           .index = 4, USABLE),
    DEVICE(ACCELERATOR, "Board", "Maker", "FPGA OpenCL 1.0", NULL, NULL, 0, 0, 0, .index = 5,
           .note = "not usable: OpenCL 1.2 is needed"),
};

/* Which device a selector means. */
static void test_match(void **state)
{
    static const struct {
        const char *selector;
        size_t expected;
    } CASES[] = {
        /* A kind means the best device of that kind, whatever names contain. */
        {"cpu", 0},
        {"GPU", 2},
        {"Gpu#0", 1},
        {"gpu#3", 4},
        {"gpu#4", NONE},
        {"cpu#1", NONE},
        {"accelerator", NONE}, /* not usable */
        {"accelerator#0", 5},
        {"gpus", NONE},
        /* Digits only are an index, no UUID. */
        {"0", 0},
        {"5", 5},
        {"003", 3},
        {"6", NONE},
        {"18446744073709551616", NONE},
        {"99999999999999999999999999999999", NONE},
        {"-1", NONE},
        {"1 ", NONE},
        /* PCI addresses. */
        {"0000:3b:00.0", 2},
        {"0001:3B:00.0", 3},
        {"00000001:3B:00.0", 3},
        {"1:3b:0.0", 3},
        {"3b:00.0", 2},
        {"00:02.0", 1},
        {"0002:3b:00.0", NONE},
        {"3b:00.1", NONE},
        {"3b:01.0", NONE},
        {"3b:00", NONE},
        {"3b:00.0.0", NONE},
        {"0000:3b:00:0", NONE},
        {"3b:00.", NONE},
        {":3b:00.0", NONE},
        {"0x3b:00.0", NONE},
        {"3b: 00.0", NONE},
        /* UUIDs. */
        {UUID_A, 2},
        {"GPU-" UUID_B, 3},
        {"gpu-7F1CA1D0-0F3B-11EE-BE56-0242AC120002", 3},
        {"7f1ca1d00f3b11eebe560242ac120002", 3},
        {"8f1ca1d00f3b11eebe560242ac120002", NONE},
        {"7f1ca1d00f3b11eebe560242ac12000", NONE},
        {"7f1ca1d00f3b11eebe560242ac1200022", NONE},
        /* Names; also of what cannot be used: the caller is told so. */
        {"H200", 2},
        {"h200#1", 3},
        {"h200#2", 4},
        {"H200#3", NONE},
        {"H200#99999999999999999999999", NONE},
        {"pocl", 0},
        {"POCL#1", 4},
        {"Corporation#3", 4},
        {"intel(r) uhd", 1},
        {"GenuineIntel", 0},
        {"Board", 5},
        {"H200#", NONE},
        {"H200#x", NONE},
        {"RTX", NONE},
        /* Memory of its own before compute units, and of equal cards the first. */
        {NULL, 2},
        {"", 2},
        {"auto", 2},
        {"AUTO", 2},
    };
    for (size_t i = 0; i < COUNT(CASES); i++) {
        const size_t found = rhomb__device_match(SERVER, COUNT(SERVER), CASES[i].selector);
        if (found != CASES[i].expected)
            fail_msg("\"%s\" means #%zd, and #%zd was expected",
                     CASES[i].selector != NULL ? CASES[i].selector : "NULL", (ptrdiff_t)found,
                     (ptrdiff_t)CASES[i].expected);
    }
    const rhomb_device_info named[] = {
        DEVICE(GPU, "like a CPU", "cpu", "CPU", NULL, NULL, 0, 0, 0, USABLE), SERVER[0]};
    assert_int_equal(rhomb__device_match(named, COUNT(named), "cpu"), 1);
    assert_int_equal(rhomb__device_match(named, 1, "cpu"), NONE);
}

static void test_auto(void **state)
{
    rhomb_device_info devices[COUNT(SERVER)];
    memcpy(devices, SERVER, sizeof devices);
    devices[3].clock_mhz++;
    assert_int_equal(rhomb__device_best(devices, COUNT(devices)), 3);
    devices[3].clock_mhz--;
    devices[3].memory_bytes++;
    assert_int_equal(rhomb__device_best(devices, COUNT(devices)), 3);
    devices[3].usable = false;
    assert_int_equal(rhomb__device_best(devices, COUNT(devices)), 2);
    /* Without its first sight the second one counts. */
    devices[2].usable = false;
    assert_int_equal(rhomb__device_best(devices, COUNT(devices)), 4);
    devices[4].usable = false;
    assert_int_equal(rhomb__device_best(devices, COUNT(devices)), 1);
    devices[1].usable = false;
    assert_int_equal(rhomb__device_best(devices, COUNT(devices)), 0);
    devices[5].usable = true; /* an accelerator comes before a CPU, however fast */
    assert_int_equal(rhomb__device_best(devices, COUNT(devices)), 5);
    devices[5].usable = false;
    devices[0].usable = false;
    assert_int_equal(rhomb__device_best(devices, COUNT(devices)), NONE);
    assert_int_equal(rhomb__device_best(NULL, 0), NONE);
}

static void test_same_card(void **state)
{
    rhomb_device_info devices[] = {
        {.pci = "0000:01:00.0", .uuid = UUID_A, .usable = true},
        {.pci = "0000:01:00.0", .uuid = UUID_B, .usable = true}, /* a slice of the same card */
        {.pci = "0000:01:00.0", .usable = true},
        {.uuid = UUID_B, .usable = true},
        {.usable = true},
        {.usable = true},
    };
    assert_int_equal(rhomb__device_same_as(devices, COUNT(devices), 0), NONE);
    assert_int_equal(rhomb__device_same_as(devices, COUNT(devices), 1), NONE);
    assert_int_equal(rhomb__device_same_as(devices, COUNT(devices), 2), 0);
    assert_int_equal(rhomb__device_same_as(devices, COUNT(devices), 3), 1);
    assert_int_equal(rhomb__device_same_as(devices, COUNT(devices), 5), NONE);
    devices[0].usable = false;
    assert_int_equal(rhomb__device_same_as(devices, COUNT(devices), 2), 1);
}

static void check_note(const rhomb_device_info *devices, size_t count, size_t index,
                       const char *expected)
{
    char note[RHOMB__DEVICE_NOTE_SIZE];
    rhomb__device_note(devices, count, rhomb__device_best(devices, count), index, note);
    assert_string_equal(note, expected);
}

static void test_notes(void **state)
{
    check_note(SERVER, COUNT(SERVER), 0, "a CPU: used only when there is no GPU");
    check_note(SERVER, COUNT(SERVER), 1, "in the host's memory: #2 has its own");
    check_note(SERVER, COUNT(SERVER), 2,
               "chosen: the fastest GPU (5.1 T cells a second, estimated)");
    check_note(SERVER, COUNT(SERVER), 3, "as good as #2, which comes first");
    check_note(SERVER, COUNT(SERVER), 4, "same device as #2");
    check_note(SERVER, 1, 0, "chosen: the only CPU, and there is no GPU");
    check_note(SERVER, 2, 1, "chosen: the only GPU");

    rhomb_device_info devices[COUNT(SERVER)];
    memcpy(devices, SERVER, sizeof devices);
    devices[3].memory_bytes--;
    devices[5].usable = true;
    check_note(devices, COUNT(devices), 3, "smaller than #2");
    devices[3].clock_mhz--;
    check_note(devices, COUNT(devices), 3, "slower than #2 (5.1 T cells a second, estimated)");
    check_note(devices, COUNT(devices), 5, "an accelerator: used only when there is no GPU");
}

/* Cards of several vendors, which count compute units each in its own way. */
static void test_vendors(void **state)
{
    rhomb_device_info devices[] = {
        DEVICE(GPU, "Intel(R) Arc(TM) A770 Graphics", "Intel(R) Corporation", NULL, NULL, NULL, 0,
               512, 2400, .usable = true),
        DEVICE(GPU, "NVIDIA H100", "NVIDIA Corporation", NULL, NULL, NULL, 0, 132, 1980,
               .lanes = 32, .usable = true),
        DEVICE(GPU, "an APU", "Advanced Micro Devices, Inc.", NULL, NULL, NULL, 0, 12, 2000,
               .lanes = 32, .unified_memory = true, .usable = true),
    };
    assert_int_equal(rhomb__device_best(devices, 3), 1);
    check_note(devices, 3, 0, "slower than #1 (20 T cells a second, estimated)");
    check_note(devices, 3, 2, "in the host's memory: #1 has its own");
}

/* A context whose list is the server's, or empty: no OpenCL is asked. */
static rhomb_context *make_context(bool empty)
{
    rhomb_context *ctx = calloc(1, sizeof *ctx);
    assert_non_null(ctx);
    ctx->devices.loaded = true;
    if (!empty) {
        ctx->devices.count = COUNT(SERVER);
        ctx->devices.infos = malloc(sizeof SERVER);
        assert_non_null(ctx->devices.infos);
        memcpy(ctx->devices.infos, SERVER, sizeof SERVER);
    }
    return ctx;
}

/* Expects devices with these indices as digits, or an error with this detail. */
static void check_set(const char *selector, rhomb_status expected, const char *text)
{
    rhomb_context *ctx = make_context(false);
    rhomb__device_set set = {.count = 0};
    char found[RHOMB_MOST_DEVICES + 1] = "";
    assert_int_equal(rhomb__device_find_all(ctx, selector, 0, &set), expected);
    for (size_t i = 0; i < set.count && expected == RHOMB_OK; i++)
        found[i] = (char)('0' + set.indices[i]);
    if (expected == RHOMB_OK)
        assert_string_equal(found, text);
    else
        assert_contains(rhomb_context_error(ctx), text);
    rhomb_context_destroy(ctx);
}

static void test_several(void **state)
{
    check_set(NULL, RHOMB_OK, "2");
    check_set("H200#1", RHOMB_OK, "3");
    check_set("all", RHOMB_OK, "23");
    check_set("ALL", RHOMB_OK, "23");
    check_set("0,2", RHOMB_OK, "02");
    check_set("h200#1,pocl,1", RHOMB_OK, "301");
    check_set("auto,0", RHOMB_OK, "20");
    check_set("2,2", RHOMB_ERR_ARGUMENT, "device #2 is named twice");
    check_set("H200,2", RHOMB_ERR_ARGUMENT, "device #2 is named twice");
    check_set("2,", RHOMB_ERR_ARGUMENT, "a selector of the list is empty");
    check_set(",", RHOMB_ERR_ARGUMENT, "a selector of the list is empty");
    check_set("2,77", RHOMB_ERR_NO_DEVICE, "no device matches \"77\"");
    check_set("2,5", RHOMB_ERR_NO_DEVICE, "device #5");
}

static void check_find(const char *selector, uint32_t flags, rhomb_status expected, size_t index,
                       const char *detail)
{
    rhomb_context *ctx = make_context(false);
    size_t found = 77;
    assert_int_equal(rhomb__device_find(ctx, selector, flags, &found), expected);
    assert_int_equal(found, index);
    assert_contains(rhomb_context_error(ctx), detail);
    rhomb_context_destroy(ctx);
}

static void test_find(void **state)
{
    check_find("auto", 0, RHOMB_OK, 2, "");
    check_find("auto", RHOMB_REQUIRE_GPU, RHOMB_OK, 2, "");
    check_find("pocl", 0, RHOMB_OK, 0, "");
    check_find("pocl", RHOMB_REQUIRE_GPU, RHOMB_ERR_NO_DEVICE, 77,
               "a GPU is required, and device #0, pthread-skylake, is a CPU\nDevices found:");
    check_find("RTX", 0, RHOMB_ERR_NO_DEVICE, 77,
               "no device matches \"RTX\"\nDevices found:\n  #0 ");
    check_find("RTX", 0, RHOMB_ERR_NO_DEVICE, 77, "PCI 0001:3b:00.0, UUID " UUID_B);
    check_find("5", 0, RHOMB_ERR_NO_DEVICE, 77,
               "device #5, Board, is not usable: OpenCL 1.2 is needed\n");
    check_find("auto", 6, RHOMB_ERR_ARGUMENT, 77, "0x6");
}

static void test_quirks(void **state)
{
    static const struct {
        const char *platform;
        bool one, shared;
    } KNOWN[] = {
        {"Portable Computing Language OpenCL 2.0 pocl 1.8", false, true},
        {"Portable Computing Language OpenCL 3.0 PoCL 3.1+debian  Linux", false, true},
        {"Portable Computing Language OpenCL 3.0 PoCL 4.0", true, true},
        {"Portable Computing Language OpenCL 3.0 PoCL 5.0+debian  Linux", true, true},
        {"Portable Computing Language OpenCL 3.0 PoCL 6.0", false, false},
        {"Portable Computing Language OpenCL 3.0 PoCL 10.1", false, false},
        {"NVIDIA CUDA OpenCL 3.0 CUDA 13.0", false, false},
        {"rusticl OpenCL 3.0", false, false},
    };
    for (size_t i = 0; i < COUNT(KNOWN); i++) {
        const rhomb_device_info info = {.platform = KNOWN[i].platform};
        const rhomb__quirks quirks = rhomb__quirks_of(&info);
        assert_int_equal(quirks.one_queue, KNOWN[i].one);
        assert_int_equal(quirks.shares_queue, KNOWN[i].shared);
        assert_int_equal(quirks.shares_kernels, KNOWN[i].shared);
        const bool is_pocl = strstr(info.platform, "Portable") != NULL;
        assert_int_equal(quirks.fetches_slowly, is_pocl);
        assert_int_equal(quirks.keeps_files, is_pocl);
        assert_int_equal(quirks.needs_linker, is_pocl && (KNOWN[i].one || KNOWN[i].shared));
        const bool is_rusticl = strstr(info.platform, "rusticl") != NULL;
        assert_string_equal(quirks.build_options, is_rusticl ? " -Dstatic= -Dinline=" : "");
    }
}

static void test_nothing_usable(void **state)
{
    rhomb_context *ctx = make_context(false);
    size_t found = 0;
    for (size_t i = 0; i < ctx->devices.count; i++)
        ctx->devices.infos[i].usable = false;
    assert_int_equal(rhomb__device_find(ctx, NULL, 0, &found), RHOMB_ERR_NO_DEVICE);
    assert_contains(rhomb_context_error(ctx), "usable\nDevices found:");
    rhomb_context_destroy(ctx);
}

static void test_nothing_found(void **state)
{
    const rhomb_device_info *const *list = NULL;
    size_t count = 1;
    rhomb_context *ctx = make_context(true);
    assert_int_equal(rhomb_context_open(ctx, NULL, 0), RHOMB_ERR_NO_DEVICE);
    assert_contains(rhomb_context_error(ctx), "no OpenCL device found\n");
    assert_contains(rhomb_context_error(ctx), "pocl-opencl-icd");
    assert_null(rhomb_context_device(ctx));

    /* Listing nothing is no failure, and leaves the same hints. */
    ctx->devices.trouble = "The platform is there.";
    assert_int_equal(rhomb_context_devices(ctx, &list, &count), RHOMB_OK);
    assert_int_equal(count, 0);
    assert_contains(rhomb_context_error(ctx), "found\nThe platform is there.\n");
    assert_contains(rhomb_context_error(ctx), "ocl-icd-system");
    rhomb_context_destroy(ctx);
}

/* Options of a caller whose structure ended earlier. */
static void test_older_options(void **state)
{
    rhomb_context *ctx = NULL;
    rhomb_context_options options = RHOMB_CONTEXT_OPTIONS_INIT;
    options.struct_size = sizeof options.struct_size;
    assert_int_equal(rhomb_context_create(&ctx, &options), RHOMB_OK);
    assert_null(rhomb_context_device(ctx));
    assert_string_equal(rhomb_context_error(ctx), "");
    rhomb_context_destroy(ctx);
}

static void test_names(void **state)
{
    assert_string_equal(rhomb__cl_error_name(CL_SUCCESS), "CL_SUCCESS");
    assert_string_equal(rhomb__cl_error_name(-5), "CL_OUT_OF_RESOURCES");
    assert_string_equal(rhomb__cl_error_name(-19), "CL_KERNEL_ARG_INFO_NOT_AVAILABLE");
    assert_string_equal(rhomb__cl_error_name(-30), "CL_INVALID_VALUE");
    assert_string_equal(rhomb__cl_error_name(-68), "CL_INVALID_DEVICE_PARTITION_COUNT");
    assert_string_equal(rhomb__cl_error_name(-1001), "CL_PLATFORM_NOT_FOUND_KHR");
    assert_string_equal(rhomb__cl_error_name(-69), "CL error");
    assert_string_equal(rhomb__cl_error_name(1), "CL error");
    /* OpenCL 1.2 names every number from -1 to -19 and from -30 to -68. */
    for (cl_int code = 0; code >= -68; code--)
        if (code >= -19 || code <= -30)
            assert_string_not_equal(rhomb__cl_error_name(code), "CL error");
}

static void test_statuses(void **state)
{
    assert_int_equal(rhomb__cl_status(CL_SUCCESS), RHOMB_OK);
    assert_int_equal(rhomb__cl_status(CL_OUT_OF_HOST_MEMORY), RHOMB_ERR_MEMORY);
    assert_int_equal(rhomb__cl_status(CL_MEM_OBJECT_ALLOCATION_FAILURE), RHOMB_ERR_DEVICE_MEMORY);
    assert_int_equal(rhomb__cl_status(CL_INVALID_BUFFER_SIZE), RHOMB_ERR_DEVICE_MEMORY);
    assert_int_equal(rhomb__cl_status(CL_BUILD_PROGRAM_FAILURE), RHOMB_ERR_BUILD);
    assert_int_equal(rhomb__cl_status(-1001), RHOMB_ERR_NO_DEVICE);
    assert_int_equal(rhomb__cl_status(CL_OUT_OF_RESOURCES), RHOMB_ERR_DEVICE);
    assert_int_equal(rhomb__cl_status(-9999), RHOMB_ERR_DEVICE);
}

/* The detail of a call with the given text, with a device open or not. */
static void check_detail(const char *call, bool is_open, const char *expected)
{
    rhomb_context *ctx = calloc(1, sizeof *ctx);
    rhomb__device device = {.info = {.name = "Test device"}};
    assert_non_null(ctx);
    ctx->stream.device = is_open ? &device : NULL;
    assert_int_equal(rhomb__cl_fail(&ctx->stream, CL_INVALID_KERNEL, call, "host/x.c", 7),
                     RHOMB_ERR_DEVICE);
    assert_string_equal(rhomb_context_error(ctx), expected);
    free(ctx);
}

static void test_detail(void **state)
{
    check_detail("clFinish(queue)", true,
                 "clFinish failed: CL_INVALID_KERNEL (-48) on Test device (host/x.c:7)");
    check_detail("clFinish(queue)", false, "clFinish failed: CL_INVALID_KERNEL (-48) (host/x.c:7)");
    check_detail("*(clone) = clCreateBuffer(f(c), 0, size, NULL, &code)", false,
                 "clCreateBuffer failed: CL_INVALID_KERNEL (-48) (host/x.c:7)");
    check_detail("code", false, "code failed: CL_INVALID_KERNEL (-48) (host/x.c:7)");
}

static rhomb_status use_macros(rhomb_context *ctx, cl_int first, cl_int second, int *reached)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    RHOMB_CL(&ctx->stream, first);
    *reached = 1;
    RHOMB_CL_OUT(&ctx->stream, code, code = second);
    *reached = 2;
out:
    return status;
}

static void test_macros(void **state)
{
    rhomb_context *ctx = calloc(1, sizeof *ctx);
    int reached = 0;
    assert_non_null(ctx);
    assert_int_equal(use_macros(ctx, CL_SUCCESS, CL_SUCCESS, &reached), RHOMB_OK);
    assert_int_equal(reached, 2);
    assert_string_equal(rhomb_context_error(ctx), "");
    assert_int_equal(use_macros(ctx, CL_SUCCESS, CL_OUT_OF_HOST_MEMORY, &reached),
                     RHOMB_ERR_MEMORY);
    assert_int_equal(reached, 1);
    /* The first detail wins, the status returned is the call's own. */
    reached = 0;
    assert_int_equal(use_macros(ctx, CL_INVALID_VALUE, CL_SUCCESS, &reached), RHOMB_ERR_DEVICE);
    assert_int_equal(reached, 0);
    assert_non_null(strstr(rhomb_context_error(ctx), "CL_OUT_OF_HOST_MEMORY (-6)"));
    assert_non_null(strstr(rhomb_context_error(ctx), "test_device_select.c:"));
    free(ctx);
}

TEST_MAIN(test_match, test_auto, test_same_card, test_several, test_notes, test_vendors, test_find,
          test_quirks, test_nothing_usable, test_nothing_found, test_older_options, test_names,
          test_statuses, test_detail, test_macros)
