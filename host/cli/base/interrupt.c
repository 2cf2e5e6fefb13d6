/* SPDX-License-Identifier: MIT */
/*
 * Signals. While the device works, the first signal only leaves its number, and the progress
 * callback stops the library's call; at other times (reading files, building kernels for a
 * self-test) nothing would look at a flag, so that the handler ends the program itself. Atomics,
 * because a driver's thread may be the one that gets the signal.
 */
#include "host/cli/base/cli.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
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
static atomic_bool deferring;
/* The temporary files there may be at a time: data and a report. */
static _Atomic(const char *) temporary_paths[2];

static const char *message_of(int number)
{
    for (size_t i = 0; i < CLI_COUNT(SIGNALS); i++) {
        if (SIGNALS[i].number == number)
            return SIGNALS[i].message;
    }
    return "rhomb: stopped by a signal";
}

/* A thread that no signal gets is making one, which is in no place yet. */
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

/* Only functions that POSIX allows in a handler. */
static void on_signal(int number)
{
    int none = 0;
    if (atomic_load(&deferring) && atomic_compare_exchange_strong(&deferred_signal, &none, number))
        return;
    remove_temporaries();
    const char *message = message_of(number);
    if (write(STDERR_FILENO, message, strlen(message)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
        _exit(128 + number);
    _exit(128 + number);
}

/* Nobody reads any more. SA_RESETHAND has it end the program once this returns. */
static void on_broken_pipe(int number)
{
    remove_temporaries();
    raise(number);
}

/* Unless the caller of the program had the signal ignored. */
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
    /* A file that grows to the limit of its size is an error of the write, not the end. */
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

/* Puts `to` in the place that has `from`; nothing where there is none. */
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
