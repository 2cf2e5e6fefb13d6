/* SPDX-License-Identifier: MIT */
/*
 * Text that is built in memory before it is written: rows of batches and of alignments. It goes by
 * code of its own, because printf() would take longer than what the rows tell of.
 */
#ifndef RHOMB_CLI_TEXT_BUFFER_H
#define RHOMB_CLI_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes that grow. All zeros is empty. */
typedef struct cli_buffer {
    char *data;
    size_t length;
    size_t capacity;
    bool failed; /* there was no memory; nothing is appended any more */
} cli_buffer;

enum { CLI_NUMBER_BYTES = 20 /* of an int64_t at most */ };

void cli_buffer_release(cli_buffer *buffer);

/* What cli_buffer_room() does where there may be none. */
char *cli_buffer_grow(cli_buffer *out, size_t bytes);

/* Makes room; NULL, and the buffer has failed, where there is no memory. */
static inline char *cli_buffer_room(cli_buffer *out, size_t bytes)
{
    if (out->data == NULL || out->failed || out->capacity - out->length < bytes)
        return cli_buffer_grow(out, bytes);
    return out->data + out->length;
}

/* What has been written up to `end` belongs to the buffer now. */
static inline void cli_buffer_taken(cli_buffer *out, const char *end)
{
    out->length = (size_t)(end - out->data);
}

/* Writes two digits of a number below 100; returns where they end. */
static inline char *cli_put_two_digits(char *at, uint64_t number)
{
    static const char digits[] = "00010203040506070809101112131415161718192021222324"
                                 "25262728293031323334353637383940414243444546474849"
                                 "50515253545556575859606162636465666768697071727374"
                                 "75767778798081828384858687888990919293949596979899";
    memcpy(at, digits + 2 * number, 2);
    return at + 2;
}

/*
 * Writes a number where there is room for it, from its last digit on, so that none has to be moved;
 * returns where it ends.
 */
static inline char *cli_put_number(char *at, uint64_t number)
{
    int digits = 1;
    for (uint64_t power = 10; number >= power && digits < CLI_NUMBER_BYTES; power *= 10)
        digits++;
    char *const end = at + digits;
    char *first = end;
    for (; number >= 100; number /= 100)
        cli_put_two_digits(first -= 2, number % 100);
    if (number >= 10)
        cli_put_two_digits(first - 2, number);
    else
        first[-1] = (char)('0' + number);
    return end;
}

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

/* A number that is not negative. */
static inline void cli_append_number(cli_buffer *out, int64_t number)
{
    char *at = cli_buffer_room(out, CLI_NUMBER_BYTES);
    if (at != NULL)
        cli_buffer_taken(out, cli_put_number(at, (uint64_t)number));
}

/* The length of the UTF-8 sequence at `text`, 0 where there is none (overlong forms included). */
size_t cli_utf8_length(const char *text);

/* A TSV field: characters that would end it are escaped, and nothing at all is a dot. */
void cli_append_field(cli_buffer *out, const char *text);
/* A JSON string; bytes that are no UTF-8 become U+FFFD. */
void cli_append_string(cli_buffer *out, const char *text);

#endif
