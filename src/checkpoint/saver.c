/* SPDX-License-Identifier: MIT */
/* Writing a checkpoint, see saver.h. */
#define _GNU_SOURCE /* F_OFD_SETLK, which POSIX.1-2008 lacks */

#include "src/checkpoint/saver.h"

#include "src/base/error.h"
#include "src/checkpoint/checkpoint_format.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct rhomb__saver {
    const char *path;
    char *new_path; /* NULL: the file itself is written, or has replaced the one before */
    FILE *file;
    int64_t bytes, left; /* of the section's content; left to come */
    uint64_t chain;
    int code; /* errno of what failed; 0: nothing */
    char why[160];
};

static void fail(rhomb__saver *s, const char *what)
{
    if (s->code != 0)
        return;
    s->code = errno != 0 ? errno : EIO;
    snprintf(s->why, sizeof s->why, "%s: %s", what, strerror(s->code));
}

static void write_bytes(rhomb__saver *s, const void *data, size_t bytes)
{
    if (s->code == 0 && bytes > 0 && fwrite(data, 1, bytes, s->file) != bytes)
        fail(s, "cannot be written");
}

/* Of a section. */
static void write_summed(rhomb__saver *s, const void *data, size_t bytes)
{
    write_bytes(s, data, bytes);
    if (s->code == 0)
        s->chain = rhomb__checkpoint_chain(s->chain, data, bytes);
}

/*
 * A lock of an open file, which another run does not get in this process either. Where a system has
 * only those of a process, two contexts of one process are not told apart.
 */
#ifndef F_OFD_SETLK
#    define F_OFD_SETLK F_SETLK
#endif

/* Another run that writes the file has it locked; a file system without locks has to do. */
static bool lock(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int got = fcntl(fd, F_OFD_SETLK, &whole);
    if (got != 0 && errno == EINVAL) /* a kernel without those */
        got = fcntl(fd, F_SETLK, &whole);
    if (got == 0 || errno == ENOLCK || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP)
        return true;
    if (errno == EACCES)
        errno = EAGAIN;
    return false;
}

