/* SPDX-License-Identifier: MIT */
/*
 * PoCL's cache folder and linker, see surroundings.h. It is asked for again for each list of
 * devices: a file is made, which takes 20 us.
 */
#include "host/device/surroundings.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "host/device/context.h"

/*
 * What is free on a disk that is not full: the largest program takes 3 MB while it is built. With
 * less PoCL is likely to end the process in the middle.
 */
#define LEAST_FREE_BYTES (UINT64_C(8) << 20)

enum { PATH_BYTES = 4096 };

/* Where PoCL keeps its compiled code: the rule of its pocl_cache.c, unchanged since 0.14. */
static void pocl_cache_folder(char path[PATH_BYTES])
{
    const char *own = getenv("POCL_CACHE_DIR");
    const char *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (own != NULL)
        snprintf(path, PATH_BYTES, "%s", own);
    else if (xdg != NULL && xdg[0] != '\0')
        snprintf(path, PATH_BYTES, "%s/pocl/kcache", xdg);
    else if (home != NULL)
        snprintf(path, PATH_BYTES, "%s/.cache/pocl/kcache", home);
    else
        snprintf(path, PATH_BYTES, "/tmp/pocl/kcache");
}

/* Cuts a path off to what there is of it: "." of a relative one, if nothing is. */
static void cut_to_existing(char path[PATH_BYTES])
{
    while (access(path, F_OK) != 0) {
        char *slash = strrchr(path, '/');
        if (slash == NULL) {
            snprintf(path, PATH_BYTES, ".");
            return;
        }
        slash[slash == path ? 1 : 0] = '\0'; /* the root is its own parent */
    }
}

/* Makes a file in a folder, and removes it: root may write where nothing can be. An errno, or 0. */
static int try_file(const char *folder)
{
    char path[PATH_BYTES + 32];
    snprintf(path, sizeof path, "%s/.rhomb-XXXXXX", folder);
    const int fd = mkstemp(path);
    if (fd < 0)
        return errno;
    close(fd);
    unlink(path);
    return 0;
}

/* Whether the disk of a folder is full. File systems without a limit have no blocks. */
static bool is_full(const char *folder)
{
    struct statvfs disk;
    return statvfs(folder, &disk) == 0 &&
           ((disk.f_blocks > 0 && disk.f_bavail < LEAST_FREE_BYTES / disk.f_frsize) ||
            (disk.f_files > 0 && disk.f_favail == 0));
}

/* The same for PoCL's cache folder. */
static void lacks_cache(char text[RHOMB__SURROUNDINGS_SIZE])
{
    char folder[PATH_BYTES], existing[PATH_BYTES];
    pocl_cache_folder(folder);
    memcpy(existing, folder, sizeof existing);
    cut_to_existing(existing);
    const int code = try_file(existing);
    text[0] = '\0';
    if (folder[0] == '\0')
        snprintf(text, RHOMB__SURROUNDINGS_SIZE,
                 "POCL_CACHE_DIR is empty, with which PoCL ends the process: unset it, or set it "
                 "to a folder that can be written");
    else if (code != 0)
        snprintf(text, RHOMB__SURROUNDINGS_SIZE,
                 "PoCL's cache folder cannot be written: %s: %s (set POCL_CACHE_DIR to a folder "
                 "that can be)",
                 folder, strerror(code));
    else if (is_full(existing))
        snprintf(text, RHOMB__SURROUNDINGS_SIZE,
                 "the disk of PoCL's cache folder is full: %s (make room, or set POCL_CACHE_DIR to "
                 "a folder elsewhere)",
                 folder);
}

/* Whether a folder has `ld`. */
static bool has_ld(const char *folder)
{
    char file[PATH_BYTES + 4];
    snprintf(file, sizeof file, "%s/ld", folder);
    return access(file, X_OK) == 0;
}

/* Whether it has a linker of another name, such as x86_64-conda-linux-gnu-ld. */
static bool has_other_linker(const char *folder)
{
    DIR *dir = opendir(folder);
    bool found = false;
    for (const struct dirent *e; !found && dir != NULL && (e = readdir(dir)) != NULL;) {
        const char *end = strrchr(e->d_name, '-');
        found = strcmp(e->d_name, "ld.lld") == 0 || (end != NULL && strcmp(end, "-ld") == 0);
    }
    if (dir != NULL)
        closedir(dir);
    return found;
}

/* Whether that is so of any folder of PATH. */
static bool any_in_path(bool (*has)(const char *folder))
{
    const char *at = getenv("PATH");
    char folder[PATH_BYTES];
    bool found = false;
    while (at != NULL && !found) {
        const size_t length = strcspn(at, ":");
        snprintf(folder, sizeof folder, "%.*s", length > 0 ? (int)length : 1,
                 length > 0 ? at : ".");
        found = has(folder);
        at = at[length] == ':' ? at + length + 1 : NULL;
    }
    return found;
}

void rhomb__lacks_to_list(const rhomb_device_info *info, char text[RHOMB__SURROUNDINGS_SIZE])
{
    const char *own = getenv("POCL_CACHE_DIR");
    text[0] = '\0';
    if (rhomb__quirks_of(info).keeps_files && own != NULL && own[0] == '\0')
        lacks_cache(text);
}

void rhomb__lacks_to_build(const rhomb_device_info *info, char text[RHOMB__SURROUNDINGS_SIZE])
{
    const rhomb__quirks needs = rhomb__quirks_of(info);
    text[0] = '\0';
    if (needs.keeps_files)
        lacks_cache(text);
    if (text[0] == '\0' && needs.needs_linker && info->kind == RHOMB_DEVICE_CPU &&
        !any_in_path(has_ld) && !any_in_path(has_other_linker))
        snprintf(text, RHOMB__SURROUNDINGS_SIZE,
                 "PoCL needs the linker `ld` in PATH (package binutils)");
}
