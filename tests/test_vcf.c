/* SPDX-License-Identifier: MIT */
/*
 * VCF of paths: what is printed of designed ones, byte for byte, and of random ones, judged by an
 * independent reader; and that the program's own check finds what is wrong with a file.
 */
#include <ctype.h>
#include <errno.h>
#include <htslib/tbx.h>
#include <unistd.h>

#include "drawn_path.h"
#include "host/cli/writers/align_formats.h"
#include "host/cli/writers/vcf_rows.h"
#include "rhomb/rhomb.h"
#include "tests/reference/random_bases.h"
#include "vcf_model.h"

/* The records of a path, for free(). */
static char *records_of(const cli_path *path, int64_t max_allele, int64_t *symbolic)
{
    char *text;
    size_t length;
    cli_sink sink;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    cli_sink_open(&sink, stream, 0);
    const int64_t count = cli_write_vcf(&sink, path, max_allele);
    if (symbolic != NULL)
        *symbolic = count;
    assert_int_equal(cli_sink_close(&sink), 0);
    fclose(stream);
    return text;
}

/* Gives text to the program's own check, in pieces. */
static bool passes(const cli_path *path, const char *text, size_t piece)
{
    char why[320] = "";
    const size_t length = strlen(text);
    cli_vcf_check check = {.path = path};
    for (size_t at = 0; at < length; at += piece)
        cli_vcf_check_text(&check, text + at, length - at < piece ? length - at : piece);
    const bool passed = cli_vcf_check_end(&check, why, sizeof why);
    assert_int_equal(why[0] == '\0', passed);
    return passed;
}

/* A path and its records, without what is the same in all of them. */
typedef struct designed {
    const char *target;
    const char *query;
    const char *path;
    const char *records; /* "POS REF ALT" and a semicolon each */
} designed;

static cli_path path_of(const designed *d, rhomb_path_op *ops)
{
    drawn_path drawn;
    rng r = rng_for("vcf", 0);
    drawn_clear(&drawn);
    drawn_extend_by(&drawn, &r, d->path);
    memcpy(ops, drawn.ops, sizeof drawn.ops);
    assert_int_equal(drawn.path.target_length, strlen(d->target));
    assert_int_equal(drawn.path.query_length, strlen(d->query));
    return (cli_path){.target_name = "t",
                      .query_name = "q",
                      .target = d->target,
                      .query = d->query,
                      .target_length = drawn.path.target_length,
                      .query_length = drawn.path.query_length,
                      .ops = ops,
                      .count = drawn.path.count};
}

/* The three columns of each record. */
static char *columns_of(const char *text)
{
    char *columns = calloc(1, strlen(text) + 1), *to = columns;
    assert_non_null(columns);
    for (; *text != '\0'; text = strchr(text, '\n') + 1) {
        int used;
        char position[32], ref[256], alt[256];
        assert_int_equal(
            sscanf(text,
                   "t\t%31s\t.\t%255s\t%255s\t.\t%*[^\t]\tQNAME=q;QSTART=%*d;QSTRAND=+\tGT\t1%n",
                   position, ref, alt, &used),
            3);
        assert_int_equal(text[used], '\n');
        to += sprintf(to, "%s %s %s;", position, ref, alt);
    }
    return columns;
}

/* Compares the records, of one difference each or not. */
static void check_designed(const designed *d, bool atomize)
{
    rhomb_path_op ops[DRAWN_OPS];
    cli_path path = path_of(d, ops);
    path.atomize = atomize;
    char *text = records_of(&path, 0, NULL), *columns = columns_of(text);
    if (strcmp(columns, d->records) != 0)
        fail_msg("%s, %s, %s: %s for %s", d->target, d->query, d->path, columns, d->records);
    assert_true(passes(&path, text, 3));
    free(columns);
    free(text);
}

