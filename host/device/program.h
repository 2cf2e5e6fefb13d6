/* SPDX-License-Identifier: MIT */
/*
 * Programs: an embedded kernel family, built for the open device with a set of options. They stay
 * in memory as long as any context that shares the device's (driver_context.h) and on disk across
 * runs (cache.h).
 */
#ifndef RHOMB_HOST_PROGRAM_H
#define RHOMB_HOST_PROGRAM_H

#include "host/device/driver_context.h"

/* A kernel family as embedded at build time: its text with all includes resolved. */
struct rhomb__kernel_source {
    const char *file; /* "wavefront.cl": searched in RHOMB_KERNEL_DIR, when that is set */
    const char *text;
    const char *sha256; /* of the text, in hexadecimal */
};

/* One per family; the texts are generated from cl/. */
extern const rhomb__kernel_source rhomb__source_pack;
extern const rhomb__kernel_source rhomb__source_wavefront;
extern const rhomb__kernel_source rhomb__source_wavefront_diamond;
extern const rhomb__kernel_source rhomb__source_bitparallel;
extern const rhomb__kernel_source rhomb__source_bitparallel_lanes;
extern const rhomb__kernel_source rhomb__source_bitsliced;
extern const rhomb__kernel_source rhomb__source_bitsliced_lanes;
extern const rhomb__kernel_source rhomb__source_borders;
extern const rhomb__kernel_source rhomb__source_batch;
extern const rhomb__kernel_source rhomb__source_batch_affine;
extern const rhomb__kernel_source rhomb__source_batch_sliced;
extern const rhomb__kernel_source rhomb__source_batch_extend;
extern const rhomb__kernel_source rhomb__source_batch_local;
extern const rhomb__kernel_source rhomb__source_long_local;
extern const rhomb__kernel_source rhomb__source_affine_path;
extern const rhomb__kernel_source rhomb__source_split;
extern const rhomb__kernel_source rhomb__source_split_wide;
extern const rhomb__kernel_source rhomb__source_affine_wavefront;

/*
 * A -D of cl/params.def. Turns a row of a list there into a parameter, from the variable of the
 * same name.
 */
typedef struct rhomb__parameter {
    const char *name;
    int32_t value;
} rhomb__parameter;

#define RHOMB__PARAMETER(name, meaning) {"RHOMB_" #name, name},

/* rhomb__program_get() with one -D for each parameter. */
rhomb_status rhomb__program_with(rhomb_context *ctx, const rhomb__kernel_source *source,
                                 const rhomb__parameter *parameters, size_t count,
                                 rhomb__program **out);

/*
 * The program of `source` with the given build options (the -D rows of cl/params.def) on the open
 * device: from memory, else from the disk cache, else compiled (and stored there, PoCL's at their
 * second use). *out belongs to the driver's context. Where another context is building it, waits.
 * RHOMB_ERR_BUILD carries the compiler's log; it is also the status where a kernel allows no groups
 * as large as those that it requires (group_limit.h).
 *
 * Where the context has `lacks_program`, that becomes true unless the program is in memory or in
 * the cache, nothing is built, and *out is NULL.
 *
 * For developers: if the environment sets RHOMB_KERNEL_DIR, each build reads the family and its
 * includes from that folder (a path without spaces). The disk cache is not used then, as it knows
 * only the embedded text.
 */
rhomb_status rhomb__program_get(rhomb_context *ctx, const rhomb__kernel_source *source,
                                const char *options, rhomb__program **out);

/*
 * To be called around everything that gets a program ready: loading or compiling it, and the
 * known-answer test, whose first launch makes some drivers compile. Calls may be nested.
 */
void rhomb__build_begin(rhomb_context *ctx);
void rhomb__build_end(rhomb_context *ctx);

/*
 * Seconds since some fixed moment, on a clock that stops while programs are got ready. Measures
 * times and rates of what the programs compute.
 */
double rhomb__work_clock(const rhomb_context *ctx);

/*
 * Begins the known-answer test of one or more programs, of which any may be NULL, and their time to
 * build. False, with nothing begun, if each of them has passed it, or if this call is a part of
 * that test. Where another context that shares them is testing, waits. Otherwise the caller tests
 * them, and then calls rhomb__test_end() with how that went: they are tested again unless the
 * status is RHOMB_OK.
 */
bool rhomb__test_begin(rhomb_context *ctx, rhomb__test test, rhomb__program *const *programs,
                       size_t count);
void rhomb__test_end(rhomb_context *ctx, rhomb__test test, rhomb__program *const *programs,
                     size_t count, rhomb_status status);

/* Makes a kernel; releases one, unless it is NULL, which it is then. */
rhomb_status rhomb__kernel_make(rhomb__device_stream *stream, const rhomb__program *program,
                                const char *name, cl_kernel *out);
void rhomb__kernel_release(cl_kernel *kernel);

#endif
