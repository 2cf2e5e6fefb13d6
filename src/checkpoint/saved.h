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

/* NULL is allowed. */
void rhomb__saved_close(rhomb__saved *saved);

#endif
