/* SPDX-License-Identifier: MIT */
/*
 * rhomb matrix: the distances of all pairs of sequences. Its options are here, its work in
 * matrix_run.c.
 */
#include "host/cli/command/options.h"
#include "host/cli/many/match.h"
#include "host/cli/matrix/matrix_run.h"

#define AT(member) offsetof(cli_matrix_arguments, member)

static const cli_word FORMATS[] = {{"tsv", CLI_MATRIX_TSV},
                                   {"phylip", CLI_MATRIX_PHYLIP},
                                   {"phy", CLI_MATRIX_PHYLIP},
                                   {"long", CLI_MATRIX_LONG},
                                   {"csv", CLI_MATRIX_CSV}};

static const cli_key KEYS[] = {
    {"group", CLI_KEY_COUNT, offsetof(rhomb_matrix_tuning, group_size), NULL},
    {"first-limit", CLI_KEY_COUNT, offsetof(rhomb_matrix_tuning, first_limit), NULL},
    {"last-limit", CLI_KEY_COUNT, offsetof(rhomb_matrix_tuning, last_limit), NULL},
    {"job-pairs", CLI_KEY_LONG, offsetof(rhomb_matrix_tuning, job_pairs), NULL},
    {"pool-bytes", CLI_KEY_LONG, offsetof(rhomb_matrix_tuning, pool_bytes), NULL},
};

static int read_tuning(const cli_command *command, const char *text, void *arguments)
{
    cli_matrix_arguments *args = arguments;
    args->options.tuning = &args->tuning;
    return cli_read_tune(command, text, KEYS, CLI_COUNT(KEYS), &args->tuning);
}

/* NA, or a number as it is to be written. */
static int read_limit_as(const cli_command *command, const char *text, void *limit)
{
    const size_t digits = strspn(text, "0123456789");
    const char *rest = text + digits;
    const size_t fraction = *rest == '.' ? strspn(rest + 1, "0123456789") : 0;
    const bool is_number = digits > 0 && rest[fraction > 0 ? fraction + 1 : 0] == '\0';
    if (!is_number && strcmp(text, "NA") != 0)
        return cli_bad_usage(command, "--limit-as: '%s' is not NA or a number", text);
    *(const char **)limit = text;
    return CLI_OK;
}

/* What an edit costs, if each kind costs the same and gaps cost nothing to open; else 0. */
static int64_t edit_penalty(const cli_matrix_arguments *args)
{
    const rhomb_scoring *s = args->options.scoring;
    if (s == NULL)
        return 1;
    const bool is_edit =
        s->match == 0 && s->gap_open == 0 && s->gap_open_2 < 0 && s->mismatch == s->gap_extend;
    return is_edit ? s->mismatch : 0;
}

/* What does not go together. */
static int check(cli_matrix_arguments *args)
{
    const cli_command *command = &cli_command_matrix;
    args->options.scoring = cli_score_costs(&args->score);
    args->edit_penalty = edit_penalty(args);
    if (args->similarity && args->edit_penalty == 0)
        return cli_bad_usage(command, "--similarity needs unit costs: edit, or affine:X,0,X");
    if (args->strand_auto && !cli_has_minimizers)
        return cli_need_minimizers(command, "--strand auto");
    return args->by_file ? cli_need_minimizers(command, "--by-file") : CLI_OK;
}

static int run(int argc, char **argv)
{
    cli_matrix_arguments args = {.format = CLI_NO_FORMAT,
                                 .sketch = true,
                                 .options = RHOMB_MATRIX_OPTIONS_INIT,
                                 .tuning = RHOMB_MATRIX_TUNING_INIT};
    int status = cli_read_options(&cli_command_matrix, argc, argv, &args);
    if (status == CLI_OK)
        status = check(&args);
    return status == CLI_OK ? cli_matrix_run(&args) : status;
}

static const cli_word LIMITS[] = {{"NA", 0}};

static const cli_option INPUT_OPTIONS[] = {
    CLI_ROW_ALPHABET(AT(options.alphabet)),
    CLI_SWITCH("no-sketch", AT(sketch), false,
               "do not look at long pairs before they are solved: no guide, more time"),
    {.name = NULL},
};

static const cli_option PAIR_OPTIONS[] = {
    CLI_SWITCH("by-file", AT(by_file), true,
               "each FILE is one entry, with all of its records\nIts distances: the sum of the "
               "distances of best partners, as 'rhomb distance --match best' has them, where a "
               "record without a partner is compared with nothing"),
    CLI_VALUE("against", 0, CLI_OPTION_INPUT, AT(against), "FILE",
              "compare records with those of this file alone\nIt has the columns, the other files "
              "have the rows"),
    CLI_ROW_STRAND_AUTO(
        AT(strand_auto),
        "+ (default) or auto\nauto: records that look reverse-complemented beside those "
        "before them are turned. A note says which, a column of --format long and --strands"),
    CLI_VALUE("max-distance", 'K', CLI_OPTION_COUNT, AT(options.max_distance), "NUM",
              "report larger distances as >NUM, sooner; K, M, G allowed"),
    {.name = NULL},
};

static const cli_option SCORING_OPTIONS[] = {CLI_ROW_SCORE(AT(score)), {.name = NULL}};

static const cli_option DEVICE_OPTIONS[] = {
    CLI_ROWS_DEVICE(AT(device), AT(open_flags), AT(threads)),
    {.name = NULL},
};

