/* SPDX-License-Identifier: MIT */
/*
 * Output that is either complete or absent: files get a temporary name and a rename, and every
 * failed write is noticed, also one that shows only when the stream is closed (a full disk, a
 * network folder).
 */
#include "host/cli/base/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(const char *what, const char *path, int code)
{
    /* A reader that has gone, such as `head`, needs no message. */
    if (code != EPIPE)
        cli_error("cannot %s %s: %s", what, path != NULL ? path : "standard output",
                  strerror(code));
    return false;
}

static bool is_same(const struct stat *a, const struct stat *b)
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

/* The part of a name after its last slash. */
static const char *base_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash != NULL ? slash + 1 : name;
}

static bool stat_folder(const char *name, struct stat *info)
{
    const size_t length = (size_t)(base_of(name) - name);
    char *folder = strndup(length > 0 ? name : ".", length > 0 ? length : 1);
    const bool is_there = folder != NULL && stat(folder, info) == 0;
    free(folder);
    return is_there;
}

/* Whether two names that do not exist yet would be of one file. */
static bool is_same_place(const char *a, const char *b)
{
    struct stat x, y;
    return strcmp(base_of(a), base_of(b)) == 0 && stat_folder(a, &x) && stat_folder(b, &y) &&
           is_same(&x, &y);
}

bool cli_same_file(const char *a, const char *b)
{
    struct stat x, y;
    if (a == NULL || b == NULL || strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return false;
    const bool is_there[] = {stat(a, &x) == 0, stat(b, &y) == 0};
    if (!is_there[0] && !is_there[1])
        return is_same_place(a, b);
    return is_there[0] && is_there[1] && S_ISREG(x.st_mode) && is_same(&x, &y);
}

/* Whether the output is an existing index of the input, which reading regions needs. */
static bool is_index(const char *output, const char *input)
{
    static const char *const ENDINGS[] = {".fai", ".gzi"};
    bool is_one = false;
    for (size_t i = 0; i < CLI_COUNT(ENDINGS) && !is_one; i++) {
        const size_t bytes = strlen(input) + strlen(ENDINGS[i]) + 1;
        char *name = malloc(bytes);
        if (name != NULL)
            snprintf(name, bytes, "%s%s", input, ENDINGS[i]);
        is_one = name != NULL && access(name, F_OK) == 0 && cli_same_file(output, name);
        free(name);
    }
    return is_one;
}

bool cli_is_input(const char *output, const char *input)
{
    struct stat x, y;
    if (output == NULL || input == NULL)
        return false;
    if (strcmp(input, "-") != 0)
        return cli_same_file(output, input) || is_index(output, input);
    return strcmp(output, "-") != 0 && stat(output, &x) == 0 && S_ISREG(x.st_mode) &&
           fstat(STDIN_FILENO, &y) == 0 && is_same(&x, &y);
}

bool cli_is_standard_output(const char *name)
{
    struct stat here, standard;
    if (name == NULL || strcmp(name, "-") == 0)
        return true;
    return stat(name, &here) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
           !S_ISCHR(here.st_mode) && is_same(&here, &standard);
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
    static const char SUFFIX[] = ".XXXXXX";
    const size_t length = strlen(output->path);
    output->temporary = malloc(length + sizeof SUFFIX);
    if (output->temporary == NULL)
        return ENOMEM;
    memcpy(output->temporary, output->path, length);
    memcpy(output->temporary + length, SUFFIX, sizeof SUFFIX);

    const int file = cli_interrupts_make(output->temporary);
    if (file < 0) {
        const int code = errno;
        free(output->temporary);
        output->temporary = NULL;
        return code;
    }
    output->stream = fchmod(file, mode) == 0 ? fdopen(file, "w") : NULL;
    if (output->stream != NULL)
        return 0;
    const int code = errno;
    close(file);
    return code;
}

bool cli_output_open(cli_output *output, const char *name)
{
    *output = (cli_output){0};
    if (cli_is_standard_output(name)) {
        output->stream = stdout;
        return true;
    }
    struct stat old;
    const bool exists = stat(name, &old) == 0;
    const bool is_file = !exists || S_ISREG(old.st_mode);
    /* The file that a link points to is replaced, not the link. A pipe need not have a path. */
    output->path = exists && is_file ? realpath(name, NULL) : strdup(name);
    if (output->path == NULL)
        return fail("write", name, errno);

    int code = 0;
    if (exists && access(name, W_OK) != 0) {
        code = errno;
    } else if (!is_file) {
        output->stream = fopen(name, "w");
        code = output->stream == NULL ? errno : 0;
    } else {
        code = open_temporary(output, file_mode(exists ? &old : NULL));
    }
    return code == 0 || fail("write", name, code);
}

/* Opens NAME and an ending, of which the first bytes stay, as a journal says. */
static bool open_named(cli_output *output, const char *name, const char *ending, int64_t bytes,
                       const char *journal)
{
    struct stat file;
    output->path = strdup(name);
    output->temporary = malloc(strlen(name) + strlen(ending) + 1);
    if (output->path == NULL || output->temporary == NULL)
        return fail("write", name, ENOMEM);
    strcat(strcpy(output->temporary, name), ending);
    const int descriptor = open(output->temporary, O_RDWR | O_CREAT, 0666);
    output->stream = descriptor >= 0 ? fdopen(descriptor, "r+") : NULL;
    if (output->stream == NULL || fstat(descriptor, &file) != 0)
        return fail("write", output->temporary, errno);
    if (file.st_size < bytes) {
        cli_error("%s is shorter than it was: remove %s to begin anew", output->temporary, journal);
        return false;
    }
    if (ftruncate(descriptor, bytes) != 0 || fseeko(output->stream, bytes, SEEK_SET) != 0)
        return fail("write", output->temporary, errno);
    return true;
}

bool cli_output_open_partial(cli_output *output, const char *name, int64_t bytes,
                             const char *journal)
{
    *output = (cli_output){.is_kept = true};
    return open_named(output, name, ".partial", bytes, journal);
}

bool cli_output_open_again(cli_output *output, const char *name, const char *ending)
{
    struct stat old;
    if (cli_is_standard_output(name) || (stat(name, &old) == 0 && !S_ISREG(old.st_mode)))
        return cli_output_open(output, name);
    *output = (cli_output){.is_kept = false};
    return open_named(output, name, ending, 0, "");
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

int cli_output_fail(const cli_output *output, int code)
{
    fail("write", output->path, code);
    return CLI_FAILED;
}

void cli_output_close(cli_output *output)
{
    if (output->path != NULL && output->stream != NULL)
        fclose(output->stream);
    if (output->temporary != NULL && !output->is_kept)
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
