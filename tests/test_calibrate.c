/* SPDX-License-Identifier: MIT */
/*
 * Measuring a device's rates, on the one that "auto" takes: what comes out can be, is stored, and
 * is found again; a stored file that is damaged is measured anew; a folder that cannot be written
 * and OpenCL calls that fail take nothing from a distance. How fast the device is, is not tested.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <unistd.h>

#include "cl/abi.h"
#include "fault_fixture.h"
#include "fault_opencl.h"
#include "host/cache.h"
#include "host/context.h"
#include "src/rates.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Long enough for the engine to look up several times: unrelated, about 10,000 edits. */
enum { LENGTH = 20000 };

/* Where the key stands in a file of the cache, see cache.h. */
enum { KEY_AT = 56 };

typedef struct fixture {
    char folder[64];
    char log[65536];
    fault_plan fault; /* begins with the measurement within a distance */
    bool fault_is_on;
    fault_outcome outcome;
    int polls; /* of progress, since the measurement began */
    bool measuring;
    int attempts;  /* to measure, in this context */
    bool stop;     /* from the third poll on */
    char *letters; /* target and query */
    int64_t distance;
} fixture;

static void on_log(int level, const char *text, void *user)
{
    fixture *f = user;
    const size_t length = strlen(f->log);
    (void)level;
    snprintf(f->log + length, sizeof f->log - length, "%s\n", text);
    if (strstr(text, "long enough to measure") != NULL) {
        f->measuring = true;
        f->attempts++;
        f->polls = 0;
        if (f->fault_is_on)
            fault_begin(&f->fault);
    } else if (f->measuring && (strstr(text, "rates: not measured") != NULL ||
                                strstr(text, "rates: measured in") != NULL)) {
        f->measuring = false;
        if (f->fault_is_on)
            f->outcome = fault_end();
    }
}

static int on_progress(const rhomb_progress *progress, void *user)
{
    fixture *f = user;
    (void)progress;
    return f->measuring && ++f->polls >= 3 && f->stop;
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
    f->measuring = false;
    f->attempts = 0;
    assert_int_equal(rhomb_context_create(&ctx, &options), RHOMB_OK);
    assert_int_equal(rhomb_context_open(ctx, NULL, 0), RHOMB_OK);
    return ctx;
}

/* Asks for the distance of the letters with the fixture's progress function. */
static rhomb_status solve(fixture *f, rhomb_context *ctx, rhomb_engine engine,
                          const rhomb_rates *rates, rhomb_report *report)
{
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *result = NULL;
    tuning.rates = rates;
    options.tuning = &tuning;
    options.engine = engine;
    options.progress = on_progress;
    options.progress_user = f;
    const rhomb_status status = rhomb_distance(ctx, f->letters, LENGTH, f->letters + LENGTH,
                                               LENGTH - 100, &options, &result);
    memset(report, 0, sizeof *report);
    if (result != NULL)
        *report = *rhomb_result_report(result);
    rhomb_result_destroy(result);
    fault_check_use();
    return status;
}

/*
 * Makes the context believe that its device is slow and was never measured: the wavefront of the
 * fixture's pair would take 40 s, and the sweep, which should not take over, five times as long.
 */
static void guess_slow_rates(rhomb_context *ctx)
{
    rhomb__rates *rates = &ctx->device->rates;
    *rates = rhomb__rates_of_row(&ctx->device->info);
    rates->values.cells_per_second = 2e6;
    rates->values.column_seconds = 1e-9;
    rates->values.sweep_cells_per_second = 1e6;
    rates->values.sweep_block_seconds = 1e-9;
    rates->guessed = true;
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
    fixture *f = *state;
    fault_end();
    fault_forget_handles();
    f->fault_is_on = false;
    f->stop = false;
    return 0;
}

/* --------------------------------------------------------------- measuring */

static void check_rates(const rhomb_rates *rates)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb__rates all = {.guessed = true};
    assert_true(rates->cells_per_second > 0 && rates->column_seconds > 0);
    assert_true(rates->sweep_cells_per_second > 0 && rates->sweep_block_seconds > 0);
    assert_true(rates->letters_per_second > 0);
    if (rhomb__rates_override(&error, rates, &all) != RHOMB_OK)
        fail_msg("%s", rhomb__error_text(&error));
}

