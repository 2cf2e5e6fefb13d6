/* SPDX-License-Identifier: MIT */
/*
 * The options of all commands on one pair of sequences: which records, which device, how to
 * compute. A command adds its own options to the list, and its own help to the text.
 */
#ifndef RHOMB_CLI_PAIR_OPTIONS_H
#define RHOMB_CLI_PAIR_OPTIONS_H

#include "host/cli/base/cli.h"

/* Codes of options without a short form; a command's own begin with the last one. */
enum {
    CLI_PAIR_REQUIRE_GPU = 256,
    CLI_PAIR_ALPHABET,
    CLI_PAIR_ENGINE,
    CLI_PAIR_DRY_RUN,
    CLI_PAIR_TUNE,
    CLI_PAIR_CACHE_DIR,
    CLI_PAIR_QUIET,
    CLI_PAIR_OWN
};

/* For getopt_long(): the short options, and the beginning of a command's list. */
#define CLI_PAIR_LETTERS ":r:q:K:d:o:t:vh"
#define CLI_PAIR_LONGS                                                                           \
    {"target-region", required_argument, NULL, 'r'},                                             \
        {"query-region", required_argument, NULL, 'q'},                                          \
        {"max-distance", required_argument, NULL, 'K'},                                          \
        {"alphabet", required_argument, NULL, CLI_PAIR_ALPHABET},                                \
        {"device", required_argument, NULL, 'd'},                                                \
        {"require-gpu", no_argument, NULL, CLI_PAIR_REQUIRE_GPU},                                \
        {"engine", required_argument, NULL, CLI_PAIR_ENGINE},                                    \
        {"output", required_argument, NULL, 'o'},                                                \
        {"dry-run", no_argument, NULL, CLI_PAIR_DRY_RUN},                                        \
        {"tune", required_argument, NULL, CLI_PAIR_TUNE},                                        \
        {"cache-dir", required_argument, NULL, CLI_PAIR_CACHE_DIR},                              \
        {"threads", required_argument, NULL, 't'}, {"quiet", no_argument, NULL, CLI_PAIR_QUIET}, \
        {"verbose", no_argument, NULL, 'v'},                                                     \
    {                                                                                            \
        "help", no_argument, NULL, 'h'                                                           \
    }

typedef struct cli_pair_arguments {
    const char *target_path;
    const char *query_path;
    const char *target_region;
    const char *query_region;
    const char *device;
    const char *output;
    const char *cache_dir;
    uint32_t open_flags;
    int32_t threads;
    bool dry_run;
    bool help;
    rhomb_options options; /* its tuning, if any, is the next member */
    rhomb_tuning tuning;
    rhomb_rates rates;
} cli_pair_arguments;

#define CLI_PAIR_ARGUMENTS_INIT                                                               \
    {                                                                                         \
        .options = RHOMB_OPTIONS_INIT, .tuning = RHOMB_TUNING_INIT, .rates = RHOMB_RATES_INIT \
    }

/*
 * A command's own options. Returns CLI_OK, or CLI_USAGE after a message; sets *known to false for a
 * code that is not one of them.
 */
typedef int (*cli_pair_own_fn)(void *user, int code, bool *known);

/*
 * Parses options and the two files into *args, which must not be moved afterwards. `longs` begins
 * with CLI_PAIR_LONGS. CLI_OK, or CLI_USAGE after a message. Stops at --help.
 */
int cli_pair_parse(cli_pair_arguments *args, const cli_command *command, int argc, char **argv,
                   const struct option *longs, cli_pair_own_fn own, void *user);

/* Parts of help texts. */
#define CLI_PAIR_HELP_INPUT                                                                    \
    "  -r, --target-region REG   record, or part of one, of TARGET: NAME, NAME:BEG-END,\n"     \
    "                            NAME:BEG, {NAME}:BEG-END; 1-based, inclusive. Needed where\n" \
    "                            the file has several records\n"                               \
    "  -q, --query-region REG    the same for QUERY\n"                                         \
    "  -K, --max-distance NUM    stop once the distance is proved larger; K, M, G allowed\n"   \
    "      --alphabet ALPHABET   dna: ignore case, letters ACGTUN and IUPAC, each equal to\n"  \
    "                            itself only (default); bytes: compare bytes\n"                \
    "\n"
#define CLI_PAIR_HELP_DEVICE                                                                 \
    "  -d, --device SELECTOR     auto (default), an index, part of a name, NAME#K, a PCI\n"  \
    "                            address or a UUID; see 'rhomb devices'\n"                   \
    "      --require-gpu         fail where the device is no GPU\n"                          \
    "      --engine ENGINE       auto (default), wavefront or bitparallel\n" CLI_TUNE_HELP   \
    "      --cache-dir DIR       folder of compiled kernels and measured rates; 'off' for\n" \
    "                            none\n"                                                     \
    "  -t, --threads NUM         threads for reading each file and counting letters"
#define CLI_PAIR_HELP_MESSAGES                                              \
    "      --quiet               errors only on standard error\n"           \
    "  -v, --verbose             say where the time went; twice for more\n" \
    "  -h, --help                this text\n"                               \
    "\n"

#endif
