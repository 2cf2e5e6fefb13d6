/* SPDX-License-Identifier: MIT */
/*
 * rhomb_compare(): every number that is planted in a genome comes out, in every notation of paths;
 * marks of bases against an array of them; main chains against all subsequences; and records that
 * are wrong.
 */
#include "rhomb/comparison.h"

#include "planted_genome.h"
#include "rhomb/identity.h"
#include "src/formats/compare_chain.h"
#include "support/test.h"
#include "tests/reference/random_bases.h"
#include "verify_fixture.h"

static double least_identity;

/* Compares the files that were written. */
static rhomb_status compare_files(rhomb_alphabet alphabet, rhomb_comparison **out)
{
    rhomb_paf *paf = NULL;
    rhomb_sequence_set *targets = NULL;
    rhomb_sequence_set *queries = NULL;
    rhomb_compare_options given = RHOMB_COMPARE_OPTIONS_INIT;
    given.alphabet = alphabet;
    given.least_identity = least_identity;
    assert_int_equal(rhomb_sequence_set_read(ctx, paths[TARGETS], &targets), RHOMB_OK);
    assert_int_equal(rhomb_sequence_set_read(ctx, paths[QUERIES], &queries), RHOMB_OK);
    assert_int_equal(rhomb_paf_open(ctx, paths[PAF], &paf), RHOMB_OK);
    const rhomb_status status = rhomb_compare(paf, targets, queries, &given, out);
    rhomb_paf_destroy(paf);
    rhomb_sequence_set_destroy(targets);
    rhomb_sequence_set_destroy(queries);
    return status;
}

static void write_genome(const planted_genome *g)
{
    static char text[2 * PLANTED_MOST + 100];
    snprintf(text, sizeof text, ">c1\n%s\n>none\nACGT\n>c2\n%s\n", g->target[0], g->target[1]);
    write_file(TARGETS, text);
    snprintf(text, sizeof text, ">q1\n%s\n>q2\n%s\n", g->query[0], g->query[1]);
    write_file(QUERIES, text);
    write_file(PAF, g->paf);
}

static void check_side(const planted_genome *g, const rhomb_comparison_side *side, int which)
{
    const int64_t joins[RHOMB_JOINS] = {1, 2, g->two_inversions ? 4 : 3, g->two_inversions ? 1 : 2};
    int64_t bases = 0, aligned = 0, repeated = 0, covered = 0;
    for (int i = 0; i < 2; i++) {
        const int64_t length = (int64_t)strlen(which == 0 ? g->target[i] : g->query[i]);
        bases += length;
        for (int64_t at = 0; at < length; at++) {
            aligned += g->aligned[which][i][at] > 0;
            repeated += g->aligned[which][i][at] > 1;
            covered += g->covered[which][i][at];
        }
    }
    assert_int_equal(side->sequences, which == 0 ? 3 : 2);
    assert_int_equal(side->covered_sequences, 2);
    assert_int_equal(side->bases, bases + (which == 0 ? 4 : 0));
    assert_int_equal(side->aligned, aligned);
    assert_int_equal(side->repeated, repeated);
    assert_int_equal(side->in_gaps, covered - aligned);
    assert_int_equal(side->outside, side->bases - covered);
    assert_int_equal(side->breakpoints, g->breakpoints[which]);
    for (int i = 0; i < RHOMB_JOINS; i++)
        assert_int_equal(side->joins[i], joins[i]);
}

static void check_gaps(const planted_genome *g, const rhomb_comparison_gaps *gaps, int kind,
                       int64_t between)
{
    assert_int_equal(gaps->count, g->gaps[kind][0] + (between > 0));
    assert_int_equal(gaps->bases, g->gaps[kind][1] + between);
    for (int i = 0; i < RHOMB_COMPARISON_SIZES; i++)
        assert_int_equal(gaps->sizes[i], g->sizes[kind][i] + (between > 0 && i == 4));
}

