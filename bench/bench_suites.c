/* SPDX-License-Identifier: MIT */
/*
 * The suites and their pairs, as data, and the one runner that goes through them.
 */
#include <string.h>

#include "bench.h"
#include "bench_batch.h"
#include "tests/reference/edlib_distance.h"

#define KILO INT64_C(1000)
#define MEGA INT64_C(1000000)

/*
 * Public records (INSDC, RefSeq, ENCODE, pangenome test sets). Bases folded to upper case, N equal
 * to N only; the distances come from edlib and from a full bit-parallel matrix.
 */
#define FILES(a, b, d)                              \
    {                                               \
        .name = a, .files = {a, b}, .distance = (d) \
    }
static const bench_source REAL[] = {
    FILES("mt_human", "mt_chimp", 1473),
    FILES("mt_human", "mt_orang", 3315),
    FILES("c4_chm13", "c4_hg002", 23),
    FILES("caulobacter_CB15", "caulobacter_NA1000", 26177),
    FILES("enm002_human", "enm002_chimp", 71684),
    FILES("yeast_S288C", "yeast_sacCer3", 157410),
    FILES("CP000051", "AE002160", 549784),
    FILES("BA000035", "BX927147", 1528200),
    {.name = NULL},
};

const char BENCH_BY_TABLE[] = "edlib and a full matrix";

int64_t bench_known_distance(const char *target, const char *query)
{
    for (const bench_source *s = REAL; s->name != NULL; s++)
        if (strcmp(s->files[0], target) == 0 && strcmp(s->files[1], query) == 0)
            return s->distance;
    return BENCH_UNKNOWN;
}

static const bench_source REAL_FOR_EDLIB[] = {
    {.name = "enm002_human", .files = {"enm002_human", "enm002_chimp"}, .fold = true},
    {.name = NULL},
};

/* Like those on which other programs are measured: uniform error rates over two decades. */
static const bench_source SYNTHETIC[] = {
    {.name = "100 k 1 %", .length = 100 * KILO, .rate = 0.01},
    {.name = "100 k 10 %", .length = 100 * KILO, .rate = 0.1},
    {.name = "1 M 0.1 %", .length = 1 * MEGA, .rate = 0.001},
    {.name = "1 M 0.5 %", .length = 1 * MEGA, .rate = 0.005},
    {.name = "1 M 1 %", .length = 1 * MEGA, .rate = 0.01},
    {.name = "1 M 2 %", .length = 1 * MEGA, .rate = 0.02},
    {.name = "1 M 3 %", .length = 1 * MEGA, .rate = 0.03},
    {.name = "1 M 10 %", .length = 1 * MEGA, .rate = 0.1},
    {.name = "10 M 0.1 %", .length = 10 * MEGA, .rate = 0.001},
    {.name = "10 M 1 %", .length = 10 * MEGA, .rate = 0.01},
    {.name = "10 M 20 %", .length = 10 * MEGA, .rate = 0.2},
    {.name = NULL},
};

/* Put together from pieces; `share` is what is expected of the distance. */
#define PIECES(text, bases, share, from, times, request)                                       \
    {                                                                                          \
        .name = text, .length = (bases), .rate = (share), .recipe = &(from), .scale = (times), \
        .on_request = (request)                                                                \
    }

/*
 * Long insertions and deletions in random order in what differs by a thousandth, a third each of
 * substitutions, insertions and deletions: nearly all of the distance is in the long ones, whose
 * lengths are uniform, 25.5 k in the mean.
 */
static const random_recipe INDELS = {
    .seed = 20240317,
    .length = 100 * MEGA,
    .substitution_rate = 0.001 / 3,
    .short_rate = 0.001 / 3,
    .query_gap_share = 1,
    .classes = (const random_piece_class[]){{PIECE_DELETED, 100, 1, 1 * KILO, 50 * KILO},
                                            {PIECE_INSERTED, 100, 1, 1 * KILO, 50 * KILO},
                                            {.count = 0}}};

