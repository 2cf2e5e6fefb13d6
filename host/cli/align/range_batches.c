/* SPDX-License-Identifier: MIT */
/*
 * Batches of rows of `--ranges`, see range_batches.h.
 */
#include "host/cli/align/range_batches.h"

/*
 * Rows of the second batch are solved once they and the held results have so many bytes. Fewer make
 * jobs too small, which matters below some MB; more are memory alone.
 */
static const int64_t WAITING_BYTES = INT64_C(1) << 26;

void cli_range_batches_start(cli_range_batches *batches, const cli_align_arguments *args,
                             rhomb_context *ctx)
{
    batches->args = args;
    batches->ctx = ctx;
    batches->own.all = batches->ambiguous.all = batches;
    batches->own.last = &batches->own.first;
    batches->ambiguous.last = &batches->ambiguous.first;
}

/* A row whose longest piece is a larger part of it has more from its guide. */
enum { LEAST_PIECES = 4 };

/* The pairs between anchors. The bases of the longest one. */
static int64_t fill_pieces(const rhomb_pair *whole, cli_range_pieces *pieces)
{
    int64_t target = 0, query = 0, longest = 0;
    for (size_t i = 0; i < pieces->count; i++) {
        const rhomb_anchor end = {whole->target_length, whole->query_length, 0};
        const rhomb_anchor *next = i + 1 < pieces->count ? &pieces->anchors[i] : &end;
        const rhomb_pair piece = {whole->target + target, next->target - target,
                                  whole->query + query, next->query - query};
        const int64_t bases = piece.target_length + piece.query_length;
        longest = bases > longest ? bases : longest;
        pieces->pairs[i] = piece;
        target = next->target + next->length;
        query = next->query + next->length;
    }
    return longest;
}

/* Whether anchors are worth to be looked for: those of edits would take longer than the path. */
static bool can_cut(const cli_align_arguments *args, const cli_range_row *row)
{
    const rhomb_options *o = &args->pair.options;
    return row->fault == NULL && args->how.mode == RHOMB_MODE_GLOBAL &&
           o->alphabet == RHOMB_ALPHABET_DNA && o->max_distance == RHOMB_NO_LIMIT &&
           o->engine == RHOMB_ENGINE_AUTO && row->scoring != NULL && row->scoring->matrix == NULL;
}

