/* SPDX-License-Identifier: MIT */
/* Control groups, see control_group.h and Linux's Documentation/admin-guide/cgroup-v2.rst. */
#include "host/device/control_group.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/int64.h"
#include "src/base/text.h"

/* Where a version has its groups, and how it names what they say. */
typedef struct version {
    const char *mount, *limit, *usage, *droppable;
} version;

static const version VERSIONS[] = {
    {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "},
    {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file "}};

static FILE *open_file(const char *root, const char *folder, const char *group, const char *name)
{
    char *path = rhomb__format("%s%s%s/%s", root, folder, group, name);
    FILE *file = path != NULL ? fopen(path, "re") : NULL;
    free(path);
    return file;
}

/* The number after `key` in the first line that begins so; -1 if there is none. */
static int64_t read_number(FILE *file, const char *key)
{
    char line[256];
    long long number = -1;
    if (file == NULL)
        return -1;
    while (number < 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) != 0 ||
            sscanf(line + strlen(key), "%lld", &number) != 1)
            number = -1;
    fclose(file);
    return number;
}

/* What a group leaves; INT64_MAX without a limit. */
static int64_t available_in(const char *root, const version *v, const char *group)
{
    const int64_t limit = read_number(open_file(root, v->mount, group, v->limit), "");
    const int64_t usage = read_number(open_file(root, v->mount, group, v->usage), "");
    const int64_t dropped =
        read_number(open_file(root, v->mount, group, "memory.stat"), v->droppable);
    if (limit < 0 || usage < 0)
        return INT64_MAX;
    return rhomb__max(limit - rhomb__max(usage - rhomb__max(dropped, 0), 0), 0);
}

/* Of a group and of those above it. In a container its own group may be the mount. */
static int64_t least_above(const char *root, const version *v, char *group)
{
    int64_t least = INT64_MAX;
    for (char *end = group + strlen(group); end != NULL; end = strrchr(group, '/')) {
        *end = '\0';
        least = rhomb__min(least, available_in(root, v, group));
    }
    return least;
}

int64_t rhomb__control_group_available(const char *root)
{
    char line[4096];
    int64_t least = INT64_MAX;
    FILE *file = open_file(root, "/proc", "/self", "cgroup");
    if (file == NULL)
        return INT64_MAX;
    while (fgets(line, sizeof line, file) != NULL) {
        char *controllers = strchr(line, ':'), *group = NULL;
        line[strcspn(line, "\n")] = '\0';
        if (controllers != NULL)
            group = strchr(controllers + 1, ':');
        if (group == NULL)
            continue;
        *group++ = '\0';
        if (controllers[1] == '\0')
            least = rhomb__min(least, least_above(root, &VERSIONS[0], group));
        else if (strstr(controllers, "memory") != NULL)
            least = rhomb__min(least, least_above(root, &VERSIONS[1], group));
    }
    fclose(file);
    return least;
}
