/* SPDX-License-Identifier: MIT */
/*
 * What control groups leave, in folders as Linux has them: both versions, limits of groups above,
 * containers that see their own group as the root, and what cannot be read.
 */
#include <sys/stat.h>

#include "host/device/space.h"
#include "support/test.h"

#define SYS "sys/fs/cgroup"

/* A file of a case, and what it holds. */
typedef struct entry {
    const char *path, *text;
} entry;

static void write_entry(const char *root, const entry *e)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, e->path);
    for (char *at = strchr(path + strlen(root) + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(e->text, file);
    fclose(file);
}

static void test_cases(void **state)
{
    static const struct {
        int64_t available;
        entry files[8];
    } CASES[] = {
        {INT64_MAX, {{NULL, NULL}}},
        {INT64_MAX, {{"proc/self/cgroup", "0::/\n"}}},
        {INT64_MAX,
         {{"proc/self/cgroup", "0::/a\n"},
          {SYS "/a/memory.max", "max\n"},
          {SYS "/a/memory.current", "1000\n"}}},
        {7000,
         {{"proc/self/cgroup", "0::/a\n"},
          {SYS "/a/memory.max", "10000\n"},
          {SYS "/a/memory.current", "3000\n"}}},
        {7500,
         {{"proc/self/cgroup", "0::/a\n"},
          {SYS "/a/memory.max", "10000\n"},
          {SYS "/a/memory.current", "3000\n"},
          {SYS "/a/memory.stat", "anon 2000\nfile 900\ninactive_file 500\n"}}},
        /* Above it there is less. */
        {1000,
         {{"proc/self/cgroup", "0::/a/b/c\n"},
          {SYS "/a/b/c/memory.max", "10000\n"},
          {SYS "/a/b/c/memory.current", "3000\n"},
          {SYS "/a/memory.max", "5000\n"},
          {SYS "/a/memory.current", "4000\n"}}},
        /* More is in use than may be. */
        {0,
         {{"proc/self/cgroup", "0::/\n"},
          {SYS "/memory.max", "1000\n"},
          {SYS "/memory.current", "3000\n"}}},
        /* A container: the group is not there, but the root is its own. */
        {600,
         {{"proc/self/cgroup", "0::/docker/0123\n"},
          {SYS "/memory.max", "1000\n"},
          {SYS "/memory.current", "400\n"}}},
        /* Version 1, beside an empty version 2. */
        {6500,
         {{"proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/job\n0::/\n"},
          {SYS "/memory/job/memory.limit_in_bytes", "9000\n"},
          {SYS "/memory/job/memory.usage_in_bytes", "3000\n"},
          {SYS "/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 500\n"},
          {SYS "/memory/memory.limit_in_bytes", "9223372036854771712\n"},
          {SYS "/memory/memory.usage_in_bytes", "1\n"}}},
        {INT64_MAX, {{"proc/self/cgroup", "what\n4:memory\n:\n\n"}}},
    };
    for (size_t i = 0; i < COUNT(CASES); i++) {
        char root[] = "/tmp/rhomb-control-group-XXXXXX", command[64];
        assert_non_null(mkdtemp(root));
        for (const entry *e = CASES[i].files; e->path != NULL; e++)
            write_entry(root, e);
        const int64_t available = rhomb__control_group_available(root);
        snprintf(command, sizeof command, "rm -r %s", root);
        assert_int_equal(system(command), 0);
        if (available != CASES[i].available)
            fail_msg("case %zu: %lld", i, (long long)available);
    }
}

TEST_MAIN(test_cases)
