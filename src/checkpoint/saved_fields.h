/* SPDX-License-Identifier: MIT */
/*
 * Numbers of a checkpoint. The fields of a state are listed once, by a function that serves both
 * ways, so that what is saved and what is restored cannot differ:
 *
 *     static void list(thing *t, rhomb__fields *fields)
 *     {
 *         rhomb__field_int64(fields, &t->score);
 *         rhomb__field_bool(fields, &t->watches);
 *     }
 *
 *     rhomb__fields fields = {.is_saving = true};
 *     list(t, &fields);
 *     rhomb__fields_save(&fields, saver, "thing");
 *
 *     RHOMB_TRY(rhomb__fields_restore(&fields, error, saved, "thing"));
 *     list(t, &fields);
 *     RHOMB_TRY(rhomb__fields_end(&fields, error, saved));
 */
#ifndef RHOMB_SRC_SAVED_FIELDS_H
#define RHOMB_SRC_SAVED_FIELDS_H

#include "src/checkpoint/saver.h"

#define RHOMB__MOST_FIELDS 128

typedef struct rhomb__fields {
    bool is_saving;
    int count; /* of the values that are known */
    int at;    /* restoring: the next one; more than `count` if it lacks some */
    uint64_t values[RHOMB__MOST_FIELDS];
} rhomb__fields;

/*
 * A field, saved or restored. One that is missing becomes 0; a number that does not fit as well, or
 * of a choice the least one.
 */
void rhomb__field_int64(rhomb__fields *fields, int64_t *value);
void rhomb__field_int32(rhomb__fields *fields, int32_t *value);
void rhomb__field_choice(rhomb__fields *fields, int32_t *value, int32_t least, int32_t most);
void rhomb__field_bool(rhomb__fields *fields, bool *value);
void rhomb__field_double(rhomb__fields *fields, double *value);

/* Writes the fields as a section. */
void rhomb__fields_save(const rhomb__fields *fields, rhomb__saver *saver, const char *name);

/* Takes the fields of a section; RHOMB_ERR_INPUT if there is none or it has none. */
rhomb_status rhomb__fields_restore(rhomb__fields *fields, rhomb__error *error,
                                   const rhomb__saved *saved, const char *name);

/* RHOMB_ERR_INPUT unless all fields of the section were taken, and all fitted. */
rhomb_status rhomb__fields_end(const rhomb__fields *fields, rhomb__error *error,
                               const rhomb__saved *saved);

#endif
