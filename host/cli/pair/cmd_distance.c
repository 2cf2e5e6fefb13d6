/* SPDX-License-Identifier: MIT */
/*
 * rhomb distance: of one pair its report, or of two assemblies a row for each pair, and for each
 * record without a partner. Rows are written as they are found, in the order of the target.
 */
#include "host/cli/command/options.h"
#include "host/cli/pair/pair_run.h"
#include "host/cli/pair/plan_run.h"

#include <cJSON.h>

typedef struct distance_arguments {
    cli_pair_arguments pair;
    int format; /* of FORMATS */
    bool header;
} distance_arguments;

enum { FORMAT_TSV, FORMAT_JSON };

static const cli_word FORMATS[] = {{"tsv", FORMAT_TSV}, {"json", FORMAT_JSON}};

/* Everything that a run holds and has to release. */
typedef struct distance_job {
    const distance_arguments *args;
    bool json;
    bool is_single; /* there is one pair, whose report has all that is known */
    cli_pairs pairs;
    cli_output output;
    cli_buffer text; /* of JSON, before it is written */
    int64_t rows;
    bool has_left; /* JSON: a record without a partner was written */
} distance_job;

static int write_text(distance_job *job)
{
    cli_buffer *text = &job->text;
    if (text->failed)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    const int status = cli_output_write(&job->output, text->data, text->length);
    text->length = 0;
    return status;
}

/* The only pair's report. */
static int write_single(distance_job *job, const rhomb_report *report)
{
    const cli_run *run = &job->pairs.job.run;
    cli_pair_solved(&job->pairs.job, report);
    cli_report_details(run, report, NULL);
    cli_pair_join(&job->pairs.job);
    if (job->json)
        return cli_report_json(job->output.stream, run, report) ? CLI_OK : CLI_MEMORY;
    if (job->args->header)
        cli_report_tsv_head(&job->text, run);
    cli_report_tsv(&job->text, run, report, cli_seconds_now() - run->start_seconds);
    return write_text(job);
}

static int on_part(const cli_part *part, void *user)
{
    distance_job *job = user;
    const rhomb_report *report = cli_part_report(part);
    if (job->is_single)
        return write_single(job, report);
    cli_run run = job->pairs.job.run;
    run.target_name = part->pair->target.name;
    run.query_name = part->pair->query.name;
    run.reverse = part->range.reverse;
    run.rotation = part->rotation;
    if (job->json) {
        cli_append_text(&job->text, job->rows > 0 ? ",\n\t\t" : "\n\t\t");
        cli_report_json_row(&job->text, &run, report);
    } else {
        cli_report_tsv(&job->text, &run, report, part->task.seconds);
    }
    if (job->pairs.journal != NULL)
        cli_journal_first(job->pairs.journal, job->text.data, job->text.length);
    job->rows++;
    return write_text(job);
}

static int on_pair(const cli_pair *pair, int64_t aligned, void *user)
{
    distance_job *job = user;
    const int64_t counts[CLI_JOURNAL_COUNTS] = {job->rows};
    (void)aligned;
    return job->pairs.journal != NULL && pair->is_last
               ? cli_journal_mark(job->pairs.journal, pair->number + 1,
                                  cli_many_unaligned(job->pairs.many), counts)
               : CLI_OK;
}

/* For cli_assemblies_leave(). */
static int on_left(int side, const cli_record *record, void *user)
{
    distance_job *job = user;
    if (!job->json) {
        cli_report_tsv_left(&job->text, &job->pairs.job.run, side == 0, record->name,
                            record->length);
        return write_text(job);
    }
    cli_append_text(&job->text, job->has_left ? ",\n\t\t" : "\n\t\t");
    cli_report_json_left(&job->text, side == 0, record->name, record->length);
    job->has_left = true;
    return write_text(job);
}

