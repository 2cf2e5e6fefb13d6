/* SPDX-License-Identifier: MIT */
/*
 * rhomb report: how two sets of sequences differ, from a PAF file and the sequences. The library's
 * rhomb_compare() does the work; options are here, tables in comparison_text.c and
 * comparison_json.c.
 */
#include "host/cli/base/endings.h"
#include "host/cli/base/options.h"
#include "host/cli/plot/plot_page.h"
#include "host/cli/report/comparison_print.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_HTML };

static const cli_word FORMATS[] = {
    {"txt", FORMAT_TEXT}, {"json", FORMAT_JSON}, {"html", FORMAT_HTML}};

typedef struct arguments {
    const char *paf;
    const char *target;
    const char *query;
    const char *output;
    int32_t threads;
    int format;
    rhomb_alphabet alphabet;
    double least_identity;
} arguments;

/* What the command has open; NULL where nothing is. */
typedef struct session {
    rhomb_context *ctx;
    rhomb_sequence_set *targets;
    rhomb_sequence_set *queries;
    rhomb_paf *paf;
    rhomb_comparison *comparison;
    cli_output output;
    cli_progress progress;
    double reads_from; /* when the records begin to be read */
} session;

/* A rhomb_paf_progress_fn. */
static int show_progress(double fraction, void *user)
{
    session *s = user;
    cli_progress_reading(&s->progress, cli_seconds_now() - s->reads_from, fraction);
    return 0;
}

static int compare(session *s, const arguments *args)
{
    rhomb_compare_options options = RHOMB_COMPARE_OPTIONS_INIT;
    rhomb_context_options settings = RHOMB_CONTEXT_OPTIONS_INIT;
    /* A file that is both target and query is read once. */
    const bool same = strcmp(args->target, args->query) == 0;
    settings.cache_dir = "off";
    settings.threads = args->threads;
    settings.log = cli_log;
    options.alphabet = args->alphabet;
    options.least_identity = args->least_identity;
    rhomb_status status = rhomb_context_create(&s->ctx, &settings);
    if (status == RHOMB_OK)
        status = rhomb_sequence_set_read(s->ctx, args->target, &s->targets);
    if (status == RHOMB_OK && !same)
        status = rhomb_sequence_set_read(s->ctx, args->query, &s->queries);
    if (status == RHOMB_OK)
        status = rhomb_paf_open(s->ctx, args->paf, &s->paf);
    s->reads_from = cli_seconds_now();
    cli_progress_start(&s->progress, "");
    if (status == RHOMB_OK) {
        rhomb_paf_watch(s->paf, show_progress, s);
        status = rhomb_compare(s->paf, s->targets, s->queries != NULL ? s->queries : s->targets,
                               &options, &s->comparison);
    }
    cli_progress_end(&s->progress);
    return status == RHOMB_OK ? CLI_OK : cli_fail(s->ctx, status);
}

static int print_tables(session *s, const cli_comparison *comparison, bool html)
{
    cli_buffer tables = cli_comparison_tables(comparison, html);
    int status = tables.failed ? cli_fail(NULL, RHOMB_ERR_MEMORY) : CLI_OK;
    if (status == CLI_OK && html)
        status = cli_plot_page(comparison->paf, comparison->report->least_identity, &tables,
                               comparison->argc, comparison->argv, &s->output);
    else if (status == CLI_OK &&
             fwrite(tables.data, 1, tables.length, s->output.stream) != tables.length)
        status = cli_output_fail(&s->output, errno != 0 ? errno : EIO);
    cli_buffer_release(&tables);
    return status;
}

/* A page has a plot, for which the records are read again. */
static int check_page(const arguments *args)
{
    struct stat file;
    if (args->format != FORMAT_HTML)
        return CLI_OK;
    if (cli_command_plot.is_left_out)
        return cli_plot_page(NULL, 0, NULL, 0, NULL, NULL);
    if (strcmp(args->paf, "-") == 0 || (stat(args->paf, &file) == 0 && !S_ISREG(file.st_mode)))
        return cli_bad_usage(&cli_command_report, "html reads PAF twice, so '%s' has to be a file",
                             args->paf);
    return CLI_OK;
}

