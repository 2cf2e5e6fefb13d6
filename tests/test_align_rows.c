/* SPDX-License-Identifier: MIT */
/*
 * Records of random paths, read back as text. Those of PAF, at random cuts: each is scored again by
 * itself against the two sequences, by its cg and by its cs, and all of them together are the path,
 * less the gaps of a plain model; of a path that is read backwards they are the same ones. And
 * lists of differences: they make the query of the target.
 */
#include <ctype.h>

#include "drawn_path.h"
#include "host/cli/writers/align_formats.h"
#include "tests/reference/random_bases.h"

/* Which operations are in no record, and what they cost. */
typedef struct left_out {
    bool is[DRAWN_OPS];
    int64_t edits;
    bool all; /* would be left out, so none is */
} left_out;

static void leave_out(const drawn_path *d, int64_t begin, int64_t end, left_out *out)
{
    for (int64_t i = begin; i < end; i++) {
        if (!out->is[i] && RHOMB_CIGAR_CODE(d->ops[i]) != RHOMB_CIGAR_EQ)
            out->edits += (int64_t)RHOMB_CIGAR_LENGTH(d->ops[i]);
        out->is[i] = true;
    }
}

/*
 * By all stretches of operations that are a gap, however they lie to each other: so many bases
 * inserted or deleted, no gain on the way, never above the beginning nor below the end, and a gain
 * is lost from one to the other. The last two hold for nothing at the path's ends. And what is not
 * similar, by the library.
 */
static void find_left_out(const drawn_path *d, const cli_path_cuts *cuts, left_out *out)
{
    const int64_t split = cuts->split, gain = split < 32 ? split : 32, count = d->path.count;
    *out = (left_out){0};
    for (int64_t begin = 0; split > 0 && begin < count; begin++) {
        int64_t score = 0, lowest = 0, letters = 0;
        for (int64_t i = begin; i < count; i++) {
            const uint64_t code = RHOMB_CIGAR_CODE(d->ops[i]);
            const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(d->ops[i]);
            score += code == RHOMB_CIGAR_EQ ? length : code == RHOMB_CIGAR_X ? 0 : -length;
            letters += code == RHOMB_CIGAR_EQ || code == RHOMB_CIGAR_X ? 0 : length;
            if (score - lowest >= gain || (begin > 0 && score > 0))
                break;
            lowest = score < lowest ? score : lowest;
            const bool is_low = i + 1 == count || score == lowest;
            const bool is_deep = begin == 0 || i + 1 == count || score <= -gain;
            if (is_low && is_deep && letters >= split)
                leave_out(d, begin, i + 1, out);
        }
    }
    const left_out none = {.all = true};
    int64_t left = 0;
    for (int64_t i = 0; i < count; i++)
        left += out->is[i];
    if (count > 0 && left == count)
        *out = none;
    rhomb_similar similar = rhomb_similar_begin(d->path.least_identity);
    for (int64_t i = 0, known = 0; cuts->similar_only && i <= count; i++) {
        const rhomb_similar_part part =
            i < count ? rhomb_similar_add(&similar, d->ops[i]) : rhomb_similar_end(&similar);
        const int64_t end = i < count ? i + 1 : i;
        if (part == RHOMB_SIMILAR_NO)
            leave_out(d, known, end, out);
        known = part != RHOMB_SIMILAR_OPEN ? end : known;
    }
}

/* What a line of PAF says. */
typedef struct line {
    int64_t query_length, query_begin, query_end;
    int64_t target_length, target_begin, target_end;
    int64_t matches, columns, edits, score;
    double divergence;
    const char *sc;
    const char *cg;
    const char *cs;
} line;

static const char *tag(const char *text, const char *name)
{
    const char *found = strstr(text, name);
    return found != NULL ? found + strlen(name) : NULL;
}

