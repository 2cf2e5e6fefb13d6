/* SPDX-License-Identifier: MIT */
/*
 * What fuzz targets have in common: conditions that abort, and files that inputs become.
 */
#ifndef RHOMB_TESTS_FUZZ_H
#define RHOMB_TESTS_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                            \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                  \
        }                                                                             \
    } while (0)

static inline void fuzz_write_file(const char *path, const void *data, size_t size)
{
    unlink(path); /* ext4 waits for the disk when a file is written over, not for a new one */
    FILE *file = fopen(path, "wb");
    REQUIRE(file != NULL);
    REQUIRE(fwrite(data, 1, size, file) == size);
    REQUIRE(fclose(file) == 0);
}

#endif
