/* SPDX-License-Identifier: MIT */
/*
 * rhomb align: the exact alignment of two sequences. Its options are here, its work in align_run.c.
 */
#include "host/cli/align/align_run.h"

#include "host/cli/base/endings.h"

enum {
    OPTION_FORMAT = CLI_PAIR_OWN,
    OPTION_JSON,
    OPTION_SPLIT_AT,
    OPTION_CHUNK,
    OPTION_CS,
    OPTION_NO_HEADER,
    OPTION_REPORT
};

static const struct option LONGS[] = {
    CLI_PAIR_LONGS,
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"json", no_argument, NULL, OPTION_JSON},
    {"split-at", required_argument, NULL, OPTION_SPLIT_AT},
    {"chunk", required_argument, NULL, OPTION_CHUNK},
    {"cs", no_argument, NULL, OPTION_CS},
    {"no-header", no_argument, NULL, OPTION_NO_HEADER},
    {"report", required_argument, NULL, OPTION_REPORT},
    {NULL, 0, NULL, 0},
};

static const cli_word FORMATS[] = {{"paf", CLI_ALIGN_PAF},
                                   {"sam", CLI_ALIGN_SAM},
                                   {"tsv", CLI_ALIGN_TSV},
                                   {"json", CLI_ALIGN_JSON}};

typedef struct command_line {
    cli_align_arguments args;
    bool has_format; /* given, so the output's name does not choose it */
} command_line;

static int set_format(command_line *line, const char *text)
{
    int word;
    if (!cli_parse_word(text, FORMATS, CLI_COUNT(FORMATS), &word))
        return cli_bad_usage(&cli_command_align, "--format: '%s' is not paf, sam, tsv or json",
                             text);
    line->args.format = (cli_align_format)word;
    line->args.json_plan = word == CLI_ALIGN_JSON;
    line->has_format = true;
    return CLI_OK;
}

static int set_cut(const char *option, int64_t *cut)
{
    return cli_parse_letters(&cli_command_align, option, optarg, cut);
}

static int set_own(void *user, int code, bool *known)
{
    command_line *line = user;
    switch (code) {
    case OPTION_FORMAT:
        return set_format(line, optarg);
    case OPTION_JSON:
        return set_format(line, "json");
    case OPTION_SPLIT_AT:
        return set_cut("--split-at", &line->args.cuts.split);
    case OPTION_CHUNK:
        return set_cut("--chunk", &line->args.cuts.chunk);
    case OPTION_CS:
        line->args.cs = true;
        return CLI_OK;
    case OPTION_NO_HEADER:
        line->args.header = false;
        return CLI_OK;
    case OPTION_REPORT:
        return cli_parse_output(&cli_command_align, "--report", optarg, &line->args.report);
    default:
        *known = false;
        return CLI_OK;
    }
}

/* What the name of the output says: whether it is compressed, and the format if none was given. */
static int read_name(command_line *line)
{
    static const cli_endings can = {FORMATS, CLI_COUNT(FORMATS), true};
    int format = (int)line->args.format;
    const int status = cli_read_ending(&cli_command_align, &can, line->args.pair.output,
                                       line->has_format, &format, &line->args.compress);
    line->args.format = (cli_align_format)format;
    return status;
}

/* The report's file must be neither an input nor the alignment's output. */
static int check_report(const cli_align_arguments *args)
{
    const char *report = args->report;
    if (report != NULL && cli_is_standard_output(report) &&
        cli_is_standard_output(args->pair.output))
        return cli_bad_usage(&cli_command_align,
                             "alignment and report cannot both be written to standard output");
    if (cli_same_file(report, args->pair.output))
        return cli_bad_usage(&cli_command_align,
                             "alignment and report cannot both be written to %s", report);
    if (cli_is_input(report, args->pair.target_path) || cli_is_input(report, args->pair.query_path))
        return cli_bad_usage(&cli_command_align, "--report would replace an input, %s", report);
    return CLI_OK;
}

/* Refuses options that exclude each other. */
static int check(const cli_align_arguments *args)
{
    const bool rows = args->cuts.split > 0 || args->cuts.chunk > 0;
    if (args->format != CLI_ALIGN_PAF && (rows || args->cs))
        return cli_bad_usage(&cli_command_align, "--split-at, --chunk and --cs require PAF output");
    /* The library checks this too, but only after reading, and not for --dry-run. */
    if (args->pair.tuning.directions == 1 || args->pair.tuning.tile_shape == RHOMB_TILE_DIAMOND)
        return cli_bad_usage(&cli_command_align,
                             "--tune: an alignment needs two directions and trapezoids");
    /* cs has its bases in lower case, and some bytes are its operators. */
    if (args->cs && args->pair.options.alphabet == RHOMB_ALPHABET_BYTES)
        return cli_bad_usage(&cli_command_align, "--cs requires --alphabet dna");
    return check_report(args);
}

static int run(int argc, char **argv)
{
    command_line line = {.args = {.pair = CLI_PAIR_ARGUMENTS_INIT, .header = true}};
    cli_align_arguments *args = &line.args;
    int status = cli_pair_parse(&args->pair, &cli_command_align, argc, argv, LONGS, set_own, &line);
    if (status == CLI_OK && args->pair.help)
        return cli_show_help(&cli_command_align);
    if (status == CLI_OK)
        status = read_name(&line);
    if (status == CLI_OK)
        status = check(args);
    return status == CLI_OK ? cli_align_run(args, argc, argv) : status;
}

const cli_command cli_command_align = {
    .name = "align",
    .summary = "the exact alignment of two sequences",
    .help =
        "usage: rhomb align [OPTION...] TARGET QUERY\n"
        "\n"
        "Writes an alignment of two sequences, end to end, whose cost is exactly their edit\n"
        "distance (unit costs). TARGET is the reference, QUERY what is aligned to it: I is a\n"
        "letter that only QUERY has, D one that only TARGET has. Each is a FASTA or FASTQ file,\n"
        "plain, gzip or bgzip; '-' is standard input.\n"
        "\n" CLI_PAIR_HELP_INPUT CLI_PAIR_HELP_DEVICE ",\n"
        "                            and for compression (one a core, at most 16)\n"
        "\n"
        "      --format FORMAT       paf: one line with NM, AS, tp, de and the CIGAR (default);\n"
        "                            sam: a header and one record; tsv: the list of differences;\n"
        "                            json: the full report with all operations. Without it, what\n"
        "                            the output's name ends in: .paf, .sam, .tsv or .json\n"
        "      --json                the same as --format json\n"
        "      --split-at NUM        PAF: leave out insertions and deletions of NUM letters and\n"
        "                            more, in pieces too, and begin a line behind each; K, M,\n"
        "                            G allowed\n"
        "      --chunk NUM           PAF: a line for every NUM letters of TARGET\n"
        "      --cs                  PAF: the differences too, with their letters, in cs\n"
        "      --no-header           leave out the # line of tsv\n"
        "  -o, --output FILE         write there, once it is complete; '-' is standard output\n"
        "                            (default); compressed as bgzip does where it ends in .gz\n"
        "                            or .bgz\n"
        "      --report FILE         write the full report there, as JSON\n"
        "      --dry-run             print the plan to standard output: engine, memory, time;\n"
        "                            run nothing\n" CLI_PAIR_HELP_MESSAGES
        "Of several alignments of that cost, one engine always writes the same one, on every\n"
        "device: --engine with the one that --report names repeats it. Where the distance is\n"
        "above --max-distance there is no alignment; the exit status is 0 all the same. Regions\n"
        "have the names, lengths and positions of their records, but in JSON, which has both.\n",
    .run = run,
};
