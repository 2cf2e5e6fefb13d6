/* SPDX-License-Identifier: MIT */
/*
 * rhomb batch: distances, and CIGARs, of many short pairs. Its options are here, its work in
 * batch_run.c.
 */
#include "host/cli/batch/batch_arguments.h"

#include "host/cli/batch/printer.h"
#include "host/cli/command/options.h"
#include "host/cli/many/match.h"

#define AT(member) offsetof(cli_batch_arguments, member)

static const cli_word FORMATS[] = {{"tsv", CLI_ROWS_TSV},           {"paf", CLI_ROWS_PAF},
                                   {"sam", CLI_ROWS_SAM},           {"bam", CLI_ROWS_BAM},
                                   {"pairwise", CLI_ROWS_PAIRWISE}, {"afa", CLI_ROWS_AFA},
                                   {"json", CLI_ROWS_JSON}};

static const cli_key KEYS[] = {
    {"group", CLI_KEY_COUNT, offsetof(rhomb_batch_tuning, group_size), NULL},
    {"first-limit", CLI_KEY_COUNT, offsetof(rhomb_batch_tuning, first_limit), NULL},
    {"last-limit", CLI_KEY_COUNT, offsetof(rhomb_batch_tuning, last_limit), NULL},
    {"workers", CLI_KEY_COUNT, offsetof(rhomb_batch_tuning, workers), NULL},
    {"long", CLI_KEY_COUNT, offsetof(rhomb_batch_tuning, long_bases), NULL},
    {"job-bases", CLI_KEY_LONG, offsetof(rhomb_batch_tuning, job_bases), NULL},
    {"column-bytes", CLI_KEY_LONG, offsetof(rhomb_batch_tuning, column_bytes), NULL},
    {"score-bits", CLI_KEY_COUNT, offsetof(rhomb_batch_tuning, score_bits), NULL},
    {"bit-planes", CLI_KEY_COUNT, offsetof(rhomb_batch_tuning, bit_planes), NULL},
    {"one-bin", CLI_KEY_BOOL, offsetof(rhomb_batch_tuning, one_bin), "write one-bin=0|1"},
};

static int read_tuning(const cli_command *command, const char *text, void *arguments)
{
    cli_batch_arguments *args = arguments;
    args->options.tuning = &args->tuning;
    return cli_read_tune(command, text, KEYS, CLI_COUNT(KEYS), &args->tuning);
}

/* What the mode says; the library looks at its values. */
static void settle_mode(cli_batch_arguments *args)
{
    rhomb_batch_options *o = &args->options;
    rhomb_mode_options mode = {sizeof mode, o->mode, o->free_ends, o->z_drop, o->end_bonus};
    cli_settle_mode(o->scoring, &mode);
    o->mode = mode.mode;
    o->free_ends = mode.free_ends;
}

static int run(int argc, char **argv)
{
    cli_batch_arguments args = {.sketch = true,
                                .header = true,
                                .format = CLI_NO_FORMAT,
                                .pairs = RHOMB_PAIRS_OPTIONS_INIT,
                                .options = RHOMB_BATCH_OPTIONS_INIT,
                                .tuning = RHOMB_BATCH_TUNING_INIT};
    args.options.free_ends.query_begin = CLI_ENDS_NOT_GIVEN;
    int status = cli_read_options(&cli_command_batch, argc, argv, &args);
    args.options.scoring = cli_score_costs(&args.score);
    args.pairs.live = args.flush;
    args.pairs.parts = args.part.of;
    args.pairs.part = args.part.of > 0 ? args.part.number - 1 : 0;
    if (status == CLI_OK)
        status = cli_check_score(&cli_command_batch, &args.score, args.options.alphabet,
                                 args.options.mode);
    settle_mode(&args);
    if (status == CLI_OK && cli_match_sketched(args.match) != NULL)
        status = cli_need_minimizers(&cli_command_batch, cli_match_sketched(args.match));
    if (status == CLI_OK && args.strand_auto)
        status = cli_need_minimizers(&cli_command_batch, "--strand auto");
    if (cli_is_aligned(args.format))
        args.options.cigar = true;
    args.pairs.qualities = cli_is_sam(args.format);
    if (status == CLI_OK && cli_is_sam(args.format))
        status = cli_check_read_twice(
            &cli_command_batch, "the header of SAM lists all targets: TARGETS is read", args.path);
    return status == CLI_OK ? cli_batch_run(&args, argc, argv) : status;
}

