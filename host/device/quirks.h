/* SPDX-License-Identifier: MIT */
/*
 * What drivers need beyond OpenCL's own rules: one table, a row for each driver and its releases.
 */
#ifndef RHOMB_HOST_QUIRKS_H
#define RHOMB_HOST_QUIRKS_H

#include "rhomb/rhomb.h"

typedef struct rhomb__quirks {
    /*
     * All kernels have to run in one queue. PoCL 4.0 and 5.0 look up the code of a finished kernel
     * by group size alone, not by the width of the launch for which the code was made. With several
     * launches of a kernel in flight they lose count and abort in pocl_release_dlhandle_cache().
     * Versions up to 3.1 count twice; 6.0 is correct.
     */
    bool one_queue;
    /*
     * Contexts that share a device have to share its queue as well. Before 6.0, where launches of a
     * kernel have many widths, as those of sweeps and wavefronts, and several queues run it at the
     * same time, PoCL 3.1 aborts in the same place (one run in seven of four pairs at a time). The
     * queues of a batch run kernels in few widths, which it survives. So it is with one_queue.
     */
    bool shares_queue;
    /*
     * Devices of one kind share a table of loaded kernels: before PoCL 6.0, two of "pthread" or of
     * "basic", and contexts that do not know of each other. When a launch ends PoCL looks up its
     * entry by program, kernel and group size. There may be several: one for each width that is
     * larger than those before, and one from fetching the program's binary, which no launch uses.
     * The newest one is found, and if it is not the launch's, PoCL loses count and aborts in
     * pocl_release_dlhandle_cache(). Therefore:
     *  - All launches have the same width. PoCL takes it from the first two dimensions, so groups
     *    are counted in the third one (queue.c, RHOMB_GROUPS_LAST in cl/abi.h).
     *  - A binary is fetched from a copy of the program that no device runs (program.c).
     * Without the first, two of "basic" aborted in 12 of 35 runs; without the second, two of
     * "pthread" with empty caches in 39 of 150. With the first, PoCL 3.1 needs no shared queue:
     * without it none of 48 runs of four pairs at a time aborted. 4.0 and 5.0, which need one
     * queue, were not tried.
     */
    bool shares_kernels;
    /* To fetch a binary takes as long as to compile it: not at a program's first use (program.c).
     */
    bool fetches_slowly;
    /* PoCL builds in files, for which it needs a folder (surroundings.h), ... */
    bool keeps_files;
    /* ... and up to 5.0 the linker of binutils, without which it ends the process. */
    bool needs_linker;
    /*
     * What the compiler is given besides what a program needs: options that begin with a space, or
     * "". Mesa's rusticl (25 and 26) crashes on a function that calls one with a barrier from a
     * branch or a loop, and stands after its caller in the module, as all static functions do.
     * Without `static` and `inline` functions stand as in the text; compiling takes as long. The
     * test rusticl_crash fails once this is no longer needed.
     */
    const char *build_options;
} rhomb__quirks;

/* The device's driver's, by the text of its platform. */
rhomb__quirks rhomb__quirks_of(const rhomb_device_info *info);

#endif
