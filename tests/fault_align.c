/* SPDX-License-Identifier: MIT */
/*
 * An alignment under fault injection, see fault_driver.h. What comes out is judged.
 *
 * A query is what is left of its target without a long piece in its middle, with an edit every so
 * many bases: the piece makes parts large that take little time.
 */
#include "fault_driver.h"

#include "host/device/context.h"
#include "rhomb/align.h"
#include "rhomb/tuning.h"
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

/* The ways of a subject: an engine, and with gap-affine costs, and with a checkpoint, more. */
enum { SCORED = 8, SAVED = 16 };

static const rhomb_scoring SCORING = {0, 4, 6, 2, -1, -1};
static const oracle_penalties PENALTIES = {.mismatch = 4, .pieces = 1, .open = {6}, .extend = {2}};

typedef struct fault_pair {
    char target[KEPT + LONG_PIECE];
    int64_t target_length;
    char query[KEPT];
    int64_t distance;
} fault_pair;

/* The pair for a way, made once. */
static const fault_pair *pair_for(int way)
{
    static fault_pair pairs[3];
    const bool scored = (way & SCORED) != 0, sweeps = way % SCORED == RHOMB_ENGINE_BITPARALLEL;
    const int64_t piece = scored ? SCORED_PIECE : sweeps ? LONG_PIECE : SHORT_PIECE;
    fault_pair *p = &pairs[scored ? 2 : sweeps];
    if (p->distance > 0)
        return p;
    p->target_length = KEPT + piece;
    fault_random_letters(p->target, p->target_length);
    for (int64_t m = 0; m < KEPT; m++) {
        const char kept = p->target[m < KEPT / 2 ? m : m + piece];
        const char other = kept == 'A' ? 'C' : 'A';
        p->query[m] = m % SPACING == 0 ? other : kept;
    }
    p->distance = scored ? oracle_gotoh(p->target, p->target_length, p->query, KEPT, &PENALTIES)
                         : oracle_textbook(p->target, p->target_length, p->query, KEPT);
    return p;
}

static void judge(const fault_pair *p, bool scored, const rhomb_alignment *alignment)
{
    static rhomb_cigar_op ops[MOST_OPERATIONS];
    const rhomb_pair texts = {p->target, p->target_length, p->query, KEPT};
    int64_t count = 0;
    const rhomb_path_op *given = rhomb_alignment_path(alignment, &count);
    assert_true(count > 0 && count <= MOST_OPERATIONS);
    assert_true(rhomb_alignment_report(alignment)->splits > 0);
    for (int64_t i = 0; i < count; i++)
        ops[i] = (rhomb_cigar_op)given[i];
    const char *complaint =
        scored ? path_judge_scored(given, count, &texts, &PENALTIES, p->distance, false)
               : path_judge(ops, count, &texts, p->distance);
    if (complaint != NULL)
        fail_msg("%s", complaint);
}

static char file[] = "/tmp/rhomb-fault-align-XXXXXX";

static void run(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    const bool scored = (s->way & SCORED) != 0, is_kept = (s->way & SAVED) != 0;
    const fault_pair *p = pair_for(s->way);
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = (rhomb_alignment *)&options; /* anything but NULL */
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    tuning.chunk_strips = 1; /* where several devices are open, they share everything */
    options.tuning = &tuning;
    options.checkpoint = is_kept ? file : NULL;
    options.checkpoint_seconds = is_kept ? 1e-9 : 0;
    for (int32_t i = 0; is_kept && i < rhomb_context_device_count(ctx); i++) {
        rhomb__rate_values *rates = &rhomb__context_of(ctx, i)->stream.device->rates.values;
        rates->cells_per_second = 2e6; /* it is looked at often */
        rates->sweep_cells_per_second = 2e8;
    }
    options.engine = (rhomb_engine)(s->way % SCORED);
    options.scoring = scored ? &SCORING : NULL;
    result->status =
        rhomb_align(ctx, p->target, p->target_length, p->query, KEPT, &options, &alignment);
    fault_keep_detail(ctx, result);
    if (is_kept)
        unlink(file);
    assert_int_equal(alignment == NULL, result->status != RHOMB_OK);
    if (result->status == RHOMB_OK)
        judge(p, scored, alignment);
    rhomb_alignment_destroy(alignment);
    if (ctx->stream.device != NULL)
        assert_int_equal(ctx->stream.bytes_in_use, 0);
    result->distance = result->status == RHOMB_OK ? p->distance : -2;
}

static fault_subject subject_of(int way)
{
    const fault_subject s = {.run = run,
                             .way = way,
                             .distance = pair_for(way)->distance,
                             .least_calls = 100,
                             .least_named = 3,
                             .tangled = true};
    return s;
}

fault_subject fault_align(rhomb_engine engine)
{
    return subject_of((int)engine);
}

fault_subject fault_align_scored(rhomb_engine engine)
{
    return subject_of(SCORED + (int)engine);
}

fault_subject fault_align_kept(rhomb_engine engine)
{
    if (strchr(file, 'X') != NULL) {
        close(mkstemp(file));
        unlink(file);
    }
    return subject_of(SAVED + (int)engine);
}