/* One base in a thousand is another one; the assembly's runs of N are the same in both. */
static const random_recipe HAPLOTYPES = {
    .seed = 20240318,
    .length = 250 * MEGA,
    .substitution_rate = 0.001,
    .query_gap_share = 1,
    .classes = (const random_piece_class[]){{PIECE_DELETED, 200, 1, 1, 100},
                                            {PIECE_INSERTED, 200, 1, 1, 100},
                                            {PIECE_GAP, 1, 1, 18 * MEGA, 18 * MEGA},
                                            {PIECE_GAP, 20, 1, 50 * KILO, 50 * KILO},
                                            {.count = 0}}};

/* Two strains, two assemblies, two haplotypes. */
static const bench_source SIMILAR[] = {
    {.name = "5.23 M 0.05 %", .length = 5230 * KILO, .rate = 0.0005},
    {.name = "10.2 M 0.0037 %", .length = 10200 * KILO, .rate = 0.000037},
    {.name = "20 M 1 %", .length = 20 * MEGA, .rate = 0.01},
    PIECES("100 M 200 indels", 100 * MEGA, 0.052, INDELS, 1, false),
    PIECES("250 M haplotypes", 250 * MEGA, 0.001, HAPLOTYPES, 1, false),
    {.name = NULL},
};

/*
 * Like human and chimpanzee chromosome 22, 14 % apart: a share of substitutions, insertions and
 * deletions of two bases in the mean, and a million bases that the query lacks.
 */
static const random_recipe CHR22 = {
    .seed = 20221122,
    .length = 50 * MEGA,
    .substitution_rate = 0.09,
    .short_rate = 0.0095,
    .short_more = 1,
    .query_gap_share = 1,
    .classes =
        (const random_piece_class[]){{PIECE_DELETED, 100, 1, 1 * KILO, 19 * KILO}, {.count = 0}}};

static const bench_source CHR22_LIKE[] = {
    PIECES("50 M x 49 M chr22-like", 50 * MEGA, 0.14, CHR22, 1, false),
    {.name = NULL},
};

/*
 * Like human and chimpanzee chromosome 1, balanced by hand until distance and lengths were in the
 * ratio of the real pair's, 51 M of 249 M and 228 M. What makes such pairs hard is that the
 * differences are not spread evenly: long insertions and deletions take the path far from the
 * diagonal, and random pieces lie between stretches that differ by a hundredth. Short insertions
 * and deletions have four bases in the mean.
 */
static const random_recipe QUARTER = {
    .seed = 20050901,
    .length = 62 * MEGA,
    .substitution_rate = 0.012,
    .short_rate = 0.0007,
    .short_more = 3,
    .query_gap_share = 4,
    .classes = (const random_piece_class[]){{PIECE_DELETED, 2, 11, 0, 204800},
                                            {PIECE_INSERTED, 1, 11, 0, 204800},
                                            {PIECE_UNRELATED, 1, 3, 0, 2 * MEGA},
                                            {PIECE_INVERTED, 1, 3, 0, 1 * MEGA},
                                            {PIECE_DIVERGED, 1, 2, 0, 1 * MEGA},
                                            {PIECE_GAP, 1, 1, 4 * MEGA, 4 * MEGA},
                                            {PIECE_GAP, 5, 1, 100 * KILO, 100 * KILO},
                                            {.count = 0}}};

static const bench_source CHROMOSOMES[] = {
    PIECES("quarter 62 M x 57 M", 62 * MEGA, 0.2, QUARTER, 1, false),
    PIECES("whole 249 M x 229 M", 249 * MEGA, 0.2, QUARTER, 4.016, true),
    {.name = NULL},
};

#define UNRELATED(sizes, n, m)                                                                   \
    {                                                                                            \
        .name = "unrelated " sizes, .also = "matrix " sizes, .length = (n), .query_length = (m), \
        .rate = BENCH_UNRELATED_DISTANCE                                                         \
    }
static const bench_source MATRICES[] = {
    UNRELATED("100 k x 100 k", 100 * KILO, 100 * KILO),
    UNRELATED("162 k x 172 k", 162 * KILO, 172 * KILO),
    UNRELATED("1.04 M x 1.07 M", 1040 * KILO, 1070 * KILO),
    UNRELATED("3.15 M x 3.28 M", 3150 * KILO, 3280 * KILO),
    UNRELATED("23.0 M x 24.5 M", 23 * MEGA, 24500 * KILO),
    {.name = NULL},
};

