/* SPDX-License-Identifier: MIT */
/*
 * Chains and MAF of random paths at random cuts, read back as text: each pairs the bases that the
 * path pairs, row by row, and says right where they are.
 */
#include <ctype.h>

#include "drawn_path.h"
#include "host/cli/writers/align_formats.h"
#include "src/base/error.h"
#include "tests/reference/random_bases.h"

/* The query's base that the path puts beside each base of the target; -1 for none. */
typedef struct pairing {
    int64_t query[DRAWN_LETTERS];
    int64_t pairs;
} pairing;

static void pair_path(const cli_path *path, pairing *p)
{
    int64_t target = 0, query = 0;
    p->pairs = 0;
    for (int64_t i = 0; i < path->count; i++) {
        const unsigned code = (unsigned)RHOMB_CIGAR_CODE(path->ops[i]);
        for (int64_t k = (int64_t)RHOMB_CIGAR_LENGTH(path->ops[i]); k > 0; k--) {
            const bool both = code != RHOMB_CIGAR_I && code != RHOMB_CIGAR_D;
            if (code != RHOMB_CIGAR_I)
                p->query[target++] = both ? query : -1;
            query += code != RHOMB_CIGAR_D;
            p->pairs += both;
        }
    }
}

/* Draws a path, a part of its records, a strand, and cuts. */
static cli_path_cuts draw(int64_t index, drawn_path *d)
{
    rng r = rng_for("blocks", index);
    drawn_make(d, &r);
    if (index % 2 == 0) {
        d->path.target_before = rng_below(&r, 1000);
        d->path.target_after = rng_below(&r, 1000);
        d->path.query_before = rng_below(&r, 1000);
        d->path.query_after = rng_below(&r, 1000);
    }
    d->path.reverse = rng_chance(&r, 0.5);
    if (rng_chance(&r, 0.3) && d->path.query_length > 0)
        d->path.rotation = rng_below(&r, d->path.query_length);
    return (cli_path_cuts){.split = rng_chance(&r, 0.5) ? 0 : rng_between(&r, 1, 100),
                           .chunk = rng_chance(&r, 0.5) ? 0 : rng_between(&r, 1, 100)};
}

/* How many pairs are in rows: all, unless a cut leaves some out. */
static int64_t pairs_in_rows(const cli_path *path, const cli_path_cuts *cuts)
{
    cli_path_rows rows = {0};
    cli_path_row row;
    int64_t pairs = 0;
    while (cli_path_next_row(path, cuts, &rows, &row))
        pairs += row.matches + row.mismatches;
    return pairs;
}

static FILE *written_to(char **text, size_t *length, cli_sink *sink)
{
    FILE *stream = open_memstream(text, length);
    assert_non_null(stream);
    cli_sink_open(sink, stream, 0);
    return stream;
}

static void end_text(FILE *stream, cli_sink *sink)
{
    assert_int_equal(cli_sink_close(sink), 0);
    fclose(stream);
}

/* What was read of a text is what stands there, to the byte; goes on after it. */
static void skip_text(const char **at, const char *format, ...) RHOMB__PRINTF(2, 3);

static void skip_text(const char **at, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    assert_in_range(length, 1, sizeof text - 1);
    assert_int_equal(strncmp(*at, text, (size_t)length), 0);
    *at += length;
}

/* A place in a record, on a strand, and how a sequence is in it. */
typedef struct strand_place {
    char strand;
    int64_t at;
    int64_t record;
} strand_place;

static int64_t forward_of(const strand_place *p)
{
    return p->strand == '-' ? p->record - 1 - p->at : p->at;
}

/* Which base of the path's target, or of its query, that is. */
static int64_t target_of(const cli_path *path, const strand_place *p)
{
    return forward_of(p) - path->target_before;
}

static int64_t query_of(const cli_path *path, const strand_place *p)
{
    const int64_t length = path->query_length, forward = forward_of(p) - path->query_before;
    const int64_t on_strand = path->reverse ? length - 1 - forward : forward;
    return (on_strand - path->rotation + length) % length;
}

/* A chain, by what it is about: [0] what it leads from. */
typedef struct chain {
    strand_place place[2]; /* where it begins */
    int64_t end[2];
    int64_t score;
} chain;

