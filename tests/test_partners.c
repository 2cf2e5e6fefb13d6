/* SPDX-License-Identifier: MIT */
/*
 * test_partners CASES [BASES]: the ranges of the rows of --match best --blocks, of planted sets of
 * one record to eight. The query's records are the target's, with substitutions, and with pieces
 * that were copied into other records, moved there, inverted, or exchanged as arms are. No base is
 * in two rows, in either file; of a row's shorter side, at most a twentieth is opposite what it
 * does not belong to; and the rows leave little out.
 */
#include "host/cli/many/match.h"
#include "host/cli/pair/pair_run.h"
#include "support/amount.h"
#include "support/rng.h"
#include "support/test.h"
#include "tests/reference/random_bases.h"

#include <unistd.h>

static int64_t cases, bases;

enum { RECORDS = 8, PIECES = 400, ROWS_MOST = 4096, SUBSTANTIAL = 10000 };

/* Ranges of two records, of target and query, on forward strands: of a row, or that match. */
typedef struct range {
    int record[2];
    int64_t begin[2], end[2];
    bool reverse;
} range;

typedef struct rows {
    range list[ROWS_MOST];
    int count;
} rows;

typedef struct recipe {
    int records;
    int64_t least; /* bases of a piece; of twice as many at most */
    int events;    /* copies, moves, inversions and exchanges, any number of each */
    double rate;   /* of substitutions */
    bool turned;   /* all records of the query are on the other strand */
    bool swapped;  /* at last target and query are exchanged */
} recipe;

typedef struct planted_set {
    int records;
    char *bases[2][RECORDS]; /* of target and query */
    int64_t length[2][RECORDS];
    range matches[RECORDS * PIECES];
    int count;
} planted_set;

/* While they are made, a record of the query is a list of pieces of the target's. */
typedef struct piece {
    int record;
    int64_t begin, end;
    bool reverse;
} piece;

typedef struct strip {
    piece pieces[PIECES];
    int count;
} strip;

/* Takes a piece out, and puts one in. */
static piece take(strip *s, int64_t at)
{
    const piece taken = s->pieces[at];
    memmove(s->pieces + at, s->pieces + at + 1, (size_t)(--s->count - at) * sizeof taken);
    return taken;
}

static void put(strip *s, int64_t at, piece p)
{
    assert_true(s->count < PIECES);
    memmove(s->pieces + at + 1, s->pieces + at, (size_t)(s->count++ - at) * sizeof p);
    s->pieces[at] = p;
}

static void turn(strip *s)
{
    strip turned = {.count = s->count};
    for (int i = 0; i < s->count; i++) {
        turned.pieces[i] = s->pieces[s->count - 1 - i];
        turned.pieces[i].reverse = !turned.pieces[i].reverse;
    }
    *s = turned;
}

/* The first and the last piece stay. */
static void rearrange(strip *strips, const recipe *p, rng *r)
{
    enum { COPY, MOVE, INVERT, EXCHANGE, KINDS };
    strip *from = &strips[rng_below(r, p->records)], *to = &strips[rng_below(r, p->records)];
    const int64_t kind = rng_below(r, KINDS);
    if (from->count < 3 || to->count < 3)
        return;
    const int64_t at = rng_between(r, 1, from->count - 2);
    if (kind == INVERT) {
        from->pieces[at].reverse = !from->pieces[at].reverse;
    } else if (kind == EXCHANGE && from != to) {
        const strip first = *from;
        const int64_t place = rng_between(r, 1, to->count - 2);
        for (from->count = (int)at; to->count > place;)
            put(from, at, take(to, to->count - 1));
        for (int64_t i = at; i < first.count; i++)
            put(to, to->count, first.pieces[i]);
    } else if (kind != EXCHANGE) {
        piece moved = kind == COPY ? from->pieces[at] : take(from, at);
        moved.reverse = moved.reverse != rng_chance(r, 0.5);
        put(to, rng_between(r, 1, to->count - 1), moved);
    }
}

