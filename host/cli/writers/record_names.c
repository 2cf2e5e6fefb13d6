/* SPDX-License-Identifier: MIT */
/* What SAM, BAM and VCF can hold, see align_formats.h. */
#include "host/cli/writers/align_formats.h"

#include <ctype.h>

#include "host/cli/base/text_buffer.h"
#include "host/cli/many/many.h"

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

static const char *show_byte(char byte, cli_byte_text *text)
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
                 show_byte(bad, &byte), name);
    else
        return false;
    return true;
}

bool cli_lacks_target_name(const char *name, int64_t most, char *why, size_t size)
{
    return lacks_name("target", name, bad_in_target_name(name), most, why, size);
}

static bool lacks_query_name(const char *name, int64_t most, char *why, size_t size)
{
    return lacks_name("query", name, bad_in_query_name(name), most, why, size);
}

/* BAM's limits: 31 bits for lengths and sizes, 28 for an operation, 8 for a name and its NUL. */
static const int64_t LENGTH_MOST = INT32_MAX;
static const int64_t OPERATION_MOST = (INT64_C(1) << 28) - 1;
enum { NAME_MOST = 254, FIXED_BYTES = 32, TAG_BYTES = 192, CLIPS_MOST = 4 };

/* Bases of a record of the query: at most all that were read. */
static int64_t whole_bases(const cli_path *path)
{
    return path->side != NULL ? path->side->length : path->query_length;
}

static bool lacks_length(const char *role, int64_t length, int64_t least, char *why, size_t size)
{
    if (length >= least && length <= LENGTH_MOST)
        return false;
    snprintf(why, size, "the %s has %" PRId64 " bases: %" PRId64 " to %" PRId64 " are allowed",
             role, length, least, LENGTH_MOST);
    return true;
}

static bool lacks_clip(const char *where, int64_t length, char *why, size_t size)
{
    if (length <= OPERATION_MOST)
        return false;
    snprintf(why, size,
             "the query's record has %" PRId64 " bases %s the region: up to %" PRId64
             " are allowed",
             length, where, OPERATION_MOST);
    return true;
}

bool cli_lacks_sam_target(const char *name, int64_t length, char *why, size_t size)
{
    return cli_lacks_target_name(name, NAME_MOST, why, size) ||
           lacks_length("target", length, 1, why, size);
}

bool cli_sam_lacks_sequences(const cli_path *path, char *why, size_t size)
{
    if (cli_lacks_sam_target(path->target_name, cli_path_target_record(path), why, size) ||
        lacks_query_name(path->query_name, NAME_MOST, why, size) ||
        lacks_length("query", whole_bases(path), 0, why, size) ||
        lacks_clip("before", path->query_before, why, size) ||
        lacks_clip("after", path->query_after, why, size))
        return true;
    cli_byte_text byte;
    /* Blocks are of DNA, which has bases alone, and there may be many. */
    const bool is_block = path->side == NULL || path->block > 0;
    const char *bases = is_block ? path->query : path->side->bases;
    const int64_t count = is_block ? path->query_length : path->side->length;
    for (int64_t i = 0; i < count; i++) {
        if (isalpha((unsigned char)bases[i]))
            continue;
        snprintf(why, size, "character %" PRId64 " of the query is %s: A to Z are allowed", i + 1,
                 show_byte(bases[i], &byte));
        return true;
    }
    return false;
}

/* The most that MD takes: an operation has a number, and a character for each base. */
static int64_t md_bytes(const cli_path *path)
{
    int64_t bytes = CLI_NUMBER_BYTES;
    for (int64_t i = 0; i < path->count; i++) {
        const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(path->ops[i]);
        const unsigned code = (unsigned)RHOMB_CIGAR_CODE(path->ops[i]);
        if (code == RHOMB_CIGAR_X || code == RHOMB_CIGAR_D)
            bytes += CLI_NUMBER_BYTES + (code == RHOMB_CIGAR_X ? 2 : 1) * length;
    }
    return bytes;
}

bool cli_sam_lacks_path(const cli_path *path, char *why, size_t size)
{
    int64_t length = 0, number = 0;
    char letter = '\0';
    for (int64_t i = 0; i < path->count; i++) {
        const char next = cli_path_letter(path, (unsigned)RHOMB_CIGAR_CODE(path->ops[i]));
        length = (next == letter ? length : 0) + (int64_t)RHOMB_CIGAR_LENGTH(path->ops[i]);
        number += next != letter;
        letter = next;
        if (length <= OPERATION_MOST)
            continue;
        snprintf(why, size,
                 "operation %" PRId64 " is %" PRId64 "%c: up to %" PRId64 " bases are allowed",
                 number, length, letter, OPERATION_MOST);
        return true;
    }
    /* A base takes half a byte, a quality one, an operation four, wherever BAM stores it. */
    const int64_t bytes = FIXED_BYTES + TAG_BYTES + (int64_t)strlen(path->query_name) + 1 +
                          (whole_bases(path) + 1) / 2 + whole_bases(path) +
                          4 * (path->count + CLIPS_MOST) + (path->md ? md_bytes(path) : 0);
    if (bytes <= LENGTH_MOST)
        return false;
    snprintf(why, size, "the record would have %" PRId64 " bytes: up to %" PRId64 " are allowed",
             bytes, LENGTH_MOST);
    return true;
}