/* "chain SCORE NAME LENGTH STRAND BEGIN END NAME LENGTH STRAND BEGIN END ID". */
static chain read_head(const cli_path *p, const char **at, bool from_query, int64_t id)
{
    static const char *const NAMES[] = {"target", "query"};
    const int64_t records[] = {cli_path_target_record(p), cli_path_query_record(p)};
    const int first = from_query ? 1 : 0, second = 1 - first;
    chain c = {.place = {{'+', 0, records[first]}, {p->reverse ? '-' : '+', 0, records[second]}}};
    (void)sscanf(*at,
                 "chain %" SCNd64 " %*s %*d %*c %" SCNd64 " %" SCNd64 " %*s %*d %*c %" SCNd64
                 " %" SCNd64,
                 &c.score, &c.place[0].at, &c.end[0], &c.place[1].at, &c.end[1]);
    skip_text(at, "chain %" PRId64 " ", c.score);
    skip_text(at, "%s %" PRId64 " + %" PRId64 " %" PRId64 " ", NAMES[first], records[first],
              c.place[0].at, c.end[0]);
    skip_text(at, "%s %" PRId64 " %c %" PRId64 " %" PRId64 " %" PRId64 "\n", NAMES[second],
              records[second], c.place[1].strand, c.place[1].at, c.end[1], id);
    return c;
}

/* Checks a column of a chain; whether it is a match. */
static bool check_column(const drawn_path *d, const pairing *p, const chain *c, bool from_query)
{
    const int64_t target = target_of(&d->path, &c->place[from_query ? 1 : 0]);
    const int64_t query = query_of(&d->path, &c->place[from_query ? 0 : 1]);
    assert_int_equal(p->query[target], query);
    return folded_base(d->target[target]) == folded_base(d->query[query]);
}

/* Follows the blocks of a chain; the pairs in them. */
static int64_t follow_blocks(const drawn_path *d, const pairing *p, chain *c, const char **at,
                             bool from_query)
{
    int64_t matches = 0, pairs = 0, length = 0, first = 0, second = 0;
    for (;;) {
        const bool is_last =
            sscanf(*at, "%" SCNd64 "%*[\t]%" SCNd64 "%" SCNd64, &length, &first, &second) == 1;
        assert_true(length > 0 && (is_last || first + second > 0));
        for (int64_t i = 0; i < length; i++, c->place[0].at++, c->place[1].at++)
            matches += check_column(d, p, c, from_query);
        pairs += length;
        skip_text(at, "%" PRId64, length);
        if (is_last)
            break;
        skip_text(at, "\t%" PRId64 "\t%" PRId64 "\n", first, second);
        c->place[0].at += first;
        c->place[1].at += second;
    }
    assert_int_equal(c->place[0].at, c->end[0]);
    assert_int_equal(c->place[1].at, c->end[1]);
    assert_int_equal(matches, c->score);
    return pairs;
}

static void test_chains(void **state)
{
    int64_t chains = 0;
    for (int64_t i = 0; i < 6000; i++) {
        drawn_path d;
        pairing p;
        const cli_path_cuts cuts = draw(i, &d);
        const bool from_query = i % 4 > 1;
        char *text;
        size_t length;
        cli_sink sink;
        int64_t pairs = 0, id = i;
        pair_path(&d.path, &p);
        FILE *stream = written_to(&text, &length, &sink);
        const int64_t last = cli_write_chains(&sink, &d.path, &cuts, from_query, i);
        end_text(stream, &sink);
        for (const char *at = text; *at != '\0'; chains++) {
            chain c = read_head(&d.path, &at, from_query, ++id);
            pairs += follow_blocks(&d, &p, &c, &at, from_query);
            assert_memory_equal(at, "\n\n", 2);
            at += 2;
        }
        assert_int_equal(last, id);
        assert_int_equal(pairs, pairs_in_rows(&d.path, &cuts));
        free(text);
    }
    assert_true(chains > 6000);
}

/* A line of a block; its columns end with a line end. */
typedef struct maf_line {
    strand_place place;
    int64_t length;
    const char *columns;
} maf_line;

static maf_line read_maf_line(const char **at, const char *name, char strand, int64_t record)
{
    maf_line line = {.place = {strand, 0, record}};
    (void)sscanf(*at, "s %*s %" SCNd64 " %" SCNd64, &line.place.at, &line.length);
    skip_text(at, "s %s %" PRId64 " %" PRId64 " %c %" PRId64 " ", name, line.place.at, line.length,
              strand, record);
    line.columns = *at;
    *at = strchr(*at, '\n') + 1;
    return line;
}

/* A base as MAF has it. */
static char with_t(char base)
{
    return base == 'U' ? 'T' : base == 'u' ? 't' : base;
}