/* Random bases of the target, in pieces. */
static strip make_target(planted_set *set, int record, int64_t length, int64_t least, rng *r)
{
    strip s = {.count = 0};
    char *to = malloc((size_t)length + 1);
    assert_non_null(to);
    random_bases(to, length, &r->state);
    to[length] = '\0';
    set->bases[0][record] = to;
    set->length[0][record] = length;
    for (int64_t at = 0, end; at < length; at = end) {
        end = at + rng_between(r, least, 2 * least);
        end = length - end < least ? length : end;
        put(&s, s.count, (piece){record, at, end, false});
    }
    return s;
}

/* Writes a record of the query, and its matches. */
static void make_query(planted_set *set, const strip *s, int record, double rate, rng *r)
{
    int64_t length = 0, at = 0;
    for (int i = 0; i < s->count; i++)
        length += s->pieces[i].end - s->pieces[i].begin;
    char *to = malloc((size_t)length + 1);
    assert_non_null(to);
    for (int i = 0; i < s->count; i++) {
        const piece *p = &s->pieces[i];
        const int64_t end = at + p->end - p->begin;
        memcpy(to + at, set->bases[0][p->record] + p->begin, (size_t)(end - at));
        if (p->reverse)
            complement_bases(to + at, end - at);
        set->matches[set->count++] =
            (range){{p->record, record}, {p->begin, at}, {p->end, end}, p->reverse};
        at = end;
    }
    for (int64_t i = 0; i < length; i++)
        if (rng_chance(r, rate))
            to[i] = random_other_base(to[i], &r->state);
    to[length] = '\0';
    set->bases[1][record] = to;
    set->length[1][record] = length;
}

/* Exchanges target and query. */
static void swap(planted_set *set)
{
    planted_set other = *set;
    for (int side = 0; side < 2; side++) {
        memcpy(other.bases[side], set->bases[1 - side], sizeof *other.bases);
        memcpy(other.length[side], set->length[1 - side], sizeof *other.length);
        for (int i = 0; i < set->count; i++) {
            other.matches[i].record[side] = set->matches[i].record[1 - side];
            other.matches[i].begin[side] = set->matches[i].begin[1 - side];
            other.matches[i].end[side] = set->matches[i].end[1 - side];
        }
    }
    *set = other;
}

static void make_set(planted_set *set, const recipe *p, rng *r)
{
    static strip strips[RECORDS];
    const int64_t mean = bases / p->records;
    *set = (planted_set){.records = p->records};
    for (int i = 0; i < p->records; i++)
        strips[i] = make_target(set, i, rng_between(r, mean / 2, mean + mean / 2), p->least, r);
    for (int i = 0; i < p->events; i++)
        rearrange(strips, p, r);
    for (int i = 0; i < p->records; i++) {
        if (p->turned)
            turn(&strips[i]);
        make_query(set, &strips[i], i, p->rate, r);
    }
    if (p->swapped)
        swap(set);
}

static void release_set(planted_set *set)
{
    for (int i = 0; i < set->records; i++) {
        free(set->bases[0][i]);
        free(set->bases[1][i]);
    }
}

static char folder[] = "/tmp/rhomb-test-partners-XXXXXX";
static char paths[2][80];

static void write_set(const planted_set *set)
{
    for (int side = 0; side < 2; side++) {
        unlink(paths[side]);
        FILE *file = fopen(paths[side], "w");
        assert_non_null(file);
        for (int i = 0; i < set->records; i++)
            fprintf(file, ">%d\n%s\n", i, set->bases[side][i]);
        assert_int_equal(fclose(file), 0);
    }
}

