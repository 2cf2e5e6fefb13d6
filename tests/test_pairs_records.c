/* SPDX-License-Identifier: MIT */
/*
 * Reading pairs from two files of records: record i of one with record i of the other, wherever
 * windows and chunks end, and what is a fault.
 */
#include "fasta_fixture.h"
#include "pairs_fixture.h"
#include "support/rng.h"
#include "support/test.h"

static void expect_records(const char *targets, const char *queries, const char *result)
{
    write_text(targets);
    write_bytes(queries_path, queries, strlen(queries));
    assert_string_equal(read_all(queries_path, 0, 1), result);
    assert_string_equal(read_all(queries_path, 1, 2), result);
    assert_string_equal(read_all(queries_path, 5, 1), result);
}

static void pairs_records(void **state)
{
    expect_records("", "\n", "");
    expect_records(">a x\nAC\nGT\n>b\n", "@c y\nA\n+\nI\n@d\nTT\n+\nII\n", "c a A-ACGT\nd b TT-\n");
    expect_records(">a\nA\n>b\nC\n", ">c\nG\n", "c a G-A\n!in2: has no record 2, for 'b' of in\n");
    expect_records(">a\nA\n", ">c\nG\n>d\n\n>e\nT\n",
                   "c a G-A\n!in: has no record 2, for 'd' of in2\n"
                   "!in: has no record 3, for 'e' of in2\n");
    expect_records(">a\nA\n>b\nC\n>c\nG\n", ">d\nG\n>e\nG G\n>f\nT\n",
                   "d a G-A\nin2: line 4: whitespace in the sequence of record 'e'\n");
    expect_records(
        "x\n", ">d\n",
        "in: line 1: not a FASTA or FASTQ file: a record begins with '>' or '@', not with 'x'\n");
}

static const char *read_one_to_many(size_t text_bytes, int32_t readers)
{
    const rhomb_pairs_options options = {.struct_size = sizeof options, .one_to_many = true};
    return read_all_with(queries_path, &options, text_bytes, readers);
}

static void expect_one_to_many(const char *target, const char *queries, const char *result)
{
    write_text(target);
    write_bytes(queries_path, queries, strlen(queries));
    for (size_t bytes = 1; bytes < 100; bytes += bytes)
        for (int32_t readers = 1; readers < 8; readers += 3)
            assert_string_equal(read_one_to_many(bytes, readers), result);
    assert_string_equal(read_one_to_many(0, 4), result);
}

static void one_target_of_many_queries(void **state)
{
    expect_one_to_many(">t x\nAC\nGT\n", ">a\nA\n>b\n\n>c\nACGTA\n",
                       "a t A-ACGT\nb t -ACGT\nc t ACGTA-ACGT\n");
    expect_one_to_many(">t\n", "@a\nA\n+\nI\n", "a t A-\n");
    expect_one_to_many(">t\nACGT\n", "", "");
    expect_one_to_many("", ">a\nA\n",
                       "in: has no record: one against many needs a file of one target\n");
    expect_one_to_many(
        ">t\nA\n>u\n", ">a\nA\n",
        "in: has more than one record: one against many needs a file of one target\n");
    expect_one_to_many(">t\nA A\n", ">a\nA\n",
                       "in: line 2: whitespace in the sequence of record 't'\n");
    expect_one_to_many(">t\nA\n", ">a\nA\n>b\nC\n>c\nA A\n",
                       "a t A-A\nb t C-A\nin2: line 6: whitespace in the sequence of record 'c'\n");
}

enum { DRAWN_MOST = 1500 };

/* A file of records, and what is in it. */
typedef struct drawn_file {
    const char *name;
    rhomb__bytes text;
    rhomb__bytes letters;
    size_t ends[DRAWN_MOST]; /* of a record's bases in these */
    const char *suffixes[DRAWN_MOST];
    int64_t count;
    char fault[128]; /* of the record after them, if there is one */
} drawn_file;

static void put(rhomb__bytes *out, const char *text)
{
    assert_int_equal(rhomb__bytes_append(&error, out, text, strlen(text)), RHOMB_OK);
}

static const char *draw_of(rng *r, const char *const *texts, int64_t count)
{
    return texts[rng_chance(r, 0.9) ? 0 : rng_below(r, count)];
}
#define DRAW(r, texts) draw_of(r, texts, (int64_t)(sizeof(texts) / sizeof *(texts)))

static void put_line(rng *r, rhomb__bytes *out, const char *text)
{
    static const char *const ends[] = {"\n", "\r\n", " \n", "\t\r\n", "\r\r\n"};
    put(out, text);
    put(out, DRAW(r, ends));
}

