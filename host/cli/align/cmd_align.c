/* SPDX-License-Identifier: MIT */
/*
 * rhomb align: the exact alignment of two sequences. Its options are here, its work in align_run.c.
 */
#include "host/cli/align/align_arguments.h"
#include "host/cli/align/align_files.h"
#include "host/cli/align/range_rows.h"

#include "host/cli/command/command.h"
#include "host/cli/command/options.h"
#include "host/cli/pair/plan_run.h"

#include <errno.h>
#include <unistd.h>

const cli_word cli_align_formats[] = {
    {"paf", CLI_ALIGN_PAF},   {"sam", CLI_ALIGN_SAM},  {"bam", CLI_ALIGN_BAM},
    {"cram", CLI_ALIGN_CRAM}, {"vcf", CLI_ALIGN_VCF},  {"chain", CLI_ALIGN_CHAIN},
    {"maf", CLI_ALIGN_MAF},   {"tsv", CLI_ALIGN_TSV},  {"pairwise", CLI_ALIGN_PAIRWISE},
    {"afa", CLI_ALIGN_AFA},   {"json", CLI_ALIGN_JSON}};

static const cli_word CIGARS[] = {{"=X", false}, {"M", true}};
static const cli_word DIRECTIONS[] = {{"target-to-query", false}, {"query-to-target", true}};

/* What the mode says, and what it needs of the scoring. */
static int settle_mode(cli_align_arguments *args)
{
    cli_pair_arguments *pair = &args->pair;
    const char *name = cli_word_of((int)args->how.mode, cli_modes, CLI_COUNT(cli_modes));
    const int status =
        cli_check_score(&cli_command_align, &pair->score, pair->options.alphabet, args->how.mode);
    if (status != CLI_OK)
        return status;
    cli_settle_mode(pair->options.scoring, &args->how);
    pair->parts = args->how.mode != RHOMB_MODE_GLOBAL;
    if (pair->parts && args->how.mode != RHOMB_MODE_ENDS_FREE &&
        (pair->options.scoring == NULL || pair->options.scoring->match == 0))
        return cli_bad_usage(&cli_command_align,
                             "--mode %s needs --score with a match score, as match:2,4,4,2", name);
    return CLI_OK;
}

/* A name that is one column of a line of text. */
static bool is_column(const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ')
            return false;
    }
    return name[0] != '\0';
}

#define IN(format) (1u << CLI_ALIGN_##format)
#define IN_HTS     (IN(BAM) | IN(CRAM))

/* The files that no option names, by format. */
static void list_files(const void *arguments, cli_files *files)
{
    static const struct {
        unsigned formats;
        const char *ending;
    } ENDINGS[] = {
        {IN(BAM), ".bai"}, {IN(BAM) | IN(VCF), ".csi"}, {IN(VCF), ".tbi"}, {IN(CRAM), ".crai"}};
    const cli_align_arguments *args = arguments;
    const char *output = args->pair.output;
    const bool gzip = output != NULL && cli_is_gzip_name(output);
    int format = args->format;
    cli_pair_list_files(&args->pair, files);
    if (format == CLI_NO_FORMAT && output != NULL)
        (void)cli_format_by_name(
            &cli_command_align, cli_align_formats, CLI_COUNT(cli_align_formats), output,
            strlen(output) - (gzip ? strlen(strrchr(output, '.')) : 0), &format);
    for (size_t i = 0; i < CLI_COUNT(ENDINGS) && format >= 0; i++) {
        if ((ENDINGS[i].formats >> format & 1) == 0 || (format == CLI_ALIGN_VCF && !gzip))
            continue;
        cli_files_beside(files, "output", output, ENDINGS[i].ending);
    }
}

