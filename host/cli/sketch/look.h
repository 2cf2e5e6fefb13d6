/* SPDX-License-Identifier: MIT */
/*
 * What a look at two sequences before the work says to the user: what kind of pair they are, where
 * another command is better. It changes no result.
 */
#ifndef RHOMB_CLI_LOOK_H
#define RHOMB_CLI_LOOK_H

#include "host/cli/base/cli.h"
#include "host/cli/sketch/relation.h"

/* What a run has no option for, so that a word about it is of use. */
typedef struct cli_look_asked {
    bool strand;
    bool rotation;
    const char *prefix; /* of the words, such as the names of the pair; NULL: none */
} cli_look_asked;

/* Says what is unusual about a pair, and with -v what else was found; nothing for NULL. */
void cli_look_warn(const cli_relation *relation, const cli_look_asked *asked);

/*
 * Says where one sequence lies within the other one, if it has less than a fifth of its bases: end
 * to end that costs all the rest. Nothing for NULL.
 */
void cli_look_warn_within(const cli_relation *relation, const rhomb_sequence *target,
                          const rhomb_sequence *query);

#endif
