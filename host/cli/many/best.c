/* SPDX-License-Identifier: MIT */
/* Partners by their bases, see match.h. */
#include "host/cli/many/match.h"

enum {
    SHARED_LEAST = 4,        /* minimizers of a couple; by chance there are one or two */
    SECOND_SHARE = 10,       /* of the best one, and of the shorter record, for another one */
    SUBSTANTIAL = 10000,     /* bases of a block: see match.h */
    SUBSTANTIAL_PART = 5,    /* of the shorter record, if it is a short one, */
    SUBSTANTIAL_SHARE = 1000 /* or a long one */
};

/* A minimizer that both have, and in which records. Places are those among all bases. */
typedef struct common {
    size_t target, query;
    cli_anchor anchor;
} common;

/* Two records that have some: where these are in the list, and what they come to. */
typedef struct candidate {
    size_t target, query;
    size_t first, count;
    int64_t bases;   /* shared */
    int64_t reverse; /* minimizers on the other strand */
} candidate;

/* All there is, for a search. */
typedef struct search {
    const cli_assembly *const *assemblies;
    int k;
    int64_t near; /* minimizers this far from each other share what is between them */
    common *list;
    size_t count;
    candidate *candidates;
    size_t candidate_count;
} search;

/*
 * The bases that are shared from one minimizer to the next one along the target, if these are no
 * more than `most` apart; else 0.
 */
static int64_t shared_between(const cli_anchor *a, const cli_anchor *b, int64_t most)
{
    const int64_t target = b->target - a->target;
    const int64_t query = a->reverse ? a->query - b->query : b->query - a->query;
    if (a->reverse != b->reverse || query <= 0 || query > most || target > most)
        return 0;
    return target < query ? target : query;
}

static bool is_same_couple(const common *a, const common *b)
{
    return a->target == b->target && a->query == b->query;
}

/*
 * Sums up each couple's, which are together. A repeat, which has no minimizer of its own, is shared
 * as well if it is no longer than what was shared before it without a break. False if there is no
 * memory.
 */
static bool sum_up(search *s)
{
    int64_t run = 0;
    size_t couples = 1;
    for (size_t i = 1; i < s->count; i++)
        couples += !is_same_couple(&s->list[i - 1], &s->list[i]);
    s->candidates = malloc(couples * sizeof *s->candidates);
    if (s->candidates == NULL)
        return false;
    for (size_t i = 0; i < s->count; i++) {
        const common *at = &s->list[i];
        const bool goes_on = i > 0 && is_same_couple(at - 1, at);
        const int64_t most = run > s->near ? run : s->near;
        const int64_t bases = goes_on ? shared_between(&at[-1].anchor, &at->anchor, most) : 0;
        if (!goes_on)
            s->candidates[s->candidate_count++] =
                (candidate){.target = at->target, .query = at->query, .first = i};
        candidate *c = &s->candidates[s->candidate_count - 1];
        run = bases > 0 ? run + bases : s->k;
        c->bases += bases > 0 ? bases : s->k;
        c->reverse += at->anchor.reverse;
        c->count++;
    }
    return true;
}

/*
 * Lists anchors, which are in the order of the targets, by query, then by target, then along the
 * target. False if there is no memory.
 */
static bool list_by_query(search *s, const cli_anchor *anchors)
{
    const cli_assembly *target = s->assemblies[0], *query = s->assemblies[1];
    size_t *next = calloc(query->count + 2, sizeof *next); /* where a query's next one goes */
    s->list = malloc((s->count + 1) * sizeof *s->list);
    if (next == NULL || s->list == NULL) {
        free(next);
        return false;
    }
    for (size_t i = 0; i < s->count; i++)
        next[cli_assembly_record_at(query, anchors[i].query) + 1]++;
    for (size_t i = 1; i < query->count; i++)
        next[i] += next[i - 1];
    for (size_t i = 0; i < s->count; i++) {
        const size_t record = cli_assembly_record_at(query, anchors[i].query);
        s->list[next[record]++] =
            (common){cli_assembly_record_at(target, anchors[i].target), record, anchors[i]};
    }
    free(next);
    return true;
}

