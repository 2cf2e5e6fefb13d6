/* SPDX-License-Identifier: MIT */
/*
 * The sequences of a matrix and their names, see matrix_run.h.
 */
#include "host/cli/matrix/matrix_run.h"

#include "host/cli/command/endings.h"

#include <stdlib.h>
#include <string.h>

static int make_room(cli_matrix_sequences *s)
{
    s->list = calloc((size_t)s->count + 1, sizeof *s->list);
    s->owned = calloc((size_t)s->count + 1, sizeof *s->owned);
    return s->list != NULL && s->owned != NULL ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

/* An entry of the list of names. */
typedef struct named {
    const char *name;
    int64_t index;
} named;

static int compare_names(const void *a, const void *b)
{
    const named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

/* The sequences by name; the caller frees the list. NULL without memory. */
static named *sort_names(const cli_matrix_sequences *s)
{
    named *list = malloc(((size_t)s->count + 1) * sizeof *list);
    for (int64_t i = 0; list != NULL && i < s->count; i++)
        list[i] = (named){s->list[i].name, i};
    if (list != NULL)
        qsort(list, (size_t)s->count, sizeof *list, compare_names);
    return list;
}

/* The file that has a sequence. */
static const char *file_of(const cli_matrix_sequences *s, const cli_operand_list *files,
                           int64_t index)
{
    int file = 0;
    int64_t before = 0;
    if (s->by_file)
        return cli_input_name(files->names[index]);
    while (before + rhomb_sequence_set_count(s->sets[file]) <= index)
        before += rhomb_sequence_set_count(s->sets[file++]);
    return cli_input_name(files->names[file]);
}

/* "FILE:NAME" for a sequence, FILE for a file. */
static bool add_file(cli_matrix_sequences *s, const cli_operand_list *files, int64_t index)
{
    const char *path = file_of(s, files, index);
    const size_t size = strlen(path) + strlen(s->list[index].name) + 2;
    char *name = malloc(size);
    if (name == NULL)
        return false;
    if (s->by_file)
        strcpy(name, path);
    else
        snprintf(name, size, "%s:%s", path, s->list[index].name);
    free(s->owned[index]);
    s->owned[index] = name;
    s->list[index].name = name;
    return true;
}

/* Gives names that several sequences have their files. */
static bool add_files(cli_matrix_sequences *s, const cli_operand_list *files)
{
    named *list = sort_names(s);
    bool *twice = calloc((size_t)s->count + 1, sizeof *twice);
    bool good = list != NULL && twice != NULL;
    for (int64_t i = 1; good && i < s->count; i++)
        if (strcmp(list[i - 1].name, list[i].name) == 0)
            twice[list[i - 1].index] = twice[list[i].index] = true;
    free(list);
    for (int64_t i = 0; good && i < s->count; i++)
        if (twice[i] && files->count > 1)
            good = add_file(s, files, i);
    free(twice);
    return good;
}

/* Names that several sequences have get their files; then all must differ. */
static int make_unique(cli_matrix_sequences *s, const cli_operand_list *files)
{
    named *list = add_files(s, files) ? sort_names(s) : NULL;
    if (list == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    int status = CLI_OK;
    for (int64_t i = 1; i < s->count && status == CLI_OK; i++)
        if (strcmp(list[i - 1].name, list[i].name) == 0)
            status = cli_fail_with(CLI_INPUT, "two %s have the name '%s'",
                                   s->by_file ? "files" : "sequences", list[i].name);
    free(list);
    return status;
}

int cli_matrix_fail(const rhomb_context *ctx, rhomb_status status, const cli_matrix_sequences *s,
                    const cli_operand_list *files)
{
    const int code = cli_fail(ctx, status);
    const char *text = rhomb_context_error(ctx);
    for (int64_t i = 0; i < s->count && status == RHOMB_ERR_ALPHABET; i++) {
        const size_t length = strlen(s->list[i].name);
        if (s->owned[i] == NULL && strncmp(text, s->list[i].name, length) == 0 &&
            strncmp(text + length, ": ", 2) == 0) {
            cli_say("%s of %s", s->list[i].name, file_of(s, files, i));
            cli_say_if_pairs(file_of(s, files, i));
        }
    }
    return code;
}

static int list_files(cli_matrix_sequences *s, const cli_operand_list *files)
{
    for (int64_t i = 0; i < s->count; i++) {
        const cli_assembly *a = s->assemblies[i];
        const char *name = cli_base_name(files->names[i]);
        s->owned[i] = strndup(name, cli_stem_length(name));
        if (s->owned[i] == NULL)
            return cli_fail(NULL, RHOMB_ERR_MEMORY);
        s->list[i].name = s->owned[i];
        for (size_t k = 0; k < a->count; k++)
            s->list[i].length += a->records[k].length;
    }
    return CLI_OK;
}

static int list_records(rhomb_context *ctx, cli_matrix_sequences *s)
{
    int64_t at = 0;
    for (int i = 0; i < s->files; i++) {
        for (int64_t k = 0; k < rhomb_sequence_set_count(s->sets[i]); k++, at++) {
            rhomb_matrix_sequence *to = &s->list[at];
            const rhomb_status got =
                rhomb_sequence_set_get(s->sets[i], k, &to->name, &to->bases, &to->length);
            if (got != RHOMB_OK)
                return cli_fail(ctx, got);
        }
    }
    return CLI_OK;
}

static int read_sets(rhomb_context *ctx, const cli_operand_list *files, cli_matrix_sequences *s)
{
    s->sets = calloc((size_t)files->count, sizeof *s->sets);
    if (s->sets == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    for (; s->files < files->count; s->files++) {
        const rhomb_status status =
            rhomb_sequence_set_read(ctx, files->names[s->files], &s->sets[s->files]);
        if (status != RHOMB_OK)
            return cli_fail(ctx, status);
        s->count += rhomb_sequence_set_count(s->sets[s->files]);
    }
    return CLI_OK;
}

int cli_matrix_read(rhomb_context *ctx, const cli_matrix_arguments *args, cli_matrix_sequences *s)
{
    const cli_operand_list *files = &args->files;
    int status = args->by_file ? cli_matrix_files_read(args, s) : read_sets(ctx, files, s);
    if (status == CLI_OK)
        status = make_room(s);
    if (status == CLI_OK)
        status = args->by_file ? list_files(s, files) : list_records(ctx, s);
    return status == CLI_OK ? make_unique(s, files) : status;
}

void cli_matrix_sequences_release(cli_matrix_sequences *s)
{
    for (int64_t i = 0; s->owned != NULL && i < s->count; i++)
        free(s->owned[i]);
    for (int i = 0; s->sets != NULL && i < s->files; i++)
        rhomb_sequence_set_destroy(s->sets[i]);
    for (int64_t i = 0; s->readers != NULL && i < s->count; i++)
        cli_assembly_release(s->readers[i]);
    free(s->readers);
    free(s->assemblies);
    free(s->owned);
    free(s->list);
    free(s->sets);
}
