/* SPDX-License-Identifier: MIT */
/*
 * Files that grow: a run that is stopped and goes on any number of times leaves what one run
 * leaves; whatever is damaged is refused, or what comes after it is done again; files that follow
 * each other are one.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/cli/base/cli.h"
#include "host/cli/many/journal.h"
#include "support/amount.h"
#include "support/rng.h"
#include "support/test.h"
#include "support/whole_files.h"

enum { MARKS = 12, BYTES_MOST = 1 << 18 };

#define IDENTITY "version: 1\ncall: test\n"

/* The file of a run that nobody stopped, and how much of it and of all else there is at each mark.
 */
static struct {
    char bytes[BYTES_MOST];
    size_t length;
    size_t at[MARKS + 1], text_at[2][MARKS + 1], rests_at[MARKS + 1], held_at[MARKS + 1];
} whole;

typedef struct run {
    cli_journal *journal;
    cli_unaligned unaligned;
    cli_buffer text[2];
} run;

static run first; /* which was not stopped */

/* Has no messages, from now on or, with what that has returned, no longer. */
static int silence(int before)
{
    const int other = before < 0 ? open("/dev/null", O_WRONLY) : before;
    const int now = before < 0 ? dup(STDERR_FILENO) : -1;
    dup2(other, STDERR_FILENO);
    close(other);
    return now;
}

/* A cli_journal_take. */
static int take(int output, const char *text, size_t length, void *user)
{
    cli_append_bytes(&((run *)user)->text[output], text, length);
    return CLI_OK;
}

/* Opens the file, and takes what it has. The exit status. */
static int open_run(run *r, const char *identity)
{
    const int out = silence(-1);
    *r = (run){.journal = NULL};
    const int status = cli_journal_open(&r->journal, "kept", identity, CLI_JOURNAL_PAIRS);
    if (status == CLI_OK)
        assert_int_equal(cli_journal_repeat(r->journal, &r->unaligned, take, r), CLI_OK);
    silence(out);
    return status;
}

static void close_run(run *r)
{
    cli_journal_release(r->journal);
    cli_unaligned_release(&r->unaligned);
    cli_buffer_release(&r->text[0]);
    cli_buffer_release(&r->text[1]);
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
        (i == 0 ? cli_journal_first : cli_journal_second)(r->journal, text, length);
        cli_append_bytes(&r->text[i], text, length);
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
    const int64_t counted[CLI_JOURNAL_COUNTS] = {3 * number, 5 * number};
    write_pair(r, number);
    assert_int_equal(cli_journal_mark(r->journal, number, &r->unaligned, counted), CLI_OK);
}

/* What the file has, for free(). */
static char *read_kept(size_t *length)
{
    return file_read("kept", length);
}

static size_t file_size(void)
{
    size_t length;
    free(read_kept(&length));
    return length;
}

/* A run of all pairs, which is stopped within the one after the last. */
static int write_all(void **state)
{
    static char folder[] = "/tmp/test_journal.XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(open_run(&first, IDENTITY), CLI_OK);
    assert_int_equal(cli_journal_settle(first.journal), CLI_OK);
    for (int i = 0; i <= MARKS; i++) {
        if (i > 0)
            mark(&first, i);
        whole.rests_at[i] = cli_unaligned_count(&first.unaligned);
        whole.held_at[i] = cli_unaligned_held_count(&first.unaligned);
        whole.at[i] = file_size();
        for (int k = 0; k < 2; k++)
            whole.text_at[k][i] = first.text[k].length;
    }
    write_pair(&first, MARKS + 1);
    assert_int_equal(cli_journal_settle(first.journal), CLI_OK);
    char *bytes = read_kept(&whole.length);
    assert_true(whole.length <= sizeof whole.bytes);
    memcpy(whole.bytes, bytes, whole.length);
    free(bytes);
    return 0;
}

static int remove_all(void **state)
{
    char folder[64];
    close_run(&first);
    unlink("kept");
    return getcwd(folder, sizeof folder) == NULL || chdir("/") != 0 || rmdir(folder) != 0;
}

/*
 * Opens what there is now, and closes it. The number of pairs that are complete, of which all has
 * to be as it was; -1 if the run was refused.
 */
static int64_t go_on(const char *what)
{
    size_t length;
    run r;
    if (open_run(&r, IDENTITY) != CLI_OK) {
        close_run(&r);
        return -1;
    }
    const int64_t marks = cli_journal_pairs(r.journal);
    assert_in_range(marks, 0, MARKS);
    assert_int_equal(cli_journal_counted(r.journal)[0], 3 * marks);
    assert_int_equal(cli_journal_counted(r.journal)[1], 5 * marks);
    assert_int_equal(cli_unaligned_count(&r.unaligned), whole.rests_at[marks]);
    assert_int_equal(cli_unaligned_held_count(&r.unaligned), whole.held_at[marks]);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(r.text[i].length, whole.text_at[i][marks]);
        if (marks > 0)
            assert_memory_equal(r.text[i].data, first.text[i].data, r.text[i].length);
    }
    close_run(&r);
    char *bytes = read_kept(&length);
    if (length != whole.at[marks] || memcmp(bytes, whole.bytes, length) != 0)
        fail_msg("%s: another file after %d marks", what, (int)marks);
    free(bytes);
    return marks;
}

