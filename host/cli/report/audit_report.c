/* SPDX-License-Identifier: MIT */
/*
 * Reports of audits, see report_run.h. Losses and lengths are counted by powers of two. All rows
 * are kept, 16 bytes each, for the quantiles and for the picture.
 */
#include "host/cli/report/report_run.h"

#include "host/cli/base/cli.h"
#include "host/cli/plot/plot_page.h"

/* The columns of an audit that are read. */
enum { LINE, TARGET, TARGET_BEGIN, TARGET_END, QUERY = 4, GIVEN = 8, LEAST, LOST, COLUMNS = 15 };

/* Of powers of two: 0, 1, 2 to 3, 4 to 7, ... */
enum { SIZES = 64 };

enum { WORST = 10 };

/* Rows of a size. */
typedef struct group {
    int64_t rows, optimal, bases, lost;
} group;

typedef struct worst {
    int64_t lost;
    char *fields[COLUMNS]; /* of `text` */
    char *text;
} worst;

typedef struct audit {
    const char *path;
    int64_t line;
    int64_t rows; /* also those without an alignment */
    cli_audit_point *points;
    size_t count; /* of rows with an alignment */
    group all, by_loss[SIZES], by_bases[SIZES];
    worst worst[WORST];
    int worst_count;
} audit;

static int fail(const audit *a, const char *what)
{
    return cli_fail_with(CLI_INPUT, "%s: line %" PRId64 ": %s", a->path, a->line, what);
}

/* Splits a line, which is written to; false unless it has all columns. One more may follow, which
 * says how bases besides A, C, G and T were compared. */
static bool split(char *text, char *fields[COLUMNS])
{
    text[strcspn(text, "\r\n")] = '\0';
    for (int i = 0; i < COLUMNS; i++) {
        fields[i] = text;
        if (text == NULL)
            return false;
        text = strchr(text, '\t');
        if (text != NULL)
            *text++ = '\0';
    }
    return text == NULL || strchr(text, '\t') == NULL;
}

static bool read_number(const char *text, int64_t *number)
{
    char *end = NULL;
    *number = strtoll(text, &end, 10);
    return end != text && *end == '\0';
}

static void count(group *g, const cli_audit_point *point)
{
    g->rows++;
    g->optimal += point->lost == 0;
    g->bases += point->bases;
    g->lost += point->lost;
}

/* Keeps a line among the worst, of which the first of equal ones counts; takes the text. */
static void keep_worst(audit *a, worst *w)
{
    int at = a->worst_count;
    while (at > 0 && a->worst[at - 1].lost < w->lost)
        at--;
    if (at == WORST || w->lost == 0) {
        free(w->text);
        return;
    }
    if (a->worst_count == WORST)
        free(a->worst[--a->worst_count].text);
    memmove(&a->worst[at + 1], &a->worst[at], (size_t)(a->worst_count - at) * sizeof *w);
    a->worst[at] = *w;
    a->worst_count++;
}