static const cli_option OUTPUT_OPTIONS[] = {
    CLI_ROW_OUTPUT(AT(output), "write to FILE; '-' is standard output (default)"),
    CLI_CHOICE(
        "format", AT(format), FORMATS, "FORMAT",
        "tsv (default), csv, long or phylip\nlong: TSV with a row for each pair. Without this "
        "option the extension of FILE decides: .tsv, .csv, .long, .phylip or .phy"),
    CLI_SWITCH(
        "lower", AT(lower), true,
        "the lower triangle alone, without the diagonal\nRows are written as they are computed"),
    CLI_VALUE("strands", 0, CLI_OPTION_OUTPUT, AT(strands), "FILE",
              "with --strand auto, write the strand of each record to FILE, as TSV"),
    CLI_SWITCH("similarity", AT(similarity), true,
               "similarities, 1 - distance / longer length, instead of distances"),
    CLI_READ_WORDS(
        "limit-as", read_limit_as, AT(limit_as), LIMITS, "VALUE",
        "what stands for a distance above --max-distance, or its similarity, where a parser "
        "wants numbers: NA, or a number (default: >NUM and <S)"),
    {.name = NULL},
};

static const cli_option LONG_OPTIONS[] = {
    CLI_SWITCH("dry-run", AT(dry_run), true,
               "print the plan (engine, memory, time) of each long pair, and the sum, to standard "
               "output and run nothing"),
    CLI_VALUE("resume", 0, CLI_OPTION_KEPT, AT(resume), "FILE",
              "keep the distances in FILE as they are computed, and go on from there if it exists"),
    CLI_READ("part", 0, cli_read_part, AT(part), "K/N",
             "only part K of N, for an array of jobs: its distances go to the FILE of --resume. "
             "These files, one after the other, are a FILE for --resume without --part, which "
             "prints the matrix"),
    {.name = NULL},
};

static const cli_option EXPERT_OPTIONS[] = {
    CLI_READ("tune", 0, read_tuning, 0, "KEY=VALUE,...",
             "group, first-limit, last-limit, job-pairs, pool-bytes: for experts "
             "and tests; see the manual page"),
    CLI_ROW_CACHE_DIR(AT(cache_dir)),
    {.name = NULL},
};

static const cli_rule RULES[] = {
    {"ranks", CLI_EXCLUDES, "matrix"},
    {"limit-as", CLI_REQUIRES, "max-distance"},
    {"format=phylip&max-distance", CLI_REQUIRES, "limit-as"},
    {"format=phylip", CLI_EXCLUDES, "limit-as=NA"},
    {"similarity", CLI_EXCLUDES, "format=phylip"},
    {"by-file", CLI_REQUIRES, CLI_DNA},
    CLI_RULE_IUPAC,
    {"score=matrix:", CLI_EXCLUDES, "matrix"},
    {"by-file", CLI_EXCLUDES, "tune"},
    {"strand", CLI_REQUIRES, CLI_DNA},
    {"strand", CLI_EXCLUDES, "by-file"},
    {"strands", CLI_REQUIRES, "strand=auto"},
    {"against", CLI_EXCLUDES, "format=phylip"},
    {"against", CLI_EXCLUDES, "lower"},
    {"against", CLI_EXCLUDES, "part"},
    {"format=long", CLI_EXCLUDES, "lower"},
    {"part", CLI_REQUIRES, "resume"},
    {"part", CLI_EXCLUDES, "output"},
    {.terms = NULL},
};

static const cli_endings ENDINGS = {CLI_ENDINGS(FORMATS, AT(format), AT(output)),
                                    .has_option = true};

const cli_command cli_command_matrix = {
    .name = "matrix",
    .summary = "exact distances of all pairs of sequences",
    .usage = "[OPTION...] FILE...",
    .about = "Prints the exact edit distances (unit costs, end to end) of all pairs of the records "
             "in FILE...: a square matrix with the names in its first line and column.\nEach FILE "
             "is a FASTA or FASTQ file, plain, gzip or bgzip, with any number of records; '-' is "
             "standard input, for one of them. With --by-file the files are compared, each with "
             "all of its records.",
    .common = {"output", "format", "against", "strand", "lower", "similarity", "by-file",
               "max-distance", "score", "device"},
    .examples = {"genomes.fa -o distances.tsv",
                 "--by-file --max-distance 10K one.fa two.fa three.fa"},
    .options = {[CLI_GROUP_INPUT] = INPUT_OPTIONS,
                [CLI_GROUP_PAIRS] = PAIR_OPTIONS,
                [CLI_GROUP_SCORING] = SCORING_OPTIONS,
                [CLI_GROUP_OUTPUT] = OUTPUT_OPTIONS,
                [CLI_GROUP_DEVICES] = DEVICE_OPTIONS,
                [CLI_GROUP_LONG_RUNS] = LONG_OPTIONS,
                [CLI_GROUP_EXPERTS] = EXPERT_OPTIONS,
                [CLI_GROUP_MESSAGES] = cli_message_options},
    .rules = {RULES},
    .endings = &ENDINGS,
    .notes = "The first word of TSV says what the values are: distance, similarity, or, with "
             "--score, penalty. A record whose name others have too is FILE:NAME. 'rhomb plot' "
             "draws a TSV as a heat map.",
    .operands = {{"FILE", AT(files)}},
    .takes_list = true,
    .least_operands = 1,
    .run = run,
};
