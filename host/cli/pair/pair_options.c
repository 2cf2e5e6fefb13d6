/* SPDX-License-Identifier: MIT */
/*
 * Options of commands on one pair of sequences, see pair_options.h.
 */
#include "host/cli/pair/pair_options.h"

#include <string.h>

static int set_engine(cli_pair_arguments *args, const cli_command *command, const char *text)
{
    int word;
    if (!cli_parse_word(text, cli_engines, CLI_COUNT(cli_engines), &word))
        return cli_bad_usage(command, "--engine: '%s' is not auto, wavefront or bitparallel", text);
    args->options.engine = (rhomb_engine)word;
    return CLI_OK;
}

static int set_tuning(cli_pair_arguments *args, const cli_command *command, const char *text)
{
    args->options.tuning = &args->tuning;
    return cli_parse_tuning(command, text, &args->tuning, &args->rates);
}

/* Options whose value is kept as it is. */
static const char **text_option(cli_pair_arguments *args, int code)
{
    switch (code) {
    case 'r':
        return &args->target_region;
    case 'q':
        return &args->query_region;
    case 'd':
        return &args->device;
    case CLI_PAIR_CACHE_DIR:
        return &args->cache_dir;
    default:
        return NULL;
    }
}

/* Options without a value. False if the code is not one of them. */
static bool set_switch(cli_pair_arguments *args, int code)
{
    switch (code) {
    case CLI_PAIR_REQUIRE_GPU:
        args->open_flags |= RHOMB_REQUIRE_GPU;
        return true;
    case CLI_PAIR_DRY_RUN:
        args->dry_run = true;
        return true;
    case CLI_PAIR_QUIET:
        cli_set_verbosity(-1);
        return true;
    case 'v':
        cli_more_verbose();
        return true;
    case 'h':
        args->help = true;
        return true;
    default:
        return false;
    }
}

static int set_option(cli_pair_arguments *args, const cli_command *command, int code, bool *known)
{
    const char **text = text_option(args, code);
    if (text != NULL) {
        *text = optarg;
        return CLI_OK;
    }
    switch (code) {
    case 'o':
        return cli_parse_output(command, "--output", optarg, &args->output);
    case 'K':
        return cli_parse_limit(command, optarg, &args->options.max_distance);
    case 't':
        return cli_parse_threads(command, optarg, &args->threads);
    case CLI_PAIR_ALPHABET:
        return cli_parse_alphabet(command, optarg, &args->options.alphabet);
    case CLI_PAIR_ENGINE:
        return set_engine(args, command, optarg);
    case CLI_PAIR_TUNE:
        return set_tuning(args, command, optarg);
    default:
        *known = set_switch(args, code);
        return CLI_OK;
    }
}

static int set_files(cli_pair_arguments *args, const cli_command *command, int argc, char **argv)
{
    if (argc - optind < 2)
        return cli_bad_usage(command, "%s is missing", argc == optind ? "TARGET" : "QUERY");
    if (argc - optind > 2)
        return cli_bad_usage(command, "unexpected argument '%s'", argv[optind + 2]);
    args->target_path = argv[optind];
    args->query_path = argv[optind + 1];
    if (strcmp(args->target_path, "-") == 0 && strcmp(args->query_path, "-") == 0)
        return cli_bad_usage(command, "TARGET and QUERY cannot both be standard input");
    if (cli_is_input(args->output, args->target_path) ||
        cli_is_input(args->output, args->query_path))
        return cli_bad_usage(command, "--output would replace an input, %s", args->output);
    return CLI_OK;
}

int cli_pair_parse(cli_pair_arguments *args, const cli_command *command, int argc, char **argv,
                   const struct option *longs, cli_pair_own_fn own, void *user)
{
    int code;
    while (!args->help && (code = getopt_long(argc, argv, CLI_PAIR_LETTERS, longs, NULL)) != -1) {
        bool known = true;
        int status = set_option(args, command, code, &known);
        if (!known) {
            known = true;
            status = own(user, code, &known);
        }
        if (!known)
            return cli_bad_option(command, argv, code, longs);
        if (status != CLI_OK)
            return status;
    }
    return args->help ? CLI_OK : set_files(args, command, argc, argv);
}