/* Takes a line after the first one. */
static int take(audit *a, const char *line)
{
    worst w = {.text = strdup(line)};
    cli_audit_point point;
    int64_t begin, end;
    if (w.text == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    bool fine = split(w.text, w.fields);
    a->rows++;
    if (fine && strcmp(w.fields[LOST], "*") == 0) {
        free(w.text);
        return CLI_OK;
    }
    fine = fine && read_number(w.fields[TARGET_BEGIN], &begin) &&
           read_number(w.fields[TARGET_END], &end) && read_number(w.fields[LOST], &w.lost) &&
           0 <= begin && begin <= end && w.lost >= 0;
    cli_audit_point *grown = fine ? cli_list_grown(a->points, a->count, sizeof *grown) : NULL;
    if (grown == NULL) {
        free(w.text);
        return fine ? cli_fail(NULL, RHOMB_ERR_MEMORY) : fail(a, "is not a row of an audit");
    }
    point = (cli_audit_point){end - begin, w.lost};
    a->points = grown;
    a->points[a->count++] = point;
    count(&a->all, &point);
    count(&a->by_loss[cli_audit_group(point.lost)], &point);
    count(&a->by_bases[cli_audit_group(point.bases)], &point);
    keep_worst(a, &w);
    return CLI_OK;
}

static int read_lines(audit *a, FILE *file)
{
    static const char HEAD[] = "line\ttarget\ttarget_begin\ttarget_end\tquery\t";
    char *text = NULL;
    size_t room = 0;
    int status = CLI_OK;
    for (a->line = 1; status == CLI_OK && getline(&text, &room, file) >= 0; a->line++) {
        if (a->line > 1)
            status = take(a, text);
        else if (strncmp(text, HEAD, strlen(HEAD)) != 0)
            status = fail(a, "is not the first line of an audit of 'rhomb align --ranges'");
    }
    if (status == CLI_OK && (ferror(file) || a->line == 1))
        status = fail(a, "the audit is not complete");
    free(text);
    return status;
}

static int load(audit *a, const char *path)
{
    const bool is_standard = strcmp(path, "-") == 0;
    *a = (audit){.path = cli_input_name(path)};
    FILE *file = is_standard ? stdin : fopen(path, "r");
    if (file == NULL)
        return cli_fail_with(CLI_INPUT, "%s: cannot be opened", a->path);
    const int status = read_lines(a, file);
    if (!is_standard)
        fclose(file);
    return status;
}

static void release(audit *a)
{
    for (int i = 0; i < a->worst_count; i++)
        free(a->worst[i].text);
    free(a->points);
}

static int compare_losses(const void *x, const void *y)
{
    const int64_t a = ((const cli_audit_point *)x)->lost, b = ((const cli_audit_point *)y)->lost;
    return (a > b) - (a < b);
}

#define HEADS "\trows\toptimal\tlost\tper kb"

static const int FOUR[] = {-24, 12, 20, 14, 10}, WIDE[] = {-8, 10, 10, 10, 42};

static void group_row(cli_tables *t, const char *name, const group *g)
{
    cli_tables_row(t, FOUR, "%s\t%" PRId64 "\t%" PRId64 " (%.2f %%)\t%" PRId64 "\t%.3f", name,
                   g->rows, g->optimal, cli_tables_percent(g->optimal, g->rows), g->lost,
                   g->bases > 0 ? 1000.0 * (double)g->lost / (double)g->bases : 0);
}

/* "0", "1", "2 to 3", ... */
static const char *size_name(int size, cli_text *text)
{
    const int64_t least = size > 0 ? INT64_C(1) << (size - 1) : 0;
    if (size < 2)
        snprintf(text->text, sizeof text->text, "%" PRId64, least);
    else
        snprintf(text->text, sizeof text->text, "%" PRId64 " to %" PRId64, least,
                 least - 1 + least);
    return text->text;
}

static void print_sizes(cli_tables *t, const char *heads, const group *groups)
{
    cli_tables_begin(t, FOUR, heads);
    for (int size = 0; size < SIZES; size++) {
        cli_text name;
        if (groups[size].rows > 0)
            group_row(t, size_name(size, &name), &groups[size]);
    }
}

/* Sorts the points. */
static void print_quantiles(cli_tables *t, audit *a)
{
    static const struct {
        const char *name;
        size_t percent;
    } LINES[] = {{"median", 50}, {"90 %", 90}, {"99 %", 99}, {"most", 100}};
    if (a->count == 0)
        return;
    qsort(a->points, a->count, sizeof *a->points, compare_losses);
    cli_tables_begin(t, FOUR, "[Loss of a row, at most]\tloss");
    for (size_t i = 0; i < CLI_COUNT(LINES); i++) {
        const int64_t lost = a->points[(a->count - 1) * LINES[i].percent / 100].lost;
        cli_tables_row(t, FOUR, "%s\t%" PRId64, LINES[i].name, lost);
    }
}

static void print_worst(cli_tables *t, const audit *a)
{
    if (a->worst_count > 0)
        cli_tables_begin(t, WIDE, "[Line]\tgiven\tleast\tlost\trow");
    for (int i = 0; i < a->worst_count; i++) {
        char *const *f = a->worst[i].fields;
        cli_tables_row(t, WIDE, "%.20s\t%.20s\t%.20s\t%.20s\t%.30s:%.20s-%.20s %.30s", f[LINE],
                       f[GIVEN], f[LEAST], f[LOST], f[TARGET], f[TARGET_BEGIN], f[TARGET_END],
                       f[QUERY]);
    }
}

static cli_buffer print(audit *a, bool html)
{
    cli_tables t = {.html = html};
    cli_append_format(&t.out, "%s%" PRId64 " row%s, %zu with an alignment%s",
                      html ? "<div class=\"r\" id=\"report\">\n<p>" : "", a->rows, cli_s(a->rows),
                      a->count, html ? "</p>\n<table>\n" : "\n");
    cli_tables_begin(&t, FOUR, "[Alignments]" HEADS);
    group_row(&t, "all", &a->all);
    print_quantiles(&t, a);
    print_sizes(&t, "[Loss of a row]" HEADS, a->by_loss);
    print_sizes(&t, "[Target bases of a row]" HEADS, a->by_bases);
    print_worst(&t, a);
    cli_append_text(&t.out, html ? "</table>\n</div>\n" : "");
    return t.out;
}

static int write_report(audit *a, const cli_report_arguments *args, int argc, char **argv,
                        cli_output *output)
{
    const bool html = args->format == CLI_REPORT_HTML;
    cli_buffer text = print(a, html);
    const cli_plot_page_parts parts = {
        .paf = args->audit, .above = &text, .argc = argc, .argv = argv};
    const int status = text.failed ? cli_fail(NULL, RHOMB_ERR_MEMORY)
                       : html      ? cli_plot_audit_page(&parts, a->points, a->count, output)
                                   : cli_output_write(output, text.data, text.length);
    cli_buffer_release(&text);
    if (status != CLI_OK)
        return status;
    return cli_output_commit(output) ? CLI_OK : CLI_FAILED;
}

int cli_audit_report(const cli_report_arguments *args, int argc, char **argv)
{
    audit a;
    cli_output output = {.stream = NULL};
    int status = load(&a, args->audit);
    if (status == CLI_OK && !cli_output_open(&output, args->output))
        status = CLI_FAILED;
    if (status == CLI_OK)
        status = write_report(&a, args, argc, argv, &output);
    cli_output_close(&output);
    release(&a);
    return status;
}
