/* SPDX-License-Identifier: MIT */
/*
 * A host without memory: each allocation of the library fails in turn, from the context to the
 * result. The call says RHOMB_ERR_MEMORY, or goes on where the memory only served the program cache
 * or a detail's log, and frees all it had. (tests/test_fasta_region.c does the same for the
 * reader.)
 *
 * The linker sends the library's calls here (--wrap); OpenCL, htslib and libc keep their own. The
 * functions of libc that allocate inside, to open a file or a folder, count too, as do threads.
 */
#include <errno.h>

#include <dirent.h>
#include <pthread.h>

#include "fault_align.h"
#include "fault_batch.h"
#include "fault_fixture.h"
#include "fault_opencl.h"
#include "fault_split.h"

/* Far more allocations than a run makes. */
#define MOST_ALLOCATIONS 10000

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

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument)
{
    return allocation_fails() ? EAGAIN : __real_pthread_create(thread, attributes, start, argument);
}

/* ------------------------------------------------------------------ runs */

/* A run, and what it comes to when no allocation fails. */
typedef struct run {
    void (*perform)(const fault_job *job, fault_result *result);
    rhomb_status status;
    void (*prepare)(void);
    int64_t least_optional; /* allocations that the run can do without, at least so many */
    int64_t distance;       /* that it comes to; -1: the job's */
    int64_t apart;          /* that are left out from one that fails to the next */
} run;

/* Fails each allocation of a run in turn. */
static void fail_each(const run *r)
{
    fault_job job;
    fault_result result;
    int64_t optional = 0;
    bool failed = true;
    fault_make_job(&job, FAULT_TRAPEZOIDS);
    job.tuning.diagonals_per_item = 2048;
    job.tuning.tile_columns = 256;
    fault_first_use(&job, &result); /* fills the cache */
    for (int64_t at = 1; failed && at < MOST_ALLOCATIONS; at += 1 + r->apart) {
        const size_t blocks_before = block_count;
        r->prepare();
        allocations.count = 0;
        allocations.failed = false;
        allocations.fail_at = at;
        r->perform(&job, &result);
        allocations.fail_at = 0;
        failed = allocations.failed;
        optional += failed && result.status == r->status;
        if (result.status != r->status && !(failed && result.status == RHOMB_ERR_MEMORY))
            fail_msg("allocation %lld: %s: %s", (long long)at, rhomb_status_name(result.status),
                     result.detail);
        if (result.status == RHOMB_OK)
            assert_int_equal(result.distance, r->distance >= 0 ? r->distance : job.distance);
        if (block_count != blocks_before)
            fail_msg("allocation %lld: %lld blocks are left", (long long)at,
                     (long long)block_count - (long long)blocks_before);
        assert_int_equal(fault_live_handles(), 0);
        fault_check_use();
    }
    assert_true(optional >= r->least_optional);
    assert_true(allocations.count > optional);
}

static void keep_cache(void)
{
}

/* The programs come from the cache, or are compiled and stored there. */
static void test_first_use(void **state)
{
    const run cached = {fault_first_use, RHOMB_OK, keep_cache, 2, -1, 0};
    const run compiled = {fault_first_use, RHOMB_OK, fault_clear_cache, 4, -1, 0};
    fail_each(&cached);
    fail_each(&compiled);
}

static void use_no_platform(const fault_job *job, fault_result *result)
{
    const fault_plan plan = {.no_platforms = true};
    fault_begin(&plan);
    fault_first_use(job, result);
    fault_end();
}

static void use_unusable_device(const fault_job *job, fault_result *result)
{
    const fault_plan plan = {.numbers = {{CL_DEVICE_AVAILABLE, 0}}};
    fault_begin(&plan);
    fault_first_use(job, result);
    fault_end();
}

static void fail_build(const fault_job *job, fault_result *result)
{
    const fault_plan plan = {.call = 1, .function = "clBuildProgram"};
    fault_begin(&plan);
    fault_first_use(job, result);
    fault_end();
}

