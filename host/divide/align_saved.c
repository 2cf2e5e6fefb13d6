/* SPDX-License-Identifier: MIT */
/*
 * An alignment's path in a checkpoint, see aligner.h. Which subproblems there are, and their costs,
 * is all that the path depends on; so a run that goes on has the same one.
 */
#include "host/divide/aligner.h"

#include "host/device/context.h"
#include "host/device/program.h"

#include <stdlib.h>
#include <string.h>

#define NUMBERS  "path"
#define REPORTED "work"
#define PARTS    "parts"

static const rhomb__field FIELDS[] = {
    RHOMB__FIELD(rhomb__aligner, count),
    RHOMB__FIELD(rhomb__aligner, done),
    RHOMB__FIELD(rhomb__aligner, shown),
    RHOMB__FIELD(rhomb__aligner, seconds),
    RHOMB__FIELDS_END,
};

static const rhomb__field REPORT_FIELDS[] = {
    RHOMB__FIELD(rhomb_align_report, cells),
    RHOMB__FIELD(rhomb_align_report, splits),
    RHOMB__FIELD(rhomb_align_report, device_bytes),
    RHOMB__FIELD(rhomb_align_report, host_bytes),
    RHOMB__FIELDS_END,
};

void rhomb__align_save(rhomb__aligner *a)
{
    if (a->whole.checkpoint == NULL)
        return;
    a->seconds[0] = a->eta.path_began - a->eta.work_began;
    a->seconds[1] = rhomb__work_clock(a->ctx) - a->eta.path_began;
    rhomb__saver *saver = rhomb__checkpoint_begin(a->whole.checkpoint);
    if (saver != NULL) {
        rhomb__state_save(saver, NUMBERS, FIELDS, a);
        rhomb__state_save(saver, REPORTED, REPORT_FIELDS, a->report);
        rhomb__saver_section(saver, PARTS, a->subproblems,
                             (size_t)a->count * sizeof *a->subproblems);
    }
    rhomb__checkpoint_end(a->whole.checkpoint, saver);
}

bool rhomb__align_is_saved(const rhomb__aligner *a)
{
    int64_t bytes = 0;
    const rhomb__saved *saved = rhomb__checkpoint_found(a->whole.checkpoint);
    return saved != NULL && rhomb__saved_section(saved, PARTS, &bytes) != NULL;
}

/* Whether the subproblems are the pair, one after the other. */
static bool are_sound(const rhomb__aligner *a)
{
    const rhomb__costs *costs = &a->whole.plan.costs;
    int64_t target = 0, query = 0, cost = 0;
    for (int64_t i = 0; i < a->count; i++) {
        const rhomb__subproblem *s = &a->subproblems[i];
        const rhomb_split_pair *pair = &s->pair;
        if (pair->target_at != target || pair->query_at != query || pair->target_length < 0 ||
            pair->query_length < 0 || pair->target_length > a->whole.target_length - target ||
            pair->query_length > a->whole.query_length - query ||
            !rhomb__subproblem_is_possible(costs, s))
            return false;
        target += pair->target_length;
        query += pair->query_length;
        cost += pair->distance + (i > 0 ? rhomb__costs_of_opening(costs, s->begin_gap) : 0);
    }
    return target == a->whole.target_length && query == a->whole.query_length && cost == a->cost;
}

rhomb_status rhomb__align_restore(rhomb__aligner *a)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &a->ctx->stream.error;
    const rhomb__saved *saved = rhomb__checkpoint_found(a->whole.checkpoint);
    const void *parts = NULL;
    RHOMB_TRY(rhomb__state_restore(error, saved, NUMBERS, FIELDS, a));
    RHOMB_TRY(rhomb__state_restore(error, saved, REPORTED, REPORT_FIELDS, a->report));
    if (a->count < 1 || a->count > a->whole.target_length + a->whole.query_length)
        RHOMB_TRY(rhomb__saved_damaged(error, saved, "its path has too many parts"));
    const size_t bytes = (size_t)a->count * sizeof *a->subproblems;
    RHOMB_TRY(rhomb__saved_need(error, saved, PARTS, (int64_t)bytes, &parts));
    a->subproblems = malloc(bytes);
    if (a->subproblems == NULL)
        RHOMB_TRY(rhomb__fail_memory(error, bytes, "the subproblems of an alignment"));
    memcpy(a->subproblems, parts, bytes);
    if (!are_sound(a))
        status = rhomb__saved_damaged(error, saved, "its path is of another pair");
    a->eta.path_began = rhomb__work_clock(a->ctx) - a->seconds[1];
    a->eta.work_began = a->eta.path_began - a->seconds[0];
    rhomb__log(&a->ctx->stream, 1,
               "goes on with %lld subproblems, as the last saved round left them",
               (long long)a->count);
    rhomb__checkpoint_drop(a->whole.checkpoint);
out:
    return status;
}
