/* SPDX-License-Identifier: MIT */
/*
 * What runs go on with: a run that is stopped and goes on any number of times leaves the files that
 * one run leaves; and whatever is damaged in the outputs, in the journal or in the file of a matrix
 * is refused, or what comes after it is done again.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/cli/base/cli.h"
#include "host/cli/many/journal.h"
#include "host/cli/matrix/matrix_run.h"
#include "support/amount.h"
#include "support/rng.h"
#include "support/test.h"

enum { MARKS = 12, FILES = 3, BYTES_MOST = 1 << 17, KEY = 4711 };

static const char *const NAMES[FILES] = {"out.partial", "second.partial", "out.resume"};

/* What a file had after each mark, and a run that nobody stopped. */
typedef struct contents {
    char bytes[BYTES_MOST];
    size_t length;
    size_t at[MARKS + 1];
} contents;

static contents files[FILES];
static size_t rests_at[MARKS + 1], held_at[MARKS + 1];

typedef struct run {
    cli_journal *journal;
    cli_output outputs[2];
    cli_unaligned unaligned;
} run;

/* Has no messages, from now on or, with what that has returned, no longer. */
static int silence(int before)
{
    const int other = before < 0 ? open("/dev/null", O_WRONLY) : before;
    const int now = before < 0 ? dup(STDERR_FILENO) : -1;
    dup2(other, STDERR_FILENO);
    close(other);
    return now;
}

/* Opens the files. The exit status. */
static int open_run(run *r, uint64_t key)
{
    const int out = silence(-1);
    *r = (run){.journal = NULL};
    int status = cli_journal_open(&r->journal, "out", key, &r->outputs[0]);
    if (status == CLI_OK)
        status = cli_journal_open_second(r->journal, "second", &r->outputs[1]);
    silence(out);
    if (status == CLI_OK)
        cli_journal_rests(r->journal, &r->unaligned);
    return status;
}

static void close_run(run *r)
{
    cli_journal_release(r->journal);
    cli_output_close(&r->outputs[0]);
    cli_output_close(&r->outputs[1]);
    cli_unaligned_release(&r->unaligned);
}

/* Writes what pair `number` has: always the same. */
static void write_pair(run *r, int number)
{
    rng g = rng_for("pairs of a journal", number);
    char text[20000], name[16];
    for (int i = 0; i < 2; i++) {
        const size_t length = (size_t)rng_below(&g, rng_chance(&g, 0.2) ? sizeof text : 40);
        for (size_t k = 0; k < length; k++)
            text[k] = (char)rng_below(&g, 256);
        assert_int_equal(fwrite(text, 1, length, r->outputs[i].stream), length);
    }
    for (int64_t k = rng_below(&g, 4); k > 0; k--) {
        snprintf(name, sizeof name, "r%d", (int)rng_below(&g, 5));
        const int64_t begin = rng_below(&g, 1000);
        if (rng_chance(&g, 0.5))
            cli_unaligned_add(&r->unaligned, (int)rng_below(&g, 2), name, begin, begin + 1 + k);
        else
            cli_unaligned_hold(&r->unaligned, name, begin, begin + 1 + k);
    }
}

static void mark(run *r, int number)
{
    const int64_t counted[2] = {3 * number, 5 * number};
    write_pair(r, number);
    assert_int_equal(cli_journal_mark(r->journal, number, &r->unaligned, counted), CLI_OK);
}

static size_t read_file(const char *name, char *bytes)
{
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    const size_t length = fread(bytes, 1, BYTES_MOST, file);
    fclose(file);
    return length;
}

