/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL 1.2 of our own, in the process: the calls that the library makes, with programs that
 * the host's compiler makes (compile.sh), so that sanitizers see every access of a kernel. Linked
 * in the loader's place with -DRHOMB_TEST_OPENCL=ON.
 *
 * It does everything as late as the specification allows: a command runs when somebody waits for
 * it, and until then the memory that it will write has garbage. What the specification forbids ends
 * the process with a message: a handle that is not alive, an argument of the wrong size, a command
 * past the end of a buffer, a group that the kernel does not allow, a wait for what was never
 * flushed, memory that changes while a command has yet to read it.
 *
 * What fails, and other numbers of devices: own_faults.h.
 *
 * RHOMB_TEST_OPENCL names the devices, "gpu" if it is not set: kinds separated by commas, "cpu" or
 * "gpu"; RHOMB_TEST_PROGRAMS the folder of compiled programs, instead of the build's. One lock is
 * held in each call, so any number of threads may use it.
 */
#ifndef RHOMB_OPENCL_OPENCL_H
#define RHOMB_OPENCL_OPENCL_H

#include "own_faults.h"
#include "own_group.h"

typedef enum opencl_kind {
    OPENCL_CONTEXT = 1,
    OPENCL_QUEUE,
    OPENCL_PROGRAM,
    OPENCL_KERNEL,
    OPENCL_BUFFER,
    OPENCL_EVENT,
    OPENCL_KINDS
} opencl_kind;

/* What all objects begin with. They are not freed, so that a handle that was released is known, but
 * where a plan of faults begins.
 */
typedef struct opencl_object {
    opencl_kind kind;
    int handles; /* references that the program has */
    int uses;    /* and those of other objects and of commands */
} opencl_object;

struct _cl_platform_id {
    int unused;
};

struct _cl_device_id {
    cl_device_type type;
    cl_ulong memory, most_bytes, local_bytes, used;
    size_t most_items;
    cl_uint units, lanes;
    char name[32];
};

struct _cl_context {
    opencl_object object;
    cl_device_id device;
};

struct _cl_mem {
    opencl_object object;
    cl_context context;
    unsigned char *bytes; /* exactly `size` */
    size_t size;
    int maps;
    int borrowed; /* CL_MEM_USE_HOST_PTR */
};

struct _cl_program {
    opencl_object object;
    cl_context context;
    char *text, *log;
    char key[40];                /* of the text, the options and the compiler */
    const group_kernel *kernels; /* NULL: not built; up to a row without a name */
    int barriers;
    const group_local *const *locals; /* the first, and after the last */
};

struct _cl_kernel {
    opencl_object object;
    cl_program program;
    const group_kernel *row;
    unsigned char (*values)[640]; /* of arguments; of local memory how many bytes */
    int set;                      /* a bit for each argument that has a value */
};

struct _cl_event {
    opencl_object object;
    cl_command_queue queue;
    int64_t command;
    int looks;      /* while it was not complete */
    cl_int failure; /* that the command has ended with by a plan, from the first look on */
    cl_ulong times[4];
};

typedef struct opencl_command opencl_command;

struct _cl_command_queue {
    opencl_object object;
    cl_context context;
    int profiles;
    opencl_command *first, **end;
    int64_t enqueued, flushed, done; /* numbers of commands */
};

/* Takes and gives back the lock. */
void opencl_enter(void);
void opencl_leave(void);

/* Ends the process: the program does what the specification forbids. */
__attribute__((format(printf, 2, 3))) _Noreturn void opencl_misuse(const char *function,
                                                                   const char *what, ...);
#define OPENCL_CHECK(good, ...)                   \
    do {                                          \
        if (!(good))                              \
            opencl_misuse(__func__, __VA_ARGS__); \
    } while (0)

/* A new object with one handle; and an end to those that have neither handles nor uses. */
void *opencl_make(opencl_kind kind, size_t bytes);
void opencl_free_dead(void);
/* That it is one of its kind and alive. */
void opencl_check(const void *object, opencl_kind kind, const char *function);
#define OPENCL_IS(object, kind) opencl_check(object, kind, __func__)
/* One more use or one less; with the last one the object lets go of what it has. */
void opencl_use(void *object);
void opencl_drop(void *object);

/* Local memory that a kernel declares. */
size_t opencl_local_bytes(cl_kernel kernel);

/* Runs the commands of a queue up to a number; whether one has yet to use memory of the host. */
void opencl_run_to(cl_command_queue queue, int64_t number);
bool opencl_queue_borrows(cl_command_queue queue);

/* Copies an answer to a question as the clGet…Info() do. */
cl_int opencl_answer(const void *answer, size_t bytes, size_t room, void *value, size_t *size);

/* The code with which a call fails by the plan, CL_SUCCESS if it does not; takes the lock. */
cl_int opencl_fails(const char *function, cl_int fitting);
/* Begins a function that returns a code and has no effect if it fails. */
#define OPENCL_MAY_FAIL(fitting)                              \
    do {                                                      \
        const cl_int fails = opencl_fails(__func__, fitting); \
        if (fails != CL_SUCCESS)                              \
            return fails;                                     \
    } while (0)
/* The same for one that makes something, and has a parameter `code`. */
#define OPENCL_MAY_NOT_MAKE(fitting)                          \
    do {                                                      \
        const cl_int fails = opencl_fails(__func__, fitting); \
        if (code != NULL)                                     \
            *code = fails;                                    \
        if (fails != CL_SUCCESS)                              \
            return NULL;                                      \
    } while (0)

/* The plan; whether it has another number of devices; whether compilers take its option. */
const fault_plan *opencl_plan(void);
bool opencl_number(cl_device_info asked, cl_ulong *answer);
bool opencl_takes_option(const char *option);
/* A number that a device says of itself. */
cl_ulong opencl_device_number(cl_device_id device, cl_device_info asked);
/* How many items a group of the kernel may have; `launches`: one is about to. */
size_t opencl_most_items(cl_kernel kernel, bool launches);

/* What becomes of an object without handles and uses. */
void opencl_end_program(cl_program program);
void opencl_end_queue(cl_command_queue queue);

#endif
