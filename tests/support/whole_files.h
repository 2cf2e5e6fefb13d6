/* SPDX-License-Identifier: MIT */
/*
 * Whole files, of which a test wants the bytes. What fails, fails the test.
 */
#ifndef RHOMB_TESTS_WHOLE_FILES_H
#define RHOMB_TESTS_WHOLE_FILES_H

#include <stddef.h>

void file_write(const char *path, const void *bytes, size_t size);
void file_write_text(const char *path, const char *text);

/* All bytes of a file, for free(), with room for 64 more, which are 0. */
void *file_read(const char *path, size_t *size);

#endif
