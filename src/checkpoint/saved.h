/* SPDX-License-Identifier: MIT */
/*
 * Reads a checkpoint. Opening one reads and checks all of it, so that nothing is taken over from a
 * file of which a part is damaged. Its content stays a mapped file: it takes no memory that the
 * system could not have back.
 */
#ifndef RHOMB_SRC_SAVED_H
#define RHOMB_SRC_SAVED_H

#include "src/checkpoint/saver.h"

typedef struct rhomb__saved rhomb__saved;

/*
 * Opens a file. *out is NULL if there is none. RHOMB_ERR_INPUT if it cannot be read, is damaged or
 * has another format; RHOMB_ERR_MEMORY.
 */
rhomb_status rhomb__saved_open(rhomb__error *error, const char *path, rhomb__saved **out);

/*
 * What rhomb__saver_take() has given, of which errors say that it is `name`. The memory becomes
 * the checkpoint's, also on failure.
 */
rhomb_status rhomb__saved_open_memory(rhomb__error *error, const char *name, char *memory,
                                      int64_t bytes, rhomb__saved **out);

/* RHOMB_ERR_INPUT for a file whose content cannot be: the text says that it is damaged. */
rhomb_status rhomb__saved_damaged(rhomb__error *error, const rhomb__saved *saved, const char *what);

/*
 * The content of a section at a multiple of 8 bytes, valid as long as the checkpoint; NULL if there
 * is none of this name. An empty section has a content of 0 bytes that is not NULL.
 */
const void *rhomb__saved_section(const rhomb__saved *saved, const char *name, int64_t *bytes);

/* The content of a section that has to be there and have so many bytes. */
rhomb_status rhomb__saved_need(rhomb__error *error, const rhomb__saved *saved, const char *name,
                               int64_t bytes, const void **content);

/*
 * A part of a checkpoint: the sections whose names have a character before them, as they are called
 * without. Closed by its caller, before the whole. RHOMB_ERR_MEMORY.
 */
rhomb_status rhomb__saved_part(rhomb__error *error, const rhomb__saved *whole, char prefix,
                               rhomb__saved **out);

/* Writes all sections of a part again, in another checkpoint. */
void rhomb__saved_copy(const rhomb__saved *part, rhomb__saver *saver);

/* NULL is allowed. */
void rhomb__saved_close(rhomb__saved *saved);

#endif
