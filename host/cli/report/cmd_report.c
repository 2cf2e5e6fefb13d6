/* SPDX-License-Identifier: MIT */
/*
 * rhomb report: how two sets of sequences differ, from a PAF file and the sequences. Its
 * options are here, its work in report_run.c.
 */
#include "host/cli/command/options.h"
#include "host/cli/plot/plot_page.h"
#include "host/cli/report/report_run.h"

static const cli_word FORMATS[] = {{"txt", CLI_REPORT_TEXT},
                                   {"json", CLI_REPORT_JSON},
                                   {"html", CLI_REPORT_HTML},
                                   {"tsv", CLI_REPORT_TSV},
                                   {"bed", CLI_REPORT_BED}};

/* A page has a plot, for which the records are read again. */
static int check_page(const cli_report_arguments *args)
{
    if (args->format != CLI_REPORT_HTML)
        return CLI_OK;
    if (cli_command_plot.is_left_out)
        return cli_plot_page(NULL, NULL);
    if (args->audit != NULL)
        return CLI_OK;
    return cli_check_read_twice(&cli_command_report, "html reads PAF", args->paf);
}

static int run(int argc, char **argv)
{
    cli_report_arguments args = {.format = CLI_NO_FORMAT};
    cli_report report = {.found = NULL};
    cli_output output = {.stream = NULL};
    const double start = cli_seconds_now();
    int status = cli_read_options(&cli_command_report, argc, argv, &args);
    if (status == CLI_OK)
        status = check_page(&args);
    if (status != CLI_OK)
        return status;
    if (args.audit != NULL)
        return cli_audit_report(&args, argc, argv);
    status =
        cli_output_open(&output, args.output) ? cli_report_compare(&report, &args) : CLI_FAILED;
    report.comparison.argc = argc;
    report.comparison.argv = argv;
    if (status == CLI_OK && report.comparison.report->records == 0)
        cli_note(0, "%s has no records", cli_input_name(args.paf));
    if (status == CLI_OK)
        status = cli_report_write(&report, args.format, &output);
    if (status == CLI_OK)
        cli_note_usage(NULL, start);
    cli_report_release(&report);
    cli_output_close(&output);
    return status;
}

#define AT(member) offsetof(cli_report_arguments, member)

static const cli_option OPTIONS[] = {
    CLI_VALUE("audit", 0, CLI_OPTION_INPUT, AT(audit), "FILE",
              "report FILE instead, an audit of 'rhomb align --ranges'\nHow many rows lost how "
              "much, by powers of two, whether long rows lose more, and those that lost most; txt "
              "or html, which draws it"),
    CLI_ROW_OUTPUT(AT(output), "write to FILE; '-' is standard output (default)"),
    CLI_CHOICE(
        "format", AT(format), FORMATS, "FORMAT",
        "txt (default), json, html, tsv or bed\nhtml: a page with the plots of 'rhomb plot'; "
        "tsv, bed: a list of rearrangements, duplicates, and insertions, deletions and replaced "
        "sequence of 50 bases or more. Without this option the extension of FILE decides"),
    CLI_CONSTANT("json", AT(format), CLI_REPORT_JSON,
                 "JSON instead of tables; also if FILE ends in .json"),
    CLI_ROW_ALPHABET(AT(alphabet)),
    CLI_ROW_MIN_IDENTITY(AT(least_identity), ""),
    CLI_ROW_THREADS(AT(threads)),
    {.name = NULL},
};

static const cli_rule RULES[] = {
    CLI_RULE_IUPAC,
    {"audit", CLI_EXCLUDES, "PAF alphabet iupac min-identity threads format=json format=tsv"},
    {.terms = NULL}};

static const cli_endings ENDINGS = {CLI_ENDINGS(FORMATS, AT(format), AT(output)),
                                    .has_option = true};

const cli_command cli_command_report = {
    .name = "report",
    .summary = "how two genomes differ, from their alignments",
    .usage = "[OPTION...] PAF TARGET QUERY\n[OPTION...] --audit FILE",
    .about = "Prints what the alignments in PAF tell of the sequences in TARGET and QUERY: aligned "
             "and unaligned bases, records, identity (matches / columns) and gap-compressed "
             "identity, SNPs by kind, insertions and deletions by length, and what has been "
             "rearranged: breakpoints, inversions, relocations, translocations, and bases that are "
             "aligned more than once.\nPAF may come from any program that writes paths (cg or cs); "
             "where cg has M, bases are compared; or it is SAM, BAM or CRAM. Files may be plain, "
             "gzip or bgzip; '-' is "
             "standard input, for one of them. No device is needed.",
    .common = {"output", "format", "min-identity", "iupac", "threads"},
    .examples = {"out.paf reference.fa query.fa", "-o report.html out.paf reference.fa query.fa"},
    .options = {OPTIONS, [CLI_GROUP_MESSAGES] = cli_message_options},
    .rules = {RULES},
    .endings = &ENDINGS,
    .notes = "Differences are those of one-to-one records: of records on the same bases, the one "
             "with the most matches. The manual page defines every line. A path that does not fit "
             "the sequences ends the report with exit status 3; 'rhomb verify' says more.",
    .operands = {{"PAF", AT(paf)}, {"TARGET", AT(target)}, {"QUERY", AT(query)}},
    .takes_paf = true,
    .least_operands = 3,
    .instead = "audit",
    .run = run,
};