/* What is made of all records is of both files, which are read again. */
static int check_inputs(const cli_align_arguments *args)
{
    const char *const names[] = {args->pair.target_path, args->pair.query_path, args->haplotype};
    const int count = !cli_records_are_kept(args) ? 0 : args->haplotype != NULL ? 3 : 2;
    int status = CLI_OK;
    for (int i = 0; i < count && status == CLI_OK; i++)
        status = cli_check_read_twice(&cli_command_align,
                                      count == 3 ? "--haplotype needs inputs that are read"
                                                 : "rearrangements need inputs that are read",
                                      names[i]);
    if (status == CLI_OK && args->haplotype != NULL && access(args->haplotype, R_OK) != 0)
        return cli_fail_to_open(args->haplotype, errno);
    return status;
}

/* A list of rearrangements is TSV or BED, so its name is not to say anything else. */
static int check_list(const char *name)
{
    const size_t length = name != NULL ? strlen(name) : 0;
    int format = CLI_NO_FORMAT;
    if (name != NULL)
        (void)cli_format_by_name(&cli_command_align, cli_align_formats,
                                 CLI_COUNT(cli_align_formats), name, length, &format);
    if (name == NULL ||
        (!cli_is_gzip_name(name) && (format == CLI_NO_FORMAT || format == CLI_ALIGN_TSV)))
        return CLI_OK;
    return cli_bad_usage(&cli_command_align, "--rearrangements: '%s' is not a name for TSV or BED",
                         name);
}

/*
 * minimap2 scores a pair with N or an IUPAC code as -1, so an audit by one of its presets does:
 * rows that have some are by the matrix of its name.
 */
static int settle_audit(cli_align_arguments *args)
{
    const cli_pair_arguments *pair = &args->pair;
    const rhomb_scoring *s = pair->options.scoring;
    if (args->audit == NULL || !cli_score_is_minimap2(&pair->score) ||
        pair->options.alphabet != RHOMB_ALPHABET_DNA)
        return CLI_OK;
    snprintf(args->ambiguous_text, sizeof args->ambiguous_text,
             "matrix:%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64, pair->score.text,
             s->gap_open, s->gap_extend, s->gap_open_2, s->gap_extend_2);
    return cli_read_score(&cli_command_align, args->ambiguous_text, &args->ambiguous);
}

/* What is wrong with values, and with what the rules do not tell. */
static int check(cli_align_arguments *args)
{
    if (check_list(args->rearrangements) != CLI_OK)
        return CLI_USAGE;
    if (args->compress && (IN_HTS >> args->format & 1) != 0)
        return cli_bad_usage(&cli_command_align, "%s: BAM and CRAM are compressed already",
                             args->pair.output);
    if (args->sample != NULL && !is_column(args->sample))
        return cli_bad_usage(&cli_command_align, "--sample: '%s' is not a name", args->sample);
    /* The library checks this too, but only after reading, and not for --dry-run. */
    if (args->pair.tuning.directions == 1 || args->pair.tuning.tile_shape == RHOMB_TILE_DIAMOND)
        return cli_bad_usage(&cli_command_align,
                             "--tune: an alignment needs two directions and trapezoids");
    int status = cli_pair_settle(&cli_command_align, &args->pair);
    if (status == CLI_OK)
        status = settle_mode(args);
    if (status == CLI_OK)
        status = settle_audit(args);
    return status == CLI_OK ? check_inputs(args) : status;
}

static int run(int argc, char **argv)
{
    cli_align_arguments args = {.pair = CLI_PAIR_ARGUMENTS_INIT,
                                .how = RHOMB_MODE_OPTIONS_INIT,
                                .format = CLI_NO_FORMAT,
                                .header = true};
    args.how.mode = RHOMB_MODE_GLOBAL;
    args.how.free_ends.query_begin = CLI_ENDS_NOT_GIVEN;
    int status = cli_read_options(&cli_command_align, argc, argv, &args);
    args.compress_callable = args.callable != NULL && cli_is_gzip_name(args.callable);
    if (status == CLI_OK)
        status = check(&args);
    if (status != CLI_OK)
        return status;
    /* The plan is for people: it does not replace the alignment. */
    const cli_plan_asked plan = {
        .with_path = true, .how = &args.how, .json = args.format == CLI_ALIGN_JSON};
    if (args.ranges != NULL)
        return cli_ranges_run(&args, argc, argv);
    if (args.haplotype != NULL)
        return cli_diploid_run(&args, argc, argv);
    return args.pair.dry_run ? cli_plan_run(&args.pair, &plan, argc, argv)
                             : cli_align_run(&args, argc, argv);
}

