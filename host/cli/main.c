/* SPDX-License-Identifier: MIT */
/*
 * rhomb: exact edit distances of genome-scale sequences. The table of commands, and what works
 * without any: help and the version. A command is one file cmd_NAME.c and one row here.
 */
#include "host/cli/base/schema.h"
#include "host/cli/command/options.h"
#include "host/cli/ranks/run_ranks.h"
#include "host/cli/sketch/minimizers.h"

#include <htslib/hts_log.h>

static int run_help(int argc, char **argv);

typedef struct help_arguments {
    const char *command;
    const char *schema;
} help_arguments;

static const cli_option HELP_OPTIONS[] = {
    {.name = "help", .letter = 'h', .kind = CLI_OPTION_HELP, .help = "this text"}, {.name = NULL}};

static const cli_command command_help = {
    .name = "help",
    .summary = "this list, the options of one command, or which go together",
    .usage = "[COMMAND]\nrules\nschema [NAME]\ncompletion",
    .about =
        "Prints the list of commands, or the help of one: the same as 'rhomb COMMAND --help'; "
        "or the rules, which say what options require and exclude each other. Whatever they "
        "do not forbid goes together. 'schema' lists the JSON documents that commands write, or "
        "prints the JSON Schema of one: types, units and meanings. 'completion' prints "
        "options and words that may follow them, for shells.",
    .options = {[CLI_GROUP_MESSAGES] = HELP_OPTIONS},
    .common = {"help"},
    .examples = {"align", "rules"},
    .operands = {{"COMMAND", offsetof(help_arguments, command)},
                 {"NAME", offsetof(help_arguments, schema)}},
    .takes_words = true,
    .run = run_help,
};

static const cli_command *const COMMANDS[] = {
    &cli_command_compare, &cli_command_distance, &cli_command_align,  &cli_command_batch,
    &cli_command_matrix,  &cli_command_verify,   &cli_command_report, &cli_command_plot,
    &cli_command_devices, &command_help,
};

static const cli_document *const DOCUMENTS[] = {
    &cli_document_distance, &cli_document_distances, &cli_document_align, &cli_document_alignments,
    &cli_document_plan,     &cli_document_mode_plan, &cli_document_batch, &cli_document_report,
    &cli_document_devices,  &cli_document_ranges,    &cli_document_range,
};

static const char USAGE[] = "usage: rhomb COMMAND [OPTION...] [FILE...]\n";

static const cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < CLI_COUNT(COMMANDS); i++) {
        if (strcmp(COMMANDS[i]->name, name) == 0)
            return COMMANDS[i];
    }
    return NULL;
}

/* `kind` is what the word should be; the nearest of `names` is suggested. */
static int unknown(const char *kind, const char *word, const char *const *names, size_t count)
{
    const cli_hint hint = cli_nearest(word, "", names, count, sizeof names[0]);
    const bool is_option = hint.text[0] == '\0' && word[0] == '-';
    cli_error("unknown %s '%s'%s%s", kind, word, hint.text,
              is_option ? ": options follow the command" : "");
    cli_say("try 'rhomb help'");
    return CLI_USAGE;
}

/* A command, or also what else there is help about. */
static int unknown_command(const char *word, bool is_topic)
{
    const char *names[CLI_COUNT(COMMANDS) + 3] = {"rules", "schema", "completion"};
    for (size_t i = 0; i < CLI_COUNT(COMMANDS); i++)
        names[3 + i] = COMMANDS[i]->name;
    return unknown("command", word, is_topic ? names : names + 3,
                   CLI_COUNT(COMMANDS) + (is_topic ? 3 : 0));
}

/* Options of a command come after it. */
static int unknown_option(const char *word)
{
    static const char *const NAMES[] = {"--help", "--version"};
    return unknown("option", word, NAMES, CLI_COUNT(NAMES));
}

