/* SPDX-License-Identifier: MIT */
/*
 * Verifying PAF files: records from the reader, sequences from the sets, and the score of score.h
 * in between. See rhomb/verify.h.
 */
#include "src/base/alphabet.h"
#include "src/formats/paf_names.h"
#include "src/formats/paf_reader.h"
#include "src/formats/score.h"
#include "src/formats/whole.h"
#include "src/scoring/costs.h"

#include <string.h>

/* Operations at a time. */
enum { OPERATIONS = 1024 };

typedef struct verification {
    rhomb_paf *paf;
    rhomb__paf_names names;
    rhomb_alphabet alphabet;
    rhomb_verify_report *report;
    rhomb__score score;
    bool is_whole; /* records must make up whole alignments */
    rhomb__whole whole;
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
        RHOMB_TRY(rhomb__whole_add(&v->whole, row, target.length, query.length,
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
    v.whole = (rhomb__whole){
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
        rhomb__whole_end(&v.whole);

out:
    paf->score = NULL;
    rhomb__whole_release(&v.whole);
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
