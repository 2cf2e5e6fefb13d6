/* SPDX-License-Identifier: MIT */
/*
 * Pairs from an input that pauses: each comes as soon as it is whole, and what is read does not
 * depend on how it was written.
 */
#include "fasta_fixture.h"
#include "pairs_fixture.h"
#include "support/rng.h"
#include "support/test.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const rhomb_pairs_options live = {.struct_size = sizeof live, .live = true};

static void make_pipe(void)
{
    unlink(file_path);
    assert_int_equal(mkfifo(file_path, 0600), 0);
}

/* Both ends of a pipe are open, so that no call waits for the other end. */
static int open_pipe(void)
{
    make_pipe();
    const int fd = open(file_path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static void put(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

/* The next chunk has these pairs and faults, and nothing else. */
static void expect_chunk(rhomb_pairs *pairs, rhomb_pair_chunk **chunk, const char *expected)
{
    char found[256] = "";
    assert_int_equal(rhomb_pairs_next(pairs, chunk), RHOMB_OK);
    for (size_t i = 0; i < (*chunk)->count; i++) {
        const rhomb_pair *p = &(*chunk)->pairs[i];
        char pair[64];
        snprintf(pair, sizeof pair, "%.*s-%.*s ", (int)p->query_length,
                 p->query_length > 0 ? p->query : "", (int)p->target_length,
                 p->target_length > 0 ? p->target : "");
        assert_true(strlen(found) + strlen(pair) < sizeof found);
        strcat(found, pair);
    }
    for (size_t i = 0; i < (*chunk)->fault_count; i++)
        strcat(found, "! ");
    assert_string_equal(found, expected);
}

static void comes_when_input_pauses(void **state)
{
    static const size_t sizes[] = {0, 1, 10};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        rhomb_pairs *pairs = NULL;
        rhomb_pair_chunk *chunk = NULL;
        const int fd = open_pipe();
        assert_int_equal(rhomb__pairs_open(&error, file_path, NULL, &live, 4, sizes[i], &pairs),
                         RHOMB_OK);
        put(fd, ">A\n<C\n");
        expect_chunk(pairs, &chunk, "A-C ");
        put(fd, ">A\n<G\n>CCCC");
        expect_chunk(pairs, &chunk, "A-G ");
        put(fd, "C\n<T\n>A");
        expect_chunk(pairs, &chunk, "CCCCC-T ");
        put(fd, "\n<C\nodd\n");
        if (sizes[i] == 1) { /* the text is full before */
            expect_chunk(pairs, &chunk, "A-C ");
            expect_chunk(pairs, &chunk, "- ! ");
        } else {
            expect_chunk(pairs, &chunk, "A-C - ! ");
        }
        put(fd, "\n\n>\tname\n<AC\ttarget\n");
        expect_chunk(pairs, &chunk, "-AC ");
        assert_string_equal(chunk->names[0].query, "name");
        assert_string_equal(chunk->names[0].target, "target");
        put(fd, ">G\n<C"); /* the end of the file ends the line */
        close(fd);
        expect_chunk(pairs, &chunk, "G-C ");
        assert_null(chunk->names);
        expect_chunk(pairs, &chunk, "");
        assert_int_equal(rhomb_pairs_get_report(pairs)->pairs, 7);
        rhomb_pair_chunk_destroy(chunk);
        rhomb_pairs_destroy(pairs);
    }
}

/* A text that another thread writes in pieces. */
typedef struct writing {
    const char *text;
    size_t length;
    int64_t piece; /* the most bytes of one */
    rng r;
} writing;

static void *run_writing(void *user)
{
    writing *w = user;
    const int fd = open(file_path, O_WRONLY | O_CLOEXEC); /* waits for the reader */
    for (size_t at = 0; at < w->length;) {
        size_t bytes = 1 + (size_t)rng_below(&w->r, w->piece);
        bytes = bytes < w->length - at ? bytes : w->length - at;
        const ssize_t written = write(fd, w->text + at, bytes);
        if (written < 0)
            break;
        at += (size_t)written;
        if (rng_chance(&w->r, 0.01))
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    close(fd);
    return NULL;
}

static void is_the_same_in_any_writes(void **state)
{
    static const struct {
        size_t bytes, chunk;
        int64_t line, piece;
    } cases[] = {{3000, 0, 20, 1},
                 {3000, 7, 60, 3},
                 {30000, 100, 200, 100},
                 {30000, 0, 200, 5000},
                 {400000, 1000, 1500, 1 << 16},
                 {400000, 0, 100, 1 << 16}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        rng r = rng_for("live", (int64_t)i);
        size_t length = 0;
        char *text = random_text(&r, cases[i].bytes, cases[i].line, &length);
        text[0] = '>';
        write_bytes(file_path, text, length);
        char *expected = strdup(read_all(NULL, 0, 1));
        assert_non_null(expected);
        assert_string_equal(read_all_with(NULL, &live, cases[i].chunk, 2), expected);
        writing w = {.text = text, .length = length, .piece = cases[i].piece, .r = r};
        pthread_t thread;
        make_pipe();
        assert_int_equal(pthread_create(&thread, NULL, run_writing, &w), 0);
        const char *found = read_all_with(NULL, &live, cases[i].chunk, 2);
        assert_int_equal(pthread_join(thread, NULL), 0);
        if (strcmp(found, expected) != 0)
            fail_msg("case %zu differs", i);
        free(expected);
        free(text);
    }
}

/* However often a long pair pauses, the text has room for it and no more. */
static void bounds_memory_of_pauses(void **state)
{
    enum { LINE = 3000, ROOM = 64 };
    char *text = malloc(2 * LINE);
    rhomb_pairs *pairs = NULL;
    rhomb_pair_chunk *chunk = NULL;
    pthread_t thread;
    assert_non_null(text);
    memset(text, 'A', 2 * LINE);
    text[0] = '>';
    memset(text + LINE - 500, '\n', 500); /* each of which ends a read */
    text[LINE] = '<';
    text[2 * LINE - 1] = '\n';
    writing w = {.text = text, .length = 2 * LINE, .piece = 1, .r = rng_for("pauses", 0)};
    make_pipe();
    assert_int_equal(pthread_create(&thread, NULL, run_writing, &w), 0);
    assert_int_equal(rhomb__pairs_open(&error, file_path, NULL, &live, 1, ROOM, &pairs), RHOMB_OK);
    assert_int_equal(rhomb_pairs_next(pairs, &chunk), RHOMB_OK);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(chunk->count, 1);
    assert_int_equal(chunk->pairs[0].query_length, LINE - 501);
    assert_int_equal(chunk->pairs[0].target_length, LINE - 2);
    assert_true(((const rhomb__chunk *)(const void *)chunk)->text.capacity <= (size_t)4 * LINE);
    rhomb_pair_chunk_destroy(chunk);
    rhomb_pairs_destroy(pairs);
    free(text);
}

static int write_late_failed;

static void *write_late(void *user)
{
    const int fd = open(file_path, O_WRONLY | O_CLOEXEC);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    const ssize_t written = write(fd, ">A\n<C\n", 6);
    close(fd);
    (void)user;
    return written == 6 ? NULL : &write_late_failed;
}

/* Waiting takes no time of a processor. */
static void sleeps_in_pauses(void **state)
{
    rhomb_pairs *pairs = NULL;
    rhomb_pair_chunk *chunk = NULL;
    pthread_t thread;
    void *failed = NULL;
    make_pipe();
    assert_int_equal(pthread_create(&thread, NULL, write_late, NULL), 0);
    assert_int_equal(rhomb__pairs_open(&error, file_path, NULL, &live, 1, 0, &pairs), RHOMB_OK);
    const clock_t began = clock();
    expect_chunk(pairs, &chunk, "A-C ");
    assert_true(clock() - began < CLOCKS_PER_SEC / 10);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    rhomb_pair_chunk_destroy(chunk);
    rhomb_pairs_destroy(pairs);
}

static void refuses_what_it_cannot_do(void **state)
{
    const rhomb_pairs_options many = {.struct_size = sizeof many, .one_to_many = true};
    rhomb_pairs *pairs = NULL;
    assert_string_equal(read_all_with(NULL, &live, 0, 1),
                        "in: cannot be opened: No such file or directory\n");
    assert_int_equal(mkdir(file_path, 0700), 0);
    assert_string_equal(read_all_with(NULL, &live, 0, 1), "in: cannot be opened: Is a directory\n");
    assert_int_equal(rmdir(file_path), 0);
    assert_int_equal(rhomb__pairs_open(&error, file_path, queries_path, &live, 1, 0, &pairs),
                     RHOMB_ERR_ARGUMENT);
    assert_null(pairs);
    assert_int_equal(rhomb__pairs_open(&error, file_path, NULL, &many, 1, 0, &pairs),
                     RHOMB_ERR_ARGUMENT);
    assert_null(pairs);
    rhomb__error_clear(&error);
}

static void refuses_compressed_input(void **state)
{
    rhomb_pairs *pairs = NULL;
    rhomb_pair_chunk *chunk = NULL;
    const int fd = open_pipe();
    assert_int_equal(rhomb__pairs_open(&error, file_path, NULL, &live, 1, 0, &pairs), RHOMB_OK);
    put(fd, "\x1f\x8b\x08\n");
    close(fd);
    assert_int_equal(rhomb_pairs_next(pairs, &chunk), RHOMB_ERR_INPUT);
    assert_contains(rhomb__error_text(&error), "is compressed");
    rhomb__error_clear(&error);
    rhomb_pair_chunk_destroy(chunk);
    rhomb_pairs_destroy(pairs);
}

TEST_MAIN_OF(PAIRS_TEST, pairs_set_up, pairs_tear_down, comes_when_input_pauses,
             is_the_same_in_any_writes, bounds_memory_of_pauses, sleeps_in_pauses,
             refuses_what_it_cannot_do, refuses_compressed_input)
