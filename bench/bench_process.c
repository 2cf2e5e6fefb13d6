/* SPDX-License-Identifier: MIT */
/*
 * Other processes and their files: temporary folders, and whole commands with their time.
 */
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define MOST_WORDS 32

extern char **environ;

bool bench_environment_keep(bench *b)
{
    size_t count = 0;
    while (environ[count] != NULL)
        count++;
    b->environment = calloc(count + 1, sizeof *b->environment);
    for (size_t i = 0; b->environment != NULL && i < count; i++) {
        b->environment[i] = strdup(environ[i]);
        if (b->environment[i] == NULL)
            return bench_fail(b, "out of memory");
    }
    return b->environment != NULL || bench_fail(b, "out of memory");
}

void bench_environment_release(bench *b)
{
    for (size_t i = 0; b->environment != NULL && b->environment[i] != NULL; i++)
        free(b->environment[i]);
    free(b->environment);
    b->environment = NULL;
}

bool bench_folder_make(bench *b, char *folder)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, BENCH_PATH_BYTES, "%s/rhomb_bench.XXXXXX", parent != NULL ? parent : "/tmp");
    return mkdtemp(folder) != NULL || bench_fail(b, "cannot create the folder %s", folder);
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info;
    (void)type;
    (void)place;
    return remove(path);
}

void bench_folder_remove(const char *folder)
{
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Runs a command once. */
static bool run(bench *b, const char *const *words, const char *output, double *seconds)
{
    char *copies[MOST_WORDS + 1] = {NULL}; /* as posix_spawn(), which changes none, wants them */
    posix_spawn_file_actions_t actions;
    pid_t child = -1;
    int exit_status = 0;
    for (int i = 0; i < MOST_WORDS && words[i] != NULL; i++)
        memcpy(&copies[i], &words[i], sizeof copies[i]);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return bench_fail(b, "out of memory");
    bool good = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output,
                                                 O_WRONLY | O_CREAT | O_TRUNC, 0600) == 0;
    const double began = bench_now();
    good = good && posix_spawn(&child, words[0], &actions, NULL, copies, b->environment) == 0 &&
           waitpid(child, &exit_status, 0) == child && exit_status == 0;
    *seconds = bench_now() - began;
    posix_spawn_file_actions_destroy(&actions);
    return good || bench_fail(b, "%s has failed", words[0]);
}

bool bench_program_time(bench *b, const char *const *words, const char *output, double *median)
{
    double seconds[BENCH_MAX_RUNS + 1];
    for (int i = 0; i <= b->repeat; i++)
        if (!run(b, words, output, &seconds[i]))
            return false;
    *median = bench_times_of(seconds + 1, (int)b->repeat).median;
    return true;
}
