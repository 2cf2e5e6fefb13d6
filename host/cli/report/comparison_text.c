/* SPDX-License-Identifier: MIT */
/*
 * A comparison as text and as HTML, see comparison_print.h: the same rows.
 */
#include "host/cli/report/comparison_print.h"

#include <inttypes.h>
#include <string.h>

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

/* Where rows go: lines of text, or rows of tables in HTML. */
typedef struct printer {
    cli_buffer out;
    bool html;
} printer;

/* The widths of the columns in text. */
static const int TWO[] = {-34, 22, 22}, ONE[] = {-34, 44}, RUNS[] = {-19, 10, 11, 19, 19};

/* A row; the spaces that a name begins with are its level. */
static void row(printer *p, const char *element, const int *widths, int count,
                const char *const *texts)
{
    char cell[128];
    cli_append_text(&p->out, p->html ? "<tr>" : "");
    for (int i = 0; i < count; i++) {
        if (!p->html) {
            snprintf(cell, sizeof cell, "%*s", widths[i], texts[i]);
            cli_append_text(&p->out, cell);
            continue;
        }
        const char *attributes = i > 0 && widths == ONE ? " colspan=\"2\""
                                 : i > 0                ? ""
                                 : texts[0][0] == ' '   ? " class=\"n i\""
                                                        : " class=\"n\"";
        snprintf(cell, sizeof cell, "<%s%s>", element, attributes);
        cli_append_text(&p->out, cell);
        cli_append_escaped(&p->out, texts[i] + strspn(texts[i], " "));
    }
    cli_append_text(&p->out, p->html ? "</tr>\n" : "\n");
}

static const char *show(int64_t number, cli_text *text)
{
    snprintf(text->text, sizeof text->text, "%" PRId64, number);
    return text->text;
}

/* A line of two numbers. */
static void line(printer *p, const char *name, int64_t a, int64_t b)
{
    cli_text texts[2];
    row(p, "td", TWO, 3, (const char *[]){name, show(a, &texts[0]), show(b, &texts[1])});
}

/* A line of one number, for both columns. */
static void single_line(printer *p, const char *name, int64_t a)
{
    cli_text text;
    row(p, "td", ONE, 2, (const char *[]){name, show(a, &text)});
}

static const char *show_percent(double share, cli_text *text)
{
    snprintf(text->text, sizeof text->text, "%.2f %%", cli_percent(share));
    return text->text;
}

static const char *show_share(int64_t part, int64_t whole, cli_text *text)
{
    snprintf(text->text, sizeof text->text, "%" PRId64 " (%.2f %%)", part,
             whole > 0 ? cli_percent((double)part / (double)whole) : 0);
    return text->text;
}

/* A line of two numbers and their shares of the whole. */
static void share_line(printer *p, const char *name, const int64_t parts[2],
                       const int64_t wholes[2])
{
    cli_text texts[2];
    row(p, "td", TWO, 3,
        (const char *[]){name, show_share(parts[0], wholes[0], &texts[0]),
                         show_share(parts[1], wholes[1], &texts[1])});
}

/* Begins a table: its name and those of its columns. */
static void begin_table(printer *p, const int *widths, int count, const char *const *texts)
{
    cli_append_text(&p->out, p->html ? "</table>\n<table>\n" : "\n");
    row(p, "th", widths, count, texts);
}

static void heading(printer *p, const char *name, const char *a, const char *b)
{
    begin_table(p, TWO, 3, (const char *[]){name, a, b});
}

static void print_bases(printer *p, const rhomb_comparison_report *r)
{
    const rhomb_comparison_side *t = r->target, *q = r->query;
    const int64_t sequences[] = {t->sequences, q->sequences}, bases[] = {t->bases, q->bases};
    heading(p, "[Sequences]", "target", "query");
    line(p, "sequences", t->sequences, q->sequences);
    share_line(p, "with a record", (int64_t[]){t->covered_sequences, q->covered_sequences},
               sequences);
    heading(p, "[Bases]", "target", "query");
    line(p, "bases", t->bases, q->bases);
    share_line(p, "aligned", (int64_t[]){t->aligned, q->aligned}, bases);
    share_line(p, "unaligned", (int64_t[]){t->in_gaps + t->outside, q->in_gaps + q->outside},
               bases);
    line(p, "  in gaps of records", t->in_gaps, q->in_gaps);
    line(p, "  in no record", t->outside, q->outside);
    share_line(p, "aligned twice or more", (int64_t[]){t->repeated, q->repeated}, bases);
}

static void percent_line(printer *p, const char *name, double a, double b)
{
    cli_text texts[2];
    row(p, "td", TWO, 3,
        (const char *[]){name, show_percent(a, &texts[0]), show_percent(b, &texts[1])});
}

static void print_records(printer *p, const rhomb_comparison_report *r)
{
    const rhomb_comparison_sum *one = r->one_to_one, *all = r->all;
    heading(p, "[Records]", "one-to-one", "all");
    line(p, "records", one->records, all->records);
    line(p, "target bases", one->target_bases, all->target_bases);
    line(p, "query bases", one->query_bases, all->query_bases);
    line(p, "columns", one->columns, all->columns);
    line(p, "matches", one->matches, all->matches);
    line(p, "mismatches", one->mismatches, all->mismatches);
    line(p, "gaps", one->gaps, all->gaps);
    percent_line(p, "identity", one->identity, all->identity);
    percent_line(p, "gap-compressed identity", one->gap_compressed, all->gap_compressed);
    if (r->secondary > 0)
        single_line(p, "secondary", r->secondary);
    if (r->unaligned > 0)
        single_line(p, "queries without an alignment", r->unaligned);
}

