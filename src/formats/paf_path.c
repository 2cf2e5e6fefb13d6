/* SPDX-License-Identifier: MIT */
/*
 * Paths of PAF records, see paf_reader.h: cg:Z, a CIGAR, and cs:Z, minimap2's difference string.
 * Both parsers are state machines that take one byte at a time, because the window may end
 * anywhere.
 */
#include "src/formats/paf_reader.h"

#include <stdio.h>

/* Where operations go. */
typedef struct sink {
    rhomb_path_op *ops;
    size_t room;
    size_t count;
    rhomb__paf_wrong wrong; /* of the last operation; no more are taken after it then */
} sink;

static bool has_room(const sink *to)
{
    return to->count < to->room && to->wrong.count == 0;
}

const char *rhomb__paf_path_tag(rhomb_paf_path path)
{
    return path == RHOMB_PAF_PATH_CG ? "cg:Z" : "cs:Z";
}

static rhomb_status fail_path(rhomb_paf *paf, const char *what)
{
    return rhomb__paf_fail(paf, "tag %s, after %lld operations: %s",
                           rhomb__paf_path_tag(paf->notation), (long long)paf->cursor.operations,
                           what);
}

/* Delivers an operation that cannot grow any more. There is room for it. */
static void flush(rhomb__paf_cursor *c, sink *to)
{
    if (c->pending > 0) {
        to->ops[to->count++] = c->pending << 4 | c->pending_code;
        if (c->pending_wrong.count > 0)
            to->wrong = c->pending_wrong;
        c->pending_wrong.count = 0;
    }
    c->pending = 0;
}

/* Counts bases of a side. No sequence has as many as the limit, and bases there are not checked. */
static void step(int64_t *side, int64_t length)
{
    *side = length < RHOMB__PAF_LIMIT - *side ? *side + length : RHOMB__PAF_LIMIT;
}

/* Takes an operation: it extends the one before, or that one is complete. */
static rhomb_status add(rhomb_paf *paf, unsigned code, int64_t length, sink *to)
{
    rhomb__paf_cursor *c = &paf->cursor;
    c->operations++;
    if (length == 0)
        return RHOMB_OK;
    if (c->pending_code != code)
        flush(c, to);
    c->pending_code = code;
    c->pending += (uint64_t)length;
    if (c->wrong.count > 0) {
        if (c->pending_wrong.count == 0)
            c->pending_wrong.first = c->wrong.first;
        c->pending_wrong.count += c->wrong.count;
        c->wrong.count = 0;
    }
    return c->pending < (uint64_t)RHOMB__PAF_LIMIT ? RHOMB_OK
                                                   : fail_path(paf, "an operation is too long");
}

static rhomb_status add_digit(rhomb_paf *paf, int digit)
{
    rhomb__paf_cursor *c = &paf->cursor;
    if (c->number > (RHOMB__PAF_LIMIT - 1 - digit) / 10)
        return fail_path(paf, "an operation is too long");
    c->number = c->number * 10 + digit;
    c->has_digits = true;
    return RHOMB_OK;
}

static rhomb_status fail_byte(rhomb_paf *paf, int byte)
{
    char text[80];
    if (byte > ' ' && byte < 127)
        snprintf(text, sizeof text, "unexpected '%c'", byte);
    else
        snprintf(text, sizeof text, "unexpected byte 0x%02x", (unsigned)byte);
    return fail_path(paf, text);
}

/* A CIGAR operator. */
static rhomb_status end_cigar_operation(rhomb_paf *paf, int byte, sink *to)
{
    rhomb__paf_cursor *c = &paf->cursor;
    unsigned code;
    switch (byte) {
    case 'M':
        code = RHOMB_CIGAR_M;
        break;
    case 'I':
        code = RHOMB_CIGAR_I;
        break;
    case 'D':
        code = RHOMB_CIGAR_D;
        break;
    case '=':
        code = RHOMB_CIGAR_EQ;
        break;
    case 'X':
        code = RHOMB_CIGAR_X;
        break;
    case 'N':
    case 'S':
    case 'H':
    case 'P':
        return fail_path(paf, "N, S, H and P cannot occur in a path through two sequences");
    default:
        return fail_byte(paf, byte);
    }
    if (!c->has_digits)
        return fail_path(paf, "an operation without a length");
    const int64_t length = c->number;
    c->number = 0;
    c->has_digits = false;
    return add(paf, code, length, to);
}

static rhomb_status take_cigar(rhomb_paf *paf, int byte, sink *to)
{
    const int digit = byte - '0';
    return digit >= 0 && digit <= 9 ? add_digit(paf, digit) : end_cigar_operation(paf, byte, to);
}