static int write_head(distance_job *job)
{
    if (!job->json && job->args->header)
        cli_report_tsv_head(&job->text, &job->pairs.job.run);
    if (!job->json)
        return write_text(job);
    char *text = cli_many_json_text(&job->pairs.job.run, cli_document_distances.name);
    if (text == NULL)
        return CLI_MEMORY;
    cli_append_bytes(&job->text, text, strlen(text) - strlen("\n}"));
    cJSON_free(text);
    cli_append_text(&job->text, ",\n\t\"pairs\":\t[");
    return write_text(job);
}

/* A cli_journal_take: rows that an earlier run has written. */
static int repeat(int output, const char *text, size_t length, void *user)
{
    distance_job *job = user;
    (void)output;
    cli_append_bytes(&job->text, text, length);
    return write_text(job);
}

/* Of cli_pairs_steps. */
static int open_output(void *user)
{
    distance_job *job = user;
    return cli_output_open(&job->output, job->args->pair.output) ? CLI_OK : CLI_FAILED;
}

static int start(void *user)
{
    distance_job *job = user;
    cli_pairs *pairs = &job->pairs;
    const cli_many_hooks hooks = {.part = on_part, .pair = on_pair, .user = job};
    const char *more = job->json ? "format: json\n" : "format: tsv\n";
    int status = CLI_OK;
    if (!job->is_single && job->args->pair.resume != NULL)
        status = cli_assemblies_journal(&pairs->assemblies, pairs->job.run.device,
                                        "distance --match", more, NULL, &pairs->journal);
    if (status == CLI_OK)
        status = cli_pairs_start(pairs, NULL, false, &hooks);
    if (status == CLI_OK && !job->is_single)
        status = write_head(job);
    if (status != CLI_OK || pairs->journal == NULL)
        return status;
    job->rows = cli_journal_counted(pairs->journal)[0];
    return cli_journal_repeat(pairs->journal, cli_many_unaligned(pairs->many), repeat, job);
}

/* The records without a partner, and the end. */
static int write_end(distance_job *job)
{
    if (job->json)
        cli_append_text(&job->text, "],\n\t\"unmatched\":\t[");
    const int status = cli_assemblies_leave(&job->pairs.assemblies, on_left, job);
    if (status != CLI_OK || !job->json)
        return status;
    cli_append_text(&job->text, "]");
    cli_many_append_shares(job->pairs.many, &job->text);
    cli_append_text(&job->text, "\n}\n");
    return write_text(job);
}

static int finish(void *user)
{
    distance_job *job = user;
    const int status = job->is_single ? CLI_OK : write_end(job);
    return status != CLI_OK || cli_output_commit(&job->output) ? status : CLI_FAILED;
}

static int solve(distance_arguments *args, int argc, char **argv)
{
    distance_job job = {
        .args = args, .json = args->format == FORMAT_JSON, .is_single = args->pair.match == NULL};
    const cli_pairs_steps steps = {open_output, start, finish, &job};
    job.pairs.job = cli_pair_start(&args->pair, argc, argv);
    job.pairs.job.needs_digests = job.json;
    job.pairs.job.run.shows_strand = true; /* unless one pair's options say otherwise */
    const int status = cli_pairs_run(&job.pairs, &steps);
    cli_pairs_release(&job.pairs);
    cli_buffer_release(&job.text);
    cli_output_close(&job.output);
    return status;
}

static int run(int argc, char **argv)
{
    distance_arguments args = {
        .pair = CLI_PAIR_ARGUMENTS_INIT, .format = CLI_NO_FORMAT, .header = true};
    int status = cli_read_options(&cli_command_distance, argc, argv, &args);
    if (status == CLI_OK)
        status = cli_pair_settle(&cli_command_distance, &args.pair);
    if (status != CLI_OK)
        return status;
    const cli_plan_asked plan = {.json = args.format == FORMAT_JSON};
    return args.pair.dry_run ? cli_plan_run(&args.pair, &plan, argc, argv)
                             : solve(&args, argc, argv);
}

#define AT(member) offsetof(distance_arguments, member)

static const cli_option SCORING_OPTIONS[] = {CLI_ROW_SCORE(AT(pair.score)), {.name = NULL}};

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

static const cli_endings ENDINGS = {CLI_ENDINGS(FORMATS, AT(format), AT(pair.output))};

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