static void write_file(const char *name, const char *bytes, size_t length)
{
    unlink(name); /* some file systems write to the disk where a file is cut off */
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* A run of all pairs, which is stopped within the one after the last. */
static int write_all(void **state)
{
    static char folder[] = "/tmp/test_journal.XXXXXX";
    run r;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(open_run(&r, KEY), CLI_OK);
    for (int i = 0; i <= MARKS; i++) {
        if (i > 0)
            mark(&r, i);
        rests_at[i] = cli_unaligned_count(&r.unaligned);
        held_at[i] = cli_unaligned_held_count(&r.unaligned);
        for (int f = 0; f < FILES; f++) {
            struct stat info;
            assert_int_equal(stat(NAMES[f], &info), 0);
            files[f].at[i] = (size_t)info.st_size;
        }
    }
    files[2].at[0] = strlen("rhomb-resume 4 0123456789abcdef\n");
    write_pair(&r, MARKS + 1);
    close_run(&r);
    for (int f = 0; f < FILES; f++)
        files[f].length = read_file(NAMES[f], files[f].bytes);
    return 0;
}

static int remove_all(void **state)
{
    char folder[64];
    for (int f = 0; f < FILES; f++)
        unlink(NAMES[f]);
    return getcwd(folder, sizeof folder) == NULL || chdir("/") != 0 || rmdir(folder) != 0;
}

/* Each file has what it had after so many marks. */
static void check_files(int64_t marks, const char *what)
{
    static char bytes[BYTES_MOST];
    for (int f = 0; f < FILES; f++) {
        const size_t length = read_file(NAMES[f], bytes);
        if (length != files[f].at[marks] || memcmp(bytes, files[f].bytes, length) != 0)
            fail_msg("%s: %s is another file after %d marks", what, NAMES[f], (int)marks);
    }
}

/*
 * Opens what there is now, and closes it. The number of pairs that are complete, of which all has
 * to be as it was; -1 if the run was refused.
 */
static int64_t go_on(const char *what)
{
    run r;
    if (open_run(&r, KEY) != CLI_OK) {
        close_run(&r);
        return -1;
    }
    const int64_t marks = cli_journal_pairs(r.journal);
    assert_in_range(marks, 0, MARKS);
    assert_int_equal(cli_journal_counted(r.journal)[0], 3 * marks);
    assert_int_equal(cli_journal_counted(r.journal)[1], 5 * marks);
    assert_int_equal(cli_unaligned_count(&r.unaligned), rests_at[marks]);
    assert_int_equal(cli_unaligned_held_count(&r.unaligned), held_at[marks]);
    close_run(&r);
    check_files(marks, what);
    return marks;
}

static void restore(void)
{
    for (int f = 0; f < FILES; f++)
        write_file(NAMES[f], files[f].bytes, files[f].length);
}

static void goes_on_anywhere(void **state)
{
    run r;
    restore();
    assert_int_equal(go_on("nothing is damaged"), MARKS);
    for (int i = 0; i < amount(200); i++) {
        rng g = rng_for("stops of a journal", i);
        for (int f = 0; f < FILES; f++)
            unlink(NAMES[f]);
        for (int number = 0; number < MARKS;) {
            assert_int_equal(open_run(&r, KEY), CLI_OK);
            assert_int_equal(cli_journal_pairs(r.journal), number);
            do
                mark(&r, ++number);
            while (number < MARKS && !rng_chance(&g, 0.5));
            if (rng_chance(&g, 0.5))
                write_pair(&r, number + 1);
            close_run(&r);
        }
        assert_int_equal(go_on("many stops"), MARKS);
    }
}

/* Damages a file. False if its first `whole` bytes are as they were. */
static bool damage(rng *g, const char *name, const contents *c, size_t whole, char what[80])
{
    static char bytes[BYTES_MOST + 100];
    size_t length = c->length, at = (size_t)rng_below(g, (int64_t)length);
    memcpy(bytes, c->bytes, length);
    const int kind = (int)rng_below(g, 6);
    if (kind == 0)
        bytes[at] ^= (char)(1 << rng_below(g, 8));
    if (kind == 1)
        bytes[at] = (char)rng_below(g, 256);
    if (kind == 2)
        length = at;
    for (int i = kind == 3 ? (int)rng_below(g, 100) : 0; i > 0; i--)
        bytes[length++] = (char)rng_below(g, 256);
    if (kind == 4)
        memset(bytes + at, 0, length - at < 64 ? length - at : 64);
    if (kind == 5) { /* a hole, as where a disk was not written */
        memmove(bytes + at, bytes + at + 1, length - at - 1);
        length--;
    }
    write_file(name, bytes, length);
    snprintf(what, 80, "%s, damage %d at %zu", name, kind, at);
    return length < whole || memcmp(bytes, c->bytes, whole) != 0;
}

static void notices_damage(void **state)
{
    int refused = 0, gone_on = 0;
    for (int i = 0; i < amount(20000); i++) {
        rng g = rng_for("damage of a journal", i);
        char what[80];
        const int f = (int)rng_below(&g, FILES);
        restore();
        const bool is_damaged = damage(&g, NAMES[f], &files[f], files[f].at[MARKS], what);
        const int64_t marks = go_on(what);
        /* The journal tells how far the outputs are right; of itself, how far it goes. */
        if (f < 2 ? is_damaged != (marks < 0) : !is_damaged && marks != MARKS)
            fail_msg("%s: %d marks", what, (int)marks);
        refused += marks < 0;
        gone_on += marks >= 0 && marks < MARKS;
    }
    assert_true(refused > 0 && gone_on > 0);
}

/* A file of another name, or of another run, and one that no journal made. */
static void refuses_others(void **state)
{
    run r;
    static const char *const OTHERS[] = {"my notes", "my notes\n", "rhomb-resume 3 0\npairs 1 2\n"};
    restore();
    assert_int_equal(open_run(&r, KEY + 1), CLI_FAILED);
    close_run(&r);
    for (size_t i = 0; i < COUNT(OTHERS); i++) {
        static char bytes[BYTES_MOST + 1];
        restore();
        write_file(NAMES[2], OTHERS[i], strlen(OTHERS[i]));
        /* With an output or, where it is not taken for an earlier run's, without. */
        for (int has_output = 1; has_output >= (i == 2); has_output--) {
            if (!has_output)
                unlink(NAMES[0]);
            assert_int_equal(open_run(&r, KEY), CLI_FAILED);
            close_run(&r);
            bytes[read_file(NAMES[2], bytes)] = '\0';
            assert_string_equal(bytes, OTHERS[i]);
        }
    }
    /* Links lead elsewhere. */
    for (int f = 0; f < FILES; f++) {
        restore();
        unlink(NAMES[f]);
        assert_int_equal(symlink("elsewhere", NAMES[f]), 0);
        assert_int_equal(open_run(&r, KEY), CLI_FAILED);
        close_run(&r);
        assert_int_not_equal(access("elsewhere", F_OK), 0);
        unlink(NAMES[f]);
    }
}

enum { SEQUENCES = 20 };

static int64_t distance_of(int64_t pair)
{
    rng g = rng_for("distances of a matrix", pair);
    return rng_between(&g, -1, 1 << rng_below(&g, 30));
}

/* A cli_matrix_take_fn: all that the file has is right. */
static bool take(int64_t row, int64_t column, const int64_t *distances, size_t count, void *user)
{
    int64_t *next = user;
    for (size_t i = 0; i < count; i++, ++*next)
        if (rhomb_matrix_pair(row, column) + (int64_t)i != *next ||
            distances[i] != distance_of(*next))
            fail_msg("pair %d of a matrix is another one", (int)*next);
    return true;
}

/* The exit status; how many pairs the file of a matrix has. */
static int open_matrix(cli_matrix_resume *resume, int64_t *pairs)
{
    int64_t next = 0;
    const int out = silence(-1);
    *resume = (cli_matrix_resume){.path = NULL};
    *pairs = 0;
    const int status = cli_matrix_resume_open(resume, "matrix", "0123456789abcdef0123456789abcdef",
                                              SEQUENCES, take, &next, pairs);
    silence(out);
    if (status == CLI_OK)
        assert_int_equal(next, *pairs);
    return status;
}

/* The file of a matrix, of which the last lines are not complete. */
static void notices_damage_of_matrix(void **state)
{
    static contents c;
    cli_matrix_resume resume;
    int64_t pairs, refused = 0, gone_on = 0;
    rng g = rng_for("pieces of a matrix", 0);
    assert_int_equal(open_matrix(&resume, &pairs), CLI_OK);
    for (int64_t row = 1; row < SEQUENCES; row++) {
        for (int64_t column = 0, count; column < row; column += count) {
            int64_t distances[SEQUENCES];
            count = rng_between(&g, 1, row - column);
            for (int64_t i = 0; i < count; i++)
                distances[i] = distance_of(rhomb_matrix_pair(row, column) + i);
            assert_true(cli_matrix_resume_add(&resume, row, column, distances, (size_t)count));
        }
    }
    assert_true(cli_matrix_resume_close(&resume));
    c.length = read_file("matrix", c.bytes) - 9;
    for (int i = 0; i < amount(10000); i++) {
        char what[80];
        g = rng_for("damage of a matrix", i);
        (void)damage(&g, "matrix", &c, c.length, what);
        if (open_matrix(&resume, &pairs) != CLI_OK)
            refused++;
        else
            gone_on += pairs < rhomb_matrix_pair(SEQUENCES, 0);
        if (resume.file != NULL)
            fclose(resume.file);
    }
    unlink("matrix");
    assert_true(refused > 0 && gone_on > 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_on_anywhere),
        cmocka_unit_test(notices_damage),
        cmocka_unit_test(refuses_others),
        cmocka_unit_test(notices_damage_of_matrix),
    };
    amount_from(argc, argv, 1);
    return cmocka_run_group_tests(tests, write_all, remove_all);
}
