/* SPDX-License-Identifier: MIT */
/*
 * Running the work-groups of an emulated kernel on the host: groups one after the other, the items
 * of a group in turns, from barrier to barrier. One thread, so every run is the same. Every other
 * turn goes through the items backwards: where a barrier is missing, some item then sees what
 * another one has already written, or does not see yet what it should have.
 */
#ifndef RHOMB_EMU_GROUP_H
#define RHOMB_EMU_GROUP_H

#include <stdbool.h>
#include <stddef.h>

/* What the functions get_local_id() … answer, while an item runs. */
struct emu_items {
    size_t groups;
    size_t group_id;
    size_t local_size;
    size_t local_id;
};
extern struct emu_items emu_items;

/* One item: calls the kernel with the arguments of the launch. */
typedef void (*emu_item_fn)(const void *arguments);

/*
 * Runs `groups` groups of `group_size` items. A kernel without barriers takes less time: with
 * `barriers` false items are plain calls. Ends the process with a message when the items of a group
 * do not all reach the same barriers.
 */
void emu_launch(size_t groups, size_t group_size, bool barriers, emu_item_fn item,
                const void *arguments);

/* barrier() */
void emu_barrier(void);

#endif
