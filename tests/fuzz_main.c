/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target without libFuzzer:
 *
 *     fuzz_NAME [--mutations M] [--seed N] FILE...
 *
 * replays the files and then gives M simple mutations of them to the target. It looks for less than
 * libFuzzer does, but any compiler builds it, so that every test run has a little of it. When the
 * process is aborted, the input that it had is left in the file "fuzz-crash".
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/reference/random_bases.h"
#include "tests/support/amount.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_FILES 256
#define MAX_BYTES ((size_t)1 << 16)

typedef struct input {
    uint8_t *data;
    size_t size;
} input;

static input files[MAX_FILES];
static size_t file_count;
static uint8_t current[MAX_BYTES];
static size_t current_size;
static uint64_t random_state = 1;

static void save_input(int signal_number)
{
    const int fd = open("fuzz-crash", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    if (fd >= 0 && write(fd, current, current_size) == (ssize_t)current_size)
        close(fd);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* A number below `limit`, which is not 0. */
static size_t below(size_t limit)
{
    return (size_t)random_below(&random_state, (int64_t)limit);
}

static int load_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || file_count == MAX_FILES) {
        fprintf(stderr, "%s: cannot be opened, or there are too many files\n", path);
        if (file != NULL)
            fclose(file);
        return -1;
    }
    input *in = &files[file_count];
    in->size = fread(current, 1, MAX_BYTES, file);
    in->data = malloc(in->size + 1);
    fclose(file);
    if (in->data == NULL)
        return -1;
    memcpy(in->data, current, in->size);
    file_count++;
    return 0;
}

static void run_current(void)
{
    /* A block of exactly this size, so that a sanitizer sees what is read after it. */
    uint8_t *exact = malloc(current_size > 0 ? current_size : 1);
    if (exact == NULL)
        abort();
    memcpy(exact, current, current_size);
    (void)LLVMFuzzerTestOneInput(exact, current_size);
    free(exact);
}

static void set_current(const input *in)
{
    memcpy(current, in->data, in->size);
    current_size = in->size;
}

static void insert_bytes(size_t at, const uint8_t *bytes, size_t count)
{
    if (current_size + count > MAX_BYTES)
        return;
    memmove(current + at + count, current + at, current_size - at);
    memcpy(current + at, bytes, count);
    current_size += count;
}

static void erase_bytes(size_t at, size_t count)
{
    memmove(current + at, current + at + count, current_size - at - count);
    current_size -= count;
}

static void mutate_once(void)
{
    static const uint8_t tokens[] = "\n\r\n>@+:-,{}0 9\tACGTN\0\x7f\xff\x1f\x8b";
    const size_t at = below(current_size + 1);
    const size_t span = below(current_size - at + 1) % 64;
    switch (below(6)) {
    case 0:
        if (at < current_size)
            current[at] ^= (uint8_t)(1u << below(8));
        break;
    case 1:
        if (at < current_size)
            current[at] = tokens[below(sizeof tokens - 1)];
        break;
    case 2:
        insert_bytes(at, tokens + below(sizeof tokens - 2), 1 + below(2));
        break;
    case 3:
        erase_bytes(at, span);
        break;
    case 4: {
        uint8_t copy[64];
        memcpy(copy, current + at, span);
        insert_bytes(below(current_size + 1), copy, span);
        break;
    }
    default: {
        const input *other = &files[below(file_count)];
        const size_t from = below(other->size + 1);
        insert_bytes(at, other->data + from, below(other->size - from + 1) % 64);
        break;
    }
    }
}

int main(int argc, char **argv)
{
    unsigned long mutations = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--mutations") == 0 && i + 1 < argc)
            mutations = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            random_state = strtoull(argv[++i], NULL, 10);
        else if (load_file(argv[i]) != 0)
            return 2;
    }
    if (file_count == 0) {
        fprintf(stderr, "usage: %s [--mutations M] [--seed N] FILE...\n", argv[0]);
        return 2;
    }
    if (amount_is_first_tier())
        mutations /= 3;
    signal(SIGABRT, save_input);
    signal(SIGSEGV, save_input);
    for (size_t i = 0; i < file_count; i++) {
        set_current(&files[i]);
        run_current();
    }
    for (unsigned long run = 0; run < mutations; run++) {
        set_current(&files[below(file_count)]);
        for (size_t n = 1 + below(6); n > 0; n--)
            mutate_once();
        run_current();
    }
    printf("%zu files and %lu mutations\n", file_count, mutations);
    for (size_t i = 0; i < file_count; i++)
        free(files[i].data);
    return 0;
}
