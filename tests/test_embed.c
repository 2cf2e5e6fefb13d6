/* SPDX-License-Identifier: MIT */
/*
 * What cl/EmbedKernel.cmake makes of tests/embed/awkward.cl, against the expected text that stands
 * beside it: byte for byte, with its digest as CMake computes it of the file.
 */
#include "host/device/program.h"
#include "support/test.h"
#include "support/whole_files.h"

extern const rhomb__kernel_source rhomb__source_awkward;

static void test_text(void **state)
{
    size_t size;
    char *expected = file_read(TEST_EMBED_EXPECTED, &size);
    assert_string_equal(rhomb__source_awkward.text, expected);
    assert_int_equal(strlen(rhomb__source_awkward.text), size);
    free(expected);
}

static void test_names(void **state)
{
    assert_string_equal(rhomb__source_awkward.file, "awkward.cl");
    assert_string_equal(rhomb__source_awkward.sha256, TEST_EMBED_SHA256);
}

TEST_MAIN(test_text, test_names)
