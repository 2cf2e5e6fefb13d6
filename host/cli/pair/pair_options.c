/* SPDX-License-Identifier: MIT */
/* Options of commands on one pair of sequences, see pair_options.h. */
#include "host/cli/pair/pair_options.h"

#include "host/cli/command/command.h"
#include "host/cli/many/match.h"

#define AT(member) offsetof(cli_pair_arguments, member)

/* About thirty years. */
#define MOST_RESUME_SECONDS 1e9

static int read_tuning(const cli_command *command, const char *text, void *arguments)
{
    cli_pair_arguments *args = arguments;
    args->tune = text;
    args->options.tuning = &args->tuning;
    return cli_read_tune(command, text, cli_pair_keys, CLI_COUNT(cli_pair_keys), &args->tuning);
}

static const cli_word STRANDS[] = {
    {"+", CLI_STRAND_FORWARD}, {"-", CLI_STRAND_REVERSE}, {"auto", CLI_STRAND_AUTO}};

static const cli_word ROTATIONS[] = {{"auto", CLI_ROTATE_AUTO}};

static int read_rotation(const cli_command *command, const char *text, void *rotation)
{
    if (strcmp(text, "auto") == 0)
        *(int64_t *)rotation = CLI_ROTATE_AUTO;
    else if (!cli_parse_count(text, rotation))
        return cli_bad_usage(command,
                             "--rotate: '%s' is not auto or a valid number (digits, then K, M or "
                             "G)",
                             text);
    return CLI_OK;
}

bool cli_pair_shows_strand(const cli_pair_arguments *args)
{
    return args->strand != CLI_STRAND_NONE || args->rotation != CLI_ROTATE_NONE;
}

/* Without a FILE, as in version 0.2. */
static int read_no_resume(const cli_command *command, const char *text, void *arguments)
{
    (void)command, (void)text;
    cli_note(0, "--resume takes a FILE now; without one, this version keeps OUTPUT.resume");
    ((cli_pair_arguments *)arguments)->resume_beside = true;
    return CLI_OK;
}

/* Seconds, which may have a fraction. */
static int read_resume_every(const cli_command *command, const char *text, void *field)
{
    char *end = NULL;
    const double seconds = strtod(text, &end);
    if (end == text || *end != '\0' || !(seconds > 0 && seconds <= MOST_RESUME_SECONDS))
        return cli_bad_usage(command, "--resume-every: '%s' is not a number of seconds above 0",
                             text);
    *(double *)field = seconds;
    return CLI_OK;
}

void cli_pair_list_files(const void *arguments, cli_files *files)
{
    const cli_pair_arguments *args = arguments;
    cli_files_beside(files, "resume", args->resume, ".new");
    if (!args->resume_beside)
        return;
    cli_files_beside(files, "output", args->output, ".resume");
    cli_files_beside(files, "output", args->output, ".resume.new");
}

int cli_pair_settle(const cli_command *command, cli_pair_arguments *args)
{
    const char *sketched = args->strand == CLI_STRAND_AUTO     ? "--strand auto"
                           : args->rotation == CLI_ROTATE_AUTO ? "--rotate auto"
                           : args->blocks                      ? "--blocks"
                                                               : cli_match_sketched(args->match);
    args->options.scoring = cli_score_costs(&args->score);
    if (args->resume_beside && cli_is_standard_output(args->output))
        return cli_bad_usage(command, "--resume without a FILE requires --output");
    const int status =
        cli_check_score(command, &args->score, args->options.alphabet, RHOMB_MODE_GLOBAL);
    return status == CLI_OK && sketched != NULL ? cli_need_minimizers(command, sketched) : status;
}