/* Finds partners and their blocks, as rhomb align does. */
static void find_rows(rows *found)
{
    cli_pair_arguments args = CLI_PAIR_ARGUMENTS_INIT;
    cli_assembly_reader *readers[2];
    const cli_assembly *assemblies[2];
    cli_couples couples;
    args.blocks = true;
    args.threads = 1;
    const cli_minimizer_shape shape = cli_assembly_shape(paths[0], paths[1]);
    for (int i = 0; i < 2; i++) {
        readers[i] = cli_assembly_start(paths[i], args.threads, &shape, false);
        assert_non_null(readers[i]);
        assert_int_equal(cli_assembly_finish(readers[i], &assemblies[i]), CLI_OK);
    }
    assert_int_equal(cli_match("best", assemblies, readers, true, true, &couples), CLI_OK);
    cli_looks looks = {
        .args = &args, .readers = readers, .assemblies = assemblies, .couples = &couples};
    assert_true(cli_looks_open(&looks));
    found->count = 0;
    while (looks.next < couples.count) {
        assert_int_equal(cli_looks_ahead(&looks), CLI_OK);
        cli_looking *l = cli_looks_next(&looks);
        cli_looking_end(l);
        assert_true(l->has_memory && found->count + (int)l->found.count < ROWS_MOST);
        for (size_t i = 0; i < l->found.count; i++) {
            const cli_block *b = &l->found.blocks[i];
            found->list[found->count++] =
                (range){{atoi(l->pair.target.name), atoi(l->pair.query.name)},
                        {b->target_begin, b->query_begin},
                        {b->target_end, b->query_end},
                        b->reverse};
        }
        cli_looking_drop(l);
    }
    cli_looks_release(&looks);
    for (int i = 0; i < 2; i++)
        cli_assembly_release(readers[i]);
    cli_couples_release(&couples);
}

/* The part of a match that lies in both ranges; false if there is none. */
static bool clip(const range *m, const range *within, range *part)
{
    int64_t ahead = 0, over = 0; /* along the target */
    for (int side = 0; side < 2; side++) {
        const int64_t before = within->begin[side] - m->begin[side];
        const int64_t after = m->end[side] - within->end[side];
        const bool turned = side == 1 && m->reverse;
        const int64_t first = turned ? after : before, last = turned ? before : after;
        ahead = first > ahead ? first : ahead;
        over = last > over ? last : over;
    }
    *part = *m;
    part->begin[0] += ahead;
    part->end[0] -= over;
    part->begin[1] += m->reverse ? over : ahead;
    part->end[1] -= m->reverse ? ahead : over;
    return m->record[0] == within->record[0] && m->record[1] == within->record[1] &&
           m->reverse == within->reverse && part->begin[0] < part->end[0];
}

static int by_target(const void *a, const void *b)
{
    const range *x = a, *y = b;
    return (x->begin[0] > y->begin[0]) - (x->begin[0] < y->begin[0]);
}

/* Of what lies between two matches, or beside one, the shorter side: the other one is an indel. */
static int64_t unlike_between(const range *within, const range *before, const range *after)
{
    int64_t gaps[2];
    for (int side = 0; side < 2; side++) {
        const bool turned = side == 1 && within->reverse;
        const range *first = turned ? after : before, *second = turned ? before : after;
        gaps[side] = (second != NULL ? second->begin[side] : within->end[side]) -
                     (first != NULL ? first->end[side] : within->begin[side]);
    }
    return gaps[0] < 0 || gaps[1] < 0 ? -1 : gaps[0] < gaps[1] ? gaps[0] : gaps[1];
}

/* Bases of a row's shorter side: opposite those that they belong to, and opposite others. */
typedef struct likeness {
    int64_t alike, unlike;
} likeness;

/* By the chain of matches that has most bases. */
static likeness compare(const planted_set *set, const range *row)
{
    static range parts[RECORDS * PIECES];
    static likeness chains[RECORDS * PIECES];
    likeness best = {0, unlike_between(row, NULL, NULL)};
    int count = 0;
    for (int i = 0; i < set->count; i++)
        count += clip(&set->matches[i], row, &parts[count]);
    qsort(parts, (size_t)count, sizeof *parts, by_target);
    for (int i = 0; i < count; i++) {
        const int64_t length = parts[i].end[0] - parts[i].begin[0];
        chains[i] = (likeness){length, unlike_between(row, NULL, &parts[i])};
        for (int k = 0; k < i; k++) {
            const int64_t unlike = unlike_between(row, &parts[k], &parts[i]);
            if (unlike >= 0 && chains[i].alike < chains[k].alike + length)
                chains[i] = (likeness){chains[k].alike + length, chains[k].unlike + unlike};
        }
        if (best.alike < chains[i].alike)
            best = (likeness){chains[i].alike,
                              chains[i].unlike + unlike_between(row, &parts[i], NULL)};
    }
    return best;
}