static void expect_source(rhomb_context *ctx, const char *text)
{
    rhomb_plan plan;
    assert_int_equal(rhomb_plan_distance(ctx, "ACGT", 4, "AGGT", 4, NULL, &plan), RHOMB_OK);
    if (strstr(plan.rates_source, text) == NULL)
        fail_msg("rates from \"%s\", not from \"%s\"", plan.rates_source, text);
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
    const rhomb_rates *second = &ctx->device->rates.values;
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
    assert_true(has_logged(f, "makes no sense"));
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

/* ------------------------------------------------------------ by a distance */

/* A run that will take long by the guesses measures first; the next one has no need to. */
static void test_automatic(void **state)
{
    fixture *f = *state;
    rhomb_report report;
    rhomb_context *ctx = open_context(f, NULL);
    guess_slow_rates(ctx);
    assert_int_equal(solve(f, ctx, RHOMB_ENGINE_AUTO, NULL, &report), RHOMB_OK);
    assert_int_equal(report.distance, f->distance);
    assert_true(has_logged(f, "rates: measured in"));
    assert_true(report.seconds_calibrate > 0);
    assert_true(report.seconds_solve + report.seconds_calibrate < report.seconds_total);
    assert_string_equal(report.plan.rates_source, "measured on this device");
    f->log[0] = '\0';
    assert_int_equal(solve(f, ctx, RHOMB_ENGINE_AUTO, NULL, &report), RHOMB_OK);
    assert_int_equal(report.distance, f->distance);
    assert_true(report.seconds_calibrate == 0 && !has_logged(f, "rates: "));
    rhomb_context_destroy(ctx);
}

/* Not where nothing is to be chosen, where the rates are known, or where the run will be short. */
static void test_not_automatic(void **state)
{
    static const rhomb_engine forced[] = {RHOMB_ENGINE_WAVEFRONT, RHOMB_ENGINE_BITPARALLEL};
    fixture *f = *state;
    rhomb_report report;
    rhomb_context *ctx = open_context(f, "off");
    for (size_t i = 0; i < COUNT(forced); i++) {
        guess_slow_rates(ctx);
        assert_int_equal(solve(f, ctx, forced[i], NULL, &report), RHOMB_OK);
        assert_int_equal(report.distance, f->distance);
        assert_false(has_logged(f, "rates: "));
    }
    guess_slow_rates(ctx);
    const rhomb_rates slow = ctx->device->rates.values;
    assert_int_equal(solve(f, ctx, RHOMB_ENGINE_AUTO, &slow, &report), RHOMB_OK);
    assert_string_equal(report.plan.rates_source, "given");
    assert_false(has_logged(f, "rates: "));
    ctx->device->rates.guessed = false;
    assert_int_equal(solve(f, ctx, RHOMB_ENGINE_AUTO, NULL, &report), RHOMB_OK);
    assert_false(has_logged(f, "rates: "));
    ctx->device->rates = rhomb__rates_of_row(&ctx->device->info);
    assert_int_equal(solve(f, ctx, RHOMB_ENGINE_AUTO, NULL, &report), RHOMB_OK);
    assert_int_equal(report.distance, f->distance);
    assert_false(has_logged(f, "rates: "));
    rhomb_context_destroy(ctx);
}

static void test_cancelled(void **state)
{
    fixture *f = *state;
    rhomb_report report;
    rhomb_context *ctx = open_context(f, NULL);
    const int64_t handles = fault_live_handles();
    assert_int_equal(handles, 2);
    guess_slow_rates(ctx);
    f->stop = true;
    assert_int_equal(solve(f, ctx, RHOMB_ENGINE_AUTO, NULL, &report), RHOMB_ERR_CANCELLED);
    assert_true(f->measuring && f->polls == 3);
    assert_false(has_logged(f, "rates: measured in"));
    f->stop = false;
    assert_int_equal(solve(f, ctx, RHOMB_ENGINE_AUTO, NULL, &report), RHOMB_OK);
    assert_int_equal(report.distance, f->distance);
    rhomb_context_destroy(ctx);
    assert_int_equal(fault_live_handles(), 0);
}

/* ------------------------------------------------------------------ faults */

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
        assert_true(rates.cells_per_second == 0 && rates.letters_per_second == 0);
        assert_null(rhomb_context_rates_file(ctx));
        expect_source(ctx, "the tuning table");
        fault_check_use();
    }
    rhomb_context_destroy(ctx);
    assert_int_equal(fault_live_handles(), 0);
}

/* In a distance it is a message, and the run goes on by the guesses. */
static void test_automatic_faults(void **state)
{
    fixture *f = *state;
    f->fault_is_on = true;
    for (size_t i = 0; i < COUNT(FAULTS); i++) {
        rhomb_report report;
        rhomb_context *ctx = open_context(f, NULL);
        guess_slow_rates(ctx);
        f->fault = (fault_plan){.function = FAULTS[i].function, .call = FAULTS[i].call};
        memset(&f->outcome, 0, sizeof f->outcome);
        const rhomb_status status = solve(f, ctx, RHOMB_ENGINE_AUTO, NULL, &report);
        if (f->outcome.function == NULL || status != RHOMB_OK || report.distance != f->distance ||
            !has_logged(f, "rates: not measured") || !has_logged(f, FAULTS[i].function))
            fail_msg("call %d of %s: %s: %s", (int)FAULTS[i].call, FAULTS[i].function,
                     rhomb_status_name(status), rhomb_context_error(ctx));
        assert_string_equal(rhomb_context_error(ctx), "");
        assert_int_equal(f->attempts, 1);
        assert_non_null(strstr(report.plan.rates_source, "guessed"));
        assert_int_equal(solve(f, ctx, RHOMB_ENGINE_AUTO, NULL, &report), RHOMB_OK);
        assert_int_equal(f->attempts, 1); /* in vain is enough for a context */
        rhomb_context_destroy(ctx);
        assert_int_equal(fault_live_handles(), 0);
    }
}

/* A device that computes wrong results is not to be trusted with the distance either. */
static void test_wrong_result(void **state)
{
    fixture *f = *state;
    rhomb_report report;
    rhomb_context *ctx = open_context(f, NULL);
    guess_slow_rates(ctx);
    f->fault = (fault_plan){.tamper = fault_hide_meeting};
    f->fault_is_on = true;
    const rhomb_status status = solve(f, ctx, RHOMB_ENGINE_AUTO, NULL, &report);
    fault_end();
    if (status != RHOMB_ERR_DEVICE_WRONG_RESULT ||
        strstr(rhomb_context_error(ctx), "while its rates were measured") == NULL)
        fail_msg("%s: %s", rhomb_status_name(status), rhomb_context_error(ctx));
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
        cmocka_unit_test_setup(test_automatic, start_afresh),
        cmocka_unit_test_setup(test_not_automatic, start_afresh),
        cmocka_unit_test_setup(test_cancelled, start_afresh),
        cmocka_unit_test_setup(test_faults, start_afresh),
        cmocka_unit_test_setup(test_automatic_faults, start_afresh),
        cmocka_unit_test_setup(test_wrong_result, start_afresh),
    };
    return fault_has_device() ? cmocka_run_group_tests(tests, group_set_up, group_tear_down) : 77;
}