/* The text after a sign of cs is complete: the next sign follows, or the tag's end. */
static rhomb_status end_difference(rhomb_paf *paf, sink *to)
{
    rhomb__paf_cursor *c = &paf->cursor;
    const char sign = c->sign;
    const int64_t length = sign == ':' ? c->number : c->bases;
    const bool has_length = sign == ':' ? c->has_digits : c->bases > 0;
    if (sign == 0)
        return RHOMB_OK;
    if (!has_length)
        return fail_path(paf, "an operator with nothing after it");
    c->sign = 0;
    c->number = 0;
    c->has_digits = false;
    c->bases = 0;
    if (sign == '*' && length != 2)
        return fail_path(paf, "'*' must be followed by two bases");
    if (sign != '+')
        step(&c->target, sign == '*' ? 1 : length);
    if (sign != '-')
        step(&c->query, sign == '*' ? 1 : length);
    switch (sign) {
    case '*':
        return add(paf, RHOMB_CIGAR_X, 1, to);
    case '+':
        return add(paf, RHOMB_CIGAR_I, length, to);
    case '-':
        return add(paf, RHOMB_CIGAR_D, length, to);
    default:
        return add(paf, RHOMB_CIGAR_EQ, length, to);
    }
}

/* Checks the next base after the sign against the sequences. */
static void look_at_base(rhomb_paf *paf, int byte)
{
    rhomb__paf_cursor *c = &paf->cursor;
    const bool pair = c->sign == '*';
    const bool of_target = pair ? c->bases == 0 : c->sign != '+';
    const int64_t ahead = pair ? 0 : c->bases;
    const rhomb__score_base base = {.target = of_target ? c->target + ahead : -1,
                                    .query = of_target ? -1 : c->query + ahead,
                                    .base = (char)byte};
    if (paf->score == NULL || rhomb__score_has_base(paf->score, &base))
        return;
    if (c->wrong.count++ == 0)
        c->wrong.first = base;
}

static rhomb_status take_difference(rhomb_paf *paf, int byte, sink *to)
{
    rhomb__paf_cursor *c = &paf->cursor;
    switch (byte) {
    case ':':
    case '*':
    case '+':
    case '-':
    case '=': {
        const rhomb_status status = end_difference(paf, to);
        c->sign = (char)byte;
        return status;
    }
    case '~':
        return fail_path(paf, "introns cannot occur in a path through two sequences");
    default:
        break;
    }
    if (c->sign == ':' && byte >= '0' && byte <= '9')
        return add_digit(paf, byte - '0');
    if (c->sign == 0 || c->sign == ':' || !((byte | 32) >= 'a' && (byte | 32) <= 'z'))
        return fail_byte(paf, byte);
    look_at_base(paf, byte);
    /* The file cannot be long enough for this to overflow. */
    c->bases++;
    return RHOMB_OK;
}

/* The tag ends here. */
static rhomb_status end_path(rhomb_paf *paf, sink *to)
{
    if (paf->notation == RHOMB_PAF_PATH_CS)
        return end_difference(paf, to);
    return paf->cursor.has_digits ? fail_path(paf, "it ends in the middle of an operation")
                                  : RHOMB_OK;
}

/* Takes bytes of the window until it is empty, the sink is full or the tag ends. */
static rhomb_status take_window(rhomb_paf *paf, sink *to, bool *ends)
{
    rhomb_status status = RHOMB_OK;
    rhomb__stream *stream = &paf->stream;
    const unsigned char *at = stream->at;
    const bool is_cigar = paf->notation == RHOMB_PAF_PATH_CG;
    while (at < stream->end && has_room(to)) {
        const int byte = *at;
        *ends = byte == '\t' || byte == '\n' || byte == '\r';
        if (*ends)
            break;
        at++;
        RHOMB_TRY(is_cigar ? take_cigar(paf, byte, to) : take_difference(paf, byte, to));
    }

out:
    stream->at = at;
    return status;
}

rhomb_status rhomb__paf_read_path(rhomb_paf *paf, rhomb_path_op *ops, size_t room, size_t *count,
                                  bool *over)
{
    rhomb_status status = RHOMB_OK;
    sink to = {.ops = ops, .room = room};
    bool ends = false;
    *over = false;
    while (!ends && has_room(&to)) {
        int byte = 0;
        RHOMB_TRY(rhomb__paf_peek(paf, &byte));
        if (byte < 0)
            RHOMB_TRY(rhomb__paf_fail(paf, "the file ends in the middle of tag %s: it is truncated",
                                      rhomb__paf_path_tag(paf->notation)));
        RHOMB_TRY(take_window(paf, &to, &ends));
    }
    /* The last difference of cs may leave itself and the one before, with room for only one. */
    if (ends)
        RHOMB_TRY(end_path(paf, &to));
    if (ends && has_room(&to))
        flush(&paf->cursor, &to);
    *over = ends && paf->cursor.pending == 0;
    if (*over)
        paf->section = RHOMB__PAF_TAGS;

out:
    *count = to.count;
    paf->wrong = to.wrong;
    return status;
}
