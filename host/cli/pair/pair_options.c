/* SPDX-License-Identifier: MIT */
/*
 * Options of commands on one pair of sequences, see pair_options.h.
 */
#include "host/cli/pair/pair_options.h"

#define AT(member) offsetof(cli_pair_arguments, member)

static int set_tuning(const cli_command *command, void *arguments, const char *text)
{
    cli_pair_arguments *args = arguments;
    const char *bad = cli_read_tuning(text, &args->tuning, &args->rates);
    args->options.tuning = &args->tuning;
    return bad == NULL ? CLI_OK : cli_bad_tuning(command, bad);
}

int cli_pair_set_score(const cli_command *command, void *arguments, const char *text)
{
    cli_pair_arguments *args = arguments;
    args->score = text;
    args->options.scoring = &args->scoring;
    return cli_read_score(command, text, &args->scoring);
}

const cli_option cli_pair_input_options[] = {
    CLI_VALUE("target-region", 'r', CLI_OPTION_TEXT, AT(target_region), "REG",
              "a record of TARGET, or a range of one: NAME, NAME:BEG-END, NAME:BEG, "
              "{NAME}:BEG-END; 1-based, inclusive. Needed if the file has several records"),
    CLI_VALUE("query-region", 'q', CLI_OPTION_TEXT, AT(query_region), "REG", "the same for QUERY"),
    CLI_VALUE("max-distance", 'K', CLI_OPTION_COUNT, AT(options.max_distance), "NUM",
              "stop once the distance is proved to be larger; K, M, G allowed"),
    CLI_ROW_ALPHABET(AT(options.alphabet)),
    CLI_ROW_NO_SKETCH(AT(sketch)),
    {.name = NULL},
};

const cli_option cli_pair_device_options[] = {
    CLI_ROW_DEVICE(AT(device)),
    CLI_ROW_REQUIRE_GPU(AT(open_flags)),
    CLI_CHOICE("engine", AT(options.engine), cli_engines, "ENGINE",
               "auto (default), wavefront or bitparallel"),
    CLI_READ("tune", 0, set_tuning, "KEY=VALUE,...", CLI_TUNE_HELP),
    CLI_ROW_CACHE_DIR(AT(cache_dir)),
    CLI_ROW_THREADS(AT(threads)),
    {.name = NULL},
};
