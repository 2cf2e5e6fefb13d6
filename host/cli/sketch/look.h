/* SPDX-License-Identifier: MIT */
/*
 * A look at two sequences before the work: what kind of pair they are, as soon as both have been
 * read, while the device is still being opened. It warns of pairs for which another command is
 * better; it changes no result.
 */
#ifndef RHOMB_CLI_LOOK_H
#define RHOMB_CLI_LOOK_H

#include "host/cli/base/reader.h"
#include "host/cli/sketch/relation.h"

typedef struct cli_look cli_look;

/*
 * A look at what two readers will have read, with as many threads as the option means; `given` is
 * what is known of strand and rotation. cli_look_hook() is for cli_reader_start(), 0 for the target
 * and 1 for the query. Both readers must be started. NULL, without a message, if there is no memory
 * or nothing to look with; its hooks do nothing.
 */
cli_look *cli_look_create(int32_t threads, const cli_relation_options *given);
cli_reader_hook cli_look_hook(cli_look *look, int which);

/*
 * What was found, once both readers have finished. NULL if that was not possible. Belongs to the
 * look.
 */
const cli_relation *cli_look_relation(const cli_look *look);

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
void cli_look_warn_within(const cli_look *look);

/* Releases it; readers that have not finished keep it. NULL is allowed. */
void cli_look_release(cli_look *look);

#endif
