/* SPDX-License-Identifier: MIT */
/*
 * rhomb distance: one exact distance of two sequences, or the plan for it.
 *
 * The output is opened first, so that a bad name fails before a long run.
 */
#include "host/cli/command/endings.h"
#include "host/cli/pair/distance_many.h"
#include "host/cli/pair/pair_run.h"
#include "host/cli/pair/plan_many.h"

typedef struct distance_arguments {
    cli_pair_arguments pair;
    int format; /* of FORMATS */
    bool header;
} distance_arguments;

enum { FORMAT_TSV, FORMAT_JSON };

static const cli_word FORMATS[] = {{"tsv", FORMAT_TSV}, {"json", FORMAT_JSON}};

typedef struct distance_job {
    distance_arguments args;
    cli_pair_job pair;
    rhomb_result *result;
    cli_output output;
} distance_job;

static int solve(distance_job *job)
{
    const cli_run *run = &job->pair.run;
    cli_pair_begin(&job->pair);
    const rhomb_status solved = rhomb_distance(
        job->pair.ctx, rhomb_sequence_bases(run->target), rhomb_sequence_length(run->target),
        run->query_bases, rhomb_sequence_length(run->query), &job->args.pair.options, &job->result);
    const int status = cli_pair_end(&job->pair, solved);
    if (status != CLI_OK)
        return status;
    const rhomb_report *report = rhomb_result_report(job->result);
    cli_pair_note_bases(&job->pair, report);
    cli_report_details(run, report);
    cli_pair_join(&job->pair);
    if (job->args.format == FORMAT_TSV && job->args.header)
        cli_report_tsv_head(job->output.stream, run);
    if (job->args.format == FORMAT_TSV)
        cli_report_tsv(job->output.stream, run, report, cli_seconds_now() - run->start_seconds);
    else if (!cli_report_json(job->output.stream, run, report))
        return CLI_MEMORY;
    return CLI_OK;
}

static int work(distance_job *job)
{
    int status = cli_pair_create(&job->pair);
    if (status == CLI_OK && !cli_output_open(&job->output, job->args.pair.output))
        status = CLI_FAILED;
    if (status == CLI_OK)
        status = cli_pair_prepare(&job->pair);
    if (status == CLI_OK)
        status = job->args.pair.dry_run
                     ? cli_pair_plan(&job->pair, job->output.stream, job->pair.needs_digests)
                     : solve(job);
    if (status == CLI_OK && !cli_output_commit(&job->output))
        status = CLI_FAILED;
    if (status == CLI_OK) {
        cli_pair_drop_resume(&job->pair);
        cli_note_usage(job->pair.run.device, job->pair.run.start_seconds);
    }
    return status;
}

static int work_many(distance_arguments *args, int argc, char **argv)
{
    return args->pair.dry_run ? cli_plan_many(&args->pair, false, args->pair.output, argc, argv)
                              : cli_distance_many(&args->pair, args->format == FORMAT_JSON,
                                                  args->header, argc, argv);
}

static int run(int argc, char **argv)
{
    distance_job job = {
        .args = {.pair = CLI_PAIR_ARGUMENTS_INIT, .format = CLI_NO_FORMAT, .header = true}};
    job.pair = cli_pair_start(&job.args.pair, argc, argv);
    int status = cli_read_options(&cli_command_distance, argc, argv, &job.args);
    if (status == CLI_OK)
        status = cli_pair_check(&cli_command_distance, &job.args.pair);
    job.pair.needs_digests = job.args.format == FORMAT_JSON;
    if (status == CLI_OK && job.args.pair.match == NULL)
        status = work(&job);
    else if (status == CLI_OK)
        status = work_many(&job.args, argc, argv);
    rhomb_result_destroy(job.result);
    cli_pair_release(&job.pair);
    cli_output_close(&job.output);
    return status;
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
    {"jobs", CLI_REQUIRES, "match"},
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
