/* SPDX-License-Identifier: MIT */
/*
 * The context: error record, log, the device list and the open device. It holds everything that a
 * call needs besides its arguments; there are no globals.
 */
#ifndef RHOMB_HOST_CONTEXT_H
#define RHOMB_HOST_CONTEXT_H

#include "host/device/opencl.h"
#include "host/device/quirks.h"
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
