/* SPDX-License-Identifier: MIT */
/*
 * The shared part of the FASTA tests, see fasta_fixture.h.
 */
#include "fasta_fixture.h"

#include "support/test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <htslib/bgzf.h>
#include <htslib/hts_log.h>

char folder[] = "/tmp/rhomb-test-fasta-XXXXXX";
char file_path[128];
char fai_path_text[128];
char gzi_path_text[128];
rhomb__error error;
int32_t threads = 1;

int make_folder(void **state)
{
    hts_set_log_level(HTS_LOG_OFF);
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(file_path, sizeof file_path, "%s/in", folder);
    snprintf(fai_path_text, sizeof fai_path_text, "%s/in.fai", folder);
    snprintf(gzi_path_text, sizeof gzi_path_text, "%s/in.gzi", folder);
    return 0;
}

int remove_folder(void **state)
{
    return rmdir(folder); /* fails when a test or the library has left a file */
}

int remove_files(void **state)
{
    unlink(file_path);
    unlink(fai_path_text);
    unlink(gzi_path_text);
    rhomb__error_clear(&error);
    return 0;
}

void write_bytes(const char *path, const void *data, size_t bytes)
{
    unlink(path); /* ext4 waits for the disk when a file is written over, not for a new one */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

void write_text(const char *text)
{
    write_bytes(file_path, text, strlen(text));
}

void write_packed(const char *mode, const char *text, size_t bytes)
{
    unlink(file_path);
    BGZF *file = bgzf_open(file_path, mode);
    assert_non_null(file);
    assert_int_equal(bgzf_write(file, text, bytes), bytes);
    assert_int_equal(bgzf_close(file), 0);
}

off_t file_size(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_size;
}

void set_time(const char *path, long seconds)
{
    const struct timespec times[2] = {{.tv_sec = 1000000 + seconds}, {.tv_sec = 1000000 + seconds}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

void expect_bytes(const char *path, const char *region, const char *letters, size_t length)
{
    rhomb_sequence *sequence = NULL;
    rhomb__error_clear(&error);
    const rhomb_status status = rhomb__fasta_read(&error, path, region, threads, 0, &sequence);
    if (status != RHOMB_OK)
        fail_msg("%s: %s", rhomb_status_name(status), rhomb__error_text(&error));
    assert_string_equal(rhomb__error_text(&error), "");
    if (rhomb_sequence_length(sequence) != (int64_t)length)
        fail_msg("length %lld, not %zu", (long long)rhomb_sequence_length(sequence), length);
    /* memcmp() first: cmocka prints all of a string that differs. */
    assert_int_equal(memcmp(rhomb_sequence_bases(sequence), letters, length), 0);
    assert_int_equal(rhomb_sequence_bases(sequence)[length], '\0');
    assert_string_equal(rhomb_sequence_path(sequence), path);
    if (region != NULL)
        assert_string_equal(rhomb_sequence_name(sequence), region);
    rhomb_sequence_destroy(sequence);
}

void expect_record(const char *region, const char *record, int64_t length, int64_t begin)
{
    rhomb_sequence *sequence = NULL;
    rhomb__error_clear(&error);
    assert_int_equal(rhomb__fasta_read(&error, file_path, region, threads, 0, &sequence), RHOMB_OK);
    assert_string_equal(rhomb_sequence_record(sequence), record);
    assert_int_equal(rhomb_sequence_record_length(sequence), length);
    assert_int_equal(rhomb_sequence_record_begin(sequence), begin);
    rhomb_sequence_destroy(sequence);
}

void expect_region(const char *region, const char *letters)
{
    expect_bytes(file_path, region, letters, strlen(letters));
}

void expect_failure(const char *path, const char *region, const char *words)
{
    rhomb_sequence *sequence = (rhomb_sequence *)&error; /* must become NULL */
    rhomb__error_clear(&error);
    const rhomb_status status = rhomb__fasta_read(&error, path, region, threads, 0, &sequence);
    assert_string_equal(rhomb_status_name(status), "RHOMB_ERR_INPUT");
    assert_null(sequence);
    const char *detail = rhomb__error_text(&error);
    if (strstr(detail, strcmp(path, "-") == 0 ? "standard input" : path) == NULL &&
        strstr(detail, "region") == NULL)
        fail_msg("no path in: %s", detail);
    assert_contains(detail, words);
}

char *make_fasta(size_t letters, size_t width, const char *line_end, char **plain)
{
    const size_t room = 16 + letters + (letters / width + 2) * strlen(line_end);
    char *text = malloc(room);
    *plain = malloc(letters + 1);
    assert_non_null(text);
    assert_non_null(*plain);
    size_t at = (size_t)snprintf(text, room, ">s%s", line_end);
    uint64_t random = 88172645463325252u;
    for (size_t i = 0; i < letters; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        text[at++] = (*plain)[i] = "ACGTacgt"[random >> 40 & 7];
        if ((i + 1) % width == 0 || i + 1 == letters) {
            memcpy(text + at, line_end, strlen(line_end));
            at += strlen(line_end);
        }
    }
    text[at] = (*plain)[letters] = '\0';
    return text;
}
