/* SPDX-License-Identifier: MIT */
/*
 * A row of the tuning table as src/planner/profiles.c has them, ready to be put there.
 */
#include "bench_tune.h"

#include <string.h>
#include <time.h>

/* Characters of a line in the table. */
#define LINE 100

static const char *kind_name(rhomb_device_kind kind)
{
    static const char *const NAMES[] = {"RHOMB_DEVICE_GPU", "RHOMB_DEVICE_ACCELERATOR",
                                        "RHOMB_DEVICE_CPU", "RHOMB_DEVICE_OTHER"};
    return NAMES[kind];
}

/* A string, on a line of its own where it does not fit after the name. */
static void put_text(FILE *to, const char *name, const char *prefix, const char *text)
{
    const size_t used = strlen("        . = \"\",") + strlen(name) + strlen(prefix);
    fprintf(to, "        .%s =%s\"%s", name, used + strlen(text) <= LINE ? " " : "\n            ",
            prefix);
    for (; *text != '\0'; text++)
        fprintf(to, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    fputs("\",\n", to);
}

static void put_name(FILE *to, const char *name, const char *value)
{
    fprintf(to, "        .%s = %s,\n", name, value);
}

/* Whole numbers; 0 is left out, as the field stays that. */
static void put_whole(FILE *to, const char *name, int64_t value)
{
    if (value != 0)
        fprintf(to, "        .%s = %lld,\n", name, (long long)value);
}

/* As people write them, 5.7e11 and not 5.7e+11; three digits are more than two runs share. */
static void put_rate(FILE *to, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.3g", value);
    char *exponent = strchr(text, 'e');
    if (exponent != NULL) {
        const char *digits = exponent + 2 + strspn(exponent + 2, "0");
        char *end = exponent + (exponent[1] == '-' ? 2 : 1);
        memmove(end, digits, strlen(digits) + 1);
    }
    put_name(to, name, text);
}

/* When, where and how; and the tile that is the best of narrow pyramids, where the row lacks it. */
static void put_comment(FILE *to, const rhomb_device_info *device, const char *commit,
                        const char *command, const bench_tuned *tuned)
{
    const bench_tile *narrow = &tuned->narrow;
    const time_t now = time(NULL);
    struct tm utc;
    char date[32] = "";
    if (gmtime_r(&now, &utc) != NULL)
        strftime(date, sizeof date, "%Y-%m-%d", &utc);
    fprintf(to, "    /*\n     * %s, driver %s, commit %s:\n     * `%s`.\n", date,
            device->driver_version, commit, command);
    if (tuned->wide_diagonals == 0)
        fprintf(to,
                "     * In narrow pyramids %d x %d with %d columns is best: %.3g us a column.\n",
                (int)narrow->plan.group_size, (int)narrow->plan.diagonals_per_item,
                (int)narrow->plan.tile_scores, narrow->wavefront_seconds * 1e6);
    fputs("     */\n", to);
}

static void put_wavefront(FILE *to, const bench_tuned *tuned)
{
    const bool two = tuned->wide_diagonals > 0;
    const bench_tile *first = two ? &tuned->narrow : &tuned->wide;
    const rhomb_plan *plan = &first->plan, *wide = &tuned->wide.plan;
    put_name(to, "tile_shape",
             plan->tile_shape == RHOMB_TILE_DIAMOND ? "RHOMB_TILE_DIAMOND"
                                                    : "RHOMB_TILE_TRAPEZOID");
    put_whole(to, "group_size", plan->group_size);
    put_whole(to, "diagonals_per_item", plan->diagonals_per_item);
    put_whole(to, "tile_scores", plan->tile_scores);
    put_whole(to, "wide_group_size", two ? wide->group_size : 0);
    put_whole(to, "wide_diagonals_per_item", two ? wide->diagonals_per_item : 0);
    put_whole(to, "wide_tile_scores", two ? wide->tile_scores : 0);
    put_whole(to, "wide_diagonals", tuned->wide_diagonals);
    put_whole(to, "launches_per_read", plan->launches_per_read);
    put_rate(to, "cells_per_second", tuned->wide.cells_per_second);
    put_rate(to, "wavefront_seconds", first->wavefront_seconds);
}

void bench_tune_row(FILE *to, const rhomb_device_info *device, const char *commit,
                    const char *command, const bench_tuned *tuned)
{
    const bench_shape *shape = &tuned->shape;
    put_comment(to, device, commit, command, tuned);
    fputs("    {\n", to);
    put_text(to, "name", "", device->name);
    put_text(to, "device_part", "", device->name);
    put_name(to, "kind", kind_name(device->kind));
    put_wavefront(to, tuned);
    put_whole(to, "sweep_group_size", shape->plan.group_size);
    put_whole(to, "words_per_item", shape->plan.words_per_item);
    put_whole(to, "blocks_per_launch", shape->plan.blocks_per_launch);
    put_rate(to, "sweep_cells_per_second", shape->cells_per_second);
    put_rate(to, "sweep_block_seconds", shape->block_seconds);
    put_rate(to, "bases_per_second", tuned->bases_per_second);
    /* A CPU of the same name may have another number of cores here. */
    put_whole(to, "compute_units", device->kind == RHOMB_DEVICE_CPU ? device->compute_units : 0);
    put_text(to, "rates_source", "the tuning table: measured on ", device->name);
    fputs("    },\n", to);
}