static line read_line(const char *text)
{
    line l = {.sc = tag(text, "\tsc:Z:"), .cg = tag(text, "\tcg:Z:"), .cs = tag(text, "\tcs:Z:")};
    const char *rest = tag(text, "\ttp:A:P\tde:f:");
    char strand = '\0';
    const int fields =
        sscanf(text,
               "query\t%" SCNd64 "\t%" SCNd64 "\t%" SCNd64 "\t%c\ttarget\t%" SCNd64 "\t%" SCNd64
               "\t%" SCNd64 "\t%" SCNd64 "\t%" SCNd64 "\t255\tNM:i:%" SCNd64 "\tAS:i:%" SCNd64,
               &l.query_length, &l.query_begin, &l.query_end, &strand, &l.target_length,
               &l.target_begin, &l.target_end, &l.matches, &l.columns, &l.edits, &l.score);
    assert_int_equal(fields, 11);
    assert_non_null(rest);
    l.divergence = strtod(rest, NULL);
    assert_int_equal(strand, '+');
    return l;
}

/* What a record's operations come to. */
typedef struct score {
    int64_t target, query; /* where they end */
    int64_t matches, columns, edits, gaps;
    int64_t score;
} score;

/* What an operation adds to a score. */
static int64_t score_of(const drawn_path *d, char letter, int64_t length)
{
    const rhomb_scoring *s = &d->scoring;
    if (d->path.scoring == NULL)
        return letter == '=' ? 0 : -length;
    if (letter == '=' || letter == 'X')
        return letter == '=' ? s->match * length : -s->mismatch * length;
    const int64_t first = s->gap_open + length * s->gap_extend;
    const int64_t second = s->gap_open_2 + length * s->gap_extend_2;
    return s->gap_open_2 < 0 || first < second ? -first : -second;
}

/* Follows cg base by base. */
static score score_cg(const drawn_path *d, const line *l, int64_t split)
{
    score s = {.target = l->target_begin, .query = l->query_begin};
    for (const char *at = l->cg; at != NULL && isdigit(*at);) {
        char *end;
        const int64_t length = strtoll(at, &end, 10);
        const bool in_target = *end != 'I', in_query = *end != 'D', both = in_target && in_query;
        assert_true(length > 0 && strchr("=XID", *end) != NULL);
        assert_true(both || split == 0 || length < split);
        for (int64_t i = 0; i < length; i++) {
            const bool equal =
                both && folded_base(d->target[s.target]) == folded_base(d->query[s.query]);
            assert_int_equal(equal, *end == '=');
            s.target += in_target;
            s.query += in_query;
        }
        s.columns += length;
        s.matches += *end == '=' ? length : 0;
        s.edits += *end == '=' ? 0 : length;
        s.gaps += *end == 'X' ? length : *end != '=';
        s.score += score_of(d, *end, length);
        at = end + 1;
    }
    return s;
}

/* Makes the query of cs and the target. */
static void check_cs(const drawn_path *d, const line *l)
{
    int64_t target = l->target_begin, query = l->query_begin;
    for (const char *at = l->cs; at != NULL && *at != '\0';) {
        const char sign = *at++;
        if (sign == ':') {
            char *end;
            const int64_t length = strtoll(at, &end, 10);
            target += length;
            query += length;
            at = end;
            continue;
        }
        if (sign == '*')
            assert_int_equal(*at++, tolower(folded_base(d->target[target++])));
        assert_non_null(strchr("*+-", sign));
        for (bool first = true; islower(*at) && (first || sign != '*'); first = false) {
            const char *side = sign == '-' ? &d->target[target++] : &d->query[query++];
            assert_int_equal(*at++, tolower(folded_base(*side)));
        }
    }
    assert_int_equal(target, l->target_end);
    assert_int_equal(query, l->query_end);
}

/* Looks at a record alone. */
static void check_row(const drawn_path *d, const line *l, const cli_path_cuts *cuts, bool is_gap)
{
    const score s = score_cg(d, l, is_gap ? 0 : cuts->split);
    assert_int_equal(s.target, l->target_end);
    assert_int_equal(s.query, l->query_end);
    assert_int_equal(s.matches, l->matches);
    assert_int_equal(s.columns, l->columns);
    assert_int_equal(s.edits, l->edits);
    assert_int_equal(l->score, s.score);
    assert_int_equal(l->sc != NULL, d->path.scoring != NULL);
    const double divergence = s.gaps == 0 ? 0 : (double)s.gaps / (double)(s.gaps + s.matches);
    assert_true(l->divergence >= divergence - 1e-6 && l->divergence <= divergence + 1e-6);
    assert_int_equal(l->target_length, d->path.target_length);
    assert_int_equal(l->query_length, d->path.query_length);
    if (cuts->chunk > 0 && l->target_end > l->target_begin)
        assert_int_equal(l->target_begin / cuts->chunk, (l->target_end - 1) / cuts->chunk);
    check_cs(d, l);
}

