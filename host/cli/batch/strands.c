/* SPDX-License-Identifier: MIT */
/* Strands of queries, see matched.h. */
#include "host/cli/batch/matched.h"

#include "host/cli/base/cli.h"

void cli_strands_drop(cli_load *load)
{
    for (size_t i = 0; i < load->oriented_count; i++)
        if (load->on_reverse[i])
            free((char *)(uintptr_t)load->oriented[i].query);
    free(load->oriented);
    free(load->on_reverse);
    load->oriented = NULL;
    load->reverse = load->on_reverse = NULL;
    load->oriented_count = 0;
}

/* Has the target of a pair voted for. False without memory. */
static bool take_target(cli_strands *s, const rhomb_pair *pair)
{
    if (s->has_votes && s->has_one_target)
        return true;
    cli_votes_release(&s->votes);
    s->votes = cli_votes_begin(pair->target_length);
    s->has_votes =
        cli_votes_add(&s->votes, pair->target, pair->target_length) && cli_votes_end(&s->votes);
    return s->has_votes;
}

bool cli_strands_choose(cli_strands *s, cli_load *load)
{
    const rhomb_pair_chunk *chunk = load->chunk;
    cli_strands_drop(load);
    load->oriented = calloc(chunk->count + 1, sizeof *load->oriented);
    load->reverse = load->on_reverse = calloc(chunk->count + 1, sizeof *load->on_reverse);
    if (load->oriented == NULL || load->on_reverse == NULL)
        return false;
    for (size_t i = 0; i < chunk->count; i++) {
        rhomb_pair *pair = &load->oriented[i];
        cli_vote vote = {.is_any = false};
        *pair = chunk->pairs[i];
        load->oriented_count = i + 1;
        if (pair->target_length == 0 || pair->query_length == 0)
            continue;
        if (!take_target(s, pair) ||
            !cli_votes_of(&s->votes, pair->query, pair->query_length, &vote))
            return false;
        if (!vote.is_any || !vote.reverse)
            continue;
        char *turned = cli_orient(pair->query, pair->query_length, true, 0);
        if (turned == NULL)
            return false;
        pair->query = turned;
        load->on_reverse[i] = true;
    }
    return true;
}