/* Whether the name is still that of the open file: the run that had it may have renamed it. */
static bool is_named(int fd, const char *path)
{
    struct stat opened, named;
    if (fstat(fd, &opened) != 0)
        return false;
    errno = S_ISREG(opened.st_mode) ? EAGAIN : ENOTSUP;
    return S_ISREG(opened.st_mode) && lstat(path, &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

/* Closes a file, and keeps errno. */
static int give_up(int fd)
{
    const int code = errno;
    close(fd);
    errno = code;
    return -1;
}

/*
 * Opens a file for reading and writing, or with O_CREAT makes it, and locks it: neither through a
 * link, nor waiting for the reader of a pipe. -1, with errno: EAGAIN if another run has it.
 */
static int open_alone(const char *path, int creates)
{
    const int fd = open(path, O_RDWR | creates | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    return fd < 0 || (lock(fd) && is_named(fd, path)) ? fd : give_up(fd);
}

int rhomb__saver_keep(const char *path)
{
    return open_alone(path, 0);
}

/* By errno. */
static rhomb_status fail_opening(rhomb__error *error, const char *path)
{
    if (errno == ENOMEM)
        return rhomb__fail_memory(error, BUFSIZ, "a checkpoint");
    return rhomb__fail(error, RHOMB_ERR_OUTPUT, "the resume file %s cannot be opened: %s", path,
                       errno == EAGAIN    ? "another run writes it"
                       : errno == ENOTSUP ? "it is not a file"
                                          : strerror(errno));
}

/* After the last byte of a section. */
static void end_section(rhomb__saver *s)
{
    static const char zeros[8] = "";
    write_summed(s, zeros, (size_t)(-s->bytes & 7));
    write_bytes(s, &s->chain, sizeof s->chain);
}

void rhomb__saver_begin(rhomb__saver *s, const char *name, int64_t bytes)
{
    rhomb__checkpoint_frame frame = {.bytes = (uint64_t)bytes};
    if (s->code != 0)
        return;
    assert(s->left == 0 && strlen(name) <= sizeof frame.name);
    memcpy(frame.name, name, strlen(name));
    s->bytes = s->left = bytes;
    write_summed(s, &frame, sizeof frame);
    if (bytes == 0)
        end_section(s);
}

void rhomb__saver_add(rhomb__saver *s, const void *data, size_t bytes)
{
    if (s->code != 0 || bytes == 0)
        return;
    assert((uint64_t)bytes <= (uint64_t)s->left);
    write_summed(s, data, bytes);
    s->left -= (int64_t)bytes;
    if (s->left == 0)
        end_section(s);
}

void rhomb__saver_section(rhomb__saver *s, const char *name, const void *data, size_t bytes)
{
    rhomb__saver_begin(s, name, (int64_t)bytes);
    rhomb__saver_add(s, data, bytes);
}

/* Opens the file of a saver, and what it has: NULL unless there is a mark. */
static rhomb_status open_file(rhomb__error *error, rhomb__saver *s, const char *identity,
                              const char *mark, rhomb__saved **saved)
{
    const char *name = s->new_path != NULL ? s->new_path : s->path;
    rhomb_status status = RHOMB_OK;
    const int fd = open_alone(name, O_CREAT);
    *saved = NULL;
    if (fd < 0)
        return fail_opening(error, name);
    if (mark != NULL)
        status = rhomb__saved_read(error, fd, name, identity, mark, saved);
    if (status == RHOMB_OK) {
        const int64_t end = *saved != NULL ? rhomb__saved_end(*saved, &s->chain) : 0;
        if (ftruncate(fd, end) == 0 && lseek(fd, end, SEEK_SET) == end)
            s->file = fdopen(fd, "wb");
        if (s->file == NULL)
            status = fail_opening(error, name);
    }
    if (status != RHOMB_OK)
        close(fd);
    return status;
}

/* With a mark the file grows. */
static rhomb_status open_saver(rhomb__error *error, const char *path, const char *identity,
                               const char *mark, rhomb__saved **saved, rhomb__saver **out)
{
    const uint64_t format = RHOMB__CHECKPOINT_FORMAT;
    rhomb_status status = RHOMB_OK;
    rhomb__saver *s = calloc(1, sizeof *s);
    *out = NULL;
    *saved = NULL;
    if (s != NULL && mark == NULL)
        s->new_path = rhomb__format("%s.new", path);
    if (s == NULL || (mark == NULL && s->new_path == NULL))
        RHOMB_TRY(rhomb__fail_memory(error, sizeof *s + strlen(path), "a checkpoint"));
    s->path = path;
    RHOMB_TRY(open_file(error, s, identity, mark, saved));
    if (*saved == NULL) {
        rhomb__saver_begin(s, RHOMB__CHECKPOINT_HEAD, (int64_t)(sizeof format + strlen(identity)));
        rhomb__saver_add(s, &format, sizeof format);
        rhomb__saver_add(s, identity, strlen(identity));
    }
    *out = s;
    s = NULL;
out:
    rhomb__saver_close(s);
    return status;
}

rhomb_status rhomb__saver_open(rhomb__error *error, const char *path, const char *identity,
                               rhomb__saver **out)
{
    rhomb__saved *none = NULL;
    return open_saver(error, path, identity, NULL, &none, out);
}

rhomb_status rhomb__saver_grow(rhomb__error *error, const char *path, const char *identity,
                               const char *mark, rhomb__saved **saved, rhomb__saver **out)
{
    return open_saver(error, path, identity, mark, saved, out);
}

rhomb_status rhomb__saver_hold(rhomb__error *error, const char *path, const char *identity,
                               rhomb__saved **saved, rhomb__saver **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__saver *s = calloc(1, sizeof *s);
    const int fd = s != NULL ? open_alone(path, O_CREAT) : -1;
    *saved = NULL;
    *out = NULL;
    if (fd < 0)
        RHOMB_TRY(fail_opening(error, path));
    s->path = path;
    s->file = fdopen(fd, "rb");
    if (s->file == NULL) {
        status = fail_opening(error, path);
        close(fd);
        goto out;
    }
    RHOMB_TRY(rhomb__saved_read(error, fd, path, identity, NULL, saved));
    *out = s;
    s = NULL;
out:
    rhomb__saver_close(s);
    return status;
}

bool rhomb__saver_failed(const rhomb__saver *s)
{
    return s->code != 0;
}

/* The new name is on the disk as well; file systems that cannot do that for a folder have to do. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL   ? rhomb__format(".")
                   : slash == path ? rhomb__format("/")
                                   : rhomb__format("%.*s", (int)(slash - path), path);
    const int fd = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    free(folder);
}

bool rhomb__saver_settle(rhomb__saver *s, const char **why)
{
    *why = s->why;
    if (s->code == 0 && fflush(s->file) != 0)
        fail(s, "cannot be written");
    return s->code == 0;
}

bool rhomb__saver_commit(rhomb__saver *s, const char **why)
{
    rhomb__saver_begin(s, RHOMB__CHECKPOINT_END, 0);
    if (rhomb__saver_settle(s, why) && fsync(fileno(s->file)) != 0)
        fail(s, "cannot be written");
    if (s->code == 0 && rename(s->new_path, s->path) != 0)
        fail(s, "cannot replace the one before");
    if (s->code != 0)
        return false;
    sync_folder(s->path);
    free(s->new_path);
    s->new_path = NULL;
    return true;
}

void rhomb__saver_drop(rhomb__saver *s)
{
    const char *name = s->new_path != NULL ? s->new_path : s->path;
    if (is_named(fileno(s->file), name))
        (void)unlink(name);
}

void rhomb__saver_close(rhomb__saver *s)
{
    if (s == NULL)
        return;
    if (s->file != NULL && s->new_path != NULL)
        rhomb__saver_drop(s);
    if (s->file != NULL)
        (void)fclose(s->file);
    free(s->new_path);
    free(s);
}
