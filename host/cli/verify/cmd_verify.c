/* SPDX-License-Identifier: MIT */
/*
 * rhomb verify: checks the alignments of a PAF file against the sequences. The library's
 * rhomb_verify() does the work; options and messages are here.
 */
#include "host/cli/command/options.h"
#include "host/cli/report/report_run.h"

#include <rhomb/verify.h>

typedef struct arguments {
    const char *paf;
    const char *target;
    const char *query;
    int32_t threads;
    bool all;
    bool whole;
    int64_t split_at;
    rhomb_alphabet alphabet;
    cli_score score; /* not given: each record's own, or none */
} arguments;

/* A rhomb_verify_error_fn: the first error stops the run; with --all each error is a line of data.
 */
static int show_error(const rhomb_verify_error *error, void *user)
{
    const arguments *args = user;
    const rhomb_paf_record *row = error->row;
    const char *file = cli_input_name(args->paf);
    if (args->all)
        cli_clear_status_line();
    if (args->all && row != NULL)
        printf("%s: line %lld (%s, %s): %s\n", file, (long long)row->line, row->query_name,
               row->target_name, error->text);
    else if (args->all)
        printf("%s: %s\n", file, error->text);
    else if (row != NULL)
        cli_error("verification failed: %s: line %lld (%s, %s): %s", file, (long long)row->line,
                  row->query_name, row->target_name, error->text);
    else
        cli_error("verification failed: %s: %s", file, error->text);
    return !args->all;
}

/* The pairs, and the gaps between the records of whole alignments. */
static void print_whole(const rhomb_verify_report *report)
{
    printf("; whole pairs %lld", (long long)report->pairs);
    if (report->gaps == 0)
        return;
    printf(", gaps between records %lld (target bases %lld, query bases %lld, edits %lld",
           (long long)report->gaps, (long long)report->gap_target_bases,
           (long long)report->gap_query_bases, (long long)report->gap_edits_least);
    if (report->gap_edits_most > report->gap_edits_least)
        printf(" to %lld", (long long)report->gap_edits_most);
    printf(")");
}

/* Prints the verdict. */
static int conclude(const arguments *args, const rhomb_verify_report *report)
{
    if (report->errors > 0) {
        if (args->all)
            cli_error("verification failed: %s: errors %lld, records %lld",
                      cli_input_name(args->paf), (long long)report->errors,
                      (long long)report->rows);
        return CLI_MISMATCH;
    }
    if (report->unaligned > 0)
        cli_note(0, "records of queries without an alignment: %lld", (long long)report->unaligned);
    if (report->unscored > 0)
        cli_note(0,
                 "AS of %lld record%s is not checked, as its scoring is not known: --score SCORING",
                 (long long)report->unscored, cli_s(report->unscored));
    if (cli_verbosity() < 0)
        return CLI_OK;
    printf("%s: verified: records %lld, target bases %lld, query bases %lld, edits %lld",
           cli_input_name(args->paf), (long long)report->rows, (long long)report->target_bases,
           (long long)report->query_bases, (long long)report->edits);
    if (args->whole)
        print_whole(report);
    printf("\n");
    return CLI_OK;
}

static int verify(cli_records *records, arguments *args)
{
    rhomb_verify_options options = RHOMB_VERIFY_OPTIONS_INIT;
    rhomb_verify_report report = RHOMB_VERIFY_REPORT_INIT;
    const double start = cli_seconds_now();
    options.alphabet = args->alphabet;
    options.whole = args->whole;
    options.least_gap = args->split_at;
    options.scoring = cli_score_costs(&args->score);
    options.error = show_error;
    options.error_user = args;
    rhomb_status status =
        cli_records_open(records, args->paf, args->target, args->query, args->threads);
    if (status == RHOMB_OK)
        status = rhomb_verify(records->paf, records->targets, records->queries, &options, &report);
    cli_clear_status_line();
    if (status != RHOMB_OK)
        return cli_fail(records->ctx, status);
    const int result = conclude(args, &report);
    cli_note_usage(NULL, start);
    return result;
}

static int run(int argc, char **argv)
{
    arguments args = {.alphabet = RHOMB_ALPHABET_DNA};
    cli_records records = {.ctx = NULL};
    int status = cli_read_options(&cli_command_verify, argc, argv, &args);
    if (status == CLI_OK)
        status =
            cli_check_score(&cli_command_verify, &args.score, args.alphabet, RHOMB_MODE_GLOBAL);
    if (status != CLI_OK)
        return status;
    status = verify(&records, &args);
    cli_records_close(&records);
    return status;
}

#define AT(member) offsetof(arguments, member)

static const cli_option OPTIONS[] = {
    CLI_SWITCH("whole", AT(whole), true,
               "the records of two sequences must form one end-to-end alignment: in order, with "
               "nothing missing or twice"),
    CLI_VALUE("split-at", 0, CLI_OPTION_POSITIVE, AT(split_at), "NUM",
              "with --whole: gaps of NUM bases or more may be missing, as the same option of "
              "'rhomb align' leaves them out; K, M, G allowed"),
    CLI_READ_WORDS(
        "score", cli_read_score, AT(score), cli_scorings, "SCORING",
        "check AS by SCORING\nIt is written as for 'rhomb distance', where a gap of k bases costs "
        "O + k * E; without this option, AS of records that name their scoring is checked by that"),
    CLI_SWITCH("all", AT(all), true, "list all errors on standard output, one per line"),
    CLI_ROW_ALPHABET(AT(alphabet)),
    CLI_ROW_THREADS(AT(threads)),
    {.name = NULL},
};

static const cli_rule RULES[] = {
    {"split-at", CLI_REQUIRES, "whole"}, CLI_RULE_IUPAC, {.terms = NULL}};

const cli_command cli_command_verify = {
    .name = "verify",
    .summary = "check alignments against the sequences",
    .usage = "[OPTION...] PAF TARGET QUERY",
    .about =
        "Follows the path of each record of PAF through the two sequences that it names, and "
        "checks the bases under = and X and in cs, both ends, the record's lengths, matches "
        "and block length, and its tags NM, de and nn; and AS, if its scoring is known, by "
        "--score or by the tag sc, as 'rhomb align' writes it.\nTARGET and QUERY are FASTA or "
        "FASTQ files with any number of records. Reads what 'rhomb align' and other programs "
        "write, with the path in cg:Z (=, X, I, D and M) or cs:Z, or SAM, BAM or CRAM. Files may "
        "be plain, gzip or bgzip; '-' is standard input, for one of them.\n\nExits with 0 and a "
        "line of totals, "
        "which --quiet leaves out, if every record is right; with 6 and the first error if "
        "one is not or there is none; and with 3 if a file cannot be read to its end.",
    .common = {"all", "whole", "split-at", "score", "iupac", "threads"},
    .examples = {"out.paf reference.fa query.fa", "--all --whole out.paf reference.fa query.fa"},
    .options = {OPTIONS, [CLI_GROUP_MESSAGES] = cli_message_options},
    .rules = {RULES},
    .operands = {{"PAF", AT(paf)}, {"TARGET", AT(target)}, {"QUERY", AT(query)}},
    .takes_paf = true,
    .least_operands = 3,
    .run = run,
};