static void check_sum(const planted_genome *g, const rhomb_comparison_sum *sum)
{
    int64_t snps = 0, transitions = 0;
    for (int i = 0; i < 16; i++) {
        const int pair = i / 4 + i % 4;
        assert_int_equal(sum->substitutions[i / 4][i % 4], g->substitutions[i / 4][i % 4]);
        snps += g->substitutions[i / 4][i % 4];
        /* A and G are 0 and 2, C and T are 1 and 3. */
        if (i / 4 != i % 4 && ((pair == 2 && i / 4 != 1) || (pair == 4 && i / 4 != 2)))
            transitions += g->substitutions[i / 4][i % 4];
    }
    const int64_t mismatches = snps + g->other_mismatches;
    const int64_t gaps = g->gaps[0][0] + g->gaps[1][0];
    const int64_t columns = g->matches + mismatches + g->gaps[0][1] + g->gaps[1][1];
    assert_int_equal(sum->records, 10);
    assert_int_equal(sum->snps, snps);
    assert_int_equal(sum->transitions, transitions);
    assert_int_equal(sum->transversions, snps - transitions);
    assert_int_equal(sum->other_mismatches, g->other_mismatches);
    assert_int_equal(sum->matches, g->matches);
    assert_int_equal(sum->mismatches, mismatches);
    assert_int_equal(sum->columns, columns);
    assert_int_equal(sum->gaps, gaps);
    assert_true(sum->identity == (double)g->matches / (double)columns);
    assert_true(sum->gap_compressed == rhomb_gap_compressed_identity(g->matches, mismatches, gaps));
    check_gaps(g, &sum->insertions, 0, g->replaced ? 0 : 500);
    check_gaps(g, &sum->deletions, 1, 0);
}

static void check_runs(const rhomb_comparison_runs *runs, int64_t count, int64_t records,
                       int64_t target_bases)
{
    assert_int_equal(runs->count, count);
    assert_int_equal(runs->records, records);
    assert_int_equal(runs->target_bases, target_bases);
}

static void check_end(const rhomb_event_end *end, int64_t target, int64_t position)
{
    assert_int_equal(end->target, target);
    assert_int_equal(end->position, position);
}

/* S5 went from between S4 and S6 to between S1 and S2, on either strand. */
static void check_relocation(const rhomb_event *e)
{
    assert_int_equal(e->target_end - e->target_begin, 2000);
    check_end(&e->before, 0, 6000);
    check_end(&e->after, 0, 6000);
    assert_int_equal(e->before.reverse, e->reverse);
    assert_int_equal(e->left_begin, 20000);
    assert_int_equal(e->left_end, 22000);
    assert_int_equal(e->gap_before, 0);
    assert_int_equal(e->gap_after, 0);
    assert_false(e->in_record);
}

/* Every rearrangement is an event, and what is between T1 and T2; numbers are those of the files.
 */
