/* SPDX-License-Identifier: MIT */
/*
 * A comparison as text, see comparison_print.h.
 */
#include "host/cli/report/comparison_print.h"

#include <inttypes.h>
#include <math.h>

static const int64_t LIMITS[RHOMB_COMPARISON_SIZES] = RHOMB_COMPARISON_LIMITS;

const char *const cli_join_names[RHOMB_JOINS] = {"sequence", "strand", "order", "gap"};

int64_t cli_substitution(const rhomb_comparison_sum *sum, int kind, char name[4])
{
    static const char BASES[] = "ACGT";
    const int target = kind / 3, query = kind % 3 + (kind % 3 >= target);
    name[0] = BASES[target];
    name[1] = '>';
    name[2] = BASES[query];
    name[3] = '\0';
    return sum->substitutions[target][query];
}

/* A line of two numbers. */
static void line(FILE *out, const char *name, int64_t a, int64_t b)
{
    fprintf(out, "%-34s%22" PRId64 "%22" PRId64 "\n", name, a, b);
}

/* Rounded down, so that 100 % is all; see percent_of() of the plots. */
static double percent(double share)
{
    return floor(10000 * share + 1e-9) / 100;
}

static void print_share(FILE *out, int64_t part, int64_t whole)
{
    char text[64];
    snprintf(text, sizeof text, "%" PRId64 " (%.2f %%)", part,
             whole > 0 ? percent((double)part / (double)whole) : 0);
    fprintf(out, "%22s", text);
}

/* A line of two numbers and their shares of the whole. */
static void share_line(FILE *out, const char *name, const int64_t parts[2], const int64_t wholes[2])
{
    fprintf(out, "%-34s", name);
    print_share(out, parts[0], wholes[0]);
    print_share(out, parts[1], wholes[1]);
    fprintf(out, "\n");
}

/* A heading and the names of its two columns. */
static void heading(FILE *out, const char *name, const char *a, const char *b)
{
    fprintf(out, "\n%-34s%22s%22s\n", name, a, b);
}

static void print_bases(FILE *out, const rhomb_comparison_report *r)
{
    const rhomb_comparison_side *t = r->target, *q = r->query;
    const int64_t sequences[] = {t->sequences, q->sequences}, bases[] = {t->bases, q->bases};
    heading(out, "[Sequences]", "target", "query");
    line(out, "sequences", t->sequences, q->sequences);
    share_line(out, "with a record", (int64_t[]){t->covered_sequences, q->covered_sequences},
               sequences);
    heading(out, "[Bases]", "target", "query");
    line(out, "bases", t->bases, q->bases);
    share_line(out, "aligned", (int64_t[]){t->aligned, q->aligned}, bases);
    share_line(out, "unaligned", (int64_t[]){t->in_gaps + t->outside, q->in_gaps + q->outside},
               bases);
    line(out, "  in gaps of records", t->in_gaps, q->in_gaps);
    line(out, "  in no record", t->outside, q->outside);
    share_line(out, "aligned twice or more", (int64_t[]){t->repeated, q->repeated}, bases);
}

static void percent_line(FILE *out, const char *name, double a, double b)
{
    fprintf(out, "%-34s%20.2f %%%20.2f %%\n", name, percent(a), percent(b));
}

static void print_records(FILE *out, const rhomb_comparison_report *r)
{
    const rhomb_comparison_sum *one = r->one_to_one, *all = r->all;
    heading(out, "[Records]", "one-to-one", "all");
    line(out, "records", one->records, all->records);
    line(out, "target bases", one->target_bases, all->target_bases);
    line(out, "query bases", one->query_bases, all->query_bases);
    line(out, "columns", one->columns, all->columns);
    line(out, "matches", one->matches, all->matches);
    line(out, "mismatches", one->mismatches, all->mismatches);
    line(out, "gaps", one->gaps, all->gaps);
    percent_line(out, "identity", one->identity, all->identity);
    percent_line(out, "gap-compressed identity", one->gap_compressed, all->gap_compressed);
    if (r->secondary > 0)
        fprintf(out, "%-34s%44" PRId64 "\n", "secondary", r->secondary);
    if (r->unaligned > 0)
        fprintf(out, "%-34s%44" PRId64 "\n", "queries without an alignment", r->unaligned);
}

