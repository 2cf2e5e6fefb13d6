/* SPDX-License-Identifier: MIT */
/*
 * An alignment as a subject of faults, see fault_subjects.h. What comes out is judged: garbage that
 * is not noticed may give another path of the same cost. Each engine has a pair with all phases, so
 * that subproblems are swept or split in launches, then by groups, and base cases are of all kinds.
 *
 * A query is what is left of its target without a long piece in its middle, with an edit every so
 * many bases: the piece makes parts large that take little time.
 */
#include "fault_subjects.h"

#include "host/device/context.h"
#include "rhomb/align.h"
#include "tests/reference/gotoh.h"
#include "tests/reference/path.h"

#include <unistd.h>

/*
 * Pieces that are long enough for parts by wide splits, and for parts that are swept; with
 * gap-affine costs, for a second round of either.
 */
enum {
    KEPT = 400,
    SHORT_PIECE = 4300,
    LONG_PIECE = 17000,
    SCORED_PIECE = 2600,
    SPACING = 9,
    MOST_OPERATIONS = 2000
};

static const rhomb_scoring SCORING = {0, 4, 6, 2, -1, -1, NULL};
static const oracle_penalties PENALTIES = {.mismatch = 4, .pieces = 1, .open = {6}, .extend = {2}};

static char target[KEPT + LONG_PIECE], query[KEPT];

/* The pair of a way; returns the target's length. */
static int64_t make_pair(bool scored, bool sweeps)
{
    const int64_t piece = scored ? SCORED_PIECE : sweeps ? LONG_PIECE : SHORT_PIECE;
    if (target[0] == '\0')
        fault_random_letters(target, sizeof target);
    for (int64_t m = 0; m < KEPT; m++) {
        const char kept = target[m < KEPT / 2 ? m : m + piece];
        query[m] = (char)(m % SPACING != 0 ? kept : kept == 'A' ? 'C' : 'A');
    }
    return KEPT + piece;
}

static void judge(int64_t length, bool scored, int64_t cost, const rhomb_alignment *alignment)
{
    static rhomb_cigar_op ops[MOST_OPERATIONS];
    const rhomb_pair texts = {target, length, query, KEPT};
    int64_t count = 0;
    const rhomb_path_op *given = rhomb_alignment_path(alignment, &count);
    assert_true(count > 0 && count <= MOST_OPERATIONS);
    assert_true(rhomb_alignment_report(alignment)->splits > 0);
    for (int64_t i = 0; i < count; i++)
        ops[i] = (rhomb_cigar_op)given[i];
    const char *complaint = scored
                                ? path_judge_scored(given, count, &texts, &PENALTIES, cost, false)
                                : path_judge(ops, count, &texts, cost);
    if (complaint != NULL)
        fail_msg("%s", complaint);
}

/* A checkpoint is kept at each moment that can have one. */
static void keep_all(rhomb_context *ctx, rhomb_options *options)
{
    static char file[] = "/tmp/rhomb-fault-align-XXXXXX";
    static bool is_made; /* its name may have an X of its own */
    if (!is_made)
        close(mkstemp(file));
    is_made = true;
    unlink(file);
    options->checkpoint = file;
    options->checkpoint_seconds = 1e-9;
    for (int32_t i = 0; i < rhomb_context_device_count(ctx); i++) {
        rhomb__rate_values *rates = &rhomb__context_of(ctx, i)->stream.device->rates.values;
        rates->cells_per_second = 2e6; /* it is looked at often */
        rates->sweep_cells_per_second = 2e8;
    }
}

void fault_run_align(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    const bool scored = (s->way & FAULT_SCORED) != 0, is_kept = (s->way & FAULT_SAVED) != 0;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = (rhomb_alignment *)&options; /* anything but NULL */
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    tuning.chunk_strips = 1; /* where several devices are open, they share everything */
    options.tuning = &tuning;
    options.engine = (rhomb_engine)(s->way % FAULT_SCORED);
    options.scoring = scored ? &SCORING : NULL;
    const int64_t length = make_pair(scored, options.engine == RHOMB_ENGINE_BITPARALLEL);
    if (is_kept)
        keep_all(ctx, &options);
    result->status = rhomb_align(ctx, target, length, query, KEPT, &options, &alignment);
    fault_keep_detail(ctx, result);
    if (is_kept)
        unlink(options.checkpoint);
    assert_int_equal(alignment == NULL, result->status != RHOMB_OK);
    result->sum = -2;
    if (result->status == RHOMB_OK) {
        result->sum = rhomb_alignment_report(alignment)->whole->distance;
        judge(length, scored, result->sum, alignment);
    }
    rhomb_alignment_destroy(alignment);
}