/* The scoring of most programs' examples. */
static const char *const WFA[] = {"wfa", NULL};

static const bench_source SATURATING[] = {
    {.name = "unrelated 12.6 M x 13.1 M",
     .length = 12600 * KILO,
     .query_length = 13104 * KILO,
     .always = true},
    {.name = "unrelated 12.6 M x 12.6 M",
     .length = 12600 * KILO,
     .query_length = 12600 * KILO,
     .scorings = WFA,
     .always = true},
    {.name = NULL},
};

/* One piece and two; minimap2's, of which asm20 has the first piece alone. */
static const char *const SCORINGS[] = {"affine:4,6,2",        "match:2,4,4,2", "match:1,4,6,2",
                                       "affine2p:5,8,2,24,1", "asm5",          NULL};

#define SCORED_BY(text, n, m, share, list)                                                  \
    {                                                                                       \
        .name = text, .length = (n), .query_length = (m), .rate = (share), .scorings = list \
    }
#define SCORED(text, n, m, share) SCORED_BY(text, n, m, share, SCORINGS)
#define SCORED_UNRELATED(text, n, m, list) \
    SCORED_BY("unrelated " text, n, m, BENCH_UNRELATED_DISTANCE, list)

/* The longest pair takes a minute and more by the cheapest scoring, and ten by the dearest. */
static const bench_source SCORED_PAIRS[] = {
    SCORED("1 M 97 %", 1 * MEGA, 0, 0.0302),
    SCORED("1 M 94 %", 1 * MEGA, 0, 0.061),
    SCORED("1 M 90 %", 1 * MEGA, 0, 0.105),
    SCORED_UNRELATED("1.04 M x 1.07 M", 1040 * KILO, 1070 * KILO, SCORINGS),
    SCORED_UNRELATED("3.15 M x 3.28 M", 3150 * KILO, 3280 * KILO, SCORINGS),
    SCORED_UNRELATED("12.0 M x 12.5 M", 12 * MEGA, 12500 * KILO, SCORINGS),
    SCORED_UNRELATED("23.0 M x 24.5 M", 23 * MEGA, 24500 * KILO, SCORINGS),
    {.name = NULL},
};

/* Pairs with paths, whose names alone choose them; rates of files are rather too low,
 * for long gaps cost little: the limit stops what takes longer. */
#define SCORED_PATH(text, share)                                           \
    {                                                                      \
        .name = text, .length = 1 * MEGA, .rate = (share), .scorings = WFA \
    }
#define SCORED_FILES(a, b, share)                                                  \
    {                                                                              \
        .name = a, .files = {a, b}, .rate = (share), .scorings = WFA, .fold = true \
    }
static const bench_source SCORED_PATHS[] = {
    SCORED_PATH("1 M 99.9 %", 0.001),
    SCORED_PATH("1 M 99 %", 0.01),
    SCORED_PATH("1 M 97 %", 0.0302),
    SCORED_PATH("1 M 94 %", 0.061),
    {.name = "250 M haplotypes",
     .length = 250 * MEGA,
     .rate = 0.001,
     .recipe = &HAPLOTYPES,
     .scale = 1,
     .scorings = WFA,
     .for_gpus = true},
    {.name = NULL},
};
static const bench_source SCORED_REAL[] = {
    SCORED_FILES("caulobacter_CB15", "caulobacter_NA1000", 0.002),
    SCORED_FILES("enm002_human", "enm002_chimp", 0.03),
    SCORED_FILES("yeast_S288C", "yeast_sacCer3", 0.004),
    {.name = NULL},
};

/* On either side of where the engines cross; in the last one three in four bases differ. */
static const bench_axis CHOICE_LENGTHS[] = {{"100 k", 1e5}, {"300 k", 3e5}, {"1 M", 1e6},
                                            {"3 M", 3e6},   {"10 M", 1e7},  {"20 M", 2e7},
                                            {NULL, 0}};
static const bench_axis CHOICE_RATES[] = {
    {"0.01 %", 0.0001}, {"0.1 %", 0.001}, {"0.3 %", 0.003}, {"1 %", 0.01},
    {"3 %", 0.03},      {"10 %", 0.1},    {"20 %", 0.2},    {"75 %", BENCH_UNRELATED_RATE},
    {NULL, 0}};

