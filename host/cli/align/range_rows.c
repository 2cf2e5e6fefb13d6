/* SPDX-License-Identifier: MIT */
/* Rows of `--ranges`, see range_rows.h. */
#include "host/cli/align/range_rows.h"

#include <ctype.h>

#include "host/cli/align/align_files.h"
#include "host/cli/base/cli.h"
#include "host/cli/base/sink.h"
#include "host/cli/many/many.h"

/* Operations that are read at a time. */
enum { OPERATIONS = 1024 };

static const char TOO_LONG[] = "the path leaves the ranges",
                  TOO_SHORT[] = "the path ends before the ranges do",
                  NO_STRAND[] = "only DNA has a reverse strand";

void cli_range_pieces_free(cli_range_pieces *pieces)
{
    if (pieces == NULL)
        return;
    rhomb_anchors_destroy(pieces->anchors);
    cli_buffer_release(&pieces->ops);
    free(pieces->pairs);
    free(pieces->detail);
    free(pieces);
}

void cli_range_row_free(cli_range_row *row)
{
    if (row == NULL)
        return;
    if (row->task != NULL)
        cli_task_release(row->task);
    free(row->task);
    cli_range_pieces_free(row->pieces);
    free(row->oriented);
    free(row->tags);
    free(row->ops);
    free(row->held);
    free(row->fault);
    free(row);
}

cli_path cli_range_row_path(const cli_align_arguments *args, const cli_range_row *row)
{
    return (cli_path){.target_name = row->name[0],
                      .query_name = row->name[1],
                      .target = row->bases[0],
                      .query = row->oriented != NULL ? row->oriented : row->bases[1],
                      .target_length = row->end[0] - row->begin[0],
                      .query_length = row->end[1] - row->begin[1],
                      .target_before = row->begin[0],
                      .target_after = row->length[0] - row->end[0],
                      .query_before = row->begin[1],
                      .query_after = row->length[1] - row->end[1],
                      .reverse = row->reverse,
                      .scoring = row->scoring,
                      .iupac = args->pair.options.alphabet == RHOMB_ALPHABET_IUPAC,
                      .cigar_m = args->cigar_m,
                      .md = args->md,
                      .tags = row->tags,
                      .atomize = args->atomize,
                      .least_identity = args->least_identity};
}

int cli_range_row_orient(cli_range_row *row)
{
    if (row->reverse && row->oriented == NULL && row->fault == NULL)
        row->oriented = cli_orient(row->bases[1], row->end[1] - row->begin[1], true, 0);
    return row->reverse && row->oriented == NULL && row->fault == NULL
               ? cli_fail(NULL, RHOMB_ERR_MEMORY)
               : CLI_OK;
}

void cli_range_row_rest(cli_range_row *row)
{
    free(row->oriented);
    row->oriented = NULL;
}

/* SAM has the qualities of queries. */
static rhomb_status read_set(cli_range_rows *rows, const char *path, rhomb_sequence_set **set)
{
    const bool is_query = strcmp(path, rows->args->pair.query_path) == 0;
    return is_query && cli_align_has_bases(rows->args->format)
               ? rhomb_sequence_set_read_all(rows->ctx, path, set)
               : rhomb_sequence_set_read(rows->ctx, path, set);
}

/* The bases that a code stands for, as a mask. */
static unsigned mask_of(char code)
{
    static const char CODES[] = "=ACMGRSVTWYHKDBN";
    const char *at = strchr(CODES, cli_upper_base((unsigned char)code));
    return at != NULL ? (unsigned)(at - CODES) : 0;
}

