/* SPDX-License-Identifier: MIT */
/* JSON Schema, see schema.h. */
#include "host/cli/base/schema.h"

#include "host/cli/base/json.h"

cJSON *cli_schema_value(cli_schema *schema, const char *name, const char *type, bool is_nullable,
                        const char *unit, const char *meaning)
{
    cli_json *json = schema->json;
    cJSON *field = cli_json_object(json, schema->properties, name);
    const char *since = schema->since != NULL ? schema->since : "";
    const bool has_unit = unit[0] != '\0', has_since = since[0] != '\0';
    char text[400];
    snprintf(text, sizeof text, "%s%s%s%s%s%s", meaning, has_unit || has_since ? " (" : "", unit,
             has_since ? (has_unit ? "; since " : "since ") : "", since,
             has_unit || has_since ? ")" : "");
    cli_json_text(json, field, "description", text);
    if (is_nullable) {
        cJSON *types = cli_json_array(json, field, "type");
        cli_json_append_text(json, types, type);
        cli_json_append_text(json, types, "null");
    } else {
        cli_json_text(json, field, "type", type);
    }
    if (!schema->is_optional)
        cli_json_append_text(json, schema->required, name);
    return field;
}

static cli_schema start_fields(cli_json *json, cJSON *object)
{
    cli_json_bool(json, object, "additionalProperties", false);
    return (cli_schema){.json = json,
                        .required = cli_json_array(json, object, "required"),
                        .properties = cli_json_object(json, object, "properties")};
}

void cli_schema_words(cli_schema *schema, const char *name, bool is_nullable, const char *meaning,
                      const char *const *words)
{
    cJSON *field = cli_schema_value(schema, name, "string", is_nullable, "", meaning);
    cJSON *list = cli_json_array(schema->json, field, "enum");
    for (; *words != NULL; words++)
        cli_json_append_text(schema->json, list, *words);
    if (is_nullable)
        cli_json_append_text(schema->json, list, NULL);
}

void cli_schema_object(cli_schema *schema, const char *name, bool is_nullable, const char *meaning,
                       cli_describe describe)
{
    cJSON *field = cli_schema_value(schema, name, "object", is_nullable, "", meaning);
    cli_schema fields = start_fields(schema->json, field);
    describe(&fields);
}

void cli_schema_list(cli_schema *schema, const char *name, const char *meaning,
                     cli_describe describe)
{
    cJSON *field = cli_schema_value(schema, name, "array", false, "", meaning);
    cJSON *items = cli_json_object(schema->json, field, "items");
    cli_json_text(schema->json, items, "type", "object");
    cli_schema fields = start_fields(schema->json, items);
    describe(&fields);
}

/* Schemas without fields, as text. */
static const char STRING[] = "{\"type\": \"string\"}";
static const char OPERATION[] =
    "{\"type\": \"array\", \"prefixItems\": [{\"type\": \"integer\", \"minimum\": 1}, "
    "{\"enum\": [\"=\", \"X\", \"I\", \"D\"]}], \"minItems\": 2, \"items\": false}";

void cli_schema_operations(cli_schema *schema, bool is_nullable, const char *meaning)
{
    cJSON_AddRawToObject(cli_schema_value(schema, "operations", "array", is_nullable, "", meaning),
                         "items", OPERATION);
}

static void describe_start(cli_schema *schema, const char *name)
{
    cli_schema_words(schema, "schema", false, "the name of this schema",
                     (const char *const[]){name, NULL});
    cli_schema_value(schema, "rhomb", "string", false, "", "the version of the program");
    cJSON_AddRawToObject(
        cli_schema_value(schema, "command", "array", false, "", "the command line, a word each"),
        "items", STRING);
}

int cli_schema_print(const cli_document *document)
{
    cli_json json = {.root = cJSON_CreateObject()};
    cli_json_text(&json, json.root, "$schema", "https://json-schema.org/draft/2020-12/schema");
    cli_json_text(&json, json.root, "title", document->name);
    cli_json_text(&json, json.root, "description", document->meaning);
    cli_json_text(&json, json.root, "type", "object");
    cli_schema fields = start_fields(&json, json.root);
    if (!document->is_bare)
        describe_start(&fields, document->name);
    document->describe(&fields);
    return cli_json_finish(&json, stdout) ? CLI_OK : CLI_MEMORY;
}
