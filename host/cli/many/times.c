/* SPDX-License-Identifier: MIT */
/*
 * Times of many pairs, see times.h.
 */
#include "host/cli/many/times.h"

#include <inttypes.h>

/* The stages of a task that is done. */
static cli_stages stages_of(const cli_task *task)
{
    cli_stages s = {.all = task->seconds};
    const rhomb_align_report *path =
        task->alignment != NULL ? rhomb_alignment_report(task->alignment) : NULL;
    const rhomb_report *whole = path != NULL           ? path->whole
                                : task->result != NULL ? rhomb_result_report(task->result)
                                                       : NULL;
    if (whole != NULL) {
        s.inspect = whole->seconds_inspect;
        s.guide = whole->seconds_guide;
        s.build = whole->seconds_build;
        s.transfer = whole->seconds_transfer;
        s.solve = whole->seconds_solve;
    }
    if (path != NULL) {
        s.build += path->seconds_build;
        s.split = path->seconds_split;
        s.base_cases = path->seconds_base_cases;
    }
    return s;
}

static void note_stages(int level, const char *what, const cli_stages *s)
{
    cli_note(level,
             "%s: %.3f s; inspect %.3f, guide %.3f, build %.3f, transfer %.3f, solve %.3f, split "
             "%.3f, base cases %.3f",
             what, s->all, s->inspect, s->guide, s->build, s->transfer, s->solve, s->split,
             s->base_cases);
}

void cli_times_add(cli_times *times, const cli_task *task)
{
    char what[64];
    const cli_stages s = stages_of(task);
    cli_stages *sum = &times->solved;
    times->tasks++;
    snprintf(what, sizeof what, "pair %" PRId64 ", from %.3f s on", times->tasks,
             task->began - times->began);
    note_stages(2, what, &s);
    sum->all += s.all;
    sum->inspect += s.inspect;
    sum->guide += s.guide;
    sum->build += s.build;
    sum->transfer += s.transfer;
    sum->solve += s.solve;
    sum->split += s.split;
    sum->base_cases += s.base_cases;
}

void cli_times_note(const cli_times *times, int32_t at_a_time)
{
    cli_note(1,
             "%" PRId64 " pair%s, %d at a time: %.3f s, and %.3f s to open contexts; waited for "
             "looks %.3f s, for results %.3f s, written for %.3f s",
             times->tasks, cli_s(times->tasks), (int)at_a_time, cli_seconds_now() - times->began,
             times->opening, times->looked, times->waited, times->written);
    note_stages(1, "the pairs, together", &times->solved);
}