/*
 * 1 - distance / longer length, and the share of edits that gives it: some cancel out, the more of
 * them there are. Found by trying; the similarity that came out is in the row.
 */
static const bench_axis EDLIB_LENGTHS[] = {
    {"100 k", 1e5}, {"200 k", 2e5}, {"500 k", 5e5}, {"1000 k", 1e6}, {NULL, 0}};
static const bench_axis EDLIB_RATES[] = {{"60 %", 0.535}, {"70 %", 0.36},   {"80 %", 0.2215},
                                         {"90 %", 0.105}, {"95 %", 0.0505}, {NULL, 0}};
static const bench_axis ALIGN_LENGTHS[] = {{"1 M", 1e6}, {NULL, 0}};
static const bench_axis ALIGN_RATES[] = {{"94 %", 0.061},  {"95 %", 0.0505}, {"96 %", 0.0404},
                                         {"97 %", 0.0302}, {"98 %", 0.0201}, {"99 %", 0.01},
                                         {NULL, 0}};

/* Long reads, which are public, are as many as make work for a GPU. */
static const bench_source SETS[] = {
    {.name = "1 M x 150 bp 2 %", .count = 1 * MEGA, .length = 150, .rate = 0.02},
    {.name = "1 M x 150 bp 5 %", .count = 1 * MEGA, .length = 150, .rate = 0.05},
    {.name = "300 k x 1000 bp 5 %", .count = 300 * KILO, .length = 1000, .rate = 0.05},
    {.name = "300 k x 1000 bp 10 %", .count = 300 * KILO, .length = 1000, .rate = 0.1},
    {.name = NULL},
};
static const bench_source READS[] = {
    {.name = "100 k hifi", .count = 100 * KILO, .files = {"hifi.seq.gz", NULL}},
    {.name = NULL},
};
/* Genomes, of which two differ by twice the edits of each. */
static const bench_source GENOMES[] = {
    {.name = "200 x 30 kb, 50 edits", .count = 200, .length = 30 * KILO, .rate = 25 / 30e3},
    {.name = "1000 x 30 kb, 50 edits",
     .count = 1000,
     .length = 30 * KILO,
     .rate = 25 / 30e3,
     .for_gpus = true},
    {.name = "100 x 5 Mb, 400 edits",
     .count = 100,
     .length = 5 * MEGA,
     .rate = 200 / 5e6,
     .for_gpus = true},
    {.name = NULL},
};
static const bench_axis GRID_LENGTHS[] = {{"100 bp", 100},   {"150 bp", 150},   {"250 bp", 250},
                                          {"500 bp", 500},   {"1000 bp", 1000}, {"2000 bp", 2000},
                                          {"5000 bp", 5000}, {NULL, 0}};
static const bench_axis GRID_RATES[] = {{"1 %", 0.01},  {"2 %", 0.02},  {"5 %", 0.05},
                                        {"10 %", 0.10}, {"15 %", 0.15}, {NULL, 0}};

/* The simulated sets of eWFA-GPU and WFA-GPU, fewer of them, and those of the figures. */
#define SET(text, pairs, bases, share)                                     \
    {                                                                      \
        .name = text, .count = (pairs), .length = (bases), .rate = (share) \
    }
static const bench_source AFFINE_SETS[] = {
    SET("1 M x 150 bp 2 %", 1 * MEGA, 150, 0.02),
    SET("1 M x 150 bp 5 %", 1 * MEGA, 150, 0.05),
    SET("1 M x 150 bp 10 %", 1 * MEGA, 150, 0.1),
    SET("1 M x 150 bp 20 %", 1 * MEGA, 150, 0.2),
    SET("300 k x 1000 bp 2 %", 300 * KILO, 1000, 0.02),
    SET("300 k x 1000 bp 5 %", 300 * KILO, 1000, 0.05),
    SET("300 k x 1000 bp 10 %", 300 * KILO, 1000, 0.1),
    SET("300 k x 1000 bp 20 %", 300 * KILO, 1000, 0.2),
    SET("20 k x 5000 bp 10 %", 20 * KILO, 5000, 0.1),
    SET("10 k x 10000 bp 2 %", 10 * KILO, 10000, 0.02),
    SET("10 k x 10000 bp 5 %", 10 * KILO, 10000, 0.05),
    SET("10 k x 10000 bp 10 %", 10 * KILO, 10000, 0.1),
    SET("10 k x 10000 bp 20 %", 10 * KILO, 10000, 0.2),
    {.name = NULL},
};

