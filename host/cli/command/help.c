/* SPDX-License-Identifier: MIT */
/*
 * The help of a command, from its tables: texts are wrapped, options aligned. And the tables for
 * the completion of shells.
 */
#include "host/cli/command/command.h"

enum { WIDTH = 80, HELP_COLUMN = 28 };

static const char *const TITLES[CLI_GROUPS] = {
    "Options", "Input",   "What to compare", "Ranges",      "Scoring and mode",
    "Output",  "Devices", "Long runs",       "For experts", "Messages"};

/*
 * Prints words in lines that begin at `indent`, the first of which has begun. '\n' ends a line, and
 * a short text.
 */
static void print_wrapped(const char *text, int indent, bool is_short)
{
    int column = indent;
    while (*text != '\0' && !(is_short && *text == '\n')) {
        const int length = (int)strcspn(text, " \n");
        if (column > indent && column + 1 + length > WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
        }
        column += printf("%s%.*s", column > indent ? " " : "", length, text);
        text += length;
        for (; *text == ' ' || (*text == '\n' && !is_short); text++) {
            if (*text == '\n') {
                printf("\n%*s", indent, "");
                column = indent;
            }
        }
    }
    printf("\n");
}

static void print_option(const cli_option *option, bool is_short)
{
    const char letter[] = {'-', option->letter, ',', '\0'};
    int column = printf("  %3s --%s", option->letter != '\0' ? letter : "", option->name);
    if (option->value != NULL)
        column += printf(" %s", option->value);
    if (column + 2 > HELP_COLUMN) {
        printf("\n");
        column = 0;
    }
    printf("%*s", HELP_COLUMN - column, "");
    print_wrapped(option->help, HELP_COLUMN, is_short);
}

static void print_usage(const cli_command *command)
{
    const char *form = command->usage;
    for (bool is_first = true; form != NULL; is_first = false) {
        const int length = (int)strcspn(form, "\n");
        printf("%s rhomb %s %.*s\n", is_first ? "usage:" : "      ", command->name, length, form);
        form = form[length] == '\n' ? form + length + 1 : NULL;
    }
}

static void print_groups(const cli_command *command)
{
    for (size_t i = 0; i < CLI_GROUPS; i++) {
        if (command->options[i] == NULL)
            continue;
        printf("\n%s:\n", TITLES[i]);
        for (const cli_option *option = command->options[i]; option->name != NULL; option++)
            if (option->help != NULL)
                print_option(option, false);
    }
    if (command->notes != NULL) {
        printf("\n");
        print_wrapped(command->notes, 0, false);
    }
}

static void print_common(const cli_command *command)
{
    size_t number;
    printf("\n");
    for (size_t i = 0; i < CLI_COMMON && command->common[i] != NULL; i++)
        print_option(cli_find_option(command, command->common[i], &number), true);
}

void cli_show_help(const cli_command *command, bool is_short)
{
    print_usage(command);
    printf("\n");
    print_wrapped(command->about, 0, is_short);
    if (is_short)
        print_common(command);
    else
        print_groups(command);
    if (command->examples[0] != NULL)
        printf("\nExamples:\n");
    for (size_t i = 0; i < CLI_EXAMPLES && command->examples[i] != NULL; i++)
        printf("  rhomb %s %s\n", command->name, command->examples[i]);
    if (is_short)
        printf("\nAll options: 'rhomb %s --help'; the manual: 'man rhomb'\n", command->name);
}

static void print_values(const cli_option *option)
{
    const bool is_file = (option->kind >= CLI_OPTION_INPUT && option->kind <= CLI_OPTION_FOLDER) ||
                         option->may_lack_value;
    for (size_t i = 0; i < option->word_count; i++)
        printf(" %s", option->words[i].word);
    if (is_file)
        printf(" FILE");
    else if (option->value != NULL && option->word_count == 0)
        printf(" -");
    printf("\n");
}

void cli_show_completion(const cli_command *command)
{
    for (size_t i = 0; i < CLI_GROUPS; i++) {
        for (const cli_option *o = command->options[i]; o != NULL && o->name != NULL; o++) {
            if (o->help == NULL)
                continue;
            printf("%s ", command->name);
            if (o->letter != '\0')
                printf("-%c --%s", o->letter, o->name);
            else
                printf("--%s --%s", o->name, o->name);
            print_values(o);
        }
    }
}
