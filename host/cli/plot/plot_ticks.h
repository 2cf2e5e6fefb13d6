/* SPDX-License-Identifier: MIT */
/*
 * Ticks of axes: round steps (1, 2 or 5 times a power of ten), as many as fit, with labels that
 * have no more digits than the step needs. Nothing here draws.
 */
#ifndef RHOMB_CLI_PLOT_TICKS_H
#define RHOMB_CLI_PLOT_TICKS_H

#include "host/cli/base/cli.h"

/* Evenly spaced ticks: `first`, first + step, ..., `count` of them, all within the axis. */
typedef struct cli_ticks {
    double first, step;
    int count;
    double unit; /* of the labels: values are divided by it */
    const char *unit_name;
    int decimals;
    int exponent;   /* of the step: the power of ten in it */
    double largest; /* magnitude on the axis */
    bool close;     /* a part of a sequence, so short that labels are positions in bp */
} cli_ticks;

/* The least of 1, 2 and 5 times a power of ten that is at least `value`, which is above 0. */
double cli_round_up(double value);

/*
 * At most `most` ticks (two or more) between `low` and `high`, low < high. For bases: whole steps,
 * in bp, kb, Mb or Gb.
 */
cli_ticks cli_ticks_plain(double low, double high, int most);
cli_ticks cli_ticks_bases(double low, double high, int most);

/*
 * The unit that suits two axes of bases: the largest one that fits twice into the longer axis and
 * gives no label more than two decimals; bp if one of them begins after 0 and has fewer than 10 kb.
 * And setting an axis to that unit.
 */
double cli_ticks_unit(const cli_ticks *a, const cli_ticks *b);
void cli_ticks_set_unit(cli_ticks *ticks, double unit);

double cli_tick_value(const cli_ticks *ticks, int index);
/* "1,500", "0.25": a tick's label, without its unit. */
const char *cli_tick_label(const cli_ticks *ticks, int index, cli_text *buffer);

/*
 * Labels for powers of ten on log axes: "1", "10", "100", "1 k", "10 k", ...; for bases "1 bp",
 * ..., "1 kb".
 */
const char *cli_decade_label(int exponent, bool bases, cli_text *buffer);

/* "16,571": a count with commas. */
const char *cli_show_count(int64_t count, cli_text *buffer);
/* "16,571 bp", "50 kb", "248.4 Mb": a length, exact below a million. */
const char *cli_show_bases(double bases, cli_text *buffer);

#endif
