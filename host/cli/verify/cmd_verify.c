/* SPDX-License-Identifier: MIT */
/*
 * rhomb verify: checks the alignments of a PAF file against the sequences. The library's
 * rhomb_verify() does the work; options and messages are here.
 */
#include "host/cli/base/cli.h"

#include <rhomb/verify.h>
#include <string.h>

enum { OPTION_ALL = 256, OPTION_ALPHABET, OPTION_WHOLE, OPTION_SPLIT_AT, OPTION_QUIET };

static const struct option LONGS[] = {
    {"all", no_argument, NULL, OPTION_ALL},
    {"alphabet", required_argument, NULL, OPTION_ALPHABET},
    {"whole", no_argument, NULL, OPTION_WHOLE},
    {"split-at", required_argument, NULL, OPTION_SPLIT_AT},
    {"threads", required_argument, NULL, 't'},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct arguments {
    const char *paf;
    const char *target;
    const char *query;
    int32_t threads;
    bool all;
    bool whole;
    int64_t split_at;
    rhomb_alphabet alphabet;
} arguments;

/* What the command has open; NULL where nothing is. */
typedef struct session {
    rhomb_context *ctx;
    rhomb_sequence_set *targets;
    rhomb_sequence_set *queries;
    rhomb_paf *paf;
} session;

static int set_option(arguments *args, int code, char **argv)
{
    switch (code) {
    case OPTION_ALL:
        args->all = true;
        return CLI_OK;
    case OPTION_ALPHABET:
        return cli_parse_alphabet(&cli_command_verify, optarg, &args->alphabet);
    case OPTION_WHOLE:
        args->whole = true;
        return CLI_OK;
    case OPTION_SPLIT_AT:
        return cli_parse_letters(&cli_command_verify, "--split-at", optarg, &args->split_at);
    case 't':
        return cli_parse_threads(&cli_command_verify, optarg, &args->threads);
    case OPTION_QUIET:
        cli_set_verbosity(-1);
        return CLI_OK;
    case 'v':
        cli_more_verbose();
        return CLI_OK;
    default:
        return cli_bad_option(&cli_command_verify, argv, code, LONGS);
    }
}

static int check_operands(arguments *args, int count, char **operands)
{
    int inputs = 0;
    if (args->split_at > 0 && !args->whole)
        return cli_bad_usage(&cli_command_verify, "--split-at requires --whole");
    if (count < 3)
        return cli_bad_usage(&cli_command_verify, "PAF, TARGET and QUERY are needed");
    if (count > 3)
        return cli_bad_usage(&cli_command_verify, "unexpected argument '%s'", operands[3]);
    for (int i = 0; i < count; i++)
        inputs += strcmp(operands[i], "-") == 0;
    if (inputs > 1)
        return cli_bad_usage(&cli_command_verify, "only one of the files can be standard input");
    args->paf = operands[0];
    args->target = operands[1];
    args->query = operands[2];
    return CLI_OK;
}

static int parse(arguments *args, int argc, char **argv, bool *help)
{
    int code;
    *help = false;
    while ((code = getopt_long(argc, argv, ":t:vh", LONGS, NULL)) != -1) {
        *help = code == 'h';
        const int status = *help ? CLI_OK : set_option(args, code, argv);
        if (*help || status != CLI_OK)
            return status;
    }
    return check_operands(args, argc - optind, argv + optind);
}

/* A file's name in messages. */
static const char *name_of(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* A rhomb_offence_fn: the first error stops the run; with --all each error is a line of data. */
static int show_offence(const rhomb_offence *offence, void *user)
{
    const arguments *args = user;
    const rhomb_paf_row *row = offence->row;
    const char *file = name_of(args->paf);
    if (args->all && row != NULL)
        printf("%s: line %lld (%s, %s): %s\n", file, (long long)row->line, row->query_name,
               row->target_name, offence->text);
    else if (args->all)
        printf("%s: %s\n", file, offence->text);
    else if (row != NULL)
        cli_error("verification failed: %s: line %lld (%s, %s): %s", file, (long long)row->line,
                  row->query_name, row->target_name, offence->text);
    else
        cli_error("verification failed: %s: %s", file, offence->text);
    return !args->all;
}

static rhomb_status read_files(session *s, const arguments *args)
{
    /* A file that is both target and query is read once. */
    const bool same = strcmp(args->target, args->query) == 0;
    rhomb_status status = rhomb_sequence_set_read(s->ctx, args->target, &s->targets);
    if (status == RHOMB_OK && !same)
        status = rhomb_sequence_set_read(s->ctx, args->query, &s->queries);
    if (status == RHOMB_OK)
        status = rhomb_paf_open(s->ctx, args->paf, &s->paf);
    return status;
}

/* The pairs, and the gaps between the records of whole alignments. */
static void print_whole(const rhomb_verify_report *report)
{
    printf("; whole pairs %lld", (long long)report->pairs);
    if (report->gaps == 0)
        return;
    printf(", gaps between records %lld (target bases %lld, query bases %lld, edits %lld",
           (long long)report->gaps, (long long)report->gap_target_letters,
           (long long)report->gap_query_letters, (long long)report->gap_edits_least);
    if (report->gap_edits_most > report->gap_edits_least)
        printf(" to %lld", (long long)report->gap_edits_most);
    printf(")");
}

/* Prints the verdict. */
static int conclude(const arguments *args, const rhomb_verify_report *report)
{
    if (report->offences > 0) {
        if (args->all)
            cli_error("verification failed: %s: errors %lld, records %lld", name_of(args->paf),
                      (long long)report->offences, (long long)report->rows);
        return CLI_MISMATCH;
    }
    if (report->unaligned > 0)
        cli_note(0, "records of queries without an alignment: %lld", (long long)report->unaligned);
    if (cli_verbosity() < 0)
        return CLI_OK;
    printf("%s: verified: records %lld, target bases %lld, query bases %lld, edits %lld",
           name_of(args->paf), (long long)report->rows, (long long)report->target_letters,
           (long long)report->query_letters, (long long)report->edits);
    if (args->whole)
        print_whole(report);
    printf("\n");
    return CLI_OK;
}

static int verify(session *s, arguments *args)
{
    rhomb_context_options settings = RHOMB_CONTEXT_OPTIONS_INIT;
    rhomb_verify_options options = RHOMB_VERIFY_OPTIONS_INIT;
    rhomb_verify_report report;
    const double start = cli_seconds_now();
    settings.cache_dir = "off";
    settings.threads = args->threads;
    settings.log = cli_log;
    options.alphabet = args->alphabet;
    options.whole = args->whole;
    options.least_gap = args->split_at;
    options.offence = show_offence;
    options.offence_user = args;
    rhomb_status status = rhomb_context_create(&s->ctx, &settings);
    if (status == RHOMB_OK)
        status = read_files(s, args);
    if (status == RHOMB_OK)
        status = rhomb_verify(s->paf, s->targets, s->queries != NULL ? s->queries : s->targets,
                              &options, &report);
    if (status != RHOMB_OK)
        return cli_fail(s->ctx, status);
    const int result = conclude(args, &report);
    cli_note_usage(NULL, start);
    return result;
}

static int run(int argc, char **argv)
{
    arguments args = {.alphabet = RHOMB_ALPHABET_DNA};
    session s = {.ctx = NULL};
    bool help;
    int status = parse(&args, argc, argv, &help);
    if (status != CLI_OK)
        return status;
    if (help)
        return cli_show_help(&cli_command_verify);
    status = verify(&s, &args);
    rhomb_paf_destroy(s.paf);
    rhomb_sequence_set_destroy(s.queries);
    rhomb_sequence_set_destroy(s.targets);
    rhomb_context_destroy(s.ctx);
    return status;
}

const cli_command cli_command_verify = {
    .name = "verify",
    .summary = "whether the alignments of a PAF file are what they say",
    .help =
        "usage: rhomb verify [OPTION...] PAF TARGET QUERY\n"
        "\n"
        "Follows the path of each row of PAF through the two sequences that it names: letters\n"
        "under = and X and in cs, both ends, the row's lengths, matches and block length, and its\n"
        "tags NM, de and nn. TARGET and QUERY are FASTA or FASTQ, of any number of records.\n"
        "Reads what 'rhomb align' and other programs write, with the path in cg:Z (=, X, I, D\n"
        "and M) or cs:Z. Files may be plain, gzip or bgzip; '-' is standard input, for one of\n"
        "them.\n"
        "\n"
        "Exits with 0 and a line of totals where every row is right, with 6 and the first\n"
        "offence where one is not or there is none, and with 3 where a file cannot be read to\n"
        "its end.\n"
        "\n"
        "      --whole               the rows of two sequences have to be one alignment of all of\n"
        "                            both: in order, and nothing twice or missing\n"
        "      --split-at NUM        with --whole: gaps of NUM letters or more may be missing, as\n"
        "                            with the same option of 'rhomb align'; K, M, G allowed\n"
        "      --all                 list all offences on standard output, a line each\n"
        "      --alphabet ALPHABET   dna: ignore case (default); bytes: compare bytes\n"
        "  -t, --threads NUM         threads that decompress (one a core, at most 16)\n"
        "      --quiet               no line of totals, errors only on standard error\n"
        "  -v, --verbose             say what it took\n"
        "  -h, --help                this text\n",
    .run = run,
};
