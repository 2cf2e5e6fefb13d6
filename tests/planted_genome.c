/* SPDX-License-Identifier: MIT */
/*
 * See planted_genome.h. A segment is copied base by base, with edits at least 12 bases apart, so
 * that no other path would have as few.
 */
#include "planted_genome.h"

#include "support/test.h"
#include "tests/reference/random_bases.h"

enum { TARGET, QUERY };

static const char BASES[] = "ACGT";
static const int64_t SIZES[] = {1, 2, 10, 50, 500, 5000, 50000};

typedef struct segment {
    int chromosome, begin, end;
} segment;

enum { S1, S2, S3A, S3B, S4, S5, S6, T1, T2, T3, SEGMENTS };

static const segment SEGMENT[SEGMENTS] = {
    {0, 0, 6000},      {0, 6000, 12000},  {0, 12000, 13500}, {0, 13500, 15200}, {0, 15200, 20000},
    {0, 20000, 22000}, {0, 22000, 30000}, {1, 0, 7000},      {1, 7000, 13000},  {1, 13000, 14200},
};

static int number_of(char base)
{
    return (int)(strchr(BASES, base) - BASES);
}

/* A copy that is being made, on the target's strand, and its path. */
typedef struct copy {
    char bases[PLANTED_MOST];
    int length;
    char path[PLANTED_MOST];
    size_t path_length;
    char last; /* the operation that is running, and its bases */
    int run;
    char notation;
    int64_t matches, columns;
    int pairs[PLANTED_MOST][2]; /* the offsets of both bases of each pair */
    int pair_count;
} copy;

static void end_run(copy *c)
{
    if (c->run > 0 && c->notation != ':')
        c->path_length += (size_t)sprintf(c->path + c->path_length, "%d%c", c->run, c->last);
    else if (c->run > 0 && c->last == '=')
        c->path_length += (size_t)sprintf(c->path + c->path_length, ":%d", c->run);
    c->run = 0;
}

/* A column; `from` and `to` are its bases, the first one `at` bases after the segment's first. */
static void add(copy *c, char operation, int at, char from, char to)
{
    const bool pair = operation == '=' || operation == 'X';
    const char shown = c->notation == 'M' && pair ? 'M' : operation;
    if (shown != c->last || (c->notation == ':' && shown == 'X'))
        end_run(c);
    if (c->notation == ':' && operation == 'X')
        c->path_length += (size_t)sprintf(c->path + c->path_length, "*%c%c", from | 32, to | 32);
    else if (c->notation == ':' && !pair)
        c->path_length += (size_t)sprintf(c->path + c->path_length,
                                          c->last == operation ? "%c"
                                          : operation == 'I'   ? "+%c"
                                                               : "-%c",
                                          (operation == 'I' ? to : from) | 32);
    c->last = shown;
    c->run++;
    c->columns++;
    c->matches += operation == '=';
    if (pair) {
        c->pairs[c->pair_count][TARGET] = at;
        c->pairs[c->pair_count++][QUERY] = c->length;
    }
    if (operation != 'D')
        c->bases[c->length++] = to;
}

/* Counts a gap: 0 an insertion, 1 a deletion. */
static void count_gap(planted_genome *g, int kind, int bases)
{
    int size = 6;
    while (bases < SIZES[size])
        size--;
    g->gaps[kind][0]++;
    g->gaps[kind][1] += bases;
    g->sizes[kind][size]++;
}

/* Copies a segment with edits; counts them if `g` is not NULL. */
static void copy_segment(planted_genome *g, bool counts, const segment *s, copy *c, rng *r)
{
    const char *target = g->target[s->chromosome];
    int quiet = 12; /* matches until the next edit is allowed */
    for (int at = s->begin; at < s->end;) {
        const bool edits = quiet <= 0 && at + 1500 < s->end && rng_chance(r, 0.01);
        const int64_t kind = edits ? rng_below(r, 20) : 0;
        quiet = edits ? 12 : quiet - 1;
        if (!edits) {
            if (counts)
                g->matches++;
            add(c, '=', at - s->begin, target[at], target[at]);
            at++;
        } else if (kind < 14) {
            const bool other = kind == 0;
            const int from = number_of(target[at]);
            const char to = other ? 'N' : BASES[(from + 1 + rng_below(r, 3)) % 4];
            if (counts && other)
                g->other_mismatches++;
            else if (counts)
                g->substitutions[from][number_of(to)]++;
            add(c, 'X', at - s->begin, target[at], to);
            at++;
        } else {
            static const int LENGTHS[] = {1, 1, 2, 9, 10, 60, 700};
            const int bases = LENGTHS[rng_below(r, 7)];
            if (counts)
                count_gap(g, kind % 2 == 0 ? 0 : 1, bases);
            for (int i = 0; i < bases && kind % 2 == 0; i++)
                add(c, 'I', 0, '-', random_base(&r->state));
            for (int i = 0; i < bases && kind % 2 == 1; i++, at++)
                add(c, 'D', 0, target[at], '-');
        }
    }
    end_run(c);
}

/* A record, whose line is written when the lengths are known. */
typedef struct line {
    const segment *segment;
    int query, begin, end;
    bool reverse;
    const char *tags;
    copy *copy;
} line;

