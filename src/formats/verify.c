/* SPDX-License-Identifier: MIT */
/*
 * Verifying PAF files: records from the reader, sequences from the sets, and the score of score.h
 * in between. See rhomb/verify.h.
 */
#include "src/formats/paf_reader.h"
#include "src/formats/score.h"
#include "src/formats/whole.h"
#include "src/io/sequence_set.h"
#include "src/scoring/costs.h"

#include <string.h>

/* Operations at a time. */
enum { OPERATIONS = 1024 };

typedef struct verification {
    rhomb_paf *paf;
    const rhomb_sequence_set *targets;
    const rhomb_sequence_set *queries;
    rhomb_alphabet alphabet;
    rhomb_verify_report *report;
    rhomb__score score;
    bool is_whole; /* records must make up whole alignments */
    rhomb__whole whole;
    rhomb__bytes plain; /* a name that was escaped */
} verification;

/* Undoes the command's escapes in a name: "." for the empty name, and \\ \t \n \r. */
static rhomb_status unescape(verification *v, const char *name)
{
    static const char BASES[] = "\\tnr";
    static const char MEANT[] = "\\\t\n\r";
    rhomb_status status = RHOMB_OK;
    v->plain.length = 0;
    RHOMB_TRY(rhomb__bytes_append(v->paf->reported, &v->plain, "", 0));
    if (strcmp(name, ".") == 0)
        goto out;
    while (*name != '\0') {
        const char *found = *name == '\\' && name[1] != '\0' ? strchr(BASES, name[1]) : NULL;
        RHOMB_TRY(rhomb__bytes_append(v->paf->reported, &v->plain,
                                      found != NULL ? &MEANT[found - BASES] : name, 1));
        name += found != NULL ? 2 : 1;
    }

out:
    return status;
}

/* rhomb_sequence_set_find() for the name as it is, else for the name without its escapes. */
static rhomb_status find_name(verification *v, const char *name, const rhomb_sequence_set *set,
                              const char **bases, int64_t *length)
{
    rhomb_status status = rhomb_sequence_set_find(set, name, bases, length);
    if (status != RHOMB_ERR_INPUT || (strcmp(name, ".") != 0 && strchr(name, '\\') == NULL) ||
        rhomb__sequence_set_has(set, name))
        return status;
    RHOMB_TRY(unescape(v, name));
    status = rhomb_sequence_set_find(set, v->plain.data, bases, length);
    /* Of two failures, the first one quotes the name as it is in the file. */
    if (status == RHOMB_ERR_INPUT && !rhomb__sequence_set_has(set, v->plain.data))
        status = rhomb_sequence_set_find(set, name, bases, length);

out:
    return status;
}

/* find_name(), whose failure names the record, and the other file if that has the name. */
static rhomb_status find(verification *v, const rhomb_paf_record *row, const char *name,
                         const rhomb_sequence_set *set, const rhomb_sequence_set *other,
                         const char **bases, int64_t *length)
{
    rhomb__error *error = v->paf->reported;
    const rhomb_status status = find_name(v, name, set, bases, length);
    /* The set may belong to another context, which has the detail then. */
    const rhomb__error *found = rhomb__sequence_set_error(set);
    if (status == RHOMB_OK)
        return status;
    if (status == RHOMB_ERR_MEMORY)
        return rhomb__fail(error, status, "%s", rhomb__error_text(found));
    char detail[1024];
    strncpy(detail, rhomb__error_text(found), sizeof detail - 1);
    detail[sizeof detail - 1] = '\0';
    const bool swapped =
        !rhomb__sequence_set_has(set, name) && rhomb__sequence_set_has(other, name);
    rhomb__error_clear(error);
    return rhomb__fail(error, status, "%s: line %lld: %s%s", v->paf->stream.name,
                       (long long)row->line, detail,
                       swapped ? "; the other file has it: are target and query swapped?" : "");
}

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
    const char *target = NULL;
    const char *query = NULL;
    int64_t target_length = 0;
    int64_t query_length = 0;
    v->report->rows++;
    if (strcmp(row->target_name, "*") == 0 && row->path == RHOMB_PAF_PATH_NONE) {
        v->report->unaligned++;
        if (v->is_whole)
            rhomb__whole_add_unaligned(&v->whole, row);
        goto out;
    }
    if (row->reverse && v->alphabet != RHOMB_ALPHABET_DNA) {
        status = rhomb__fail(v->paf->reported, RHOMB_ERR_ARGUMENT,
                             "%s: line %lld: only DNA has a reverse strand", v->paf->stream.name,
                             (long long)row->line);
        goto out;
    }
    RHOMB_TRY(find(v, row, row->target_name, v->targets, v->queries, &target, &target_length));
    RHOMB_TRY(find(v, row, row->query_name, v->queries, v->targets, &query, &query_length));
    if (v->is_whole)
        RHOMB_TRY(rhomb__whole_add(&v->whole, row, target_length, query_length,
                                   tags->has_rotation ? tags->rotation : 0));
    rhomb__score_begin(score, row, tags, target, target_length, query, query_length);
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
    if (given->alphabet != RHOMB_ALPHABET_DNA && given->alphabet != RHOMB_ALPHABET_BYTES)
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
    verification v = {.paf = paf, .targets = targets, .queries = queries, .report = report};
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
        rhomb__score_offend(&v.score, RHOMB_VERIFY_MISSING, NULL, -1, -1,
                            "the file has no records");
    if (v.is_whole)
        rhomb__whole_end(&v.whole);

out:
    paf->score = NULL;
    rhomb__whole_release(&v.whole);
    rhomb__bytes_release(&v.plain);
    report->errors = v.score.errors;
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
