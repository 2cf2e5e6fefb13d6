/* SPDX-License-Identifier: MIT */
/* rhomb distance: its options. Its work is in distance_run.c. */
#include "host/cli/command/endings.h"
#include "host/cli/pair/distance_run.h"
#include "host/cli/pair/plan_run.h"

typedef struct distance_arguments {
    cli_pair_arguments pair;
    int format; /* of FORMATS */
    bool header;
} distance_arguments;

enum { FORMAT_TSV, FORMAT_JSON };

static const cli_word FORMATS[] = {{"tsv", FORMAT_TSV}, {"json", FORMAT_JSON}};

static int run(int argc, char **argv)
{
    distance_arguments args = {
        .pair = CLI_PAIR_ARGUMENTS_INIT, .format = CLI_NO_FORMAT, .header = true};
    int status = cli_read_options(&cli_command_distance, argc, argv, &args);
    if (status == CLI_OK)
        status = cli_pair_check(&cli_command_distance, &args.pair);
    if (status != CLI_OK)
        return status;
    const bool json = args.format == FORMAT_JSON;
    const cli_plan_asked plan = {.json = json, .output = args.pair.output};
    return args.pair.dry_run ? cli_plan_run(&args.pair, &plan, argc, argv)
                             : cli_distance_run(&args.pair, json, args.header, argc, argv);
}

#define AT(member) offsetof(distance_arguments, member)

static const cli_option SCORING_OPTIONS[] = {CLI_ROW_SCORE(cli_pair_set_score), {.name = NULL}};

static const cli_option OUTPUT_OPTIONS[] = {
    CLI_ROW_OUTPUT(AT(pair.output), "write to FILE; '-' is standard output (default)"),
    CLI_CONSTANT("json", AT(format), FORMAT_JSON,
                 "the full report as JSON instead of a TSV line; also if FILE ends in .json"),
    CLI_ROW_NO_HEADER(AT(header)),
    {.name = NULL},
};

static const cli_rule RULES[] = {
    {"dry-run&match", CLI_EXCLUDES, "json"},
    {"jobs part", CLI_REQUIRES, "match"},
    {.terms = NULL},
};

static const cli_endings ENDINGS = {.formats = FORMATS,
                                    .count = CLI_COUNT(FORMATS),
                                    .format_at = AT(format),
                                    .output_at = AT(pair.output)};

const cli_command cli_command_distance = {
    .name = "distance",
    .summary = "the exact edit distance, or penalty, of two sequences",
    .usage = "[OPTION...] TARGET QUERY",
    .about = "Prints the exact edit distance (unit costs, end to end) of two sequences, or with "
             "--score their least penalty. Each is a FASTA or FASTQ file, plain, gzip or bgzip; "
             "'-' is standard input.\nTARGET is the reference, QUERY is compared with it; the "
             "distance is the same either way.",
    .common = {"output", "json", "score", "match", "target-region", "query-region", "strand",
               "max-distance", "device"},
    .examples = {"reference.fa query.fa",
                 "--match names --score wfa -o out.tsv reference.fa query.fa"},
    .options = {[CLI_GROUP_INPUT] = cli_pair_input_options,
                [CLI_GROUP_PAIRS] = cli_pair_match_options,
                [CLI_GROUP_SCORING] = SCORING_OPTIONS,
                [CLI_GROUP_OUTPUT] = OUTPUT_OPTIONS,
                [CLI_GROUP_DEVICES] = cli_pair_device_options,
                [CLI_GROUP_LONG_RUNS] = cli_pair_long_options,
                [CLI_GROUP_EXPERTS] = cli_pair_expert_options,
                [CLI_GROUP_MESSAGES] = cli_message_options},
    .rules = {cli_pair_rules, RULES},
    .endings = &ENDINGS,
    .notes = "Columns: target, target_length, query, query_length, distance (with --score, the "
             "penalty), score (only where a match scores), similarity (1 - distance / longer "
             "length; * with other than unit costs), engine, device, seconds (of the whole run). A "
             "distance above --max-distance K is '>K' with similarity '<S' and score *; the exit "
             "status is 0 all the same.",
    CLI_PAIR_OPERANDS,
    .run = run,
    .files = cli_pair_list_files,
};
