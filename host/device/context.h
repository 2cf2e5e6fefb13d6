/* SPDX-License-Identifier: MIT */
/*
 * The context: error record, log, the list of devices and the one that is open. Everything that a
 * call needs besides its arguments hangs here; there are no globals.
 */
#ifndef RHOMB_HOST_CONTEXT_H
#define RHOMB_HOST_CONTEXT_H

#include "host/device/device.h"
#include "src/base/error.h"

/*
 * Called before a program is compiled, which may take long; what it returns but RHOMB_OK ends the
 * call.
 */
typedef struct rhomb__build_watch {
    rhomb_status (*tell)(rhomb_context *ctx, void *user); /* NULL: nobody wants to know */
    void *user;
} rhomb__build_watch;

struct rhomb_context {
    rhomb__error error;
    rhomb_log_fn log; /* may be NULL */
    void *log_user;
    char *cache_dir; /* of the program cache; NULL when it is off */
    int32_t threads; /* of the host, at least 1 */
    rhomb__device_list devices;
    rhomb__device *device;          /* the open one, or NULL */
    rhomb__build_watch build_watch; /* of the call under way */
};

/*
 * Passes a formatted message to the user's log function, if there is one: cut off beyond about
 * 2,000 letters, line ends turned into blanks.
 */
void rhomb__log(rhomb_context *ctx, int level, const char *format, ...) RHOMB__PRINTF(3, 4);

/* Opens "auto" unless a device is open. */
rhomb_status rhomb__context_need_device(rhomb_context *ctx);

#endif
