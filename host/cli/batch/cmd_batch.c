/* SPDX-License-Identifier: MIT */
/*
 * rhomb batch: distances, and CIGARs, of many short pairs. Its options are here, its work in
 * batch_run.c.
 */
#include "host/cli/batch/batch_run.h"

#include "host/cli/base/endings.h"

#include <string.h>

enum {
    OPTION_REQUIRE_GPU = 256,
    OPTION_ALPHABET,
    OPTION_CIGAR,
    OPTION_FORMAT,
    OPTION_KEEP_GOING,
    OPTION_NO_HEADER,
    OPTION_TUNE,
    OPTION_CACHE_DIR,
    OPTION_QUIET
};

static const struct option LONGS[] = {
    {"cigar", no_argument, NULL, OPTION_CIGAR},
    {"max-distance", required_argument, NULL, 'K'},
    {"alphabet", required_argument, NULL, OPTION_ALPHABET},
    {"keep-going", no_argument, NULL, OPTION_KEEP_GOING},
    {"device", required_argument, NULL, 'd'},
    {"require-gpu", no_argument, NULL, OPTION_REQUIRE_GPU},
    {"tune", required_argument, NULL, OPTION_TUNE},
    {"cache-dir", required_argument, NULL, OPTION_CACHE_DIR},
    {"threads", required_argument, NULL, 't'},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"output", required_argument, NULL, 'o'},
    {"no-header", no_argument, NULL, OPTION_NO_HEADER},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static const cli_word FORMATS[] = {
    {"tsv", CLI_ROWS_TSV}, {"paf", CLI_ROWS_PAF}, {"json", CLI_ROWS_JSON}};

static int set_format(cli_batch_arguments *args, const char *text)
{
    int word;
    if (!cli_parse_word(text, FORMATS, CLI_COUNT(FORMATS), &word))
        return cli_bad_usage(&cli_command_batch, "--format: '%s' is not tsv, paf or json", text);
    args->format = (cli_row_format)word;
    args->has_format = true;
    return CLI_OK;
}

/* One KEY=VALUE of --tune. The library checks the ranges. */
static bool set_key(rhomb_batch_tuning *tuning, const char *key, const char *value)
{
    const struct {
        const char *key;
        int32_t *field;
    } numbers[] = {
        {"group", &tuning->group_size},      {"first-limit", &tuning->first_limit},
        {"last-limit", &tuning->last_limit}, {"workers", &tuning->workers},
        {"long", &tuning->long_letters},
    };
    const struct {
        const char *key;
        int64_t *field;
    } sizes[] = {{"job-bases", &tuning->job_letters},
                 {"job-letters", &tuning->job_letters}, /* an earlier name */
                 {"column-bytes", &tuning->column_bytes}};
    int64_t number;
    if (!cli_parse_count(value, &number))
        return false;
    for (size_t i = 0; i < CLI_COUNT(sizes); i++) {
        if (strcmp(key, sizes[i].key) != 0)
            continue;
        *sizes[i].field = number;
        return true;
    }
    for (size_t i = 0; i < CLI_COUNT(numbers); i++) {
        if (strcmp(key, numbers[i].key) != 0)
            continue;
        *numbers[i].field = (int32_t)number;
        return number <= INT32_MAX;
    }
    return false;
}

static int set_tuning(cli_batch_arguments *args, const char *text)
{
    args->options.tuning = &args->tuning;
    for (;; text++) {
        char item[64];
        const size_t length = strcspn(text, ",");
        snprintf(item, sizeof item, "%.*s", (int)length, text);
        char *value = strchr(item, '=');
        if (value != NULL)
            *value++ = '\0';
        if (value == NULL || length >= sizeof item || !set_key(&args->tuning, item, value))
            return cli_bad_usage(&cli_command_batch,
                                 "--tune: unknown key or invalid value in '%.*s'", (int)length,
                                 text);
        text += length;
        if (text[0] == '\0')
            return CLI_OK;
    }
}

static int set_option(cli_batch_arguments *args, int code, char **argv)
{
    switch (code) {
    case 'K':
        return cli_parse_limit(&cli_command_batch, optarg, &args->options.max_distance);
    case 't':
        return cli_parse_threads(&cli_command_batch, optarg, &args->threads);
    case OPTION_ALPHABET:
        return cli_parse_alphabet(&cli_command_batch, optarg, &args->options.alphabet);
    case OPTION_FORMAT:
        return set_format(args, optarg);
    case OPTION_TUNE:
        return set_tuning(args, optarg);
    case 'd':
        args->device = optarg;
        return CLI_OK;
    case 'o':
        return cli_parse_output(&cli_command_batch, "--output", optarg, &args->output);
    case OPTION_CACHE_DIR:
        args->cache_dir = optarg;
        return CLI_OK;
    case OPTION_REQUIRE_GPU:
        args->open_flags |= RHOMB_REQUIRE_GPU;
        return CLI_OK;
    case OPTION_CIGAR:
        args->options.cigar = true;
        return CLI_OK;
    case OPTION_KEEP_GOING:
        args->keep_going = true;
        return CLI_OK;
    case OPTION_NO_HEADER:
        args->header = false;
        return CLI_OK;
    case OPTION_QUIET:
        cli_set_verbosity(-1);
        return CLI_OK;
    case 'v':
        cli_more_verbose();
        return CLI_OK;
    default:
        return cli_bad_option(&cli_command_batch, argv, code, LONGS);
    }
}

