/* SPDX-License-Identifier: MIT */
/*
 * test_vcf_pairs FOLDER [PAIRS]: VCF of alignments, for other programs to judge
 * (test_vcf_tools.sh): random pairs of every family, 100 or so many, aligned with unit costs and
 * with affine gaps on the device that "auto" takes, as records of FOLDER/t.fa, q.fa and t.vcf, and
 * a.vcf with a record for each difference. The program's own check finds them right.
 *
 * Exits with 77 where there is no device.
 */
#include "host/cli/writers/vcf_rows.h"
#include "rhomb/align.h"
#include "support/affine_pair.h"
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"

enum { SHORTEST = 20, LONGEST = 20000 };

static int64_t pairs = 100;
static const char *folder;
static session s;

/*
 * Costs; a path with affine gaps may have an insertion that touches a deletion. Each needs a
 * program for each number of symbols, so that two pieces are for A, C, G and T.
 */
static const char *affine_of(const pair *p, int64_t index)
{
    return index % 2 == 0 && pair_planes(p, RHOMB_ALPHABET_DNA) == 2 ? "map-ont" : "wfa";
}

static void make_model(int64_t index, int64_t length, rng *r, pair *p)
{
    static const char *const LETTERS[] = {"ACGT", "ACGTN", "ACGTNRYSWKMBDHV"};
    const pair_recipe recipe = {.model = (pair_model)(index % PAIR_MODEL_COUNT),
                                .length = length,
                                .error_rate = 0.01 * (double)rng_below(r, 30),
                                .spacing = rng_between(r, 1, 100),
                                .longest_indel = length / 4 + 1,
                                .alphabet = LETTERS[rng_below(r, COUNT(LETTERS))],
                                .lower_case = rng_chance(r, 0.3)};
    pair_make(&recipe, r, p);
}

/* A pair of every family in turn, of 20 to 20,000 bases, as many in each octave. */
static void make_pair(int64_t index, pair *p)
{
    rng r = rng_for("vcf pairs", index);
    const int64_t octave = SHORTEST * (INT64_C(1) << rng_below(&r, 10));
    const int64_t longest = 2 * octave < LONGEST ? 2 * octave : LONGEST;
    const int64_t length = rng_between(&r, octave, longest);
    const int64_t family = index % (PAIR_MODEL_COUNT + AFFINE_FAMILY_COUNT);
    if (family < PAIR_MODEL_COUNT)
        make_model(family, length, &r, p);
    else
        affine_pair_make((affine_family)(family - PAIR_MODEL_COUNT), length, &r, p);
}

/* The path of a pair, whose operations are those of *alignment. */
static cli_path path_of(const pair *p, const char *score, rhomb_alignment **alignment)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_scoring scoring;
    cli_path path = {.target_name = "t",
                     .query_name = "q",
                     .target = p->a.at,
                     .query = p->b.at,
                     .target_length = p->a.length,
                     .query_length = p->b.length};
    assert_int_equal(rhomb_scoring_parse(s.ctx, score, &scoring), RHOMB_OK);
    options.scoring = &scoring;
    if (rhomb_align(s.ctx, p->a.at, p->a.length, p->b.at, p->b.length, &options, alignment) !=
        RHOMB_OK)
        fail_msg("%s", rhomb_context_error(s.ctx));
    path.ops = rhomb_alignment_path(*alignment, &path.count);
    return path;
}

/* Writes the records to a stream, and lets the program check them. */
static bool write_records(FILE *stream, const cli_path *path)
{
    char why[320];
    cli_sink sink;
    cli_vcf_check check = {.path = path};
    cli_sink_open(&sink, stream, 0);
    cli_sink_set_tap(&sink, cli_vcf_check_text, &check);
    assert_int_equal(cli_write_vcf(&sink, path, 0), 0);
    assert_int_equal(cli_sink_close(&sink), 0);
    return cli_vcf_check_end(&check, why, sizeof why);
}

static FILE *file_of(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

static void write_fasta(FILE *file, const char *name, const letters *bases)
{
    fprintf(file, ">%s\n%.*s\n", name, (int)bases->length, bases->at);
}

/* The file has the heads of all records, and then these. */
static void write_all(FILE *vcf, FILE *records)
{
    char line[1 << 16];
    size_t length;
    rewind(records);
    fprintf(vcf, "##FILTER=<ID=dissimilar,Description=\"Not similar\">\n"
                 "##INFO=<ID=QNAME,Number=1,Type=String,Description=\"The query\">\n"
                 "##INFO=<ID=QSTART,Number=1,Type=Integer,Description=\"Where in it\">\n"
                 "##INFO=<ID=QSTRAND,Number=1,Type=String,Description=\"Its strand\">\n"
                 "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"Genotype\">\n"
                 "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tq\n");
    while ((length = fread(line, 1, sizeof line, records)) > 0)
        assert_int_equal(fwrite(line, 1, length, vcf), length);
}

static void test_files(void **state)
{
    FILE *targets = file_of("t.fa"), *queries = file_of("q.fa");
    FILE *vcf[] = {file_of("t.vcf"), file_of("a.vcf")}, *records[] = {tmpfile(), tmpfile()};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int i = 0; i < 2; i++) {
        assert_non_null(records[i]);
        fprintf(vcf[i], "##fileformat=VCFv4.3\n");
    }
    for (int64_t index = 0, written = 0; written < pairs; index++) {
        char name[32];
        rhomb_alignment *alignment = NULL;
        make_pair(index, &p);
        if (p.a.length == 0 || p.b.length == 0)
            continue;
        snprintf(name, sizeof name, "t%d", (int)written);
        cli_path path = path_of(&p, index % 3 == 0 ? "edit" : affine_of(&p, index), &alignment);
        path.target_name = name;
        write_fasta(targets, name, &p.a);
        write_fasta(queries, name, &p.b);
        for (int i = 0; i < 2; i++) {
            path.atomize = i == 1;
            fprintf(vcf[i], "##contig=<ID=%s,length=%lld>\n", name, (long long)p.a.length);
            assert_true(write_records(records[i], &path));
        }
        rhomb_alignment_destroy(alignment);
        written++;
    }
    for (int i = 0; i < 2; i++) {
        write_all(vcf[i], records[i]);
        fclose(records[i]);
        assert_int_equal(fclose(vcf[i]), 0);
    }
    assert_int_equal(fclose(targets) | fclose(queries), 0);
    pair_release(&p);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_files)};
    if (argc < 2)
        return 2;
    folder = argv[1];
    if (argc > 2)
        pairs = atoll(argv[2]);
    return session_run(&s, tests, NULL);
}
