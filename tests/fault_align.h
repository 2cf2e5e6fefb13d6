/* SPDX-License-Identifier: MIT */
/*
 * An alignment under fault injection: each engine has a pair with all phases, so that parts are
 * swept or split in bands, then by groups, and leaves are of all kinds. What comes out is judged.
 */
#ifndef RHOMB_FAULT_ALIGN_H
#define RHOMB_FAULT_ALIGN_H

#include "fault_fixture.h"

/* What comes out of an engine's pair. */
int64_t fault_align_distance(rhomb_engine engine);

/* Aligns; fails the test when a path is wrong that was said to be right. */
void fault_align_run(rhomb_context *ctx, rhomb_engine engine, fault_result *result);

/* Opens "auto" in a new context, aligns there, and destroys the context. */
void fault_align_first_use(rhomb_engine engine, fault_result *result);

#endif