typedef struct writer {
    planted_genome *g;
    rng *r;
    line lines[SEGMENTS + 2];
    int count;
    int length[2]; /* of the queries so far */
} writer;

/* Appends a mutated copy of a segment to a query, and its record. */
static void append(writer *w, const segment *s, int query, bool reverse, const char *tags)
{
    copy *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->notation = w->g->notation;
    copy_segment(w->g, tags == NULL, s, c, w->r);
    char *to = w->g->query[query] + w->length[query];
    for (int i = 0; i < c->length; i++)
        to[i] = reverse ? complement_base(c->bases[c->length - 1 - i]) : c->bases[i];
    w->lines[w->count++] = (line){.segment = s,
                                  .query = query,
                                  .begin = w->length[query],
                                  .end = w->length[query] + c->length,
                                  .reverse = reverse,
                                  .tags = tags,
                                  .copy = c};
    for (int i = 0; i < c->pair_count; i++) {
        const int at = c->pairs[i][QUERY];
        w->g->aligned[TARGET][s->chromosome][s->begin + c->pairs[i][TARGET]]++;
        w->g->aligned[QUERY][query][w->length[query] + (reverse ? c->length - 1 - at : at)]++;
    }
    memset(w->g->covered[TARGET][s->chromosome] + s->begin, 1, (size_t)(s->end - s->begin));
    memset(w->g->covered[QUERY][query] + w->length[query], 1, (size_t)c->length);
    w->length[query] += c->length;
    assert_true(w->length[query] < PLANTED_MOST);
}

static void append_random(writer *w, int query, int bases)
{
    for (int i = 0; i < bases; i++)
        w->g->query[query][w->length[query]++] = random_base(&w->r->state);
}

/* Turns a whole query round: its bases and marks, and the strands and places of its records. */
static void turn(writer *w, int query)
{
    planted_genome *g = w->g;
    unsigned char *aligned = g->aligned[QUERY][query], *covered = g->covered[QUERY][query];
    const int length = w->length[query];
    for (int i = 0, k = length - 1; i <= k; i++, k--) {
        const char base = complement_base(g->query[query][i]);
        const unsigned char marks[2] = {aligned[i], covered[i]};
        g->query[query][i] = complement_base(g->query[query][k]);
        g->query[query][k] = base;
        aligned[i] = aligned[k];
        covered[i] = covered[k];
        aligned[k] = marks[0];
        covered[k] = marks[1];
    }
    for (int i = 0; i < w->count; i++) {
        line *l = &w->lines[i];
        if (l->query != query)
            continue;
        const int begin = length - l->end;
        l->end = length - l->begin;
        l->begin = begin;
        l->reverse = !l->reverse;
    }
}

static void write_lines(writer *w)
{
    planted_genome *g = w->g;
    size_t used = 0;
    for (int i = 0; i < w->count; i++) {
        /* In any order: that of the file must not matter. */
        const line *l = &w->lines[(i * 7 + 3) % w->count];
        const segment *s = l->segment;
        const int target_length = (int)strlen(g->target[s->chromosome]);
        used += (size_t)snprintf(
            g->paf + used, sizeof g->paf - used,
            "q%d\t%d\t%d\t%d\t%c\tc%d\t%d\t%d\t%d\t%" PRId64 "\t%" PRId64
            "\t60\ttp:A:%s\t%s:Z:%s\n",
            l->query + 1, w->length[l->query], l->begin, l->end, l->reverse ? '-' : '+',
            s->chromosome + 1, target_length, s->begin, s->end, l->copy->matches, l->copy->columns,
            l->tags != NULL ? l->tags : "P", g->notation == ':' ? "cs" : "cg", l->copy->path);
        g->breakpoints[TARGET] += (s->begin > 0) + (s->end < target_length);
        g->breakpoints[QUERY] += (l->begin > 0) + (l->end < w->length[l->query]);
        free(l->copy);
    }
    assert_true(used < sizeof g->paf);
}

void planted_genome_make(planted_genome *g, rng *r)
{
    static const int LENGTHS[] = {30000, 14200};
    static const segment AGAIN = {0, 16000, 18000};
    memset(g, 0, sizeof *g);
    g->notation = "=M:"[rng_below(r, 3)];
    g->replaced = rng_chance(r, 0.5);
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < LENGTHS[t]; i++)
            g->target[t][i] = random_base(&r->state);
    writer w = {.g = g, .r = r};
    g->two_inversions = rng_chance(r, 0.5);
    const int halves[] = {g->two_inversions ? S3A : S3B, g->two_inversions ? S3B : S3A};
    const int first[] = {S1, S5, S2, halves[0], halves[1], S4, S6, T3};
    for (size_t i = 0; i < COUNT(first); i++)
        append(&w, &SEGMENT[first[i]], 0, first[i] == S3A || first[i] == S3B, NULL);
    append(&w, &SEGMENT[T1], 1, false, NULL);
    append_random(&w, 1, 500);
    segment rest = SEGMENT[T2];
    rest.begin += g->replaced ? 200 : 0;
    append(&w, &rest, 1, false, NULL);
    g->secondary = rng_chance(r, 0.5);
    append(&w, &AGAIN, 1, rng_chance(r, 0.5), g->secondary ? "S" : "P");
    for (int query = 0; query < 2; query++)
        if (rng_chance(r, 0.5))
            turn(&w, query);
    write_lines(&w);
}
