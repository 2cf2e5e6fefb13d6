/* SPDX-License-Identifier: MIT */
/*
 * rhomb devices: what OpenCL offers here, what "auto" would choose and why, and whether the devices
 * compute right results.
 */
#include "cli.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>

enum { OPTION_JSON = 256, OPTION_SELF_TEST, OPTION_CACHE_DIR };

static const struct option LONGS[] = {
    {"json", no_argument, NULL, OPTION_JSON},
    {"self-test", no_argument, NULL, OPTION_SELF_TEST},
    {"cache-dir", required_argument, NULL, OPTION_CACHE_DIR},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct arguments {
    const char *cache_dir;
    bool json;
    bool self_test;
    bool help;
} arguments;

/* What the self-test of a device gave. */
typedef struct test_verdict {
    bool tested;
    rhomb_status status;
    double seconds;
    char *detail; /* owned; NULL where there is none */
} test_verdict;

static int parse(arguments *args, int argc, char **argv)
{
    int code;
    while (!args->help && (code = getopt_long(argc, argv, ":vh", LONGS, NULL)) != -1) {
        switch (code) {
        case OPTION_JSON:
            args->json = true;
            break;
        case OPTION_SELF_TEST:
            args->self_test = true;
            break;
        case OPTION_CACHE_DIR:
            args->cache_dir = optarg;
            break;
        case 'v':
            cli_set_verbosity(cli_verbosity() + 1);
            break;
        case 'h':
            args->help = true;
            break;
        default:
            return cli_bad_option(&cli_command_devices, argv, code, LONGS);
        }
    }
    if (!args->help && optind < argc)
        return cli_bad_usage(&cli_command_devices, "unexpected argument '%s'", argv[optind]);
    return CLI_OK;
}

static const rhomb_device_info *chosen_device(const rhomb_device_info *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].chosen)
            return &list[i];
    }
    return NULL;
}

/* Opens and tests one device. An index is a selector that no name can be mistaken for. */
static test_verdict test_device(rhomb_context *ctx, const rhomb_device_info *device)
{
    char selector[16];
    snprintf(selector, sizeof selector, "%d", (int)device->index);
    const double start = cli_seconds_now();
    test_verdict result = {.tested = true};
    result.status = rhomb_context_open(ctx, selector, 0);
    if (result.status == RHOMB_OK)
        result.status = rhomb_context_self_test(ctx);
    result.seconds = cli_seconds_now() - start;
    if (result.status != RHOMB_OK)
        result.detail = strdup(rhomb_context_error(ctx));
    return result;
}

/* Widths of the columns whose text differs from machine to machine. */
typedef struct widths {
    int name;
    int driver;
} widths;

