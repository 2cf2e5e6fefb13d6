/* SPDX-License-Identifier: MIT */
/*
 * SAM, BAM and CRAM as lines of PAF, so that paf.c reads them too: htslib reads a record, and what
 * of it PAF has becomes one line.
 *
 *     SAM                                   PAF
 *     clips, S and H                        the query's length and range, on its forward strand
 *     POS, and the CIGAR's reference bases  the target's range; its length is that of @SQ
 *     CIGAR without clips                   cg:Z, after all other tags
 *     NM, AS, nn, de, tp, sc, al, ro, bl    the same tags; tp:A:S for a secondary record
 *     unmapped                              a record with strand *
 *
 * Matches (column 10) are those of = or, where there is M, what NM leaves of it; without NM they
 * are not known, and written as *. The block length (column 11) is the longer of both ranges. Bases
 * and qualities are not read. Source: SAM format specification,
 * samtools.github.io/hts-specs/SAMv1.pdf.
 */
#ifndef RHOMB_SRC_SAM_LINES_H
#define RHOMB_SRC_SAM_LINES_H

#include "src/io/stream.h"

typedef struct rhomb__sam rhomb__sam;

/* Whether the file is SAM, BAM or CRAM; its bytes stay where they are. */
bool rhomb__sam_is(hFILE *file);

/*
 * Reads the header. `file` belongs to *out, or on failure is closed; `name` is borrowed, for
 * messages. RHOMB_ERR_INPUT without a header that is right, or a BAM file that is cut.
 */
rhomb_status rhomb__sam_open(rhomb__error *error, hFILE *file, const char *name, rhomb__sam **out);

/* The lines of the header of SAM, 0 of BAM and CRAM. */
int64_t rhomb__sam_head_lines(const rhomb__sam *sam);

/* The next record as a line, with its line end; *length is 0 after the last one. */
rhomb_status rhomb__sam_next(rhomb__sam *sam, const char **line, size_t *length);

/* Bytes of the file that have been read. */
int64_t rhomb__sam_tell(const rhomb__sam *sam);

/* NULL is allowed. */
void rhomb__sam_close(rhomb__sam *sam);

#endif