static void check_events(const planted_genome *g, const rhomb_comparison *comparison)
{
    int64_t count, kinds[RHOMB_EVENT_ROTATION + 1] = {0}, bases = 0;
    const rhomb_event *events = rhomb_comparison_get_events(comparison, &count);
    for (int64_t i = 0; i < count; i++) {
        const rhomb_event *e = &events[i];
        kinds[e->kind]++;
        bases += e->kind == RHOMB_EVENT_INVERSION ? e->target_end - e->target_begin : 0;
        assert_true(i == 0 || e[-1].target < e->target ||
                    (e[-1].target == e->target && e[-1].target_begin <= e->target_begin));
        /* A record without alignments is between the two in the file. */
        assert_true(e->target == 0 || e->target == 2);
        assert_true(e->bases >= RHOMB_EVENT_LEAST);
        if (e->kind == RHOMB_EVENT_RELOCATION || e->kind == RHOMB_EVENT_TRANSLOCATION)
            assert_false(e->inverted);
        if (e->kind == RHOMB_EVENT_RELOCATION)
            check_relocation(e);
        if (e->kind <= RHOMB_EVENT_REPLACEMENT)
            check_end(&e->before, e->target, e->reverse ? e->target_end : e->target_begin);
        if (e->kind != RHOMB_EVENT_TRANSLOCATION) {
            assert_int_equal(e->query, e->target / 2);
            continue;
        }
        assert_int_equal(e->target, 2);
        assert_int_equal(e->query, 0);
        assert_int_equal(e->target_end - e->target_begin, 1200);
        /* It ends its query, and its target. */
        const bool is_last = e->after.target < 0;
        assert_int_equal((is_last ? &e->after : &e->before)->target, -1);
        check_end(is_last ? &e->before : &e->after, 0, 30000);
        assert_int_equal(e->left_end, 0);
    }
    assert_int_equal(kinds[RHOMB_EVENT_INVERSION], g->two_inversions ? 2 : 1);
    assert_int_equal(bases, 3200);
    assert_int_equal(kinds[RHOMB_EVENT_RELOCATION], 1);
    assert_int_equal(kinds[RHOMB_EVENT_TRANSLOCATION], 1);
    assert_int_equal(kinds[RHOMB_EVENT_REPLACEMENT], g->replaced);
    assert_true(kinds[RHOMB_EVENT_INSERTION] >= !g->replaced);
    assert_int_equal(kinds[RHOMB_EVENT_ROTATION], 0);
    const rhomb_event *none = rhomb_comparison_get_events(NULL, &count);
    assert_null(none);
    assert_int_equal(count, 0);
}

static void finds_what_was_planted(void **state)
{
    planted_genome *g = malloc(sizeof *g);
    assert_non_null(g);
    for (int64_t i = 0; i < 24; i++) {
        rhomb_comparison *comparison = NULL;
        rng r = rng_for("planted genome", i);
        planted_genome_make(g, &r);
        write_genome(g);
        if (compare_files(RHOMB_ALPHABET_DNA, &comparison) != RHOMB_OK)
            fail_msg("genome %" PRId64 ": %s", i, rhomb_context_error(ctx));
        const rhomb_comparison_report *report_ = rhomb_comparison_get_report(comparison);
        print_message("genome %" PRId64 ", notation %c\n", i, g->notation);
        assert_int_equal(report_->records, 11);
        assert_int_equal(report_->all->records, 11);
        assert_int_equal(report_->secondary, g->secondary);
        check_side(g, report_->target, 0);
        check_side(g, report_->query, 1);
        check_sum(g, report_->one_to_one);
        check_runs(report_->inversions, g->two_inversions ? 2 : 1, 2, 3200);
        check_runs(report_->relocations, 1, 1, 2000);
        check_runs(report_->translocations, 1, 1, 1200);
        assert_int_equal(report_->indels_between, !g->replaced);
        assert_int_equal(report_->replaced, g->replaced);
        assert_int_equal(report_->replaced_target, g->replaced ? 200 : 0);
        assert_int_equal(report_->replaced_query, g->replaced ? 500 : 0);
        assert_int_equal(report_->overlaps, 0);
        check_events(g, comparison);
        rhomb_comparison_destroy(comparison);
    }
    free(g);
}

/* The most matches of a chain of some records of a strand, by trying all subsets. */
static int64_t best_subset(const rhomb__compared *records, int count, bool reverse)
{
    int64_t best = 0;
    for (unsigned set = 0; set < 1u << count; set++) {
        int64_t weight = 0, last = -1;
        bool fits = true;
        for (int i = 0; i < count && fits; i++) {
            if ((set >> i & 1) == 0)
                continue;
            fits = records[i].reverse == reverse &&
                   (last < 0 || (reverse ? records[i].rank < last : records[i].rank > last));
            last = records[i].rank;
            weight += records[i].all.matches;
        }
        if (fits && weight > best)
            best = weight;
    }
    return best;
}

