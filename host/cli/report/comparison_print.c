/* SPDX-License-Identifier: MIT */
/*
 * A comparison as text and as HTML, which have the same rows, and as JSON: see report_run.h.
 * The names of JSON's members are an interface: a change that could break a reader needs a new
 * number in "schema".
 */
#include "host/cli/report/report_run.h"

static const int64_t LIMITS[RHOMB_COMPARISON_SIZES] = RHOMB_COMPARISON_LIMITS;

/* "A>C", the substitution number `kind` of 12, and how often it occurs. */
static int64_t count_substitution(const rhomb_comparison_sum *sum, int kind, char name[4])
{
    static const char BASES[] = "ACGT";
    const int target = kind / 3, query = kind % 3 + (kind % 3 >= target);
    name[0] = BASES[target];
    name[1] = '>';
    name[2] = BASES[query];
    name[3] = '\0';
    return sum->substitutions[target][query];
}

/* The widths of the columns in text. */
static const int TWO[] = {-34, 22, 22}, RUNS[] = {-19, 10, 11, 19, 19};
static const int THREE[] = {-26, 18, 17, 17};

/* A line of two numbers. */
static void line(cli_tables *p, const char *name, int64_t a, int64_t b)
{
    cli_tables_row(p, TWO, "%s\t%" PRId64 "\t%" PRId64, name, a, b);
}

/* A line of one number, for both columns. */
static void single_line(cli_tables *p, const char *name, int64_t a)
{
    cli_tables_row(p, CLI_TABLES_ONE, "%s\t%" PRId64, name, a);
}

/* A line of two numbers and their shares of the whole. */
static void share_line(cli_tables *p, const char *name, const int64_t parts[2],
                       const int64_t wholes[2])
{
    cli_tables_row(p, TWO, "%s\t%" PRId64 " (%.2f %%)\t%" PRId64 " (%.2f %%)", name, parts[0],
                   cli_tables_percent(parts[0], wholes[0]), parts[1],
                   cli_tables_percent(parts[1], wholes[1]));
}

static void print_bases(cli_tables *p, const rhomb_comparison_report *r)
{
    const rhomb_comparison_side *t = r->target, *q = r->query;
    const int64_t sequences[] = {t->sequences, q->sequences}, bases[] = {t->bases, q->bases};
    cli_tables_begin(p, TWO, "[Sequences]\ttarget\tquery");
    line(p, "sequences", t->sequences, q->sequences);
    share_line(p, "with a record", (int64_t[]){t->covered_sequences, q->covered_sequences},
               sequences);
    cli_tables_begin(p, TWO, "[Bases]\ttarget\tquery");
    line(p, "bases", t->bases, q->bases);
    share_line(p, "aligned", (int64_t[]){t->aligned, q->aligned}, bases);
    share_line(p, "  similar", (int64_t[]){t->similar, q->similar}, bases);
    share_line(p, "  not similar", (int64_t[]){t->aligned - t->similar, q->aligned - q->similar},
               bases);
    share_line(p, "unaligned", (int64_t[]){t->in_gaps + t->outside, q->in_gaps + q->outside},
               bases);
    line(p, "  in gaps of records", t->in_gaps, q->in_gaps);
    line(p, "  in no record", t->outside, q->outside);
    share_line(p, "aligned twice or more", (int64_t[]){t->repeated, q->repeated}, bases);
}

/* The identity of nothing is not shown. */
static const char *show_identity(const rhomb_comparison_sum *sum, bool gapless, cli_text *text)
{
    if (sum->columns == 0)
        return "-";
    snprintf(text->text, sizeof text->text, "%.2f %%",
             cli_percent(gapless ? sum->gap_compressed : sum->identity));
    return text->text;
}

static void print_records(cli_tables *p, const rhomb_comparison_report *r)
{
    const rhomb_comparison_sum *const sums[] = {r->similar, r->one_to_one, r->all};
    static const struct {
        const char *name;
        size_t at;
    } LINES[] = {{"records or segments", offsetof(rhomb_comparison_sum, records)},
                 {"target bases", offsetof(rhomb_comparison_sum, target_bases)},
                 {"query bases", offsetof(rhomb_comparison_sum, query_bases)},
                 {"columns", offsetof(rhomb_comparison_sum, columns)},
                 {"matches", offsetof(rhomb_comparison_sum, matches)},
                 {"mismatches", offsetof(rhomb_comparison_sum, mismatches)},
                 {"gaps", offsetof(rhomb_comparison_sum, gaps)}};
    cli_tables_begin(p, THREE, "[Records]\tsimilar segments\tone-to-one\tall");
    for (size_t i = 0; i < CLI_COUNT(LINES); i++) {
        int64_t numbers[3];
        for (int k = 0; k < 3; k++)
            memcpy(&numbers[k], (const char *)sums[k] + LINES[i].at, sizeof numbers[k]);
        cli_tables_row(p, THREE, "%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64, LINES[i].name,
                       numbers[0], numbers[1], numbers[2]);
    }
    for (int gapless = 0; gapless < 2; gapless++) {
        cli_text texts[3];
        cli_tables_row(p, THREE, "%s\t%s\t%s\t%s", gapless ? "gap-compressed identity" : "identity",
                       show_identity(sums[0], gapless, &texts[0]),
                       show_identity(sums[1], gapless, &texts[1]),
                       show_identity(sums[2], gapless, &texts[2]));
    }
    if (r->secondary > 0)
        single_line(p, "secondary", r->secondary);
    if (r->unaligned > 0)
        single_line(p, "queries without an alignment", r->unaligned);
}

