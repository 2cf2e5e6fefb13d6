/* SPDX-License-Identifier: MIT */
/*
 * rhomb_scoring_parse().
 */
#include "host/device/context.h"
#include "src/scoring/costs.h"

rhomb_status rhomb_scoring_parse(rhomb_context *ctx, const char *text, rhomb_scoring *out)
{
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (text == NULL || out == NULL)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "text and out must not be NULL");
    return rhomb__scoring_parse(&ctx->stream.error, text, out);
}
