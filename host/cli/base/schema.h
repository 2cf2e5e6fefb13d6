/* SPDX-License-Identifier: MIT */
/*
 * What the program's JSON has, as JSON Schema (draft 2020-12): each field with its type, unit and
 * meaning, and no others. The fields come from the lists that write them, see fields.inc.
 */
#ifndef RHOMB_CLI_SCHEMA_H
#define RHOMB_CLI_SCHEMA_H

#include <stdbool.h>

/* An object that is being described. */
typedef struct cli_schema {
    struct cli_json *json;
    struct cJSON *required;
    struct cJSON *properties;
    bool is_optional;  /* what comes next may be missing */
    const char *since; /* the version that had it first; NULL: 0.2.0 or earlier */
} cli_schema;

/* Describes the fields of an object. */
typedef void (*cli_describe)(cli_schema *schema);

/* A document that the program writes: an object. */
typedef struct cli_document {
    const char *name;    /* its "schema" */
    const char *meaning; /* the command that writes it */
    cli_describe describe;
    bool is_bare; /* without the members of cli_json_start() */
} cli_document;

extern const cli_document cli_document_distance, cli_document_distances, cli_document_align,
    cli_document_alignments, cli_document_plan, cli_document_mode_plan, cli_document_batch,
    cli_document_report, cli_document_devices, cli_document_ranges, cli_document_range;

/* Prints the schema of a document on standard output. The exit status. */
int cli_schema_print(const cli_document *document);

/* Adds a field of a JSON type, with its unit, "" without; returns its schema. */
struct cJSON *cli_schema_value(cli_schema *schema, const char *name, const char *type,
                               bool is_nullable, const char *unit, const char *meaning);
/* A text that is one of some words, the last of which is NULL. */
void cli_schema_words(cli_schema *schema, const char *name, bool is_nullable, const char *meaning,
                      const char *const *words);
void cli_schema_object(cli_schema *schema, const char *name, bool is_nullable, const char *meaning,
                       cli_describe describe);
/* An array of objects. */
void cli_schema_list(cli_schema *schema, const char *name, const char *meaning,
                     cli_describe describe);
/* "operations", an array of [length, operation]. */
void cli_schema_operations(cli_schema *schema, bool is_nullable, const char *meaning);

#endif
