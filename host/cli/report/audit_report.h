/* SPDX-License-Identifier: MIT */
/*
 * `rhomb report --audit`: what alignments lost, by an audit of `rhomb align --ranges`: how many
 * rows lost how much, and whether long rows lose more.
 */
#ifndef RHOMB_CLI_AUDIT_REPORT_H
#define RHOMB_CLI_AUDIT_REPORT_H

#include "host/cli/report/report_run.h"

/* Reads the file that args->audit names and writes the report; the exit status. */
int cli_audit_report(const cli_report_arguments *args, int argc, char **argv);

#endif
