/* SPDX-License-Identifier: MIT */
/*
 * Comparing two sets of sequences by the records of a PAF file, see rhomb/comparison.h. Each record
 * is followed once, by score.c, which checks it, and by compare_record.c, which counts; what is
 * kept of it is put in order at the end, by compare_order.c.
 */
#include "src/base/alphabet.h"
#include "src/formats/compare_order.h"
#include "src/formats/paf_names.h"
#include "src/formats/paf_reader.h"

#include <stdlib.h>
#include <string.h>

/* Operations at a time. */
enum { OPERATIONS = 1024 };

struct rhomb_comparison {
    rhomb_comparison_report report;
    rhomb_comparison_side sides[RHOMB__SIDES];
    rhomb_comparison_sum all, one_to_one, similar;
    rhomb_comparison_runs runs[RHOMB__COMPARED_KINDS];
    rhomb__events events;
};

typedef struct comparing {
    rhomb_paf *paf;
    rhomb__paf_names names;
    rhomb__score score;
    rhomb_compare_options options;
    rhomb_status wrong;                /* of the record that is followed */
    rhomb__marks *marks[RHOMB__SIDES]; /* of each sequence */
    rhomb__bytes records;              /* rhomb__compared each */
    rhomb__events events;              /* of all records */
    rhomb_comparison *out;
} comparing;

static size_t count_of(const rhomb_sequence_set *set)
{
    return (size_t)rhomb_sequence_set_count(set);
}

static const rhomb_sequence_set *set_of(const comparing *c, int side)
{
    return side == RHOMB__TARGET ? c->names.targets : c->names.queries;
}

/* A rhomb_verify_error_fn: the first error of a path ends the comparison. Scores do not matter. */
static int stop_at_error(const rhomb_verify_error *error, void *user)
{
    comparing *c = user;
    if (error->kind == RHOMB_VERIFY_SCORE)
        return 0;
    c->wrong = rhomb__fail(c->paf->reported, RHOMB_ERR_INPUT, "%s: line %lld: %s",
                           c->paf->stream.name, (long long)error->row->line, error->text);
    return 1;
}

/* Follows the path of a record, which has begun. */
static rhomb_status follow(comparing *c, rhomb__compare_walk *walk)
{
    rhomb_status status = RHOMB_OK;
    rhomb_path_op ops[OPERATIONS];
    size_t count = 0;
    do {
        RHOMB_TRY(rhomb_paf_ops(c->paf, ops, OPERATIONS, &count));
        rhomb__score_ops(&c->score, ops, count);
        if (count > 0)
            rhomb__score_bases(&c->score, ops[count - 1], &c->paf->wrong.first,
                               c->paf->wrong.count);
        RHOMB_TRY(c->wrong);
        rhomb__compare_ops(walk, ops, count);
    } while (count > 0);
    rhomb__score_ends(&c->score);
    status = c->wrong;
out:
    return status;
}

/* Counts what a record covers. */
static rhomb_status cover(comparing *c, const rhomb_paf_record *row,
                          const rhomb__sequence_part parts[RHOMB__SIDES], rhomb__compared *r)
{
    rhomb_status status = RHOMB_OK;
    const int64_t begins[] = {row->target_begin, row->query_begin};
    const int64_t ends[] = {row->target_end, row->query_end};
    for (int side = 0; side < RHOMB__SIDES; side++) {
        rhomb__marks *marks = &c->marks[side][parts[side].index];
        rhomb_comparison_side *sums = &c->out->sides[side];
        r->sequence[side] = parts[side].index;
        r->length[side] = rhomb__sequence_set_length(set_of(c, side), r->sequence[side]);
        r->begin[side] = parts[side].begin + begins[side];
        r->end[side] = parts[side].begin + ends[side];
        sums->covered_sequences += marks->bits[0] == NULL;
        sums->breakpoints += (begins[side] > 0) + (ends[side] < parts[side].length);
        RHOMB_TRY(rhomb__marks_create(c->paf->reported, marks, r->length[side]));
        rhomb__marks_set(marks, RHOMB__MARK_COVERED, r->begin[side], r->end[side]);
    }
out:
    return status;
}

