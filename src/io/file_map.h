/* SPDX-License-Identifier: MIT */
/*
 * A mapped stretch of a plain file: its text is used in place rather than copied. All users of the
 * text own the map together; the last one releases it.
 *
 * Touching a page that the system cannot read ends the process with SIGBUS. So no page is touched
 * before rhomb__file_map_bring() has brought it in; that call reports pages that cannot be read.
 */
#ifndef RHOMB_SRC_FILE_MAP_H
#define RHOMB_SRC_FILE_MAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rhomb__file_map rhomb__file_map;

/*
 * Maps `bytes` bytes of a file from `place` on, even beyond its end: that costs addresses, not
 * memory. `fd` is used only during the call. NULL, with errno, if there is no memory or the file
 * system has no mappings: the file must be read then.
 */
rhomb__file_map *rhomb__file_map_create(int fd, int64_t place, int64_t bytes);

/* Adds an owner and returns `map`. On any thread. */
rhomb__file_map *rhomb__file_map_share(rhomb__file_map *map);

/* Releases the caller's ownership. On any thread; NULL is allowed. */
void rhomb__file_map_release(rhomb__file_map *map);

/*
 * Brings in the pages of [begin, end) of the file, which must be before its end. False, with errno,
 * if that fails: reading them instead tells the cause.
 */
bool rhomb__file_map_bring(const rhomb__file_map *map, int64_t begin, int64_t end);

/* The text of the file at `place`, after rhomb__file_map_bring(). */
const char *rhomb__file_map_text(const rhomb__file_map *map, int64_t place);

#endif
