/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target for the FASTA reader. The first line of an input is the region, empty for none. When
 * the next line is "%fai", the lines up to "%data" are the index. The rest is the file, compressed
 * or not. Whatever these are, the reader gives a sequence of bases or an error with a detail.
 */
#include "src/io/fasta.h"
#include "tests/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/rhomb-fuzz-fasta-XXXXXX";
static char file_path[64];
static char index_path[64];

static void remove_files(void)
{
    unlink(file_path);
    unlink(index_path);
    rmdir(folder);
}

static void make_folder(void)
{
    if (file_path[0] != '\0')
        return;
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(file_path, sizeof file_path, "%s/in", folder);
    snprintf(index_path, sizeof index_path, "%s/in.fai", folder);
    atexit(remove_files);
}

/* Takes a line off [*data, *data + *size); its end is not part of it. */
static size_t take_line(const uint8_t **data, size_t *size, const uint8_t **line)
{
    const uint8_t *end = *size > 0 ? memchr(*data, '\n', *size) : NULL;
    const size_t length = end != NULL ? (size_t)(end - *data) : *size;
    const size_t used = end != NULL ? length + 1 : length;
    *line = *data;
    *data += used;
    *size -= used;
    return length;
}

static bool is_line(const uint8_t *line, size_t length, const char *text)
{
    return length == strlen(text) && memcmp(line, text, length) == 0;
}

/* Writes the index that the input may have, and moves after it. */
static void take_index(const uint8_t **data, size_t *size)
{
    const uint8_t *rest = *data;
    const uint8_t *line = NULL;
    size_t rest_size = *size;
    unlink(index_path);
    size_t length = take_line(&rest, &rest_size, &line);
    if (!is_line(line, length, "%fai"))
        return;
    const uint8_t *start = rest;
    do {
        length = take_line(&rest, &rest_size, &line);
    } while (rest_size > 0 && !is_line(line, length, "%data"));
    fuzz_write_file(index_path, start, (size_t)(line - start));
    *data = rest;
    *size = rest_size;
}

static void check(const char *region)
{
    rhomb__error error = {.status = RHOMB_OK};
    rhomb_sequence *sequence = NULL;
    const rhomb_status status = rhomb__fasta_read(&error, file_path, region, 1, 0, &sequence);
    REQUIRE(error.status == status);
    if (status == RHOMB_OK) {
        const char *letters = rhomb_sequence_bases(sequence);
        const size_t length = (size_t)rhomb_sequence_length(sequence);
        REQUIRE(strlen(letters) == length);
        for (size_t i = 0; i < length; i++)
            REQUIRE((unsigned char)letters[i] > ' ' && letters[i] != 127);
        REQUIRE(region == NULL || strcmp(rhomb_sequence_name(sequence), region) == 0);
        REQUIRE(strcmp(rhomb_sequence_path(sequence), file_path) == 0);
        const int64_t begin = rhomb_sequence_record_begin(sequence);
        REQUIRE(begin >= 0 && begin <= rhomb_sequence_record_length(sequence) - (int64_t)length);
        REQUIRE(strlen(rhomb_sequence_md5(sequence)) == 32);
        rhomb_sequence_destroy(sequence);
    } else {
        REQUIRE(status == RHOMB_ERR_INPUT);
        REQUIRE(sequence == NULL);
        REQUIRE(rhomb__error_text(&error)[0] != '\0');
    }
    rhomb__error_clear(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *line = NULL;
    char region[256];
    make_folder();
    const size_t length = take_line(&data, &size, &line);
    if (length >= sizeof region)
        return 0;
    if (length > 0)
        memcpy(region, line, length);
    region[length] = '\0';
    take_index(&data, &size);
    fuzz_write_file(file_path, data, size);
    if (access(index_path, F_OK) == 0) { /* not older than the file */
        const struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};
        REQUIRE(utimensat(AT_FDCWD, index_path, now, 0) == 0);
    }
    check(length > 0 ? region : NULL);
    return 0;
}