static void print_substitutions(cli_tables *p, const rhomb_comparison_sum *one)
{
    cli_tables_begin(p, TWO, "[SNPs, similar segments]\tcount\tshare");
    const int64_t counts[] = {one->snps, one->transitions, one->transversions};
    static const char *const NAMES[] = {"SNPs", "  transitions", "  transversions"};
    for (int i = 0; i < 15; i++) {
        char name[16];
        int64_t count = i < 3 ? counts[i] : 0;
        if (i < 3)
            snprintf(name, sizeof name, "%s", NAMES[i]);
        else
            count = count_substitution(one, i - 3, name);
        cli_tables_row(p, TWO, "%s\t%" PRId64 "\t%.2f %%", name, count,
                       cli_tables_percent(count, one->snps));
    }
    if (one->transversions > 0)
        cli_tables_row(p, TWO, "transitions / transversions\t%.2f",
                       (double)one->transitions / (double)one->transversions);
    cli_tables_row(p, TWO, "mismatches with other bases\t%" PRId64, one->other_mismatches);
}

static void print_indels(cli_tables *p, const rhomb_comparison_sum *one)
{
    cli_tables_begin(p, TWO, "[Indels, similar segments]\tinsertions\tdeletions");
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

static void print_runs(cli_tables *p, const char *name, const rhomb_comparison_runs *runs)
{
    cli_tables_row(p, RUNS, "%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64, name,
                   runs->count, runs->records, runs->target_bases, runs->query_bases);
}

static void print_rearrangements(cli_tables *p, const rhomb_comparison_report *r)
{
    const rhomb_comparison_side *t = r->target, *q = r->query;
    cli_tables_begin(p, RUNS,
                     "[Rearranged records]	count	records	target bases	query bases");
    print_runs(p, "inversions", r->inversions);
    print_runs(p, "relocations", r->relocations);
    print_runs(p, "translocations", r->translocations);
    cli_tables_begin(p, TWO, "[Joins]\ttarget\tquery");
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

/* The largest events: on a page, where more of them are read, after what else is there. */
static void print_events(cli_buffer *out, const cli_events *events, bool html)
{
    enum { PAGE_MOST = 100, TEXT_MOST = 10 };
    const size_t most = html ? PAGE_MOST : TEXT_MOST;
    if (events->count == 0)
        return;
    cli_append_text(out, html ? "<h2>Rearrangements, insertions, deletions</h2>\n"
                              : "\n[Largest events]              bases  target  query  strand\n");
    if (!html)
        cli_events_text(events, most, out);
    if (events->count > most)
        cli_append_format(out, "%sThe largest %zu of %zu; TSV has all.%s\n", html ? "<p>" : "",
                          most, events->count, html ? "</p>" : "");
    if (html)
        cli_events_html(events, most, out);
}

static void print_file(cli_tables *p, const char *name, const char *path)
{
    cli_append_format(&p->out, p->html ? "<tr><th class=\"n\">%s<td class=\"n\">" : "%-10s", name);
    if (p->html)
        cli_append_escaped(&p->out, cli_input_name(path));
    else
        cli_append_text(&p->out, cli_input_name(path));
    cli_append_text(&p->out, p->html ? "</tr>\n" : "\n");
}

cli_headline cli_comparison_headline(const rhomb_comparison_report *r)
{
    const rhomb_comparison_side *t = r->target, *q = r->query;
    return (cli_headline){
        .ani = r->similar->columns > 0 ? r->similar->gap_compressed : 0,
        .target = t->bases > 0 ? (double)t->similar / (double)t->bases : 0,
        .query = q->bases > 0 ? (double)q->similar / (double)q->bases : 0,
    };
}

void cli_append_headline(cli_buffer *out, const rhomb_comparison_report *r, bool html)
{
    const cli_headline h = cli_comparison_headline(r);
    cli_append_text(out, html ? "<p>" : "");
    if (r->similar->columns == 0)
        cli_append_text(out, "no similar sequence");
    else
        cli_append_format(out,
                          "ANI %.2f %% over similar sequence, %.4g %% identical or more%s"
                          "similar: %.2f %% of the target, %.2f %% of the query",
                          cli_percent(h.ani), 100 * r->least_identity, html ? "<br>" : "\n",
                          cli_percent(h.target), cli_percent(h.query));
    cli_append_text(out, html ? "</p>\n" : "\n");
}

cli_buffer cli_comparison_tables(const cli_comparison *comparison, bool html)
{
    cli_tables p = {.html = html};
    cli_append_text(&p.out, html ? "<div class=\"r\" id=\"report\">\n" : "");
    cli_append_headline(&p.out, comparison->report, html);
    cli_append_text(&p.out, html ? "<table>\n" : "\n");
    print_file(&p, "target", comparison->target);
    print_file(&p, "query", comparison->query);
    print_file(&p, "records", comparison->shown_paf);
    print_bases(&p, comparison->report);
    print_records(&p, comparison->report);
    print_substitutions(&p, comparison->report->similar);
    print_indels(&p, comparison->report->similar);
    print_rearrangements(&p, comparison->report);
    cli_append_text(&p.out, html ? "</table>\n</div>\n" : "");
    if (html && comparison->more != NULL)
        cli_append_bytes(&p.out, comparison->more->data, comparison->more->length);
    print_events(&p.out, comparison->events, html);
    return p.out;
}

#define FIELDS "host/cli/report/comparison.def"
#include "host/cli/base/fields.inc"

const cli_document cli_document_report = {"rhomb.report.1",
                                          "rhomb report --json, and report.json of rhomb compare",
                                          describe_comparison, false};

bool cli_comparison_json(FILE *stream, const cli_comparison *c)
{
    cli_json json = cli_json_start(cli_document_report.name, c->argc, c->argv);
    write_comparison(&json, json.root, c, c->report);
    return cli_json_finish(&json, stream);
}
