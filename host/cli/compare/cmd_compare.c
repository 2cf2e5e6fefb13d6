/* SPDX-License-Identifier: MIT */
/*
 * rhomb compare: how two genomes differ, in one command. It aligns as `rhomb align --match best
 * --blocks` does, makes the report of `rhomb report` of that, in all its forms, and puts everything
 * into a folder, which appears once it is complete.
 */
#include "host/cli/align/align_arguments.h"
#include "host/cli/base/folder.h"
#include "host/cli/command/command.h"
#include "host/cli/pair/plan_run.h"
#include "host/cli/report/report_run.h"
#include "host/cli/sketch/minimizers.h"

#include <errno.h>
#include <sys/stat.h>

/* The files of the folder: the alignments, what aligning writes besides, and the report's forms. */
static const char *const FILES[] = {
    "alignments.paf", "variants.vcf",       "report.txt", "report.json",
    "report.html",    "rearrangements.tsv", NULL};
enum { ALIGNMENTS, VARIANTS, TEXT, JSON, PAGE, TABLE };

static const struct {
    int file, format;
} FORMS[] = {{TEXT, CLI_REPORT_TEXT},
             {JSON, CLI_REPORT_JSON},
             {TABLE, CLI_REPORT_TSV},
             {PAGE, CLI_REPORT_HTML}};

/* Both files are read twice, and are two. */
static int check_inputs(const cli_pair_arguments *pair)
{
    const char *const names[] = {pair->target_path, pair->query_path};
    struct stat files[2];
    for (int i = 0; i < 2; i++) {
        const int status =
            cli_check_read_twice(&cli_command_compare, "both inputs are read", names[i]);
        if (status != CLI_OK)
            return status;
        if (stat(names[i], &files[i]) != 0)
            return cli_fail_to_open(names[i], errno);
    }
    if (cli_is_same_file(&files[0], &files[1]))
        return cli_bad_usage(&cli_command_compare,
                             "%s and %s are one file: there is nothing to compare", names[0],
                             names[1]);
    return CLI_OK;
}

static int check(cli_align_arguments *args)
{
    if (args->pair.output == NULL && !args->pair.dry_run)
        return cli_bad_usage(&cli_command_compare, "--output is missing: a folder for the results");
    if (cli_is_standard_output(args->pair.output) && !args->pair.dry_run)
        return cli_bad_usage(&cli_command_compare, "--output is a folder, not standard output");
    if (!cli_has_minimizers)
        return cli_bad_usage(&cli_command_compare,
                             "this needs sketches, and this build was configured with "
                             "-DRHOMB_SKETCH=OFF");
    const int status = cli_pair_settle(&cli_command_compare, &args->pair);
    return status == CLI_OK ? check_inputs(&args->pair) : status;
}

static void append_side(cli_buffer *out, const char *side, const char *path,
                        const rhomb_comparison_side *s)
{
    cli_append_format(out,
                      "%-8s%s: %" PRId64 " base%s, %" PRId64 " record%s; not similar %" PRId64
                      ", unaligned %" PRId64 "\n",
                      side, path, s->bases, cli_s(s->bases), s->sequences, cli_s(s->sequences),
                      s->aligned - s->similar, s->in_gaps + s->outside);
}

/* The events of these types that there are, by type. */
static void append_events(cli_buffer *out, const char *name, const cli_events *events,
                          cli_event_type first, cli_event_type end)
{
    bool any = false;
    cli_append_format(out, "%-8s", name);
    for (cli_event_type type = first; type < end; type++) {
        const int64_t count = cli_events_count(events, type);
        if (count == 0)
            continue;
        cli_append_format(out, "%s%" PRId64 " ", any ? ", " : "", count);
        any = true;
        for (const char *c = cli_event_names[type]; *c != '\0'; c++)
            cli_append_format(out, "%c", *c == '_' ? ' ' : *c);
        cli_append_text(out, cli_s(count));
    }
    cli_append_text(out, any ? "\n" : "none\n");
}