#define AT(member) offsetof(cli_align_arguments, member)

static const cli_option SCORING_OPTIONS[] = {
    CLI_ROW_SCORE(AT(pair.score)),
    CLI_ROW_MODE(AT(how.mode)),
    CLI_ROW_FREE_ENDS(AT(how.free_ends)),
    CLI_ROW_Z_DROP(AT(how.z_drop)),
    CLI_ROW_END_BONUS(AT(how.end_bonus)),
    CLI_SWITCH("blocks", AT(pair.blocks), true,
               "align collinear blocks, each on its strand\nThey are aligned instead of all from "
               "end to end; where they begin and end is a heuristic"),
    {.name = NULL},
};

static const cli_option RANGE_OPTIONS[] = {
    CLI_VALUE("ranges", 0, CLI_OPTION_INPUT, AT(ranges), "FILE",
              "align the ranges that each row of FILE names, on their strand\nFILE is PAF, SAM, "
              "BAM or CRAM of any "
              "program, or a table: target, begin, end, query, begin, end and strand, from 0, ends "
              "exclusive"),
    CLI_VALUE("extend-ends", 0, CLI_OPTION_POSITIVE, AT(extend_ends), "NUM",
              "with --ranges and --mode local: both ranges reach NUM bases further at both ends; "
              "K, M, G allowed"),
    CLI_VALUE("audit", 0, CLI_OPTION_OUTPUT, AT(audit), "FILE",
              "with --ranges: write what the alignments of its rows cost, and what the best ones "
              "do, to FILE, as TSV\nWith minimap2's presets, a pair with N scores -1, as there"),
    CLI_SWITCH("keep-tags", AT(keep_tags), true,
               "with --ranges: PAF has the other tags of the rows, after ours"),
    CLI_SWITCH("keep-going", AT(keep_going), true,
               "with --ranges: continue after a row that cannot be used; the exit status shows it"),
    {.name = NULL},
};

