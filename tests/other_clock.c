/* SPDX-License-Identifier: MIT */
/*
 * Gives a program another clock, for tests of what may not depend on time:
 *
 *     LD_PRELOAD=libother_clock.so RHOMB_TEST_CLOCK=RATE PROGRAM...
 *
 * RATE is how fast the monotonic clock runs: 0 stops it, 1000 makes a second of a millisecond,
 * "jumps" lets each reading come up to 50 ms after the last one, and with "cpu" it shows the
 * process's CPU seconds, by which a CPU's device can be timed beside other work. Only what the
 * program itself reads is changed: drivers and the C library wait by the true clock. Linked
 * statically, Rhomb's library is part of the program.
 */
#define _GNU_SOURCE /* dladdr() */

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NANOSECONDS INT64_C(1000000000)
#define MOST_JUMP   (NANOSECONDS / 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t began, jumped;
static uint64_t state = UINT64_C(88172645463325252);

static int is_program(const void *address)
{
    Dl_info caller, program;
    return dladdr(address, &caller) != 0 &&
           dladdr((const void *)getauxval(AT_ENTRY), &program) != 0 &&
           caller.dli_fbase == program.dli_fbase;
}

static int64_t elsewhere(int64_t now, const char *rate)
{
    if (began == 0)
        began = now;
    if (strcmp(rate, "jumps") != 0)
        return began + (int64_t)(strtod(rate, NULL) * (double)(now - began));
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    jumped += (int64_t)(state % MOST_JUMP);
    return began + jumped;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const char *rate = getenv("RHOMB_TEST_CLOCK");
    const int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result != 0 || clock != CLOCK_MONOTONIC || rate == NULL ||
        !is_program(__builtin_return_address(0)))
        return result;
    if (strcmp(rate, "cpu") == 0)
        return (int)syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, now);
    pthread_mutex_lock(&lock);
    const int64_t moment = elsewhere(now->tv_sec * NANOSECONDS + now->tv_nsec, rate);
    pthread_mutex_unlock(&lock);
    now->tv_sec = (time_t)(moment / NANOSECONDS);
    now->tv_nsec = (long)(moment % NANOSECONDS);
    return 0;
}
