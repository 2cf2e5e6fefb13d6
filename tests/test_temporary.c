/* SPDX-License-Identifier: MIT */
/*
 * A signal that comes right after mkstemp() leaves no temporary file, whatever threads there are.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/cli/base/cli.h"
#include "support/test.h"

int __real_mkstemp(char *path);
int __wrap_mkstemp(char *path);

/* The thread that waits for signals gets it at once, and has all the time that it may need. */
int __wrap_mkstemp(char *path)
{
    const int file = __real_mkstemp(path);
    kill(getpid(), SIGTERM);
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    return file;
}

static void *wait_for_ever(void *user)
{
    for (;;)
        pause();
    return user;
}

static void run(const char *name, bool threads)
{
    cli_output output;
    pthread_t thread;
    signal(SIGTERM, SIG_DFL);
    cli_interrupts_block();
    cli_interrupts_install();
    if (threads && pthread_create(&thread, NULL, wait_for_ever, NULL) != 0)
        _exit(1);
    if (cli_output_open(&output, name))
        wait_for_ever(NULL);
    _exit(1);
}

static void check(bool threads)
{
    char folder[] = "/tmp/test_temporary.XXXXXX";
    int status = 0;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        run("out.paf", threads);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 128 + SIGTERM);
    assert_int_equal(chdir("/"), 0);
    /* Only an empty folder is removed. */
    assert_int_equal(rmdir(folder), 0);
}

static void test_one_thread(void **state)
{
    check(false);
}

static void test_other_thread(void **state)
{
    check(true);
}

TEST_MAIN(test_one_thread, test_other_thread)
