/* SPDX-License-Identifier: MIT */
/* How PAF records name the scoring that their score is by, and what matches. */
#ifndef RHOMB_CLI_SCORING_TAG_H
#define RHOMB_CLI_SCORING_TAG_H

#include "host/cli/base/text_buffer.h"
#include "rhomb/scoring.h"

/* Whether a scoring is that of the edit distance. */
bool cli_is_edit(const rhomb_scoring *scoring);

/* Appends the tag sc, with the values of a scoring and not by a name; nothing for unit costs. */
void cli_append_scoring_tag(cli_buffer *out, const rhomb_scoring *scoring);

/* What matches is that of RHOMB_ALPHABET_IUPAC; a record of other alphabets has no tag. */
#define CLI_IUPAC_TAG "\tal:Z:iupac"

#endif