static void test_designed(void **state)
{
    static const designed CASES[] = {
        /* One of each, and what touches. */
        {"ACGTACGT", "ACGTACGT", "8=", ""},
        {"ACGTACGT", "ACCTACGT", "2=1X5=", "3 G C;"},
        {"ACGTACGT", "ACCCACGT", "2=2X4=", "3 GT CC;"},
        {"ACGTACGT", "ACGCGT", "3=2D3=", "3 GTA G;"},
        {"ACGTACGT", "ACGTTTACGT", "4=2I4=", "4 T TTT;"},
        {"ACGTACGT", "ACTCACGT", "2=1D1=1I4=", "2 CG C;4 T TC;"},
        {"ACGTACGTC", "ACCCCCGTC", "2=3D3I4=", "3 GTA CCC;"},
        {"ACGTACGTC", "ACTTCGTC", "2=1X2D1I4=", "3 GTA TT;"},
        {"ACGTACGTC", "ACTTTTTCCGTC", "2=3I1X1=1X4=", "3 G TTTT;5 A C;"},
        /* At the ends. */
        {"ACGTACGT", "CCGTACGT", "1X7=", "1 A C;"},
        {"ACGTACGT", "GTACGT", "2D6=", "1 ACG G;"},
        {"ACGTACGT", "TTACGTACGT", "2I8=", "1 A TTA;"},
        {"ACGTACGT", "TTGTACGT", "2D2I6=", "1 AC TT;"},
        {"ACGTACGT", "ACGTAC", "6=2D", "6 CGT C;"},
        {"ACGTACGT", "ACGTACGTCC", "8=2I", "8 T TCC;"},
        {"ACGT", "GG", "4D2I", "1 ACGT GG;"},
        {"A", "AC", "1=1I", "1 A AC;"},
        {"A", "CA", "1I1=", "1 A CA;"},
        {"", "", "", ""},
        /* Two that need the same anchor are one, up to the first that does not. */
        {"ACGTACGT", "GACGT", "2D1=1D4=", "1 ACGT G;"},
        {"ACGTACGT", "TACCCGTACGT", "1I1=2I7=", "1 A TACC;"},
        {"ACGTACGT", "GCACGT", "2D1=1X4=", "1 ACGT GC;"},
        {"ACGTACGT", "GTCGT", "2D2=1D3=", "1 ACG G;4 TA T;"},
        {"ACGTTACGT", "GTCGT", "2D1=1D1=1D3=", "1 ACGT G;5 TA T;"},
        /* Case, N and IUPAC codes. */
        {"acgtacgt", "ACCTACGT", "2=1X5=", "3 G C;"},
        {"ACGTACGT", "acctttacgt", "2=1X1=2I4=", "3 G C;4 T TTT;"},
        {"ACNTRCGT", "ACGTACGT", "2=1X1=1X3=", "3 N G;5 R A;"},
        {"ACGTACGT", "ACNTACRYGT", "2=1X3=2I2=", "3 G N;6 C CRY;"},
        {"NNNNACGU", "NNACGT", "2D6=", "1 NNN N;"},
        {"ACGUACGT", "ACGTAuUGT", "5=1X1I2=", "6 C TT;"},
        {"ACGUACGT", "ACGACGT", "3=1D4=", "3 GT G;"},
        /* Paths that are not the best: common bases are no difference. */
        {"ACGTACGT", "ACGTACGT", "2=2D2I4=", ""},
        {"ACGUACGT", "ACGTACGT", "3=1D1I4=", ""},
        {"ACGTACGT", "ACGGACGT", "2=2D2I4=", "4 T G;"},
        {"ACGTACGT", "ACGTTTACGT", "2=2D4I4=", "3 G GTT;"},
        {"ACGTACGT", "TTACGTACGT", "2D4I6=", "1 A TTA;"},
    };
    for (size_t i = 0; i < COUNT(CASES); i++)
        check_designed(&CASES[i], false);
}

/* The query's bases may be a part of a record, and the target's. */
static void test_parts(void **state)
{
    static const designed WHOLE = {"ACGTACGT", "TTGTACCGT", "2D2I4=1I2=", ""};
    rhomb_path_op ops[DRAWN_OPS];
    cli_path path = path_of(&WHOLE, ops);
    path.target_before = 1000;
    path.target_after = 7;
    path.query_before = 50;
    char *text = records_of(&path, 0, NULL);
    assert_string_equal(text,
                        "t\t1001\t.\tAC\tTT\t.\tdissimilar\tQNAME=q;QSTART=51;QSTRAND=+\tGT\t1\n"
                        "t\t1006\t.\tC\tCC\t.\tdissimilar\tQNAME=q;QSTART=56;QSTRAND=+\tGT\t1\n");
    assert_true(passes(&path, text, 1));
    path.target_before = 0;
    assert_false(passes(&path, text, 1));
    free(text);
}

