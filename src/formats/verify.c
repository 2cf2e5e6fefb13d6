/* SPDX-License-Identifier: MIT */
/*
 * Verifying PAF files: records from the reader, sequences from the sets, and the score of score.h
 * in between. See rhomb/verify.h.
 */
#include "src/base/alphabet.h"
#include "src/base/int64.h"
#include "src/formats/paf_names.h"
#include "src/formats/paf_reader.h"
#include "src/formats/score.h"
#include "src/io/stream.h"
#include "src/scoring/costs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Whether the records of a PAF file make up whole alignments: the part of rhomb_verify() that
 * compares records with each other, and not with the sequences.
 *
 * The records (rows below) of a pair of sequences must be a chain from the beginning of both to the
 * end of both, with the query's bases counted along the aligned strand:
 *
 *      target  0 .----row----.         .--row--.-----row-----. its length
 *      query   0 '----row----'- hole  -'--row--'-----row-----' its length
 *
 * Records of different pairs may come in any order, and for each pair its last record is kept. All
 * zeros is one without records.
 */
typedef struct whole_check {
    rhomb__error *error;
    rhomb__score *score; /* takes the errors */
    rhomb_verify_report *report;
    int64_t least_gap; /* as in rhomb_verify_options */
    rhomb__bytes pairs;
    rhomb__bytes names; /* of all pairs, each with its NUL */
    size_t *slots;      /* a hash table of index + 1; 0 is free */
    size_t slot_count;
} whole_check;

enum { FEWEST_SLOTS = 64 };

/* Two sequences that have records. */
typedef struct pair {
    rhomb_paf_record last; /* without its names */
    size_t query_name;     /* its place among the names; the target's follows it */
    int64_t target_at;     /* where the records so far end */
    int64_t query_at;      /* along the strand that is aligned, as it is rotated */
    int64_t rotation;
    int64_t target_end, query_end; /* their lengths */
} pair;

static size_t count_of(const whole_check *whole)
{
    return whole->pairs.length / sizeof(pair);
}

static pair *pair_at(const whole_check *whole, size_t index)
{
    return (pair *)(void *)whole->pairs.data + index;
}

static const char *query_name(const whole_check *whole, const pair *p)
{
    return whole->names.data + p->query_name;
}

static const char *target_name(const whole_check *whole, const pair *p)
{
    const char *query = query_name(whole, p);
    return query + strlen(query) + 1;
}

/* FNV-1a, of a name and its NUL. */
static uint64_t mix_name(uint64_t hash, const char *name)
{
    const char *at = name;
    do
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    while (*at++ != '\0');
    return hash;
}

/* The slot of two names, or the free slot for them. */
static size_t *slot_of(const whole_check *whole, const char *query, const char *target)
{
    const uint64_t hash = mix_name(mix_name(UINT64_C(0xcbf29ce484222325), query), target);
    size_t at = (size_t)(hash ^ hash >> 32) & (whole->slot_count - 1);
    while (whole->slots[at] != 0) {
        const pair *p = pair_at(whole, whole->slots[at] - 1);
        if (strcmp(query_name(whole, p), query) == 0 && strcmp(target_name(whole, p), target) == 0)
            break;
        at = (at + 1) & (whole->slot_count - 1);
    }
    return &whole->slots[at];
}

/* Makes sure that at least half of the slots stay free when a pair is added. */
static rhomb_status make_room(whole_check *whole)
{
    const size_t count = count_of(whole);
    if (2 * (count + 1) <= whole->slot_count)
        return RHOMB_OK;
    const size_t room = whole->slot_count == 0 ? FEWEST_SLOTS : 2 * whole->slot_count;
    size_t *slots = calloc(room, sizeof *slots);
    if (slots == NULL)
        return rhomb__fail_memory(whole->error, room * sizeof *slots, "pairs of sequences");
    free(whole->slots);
    whole->slots = slots;
    whole->slot_count = room;
    for (size_t i = 0; i < count; i++) {
        const pair *p = pair_at(whole, i);
        *slot_of(whole, query_name(whole, p), target_name(whole, p)) = i + 1;
    }
    return RHOMB_OK;
}

