/* SPDX-License-Identifier: MIT */
/* JSON of `--ranges`: an object for each row, a line each, `rhomb help schema rhomb.range.1`. */
#ifndef RHOMB_CLI_RANGE_OBJECTS_H
#define RHOMB_CLI_RANGE_OBJECTS_H

#include "host/cli/align/range_rows.h"
#include "host/cli/base/sink.h"

/* What has come of a row. */
typedef struct cli_range_outcome {
    bool has_path; /* else the path has no operations */
    bool exceeds;  /* --max-distance */
    const char *error;
} cli_range_outcome;

/* Writes the object of a row. `path` is of the alignment or, without one, of the row's ranges. */
void cli_write_range_object(cli_sink *sink, const cli_align_arguments *args,
                            const cli_range_row *row, const cli_path *path,
                            const cli_range_outcome *outcome);

#endif
