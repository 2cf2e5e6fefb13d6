/* SPDX-License-Identifier: MIT */
/* Folders of outputs, see folder.h. */
#include "host/cli/base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(const char *what, const char *path)
{
    return errno == ENOMEM
               ? cli_fail(NULL, RHOMB_ERR_MEMORY)
               : cli_fail_with(CLI_FAILED, "cannot %s %s: %s", what, path, strerror(errno));
}

/* Whether a folder is there and has nothing in it. */
static bool is_empty(const char *path)
{
    DIR *stream = opendir(path);
    int count = 0;
    while (stream != NULL && count <= 2 && readdir(stream) != NULL)
        count++;
    if (stream != NULL)
        closedir(stream);
    return stream != NULL && count <= 2;
}

static int check_place(const char *path)
{
    struct stat there;
    const char *name = cli_base_name(path);
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return cli_fail_with(CLI_USAGE, "%s: name a folder that is to be made", path);
    if (lstat(path, &there) != 0 || (S_ISDIR(there.st_mode) && is_empty(path)))
        return CLI_OK;
    return cli_fail_with(CLI_USAGE, "%s is there%s: remove it, or name another folder", path,
                         S_ISDIR(there.st_mode) ? " and not empty" : ", and not a folder");
}

/* Makes the folder that is filled, and has a signal remove it unless it is kept. */
static int make(cli_folder *f, const char *const *files)
{
    struct stat there;
    bool made = f->is_kept ? mkdir(f->working, 0777) == 0 : mkdtemp(f->working) != NULL;
    if (f->is_kept && errno == EEXIST)
        made = lstat(f->working, &there) == 0 && S_ISDIR(there.st_mode);
    if (!made) {
        const int status = fail("make the folder", f->path);
        free(f->working);
        f->working = NULL;
        return status;
    }
    if (!f->is_kept)
        cli_interrupts_add(f->working);
    for (size_t i = 0; files[i] != NULL && i < CLI_FOLDER_FILES; i++) {
        f->files[i] = malloc(strlen(f->working) + strlen(files[i]) + 2);
        if (f->files[i] == NULL)
            return cli_fail(NULL, RHOMB_ERR_MEMORY);
        strcat(strcat(strcpy(f->files[i], f->working), "/"), files[i]);
        if (!f->is_kept)
            cli_interrupts_add(f->files[i]);
    }
    return CLI_OK;
}

int cli_folder_open(cli_folder *f, const char *name, const char *const *files, bool is_kept)
{
    size_t length = strlen(name);
    *f = (cli_folder){.is_kept = is_kept};
    while (length > 1 && name[length - 1] == '/')
        length--;
    f->path = strndup(name, length);
    f->working =
        f->path != NULL ? cli_with_ending(f->path, is_kept ? ".partial" : ".XXXXXX") : NULL;
    if (f->working == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    const int status = check_place(f->path);
    if (status == CLI_OK)
        return make(f, files);
    free(f->working);
    f->working = NULL;
    return status;
}

/* Nothing is there any more that a signal should remove. */
static void forget(cli_folder *f)
{
    for (size_t i = 0; i < CLI_FOLDER_FILES; i++) {
        cli_interrupts_keep(f->files[i]);
        free(f->files[i]);
        f->files[i] = NULL;
    }
    cli_interrupts_keep(f->working);
    free(f->working);
    f->working = NULL;
}

/* Whether a name is that of one of the files with more after it: a run that was killed left it. */
static bool is_left_over(const cli_folder *f, const char *name)
{
    for (size_t i = 0; i < CLI_FOLDER_FILES && f->files[i] != NULL; i++) {
        const char *file = cli_base_name(f->files[i]);
        if (strncmp(name, file, strlen(file)) == 0 && name[strlen(file)] == '.')
            return true;
    }
    return false;
}

static void remove_left_over(const cli_folder *f)
{
    DIR *stream = opendir(f->working);
    for (const struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;) {
        if (is_left_over(f, entry->d_name))
            unlinkat(dirfd(stream), entry->d_name, 0);
    }
    if (stream != NULL)
        closedir(stream);
}

int cli_folder_commit(cli_folder *f)
{
    const mode_t mask = umask(0);
    umask(mask);
    if (f->is_kept)
        remove_left_over(f);
    if ((!f->is_kept && chmod(f->working, 0777 & ~mask) != 0) || rename(f->working, f->path) != 0)
        return fail("write", f->path);
    forget(f);
    return CLI_OK;
}

void cli_folder_close(cli_folder *f)
{
    for (size_t i = 0; i < CLI_FOLDER_FILES && f->working != NULL && !f->is_kept; i++)
        if (f->files[i] != NULL)
            unlink(f->files[i]);
    if (f->working != NULL)
        rmdir(f->working); /* which leaves one that has something */
    forget(f);
    free(f->path);
    f->path = NULL;
}
