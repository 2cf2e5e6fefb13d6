/* SPDX-License-Identifier: MIT */
/*
 * A host without memory or locks, see fault_tester.h. The linker sends the library's calls here
 * (--wrap); our OpenCL, htslib and libc keep their own. The functions of libc that allocate inside,
 * to open a file or a folder, count too, as do threads. Locks count with the calls of OpenCL.
 */
#include "fault_tester.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

/* Threads of the library allocate as well. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
    int64_t fail_at; /* 0: never */
    int64_t count;
    bool failed;
} allocations;

/* Blocks that are alive. */
static const void *blocks[4096];
static size_t block_count;

void fault_allocation_at(int64_t number)
{
    pthread_mutex_lock(&lock);
    allocations.count = 0;
    allocations.failed = false;
    allocations.fail_at = number;
    pthread_mutex_unlock(&lock);
}

bool fault_allocation_failed(void)
{
    return allocations.failed;
}

int64_t fault_live_blocks(void)
{
    return (int64_t)block_count;
}

static bool allocation_fails(void)
{
    pthread_mutex_lock(&lock);
    const bool fails = ++allocations.count == allocations.fail_at;
    allocations.failed |= fails;
    pthread_mutex_unlock(&lock);
    if (fails)
        errno = ENOMEM;
    return fails;
}

static void *note_block(void *block)
{
    pthread_mutex_lock(&lock);
    if (block != NULL && block_count < COUNT(blocks))
        blocks[block_count++] = block;
    pthread_mutex_unlock(&lock);
    return block;
}

static void forget_block(const void *block)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i] == block) {
            blocks[i] = blocks[--block_count];
            break;
        }
    pthread_mutex_unlock(&lock);
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void __real_free(void *block);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_fdopen(int fd, const char *mode);
FILE *__real_open_memstream(char **text, size_t *size);
DIR *__real_opendir(const char *path);
int __real_fcntl(int fd, int command, struct flock *range);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void __wrap_free(void *block);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fdopen(int fd, const char *mode);
FILE *__wrap_open_memstream(char **text, size_t *size);
DIR *__wrap_opendir(const char *path);
int __wrap_fcntl(int fd, int command, struct flock *range);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);

void *__wrap_malloc(size_t bytes)
{
    return allocation_fails() ? NULL : note_block(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return allocation_fails() ? NULL : note_block(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *block, size_t bytes)
{
    if (allocation_fails())
        return NULL;
    forget_block(block);
    return note_block(__real_realloc(block, bytes));
}

void __wrap_free(void *block)
{
    forget_block(block);
    __real_free(block);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    return allocation_fails() ? NULL : __real_fopen(path, mode);
}

FILE *__wrap_fdopen(int fd, const char *mode)
{
    return allocation_fails() ? NULL : __real_fdopen(fd, mode);
}

FILE *__wrap_open_memstream(char **text, size_t *size)
{
    return allocation_fails() ? NULL : __real_open_memstream(text, size);
}

DIR *__wrap_opendir(const char *path)
{
    return allocation_fails() ? NULL : __real_opendir(path);
}

/* The one that replaces a checkpoint has a name with an ending: a call does without it. */
static bool is_replacement(int fd)
{
    char link[64], path[256];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, sizeof path);
    return length > 4 && memcmp(path + length - 4, ".new", 4) == 0;
}

/* Another run has the file. */
int __wrap_fcntl(int fd, int command, struct flock *range)
{
    if (!is_replacement(fd) && fault_fails("fcntl")) {
        errno = EAGAIN;
        return -1;
    }
    return __real_fcntl(fd, command, range);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument)
{
    return allocation_fails() ? EAGAIN : __real_pthread_create(thread, attributes, start, argument);
}