/* Where the query has them: on its other strand, rotated, and with a name that INFO does not allow.
 */
static void test_query_place(void **state)
{
    static const struct {
        bool reverse;
        int64_t before, rotation;
        const char *info;
    } CASES[] = {{false, 0, 0, "QSTART=3;QSTRAND=+"}, {false, 50, 0, "QSTART=53;QSTRAND=+"},
                 {true, 0, 0, "QSTART=5;QSTRAND=-"},  {true, 50, 0, "QSTART=55;QSTRAND=-"},
                 {false, 0, 4, "QSTART=7;QSTRAND=+"}, {false, 0, 6, "QSTART=1;QSTRAND=+"},
                 {true, 0, 4, "QSTART=1;QSTRAND=-"},  {true, 0, 5, "QSTART=8;QSTRAND=-"}};
    static const designed PATH = {"ACGTACGT", "ACCCACGT", "2=2X4=", ""};
    for (size_t i = 0; i < COUNT(CASES); i++) {
        rhomb_path_op ops[DRAWN_OPS];
        char expected[128];
        cli_path path = path_of(&PATH, ops);
        path.query_name = "a;b=c,d%e";
        path.reverse = CASES[i].reverse;
        path.query_before = CASES[i].before;
        path.rotation = CASES[i].rotation;
        snprintf(expected, sizeof expected,
                 "t\t3\t.\tGT\tCC\t.\tdissimilar\tQNAME=a%%3Bb%%3Dc%%2Cd%%25e;%s\tGT\t1\n",
                 CASES[i].info);
        char *text = records_of(&path, 0, NULL);
        assert_string_equal(text, expected);
        free(text);
    }
}

/* Long alleles without their bases: at both ends of a record, and not at the beginning. */
static void test_symbolic(void **state)
{
    static const struct {
        designed path;
        int64_t symbolic;
        const char *records;
    } CASES[] = {
        {{"ACGTACGT", "ACGTT", "3=4D1=1I", NULL},
         1,
         "t\t3\t.\tG\t<DEL>\t.\tdissimilar\tSVTYPE=DEL;SVLEN=-4;END=7;QNAME=q;QSTART=3;QSTRAND=+"
         "\tGT\t1\n"
         "t\t8\t.\tT\tTT\t.\tdissimilar\tQNAME=q;QSTART=4;QSTRAND=+\tGT\t1\n"},
        {{"acgtacgt", "ACGTTTTTACGT", "4=4I4=", NULL},
         1,
         "t\t4\t.\tT\t<INS>\t.\tdissimilar\tSVTYPE=INS;SVLEN=4;END=4;QNAME=q;QSTART=4;QSTRAND=+"
         "\tGT\t1\n"},
        {{"ACGTACGT", "ACCCCCGT", "2=4X2=", NULL},
         2,
         "t\t2\t.\tC\t<DEL>\t.\tdissimilar\tSVTYPE=DEL;SVLEN=-3;END=5;QNAME=q;QSTART=2;QSTRAND=+"
         "\tGT\t1\n"
         "t\t2\t.\tC\t<INS>\t.\tdissimilar\tSVTYPE=INS;SVLEN=3;END=2;QNAME=q;QSTART=2;QSTRAND=+"
         "\tGT\t1\n"},
        {{"ACGTACGT", "ACCCACGT", "2=2X4=", NULL},
         0,
         "t\t3\t.\tGT\tCC\t.\tdissimilar\tQNAME=q;QSTART=3;QSTRAND=+\tGT\t1\n"},
        {{"ACGTACGT", "CGT", "5D3=", NULL},
         0,
         "t\t1\t.\tACGTAC\tC\t.\tdissimilar\tQNAME=q;QSTART=1;QSTRAND=+\tGT\t1\n"},
    };
    for (size_t i = 0; i < COUNT(CASES); i++) {
        rhomb_path_op ops[DRAWN_OPS];
        int64_t symbolic;
        const cli_path path = path_of(&CASES[i].path, ops);
        char *text = records_of(&path, i == 0 ? 3 : 2, &symbolic);
        assert_string_equal(text, CASES[i].records);
        assert_int_equal(symbolic, CASES[i].symbolic);
        assert_int_equal(passes(&path, text, 1), symbolic == 0);
        free(text);
    }
}