/* The headline and some lines. */
static cli_buffer summary_of(const cli_report *report, const cli_align_arguments *args)
{
    const cli_comparison *c = &report->comparison;
    const rhomb_comparison_report *r = c->report;
    const rhomb_comparison_sum *s = r->similar;
    cli_buffer out = {0};
    cli_append_headline(&out, r, false);
    append_side(&out, "target", c->target, r->target);
    append_side(&out, "query", c->query, r->query);
    cli_append_format(&out, "SNPs    %" PRId64, s->snps);
    if (s->transversions > 0)
        cli_append_format(&out, ", transitions / transversions %.2f",
                          (double)s->transitions / (double)s->transversions);
    cli_append_format(&out,
                      "\nindels  %" PRId64 " insertion%s of %" PRId64 " base%s, %" PRId64
                      " deletion%s of %" PRId64 " base%s\n",
                      s->insertions.count, cli_s(s->insertions.count), s->insertions.bases,
                      cli_s(s->insertions.bases), s->deletions.count, cli_s(s->deletions.count),
                      s->deletions.bases, cli_s(s->deletions.bases));
    append_events(&out, "large", &report->events, CLI_EVENT_INSERTION, CLI_EVENT_INVERSION);
    append_events(&out, "moved", &report->events, CLI_EVENT_INVERSION, CLI_EVENT_DUPLICATION);
    append_events(&out, "copies", &report->events, CLI_EVENT_DUPLICATION, CLI_EVENT_TYPES);
    cli_append_format(&out, "scoring %s\n", args->pair.score.text);
    return out;
}

static int print_summary(const cli_buffer *summary, const char *folder)
{
    const bool has_page = !cli_command_plot.is_left_out;
    if (summary->failed)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    fwrite(summary->data, 1, summary->length, stdout);
    printf("see     %s%s%s\n", folder, folder[strlen(folder) - 1] == '/' ? "" : "/",
           FILES[has_page ? PAGE : TEXT]);
    return CLI_OK;
}

/* What the page has after the tables: links to the files. */
static cli_buffer links(void)
{
    cli_buffer out = {0};
    cli_append_text(&out, "<p>Files: ");
    for (size_t i = 0; FILES[i] != NULL; i++)
        cli_append_format(&out, "%s<a href=\"%s\">%s</a>", i > 0 ? ", " : "", FILES[i], FILES[i]);
    cli_append_text(&out, "</p>\n");
    return out;
}

/* Writes all forms of the report into the folder. */
static int write_report(const cli_report *report, const cli_folder *folder)
{
    int status = CLI_OK;
    for (size_t i = 0; i < CLI_COUNT(FORMS) && status == CLI_OK; i++) {
        cli_output output = {0};
        if (FORMS[i].format == CLI_REPORT_HTML && cli_command_plot.is_left_out) {
            cli_note(0, "no %s: this build of rhomb has no plotting", FILES[FORMS[i].file]);
            continue;
        }
        status = cli_output_open(&output, folder->files[FORMS[i].file])
                     ? cli_report_write(report, FORMS[i].format, &output)
                     : CLI_FAILED;
        cli_output_close(&output);
    }
    return status;
}

/* Makes the report of the alignments, which are in the folder. */
static int report_on(cli_align_arguments *args, cli_folder *folder, const char *name, int argc,
                     char **argv)
{
    cli_report *report = args->compared;
    cli_buffer more = links(), summary = summary_of(report, args), title = {0};
    report->comparison.shown_paf = FILES[ALIGNMENTS];
    cli_append_format(&title, "%s and %s%c", cli_base_name(args->pair.target_path),
                      cli_base_name(args->pair.query_path), '\0');
    report->comparison.title = title.data;
    report->comparison.more = &more;
    report->comparison.argc = argc;
    report->comparison.argv = argv;
    int status = more.failed || title.failed ? cli_fail(NULL, RHOMB_ERR_MEMORY)
                                             : write_report(report, folder);
    if (status == CLI_OK)
        status = cli_folder_commit(folder);
    if (status == CLI_OK)
        status = print_summary(&summary, name);
    cli_buffer_release(&title);
    cli_buffer_release(&summary);
    cli_buffer_release(&more);
    return status;
}

/* Fills the folder, which is open. */
static int fill(cli_align_arguments *args, cli_folder *folder, int argc, char **argv)
{
    const char *name = args->pair.output;
    cli_report report = {0};
    args->pair.output = folder->files[VARIANTS];
    args->records = folder->files[ALIGNMENTS];
    args->compared = &report;
    int status = cli_align_run(args, argc, argv);
    if (status == CLI_OK)
        status = report_on(args, folder, name, argc, argv);
    cli_report_release(&report);
    return status;
}

