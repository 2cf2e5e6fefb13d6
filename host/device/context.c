/* SPDX-License-Identifier: MIT */
/*
 * The log, see context.h.
 */
#include "host/device/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rhomb__log(rhomb_context *ctx, int level, const char *format, ...)
{
    char text[2048];
    va_list args;
    if (ctx->log == NULL)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *at = strchr(text, '\n'); at != NULL; at = strchr(at, '\n'))
        *at = ' ';
    ctx->log(level, text, ctx->log_user);
}
