/* SPDX-License-Identifier: MIT */
/*
 * `rhomb batch` on more pairs than it may keep, from a pipe and from a file: short ones, and now
 * and then one of a million bases. Looks at every row, and at how much memory the program has:
 * what there is of it may not depend on how much there is to read.
 *
 *     test_batch_feed PROGRAM [MEGABYTES]    of the pairs that come from a pipe, 150 unless told,
 *                                            and then nothing else
 *
 * A query is its target without some bases, so that the distance is their number whatever the
 * bases are. Exits with 77 where the program finds no device.
 */
#define _DEFAULT_SOURCE /* wait4(), which POSIX lacks */

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/rng.h"
#include "support/test.h"

enum {
    SHORT_LETTERS = 150,
    LONG_LETTERS = 1000000,
    LONG_EVERY = 25000, /* pairs */
    LONG_DISTANCE = 25,
    TEXTS = 1000,        /* short targets, which repeat */
    FEW_PAIRS = 225000,  /* 75 MB: all that is kept has got its size */
    MANY_PAIRS = 450000, /* 150 MB */
    PAIRS_A_MB = 3000,
    MOST_GROWTH_MB = 24, /* a third of what is between the two */
    GAP_BYTES = 1500000, /* blank lines between pairs that are far apart */
    FEW_GAPS = 190,
    MANY_GAPS = 250,
    NO_DEVICE = 4, /* the program's exit code */
    NO_PROGRAM = 100
};

static const char *program;
static char short_letters[TEXTS * SHORT_LETTERS];
static char long_bases[LONG_LETTERS];
static char blank_lines[GAP_BYTES];
static bool has_gaps;
static int64_t many_pairs = MANY_PAIRS;

typedef struct feed_pair {
    const char *target;
    int64_t length;
    int64_t distance; /* bases that the query lacks, from the first one on at equal steps */
} feed_pair;

static feed_pair pair_at(int64_t index)
{
    const char *text = short_letters + index % TEXTS * SHORT_LETTERS;
    if (index % LONG_EVERY == LONG_EVERY / 2)
        return (feed_pair){long_bases, LONG_LETTERS, LONG_DISTANCE};
    return (feed_pair){text, SHORT_LETTERS, index % 8};
}

static void write_pair(FILE *out, const feed_pair *pair)
{
    const int64_t step = pair->distance > 0 ? pair->length / pair->distance : pair->length;
    fputc('>', out);
    for (int64_t at = 0; at < pair->length; at += step) {
        const int64_t lacking = at / step < pair->distance;
        const int64_t end = at + step < pair->length ? at + step : pair->length;
        fwrite(pair->target + at + lacking, 1, (size_t)(end - at - lacking), out);
    }
    fputs("\n<", out);
    fwrite(pair->target, 1, (size_t)pair->length, out);
    fputc('\n', out);
    if (has_gaps)
        fwrite(blank_lines, 1, sizeof blank_lines, out);
}

static void write_pairs(FILE *out, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const feed_pair pair = pair_at(i);
        write_pair(out, &pair);
    }
}

/* A process that writes the pairs into a pipe, whose other end is returned. */
static int start_writer(int64_t count)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        FILE *out = fdopen(ends[1], "w");
        if (out != NULL)
            write_pairs(out, count);
        _exit(out == NULL || fclose(out) != 0);
    }
    close(ends[1]);
    return ends[0];
}

/* The program, which reads `path` or with "-" from `input`; its rows come from *rows. */
static pid_t start_program(const char *path, int input, FILE **rows)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (input >= 0)
            dup2(input, STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(program, program, "batch", "--quiet", "--no-header", "--cigar", path, (char *)NULL);
        _exit(NO_PROGRAM);
    }
    close(ends[1]);
    *rows = fdopen(ends[0], "r");
    assert_non_null(*rows);
    return child;
}