int cli_range_batches_cut(const cli_range_batches *batches, cli_range_row *row)
{
    size_t count = 0;
    if (!can_cut(batches->args, row))
        return CLI_OK;
    cli_range_pieces *pieces = calloc(1, sizeof *pieces);
    if (pieces == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    const rhomb_status status = rhomb_anchors_find(
        &row->pair, row->scoring, batches->args->pair.threads, &pieces->anchors, &count);
    pieces->count = count + 1;
    pieces->pairs = malloc(pieces->count * sizeof *pieces->pairs);
    const int64_t bases = row->pair.target_length + row->pair.query_length;
    if (status != RHOMB_OK || pieces->pairs == NULL ||
        fill_pieces(&row->pair, pieces) > bases / LEAST_PIECES) {
        const bool fails = status != RHOMB_OK || pieces->pairs == NULL;
        cli_range_pieces_free(pieces);
        return fails ? cli_fail(NULL, RHOMB_ERR_MEMORY) : CLI_OK;
    }
    cli_note(2, "line %" PRId64 ": in %zu pieces between %zu anchors", row->line, pieces->count,
             count);
    row->pieces = pieces;
    return CLI_OK;
}

/* Takes the path of a row's next piece, and the anchor after it. Whether there are no more. */
static bool take_piece(cli_range_pieces *pieces, const rhomb_pair_result *pair)
{
    const rhomb_anchor *anchor =
        pieces->done + 1 < pieces->count ? &pieces->anchors[pieces->done] : NULL;
    if (pieces->status == RHOMB_OK && pair->status != RHOMB_OK) {
        pieces->status = pair->status;
        pieces->detail = pair->detail != NULL ? strdup(pair->detail) : NULL;
    }
    for (int64_t i = 0; i < pair->cigar_count; i++)
        cli_range_append_op(&pieces->ops, (unsigned)RHOMB_CIGAR_CODE(pair->cigar[i]),
                            (int64_t)RHOMB_CIGAR_LENGTH(pair->cigar[i]));
    if (anchor != NULL)
        cli_range_append_op(&pieces->ops, RHOMB_CIGAR_EQ, anchor->length);
    return ++pieces->done == pieces->count;
}

static cli_range_result result_of_pieces(const cli_range_pieces *pieces)
{
    return (cli_range_result){.status = pieces->ops.failed ? RHOMB_ERR_MEMORY : pieces->status,
                              .detail = pieces->detail,
                              .ops = (const rhomb_path_op *)(const void *)pieces->ops.data,
                              .count = (int64_t)(pieces->ops.length / sizeof(rhomb_path_op))};
}

/* A pair's operations get the type that long paths have. A matrix goes without a bound: here it is.
 */
static cli_range_result result_of(cli_range_batches *batches, const rhomb_pair_result *pair)
{
    const size_t bytes = (size_t)pair->cigar_count * sizeof(rhomb_path_op);
    const int64_t bound = batches->args->pair.options.max_distance;
    batches->ops.length = 0;
    rhomb_path_op *ops = (rhomb_path_op *)(void *)cli_buffer_room(&batches->ops, bytes);
    for (int64_t i = 0; ops != NULL && i < pair->cigar_count; i++)
        ops[i] = pair->cigar[i];
    return (cli_range_result){.status = batches->ops.failed ? RHOMB_ERR_MEMORY : pair->status,
                              .detail = pair->detail,
                              .exceeds = pair->distance < 0 ||
                                         (bound != RHOMB_NO_LIMIT && pair->distance > bound),
                              .ops = ops,
                              .count = pair->cigar_count,
                              .extent = pair->extent};
}

/* A rhomb_batch_fn. */
static int deliver(int64_t first, const rhomb_pair_result *const *results, size_t count, void *user)
{
    cli_range_batch *own = user;
    cli_range_batches *batches = own->all;
    (void)first;
    for (size_t i = 0; i < count && batches->status == CLI_OK; i++) {
        cli_range_row *row = own->first;
        if (row->pieces != NULL && !take_piece(row->pieces, results[i]))
            continue;
        const cli_range_result result =
            row->pieces != NULL ? result_of_pieces(row->pieces) : result_of(batches, results[i]);
        own->first = row->after;
        if (own->first == NULL)
            own->last = &own->first;
        batches->status = batches->take(row, &result, batches->user);
    }
    if (batches->status == CLI_OK)
        batches->status = batches->pause(batches->user);
    return batches->status != CLI_OK;
}

/* For the first row that is not long: its programs may take seconds to compile. */
static int create(cli_range_batch *own)
{
    cli_range_batches *batches = own->all;
    const cli_align_arguments *args = batches->args;
    const bool is_ambiguous = own == &batches->ambiguous;
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    options.max_distance = is_ambiguous ? RHOMB_NO_LIMIT : args->pair.options.max_distance;
    options.alphabet = args->pair.options.alphabet;
    options.cigar = true;
    options.borrow_pairs = true; /* rows are kept until their results are written */
    options.results = deliver;
    options.user = own;
    options.scoring = is_ambiguous ? cli_score_costs(&args->ambiguous) : args->pair.options.scoring;
    options.mode = args->how.mode;
    options.free_ends = args->how.free_ends;
    options.z_drop = args->how.z_drop;
    options.end_bonus = args->how.end_bonus;
    const rhomb_status status = rhomb_batch_create(batches->ctx, &options, &own->batch);
    return status == RHOMB_OK ? CLI_OK : cli_fail(batches->ctx, status);
}

/* The exit status of a call of the library, which may have delivered results. */
static int status_of(const cli_range_batches *batches, rhomb_status status)
{
    return batches->status != CLI_OK ? batches->status
           : status != RHOMB_OK      ? cli_fail(batches->ctx, status)
                                     : CLI_OK;
}

static int add_to(cli_range_batch *own, cli_range_row *row)
{
    const int status = own->batch == NULL ? create(own) : CLI_OK;
    const rhomb_pair *pairs = row->pieces != NULL ? row->pieces->pairs : &row->pair;
    const size_t count = row->pieces != NULL ? row->pieces->count : 1;
    return status == CLI_OK ? status_of(own->all, rhomb_batch_add(own->batch, pairs, count))
                            : status;
}

/* Solves the rows that wait for their turn. */
static int solve_waiting(cli_range_batches *batches)
{
    cli_range_batch *own = &batches->ambiguous;
    int status = CLI_OK;
    for (cli_range_row *next, *row = own->first; status == CLI_OK && row != NULL; row = next) {
        next = row->after; /* the row itself may be freed by then */
        status = add_to(own, row);
    }
    if (status == CLI_OK && own->batch != NULL)
        status = status_of(batches, rhomb_batch_finish(own->batch));
    batches->waiting_bytes = 0;
    return status;
}

int cli_range_batches_add(cli_range_batches *batches, cli_range_row *row)
{
    const bool waits = row->scoring != batches->args->pair.options.scoring;
    cli_range_batch *own = waits ? &batches->ambiguous : &batches->own;
    row->after = NULL;
    *own->last = row;
    own->last = &row->after;
    if (waits)
        batches->waiting_bytes +=
            (int64_t)sizeof *row + row->pair.target_length + row->pair.query_length;
    const int status = waits ? CLI_OK : add_to(own, row);
    return status == CLI_OK && batches->waiting_bytes > WAITING_BYTES
               ? cli_range_batches_finish(batches)
               : status;
}

int cli_range_batches_hold(cli_range_batches *batches, cli_range_row *row,
                           const cli_range_result *result)
{
    /* The copy, its operations and its detail are one piece of memory. */
    const char *detail = result->detail != NULL ? result->detail : "";
    const size_t op_bytes = (size_t)result->count * sizeof *result->ops;
    const size_t bytes = sizeof *result + op_bytes + strlen(detail) + 1;
    char *copy = malloc(bytes);
    if (copy == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    row->held = (cli_range_result *)(void *)copy;
    *row->held = *result;
    row->held->extent = NULL; /* of other modes than GLOBAL, which have no audit */
    row->held->ops = (rhomb_path_op *)(void *)(copy + sizeof *result);
    row->held->detail = result->detail != NULL ? copy + sizeof *result + op_bytes : NULL;
    if (op_bytes > 0)
        memcpy(copy + sizeof *result, result->ops, op_bytes);
    memcpy(copy + sizeof *result + op_bytes, detail, strlen(detail) + 1);
    batches->waiting_bytes += (int64_t)(sizeof *row + bytes);
    return CLI_OK;
}

int cli_range_batches_finish(cli_range_batches *batches)
{
    const rhomb_status status =
        batches->own.batch != NULL ? rhomb_batch_finish(batches->own.batch) : RHOMB_OK;
    const int finished = status_of(batches, status);
    return finished == CLI_OK ? solve_waiting(batches) : finished;
}

void cli_range_batches_close(cli_range_batches *batches)
{
    rhomb_batch_destroy(batches->own.batch);
    rhomb_batch_destroy(batches->ambiguous.batch);
    cli_buffer_release(&batches->ops);
}
