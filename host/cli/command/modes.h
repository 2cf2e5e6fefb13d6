/* SPDX-License-Identifier: MIT */
/* --mode and what goes with it, for `align` and `batch`. */
#ifndef RHOMB_CLI_MODES_H
#define RHOMB_CLI_MODES_H

#include "host/cli/base/words.h"
#include "host/cli/command/options.h"
#include "rhomb/local.h"

/* Modes besides those of rhomb_mode: free ends with a name, as edlib calls them. */
enum { CLI_MODE_INFIX = 100, CLI_MODE_PREFIX };

extern const cli_word cli_modes[6]; /* rhomb_mode, and these */

/* What --free-ends takes besides numbers. */
extern const cli_word cli_all[1];

/* free_ends.query_begin before options are read. */
enum { CLI_ENDS_NOT_GIVEN = -1 };

/*
 * Reads --free-ends into a rhomb_free_ends: QB,QE,TB,TE, or one of these for all of them, each a
 * number or "all". The exit status.
 */
int cli_read_free_ends(const cli_command *command, const char *text, void *ends);

/*
 * Gives named modes their free ends, and ends-free without any all of them: of the target alone
 * where matches score nothing, as an empty alignment would always be the best one. Values are for
 * the library to judge.
 */
void cli_settle_mode(const rhomb_scoring *scoring, rhomb_mode_options *mode);

/* Says how many alignments of those of `pairs` are empty, if any are. */
void cli_note_empty(int64_t empty, int64_t pairs, const rhomb_scoring *scoring, rhomb_mode mode,
                    const rhomb_free_ends *ends);

/* Rows of options; `at` is where the field is. */
#define CLI_ROW_MODE(at)                                                                      \
    CLI_CHOICE(                                                                               \
        "mode", at, cli_modes, "MODE",                                                        \
        "global (default), ends-free, infix, prefix, extend or local\n"                       \
        "global: from end to end; ends-free: ends may be left out, see --free-ends; infix: "  \
        "QUERY anywhere in TARGET; prefix: QUERY from where TARGET begins; extend: from the " \
        "beginnings, as far as the score grows; local: the parts of both whose alignment "    \
        "has the highest score. The last two need a match score")
#define CLI_ROW_FREE_ENDS(at)                                                               \
    CLI_READ_WORDS(                                                                         \
        "free-ends", cli_read_free_ends, at, cli_all, "QB,QE,TB,TE",                        \
        "with --mode ends-free: the most bases that cost nothing at the query's begin and " \
        "end, and at the target's, each a number or all; or one of these for all four. "    \
        "Default: all, or 0,0,all,all, which is --mode infix, where matches score nothing")
#define CLI_ROW_Z_DROP(at)                                                                 \
    CLI_VALUE("z-drop", 0, CLI_OPTION_COUNT, at, "NUM",                                    \
              "with --mode extend: stop where the score has dropped by more than NUM, as " \
              "minimap2 does; without it never")
#define CLI_ROW_END_BONUS(at)                                                                  \
    CLI_VALUE("end-bonus", 0, CLI_OPTION_COUNT, at, "NUM",                                     \
              "with --mode extend: prefer the end of the query if its score is within NUM of " \
              "the best one")

#endif
