/* SPDX-License-Identifier: MIT */
/*
 * rhomb plot: pictures of the alignments in a PAF file. The file is read once, so that it may be a
 * pipe, and reduced on the way (plot_data.h); the picture is drawn at the end (plot_picture.h). And
 * heat maps of matrices (plot_picture.h).
 */
#include "host/cli/command/options.h"
#include "host/cli/plot/plot_page.h"
#include "host/cli/plot/plot_picture.h"

#include <ctype.h>

static const cli_word FORMATS[] = {
    {"svg", CLI_SVG}, {"png", CLI_PNG}, {"pdf", CLI_PDF}, {"html", CLI_HTML}};

static const cli_word COLOURS[] = {{"identity", CLI_BY_IDENTITY}, {"strand", CLI_BY_STRAND}};

static const cli_word PANELS[] = {{"path", CLI_PANEL_PATH},
                                  {"offset", CLI_PANEL_OFFSET},
                                  {"identity", CLI_PANEL_IDENTITY},
                                  {"sizes", CLI_PANEL_SIZES}};

typedef struct arguments {
    const char *path;
    const char *output;
    cli_picture picture;
    cli_plot_view view;
    int64_t window;
    int format;  /* cli_picture_format */
    bool matrix; /* the file is one */
} arguments;

static int read_panels(const cli_command *command, const char *text, void *field)
{
    cli_picture *picture = field;
    picture->panel_count = 0;
    for (;; text++) {
        char item[16];
        int word;
        const size_t length = strcspn(text, ",");
        snprintf(item, sizeof item, "%.*s", (int)(length < 15 ? length : 15), text);
        if (!cli_parse_word(item, PANELS, CLI_COUNT(PANELS), &word))
            return cli_bad_word(command, "panels", item, PANELS, CLI_COUNT(PANELS));
        for (size_t i = 0; i < picture->panel_count; i++) {
            if (picture->panels[i] == (cli_panel_kind)word)
                return cli_bad_usage(command, "--panels: %s is given twice", item);
        }
        picture->panels[picture->panel_count++] = (cli_panel_kind)word;
        text += length;
        if (text[0] == '\0')
            return CLI_OK;
    }
}

/* Digits, up to the largest size of a picture. */
static bool read_pixels(const char *text, char **end, double *pixels)
{
    if (!isdigit((unsigned char)text[0]))
        return false;
    const unsigned long number = strtoul(text, end, 10);
    *pixels = (double)number;
    return number >= CLI_PICTURE_LEAST && number <= CLI_PICTURE_MOST;
}

static int read_size(const cli_command *command, const char *text, void *field)
{
    cli_picture *picture = field;
    char *end;
    if (read_pixels(text, &end, &picture->width) && (*end == 'x' || *end == 'X') &&
        read_pixels(end + 1, &end, &picture->height) && *end == '\0')
        return CLI_OK;
    return cli_bad_usage(command, "--size: '%s' is not WIDTHxHEIGHT, each %d to %d", text,
                         CLI_PICTURE_LEAST, CLI_PICTURE_MOST);
}

/* A position from 1, with or without commas between its digits. */
static bool read_position(const char **text, int64_t *position)
{
    *position = 0;
    if (!isdigit((unsigned char)**text))
        return false;
    for (; isdigit((unsigned char)**text); ++*text) {
        const int digit = **text - '0';
        if (*position > (INT64_MAX - digit) / 10)
            return false;
        *position = 10 * *position + digit;
        *text += (*text)[1] == ',' && isdigit((unsigned char)(*text)[2]);
    }
    return *position > 0;
}

/* BEGIN-END or BEGIN- as text, 1-based and inclusive. */
static bool read_range(const char *text, cli_plot_range *range)
{
    int64_t begin, end = 0;
    if (!read_position(&text, &begin) || *text++ != '-')
        return false;
    if (*text != '\0' && (!read_position(&text, &end) || *text != '\0' || end < begin))
        return false;
    range->begin = begin - 1;
    range->end = end;
    return true;
}

/*
 * NAME, BEGIN-END, or both with a colon between. Names may have colons: the last one counts, and
 * all that is in braces is the name.
 */