/* The pair of a record; *is_new if it is a new one. */
static rhomb_status find_pair(whole_check *whole, const rhomb_paf_record *row, pair **out,
                              bool *is_new)
{
    rhomb_status status = RHOMB_OK;
    pair new = {.query_name = whole->names.length,
                .target_end = row->target_length,
                .query_end = row->query_length};
    RHOMB_TRY(make_room(whole));
    size_t *slot = slot_of(whole, row->query_name, row->target_name);
    *is_new = *slot == 0;
    if (*is_new) {
        RHOMB_TRY(rhomb__bytes_append(whole->error, &whole->names, row->query_name,
                                      strlen(row->query_name) + 1));
        RHOMB_TRY(rhomb__bytes_append(whole->error, &whole->names, row->target_name,
                                      strlen(row->target_name) + 1));
        RHOMB_TRY(rhomb__bytes_append(whole->error, &whole->pairs, &new, sizeof new));
        *slot = count_of(whole);
    }
    *out = pair_at(whole, *slot - 1);

out:
    return status;
}

/*
 * Bases of both sides that are in no record, 0-based, of the query along the aligned strand, as it
 * is rotated.
 */
typedef struct hole {
    int64_t target_begin, target_end;
    int64_t query_begin, query_end;
    int64_t rotation;
} hole;

/* The bounds of a hole's cost: all of it is gaps, or bases of both sides are aligned. */
static void count_gap(rhomb_verify_report *report, int64_t target_bases, int64_t query_bases)
{
    const int64_t longer = rhomb__max(target_bases, query_bases);
    report->gaps++;
    report->gap_target_bases += target_bases;
    report->gap_query_bases += query_bases;
    report->gap_edits_least += longer - rhomb__min(target_bases, query_bases);
    report->gap_edits_most += longer;
}

/* "target positions 4 to 9", "target position 4", or nothing if there are none. */
static int print_range(char *out, size_t size, const char *what, int64_t begin, int64_t end)
{
    out[0] = '\0';
    if (begin == end)
        return 0;
    if (begin + 1 == end)
        return snprintf(out, size, "%s position %lld", what, (long long)end);
    return snprintf(out, size, "%s positions %lld to %lld", what, (long long)begin + 1,
                    (long long)end);
}

/* Counts a hole next to a record, or reports it if it is not allowed. */
static void take_hole(whole_check *whole, const rhomb_paf_record *row, const hole *h,
                      const char *where)
{
    const int64_t target_bases = h->target_end - h->target_begin;
    const int64_t query_bases = h->query_end - h->query_begin;
    const int64_t longer = rhomb__max(target_bases, query_bases);
    if (longer == 0)
        return;
    if (whole->least_gap > 0 && longer >= whole->least_gap) {
        count_gap(whole->report, target_bases, query_bases);
        return;
    }
    const int64_t length = row->query_length;
    /* Of a hole that goes on past the strand's end, what is before it. */
    const int64_t rotated = h->query_begin + h->rotation;
    const int64_t on_strand = length > 0 && rotated >= length ? rotated - length : rotated;
    const int64_t shown = rhomb__min(query_bases, length - on_strand);
    const int64_t query_begin = row->reverse ? length - on_strand - shown : on_strand;
    const int64_t query_end = query_begin + shown;
    char target[64];
    char query[64];
    const int used = print_range(target, sizeof target, "target", h->target_begin, h->target_end);
    print_range(query, sizeof query, "query", query_begin, query_end);
    rhomb__score_error(whole->score, RHOMB_VERIFY_MISSING, row,
                       target_bases > 0 ? h->target_begin : -1, query_bases > 0 ? query_begin : -1,
                       "no record has %s%s%s, %s", target,
                       used > 0 && query[0] != '\0' ? " and " : "", query, where);
}

/* Checks a record against the earlier ones of its pair. False: it does not continue their chain. */
static bool check_order(whole_check *whole, const pair *p, const rhomb_paf_record *row,
                        int64_t query_begin, int64_t rotation)
{
    const bool is_empty =
        row->target_begin == row->target_end && row->query_begin == row->query_end;
    const long long line = (long long)p->last.line;
    if (row->reverse != p->last.reverse) {
        rhomb__score_error(whole->score, RHOMB_VERIFY_ORDER, row, row->target_begin,
                           row->query_begin, "is on another strand than line %lld", line);
        return false;
    }
    if (rotation != p->rotation) {
        rhomb__score_error(whole->score, RHOMB_VERIFY_ORDER, row, row->target_begin,
                           row->query_begin, "is rotated otherwise (ro) than line %lld", line);
        return false;
    }
    if (row->target_begin < p->target_at || query_begin < p->query_at || is_empty)
        rhomb__score_error(whole->score, RHOMB_VERIFY_ORDER, row, row->target_begin,
                           row->query_begin,
                           "begins after %lld bases of the target and %lld of the query%s, but "
                           "the records up to line %lld have come to %lld and %lld",
                           (long long)row->target_begin, (long long)query_begin,
                           row->reverse ? "'s other strand" : "", line, (long long)p->target_at,
                           (long long)p->query_at);
    return true;
}