const cli_rule cli_pair_rules[] = {
    {"ranks", CLI_EXCLUDES, "match score=matrix:"},
    {"match", CLI_EXCLUDES, "target-region query-region resume-every"},
    {"resume-every", CLI_REQUIRES, "resume"},
    {"match=best match=best-target strand=- strand=auto rotate=auto", CLI_REQUIRES, CLI_DNA},
    CLI_RULE_IUPAC,
    CLI_RULES_MATRIX,
    {"score=matrix:", CLI_EXCLUDES, "engine resume dry-run"},
    {"strand=auto rotate=auto", CLI_EXCLUDES, "no-sketch"},
    {.terms = NULL},
};

const cli_option cli_pair_input_options[] = {
    CLI_VALUE("target-region", 'r', CLI_OPTION_TEXT, AT(target_region), "REG",
              "a record of TARGET, or a range: NAME:BEG-END\nAlso NAME, NAME:BEG and "
              "{NAME}:BEG-END; 1-based, inclusive. Needed if the file has several records, without "
              "--match"),
    CLI_VALUE("query-region", 'q', CLI_OPTION_TEXT, AT(query_region), "REG", "the same for QUERY"),
    CLI_CHOICE("strand", AT(strand), STRANDS, "STRAND",
               "+ (default), - (QUERY's reverse complement) or auto\nauto: the one that looks like "
               "TARGET. Outputs have strand and rotation then"),
    CLI_READ_WORDS(
        "rotate", read_rotation, AT(rotation), ROTATIONS, "NUM",
        "for circles: QUERY's first NUM bases, on its strand, come last; auto: so that it "
        "begins where TARGET does"),
    CLI_ROW_ALPHABET(AT(options.alphabet)),
    CLI_ROW_NO_SKETCH(AT(sketch)),
    {.name = NULL},
};

const cli_option cli_pair_match_options[] = {
    CLI_ROW_MATCH(AT(match)),
    CLI_VALUE("max-distance", 'K', CLI_OPTION_COUNT, AT(options.max_distance), "NUM",
              "stop once the distance is proved to be larger\nK, M, G allowed"),
    {.name = NULL},
};

const cli_option cli_pair_long_options[] = {
    CLI_PAIR_ROW_DRY_RUN,
    CLI_VALUE("jobs", 0, CLI_OPTION_THREADS, AT(at_a_time), "NUM",
              "with --match, --blocks or --ranges: pairs, blocks, or rows that are long, at a time "
              "on a device (default: 1 on a "
              "CPU, up to 4 on a GPU)"),
    CLI_READ(
        "part", 0, cli_read_part, AT(part), "K/N",
        "with --match: only part K of N, for an array of jobs; outputs of all parts, one after "
        "the other, are that of the whole"),
    {.name = "resume",
     .kind = CLI_OPTION_KEPT,
     .at = AT(resume),
     .read = read_no_resume,
     .may_lack_value = true,
     .value = "FILE",
     .help = "keep in FILE how far the run has come, and go on with what FILE has; it is removed "
             "once the output is complete. SIGTERM, SIGINT and SIGHUP write it before the run "
             "ends"},
    CLI_READ("resume-every", 0, read_resume_every, AT(options.checkpoint_seconds), "SECONDS",
             "of one pair: seconds between two times that FILE is written (default: 300)"),
    /* As version 0.2 has them. */
    CLI_EARLIER("checkpoint", "resume"),
    CLI_EARLIER("checkpoint-every", "resume-every"),
    {.name = NULL},
};

const cli_option cli_pair_device_options[] = {
    CLI_ROWS_DEVICE(AT(device), AT(open_flags), AT(threads)),
    {.name = NULL},
};

const cli_option cli_pair_expert_options[] = {
    CLI_CHOICE("engine", AT(options.engine), cli_engines, "ENGINE",
               "auto (default), wavefront or bitparallel"),
    CLI_READ("tune", 0, read_tuning, 0, "KEY=VALUE,...", CLI_TUNE_HELP),
    CLI_ROW_CACHE_DIR(AT(cache_dir)),
    {.name = NULL},
};