static void chains_like_all_subsets(void **state)
{
    enum { MOST = 10 };
    static const size_t SEQUENCES[] = {1, 1};
    for (int64_t i = 0; i < 300; i++) {
        rng r = rng_for("chains", i);
        rhomb__error error = {RHOMB_OK, NULL, ""};
        rhomb__compared records[MOST] = {{.rank = 0}};
        const int count = (int)rng_between(&r, 0, MOST);
        for (int k = 0; k < count; k++)
            records[k] = (rhomb__compared){
                .rank = k, .all.matches = rng_between(&r, 0, 9), .reverse = rng_chance(&r, 0.3)};
        for (int k = count - 1; k > 0; k--) {
            const int other = (int)rng_below(&r, k + 1);
            const int64_t rank = records[k].rank;
            records[k].rank = records[other].rank;
            records[other].rank = rank;
        }
        assert_int_equal(rhomb__compare_chains(&error, records, (size_t)count, SEQUENCES),
                         RHOMB_OK);
        const int64_t forward = best_subset(records, count, false);
        const int64_t backward = best_subset(records, count, true);
        const bool main_strand = backward > forward;
        int64_t weight = 0, last = -1;
        for (int k = 0; k < count; k++) {
            if (records[k].reverse != main_strand) {
                assert_int_equal(records[k].kind, RHOMB__COMPARED_INVERSION);
                continue;
            }
            if (records[k].kind != RHOMB__COMPARED_CHAIN) {
                assert_int_equal(records[k].kind, RHOMB__COMPARED_RELOCATION);
                continue;
            }
            assert_true(last < 0 ||
                        (main_strand ? records[k].rank < last : records[k].rank > last));
            last = records[k].rank;
            weight += records[k].all.matches;
        }
        assert_int_equal(weight, main_strand ? backward : forward);
    }
}

static void refuses(rhomb_alphabet alphabet, rhomb_status wanted, const char *text,
                    const char *words)
{
    rhomb_comparison *comparison = NULL;
    write_file(PAF, text);
    assert_string_equal(rhomb_status_name(compare_files(alphabet, &comparison)),
                        rhomb_status_name(wanted));
    assert_null(comparison);
    assert_contains(rhomb_context_error(ctx), words);
}

#define TQ "q\t9\t0\t9\t+\tt\t10\t0\t10\t8\t10\t60\t"

static void refuses_what_is_wrong(void **state)
{
    write_file(TARGETS, ">t\nACGTACGTAC\n");
    write_file(QUERIES, ">q\nACGTTCGAC\n");
    const rhomb_alphabet dna = RHOMB_ALPHABET_DNA;
    refuses(dna, RHOMB_ERR_INPUT, TQ "tp:A:P\n", "neither tag");
    refuses(dna, RHOMB_ERR_INPUT, TQ "cg:Z:7=1D2=\n", "line 1: operation 1 (7=): bases differ");
    refuses(dna, RHOMB_ERR_INPUT, TQ "cg:Z:3=2X2=1D2=\n", "bases match");
    refuses(dna, RHOMB_ERR_INPUT, TQ "cg:Z:4=1X2=1D1=\n", "the path covers");
    refuses(dna, RHOMB_ERR_INPUT, TQ "cg:Z:4=1X2=1D3=\n", "runs past");
    refuses(dna, RHOMB_ERR_INPUT, TQ "cs:Z::4*ag:2-t:2\n", "cs has g");
    refuses(dna, RHOMB_ERR_INPUT, TQ "cg:Z:4=1X2=1D2=", "truncated");
    refuses(dna, RHOMB_ERR_INPUT, "q\t8\t0\t8\t+\tt\t10\t0\t10\t8\t10\t60\tcg:Z:8M2D\n",
            "the sequence has 9 bases");
    refuses(dna, RHOMB_ERR_INPUT, "x\t8\t0\t8\t+\tt\t10\t0\t10\t8\t10\t60\tcg:Z:8M2D\n",
            "no record 'x'");
    refuses(RHOMB_ALPHABET_BYTES, RHOMB_ERR_ARGUMENT,
            "q\t9\t0\t9\t-\tt\t10\t0\t10\t8\t10\t60\tcg:Z:9M1D\n", "only DNA");
}