static int show_overview(void)
{
    printf(
        "%s\nExact edit distances of genome-scale sequences on any OpenCL device.\n\nCommands:\n",
        USAGE);
    for (size_t i = 0; i < CLI_COUNT(COMMANDS); i++)
        printf("  %-10s  %s\n", COMMANDS[i]->name, COMMANDS[i]->summary);
    printf("\n"
           "  -h, --help     this text; after a command, its main options (-h) or all\n"
           "      --version  the version, in one line\n"
           "\n"
           "Exit status: 0 success, 1 other failure, 2 usage, 3 input file, 4 device or driver,\n"
           "5 memory, 6 wrong alignment, 129, 130 or 143 stopped by SIGHUP, SIGINT, SIGTERM.\n");
    return CLI_OK;
}

/* The version, and which commands this build leaves out. */
static int show_version(void)
{
    printf("rhomb %s", rhomb_version());
    for (size_t i = 0; i < CLI_COUNT(COMMANDS); i++) {
        if (COMMANDS[i]->is_left_out)
            printf(" (built without 'rhomb %s')", COMMANDS[i]->name);
    }
    if (!cli_has_minimizers)
        printf(" (built without sketches)");
    if (cli_has_ranks)
        printf(" (built with MPI)");
    printf("\n");
    return CLI_OK;
}

static int show_all(void (*show)(const cli_command *command))
{
    for (size_t i = 0; i < CLI_COUNT(COMMANDS); i++)
        show(COMMANDS[i]);
    return CLI_OK;
}

static int show_schema(const char *name)
{
    const char *names[CLI_COUNT(DOCUMENTS)];
    for (size_t i = 0; i < CLI_COUNT(DOCUMENTS); i++) {
        names[i] = DOCUMENTS[i]->name;
        if (name == NULL)
            printf("%-20s  %s\n", names[i], DOCUMENTS[i]->meaning);
        else if (strcmp(names[i], name) == 0)
            return cli_schema_print(DOCUMENTS[i]);
    }
    return name == NULL ? CLI_OK : unknown("schema", name, names, CLI_COUNT(names));
}

static int run_help(int argc, char **argv)
{
    help_arguments args = {NULL, NULL};
    const int status = cli_read_options(&command_help, argc, argv, &args);
    if (status != CLI_OK)
        return status;
    if (args.command != NULL && strcmp(args.command, "schema") == 0)
        return show_schema(args.schema);
    if (args.schema != NULL)
        return cli_bad_usage(&command_help, "unexpected argument '%s'", args.schema);
    if (args.command == NULL)
        return show_overview();
    if (strcmp(args.command, "rules") == 0)
        return show_all(cli_show_rules);
    if (strcmp(args.command, "completion") == 0)
        return show_all(cli_show_completion);
    const cli_command *command = find_command(args.command);
    if (command == NULL)
        return unknown_command(args.command, true);
    cli_show_help(command, false);
    return CLI_OK;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        fputs(USAGE, stderr);
        cli_say("try 'rhomb help'");
        return CLI_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)
        word = command_help.name; /* `rhomb --help COMMAND` is `rhomb help COMMAND` */
    if (strcmp(word, "--version") == 0)
        return show_version();
    if (word[0] == '-')
        return unknown_option(word);
    const cli_command *command = find_command(word);
    const int status =
        command != NULL ? command->run(argc - 1, argv + 1) : unknown_command(word, false);
    return status == CLI_HELP_SHOWN ? CLI_OK : status;
}

int main(int argc, char **argv)
{
    if (!cli_hold_descriptors())
        return CLI_FAILED;
    cli_space_spare();
    /* htslib reads the files. The library reports its errors, so htslib need not print them. */
    hts_set_log_level(HTS_LOG_OFF);
    cli_interrupts_block();
    int status = cli_ranks_start(&argc, &argv);
    if (status != CLI_OK)
        return status;
    if (cli_rank() > 0) {
        cli_interrupts_unblock();
        return cli_ranks_serve();
    }
    cli_interrupts_install();
    status = dispatch(argc, argv);
    /* A full disk may show only now, for a list of errors as well. The first failure decides. */
    const bool has_output = status == CLI_OK || status == CLI_MISMATCH;
    if (has_output && !cli_stdout_close() && status == CLI_OK)
        status = CLI_FAILED;
    cli_ranks_end(status);
    return status;
}