/* Follows the columns of a block; the pairs in them. */
static int64_t follow_columns(const drawn_path *d, const pairing *p, const maf_line *t,
                              const maf_line *q)
{
    int64_t target = target_of(&d->path, &t->place), query = query_of(&d->path, &q->place);
    int64_t pairs = 0, i;
    const int64_t target_end = target + t->length, query_end = query + q->length;
    for (i = 0; t->columns[i] != '\n'; i++) {
        const bool in_target = t->columns[i] != '-', in_query = q->columns[i] != '-';
        assert_true(in_target || in_query);
        if (in_target)
            assert_int_equal(p->query[target], in_query ? query : -1);
        if (in_target)
            assert_int_equal(t->columns[i], with_t(d->target[target++]));
        if (in_query)
            assert_int_equal(q->columns[i], with_t(d->query[query++]));
        pairs += in_target && in_query;
    }
    assert_int_equal(q->columns[i], '\n');
    assert_int_equal(target, target_end);
    assert_int_equal(query, query_end);
    return pairs;
}

static void test_maf(void **state)
{
    for (int64_t i = 0; i < 6000; i++) {
        drawn_path d;
        pairing p;
        const cli_path_cuts cuts = draw(i, &d);
        char *text;
        size_t length;
        cli_sink sink;
        int64_t pairs = 0;
        pair_path(&d.path, &p);
        FILE *stream = written_to(&text, &length, &sink);
        cli_write_maf_head(&sink);
        cli_write_maf(&sink, &d.path, &cuts);
        end_text(stream, &sink);
        const char *at = text;
        assert_memory_equal(at, "##maf version=1\n", 16);
        for (at += 16; *at != '\0';) {
            assert_memory_equal(at, "\na score=", 9);
            at = strchr(at + 1, '\n') + 1;
            const maf_line t = read_maf_line(&at, "target", '+', cli_path_target_record(&d.path));
            const maf_line q = read_maf_line(&at, "query", d.path.reverse ? '-' : '+',
                                             cli_path_query_record(&d.path));
            assert_true(t.length > 0 && q.length > 0);
            pairs += follow_columns(&d, &p, &t, &q);
        }
        assert_int_equal(pairs, pairs_in_rows(&d.path, &cuts));
        free(text);
    }
}

static bool is_n(char base)
{
    return toupper(base) == 'N';
}

/* Intervals are as long as can be, and have just the bases that are beside another, without N. */
static void test_callable(void **state)
{
    for (int64_t i = 0; i < 6000; i++) {
        drawn_path d;
        pairing p;
        bool is_in[DRAWN_LETTERS + 1] = {false};
        char *text;
        size_t length;
        cli_sink sink;
        int64_t last = -1;
        (void)draw(i, &d);
        pair_path(&d.path, &p);
        FILE *stream = written_to(&text, &length, &sink);
        cli_write_callable(&sink, &d.path);
        end_text(stream, &sink);
        for (const char *at = text; *at != '\0';) {
            int64_t begin = 0, end = 0;
            (void)sscanf(at, "target %" SCNd64 " %" SCNd64, &begin, &end);
            skip_text(&at, "target\t%" PRId64 "\t%" PRId64 "\n", begin, end);
            begin -= d.path.target_before;
            end -= d.path.target_before;
            assert_true(begin > last && begin < end && end <= d.path.target_length);
            memset(is_in + begin, true, (size_t)(end - begin));
            last = end;
        }
        for (int64_t k = 0; k < d.path.target_length; k++)
            assert_int_equal(is_in[k],
                             p.query[k] >= 0 && !is_n(d.target[k]) && !is_n(d.query[p.query[k]]));
        free(text);
    }
}

/* Gaps longer than a piece of the sink. */
static void test_long_gap(void **state)
{
    enum { GAP = 3 * CLI_SINK_PIECE + 5 };
    static const cli_path_cuts NONE = {0};
    static char bases[GAP + 2];
    const rhomb_path_op ops[] = {1 << 4 | RHOMB_CIGAR_EQ, (rhomb_path_op)GAP << 4 | RHOMB_CIGAR_D,
                                 1 << 4 | RHOMB_CIGAR_EQ};
    memset(bases, 'A', sizeof bases);
    const cli_path path = {.target_name = "t",
                           .query_name = "q",
                           .target = bases,
                           .query = "AA",
                           .target_length = GAP + 2,
                           .query_length = 2,
                           .ops = ops,
                           .count = 3};
    char *text;
    size_t length;
    cli_sink sink;
    FILE *stream = written_to(&text, &length, &sink);
    cli_write_maf(&sink, &path, &NONE);
    assert_true(sink.text.capacity <= 4 * CLI_SINK_PIECE);
    end_text(stream, &sink);
    const char *gap = strchr(strstr(text, "s q"), '-');
    assert_int_equal(strspn(gap, "-"), GAP);
    free(text);
}

TEST_MAIN(test_chains, test_maf, test_callable, test_long_gap)