static void print_substitutions(FILE *out, const rhomb_comparison_sum *one)
{
    fprintf(out, "\n%-34s%22s%22s\n", "[SNPs, one-to-one]", "count", "share");
    const int64_t counts[] = {one->snps, one->transitions, one->transversions};
    static const char *const NAMES[] = {"SNPs", "  transitions", "  transversions"};
    for (int i = 0; i < 15; i++) {
        char name[16];
        int64_t count = i < 3 ? counts[i] : 0;
        if (i < 3)
            snprintf(name, sizeof name, "%s", NAMES[i]);
        else
            count = cli_substitution(one, i - 3, name);
        fprintf(out, "%-34s%22" PRId64 "%20.2f %%\n", name, count,
                one->snps > 0 ? percent((double)count / (double)one->snps) : 0);
    }
    fprintf(out, "%-34s%22" PRId64 "\n", "mismatches with other bases", one->other_mismatches);
}

static void print_indels(FILE *out, const rhomb_comparison_sum *one)
{
    heading(out, "[Indels, one-to-one]", "insertions", "deletions");
    line(out, "indels", one->insertions.count, one->deletions.count);
    line(out, "bases", one->insertions.bases, one->deletions.bases);
    for (int i = 0; i < RHOMB_COMPARISON_SIZES; i++) {
        char name[64];
        if (i + 1 == RHOMB_COMPARISON_SIZES)
            snprintf(name, sizeof name, "  %" PRId64 " bp or more", LIMITS[i]);
        else if (LIMITS[i] + 1 == LIMITS[i + 1])
            snprintf(name, sizeof name, "  %" PRId64 " bp", LIMITS[i]);
        else
            snprintf(name, sizeof name, "  %" PRId64 " to %" PRId64 " bp", LIMITS[i],
                     LIMITS[i + 1] - 1);
        line(out, name, one->insertions.sizes[i], one->deletions.sizes[i]);
    }
}

static void print_runs(FILE *out, const char *name, const rhomb_comparison_runs *runs)
{
    fprintf(out, "%-19s%10" PRId64 "%11" PRId64 "%19" PRId64 "%19" PRId64 "\n", name, runs->count,
            runs->records, runs->target_bases, runs->query_bases);
}

static void print_rearrangements(FILE *out, const rhomb_comparison_report *r)
{
    const rhomb_comparison_side *t = r->target, *q = r->query;
    fprintf(out, "\n%-19s%10s%11s%19s%19s\n", "[Rearrangements]", "count", "records",
            "target bases", "query bases");
    print_runs(out, "inversions", r->inversions);
    print_runs(out, "relocations", r->relocations);
    print_runs(out, "translocations", r->translocations);
    heading(out, "[Joins]", "target", "query");
    line(out, "breakpoints", t->breakpoints, q->breakpoints);
    line(out, "to another sequence", t->joins[RHOMB_JOIN_SEQUENCE], q->joins[RHOMB_JOIN_SEQUENCE]);
    line(out, "to the other strand", t->joins[RHOMB_JOIN_STRAND], q->joins[RHOMB_JOIN_STRAND]);
    line(out, "in another order", t->joins[RHOMB_JOIN_ORDER], q->joins[RHOMB_JOIN_ORDER]);
    line(out, "in order", t->joins[RHOMB_JOIN_GAP], q->joins[RHOMB_JOIN_GAP]);
    fprintf(out, "  %-32s%44" PRId64 "\n", "an indel between", r->indels_between);
    fprintf(out, "  %-32s%44" PRId64 "\n", "overlapping records", r->overlaps);
    fprintf(out, "  %-32s%44" PRId64 "\n", "bases of both between", r->replaced);
    line(out, "    bases", r->replaced_target, r->replaced_query);
}

void cli_comparison_text(FILE *stream, const cli_comparison *comparison)
{
    fprintf(stream, "%-10s%s\n%-10s%s\n%-10s%s\n", "target", cli_input_name(comparison->target),
            "query", cli_input_name(comparison->query), "records", cli_input_name(comparison->paf));
    print_bases(stream, comparison->report);
    print_records(stream, comparison->report);
    print_substitutions(stream, comparison->report->one_to_one);
    print_indels(stream, comparison->report->one_to_one);
    print_rearrangements(stream, comparison->report);
}