/* What needs no record, or little of one. */
static void counts_little(void **state)
{
    rhomb_comparison *comparison = NULL;
    write_file(TARGETS, ">t\nACGUACGTAC\n"); /* U is T */
    write_file(QUERIES, ">q\nACGTuCGAC\n>e\n>long\nGGACGTTCGACGG\n");
    write_file(PAF, "");
    assert_int_equal(compare_files(RHOMB_ALPHABET_DNA, &comparison), RHOMB_OK);
    const rhomb_comparison_report *got = rhomb_comparison_get_report(comparison);
    assert_true(got->records == 0 && got->target->outside == 10 && got->query->outside == 22);
    assert_true(got->one_to_one->identity == 1 && got->query->sequences == 3);
    rhomb_comparison_destroy(comparison);
    /* An unaligned query, an inversion that is secondary, a region, and AS that no scoring gives.
     */
    write_file(PAF, "e\t0\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\n" TQ
                    "tp:A:i\tsc:Z:affine:x\tAS:i:7\tcg:Z:4=1X2=1D2=\n"
                    "long:3-11\t9\t0\t9\t+\tt\t10\t0\t10\t8\t10\t60\tcg:Z:7M1D2M\n");
    assert_int_equal(compare_files(RHOMB_ALPHABET_DNA, &comparison), RHOMB_OK);
    got = rhomb_comparison_get_report(comparison);
    assert_true(got->records == 3 && got->unaligned == 1 && got->secondary == 1);
    assert_true(got->one_to_one->records == 1 && got->one_to_one->substitutions[0][3] == 1);
    assert_true(got->target->aligned == 9 && got->target->repeated == 9);
    assert_true(got->target->in_gaps == 1 && got->target->breakpoints == 0);
    assert_true(got->query->aligned == 18 && got->query->outside == 4);
    assert_true(got->query->breakpoints == 0 && got->query->covered_sequences == 2);
    rhomb_comparison_destroy(comparison);
}

static const rhomb_comparison_report *compare_text(const char *text, rhomb_comparison **out)
{
    write_file(PAF, text);
    assert_int_equal(compare_files(RHOMB_ALPHABET_DNA, out), RHOMB_OK);
    return rhomb_comparison_get_report(*out);
}

/* The substitution that is no transition. */
static char other_base(char base)
{
    return base == 'A' ? 'C' : base == 'C' ? 'A' : base == 'G' ? 'T' : 'G';
}

/*
 * A target of 1,000 bases; the query has a SNP at 100, 60 other bases at 400, and not those at 700
 * and 701. Only the 60 are not similar; in a second record they are, for the target.
 */
