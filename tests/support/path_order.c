/* SPDX-License-Identifier: MIT */
/*
 * Gaps in order, see path.h: on the columns of the alignment, a letter each, of which every move
 * makes other ones that are looked at letter by letter. Plain and slow.
 */
#include "path.h"

#include <stdlib.h>
#include <string.h>

#define GAPS "ID"

typedef struct columns {
    const rhomb_pair *texts;
    int64_t count;
    char *code;      /* one of =XID */
    int64_t *target; /* where the letters of a column are */
    int64_t *query;
} columns;

static void *room_for(int64_t bytes)
{
    void *room = malloc((size_t)bytes + 1);
    if (room == NULL)
        abort();
    return room;
}

/* Says where letters of columns are again, and whether = is true of all of them. */
static bool holds(columns *c, int64_t from, int64_t end)
{
    bool good = true;
    for (int64_t i = from; i < end; i++) {
        const int64_t j = c->target[i], k = c->query[i];
        good = good && (c->code[i] != '=' || c->texts->target[j] == c->texts->query[k]);
        c->target[i + 1] = j + (c->code[i] != 'I');
        c->query[i + 1] = k + (c->code[i] != 'D');
    }
    return good;
}

/* How many columns before one have this code. */
static int64_t run_before(const columns *c, int64_t end, char code)
{
    int64_t run = 0;
    while (run < end && c->code[end - 1 - run] == code)
        run++;
    return run;
}

/*
 * The last gap and the one before become one somewhere between them, as far to the left as it can,
 * where only a run of equal letters is between them.
 */
static bool join_last(columns *c)
{
    const int64_t end = c->count - run_before(c, c->count, '=');
    const char code = c->code[end - 1];
    const int64_t second = run_before(c, end, code);
    const int64_t between = run_before(c, end - second, '=');
    const int64_t first = run_before(c, end - second - between, code);
    const int64_t begin = end - second - between - first, gap = first + second;
    if (between == 0 || first == 0)
        return false;
    for (int64_t at = 0; at <= between; at++) {
        memset(c->code + begin, '=', (size_t)(between + gap));
        memset(c->code + begin + at, code, (size_t)gap);
        if (holds(c, begin, c->count))
            return true;
    }
    memset(c->code + begin, '=', (size_t)(between + gap));
    memset(c->code + begin, code, (size_t)first);
    memset(c->code + end - second, code, (size_t)second);
    holds(c, begin, c->count);
    return false;
}

/* Moves a gap to the left, letter by letter. */
static void move_left(columns *c, int64_t begin, int64_t end)
{
    const char code = c->code[begin];
    for (; begin > 0 && c->code[begin - 1] == '='; begin--, end--) {
        c->code[begin - 1] = code;
        c->code[end - 1] = '=';
        if (holds(c, begin - 1, end))
            continue;
        c->code[begin - 1] = '=';
        c->code[end - 1] = code;
        holds(c, begin - 1, end);
        return;
    }
}

static void add_run(columns *c, char code, int64_t length)
{
    memset(c->code + c->count, code, (size_t)length);
    c->count += length;
    holds(c, c->count - length, c->count);
}

/* Operations from columns. */
static int64_t take_ops(const columns *c, rhomb_cigar_op *ops)
{
    int64_t count = 0;
    for (int64_t at = 0; at < c->count;) {
        int64_t run = 1;
        while (at + run < c->count && c->code[at + run] == c->code[at])
            run++;
        const char *const letters = "=XID";
        const rhomb_cigar_op codes[] = {RHOMB_CIGAR_EQ, RHOMB_CIGAR_X, RHOMB_CIGAR_I,
                                        RHOMB_CIGAR_D};
        ops[count++] = (rhomb_cigar_op)run << 4 | codes[strchr(letters, c->code[at]) - letters];
        at += run;
    }
    return count;
}

int64_t path_in_order(rhomb_cigar_op *ops, int64_t count, const rhomb_pair *texts)
{
    const int64_t most = texts->target_length + texts->query_length;
    columns c = {texts, 0, room_for(most), room_for(8 * most + 8), room_for(8 * most + 8)};
    c.target[0] = c.query[0] = 0;
    for (int64_t i = 0; i < count; i++) {
        const char code = RHOMB_CIGAR_LETTER(ops[i]);
        add_run(&c, code, RHOMB_CIGAR_LENGTH(ops[i]));
        while (strchr(GAPS, code) != NULL && join_last(&c))
            continue;
    }
    for (int64_t at = 0; at < c.count;) {
        const int64_t begin = at++;
        while (at < c.count && c.code[at] == c.code[begin])
            at++;
        if (strchr(GAPS, c.code[begin]) != NULL)
            move_left(&c, begin, at);
    }
    const int64_t left = take_ops(&c, ops);
    free(c.code);
    free(c.target);
    free(c.query);
    return left;
}
