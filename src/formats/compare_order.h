/* SPDX-License-Identifier: MIT */
/*
 * How records lie in both sets of sequences: which are one-to-one, how neighbours join, and which
 * were rearranged. See rhomb/comparison.h.
 */
#ifndef RHOMB_SRC_COMPARE_ORDER_H
#define RHOMB_SRC_COMPARE_ORDER_H

#include "src/formats/compare_record.h"

/* The records of a file, and the sums that the order gives. */
typedef struct rhomb__compare_order {
    rhomb__error *error;
    rhomb__compared *records;
    size_t count;
    const rhomb__score_codes *codes;            /* of what matches */
    rhomb__marks *marks[RHOMB__SIDES];          /* of each sequence; RHOMB__MARK_TAKEN is filled */
    size_t sequences[RHOMB__SIDES];             /* their numbers */
    rhomb_comparison_side *sides[RHOMB__SIDES]; /* joins are added */
    rhomb_comparison_runs *runs[RHOMB__COMPARED_KINDS]; /* of rearranged kinds; else NULL */
    rhomb_comparison_report *report;                    /* what lies between records is added */
    rhomb__events *events;                              /* and what is an event of that */
    rhomb_comparison_sum *one_to_one, *similar;         /* and its indels */
} rhomb__compare_order;

/* Sorts the records, gives each its kind, and adds up. RHOMB_OK or RHOMB_ERR_MEMORY. */
rhomb_status rhomb__compare_order_find(rhomb__compare_order *order);

#endif
