/* SPDX-License-Identifier: MIT */
/*
 * Selectors, the choice of "auto", its notes, and what is said when nothing
 * fits: with invented devices, so that machines with several cards are covered
 * anywhere.
 */
#include "host/device/context.h"
#include "host/device/device.h"
#include "host/device/program.h"
#include "support/test.h"

#define NONE RHOMB__DEVICE_NONE

#define UUID_A "6f1ca1d0-0f3b-11ee-be56-0242ac120002"
#define UUID_B "7f1ca1d0-0f3b-11ee-be56-0242ac120002"

/* A server: a CPU, a weak GPU in the CPU, two equal cards, and one of them once
 * more. */
static const rhomb_device_info SERVER[] = {
    {.index = 0,
     .kind = RHOMB_DEVICE_CPU,
     .name = "pthread-skylake",
     .vendor = "GenuineIntel",
     .platform = "Portable Computing Language OpenCL 3.0 PoCL 3.1",
     .memory_bytes = INT64_C(500) << 30,
     .compute_units = 96,
     .clock_mhz = 3000,
     .unified_memory = true,
     .note = "",
     .usable = true},
    {.index = 1,
     .kind = RHOMB_DEVICE_GPU,
     .name = "Intel(R) UHD Graphics",
     .vendor = "Intel(R) Corporation",
     .platform = "Intel(R) OpenCL Graphics OpenCL 3.0",
     .pci = "0000:00:02.0",
     .memory_bytes = INT64_C(50) << 30,
     .compute_units = 96,
     .clock_mhz = 1300,
     .unified_memory = true,
     .note = "",
     .usable = true},
    {.index = 2,
     .kind = RHOMB_DEVICE_GPU,
     .name = "NVIDIA H200",
     .vendor = "NVIDIA Corporation",
     .platform = "NVIDIA CUDA OpenCL 3.0",
     .pci = "0000:3b:00.0",
     .uuid = UUID_A,
     .memory_bytes = INT64_C(140) << 30,
     .compute_units = 20,
     .clock_mhz = 1980,
     .note = "",
     .usable = true},
    {.index = 3,
     .kind = RHOMB_DEVICE_GPU,
     .name = "NVIDIA H200",
     .vendor = "NVIDIA Corporation",
     .platform = "NVIDIA CUDA OpenCL 3.0",
     .pci = "0001:3b:00.0",
     .uuid = UUID_B,
     .memory_bytes = INT64_C(140) << 30,
     .compute_units = 20,
     .clock_mhz = 1980,
     .note = "",
     .usable = true},
    {.index = 4,
     .kind = RHOMB_DEVICE_GPU,
     .name = "pocl-cuda H200",
     .vendor = "NVIDIA Corporation",
     .platform = "Portable Computing Language OpenCL 3.0 PoCL 3.1",
     .pci = "0000:3b:00.0",
     .memory_bytes = INT64_C(150) << 30,
     .compute_units = 20,
     .clock_mhz = 1980,
     .note = "",
     .usable = true},
    {.index = 5,
     .kind = RHOMB_DEVICE_ACCELERATOR,
     .name = "Board",
     .vendor = "Maker",
     .platform = "FPGA OpenCL 1.0",
     .note = "not usable: OpenCL 1.2 is needed",
     .usable = false},
};

static void check_match(const char *selector, size_t expected)
{
    const size_t found = rhomb__device_match(SERVER, COUNT(SERVER), selector);
    if (found != expected)
        fail_msg("\"%s\" means #%zd, and #%zd was expected", selector != NULL ? selector : "NULL",
                 (ptrdiff_t)found, (ptrdiff_t)expected);
}

