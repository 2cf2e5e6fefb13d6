/* SPDX-License-Identifier: MIT */
/* The target of each query, see match.h. */
#include "host/cli/many/match.h"

#include "host/cli/sketch/votes.h"

/* Has a record vote, or be voted for where `vote` is NULL. The exit status. */
static int look_at(cli_votes *votes, cli_assembly_reader *reader, size_t index, int64_t length,
                   cli_vote *vote)
{
    const char *bases = NULL;
    rhomb_sequence *owned = NULL;
    int status = cli_assembly_bases(reader, index, &bases, &owned);
    if (status == CLI_OK && !(vote == NULL ? cli_votes_add(votes, bases, length)
                                           : cli_votes_of(votes, bases, length, vote)))
        status = cli_fail(NULL, RHOMB_ERR_MEMORY);
    rhomb_sequence_destroy(owned);
    return status;
}

int cli_best_target(cli_assembly_reader *const readers[2], const cli_assembly *const assemblies[2],
                    cli_couples *couples)
{
    const cli_assembly *target = assemblies[0], *query = assemblies[1];
    int64_t bases = 0;
    int status = CLI_OK;
    for (size_t i = 0; i < target->count; i++)
        bases += target->records[i].length;
    cli_votes votes = cli_votes_begin(bases);
    for (size_t i = 0; i < target->count && status == CLI_OK; i++)
        status = look_at(&votes, readers[0], i, target->records[i].length, NULL);
    if (status == CLI_OK && !cli_votes_end(&votes))
        status = cli_fail(NULL, RHOMB_ERR_MEMORY);
    for (size_t i = 0; i < query->count && status == CLI_OK; i++) {
        cli_vote vote = {.is_any = false};
        status = look_at(&votes, readers[1], i, query->records[i].length, &vote);
        const cli_couple couple = {
            .target = vote.sequence, .query = i, .strand = vote.reverse ? '-' : '+'};
        if (status == CLI_OK && vote.is_any && !cli_couples_add(couples, couple))
            status = cli_fail(NULL, RHOMB_ERR_MEMORY);
    }
    cli_votes_release(&votes);
    return status;
}
