/* SPDX-License-Identifier: MIT */
/*
 * Names that formats can hold, see record_names.h.
 */
#include "host/cli/align/record_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The first character that is not allowed in a reference's name, NUL for none. */
static char bad_in_target_name(const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        if (*at <= ' ' || *at > '~' || strchr("\\,\"`'()[]{}<>", *at) != NULL ||
            (at == name && (*at == '*' || *at == '=')))
            return *at;
    }
    return '\0';
}

/* The same for a query's name. */
static char bad_in_query_name(const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        if (*at <= ' ' || *at > '~' || *at == '@' || (at == name && *at == '*' && at[1] == '\0'))
            return *at;
    }
    return '\0';
}

const char *cli_show_byte(char byte, cli_byte_text *text)
{
    if (byte > ' ' && byte <= '~')
        snprintf(text->at, sizeof text->at, "'%c'", byte);
    else
        snprintf(text->at, sizeof text->at, "byte 0x%02x", (unsigned)(unsigned char)byte);
    return text->at;
}

static bool lacks_name(const char *role, const char *name, char bad, int64_t most, char *why,
                       size_t size)
{
    cli_byte_text byte;
    const int64_t length = (int64_t)strlen(name);
    if (length == 0)
        snprintf(why, size, "the %s has no name", role);
    else if (length > most)
        snprintf(why, size,
                 "the name of the %s has %" PRId64 " characters: 1 to %" PRId64 " are allowed",
                 role, length, most);
    else if (bad != '\0')
        snprintf(why, size, "the name of the %s must not contain %s: '%s'", role,
                 cli_show_byte(bad, &byte), name);
    else
        return false;
    return true;
}

bool cli_lacks_target_name(const char *name, int64_t most, char *why, size_t size)
{
    return lacks_name("target", name, bad_in_target_name(name), most, why, size);
}

bool cli_lacks_query_name(const char *name, int64_t most, char *why, size_t size)
{
    return lacks_name("query", name, bad_in_query_name(name), most, why, size);
}