/* A SNP and a deletion in similar sequence, and between them 30 bases that are not. */
static void test_filter(void **state)
{
    static const struct {
        double least;
        const char *records;
    } CASES[] = {{0, "101 PASS, 140 dissimilar, 230 PASS, "},
                 {0.3, "101 PASS, 140 PASS, 230 PASS, "}};
    rhomb_path_op ops[] = {100 << 4 | RHOMB_CIGAR_EQ, 1 << 4 | RHOMB_CIGAR_X,
                           38 << 4 | RHOMB_CIGAR_EQ,  30 << 4 | RHOMB_CIGAR_X,
                           61 << 4 | RHOMB_CIGAR_EQ,  2 << 4 | RHOMB_CIGAR_D,
                           168 << 4 | RHOMB_CIGAR_EQ};
    char target[400], query[398];
    memset(target, 'A', sizeof target);
    memset(query, 'A', sizeof query);
    query[100] = 'C';
    memset(query + 139, 'C', 30);
    for (size_t i = 0; i < COUNT(CASES); i++) {
        const cli_path path = {.target_name = "t",
                               .query_name = "q",
                               .target = target,
                               .query = query,
                               .target_length = sizeof target,
                               .query_length = sizeof query,
                               .ops = ops,
                               .count = COUNT(ops),
                               .least_identity = CASES[i].least};
        char *text = records_of(&path, 0, NULL), got[128] = "", filter[32];
        int64_t position;
        for (const char *at = text; *at != '\0'; at = strchr(at, '\n') + 1) {
            assert_int_equal(sscanf(at, "t\t%" SCNd64 "\t.\t%*s\t%*s\t.\t%31s", &position, filter),
                             2);
            sprintf(got + strlen(got), "%" PRId64 " %s, ", position, filter);
        }
        assert_string_equal(got, CASES[i].records);
        assert_true(passes(&path, text, 1));
        free(text);
    }
}

static void expect_head(const cli_head *head, const char *expected)
{
    char *text;
    size_t length;
    cli_sink sink;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    cli_sink_open(&sink, stream, 0);
    cli_write_vcf_head(&sink, head);
    assert_int_equal(cli_sink_close(&sink), 0);
    fclose(stream);
    if (strstr(text, expected) == NULL)
        fail_msg("%s is not in %s", expected, text);
    free(text);
}

static void test_head(void **state)
{
    const cli_target targets[] = {{"chr1", 105, "0123"}, {"chr2", 7, NULL}};
    cli_head head = {.targets = targets, .target_count = 2, .sample = "query", .has_path = true};
    expect_head(&head, "##fileformat=VCFv4.3\n##source=rhomb " RHOMB_VERSION "\n"
                       "##contig=<ID=chr1,length=105,md5=0123>\n##contig=<ID=chr2,length=7>\n"
                       "##rhomb_lossless=yes\n##FILTER=<ID=dissimilar,");
    expect_head(&head, "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"Genotype\">\n"
                       "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tquery\n");
    head.reverse = true;
    expect_head(&head, "##rhomb_lossless=yes\n##rhomb_query_strand=-\n##FILTER=<ID=dissimilar,");
    head.rotation = 1500;
    expect_head(&head,
                "##rhomb_query_strand=-\n##rhomb_query_rotation=1500\n##FILTER=<ID=dissimilar,");
    head.reverse = false;
    head.rotation = 0;
    head.target_file = "a\nb.fa";
    head.has_path = false;
    expect_head(&head, "##reference=a\\nb.fa\n##contig=<ID=chr1,");
    expect_head(&head, "##rhomb_lossless=no, there is no alignment\n##FILTER=<ID=dissimilar");
    head.sample = "s 1";
    head.max_allele = 50;
    expect_head(&head, "\tFORMAT\ts 1\n");
    expect_head(&head, "##rhomb_lossless=no, there is no alignment\n##ALT=<ID=DEL,");
    head.has_path = true;
    head.left_out = "only collinear blocks are aligned";
    expect_head(&head,
                "##rhomb_lossless=no, alleles of more than 50 bases are symbolic\n##ALT=<ID=DEL,");
    head.max_allele = 0;
    expect_head(&head,
                "##rhomb_lossless=no, only collinear blocks are aligned\n##FILTER=<ID=dissimilar");
    head.left_out = NULL;
    head.targets = &(const cli_target){"c:3-8", 6, NULL};
    head.target_count = 1;
    expect_head(&head, "##rhomb_lossless=no, bcftools takes a target name for a region: c:3-8\n");
}

