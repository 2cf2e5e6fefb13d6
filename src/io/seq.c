/* SPDX-License-Identifier: MIT */
/*
 * Finding pairs in text, see seq.h. Usual pairs are fast: each line ends about where that of the
 * pair before did, and consists of bases up to there. Everything else is parsed line by line.
 */
#include "src/io/seq.h"

#include "src/io/stream.h"

#include <stdlib.h>
#include <string.h>

/* A line's end is first searched this close to its likely place: in one vector of memchr(). */
#define NEAR ((size_t)16)

/*
 * A line with its marker, without its end and the whitespace before that, and without a tab and
 * what follows.
 */
typedef struct line {
    const char *text;
    size_t length;
    int64_t number;
    int odd; /* a byte after the first one that is not a base; -1: none */
} line;

typedef struct parser {
    rhomb__seq_part *part;
    const char *at;
    const char *end;
    rhomb__seq_state state;
    line query;
} parser;

size_t rhomb__seq_start(const char *text, size_t length, size_t from)
{
    if (from > 0 && from <= length)
        from--; /* a line may begin there */
    else if (length > 0 && from == 0 && text[0] == '>')
        return 0;
    while (from < length) {
        const char *eol = memchr(text + from, '\n', length - from);
        if (eol == NULL || eol + 1 == text + length)
            break;
        from = (size_t)(eol + 1 - text);
        if (text[from] == '>')
            return from;
    }
    return length;
}

