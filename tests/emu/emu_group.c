/* SPDX-License-Identifier: MIT */
/*
 * See emu_group.h. An item is a fiber that hands control back at each barrier. Stacks are separate
 * allocations, so that AddressSanitizer sees an item that leaves its own; it has to be told of
 * each switch, because it keeps a picture of the stack.
 *
 * A barrier is two switches, and millions of them are half of what the tests do: swapcontext()
 * makes a system call each time, and the sanitizer's forgets the picture. So registers are kept
 * here, where it is known how; elsewhere by swapcontext().
 */
#include "emu_group.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__x86_64__) && defined(__ELF__)
#    define EMU_UCONTEXT 0
#else
#    define EMU_UCONTEXT 1
#    include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#    define EMU_ASAN 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define EMU_ASAN 1
#    endif
#endif
#ifndef EMU_ASAN
#    define EMU_ASAN 0
#endif
#if EMU_ASAN
#    include <sanitizer/asan_interface.h>
#    include <sanitizer/common_interface_defs.h>
#endif

/* An item holds at most 8 diagonals where a group has barriers, so it needs little. */
#define STACK_BYTES ((size_t)64 << 10)

#if EMU_UCONTEXT

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

void emu_switch_stacks(void **from, void *to);
__asm__(".text\n"
        ".globl emu_switch_stacks\n"
        ".hidden emu_switch_stacks\n"
        ".type emu_switch_stacks, @function\n"
        "emu_switch_stacks:\n"
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
        ".size emu_switch_stacks, . - emu_switch_stacks\n");

static bool switch_places(place *from, const place *to)
{
    emu_switch_stacks(&from->top, to->top);
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

struct emu_items emu_items;

static struct {
    place place; /* of emu_launch() */
    const void *stack;
    size_t stack_bytes;
    emu_item_fn item;
    const void *arguments;
    fiber *fibers; /* NULL: items are plain calls */
    bool barriers;
} scheduler;

static _Noreturn void stop(const char *why)
{
    fprintf(stderr, "emulated kernel, group %zu, item %zu: %s\n", emu_items.group_id,
            emu_items.local_id, why);
    abort();
}

/* Goes from the scheduler to a fiber, until it is back. */
static void resume(fiber *f)
{
#if EMU_ASAN
    void *saved = NULL;
    __sanitizer_start_switch_fiber(&saved, f->stack, STACK_BYTES);
#endif
    if (!switch_places(&scheduler.place, &f->place))
        stop("cannot switch");
#if EMU_ASAN
    __sanitizer_finish_switch_fiber(saved, NULL, NULL);
#endif
}

/* Goes from a fiber back to the scheduler; an ended one does not return. */
static void yield(fiber *f)
{
#if EMU_ASAN
    void *saved = NULL;
    __sanitizer_start_switch_fiber(f->ended ? NULL : &saved, scheduler.stack,
                                   scheduler.stack_bytes);
#endif
    if (!switch_places(&f->place, &scheduler.place))
        stop("cannot switch");
#if EMU_ASAN
    __sanitizer_finish_switch_fiber(saved, &scheduler.stack, &scheduler.stack_bytes);
#endif
}

static void run_fiber(void)
{
    fiber *f = &scheduler.fibers[emu_items.local_id];
#if EMU_ASAN
    __sanitizer_finish_switch_fiber(NULL, &scheduler.stack, &scheduler.stack_bytes);
#endif
    scheduler.item(scheduler.arguments);
    f->ended = true;
    yield(f);
}

static void start(fiber *f)
{
    f->ended = false;
#if EMU_ASAN
    __asan_unpoison_memory_region(f->stack, STACK_BYTES); /* from the fiber that had it before */
#endif
    if (!make_place(&f->place, f->stack, run_fiber))
        stop("cannot start");
}

static void run_group(void)
{
    const size_t size = emu_items.local_size;
    size_t ended = 0;
    for (size_t i = 0; i < size; i++)
        start(&scheduler.fibers[i]);
    for (size_t turn = 0; ended == 0; turn++) {
        for (size_t i = 0; i < size; i++) {
            emu_items.local_id = turn % 2 == 0 ? i : size - 1 - i;
            fiber *f = &scheduler.fibers[emu_items.local_id];
            resume(f);
            ended += f->ended;
        }
    }
    if (ended != size)
        stop("not all items reach the same barriers");
}

void emu_launch(size_t groups, size_t group_size, bool barriers, emu_item_fn item,
                const void *arguments)
{
    emu_items.groups = groups;
    emu_items.local_size = group_size;
    scheduler.item = item;
    scheduler.arguments = arguments;
    scheduler.barriers = barriers;
    if (barriers && group_size > 1) {
        scheduler.fibers = calloc(group_size, sizeof *scheduler.fibers);
        for (size_t i = 0; scheduler.fibers != NULL && i < group_size; i++)
            if ((scheduler.fibers[i].stack = malloc(STACK_BYTES)) == NULL)
                stop("no memory");
        if (scheduler.fibers == NULL)
            stop("no memory");
    }
    for (emu_items.group_id = 0; emu_items.group_id < groups; emu_items.group_id++) {
        if (scheduler.fibers != NULL) {
            run_group();
            continue;
        }
        for (emu_items.local_id = 0; emu_items.local_id < group_size; emu_items.local_id++)
            item(arguments);
    }
    for (size_t i = 0; scheduler.fibers != NULL && i < group_size; i++)
        free(scheduler.fibers[i].stack);
    free(scheduler.fibers);
    scheduler.fibers = NULL;
}

void emu_barrier(void)
{
    if (!scheduler.barriers)
        stop("a barrier in a kernel that is said to have none");
    if (scheduler.fibers != NULL)
        yield(&scheduler.fibers[emu_items.local_id]);
}
