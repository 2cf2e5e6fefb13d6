/* SPDX-License-Identifier: MIT */
/*
 * The program cache; cache.h describes the file and says why it can be trusted.
 */
#include "host/device/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/device/context.h"
#include "src/base/digest.h"
#include "src/base/error.h"

#define MAGIC       "RHOMBPRG"
#define NAME_DIGITS (RHOMB__MD5_HEX_SIZE - 1)
#define HEADER_SIZE (8 + 4 + 4 + 8 + NAME_DIGITS)

rhomb_status rhomb__cache_folder(const char *wanted, char **folder)
{
    const char *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (wanted == NULL)
        wanted = getenv("RHOMB_CACHE_DIR");
    *folder = NULL;
    if (wanted != NULL) {
        if (wanted[0] == '\0' || strcasecmp(wanted, "off") == 0)
            return RHOMB_OK;
        *folder = rhomb__format("%s", wanted);
    } else if (xdg != NULL && xdg[0] == '/') { /* XDG: a relative path must be ignored */
        *folder = rhomb__format("%s/rhomb", xdg);
    } else if (home != NULL && home[0] != '\0') {
        *folder = rhomb__format("%s/.cache/rhomb", home);
    } else {
        return RHOMB_OK;
    }
    return *folder != NULL ? RHOMB_OK : RHOMB_ERR_MEMORY;
}

char *rhomb__cache_path(const rhomb_context *ctx, const char *key)
{
    char name[RHOMB__MD5_HEX_SIZE];
    if (ctx->cache_dir == NULL || !rhomb__md5_hex(key, strlen(key), name))
        return NULL;
    return rhomb__format("%s/%s", ctx->cache_dir, name);
}

static void put_number(unsigned char *at, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

static bool make_header(unsigned char header[HEADER_SIZE], const char *key,
                        const unsigned char *binary, size_t size)
{
    char digest[RHOMB__MD5_HEX_SIZE];
    if (!rhomb__md5_hex(binary, size, digest))
        return false;
    memcpy(header, MAGIC, 8);
    put_number(header + 8, RHOMB__CACHE_FORMAT, 4);
    put_number(header + 12, strlen(key), 4);
    put_number(header + 16, size, 8);
    memcpy(header + 24, digest, NAME_DIGITS);
    return true;
}

/*
 * Reads a whole file whose size fits the key. A file is valid when it equals what would be stored
 * for this key and its binary. So the header is built again and compared, not parsed.
 */
static bool read_entry(FILE *file, const char *key, unsigned char **binary, size_t *size,
                       const char **why)
{
    const size_t key_size = strlen(key);
    const size_t front = HEADER_SIZE + key_size;
    unsigned char header[HEADER_SIZE];
    struct stat info;
    unsigned char *content = NULL;
    bool good = false;

    *why = "it is not a regular file";
    if (fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode))
        goto out;
    *why = "it belongs to another user";
    if (info.st_uid != geteuid() && info.st_uid != 0)
        goto out;
    *why = "it is damaged";
    if (info.st_size <= (off_t)front || (uintmax_t)info.st_size > SIZE_MAX)
        goto out;
    const size_t total = (size_t)info.st_size;
    *why = "it cannot be read";
    content = malloc(total);
    if (content == NULL || fread(content, 1, total, file) != total)
        goto out;
    *why = "it is damaged, or of another program";
    if (!make_header(header, key, content + front, total - front) ||
        memcmp(content, header, HEADER_SIZE) != 0 ||
        memcmp(content + HEADER_SIZE, key, key_size) != 0)
        goto out;
    good = true;
    *size = total - front;
    memmove(content, content + front, *size);
    *binary = content;
    content = NULL;
out:
    free(content);
    return good;
}

/* Opens a file for reading. Opening a pipe does not block; it is refused once it is open. */
static FILE *open_entry(const char *path)
{
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (fd >= 0 && file == NULL)
        close(fd);
    return file;
}

