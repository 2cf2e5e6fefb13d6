/* SPDX-License-Identifier: MIT */
/* Segments, see match.h. */
#include "host/cli/many/match.h"

#include "host/cli/sketch/blocks.h"
#include "host/cli/sketch/relation.h"

/* The bases of one record of a side, of that which was looked at last. */
typedef struct present {
    size_t record;
    const char *bases; /* NULL: none yet */
    rhomb_sequence *owned;
} present;

typedef struct looker {
    const cli_segment_search *search;
    present sides[2];
    int status;
} looker;

/* The exit status, with the message printed. */
static int get_bases(looker *l, int side, size_t record)
{
    present *at = &l->sides[side];
    if (at->bases != NULL && at->record == record)
        return CLI_OK;
    rhomb_sequence_destroy(at->owned);
    *at = (present){.record = record};
    return cli_assembly_bases(l->search->readers[side], record, &at->bases, &at->owned);
}

/* A cli_gap_fn: the gap is of two records, and has bases of both if anything is to be seen. */
static bool look_at_gap(const cli_block *gap, void *user, cli_likeness *found)
{
    looker *l = user;
    const int64_t begins[2] = {gap->target_begin, gap->query_begin};
    const cli_record *records[2];
    *found = (cli_likeness){0, 0};
    if (gap->target_end <= gap->target_begin || gap->query_end <= gap->query_begin)
        return true;
    for (int side = 0; side < 2 && l->status == CLI_OK; side++) {
        const size_t record = cli_assembly_record_at(l->search->assemblies[side], begins[side]);
        records[side] = &l->search->assemblies[side]->records[record];
        l->status = get_bases(l, side, record);
    }
    if (l->status != CLI_OK)
        return false;
    const cli_two two = {.target = l->sides[0].bases,
                         .target_length = records[0]->length,
                         .query = l->sides[1].bases,
                         .query_length = records[1]->length};
    cli_block own = *gap;
    own.target_begin -= records[0]->begin;
    own.target_end -= records[0]->begin;
    own.query_begin -= records[1]->begin;
    own.query_end -= records[1]->begin;
    return cli_gap_look(&two, &own, true, 1, found);
}

/* The ranges of all couples. NULL if there is no memory. */
static cli_couple_limits *limit_couples(const cli_segment_search *s)
{
    cli_couple_limits *limits = malloc((s->couple_count + 1) * sizeof *limits);
    for (size_t i = 0; i < s->couple_count && limits != NULL; i++) {
        const cli_record *target = &s->assemblies[0]->records[s->couples[i].record[0]];
        const cli_record *query = &s->assemblies[1]->records[s->couples[i].record[1]];
        limits[i] = (cli_couple_limits){
            .target_begin = target->begin,
            .target_end = target->begin + target->length,
            .query_begin = query->begin,
            .query_end = query->begin + query->length,
            .least_bases = cli_relation_least(target->length, query->length, true)};
    }
    return limits;
}

/* Finds which couples have lost what they need. */
static void find_lost(const cli_segment_search *s, const cli_block *blocks, size_t count)
{
    for (size_t i = 0; i < s->couple_count; i++)
        s->couples[i].is_lost = s->couples[i].needed > 0;
    for (size_t i = 0; i < count; i++) {
        cli_segment_couple *couple = &s->couples[blocks[i].couple];
        couple->is_lost = couple->is_lost && blocks[i].bases < couple->needed;
    }
}

static int compare_targets(const void *a, const void *b)
{
    const cli_segment *x = a, *y = b;
    return (x->record[0] > y->record[0]) - (x->record[0] < y->record[0]);
}

static int compare_queries(const void *a, const void *b)
{
    const cli_segment *x = a, *y = b;
    return (x->record[1] > y->record[1]) - (x->record[1] < y->record[1]);
}

/* Lists the blocks as segments. False if there is no memory. */
static bool list_segments(const cli_segment_search *s, const cli_couple_limits *limits,
                          const cli_block *blocks, size_t count, cli_couples *couples)
{
    for (int side = 0; side < 2; side++) {
        cli_segment *segments = malloc((count + 1) * sizeof *segments);
        if (segments == NULL)
            return false;
        couples->segments[side] = segments;
        couples->segment_count = 0;
        for (size_t i = 0; i < count; i++) {
            const cli_block *b = &blocks[i];
            const cli_couple_limits *of = &limits[b->couple];
            const cli_segment_couple *couple = &s->couples[b->couple];
            if (!couple->is_lost)
                segments[couples->segment_count++] = (cli_segment){
                    .record = {couple->record[0], couple->record[1]},
                    .range = {
                        {b->target_begin - of->target_begin, b->target_end - of->target_begin},
                        {b->query_begin - of->query_begin, b->query_end - of->query_begin}}};
        }
        qsort(segments, couples->segment_count, sizeof *segments,
              side == 0 ? compare_targets : compare_queries);
    }
    return true;
}

int cli_segments_find(const cli_segment_search *search, const cli_anchor *anchors, size_t count,
                      cli_couples *couples)
{
    looker l = {.search = search};
    cli_couple_limits *couple_limits = limit_couples(search);
    const cli_block_limits limits = {.couples = couple_limits,
                                     .k = search->assemblies[0]->minimizers.shape.k,
                                     .least_anchors = search->least_anchors,
                                     .far = search->near,
                                     .farthest = 16 * search->near,
                                     .near = search->near,
                                     .look = look_at_gap,
                                     .user = &l};
    cli_block *blocks = NULL;
    size_t block_count = 0;
    bool good = couple_limits != NULL &&
                cli_blocks_find(anchors, count, &limits, &blocks, &block_count) &&
                cli_blocks_separate(blocks, block_count);
    if (good) {
        find_lost(search, blocks, block_count);
        good = list_segments(search, couple_limits, blocks, block_count, couples);
    }
    free(blocks);
    free(couple_limits);
    for (int side = 0; side < 2; side++)
        rhomb_sequence_destroy(l.sides[side].owned);
    return l.status != CLI_OK ? l.status : good ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}
