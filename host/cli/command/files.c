/* SPDX-License-Identifier: MIT */
/* The files of a command, see command.h. */
#include "host/cli/command/command.h"

#include "host/cli/base/cli.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct file {
    const char *option; /* that names it; NULL for an operand, and for standard output without */
    const char *given;  /* that option's FILE */
    char *name;
    bool is_written;
    bool is_beside;   /* its name comes of the option's FILE */
    bool is_standard; /* output */
    bool is_there;
    struct stat info; /* of the file or, if it is not there, of its folder */
} file;

struct cli_files {
    file *list;
    size_t count;
    bool failed; /* out of memory */
};

static bool is_same(const file *a, const file *b)
{
    if (a->is_there != b->is_there || !cli_is_same_file(&a->info, &b->info))
        return false;
    return a->is_there ? S_ISREG(a->info.st_mode)
                       : strcmp(cli_base_name(a->name), cli_base_name(b->name)) == 0;
}

/* Adds a file, whose name becomes the list's; NULL is for want of memory. */
static void add(cli_files *files, const file *added)
{
    file *grown = cli_list_grown(files->list, files->count, sizeof *grown);
    files->list = grown != NULL ? grown : files->list;
    if (grown == NULL || added->name == NULL) {
        files->failed = true;
        free(added->name);
        return;
    }
    files->list[files->count++] = *added;
}

/* An input, if it is there, and its indexes. */
static void add_input(cli_files *files, const char *name)
{
    static const char *const ENDINGS[] = {"", ".fai", ".gzi"};
    const bool is_standard = strcmp(name, "-") == 0;
    for (size_t i = 0; i < (is_standard ? 1 : CLI_COUNT(ENDINGS)); i++) {
        file f = {.is_there = true,
                  .name = is_standard ? strdup(cli_input_name(name))
                                      : cli_with_ending(name, ENDINGS[i])};
        const bool found = f.name != NULL && (is_standard ? fstat(STDIN_FILENO, &f.info)
                                                          : stat(f.name, &f.info)) == 0;
        if (found || f.name == NULL)
            add(files, &f);
        else
            free(f.name);
    }
}

/* Looks at a file that is written, or at the folder where it will be. */
static bool find(file *f)
{
    f->is_there = lstat(f->name, &f->info) == 0;
    if (f->is_there)
        return true;
    const size_t length = (size_t)(cli_base_name(f->name) - f->name);
    char *folder = strndup(length > 0 ? f->name : ".", length > 0 ? length : 1);
    const bool is_found = folder != NULL && stat(folder, &f->info) == 0;
    free(folder);
    return is_found;
}

static void add_standard_output(cli_files *files, const char *option, const char *name)
{
    file f = {.option = option, .given = name, .is_written = true, .is_standard = true};
    f.name = strdup(name);
    f.is_there = fstat(STDOUT_FILENO, &f.info) == 0;
    add(files, &f);
}

static void add_output(cli_files *files, const char *option, const char *name, const char *ending)
{
    file f = {.option = option, .given = name, .is_written = true};
    f.is_beside = ending[0] != '\0';
    char *place = cli_output_place(name);
    for (size_t n = place != NULL ? strlen(place) : 0; f.is_beside && n > 1 && place[n - 1] == '/';)
        place[--n] = '\0'; /* of a folder */
    f.name = place != NULL ? cli_with_ending(place, ending) : NULL;
    files->failed = files->failed || (f.name == NULL && errno == ENOMEM);
    free(place);
    /* What cannot be found cannot be opened either, which says more. */
    if (f.name != NULL && find(&f))
        add(files, &f);
    else
        free(f.name);
}

