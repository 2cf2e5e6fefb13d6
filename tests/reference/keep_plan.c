/* SPDX-License-Identifier: MIT */
/*
 * Plans of reports that outlive their results, see keep_plan.h.
 */
#include "tests/reference/keep_plan.h"

const rhomb_plan *keep_plan(const rhomb_plan *plan)
{
    static rhomb_plan kept[KEPT_PLANS];
    static int next;
    kept[next] = *plan;
    const rhomb_plan *copy = &kept[next];
    next = (next + 1) % KEPT_PLANS;
    return copy;
}

const rhomb_report *keep_report(const rhomb_report *report)
{
    static rhomb_report kept[KEPT_PLANS];
    static int next;
    rhomb_report *copy = &kept[next];
    *copy = *report;
    copy->plan = keep_plan(report->plan);
    next = (next + 1) % KEPT_PLANS;
    return copy;
}
