/* SPDX-License-Identifier: MIT */
/*
 * --mode and what goes with it, for `align` and `batch`.
 */
#ifndef RHOMB_CLI_MODES_H
#define RHOMB_CLI_MODES_H

#include "host/cli/base/options.h"
#include "host/cli/base/words.h"
#include "rhomb/local.h"

extern const cli_word cli_modes[4]; /* rhomb_mode */

/* The value of --free-ends: QB,QE,TB,TE, or one number for all of them. The exit status. */
int cli_read_free_ends(const cli_command *command, const char *text, rhomb_free_ends *ends);

/* Refuses options of other modes. Values are for the library to judge. The exit status. */
int cli_check_mode(const cli_command *command, const rhomb_mode_options *mode);

/* Rows of options; `set` reads --free-ends, `at` is where the others' fields are. */
#define CLI_ROW_MODE(at, help) CLI_CHOICE("mode", at, cli_modes, "MODE", help)
#define CLI_ROW_FREE_ENDS(set)                                                            \
    CLI_READ("free-ends", 0, set, "QB,QE,TB,TE",                                          \
             "the most bases that cost nothing at the query's begin and end, and at the " \
             "target's; or one number for all; with --mode ends-free")
#define CLI_ROW_Z_DROP(at)                                                                 \
    CLI_VALUE("z-drop", 0, CLI_OPTION_COUNT, at, "NUM",                                    \
              "with --mode extend: stop where the score has dropped by more than NUM, as " \
              "minimap2 does; without it never")
#define CLI_ROW_END_BONUS(at)                                                                  \
    CLI_VALUE("end-bonus", 0, CLI_OPTION_COUNT, at, "NUM",                                     \
              "with --mode extend: prefer the end of the query if its score is within NUM of " \
              "the best one")

#endif