static void counts_what_is_similar(void **state)
{
    static const char *const PATHS[] = {"100=1X299=60X240=2D298=", "700M2D298M"};
    char target[1001] = "", query[1001], text[3000];
    rng r = rng_for("similar parts", 0);
    for (int i = 0; i < 1000; i++)
        target[i] = "ACGT"[rng_below(&r, 4)];
    memcpy(query, target, sizeof query);
    query[100] = other_base(query[100]);
    for (int i = 400; i < 460; i++)
        query[i] = other_base(query[i]);
    memmove(query + 700, query + 702, sizeof query - 702);
    for (int i = 0; i < 8; i++) {
        const bool reverse = i % 2 == 1, more = i >= 4;
        rhomb_comparison *comparison = NULL;
        const char *const turned = reverse ? "-" : "+";
        char sequence[1001];
        memcpy(sequence, query, sizeof sequence);
        if (reverse)
            complement_bases(sequence, 998);
        snprintf(text, sizeof text, ">t\n%s\n", target);
        write_file(TARGETS, text);
        snprintf(text, sizeof text, ">q\n%s\n>copy\n%.140s\n", sequence, target + 360);
        write_file(QUERIES, text);
        snprintf(text, sizeof text,
                 "q\t998\t0\t998\t%s\tt\t1000\t0\t1000\t937\t1000\t60\tcg:Z:%s\n%s", turned,
                 PATHS[i / 2 % 2],
                 more ? "copy\t140\t0\t140\t+\tt\t1000\t360\t500\t140\t140\t60\tcg:Z:140=\n" : "");
        const rhomb_comparison_report *got = compare_text(text, &comparison);
        const rhomb_comparison_sum *similar = got->similar;
        assert_true(got->least_identity == RHOMB_LEAST_IDENTITY);
        assert_int_equal(similar->records, 2);
        assert_int_equal(similar->snps, 1);
        assert_int_equal(similar->transversions, 1);
        assert_int_equal(similar->matches, 937);
        assert_int_equal(similar->columns, 940);
        assert_int_equal(similar->target_bases, 940);
        assert_int_equal(similar->query_bases, 938);
        assert_int_equal(similar->deletions.bases, 2);
        assert_true(similar->identity == 937.0 / 940 &&
                    similar->gap_compressed == rhomb_gap_compressed_identity(937, 1, 1));
        assert_int_equal(got->one_to_one->snps, 61);
        assert_int_equal(got->all->records, more ? 2 : 1);
        assert_int_equal(got->target->aligned, 998);
        assert_int_equal(got->target->similar, more ? 998 : 938);
        assert_int_equal(got->query->similar, more ? 938 + 140 : 938);
        rhomb_comparison_destroy(comparison);
    }
    least_identity = 0.3;
    rhomb_comparison *comparison = NULL;
    const rhomb_comparison_report *got = compare_text(text, &comparison);
    assert_true(got->least_identity == least_identity);
    assert_int_equal(got->similar->records, 1);
    assert_int_equal(got->similar->snps, 61);
    rhomb_comparison_destroy(comparison);
    least_identity = 80;
    refuses(RHOMB_ALPHABET_DNA, RHOMB_ERR_ARGUMENT, text, "options.least_identity");
    least_identity = 0;
}

/*
 * Two sequences with ends in common. Between these one has some bases more than the other, before
 * or after those that both have, but for SNPs; or all are others. A path with chance matches alone
 * leads there.
 */
enum { ENDS = 2000, GAP_MOST = 30000, LONG_MOST = 2 * ENDS + 3 * GAP_MOST };

typedef struct pieces {
    char longer[LONG_MOST + 1], shorter[LONG_MOST + 1];
    char columns[LONG_MOST + 1]; /* '=', or 'I' for a base of the longer one alone */
    int ends[2];                 /* of what lies between the ends in common */
} pieces;

static void reverse_text(char *text)
{
    for (size_t i = 0, k = strlen(text); i + 1 < k; i++) {
        const char other = text[i];
        text[i] = text[--k];
        text[k] = other;
    }
}

static void make_pieces(pieces *p, int gap, bool replaced, rng *r)
{
    int at = ENDS, beside = ENDS;
    random_bases(p->shorter, LONG_MOST, &r->state);
    memcpy(p->longer, p->shorter, ENDS);
    random_bases(p->longer + ENDS, gap, &r->state);
    memcpy(p->longer + ENDS + gap, p->shorter + ENDS, (size_t)(LONG_MOST - ENDS - gap));
    memset(p->columns, '=', LONG_MOST);
    /* In the first bases that both have no match is by chance. */
    for (; at - beside < gap; at++) {
        const bool match = p->longer[at] == p->shorter[beside];
        p->columns[at] = match ? '=' : 'I';
        beside += match;
    }
    for (int i = ENDS + gap; i < at; i++)
        if (rng_chance(r, replaced ? 0.75 : 0.02) && p->columns[i] == 'I')
            p->longer[i] = other_base(p->longer[i]);
    p->ends[0] = at;
    p->ends[1] = beside;
    p->longer[at + ENDS] = p->shorter[beside + ENDS] = p->columns[at + ENDS] = '\0';
    if (rng_chance(r, 0.5)) {
        reverse_text(p->longer);
        reverse_text(p->shorter);
        reverse_text(p->columns);
    }
}

