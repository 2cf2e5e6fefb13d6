/* SPDX-License-Identifier: MIT */
/*
 * Words and figures of the program. The keys of --tune, which rhomb and rhomb_bench read with the
 * same code: each sets its own field, every one is in the help text, and what is not understood is
 * pointed at. The definitions of rhomb/identity.h: by hand, and at their ends; how percentages are
 * rounded; and that what kernels took to build says nothing of the time left. A message is one
 * write, however much of it is escaped and however long it is: standard error has no buffer, and
 * several programs may write to the same one.
 */
#include <math.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host/cli/base/cli.h"
#include "host/cli/base/words.h"
#include "rhomb/identity.h"
#include "support/test.h"

/* Different values for all keys that are counts. */
static const char ALL[] =
    "shape=diamond,group=1,items=2,scores=3,launches=4,prune=off,words=8,blocks=9,"
    "directions=10,wide=6G:13:14:15,local=21:22:23,chunk=24";

static const char *read_pair(const char *text, rhomb_tuning *tuning)
{
    return cli_read_keys(text, cli_pair_keys, CLI_COUNT(cli_pair_keys), tuning);
}

static void test_fields(void **state)
{
    rhomb_tuning t = RHOMB_TUNING_INIT;
    assert_null(read_pair(ALL, &t));
    assert_int_equal(t.tile_shape, RHOMB_TILE_DIAMOND);
    assert_true(t.no_pruning);
    const int32_t got[] = {t.group_size,        t.diagonals_per_item,   t.tile_scores,
                           t.launches_per_read, t.words_per_item,       t.blocks_per_launch,
                           t.directions,        t.wide_group_size,      t.wide_diagonals_per_item,
                           t.wide_tile_scores,  t.local_group_size,     t.local_item_rows,
                           t.local_steps,       (int32_t)t.chunk_strips};
    const int32_t expected[] = {1, 2, 3, 4, 8, 9, 10, 13, 14, 15, 21, 22, 23, 24};
    assert_memory_equal(got, expected, sizeof expected);
    assert_true(t.wide_diagonals == INT64_C(6000000000));
    assert_null(read_pair("wide=18M:1:1:1", &t));
    assert_true(t.wide_diagonals == 18000000);
    assert_null(read_pair("wide=20K:1:1:1", &t));
    assert_true(t.wide_diagonals == 20000);
}

static void test_words(void **state)
{
    rhomb_tuning t = RHOMB_TUNING_INIT;
    assert_null(read_pair("prune=off,prune=on,shape=trapezoid", &t));
    assert_false(t.no_pruning);
    assert_int_equal(t.tile_shape, RHOMB_TILE_TRAPEZOID);
}

/* The help lists exactly these keys; its first line begins with the option, the rest follows. */
static void test_help(void **state)
{
    char keys[sizeof ALL + 1], help[] = CLI_TUNE_HELP;
    size_t listed = 0;
    snprintf(keys, sizeof keys, ",%s", ALL);
    const char *begin = strstr(help, "shape"), *end = strstr(help, ": for");
    assert_non_null(begin);
    assert_non_null(end);
    help[end - help] = '\0';
    for (char *key = strtok(help + (begin - help), " ,;\n"); key != NULL; listed++) {
        char sought[64];
        snprintf(sought, sizeof sought, ",%s=", key);
        if (strstr(keys, sought) == NULL)
            fail_msg("the help has %s", key);
        key = strtok(NULL, " ,;\n");
    }
    size_t known = 0;
    for (const char *at = ALL; *at != '\0'; at++)
        known += *at == '=';
    assert_int_equal(listed, known);
}

static void test_unknown(void **state)
{
    static const char *const WRONG[] = {
        "",           "words",         "words=",         "words=x",   "words=1K,",        "wides=1",
        "wide=1:2:3", "wide=1:2:3:4:", "wide=1:2:3:4:5", "group=1:2", "group=3000000000", "shape=",
        "prune=1",    "group=-1"};
    for (size_t i = 0; i < CLI_COUNT(WRONG); i++) {
        char text[128];
        rhomb_tuning t = RHOMB_TUNING_INIT;
        assert_non_null(read_pair(WRONG[i], &t));
        snprintf(text, sizeof text, "items=2,%s", WRONG[i]);
        const char *unknown = read_pair(text, &t);
        assert_true(unknown != NULL && unknown >= text + 8);
        assert_int_equal(t.diagonals_per_item, 2);
    }
}

/* 90 matches, 4 mismatches, an insertion of 6 bases in one gap and deletions of 10 in two. */
static void test_identity(void **state)
{
    assert_true(fabs(rhomb_similarity(20, 104) - 84.0 / 104) < 1e-15);
    assert_true(fabs(rhomb_identity(90, 110) - 90.0 / 110) < 1e-15);
    assert_true(fabs(rhomb_gap_compressed_identity(90, 4, 3) - 90.0 / 97) < 1e-15);
    assert_true(fabs(rhomb_gap_compressed_divergence(90, 4, 3) - 7.0 / 97) < 1e-15);
    assert_true(rhomb_similarity(0, 9) == 1 && rhomb_similarity(7, 7) == 0);
    assert_true(rhomb_identity(0, 5) == 0 && rhomb_identity(5, 5) == 1);
    assert_true(rhomb_gap_compressed_identity(0, 0, 1) == 0);
    assert_true(rhomb_gap_compressed_divergence(INT64_C(1) << 40, 1, 0) > 0);
}

