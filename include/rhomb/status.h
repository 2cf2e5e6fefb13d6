/* SPDX-License-Identifier: MIT */
/*
 * What every call returns: a status. rhomb.h includes this header.
 */
#ifndef RHOMB_STATUS_H
#define RHOMB_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#    define RHOMB_API
#elif defined(__GNUC__)
#    define RHOMB_API __attribute__((visibility("default")))
#else
#    define RHOMB_API
#endif

/* Marks a function whose result must not be ignored. */
#if defined(__GNUC__)
#    define RHOMB_MUST_CHECK __attribute__((warn_unused_result))
#else
#    define RHOMB_MUST_CHECK
#endif

/*
 * Every status: name, class and text. The `rhomb` program exits with the class of the first error
 * (0 to 6), see rhomb_status_class().
 */
#define RHOMB_STATUS_MAP(X)                                                    \
    X(OK, 0, "success")                                                        \
    X(ERR_INTERNAL, 1, "internal error, please report it")                     \
    X(ERR_ARGUMENT, 2, "invalid argument")                                     \
    X(ERR_INPUT, 3, "cannot use the input file")                               \
    X(ERR_ALPHABET, 3, "a letter of the sequence is not in the alphabet")      \
    X(ERR_NO_DEVICE, 4, "no usable OpenCL device")                             \
    X(ERR_DEVICE, 4, "an OpenCL call failed")                                  \
    X(ERR_BUILD, 4, "the device's compiler rejected a kernel")                 \
    X(ERR_DEVICE_WRONG_RESULT, 4, "the device computes wrong results")         \
    X(ERR_MEMORY, 5, "out of host memory")                                     \
    X(ERR_DEVICE_MEMORY, 5, "the problem does not fit in the device's memory") \
    X(ERR_CANCELLED, 1, "cancelled by the caller")                             \
    X(ERR_OUTPUT, 1, "a file cannot be written")

typedef enum rhomb_status {
#define RHOMB_STATUS_ENUM(name, class_, text) RHOMB_##name,
    RHOMB_STATUS_MAP(RHOMB_STATUS_ENUM)
#undef RHOMB_STATUS_ENUM
        RHOMB_STATUS_COUNT
} rhomb_status;

/* Name ("RHOMB_ERR_INPUT") and text. Constant strings, never NULL, even for an invalid value. */
RHOMB_API const char *rhomb_status_name(rhomb_status status);
RHOMB_API const char *rhomb_status_text(rhomb_status status);

/* As an exit code: 0 success, 1 other, 2 argument, 3 input file, 4 device or driver, 5 memory. */
RHOMB_API int rhomb_status_class(rhomb_status status);

/* What every call needs; rhomb.h creates it. */
typedef struct rhomb_context rhomb_context;

#ifdef __cplusplus
}
#endif

#endif
