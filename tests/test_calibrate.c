/* SPDX-License-Identifier: MIT */
/*
 * Measuring a device's rates, on the one that "auto" takes: what comes out can be, is stored, and
 * is found again; a stored file that is damaged is measured anew; a folder that cannot be written
 * and OpenCL calls that fail take nothing from a distance. How fast the device is, is not tested.
 */
#include <dirent.h>
#include <unistd.h>

#include "cl/abi.h"
#include "fault_fixture.h"
#include "fault_opencl.h"
#include "host/device/cache.h"
#include "host/device/context.h"
#include "src/planner/rates.h"
#include "tests/reference/keep_plan.h"

/* Long enough for several looks at how to go on: unrelated, about 10,000 edits. */
enum { LENGTH = 20000 };

/* Where the key stands in a file of the cache, see cache.h. */
enum { KEY_AT = 56 };

typedef struct fixture {
    char folder[64];
    char log[65536];
    char *letters; /* target and query */
    int64_t distance;
} fixture;

static void on_log(int level, const char *text, void *user)
{
    fixture *f = user;
    const size_t length = strlen(f->log);
    snprintf(f->log + length, sizeof f->log - length, "%s\n", text);
}

static bool has_logged(const fixture *f, const char *text)
{
    return strstr(f->log, text) != NULL;
}

/* A context with the fixture's cache, or `folder`, and the best device. */
static rhomb_context *open_context(fixture *f, const char *folder)
{
    const rhomb_context_options options = {.struct_size = sizeof options,
                                           .cache_dir = folder != NULL ? folder : f->folder,
                                           .log = on_log,
                                           .log_user = f};
    rhomb_context *ctx = NULL;
    f->log[0] = '\0';
    assert_int_equal(rhomb_context_create(&ctx, &options), RHOMB_OK);
    assert_int_equal(rhomb_context_open(ctx, NULL, 0), RHOMB_OK);
    return ctx;
}

/* Asks for the distance of the bases. */
static rhomb_status solve(fixture *f, rhomb_context *ctx, rhomb_engine engine,
                          const rhomb_rates *rates, rhomb_report *report)
{
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *result = NULL;
    tuning.rates = rates;
    options.tuning = &tuning;
    options.engine = engine;
    const rhomb_status status = rhomb_distance(ctx, f->letters, LENGTH, f->letters + LENGTH,
                                               LENGTH - 100, &options, &result);
    memset(report, 0, sizeof *report);
    if (result != NULL) {
        *report = *rhomb_result_report(result);
        report->plan = keep_plan(report->plan);
    }
    rhomb_result_destroy(result);
    fault_check_use();
    return status;
}

static void remove_files(const char *folder)
{
    struct dirent *entry;
    DIR *dir = opendir(folder);
    while (dir != NULL && (entry = readdir(dir)) != NULL)
        (void)unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir != NULL)
        closedir(dir);
}

static int group_set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    rhomb_report report;
    uint32_t random = 1;
    if (f == NULL)
        return -1;
    snprintf(f->folder, sizeof f->folder, "/tmp/rhomb-test-calibrate-XXXXXX");
    f->letters = malloc(2 * LENGTH);
    if (mkdtemp(f->folder) == NULL || f->letters == NULL)
        return -1;
    for (int i = 0; i < 2 * LENGTH; i++) {
        random = random * 1664525 + 1013904223;
        f->letters[i] = "ACGT"[random >> 30];
    }
    rhomb_context *ctx = open_context(f, NULL);
    if (solve(f, ctx, RHOMB_ENGINE_WAVEFRONT, NULL, &report) != RHOMB_OK)
        return -1;
    f->distance = report.distance;
    rhomb_context_destroy(ctx);
    *state = f;
    return 0;
}

static int group_tear_down(void **state)
{
    fixture *f = *state;
    remove_files(f->folder);
    const int removed = rmdir(f->folder);
    free(f->letters);
    free(f);
    return removed;
}

/* What a test that failed may have left. */
static int start_afresh(void **state)
{
    fault_end();
    fault_forget_handles();
    return 0;
}

