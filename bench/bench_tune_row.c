/* SPDX-License-Identifier: MIT */
/*
 * A row of the tuning table as src/planner/profiles.c has them, ready to be put there.
 */
#include "bench_tune.h"

#include <string.h>
#include <time.h>

/* Characters of a line in the table. */
#define LINE 100

typedef enum field_kind {
    TEXT,   /* a string, quoted */
    NAME,   /* an enumerator */
    WHOLE,  /* a whole number */
    RATE,   /* three digits are more than two runs have in common */
    NOTHING /* the field stays 0: no line */
} field_kind;

/* A line of the row. */
typedef struct field {
    const char *name;
    field_kind kind;
    const char *text;
    double value;
} field;

static const char *kind_name(rhomb_device_kind kind)
{
    static const char *const NAMES[] = {"RHOMB_DEVICE_GPU", "RHOMB_DEVICE_ACCELERATOR",
                                        "RHOMB_DEVICE_CPU", "RHOMB_DEVICE_OTHER"};
    return NAMES[kind];
}

static const char *shape_name(rhomb_tile_shape shape)
{
    return shape == RHOMB_TILE_DIAMOND ? "RHOMB_TILE_DIAMOND" : "RHOMB_TILE_TRAPEZOID";
}

static void put_quoted(FILE *to, const char *prefix, const char *text)
{
    fprintf(to, "\"%s", prefix);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

/* Numbers as people write them: 5.7e11 and not 5.7e+11. */
static void put_rate(FILE *to, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.3g", value);
    const char *exponent = strchr(text, 'e');
    if (exponent == NULL) {
        fputs(text, to);
        return;
    }
    const char *digits = exponent + 2 + strspn(exponent + 2, "0");
    fprintf(to, "%.*se%s%s", (int)(exponent - text), text, exponent[1] == '-' ? "-" : "",
            *digits != '\0' ? digits : "0");
}

static void put_field(FILE *to, const field *f)
{
    if (f->kind == NOTHING)
        return;
    const char *prefix =
        strcmp(f->name, "rates_source") == 0 ? "the tuning table: measured on " : "";
    const size_t room = LINE - strlen("        . = \"\",") - strlen(f->name);
    const bool fits = f->kind != TEXT || strlen(prefix) + strlen(f->text) <= room;
    fprintf(to, "        .%s =%s", f->name, fits ? " " : "\n            ");
    if (f->kind == TEXT)
        put_quoted(to, prefix, f->text);
    else if (f->kind == NAME)
        fputs(f->text, to);
    else if (f->kind == WHOLE)
        fprintf(to, "%.0f", f->value);
    else
        put_rate(to, f->value);
    fputs(",\n", to);
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
                (int)narrow->plan.tile_columns, narrow->column_seconds * 1e6);
    fputs("     */\n", to);
}

/* The fields in the order of src/planner/profiles.h. */
static void put_row(FILE *to, const rhomb_device_info *device, const bench_tuned *tuned)
{
    const bool two = tuned->wide_diagonals > 0;
    const bench_tile *first = two ? &tuned->narrow : &tuned->wide;
    const bench_shape *shape = &tuned->shape;
    const rhomb_plan *wave = &first->plan, *wide = &tuned->wide.plan, *sweep = &shape->plan;
    const field_kind second = two ? WHOLE : NOTHING;
    const bool cpu = device->kind == RHOMB_DEVICE_CPU;
    const field fields[] = {
        {"name", TEXT, device->name, 0},
        {"device_part", TEXT, device->name, 0},
        {"kind", NAME, kind_name(device->kind), 0},
        {"tile_shape", NAME, shape_name(wave->tile_shape), 0},
        {"group_size", WHOLE, NULL, wave->group_size},
        {"diagonals_per_item", WHOLE, NULL, wave->diagonals_per_item},
        {"tile_columns", WHOLE, NULL, wave->tile_columns},
        {"wide_group_size", second, NULL, wide->group_size},
        {"wide_diagonals_per_item", second, NULL, wide->diagonals_per_item},
        {"wide_tile_columns", second, NULL, wide->tile_columns},
        {"wide_diagonals", second, NULL, (double)tuned->wide_diagonals},
        {"bands_per_read", WHOLE, NULL, wave->bands_per_read},
        {"cells_per_second", RATE, NULL, tuned->wide.cells_per_second},
        {"column_seconds", RATE, NULL, first->column_seconds},
        {"sweep_group_size", WHOLE, NULL, sweep->group_size},
        {"sweep_lanes", WHOLE, NULL, sweep->lanes},
        {"words_per_item", WHOLE, NULL, sweep->words_per_item},
        {"blocks_per_launch", WHOLE, NULL, sweep->blocks_per_launch},
        {"sweep_cells_per_second", RATE, NULL, shape->cells_per_second},
        {"sweep_block_seconds", RATE, NULL, shape->block_seconds},
        {"letters_per_second", RATE, NULL, tuned->letters_per_second},
        /* A processor of the same name may have another number of cores here. */
        {"compute_units", cpu ? WHOLE : NOTHING, NULL, device->compute_units},
        {"rates_source", TEXT, device->name, 0},
    };
    fputs("    {\n", to);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        put_field(to, &fields[i]);
    fputs("    },\n", to);
}

void bench_tune_row(FILE *to, const rhomb_device_info *device, const char *commit,
                    const char *command, const bench_tuned *tuned)
{
    put_comment(to, device, commit, command, tuned);
    put_row(to, device, tuned);
}