static int print(session *s, const arguments *args, int argc, char **argv)
{
    const cli_comparison comparison = {.paf = args->paf,
                                       .target = args->target,
                                       .query = args->query,
                                       .report = rhomb_comparison_get_report(s->comparison),
                                       .argc = argc,
                                       .argv = argv};
    if (comparison.report->records == 0)
        cli_note(0, "%s has no records", cli_input_name(args->paf));
    if (args->format == FORMAT_JSON && !cli_comparison_json(s->output.stream, &comparison))
        return CLI_MEMORY;
    const int status = args->format == FORMAT_JSON
                           ? CLI_OK
                           : print_tables(s, &comparison, args->format == FORMAT_HTML);
    if (status != CLI_OK)
        return status;
    return cli_output_commit(&s->output) ? CLI_OK : CLI_FAILED;
}

static void release(session *s)
{
    rhomb_comparison_destroy(s->comparison);
    rhomb_paf_destroy(s->paf);
    rhomb_sequence_set_destroy(s->queries);
    rhomb_sequence_set_destroy(s->targets);
    rhomb_context_destroy(s->ctx);
    cli_output_close(&s->output);
}

static int run(int argc, char **argv)
{
    static const cli_endings can = {FORMATS, CLI_COUNT(FORMATS), false, true};
    arguments args = {.format = CLI_NO_FORMAT};
    session s = {.ctx = NULL};
    const double start = cli_seconds_now();
    int status = cli_read_options(&cli_command_report, argc, argv, &args);
    if (status == CLI_OK)
        status = cli_choose_format(&cli_command_report, &can, args.output, &args.format, NULL);
    if (status == CLI_OK)
        status = check_page(&args);
    if (status != CLI_OK)
        return status;
    status = cli_output_open(&s.output, args.output) ? compare(&s, &args) : CLI_FAILED;
    if (status == CLI_OK)
        status = print(&s, &args, argc, argv);
    if (status == CLI_OK)
        cli_note_usage(NULL, start);
    release(&s);
    return status;
}

static int set_identity(const cli_command *command, void *into, const char *text)
{
    return cli_read_identity(command, text, &((arguments *)into)->least_identity);
}

#define AT(member) offsetof(arguments, member)

static const cli_option OPTIONS[] = {
    CLI_ROW_OUTPUT(AT(output), "write to FILE; '-' is standard output (default)"),
    CLI_CHOICE("format", AT(format), FORMATS, "FORMAT",
               "txt (default), json or html, a page with the plots of 'rhomb plot', if the "
               "extension of FILE does not say it"),
    CLI_CONSTANT("json", AT(format), FORMAT_JSON,
                 "JSON instead of tables; also if FILE ends in .json"),
    CLI_ROW_ALPHABET(AT(alphabet)),
    CLI_ROW_MIN_IDENTITY(set_identity, ""),
    CLI_ROW_THREADS(AT(threads)),
    {.name = NULL},
};

const cli_command cli_command_report = {
    .name = "report",
    .summary = "how two genomes differ, from their alignments",
    .usage = "[OPTION...] PAF TARGET QUERY",
    .about =
        "Prints what the alignments in PAF tell of the sequences in TARGET and QUERY: aligned and "
        "unaligned bases, records, identity (matches / columns) and gap-compressed identity, SNPs "
        "by kind, insertions and deletions by length, and what has been rearranged: breakpoints, "
        "inversions, relocations, translocations, and bases that are aligned more than once. PAF "
        "may come from any program that writes paths (cg or cs); where cg has M, bases are "
        "compared. Files may be plain, gzip or bgzip; '-' is standard input, for one of them. No "
        "device is needed.",
    .options = {OPTIONS, cli_message_options},
    .notes = "Differences are those of one-to-one records: of records on the same bases, the one "
             "with the most matches. The manual page defines every line. A path that does not fit "
             "the sequences ends the report with exit status 3; 'rhomb verify' says more.",
    .operands = {{"PAF", AT(paf)}, {"TARGET", AT(target)}, {"QUERY", AT(query)}},
    .takes_paf = true,
    .least_operands = 3,
    .run = run,
};
