/* SPDX-License-Identifier: MIT */
/*
 * Plans for devices that are not there, made as a call makes them.
 */
#ifndef RHOMB_TESTS_PLANS_H
#define RHOMB_TESTS_PLANS_H

#include "src/planner/engine_plan.h"
#include "src/planner/profiles.h"
#include "support/some_devices.h"
#include "support/test.h"

/* A plan, and all that it is made of. */
typedef struct planning {
    rhomb__error error;
    rhomb_options options;
    rhomb_tuning tuning;
    rhomb__rates rates;
    rhomb__plan_input input;
    rhomb__plan plan;
} planning;

/* The input for two sequences of A, C, G and T that differ; NULL as options takes the defaults. */
static inline rhomb_status planning_prepare(planning *p, int64_t target_length,
                                            int64_t query_length, const rhomb_options *given,
                                            const rhomb_device_info *device)
{
    *p = (planning){.rates = rhomb__rates_of_row(device)};
    p->input = (rhomb__plan_input){target_length, query_length, 4,         false,
                                   device,        &p->options,  &p->rates, 1};
    return rhomb__options_complete(&p->error, given, &p->options, &p->tuning);
}

static inline rhomb_status planning_make(planning *p, int64_t target_length, int64_t query_length,
                                         const rhomb_options *given,
                                         const rhomb_device_info *device)
{
    const rhomb_status status = planning_prepare(p, target_length, query_length, given, device);
    return status == RHOMB_OK ? rhomb__plan_make(&p->error, &p->input, &p->plan) : status;
}

/* Fails the test where there is no plan. */
static inline rhomb__plan plan_of(int64_t target_length, int64_t query_length,
                                  const rhomb_options *given, const rhomb_device_info *device)
{
    planning p;
    if (planning_make(&p, target_length, query_length, given, device) != RHOMB_OK)
        fail_msg("%s", rhomb__error_text(&p.error));
    return p.plan;
}

/* The same by an engine, with a tuning. */
static inline rhomb__plan tuned_plan(int64_t target_length, int64_t query_length,
                                     rhomb_engine engine, rhomb_tuning tuning,
                                     const rhomb_device_info *device)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.engine = engine;
    options.tuning = &tuning;
    return plan_of(target_length, query_length, &options, device);
}

/* Expects RHOMB_ERR_ARGUMENT with a detail. */
static inline void expect_no_plan(int64_t length, const rhomb_options *given,
                                  const rhomb_device_info *device, const char *detail)
{
    planning p;
    assert_string_equal(rhomb_status_name(planning_make(&p, length, length, given, device)),
                        "RHOMB_ERR_ARGUMENT");
    assert_contains(rhomb__error_text(&p.error), detail);
}

#endif