static void print_substitutions(printer *p, const rhomb_comparison_sum *one)
{
    heading(p, "[SNPs, one-to-one]", "count", "share");
    const int64_t counts[] = {one->snps, one->transitions, one->transversions};
    static const char *const NAMES[] = {"SNPs", "  transitions", "  transversions"};
    for (int i = 0; i < 15; i++) {
        char name[16];
        int64_t count = i < 3 ? counts[i] : 0;
        if (i < 3)
            snprintf(name, sizeof name, "%s", NAMES[i]);
        else
            count = cli_substitution(one, i - 3, name);
        const double share = one->snps > 0 ? (double)count / (double)one->snps : 0;
        cli_text texts[2];
        row(p, "td", TWO, 3,
            (const char *[]){name, show(count, &texts[0]), show_percent(share, &texts[1])});
    }
    cli_text text;
    row(p, "td", TWO, 2,
        (const char *[]){"mismatches with other bases", show(one->other_mismatches, &text)});
}

static void print_indels(printer *p, const rhomb_comparison_sum *one)
{
    heading(p, "[Indels, one-to-one]", "insertions", "deletions");
    line(p, "indels", one->insertions.count, one->deletions.count);
    line(p, "bases", one->insertions.bases, one->deletions.bases);
    for (int i = 0; i < RHOMB_COMPARISON_SIZES; i++) {
        char name[64];
        if (i + 1 == RHOMB_COMPARISON_SIZES)
            snprintf(name, sizeof name, "  %" PRId64 " bp or more", LIMITS[i]);
        else if (LIMITS[i] + 1 == LIMITS[i + 1])
            snprintf(name, sizeof name, "  %" PRId64 " bp", LIMITS[i]);
        else
            snprintf(name, sizeof name, "  %" PRId64 " to %" PRId64 " bp", LIMITS[i],
                     LIMITS[i + 1] - 1);
        line(p, name, one->insertions.sizes[i], one->deletions.sizes[i]);
    }
}

static void print_runs(printer *p, const char *name, const rhomb_comparison_runs *runs)
{
    cli_text texts[4];
    row(p, "td", RUNS, 5,
        (const char *[]){name, show(runs->count, &texts[0]), show(runs->records, &texts[1]),
                         show(runs->target_bases, &texts[2]), show(runs->query_bases, &texts[3])});
}

static void print_rearrangements(printer *p, const rhomb_comparison_report *r)
{
    const rhomb_comparison_side *t = r->target, *q = r->query;
    begin_table(
        p, RUNS, 5,
        (const char *[]){"[Rearrangements]", "count", "records", "target bases", "query bases"});
    print_runs(p, "inversions", r->inversions);
    print_runs(p, "relocations", r->relocations);
    print_runs(p, "translocations", r->translocations);
    heading(p, "[Joins]", "target", "query");
    line(p, "breakpoints", t->breakpoints, q->breakpoints);
    line(p, "to another sequence", t->joins[RHOMB_JOIN_SEQUENCE], q->joins[RHOMB_JOIN_SEQUENCE]);
    line(p, "to the other strand", t->joins[RHOMB_JOIN_STRAND], q->joins[RHOMB_JOIN_STRAND]);
    line(p, "in another order", t->joins[RHOMB_JOIN_ORDER], q->joins[RHOMB_JOIN_ORDER]);
    line(p, "in order", t->joins[RHOMB_JOIN_GAP], q->joins[RHOMB_JOIN_GAP]);
    single_line(p, "  an indel between", r->indels_between);
    single_line(p, "  overlapping records", r->overlaps);
    single_line(p, "  bases of both between", r->replaced);
    line(p, "    bases", r->replaced_target, r->replaced_query);
}

static void print_file(printer *p, const char *name, const char *path)
{
    char cell[64];
    snprintf(cell, sizeof cell, p->html ? "<tr><th class=\"n\">%s<td class=\"n\">" : "%-10s", name);
    cli_append_text(&p->out, cell);
    if (p->html)
        cli_append_escaped(&p->out, cli_input_name(path));
    else
        cli_append_text(&p->out, cli_input_name(path));
    cli_append_text(&p->out, p->html ? "</tr>\n" : "\n");
}

cli_buffer cli_comparison_tables(const cli_comparison *comparison, bool html)
{
    printer p = {.html = html};
    cli_append_text(&p.out, html ? "<div class=\"r\" id=\"report\">\n<table>\n" : "");
    print_file(&p, "target", comparison->target);
    print_file(&p, "query", comparison->query);
    print_file(&p, "records", comparison->paf);
    print_bases(&p, comparison->report);
    print_records(&p, comparison->report);
    print_substitutions(&p, comparison->report->one_to_one);
    print_indels(&p, comparison->report->one_to_one);
    print_rearrangements(&p, comparison->report);
    cli_append_text(&p.out, html ? "</table>\n</div>\n" : "");
    return p.out;
}