/*
 * SALoBa's lengths, short reads, 1,000 bp, and lengths from 20 to 100,000 in one set: length 0. As
 * many cells as take a GPU a tenth of a second and more.
 */
static const bench_source MODE_SETS[] = {
    SET("4 M x 64 bp", 4 * MEGA, 64, 0.1),
    SET("2 M x 128 bp", 2 * MEGA, 128, 0.1),
    SET("2 M x 150 bp", 2 * MEGA, 150, 0.1),
    SET("1 M x 256 bp", 1 * MEGA, 256, 0.1),
    SET("500 k x 512 bp", 500 * KILO, 512, 0.1),
    SET("300 k x 1000 bp", 300 * KILO, 1000, 0.1),
    SET("250 k x 1024 bp", 250 * KILO, 1024, 0.1),
    SET("60 k x 2048 bp", 60 * KILO, 2048, 0.1),
    SET("15 k x 4096 bp", 15 * KILO, 4096, 0.1),
    SET("2 k mixed lengths", 2 * KILO, 0, 0.05),
    {.name = NULL},
};

/* Unrelated, and with errors, of which alignments that are not end to end take nearly all. */
static const bench_source LONG_LOCAL[] = {
    {.name = "100 k x 100 k unrelated",
     .length = 100 * KILO,
     .query_length = 100 * KILO,
     .rate = BENCH_UNRELATED_DISTANCE},
    {.name = "100 k 5 %", .length = 100 * KILO, .rate = 0.05},
    {.name = "1 M x 1 M unrelated",
     .length = 1 * MEGA,
     .query_length = 1 * MEGA,
     .rate = BENCH_UNRELATED_DISTANCE},
    {.name = "1 M 5 %", .length = 1 * MEGA, .rate = 0.05},
    {.name = "3 M x 3 M unrelated",
     .length = 3 * MEGA,
     .query_length = 3 * MEGA,
     .rate = BENCH_UNRELATED_DISTANCE},
    {.name = "3 M 5 %", .length = 3 * MEGA, .rate = 0.05},
    {.name = NULL},
};

static const bench_list real = {.sources = REAL};
static const bench_list real_where_data = {.sources = REAL, .optional = true};
static const bench_list real_for_edlib = {.sources = REAL_FOR_EDLIB, .optional = true};
static const bench_list synthetic = {.sources = SYNTHETIC};
static const bench_list similar = {.sources = SIMILAR};
static const bench_list chr22_like = {.sources = CHR22_LIKE};
static const bench_list chromosomes = {.sources = CHROMOSOMES};
static const bench_list matrices = {.sources = MATRICES};
static const bench_list scored_pairs = {.sources = SCORED_PAIRS};
static const bench_list scored_paths = {.sources = SCORED_PATHS};
static const bench_list scored_real = {.sources = SCORED_REAL, .optional = true};
static const bench_list saturating = {.sources = SATURATING};
static const bench_list choice = {.lengths = CHOICE_LENGTHS, .rates = CHOICE_RATES};
static const bench_list for_edlib = {.lengths = EDLIB_LENGTHS, .rates = EDLIB_RATES};
static const bench_list for_edlib_path = {.lengths = ALIGN_LENGTHS, .rates = ALIGN_RATES};
static const bench_list sets = {.sources = SETS};
static const bench_list affine_sets = {.sources = AFFINE_SETS};
static const bench_list long_local = {.sources = LONG_LOCAL};
static const bench_list mode_sets = {.sources = MODE_SETS};
static const bench_list genomes = {.sources = GENOMES};
static const bench_list guided = {.nth = bench_guided_pair};
static const bench_list reads = {.sources = READS, .optional = true};
/* As many bases in all lengths: a GPU has enough to do with them, and a peer not too much. */
static const bench_list set_grid = {
    .lengths = GRID_LENGTHS, .rates = GRID_RATES, .set_bases = 100 * MEGA};

