/* SPDX-License-Identifier: MIT */
/*
 * Builds JSON with cJSON without losing anything: integers keep all 64 bits, names that are not
 * UTF-8 become valid text, and running out of memory is reported once, at the end. A `cli_json`
 * records the failure; every function may be called after one.
 */
#ifndef RHOMB_CLI_JSON_H
#define RHOMB_CLI_JSON_H

#include <cJSON.h>

#include "host/cli/base/cli.h"

typedef struct cli_json {
    cJSON *root;
    bool failed; /* out of memory */
} cli_json;

/* A document that is one object, with "schema", the program's version in "rhomb", and "command". */
cli_json cli_json_start(const char *schema, int argc, char **argv);
/*
 * The document as indented text without a line end, to be released by cJSON_free(). Releases the
 * document. NULL, with a message, if there is no memory.
 */
char *cli_json_print(cli_json *json);

/*
 * With -v, a line of the members of an object that are not 0, null or false: "LABEL: MEMBER VALUE,
 * ...", and one for each object in its lists; bytes, and numbers of seconds or in what is labelled
 * "time...", as people read them. Releases the report.
 */
void cli_json_note(const char *label, cli_json *json);
/* Writes the document as indented text and releases it. False, with a message, if out of memory. */
bool cli_json_finish(cli_json *json, FILE *stream);
/* Appends the document in one line, without its end if more members follow, and releases it. */
void cli_json_append_row(cli_json *json, bool is_open, cli_buffer *out);

/* Members of `object`, which may be NULL after a failure. */
cJSON *cli_json_object(cli_json *json, cJSON *object, const char *name);
cJSON *cli_json_array(cli_json *json, cJSON *object, const char *name);
void cli_json_text(cli_json *json, cJSON *object, const char *name, const char *text); /* or null */
void cli_json_integer(cli_json *json, cJSON *object, const char *name, int64_t value);
void cli_json_number(cli_json *json, cJSON *object, const char *name, double value);
void cli_json_bool(cli_json *json, cJSON *object, const char *name, bool value);
void cli_json_null(cli_json *json, cJSON *object, const char *name);

/* At the end of an array: a new object, a text or null. */
cJSON *cli_json_append_object(cli_json *json, cJSON *array);
void cli_json_append_text(cli_json *json, cJSON *array, const char *text);

#endif