/* A kind means the best device of that kind, whatever names contain. */
static void test_kind(void **state)
{
    (void)state;
    check_match("cpu", 0);
    check_match("GPU", 2);
    check_match("Gpu#0", 1);
    check_match("gpu#3", 4);
    check_match("gpu#4", NONE);
    check_match("cpu#1", NONE);
    check_match("accelerator", NONE); /* not usable */
    check_match("accelerator#0", 5);
    check_match("gpus", NONE);
    const rhomb_device_info named[] = {{.kind = RHOMB_DEVICE_GPU,
                                        .name = "like a CPU",
                                        .vendor = "cpu",
                                        .platform = "CPU",
                                        .note = "",
                                        .usable = true},
                                       SERVER[0]};
    assert_int_equal(rhomb__device_match(named, COUNT(named), "cpu"), 1);
    assert_int_equal(rhomb__device_match(named, 1, "cpu"), NONE);
}

static void test_index(void **state)
{
    check_match("0", 0);
    check_match("5", 5);
    check_match("003", 3);
    check_match("6", NONE);
    check_match("18446744073709551616", NONE);
    check_match("99999999999999999999999999999999", NONE); /* digits only are an index, no UUID */
    check_match("-1", NONE);
    check_match("1 ", NONE);
}

static void test_pci(void **state)
{
    check_match("0000:3b:00.0", 2);
    check_match("0001:3b:00.0", 3);
    check_match("0001:3B:00.0", 3);
    check_match("00000001:3B:00.0", 3);
    check_match("1:3b:0.0", 3);
    check_match("3b:00.0", 2);
    check_match("00:02.0", 1);
    check_match("0002:3b:00.0", NONE);
    check_match("3b:00.1", NONE);
    check_match("3b:01.0", NONE);
    check_match("3b:00", NONE);
    check_match("3b:00.0.0", NONE);
    check_match("0000:3b:00:0", NONE);
    check_match("3b:00.", NONE);
    check_match(":3b:00.0", NONE);
    check_match("0x3b:00.0", NONE);
    check_match("3b: 00.0", NONE);
}

static void test_uuid(void **state)
{
    check_match(UUID_A, 2);
    check_match(UUID_B, 3);
    check_match("GPU-" UUID_B, 3);
    check_match("gpu-7F1CA1D0-0F3B-11EE-BE56-0242AC120002", 3);
    check_match("7f1ca1d00f3b11eebe560242ac120002", 3);
    check_match("8f1ca1d00f3b11eebe560242ac120002", NONE);
    check_match("7f1ca1d00f3b11eebe560242ac12000", NONE);
    check_match("7f1ca1d00f3b11eebe560242ac1200022", NONE);
}

static void test_name(void **state)
{
    check_match("H200", 2);
    check_match("h200", 2);
    check_match("H200#0", 2);
    check_match("H200#1", 3);
    check_match("h200#2", 4);
    check_match("H200#3", NONE);
    check_match("H200#99999999999999999999999", NONE);
    check_match("pocl", 0);
    check_match("POCL#1", 4);
    check_match("Corporation#3", 4);
    check_match("intel(r) uhd", 1);
    check_match("GenuineIntel", 0);
    check_match("Board", 5); /* matches, although it cannot be used: the caller is told so */
    check_match("H200#", NONE);
    check_match("H200#x", NONE);
    check_match("RTX", NONE);
}

static void test_auto(void **state)
{
    /* Memory of its own before compute units, and of equal cards the first. */
    check_match(NULL, 2);
    check_match("", 2);
    check_match("auto", 2);
    check_match("AUTO", 2);

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
    rhomb_device_info devices[] = {{.kind = RHOMB_DEVICE_GPU,
                                    .name = "Intel(R) Arc(TM) A770 Graphics",
                                    .vendor = "Intel(R) Corporation",
                                    .compute_units = 512,
                                    .clock_mhz = 2400,
                                    .usable = true},
                                   {.kind = RHOMB_DEVICE_GPU,
                                    .name = "NVIDIA H100",
                                    .vendor = "NVIDIA Corporation",
                                    .compute_units = 132,
                                    .clock_mhz = 1980,
                                    .lanes = 32,
                                    .usable = true},
                                   {.kind = RHOMB_DEVICE_GPU,
                                    .name = "an APU",
                                    .vendor = "Advanced Micro Devices, Inc.",
                                    .compute_units = 12,
                                    .clock_mhz = 2000,
                                    .lanes = 32,
                                    .unified_memory = true,
                                    .usable = true}};
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
    else if (strstr(rhomb_context_error(ctx), text) == NULL)
        fail_msg("no \"%s\" in: %s", text, rhomb_context_error(ctx));
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
    if (strstr(rhomb_context_error(ctx), detail) == NULL)
        fail_msg("no \"%s\" in: %s", detail, rhomb_context_error(ctx));
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
        assert_int_equal(quirks.fetches_slowly, strstr(info.platform, "Portable") != NULL);
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
    assert_non_null(strstr(rhomb_context_error(ctx), "usable\nDevices found:"));
    rhomb_context_destroy(ctx);
}