/* Where the line begins that ends before `end`. */
static size_t line_start(const char *text, size_t end)
{
    while (end > 0 && text[end - 1] != '\n')
        end--;
    return end;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

size_t rhomb__seq_cut(const char *text, size_t length)
{
    /* The last line may go on, so it stays; so does a '>' line with nothing after it yet. */
    const size_t whole = line_start(text, length);
    size_t end = whole;
    while (end > 0) {
        const size_t start = line_start(text, end - 1);
        size_t at = start;
        while (at < end && (is_blank(text[at]) || text[at] == '\n'))
            at++;
        if (at < end)
            return text[start] == '>' ? start : whole;
        end = start;
    }
    return whole;
}

/* Doubles an array until it has room for one more item. False if there is no memory. */
static bool has_room(void **items, size_t *capacity, size_t count, size_t item_bytes)
{
    if (count < *capacity)
        return true;
    const size_t grown = *capacity > 0 ? 2 * *capacity : 64;
    void *moved = grown <= SIZE_MAX / item_bytes ? realloc(*items, grown * item_bytes) : NULL;
    if (moved == NULL)
        return false;
    *items = moved;
    *capacity = grown;
    return true;
}

static bool add_pair(rhomb__seq_part *part, rhomb_pair pair)
{
    void *items = part->pairs;
    if (!has_room(&items, &part->capacity, part->count, sizeof pair))
        return false;
    part->pairs = items;
    part->pairs[part->count++] = pair;
    return true;
}

static bool add_fault(rhomb__seq_part *part, rhomb__seq_problem problem, const line *l, int byte)
{
    void *items = part->faults;
    if (!has_room(&items, &part->fault_capacity, part->fault_count, sizeof *part->faults))
        return false;
    part->faults = items;
    part->faults[part->fault_count++] = (rhomb__seq_fault){
        .index = part->count, .line = l->number, .problem = problem, .byte = (unsigned char)byte};
    return add_pair(part, (rhomb_pair){.target = NULL});
}

/* Ends a pair, whose bases begin after the markers. */
static bool close_pair(rhomb__seq_part *part, const line *query, const line *target)
{
    const line *odd = query->odd >= 0 ? query : target;
    if (odd->odd >= 0)
        return add_fault(part, RHOMB__SEQ_NO_TEXT, odd, odd->odd);
    return add_pair(part, (rhomb_pair){.target = target->text + 1,
                                       .target_length = (int64_t)target->length - 1,
                                       .query = query->text + 1,
                                       .query_length = (int64_t)query->length - 1});
}

static line take_line(parser *p)
{
    const char *eol = memchr(p->at, '\n', (size_t)(p->end - p->at));
    const char *end = eol != NULL ? eol : p->end;
    line l = {.text = p->at, .length = (size_t)(end - p->at), .number = p->part->lines};
    while (l.length > 0 && is_blank(l.text[l.length - 1]))
        l.length--;
    const size_t run = l.length > 0 ? 1 + rhomb__base_run(l.text + 1, l.length - 1) : 0;
    if (run < l.length && l.text[run] == '\t') {
        l.length = run;
        p->part->has_names = true;
    }
    l.odd = run < l.length ? (unsigned char)l.text[run] : -1;
    p->at = eol != NULL ? eol + 1 : p->end;
    p->part->lines += eol != NULL;
    return l;
}

/* A line with '>'. */
static bool take_query(parser *p, const line *l)
{
    const bool done =
        p->state != RHOMB__SEQ_OPEN || add_fault(p->part, RHOMB__SEQ_NO_TARGET, &p->query, 0);
    p->query = *l;
    p->state = RHOMB__SEQ_OPEN;
    return done;
}

/* A line with '<'. */
static bool take_target(parser *p, const line *l)
{
    const rhomb__seq_state before = p->state;
    p->state = RHOMB__SEQ_BETWEEN;
    if (before == RHOMB__SEQ_OPEN)
        return close_pair(p->part, &p->query, l);
    return before == RHOMB__SEQ_BROKEN || add_fault(p->part, RHOMB__SEQ_NO_QUERY, l, 0);
}

/* A line with anything else. */
static bool take_stray(parser *p, const line *l)
{
    const rhomb__seq_state before = p->state;
    p->state = RHOMB__SEQ_BROKEN;
    return before == RHOMB__SEQ_BROKEN ||
           add_fault(p->part, before == RHOMB__SEQ_OPEN ? RHOMB__SEQ_CUT : RHOMB__SEQ_STRAY, l,
                     (unsigned char)l->text[0]);
}

/* Whether a line is a marker, bases and LF or CRLF; *bases is their number. */
static bool is_line(const char *at, const char *eol, size_t *bases)
{
    *bases = (size_t)(eol - at) - 1;
    *bases -= *bases > 0 && eol[-1] == '\r';
    return rhomb__is_bases(at + 1, *bases);
}

/*
 * The end of such a line, which is likely to be about `width` bytes after its beginning: any line
 * end before the one found is not a base. NULL if the line is of another kind.
 */
static const char *line_end(const char *at, const char *end, size_t width, size_t *bases)
{
    const size_t from = width > NEAR ? width - NEAR : 1;
    const size_t rest = (size_t)(end - at);
    const char *eol = rest >= from + 2 * NEAR ? memchr(at + from, '\n', 2 * NEAR) : NULL;
    if (eol != NULL && is_line(at, eol, bases))
        return eol;
    eol = memchr(at, '\n', rest);
    return eol != NULL && is_line(at, eol, bases) ? eol : NULL;
}

/* Takes pairs as long as they are two usual lines. False if there is no memory. */
static bool take_pairs(parser *p)
{
    const char *at = p->at;
    size_t query_length = 0, target_length = 0;
    bool done = true;
    while (p->end - at > 2 && *at == '>') {
        const char *eol = line_end(at, p->end, query_length, &query_length);
        if (eol == NULL || p->end - eol <= 2 || eol[1] != '<')
            break;
        const char *target = eol + 1;
        eol = line_end(target, p->end, target_length, &target_length);
        if (eol == NULL)
            break;
        done = add_pair(p->part, (rhomb_pair){.target = target + 1,
                                              .target_length = (int64_t)target_length,
                                              .query = at + 1,
                                              .query_length = (int64_t)query_length});
        if (!done)
            break;
        p->part->lines += 2;
        at = eol + 1;
        p->state = RHOMB__SEQ_BETWEEN;
    }
    p->at = at;
    return done;
}

/* Takes a line, whatever it is. */
static bool take_any(parser *p)
{
    const line l = take_line(p);
    if (l.length == 0)
        return true;
    return l.text[0] == '>'   ? take_query(p, &l)
           : l.text[0] == '<' ? take_target(p, &l)
                              : take_stray(p, &l);
}

bool rhomb__seq_parse(rhomb__seq_part *part, rhomb__seq_state before, const char *text,
                      size_t length)
{
    parser p = {.part = part, .at = text, .end = text + length, .state = before};
    bool done = true;
    part->count = part->fault_count = 0;
    part->lines = 0;
    part->has_names = false;
    while (done && p.at < p.end) {
        if (p.state != RHOMB__SEQ_OPEN)
            done = take_pairs(&p);
        if (done && p.at < p.end)
            done = take_any(&p);
    }
    part->after = p.state;
    if (!done || p.state != RHOMB__SEQ_OPEN)
        return done;
    part->after = RHOMB__SEQ_BETWEEN;
    return add_fault(part, RHOMB__SEQ_NO_TARGET, &p.query, 0);
}

size_t rhomb__seq_name(const char *sequence, int64_t length, const char *end, const char **name)
{
    const char *at = sequence + length;
    if (at == end || *at != '\t')
        return 0;
    while (at < end && is_blank(*at))
        at++;
    *name = at;
    while (at < end && (unsigned char)*at > ' ')
        at++;
    return (size_t)(at - *name);
}

void rhomb__seq_part_release(rhomb__seq_part *part)
{
    free(part->pairs);
    free(part->faults);
    *part = (rhomb__seq_part){0};
}