/* Puts a record of a rotated query where it was aligned: a circle has no other beginning. */
static void rotate(const rhomb_paf_record *row, int64_t rotation, const rhomb__sequence_part *part,
                   rhomb__compared *r)
{
    const int64_t bases = row->query_end - row->query_begin;
    if (rotation <= 0 || rotation >= part->length)
        return;
    /* On the strand that was rotated, and back. */
    const int64_t at = row->reverse ? part->length - row->query_end : row->query_begin;
    const int64_t there = at >= rotation ? at - rotation : at - rotation + part->length;
    const int64_t begin = row->reverse ? part->length - there - bases : there;
    r->rotated = begin - row->query_begin;
    r->begin[RHOMB__QUERY] = part->begin + begin;
    r->end[RHOMB__QUERY] = r->begin[RHOMB__QUERY] + bases;
}

static rhomb_status add_record(comparing *c, const rhomb_paf_record *row)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_paf_tags *tags = rhomb_paf_get_tags(c->paf);
    rhomb__sequence_part parts[RHOMB__SIDES];
    rhomb__compared r = {.index = row->index, .reverse = row->reverse};
    if (row->reverse && !rhomb__alphabet_has_strands(c->options.alphabet)) {
        status = rhomb__fail(c->paf->reported, RHOMB_ERR_ARGUMENT,
                             "%s: line %lld: only DNA has a reverse strand", c->paf->stream.name,
                             (long long)row->line);
        goto out;
    }
    RHOMB_TRY(rhomb__paf_names_find(&c->names, row, &parts[RHOMB__TARGET], &parts[RHOMB__QUERY]));
    rhomb__score_begin(&c->score, row, tags, parts[RHOMB__TARGET].bases,
                       parts[RHOMB__TARGET].length, parts[RHOMB__QUERY].bases,
                       parts[RHOMB__QUERY].length);
    RHOMB_TRY(c->wrong);
    RHOMB_TRY(cover(c, row, parts, &r));
    r.first_event = rhomb__events_count(&c->events);
    rhomb__compare_walk walk = {.record = &r,
                                .events = &c->events,
                                .kept_events = r.first_event,
                                .codes = c->score.relation,
                                .similar = rhomb_similar_begin(c->options.least_identity)};
    for (int side = 0; side < RHOMB__SIDES; side++) {
        r.bases[side] = parts[side].bases - parts[side].begin;
        walk.marks[side] = &c->marks[side][parts[side].index];
    }
    RHOMB_TRY(follow(c, &walk));
    rhomb__compare_end(&walk);
    RHOMB_TRY(c->events.status);
    if (tags->has_rotation)
        rotate(row, tags->rotation, &parts[RHOMB__QUERY], &r);
    r.secondary = tags->type == 'S' || tags->type == 'i';
    c->out->report.secondary += r.secondary;
    rhomb__sum_add(&c->out->all, &r.all);
    status = rhomb__bytes_append(c->paf->reported, &c->records, &r, sizeof r);
out:
    return status;
}

static rhomb_status read_records(comparing *c)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_paf_record *row = NULL;
    for (;;) {
        RHOMB_TRY(rhomb_paf_next(c->paf, &row));
        if (row == NULL)
            break;
        c->out->report.records++;
        if (strcmp(row->target_name, "*") == 0 && row->path == RHOMB_PAF_PATH_NONE)
            c->out->report.unaligned++;
        else
            RHOMB_TRY(add_record(c, row));
    }
out:
    return status;
}