/* Where a record begins along the strand, as that is rotated. */
static int64_t rotated_begin(const rhomb_paf_record *row, int64_t rotation)
{
    const int64_t length = row->query_length;
    const int64_t begin = row->reverse ? length - row->query_end : row->query_begin;
    /* Without bases of the query, the beginning may be the end. */
    if (rotation > 0 && begin == rotation && row->query_begin == row->query_end &&
        row->target_begin > 0)
        return length;
    return begin >= rotation ? begin - rotation : begin - rotation + length;
}

/*
 * The next record of two sequences of these lengths. `rotation` is that of the query's strand: the
 * chain begins after so many of its bases, and goes on from its end to its beginning.
 */
static rhomb_status add_to_whole(whole_check *whole, const rhomb_paf_record *row,
                                 int64_t target_length, int64_t query_length, int64_t rotation)
{
    rhomb_status status = RHOMB_OK;
    pair *p = NULL;
    bool is_new = false;
    /* A record with other lengths is an error anyway, and its positions may be anything. */
    if (row->target_length != target_length || row->query_length != query_length)
        return RHOMB_OK;
    rotation = rotation > 0 && rotation < query_length ? rotation : 0;
    const int64_t query_begin = rotated_begin(row, rotation);
    RHOMB_TRY(find_pair(whole, row, &p, &is_new));
    whole->report->pairs += is_new;
    if (is_new)
        p->rotation = rotation;
    if (is_new || check_order(whole, p, row, query_begin, rotation)) {
        /* Where records overlap, what either of them has is not missing. */
        const hole before = {p->target_at, rhomb__max(p->target_at, row->target_begin), p->query_at,
                             rhomb__max(p->query_at, query_begin), rotation};
        take_hole(whole, row, &before, "which come before this record");
        p->last = *row;
        p->last.query_name = p->last.target_name = NULL;
        p->target_at = rhomb__max(p->target_at, row->target_end);
        p->query_at = rhomb__max(p->query_at, query_begin + (row->query_end - row->query_begin));
    }

out:
    return status;
}

/* There are no more records. */
static void end_whole(whole_check *whole)
{
    const rhomb_verify_report *report = whole->report;
    if (report->rows > 0 && report->unaligned == report->rows)
        rhomb__score_error(whole->score, RHOMB_VERIFY_MISSING, NULL, -1, -1,
                           "no query has an alignment");
    for (size_t i = 0; i < count_of(whole); i++) {
        pair *p = pair_at(whole, i);
        const hole behind = {p->target_at, p->target_end, p->query_at, p->query_end, p->rotation};
        p->last.query_name = query_name(whole, p);
        p->last.target_name = target_name(whole, p);
        take_hole(whole, &p->last, &behind, "which come after this record, the pair's last");
    }
}

static void release_whole(whole_check *whole)
{
    rhomb__bytes_release(&whole->pairs);
    rhomb__bytes_release(&whole->names);
    free(whole->slots);
    *whole = (whole_check){0};
}

/* Operations at a time. */
enum { OPERATIONS = 1024 };

typedef struct verification {
    rhomb_paf *paf;
    rhomb__paf_names names;
    rhomb_alphabet alphabet;
    rhomb_verify_report *report;
    rhomb__score score;
    bool is_whole; /* records must make up whole alignments */
    whole_check whole;
} verification;

/* Follows the path of a record. */
static rhomb_status score_path(verification *v)
{
    rhomb_status status = RHOMB_OK;
    rhomb_path_op ops[OPERATIONS];
    size_t count = 0;
    do {
        RHOMB_TRY(rhomb_paf_ops(v->paf, ops, OPERATIONS, &count));
        rhomb__score_ops(&v->score, ops, count);
        if (count > 0)
            rhomb__score_bases(&v->score, ops[count - 1], &v->paf->wrong.first,
                               v->paf->wrong.count);
    } while (count > 0 && !v->score.stopped);

out:
    return status;
}

