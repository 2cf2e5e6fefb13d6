/* SPDX-License-Identifier: MIT */
/*
 * An alignment under fault injection, see fault_driver.h. What comes out is judged.
 *
 * A query is what is left of its target without a long piece in its middle, with an edit every so
 * many letters: the piece makes parts large that take little time.
 */
#include "fault_driver.h"

#include "host/device/context.h"
#include "rhomb/align.h"
#include "support/path.h"

/* Pieces that are long enough for parts by wide splits, and for parts that are swept. */
enum { KEPT = 400, SHORT_PIECE = 4300, LONG_PIECE = 17000, SPACING = 9, MOST_OPERATIONS = 2000 };

typedef struct fault_pair {
    char target[KEPT + LONG_PIECE];
    int64_t target_length;
    char query[KEPT];
    int64_t edits;
} fault_pair;

/* The pair for an engine, made once. */
static const fault_pair *pair_for(rhomb_engine engine)
{
    static fault_pair pairs[2];
    const bool sweeps = engine == RHOMB_ENGINE_BITPARALLEL;
    const int64_t piece = sweeps ? LONG_PIECE : SHORT_PIECE;
    fault_pair *p = &pairs[sweeps];
    if (p->edits > 0)
        return p;
    p->target_length = KEPT + piece;
    fault_random_letters(p->target, p->target_length);
    for (int64_t m = 0; m < KEPT; m++) {
        const char kept = p->target[m < KEPT / 2 ? m : m + piece];
        const char other = kept == 'A' ? 'C' : 'A';
        p->query[m] = m % SPACING == 0 ? other : kept;
    }
    p->edits = oracle_textbook(p->target, p->target_length, p->query, KEPT);
    return p;
}

static void judge(const fault_pair *p, const rhomb_alignment *alignment)
{
    static rhomb_cigar_op ops[MOST_OPERATIONS];
    const rhomb_pair texts = {p->target, p->target_length, p->query, KEPT};
    int64_t count = 0;
    const rhomb_path_op *given = rhomb_alignment_path(alignment, &count);
    assert_true(count > 0 && count <= MOST_OPERATIONS);
    for (int64_t i = 0; i < count; i++)
        ops[i] = (rhomb_cigar_op)given[i];
    const char *complaint = path_judge(ops, count, &texts, p->edits);
    if (complaint != NULL)
        fail_msg("%s", complaint);
}

static void run(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    const rhomb_engine engine = (rhomb_engine)s->way;
    const fault_pair *p = pair_for(engine);
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = (rhomb_alignment *)&options; /* anything but NULL */
    options.engine = engine;
    result->status =
        rhomb_align(ctx, p->target, p->target_length, p->query, KEPT, &options, &alignment);
    fault_keep_detail(ctx, result);
    assert_int_equal(alignment == NULL, result->status != RHOMB_OK);
    if (result->status == RHOMB_OK)
        judge(p, alignment);
    rhomb_alignment_destroy(alignment);
    if (ctx->stream.device != NULL)
        assert_int_equal(ctx->stream.bytes_in_use, 0);
    result->distance = result->status == RHOMB_OK ? p->edits : -2;
}

fault_subject fault_align(rhomb_engine engine)
{
    const fault_subject s = {.run = run,
                             .way = engine,
                             .distance = pair_for(engine)->edits,
                             .least_calls = 100,
                             .least_named = 3,
                             .costly = true,
                             .tangled = true};
    return s;
}