static void goes_on_anywhere(void **state)
{
    run r;
    file_write("kept", whole.bytes, whole.length);
    assert_int_equal(go_on("nothing is damaged"), MARKS);
    for (int i = 0; i < amount(200); i++) {
        rng g = rng_for("stops of a journal", i);
        unlink("kept");
        for (int number = 0; number < MARKS;) {
            assert_int_equal(open_run(&r, IDENTITY), CLI_OK);
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

/* Damages the file, which has to be as it was. */
static void damage(rng *g, char what[80])
{
    static char bytes[BYTES_MOST + 100];
    size_t length = whole.length, at = (size_t)rng_below(g, (int64_t)length);
    memcpy(bytes, whole.bytes, length);
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
    file_write("kept", bytes, length);
    snprintf(what, 80, "damage %d at %zu", kind, at);
}

static void notices_damage(void **state)
{
    int refused = 0, gone_on = 0;
    for (int i = 0; i < amount(20000); i++) {
        rng g = rng_for("damage of a journal", i);
        char what[80];
        damage(&g, what);
        const int64_t marks = go_on(what);
        refused += marks < 0;
        gone_on += marks >= 0 && marks < MARKS;
    }
    assert_true(refused > 0 && gone_on > 0);
}

/* Files of another run, of another version, and that no run made; and a link. */
static void refuses_others(void **state)
{
    static const char *const OTHERS[] = {"my notes", "my notes\n", "rhomb-resume 4 0\npairs 1 2\n",
                                         "#rhomb-matrix 2 0703d895a3c472523d86f581669600ce 4\n"};
    size_t length;
    run r;
    file_write("kept", whole.bytes, whole.length);
    assert_int_equal(open_run(&r, IDENTITY "more: 1\n"), CLI_INPUT);
    close_run(&r);
    for (size_t i = 0; i < COUNT(OTHERS); i++) {
        file_write("kept", OTHERS[i], strlen(OTHERS[i]));
        assert_int_equal(open_run(&r, IDENTITY), CLI_INPUT);
        close_run(&r);
        char *bytes = read_kept(&length);
        assert_string_equal(bytes, OTHERS[i]);
        free(bytes);
    }
}

/* While another process has the file, whatever is in it: it is not read before. */
static void waits_for_nobody(void **state)
{
    int ready[2], over[2], status = 1;
    char byte;
    run r;
    file_write("kept", whole.bytes, whole.length);
    assert_int_equal(pipe(ready) | pipe(over), 0);
    const pid_t child = fork();
    if (child == 0) {
        close(over[1]); /* ends with its parent */
        const bool opened = open_run(&r, IDENTITY) == CLI_OK;
        _exit(opened && write(ready[1], "", 1) == 1 && read(over[0], &byte, 1) == 1 ? 0 : 1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(open_run(&r, IDENTITY "more: 1\n"), CLI_FAILED);
    close_run(&r);
    assert_int_equal(write(over[1], "", 1), 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* One after the other, of which the last one may not be complete. */
static void follow_each_other(void **state)
{
    static char bytes[2 * BYTES_MOST];
    rhomb__section section = {.end = 0};
    run r;
    int count = 0;
    memcpy(bytes, whole.bytes, whole.at[3]);
    memcpy(bytes + whole.at[3], whole.bytes, whole.at[2] + 5);
    file_write("kept", bytes, whole.at[3] + whole.at[2] + 5);
    assert_int_equal(open_run(&r, IDENTITY), CLI_OK);
    while (cli_journal_next(r.journal, &section))
        count += strcmp(section.name, CLI_JOURNAL_PAIRS) == 0;
    assert_int_equal(count, 5);
    assert_int_equal(cli_journal_pairs(r.journal), 2);
    mark(&r, 3);
    close_run(&r);
    assert_int_equal(file_size(), 2 * whole.at[3]);
    assert_int_equal(open_run(&r, IDENTITY), CLI_OK);
    close_run(&r);
    /* The first one is cut off. */
    memmove(bytes + whole.at[3] - 1, bytes + whole.at[3], whole.at[2]);
    file_write("kept", bytes, whole.at[3] + whole.at[2] - 1);
    assert_int_equal(open_run(&r, IDENTITY), CLI_INPUT);
    close_run(&r);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, goes_on_anywhere, notices_damage,
                                                 refuses_others, waits_for_nobody,
                                                 follow_each_other)};
    amount_from(argc, argv, 1);
    return cmocka_run_group_tests(tests, write_all, remove_all);
}