static void test_limits(void **state)
{
    char why[320];
    drawn_path d;
    rng r = rng_for("vcf limits", 0);
    drawn_clear(&d);
    assert_false(cli_vcf_lacks_sequences(&d.path, why, sizeof why));
    drawn_extend_by(&d, &r, "3I");
    assert_true(cli_vcf_lacks_sequences(&d.path, why, sizeof why));
    assert_string_equal(why, "the target is empty, and an allele has at least one base");
    drawn_clear(&d);
    drawn_extend_by(&d, &r, "3D");
    assert_true(cli_vcf_lacks_sequences(&d.path, why, sizeof why));
    assert_string_equal(why, "the query is empty, and an allele has at least one base");
    drawn_extend_by(&d, &r, "3I");
    assert_false(cli_vcf_lacks_sequences(&d.path, why, sizeof why));
    d.path.target_name = "chr1,2";
    assert_true(cli_vcf_lacks_sequences(&d.path, why, sizeof why));
    assert_string_equal(why, "the name of the target must not contain ',': 'chr1,2'");
}

/* Writes a compressed file of some records, to be read as FILE.tbi or FILE.csi. */
static void write_file(const char *name)
{
    drawn_path d;
    rng r = rng_for("vcf index", 0);
    cli_sink sink;
    drawn_clear(&d);
    drawn_extend_by(&d, &r, "5=2I3=1X");
    FILE *stream = fopen(name, "w");
    assert_non_null(stream);
    cli_sink_open(&sink, stream, 1);
    cli_write_vcf_head(&sink, &(cli_head){.sample = "query", .has_path = true});
    cli_write_vcf(&sink, &d.path, 0);
    assert_int_equal(cli_sink_close(&sink), 0);
    assert_int_equal(fclose(stream), 0);
}

static void test_index(void **state)
{
    char file[] = "/tmp/test_vcf.XXXXXX", index[64];
    const int made = mkstemp(file);
    assert_true(made >= 0 && close(made) == 0);
    write_file(file);
    static const char *const ENDINGS[] = {".tbi", ".csi"};
    for (size_t i = 0; i < COUNT(ENDINGS); i++) {
        snprintf(index, sizeof index, "%s%s", file, ENDINGS[i]);
        assert_int_equal(cli_index_build(CLI_INDEXED_VCF, file, index, ENDINGS[i]), 0);
        tbx_t *read = tbx_index_load2(file, index);
        assert_non_null(read);
        tbx_destroy(read);
        unlink(index);
    }
    hts_set_log_level(HTS_LOG_OFF);
    if (access("/dev/full", W_OK) == 0)
        assert_int_equal(cli_index_build(CLI_INDEXED_VCF, file, "/dev/full", ".tbi"), ENOSPC);
    unlink(file);
    assert_int_equal(cli_index_build(CLI_INDEXED_VCF, file, index, ".tbi"), ENOENT);
    assert_string_equal(cli_index_ending(CLI_INDEXED_VCF, (INT64_C(1) << 29) - 1), ".tbi");
    assert_string_equal(cli_index_ending(CLI_INDEXED_VCF, INT64_C(1) << 29), ".csi");
    assert_null(cli_index_ending(CLI_INDEXED_VCF, INT64_C(1) << 31));
}

/* A path that VCF can hold. */
static void draw(int64_t index, drawn_path *d)
{
    char why[320];
    int64_t tries = 0;
    do {
        rng r = rng_for("vcf", 1000 * index + tries++);
        drawn_make(d, &r);
    } while (cli_vcf_lacks_sequences(&d->path, why, sizeof why));
    d->path.target_before = index % 3 == 0 ? 17 * index : 0;
}

