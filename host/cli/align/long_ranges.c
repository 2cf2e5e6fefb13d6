/* SPDX-License-Identifier: MIT */
/* Long rows of `--ranges`, see range_rows.h. */
#include "host/cli/align/range_rows.h"

#include "host/cli/pair/pair_run.h"
#include "host/cli/sketch/minimizers.h"
#include "host/cli/sketch/relation.h"

bool cli_range_is_long(const cli_range_row *row)
{
    const int64_t longer = row->pair.target_length > row->pair.query_length
                               ? row->pair.target_length
                               : row->pair.query_length;
    return longer >= CLI_LONG_RANGE && row->ambiguous != CLI_AMBIGUOUS_APART;
}

/* Opens the pool. */
static int start(cli_long_ranges *ranges)
{
    const cli_pair_arguments *pair = &ranges->args->pair;
    const cli_pool_options options = {.cache_dir = pair->cache_dir,
                                      .threads = pair->threads,
                                      .at_a_time = pair->at_a_time,
                                      .options = &pair->options,
                                      .how = &ranges->args->how};
    rhomb_status status = cli_context_create(&ranges->ctx, pair->cache_dir, pair->threads);
    if (status == RHOMB_OK)
        status = rhomb_context_open(ranges->ctx, pair->device, pair->open_flags);
    if (status != RHOMB_OK)
        return cli_fail(ranges->ctx, status);
    ranges->pool = cli_pool_start(ranges->ctx, &options);
    return ranges->pool != NULL ? CLI_OK : CLI_MEMORY;
}

/* Where the sketch believes that the path of a row leads. */
static void guide(const cli_pair_arguments *args, const rhomb_pair *pair, cli_task *task)
{
    cli_relation found = {0};
    const cli_two two = {.target = pair->target,
                         .target_length = pair->target_length,
                         .query = pair->query,
                         .query_length = pair->query_length};
    cli_relation_options options = cli_look_options(args, '+');
    options.threads = cli_space_limit() > 0 ? 1 : cli_threads_meant(args->threads);
    if (!cli_relate(&two, &options, &found) ||
        !cli_guide_make(&found, args->options.scoring, pair->target_length, pair->query_length,
                        false, 0, &task->guide, &task->points))
        task->guide.struct_size = 0;
    cli_relation_release(&found);
}

int cli_long_ranges_add(cli_long_ranges *ranges, cli_range_row *row)
{
    const cli_pair_arguments *args = &ranges->args->pair;
    const rhomb_pair *pair = &row->pair;
    const int status = ranges->pool == NULL ? start(ranges) : CLI_OK;
    if (status != CLI_OK)
        return status;
    row->task = calloc(1, sizeof *row->task);
    if (row->task == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    *row->task = (cli_task){.target = pair->target,
                            .target_length = pair->target_length,
                            .query = pair->query,
                            .query_length = pair->query_length,
                            .with_path = true};
    if (args->sketch && cli_has_minimizers && cli_is_dna(args->options.alphabet) &&
        ranges->args->how.mode == RHOMB_MODE_GLOBAL)
        guide(args, pair, row->task);
    ranges->rows++;
    ranges->bases += cli_task_bases(row->task);
    cli_pool_expect(ranges->pool, cli_task_bases(row->task));
    cli_pool_add(ranges->pool, row->task);
    return CLI_OK;
}

bool cli_long_ranges_are_enough(const cli_long_ranges *ranges)
{
    return ranges->pool != NULL && cli_pool_has_enough(ranges->pool, ranges->rows, ranges->bases);
}

int cli_long_ranges_wait(cli_long_ranges *ranges, const cli_range_row *row)
{
    ranges->rows--;
    ranges->bases -= cli_task_bases(row->task);
    return cli_pool_wait(ranges->pool, row->task);
}

void cli_long_ranges_close(cli_long_ranges *ranges)
{
    cli_pool_release(ranges->pool);
    rhomb_context_destroy(ranges->ctx);
}
