/* SPDX-License-Identifier: MIT */
/* The page of HTML that `rhomb plot` makes, for another command that has something to add. */
#ifndef RHOMB_CLI_PLOT_PAGE_H
#define RHOMB_CLI_PLOT_PAGE_H

#include "host/cli/base/cli.h"
#include "host/cli/base/text_buffer.h"

/*
 * Writes the page of a PAF file, which is read, to the open output, which the caller commits;
 * `above` is HTML above the picture, and 0 the default of the least identity. An exit status; the
 * message has been printed. Where cli_command_plot is left out of the build, that is the message.
 */
int cli_plot_page(const char *paf, double least_identity, const cli_buffer *above, int argc,
                  char **argv, cli_output *output);

#endif
