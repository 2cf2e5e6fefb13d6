/* SPDX-License-Identifier: MIT */
/*
 * The program cache: compiled programs kept on disk, so that later runs need not compile them. In
 * place of a binary it also keeps notes that a program was compiled once (program.c), or a user
 * told something once.
 *
 * Key. A text made by program.c from everything that the binary depends on: the library's version,
 * the kernel text's digest, the build options, and the names and versions of device, driver and
 * platform. The file's name is the key's MD5; the file also holds the key, which is compared in
 * full, so equal digests cannot mix up two programs.
 *
 * File. Numbers are little endian:
 *     8 bytes   "RHOMBPRG"
 *     4 bytes   format version, RHOMB__CACHE_FORMAT
 *     4 bytes   bytes of the key
 *     8 bytes   bytes of the binary
 *     32 bytes  MD5 of the binary in hexadecimal
 *     the key, the binary, and nothing after it
 * A file that differs from this, or has another key, counts as absent: the caller compiles and
 * overwrites it. So does anything but a regular file of this user or root. A driver runs what it
 * finds there, and the digests guard only against accidents (a full disk, a torn write). The folder
 * is created for the user alone (0700), but it may be an existing one such as /tmp. Users who share
 * a folder share only root's files.
 *
 * Concurrency. A file is written under a temporary name in the same folder and then renamed, so
 * readers see an old file, a new one, or none. Of two writers the later one wins, with an identical
 * file, or a note where both looked before either wrote.
 *
 * Size. A hit renews the file's time; a store that makes the folder hold more than
 * RHOMB__CACHE_FILES_MAX files removes the oldest. Only files with the cache's own names are
 * touched.
 *
 * Errors. None: a failure to read or write costs time and gives a log message of level 1.
 *
 * Effect for the wavefront family, in ms per program:
 *                    from source                        from this cache
 *                    driver's cache cold   warm         driver's cache cold   warm
 *     PoCL 3.1, CPU  1000 to 1700          28 to 110    4 to 21               2
 *     PoCL 5.0, CPU  510 to 600            31 to 42     2                     2
 *     NVIDIA 580     220 to 240            4            75                    4
 * It helps most on PoCL, whose own cache is keyed by the preprocessed text, and on machines where
 * the driver's cache does not outlive the job. On PoCL a program is stored at its second use
 * (program.c): when the binary is fetched, PoCL also compiles each kernel for a general group size,
 * 350 to 830 ms more. NVIDIA's PTX comes at once. The binary is fetched before the first launch.
 * The code that PoCL makes at that launch (180 ms) is not in it and comes from PoCL's own cache.
 */
#ifndef RHOMB_HOST_CACHE_H
#define RHOMB_HOST_CACHE_H

#include "src/base/error.h"

#define RHOMB__CACHE_FORMAT 1

/*
 * Far more programs than the devices of one machine use. A sweep over tuning values stays bounded.
 */
#define RHOMB__CACHE_FILES_MAX 256

/*
 * The cache folder for a context with the option `wanted` (may be NULL), by the rule at
 * rhomb_context_options.cache_dir. The environment is read at the time of the call. *folder is NULL
 * when the cache is off or no rule gives a folder; the caller frees it. Returns RHOMB_OK or
 * RHOMB_ERR_MEMORY.
 */
rhomb_status rhomb__cache_folder(const char *wanted, char **folder);

/*
 * Reads the binary of `key`. Returns true with *binary, which the caller frees, and its size; false
 * when there is none or it is in doubt.
 */
bool rhomb__cache_load(rhomb_context *ctx, const char *key, unsigned char **binary, size_t *size);

/*
 * Stores the binary of `key`, replacing what is there. Returns whether it did. Makes the folder
 * when needed.
 */
bool rhomb__cache_store(rhomb_context *ctx, const char *key, const unsigned char *binary,
                        size_t size);

/*
 * The path of the file for `key`, whether it exists or not; the caller frees it. NULL without a
 * cache or memory.
 */
char *rhomb__cache_path(const rhomb_context *ctx, const char *key);

#endif