/* Finds all candidates, by query and target. False if there is no memory. */
static bool find(search *s, const cli_assembly *const assemblies[2])
{
    enum { NEAR = 64 /* windows */ };
    const cli_assembly *target = assemblies[0], *query = assemblies[1];
    cli_anchor *anchors = cli_anchors_find(&target->minimizers, &query->minimizers, &s->count);
    s->assemblies = assemblies;
    s->k = target->minimizers.shape.k;
    s->near = (int64_t)NEAR * target->minimizers.shape.w;
    const bool good = (s->count == 0 || anchors != NULL) && list_by_query(s, anchors);
    free(anchors);
    return good && sum_up(s);
}

static void release(search *s)
{
    free(s->list);
    free(s->candidates);
}

/* The most bases first. */
static int compare_bases(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->bases != y->bases)
        return x->bases > y->bases ? -1 : 1;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    return (x->query > y->query) - (x->query < y->query);
}

static int compare_queries(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->query != y->query ? (x->query < y->query ? -1 : 1) : compare_bases(a, b);
}

static cli_couple couple_of(const candidate *c)
{
    return (cli_couple){.target = c->target,
                        .query = c->query,
                        .strand = 2 * (size_t)c->reverse > c->count ? '-' : '+'};
}

/* What is known of the records of one side, for take_single(). */
typedef struct records {
    size_t *partners; /* from 1 on; 0: none */
    int64_t *most;    /* bases that each shares with its best candidate; 0: not known */
    cli_lost *lost;
} records;

static bool create_records(records *side, size_t count)
{
    side->partners = calloc(count + 1, sizeof *side->partners);
    side->most = calloc(count + 1, sizeof *side->most);
    side->lost = calloc(count + 1, sizeof *side->lost);
    return side->partners != NULL && side->most != NULL && side->lost != NULL;
}

/* Notes who has the best candidate of a record, at the first of its candidates. */
static void note_best(records *own, size_t record, const records *other, size_t best, int64_t bases)
{
    if (own->most[record] > 0)
        return;
    own->most[record] = bases;
    own->lost[record] = (cli_lost){
        .has_best = other->partners[best] > 0, .best = best, .holder = other->partners[best] - 1};
}

static int64_t shorter_length(const search *s, const candidate *c)
{
    const int64_t n = s->assemblies[0]->records[c->target].length;
    const int64_t m = s->assemblies[1]->records[c->query].length;
    return n < m ? n : m;
}

/* Whether a repeat may be all that a candidate shares, where either record has a better. */
static bool is_poor(const search *s, const candidate *c, int64_t target_most, int64_t query_most)
{
    const int64_t best = target_most > query_most ? target_most : query_most;
    return c->bases < best / SECOND_SHARE && c->bases < shorter_length(s, c) / SECOND_SHARE;
}

/*
 * Of candidates by their bases, takes those of which no record is taken, and keeps what became of
 * the best candidate of each other record.
 */
static bool take_single(const search *s, records sides[2], cli_couples *couples)
{
    records *targets = &sides[0], *queries = &sides[1];
    bool good = true;
    for (size_t i = 0; good && i < s->candidate_count; i++) {
        const candidate *c = &s->candidates[i];
        const size_t t = c->target, q = c->query;
        if (c->count < SHARED_LEAST)
            continue;
        note_best(targets, t, queries, q, c->bases);
        note_best(queries, q, targets, t, c->bases);
        if (targets->partners[t] > 0 || queries->partners[q] > 0 ||
            is_poor(s, c, targets->most[t], queries->most[q]))
            continue;
        targets->partners[t] = q + 1;
        queries->partners[q] = t + 1;
        good = cli_couples_add(couples, couple_of(c));
    }
    return good;
}

/* The records of a side without a couple, by their digests: *count of them. NULL without memory. */
static cli_key_value *list_single(const cli_assembly *assembly, const cli_couples *couples,
                                  int side, size_t *count)
{
    bool *has = cli_couples_have(couples, side, assembly->count);
    cli_key_value *single = has != NULL ? malloc((assembly->count + 1) * sizeof *single) : NULL;
    *count = 0;
    for (size_t i = 0; i < assembly->count && single != NULL; i++)
        if (!has[i] && assembly->records[i].length > 0)
            single[(*count)++] = (cli_key_value){assembly->records[i].digest, i};
    if (single != NULL)
        cli_key_values_sort(single, *count);
    free(has);
    return single;
}

/*
 * Couples records that are the same in both and have no partner, in their order: what a file has
 * twice has no minimizer that is there once. False if there is no memory.
 */
