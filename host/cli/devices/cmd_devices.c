/* SPDX-License-Identifier: MIT */
/*
 * rhomb devices: the OpenCL devices, what "auto" would choose and why, and whether the devices
 * compute right results.
 */
#include "host/cli/command/options.h"

typedef struct arguments {
    const char *cache_dir;
    bool json;
    bool self_test;
} arguments;

/* What the self-test of a device gave. */
typedef struct test_verdict {
    bool tested;
    rhomb_status status;
    double seconds;
    char *detail; /* owned; NULL if there is none */
} test_verdict;

/* The devices, and what their self-tests gave. */
typedef struct listing {
    arguments args;
    int argc; /* the command line, for JSON */
    char **argv;
    rhomb_context *ctx;
    const rhomb_device_info *const *list;
    size_t count;
    test_verdict *verdicts; /* one for each device */
} listing;

static const rhomb_device_info *chosen_device(const listing *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->list[i]->chosen)
            return s->list[i];
    }
    return NULL;
}

/* Opens and tests one device. Its index is a selector that no name can be mistaken for. */
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

static void print_table(const listing *s)
{
    widths w = {.name = (int)strlen("NAME"), .driver = (int)strlen("DRIVER")};
    for (size_t i = 0; i < s->count; i++) {
        w.name = wider(w.name, s->list[i]->name);
        w.driver = wider(w.driver, s->list[i]->driver_version);
    }
    printf("  %5s  %-11s  %-*s  %10s  %-*s  %s\n", "INDEX", "KIND", w.name, "NAME", "MEMORY",
           w.driver, "DRIVER", "NOTE");
    for (size_t i = 0; i < s->count; i++) {
        const rhomb_device_info *device = s->list[i];
        cli_text memory;
        printf("%c %5d  %-11s  %-*s  %10s  %-*s  %s\n", device->chosen ? '*' : ' ',
               (int)device->index, cli_device_kind_name(device->kind), w.name, device->name,
               cli_show_bytes(device->memory_bytes, &memory), w.driver, device->driver_version,
               device->note);
    }
    const rhomb_device_info *chosen = chosen_device(s);
    if (chosen != NULL)
        printf("\n* 'auto' opens device %d, %s: %s\n", (int)chosen->index, chosen->name,
               chosen->note);
}

static void print_verdicts(const listing *s)
{
    printf("\n");
    for (size_t i = 0; i < s->count; i++) {
        const test_verdict *verdict = &s->verdicts[i];
        cli_text seconds;
        printf("self-test of device %d: ", (int)s->list[i]->index);
        if (!verdict->tested)
            printf("not run, the device is not usable\n");
        else if (verdict->status == RHOMB_OK)
            printf("passed in %s\n", cli_show_seconds(verdict->seconds, &seconds));
        else
            printf("FAILED, %s: %s\n", rhomb_status_text(verdict->status),
                   verdict->detail != NULL ? verdict->detail : "");
    }
}

#define FIELDS "host/cli/devices/devices.def"
#include "host/cli/base/fields.inc"

const cli_document cli_document_devices = {"rhomb.devices.1", "rhomb devices --json",
                                           describe_devices, false};

/* False, with a message, without memory. */
static bool print_json(const listing *s)
{
    cli_json json = cli_json_start(cli_document_devices.name, s->argc, s->argv);
    write_devices(&json, json.root, s);
    return cli_json_finish(&json, stdout);
}

static void print_text(const listing *s)
{
    if (s->count > 0)
        print_table(s);
    if (s->count > 0 && s->args.self_test)
        print_verdicts(s);
}

/* Tests what is usable. The first failure is the exit status. */
static int test_devices(listing *s)
{
    int status = CLI_OK;
    for (size_t i = 0; s->args.self_test && i < s->count; i++) {
        if (!s->list[i]->usable)
            continue;
        s->verdicts[i] = test_device(s->ctx, s->list[i]);
        if (status == CLI_OK && s->verdicts[i].status != RHOMB_OK)
            status = rhomb_status_class(s->verdicts[i].status);
    }
    return status;
}

static int work(listing *s)
{
    rhomb_status status = cli_context_create(&s->ctx, s->args.cache_dir, 0);
    if (status == RHOMB_OK)
        status = rhomb_context_devices(s->ctx, &s->list, &s->count);
    if (status != RHOMB_OK)
        return cli_fail(s->ctx, status);
    s->verdicts = calloc(s->count + 1, sizeof *s->verdicts);
    if (s->verdicts == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    if (s->count == 0)
        cli_fail(s->ctx, RHOMB_ERR_NO_DEVICE); /* with the hints that the context holds now */
    const int tested = test_devices(s);
    if (!s->args.json)
        print_text(s);
    else if (!print_json(s))
        return CLI_MEMORY;
    if (tested != CLI_OK || chosen_device(s) != NULL)
        return tested;
    if (s->count > 0)
        cli_error("%s: the notes say why", rhomb_status_text(RHOMB_ERR_NO_DEVICE));
    return CLI_DEVICE;
}

static int run(int argc, char **argv)
{
    listing s = {.argc = argc, .argv = argv};
    int status = cli_read_options(&cli_command_devices, argc, argv, &s.args);
    if (status == CLI_OK)
        status = work(&s);
    for (size_t i = 0; s.verdicts != NULL && i < s.count; i++)
        free(s.verdicts[i].detail);
    free(s.verdicts);
    rhomb_context_destroy(s.ctx);
    return status;
}

#define AT(member) offsetof(arguments, member)

static const cli_option OPTIONS[] = {
    CLI_SWITCH("self-test", AT(self_test), true,
               "build the kernels for every usable device and compare their results with known "
               "answers"),
    CLI_SWITCH("json", AT(json), true, "everything that is known, as JSON"),
    CLI_ROW_CACHE_DIR(AT(cache_dir)),
    {.name = NULL},
};

const cli_command cli_command_devices = {
    .name = "devices",
    .summary = "list the OpenCL devices, and which one would be used",
    .usage = "[OPTION...]",
    .about = "Lists the devices of all OpenCL platforms. '*' marks the one that 'auto' opens; the "
             "note says why, or what a device lacks. Without a usable device the exit status is 4.",
    .common = {"self-test", "json"},
    .examples = {"--self-test", "--json"},
    .options = {OPTIONS, [CLI_GROUP_MESSAGES] = cli_message_options},
    .run = run,
};
