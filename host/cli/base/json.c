/* SPDX-License-Identifier: MIT */
/*
 * JSON, see json.h. cJSON keeps numbers as doubles, so integers are added as raw text.
 */
#include "host/cli/base/json.h"

#include "host/cli/base/text_buffer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void check(cli_json *json, const void *added)
{
    if (added == NULL)
        json->failed = true;
}

/* A copy with U+FFFD for every byte that is not part of UTF-8 text. The caller frees it. */
static char *valid_utf8(const char *text)
{
    static const char REPLACEMENT[] = "\xef\xbf\xbd";
    char *copy = malloc(3 * strlen(text) + 1);
    if (copy == NULL)
        return NULL;
    char *end = copy;
    while (*text != '\0') {
        const size_t length = cli_utf8_length(text);
        const size_t written = length == 0 ? 3 : length;
        memcpy(end, length == 0 ? REPLACEMENT : text, written);
        end += written;
        text += length == 0 ? 1 : length;
    }
    *end = '\0';
    return copy;
}

cJSON *cli_json_object(cli_json *json, cJSON *object, const char *name)
{
    cJSON *added = cJSON_AddObjectToObject(object, name);
    check(json, added);
    return added;
}

cJSON *cli_json_array(cli_json *json, cJSON *object, const char *name)
{
    cJSON *added = cJSON_AddArrayToObject(object, name);
    check(json, added);
    return added;
}

void cli_json_text(cli_json *json, cJSON *object, const char *name, const char *text)
{
    if (text == NULL) {
        cli_json_null(json, object, name);
        return;
    }
    char *valid = valid_utf8(text);
    check(json, valid == NULL ? NULL : cJSON_AddStringToObject(object, name, valid));
    free(valid);
}

void cli_json_integer(cli_json *json, cJSON *object, const char *name, int64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, value);
    check(json, cJSON_AddRawToObject(object, name, digits));
}

void cli_json_number(cli_json *json, cJSON *object, const char *name, double value)
{
    check(json, cJSON_AddNumberToObject(object, name, value));
}

void cli_json_bool(cli_json *json, cJSON *object, const char *name, bool value)
{
    check(json, cJSON_AddBoolToObject(object, name, value));
}

void cli_json_null(cli_json *json, cJSON *object, const char *name)
{
    check(json, cJSON_AddNullToObject(object, name));
}

/* Adds an item to an array, and returns it; NULL if there is none, or no memory. */
static cJSON *append(cli_json *json, cJSON *array, cJSON *item)
{
    if (item != NULL && !cJSON_AddItemToArray(array, item)) {
        cJSON_Delete(item);
        item = NULL;
    }
    check(json, item);
    return item;
}

cJSON *cli_json_append_object(cli_json *json, cJSON *array)
{
    return append(json, array, cJSON_CreateObject());
}

static void append_text(cli_json *json, cJSON *array, const char *text)
{
    char *valid = valid_utf8(text);
    append(json, array, valid == NULL ? NULL : cJSON_CreateString(valid));
    free(valid);
}

cli_json cli_json_start(const char *schema, int argc, char **argv)
{
    cli_json json = {.root = cJSON_CreateObject()};
    check(&json, json.root);
    cli_json_text(&json, json.root, "schema", schema);
    cli_json_text(&json, json.root, "rhomb", rhomb_version());
    cJSON *command = cli_json_array(&json, json.root, "command");
    append_text(&json, command, "rhomb");
    for (int i = 0; i < argc; i++)
        append_text(&json, command, argv[i]);
    return json;
}

char *cli_json_print(cli_json *json)
{
    char *text = json->failed ? NULL : cJSON_Print(json->root);
    if (text == NULL)
        cli_error("%s: the JSON report", rhomb_status_text(RHOMB_ERR_MEMORY));
    cJSON_Delete(json->root);
    *json = (cli_json){0};
    return text;
}

bool cli_json_finish(cli_json *json, FILE *stream)
{
    char *text = cli_json_print(json);
    const bool printed = text != NULL;
    if (printed)
        fprintf(stream, "%s\n", text);
    cJSON_free(text);
    return printed;
}

void cli_json_device(cli_json *json, cJSON *object, const rhomb_device_info *device)
{
    cli_json_integer(json, object, "index", device->index);
    cli_json_text(json, object, "kind", cli_device_kind_name(device->kind));
    cli_json_text(json, object, "name", device->name);
    cli_json_text(json, object, "vendor", device->vendor);
    cli_json_text(json, object, "platform", device->platform);
    cli_json_text(json, object, "driver", device->driver_version);
    cli_json_text(json, object, "opencl_version", device->opencl_version);
    cli_json_text(json, object, "pci", device->pci);
    cli_json_text(json, object, "uuid", device->uuid);
    cli_json_integer(json, object, "memory_bytes", device->memory_bytes);
    cli_json_integer(json, object, "max_buffer_bytes", device->max_buffer_bytes);
    cli_json_integer(json, object, "local_memory_bytes", device->local_memory_bytes);
    cli_json_integer(json, object, "max_group_size", device->max_group_size);
    cli_json_integer(json, object, "compute_units", device->compute_units);
    cli_json_integer(json, object, "clock_mhz", device->clock_mhz);
    cli_json_bool(json, object, "unified_memory", device->unified_memory);
}
