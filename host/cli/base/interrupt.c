/* SPDX-License-Identifier: MIT */
/*
 * Signals. A thread waits for them, and all others, a driver's too, have them blocked: LLVM, in
 * PoCL, has handlers of its own while it compiles, which remove its temporary files and so make the
 * build fail. While the device works, the first signal only stores its number, and the progress
 * callback stops the library call. At other times (reading files, building kernels for a self-test)
 * nothing would check a flag, so the thread ends the program itself.
 */
#include "host/cli/base/cli.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
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

/* Enough for a thread that calls a few functions of the C library, with sanitizers too. */
#define STACK_SIZE (256 * 1024)

/* The signals that the program's caller had not ignored. */
static sigset_t waited_for;
static atomic_int deferred_signal;
static atomic_bool deferring;
/*
 * The temporary files that may exist at the same time: data, its index, records that are kept, a
 * report and lists; or data, variants, and a folder with all that is in it.
 */
static pthread_mutex_t temporaries = PTHREAD_MUTEX_INITIALIZER;
static const char *temporary_paths[16];

static const char *message_of(int number)
{
    for (size_t i = 0; i < CLI_COUNT(SIGNALS); i++) {
        if (SIGNALS[i].number == number)
            return SIGNALS[i].message;
    }
    return "rhomb: stopped by a signal";
}

/*
 * Removes the files, and folders before them in the list, before the program ends, and keeps the
 * list, so that no other thread makes one or frees a name. A thread that has the list has all
 * signals blocked, so that a handler, which may not wait for a mutex, never waits for its own
 * thread.
 */
static void remove_temporaries(void)
{
    while (pthread_mutex_trylock(&temporaries) != 0)
        poll(NULL, 0, 1);
    for (size_t i = CLI_COUNT(temporary_paths); i-- > 0;)
        if (temporary_paths[i] != NULL && unlink(temporary_paths[i]) != 0)
            rmdir(temporary_paths[i]);
}

/*
 * A signal that comes again within this time is the same wish: timeout(1) and batch systems send it
 * to a process and to its group.
 */
#define SAME_MS 1000

/* Whether a signal is left to the callback. Only the thread that takes them asks. */
static bool is_deferred(int number)
{
    static long long deferred_ms; /* when the first one came */
    static int last_deferred;     /* 0 while none was */
    struct timespec now;
    int none = 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long long ms = (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    if (!atomic_load(&deferring)) /* it may be ending for the same signal */
        return last_deferred == number && ms - deferred_ms < SAME_MS;
    if (atomic_load(&deferred_signal) == 0)
        deferred_ms = ms;
    last_deferred = number;
    return atomic_compare_exchange_strong(&deferred_signal, &none, number) ||
           ms - deferred_ms < SAME_MS;
}

/* The thread that takes the signals, for as long as the program runs. */
static void *wait_for_signals(void *nothing)
{
    for (;;) {
        int number = 0;
        if (sigwait(&waited_for, &number) != 0 || is_deferred(number))
            continue;
        remove_temporaries();
        /* Not stdio, whose locks another thread may hold. */
        const char *message = message_of(number);
        if (write(STDERR_FILENO, message, strlen(message)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
            _exit(128 + number);
        _exit(128 + number);
    }
    return nothing;
}

/*
 * Signals that end the program on the thread that they come to: the reader has gone, or a driver
 * aborts or crashes. With SA_RESETHAND the raised one does so once the handler returns.
 */
static const int FATAL[] = {SIGPIPE, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};

static void on_fatal(int number)
{
    remove_temporaries();
    raise(number);
}

/* Whether the program's caller had the signal ignored. */
static bool is_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN;
}

/* Does nothing where the signal is ignored, or a sanitizer has a handler. */
static void catch_fatal(int number)
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || action.sa_handler != SIG_DFL)
        return;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_fatal;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void cli_interrupts_block(void)
{
    sigemptyset(&waited_for);
    for (size_t i = 0; i < CLI_COUNT(SIGNALS); i++)
        if (!is_ignored(SIGNALS[i].number))
            sigaddset(&waited_for, SIGNALS[i].number);
    pthread_sigmask(SIG_BLOCK, &waited_for, NULL);
}

void cli_interrupts_unblock(void)
{
    pthread_sigmask(SIG_UNBLOCK, &waited_for, NULL);
}

/* Starts the thread; without it the signals keep their default action. */
static void start_waiting(void)
{
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK_SIZE);
    pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &small, wait_for_signals, NULL) != 0)
        cli_interrupts_unblock();
    pthread_attr_destroy(&small);
}

void cli_interrupts_install(void)
{
    for (size_t i = 0; i < CLI_COUNT(FATAL); i++)
        catch_fatal(FATAL[i]);
    /* At a file's size limit the write fails, instead of ending the program. */
    signal(SIGXFSZ, SIG_IGN);
    start_waiting();
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

static void lock_temporaries(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
    pthread_mutex_lock(&temporaries);
}

static void unlock_temporaries(const sigset_t *before)
{
    pthread_mutex_unlock(&temporaries);
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* Replaces `from` with `to` in temporary_paths; does nothing if it is not there. */
static void replace_path(const char *from, const char *to)
{
    for (size_t i = 0; i < CLI_COUNT(temporary_paths); i++) {
        if (temporary_paths[i] == from) {
            temporary_paths[i] = to;
            return;
        }
    }
}

int cli_interrupts_make(char *path)
{
    sigset_t before;
    lock_temporaries(&before);
    const int file = mkstemp(path);
    const int code = errno;
    if (file >= 0)
        replace_path(NULL, path);
    unlock_temporaries(&before);
    errno = code;
    return file;
}

void cli_interrupts_add(const char *path)
{
    sigset_t before;
    lock_temporaries(&before);
    replace_path(NULL, path);
    unlock_temporaries(&before);
}

void cli_interrupts_keep(const char *path)
{
    sigset_t before;
    if (path == NULL)
        return;
    lock_temporaries(&before);
    replace_path(path, NULL);
    unlock_temporaries(&before);
}
