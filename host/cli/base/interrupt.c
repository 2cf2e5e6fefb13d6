/* SPDX-License-Identifier: MIT */
/*
 * Signals. While the device works, the first signal only stores its number, and the progress
 * callback stops the library call. At other times (reading files, building kernels for a self-test)
 * nothing would check a flag, so the handler ends the program itself. The state is atomic because a
 * driver's thread may get the signal.
 */
#include "host/cli/base/cli.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct {
    int number;
    const char *message;
} SIGNALS[] = {
    {SIGINT, "rhomb: stopped by SIGINT"},
    {SIGTERM, "rhomb: stopped by SIGTERM"},
    {SIGHUP, "rhomb: stopped by SIGHUP"},
};

static atomic_int deferred_signal;
static atomic_llong deferred_ms; /* when it came */
static atomic_int last_deferred; /* 0 while none was */
static atomic_bool deferring;
/* The temporary files that may exist at the same time: data, its index, a report and a list. */
static _Atomic(const char *) temporary_paths[4];

static const char *message_of(int number)
{
    for (size_t i = 0; i < CLI_COUNT(SIGNALS); i++) {
        if (SIGNALS[i].number == number)
            return SIGNALS[i].message;
    }
    return "rhomb: stopped by a signal";
}

/* A thread that blocks all signals is creating one, which is not in temporary_paths yet. */
static atomic_bool making;

static void remove_temporaries(void)
{
    while (atomic_load(&making))
        poll(NULL, 0, 1);
    for (size_t i = 0; i < CLI_COUNT(temporary_paths); i++) {
        const char *path = atomic_load(&temporary_paths[i]);
        if (path != NULL)
            unlink(path);
    }
}

/*
 * A signal that comes again within this time is the same wish: timeout(1) and batch systems send it
 * to a process and to its group.
 */
#define SAME_MS 1000

/* Whether a signal is left to the callback. */
static bool is_deferred(int number)
{
    struct timespec now;
    int none = 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long long ms = (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    if (!atomic_load(&deferring)) /* it may be ending for the same signal */
        return atomic_load(&last_deferred) == number && ms - atomic_load(&deferred_ms) < SAME_MS;
    if (atomic_load(&deferred_signal) == 0)
        atomic_store(&deferred_ms, ms);
    atomic_store(&last_deferred, number);
    return atomic_compare_exchange_strong(&deferred_signal, &none, number) ||
           ms - atomic_load(&deferred_ms) < SAME_MS;
}

/* Only functions that POSIX allows in a handler. */
static void on_signal(int number)
{
    if (is_deferred(number))
        return;
    remove_temporaries();
    const char *message = message_of(number);
    if (write(STDERR_FILENO, message, strlen(message)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
        _exit(128 + number);
    _exit(128 + number);
}

/* The reader has gone. With SA_RESETHAND the raised signal ends the program once this returns. */
static void on_broken_pipe(int number)
{
    remove_temporaries();
    raise(number);
}

/* Does nothing if the caller of the program had the signal ignored. */
static void install(int number, void (*handler)(int), int flags)
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN)
        return;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void cli_interrupts_install(void)
{
    for (size_t i = 0; i < CLI_COUNT(SIGNALS); i++)
        install(SIGNALS[i].number, on_signal, SA_RESTART);
    install(SIGPIPE, on_broken_pipe, (int)SA_RESETHAND);
    /* At a file's size limit the write fails, instead of ending the program. */
    signal(SIGXFSZ, SIG_IGN);
}

void cli_interrupts_defer(void)
{
    atomic_store(&deferring, true);
}

void cli_interrupts_restore(void)
{
    atomic_store(&deferring, false);
}

int cli_interrupted(void)
{
    return atomic_load(&deferred_signal);
}

int cli_stopped(int signal_number)
{
    cli_clear_status_line();
    fprintf(stderr, "%s\n", message_of(signal_number));
    return 128 + signal_number;
}

/* Replaces `from` with `to` in temporary_paths; does nothing if it is not there. */
static void replace_path(const char *from, const char *to)
{
    for (size_t i = 0; i < CLI_COUNT(temporary_paths); i++) {
        const char *expected = from;
        if (atomic_compare_exchange_strong(&temporary_paths[i], &expected, to))
            return;
    }
}

int cli_interrupts_make(char *path)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    atomic_store(&making, true);
    const int file = mkstemp(path);
    const int code = errno;
    if (file >= 0)
        replace_path(NULL, path);
    atomic_store(&making, false);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return file;
}

void cli_interrupts_keep(const char *path)
{
    if (path != NULL)
        replace_path(path, NULL);
}
