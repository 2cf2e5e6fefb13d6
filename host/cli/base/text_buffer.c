/* SPDX-License-Identifier: MIT */
/* Text in memory, see text_buffer.h. */
#include "host/cli/base/text_buffer.h"

#include "host/cli/base/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_buffer_release(cli_buffer *buffer)
{
    free(buffer->data);
    *buffer = (cli_buffer){0};
}

char *cli_buffer_grow(cli_buffer *out, size_t bytes)
{
    if (out->failed)
        return NULL;
    if (out->data == NULL || out->capacity - out->length < bytes) {
        size_t capacity = out->capacity < 4096 ? 4096 : 2 * out->capacity;
        while (capacity - out->length < bytes)
            capacity *= 2;
        char *grown = realloc(out->data, capacity);
        out->failed = grown == NULL;
        if (out->failed)
            return NULL;
        out->data = grown;
        out->capacity = capacity;
    }
    return out->data + out->length;
}

size_t cli_utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } FORMS[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t form = 0; form < CLI_COUNT(FORMS); form++) {
        if ((s[0] & FORMS[form].mask) != FORMS[form].lead)
            continue;
        uint32_t code = s[0] & (unsigned char)~FORMS[form].mask;
        for (size_t i = 1; i <= form; i++) {
            if ((s[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (s[i] & 0x3f);
        }
        const bool surrogate = code >= 0xd800 && code < 0xe000;
        return code < FORMS[form].least || code > 0x10ffff || surrogate ? 0 : form + 1;
    }
    return 0;
}

/* What follows a backslash for a character that would end a field; NUL for all others. */
static char field_escape(char character)
{
    switch (character) {
    case '\t':
        return 't';
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\\':
        return '\\';
    default:
        return '\0';
    }
}

char *cli_put_large_number(char *at, uint64_t number)
{
    at = cli_put_number(at, number / 10000);
    cli_put_four(at, cli_four_digits((uint32_t)(number % 10000)));
    return at + 4;
}

char *cli_put_field(char *at, const char *text)
{
    if (text[0] == '\0')
        *at++ = '.';
    for (; text[0] != '\0'; text++) {
        const char escape = field_escape(text[0]);
        if (escape != '\0')
            *at++ = '\\';
        *at++ = escape != '\0' ? escape : text[0];
    }
    return at;
}

char *cli_put_string(char *at, const char *text)
{
    *at++ = '"';
    while (text[0] != '\0') {
        const unsigned char byte = (unsigned char)text[0];
        const size_t length = cli_utf8_length(text);
        if (byte < ' ' || byte == '"' || byte == '\\') {
            /* The NUL takes the room of the closing quote. */
            at += snprintf(at, 7, byte < ' ' ? "\\u%04x" : "\\%c", (unsigned)byte);
        } else if (length == 0) {
            at = cli_put_text(at, "\xef\xbf\xbd");
        } else {
            memcpy(at, text, length);
            at += length;
        }
        text += length > 0 ? length : 1;
    }
    *at++ = '"';
    return at;
}

void cli_append_field(cli_buffer *out, const char *text)
{
    char *at = cli_buffer_room(out, 2 * strlen(text) + 1);
    if (at != NULL)
        cli_buffer_taken(out, cli_put_field(at, text));
}

void cli_append_string(cli_buffer *out, const char *text)
{
    char *at = cli_buffer_room(out, 6 * strlen(text) + 2);
    if (at != NULL)
        cli_buffer_taken(out, cli_put_string(at, text));
}

void cli_append_format(cli_buffer *out, const char *format, ...)
{
    enum { USUAL_BYTES = 256 };
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    char *at = cli_buffer_room(out, USUAL_BYTES);
    const int length = at != NULL ? vsnprintf(at, USUAL_BYTES, format, args) : 0;
    if (length >= USUAL_BYTES && (at = cli_buffer_room(out, (size_t)length + 1)) != NULL)
        vsnprintf(at, (size_t)length + 1, format, again);
    if (at != NULL)
        cli_buffer_taken(out, at + length);
    va_end(again);
    va_end(args);
}

void cli_append_escaped(cli_buffer *out, const char *text)
{
    for (; *text != '\0'; text++) {
        const char *name = *text == '&'   ? "&amp;"
                           : *text == '<' ? "&lt;"
                           : *text == '>' ? "&gt;"
                           : *text == '"' ? "&quot;"
                                          : NULL;
        if (name != NULL)
            cli_append_text(out, name);
        else
            cli_append_bytes(out, text, 1);
    }
}