static void check_rates(const rhomb_rates *rates)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb__rates all = {.source = NULL};
    assert_true(rates->cells_per_second > 0 && rates->column_seconds > 0);
    assert_true(rates->sweep_cells_per_second > 0 && rates->sweep_block_seconds > 0);
    assert_true(rates->bases_per_second > 0);
    if (rhomb__rates_override(&error, rates, &all) != RHOMB_OK)
        fail_msg("%s", rhomb__error_text(&error));
}

static void expect_source(rhomb_context *ctx, const char *text)
{
    rhomb_plan *plan = NULL;
    assert_int_equal(rhomb_plan_distance(ctx, "ACGT", 4, "AGGT", 4, NULL, &plan), RHOMB_OK);
    if (strstr(plan->rates_source, text) == NULL)
        fail_msg("rates from \"%s\", not from \"%s\"", plan->rates_source, text);
    rhomb_plan_destroy(plan);
}

/* Measured once, the rates are those of this context and of the next one. */
static void test_stored(void **state)
{
    fixture *f = *state;
    rhomb_rates first = RHOMB_RATES_INIT;
    char path[256];
    rhomb_context *ctx = open_context(f, NULL);
    assert_null(rhomb_context_rates_file(ctx));
    expect_source(ctx, "the tuning table");
    if (rhomb_context_calibrate(ctx, &first) != RHOMB_OK)
        fail_msg("%s", rhomb_context_error(ctx));
    assert_true(has_logged(f, "rates: measured in"));
    check_rates(&first);
    expect_source(ctx, "measured on this device");
    assert_non_null(rhomb_context_rates_file(ctx));
    snprintf(path, sizeof path, "%s", rhomb_context_rates_file(ctx));
    assert_int_equal(strncmp(path, f->folder, strlen(f->folder)), 0);
    assert_int_equal(access(path, R_OK), 0);
    rhomb_context_destroy(ctx);
    assert_int_equal(fault_live_handles(), 0);

    ctx = open_context(f, NULL);
    expect_source(ctx, "measured on this device");
    assert_string_equal(rhomb_context_rates_file(ctx), path);
    assert_false(has_logged(f, "rates: "));
    const rhomb_rates *second = &ctx->stream.device->rates.values;
    assert_true(second->cells_per_second > 0.9999 * first.cells_per_second &&
                second->cells_per_second < 1.0001 * first.cells_per_second);
    assert_true(second->sweep_block_seconds > 0.9999 * first.sweep_block_seconds &&
                second->sweep_block_seconds < 1.0001 * first.sweep_block_seconds);
    rhomb_context_destroy(ctx);
}

/* Another driver, device or number of compute units is another device. */
static void test_key(void **state)
{
    const fault_plan plan = {.numbers = {{CL_DEVICE_MAX_COMPUTE_UNITS, 77}}};
    fixture *f = *state;
    fault_begin(&plan);
    rhomb_context *ctx = open_context(f, NULL);
    fault_end();
    assert_int_equal(rhomb_context_device(ctx)->compute_units, 77);
    expect_source(ctx, "the tuning table");
    rhomb_context_destroy(ctx);
    ctx = open_context(f, NULL);
    expect_source(ctx, "measured on this device");
    rhomb_context_destroy(ctx);
}

static size_t read_file(const char *path, char *content, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(content, 1, room, file);
    fclose(file);
    return size;
}