/* Adds up what is marked of the sequences of a side. */
static void sum_side(const comparing *c, int side)
{
    rhomb_comparison_side *sums = &c->out->sides[side];
    const size_t count = count_of(set_of(c, side));
    sums->sequences = (int64_t)count;
    for (size_t i = 0; i < count; i++) {
        const rhomb__marks *marks = &c->marks[side][i];
        const int64_t length = rhomb__sequence_set_length(set_of(c, side), i);
        sums->bases += length;
        if (marks->bits[0] == NULL) {
            sums->outside += length;
            continue;
        }
        const int64_t covered = rhomb__marks_count(marks, RHOMB__MARK_COVERED, 0, length);
        const int64_t aligned = rhomb__marks_count(marks, RHOMB__MARK_ALIGNED, 0, length);
        sums->aligned += aligned;
        sums->similar += rhomb__marks_count(marks, RHOMB__MARK_SIMILAR, 0, length);
        sums->repeated += rhomb__marks_count(marks, RHOMB__MARK_REPEATED, 0, length);
        sums->in_gaps += covered - aligned;
        sums->outside += length - covered;
    }
}

/* Puts the records in order and adds them up. */
static rhomb_status sum_up(comparing *c)
{
    rhomb_comparison *out = c->out;
    rhomb__compared *records = (rhomb__compared *)(void *)c->records.data;
    rhomb__compare_order order = {.error = c->paf->reported,
                                  .records = records,
                                  .count = c->records.length / sizeof *records,
                                  .codes = c->score.relation,
                                  .report = &out->report,
                                  .events = &out->events,
                                  .one_to_one = &out->one_to_one,
                                  .similar = &out->similar};
    for (int side = 0; side < RHOMB__SIDES; side++) {
        order.marks[side] = c->marks[side];
        order.sequences[side] = count_of(set_of(c, side));
        order.sides[side] = &out->sides[side];
        sum_side(c, side);
    }
    for (int kind = RHOMB__COMPARED_INVERSION; kind < RHOMB__COMPARED_KINDS; kind++)
        order.runs[kind] = &out->runs[kind];
    const rhomb_status status = rhomb__compare_order_find(&order);
    for (size_t i = 0; status == RHOMB_OK && i < order.count; i++) {
        if (records[i].kind == RHOMB__COMPARED_DOUBLE)
            continue;
        rhomb__sum_add(&out->one_to_one, &records[i].all);
        rhomb__sum_add(&out->similar, &records[i].similar);
        rhomb__sum_add_gaps(&out->similar, records[i].in_pieces);
        for (size_t e = records[i].first_event; e < records[i].event_end; e++)
            rhomb__events_add(&out->events, (rhomb_event *)(void *)c->events.list.data + e);
    }
    return status == RHOMB_OK ? out->events.status : status;
}

/* Gives the events, whose sequences are numbered by name, the numbers of the files, and sorts. */
static rhomb_status number_events(comparing *c)
{
    rhomb_event *list = (rhomb_event *)(void *)c->out->events.list.data;
    for (int side = 0; side < RHOMB__SIDES; side++) {
        const size_t count = count_of(set_of(c, side));
        size_t *places = malloc((count + 1) * sizeof *places);
        if (places == NULL)
            return rhomb__fail_memory(c->paf->reported, count * sizeof *places, "events");
        for (size_t i = 0; i < count; i++)
            places[rhomb__sequence_set_number(set_of(c, side), i)] = i;
        for (size_t i = 0; i < rhomb__events_count(&c->out->events); i++) {
            rhomb_event *e = &list[i];
            int64_t *numbers[] = {side == RHOMB__TARGET ? &e->target : &e->query, &e->before.target,
                                  &e->after.target};
            for (int n = 0; n < (side == RHOMB__TARGET ? 3 : 1); n++)
                *numbers[n] = *numbers[n] >= 0 ? (int64_t)places[*numbers[n]] : -1;
        }
        free(places);
    }
    rhomb__events_sort(&c->out->events);
    return RHOMB_OK;
}