/* The names of records are q0, q1 and so on; some have a byte after the number. */
static void draw_record(rng *r, drawn_file *f, bool is_fastq)
{
    static const char *const blanks[] = {"", " ", "\t "};
    static const char *const suffixes[] = {"", "/1", "\xe9"};
    static const char *const descriptions[] = {" x>y", "", "\ta  b", " \x80\x01"};
    char line[256];
    const char *suffix = DRAW(r, suffixes);
    const size_t begin = f->letters.length;
    snprintf(line, sizeof line, "%c%s%c%" PRId64 "%s%s", is_fastq ? '@' : '>', DRAW(r, blanks),
             f->name[2] == '2' ? 'q' : 't', f->count, suffix, DRAW(r, descriptions));
    put_line(r, &f->text, line);
    for (int64_t lines = rng_chance(r, 0.8) ? 1 : rng_below(r, 4); lines > 0; lines--) {
        const int64_t length = rng_below(r, 200);
        for (int64_t i = 0; i < length; i++)
            line[i] = "ACGTN"[rng_below(r, 5)];
        line[length] = '\0';
        put(&f->letters, line);
        put_line(r, &f->text, line);
    }
    size_t left = f->letters.length - begin;
    if (is_fastq)
        put_line(r, &f->text, rng_chance(r, 0.5) ? "+" : "+name x");
    while (is_fastq && left > 0) {
        size_t length = 0;
        for (; left > 0 && length < 200; length++, left--)
            line[length] = "@+I>"[rng_below(r, 4)];
        line[length] = '\0';
        put_line(r, &f->text, line);
    }
    f->suffixes[f->count] = suffix;
    f->ends[f->count++] = f->letters.length;
}

/* Puts a record that is wrong. */
static void draw_fault(rng *r, drawn_file *f)
{
    static const struct {
        const char *record, *detail;
        int line;
    } faults[] = {
        {">z\nAC\nA C\n", "whitespace in the sequence of record 'z'", 3},
        {">z\nAC\nA\x7f\n", "byte 0x7f in record 'z': not a text file", 3},
        {">z\x01\n", "byte 0x01 in a record's name: not a text file", 1},
        {">z x\ry\n", "a carriage return within a line: lines must end in LF or CRLF", 1},
    };
    const int64_t which = rng_below(r, 4);
    int line = faults[which].line;
    for (size_t i = 0; i < f->text.length; i++)
        line += f->text.data[i] == '\n';
    put(&f->text, faults[which].record);
    snprintf(f->fault, sizeof f->fault, "%s: line %d: %s\n", f->name, line, faults[which].detail);
}

static void draw_file(rng *r, drawn_file *f, const char *path, int64_t count)
{
    const bool is_fastq = rng_chance(r, 0.5);
    f->text.length = f->letters.length = 0;
    f->count = 0;
    f->fault[0] = '\0';
    put(&f->text, rng_chance(r, 0.5) ? "\n \n" : "");
    while (f->count < count)
        draw_record(r, f, is_fastq);
    if (!is_fastq && rng_chance(r, 0.3))
        draw_fault(r, f);
    else if (f->count > 0 && f->ends[f->count - 1] > 0 && rng_chance(r, 0.3))
        while (strchr("\r\n\t ", f->text.data[f->text.length - 1]) != NULL)
            f->text.data[--f->text.length] = '\0';
    write_bytes(path, f->text.data, f->text.length);
}

/* Notes what pair i is; false where there is none. */
static bool note_drawn(const drawn_file *t, const drawn_file *q, int64_t i)
{
    const drawn_file *ended = i >= t->count ? t : q, *other = ended == t ? q : t;
    if (i == t->count && t->fault[0] != '\0') {
        note("%s", t->fault);
    } else if (i == q->count && q->fault[0] != '\0') {
        note("%s", q->fault);
    } else if (i < t->count && i < q->count) {
        const size_t from[] = {i > 0 ? t->ends[i - 1] : 0, i > 0 ? q->ends[i - 1] : 0};
        note("q%" PRId64 "%s t%" PRId64 "%s ", i, q->suffixes[i], i, t->suffixes[i]);
        note("%.*s-%.*s\n", (int)(q->ends[i] - from[1]), q->letters.data + from[1],
             (int)(t->ends[i] - from[0]), t->letters.data + from[0]);
        return true;
    } else if (i < other->count) {
        note("!%s: has no record %" PRId64 ", for '%c%" PRId64 "%s' of %s\n", ended->name, i + 1,
             other == q ? 'q' : 't', i, other->suffixes[i], other->name);
        return true;
    }
    return false;
}

