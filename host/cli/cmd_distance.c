/* SPDX-License-Identifier: MIT */
/*
 * rhomb distance: one exact distance of two sequences, or the plan for it.
 *
 * The output is opened first, so that an impossible name is not found out after a long run; then
 * both files are read while the device is opened. Of several things that go wrong, the first in the
 * order target, query, device is what the user hears of.
 */
#include "cli.h"
#include "reader.h"
#include "report.h"

#include <inttypes.h>
#include <string.h>

enum {
    OPTION_REQUIRE_GPU = 256,
    OPTION_ALPHABET,
    OPTION_ENGINE,
    OPTION_JSON,
    OPTION_NO_HEADER,
    OPTION_DRY_RUN,
    OPTION_TUNE,
    OPTION_CACHE_DIR,
    OPTION_QUIET
};

static const struct option LONGS[] = {
    {"target-region", required_argument, NULL, 'r'},
    {"query-region", required_argument, NULL, 'q'},
    {"max-distance", required_argument, NULL, 'K'},
    {"alphabet", required_argument, NULL, OPTION_ALPHABET},
    {"device", required_argument, NULL, 'd'},
    {"require-gpu", no_argument, NULL, OPTION_REQUIRE_GPU},
    {"engine", required_argument, NULL, OPTION_ENGINE},
    {"json", no_argument, NULL, OPTION_JSON},
    {"output", required_argument, NULL, 'o'},
    {"no-header", no_argument, NULL, OPTION_NO_HEADER},
    {"dry-run", no_argument, NULL, OPTION_DRY_RUN},
    {"tune", required_argument, NULL, OPTION_TUNE},
    {"cache-dir", required_argument, NULL, OPTION_CACHE_DIR},
    {"threads", required_argument, NULL, 't'},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct arguments {
    const char *target_path;
    const char *query_path;
    const char *target_region;
    const char *query_region;
    const char *device;
    const char *output;
    const char *cache_dir;
    uint32_t open_flags;
    int32_t threads;
    bool json;
    bool header;
    bool dry_run;
    bool help;
    rhomb_options options;
    rhomb_tuning tuning;
    rhomb_rates rates;
} arguments;

/* Everything that a run holds and has to release. */
typedef struct distance_job {
    arguments args;
    rhomb_context *ctx;
    cli_reader *target;
    cli_reader *query;
    rhomb_result *result;
    cli_output output;
    cli_progress progress;
    cli_run run;
} distance_job;

/* ----------------------------------------------------------------- options */

static int set_engine(arguments *args, const char *text)
{
    int word;
    if (!cli_parse_word(text, cli_engines, CLI_COUNT(cli_engines), &word))
        return cli_bad_usage(&cli_command_distance,
                             "--engine: '%s' is not auto, wavefront or bitparallel", text);
    args->options.engine = (rhomb_engine)word;
    return CLI_OK;
}

static int set_tuning(arguments *args, const char *text)
{
    args->options.tuning = &args->tuning;
    return cli_parse_tuning(&cli_command_distance, text, &args->tuning, &args->rates);
}

/* Options with a value that is kept as it is. */
static const char **text_option(arguments *args, int code)
{
    switch (code) {
    case 'r':
        return &args->target_region;
    case 'q':
        return &args->query_region;
    case 'd':
        return &args->device;
    case 'o':
        return &args->output;
    case OPTION_CACHE_DIR:
        return &args->cache_dir;
    default:
        return NULL;
    }
}

static int set_option(arguments *args, int code, char **argv)
{
    const char **text = text_option(args, code);
    if (text != NULL) {
        *text = optarg;
        return CLI_OK;
    }
    switch (code) {
    case 'K':
        return cli_parse_limit(&cli_command_distance, optarg, &args->options.max_distance);
    case 't':
        return cli_parse_threads(&cli_command_distance, optarg, &args->threads);
    case OPTION_ALPHABET:
        return cli_parse_alphabet(&cli_command_distance, optarg, &args->options.alphabet);
    case OPTION_ENGINE:
        return set_engine(args, optarg);
    case OPTION_TUNE:
        return set_tuning(args, optarg);
    case OPTION_REQUIRE_GPU:
        args->open_flags |= RHOMB_REQUIRE_GPU;
        return CLI_OK;
    case OPTION_JSON:
        args->json = true;
        return CLI_OK;
    case OPTION_NO_HEADER:
        args->header = false;
        return CLI_OK;
    case OPTION_DRY_RUN:
        args->dry_run = true;
        return CLI_OK;
    case OPTION_QUIET:
        cli_set_verbosity(-1);
        return CLI_OK;
    case 'v':
        cli_set_verbosity(cli_verbosity() < 0 ? 1 : cli_verbosity() + 1);
        return CLI_OK;
    case 'h':
        args->help = true;
        return CLI_OK;
    default:
        return cli_bad_option(&cli_command_distance, argv, code, LONGS);
    }
}

static int parse(arguments *args, int argc, char **argv)
{
    int code;
    while (!args->help && (code = getopt_long(argc, argv, ":r:q:K:d:o:t:vh", LONGS, NULL)) != -1) {
        const int status = set_option(args, code, argv);
        if (status != CLI_OK)
            return status;
    }
    if (args->help)
        return CLI_OK;
    if (argc - optind < 2)
        return cli_bad_usage(&cli_command_distance, "%s is missing",
                             argc == optind ? "TARGET" : "QUERY");
    if (argc - optind > 2)
        return cli_bad_usage(&cli_command_distance, "unexpected argument '%s'", argv[optind + 2]);
    args->target_path = argv[optind];
    args->query_path = argv[optind + 1];
    if (strcmp(args->target_path, "-") == 0 && strcmp(args->query_path, "-") == 0)
        return cli_bad_usage(&cli_command_distance,
                             "TARGET and QUERY cannot both be standard input");
    return CLI_OK;
}

/* --------------------------------------------------------------------- run */

static int on_progress(const rhomb_progress *now, void *user)
{
    cli_progress_show(user, now);
    return cli_interrupted();
}

/* The span from the start of the first reader to the end of the last. */
static double reading_seconds(const distance_job *job)
{
    const double target = cli_reader_ended(job->target);
    const double query = cli_reader_ended(job->query);
    return (target > query ? target : query) - cli_reader_began(job->target);
}

/* Reads both files and opens the device, at the same time where there are threads for it. */
static int prepare(distance_job *job)
{
    const arguments *args = &job->args;
    cli_run *run = &job->run;
    job->target = cli_reader_start(args->target_path, args->target_region, args->threads);
    if (job->target == NULL)
        return CLI_MEMORY;
    job->query = cli_reader_start(args->query_path, args->query_region, args->threads);
    if (job->query == NULL)
        return CLI_MEMORY;
    const double start = cli_seconds_now();
    const rhomb_status opened = rhomb_context_open(job->ctx, args->device, args->open_flags);
    const double end = cli_seconds_now();
    run->open_seconds = end - start;
    int status = cli_reader_finish(job->target, &run->target);
    if (status == CLI_OK)
        status = cli_reader_finish(job->query, &run->query);
    if (status == CLI_OK && opened != RHOMB_OK)
        status = cli_fail(job->ctx, opened);
    if (status != CLI_OK)
        return status;
    run->read_seconds = reading_seconds(job);
    run->read_while_open = cli_reader_began(job->target) < end;
    run->device = rhomb_context_device(job->ctx);
    cli_note_device(run->device, args->device);
    if (args->json) {
        cli_reader_digest(job->target);
        cli_reader_digest(job->query);
    }
    return CLI_OK;
}

/* Before a report that has the digests. */
static void join_readers(distance_job *job)
{
    cli_reader_join(job->target);
    cli_reader_join(job->query);
}

/* Letters of DNA that a user may not expect to count, once for both sequences. */
static void note_letters(const rhomb_report *report)
{
    const rhomb_letter_counts *t = &report->target_letters;
    const rhomb_letter_counts *q = &report->query_letters;
    const int64_t folded = t->folded + q->folded;
    const int64_t n = t->n + q->n;
    const int64_t iupac = t->iupac + q->iupac;
    if (folded > 0)
        cli_note(0, "%" PRId64 " lower-case letters were compared as upper case", folded);
    if (n > 0 || iupac > 0)
        cli_note(0,
                 "%" PRId64 " N and %" PRId64
                 " other ambiguity letters were compared: each equals itself only",
                 n, iupac);
}

/* Says what the library could not know: the files that its words "target" and "query" stand for. */
static int fail_pair(const distance_job *job, rhomb_status status)
{
    const int code = cli_fail(job->ctx, status);
    if (status == RHOMB_ERR_ALPHABET) {
        const cli_run *run = &job->run;
        cli_say("target: %s of %s", rhomb_sequence_name(run->target),
                rhomb_sequence_path(run->target));
        cli_say("query: %s of %s", rhomb_sequence_name(run->query),
                rhomb_sequence_path(run->query));
    }
    return code;
}

static int plan(distance_job *job)
{
    rhomb_plan plan;
    const cli_run *run = &job->run;
    const rhomb_status status =
        rhomb_plan_distance(job->ctx, rhomb_sequence_letters(run->target),
                            rhomb_sequence_length(run->target), rhomb_sequence_letters(run->query),
                            rhomb_sequence_length(run->query), &job->args.options, &plan);
    if (status != RHOMB_OK)
        return fail_pair(job, status);
    join_readers(job);
    if (!job->args.json)
        cli_plan_text(job->output.stream, &job->run, &plan);
    else if (!cli_plan_json(job->output.stream, &job->run, &plan))
        return CLI_MEMORY;
    return CLI_OK;
}

static int solve(distance_job *job)
{
    rhomb_options *options = &job->args.options;
    options->progress = on_progress;
    options->progress_user = &job->progress;
    cli_progress_start(&job->progress);
    cli_interrupts_defer();
    const cli_run *run = &job->run;
    const rhomb_status status =
        rhomb_distance(job->ctx, rhomb_sequence_letters(run->target),
                       rhomb_sequence_length(run->target), rhomb_sequence_letters(run->query),
                       rhomb_sequence_length(run->query), options, &job->result);
    cli_interrupts_restore();
    cli_progress_end(&job->progress);
    if (cli_interrupted() != 0)
        return cli_stopped(cli_interrupted());
    if (status != RHOMB_OK)
        return fail_pair(job, status);

    const rhomb_report *report = rhomb_result_report(job->result);
    if (options->alphabet == RHOMB_ALPHABET_DNA)
        note_letters(report);
    cli_report_details(&job->run, report);
    join_readers(job);
    if (!job->args.json)
        cli_report_tsv(job->output.stream, &job->run, report, job->args.header);
    else if (!cli_report_json(job->output.stream, &job->run, report))
        return CLI_MEMORY;
    return CLI_OK;
}

static int work(distance_job *job)
{
    const rhomb_context_options options = {.struct_size = sizeof options,
                                           .cache_dir = job->args.cache_dir,
                                           .log = cli_log,
                                           .threads = job->args.threads};
    const rhomb_status created = rhomb_context_create(&job->ctx, &options);
    if (created != RHOMB_OK)
        return cli_fail(NULL, created);
    if (!cli_output_open(&job->output, job->args.output))
        return CLI_FAILED;
    int status = prepare(job);
    if (status == CLI_OK)
        status = job->args.dry_run ? plan(job) : solve(job);
    if (status == CLI_OK && !cli_output_commit(&job->output))
        status = CLI_FAILED;
    if (status == CLI_OK)
        cli_note_usage(job->run.device, job->run.start_seconds);
    return status;
}

static int run(int argc, char **argv)
{
    distance_job job = {
        .args = {.header = true,
                 .options = RHOMB_OPTIONS_INIT,
                 .tuning = RHOMB_TUNING_INIT,
                 .rates = RHOMB_RATES_INIT},
        .run = {.argc = argc,
                .argv = argv,
                .start = time(NULL),
                .start_seconds = cli_seconds_now()},
    };
    int status = parse(&job.args, argc, argv);
    if (status == CLI_OK)
        status = job.args.help ? cli_show_help(&cli_command_distance) : work(&job);
    rhomb_result_destroy(job.result);
    cli_reader_release(job.query);
    cli_reader_release(job.target);
    rhomb_context_destroy(job.ctx);
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
        "\n"
        "  -r, --target-region REG   record, or part of one, of TARGET: NAME, NAME:BEG-END,\n"
        "                            NAME:BEG, {NAME}:BEG-END; 1-based, inclusive. Needed where\n"
        "                            the file has several records\n"
        "  -q, --query-region REG    the same for QUERY\n"
        "  -K, --max-distance NUM    stop once the distance is proved larger; K, M, G allowed\n"
        "      --alphabet ALPHABET   dna: ignore case, letters ACGTUN and IUPAC, each equal to\n"
        "                            itself only (default); bytes: compare bytes\n"
        "\n"
        "  -d, --device SELECTOR     auto (default), an index, part of a name, NAME#K, a PCI\n"
        "                            address or a UUID; see 'rhomb devices'\n"
        "      --require-gpu         fail where the device is no GPU\n"
        "      --engine ENGINE       auto (default), wavefront or bitparallel\n" CLI_TUNE_HELP
        "      --cache-dir DIR       folder of compiled kernels and measured rates; 'off' for\n"
        "                            none\n"
        "  -t, --threads NUM         threads for reading each file and counting letters (one a\n"
        "                            core, at most 16)\n"
        "\n"
        "  -o, --output FILE         write there; '-' is standard output (default)\n"
        "      --json                the full report as JSON instead of a TSV line\n"
        "      --no-header           leave out the # line\n"
        "      --dry-run             print the plan: engine, memory, time; run nothing\n"
        "      --quiet               errors only on standard error\n"
        "  -v, --verbose             say where the time went; twice for more\n"
        "  -h, --help                this text\n"
        "\n"
        "Columns: target, target_length, query, query_length, distance, similarity (1 - distance\n"
        "/ longer length), engine, device, seconds (of the whole run). A distance above\n"
        "--max-distance K is '>K' with similarity '<S'; the exit status is 0 all the same.\n",
    .run = run,
};
