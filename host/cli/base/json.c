/* SPDX-License-Identifier: MIT */
/* JSON, see json.h. cJSON keeps numbers as doubles, so integers are added as raw text. */
#include "host/cli/base/json.h"

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

void cli_json_append_text(cli_json *json, cJSON *array, const char *text)
{
    if (text == NULL) {
        append(json, array, cJSON_CreateNull());
        return;
    }
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
    cli_json_append_text(&json, command, "rhomb");
    for (int i = 0; i < argc; i++)
        cli_json_append_text(&json, command, argv[i]);
    return json;
}

void cli_json_append_row(cli_json *json, bool is_open, cli_buffer *out)
{
    char *text = json->failed ? NULL : cJSON_PrintUnformatted(json->root);
    if (text != NULL)
        cli_append_bytes(out, text, strlen(text) - (is_open ? 1 : 0));
    out->failed = out->failed || text == NULL;
    cJSON_free(text);
    cJSON_Delete(json->root);
    *json = (cli_json){0};
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

/* A member's value as text; "" for what is not said. */
static const char *show_value(const char *label, const cJSON *value, cli_text *text)
{
    const bool is_raw = cJSON_IsRaw(value); /* an integer */
    const double number = is_raw ? strtod(value->valuestring, NULL) : value->valuedouble;
    if (cJSON_IsString(value))
        return value->valuestring;
    if ((!is_raw && !cJSON_IsNumber(value)) || number == 0)
        return "";
    if (strstr(value->string, "per_second") != NULL)
        return cli_show_rate(number, text);
    if (!is_raw && (strstr(value->string, "seconds") != NULL || strncmp(label, "time", 4) == 0))
        return cli_show_seconds(number, text);
    if (is_raw && strstr(value->string, "bytes") != NULL)
        return cli_show_bytes((int64_t)number, text);
    snprintf(text->text, sizeof text->text, is_raw ? "%.0f" : "%.6g", number);
    return text->text;
}

static void note_object(const char *label, const cJSON *object)
{
    cli_buffer line = {0};
    const cJSON *member, *item;
    cJSON_ArrayForEach(member, object)
    {
        cli_text text;
        const char *value = show_value(label, member, &text);
        if (value[0] == '\0' && !cJSON_IsTrue(member))
            continue;
        cli_append_text(&line, line.length > 0 ? ", " : "");
        for (const char *c = member->string; *c != '\0'; c++)
            cli_append_bytes(&line, *c == '_' ? " " : c, 1);
        cli_append_format(&line, value[0] != '\0' ? " %s" : "%s", value);
    }
    if (!line.failed && line.length > 0)
        cli_note(1, "%s: %.*s", label, (int)line.length, line.data);
    cli_buffer_release(&line);
    cJSON_ArrayForEach(member, object)
    {
        const cJSON *list = cJSON_IsArray(member) ? member : NULL;
        int number = 0;
        cJSON_ArrayForEach(item, list)
        {
            char name[64];
            snprintf(name, sizeof name, "%s, %s %d", label, member->string, ++number);
            note_object(name, item);
        }
    }
}

void cli_json_note(const char *label, cli_json *json)
{
    if (!json->failed)
        note_object(label, json->root);
    cJSON_Delete(json->root);
    *json = (cli_json){0};
}