/* The details of these have a log below them, which may be left out. */
static void test_details(void **state)
{
    const run no_platform = {use_no_platform, RHOMB_ERR_NO_DEVICE, keep_cache, 1, -1, 0};
    const run unusable = {use_unusable_device, RHOMB_ERR_NO_DEVICE, keep_cache, 1, -1, 0};
    const run build = {fail_build, RHOMB_ERR_BUILD, fault_clear_cache, 1, -1, 0};
    fail_each(&no_platform);
    fail_each(&unusable);
    fail_each(&build);
}

static void use_batch(const fault_job *job, fault_result *result)
{
    fault_batch_first_use(FAULT_BATCH_WORKERS, result);
}

static void use_array(const fault_job *job, fault_result *result)
{
    fault_batch_first_use(FAULT_BATCH_ARRAY, result);
}

/* Without a thread to be had, the calling one does the work. */
static void test_batch(void **state)
{
    const run batch = {use_batch, RHOMB_OK, keep_cache, 3, fault_batch_distances(), 0};
    const run array = {use_array, RHOMB_OK, keep_cache, 3, fault_batch_distances(), 0};
    fault_result result;
    fault_batch_first_use(FAULT_BATCH_WORKERS, &result); /* fills the cache */
    fail_each(&batch);
    fail_each(&array);
}

static void use_split(const fault_job *job, fault_result *result)
{
    fault_split_first_use(FAULT_SPLIT_GROUPS, result);
}

static void use_bands(const fault_job *job, fault_result *result)
{
    fault_split_first_use(FAULT_SPLIT_BANDS, result);
}

static void use_sweeps(const fault_job *job, fault_result *result)
{
    fault_split_first_use(FAULT_SPLIT_SWEEPS, result);
}

static void test_split(void **state)
{
    const run split = {use_split, RHOMB_OK, keep_cache, 2, fault_split_places(FAULT_SPLIT_GROUPS),
                       0};
    const run bands = {use_bands, RHOMB_OK, keep_cache, 2, fault_split_places(FAULT_SPLIT_BANDS),
                       0};
    const run sweeps = {use_sweeps, RHOMB_OK, keep_cache, 2, fault_split_places(FAULT_SPLIT_SWEEPS),
                        0};
    fault_result result;
    fault_split_first_use(FAULT_SPLIT_GROUPS, &result); /* fills the cache */
    fail_each(&split);
    fault_split_first_use(FAULT_SPLIT_BANDS, &result);
    fail_each(&bands);
    fault_split_first_use(FAULT_SPLIT_SWEEPS, &result);
    fail_each(&sweeps);
}

static void use_alignment(const fault_job *job, fault_result *result)
{
    fault_align_first_use(RHOMB_ENGINE_WAVEFRONT, result);
}

static void use_swept_alignment(const fault_job *job, fault_result *result)
{
    fault_align_first_use(RHOMB_ENGINE_BITPARALLEL, result);
}

/* Each alignment takes its time, so most of its allocations are left to others. */
static void test_align(void **state)
{
    const run align = {.perform = use_alignment,
                       .prepare = keep_cache,
                       .least_optional = 1,
                       .distance = fault_align_distance(RHOMB_ENGINE_WAVEFRONT),
                       .apart = 2};
    const run sweeps = {.perform = use_swept_alignment,
                        .prepare = keep_cache,
                        .least_optional = 1,
                        .distance = fault_align_distance(RHOMB_ENGINE_BITPARALLEL),
                        .apart = 6};
    fault_result result;
    fault_align_first_use(RHOMB_ENGINE_WAVEFRONT, &result); /* fills the cache */
    fault_align_first_use(RHOMB_ENGINE_BITPARALLEL, &result);
    fail_each(&align);
    fail_each(&sweeps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_use), cmocka_unit_test(test_details),
        cmocka_unit_test(test_batch),     cmocka_unit_test(test_split),
        cmocka_unit_test(test_align),
    };
    return fault_has_device() ? cmocka_run_group_tests(tests, fault_set_up, fault_tear_down) : 77;
}