static const cli_option OUTPUT_OPTIONS[] = {
    CLI_ROW_OUTPUT(AT(pair.output),
                   "write to FILE; '-' is standard output (default)\nFILE appears once it is "
                   "complete. A name that ends in .gz or .bgz is compressed as bgzip does, and VCF "
                   "gets an index beside it, as BAM and CRAM have"),
    CLI_CHOICE(
        "format", AT(format), cli_align_formats, "FORMAT",
        "paf, sam, bam, cram, vcf, chain, maf, tsv, pairwise, afa, json\nWithout this option "
        "the extension of FILE decides, else it is paf. paf: one line with NM, AS, tp, de and "
        "the CIGAR; sam: a header and the records; bam, cram: the same, with an index beside; "
        "vcf: the differences as variants, from which QUERY can be made again, with PASS in "
        "similar sequence; chain: UCSC's, for liftOver; maf: both sequences with their gaps; "
        "tsv: the list of differences; pairwise: lines of both sequences, to read; afa: FASTA "
        "with gaps; json: the full report with all operations or, with --ranges, an object for "
        "each row on a line"),
    CLI_CONSTANT("json", AT(format), CLI_ALIGN_JSON, "the same as --format json"),
    CLI_VALUE(
        "split-at", 0, CLI_OPTION_POSITIVE, AT(cuts.split), "NUM",
        "PAF, SAM, BAM, CRAM, chain, MAF, pairwise, afa: leave out insertions and deletions of "
        "NUM bases or more, in one piece or in many, and start a new record after each; K, M, "
        "G allowed"),
    CLI_VALUE("chunk", 0, CLI_OPTION_POSITIVE, AT(cuts.chunk), "NUM",
              "PAF, chain, MAF, pairwise, afa: start a new record every NUM bases of TARGET"),
    CLI_VALUE("unaligned", 0, CLI_OPTION_OUTPUT, AT(unaligned), "FILE",
              "with --blocks or --match: list what is in no alignment, as BED"),
    CLI_VALUE(
        "rearrangements", 0, CLI_OPTION_OUTPUT, AT(rearrangements), "FILE",
        "with --blocks: list what was rearranged, duplicated, inserted, deleted or replaced, as "
        "'rhomb report' does\nA name that ends in .bed is for BED, any other for TSV"),
    CLI_SWITCH("cs", AT(cs), true, "PAF: add the differences with their bases, as cs"),
    CLI_CHOICE("cigar", AT(cigar_m), CIGARS, "OPERATIONS",
               "PAF, SAM, BAM: =X (default) tells matches from mismatches; M does not, for older "
               "programs, and is what CRAM always has"),
    CLI_SWITCH("md", AT(md), true,
               "SAM, BAM, CRAM: add the target's bases where they differ, as MD"),
    CLI_CHOICE("chain-direction", AT(from_query), DIRECTIONS, "DIRECTION",
               "chain: target-to-query (default), which lifts positions of TARGET to QUERY, or "
               "query-to-target"),
    CLI_VALUE(
        "sample", 0, CLI_OPTION_TEXT, AT(sample), "NAME",
        "VCF: the name of the sample (default: that of QUERY's record or, with --match, file)"),
    CLI_VALUE("haplotype", 0, CLI_OPTION_INPUT, AT(haplotype), "FILE",
              "VCF: the sample's other haplotype, with phased genotypes of QUERY and FILE; implies "
              "--atomize"),
    CLI_VALUE("max-allele", 0, CLI_OPTION_POSITIVE, AT(max_allele), "NUM",
              "VCF: write <DEL> and <INS> for alleles of more than NUM bases; QUERY cannot be made "
              "from those; K, M, G allowed"),
    CLI_SWITCH(
        "atomize", AT(atomize), true,
        "VCF, TSV: write each mismatch, insertion or deletion as a record of its own, as for "
        "bcftools merge"),
    CLI_SWITCH(
        "similar-only", AT(cuts.similar_only), true,
        "PAF, chain, MAF, pairwise, afa: leave out what is aligned but not similar, and start "
        "a new record after it"),
    CLI_ROW_MIN_IDENTITY(AT(least_identity), "VCF, --similar-only: "),
    CLI_ROW_NO_HEADER(AT(header)),
    CLI_VALUE("report", 0, CLI_OPTION_OUTPUT, AT(report), "FILE",
              "write the full report to FILE, as JSON"),
    CLI_VALUE("callable", 0, CLI_OPTION_OUTPUT, AT(callable), "FILE",
              "write the intervals of TARGET that are aligned, without N, to FILE, as BED"),
    {.name = NULL},
};

#define ROWS "format=paf format=chain format=maf format=pairwise format=afa"
#define SAM  "format=sam format=bam format=cram"