static void write_file(const char *path, const char *content, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* A file that was damaged counts as absent, and the next measurement replaces it. */
static void test_damaged(void **state)
{
    fixture *f = *state;
    char path[256], content[4096];
    rhomb_context *ctx = open_context(f, NULL);
    snprintf(path, sizeof path, "%s", rhomb_context_rates_file(ctx));
    rhomb_context_destroy(ctx);
    const size_t size = read_file(path, content, sizeof content);
    assert_true(size > 100 && size < sizeof content);
    content[size - 2] ^= 1; /* the last digit of the last rate */
    write_file(path, content, size);
    ctx = open_context(f, NULL);
    assert_true(has_logged(f, "is not used: it is damaged"));
    assert_null(rhomb_context_rates_file(ctx));
    expect_source(ctx, "the tuning table");
    /* A whole file, in which there is something else. */
    uint32_t key_size;
    memcpy(&key_size, content + 12, sizeof key_size);
    content[KEY_AT + key_size] = '\0';
    assert_true(rhomb__cache_store(ctx, content + KEY_AT, (const unsigned char *)"rhomb", 5));
    rhomb_context_destroy(ctx);
    ctx = open_context(f, NULL);
    assert_true(has_logged(f, "are implausible"));
    expect_source(ctx, "the tuning table");

    assert_int_equal(rhomb_context_calibrate(ctx, NULL), RHOMB_OK);
    assert_string_equal(rhomb_context_rates_file(ctx), path);
    rhomb_context_destroy(ctx);
    ctx = open_context(f, NULL);
    expect_source(ctx, "measured on this device");
    rhomb_context_destroy(ctx);
}

/* Nowhere to store: the context that measured goes by it, the next one measures again. */
static void test_unwritable(void **state)
{
    fixture *f = *state;
    char below_file[96];
    snprintf(below_file, sizeof below_file, "%s/file", f->folder);
    write_file(below_file, "", 0);
    snprintf(below_file, sizeof below_file, "%s/file/cache", f->folder);
    const char *const folders[] = {"off", below_file};
    for (size_t i = 0; i < COUNT(folders); i++) {
        rhomb_rates rates = RHOMB_RATES_INIT;
        rhomb_context *ctx = open_context(f, folders[i]);
        assert_int_equal(rhomb_context_calibrate(ctx, &rates), RHOMB_OK);
        check_rates(&rates);
        assert_null(rhomb_context_rates_file(ctx));
        expect_source(ctx, "measured on this device");
        assert_string_equal(rhomb_context_error(ctx), "");
        rhomb_context_destroy(ctx);
        ctx = open_context(f, folders[i]);
        expect_source(ctx, "the tuning table");
        rhomb_context_destroy(ctx);
    }
}

static void test_arguments(void **state)
{
    fixture *f = *state;
    rhomb_rates rates = RHOMB_RATES_INIT;
    rhomb_context *ctx = open_context(f, NULL);
    assert_int_equal(rhomb_context_calibrate(NULL, &rates), RHOMB_ERR_ARGUMENT);
    assert_null(rhomb_context_rates_file(NULL));
    rates.struct_size = sizeof rates + 1;
    assert_int_equal(rhomb_context_calibrate(ctx, &rates), RHOMB_ERR_ARGUMENT);
    assert_non_null(strstr(rhomb_context_error(ctx), "rhomb_rates has a struct_size"));
    rhomb_context_destroy(ctx);
}

/*
 * Rates that are measured, whatever they are, make estimates and never a choice: not of the engine,
 * and not of what comes before it takes over. Given ones do. Nothing is measured unasked.
 */
static void test_choices(void **state)
{
    static const rhomb_rates MEASURED[] = {
        {sizeof(rhomb_rates), 2e6, 1e-9, 1e6, 1e-9, 1e6},
        {sizeof(rhomb_rates), 1e15, 1e-9, 1e6, 0.1, 1e9},
        {sizeof(rhomb_rates), 1e5, 0.1, 1e17, 1e-9, 1e9},
    };
    fixture *f = *state;
    rhomb_report first, other;
    rhomb_context *ctx = open_context(f, "off");
    assert_int_equal(solve(f, ctx, RHOMB_ENGINE_AUTO, NULL, &first), RHOMB_OK);
    for (size_t i = 0; i < COUNT(MEASURED); i++) {
        ctx->stream.device->rates.values = MEASURED[i];
        ctx->stream.device->rates.source = "a test";
        assert_int_equal(solve(f, ctx, RHOMB_ENGINE_AUTO, NULL, &other), RHOMB_OK);
        assert_int_equal(other.distance, f->distance);
        assert_string_equal(other.plan->engine, first.plan->engine);
        assert_int_equal(other.batches, first.batches);
        assert_int_equal(other.beam_cells, first.beam_cells);
        assert_int_equal(other.beam_bound, first.beam_bound);
        assert_string_equal(other.plan->rates_source, "a test");
        assert_string_equal(other.plan->profile_source, first.plan->profile_source);
    }
    assert_int_equal(solve(f, ctx, RHOMB_ENGINE_AUTO, &MEASURED[1], &other), RHOMB_OK);
    assert_string_equal(other.plan->engine, "wavefront");
    assert_string_equal(other.plan->profile_source, "given");
    assert_int_equal(solve(f, ctx, RHOMB_ENGINE_AUTO, &MEASURED[2], &other), RHOMB_OK);
    assert_string_equal(other.plan->engine, "bitparallel");
    assert_false(has_logged(f, "rates: "));
    rhomb_context_destroy(ctx);
}

/* Each function that a measurement calls, at its first call and at later ones. */
static const struct {
    const char *function;
    int64_t call;
} FAULTS[] = {
    {"clCreateBuffer", 1},
    {"clCreateBuffer", 9},
    {"clCreateKernel", 1},
    {"clCreateKernel", 12},
    {"clEnqueueWriteBuffer", 1},
    {"clEnqueueWriteBuffer", 20},
    {"clSetKernelArg", 1},
    {"clSetKernelArg", 2000},
    {"clEnqueueNDRangeKernel", 1},
    {"clEnqueueNDRangeKernel", 300},
    {"clEnqueueReadBuffer", 1},
    {"clEnqueueReadBuffer", 8},
    {"clEnqueueFillBuffer", 1},
    {"clEnqueueMarkerWithWaitList", 1},
    {"clFlush", 5},
    {"clGetEventInfo", 1},
    {"clGetEventInfo", 40},
};

/* Asked for, a measurement that fails says so, and leaves the rates as they were. */
static void test_faults(void **state)
{
    fixture *f = *state;
    rhomb_context *ctx = open_context(f, "off");
    rhomb_report report;
    assert_int_equal(solve(f, ctx, RHOMB_ENGINE_AUTO, NULL, &report), RHOMB_OK);
    for (size_t i = 0; i < COUNT(FAULTS); i++) {
        const fault_plan plan = {.function = FAULTS[i].function, .call = FAULTS[i].call};
        rhomb_rates rates = RHOMB_RATES_INIT;
        fault_begin(&plan);
        const rhomb_status status = rhomb_context_calibrate(ctx, &rates);
        const fault_outcome outcome = fault_end();
        if (outcome.function == NULL || status == RHOMB_OK ||
            strstr(rhomb_context_error(ctx), FAULTS[i].function) == NULL)
            fail_msg("call %d of %s, %d in all: %s: %s", (int)FAULTS[i].call, FAULTS[i].function,
                     (int)outcome.calls, rhomb_status_name(status), rhomb_context_error(ctx));
        assert_true(rates.cells_per_second == 0 && rates.bases_per_second == 0);
        assert_null(rhomb_context_rates_file(ctx));
        expect_source(ctx, "the tuning table");
        fault_check_use();
    }
    rhomb_context_destroy(ctx);
    assert_int_equal(fault_live_handles(), 0);
}

/* A device that computes wrong results is not to be trusted. */
static void test_wrong_result(void **state)
{
    fixture *f = *state;
    const fault_plan plan = {.tamper = fault_hide_meeting};
    rhomb_context *ctx = open_context(f, "off");
    assert_int_equal(rhomb_context_self_test(ctx), RHOMB_OK);
    fault_begin(&plan);
    const rhomb_status status = rhomb_context_calibrate(ctx, NULL);
    fault_end();
    if (status != RHOMB_ERR_DEVICE_WRONG_RESULT ||
        strstr(rhomb_context_error(ctx), "while its rates were measured") == NULL)
        fail_msg("%s: %s", rhomb_status_name(status), rhomb_context_error(ctx));
    expect_source(ctx, "the tuning table");
    rhomb_context_destroy(ctx);
    assert_int_equal(fault_live_handles(), 0);
}

int main(void)
{
    /* In this order: the second to fourth need what the first one has stored. */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_stored, start_afresh),
        cmocka_unit_test_setup(test_key, start_afresh),
        cmocka_unit_test_setup(test_damaged, start_afresh),
        cmocka_unit_test_setup(test_unwritable, start_afresh),
        cmocka_unit_test_setup(test_arguments, start_afresh),
        cmocka_unit_test_setup(test_choices, start_afresh),
        cmocka_unit_test_setup(test_faults, start_afresh),
        cmocka_unit_test_setup(test_wrong_result, start_afresh),
    };
    return fault_has_device() ? cmocka_run_group_tests(tests, group_set_up, group_tear_down) : 77;
}