/* A record of ranges of target and query; the latter on its strand. */
static char *write_columns(char *out, const pieces *p, bool inserted, bool reverse, int from,
                           int to)
{
    const int n = (int)strlen(p->longer), m = (int)strlen(p->shorter);
    int longer[2] = {from, to}, shorter[2] = {0, 0}, query[2];
    for (int i = 0; i < to; i++) {
        shorter[0] += i < from && p->columns[i] == '=';
        shorter[1] += p->columns[i] == '=';
    }
    const int *target = inserted ? shorter : longer, *own = inserted ? longer : shorter;
    const int length = inserted ? n : m;
    query[0] = reverse ? length - own[1] : own[0];
    query[1] = reverse ? length - own[0] : own[1];
    out += sprintf(out, "q\t%d\t%d\t%d\t%c\tt\t%d\t%d\t%d\t1\t1\t60\tcg:Z:", length, query[0],
                   query[1], reverse ? '-' : '+', inserted ? m : n, target[0], target[1]);
    for (int i = from, run = 1; i < to; i++, run++) {
        if (i + 1 < to && p->columns[i] == p->columns[i + 1])
            continue;
        out += sprintf(out, "%d%c", run, p->columns[i] == '=' ? '=' : inserted ? 'I' : 'D');
        run = 0;
    }
    return out + sprintf(out, "\n");
}

/* One gap where bases were inserted or deleted, in a record and between two; none where others were
 * replaced. */
static void joins_pieces(void **state)
{
    static const int GAPS[] = {200, 400, 1000, 4000, 10000, 15000, 20000, GAP_MOST};
    static const int SIZES[] = {3, 3, 4, 4, 5, 5, 5, 5};
    static pieces p;
    static char text[8 * LONG_MOST];
    for (int i = 0; i < 64; i++) {
        rng r = rng_for("gap in pieces", i);
        const int gap = GAPS[i % 8];
        const bool inserted = rng_chance(&r, 0.5), reverse = rng_chance(&r, 0.5);
        const bool replaced = rng_chance(&r, 0.25), divided = rng_chance(&r, 0.5);
        rhomb_comparison *comparison = NULL;
        make_pieces(&p, gap, replaced, &r);
        const int length = (int)strlen(p.longer);
        char *end = text;
        snprintf(text, sizeof text, ">t\n%s\n", inserted ? p.shorter : p.longer);
        write_file(TARGETS, text);
        snprintf(text, sizeof text, ">q\n%s\n", inserted ? p.longer : p.shorter);
        if (reverse)
            complement_bases(text + 3, inserted ? length : (int64_t)strlen(p.shorter));
        write_file(QUERIES, text);
        if (divided)
            end = write_columns(end, &p, inserted, reverse, 0, ENDS);
        write_columns(end, &p, inserted, reverse, divided ? length - ENDS : 0, length);
        const rhomb_comparison_report *got = compare_text(text, &comparison);
        const rhomb_comparison_gaps *gaps =
            inserted ? &got->similar->insertions : &got->similar->deletions;
        print_message("gap %d, %d %d %d %d\n", gap, inserted, reverse, replaced, divided);
        assert_int_equal(gaps->sizes[SIZES[i % 8]], !replaced);
        assert_int_equal(got->indels_between, divided && !replaced);
        assert_int_equal(got->replaced, divided && replaced);
        if (!replaced)
            assert_int_equal(gaps->bases, gap);
        rhomb_comparison_destroy(comparison);
    }
}

TEST_MAIN_WITH(set_up, tear_down, chains_like_all_subsets, finds_what_was_planted,
               refuses_what_is_wrong, counts_little, counts_what_is_similar, joins_pieces)
