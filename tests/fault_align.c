/* SPDX-License-Identifier: MIT */
/*
 * See fault_align.h.
 *
 * A query is what is left of its target without a long piece in its middle, with an edit every so
 * many letters: the piece makes parts large that take little time.
 */
#include "fault_align.h"

#include "host/device/context.h"
#include "rhomb/align.h"
#include "support/path.h"

/* Pieces that are long enough for parts in bands, and for parts that are swept. */
enum { KEPT = 400, SHORT_PIECE = 4300, LONG_PIECE = 17000, SPACING = 9, MOST_OPERATIONS = 2000 };

typedef struct fault_pair {
    char target[KEPT + LONG_PIECE];
    int64_t target_length;
    char query[KEPT];
    int64_t edits;
} fault_pair;

/* Wagner and Fischer's dynamic program, a column at a time. */
static int64_t textbook_distance(const fault_pair *p)
{
    int64_t column[KEPT + 1];
    for (int64_t i = 0; i <= KEPT; i++)
        column[i] = i;
    for (int64_t j = 1; j <= p->target_length; j++) {
        int64_t diagonal = column[0];
        column[0] = j;
        for (int64_t i = 1; i <= KEPT; i++) {
            const int64_t replaced = diagonal + (p->query[i - 1] != p->target[j - 1]);
            const int64_t beside = (column[i] < column[i - 1] ? column[i] : column[i - 1]) + 1;
            diagonal = column[i];
            column[i] = replaced < beside ? replaced : beside;
        }
    }
    return column[KEPT];
}

/* The pair for an engine, made once. */
static const fault_pair *pair_for(rhomb_engine engine)
{
    static fault_pair pairs[2];
    const bool sweeps = engine == RHOMB_ENGINE_BITPARALLEL;
    const int64_t piece = sweeps ? LONG_PIECE : SHORT_PIECE;
    fault_pair *p = &pairs[sweeps];
    uint32_t random = 1;
    if (p->edits > 0)
        return p;
    p->target_length = KEPT + piece;
    for (int64_t j = 0; j < p->target_length; j++) {
        random = random * 1664525 + 1013904223;
        p->target[j] = "ACGT"[random >> 30];
    }
    for (int64_t m = 0; m < KEPT; m++) {
        const char kept = p->target[m < KEPT / 2 ? m : m + piece];
        const char other = kept == 'A' ? 'C' : 'A';
        p->query[m] = m % SPACING == 0 ? other : kept;
    }
    p->edits = textbook_distance(p);
    return p;
}

int64_t fault_align_distance(rhomb_engine engine)
{
    return pair_for(engine)->edits;
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

void fault_align_run(rhomb_context *ctx, rhomb_engine engine, fault_result *result)
{
    const fault_pair *p = pair_for(engine);
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = (rhomb_alignment *)&options; /* anything but NULL */
    options.engine = engine;
    result->status =
        rhomb_align(ctx, p->target, p->target_length, p->query, KEPT, &options, &alignment);
    snprintf(result->detail, sizeof result->detail, "%s", rhomb_context_error(ctx));
    assert_int_equal(result->detail[0] == '\0', result->status == RHOMB_OK);
    assert_int_equal(alignment == NULL, result->status != RHOMB_OK);
    if (result->status == RHOMB_OK)
        judge(p, alignment);
    rhomb_alignment_destroy(alignment);
    if (ctx->device != NULL)
        assert_int_equal(ctx->device->bytes_in_use, 0);
    result->distance = result->status == RHOMB_OK ? p->edits : -2;
}

void fault_align_first_use(rhomb_engine engine, fault_result *result)
{
    memset(result, 0, sizeof *result);
    result->distance = -2;
    rhomb_context *ctx = fault_create_context(&result->status);
    if (ctx == NULL)
        return;
    result->status = rhomb_context_open(ctx, NULL, 0);
    if (result->status == RHOMB_OK)
        fault_align_run(ctx, engine, result);
    else
        snprintf(result->detail, sizeof result->detail, "%s", rhomb_context_error(ctx));
    rhomb_context_destroy(ctx);
}