/*
 * `start` has to come first, see bench_start.c. In `align` the longest pairs come last: where the
 * time is short, the others have their rows.
 */
static const bench_suite SUITES[] = {
    {"start", &bench_start, RHOMB_ENGINE_WAVEFRONT, false, {NULL}},
    {"whole", &bench_whole, RHOMB_ENGINE_AUTO, false, {NULL}},
    {"pairs", &bench_plain, RHOMB_ENGINE_WAVEFRONT, false, {&real}},
    {"saturated", &bench_saturated, RHOMB_ENGINE_WAVEFRONT, false, {&saturating}},
    {"synthetic", &bench_plain, RHOMB_ENGINE_WAVEFRONT, true, {&synthetic}},
    {"similar", &bench_similar, RHOMB_ENGINE_AUTO, true, {&similar}},
    {"ladder", &bench_ladder, RHOMB_ENGINE_WAVEFRONT, false, {NULL}},
    {"matrix", &bench_matrix, RHOMB_ENGINE_AUTO, false, {&matrices}},
    {"choice", &bench_choice, RHOMB_ENGINE_AUTO, true, {&choice}},
    {"chromosome", &bench_chromosome, RHOMB_ENGINE_AUTO, true, {&chromosomes}},
    {"edlib", &bench_edlib, RHOMB_ENGINE_AUTO, false, {&for_edlib, &real_for_edlib}},
    {"score", &bench_scores, RHOMB_ENGINE_AUTO, true, {&scored_pairs}},
    {"guided", &bench_guided_edit, RHOMB_ENGINE_AUTO, true, {&guided}},
    {"guided_score", &bench_guided_scores, RHOMB_ENGINE_AUTO, true, {&guided}},
    {"progress", &bench_progress, RHOMB_ENGINE_AUTO, false, {&real_where_data, &similar}},
    {"tune", &bench_tune, RHOMB_ENGINE_AUTO, false, {NULL}},
    {"batch", &bench_batch, RHOMB_ENGINE_AUTO, false, {&sets, &reads}},
    {"batch_affine", &bench_modes, RHOMB_ENGINE_AUTO, false, {&affine_sets}},
    {"batch_local", &bench_modes, RHOMB_ENGINE_AUTO, false, {&mode_sets}},
    {"long_local", &bench_local, RHOMB_ENGINE_AUTO, true, {&long_local}},
    {"long_ends", &bench_local, RHOMB_ENGINE_AUTO, true, {&long_local}},
    {"long_extend", &bench_local, RHOMB_ENGINE_AUTO, true, {&long_local}},
    {"long_matrix", &bench_local, RHOMB_ENGINE_AUTO, true, {&long_local}},
    {"long_matrix_ends", &bench_local, RHOMB_ENGINE_AUTO, true, {&long_local}},
    {"batch_matrix", &bench_modes, RHOMB_ENGINE_AUTO, false, {&mode_sets}},
    {"batch_matrix_whole", &bench_modes, RHOMB_ENGINE_AUTO, false, {&mode_sets}},
    {"batch_extend", &bench_modes, RHOMB_ENGINE_AUTO, false, {&mode_sets}},
    {"batch_ends", &bench_modes, RHOMB_ENGINE_AUTO, false, {&mode_sets}},
    {"batch_grid", &bench_batch, RHOMB_ENGINE_AUTO, false, {&set_grid}},
    {"matrix_many", &bench_matrix_many, RHOMB_ENGINE_AUTO, false, {&genomes}},
    {"align", &bench_align, RHOMB_ENGINE_AUTO, true, {&real_where_data, &similar, &chr22_like}},
    {"align_synthetic",
     &bench_align,
     RHOMB_ENGINE_AUTO,
     true,
     {&synthetic, &choice, &matrices, &chromosomes}},
    {"align_edlib", &bench_align_edlib, RHOMB_ENGINE_AUTO, false, {&for_edlib_path}},
    {"align_score", &bench_align_score, RHOMB_ENGINE_AUTO, true, {&scored_real, &scored_paths}},
};

