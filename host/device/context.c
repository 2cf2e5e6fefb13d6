/* SPDX-License-Identifier: MIT */
/*
 * The log, see context.h.
 */
#include "host/device/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rhomb__log(rhomb__device_stream *stream, int level, const char *format, ...)
{
    char text[2048];
    va_list args;
    if (stream->log == NULL)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *at = strchr(text, '\n'); at != NULL; at = strchr(at, '\n'))
        *at = ' ';
    stream->log(level, text, stream->log_user);
}
