/* SPDX-License-Identifier: MIT */
/*
 * Reads a checkpoint. Opening one reads and checks all of it, so that nothing is taken over from a
 * file of which a part is damaged. Its content stays a mapped file: it takes no memory that the
 * system could not have back.
 */
#ifndef RHOMB_SRC_SAVED_H
#define RHOMB_SRC_SAVED_H

#include "src/base/error.h"

typedef struct rhomb__saved rhomb__saved;

/*
 * Reads an open file, which stays open and has to be of the call with this identity: lines "name:
 * value"; NULL: of any. With a `mark` it is one that grows, and ends after the last section of that
 * name; else it was written at once. *out is NULL if it is empty. RHOMB_ERR_INPUT if it cannot be
 * read, is damaged, has another format or is of another call; RHOMB_ERR_MEMORY.
 */
rhomb_status rhomb__saved_read(rhomb__error *error, int fd, const char *path, const char *identity,
                               const char *mark, rhomb__saved **out);

/* RHOMB_ERR_INPUT for a file whose content cannot be: the text says that it is damaged. */
rhomb_status rhomb__saved_damaged(rhomb__error *error, const rhomb__saved *saved, const char *what);

/* A section. All zeros is before the first one. */
typedef struct rhomb__section {
    char name[9];
    const void *content; /* as of rhomb__saved_section() */
    int64_t bytes;
    int64_t end; /* in the file */
} rhomb__section;

/* Goes to the next section; false if there is none. */
bool rhomb__saved_next(const rhomb__saved *saved, rhomb__section *section);

/* Where a file ends that grows, and the chain there. */
int64_t rhomb__saved_end(const rhomb__saved *saved, uint64_t *chain);

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
