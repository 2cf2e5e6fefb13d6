/* SPDX-License-Identifier: MIT */
/* The sequences of a matrix and their names, see matrix_run.h. */
#include "host/cli/matrix/matrix_run.h"

#include "host/cli/command/options.h"

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

/* Sequences whose names must differ: those of a set. */
typedef struct range {
    int64_t begin, end;
} range;

/* The sequences of a set by name; the caller frees the list. NULL without memory. */
static named *sort_names(const cli_matrix_sequences *s, range set)
{
    const size_t count = (size_t)(set.end - set.begin);
    named *list = malloc((count + 1) * sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++)
        list[i] = (named){s->list[set.begin + (int64_t)i].name, set.begin + (int64_t)i};
    if (list != NULL)
        qsort(list, count, sizeof *list, compare_names);
    return list;
}

/* The file that has a sequence. */
static const char *file_of(const cli_matrix_sequences *s, int64_t index)
{
    const cli_operand_list *files = &s->inputs;
    int file = 0;
    int64_t before = 0;
    if (s->by_file)
        return cli_input_name(files->names[index]);
    while (before + rhomb_sequence_set_count(s->sets[file]) <= index)
        before += rhomb_sequence_set_count(s->sets[file++]);
    return cli_input_name(files->names[file]);
}

/* "FILE:NAME" for a sequence, FILE for a file. */
static bool add_file(cli_matrix_sequences *s, int64_t index)
{
    const char *path = file_of(s, index);
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

/* Gives names that several sequences of a set have their files. */
static bool add_files(cli_matrix_sequences *s, range set)
{
    named *list = sort_names(s, set);
    bool *twice = calloc((size_t)s->count + 1, sizeof *twice);
    bool good = list != NULL && twice != NULL;
    for (int64_t i = 1; good && i < set.end - set.begin; i++)
        if (strcmp(list[i - 1].name, list[i].name) == 0)
            twice[list[i - 1].index] = twice[list[i].index] = true;
    free(list);
    for (int64_t i = set.begin; good && i < set.end; i++)
        if (twice[i] && s->inputs.count > 1)
            good = add_file(s, i);
    free(twice);
    return good;
}

/* Names that several sequences of a set have get their files; then all must differ. */
static int make_unique(cli_matrix_sequences *s, range set)
{
    named *list = add_files(s, set) ? sort_names(s, set) : NULL;
    if (list == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    int status = CLI_OK;
    for (int64_t i = 1; i < set.end - set.begin && status == CLI_OK; i++)
        if (strcmp(list[i - 1].name, list[i].name) == 0)
            status = cli_fail_with(CLI_INPUT, "two %s have the name '%s'",
                                   s->by_file ? "files" : "sequences", list[i].name);
    free(list);
    return status;
}

int cli_matrix_fail(const rhomb_context *ctx, rhomb_status status, const cli_matrix_sequences *s)
{
    const int code = cli_fail(ctx, status);
    const char *text = rhomb_context_error(ctx);
    for (int64_t i = 0; i < s->count && status == RHOMB_ERR_ALPHABET; i++) {
        const size_t length = strlen(s->list[i].name);
        if (s->owned[i] == NULL && strncmp(text, s->list[i].name, length) == 0 &&
            strncmp(text + length, ": ", 2) == 0) {
            cli_say("%s of %s", s->list[i].name, file_of(s, i));
            cli_say_if_pairs(file_of(s, i));
        }
    }
    return code;
}

static int list_files(cli_matrix_sequences *s)
{
    for (int64_t i = 0; i < s->count; i++) {
        const cli_assembly *a = s->assemblies[i];
        s->owned[i] = cli_stem(s->inputs.names[i]);
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

static int read_sets(rhomb_context *ctx, cli_matrix_sequences *s)
{
    const cli_operand_list *files = &s->inputs;
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

/* All files: that of the columns comes first. */
static int list_inputs(const cli_matrix_arguments *args, cli_matrix_sequences *s)
{
    const char **names = calloc((size_t)args->files.count + 1, sizeof *names);
    if (names == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    s->has_two = args->against != NULL;
    s->inputs.names = names;
    if (s->has_two)
        names[s->inputs.count++] = args->against;
    for (int i = 0; i < args->files.count; i++)
        names[s->inputs.count++] = args->files.names[i];
    return CLI_OK;
}

int cli_matrix_read(rhomb_context *ctx, const cli_matrix_arguments *args, cli_matrix_sequences *s)
{
    int status = list_inputs(args, s);
    if (status == CLI_OK)
        status = args->by_file ? cli_matrix_files_read(args, s) : read_sets(ctx, s);
    if (status == CLI_OK && s->has_two)
        s->columns = args->by_file ? 1 : rhomb_sequence_set_count(s->sets[0]);
    if (status == CLI_OK)
        status = make_room(s);
    if (status == CLI_OK)
        status = args->by_file ? list_files(s) : list_records(ctx, s);
    if (status == CLI_OK)
        status = make_unique(s, (range){0, s->columns});
    return status == CLI_OK ? make_unique(s, (range){s->columns, s->count}) : status;
}

int64_t cli_matrix_number(const cli_matrix_sequences *s, cli_matrix_cell c)
{
    return s->has_two ? (c.row - s->columns) * s->columns + c.column
                      : rhomb_matrix_pair(c.row, c.column);
}

int64_t cli_matrix_pairs(const cli_matrix_sequences *s)
{
    return s->count > 0 ? cli_matrix_number(s, (cli_matrix_cell){s->count, 0}) : 0;
}

cli_matrix_cell cli_matrix_after(const cli_matrix_sequences *s, cli_matrix_cell c)
{
    const int64_t width = s->has_two ? s->columns : c.row;
    return c.column + 1 < width ? (cli_matrix_cell){c.row, c.column + 1}
                                : (cli_matrix_cell){c.row + 1, 0};
}

cli_matrix_cell cli_matrix_cell_of(const cli_matrix_sequences *s, int64_t pair)
{
    cli_matrix_cell c = {s->has_two ? s->columns : 1, 0};
    while (c.row < s->count && cli_matrix_number(s, (cli_matrix_cell){c.row + 1, 0}) <= pair)
        c.row++;
    c.column = pair - cli_matrix_number(s, c);
    return c;
}

void cli_matrix_sequences_release(cli_matrix_sequences *s)
{
    for (int64_t i = 0; s->owned != NULL && i < s->count; i++)
        free(s->owned[i]);
    for (int i = 0; s->sets != NULL && i < s->files; i++)
        rhomb_sequence_set_destroy(s->sets[i]);
    for (int64_t i = 0; s->readers != NULL && i < s->count; i++)
        cli_assembly_release(s->readers[i]);
    for (int64_t i = 0; s->strands != NULL && i < s->count; i++)
        free(s->strands[i]);
    free(s->strands);
    free(s->turned);
    free(s->readers);
    free(s->assemblies);
    free(s->owned);
    free(s->list);
    free(s->sets);
    free((void *)(uintptr_t)s->inputs.names);
}