/* Records one after the other, against the operations that are left over. */
typedef struct walk {
    const drawn_path *d;
    const left_out *out;
    int64_t index;
    int64_t target, query;
} walk;

static void step(walk *w)
{
    const rhomb_path_op op = w->d->ops[w->index++];
    w->target += RHOMB_CIGAR_CODE(op) == RHOMB_CIGAR_I ? 0 : (int64_t)RHOMB_CIGAR_LENGTH(op);
    w->query += RHOMB_CIGAR_CODE(op) == RHOMB_CIGAR_D ? 0 : (int64_t)RHOMB_CIGAR_LENGTH(op);
}

/* `l` is where the walk says: it begins where the record before ended, or after what is left out.
 */
static void check_order(walk *w, const cli_path_cuts *cuts, const line *before, const line *l)
{
    if (before->target_end < w->target || before->query_end < w->query) {
        assert_true(cuts->chunk > 0 && l->target_begin % cuts->chunk == 0);
        assert_int_equal(l->target_begin, before->target_end);
        assert_int_equal(l->query_begin, before->query_end);
    } else {
        assert_int_equal(before->target_end, w->target);
        assert_int_equal(before->query_end, w->query);
        while (w->index < w->d->path.count && w->out->is[w->index])
            step(w);
        assert_int_equal(l->target_begin, w->target);
        assert_int_equal(l->query_begin, w->query);
        while (w->index < w->d->path.count && !w->out->is[w->index])
            step(w);
    }
    assert_true(l->target_end <= w->target && l->query_end <= w->query);
}

/* Writes a path as PAF. */
static char *write_rows(const drawn_path *d, const cli_path_cuts *cuts)
{
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    cli_sink sink;
    cli_sink_open(&sink, stream, 0);
    cli_write_paf(&sink, &d->path, cuts, true);
    assert_int_equal(cli_sink_close(&sink), 0);
    fclose(stream);
    return text;
}

/* Checks the records of a path. Returns how many there are. */
static int64_t check_rows(const drawn_path *d, const cli_path_cuts *cuts)
{
    left_out out;
    find_left_out(d, cuts, &out);
    walk w = {.d = d, .out = &out};
    char *text = write_rows(d, cuts);
    int64_t rows = 0, edits = out.edits;
    line before = {0};
    for (char *at = strtok(text, "\n"); at != NULL; at = strtok(NULL, "\n"), rows++) {
        const line l = read_line(at);
        check_row(d, &l, cuts, out.all);
        check_order(&w, cuts, &before, &l);
        assert_true(l.columns > 0 || d->path.count == 0);
        edits += l.edits;
        before = l;
    }
    assert_int_equal(before.target_end, w.target);
    assert_int_equal(before.query_end, w.query);
    for (; w.index < d->path.count; step(&w))
        assert_true(out.is[w.index]);
    assert_int_equal(edits, d->edits);
    free(text);
    return rows;
}

/* Copies the bases of the target up to an end; returns that. */
static int64_t copy_target(const drawn_path *d, int64_t from, int64_t end, char *made,
                           int64_t *length)
{
    assert_true(from <= end && end <= d->path.target_length);
    memcpy(made + *length, d->target + from, (size_t)(end - from));
    *length += end - from;
    return end;
}

/* One line of the list; returns how much of the target is after it. */
static int64_t apply(const drawn_path *d, const char *text, int64_t from, char *made,
                     int64_t *length)
{
    char reference[DRAWN_LETTERS + 1], alternative[DRAWN_LETTERS + 1], type;
    int64_t position, query_position;
    assert_int_equal(sscanf(text, "target\t%" SCNd64 "\t%[^\t]\t%[^\t]\t%c\t%" SCNd64, &position,
                            reference, alternative, &type, &query_position),
                     5);
    const bool in_target = type != 'I', in_query = type != 'D';
    assert_true(in_target ? strlen(reference) > 0 : strcmp(reference, ".") == 0);
    from = copy_target(d, from, position - in_target, made, length);
    assert_int_equal(query_position, *length + in_query);
    if (in_target) {
        assert_memory_equal(d->target + from, reference, strlen(reference));
        from += (int64_t)strlen(reference);
    }
    if (in_query) {
        memcpy(made + *length, alternative, strlen(alternative));
        *length += (int64_t)strlen(alternative);
    } else {
        assert_string_equal(alternative, ".");
    }
    return from;
}