static const cli_option INPUT_OPTIONS[] = {
    CLI_ROW_ALPHABET(AT(options.alphabet)),
    CLI_SWITCH("keep-going", AT(keep_going), true,
               "continue after a pair that cannot be used: its row says why, and the exit status "
               "shows it"),
    CLI_ROW_NO_SKETCH(AT(sketch)),
    {.name = NULL},
};

static const cli_option PAIR_OPTIONS[] = {
    CLI_SWITCH("one-to-many", AT(pairs.one_to_many), true,
               "compare the one record of TARGET with all of QUERIES"),
    CLI_ROW_MATCH(AT(match)),
    CLI_ROW_STRAND_AUTO(AT(strand_auto),
                        "+ (default) or auto\nauto: each query on the strand that looks like its "
                        "target. Outputs have the strand then"),
    CLI_VALUE("max-distance", 'K', CLI_OPTION_COUNT, AT(options.max_distance), "NUM",
              "report larger distances as >NUM; K, M, G allowed"),
    {.name = NULL},
};

static const cli_option SCORING_OPTIONS[] = {
    CLI_ROW_SCORE(AT(score)),
    CLI_ROW_MODE(AT(options.mode)),
    CLI_ROW_FREE_ENDS(AT(options.free_ends)),
    CLI_ROW_Z_DROP(AT(options.z_drop)),
    CLI_ROW_END_BONUS(AT(options.end_bonus)),
    {.name = NULL},
};

static const cli_option DEVICE_OPTIONS[] = {
    CLI_ROWS_DEVICE(AT(device), AT(open_flags), AT(threads)),
    {.name = NULL},
};

static const cli_option OUTPUT_OPTIONS[] = {
    CLI_ROW_OUTPUT(AT(output), "write to FILE; '-' is standard output (default)"),
    CLI_CHOICE("format", AT(format), FORMATS, "FORMAT",
               "tsv (default), paf, sam, bam, pairwise, afa or json\nWithout this option the "
               "extension of FILE decides. sam, bam: a record for each query, in the order of the "
               "input; pairwise: lines of both sequences, to read; afa: FASTA with gaps; json: an "
               "object per line"),
    CLI_SWITCH("cigar", AT(options.cigar), true,
               "add the alignment of each pair\nIt has =, X, I (query only) and D (target only)"),
    CLI_SWITCH("ends-only", AT(options.ends_only), true,
               "without --cigar: only scores and ends, in half of the time; begins are '*'"),
    CLI_ROW_NO_HEADER(AT(header)),
    CLI_SWITCH("flush", AT(flush), true,
               "when PAIRS pauses (a pipe, a socket or a terminal), print the rows of all pairs so "
               "far: for programs that write a pair and wait for its row"),
    {.name = NULL},
};

static const cli_option LONG_OPTIONS[] = {
    CLI_READ("part", 0, cli_read_part, AT(part), "K/N",
             "only part K of N, for an array of jobs: pairs K, K + N, K + 2 N, ...; with --match, "
             "some that follow each other"),
    CLI_VALUE("resume", 0, CLI_OPTION_KEPT, AT(resume), "FILE",
              "keep the rows of the pairs that are complete in FILE, and go on from there if it "
              "exists; it is removed once the output is complete"),
    {.name = NULL},
};

