/* SPDX-License-Identifier: MIT */
/*
 * A row of the tuning table as src/tuning.c has them, ready to be put there.
 */
#include "bench_tune.h"

#include <string.h>
#include <time.h>

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
    fprintf(to, "        .%s = ", f->name);
    if (f->kind == TEXT)
        put_quoted(to, strcmp(f->name, "rates_source") == 0 ? "the tuning table: measured on " : "",
                   f->text);
    else if (f->kind == NAME)
        fputs(f->text, to);
    else if (f->kind == WHOLE)
        fprintf(to, "%.0f", f->value);
    else
        put_rate(to, f->value);
    fputs(",\n", to);
}

/* When, where and how. */
static void put_comment(FILE *to, const bench *b, const rhomb_device_info *device,
                        const bench_tuned *tuned)
{
    const bench_tile *narrow = &tuned->narrow;
    const time_t now = time(NULL);
    struct tm utc;
    char date[32] = "";
    if (gmtime_r(&now, &utc) != NULL)
        strftime(date, sizeof date, "%Y-%m-%d", &utc);
    fprintf(to, "    /*\n     * %s, driver %s, commit %s:\n     * `%s`.\n", date,
            device->driver_version, b->commit, b->command);
    fprintf(to, "     * In narrow pyramids %d x %d with %d columns is best: %.3g us a column.\n",
            (int)narrow->plan.group_size, (int)narrow->plan.diagonals_per_item,
            (int)narrow->plan.tile_columns, narrow->column_seconds * 1e6);
    fputs("     */\n", to);
}

/* The fields in the order of src/tuning.h. */
static void put_row(FILE *to, const rhomb_device_info *device, const bench_tuned *tuned)
{
    const bench_tile *tile = &tuned->tile;
    const bench_shape *shape = &tuned->shape;
    const rhomb_plan *wave = &tile->plan, *sweep = &shape->plan;
    const bool cpu = device->kind == RHOMB_DEVICE_CPU;
    const field fields[] = {
        {"name", TEXT, device->name, 0},
        {"device_part", TEXT, device->name, 0},
        {"kind", NAME, kind_name(device->kind), 0},
        {"tile_shape", NAME, shape_name(wave->tile_shape), 0},
        {"group_size", WHOLE, NULL, wave->group_size},
        {"diagonals_per_item", WHOLE, NULL, wave->diagonals_per_item},
        {"tile_columns", WHOLE, NULL, wave->tile_columns},
        {"bands_per_read", WHOLE, NULL, wave->bands_per_read},
        {"cells_per_second", RATE, NULL, tile->cells_per_second},
        {"column_seconds", RATE, NULL, tile->column_seconds},
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

bool bench_tune_row(bench *b, const bench_tuned *tuned)
{
    const rhomb_device_info *device = rhomb_context_device(b->ctx);
    FILE *file = b->row != NULL ? fopen(b->row, "w") : stdout;
    if (file == NULL)
        return bench_fail(b, "cannot write %s", b->row);
    put_comment(file, b, device, tuned);
    put_row(file, device, tuned);
    fflush(file);
    const bool good = !ferror(file);
    const bool closed = b->row == NULL || fclose(file) == 0;
    return (good && closed) || bench_fail(b, "the row could not be written");
}
