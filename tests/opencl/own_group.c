/* SPDX-License-Identifier: MIT */
/*
 * See own_group.h. An item is a fiber that hands control back at each barrier. Stacks are separate
 * allocations, so that AddressSanitizer sees an item that leaves its own; it has to be told of
 * each switch, because it keeps a picture of the stack.
 *
 * A barrier is two switches, and millions of them are half of what the tests do: swapcontext()
 * makes a system call each time, and the sanitizer's forgets the picture. So registers are kept
 * here, where it is known how; elsewhere by swapcontext().
 */
#include "own_group.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__x86_64__) && defined(__ELF__)
#    define GROUP_UCONTEXT 0
#else
#    define GROUP_UCONTEXT 1
#    include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#    define GROUP_ASAN 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define GROUP_ASAN 1
#    endif
#endif
#ifndef GROUP_ASAN
#    define GROUP_ASAN 0
#endif
#if GROUP_ASAN
#    include <sanitizer/asan_interface.h>
#    include <sanitizer/common_interface_defs.h>
#endif

#define STACK_BYTES ((size_t)128 << 10)

#if GROUP_UCONTEXT

typedef ucontext_t place;

static bool switch_places(place *from, const place *to)
{
    return swapcontext(from, to) == 0;
}

static bool make_place(place *made, void *stack, void (*entry)(void))
{
    if (getcontext(made) != 0)
        return false;
    made->uc_stack.ss_sp = stack;
    made->uc_stack.ss_size = STACK_BYTES;
    made->uc_link = NULL;
    makecontext(made, entry, 0);
    return true;
}

#else

/* Where a stack ends, below the registers that a function has to leave as they were. */
typedef struct place {
    void *top;
} place;

void rhomb_switch_stacks(void **from, void *to);
__asm__(".text\n"
        ".globl rhomb_switch_stacks\n"
        ".hidden rhomb_switch_stacks\n"
        ".type rhomb_switch_stacks, @function\n"
        "rhomb_switch_stacks:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size rhomb_switch_stacks, . - rhomb_switch_stacks\n");

static bool switch_places(place *from, const place *to)
{
    rhomb_switch_stacks(&from->top, to->top);
    return true;
}

/* The first switch returns to the entry, which has no caller, with the stack as after a call. */
static bool make_place(place *made, void *stack, void (*entry)(void))
{
    enum { REGISTERS = 6 };
    uintptr_t *top = (uintptr_t *)((char *)stack + STACK_BYTES - 16);
    *--top = 0;
    *--top = (uintptr_t)entry;
    for (int i = 0; i < REGISTERS; i++)
        *--top = 0;
    made->top = top;
    return true;
}

#endif

typedef struct fiber {
    place place;
    void *stack;
    bool ended;
} fiber;

static group_item item;
const group_item *const group_now = &item;

static struct {
    place place; /* of group_launch() */
    const void *stack;
    size_t stack_bytes;
    const group_kernel *kernel;
    void *const *arguments;
    fiber *fibers; /* as many as any group had; they are kept */
    size_t fiber_count;
    bool barriers, is_plain; /* plain calls */
} scheduler;

static _Noreturn void stop(const char *why)
{
    fprintf(stderr, "OpenCL: %s, group %zu, item %zu: %s\n", scheduler.kernel->name,
            item.group_id[0] + item.group_id[1] + item.group_id[2], item.local_id[0], why);
    abort();
}

/* Goes from the scheduler to a fiber, until it is back. */
static void resume(fiber *f)
{
#if GROUP_ASAN
    void *saved = NULL;
    __sanitizer_start_switch_fiber(&saved, f->stack, STACK_BYTES);
#endif
    if (!switch_places(&scheduler.place, &f->place))
        stop("cannot switch");
#if GROUP_ASAN
    __sanitizer_finish_switch_fiber(saved, NULL, NULL);
#endif
}

/* Goes from a fiber back to the scheduler; an ended one does not return. */
static void yield(fiber *f)
{
#if GROUP_ASAN
    void *saved = NULL;
    __sanitizer_start_switch_fiber(f->ended ? NULL : &saved, scheduler.stack,
                                   scheduler.stack_bytes);
#endif
    if (!switch_places(&f->place, &scheduler.place))
        stop("cannot switch");
#if GROUP_ASAN
    __sanitizer_finish_switch_fiber(saved, &scheduler.stack, &scheduler.stack_bytes);
#endif
}

static void run_fiber(void)
{
    fiber *f = &scheduler.fibers[item.local_id[0]];
#if GROUP_ASAN
    __sanitizer_finish_switch_fiber(NULL, &scheduler.stack, &scheduler.stack_bytes);
#endif
    scheduler.kernel->call(scheduler.arguments);
    f->ended = true;
    yield(f);
}

static void start(fiber *f)
{
    f->ended = false;
#if GROUP_ASAN
    __asan_unpoison_memory_region(f->stack, STACK_BYTES); /* from the fiber that had it before */
#endif
    if (!make_place(&f->place, f->stack, run_fiber))
        stop("cannot start");
}

static void run_group(void)
{
    const size_t size = item.local_size[0];
    size_t ended = 0;
    for (size_t i = 0; scheduler.is_plain && i < size; i++) {
        item.local_id[0] = i;
        scheduler.kernel->call(scheduler.arguments);
    }
    if (scheduler.is_plain)
        return;
    for (size_t i = 0; i < size; i++)
        start(&scheduler.fibers[i]);
    for (size_t turn = 0; ended == 0; turn++) {
        for (size_t i = 0; i < size; i++) {
            item.local_id[0] = turn % 2 == 0 ? i : size - 1 - i;
            fiber *f = &scheduler.fibers[item.local_id[0]];
            resume(f);
            ended += f->ended;
        }
    }
    if (ended != size)
        stop("not all items reach the same barriers");
}

static void have_fibers(size_t count)
{
    if (count <= scheduler.fiber_count)
        return;
    scheduler.fibers = realloc(scheduler.fibers, count * sizeof *scheduler.fibers);
    for (; scheduler.fibers != NULL && scheduler.fiber_count < count; scheduler.fiber_count++) {
        void *stack = malloc(STACK_BYTES);
        if (stack == NULL)
            stop("no memory");
        scheduler.fibers[scheduler.fiber_count].stack = stack;
    }
    if (scheduler.fibers == NULL)
        stop("no memory");
}

void group_launch(const group_kernel *kernel, const size_t groups[3], size_t size, bool barriers,
                  void *const *arguments)
{
    scheduler.kernel = kernel;
    scheduler.arguments = arguments;
    scheduler.barriers = barriers;
    scheduler.is_plain = !barriers || size == 1;
    item = (group_item){{groups[0], groups[1], groups[2]}, {0}, {size, 1, 1}, {0}};
    if (!scheduler.is_plain)
        have_fibers(size);
    size_t *at = item.group_id;
    for (at[2] = 0; at[2] < groups[2]; at[2]++)
        for (at[1] = 0; at[1] < groups[1]; at[1]++)
            for (at[0] = 0; at[0] < groups[0]; at[0]++)
                run_group();
}

void group_barrier(void)
{
    if (!scheduler.barriers)
        stop("a barrier in a kernel that is said to have none");
    if (!scheduler.is_plain)
        yield(&scheduler.fibers[item.local_id[0]]);
}