void cli_files_beside(cli_files *files, const char *option, const char *name, const char *ending)
{
    struct stat info;
    const bool is_place =
        name != NULL && (stat(name, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
    if (is_place && !cli_is_standard_output(name))
        add_output(files, option, name, ending);
}

/* What an option names, if it is a file. True for where the data goes. */
static bool add_option(cli_files *files, const cli_option *option, const void *arguments)
{
    int word;
    if (option->kind != CLI_OPTION_INPUT && option->kind != CLI_OPTION_OUTPUT &&
        option->kind != CLI_OPTION_KEPT && option->kind != CLI_OPTION_FOLDER)
        return false;
    const char *name = *(const char *const *)(const void *)((const char *)arguments + option->at);
    if (name == NULL || cli_parse_word(name, option->words, option->word_count, &word))
        return false;
    if (option->kind == CLI_OPTION_INPUT)
        add_input(files, name);
    else if (cli_is_standard_output(name))
        add_standard_output(files, option->name, name);
    else
        add_output(files, option->name, name, "");
    return strcmp(option->name, "output") == 0;
}

static void add_operands(cli_files *files, const cli_command *command, const void *arguments)
{
    for (size_t i = 0; i < CLI_OPERANDS && command->operands[i].name != NULL; i++) {
        const void *at = (const char *)arguments + command->operands[i].at;
        const cli_operand_list one = {at, *(const char *const *)at != NULL};
        const cli_operand_list *list = command->takes_list ? at : &one;
        for (int k = 0; k < list->count; k++)
            add_input(files, list->names[k]);
    }
}

static void add_all(cli_files *files, const cli_command *command, const void *arguments)
{
    bool has_output = false;
    for (size_t i = 0; i < CLI_GROUPS; i++)
        for (const cli_option *o = command->options[i]; o != NULL && o->name != NULL; o++)
            has_output = add_option(files, o, arguments) || has_output;
    if (!has_output)
        add_standard_output(files, NULL, "-");
    if (!command->takes_words)
        add_operands(files, command, arguments);
    if (command->files != NULL)
        command->files(arguments, files);
}

/* How messages name a file that is written: "--output x.bam", "x.bam.bai (of --output)". */
typedef struct label {
    const char *parts[4];
} label;

static label label_of(const file *f)
{
    if (f->option == NULL)
        return (label){{"the output", "", "", ""}};
    return f->is_beside ? (label){{f->name, " (of --", f->option, ")"}}
                        : (label){{"--", f->option, " ", f->given}};
}

#define LABEL        "%s%s%s%s"
#define PARTS(label) (label).parts[0], (label).parts[1], (label).parts[2], (label).parts[3]

/* Compares a file that is written with the inputs, and with the outputs before it. */
static int check_file(const cli_command *command, const cli_files *files, size_t index)
{
    const file *f = &files->list[index];
    const label own = label_of(f);
    if (f->is_beside && f->is_there && !S_ISREG(f->info.st_mode))
        return cli_bad_usage(command, LABEL " is %s: remove it, or name another file", PARTS(own),
                             S_ISLNK(f->info.st_mode) ? "a link, which would be written through"
                                                      : "there, and not a regular file");
    for (size_t i = 0; i < files->count; i++) {
        const file *g = &files->list[i];
        const label other = label_of(g);
        if (!g->is_written && is_same(f, g))
            return cli_bad_usage(command, LABEL " would overwrite an input, %s: name another file",
                                 PARTS(own), g->name);
        if (!g->is_written || i >= index)
            continue;
        if (f->is_standard && g->is_standard)
            return cli_bad_usage(command,
                                 LABEL " and " LABEL " are both standard output: name a file",
                                 PARTS(other), PARTS(own));
        if (is_same(f, g))
            return cli_bad_usage(command, LABEL " and " LABEL " are one file: name another",
                                 PARTS(other), PARTS(own));
    }
    return CLI_OK;
}

int cli_files_check(const cli_command *command, const void *arguments)
{
    cli_files files = {.list = NULL};
    add_all(&files, command, arguments);
    int status = files.failed ? cli_fail(NULL, RHOMB_ERR_MEMORY) : CLI_OK;
    for (size_t i = 0; i < files.count && status == CLI_OK; i++)
        status = files.list[i].is_written ? check_file(command, &files, i) : CLI_OK;
    for (size_t i = 0; i < files.count; i++)
        free(files.list[i].name);
    free(files.list);
    return status;
}