static bool overlap(const range *a, const range *b)
{
    bool any = false;
    for (int side = 0; side < 2; side++)
        any = any || (a->record[side] == b->record[side] && a->begin[side] < b->end[side] &&
                      b->begin[side] < a->end[side]);
    return any;
}

/* What is wrong with the rows of a set; NULL if nothing is. */
static const char *check(const planted_set *set, const recipe *p, const rows *found)
{
    /* Smaller pieces may give a query no further target: a row goes on over them. */
    const bool is_substantial = p->least >= SUBSTANTIAL;
    int64_t alike = 0, all = 0;
    for (int i = 0; i < found->count; i++) {
        const likeness row = compare(set, &found->list[i]);
        alike += row.alike;
        if ((is_substantial ? 19 : 8) * row.unlike > row.alike)
            return "a row is not similar";
        for (int k = 0; k < i; k++)
            if (overlap(&found->list[i], &found->list[k]))
                return "two rows overlap";
    }
    for (int i = 0; i < set->records; i++)
        all += set->length[p->swapped][i];
    return is_substantial && 20 * (all - alike) > all ? "much is in no row" : NULL;
}

static void print_range(const char *what, const range *r)
{
    print_error("%s %d:%" PRId64 "-%" PRId64 " %d:%" PRId64 "-%" PRId64 " %c\n", what, r->record[0],
                r->begin[0], r->end[0], r->record[1], r->begin[1], r->end[1],
                r->reverse ? '-' : '+');
}

static void explain(const planted_set *set, const rows *found)
{
    for (int i = 0; i < found->count; i++)
        print_range("row", &found->list[i]);
    for (int i = 0; i < set->count; i++)
        print_range("planted", &set->matches[i]);
}

static void test_planted(void **state)
{
    static planted_set set;
    static rows found;
    static const int64_t LEASTS[] = {SUBSTANTIAL, SUBSTANTIAL, 3000};
    static const double RATES[] = {0, 0.001, 0.005, 0.02};
    for (int64_t i = 0; i < amount(cases); i++) {
        rng r = rng_for("partners", i);
        const recipe p = {.records = (int)rng_between(&r, 1, RECORDS),
                          .least = LEASTS[rng_below(&r, COUNT(LEASTS))],
                          .events = (int)rng_between(&r, 1, 8),
                          .rate = RATES[rng_below(&r, COUNT(RATES))],
                          .turned = rng_chance(&r, 0.3),
                          .swapped = rng_chance(&r, 0.3)};
        make_set(&set, &p, &r);
        write_set(&set);
        find_rows(&found);
        const char *wrong = check(&set, &p, &found);
        if (wrong != NULL) {
            explain(&set, &found);
            fail_msg("case %" PRId64 ", rate %.3f: %s; again: RHOMB_TEST_SEED=%" PRIu64
                     " test_partners %" PRId64 " %" PRId64,
                     i, p.rate, wrong, rng_seed(), cases, bases);
        }
        release_set(&set);
    }
}

int main(int argc, char **argv)
{
    cases = argc > 1 ? atoll(argv[1]) : 20;
    bases = argc > 2 ? atoll(argv[2]) : 300000;
    if (!cli_has_minimizers)
        return 77;
    if (mkdtemp(folder) == NULL)
        return 1;
    for (int i = 0; i < 2; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%d.fa", folder, i);
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_planted)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int i = 0; i < 2; i++)
        unlink(paths[i]);
    rmdir(folder);
    return failed;
}
