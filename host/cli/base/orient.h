/* SPDX-License-Identifier: MIT */
/* Sequences on the other strand, and from another base of a circle on. */
#ifndef RHOMB_CLI_ORIENT_H
#define RHOMB_CLI_ORIENT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A copy of a DNA sequence: its reverse complement if `reverse` is set, of which the first
 * `rotation` bases (up to `length`) then come last. IUPAC codes have their complements, U has A;
 * the case stays, and so does any other byte. A NUL follows. The caller frees it; NULL without
 * memory.
 */
char *cli_orient(const char *bases, int64_t length, bool reverse, int64_t rotation);

#endif
