/* SPDX-License-Identifier: MIT */
/*
 * rhomb_align() and what it returns.
 */
#include "host/device/context.h"
#include "host/divide/alignment.h"
#include "host/local/long_local.h"

#include <stdlib.h>

rhomb_status rhomb_align(rhomb_context *ctx, const char *target, int64_t target_length,
                         const char *query, int64_t query_length, const rhomb_options *options,
                         rhomb_alignment **out)
{
    const rhomb_pair pair = {target, target_length, query, query_length};
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (out == NULL)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "out must not be NULL");
    return rhomb__long_has_matrix(options) ? rhomb__long_align(ctx, &pair, -1, options, out)
                                           : rhomb__align_pair(ctx, &pair, -1, options, out);
}

const rhomb_path_op *rhomb_alignment_path(const rhomb_alignment *alignment, int64_t *count)
{
    if (count != NULL)
        *count = alignment != NULL ? alignment->path.count : 0;
    return alignment != NULL ? alignment->path.ops : NULL;
}

const rhomb_align_report *rhomb_alignment_report(const rhomb_alignment *alignment)
{
    return alignment != NULL ? &alignment->report : NULL;
}

const rhomb_local_report *rhomb_alignment_local(const rhomb_alignment *alignment)
{
    return alignment != NULL && alignment->is_local ? &alignment->local : NULL;
}

void rhomb_alignment_destroy(rhomb_alignment *alignment)
{
    if (alignment == NULL)
        return;
    rhomb__path_release(&alignment->path);
    free(alignment);
}
