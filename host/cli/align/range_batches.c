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
        const cli_range_result result = result_of(batches, results[i]);
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
    return status == CLI_OK ? status_of(own->all, rhomb_batch_add(own->batch, &row->pair, 1))
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
