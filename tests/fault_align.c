/* SPDX-License-Identifier: MIT */
/*
 * See fault_align.h.
 *
 * The query is what is left of the target without a long piece in its middle, with an edit every so
 * many letters: the piece makes parts large that take little time.
 */
#include "fault_align.h"

#include <stdio.h>
#include <string.h>

#include "host/context.h"
#include "rhomb/align.h"
#include "support/path.h"

enum { KEPT = 600, PIECE = 8300, SPACING = 9, MOST_OPERATIONS = 2000 };

static char target[KEPT + PIECE], query[KEPT];
static int64_t edits;

static void make_pair(void)
{
    uint32_t random = 1;
    int64_t m = 0;
    for (int64_t j = 0; j < KEPT + PIECE; j++) {
        random = random * 1664525 + 1013904223;
        target[j] = "ACGT"[random >> 30];
    }
    for (int64_t j = 0; j < KEPT + PIECE; j++) {
        const bool is_kept = j < KEPT / 2 || j >= KEPT / 2 + PIECE;
        const char other = target[j] == 'A' ? 'C' : 'A';
        if (is_kept) {
            query[m] = m % SPACING == 0 ? other : target[j];
            m++;
        }
    }
}

/* Wagner and Fischer's dynamic program. */
int64_t fault_align_distance(void)
{
    static int64_t row[KEPT + PIECE + 1];
    if (edits > 0)
        return edits;
    make_pair();
    for (int64_t j = 0; j <= KEPT + PIECE; j++)
        row[j] = j;
    for (int64_t i = 1; i <= KEPT; i++) {
        int64_t diagonal = row[0];
        row[0] = i;
        for (int64_t j = 1; j <= KEPT + PIECE; j++) {
            const int64_t replaced = diagonal + (query[i - 1] != target[j - 1]);
            const int64_t beside = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < beside ? replaced : beside;
        }
    }
    edits = row[KEPT + PIECE];
    return edits;
}

static void judge(const rhomb_alignment *alignment)
{
    static rhomb_cigar_op ops[MOST_OPERATIONS];
    const rhomb_pair texts = {target, KEPT + PIECE, query, KEPT};
    int64_t count = 0;
    const rhomb_path_op *given = rhomb_alignment_path(alignment, &count);
    assert_true(count > 0 && count <= MOST_OPERATIONS);
    for (int64_t i = 0; i < count; i++)
        ops[i] = (rhomb_cigar_op)given[i];
    const char *complaint = path_judge(ops, count, &texts, edits);
    if (complaint != NULL)
        fail_msg("%s", complaint);
}

void fault_align_run(rhomb_context *ctx, rhomb_engine engine, fault_result *result)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = (rhomb_alignment *)&options; /* anything but NULL */
    fault_align_distance();
    options.engine = engine;
    result->status = rhomb_align(ctx, target, KEPT + PIECE, query, KEPT, &options, &alignment);
    snprintf(result->detail, sizeof result->detail, "%s", rhomb_context_error(ctx));
    assert_int_equal(result->detail[0] == '\0', result->status == RHOMB_OK);
    assert_int_equal(alignment == NULL, result->status != RHOMB_OK);
    if (result->status == RHOMB_OK)
        judge(alignment);
    rhomb_alignment_destroy(alignment);
    if (ctx->device != NULL)
        assert_int_equal(ctx->device->bytes_in_use, 0);
    result->distance = result->status == RHOMB_OK ? edits : -2;
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