/* Fills in what bases are compared by: two match whose codes are equal or, as masks, overlap. */
static void fill_codes(cli_range_rows *rows)
{
    const rhomb_alphabet alphabet = rows->args->pair.options.alphabet;
    rows->masks = alphabet == RHOMB_ALPHABET_IUPAC;
    for (int base = 0; base < 256; base++)
        rows->codes[base] = (unsigned char)(rows->masks ? (int)mask_of((char)base)
                                            : alphabet == RHOMB_ALPHABET_DNA ? cli_upper_base(base)
                                            : alphabet == RHOMB_ALPHABET_PROTEIN ? toupper(base)
                                                                                 : base);
}

cli_range_rows cli_range_rows_of(const cli_align_arguments *args, rhomb_context *ctx,
                                 rhomb_sequence_set *targets, rhomb_sequence_set *queries)
{
    cli_range_rows rows = {.args = args, .ctx = ctx, .sets = {targets, queries}};
    fill_codes(&rows);
    return rows;
}

int cli_range_rows_open(cli_range_rows *rows, const cli_align_arguments *args)
{
    const char *const target = args->pair.target_path, *const query = args->pair.query_path;
    *rows = cli_range_rows_of(args, NULL, NULL, NULL);
    rhomb_status status = cli_context_create(&rows->ctx, "off", args->pair.threads);
    if (status == RHOMB_OK)
        status = read_set(rows, target, &rows->sets[0]);
    if (status == RHOMB_OK && strcmp(target, query) != 0)
        status = read_set(rows, query, &rows->sets[1]);
    if (status == RHOMB_OK)
        status = rhomb_paf_open(rows->ctx, args->ranges, &rows->paf);
    rhomb_paf_take_tables(rows->paf);
    if (args->keep_tags)
        rhomb_paf_keep_tags(rows->paf);
    return status == RHOMB_OK ? CLI_OK : cli_fail(rows->ctx, status);
}

const rhomb_sequence_set *cli_range_rows_set(const cli_range_rows *rows, int side)
{
    return rows->sets[side] != NULL ? rows->sets[side] : rows->sets[0];
}

/* Whether two bases match. */
static bool matches(const cli_range_rows *rows, char a, char b)
{
    const unsigned char x = rows->codes[(unsigned char)a], y = rows->codes[(unsigned char)b];
    return rows->masks ? (x & y) != 0 : x == y;
}

/* The path of a row, as far as it is known, with room for more. */
typedef struct path {
    cli_buffer ops;
    int64_t target, query; /* bases so far */
} path;

void cli_range_append_op(cli_buffer *to, unsigned code, int64_t length)
{
    const rhomb_path_op op = (rhomb_path_op)length << 4 | code;
    rhomb_path_op *ops = (rhomb_path_op *)(void *)to->data;
    const size_t count = to->length / sizeof op;
    if (count > 0 && RHOMB_CIGAR_CODE(ops[count - 1]) == code)
        ops[count - 1] += (rhomb_path_op)length << 4;
    else
        cli_append_bytes(to, (const char *)&op, sizeof op);
}

/* Takes columns with a base of both: whether these match says what is = and what X. */
static void append_columns(const cli_range_rows *rows, const cli_range_row *row, path *p,
                           int64_t length)
{
    const char *target = row->bases[0] + p->target;
    const char *query = (row->oriented != NULL ? row->oriented : row->bases[1]) + p->query;
    for (int64_t end, i = 0; i < length; i = end) {
        const bool equal = matches(rows, target[i], query[i]);
        for (end = i + 1; end < length && matches(rows, target[end], query[end]) == equal;)
            end++;
        cli_range_append_op(&p->ops, equal ? RHOMB_CIGAR_EQ : RHOMB_CIGAR_X, end - i);
    }
}

/* Takes an operation; NULL, or why it does not fit. */
static const char *take_op(const cli_range_rows *rows, const cli_range_row *row, path *p,
                           rhomb_path_op op)
{
    const unsigned code = (unsigned)RHOMB_CIGAR_CODE(op);
    const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(op);
    const int64_t target = code != RHOMB_CIGAR_I ? length : 0;
    const int64_t query = code != RHOMB_CIGAR_D ? length : 0;
    if (target > row->end[0] - row->begin[0] - p->target ||
        query > row->end[1] - row->begin[1] - p->query)
        return TOO_LONG;
    if (target > 0 && query > 0)
        append_columns(rows, row, p, length);
    else
        cli_range_append_op(&p->ops, code, length);
    p->target += target;
    p->query += query;
    return NULL;
}