static const cli_rule RULES[] = {
    {"haplotype", CLI_EXCLUDES, "blocks part resume dry-run"},
    {"haplotype", CLI_EXCLUDES, "strand rotate target-region query-region"},
    {"haplotype", CLI_EXCLUDES, "callable report unaligned max-allele iupac"},
    {"haplotype", CLI_REQUIRES, "format=vcf"},
    {"rearrangements", CLI_EXCLUDES, "part"},
    {"rearrangements&resume", CLI_EXCLUDES, "callable"},
    {"part", CLI_REQUIRES, "match ranges"},
    {"ranks", CLI_EXCLUDES, "blocks ranges haplotype"},
    {"blocks&resume", CLI_REQUIRES, "match"},
    {"dry-run&match dry-run&blocks", CLI_EXCLUDES, "format=json"},
    {"keep-tags", CLI_REQUIRES, "format=paf"},
    {"ranges", CLI_EXCLUDES, "blocks match target-region query-region"},
    {"ranges", CLI_EXCLUDES, "strand rotate engine tune resume-every dry-run"},
    {"audit keep-tags keep-going extend-ends", CLI_REQUIRES, "ranges"},
    {"extend-ends", CLI_REQUIRES, "mode=local"},
    {"audit", CLI_REQUIRES, "mode=global"},
    {"score=matrix:", CLI_EXCLUDES, "blocks z-drop end-bonus"},
    {"unaligned", CLI_REQUIRES, "blocks match"},
    {"rearrangements", CLI_REQUIRES, "blocks"},
    {"jobs", CLI_REQUIRES, "blocks match ranges"},
    {"report", CLI_EXCLUDES, "blocks match"},
    {"blocks", CLI_EXCLUDES, "strand rotate no-sketch"},
    {"blocks callable", CLI_REQUIRES, CLI_DNA},
    {"mode!=global", CLI_EXCLUDES, "blocks match rotate max-distance format=vcf"},
    {"mode!=global&resume", CLI_REQUIRES, "ranges"},
    {"free-ends", CLI_REQUIRES, "mode=ends-free"},
    {"z-drop end-bonus", CLI_REQUIRES, "mode=extend"},
    {"split-at", CLI_REQUIRES, ROWS " " SAM},
    {"chunk similar-only", CLI_REQUIRES, ROWS},
    {"atomize", CLI_REQUIRES, "format=vcf format=tsv"},
    {"cs", CLI_REQUIRES, "format=paf"},
    {"cigar=M", CLI_REQUIRES, "format=paf " SAM},
    {"md", CLI_REQUIRES, SAM},
    {"chain-direction=query-to-target", CLI_REQUIRES, "format=chain"},
    {"sample max-allele", CLI_REQUIRES, "format=vcf"},
    {"min-identity", CLI_REQUIRES, "similar-only format=vcf"},
    {"format=vcf format=maf format=bam format=cram", CLI_REQUIRES, CLI_DNA},
    {"cs md", CLI_REQUIRES, "alphabet=dna"},
    {.terms = NULL},
};

static const cli_endings ENDINGS = {CLI_ENDINGS(cli_align_formats, AT(format), AT(pair.output)),
                                    .compress_at = AT(compress), .has_option = true};

const cli_command cli_command_align = {
    .name = "align",
    .summary = "the exact alignment of two sequences",
    .usage = "[OPTION...] TARGET QUERY",
    .about = "Writes an end-to-end alignment of two sequences whose cost is exactly their edit "
             "distance (unit costs), or with --score their least penalty; with --mode, of the "
             "parts that it finds best.\nTARGET is the reference, QUERY is aligned to it: I is a "
             "base that only QUERY has, D one that only TARGET has. Each is a FASTA or FASTQ file, "
             "plain, gzip or bgzip; '-' is standard input.",
    .common = {"output", "format", "score", "mode", "blocks", "match", "target-region",
               "query-region", "device"},
    .examples = {"reference.fa query.fa -o out.paf",
                 "--score wfa --match best --blocks reference.fa query.fa -o out.vcf"},
    .options = {[CLI_GROUP_INPUT] = cli_pair_input_options,
                [CLI_GROUP_PAIRS] = cli_pair_match_options,
                [CLI_GROUP_RANGES] = RANGE_OPTIONS,
                [CLI_GROUP_SCORING] = SCORING_OPTIONS,
                [CLI_GROUP_OUTPUT] = OUTPUT_OPTIONS,
                [CLI_GROUP_DEVICES] = cli_pair_device_options,
                [CLI_GROUP_LONG_RUNS] = cli_pair_long_options,
                [CLI_GROUP_EXPERTS] = cli_pair_expert_options,
                [CLI_GROUP_MESSAGES] = cli_message_options},
    .rules = {cli_pair_rules, RULES},
    .endings = &ENDINGS,
    .notes = "Of several alignments of that cost, one engine always writes the same one, on every "
             "device: to repeat it, give --engine the name that --report shows. If the distance "
             "exceeds --max-distance there is no alignment; the exit status is 0 all the same. AS "
             "is the score of a record's own operations or, where matches score nothing, less "
             "their penalty; sc names the scoring. A gap that --chunk cuts is opened in each of "
             "its records. "
             "Regions have the names, lengths and positions of their records; JSON has both.",
    CLI_PAIR_OPERANDS,
    .run = run,
    .files = list_files,
};