static int run(int argc, char **argv)
{
    cli_align_arguments args = {
        .pair = CLI_PAIR_ARGUMENTS_INIT, .how = RHOMB_MODE_OPTIONS_INIT, .format = CLI_ALIGN_VCF};
    cli_folder folder = {0};
    args.how.mode = RHOMB_MODE_GLOBAL;
    args.pair.match = "best";
    args.pair.blocks = args.pair.cut = true;
    int status = cli_read_score(&cli_command_compare, "wfa", &args.pair.score);
    if (status == CLI_OK)
        status = cli_read_options(&cli_command_compare, argc, argv, &args);
    if (status == CLI_OK)
        status = check(&args);
    if (status != CLI_OK)
        return status;
    if (args.pair.dry_run)
        return cli_plan_run(&args.pair, &(cli_plan_asked){.with_path = true}, argc, argv);
    status = cli_folder_open(&folder, args.pair.output, FILES, args.pair.resume_beside);
    if (status == CLI_OK)
        status = fill(&args, &folder, argc, argv);
    cli_folder_close(&folder);
    return status;
}

/* What a run that is gone on with has beside its folder. */
static void list_files(const void *arguments, cli_files *files)
{
    static const char *const ENDINGS[] = {".partial/alignments.paf",      ".partial/variants.vcf",
                                          ".partial/variants.vcf.resume", ".partial/report.txt",
                                          ".partial/report.json",         ".partial/report.html",
                                          ".partial/rearrangements.tsv"};
    const cli_align_arguments *args = arguments;
    for (size_t i = 0; i < CLI_COUNT(ENDINGS) && args->pair.resume_beside; i++)
        cli_files_beside(files, "output", args->pair.output, ENDINGS[i]);
}

#define AT(member) offsetof(cli_align_arguments, member)

static const cli_option OPTIONS[] = {
    CLI_VALUE("output", 'o', CLI_OPTION_FOLDER, AT(pair.output), "FOLDER",
              "put the results into FOLDER, which appears once they are complete; it must not be "
              "there, or be empty"),
    CLI_READ_WORDS(
        "score", cli_read_score, AT(pair.score), cli_scorings, "SCORING",
        "wfa (default), which is affine:4,6,2; edit, which is faster; or another one that "
        "'rhomb align' takes"),
    CLI_ROW_MIN_IDENTITY(AT(least_identity), ""),
    CLI_SWITCH("resume", AT(pair.resume_beside), true,
               "keep what is complete in FOLDER.partial if the run is stopped, and go on with it "
               "the next time"),
    CLI_PAIR_ROW_DRY_RUN,
    {.name = NULL},
};

static const cli_rule RULES[] = {{"ranks", CLI_EXCLUDES, "compare"},
                                 {"score=matrix:", CLI_EXCLUDES, "compare"},
                                 {.terms = NULL}};

const cli_command cli_command_compare = {
    .name = "compare",
    .summary = "how two genomes differ: alignments, variants, rearrangements and a report",
    .usage = "[OPTION...] -o FOLDER TARGET QUERY",
    .about = "Aligns two assemblies with any number of records, and writes everything that tells "
             "how they differ into FOLDER: alignments.paf, variants.vcf, rearrangements.tsv, and "
             "the report as report.txt, report.json and report.html, a page with the plots that "
             "says it all.\nPrints the headline: the identity of similar sequence (ANI) and its "
             "share of each genome. Records find their partners, strands, blocks and circles by "
             "sketches. Blocks are cut at long exact matches, a heuristic; the alignment of each "
             "piece is exact. Files may be plain, gzip or bgzip.",
    .common = {"output", "score", "min-identity", "resume", "dry-run", "device"},
    .examples = {"-o results reference.fa assembly.fa",
                 "--score edit --resume -o results old.fa.gz new.fa.gz"},
    .options =
        {OPTIONS, [CLI_GROUP_DEVICES] = cli_pair_device_options,
         [CLI_GROUP_EXPERTS] = cli_pair_expert_options, [CLI_GROUP_MESSAGES] = cli_message_options},
    .rules = {RULES},
    .notes = "In steps, without cuts: 'rhomb align --match best --blocks', 'rhomb report' and "
             "'rhomb plot'.",
    CLI_PAIR_OPERANDS,
    .run = run,
    .files = list_files,
};
