/* SPDX-License-Identifier: MIT */
/*
 * rhomb: exact edit distances of genome-scale sequences. The table of commands, and what works
 * without any: help and the version. A command is one file cmd_NAME.c and one row here.
 */
#include "host/cli/base/cli.h"

#include <htslib/hts_log.h>
#include <string.h>

static int run_help(int argc, char **argv);

static const cli_command command_help = {
    .name = "help",
    .summary = "this list, or the options of one command",
    .help =
        "usage: rhomb help [COMMAND]\n"
        "\n"
        "Prints the list of commands, or the help of one: the same as 'rhomb COMMAND --help'.\n",
    .run = run_help,
};

static const cli_command *const COMMANDS[] = {
    &cli_command_distance, &cli_command_align,   &cli_command_batch, &cli_command_verify,
    &cli_command_plot,     &cli_command_devices, &command_help,
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

/* `kind` is "command" or "option"; the nearest of `names` is suggested. */
static int unknown(const char *kind, const char *word, const char *const *names, size_t count)
{
    const char *nearest = cli_nearest(word, names, count, sizeof names[0]);
    if (nearest != NULL)
        cli_error("unknown %s '%s'; did you mean '%s'?", kind, word, nearest);
    else
        cli_error("unknown %s '%s'", kind, word);
    cli_say("try 'rhomb help'");
    return CLI_USAGE;
}

static int unknown_command(const char *word)
{
    const char *names[CLI_COUNT(COMMANDS)];
    for (size_t i = 0; i < CLI_COUNT(COMMANDS); i++)
        names[i] = COMMANDS[i]->name;
    return unknown("command", word, names, CLI_COUNT(names));
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
    printf(
        "\n"
        "  -h, --help     this text; after a command, the help of that command\n"
        "      --version  the version, in one line\n"
        "\n"
        "Exit status: 0 success, 1 other failure, 2 usage, 3 input file, 4 device or driver,\n"
        "5 memory, 6 verification mismatch, 129, 130 or 143 stopped by SIGHUP, SIGINT, SIGTERM.\n");
    return CLI_OK;
}

static int run_help(int argc, char **argv)
{
    static const struct option LONGS[] = {{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    int code;
    while ((code = getopt_long(argc, argv, ":h", LONGS, NULL)) != -1) {
        if (code != 'h')
            return cli_bad_option(&command_help, argv, code, LONGS);
        return cli_show_help(&command_help);
    }
    if (argc - optind > 1)
        return cli_bad_usage(&command_help, "unexpected argument '%s'", argv[optind + 1]);
    if (argc == optind)
        return show_overview();
    const cli_command *command = find_command(argv[optind]);
    return command != NULL ? cli_show_help(command) : unknown_command(argv[optind]);
}

int cli_show_help(const cli_command *command)
{
    fputs(command->help, stdout);
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
        return show_overview();
    if (strcmp(word, "--version") == 0) {
        printf("rhomb %s\n", rhomb_version());
        return CLI_OK;
    }
    if (word[0] == '-')
        return unknown_option(word);
    const cli_command *command = find_command(word);
    return command != NULL ? command->run(argc - 1, argv + 1) : unknown_command(word);
}

int main(int argc, char **argv)
{
    if (!cli_hold_descriptors())
        return CLI_FAILED;
    cli_space_spare();
    /* htslib reads the files. The library reports its errors, so htslib need not print them. */
    hts_set_log_level(HTS_LOG_OFF);
    cli_interrupts_install();
    int status = dispatch(argc, argv);
    /* A full disk may show only now, for a list of errors as well. The first failure decides. */
    const bool has_output = status == CLI_OK || status == CLI_MISMATCH;
    if (has_output && !cli_stdout_close() && status == CLI_OK)
        status = CLI_FAILED;
    return status;
}
