/* SPDX-License-Identifier: MIT */
/*
 * The collinear blocks of one pair, see pair_blocks.h.
 */
#include "host/cli/pair/pair_blocks.h"

#include "host/cli/sketch/extend.h"

static cli_side side_of(const rhomb_sequence *sequence)
{
    const int64_t before = rhomb_sequence_record_begin(sequence);
    const int64_t length = rhomb_sequence_length(sequence);
    return (cli_side){.file = rhomb_sequence_path(sequence),
                      .name = rhomb_sequence_record(sequence),
                      .bases = rhomb_sequence_bases(sequence),
                      .length = length,
                      .before = before,
                      .after = rhomb_sequence_record_length(sequence) - before - length};
}

int cli_pair_add_blocks(const cli_pair_job *job, cli_many *many)
{
    const cli_run *run = &job->run;
    cli_pair pair = {.target = side_of(run->target), .query = side_of(run->query), .is_last = true};
    const cli_two two = {pair.target.bases, pair.target.length, pair.query.bases,
                         pair.query.length};
    const cli_relation *found = cli_look_relation(job->look);
    if (found == NULL || !cli_blocks_extend(&two, NULL, found->blocks, found->count))
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    if (found->count > 0)
        cli_note(0, "%zu collinear block%s, %zu inverted", found->count,
                 cli_s((int64_t)found->count), found->inverted);
    pair.similarity = found->similarity;
    cli_many_expect(many, cli_blocks_bases(found->blocks, found->count));
    return cli_many_add_blocks(many, &pair, found->blocks, found->count);
}
