/* SPDX-License-Identifier: MIT */
/*
 * VCF of alignments: random pairs of every family, aligned with unit costs and with affine gaps on
 * the device that "auto" takes. The records, judged by an independent reader, make the query of the
 * target, are as far left as they can be and do not touch.
 *
 *     test_vcf_pairs pairs NUM      so many pairs
 *     test_vcf_pairs files FOLDER   100 of them, as records of FOLDER/t.fa, q.fa and t.vcf, for
 * other programs
 *
 * Exits with 77 where there is no device.
 */
#include "host/cli/align/vcf_check.h"
#include "host/cli/align/vcf_rows.h"
#include "rhomb/align.h"
#include "support/affine_pair.h"
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"
#include "vcf_model.h"

enum { SHORTEST = 20, LONGEST = 20000, FILE_PAIRS = 100 };

static int64_t pairs = 200;
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

static const char *make_model(int64_t index, int64_t length, rng *r, pair *p)
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
    return pair_model_text(recipe.model);
}

/* A pair of every family in turn, of 20 to 20,000 bases, as many in each octave; its family. */
static const char *make_pair(int64_t index, pair *p)
{
    rng r = rng_for("vcf pairs", index);
    const int64_t octave = SHORTEST * (INT64_C(1) << rng_below(&r, 10));
    const int64_t longest = 2 * octave < LONGEST ? 2 * octave : LONGEST;
    const int64_t length = rng_between(&r, octave, longest);
    const int64_t family = index % (PAIR_MODEL_COUNT + AFFINE_FAMILY_COUNT);
    if (family < PAIR_MODEL_COUNT)
        return make_model(family, length, &r, p);
    const affine_family affine = (affine_family)(family - PAIR_MODEL_COUNT);
    affine_pair_make(affine, length, &r, p);
    return affine_family_text(affine);
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

static const char *judge(const cli_path *path)
{
    char *text;
    size_t length;
    const vcf_model_pair model = {"t",         path->target,       path->target_length,
                                  path->query, path->query_length, 0};
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    const bool passed = write_records(stream, path);
    fclose(stream);
    const char *complaint = vcf_model_judge(text, &model, true);
    if (complaint == NULL && !passed)
        complaint = "the program's own check";
    free(text);
    return complaint;
}

static void ask(const pair *p, const char *score, const char *family, int64_t index)
{
    rhomb_alignment *alignment = NULL;
    char why[320], files[2][512];
    const cli_path path = path_of(p, score, &alignment);
    const char *complaint = NULL;
    if (!cli_vcf_lacks_sequences(&path, why, sizeof why))
        complaint = judge(&path);
    if (complaint != NULL) {
        failed_write("vcf", index, &p->a, &p->b, files);
        fail_msg("%s, case %lld: %s\n  again: rhomb align --format vcf --score %s %s %s", family,
                 (long long)index, complaint, score, files[0], files[1]);
    }
    rhomb_alignment_destroy(alignment);
}

static void test_pairs(void **state)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t index = 0; index < pairs; index++) {
        const char *family = make_pair(index, &p);
        ask(&p, "edit", family, index);
        ask(&p, affine_of(&p, index), family, index);
    }
    pair_release(&p);
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
    FILE *targets = file_of("t.fa"), *queries = file_of("q.fa"), *vcf = file_of("t.vcf");
    FILE *records = tmpfile();
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    assert_non_null(records);
    fprintf(vcf, "##fileformat=VCFv4.3\n");
    for (int64_t index = 0, written = 0; written < FILE_PAIRS; index++) {
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
        fprintf(vcf, "##contig=<ID=%s,length=%lld>\n", name, (long long)p.a.length);
        assert_true(write_records(records, &path));
        rhomb_alignment_destroy(alignment);
        written++;
    }
    write_all(vcf, records);
    fclose(records);
    assert_int_equal(fclose(targets) | fclose(queries) | fclose(vcf), 0);
    pair_release(&p);
}

int main(int argc, char **argv)
{
    const bool to_files = argc > 2 && strcmp(argv[1], "files") == 0;
    const struct CMUnitTest all[] = {cmocka_unit_test(test_pairs)};
    const struct CMUnitTest files[] = {cmocka_unit_test(test_files)};
    if (to_files)
        folder = argv[2];
    else if (argc > 2)
        pairs = atoll(argv[2]);
    return to_files ? session_run(&s, files, NULL) : session_run(&s, all, NULL);
}
