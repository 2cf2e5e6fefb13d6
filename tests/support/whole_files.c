/* SPDX-License-Identifier: MIT */
/*
 * See whole_files.h.
 */
#include "whole_files.h"

#include <unistd.h>

#include "test.h"

void file_write(const char *path, const void *bytes, size_t size)
{
    unlink(path); /* ext4 waits for the disk when a file is written over, not for a new one */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(size == 0 || fwrite(bytes, 1, size, file) == size);
    assert_int_equal(fclose(file), 0);
}

void file_write_text(const char *path, const char *text)
{
    file_write(path, text, strlen(text));
}

void *file_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    void *bytes = calloc(*size + 64, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}