static bool add_same(const cli_assembly *const assemblies[2], cli_couples *couples)
{
    size_t counts[2], j = 0;
    cli_key_value *targets = list_single(assemblies[0], couples, 0, &counts[0]);
    cli_key_value *queries = list_single(assemblies[1], couples, 1, &counts[1]);
    bool good = targets != NULL && queries != NULL;
    for (size_t i = 0; good && i < counts[0]; i++) {
        while (j < counts[1] && queries[j].key < targets[i].key)
            j++;
        if (j == counts[1] || queries[j].key != targets[i].key ||
            assemblies[0]->records[targets[i].value].length !=
                assemblies[1]->records[queries[j].value].length)
            continue;
        good =
            cli_couples_add(couples, (cli_couple){targets[i].value, queries[j++].value, '+', 0, 0});
    }
    free(targets);
    free(queries);
    return good;
}

int cli_best_single(const cli_assembly *const assemblies[2], cli_couples *couples)
{
    records sides[2] = {{.partners = NULL}, {.partners = NULL}};
    search s = {.list = NULL};
    bool good = find(&s, assemblies);
    if (good && s.candidate_count > 0)
        qsort(s.candidates, s.candidate_count, sizeof *s.candidates, compare_bases);
    for (int i = 0; i < 2; i++) {
        good = create_records(&sides[i], assemblies[i]->count) && good;
        couples->lost[i] = sides[i].lost;
    }
    good = good && take_single(&s, sides, couples) && add_same(assemblies, couples);
    for (int i = 0; i < 2; i++) {
        free(sides[i].partners);
        free(sides[i].most);
    }
    release(&s);
    return good ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

/* The bases that a block has to share to be substantial. */
static int64_t substantial(const search *s, const candidate *c)
{
    const int64_t shorter = shorter_length(s, c);
    const int64_t part = shorter / SUBSTANTIAL_PART, share = shorter / SUBSTANTIAL_SHARE;
    const int64_t least = part < SUBSTANTIAL ? part : SUBSTANTIAL;
    return share > least ? share : least;
}

/* The collinear blocks of a candidate; the caller frees them. False if there is no memory. */
static bool find_blocks(const search *s, const candidate *c, int64_t least, cli_block **blocks,
                        size_t *count)
{
    const cli_couple_limits couple = {.least_bases = least};
    const cli_block_limits limits = {.couples = &couple,
                                     .k = s->k,
                                     .least_anchors = SHARED_LEAST,
                                     .far = s->near,
                                     .farthest = 16 * s->near};
    cli_anchor *anchors = malloc(c->count * sizeof *anchors);
    *blocks = NULL;
    for (size_t i = 0; i < c->count && anchors != NULL; i++)
        anchors[i] = s->list[c->first + i].anchor;
    const bool good = anchors != NULL && cli_blocks_find(anchors, c->count, &limits, blocks, count);
    free(anchors);
    return good;
}

/* The bases that a block shares; *at is the first of the candidate's minimizers to look at. */
static int64_t shared_in(const search *s, const candidate *c, const cli_block *block, size_t *at)
{
    const cli_anchor *before = NULL;
    int64_t bases = 0;
    for (; *at < c->count; ++*at) {
        const cli_anchor *a = &s->list[c->first + *at].anchor;
        if (a->target >= block->target_end)
            break;
        if (a->target < block->target_begin || a->reverse != block->reverse ||
            a->query < block->query_begin || a->query >= block->query_end)
            continue;
        const int64_t more = before != NULL ? shared_between(before, a, s->near) : 0;
        bases += more > 0 ? more : s->k;
        before = a;
    }
    return bases;
}

/* Whether a candidate has a substantial block. False, too, if there is no memory. */
static bool has_substantial(const search *s, const candidate *c, bool *good)
{
    const int64_t least = substantial(s, c);
    cli_block *blocks = NULL;
    size_t count = 0, at = 0;
    int64_t most = 0;
    if (c->count < SHARED_LEAST || c->bases < least)
        return false;
    *good = find_blocks(s, c, least, &blocks, &count);
    for (size_t i = 0; *good && i < count; i++) {
        const int64_t bases = shared_in(s, c, &blocks[i], &at);
        most = bases > most ? bases : most;
    }
    free(blocks);
    return *good && most >= least;
}

/* Moves a query's targets, of its `count` candidates, the best one of which comes first, to others
 * that are taken: how many. */
static size_t take_several(const search *s, const candidate *of_query, size_t count, candidate *to,
                           bool *good)
{
    size_t taken = 0;
    for (size_t i = 0; *good && i < count; i++) {
        const candidate c = of_query[i];
        const bool is_best = taken == 0 && c.count >= SHARED_LEAST;
        if (is_best || (taken > 0 && has_substantial(s, &c, good)))
            to[taken++] = c;
    }
    return taken;
}

/* All that are taken, instead of all candidates. False if there is no memory. */
static bool take_all_several(search *s)
{
    size_t taken = 0;
    bool good = true;
    for (size_t i = 0, end; good && i < s->candidate_count; i = end) {
        end = i + 1;
        while (end < s->candidate_count && s->candidates[end].query == s->candidates[i].query)
            end++;
        taken += take_several(s, s->candidates + i, end - i, s->candidates + taken, &good);
    }
    s->candidate_count = taken;
    return good;
}

/* The anchors of all candidates, in the order of the target. NULL if there is no memory. */
static cli_anchor *list_anchors(const search *s, size_t *count)
{
    cli_key_value *places = malloc((s->count + 1) * sizeof *places);
    cli_anchor *anchors = places != NULL ? malloc((s->count + 1) * sizeof *anchors) : NULL;
    *count = 0;
    for (size_t i = 0; i < s->candidate_count && anchors != NULL; i++) {
        const candidate *c = &s->candidates[i];
        for (size_t k = c->first; k < c->first + c->count; k++) {
            s->list[k].anchor.couple = (uint32_t)i;
            places[(*count)++] = (cli_key_value){(uint64_t)s->list[k].anchor.target, k};
        }
    }
    if (anchors != NULL)
        cli_key_values_sort(places, *count);
    for (size_t i = 0; i < *count && anchors != NULL; i++)
        anchors[i] = s->list[places[i].value].anchor;
    free(places);
    return anchors;
}

/* Whether a target has several queries, or a query several targets, which are together. */
static bool has_several(const search *s)
{
    bool *has = calloc(s->assemblies[0]->count + 1, sizeof *has);
    bool several = has == NULL;
    for (size_t i = 0; i < s->candidate_count && !several; i++) {
        const candidate *c = &s->candidates[i];
        several = has[c->target] || (i > 0 && c[-1].query == c->query);
        has[c->target] = true;
    }
    free(has);
    return several;
}

/*
 * Adds the couples: the best of each query, and others that are left with a substantial block when
 * each base belongs to one couple. The exit status.
 */
static int add_several(const search *s, cli_assembly_reader *const readers[2], cli_couples *couples)
{
    size_t count = 0;
    cli_anchor *anchors = list_anchors(s, &count);
    cli_segment_couple *list = calloc(s->candidate_count + 1, sizeof *list);
    bool good = anchors != NULL && list != NULL;
    for (size_t i = 0; i < s->candidate_count && good; i++) {
        const candidate *c = &s->candidates[i];
        list[i] = (cli_segment_couple){.record = {c->target, c->query}};
        if (i > 0 && c[-1].query == c->query)
            list[i].needed = substantial(s, c);
    }
    const cli_segment_search asked = {.readers = readers,
                                      .assemblies = s->assemblies,
                                      .near = s->near,
                                      .least_anchors = SHARED_LEAST,
                                      .couples = list,
                                      .couple_count = s->candidate_count};
    int status = good ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
    if (status == CLI_OK && has_several(s))
        status = cli_segments_find(&asked, anchors, count, couples);
    for (size_t i = 0; i < s->candidate_count && status == CLI_OK; i++)
        if (!list[i].is_lost && !cli_couples_add(couples, couple_of(&s->candidates[i])))
            status = cli_fail(NULL, RHOMB_ERR_MEMORY);
    if (status == CLI_OK && !add_same(s->assemblies, couples))
        status = cli_fail(NULL, RHOMB_ERR_MEMORY);
    free(list);
    free(anchors);
    return status;
}

int cli_best_several(cli_assembly_reader *const readers[2], const cli_assembly *const assemblies[2],
                     cli_couples *couples)
{
    search s = {.list = NULL};
    bool good = find(&s, assemblies);
    if (good && s.candidate_count > 0)
        qsort(s.candidates, s.candidate_count, sizeof *s.candidates, compare_queries);
    good = good && take_all_several(&s);
    const int status = good ? add_several(&s, readers, couples) : cli_fail(NULL, RHOMB_ERR_MEMORY);
    release(&s);
    return status;
}