/* Callers have a flag for each. */
_Static_assert(sizeof SUITES / sizeof SUITES[0] <= BENCH_MOST_SUITES, "more suites than flags");

const bench_suite *bench_suite_at(int i)
{
    return i < (int)(sizeof SUITES / sizeof SUITES[0]) ? &SUITES[i] : NULL;
}

/* The source that a list has for a length and a rate; `name` has its name. */
static bench_source crossing(const bench_list *list, const bench_axis *length,
                             const bench_axis *rate, char *name, size_t size)
{
    bench_source s = {.name = name, .length = (int64_t)length->value, .rate = rate->value};
    snprintf(name, size, "%s %s", length->name, rate->name);
    s.count = list->set_bases / s.length;
    if (s.rate >= BENCH_UNRELATED_RATE) {
        s.rate = BENCH_UNRELATED_DISTANCE;
        s.query_length = s.length + s.length / 25;
    }
    return s;
}

/* Whether the options ask for a source. */
static bool is_wanted(const bench *b, const bench_suite *suite, const bench_source *s)
{
    const int64_t longer = s->length > s->query_length ? s->length : s->query_length;
    const int64_t length = s->count > 0 ? longer : bench_scaled(b, longer);
    const double distance = s->count > 0          ? 0
                            : s->files[0] != NULL ? (double)s->distance
                                                  : (double)s->length * s->rate * b->scale;
    if (b->most_seconds > 0 && bench_now() - b->suite_began > b->most_seconds)
        return false;
    if (s->always)
        return true;
    if (s->for_gpus && b->write == NULL && rhomb_context_device(b->ctx)->kind != RHOMB_DEVICE_GPU)
        return false;
    return (bench_wants(b, s->name) || (s->also != NULL && bench_wants(b, s->also)) ||
            (suite->method == &bench_scores && b->write == NULL)) && /* cases have longer names */
           !(s->on_request && b->only == NULL) &&
           distance <= (double)b->max_known_distance &&
           (s->files[0] != NULL || length <= b->max_length);
}

/* Makes a pair and measures it, or writes it; false when there is no pair. */
static bool run_source(bench *b, const bench_suite *suite, const bench_source *source)
{
    bench_pair pair;
    if (!is_wanted(b, suite, source))
        return true;
    if (suite->method->measure_set != NULL)
        return suite->method->measure_set(b, suite, source);
    if (!bench_pair_make(b, source, &pair))
        return false;
    if (b->write != NULL)
        bench_pair_write(b, &pair);
    else
        suite->method->measure(b, suite, source, &pair);
    bench_pair_release(&pair);
    return true;
}

static bool run_list(bench *b, const bench_suite *suite, const bench_list *list)
{
    char name[64];
    if (list->optional && (b->data == NULL || b->write != NULL))
        return true;
    for (const bench_source *s = list->sources; s != NULL && s->name != NULL; s++)
        if (!run_source(b, suite, s))
            return false;
    bench_source made;
    for (int i = 0; list->nth != NULL && list->nth(i, &made); i++)
        if (!run_source(b, suite, &made))
            return false;
    for (const bench_axis *l = list->lengths; l != NULL && l->name != NULL; l++)
        for (const bench_axis *r = list->rates; r->name != NULL; r++) {
            const bench_source s = crossing(list, l, r, name, sizeof name);
            if (!run_source(b, suite, &s))
                return false;
        }
    return true;
}

bool bench_suite_run(bench *b, const bench_suite *suite)
{
    const bench_method *method = suite->method;
    if (method->needs_edlib && !oracle_has_edlib())
        return bench_fail(b, "built without edlib, which the suite '%s' compares with",
                          suite->name);
    if (method->run != NULL)
        return method->run(b, suite);
    if (b->write == NULL) {
        if (!bench_open(b))
            return false;
        bench_title(b, suite->name);
        method->heading();
    }
    memset(&b->tally, 0, sizeof b->tally);
    b->suite_began = bench_now();
    for (const bench_list *const *list = suite->lists; *list != NULL; list++)
        if (!run_list(b, suite, *list))
            return false;
    if (method->end != NULL && b->tally.pairs > 0)
        method->end(b);
    return true;
}
