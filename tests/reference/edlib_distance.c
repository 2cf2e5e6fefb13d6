/* SPDX-License-Identifier: MIT */
/*
 * See edlib_distance.h.
 */
#include "edlib_distance.h"

#include <stdio.h>
#include <stdlib.h>

#include "random_bases.h"

#ifdef RHOMB_REFERENCE_EDLIB
#    include <edlib.h>
#    include <limits.h>
#    include <stddef.h>

#    if defined(__has_feature)
#        if __has_feature(memory_sanitizer)
#            include <sanitizer/msan_interface.h>
#            define RHOMB_MEMORY_SANITIZER 1
#        endif
#    endif

bool oracle_has_edlib(void)
{
    return true;
}

/* The pairs of different IUPAC codes that match. */
static int list_matches(EdlibEqualityPair *list)
{
    static const char CODES[] = "ACGTNRYSWKMBDHV";
    int count = 0;
    for (const char *a = CODES; *a != '\0'; a++)
        for (const char *b = a + 1; *b != '\0'; b++)
            if (bases_match(*a, *b))
                list[count++] = (EdlibEqualityPair){*a, *b};
    return count;
}

static int64_t align(const char *a, int64_t a_length, const char *b, int64_t b_length,
                     EdlibAlignTask task)
{
    if (a_length > INT_MAX || b_length > INT_MAX)
        return -1;
    EdlibEqualityPair matches[15 * 14 / 2];
    const EdlibAlignConfig config =
        edlibNewAlignConfig(-1, EDLIB_MODE_NW, task, matches, list_matches(matches));
    const EdlibAlignResult result = edlibAlign(a, (int)a_length, b, (int)b_length, config);
#    ifdef RHOMB_MEMORY_SANITIZER /* edlib is built without it */
    __msan_unpoison(&result, sizeof result);
#    endif
    const bool good =
        result.status == EDLIB_STATUS_OK && (task != EDLIB_TASK_PATH || result.alignment != NULL);
    const int64_t distance = good ? result.editDistance : -1;
    edlibFreeAlignResult(result);
    return distance;
}

int64_t oracle_edlib(const char *a, int64_t a_length, const char *b, int64_t b_length)
{
    return align(a, a_length, b, b_length, EDLIB_TASK_DISTANCE);
}

int64_t oracle_edlib_path(const char *a, int64_t a_length, const char *b, int64_t b_length)
{
    return align(a, a_length, b, b_length, EDLIB_TASK_PATH);
}
#else
bool oracle_has_edlib(void)
{
    return false;
}

int64_t oracle_edlib(const char *a, int64_t a_length, const char *b, int64_t b_length)
{
    (void)a, (void)a_length, (void)b, (void)b_length;
    return -1;
}

int64_t oracle_edlib_path(const char *a, int64_t a_length, const char *b, int64_t b_length)
{
    return oracle_edlib(a, a_length, b, b_length);
}
#endif

#define TEXTBOOK_CELLS (INT64_C(1) << 16)

static char *folded(const char *text, int64_t length, bool fold)
{
    char *copy = malloc((size_t)length + 1);
    if (copy == NULL)
        abort();
    for (int64_t i = 0; i < length; i++)
        copy[i] = fold ? folded_base(text[i]) : text[i];
    return copy;
}

int64_t oracle_distance(const char *a, int64_t a_length, const char *b, int64_t b_length, bool fold)
{
    char *x = folded(a, a_length, fold), *y = folded(b, b_length, fold);
    const int64_t distance = oracle_edlib(x, a_length, y, b_length);
    if (a_length * b_length <= TEXTBOOK_CELLS &&
        oracle_textbook(x, a_length, y, b_length) != distance) {
        fprintf(stderr, "the oracles disagree: edlib says %lld\n", (long long)distance);
        abort();
    }
    free(x);
    free(y);
    return distance;
}
