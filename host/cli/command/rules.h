/* SPDX-License-Identifier: MIT */
/* Checks and prints the rules of a command (command.h): which options go together. */
#ifndef RHOMB_CLI_RULES_H
#define RHOMB_CLI_RULES_H

#include "host/cli/command/command.h"

/* What was given of a command line: values[i] of option i, in the order of the lists, or NULL. */
typedef struct cli_given {
    const cli_command *command;
    const void *arguments;
    const char *const *values;
} cli_given;

/* Returns CLI_OK, or CLI_USAGE after the message of the first rule that is broken. */
int cli_check_rules(const cli_given *given);

/* Prints the rules of a command on standard output, one per line. */
void cli_show_rules(const cli_command *command);

#endif