static void test_random(void **state)
{
    for (int64_t i = 0; i < 20000; i++) {
        drawn_path d;
        draw(i, &d);
        const vcf_model_pair pair = {"target",
                                     d.target,
                                     d.path.target_length,
                                     d.query,
                                     d.path.query_length,
                                     d.path.target_before};
        char *text = records_of(&d.path, 0, NULL);
        const char *complaint = vcf_model_judge(text, &pair);
        if (complaint != NULL)
            fail_msg("case %" PRId64 ": %s\n%s\n%s\n%s", i, complaint, text, d.target, d.query);
        assert_true(passes(&d.path, text, 1 + (size_t)i % 40));
        free(text);
    }
}

/* The line of text that has a byte. */
static const char *line_of(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

/* Whether it is within INFO, of which nothing is made. */
static bool is_info(const char *text, const char *at)
{
    const char *info = strstr(line_of(text, at), "QNAME=");
    return at >= info && at < strchr(info, '\t');
}

/* Damages text: another byte, a line less, a line twice, or an early end. For free(). */
static char *damaged(const char *text, int kind, rng *r)
{
    const size_t length = strlen(text);
    size_t at;
    do
        at = (size_t)rng_below(r, (int64_t)length);
    while (is_info(text, text + at));
    const char *line = line_of(text, text + at), *next = strchr(line, '\n') + 1;
    char *wrong = calloc(1, 2 * length + 1);
    assert_non_null(wrong);
    memcpy(wrong, text, length);
    if (kind == 0) {
        while (folded_base(wrong[at]) == folded_base(text[at]))
            wrong[at] = (char)rng_between(r, 1, 127);
    } else if (kind == 3) {
        wrong[at] = '\0';
    } else {
        strcpy(wrong + (kind == 1 ? line - text : next - text), kind == 1 ? next : line);
    }
    return wrong;
}

/* The program's own check sees it all. */
static void test_wrong(void **state)
{
    for (int64_t i = 0; i < 4000; i++) {
        drawn_path d;
        rng r = rng_for("vcf wrong", i);
        draw(i, &d);
        char *text = records_of(&d.path, 0, NULL);
        char *wrong = text[0] != '\0' ? damaged(text, (int)(i % 4), &r) : strdup("t");
        if (strcmp(wrong, text) != 0 && passes(&d.path, wrong, 1 + (size_t)i % 7))
            fail_msg("case %" PRId64 ": passed\n%s\n%s", i, text, wrong);
        free(wrong);
        free(text);
    }
}

/* Lines that are no records of ours, of a path that has one difference. */
static void test_wrong_lines(void **state)
{
    static const designed PATH = {"ACGTACGT", "ACCTACGT", "2=1X5=", ""};
    static const char *const LINES[] = {
        "t\t3\t.\tG\tC\n",
        "t\t3\t.\tG\tC\t.\tPASS\t.\tGT\n",
        "t\t3\t.\tG\tC\t.\tPASS\t.\tGT\t1",
        "t\t3\t.\tG\tC\t.\tPASS\t.\tGT\t1\t1\n",
        "t\t3\t.\tG\tC\t.\tPASS\t.\tGT\t0\n",
        "t\t3\t.\tG\tC\t.\tPASS\t.\tG\t1\n",
        "t\t3\trs1\tG\tC\t.\tPASS\t.\tGT\t1\n",
        "t\t3\t.\tG\tC\t.\t.\t.\tGT\t1\n",
        "t\t3\t.\tG\tC,T\t.\tPASS\t.\tGT\t1\n",
        "t\t3\t.\tGTACGT\tCTACGT\t.\tPASS\t.\tGT\t1\nt\t9\t.\t\t\t.\tPASS\t.\tGT\t1\n",
        "t\t99999999999999999999\t.\tG\tC\t.\tPASS\t.\tGT\t1\n",
        "t\t\t.\tG\tC\t.\t.\t.\tGT\t1\n",
        "tt\t3\t.\tG\tC\t.\tPASS\t.\tGT\t1\n",
        "\n",
        "",
        "#CHROM\n",
    };
    rhomb_path_op ops[DRAWN_OPS];
    const cli_path path = path_of(&PATH, ops);
    assert_true(passes(&path, "#CHROM\nt\t3\t.\tG\tC\t.\tPASS\t.\tGT\t1\n", 1));
    assert_true(passes(&path, "t\t3\t.\tGTACGT\tCTACGT\t.\tPASS\t.\tGT\t1\n", 1));
    for (size_t i = 0; i < COUNT(LINES); i++)
        if (passes(&path, LINES[i], 1))
            fail_msg("passed: %s", LINES[i]);
}

/* Many records and a long one: little memory, plain and compressed, and the check sees it all. */
enum { LONG_OPS = 100001, LONG_RUN = 5000000 };

static cli_path long_path(void)
{
    rhomb_path_op *ops = malloc(LONG_OPS * sizeof *ops);
    char *bases = malloc(4 * LONG_OPS + LONG_RUN);
    assert_true(ops != NULL && bases != NULL);
    for (int64_t i = 0; i < 4 * LONG_OPS + LONG_RUN; i++)
        bases[i] = "ACGT"[i % 4];
    for (int64_t i = 0; i < LONG_OPS; i++)
        ops[i] = i % 2 == 0 ? (rhomb_path_op)4 << 4 | RHOMB_CIGAR_EQ
                            : (rhomb_path_op)4 << 4 | RHOMB_CIGAR_I;
    ops[LONG_OPS - 1] = (rhomb_path_op)LONG_RUN << 4 | RHOMB_CIGAR_I;
    return (cli_path){.target_name = "t",
                      .query_name = "q",
                      .target = bases,
                      .query = bases,
                      .target_length = 2 * (LONG_OPS - 1),
                      .query_length = 4 * (LONG_OPS - 1) + LONG_RUN,
                      .ops = ops,
                      .count = LONG_OPS};
}

static void test_streaming(void **state)
{
    for (int threads = 0; threads <= 2; threads++) {
        char why[320];
        cli_sink sink;
        const cli_path path = long_path();
        cli_vcf_check check = {.path = &path};
        FILE *stream = tmpfile(), *full = fopen("/dev/full", "w");
        assert_non_null(stream);
        cli_sink_open(&sink, stream, threads);
        cli_sink_set_tap(&sink, cli_vcf_check_text, &check);
        cli_write_vcf(&sink, &path, 0);
        assert_true(sink.text.capacity <= (threads > 0 ? 128u : 4u) * CLI_SINK_PIECE);
        assert_int_equal(cli_sink_close(&sink), 0);
        assert_true(cli_vcf_check_end(&check, why, sizeof why));
        assert_int_equal(check.records, LONG_OPS / 2);
        fclose(stream);
        if (full != NULL) {
            cli_sink_open(&sink, full, threads);
            cli_write_vcf(&sink, &path, 0);
            assert_int_equal(cli_sink_close(&sink), ENOSPC);
            fclose(full);
        }
        free((void *)(uintptr_t)path.ops);
        free((void *)(uintptr_t)path.target);
    }
}

/* A record for each difference, but for what bcftools consensus would not take apart. */
static void test_atomized(void **state)
{
    static const designed CASES[] = {
        {"ACGTACGT", "ACCCACGT", "2=2X4=", "3 G C;4 T C;"},
        {"ACGTACGT", "ACTCGT", "2=1X2D3=", "3 G T;3 GTA G;"},
        {"ACGTACGT", "ACTTTTACGT", "2=1X2I5=", "3 G T;3 G GTT;"},
        {"ACGTACGT", "ACACACGT", "2=1D1X1I4=", "2 CG C;4 T A;4 T TC;"},
        {"ACGTACGTC", "ACTTCGTC", "2=1X2D1I4=", "3 G T;4 TA T;"},
        /* Those at the beginning that need one base are one record. */
        {"ACGTACGT", "TCACGT", "2D2X4=", "1 ACG T;4 T C;"},
        {"ACGTACGT", "TTCCGTACGT", "1I1X1I7=", "1 A TTC;"},
        {"ACGTACGT", "GACGT", "2D1=1D4=", "1 ACGT G;"},
    };
    for (size_t i = 0; i < COUNT(CASES); i++)
        check_designed(&CASES[i], true);
}

TEST_MAIN(test_atomized, test_designed, test_parts, test_query_place, test_symbolic, test_filter,
          test_head, test_limits, test_index, test_random, test_wrong, test_wrong_lines,
          test_streaming)