/* Reads the alignment that a row brings. The exit status; *why says that it does not fit. */
static int read_path(cli_range_rows *rows, cli_range_row *row, const char **why)
{
    rhomb_path_op ops[OPERATIONS];
    rhomb_status status = RHOMB_OK;
    path p = {{0}, 0, 0};
    size_t count = 0;
    do {
        status = rhomb_paf_ops(rows->paf, ops, OPERATIONS, &count);
        for (size_t i = 0; i < count && *why == NULL; i++)
            *why = take_op(rows, row, &p, ops[i]);
    } while (status == RHOMB_OK && count > 0 && *why == NULL);
    if (*why == NULL &&
        (p.target < row->end[0] - row->begin[0] || p.query < row->end[1] - row->begin[1]))
        *why = TOO_SHORT;
    row->ops = (rhomb_path_op *)(void *)p.ops.data;
    row->op_count = (int64_t)(p.ops.length / sizeof *row->ops);
    if (status != RHOMB_OK)
        return cli_fail(rows->ctx, status);
    return p.ops.failed ? cli_fail(NULL, RHOMB_ERR_MEMORY) : CLI_OK;
}

/* A row that cannot be used: the end of the run or, with --keep-going, a row that says why. */
static int fault(const cli_range_rows *rows, cli_range_row *row, const char *why)
{
    if (!rows->args->keep_going)
        return cli_fail_with(CLI_INPUT, "%s: %s", rhomb_status_text(RHOMB_ERR_INPUT), why);
    row->fault = strdup(why);
    return row->fault != NULL ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

/* Where the ranges are, and the bases of their records. */
static void take_ranges(const cli_range_rows *rows, const rhomb_paf_record *from,
                        const rhomb_paf_sequences *found, cli_range_row *row)
{
    const int64_t begins[] = {from->target_begin, from->query_begin};
    const int64_t ends[] = {from->target_end, from->query_end};
    row->reverse = from->reverse;
    for (int side = 0; side < 2; side++) {
        row->record[side] = found->index[side];
        (void)!rhomb_sequence_set_get(cli_range_rows_set(rows, side), found->index[side],
                                      &row->name[side], &row->bases[side], &row->length[side]);
        row->begin[side] = found->before[side] + begins[side];
        row->end[side] = found->before[side] + ends[side];
    }
}

/* Reaches --extend-ends bases further at both ends of both, as far as there are any. */
static void extend(const cli_range_rows *rows, cli_range_row *row)
{
    const int64_t by = rows->args->extend_ends;
    for (int side = 0; side < 2; side++) {
        row->begin[side] = row->begin[side] > by ? row->begin[side] - by : 0;
        row->end[side] =
            row->length[side] - row->end[side] > by ? row->end[side] + by : row->length[side];
    }
}

/* Whether there are other bases than A, C, G, T and U, in either case. */
static bool is_ambiguous(const char *bases, int64_t length)
{
    static const char KNOWN[256] = {['A'] = 1, ['C'] = 1, ['G'] = 1, ['T'] = 1, ['U'] = 1,
                                    ['a'] = 1, ['c'] = 1, ['g'] = 1, ['t'] = 1, ['u'] = 1};
    char all = 1;
    for (int64_t i = 0; i < length; i++)
        all &= KNOWN[(unsigned char)bases[i]];
    return all == 0;
}

/* Chooses the scoring of a row of an audit. */
static void choose_scoring(const cli_range_rows *rows, cli_range_row *row)
{
    const int64_t target = row->end[0] - row->begin[0], query = row->end[1] - row->begin[1];
    const rhomb_scoring *apart = cli_score_costs(&rows->args->ambiguous);
    if (!is_ambiguous(row->bases[0], target) && !is_ambiguous(row->bases[1], query))
        return;
    row->ambiguous = CLI_AMBIGUOUS_AS_OTHERS;
    if (apart == NULL || (query > 0 && target > CLI_AMBIGUOUS_CELLS / query))
        return;
    row->ambiguous = CLI_AMBIGUOUS_APART;
    row->scoring = apart;
}

/* Fills a row with the record that the reader is at. */
static int fill(cli_range_rows *rows, const rhomb_paf_record *from, cli_range_row *row)
{
    rhomb_paf_sequences found;
    const char *why = NULL;
    int status = CLI_OK;
    row->line = from->line;
    row->scoring = rows->args->pair.options.scoring;
    const rhomb_status located = rhomb_paf_locate(rows->paf, cli_range_rows_set(rows, 0),
                                                  cli_range_rows_set(rows, 1), &found);
    if (located == RHOMB_ERR_INPUT && rows->args->keep_going)
        return fault(rows, row, rhomb_context_error(rows->ctx));
    if (located != RHOMB_OK)
        return cli_fail(rows->ctx, located);
    take_ranges(rows, from, &found, row);
    if (rows->args->extend_ends > 0)
        extend(rows, row);
    for (int side = 0; side < 2; side++)
        row->bases[side] += row->begin[side];
    if (rows->args->audit != NULL)
        choose_scoring(rows, row);
    if (row->reverse && !cli_is_dna(rows->args->pair.options.alphabet))
        why = NO_STRAND;
    else if (rows->args->audit != NULL && from->path != RHOMB_PAF_PATH_NONE) {
        status = cli_range_row_orient(row);
        status = status == CLI_OK ? read_path(rows, row, &why) : status;
    }
    if (status == CLI_OK && why != NULL) {
        char text[512];
        snprintf(text, sizeof text, "%s: line %" PRId64 ": %s", cli_input_name(rows->args->ranges),
                 from->line, why);
        status = fault(rows, row, text);
    }
    if (status == CLI_OK && rows->args->keep_tags) {
        rhomb_path_op op;
        size_t count = 1;
        rhomb_status read = RHOMB_OK;
        while (read == RHOMB_OK && count > 0) /* tags after the path */
            read = rhomb_paf_ops(rows->paf, &op, 1, &count);
        if (read != RHOMB_OK)
            return cli_fail(rows->ctx, read);
        row->tags = strdup(rhomb_paf_get_tags(rows->paf)->others);
        status = row->tags != NULL ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
    }
    return status;
}

int cli_range_rows_next(cli_range_rows *rows, cli_range_row **row)
{
    const cli_part_asked *part = &rows->args->pair.part;
    const rhomb_paf_record *from = NULL;
    *row = NULL;
    for (;;) {
        const rhomb_status status = rhomb_paf_next(rows->paf, &from);
        if (status != RHOMB_OK)
            return cli_fail(rows->ctx, status);
        if (from == NULL)
            return CLI_OK;
        const int64_t number = rows->rows++;
        if (strcmp(from->target_name, "*") == 0 && from->path == RHOMB_PAF_PATH_NONE)
            rows->unaligned++;
        else if (part->of == 0 || number % part->of == part->number - 1)
            break;
    }
    *row = calloc(1, sizeof **row);
    return *row != NULL ? fill(rows, from, *row) : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

void cli_range_rows_close(cli_range_rows *rows)
{
    rhomb_paf_destroy(rows->paf);
    rhomb_sequence_set_destroy(rows->sets[1]);
    rhomb_sequence_set_destroy(rows->sets[0]);
    rhomb_context_destroy(rows->ctx);
    *rows = (cli_range_rows){0};
}