static const cli_option EXPERT_OPTIONS[] = {
    CLI_READ("tune", 0, read_tuning, 0, "KEY=VALUE,...",
             "group, first-limit, last-limit, workers, job-bases, column-bytes, long, one-bin, "
             "score-bits, bit-planes: for experts and tests; see the manual page"),
    CLI_ROW_CACHE_DIR(AT(cache_dir)),
    {.name = NULL},
};

static const cli_rule RULES[] = {
    {"ranks", CLI_EXCLUDES, "batch"},
    {"one-to-many match", CLI_REQUIRES, "QUERIES"},
    {"flush", CLI_EXCLUDES, "QUERIES"},
    {"match", CLI_EXCLUDES, "one-to-many"},
    {"strand", CLI_EXCLUDES, "match"},
    {"strand", CLI_REQUIRES, CLI_DNA},
    {"format=bam", CLI_EXCLUDES, "resume"},
    {"resume", CLI_REQUIRES, "match"},
    {"match=best match=best-target", CLI_REQUIRES, CLI_DNA},
    CLI_RULE_IUPAC,
    CLI_RULES_MATRIX,
    {"format=paf&score format=paf&mode!=global", CLI_REQUIRES, "cigar"},
    {"format=sam format=bam", CLI_REQUIRES, "QUERIES"},
    {"format=sam format=bam", CLI_REQUIRES, CLI_DNA},
    {"format=sam format=bam", CLI_EXCLUDES, "no-header"},
    {"format=sam format=bam format=pairwise format=afa", CLI_EXCLUDES, "ends-only"},
    {"mode!=global", CLI_EXCLUDES, "max-distance"},
    {"free-ends", CLI_REQUIRES, "mode=ends-free"},
    {"score=matrix:", CLI_EXCLUDES, "z-drop end-bonus"},
    {"z-drop end-bonus", CLI_REQUIRES, "mode=extend"},
    {.terms = NULL},
};

static const cli_endings ENDINGS = {CLI_ENDINGS(FORMATS, AT(format), AT(output)),
                                    .has_option = true};

const cli_command cli_command_batch = {
    .name = "batch",
    .summary = "exact distances and CIGARs of many short pairs",
    .usage = "[OPTION...] PAIRS\n[OPTION...] TARGETS QUERIES\n"
             "[OPTION...] --one-to-many TARGET QUERIES",
    .about = "Prints the exact edit distance (unit costs, end to end) of each pair, one row per "
             "pair, in the order of the input.\nWith --score it is the least penalty, and with "
             "--mode the best alignment need not go from end to end. PAIRS has two lines per pair: "
             "'>' and the query, then '<' and the target; a tab and a name may follow a sequence. "
             "TARGETS and QUERIES are FASTA or FASTQ files: record i of one is compared with "
             "record i of the other, unless --match says otherwise. Files may be plain, gzip or "
             "bgzip, and of any size; '-' is standard input, for one of them.",
    .common = {"output", "format", "cigar", "one-to-many", "match", "score", "mode", "max-distance",
               "device"},
    .examples = {"--cigar targets.fa queries.fa -o out.tsv",
                 "--one-to-many --mode infix reference.fa reads.fq"},
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
    .notes =
        "Columns: target, target_length, query, query_length, distance, similarity (1 - "
        "distance / longer length), with --match or --strand also strand, with --cigar also cigar, "
        "with "
        "--keep-going also error. A distance above --max-distance K is '>K'; missing values are "
        "'*'. Sequences of PAIRS "
        "without a name have their pair's number. With a match score in --score the score comes "
        "after the "
        "distance. With --mode other than global, in place of distance and similarity: score, "
        "target_begin, target_end, query_begin, query_end (from 0, end exclusive), and of "
        "extend also reached_end.",
    .operands = {{"PAIRS, or TARGETS and QUERIES", AT(path)}, {"QUERIES", AT(queries)}},
    .least_operands = 1,
    .run = run,
};