static void test_differences(void **state)
{
    for (int64_t i = 0; i < 1000; i++) {
        drawn_path d;
        rng r = rng_for("differences", i);
        drawn_make(&d, &r);
        char *text, made[2 * DRAWN_LETTERS + 1];
        size_t size;
        cli_sink sink;
        FILE *stream = open_memstream(&text, &size);
        assert_non_null(stream);
        cli_sink_open(&sink, stream, 0);
        cli_write_differences(&sink, &d.path, false);
        assert_int_equal(cli_sink_close(&sink), 0);
        fclose(stream);
        int64_t from = 0, length = 0;
        for (char *at = strtok(text, "\n"); at != NULL; at = strtok(NULL, "\n"))
            from = apply(&d, at, from, made, &length);
        copy_target(&d, from, d.path.target_length, made, &length);
        assert_int_equal(length, d.path.query_length);
        for (int64_t k = 0; k < length; k++)
            assert_int_equal(folded_base(made[k]), folded_base(d.query[k]));
        free(text);
    }
}

/* What is in no record of a path, nor is it of the same path read backwards. */
static void check_backwards(const drawn_path *d, const cli_path_cuts *cuts, int64_t rows)
{
    drawn_path back;
    left_out out, out_back;
    drawn_backwards(&back, d);
    back.path.least_identity = d->path.least_identity;
    find_left_out(d, cuts, &out);
    find_left_out(&back, cuts, &out_back);
    for (int64_t i = 0; i < d->path.count; i++)
        assert_int_equal(out.is[i], out_back.is[d->path.count - 1 - i]);
    const int64_t rows_back = check_rows(&back, cuts);
    if (cuts->chunk == 0)
        assert_int_equal(rows, rows_back);
}

static void test_random(void **state)
{
    int64_t rows = 0, pieces = 0;
    for (int64_t i = 0; i < 6000; i++) {
        drawn_path d;
        rng r = rng_for("align rows", i);
        drawn_make(&d, &r);
        const int64_t most = rng_chance(&r, 0.5) ? 12 : 100;
        const cli_path_cuts cuts = {.split = rng_chance(&r, 0.2) ? 0 : rng_between(&r, 1, most),
                                    .chunk = rng_chance(&r, 0.4) ? 0 : rng_between(&r, 1, 25),
                                    .similar_only = rng_chance(&r, 0.5)};
        d.path.least_identity = (double)rng_between(&r, 3, 9) / 10;
        const int64_t count = check_rows(&d, &cuts);
        if (cuts.split == 0 && cuts.chunk == 0 && !cuts.similar_only)
            assert_int_equal(count, 1);
        check_backwards(&d, &cuts, count);
        rows += count;
        pieces += cuts.similar_only && count > 1;
    }
    print_message("%" PRId64 " rows, %" PRId64 " paths in several similar ones\n", rows, pieces);
    assert_true(rows > 6000 && pieces > 200);
}

/* The CIGARs of the records, with a space after each. */
static char *row_cigars(const drawn_path *d, const cli_path_cuts *cuts)
{
    char *text = write_rows(d, cuts), *to = text;
    for (char *at = strtok(text, "\n"); at != NULL; at = strtok(NULL, "\n")) {
        const char *cg = tag(at, "\tcg:Z:");
        const size_t length = strcspn(cg, "\t");
        memmove(to, cg, length);
        to += length;
        *to++ = ' ';
    }
    *to = '\0';
    return text;
}