bool rhomb__cache_load(rhomb_context *ctx, const char *key, unsigned char **binary, size_t *size)
{
    bool good = false;
    char *path = NULL;
    FILE *file = NULL;
    const char *why = "";
    *binary = NULL;
    *size = 0;
    if (ctx->cache_dir == NULL)
        return false;
    path = rhomb__cache_path(ctx, key);
    if (path == NULL)
        goto out;
    file = open_entry(path);
    if (file == NULL) {
        if (errno != ENOENT)
            rhomb__log(&ctx->stream, 1, "cache: cannot open %s: %s", path, strerror(errno));
        goto out;
    }
    good = read_entry(file, key, binary, size, &why);
    if (!good)
        rhomb__log(&ctx->stream, 1, "cache: %s is not used: %s", path, why);
    else
        (void)futimens(fileno(file), NULL); /* only decides which file is removed first */
out:
    if (file != NULL)
        fclose(file);
    free(path);
    return good;
}

/* Makes a folder and its missing parents. */
static bool make_folder(const char *folder)
{
    char *path = rhomb__format("%s", folder);
    if (path == NULL)
        return false;
    for (char *at = strchr(path + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
        *at = '\0';
        (void)mkdir(path, 0700); /* the last call decides */
        *at = '/';
    }
    const bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
    free(path);
    return made;
}

/* Whether a file name is one of the cache's own: 32 digits, possibly with a temporary ending. */
static bool is_own_name(const char *name)
{
    return strspn(name, "0123456789abcdef") == NAME_DIGITS &&
           (name[NAME_DIGITS] == '\0' || name[NAME_DIGITS] == '.');
}

/*
 * Removes the oldest file when there are too many. A store adds one file, so removing one is
 * enough.
 */
static void evict(const char *folder)
{
    struct dirent *entry;
    struct stat info;
    struct timespec oldest_time = {0};
    char oldest[64] = "";
    size_t count = 0;
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return;
    while ((entry = readdir(dir)) != NULL) {
        if (!is_own_name(entry->d_name) || strlen(entry->d_name) >= sizeof oldest ||
            fstatat(dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (count++ == 0 || info.st_mtim.tv_sec < oldest_time.tv_sec ||
            (info.st_mtim.tv_sec == oldest_time.tv_sec &&
             info.st_mtim.tv_nsec < oldest_time.tv_nsec)) {
            oldest_time = info.st_mtim;
            memcpy(oldest, entry->d_name, strlen(entry->d_name) + 1);
        }
    }
    if (count > RHOMB__CACHE_FILES_MAX)
        (void)unlinkat(dirfd(dir), oldest, 0);
    closedir(dir);
}

/* Writes header, key and binary to an open file, and closes it. */
static bool write_entry(int fd, const char *key, const unsigned char *binary, size_t size)
{
    unsigned char header[HEADER_SIZE];
    FILE *file = fdopen(fd, "wb");
    if (file == NULL) {
        close(fd);
        return false;
    }
    const bool written = make_header(header, key, binary, size) &&
                         fwrite(header, 1, sizeof header, file) == sizeof header &&
                         fwrite(key, 1, strlen(key), file) == strlen(key) &&
                         fwrite(binary, 1, size, file) == size;
    return (fclose(file) == 0) && written;
}

bool rhomb__cache_store(rhomb_context *ctx, const char *key, const unsigned char *binary,
                        size_t size)
{
    char *path = NULL;
    char *temporary = NULL;
    int fd = -1;
    bool stored = false;
    if (ctx->cache_dir == NULL || size == 0)
        return false;
    errno = ENOMEM;
    path = rhomb__cache_path(ctx, key);
    temporary = path != NULL ? rhomb__format("%s.XXXXXX", path) : NULL;
    if (temporary == NULL || !make_folder(ctx->cache_dir))
        goto out;
    fd = mkstemp(temporary);
    if (fd < 0)
        goto out;
    stored = write_entry(fd, key, binary, size) && rename(temporary, path) == 0;
    if (!stored) {
        const int reason = errno;
        (void)unlink(temporary);
        errno = reason;
    }
out:
    if (stored)
        evict(ctx->cache_dir);
    else
        rhomb__log(&ctx->stream, 1, "cache: cannot store in %s: %s", ctx->cache_dir,
                   strerror(errno));
    free(temporary);
    free(path);
    return stored;
}