static int wider(int width, const char *text)
{
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

static void print_table(const rhomb_device_info *list, size_t count)
{
    widths w = {.name = (int)strlen("NAME"), .driver = (int)strlen("DRIVER")};
    for (size_t i = 0; i < count; i++) {
        w.name = wider(w.name, list[i].name);
        w.driver = wider(w.driver, list[i].driver_version);
    }
    printf("  %5s  %-11s  %-*s  %10s  %-*s  %s\n", "INDEX", "KIND", w.name, "NAME", "MEMORY",
           w.driver, "DRIVER", "NOTE");
    for (size_t i = 0; i < count; i++) {
        const rhomb_device_info *device = &list[i];
        cli_text memory;
        printf("%c %5d  %-11s  %-*s  %10s  %-*s  %s\n", device->chosen ? '*' : ' ',
               (int)device->index, cli_device_kind_name(device->kind), w.name, device->name,
               cli_show_bytes(device->memory_bytes, &memory), w.driver, device->driver_version,
               device->note);
    }
    const rhomb_device_info *chosen = chosen_device(list, count);
    if (chosen != NULL)
        printf("\n* 'auto' opens device %d, %s: %s\n", (int)chosen->index, chosen->name,
               chosen->note);
}

static void print_verdicts(const rhomb_device_info *list, const test_verdict *verdicts,
                           size_t count)
{
    printf("\n");
    for (size_t i = 0; i < count; i++) {
        cli_text seconds;
        printf("self-test of device %d: ", (int)list[i].index);
        if (!verdicts[i].tested)
            printf("not run, the device is not usable\n");
        else if (verdicts[i].status == RHOMB_OK)
            printf("passed in %s\n", cli_show_seconds(verdicts[i].seconds, &seconds));
        else
            printf("FAILED, %s: %s\n", rhomb_status_text(verdicts[i].status),
                   verdicts[i].detail != NULL ? verdicts[i].detail : "");
    }
}

static void add_verdict(cli_json *json, cJSON *object, const test_verdict *verdict)
{
    if (!verdict->tested) {
        cli_json_null(json, object, "self_test");
        return;
    }
    cJSON *member = cli_json_object(json, object, "self_test");
    cli_json_bool(json, member, "passed", verdict->status == RHOMB_OK);
    cli_json_text(json, member, "status", rhomb_status_name(verdict->status));
    cli_json_text(json, member, "detail", verdict->detail);
    cli_json_number(json, member, "seconds", verdict->seconds);
}

/* False, with a message, without memory. */
static bool print_json(const rhomb_device_info *list, const test_verdict *verdicts, size_t count,
                       int argc, char **argv)
{
    cli_json json = cli_json_start("rhomb.devices.1", argc, argv);
    cJSON *array = cli_json_array(&json, json.root, "devices");
    for (size_t i = 0; i < count; i++) {
        cJSON *object = cli_json_append_object(&json, array);
        cli_json_device(&json, object, &list[i]);
        cli_json_bool(&json, object, "usable", list[i].usable);
        cli_json_bool(&json, object, "chosen", list[i].chosen);
        cli_json_text(&json, object, "note", list[i].note);
        add_verdict(&json, object, &verdicts[i]);
    }
    return cli_json_finish(&json, stdout);
}

/* Tests what is usable and prints everything. `verdicts` has `count` empty places. */
static int report(rhomb_context *ctx, const arguments *args, const rhomb_device_info *list,
                  size_t count, test_verdict *verdicts, int argc, char **argv)
{
    int status = CLI_OK;
    for (size_t i = 0; args->self_test && i < count; i++) {
        if (!list[i].usable)
            continue;
        verdicts[i] = test_device(ctx, &list[i]);
        if (status == CLI_OK && verdicts[i].status != RHOMB_OK)
            status = rhomb_status_class(verdicts[i].status);
    }
    if (args->json) {
        if (!print_json(list, verdicts, count, argc, argv))
            return CLI_MEMORY;
    } else if (count > 0) {
        print_table(list, count);
        if (args->self_test)
            print_verdicts(list, verdicts, count);
    }
    return status;
}

static int work(const arguments *args, int argc, char **argv)
{
    rhomb_context *ctx = NULL;
    test_verdict *verdicts = NULL;
    const rhomb_device_info *list = NULL;
    size_t count = 0;
    int exit_status = CLI_OK;
    const rhomb_context_options options = {
        .struct_size = sizeof options, .cache_dir = args->cache_dir, .log = cli_log};

    rhomb_status status = rhomb_context_create(&ctx, &options);
    if (status == RHOMB_OK)
        status = rhomb_context_devices(ctx, &list, &count);
    if (status != RHOMB_OK) {
        exit_status = cli_fail(ctx, status);
        goto out;
    }
    verdicts = calloc(count + 1, sizeof *verdicts);
    if (verdicts == NULL) {
        exit_status = cli_fail(NULL, RHOMB_ERR_MEMORY);
        goto out;
    }
    if (count == 0)
        cli_fail(ctx, RHOMB_ERR_NO_DEVICE); /* with the hints that the context holds now */
    exit_status = report(ctx, args, list, count, verdicts, argc, argv);
    if (exit_status == CLI_OK && chosen_device(list, count) == NULL) {
        if (count > 0)
            cli_error("%s: the notes say why", rhomb_status_text(RHOMB_ERR_NO_DEVICE));
        exit_status = CLI_DEVICE;
    }

out:
    for (size_t i = 0; verdicts != NULL && i < count; i++)
        free(verdicts[i].detail);
    free(verdicts);
    rhomb_context_destroy(ctx);
    return exit_status;
}

static int run(int argc, char **argv)
{
    arguments args = {0};
    const int status = parse(&args, argc, argv);
    if (status != CLI_OK)
        return status;
    return args.help ? cli_show_help(&cli_command_devices) : work(&args, argc, argv);
}

const cli_command cli_command_devices = {
    .name = "devices",
    .summary = "what OpenCL offers, and what would be chosen",
    .help = "usage: rhomb devices [OPTION...]\n"
            "\n"
            "Lists the devices of all OpenCL platforms. '*' marks the one that 'auto' opens; the\n"
            "note says why, or what a device lacks. Without a usable device the exit status is 4.\n"
            "\n"
            "      --self-test      build the kernels for every usable device and compare their\n"
            "                       results with known answers\n"
            "      --json           everything that is known, as JSON\n"
            "      --cache-dir DIR  folder of compiled kernels; 'off' for none\n"
            "  -v, --verbose        the library's messages; twice for more\n"
            "  -h, --help           this text\n",
    .run = run,
};