/* What is a gap of 50 bases, and what is none. */
static void test_gaps(void **state)
{
    static const struct {
        const char *path;
        const char *rows;
    } CASES[] = {
        /* In one piece; in several that are one, of one base more or less. */
        {"40=49I40=", "40=49I40= "},
        {"40=50I40=", "40= 40= "},
        {"40=51D40=", "40= 40= "},
        {"40=25I3=2X24I40=", "40=25I3=2X24I40= "},
        {"40=25I3=2X25I40=", "40= 40= "},
        {"40=25D9=2X25I40=", "40= 40= "},
        /* With less than a gain in between they are one, and else two of 40. */
        {"40=40I31=40I40=", "40= 40= "},
        {"40=40I32=40I40=", "40=40I32=40I40= "},
        /* A record has a gain of 32, beside gaps at least and at the ends. */
        {"31=50I32=", "32= "},
        {"32=50I31=", "32= "},
        {"40=50I31=50D40=", "40= 40= "},
        {"40=50I16=5D21=50D40=", "40= 16=5D21= 40= "},
        {"20=50I20=", "20=50I20= "},
        {"20=49I20=", "20=49I20= "},
        /* A mismatch beside a gap is in no record; elsewhere it is, and does not split. */
        {"40=2X50I3X40=", "40= 40= "},
        {"40=100X40=", "40=100X40= "},
        {"100X", "100X "},
        /* Where all of it is a gap, it is a record nevertheless. */
        {"100I", "100I "},
        {"938X32D62X1968D", "938X32D62X1968D "},
        /* A record ends where it cannot get better, and not where it is as good again. */
        {"40=3I4=90D40=", "40=3I4= 40= "},
        {"40=3I3=90D40=", "40= 40= "},
        {"40=90D3=3I40=", "40= 40= "},
        {"40=90D4=3I40=", "40= 4=3I40= "},
        /* The ends of the path are in records but for long gaps. */
        {"3X2I40=4D", "3X2I40=4D "},
        {"2=30I5=20D40=1=60I2=", "41= "},
    };
    static const cli_path_cuts CUTS = {.split = 50};
    for (size_t i = 0; i < COUNT(CASES); i++) {
        drawn_path d;
        rng r = rng_for("gaps", (int64_t)i);
        drawn_clear(&d);
        drawn_extend_by(&d, &r, CASES[i].path);
        char *found = row_cigars(&d, &CUTS);
        assert_string_equal(found, CASES[i].rows);
        free(found);
        check_backwards(&d, &CUTS, check_rows(&d, &CUTS));
    }
}

/* Cuts that are larger than anything are none. */
static void test_large_cuts(void **state)
{
    drawn_path d;
    rng r = rng_for("large cuts", 0);
    drawn_make(&d, &r);
    const cli_path_cuts cuts = {INT64_MAX, INT64_MAX, false};
    assert_int_equal(check_rows(&d, &cuts), 1);
}

/* All records that there are where little or nothing is left. */
static void test_edges(void **state)
{
    static const cli_path_cuts NONE = {0}, SPLIT = {.split = 3}, CHUNK = {.chunk = 4};
    rng r = rng_for("edges", 0);
    drawn_path d;
    drawn_clear(&d);
    assert_int_equal(check_rows(&d, &NONE), 1);
    assert_int_equal(check_rows(&d, &CHUNK), 1);
    drawn_extend(&d, &r, RHOMB_CIGAR_I, 9);
    assert_int_equal(check_rows(&d, &NONE), 1);
    assert_int_equal(check_rows(&d, &CHUNK), 1);
    assert_int_equal(check_rows(&d, &SPLIT), 1);
    drawn_extend(&d, &r, RHOMB_CIGAR_D, 9);
    assert_int_equal(check_rows(&d, &SPLIT), 1);
    assert_int_equal(check_rows(&d, &CHUNK), 3);
    /* Inserted where a chunk ends: of the record before. */
    drawn_extend(&d, &r, RHOMB_CIGAR_EQ, 3);
    drawn_extend(&d, &r, RHOMB_CIGAR_I, 2);
    assert_int_equal(d.path.target_length % CHUNK.chunk, 0);
    assert_int_equal(check_rows(&d, &CHUNK), 3);
    drawn_extend(&d, &r, RHOMB_CIGAR_X, 1);
    assert_int_equal(check_rows(&d, &CHUNK), 4);
    assert_int_equal(check_rows(&d, &SPLIT), 1);
}

TEST_MAIN(test_random, test_gaps, test_differences, test_large_cuts, test_edges)