static rhomb_status compare(comparing *c)
{
    rhomb_status status = RHOMB_OK;
    rhomb_verify_options options = RHOMB_VERIFY_OPTIONS_INIT;
    options.alphabet = c->options.alphabet;
    options.error = stop_at_error;
    options.error_user = c;
    rhomb__score_create(&c->score, &options);
    for (int side = 0; side < RHOMB__SIDES; side++) {
        const size_t count = count_of(set_of(c, side));
        c->marks[side] = calloc(count + 1, sizeof *c->marks[side]);
        if (c->marks[side] == NULL) {
            status = rhomb__fail_memory(c->paf->reported, count * sizeof *c->marks[side],
                                        "which bases are aligned");
            goto out;
        }
    }
    c->paf->score = &c->score;
    RHOMB_TRY(read_records(c));
    RHOMB_TRY(sum_up(c));
    RHOMB_TRY(number_events(c));
    rhomb__sum_complete(&c->out->all);
    rhomb__sum_complete(&c->out->one_to_one);
    rhomb__sum_complete(&c->out->similar);
out:
    c->paf->score = NULL;
    for (int side = 0; side < RHOMB__SIDES; side++) {
        for (size_t i = 0; c->marks[side] != NULL && i < count_of(set_of(c, side)); i++)
            rhomb__marks_release(&c->marks[side][i]);
        free(c->marks[side]);
    }
    rhomb__bytes_release(&c->records);
    rhomb__events_release(&c->events);
    rhomb__paf_names_release(&c->names);
    return status;
}

static rhomb_comparison *create(void)
{
    rhomb_comparison *out = calloc(1, sizeof *out);
    if (out == NULL)
        return NULL;
    out->report = (rhomb_comparison_report){
        .target = &out->sides[RHOMB__TARGET],
        .query = &out->sides[RHOMB__QUERY],
        .one_to_one = &out->one_to_one,
        .all = &out->all,
        .inversions = &out->runs[RHOMB__COMPARED_INVERSION],
        .relocations = &out->runs[RHOMB__COMPARED_RELOCATION],
        .translocations = &out->runs[RHOMB__COMPARED_TRANSLOCATION],
        .similar = &out->similar,
    };
    return out;
}

rhomb_status rhomb_compare(rhomb_paf *paf, const rhomb_sequence_set *targets,
                           const rhomb_sequence_set *queries, const rhomb_compare_options *options,
                           rhomb_comparison **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb_compare_options given = RHOMB_COMPARE_OPTIONS_INIT;
    if (out != NULL)
        *out = NULL;
    if (paf == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(paf->reported);
    if (targets == NULL || queries == NULL || out == NULL)
        return rhomb__fail(paf->reported, RHOMB_ERR_ARGUMENT,
                           "targets, queries and out must not be NULL");
    RHOMB_TRY(
        rhomb__take_given(paf->reported, "rhomb_compare_options", options, &given, sizeof given));
    if (!rhomb__alphabet_exists(given.alphabet))
        return rhomb__fail(paf->reported, RHOMB_ERR_ARGUMENT, "options.alphabet is not valid");
    if (given.least_identity != 0 &&
        !(given.least_identity >= 0.0001 && given.least_identity <= 0.9999))
        return rhomb__fail(paf->reported, RHOMB_ERR_ARGUMENT,
                           "options.least_identity must be 0, or from 0.0001 to 0.9999");
    comparing c = {.paf = paf,
                   .names = {.paf = paf, .targets = targets, .queries = queries},
                   .options = given,
                   .out = create()};
    if (c.out == NULL)
        return rhomb__fail_memory(paf->reported, sizeof *c.out, "a comparison");
    c.events.error = c.out->events.error = paf->reported;
    c.out->report.least_identity =
        given.least_identity > 0 ? given.least_identity : RHOMB_LEAST_IDENTITY;
    status = compare(&c);
    if (status == RHOMB_OK)
        *out = c.out;
    else
        rhomb_comparison_destroy(c.out);
out:
    return status;
}

const rhomb_comparison_report *rhomb_comparison_get_report(const rhomb_comparison *comparison)
{
    return comparison != NULL ? &comparison->report : NULL;
}

const rhomb_event *rhomb_comparison_get_events(const rhomb_comparison *comparison, int64_t *count)
{
    const size_t found = comparison != NULL ? rhomb__events_count(&comparison->events) : 0;
    if (count != NULL)
        *count = (int64_t)found;
    return found > 0 ? (const rhomb_event *)(const void *)comparison->events.list.data : NULL;
}

void rhomb_comparison_destroy(rhomb_comparison *comparison)
{
    if (comparison != NULL)
        rhomb__events_release(&comparison->events);
    free(comparison);
}