/* Lines as usual and others, wherever the window and chunks end, and the first of two faults. */
static void pairs_any_records(void **state)
{
    static drawn_file t = {.name = "in"}, q = {.name = "in2"};
    for (int64_t round = 0; round < 60; round++) {
        rng r = rng_for("records", round);
        const int64_t count = round < 45 ? rng_below(&r, 12) : rng_between(&r, 900, DRAWN_MOST);
        draw_file(&r, &t, file_path, count);
        draw_file(&r, &q, queries_path, rng_chance(&r, 0.5) ? count : rng_below(&r, count + 1));
        transcript.length = 0;
        note("%s", "");
        for (int64_t i = 0; note_drawn(&t, &q, i);)
            i++;
        char *expected = strdup(transcript.data);
        assert_non_null(expected);
        assert_string_equal(read_all(queries_path, 0, 1), expected);
        assert_string_equal(read_all(queries_path, 0, 4), expected);
        assert_string_equal(read_all(queries_path, 1, 4), expected);
        assert_string_equal(read_all(queries_path, (size_t)rng_between(&r, 1, 50000), 7), expected);
        free(expected);
    }
    rhomb__bytes *const drawn[] = {&t.text, &t.letters, &q.text, &q.letters};
    for (int i = 0; i < 4; i++)
        rhomb__bytes_release(drawn[i]);
}

enum { WIDE = 1000, CHUNK_BYTES = 8192, WINDOW = 70000 };

static void check_share(const rhomb_pairs *pairs, const rhomb_pair_chunk *chunk)
{
    for (int side = 0; side < RHOMB__SIDES; side++) {
        const rhomb__side *s = &pairs->sides[side];
        assert_true(((const rhomb__chunk *)(const void *)chunk)->bases[side].length <=
                    2 * CHUNK_BYTES + WIDE);
        assert_true(s->bases.length - s->bases_at <= CHUNK_BYTES / 2 + WIDE);
        assert_true(s->bases.capacity <= 256 * 1024); /* a window and more */
        assert_true(s->sizes.capacity <= 16 * CHUNK_BYTES);
    }
}

/* However unlike the records of two files are, no more of either is held than a chunk's share. */
static void bounds_memory_of_records(void **state)
{
    enum { RECORDS = 20000 };
    static char text[RECORDS * (WIDE + 5)];
    for (int wide = 0; wide < RHOMB__SIDES; wide++) {
        int64_t count = 0;
        for (int side = 0; side < RHOMB__SIDES; side++) {
            size_t at = 0;
            for (int i = 0; i < RECORDS; i++)
                at += (size_t)snprintf(text + at, sizeof text - at, ">\n%0*d\n",
                                       side == wide ? WIDE : 1, 0);
            write_bytes(side == RHOMB__TARGET ? file_path : queries_path, text, at);
        }
        assert_int_equal(read_bounded(queries_path, CHUNK_BYTES, 4, 0, check_share, &count),
                         RHOMB_OK);
        assert_int_equal(count, RECORDS);
    }
}

static void check_windows(const rhomb_pairs *pairs, const rhomb_pair_chunk *chunk)
{
    for (int side = 0; side < RHOMB__SIDES; side++) {
        assert_true(((const rhomb__chunk *)(const void *)chunk)->bases[side].capacity <=
                    2 * WINDOW);
        assert_true(pairs->sides[side].bases.capacity <= 2 * WINDOW);
    }
}

/* A record that needs more than a bounded reader may hold is an error; it has four buffers. */
static void stops_at_bound_of_records(void **state)
{
    static char text[6 * WINDOW];
    for (int bases = WINDOW; bases <= 3 * WINDOW; bases += 2 * WINDOW) {
        const bool fits = bases == WINDOW;
        int64_t count = 0;
        const size_t length =
            (size_t)snprintf(text, sizeof text, ">a\nAC\n>b\n%0*d\n>c\nA\n", bases, 0);
        write_bytes(file_path, text, length);
        write_bytes(queries_path, text, length);
        assert_int_equal(
            read_bounded(queries_path, 256, 1, (size_t)8 * WINDOW, check_windows, &count),
            fits ? RHOMB_OK : RHOMB_ERR_MEMORY);
        assert_int_equal(count, fits ? 3 : 1);
    }
}

TEST_MAIN_OF(PAIRS_TEST, pairs_set_up, pairs_tear_down, pairs_records, pairs_any_records,
             one_target_of_many_queries, bounds_memory_of_records, stops_at_bound_of_records)
