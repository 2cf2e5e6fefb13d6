/* SPDX-License-Identifier: MIT */
/*
 * What the tests of pairs share: a folder with the files, see fasta_fixture.h, and all that a
 * reader gives, as text.
 */
#ifndef RHOMB_TESTS_PAIRS_FIXTURE_H
#define RHOMB_TESTS_PAIRS_FIXTURE_H

#include "src/io/pairs_reader.h"
#include "support/rng.h"

extern char queries_path[128]; /* the second file's; the first is file_path */

/* What read_all() has read: a line for each pair, then a line for how it ended. */
extern rhomb__bytes transcript;

/* Appends to the transcript. */
void note(const char *format, ...) RHOMB__PRINTF(1, 2);
/* Appends a chunk, of which pair `first` is the first one. */
void note_chunk(const rhomb_pair_chunk *chunk, int64_t first);

/*
 * Reads all pairs of file_path, or with those of `queries`, and returns the transcript, valid until
 * the next call. `text_bytes` of a chunk and `readers` (threads) as in rhomb__pairs_open().
 */
const char *read_all(const char *queries, size_t text_bytes, int32_t readers);
const char *read_all_with(const char *queries, const rhomb_pairs_options *options,
                          size_t text_bytes, int32_t readers);

/*
 * Reads all pairs with no more memory than `bound`, if it is not 0, and has each chunk checked. How
 * it ended, and how many there were.
 */
rhomb_status read_bounded(const char *queries, size_t text_bytes, int32_t readers, size_t bound,
                          void (*check)(const rhomb_pairs *pairs, const rhomb_pair_chunk *chunk),
                          int64_t *count);

/*
 * Random lines of up to `longest` bytes, most of them as they should be; the caller frees them. The
 * last line may go beyond `bytes`.
 */
char *random_text(rng *r, size_t bytes, int64_t longest, size_t *length);

/* Setup and teardown of a group, and teardown of a test. */
int pairs_set_up(void **state);
int pairs_tear_down(void **state);
int pairs_remove_files(void **state);
#define PAIRS_TEST(test) cmocka_unit_test_teardown(test, pairs_remove_files)

#endif