static void check_rows(FILE *rows, int64_t count)
{
    static char row[4096], expected[256];
    for (int64_t i = 0; i < count; i++) {
        const feed_pair pair = pair_at(i);
        const int length =
            snprintf(expected, sizeof expected,
                     "%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t", i + 1,
                     pair.length, i + 1, pair.length - pair.distance, pair.distance);
        if (fgets(row, sizeof row, rows) == NULL)
            fail_msg("%" PRId64 " rows of %" PRId64, i, count);
        if (strncmp(row, expected, (size_t)length) != 0)
            fail_msg("'%s' instead of '%s'", row, expected);
    }
    assert_int_equal(fgetc(rows), EOF);
}

/* Waits for all children, and says how many megabytes the program has had at most. */
static int64_t wait_for(pid_t child)
{
    struct rusage usage;
    int64_t megabytes = 0;
    int status = 0;
    for (pid_t ended = wait4(-1, &status, 0, &usage); ended > 0;
         ended = wait4(-1, &status, 0, &usage)) {
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            fail_msg("%s ended with %d", ended == child ? "the program" : "the writer", status);
        if (ended == child)
            megabytes = (int64_t)usage.ru_maxrss >> 10;
    }
    return megabytes;
}

static int64_t run(const char *path, int input, int64_t count)
{
    FILE *rows = NULL;
    const pid_t child = start_program(path, input, &rows);
    if (input >= 0)
        close(input);
    check_rows(rows, count);
    fclose(rows);
    return wait_for(child);
}

static int64_t run_pipe(int64_t count)
{
    return run("-", start_writer(count), count);
}

static int64_t run_file(int64_t count)
{
    char path[] = "test_batch_feed.XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "w");
    assert_non_null(out);
    write_pairs(out, count);
    assert_int_equal(fclose(out), 0);
    const int64_t megabytes = run(path, -1, count);
    unlink(path);
    return megabytes;
}

static void expect_constant(const char *way, int64_t (*run_way)(int64_t count), int64_t few,
                            int64_t many)
{
    const int64_t less = run_way(few), more = run_way(many);
    printf("%s: %" PRId64 " MB of memory for %" PRId64 " pairs, %" PRId64 " MB for %" PRId64 "\n",
           way, less, few, more, many);
    assert_true(less > 0 && more <= less + MOST_GROWTH_MB);
}

static void test_pipe(void **state)
{
    expect_constant("pipe", run_pipe, FEW_PAIRS, many_pairs);
}

static void test_file(void **state)
{
    expect_constant("file", run_file, FEW_PAIRS, MANY_PAIRS);
}

/* Pairs that a job would wait for while their text is kept. */
static void test_gaps(void **state)
{
    has_gaps = true;
    expect_constant("gaps", run_pipe, FEW_GAPS, MANY_GAPS);
    has_gaps = false;
}

/* Whether the program finds a device. */
static bool has_device(void)
{
    FILE *rows = NULL;
    int status = 0;
    const pid_t child = start_program("-", start_writer(1), &rows);
    while (fgetc(rows) != EOF)
        continue;
    fclose(rows);
    waitpid(child, &status, 0);
    wait(NULL);
    return !WIFEXITED(status) || WEXITSTATUS(status) != NO_DEVICE;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST_LIST(cmocka_unit_test, test_pipe, test_file, test_gaps)};
    const struct CMUnitTest pipe_alone[] = {TEST_LIST(cmocka_unit_test, test_pipe)};
    if (argc != 2 && argc != 3)
        return 2;
    if (argc == 3)
        many_pairs = PAIRS_A_MB * strtoll(argv[2], NULL, 10);
    program = argv[1];
    signal(SIGPIPE, SIG_IGN);
    rng r = rng_for("batch feed", 0);
    for (size_t i = 0; i < sizeof short_letters; i++)
        short_letters[i] = "ACGT"[rng_below(&r, 4)];
    for (size_t i = 0; i < sizeof long_bases; i++)
        long_bases[i] = "ACGT"[rng_below(&r, 4)];
    if (!has_device())
        return 77;
    memset(blank_lines, '\n', sizeof blank_lines);
    return (argc == 3 ? cmocka_run_group_tests_name("pipe", pipe_alone, NULL, NULL)
                      : cmocka_run_group_tests_name("feed", tests, NULL, NULL)) != 0;
}
