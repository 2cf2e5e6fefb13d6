/* SPDX-License-Identifier: MIT */
/*
 * Text that is built in memory before it is written: rows of batches and of alignments. It has its
 * own formatting, because printf() would take longer than computing what the rows report.
 */
#ifndef RHOMB_CLI_TEXT_BUFFER_H
#define RHOMB_CLI_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rhomb/scoring.h"

#if defined(__GNUC__)
#    define CLI_PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))
#else
#    define CLI_PRINTF(format_at, args_at)
#endif

/* A growing array of bytes. All zeros is empty. */
typedef struct cli_buffer {
    char *data;
    size_t length;
    size_t capacity;
    bool failed; /* out of memory; nothing more is appended */
} cli_buffer;

enum { CLI_NUMBER_BYTES = 20 /* of an int64_t at most */ };

void cli_buffer_release(cli_buffer *buffer);

/* The slow path of cli_buffer_room(). */
char *cli_buffer_grow(cli_buffer *out, size_t bytes);

/* Makes room; NULL if out of memory, and the buffer has failed. */
static inline char *cli_buffer_room(cli_buffer *out, size_t bytes)
{
    if (out->data == NULL || out->failed || out->capacity - out->length < bytes)
        return cli_buffer_grow(out, bytes);
    return out->data + out->length;
}

/* Adds what has been written up to `end` to the buffer. */
static inline void cli_buffer_taken(cli_buffer *out, const char *end)
{
    out->length = (size_t)(end - out->data);
}

/*
 * The following functions write to existing room and return where the text ends. They may overwrite
 * all of a number's room, however short the number is.
 */

/* The four digits of a number below 10,000, the first one in the lowest byte. */
static inline uint32_t cli_four_digits(uint32_t number)
{
    static const char digits[] = "00010203040506070809101112131415161718192021222324"
                                 "25262728293031323334353637383940414243444546474849"
                                 "50515253545556575859606162636465666768697071727374"
                                 "75767778798081828384858687888990919293949596979899";
    const char *high = digits + 2 * (number / 100), *low = digits + 2 * (number % 100);
    return (uint32_t)(unsigned char)high[0] | (uint32_t)(unsigned char)high[1] << 8 |
           (uint32_t)(unsigned char)low[0] << 16 | (uint32_t)(unsigned char)low[1] << 24;
}

/* Four bytes, the lowest one first; compilers make it one move. */
static inline void cli_put_four(char *at, uint32_t text)
{
    at[0] = (char)(text & 255);
    at[1] = (char)(text >> 8 & 255);
    at[2] = (char)(text >> 16 & 255);
    at[3] = (char)(text >> 24);
}

char *cli_put_large_number(char *at, uint64_t number);

/* Counts the digits without a branch, as their number is hard to predict. */
static inline char *cli_put_number(char *at, uint64_t number)
{
    if (number >= 10000)
        return cli_put_large_number(at, number);
    const unsigned leading = (number < 10) + (number < 100) + (number < 1000);
    cli_put_four(at, cli_four_digits((uint32_t)number) >> 8 * leading);
    return at + 4 - leading;
}

static inline char *cli_put_text(char *at, const char *text)
{
    const size_t length = strlen(text);
    memcpy(at, text, length);
    return at + length;
}

/* A TSV field, in 2 * strlen(text) + 1 bytes: characters that would end it are escaped, and empty
 * text is a dot. */
char *cli_put_field(char *at, const char *text);
/* A JSON string, in 6 * strlen(text) + 2 bytes; bytes that are not UTF-8 become U+FFFD. */
char *cli_put_string(char *at, const char *text);

static inline void cli_append_bytes(cli_buffer *out, const char *bytes, size_t count)
{
    char *at = cli_buffer_room(out, count);
    if (at == NULL)
        return;
    memcpy(at, bytes, count);
    cli_buffer_taken(out, at + count);
}

static inline void cli_append_text(cli_buffer *out, const char *text)
{
    cli_append_bytes(out, text, strlen(text));
}

/* As printf(), for what is not a row of many. */
void cli_append_format(cli_buffer *out, const char *format, ...) CLI_PRINTF(2, 3);

/* A number that is not negative. */
static inline void cli_append_number(cli_buffer *out, int64_t number)
{
    char *at = cli_buffer_room(out, CLI_NUMBER_BYTES);
    if (at != NULL)
        cli_buffer_taken(out, cli_put_number(at, (uint64_t)number));
}

/* Any number, after some text. */
static inline void cli_append_labelled(cli_buffer *out, const char *label, int64_t number)
{
    cli_append_text(out, label);
    if (number < 0)
        cli_append_text(out, "-");
    cli_append_number(out, number < 0 ? -number : number);
}

/* The length of the UTF-8 sequence at `text`, 0 if there is none (overlong forms included). */
size_t cli_utf8_length(const char *text);

/* A text as it is written in XML and HTML; it is UTF-8. */
void cli_append_escaped(cli_buffer *out, const char *text);

/* A TSV field, see cli_put_field(), and a JSON string, see cli_put_string(). */
void cli_append_field(cli_buffer *out, const char *text);
void cli_append_string(cli_buffer *out, const char *text);

/*
 * The similarity of a pair as text, the same in the TSV rows of `rhomb batch` and `rhomb distance`.
 */

enum { CLI_SIMILARITY_BYTES = 64 };

/* The number of decimals with which 1 - d / length differs for every d: at least 6. */
int cli_similarity_decimals(int64_t longer_length);

/*
 * Puts 1 - distance / longer length at `at`, which has CLI_SIMILARITY_BYTES, and returns its end:
 * with these decimals, ties rounded to even; beyond 9,999,999 bases, as printf() rounds the double.
 * 1 for two empty sequences.
 */
char *cli_put_similarity(char *at, int64_t distance, int64_t longer_length);

/* How PAF records name the scoring that their score is by, and what matches. */

/* Whether a scoring is that of the edit distance. */
bool cli_is_edit(const rhomb_scoring *scoring);

/* Appends the tag sc, with the values of a scoring and not by a name; nothing for unit costs. */
void cli_append_scoring_tag(cli_buffer *out, const rhomb_scoring *scoring);

/* What matches is that of RHOMB_ALPHABET_IUPAC; a record of other alphabets has no tag. */
#define CLI_IUPAC_TAG "\tal:Z:iupac"

#endif
