/* SPDX-License-Identifier: MIT */
/* See text_buffer.h. */
#include "host/cli/base/text_buffer.h"

bool cli_is_edit(const rhomb_scoring *s)
{
    return s->matrix == NULL && s->match <= 0 && s->gap_open_2 < 0 && s->mismatch == 1 &&
           s->gap_open == 0 && s->gap_extend == 1;
}

void cli_append_scoring_tag(cli_buffer *out, const rhomb_scoring *s)
{
    const bool scores = s->match > 0, has_second = s->gap_open_2 >= 0;
    const int64_t values[] = {s->match,      s->mismatch,   s->gap_open,
                              s->gap_extend, s->gap_open_2, s->gap_extend_2};
    if (cli_is_edit(s))
        return;
    cli_append_text(out, s->matrix != NULL ? "\tsc:Z:matrix:"
                         : scores          ? "\tsc:Z:match:"
                         : has_second      ? "\tsc:Z:affine2p:"
                                           : "\tsc:Z:affine:");
    if (s->matrix != NULL) {
        cli_append_field(out, s->matrix->name);
        cli_append_text(out, ",");
    }
    for (int i = s->matrix != NULL ? 2 : scores ? 0 : 1; i < (has_second ? 6 : 4); i++) {
        cli_append_number(out, values[i]);
        cli_append_text(out, i < (has_second ? 5 : 3) ? "," : "");
    }
}
