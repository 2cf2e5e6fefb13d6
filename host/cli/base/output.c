/* SPDX-License-Identifier: MIT */
/*
 * Output that is either complete or absent: files get a temporary name and a rename, and every
 * failed write is noticed, also one that shows only when the stream is closed (a full disk, a
 * network folder).
 */
#include "host/cli/base/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MOST = 40 /* one after the other, as Linux follows them */ };

static bool fail(const char *what, const char *path, int code)
{
    /* A reader that has gone, such as `head`, needs no message. */
    if (code != EPIPE)
        cli_error("cannot %s %s: %s", what, path != NULL ? path : "standard output",
                  strerror(code));
    return false;
}

bool cli_is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool cli_hold_descriptors(void)
{
    static const struct {
        const char *path;
        int mode;
    } HOLDERS[] = {{"/dev/null", O_WRONLY}, {"/", O_RDONLY}, {"/dev/null", O_WRONLY}};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        /* open() returns the lowest free number. */
        if (fcntl(fd, F_GETFD) < 0 && open(HOLDERS[fd].path, HOLDERS[fd].mode) != fd)
            return false;
    }
    return true;
}

const char *cli_base_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash != NULL ? slash + 1 : name;
}

char *cli_with_ending(const char *name, const char *ending)
{
    char *joined = malloc(strlen(name) + strlen(ending) + 1);
    return joined != NULL ? strcat(strcpy(joined, name), ending) : NULL;
}

char *cli_output_place(const char *name)
{
    char *path = strdup(name);
    for (int links = 0; path != NULL; links++) {
        char target[PATH_MAX];
        const ssize_t length = readlink(path, target, sizeof target);
        if (length < 0)
            return path;
        const size_t folder = target[0] == '/' ? 0 : (size_t)(cli_base_name(path) - path);
        const bool is_good = links < LINKS_MOST && (size_t)length < sizeof target;
        char *next = is_good ? malloc(folder + (size_t)length + 1) : NULL;
        if (next != NULL) {
            memcpy(next, path, folder);
            memcpy(next + folder, target, (size_t)length);
            next[folder + (size_t)length] = '\0';
        }
        free(path);
        path = next;
        errno = is_good ? ENOMEM : ELOOP;
    }
    return NULL;
}

bool cli_is_standard_output(const char *name)
{
    struct stat here, standard;
    if (name == NULL || strcmp(name, "-") == 0)
        return true;
    return stat(name, &here) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
           !S_ISCHR(here.st_mode) && cli_is_same_file(&here, &standard);
}

void cli_drop_finished(const char *file)
{
    if (file != NULL && remove(file) != 0 && errno != ENOENT)
        cli_say("cannot remove the finished %s: %s", file, strerror(errno));
}

/* Flushes a stream; errno if that or an earlier write failed, else 0. */
static int flush_code(FILE *stream)
{
    errno = 0;
    if (fflush(stream) == 0 && !ferror(stream))
        return 0;
    return errno != 0 ? errno : EIO;
}

/* The permissions of a new file, or of the one that is replaced. */
static mode_t file_mode(const struct stat *old)
{
    if (old != NULL)
        return old->st_mode & 0777;
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Opens a temporary file beside output->path. Returns 0 or an errno. */
static int open_temporary(cli_output *output, mode_t mode)
{
    output->temporary = cli_with_ending(output->path, ".XXXXXX");
    if (output->temporary == NULL)
        return ENOMEM;
    const int file = cli_interrupts_make(output->temporary);
    if (file < 0) {
        const int code = errno;
        free(output->temporary);
        output->temporary = NULL;
        return code;
    }
    if (fchmod(file, mode) == 0)
        output->stream = fdopen(file, "w");
    if (output->stream != NULL)
        return 0;
    const int code = errno;
    close(file);
    return code;
}

/*
 * Finds where the file of a name is, or will be, and what permissions it gets. Returns 0 or an
 * errno: of a device or a pipe too, which has no such place.
 */
static int find_place(cli_output *output, const char *name, mode_t *mode)
{
    struct stat old;
    const bool exists = stat(name, &old) == 0;
    if (exists && !S_ISREG(old.st_mode))
        return S_ISDIR(old.st_mode) ? EISDIR : ENOTSUP;
    output->path = cli_output_place(name);
    if (output->path == NULL || (exists && access(output->path, W_OK) != 0))
        return errno;
    *mode = file_mode(exists ? &old : NULL);
    return 0;
}

bool cli_output_open(cli_output *output, const char *name)
{
    mode_t mode = 0;
    *output = (cli_output){0};
    if (cli_is_standard_output(name)) {
        output->stream = stdout;
        return true;
    }
    int code = find_place(output, name, &mode);
    if (code == 0) {
        code = open_temporary(output, mode);
    } else if (code == ENOTSUP) {
        output->path = strdup(name);
        output->stream = output->path != NULL ? fopen(name, "w") : NULL;
        code = output->stream == NULL ? errno : 0;
    }
    return code == 0 || fail("write", name, code);
}

bool cli_output_commit(cli_output *output)
{
    int code = flush_code(output->stream);
    if (output->path == NULL)
        return code == 0 || fail("write", NULL, code);
    if (fclose(output->stream) != 0 && code == 0)
        code = errno;
    output->stream = NULL;
    if (code == 0 && output->temporary != NULL && rename(output->temporary, output->path) != 0)
        code = errno;
    if (code != 0)
        return fail("write", output->path, code);
    cli_interrupts_keep(output->temporary);
    free(output->temporary);
    output->temporary = NULL;
    return true;
}

int cli_output_status(const cli_output *output, int code)
{
    if (code == ENOMEM)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    return code == 0 || fail("write", output->path, code) ? CLI_OK : CLI_FAILED;
}

int cli_output_write(const cli_output *output, const char *bytes, size_t count)
{
    errno = 0;
    if (count == 0 || fwrite(bytes, 1, count, output->stream) == count)
        return CLI_OK;
    return cli_output_status(output, errno != 0 ? errno : EIO);
}

void cli_output_close(cli_output *output)
{
    if (output->path != NULL && output->stream != NULL)
        fclose(output->stream);
    if (output->temporary != NULL)
        unlink(output->temporary);
    cli_interrupts_keep(output->temporary);
    free(output->temporary);
    free(output->path);
    *output = (cli_output){0};
}

bool cli_stdout_close(void)
{
    int code = flush_code(stdout);
    if (fclose(stdout) != 0 && code == 0)
        code = errno;
    return code == 0 || fail("write", NULL, code);
}
