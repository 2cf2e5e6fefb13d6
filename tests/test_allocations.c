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

#include "fault_driver.h"

/* Far more allocations than a run makes. */
#define MOST_ALLOCATIONS 10000

/* As many fail one after the other; most of these are in each first use. */
#define EACH 100

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

/* What the cache has of the programs: nothing, a note that they were used once, or all. */
typedef enum programs { NONE, NOTED, STORED } programs;

/* A first use, and what it comes to when no allocation fails. */
typedef struct run {
    fault_subject subject;
    programs programs;      /* of a cached subject, before each run */
    int64_t least_optional; /* allocations that the run can do without, at least so many */
    int64_t apart;          /* from one that fails to the next, of the later ones */
    fault_plan plan;        /* what OpenCL does meanwhile */
    rhomb_status status;
} run;

/* Fails allocations of a run in turn. */
static void fail_each(const run *r)
{
    fault_result result;
    int64_t optional = 0;
    bool failed = true;
    if (r->programs == NOTED) {
        fault_clear_cache();
        fault_first_use(&r->subject, &result);
        fault_take_notes();
    }
    fault_fill_caches(&r->subject);
    for (int64_t at = 1; failed && at < MOST_ALLOCATIONS;
         at += fault_stride(at, 5) * (at < EACH ? 1 : r->apart)) {
        const size_t blocks_before = block_count;
        if (r->programs != STORED)
            fault_clear_cache();
        if (r->programs == NOTED)
            fault_put_notes_back();
        allocations.count = 0;
        allocations.failed = false;
        allocations.fail_at = at;
        fault_begin(&r->plan);
        fault_first_use(&r->subject, &result);
        fault_end();
        allocations.fail_at = 0;
        failed = allocations.failed;
        optional += failed && result.status == r->status;
        if (result.status != r->status && !(failed && result.status == RHOMB_ERR_MEMORY))
            fail_msg("allocation %lld: %s: %s", (long long)at, rhomb_status_name(result.status),
                     result.detail);
        if (result.status == RHOMB_OK)
            assert_int_equal(result.distance, r->subject.distance);
        if (block_count != blocks_before)
            fail_msg("allocation %lld: %lld blocks are left", (long long)at,
                     (long long)block_count - (long long)blocks_before);
        assert_int_equal(fault_live_handles(), 0);
        fault_check_use();
    }
    assert_true(optional >= r->least_optional);
    assert_true(allocations.count > optional);
}

/*
 * The programs come from the cache, or are compiled, and noted or stored there. The details of what
 * fails by a plan have a log below them, which may be left out.
 */
static void test_distance(void **state)
{
    const fault_plan none = {.call = 0};
    fault_job job;
    fault_make_job(&job, FAULT_FEW_CALLS);
    fault_subject s = fault_distance(&job);
    s.cached = true;
    const run runs[] = {
        {s, STORED, 2, 1, none, RHOMB_OK},
        {s, NONE, 4, 1, none, RHOMB_OK},
        {s, NOTED, 4, 1, none, RHOMB_OK},
        {s, STORED, 1, 1, {.no_platforms = true}, RHOMB_ERR_NO_DEVICE},
        {s, STORED, 1, 1, {.numbers = {{CL_DEVICE_AVAILABLE, 0}}}, RHOMB_ERR_NO_DEVICE},
        {s, NONE, 1, 1, {.call = 1, .function = "clBuildProgram"}, RHOMB_ERR_BUILD},
    };
    for (size_t i = 0; i < COUNT(runs); i++)
        fail_each(&runs[i]);
}

static void fail_subject(fault_subject subject, int64_t least_optional, int64_t apart)
{
    const run r = {
        .subject = subject, .programs = STORED, .least_optional = least_optional, .apart = apart};
    fail_each(&r);
}

/* Gap-affine costs: the self-test computes its own penalty, in memory of its own. */
static void test_scored(void **state)
{
    fault_job job;
    fault_make_job(&job, FAULT_SLICED);
    fail_subject(fault_distance(&job), 2, 1);
    fault_make_job(&job, FAULT_AFFINE);
    fail_subject(fault_distance(&job), 2, 1);
}

/* Another context on the device of the first one. */
static void run_beside(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    rhomb_context *beside = fault_create_context(&result->status);
    result->distance = -2;
    if (beside == NULL)
        return;
    result->status = rhomb_context_open_beside(beside, ctx, 0);
    if (result->status == RHOMB_OK)
        fault_solve(beside, s->job, result);
    else
        fault_keep_detail(beside, result);
    rhomb_context_destroy(beside);
}

static void test_beside(void **state)
{
    fault_job job;
    fault_make_job(&job, FAULT_FEW_CALLS);
    fault_subject s = fault_distance(&job);
    s.run = run_beside;
    fail_subject(s, 2, 1);
}

/* Without a thread to be had, the calling one does the work. */
static void test_batch(void **state)
{
    fail_subject(fault_batch(FAULT_BATCH_WORKERS), 3, 1);
    fail_subject(fault_batch(FAULT_BATCH_ARRAY), 3, 1);
    fail_subject(fault_batch(FAULT_BATCH_LOCAL), 3, 1);
}

static void test_matrix(void **state)
{
    fail_subject(fault_matrix(), 2, 1);
}

static void test_split(void **state)
{
    for (int way = 0; way < FAULT_SPLIT_WAYS; way++)
        fail_subject(fault_split((fault_split_way)way), 2, 1);
    fail_subject(fault_paths(), 2, 1);
}

static void test_guide(void **state)
{
    fail_subject(fault_guide(), 2, 1);
}

/* A checkpoint that there is no memory for, or no thread, is none. */
static void test_checkpoint(void **state)
{
    fault_job job;
    fault_make_job(&job, FAULT_TRAPEZOIDS);
    fail_subject(fault_checkpoint(&job, 3), 4, 1);
    fault_make_job(&job, FAULT_LONG_SWEEPS);
    fail_subject(fault_checkpoint(&job, 4), 4, 1);
    fault_checkpoint_end();
}

/* Each alignment takes its time, so most of its later allocations are left to others. */
static void test_align(void **state)
{
    fail_subject(fault_align(RHOMB_ENGINE_WAVEFRONT), 1, 3);
    fail_subject(fault_align(RHOMB_ENGINE_BITPARALLEL), 1, 7);
    fail_subject(fault_align_scored(RHOMB_ENGINE_WAVEFRONT), 1, 3);
    fail_subject(fault_align_scored(RHOMB_ENGINE_BITPARALLEL), 1, 3);
    fail_subject(fault_local(RHOMB_MODE_LOCAL, RHOMB_NO_LIMIT), 1, 3);
    fail_subject(fault_local(RHOMB_MODE_EXTEND, 40), 1, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance), cmocka_unit_test(test_scored),
        cmocka_unit_test(test_batch),    cmocka_unit_test(test_split),
        cmocka_unit_test(test_align),    cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_guide),    cmocka_unit_test(test_checkpoint),
        cmocka_unit_test(test_beside),
    };
    return fault_has_device() ? cmocka_run_group_tests(tests, fault_set_up, fault_tear_down) : 77;
}
