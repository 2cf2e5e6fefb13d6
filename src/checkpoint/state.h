/* SPDX-License-Identifier: MIT */
/*
 * The state of a run in one table: the fields of a structure that matter, each once. A table has
 * three readers: a checkpoint has the fields as a section, another structure takes them over
 * (rhomb__state_copy), and a message takes their bytes to another rank
 * (host/device/remote.h).
 *
 *     static const rhomb__field FIELDS[] = {RHOMB__FIELD(thing, score),
 *                                           RHOMB__FIELD(thing, watches), RHOMB__FIELDS_END};
 *
 *     rhomb__state_save(saver, "thing", FIELDS, t);
 *     RHOMB_TRY(rhomb__state_restore(error, saved, "thing", FIELDS, t));
 */
#ifndef RHOMB_SRC_STATE_H
#define RHOMB_SRC_STATE_H

#include "src/checkpoint/saver.h"

#include <stddef.h>

typedef enum rhomb__field_type {
    RHOMB__FIELD_END,    /* after the last one */
    RHOMB__FIELD_BYTES,  /* a number, or a record without pointers */
    RHOMB__FIELD_CHOICE, /* bool, an enumeration or a number of 32 bits, from `least` to `most` */
    RHOMB__FIELD_SINCE,  /* a moment of rhomb__now(): a checkpoint has the seconds since */
    RHOMB__FIELD_TABLE   /* a structure that has a table */
} rhomb__field_type;

/* The structure of the table, and others that may have its fields, too. */
#define RHOMB__FIELD_HOMES 3
#define RHOMB__NOWHERE     SIZE_MAX

typedef struct rhomb__field {
    rhomb__field_type type;
    int32_t least, most;
    size_t bytes;
    size_t at[RHOMB__FIELD_HOMES];
    const struct rhomb__field *table;
} rhomb__field;

/* How large a member of a structure is, and where it and others have it. */
#define RHOMB__IN(structure, name, second, third) \
    .bytes = sizeof(((structure *)0)->name), .at = {offsetof(structure, name), second, third}
#define RHOMB__ONLY_IN(structure, name) RHOMB__IN(structure, name, RHOMB__NOWHERE, RHOMB__NOWHERE)

/* A field of any value that its type, which may be bool, can have; others may have it, too. */
#define RHOMB__FIELD_OF(structure, name, second, third)      \
    {                                                        \
        .type = _Generic(((structure *)0)->name, bool        \
                         : RHOMB__FIELD_CHOICE, default      \
                         : RHOMB__FIELD_BYTES),              \
        .most = 1, RHOMB__IN(structure, name, second, third) \
    }
#define RHOMB__FIELD(structure, name) \
    RHOMB__FIELD_OF(structure, name, RHOMB__NOWHERE, RHOMB__NOWHERE)
#define RHOMB__CHOICE(structure, name, first, last)                                                \
    {                                                                                              \
        .type = RHOMB__FIELD_CHOICE, .least = first, .most = last, RHOMB__ONLY_IN(structure, name) \
    }
#define RHOMB__MOMENT(structure, name)                              \
    {                                                               \
        .type = RHOMB__FIELD_SINCE, RHOMB__ONLY_IN(structure, name) \
    }
#define RHOMB__PART(structure, name, fields)                                         \
    {                                                                                \
        .type = RHOMB__FIELD_TABLE, .table = fields, RHOMB__ONLY_IN(structure, name) \
    }
#define RHOMB__FIELDS_END        \
    {                            \
        .type = RHOMB__FIELD_END \
    }

/* Calls back for each field, with its place in the structure; parts field by field. */
void rhomb__state_each(const rhomb__field *fields, size_t base,
                       void (*visit)(const rhomb__field *field, size_t at, void *user), void *user);

/* Writes the fields as a section. */
void rhomb__state_save(rhomb__saver *saver, const char *name, const rhomb__field *fields,
                       const void *from);

/*
 * Takes the fields of a section. RHOMB_ERR_INPUT if there is none, or it has others, or a number
 * that its field cannot have: that field stays.
 */
rhomb_status rhomb__state_restore(rhomb__error *error, const rhomb__saved *saved, const char *name,
                                  const rhomb__field *fields, void *to);

/* Copies the fields that both structures have; they are homes `i` and `j` of the table. */
void rhomb__state_copy(const rhomb__field *fields, const void *from, int i, void *to, int j);

#endif
