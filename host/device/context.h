/* SPDX-License-Identifier: MIT */
/*
 * The context: error record, log, the device list and the open device. It holds everything that a
 * call needs besides its arguments; there are no globals.
 */
#ifndef RHOMB_HOST_CONTEXT_H
#define RHOMB_HOST_CONTEXT_H

#include "host/device/opencl.h"
#include "rhomb/rhomb.h"
#include "rhomb/scoring.h"
#include "src/base/error.h"
#include "src/planner/rates.h"

typedef struct rhomb__driver_context rhomb__driver_context; /* driver_context.h */
typedef struct rhomb__program rhomb__program;               /* the same */
typedef struct rhomb__remote rhomb__remote;                 /* remote.h */

/* A substitution matrix that a caller has read, with its name, and the one that was read before. */
typedef struct rhomb__kept_matrix {
    rhomb_score_matrix matrix;
    struct rhomb__kept_matrix *before;
    char name[];
} rhomb__kept_matrix;

/* All devices of all platforms, in the loader's order. */
typedef struct rhomb__device_list {
    bool loaded;
    size_t count;
    rhomb_device_info *infos;
    const rhomb_device_info **pointers; /* to them, for callers */
    cl_device_id *ids;
    cl_platform_id *platforms;
    char **strings; /* owns every text that `infos` and `trouble` point to */
    size_t string_count;
    const char *trouble; /* the first platform that failed to list its devices; NULL when none */
} rhomb__device_list;

/*
 * What drivers need beyond OpenCL's own rules: one table, a row for each driver and its releases.
 */
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
     * Without `static` and `inline` functions stand as in the text; compiling takes as long.
     */
    const char *build_options;
} rhomb__quirks;

/* Those of a device's driver, by the text of its platform. (device.c) */
rhomb__quirks rhomb__quirks_of(const rhomb_device_info *info);

typedef struct rhomb__device {
    rhomb_device_info info; /* strings are those of the context's list, or ... */
    char *texts;            /* ... these, where another context has opened the device first */
    cl_platform_id platform;
    cl_device_id id;
    rhomb__driver_context *driver; /* which other contexts may share; with the programs */
    cl_context context;            /* the driver's */
    cl_command_queue queue;        /* of the context's stream */
    rhomb__quirks quirks;
    rhomb__rates rates; /* of its tuning row, for estimates */
    int32_t building;   /* open calls of rhomb__build_begin(), which may be nested */
    double build_began; /* start of the outermost one */
    double build_seconds;
    int64_t
        groups_before; /* info.max_group_size before a kernel has lowered it; see group_limit.h */
} rhomb__device;

/*
 * Called before a program is compiled, which may take long. Any status but RHOMB_OK ends the call.
 */
typedef struct rhomb__build_watch {
    rhomb_status (*tell)(rhomb_context *ctx, void *user); /* NULL: nobody wants to know */
    void *user;
} rhomb__build_watch;

/*
 * What drives a device: a queue of its own, an error record, and the count of memory that its
 * buffers take. Drivers of engines and jobs of batches take a stream and nothing else, so that
 * several of them can work on one device, each on its own thread.
 */
typedef struct rhomb__device_stream {
    rhomb__error error;
    rhomb_log_fn log; /* may be NULL */
    void *log_user;
    int32_t threads;        /* of the host, at least 1 */
    rhomb__device *device;  /* NULL: none is open */
    cl_command_queue queue; /* in order: what orders the launches of a stream */
    int64_t bytes_in_use;   /* device memory that buffers take, see buffer.h */
    int64_t bytes_peak;
} rhomb__device_stream;

struct rhomb_context {
    rhomb__device_stream stream; /* of calls, on the caller's thread */
    char *cache_dir;             /* of the program cache; NULL when the cache is off */
    rhomb__device_list devices;
    rhomb__build_watch build_watch; /* of the running call */
    /*
     * The devices that are open besides the stream's, each in a context of its own, which has no
     * device list and no others. So all that takes a context works on each of them.
     */
    rhomb_context **others;
    int32_t other_count;
    rhomb__remote *remote;        /* of one of `others`: its device is another rank's; else NULL */
    rhomb_device_work work;       /* of the stream's device */
    rhomb__kept_matrix *matrices; /* the last one */
    bool *lacks_program;          /* if it is not NULL, rhomb__program_get() only answers there */
};

/* The context of device `index` of those that are open; 0 is ctx itself. */
rhomb_context *rhomb__context_of(rhomb_context *ctx, int32_t index);

/*
 * Passes a formatted message to the user's log function, if there is one. Messages are cut after
 * about 2,000 characters, and line ends become spaces.
 */
void rhomb__log(rhomb__device_stream *stream, int level, const char *format, ...)
    RHOMB__PRINTF(3, 4);

/* An array, and how many elements it has, for a function that takes both. */
#define RHOMB__LIST(array) array, sizeof(array) / sizeof((array)[0])

#endif
