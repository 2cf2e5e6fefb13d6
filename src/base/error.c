/* SPDX-License-Identifier: MIT */
/*
 * The error record, see error.h, of which only an attached log allocates; and names, texts and
 * classes of statuses, and the version: all from the one list in rhomb.h.
 */
#include "src/base/error.h"
#include "rhomb/rhomb.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rhomb__error_clear(rhomb__error *error)
{
    error->status = RHOMB_OK;
    error->detail[0] = '\0';
    free(error->text);
    error->text = NULL;
}

rhomb_status rhomb__fail(rhomb__error *error, rhomb_status status, const char *format, ...)
{
    if (error->status == RHOMB_OK) {
        va_list args;
        va_start(args, format);
        vsnprintf(error->detail, sizeof error->detail, format, args);
        va_end(args);
        error->status = status;
    }
    return status;
}

rhomb_status rhomb__fail_memory(rhomb__error *error, size_t bytes, const char *what)
{
    return rhomb__fail(error, RHOMB_ERR_MEMORY, "cannot allocate %zu bytes for %s", bytes, what);
}

void rhomb__error_attach(rhomb__error *error, const char *log)
{
    if (error->text != NULL)
        return;
    const size_t size = strlen(error->detail) + strlen(log) + 2;
    error->text = malloc(size);
    if (error->text != NULL)
        snprintf(error->text, size, "%s\n%s", error->detail, log);
}

const char *rhomb__error_text(const rhomb__error *error)
{
    return error->text != NULL ? error->text : error->detail;
}

rhomb_status rhomb__check_size(rhomb__error *error, const char *name, size_t size, size_t known)
{
    if (size >= sizeof(size_t) && size <= known)
        return RHOMB_OK;
    return rhomb__fail(
        error, RHOMB_ERR_ARGUMENT,
        "%s has a struct_size of %zu, and this library knows %zu: initialise it with "
        "its macro, and use the header of this library",
        name, size, known);
}

rhomb_status rhomb__take_given(rhomb__error *error, const char *name, const void *given, void *out,
                               size_t known)
{
    size_t size = known;
    if (given == NULL)
        return RHOMB_OK;
    memcpy(&size, given, sizeof size);
    const rhomb_status status = rhomb__check_size(error, name, size, known);
    if (status == RHOMB_OK)
        memcpy(out, given, size);
    return status;
}

static const struct {
    const char *name;
    const char *text;
    int status_class;
} STATUSES[] = {
#define STATUS_ROW(name, class_, text) {"RHOMB_" #name, text, class_},
    RHOMB_STATUS_MAP(STATUS_ROW)
#undef STATUS_ROW
};

static bool is_known(rhomb_status status)
{
    return (int)status >= 0 && status < RHOMB_STATUS_COUNT;
}

const char *rhomb_status_name(rhomb_status status)
{
    return is_known(status) ? STATUSES[status].name : "RHOMB_UNKNOWN";
}

const char *rhomb_status_text(rhomb_status status)
{
    return is_known(status) ? STATUSES[status].text : "unknown status";
}

int rhomb_status_class(rhomb_status status)
{
    return is_known(status) ? STATUSES[status].status_class : 1;
}

const char *rhomb_version(void)
{
    return RHOMB_VERSION;
}

char *rhomb__format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text != NULL) {
        va_start(args, format);
        vsnprintf(text, (size_t)length + 1, format, args);
        va_end(args);
    }
    return text;
}
