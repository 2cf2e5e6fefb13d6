/* SPDX-License-Identifier: MIT */
/*
 * What the tests of the FASTA reader share: a temporary folder with one input file and its indexes,
 * ways to write them, and checks of what reading gives.
 */
#ifndef RHOMB_TESTS_FASTA_FIXTURE_H
#define RHOMB_TESTS_FASTA_FIXTURE_H

#include "src/io/fasta.h"

#include <sys/types.h>

extern char folder[];
extern char file_path[128];
extern char fai_path_text[128];
extern char gzi_path_text[128];
extern rhomb__error error; /* of the last expect_...() */
extern int32_t threads;    /* that read */

/* Setup and teardown of a group; the latter fails when a test or the library has left a file. */
int make_folder(void **state);
int remove_folder(void **state);
/* Teardown of a test, and a test with it. */
int remove_files(void **state);
#define FASTA_TEST(test) cmocka_unit_test_teardown(test, remove_files)

void write_bytes(const char *path, const void *data, size_t bytes);
/* Writes the input file. `mode`: "w" is bgzip, "wg" gzip, "wu" plain. */
void write_text(const char *text);
void write_packed(const char *mode, const char *text, size_t bytes);
off_t file_size(const char *path);
/* Sets the time of a file, in seconds of an arbitrary clock. */
void set_time(const char *path, long seconds);

/*
 * A record "s" of `letters` random bases in lines of `width`; *plain has them without line ends.
 * Both are for free().
 */
char *make_fasta(size_t letters, size_t width, const char *line_end, char **plain);

/* Reads, expects success, and compares the bases. */
void expect_bytes(const char *path, const char *region, const char *letters, size_t length);
void expect_region(const char *region, const char *letters);

/* Reads, expects success, and compares what is known of the record. */
void expect_record(const char *region, const char *record, int64_t length, int64_t begin);
/* Reads and expects RHOMB_ERR_INPUT with the name of the input and `words` in the detail. */
void expect_failure(const char *path, const char *region, const char *words);

#endif