/* Rounded to two decimals, but all and nothing, which nothing else looks like. */
static void check_percent(int64_t part, int64_t whole, const char *wanted)
{
    char text[32];
    snprintf(text, sizeof text, "%.2f", cli_percent((double)part / (double)whole));
    if (strcmp(text, wanted) != 0)
        fail_msg("%" PRId64 " of %" PRId64 ": %s instead of %s", part, whole, text, wanted);
}

static void test_percentages(void **state)
{
    check_percent(0, 7, "0.00");
    check_percent(7, 7, "100.00");
    check_percent(1, INT64_C(1000000000000), "0.01");
    check_percent(INT64_C(999999999999), INT64_C(1000000000000), "99.99");
    check_percent(99994, 100000, "99.99");
    check_percent(99996, 100000, "99.99");
    check_percent(99985, 100000, "99.99");
    check_percent(99984, 100000, "99.98");
    check_percent(2, 3, "66.67");
    check_percent(1, 3, "33.33");
    check_percent(1, 8, "12.50");
    /* Halves go up, whatever the quotient's last bit. */
    for (int64_t i = 1; i < 9999; i++) {
        char wanted[32];
        snprintf(wanted, sizeof wanted, "%" PRId64 ".%02" PRId64, (i + 1) / 100, (i + 1) % 100);
        check_percent(2 * i + 1, 20000, wanted);
        snprintf(wanted, sizeof wanted, "%" PRId64 ".%02" PRId64, i / 100, i % 100);
        check_percent(i, 10000, wanted);
        check_percent(20 * i + 9, 200000, wanted);
    }
}

static bool quiet(cli_progress *progress, double seconds, bool building)
{
    return !cli_progress_is_due(progress, seconds, building);
}

static void test_time_left(void **state)
{
    cli_progress progress;
    cli_set_verbosity(-1);
    cli_progress_start(&progress, "a device");
    assert_true(quiet(&progress, 1, false));
    assert_true(fabs(cli_progress_to_go(&progress, 1, 0.25) - 3) < 1e-9);
    /* Kernels are built from 2 to 32 s and from 33 to 43 s. */
    assert_true(quiet(&progress, 2, true) && quiet(&progress, 20, true));
    assert_true(quiet(&progress, 32, false));
    assert_true(fabs(cli_progress_to_go(&progress, 32, 0.5) - 2) < 1e-9);
    assert_true(quiet(&progress, 33, true) && quiet(&progress, 43, false));
    assert_true(fabs(cli_progress_to_go(&progress, 45, 0.5) - 5) < 1e-9);
    cli_clear_status_line();
}

/* Each row finds the first one of its key. */
static void test_rows(void **state)
{
    for (size_t i = 0; i < CLI_COUNT(cli_pair_keys); i++) {
        char text[64];
        const cli_key *key = &cli_pair_keys[i];
        snprintf(text, sizeof text, "%s=1", key->key);
        assert_ptr_equal(cli_find_key(text, key, 1), key);
        assert_string_equal(cli_find_key(text, cli_pair_keys, i + 1)->key, key->key);
    }
    assert_null(cli_find_key("wid=1", cli_pair_keys, CLI_COUNT(cli_pair_keys)));
}

enum { LONGEST = 20000 };

static int standard_error, ends[2]; /* a socket, which keeps writes apart */

static int redirect(void **state)
{
    standard_error = dup(STDERR_FILENO);
    return socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0 && standard_error >= 0 &&
                   dup2(ends[1], STDERR_FILENO) == STDERR_FILENO
               ? 0
               : -1;
}

static int restore(void **state)
{
    dup2(standard_error, STDERR_FILENO);
    close(standard_error);
    close(ends[0]);
    close(ends[1]);
    return 0;
}

/* What the first write since the last time wrote is `line`, and there was no other. */
static void expect(const char *line)
{
    static char got[LONGEST];
    const ssize_t length = recv(ends[0], got, sizeof got, MSG_DONTWAIT);
    const ssize_t more = recv(ends[0], got + (length > 0 ? length : 0), 1, MSG_DONTWAIT);
    assert_int_equal(length, strlen(line));
    assert_memory_equal(got, line, strlen(line));
    assert_true(more < 0);
}

static void test_one_write(void **state)
{
    cli_error("%s: %d", "no such file", 7);
    expect("rhomb: error: no such file: 7\n");
    cli_say("%s", "");
    expect("rhomb: \n");
    cli_note(0, "a\tb\x1b[31m\xff"
                "\xc3\xa9\x7f\xc2\x9b.");
    expect("rhomb: a\tb\\x1b[31m\\xff\xc3\xa9\\x7f\\xc2\\x9b.\n");
}

static void test_long(void **state)
{
    static char text[4001], line[LONGEST];
    static const size_t LENGTHS[] = {898, 899, 900, 901, 1022, 1023, 1024, 1025, 4000};
    for (size_t i = 0; i < CLI_COUNT(LENGTHS); i++) {
        for (int escaped = 0; escaped < 2; escaped++) {
            memset(text, escaped ? '\x1b' : 'x', LENGTHS[i]);
            text[LENGTHS[i]] = '\0';
            char *end = line + sprintf(line, "rhomb: ");
            for (size_t k = 0; k < LENGTHS[i]; k++)
                end += sprintf(end, "%s", escaped ? "\\x1b" : "x");
            sprintf(end, "\n");
            cli_say("%s", text);
            expect(line);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_one_write, redirect, restore),
        cmocka_unit_test_setup_teardown(test_long, redirect, restore),
        TEST_LIST(cmocka_unit_test, test_fields, test_words, test_help, test_unknown, test_rows,
                  test_identity, test_percentages, test_time_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