/* The format by the output's name, unless --format was given. */
static int read_name(cli_batch_arguments *args)
{
    static const cli_endings can = {FORMATS, CLI_COUNT(FORMATS), false};
    int format = (int)args->format;
    const int status =
        cli_read_ending(&cli_command_batch, &can, args->output, args->has_format, &format, NULL);
    args->format = (cli_row_format)format;
    return status;
}

static int parse(cli_batch_arguments *args, int argc, char **argv, bool *help)
{
    int code;
    *help = false;
    while ((code = getopt_long(argc, argv, ":K:d:o:t:vh", LONGS, NULL)) != -1) {
        *help = code == 'h';
        const int status = *help ? CLI_OK : set_option(args, code, argv);
        if (*help || status != CLI_OK)
            return status;
    }
    if (argc == optind)
        return cli_bad_usage(&cli_command_batch, "PAIRS, or TARGETS and QUERIES, are missing");
    if (argc - optind > 2)
        return cli_bad_usage(&cli_command_batch, "unexpected argument '%s'", argv[optind + 2]);
    args->path = argv[optind];
    args->queries = argc - optind == 2 ? argv[optind + 1] : NULL;
    if (args->queries != NULL && strcmp(args->path, "-") == 0 && strcmp(args->queries, "-") == 0)
        return cli_bad_usage(&cli_command_batch,
                             "TARGETS and QUERIES cannot both be standard input");
    if (cli_is_input(args->output, args->path) || cli_is_input(args->output, args->queries))
        return cli_bad_usage(&cli_command_batch, "--output would replace an input, %s",
                             args->output);
    return read_name(args);
}

static int run(int argc, char **argv)
{
    cli_batch_arguments args = {
        .header = true, .options = RHOMB_BATCH_OPTIONS_INIT, .tuning = RHOMB_BATCH_TUNING_INIT};
    bool help;
    const int status = parse(&args, argc, argv, &help);
    if (status != CLI_OK)
        return status;
    return help ? cli_show_help(&cli_command_batch) : cli_batch_run(&args);
}

const cli_command cli_command_batch = {
    .name = "batch",
    .summary = "exact distances and CIGARs of many short pairs",
    .help =
        "usage: rhomb batch [OPTION...] PAIRS\n"
        "       rhomb batch [OPTION...] TARGETS QUERIES\n"
        "\n"
        "Prints the exact edit distance (unit costs, global) of each pair, one row for each, in\n"
        "the order of the input. PAIRS has two lines for each: '>' and the query, then '<' and\n"
        "the target. Else record i of TARGETS and record i of QUERIES are a pair, as FASTA or\n"
        "FASTQ. Files may be plain, gzip or bgzip, and as long as they like; '-' is standard\n"
        "input, for one of them.\n"
        "\n"
        "      --cigar               the alignment of each pair too, as =, X, I (query only) and\n"
        "                            D (target only)\n"
        "  -K, --max-distance NUM    say only '>K' of distances above it; K, M, G allowed\n"
        "      --alphabet ALPHABET   dna: ignore case, letters ACGTUN and IUPAC, each equal to\n"
        "                            itself only (default); bytes: compare bytes\n"
        "      --keep-going          go on behind a pair that cannot be used: its row says why,\n"
        "                            and the exit status does\n"
        "\n"
        "  -d, --device SELECTOR     auto (default), an index, part of a name, NAME#K, a PCI\n"
        "                            address or a UUID; see 'rhomb devices'\n"
        "      --require-gpu         fail where the device is no GPU\n"
        "      --tune KEY=VALUE,...  group, first-limit, last-limit, workers, job-letters,\n"
        "                            column-bytes, long: for experts and tests; see the\n"
        "                            manual page\n"
        "      --cache-dir DIR       folder of compiled kernels and measured rates; 'off' for\n"
        "                            none\n"
        "  -t, --threads NUM         threads of the host (one a core, at most 16)\n"
        "\n"
        "      --format FORMAT       tsv (default), paf, or json: an object a line. Without it,\n"
        "                            what FILE ends in: .tsv, .paf or .json\n"
        "  -o, --output FILE         write there; '-' is standard output (default)\n"
        "      --no-header           leave out the # line\n"
        "      --quiet               errors only on standard error\n"
        "  -v, --verbose             say where the time went; twice for more\n"
        "  -h, --help                this text\n"
        "\n"
        "Columns: target, target_length, query, query_length, distance, similarity (1 - distance\n"
        "/ longer length), with --cigar cigar, with --keep-going error. A distance above\n"
        "--max-distance K is '>K', what there is not is '*'. The names of PAIRS are numbers.\n",
    .run = run,
};
