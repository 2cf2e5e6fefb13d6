/* SPDX-License-Identifier: MIT */
/*
 * The program cache: compiled programs kept on disk, so that a run need not compile them again. And
 * the rates of a device (calibrate.c), a text of a few lines in the place of a binary.
 *
 * Key. A text of lines, made by program.c: everything that the binary depends on, which is the
 * library's version, the kernel text's digest, the build options, and names and versions of device,
 * driver and platform. The file's name is the key's MD5; the key itself stands in the file and is
 * compared in full, so that equal digests cannot mix two programs up.
 *
 * File, numbers little endian:
 *     8 bytes   "RHOMBPRG"
 *     4 bytes   format version, RHOMB__CACHE_FORMAT
 *     4 bytes   bytes of the key
 *     8 bytes   bytes of the binary
 *     32 bytes  MD5 of the binary in hexadecimal
 *     the key, the binary, and nothing after it
 * Whatever is not exactly so, or is of another key, counts as absent: the caller compiles, and
 * stores over it. So does whatever is not a regular file, or belongs to a user other than this one
 * and root. A driver runs what it finds there, and the digests guard against accidents alone (a
 * full disk, a torn write). The folder is made for the user alone (0700), but it may be one that
 * was there before, such as /tmp. Users who share a folder share no files but root's.
 *
 * Concurrency. A file is written under a temporary name in the same folder and renamed, so that
 * readers see an old file, a new one, or none. Of two writers the later wins, with an equal file.
 *
 * Size. A hit renews the file's time; a store that makes the folder hold more than
 * RHOMB__CACHE_FILES_MAX files removes the oldest. Only names of the cache's own form are touched.
 *
 * Errors. None: a failure to read or write is a log message of level 1, and costs time.
 *
 * What it brings, for the wavefront family, in ms a program:
 *                    from source                        from this cache
 *                    driver's cache cold   warm         driver's cache cold   warm
 *     PoCL 3.1, CPU  1000 to 1700          28 to 110    4 to 21               2
 *     PoCL 5.0, CPU  510 to 600            31 to 42     2                     2
 *     NVIDIA 580     220 to 240            4            75                    4
 * So it is worth most on PoCL, whose cache is keyed by the preprocessed text, and on machines where
 * the driver's cache does not outlive the job. PoCL's price is paid once: fetching a binary makes
 * it compile each kernel for a general group size too, 350 to 830 ms more; NVIDIA's PTX comes at
 * once. The binary is fetched before the first launch; the code that PoCL makes at that launch (180
 * ms) is not in it, and comes from PoCL's own cache.
 */
#ifndef RHOMB_HOST_CACHE_H
#define RHOMB_HOST_CACHE_H

#include "src/base/error.h"

#define RHOMB__CACHE_FORMAT 1

/* Far more programs than one machine's devices use; a sweep over tuning values stays bounded. */
#define RHOMB__CACHE_FILES_MAX 256

/*
 * The folder of the cache for a context with the option `wanted` (may be NULL), by the rule at
 * rhomb_context_options.cache_dir; the environment counts at this moment. *folder is NULL when the
 * cache is off or no rule gives a folder; the caller frees it. RHOMB_OK or RHOMB_ERR_MEMORY.
 */
rhomb_status rhomb__cache_folder(const char *wanted, char **folder);

/*
 * Reads the binary of `key`. True with *binary, which the caller frees, and its size; false when
 * there is none or any doubt about it.
 */
bool rhomb__cache_load(rhomb_context *ctx, const char *key, unsigned char **binary, size_t *size);

/*
 * Stores the binary of `key`, in place of what is there, and returns whether it did. Makes the
 * folder when needed.
 */
bool rhomb__cache_store(rhomb_context *ctx, const char *key, const unsigned char *binary,
                        size_t size);

/* The file of `key`, whether it is there or not; the caller frees it. NULL: no cache, no memory. */
char *rhomb__cache_path(const rhomb_context *ctx, const char *key);

#endif