static rhomb_status verify_row(verification *v, const rhomb_paf_record *row)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_paf_tags *tags = rhomb_paf_get_tags(v->paf);
    rhomb__score *score = &v->score;
    rhomb__sequence_part target;
    rhomb__sequence_part query;
    v->report->rows++;
    if (strcmp(row->target_name, "*") == 0 && row->path == RHOMB_PAF_PATH_NONE) {
        v->report->unaligned++;
        goto out;
    }
    if (row->reverse && !rhomb__alphabet_has_strands(v->alphabet)) {
        status = rhomb__fail(v->paf->reported, RHOMB_ERR_ARGUMENT,
                             "%s: line %lld: only DNA has a reverse strand", v->paf->stream.name,
                             (long long)row->line);
        goto out;
    }
    RHOMB_TRY(rhomb__paf_names_find(&v->names, row, &target, &query));
    if (v->is_whole)
        RHOMB_TRY(add_to_whole(&v->whole, row, target.length, query.length,
                               tags->has_rotation ? tags->rotation : 0));
    rhomb__score_begin(score, row, tags, target.bases, target.length, query.bases, query.length);
    RHOMB_TRY(score_path(v));
    if (!score->stopped && rhomb_paf_second_path(v->paf)) {
        rhomb__score_second(score, rhomb__paf_path_tag(v->paf->notation));
        RHOMB_TRY(score_path(v));
    }
    if (!score->stopped)
        rhomb__score_end(score, tags);
    v->report->target_bases += score->target_at - row->target_begin;
    v->report->query_bases += score->query_at;
    v->report->edits += score->counts.unequal + score->counts.inserted + score->counts.deleted;

out:
    return status;
}

static rhomb_status check_arguments(const rhomb_paf *paf, const rhomb_verify_options *options,
                                    rhomb_verify_options *given)
{
    rhomb__costs costs;
    *given = (rhomb_verify_options)RHOMB_VERIFY_OPTIONS_INIT;
    if (options == NULL)
        return RHOMB_OK;
    if (options->struct_size < sizeof options->struct_size || options->struct_size > sizeof *given)
        return rhomb__fail(paf->reported, RHOMB_ERR_ARGUMENT,
                           "options.struct_size is not that of this library");
    memcpy(given, options, options->struct_size);
    if (!rhomb__alphabet_exists(given->alphabet))
        return rhomb__fail(paf->reported, RHOMB_ERR_ARGUMENT, "options.alphabet is not valid");
    if (given->least_gap < 0)
        return rhomb__fail(paf->reported, RHOMB_ERR_ARGUMENT, "options.least_gap is negative");
    if (given->scoring != NULL)
        return rhomb__costs_of(paf->reported, given->scoring, &costs);
    return RHOMB_OK;
}

/* rhomb_verify() with a report of this library's size, all zeros. */
static rhomb_status verify(rhomb_paf *paf, const rhomb_sequence_set *targets,
                           const rhomb_sequence_set *queries, const rhomb_verify_options *options,
                           rhomb_verify_report *report)
{
    rhomb_status status = RHOMB_OK;
    rhomb_verify_options given;
    const rhomb_paf_record *row = NULL;
    verification v = {.paf = paf,
                      .names = {.paf = paf, .targets = targets, .queries = queries},
                      .report = report};
    RHOMB_TRY(check_arguments(paf, options, &given));
    v.alphabet = given.alphabet;
    v.is_whole = given.whole;
    rhomb__score_create(&v.score, &given);
    v.whole = (whole_check){
        .error = paf->reported, .score = &v.score, .report = report, .least_gap = given.least_gap};
    paf->score = &v.score;
    rhomb_paf_read_both(paf);
    do {
        RHOMB_TRY(rhomb_paf_next(paf, &row));
        if (row != NULL)
            RHOMB_TRY(verify_row(&v, row));
    } while (row != NULL && !v.score.stopped);
    if (report->rows == 0)
        rhomb__score_error(&v.score, RHOMB_VERIFY_MISSING, NULL, -1, -1, "the file has no records");
    if (v.is_whole)
        end_whole(&v.whole);

out:
    paf->score = NULL;
    release_whole(&v.whole);
    rhomb__paf_names_release(&v.names);
    report->errors = v.score.errors;
    report->unscored = v.score.unscored;
    return status;
}

rhomb_status rhomb_verify(rhomb_paf *paf, const rhomb_sequence_set *targets,
                          const rhomb_sequence_set *queries, const rhomb_verify_options *options,
                          rhomb_verify_report *report)
{
    rhomb_verify_report full = RHOMB_VERIFY_REPORT_INIT;
    if (paf == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(paf->reported);
    if (targets == NULL || queries == NULL || report == NULL)
        return rhomb__fail(paf->reported, RHOMB_ERR_ARGUMENT,
                           "targets, queries and report must not be NULL");
    const size_t size = report->struct_size;
    rhomb_status status =
        rhomb__check_size(paf->reported, "rhomb_verify_report", size, sizeof full);
    if (status != RHOMB_OK)
        return status;
    status = verify(paf, targets, queries, options, &full);
    memcpy(report, &full, size);
    report->struct_size = size;
    return status;
}
