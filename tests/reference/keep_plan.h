/* SPDX-License-Identifier: MIT */
/*
 * Reports that outlive their results: a report points to its plan, which ends with the result.
 */
#ifndef RHOMB_REFERENCE_KEEP_PLAN_H
#define RHOMB_REFERENCE_KEEP_PLAN_H

#include "rhomb/plan.h"

/* Copies that last for the next KEPT_PLANS calls, to be read only; a report is kept with its plan.
 */
#define KEPT_PLANS 1024
const rhomb_plan *keep_plan(const rhomb_plan *plan);
const rhomb_report *keep_report(const rhomb_report *report);

#endif
