/* SPDX-License-Identifier: MIT */
/*
 * See text.h. C11 has no asprintf(): the text is formatted twice, the first time to measure it.
 */
#include "src/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

char *rhomb__format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text != NULL) {
        va_start(args, format);
        vsnprintf(text, (size_t)length + 1, format, args);
        va_end(args);
    }
    return text;
}
