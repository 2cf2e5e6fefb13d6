/* SPDX-License-Identifier: MIT */
/*
 * A stretch of a plain file, seen where the system keeps it instead of being copied. Whoever uses
 * text of it owns it together with the others; the last of them gives it back.
 *
 * A page that cannot be had ends a process with SIGBUS when it is touched. So no page is touched
 * before rhomb__file_map_bring() has had the system bring it in, which says what is not there.
 */
#ifndef RHOMB_SRC_FILE_MAP_H
#define RHOMB_SRC_FILE_MAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rhomb__file_map rhomb__file_map;

/*
 * Maps `bytes` bytes of a file from `place` on, more than it may have: that costs addresses and no
 * memory. `fd` is used for the call. NULL, with errno, where there is no memory or the file's
 * system has no mappings: the file has to be read then.
 */
rhomb__file_map *rhomb__file_map_create(int fd, int64_t place, int64_t bytes);

/* Makes the caller one more owner, and returns `map`. From any thread. */
rhomb__file_map *rhomb__file_map_share(rhomb__file_map *map);

/* Ends the caller's part in it. From any thread; NULL is allowed. */
void rhomb__file_map_release(rhomb__file_map *map);

/*
 * Brings in the pages of [begin, end) of the file, which must be before its end. False, with errno,
 * where they cannot be had in this way: reading them says what is wrong.
 */
bool rhomb__file_map_bring(const rhomb__file_map *map, int64_t begin, int64_t end);

/* Where the text is that the file has at `place`, once that was brought in. */
const char *rhomb__file_map_text(const rhomb__file_map *map, int64_t place);

#endif
