/* SPDX-License-Identifier: MIT */
/*
 * Pairs of a file that is mapped: that they are those of the same file when it is read, wherever it
 * ends within a page, whatever of mapping it fails and when, and if it becomes shorter meanwhile;
 * that mappings live as long as their chunks and no longer.
 *
 * The linker sends the library's calls of mmap(), munmap() and madvise() here (--wrap).
 */
#include "fasta_fixture.h"
#include "pairs_fixture.h"
#include "support/rng.h"
#include "support/test.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

static const rhomb_pairs_options PLAIN = RHOMB_PAIRS_OPTIONS_INIT;

void *__real_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t place);
int __real_munmap(void *at, size_t bytes);
int __real_madvise(void *at, size_t bytes, int advice);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t place);
int __wrap_munmap(void *at, size_t bytes);
int __wrap_madvise(void *at, size_t bytes, int advice);

enum { NEVER = 1 << 30 };

/* What goes wrong from the n-th call on, counted from 1, and how often. */
typedef struct fault {
    int from;
    int times;
    int code;
} fault;

static fault mapping, bringing;
/* After or before which madvise() the file is shortened, and to what length. */
static int shorten_after, shorten_before;
static int64_t shorter_bytes;

static atomic_int mappings, broughts; /* calls */
static atomic_int live, most_live;    /* mappings */

static bool fails(const fault *f, int call)
{
    if (f->code == 0 || call < f->from || call - f->from >= f->times)
        return false;
    errno = f->code;
    return true;
}

static void shorten(int when, int call)
{
    if (when == call && truncate(file_path, (off_t)shorter_bytes) != 0)
        abort();
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t place)
{
    if (fails(&mapping, atomic_fetch_add(&mappings, 1) + 1))
        return MAP_FAILED;
    const int count = atomic_fetch_add(&live, 1) + 1;
    if (count > atomic_load(&most_live))
        atomic_store(&most_live, count);
    return __real_mmap(at, bytes, protection, flags, fd, place);
}

int __wrap_munmap(void *at, size_t bytes)
{
    atomic_fetch_sub(&live, 1);
    return __real_munmap(at, bytes);
}

int __wrap_madvise(void *at, size_t bytes, int advice)
{
    const int call = atomic_fetch_add(&broughts, 1) + 1;
    if (fails(&bringing, call))
        return -1;
    shorten(shorten_before, call);
    const int code = __real_madvise(at, bytes, advice);
    shorten(shorten_after, call);
    return code;
}

static int reset(void **state)
{
    mapping = bringing = (fault){.code = 0};
    shorten_after = shorten_before = 0;
    atomic_store(&mappings, 0);
    atomic_store(&broughts, 0);
    atomic_store(&most_live, 0);
    return 0;
}

static int64_t page(void)
{
    return (int64_t)sysconf(_SC_PAGESIZE);
}

/* All that one thread reads, without mappings; the caller frees it. */
static char *read_plainly(void)
{
    char *all = strdup(read_all(NULL, 0, 1));
    assert_non_null(all);
    return all;
}

/* That reading ahead gives the same, and leaves no mapping. */
static void expect_same(const char *expected, size_t bytes, int32_t readers)
{
    const char *all = read_all(NULL, bytes, readers);
    assert_int_equal(atomic_load(&live), 0);
    if (strcmp(all, expected) != 0)
        fail_msg("pieces of %zu bytes, %d threads: %zu bytes of text, not %zu, or others", bytes,
                 (int)readers, strlen(all), strlen(expected));
}

/* Pairs of lines that are half as long as the longest or longer; the last one as it comes. */
static void write_pairs(int64_t bytes, int64_t longest, const char *ending)
{
    rng r = rng_for("mapped", bytes);
    char *text = malloc((size_t)(bytes + 2 * longest + 8));
    const int64_t end = bytes - (int64_t)strlen(ending);
    assert_non_null(text);
    for (int64_t at = 0, line = 0; at < end; line++) {
        text[at++] = line % 2 == 0 ? '>' : '<';
        for (int64_t i = rng_between(&r, longest / 2, longest); i > 0; i--)
            text[at++] = "ACGT"[rng_below(&r, 4)];
        text[at++] = '\n';
    }
    memcpy(text + end, ending, strlen(ending));
    write_bytes(file_path, text, (size_t)bytes);
    free(text);
}

