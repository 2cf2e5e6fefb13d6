/* SPDX-License-Identifier: MIT */
/*
 * rhomb distance: one exact distance of two sequences, or the plan for it.
 *
 * The output is opened first, so that a bad name fails before a long run.
 */
#include "host/cli/base/endings.h"
#include "host/cli/pair/pair_run.h"

enum { OPTION_JSON = CLI_PAIR_OWN, OPTION_NO_HEADER };

static const struct option LONGS[] = {
    CLI_PAIR_LONGS,
    {"json", no_argument, NULL, OPTION_JSON},
    {"no-header", no_argument, NULL, OPTION_NO_HEADER},
    {NULL, 0, NULL, 0},
};

typedef struct distance_job {
    cli_pair_arguments args;
    bool json;
    bool header;
    cli_pair_job pair;
    rhomb_result *result;
    cli_output output;
} distance_job;

static int set_own(void *user, int code, bool *known)
{
    distance_job *job = user;
    if (code == OPTION_JSON)
        job->json = true;
    else if (code == OPTION_NO_HEADER)
        job->header = false;
    else
        *known = false;
    return CLI_OK;
}

/* The format by the output's name, unless --json was given. */
static int read_name(distance_job *job)
{
    static const cli_word FORMATS[] = {{"tsv", false}, {"json", true}};
    static const cli_endings can = {FORMATS, CLI_COUNT(FORMATS), false};
    int json = job->json;
    const int status =
        cli_read_ending(&cli_command_distance, &can, job->args.output, job->json, &json, NULL);
    job->json = json;
    return status;
}

static int solve(distance_job *job)
{
    const cli_run *run = &job->pair.run;
    cli_pair_begin(&job->pair);
    const rhomb_status solved =
        rhomb_distance(job->pair.ctx, rhomb_sequence_letters(run->target),
                       rhomb_sequence_length(run->target), rhomb_sequence_letters(run->query),
                       rhomb_sequence_length(run->query), &job->args.options, &job->result);
    const int status = cli_pair_end(&job->pair, solved);
    if (status != CLI_OK)
        return status;
    const rhomb_report *report = rhomb_result_report(job->result);
    cli_pair_note_letters(&job->pair, report);
    cli_pair_note_unlike(&job->pair, report);
    cli_report_details(run, report);
    cli_pair_join(&job->pair);
    if (!job->json)
        cli_report_tsv(job->output.stream, run, report, job->header);
    else if (!cli_report_json(job->output.stream, run, report))
        return CLI_MEMORY;
    return CLI_OK;
}

static int work(distance_job *job)
{
    int status = cli_pair_create(&job->pair);
    if (status == CLI_OK && !cli_output_open(&job->output, job->args.output))
        status = CLI_FAILED;
    if (status == CLI_OK)
        status = cli_pair_prepare(&job->pair);
    if (status == CLI_OK)
        status = job->args.dry_run ? cli_pair_plan(&job->pair, job->output.stream, job->json)
                                   : solve(job);
    if (status == CLI_OK && !cli_output_commit(&job->output))
        status = CLI_FAILED;
    if (status == CLI_OK)
        cli_note_usage(job->pair.run.device, job->pair.run.start_seconds);
    return status;
}

static int run(int argc, char **argv)
{
    distance_job job = {.args = CLI_PAIR_ARGUMENTS_INIT, .header = true};
    job.pair = cli_pair_start(&job.args, argc, argv);
    int status = cli_pair_parse(&job.args, &cli_command_distance, argc, argv, LONGS, set_own, &job);
    if (status == CLI_OK && !job.args.help)
        status = read_name(&job);
    job.pair.needs_digests = job.json;
    if (status == CLI_OK)
        status = job.args.help ? cli_show_help(&cli_command_distance) : work(&job);
    rhomb_result_destroy(job.result);
    cli_pair_release(&job.pair);
    cli_output_close(&job.output);
    return status;
}

const cli_command cli_command_distance = {
    .name = "distance",
    .summary = "the exact edit distance of two sequences",
    .help =
        "usage: rhomb distance [OPTION...] TARGET QUERY\n"
        "\n"
        "Prints the exact edit distance (unit costs, global) of two sequences. TARGET is the\n"
        "reference, QUERY what is compared with it; the distance is the same either way. Each is\n"
        "a FASTA or FASTQ file, plain, gzip or bgzip; '-' is standard input.\n"
        "\n" CLI_PAIR_HELP_INPUT CLI_PAIR_HELP_DEVICE " (one a\n"
        "                            core, at most 16)\n"
        "\n"
        "  -o, --output FILE         write there; '-' is standard output (default)\n"
        "      --json                the full report as JSON instead of a TSV line; also where\n"
        "                            FILE ends in .json\n"
        "      --no-header           leave out the # line\n"
        "      --dry-run             print the plan: engine, memory, time; run "
        "nothing\n" CLI_PAIR_HELP_MESSAGES
        "Columns: target, target_length, query, query_length, distance, similarity (1 - distance\n"
        "/ longer length), engine, device, seconds (of the whole run). A distance above\n"
        "--max-distance K is '>K' with similarity '<S'; the exit status is 0 all the same.\n",
    .run = run,
};
