/* SPDX-License-Identifier: MIT */
/*
 * Ticks, see plot_ticks.h. Exponents of ten are integers, so that no label shows the error of
 * 0.1 + 0.2 and rounding never misses a power of ten.
 */
#include "host/cli/plot/plot_ticks.h"

#include <math.h>

/* A step: `digit` (1, 2 or 5) times ten to the power of `exponent`. */
typedef struct step {
    int digit, exponent;
} step;

static double step_value(step s)
{
    return s.exponent >= 0 ? s.digit * pow(10, s.exponent) : s.digit / pow(10, -s.exponent);
}

/* The least step that is at least `value`. */
static step step_up(double value)
{
    static const int DIGITS[] = {1, 2, 5, 10};
    step s = {.exponent = (int)floor(log10(value))};
    /* A value that is a step but for rounding counts as one. */
    const double least = value * (1 - 1e-9);
    for (size_t i = 0; i < CLI_COUNT(DIGITS); i++) {
        s.digit = DIGITS[i];
        if (step_value(s) >= least)
            break;
    }
    return s.digit == 10 ? (step){1, s.exponent + 1} : s;
}

double cli_round_up(double value)
{
    return step_value(step_up(value));
}

/* Below so many bases of a part, "12,345,600" is easier to read than "12,345.6 kb". */
static const double CLOSE = 10000;

/* The ticks of one step that lie within the axis. */
static cli_ticks with_step(double low, double high, step s)
{
    const double size = step_value(s);
    const double slack = 1e-9 * (high - low) / size;
    const double first = ceil(low / size - slack);
    const double last = floor(high / size + slack);
    return (cli_ticks){.first = first * size,
                       .step = size,
                       .count = last >= first ? (int)(last - first) + 1 : 0,
                       .unit = 1,
                       .unit_name = "",
                       .decimals = s.exponent < 0 ? -s.exponent : 0,
                       .exponent = s.exponent,
                       .largest = fmax(fabs(low), fabs(high)),
                       .close = low > 0 && high - low < CLOSE};
}

static cli_ticks fitting(double low, double high, int most, double least_step)
{
    const double wanted = (high - low) / most;
    step chosen = step_up(wanted > least_step ? wanted : least_step);
    cli_ticks ticks = with_step(low, high, chosen);
    while (ticks.count > most) {
        chosen = step_up(1.5 * step_value(chosen));
        ticks = with_step(low, high, chosen);
    }
    return ticks;
}

cli_ticks cli_ticks_plain(double low, double high, int most)
{
    return fitting(low, high, most, 1e-12);
}

static const struct {
    int exponent;
    const char *name;
} UNITS[] = {{9, "Gb"}, {6, "Mb"}, {3, "kb"}, {0, "bp"}};

enum { MOST_DECIMALS = 2 };

double cli_ticks_unit(const cli_ticks *a, const cli_ticks *b)
{
    const double largest = fmax(a->largest, b->largest);
    const int exponent = a->exponent < b->exponent ? a->exponent : b->exponent;
    for (size_t i = 0; i < CLI_COUNT(UNITS) && !a->close && !b->close; i++) {
        const double unit = pow(10, UNITS[i].exponent);
        if (largest >= 2 * unit && UNITS[i].exponent - exponent <= MOST_DECIMALS)
            return unit;
    }
    return 1;
}

void cli_ticks_set_unit(cli_ticks *ticks, double unit)
{
    size_t i = 0;
    while (i + 1 < CLI_COUNT(UNITS) && pow(10, UNITS[i].exponent) > unit)
        i++;
    const int decimals = UNITS[i].exponent - ticks->exponent;
    ticks->unit = unit;
    ticks->unit_name = UNITS[i].name;
    ticks->decimals = decimals > 0 ? decimals : 0;
}

cli_ticks cli_ticks_bases(double low, double high, int most)
{
    cli_ticks ticks = fitting(low, high, most, 1);
    cli_ticks_set_unit(&ticks, cli_ticks_unit(&ticks, &ticks));
    return ticks;
}

double cli_tick_value(const cli_ticks *ticks, int index)
{
    return ticks->first + index * ticks->step;
}

/* Puts commas into the digits before the point; `text` has room for them. */
static void add_commas(char *text)
{
    char *digits = text + (text[0] == '-');
    const size_t whole = strspn(digits, "0123456789");
    for (size_t behind = 3; behind < whole; behind += 3) {
        char *comma = digits + whole - behind;
        memmove(comma + 1, comma, strlen(comma) + 1);
        *comma = ',';
    }
}

const char *cli_tick_label(const cli_ticks *ticks, int index, cli_text *buffer)
{
    double value = cli_tick_value(ticks, index) / ticks->unit;
    if (fabs(value) < 1e-9 * ticks->step / ticks->unit)
        value = 0; /* no "-0" */
    /* Half of the room is enough for 2^60, and leaves the rest for commas. */
    snprintf(buffer->text, sizeof buffer->text / 2, "%.*f", ticks->decimals, value);
    add_commas(buffer->text);
    return buffer->text;
}

const char *cli_decade_label(int exponent, bool bases, cli_text *buffer)
{
    static const char *const NUMBERS[] = {"1", "10", "100"};
    static const char *const COUNTS[] = {"", " k", " M", " G", " T", " P", " E"};
    static const char *const LETTERS[] = {" bp", " kb", " Mb", " Gb", " Tb", " Pb", " Eb"};
    const size_t unit = (size_t)exponent / 3;
    if (exponent < 0 || unit >= CLI_COUNT(COUNTS))
        return "";
    snprintf(buffer->text, sizeof buffer->text, "%s%s", NUMBERS[exponent % 3],
             bases ? LETTERS[unit] : COUNTS[unit]);
    return buffer->text;
}

const char *cli_show_count(int64_t count, cli_text *buffer)
{
    snprintf(buffer->text, sizeof buffer->text / 2, "%" PRId64, count);
    add_commas(buffer->text);
    return buffer->text;
}

const char *cli_show_bases(double bases, cli_text *buffer)
{
    if (bases < 1e6) {
        const int64_t whole = (int64_t)bases;
        const bool kilo = whole > 0 && whole % 1000 == 0;
        cli_show_count(kilo ? whole / 1000 : whole, buffer);
        strcat(buffer->text, kilo ? " kb" : " bp");
    } else {
        const bool giga = bases >= 1e9;
        snprintf(buffer->text, sizeof buffer->text, "%.4g %s", bases / (giga ? 1e9 : 1e6),
                 giga ? "Gb" : "Mb");
    }
    return buffer->text;
}
