/* SPDX-License-Identifier: MIT */
/*
 * Names, texts and classes of statuses, and the version: all from the one list in rhomb.h.
 */
#include "rhomb/rhomb.h"

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