/* Whether this system brings in pages at all: else there is only what is done without. */
static bool has_mappings(void)
{
    FILE *file = fopen(file_path, "rb");
    assert_non_null(file);
    rhomb__file_map *map = rhomb__file_map_create(fileno(file), 0, 1);
    const bool has = map != NULL && rhomb__file_map_bring(map, 0, 1);
    rhomb__file_map_release(map);
    assert_int_equal(fclose(file), 0);
    return has;
}

/* However far a piece has to be extended; and one thread maps nothing. */
static void is_mapped(void **state)
{
    const int64_t longest[] = {200, 15 * page()};
    for (int i = 0; i < 2; i++) {
        write_pairs(300 * page() + 5, longest[i], "\n");
        if (!has_mappings())
            skip();
        reset(state);
        char *expected = read_plainly();
        assert_int_equal(atomic_load(&mappings), 0);
        expect_same(expected, (size_t)(5 * page()), 7);
        assert_true(atomic_load(&mappings) >= 300 / 5 / 8);
        free(expected);
    }
}

/*
 * Files that end anywhere in a page, in the middle of a line, or with pages that have no pair; and
 * lines over many pages, where a piece is extended up to where it is not worth it.
 */
static void has_any_shape(void **state)
{
    static char empty[20000];
    memset(empty, '\n', sizeof empty - 1);
    const struct {
        int64_t pages, longest;
        const char *ending;
    } FILES[] = {{3, 300, "\n"},
                 {3, 300, "A"},
                 {8, 300, ">"},
                 {8, 300, "\n\n\n"},
                 {20, 300, "\n<AC"},
                 {20, 300, "\n"},
                 {9, 100, empty},
                 {100, 2 * page(), "\n"},
                 {100, 4 * page(), "\n"},
                 {100, 8 * page(), "\n"},
                 {100, 16 * page(), "\n"},
                 {100, 32 * page(), "\n"}};
    for (size_t i = 0; i < COUNT(FILES); i++)
        for (int64_t more = -1; more <= 1; more++) {
            write_pairs(FILES[i].pages * page() + more, FILES[i].longest, FILES[i].ending);
            char *expected = read_plainly();
            for (int64_t odd = -1; odd <= 1; odd++) {
                expect_same(expected, (size_t)(page() + odd), 2 + 5 * (i % 2));
                expect_same(expected, (size_t)(2 * page() + odd), 7);
                expect_same(expected, (size_t)(page() / 8 + odd), 4);
            }
            free(expected);
        }
}

static void does_without_mappings(void **state)
{
    static const fault faults[] = {{1, NEVER, ENODEV}, {1, 1, ENOMEM}, {2, 2, ENOMEM},
                                   {1, NEVER, EINVAL}, {1, 1, EFAULT}, {5, 3, EFAULT},
                                   {7, NEVER, EFAULT}};
    write_pairs(60 * page() + 77, 900, "\n");
    char *expected = read_plainly();
    for (size_t i = 0; i < COUNT(faults); i++) {
        for (int way = 0; way < 4; way++) {
            reset(state);
            *(way < 2 ? &mapping : &bringing) = faults[i];
            expect_same(expected, way % 2 == 0 ? (size_t)page() : (size_t)page() / 5, 7 - way);
        }
    }
    free(expected);
}

/*
 * One thread reads piece after piece of four pages. While it is at one of them, the file ends
 * there, after what the pieces before have: before the call that brings the piece in, or
 * after it; or where the piece has seen text already and asks for more, which is in a page that
 * stays, or in one that is gone.
 */
