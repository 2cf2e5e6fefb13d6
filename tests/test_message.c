/* SPDX-License-Identifier: MIT */
/*
 * A message is one write, however much of it is escaped and however long it is: standard error has
 * no buffer, and several programs may write to the same one. A socket keeps writes apart.
 */
#include <sys/socket.h>
#include <unistd.h>

#include "host/cli/base/cli.h"
#include "support/test.h"

enum { LONGEST = 20000 };

static int standard_error, ends[2];

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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
