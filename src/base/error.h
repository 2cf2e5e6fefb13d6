/* SPDX-License-Identifier: MIT */
/*
 * The error record: the one place where a failing call leaves its detail. A context embeds one.
 * A fallible function of src/ and host/ writes there before it returns its rhomb_status. The first
 * detail wins until the record is cleared, because later failures usually follow from it.
 */
#ifndef RHOMB_SRC_ERROR_H
#define RHOMB_SRC_ERROR_H

#include "rhomb/rhomb.h"

#if defined(__GNUC__)
#    define RHOMB__PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))
#else
#    define RHOMB__PRINTF(format_at, args_at)
#endif

typedef struct rhomb__error {
    rhomb_status status;
    char *text;        /* the detail and a log below it, once a log is attached; owned */
    char detail[4096]; /* fixed, so that running out of memory can be reported as well */
} rhomb__error;

/* Clears the record. Public calls begin with it. */
void rhomb__error_clear(rhomb__error *error);

/*
 * Records `status` with a formatted detail, unless something is recorded already, and returns
 * `status`, so that a failure is one line: `status = rhomb__fail(e, RHOMB_ERR_INPUT, "…"); goto
 * out;`
 */
rhomb_status rhomb__fail(rhomb__error *error, rhomb_status status, const char *format, ...)
    RHOMB__PRINTF(3, 4);

/* rhomb__fail() for a host allocation of `bytes` for `what`. */
rhomb_status rhomb__fail_memory(rhomb__error *error, size_t bytes, const char *what);

/*
 * Adds a log of many lines below the detail: a compiler's output, a list. Silently left out if
 * there is no memory for it.
 */
void rhomb__error_attach(rhomb__error *error, const char *log);

/* The detail with the log below it, "" if nothing is recorded. Valid until the next change. */
const char *rhomb__error_text(const rhomb__error *error);

/* Runs a fallible call in a function that has `status` and the label `out`. */
#define RHOMB_TRY(call)         \
    do {                        \
        status = (call);        \
        if (status != RHOMB_OK) \
            goto out;           \
    } while (0)

/* RHOMB_ERR_ARGUMENT unless a caller's structure has a size that the library knows. */
rhomb_status rhomb__check_size(rhomb__error *error, const char *name, size_t size, size_t known);

/*
 * Copies a caller's structure, which begins with its size, over the defaults in `out`, of which the
 * library knows so many bytes; NULL leaves those. RHOMB_ERR_ARGUMENT for another size.
 */
rhomb_status rhomb__take_given(rhomb__error *error, const char *name, const void *given, void *out,
                               size_t known);

/* printf() into a new text, which the caller frees. NULL when there is no memory. */
char *rhomb__format(const char *format, ...) RHOMB__PRINTF(1, 2);

#endif