static void becomes_shorter(void **state)
{
    const int64_t bytes = 4 * page();
    const struct {
        int before, after;
        int64_t left, longest;
    } ways[] = {{5, 0, 4 * bytes + 2 * page() + 100, 700},
                {0, 5, 5 * bytes + 2 * page() + 100, 700},
                {0, 1, bytes + page() - 6, bytes},
                {2, 0, 2 * page() + 100, 6 * bytes}};
    for (size_t i = 0; i < COUNT(ways); i++) {
        reset(state);
        write_pairs(12 * bytes, ways[i].longest, "\n");
        shorter_bytes = ways[i].left;
        shorten_before = ways[i].before;
        shorten_after = ways[i].after;
        char *all = strdup(read_all(NULL, (size_t)bytes, 2));
        assert_non_null(all);
        assert_int_equal(file_size(file_path), shorter_bytes);
        assert_string_equal(all, read_all(NULL, 0, 1));
        free(all);
    }
}

/* A chunk that is filled in another way has no mapping any more. */
static void chunks_change_readers(void **state)
{
    rhomb_pair_chunk *chunk = NULL;
    write_pairs(200 * page(), 60 * page(), "\n"); /* read ahead until that is not worth it, */
    for (int i = 0; i < 2; i++) {
        rhomb_pairs *pairs = NULL;
        assert_int_equal(rhomb__pairs_open(&error, file_path, NULL, &PLAIN, 7 - 6 * i, 100, &pairs),
                         RHOMB_OK);
        assert_int_equal(rhomb_pairs_next(pairs, &chunk), RHOMB_OK);
        assert_true(chunk->count > 0);
        assert_int_equal(atomic_load(&live), 0);
        rhomb_pairs_destroy(pairs);
        write_pairs(20 * page(), 20, "\n"); /* or by a reader that is gone */
        assert_int_equal(rhomb__pairs_open(&error, file_path, NULL, &PLAIN, 7, 1000, &pairs),
                         RHOMB_OK);
        assert_int_equal(rhomb_pairs_next(pairs, &chunk), RHOMB_OK);
        rhomb_pairs_destroy(pairs);
        assert_int_equal(atomic_load(&live), 1);
    }
    rhomb_pair_chunk_destroy(chunk);
    assert_int_equal(atomic_load(&live), 0);
}

/* Mappings go with the last chunk that has pairs of them. */
static void chunks_outlive_readers(void **state)
{
    enum { CHUNKS = 20 };
    rhomb_pair_chunk *chunks[CHUNKS] = {NULL};
    rhomb_pairs *pairs = NULL;
    int64_t first = 0;
    write_pairs(64 * page(), 200, "\n");
    char *expected = read_plainly();
    assert_int_equal(rhomb__pairs_open(&error, file_path, NULL, &PLAIN, 7, (size_t)page(), &pairs),
                     RHOMB_OK);
    for (int i = 0; i < CHUNKS; i++)
        assert_int_equal(rhomb_pairs_next(pairs, &chunks[i]), RHOMB_OK);
    rhomb_pairs_destroy(pairs);
    assert_int_equal(atomic_load(&live), 3);
    transcript.length = 0;
    for (int i = 0; i < CHUNKS; first += (int64_t)chunks[i++]->count)
        note_chunk(chunks[i], first);
    assert_true(transcript.length > (size_t)(CHUNKS - 2) * (size_t)page());
    assert_memory_equal(transcript.data, expected, transcript.length);
    for (int i = 0; i < CHUNKS; i++) {
        assert_int_equal(atomic_load(&live), 3 - i / 8);
        rhomb_pair_chunk_destroy(chunks[i]);
    }
    assert_int_equal(atomic_load(&live), 0);
    free(expected);
}

/* However long the file, a few mappings are there at a time. */
static void bounds_mappings(void **state)
{
    write_pairs(600 * page(), 200, "\n");
    char *expected = read_plainly();
    expect_same(expected, (size_t)page(), 3);
    assert_true(atomic_load(&mappings) > 70);
    assert_true(atomic_load(&most_live) <= 3);
    free(expected);
}

#define MAPPED_TEST(test) cmocka_unit_test_setup_teardown(test, reset, pairs_remove_files)

TEST_MAIN_OF(MAPPED_TEST, pairs_set_up, pairs_tear_down, is_mapped, has_any_shape,
             does_without_mappings, becomes_shorter, chunks_outlive_readers, chunks_change_readers,
             bounds_mappings)