static int read_named_range(const cli_command *command, const char *option, const char *text,
                            cli_plot_range *range)
{
    free(range->name);
    *range = (cli_plot_range){0};
    if (read_range(text, range))
        return CLI_OK;
    const bool no_name = text[0] == '\0' || (strchr(text, '-') != NULL &&
                                             strspn(text, "0123456789,-") == strlen(text));
    const char *colon = strrchr(text, ':');
    const bool in_braces = text[0] == '{' && text[strlen(text) - 1] == '}';
    if (no_name || (colon != NULL && !in_braces && !read_range(colon + 1, range)))
        return cli_bad_usage(command, "--%s: '%s' is not NAME, BEGIN-END or NAME:BEGIN-END", option,
                             text);
    size_t length = colon != NULL && !in_braces ? (size_t)(colon - text) : strlen(text);
    const bool braces = length > 1 && text[0] == '{' && text[length - 1] == '}';
    range->name = strndup(text + braces, length - 2 * braces);
    return range->name != NULL ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

static int read_target_range(const cli_command *command, const char *text, void *range)
{
    return read_named_range(command, "target-range", text, range);
}

static int read_query_range(const cli_command *command, const char *text, void *range)
{
    return read_named_range(command, "query-range", text, range);
}

static bool is_set(const cli_plot_range *range)
{
    return range->name != NULL || cli_plot_is_part(range);
}

/* The extension of the name decides, or --format, which may not say otherwise. */
static int check_output(arguments *args)
{
    if (args->output == NULL)
        return cli_bad_usage(&cli_command_plot,
                             "--output is missing: FILE.svg, .png, .pdf or .html");
    const int status = cli_format_by_name(&cli_command_plot, FORMATS, CLI_COUNT(FORMATS),
                                          args->output, strlen(args->output), &args->format);
    args->picture.format = (cli_picture_format)args->format;
    if (status != CLI_OK || args->format != CLI_NO_FORMAT)
        return status;
    if (strcmp(args->output, "-") == 0)
        return cli_bad_usage(&cli_command_plot, "standard output needs --format");
    return cli_bad_usage(&cli_command_plot,
                         "'%s' does not end in .svg, .png, .pdf or .html; --format says what it is",
                         args->output);
}

/* Feeds the operations of a path to `add`, as long as its row is shown: the reader skips the rest.
 */
static int read_path(rhomb_context *ctx, rhomb_paf *paf, cli_plot_data *data,
                     int (*add)(cli_plot_data *data, const rhomb_path_op *ops, size_t count))
{
    rhomb_path_op ops[1024];
    size_t count;
    int status = CLI_OK;
    while (status == CLI_OK && data->now.shown) {
        const rhomb_status read = rhomb_paf_ops(paf, ops, CLI_COUNT(ops), &count);
        if (read != RHOMB_OK)
            return cli_fail(ctx, read);
        if (count == 0)
            break;
        status = add(data, ops, count);
    }
    return status;
}

static int read_row(rhomb_context *ctx, rhomb_paf *paf, const rhomb_paf_record *row,
                    cli_plot_data *data)
{
    int status = cli_plot_begin_row(data, row, rhomb_paf_get_tags(paf)->block);
    if (status == CLI_OK)
        status = read_path(ctx, paf, data, cli_plot_add_ops);
    if (status != CLI_OK || !data->now.shown)
        return status;
    /* The row's other path, if the first one does not say what matches. */
    if (cli_plot_wants_matches(data) && rhomb_paf_second_path(paf))
        status = read_path(ctx, paf, data, cli_plot_add_matches);
    return status == CLI_OK ? cli_plot_end_row(data) : status;
}

static int read_rows(rhomb_context *ctx, rhomb_paf *paf, cli_plot_data *data)
{
    for (;;) {
        const rhomb_paf_record *row;
        const rhomb_status read = rhomb_paf_next(paf, &row);
        if (read != RHOMB_OK)
            return cli_fail(ctx, read);
        if (row == NULL)
            return CLI_OK;
        const int status = read_row(ctx, paf, row, data);
        if (status != CLI_OK)
            return status;
    }
}

static int read_file(const char *path, cli_plot_data *data)
{
    rhomb_context *ctx = NULL;
    rhomb_paf *paf = NULL;
    rhomb_status opened = cli_context_create(&ctx, "off", 0);
    if (opened == RHOMB_OK)
        opened = rhomb_paf_open(ctx, path, &paf);
    rhomb_paf_read_both(paf);
    const int status = opened == RHOMB_OK ? read_rows(ctx, paf, data) : cli_fail(ctx, opened);
    rhomb_paf_destroy(paf);
    rhomb_context_destroy(ctx);
    return status;
}

/* Says that the sequence which a range names is not there, and which are. */
static int fail_unnamed(const cli_plot_data *data, int number)
{
    const cli_plot_names *others = &data->others[number];
    cli_some_names names = {.count = 0};
    for (size_t i = 0; i < others->count; i++)
        cli_add_name(&names, others->list[i].name);
    return cli_fail_with(CLI_INPUT, "%s has no %s '%s'; it has %s", data->path,
                         number == 0 ? "target" : "query",
                         number == 0 ? data->view.target.name : data->view.query.name, names.text);
}

/* Without --panels: all that have something to show; rows without paths do not. */
static int choose_panels(cli_picture *picture, const cli_plot_data *data)
{
    const bool has_paths = data->totals.with_path > 0;
    const cli_plot_view *view = &data->view;
    for (int i = 0; i < 2; i++) {
        if (data->others[i].count > 0 && !data->seen[i])
            return fail_unnamed(data, i);
    }
    if (data->totals.rows == 0)
        return cli_fail_with(CLI_INPUT, "%s: no records%s%s%s%s", data->path,
                             view->least > 0 ? " of --min-length bases or more" : "",
                             is_set(&view->target) ? " in the range of --target-range" : "",
                             is_set(&view->target) && is_set(&view->query) ? " and" : "",
                             is_set(&view->query) ? " in the range of --query-range" : "");
    if (picture->panel_count == 0) {
        picture->panel_count = has_paths ? CLI_PANELS : 1;
        for (size_t i = 0; i < picture->panel_count; i++)
            picture->panels[i] = (cli_panel_kind)PANELS[i].value;
        if (!has_paths)
            cli_note(0, "no record has a path (cg or cs; minimap2 -c --eqx writes cg): only their "
                        "ends are drawn");
        return CLI_OK;
    }
    for (size_t i = 0; i < picture->panel_count && !has_paths; i++) {
        if (picture->panels[i] != CLI_PANEL_PATH)
            return cli_fail_with(
                CLI_INPUT,
                "%s: no record has a path (cg or cs; minimap2 -c --eqx writes cg), and "
                "--panels asks for %s",
                data->path, cli_word_of((int)picture->panels[i], PANELS, CLI_COUNT(PANELS)));
    }
    return CLI_OK;
}

static int check_height(const cli_picture *picture)
{
    const double least = cli_picture_least_height(picture);
    if (picture->height == 0 || picture->height >= least)
        return CLI_OK;
    return cli_bad_usage(&cli_command_plot, "--size: %zu panels need a height of %.0f or more",
                         picture->panel_count, least);
}

/* Notes what a user may not expect, and what was in the file. */
static void note_kept(const cli_plot_data *data)
{
    if (data->totals.either > 0)
        cli_note(0, "M operations do not show which bases match, so they have no identity "
                    "(minimap2 writes = and X with --eqx, and cs with --cs)");
    cli_note(1, "kept: records %lld, traces %zu, columns %zu of %lld bases, windows of %lld bases",
             (long long)data->totals.rows, data->traces.count, data->traces.columns,
             1LL << data->traces.shift, (long long)data->unit);
}

/* What is about alignments says nothing about a matrix. */
static int check_matrix(const arguments *args)
{
    const char *option = args->picture.panel_count > 0                ? "panels"
                         : is_set(&args->view.target)                 ? "target-range"
                         : is_set(&args->view.query)                  ? "query-range"
                         : args->view.least > 0                       ? "min-length"
                         : args->view.least_identity > 0              ? "min-identity"
                         : args->window > 0                           ? "window"
                         : args->picture.colour_by != CLI_BY_IDENTITY ? "colour"
                                                                      : NULL;
    if (option != NULL)
        return cli_bad_usage(&cli_command_plot, "--%s is not for matrices", option);
    return args->picture.format != CLI_HTML
               ? CLI_OK
               : cli_bad_usage(&cli_command_plot, "matrices cannot be HTML: svg, png or pdf");
}

static int draw_matrix(const arguments *args, cli_output *output)
{
    cli_matrix matrix = {.kind = NULL};
    int status = cli_matrix_load(args->path, &matrix);
    if (status == CLI_OK)
        status = cli_matrix_draw(&args->picture, &matrix, output);
    cli_matrix_release(&matrix);
    return status;
}

static int draw(const arguments *args, cli_output *output)
{
    cli_picture picture = args->picture;
    cli_plot_data data;
    cli_plot_data_init(&data, args->path, &args->view, args->window);
    int status = read_file(args->path, &data);
    if (status == CLI_OK)
        status = choose_panels(&picture, &data);
    if (status == CLI_OK)
        status = check_height(&picture);
    if (status == CLI_OK)
        status = cli_picture_write(&picture, &data, output);
    if (status == CLI_OK)
        note_kept(&data);
    cli_plot_data_free(&data);
    return status;
}

int cli_plot_page(const cli_plot_page_parts *parts, cli_output *output)
{
    const arguments args = {.path = parts->paf,
                            .view = {.least_identity = parts->least_identity},
                            .picture = {.format = CLI_HTML,
                                        .title = parts->title,
                                        .text = true,
                                        .above = parts->above,
                                        .argc = parts->argc,
                                        .argv = parts->argv}};
    return draw(&args, output);
}

static int plot(const arguments *args)
{
    cli_output output;
    const bool is_matrix = args->matrix || cli_matrix_is_one(args->path);
    int status = is_matrix ? check_matrix(args) : CLI_OK;
    if (status != CLI_OK)
        return status;
    status = !cli_output_open(&output, args->output) ? CLI_FAILED
             : is_matrix                             ? draw_matrix(args, &output)
                                                     : draw(args, &output);
    if (status == CLI_OK && !cli_output_commit(&output))
        status = CLI_FAILED;
    cli_output_close(&output);
    return status;
}

static int run(int argc, char **argv)
{
    arguments args = {.picture = {.text = true, .argc = argc, .argv = argv},
                      .format = CLI_NO_FORMAT};
    int status = cli_read_options(&cli_command_plot, argc, argv, &args);
    if (status == CLI_OK)
        status = check_output(&args);
    if (status == CLI_OK)
        status = plot(&args);
    free(args.view.target.name);
    free(args.view.query.name);
    return status;
}

#define AT(member) offsetof(arguments, member)

static const cli_option OPTIONS[] = {
    CLI_ROW_OUTPUT(AT(output), "write to FILE; '-' is standard output, with --format"),
    CLI_CHOICE("format", AT(format), FORMATS, "FORMAT",
               "svg, png, pdf or html, a page in which one can zoom, if the extension of FILE does "
               "not say it"),
    CLI_READ_WORDS("panels", read_panels, AT(picture), PANELS, "LIST",
                   "some of path,offset,identity,sizes, in this order"),
    CLI_READ(
        "target-range", 'r', read_target_range, AT(view.target), "RANGE",
        "show only this part of the targets\nIt is BEGIN-END, NAME or NAME:BEGIN-END; 1-based, "
        "inclusive, commas allowed"),
    CLI_READ("query-range", 0, read_query_range, AT(view.query), "RANGE",
             "the same of the queries"),
    CLI_CHOICE("colour", AT(picture.colour_by), COLOURS, "BY",
               "colours of the path: identity (default), in windows, where records say what "
               "matches; or strand, two colours"),
    CLI_VALUE("min-length", 0, CLI_OPTION_POSITIVE, AT(view.least), "NUM",
              "only records of NUM bases or more of the target or the query; K, M, G allowed"),
    CLI_ROW_MIN_IDENTITY(AT(view.least_identity), ""),
    CLI_VALUE("window", 0, CLI_OPTION_POSITIVE, AT(window), "NUM",
              "bases of the target in a window of the identity; K, M, G allowed (default: a round "
              "number that makes 80 to 200 windows)"),
    CLI_READ("size", 0, read_size, AT(picture), "WIDTHxHEIGHT",
             "pixels of PNG, points of SVG and PDF (default: 900 wide, as high as needed)"),
    CLI_SWITCH(
        "matrix", AT(matrix), true,
        "draw a matrix of 'rhomb matrix' as a heat map, also from a pipe; a file that begins "
        "like one needs no option"),
    CLI_VALUE("title", 0, CLI_OPTION_TEXT, AT(picture.title), "TEXT",
              "a title instead of names and lengths"),
    CLI_SWITCH("no-text", AT(picture.text), false, "no text at all, to add labels by other means"),
    {.name = NULL},
};

const cli_command cli_command_plot = {
    .name = "plot",
    .summary = "draw the alignments of a PAF file, or a distance matrix",
    .usage =
        "[OPTION...] PAF -o FILE.svg|.png|.pdf|.html\n[OPTION...] MATRIX -o FILE.svg|.png|.pdf",
    .about = "Draws the alignments in PAF: the path of each record (cg, else cs) with the target "
             "along x and the query along y; its offset from the diagonal, in which indels are "
             "steps; identity (matches / columns) in windows along the target; and the lengths of "
             "insertions and deletions.\nPAF may come from any program, plain, gzip or bgzip, and "
             "be of any size, or be SAM, BAM or CRAM; '-' is standard input. A TSV of 'rhomb "
             "matrix' becomes a heat map.",
    .common = {"output", "format", "panels", "target-range", "query-range", "min-length", "title"},
    .examples = {"out.paf -o out.svg", "distances.tsv -o distances.png"},
    .options = {OPTIONS, [CLI_GROUP_MESSAGES] = cli_message_options},
    .notes =
        "Several sequences lie end to end: targets as in the file, queries by where their longest "
        "records lie. Reverse-strand alignments slope down. Records without a path are "
        "dashed straight lines.",
    .operands = {{"PAF", AT(path)}},
    .takes_paf = true,
    .least_operands = 1,
    .run = run,
};
