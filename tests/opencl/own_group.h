/* SPDX-License-Identifier: MIT */
/*
 * Running the work-groups of a kernel on the host: groups one after the other, the items of a group
 * in turns, from barrier to barrier. One launch at a time, so every run is the same. Every other
 * turn goes through the items backwards: where a barrier is missing, some item then sees what
 * another one has already written, or does not see yet what it should have.
 */
#ifndef RHOMB_OPENCL_GROUP_H
#define RHOMB_OPENCL_GROUP_H

#include <stdbool.h>
#include <stddef.h>

/* What get_local_id() and the like answer while an item runs; groups have items in one dimension.
 */
typedef struct group_item {
    size_t groups[3];
    size_t group_id[3];
    size_t local_size[3];
    size_t local_id[3];
} group_item;

/* What an argument is: a value, or a pointer to memory of either kind. */
typedef enum group_argument { GROUP_VALUE, GROUP_GLOBAL, GROUP_LOCAL } group_argument;

/* A kernel of a program that compile.sh has made. `call` takes pointers to the arguments' values.
 */
typedef struct group_kernel {
    const char *name;
    void (*call)(void *const *arguments);
    size_t group; /* reqd_work_group_size; 0: any */
    int count;    /* of arguments */
    const size_t *sizes;
    const group_argument *kinds;
} group_kernel;

/* A variable in local memory that a kernel declares. */
typedef struct group_local {
    const char *kernel;
    size_t bytes;
} group_local;

/* The item that runs. */
extern const group_item *const group_now;

/*
 * Runs `groups` groups of `size` items. Without barriers items are plain calls, which takes less
 * time. Ends the process with a message when the items of a group do not all reach the same
 * barriers.
 */
void group_launch(const group_kernel *kernel, const size_t groups[3], size_t size, bool barriers,
                  void *const *arguments);

/* barrier() */
void group_barrier(void);

#endif