static void test_nothing_found(void **state)
{
    const rhomb_device_info *const *list = NULL;
    size_t count = 1;
    setenv("POCL_CACHE_DIR", "/dev/null/pocl", 1);
    rhomb_context *ctx = make_context(true);
    assert_int_equal(rhomb_context_open(ctx, NULL, 0), RHOMB_ERR_NO_DEVICE);
    assert_non_null(strstr(rhomb_context_error(ctx), "no OpenCL device found\n"));
    assert_non_null(strstr(rhomb_context_error(ctx), "pocl-opencl-icd"));
    assert_non_null(strstr(rhomb_context_error(ctx), "hides its device: /dev/null/pocl"));
    assert_null(rhomb_context_device(ctx));

    /* Listing nothing is no failure, and leaves the same hints. */
    setenv("POCL_CACHE_DIR", "/tmp/some/folder/to/be/made", 1);
    ctx->devices.trouble = "The platform is there.";
    assert_int_equal(rhomb_context_devices(ctx, &list, &count), RHOMB_OK);
    assert_int_equal(count, 0);
    assert_non_null(strstr(rhomb_context_error(ctx), "found\nThe platform is there.\n"));
    assert_non_null(strstr(rhomb_context_error(ctx), "ocl-icd-system"));
    assert_null(strstr(rhomb_context_error(ctx), "hides its device"));
    rhomb_context_destroy(ctx);
}

static void test_arguments(void **state)
{
    rhomb_context *ctx = make_context(true);
    rhomb_context *other = NULL;
    rhomb_context_options options = RHOMB_CONTEXT_OPTIONS_INIT;
    size_t count = 0;
    assert_int_equal(rhomb_context_devices(NULL, NULL, &count), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_context_devices(ctx, NULL, &count), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_context_open(NULL, NULL, 0), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_sequence_read(ctx, NULL, NULL, NULL), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_context_create(NULL, NULL), RHOMB_ERR_ARGUMENT);
    options.struct_size = 0;
    assert_int_equal(rhomb_context_create(&other, &options), RHOMB_ERR_ARGUMENT);
    options.struct_size = sizeof options + 1;
    assert_int_equal(rhomb_context_create(&other, &options), RHOMB_ERR_ARGUMENT);
    options.struct_size = sizeof options.struct_size;
    assert_int_equal(rhomb_context_create(&other, &options), RHOMB_OK);
    assert_non_null(other);
    assert_null(rhomb_context_device(other));
    assert_string_equal(rhomb_context_error(other), "");
    assert_string_equal(rhomb_context_error(NULL), "");
    rhomb_context_destroy(other);
    rhomb_context_destroy(ctx);
    rhomb_context_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kind),
        cmocka_unit_test(test_index),
        cmocka_unit_test(test_pci),
        cmocka_unit_test(test_uuid),
        cmocka_unit_test(test_name),
        cmocka_unit_test(test_auto),
        cmocka_unit_test(test_same_card),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_vendors),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_quirks),
        cmocka_unit_test(test_nothing_usable),
        cmocka_unit_test(test_nothing_found),
        cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
