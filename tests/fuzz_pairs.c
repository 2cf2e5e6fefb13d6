/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target for files of pairs. The first byte of an input says how large the pieces are that the
 * text comes in, the rest is the text. Whatever it is, the pairs and faults in it are the same when
 * it is looked at as a whole, cut at a line with '>', and in pieces as a reader gets them.
 */
#include "src/io/seq.h"
#include "tests/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How far a comparison with the whole text has come. */
typedef struct progress {
    size_t pairs;
    size_t faults;
    int64_t lines;
    const char *end; /* of the whole text, for names */
} progress;

static void check_letters(const char *letters, int64_t length)
{
    REQUIRE(length >= 0);
    for (int64_t i = 0; i < length; i++)
        REQUIRE((unsigned char)letters[i] > ' ' && letters[i] != 127);
}

/* A sequence has the same name in the whole text and in a part, which ends at `end`. */
static void check_name(const char *sequence, int64_t length, const rhomb__seq_part *part,
                       const char *end, const progress *p)
{
    const char *name = NULL, *whole_name = NULL;
    if (sequence == NULL)
        return;
    const size_t bytes = rhomb__seq_name(sequence, length, end, &name);
    REQUIRE(bytes == rhomb__seq_name(sequence, length, p->end, &whole_name));
    REQUIRE(bytes == 0 || (name == whole_name && part->has_names));
    for (size_t i = 0; i < bytes; i++)
        REQUIRE((unsigned char)name[i] > ' ');
}

/*
 * The pairs and faults of a part have to be the next ones of the whole. `end` is that of its text.
 */
static void follow(const rhomb__seq_part *whole, const rhomb__seq_part *part, const char *end,
                   progress *p)
{
    REQUIRE(part->count <= whole->count - p->pairs);
    REQUIRE(part->fault_count <= whole->fault_count - p->faults);
    for (size_t i = 0; i < part->count; i++) {
        const rhomb_pair *a = &whole->pairs[p->pairs + i];
        const rhomb_pair *b = &part->pairs[i];
        REQUIRE(a->target == b->target && a->target_length == b->target_length);
        REQUIRE(a->query == b->query && a->query_length == b->query_length);
        check_name(b->target, b->target_length, part, end, p);
        check_name(b->query, b->query_length, part, end, p);
    }
    for (size_t i = 0; i < part->fault_count; i++) {
        const rhomb__seq_fault *a = &whole->faults[p->faults + i];
        const rhomb__seq_fault *b = &part->faults[i];
        REQUIRE(a->index == b->index + p->pairs && a->line == b->line + p->lines);
        REQUIRE(a->problem == b->problem && a->byte == b->byte);
    }
    p->pairs += part->count;
    p->faults += part->fault_count;
    p->lines += part->lines;
}

static void check_end(const rhomb__seq_part *whole, const progress *p)
{
    REQUIRE(p->pairs == whole->count && p->faults == whole->fault_count);
    REQUIRE(p->lines == whole->lines);
}

static void check_whole(const rhomb__seq_part *whole)
{
    size_t fault = 0;
    for (size_t i = 0; i < whole->count; i++) {
        const rhomb_pair *pair = &whole->pairs[i];
        const bool is_fault = fault < whole->fault_count && whole->faults[fault].index == i;
        REQUIRE(is_fault == (pair->query == NULL) && is_fault == (pair->target == NULL));
        check_letters(pair->target, pair->target_length);
        check_letters(pair->query, pair->query_length);
        fault += is_fault;
    }
    REQUIRE(fault == whole->fault_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static rhomb__seq_part whole;
    static rhomb__seq_part part;
    if (size == 0 || size > 4096)
        return 0;
    const char *text = (const char *)data + 1;
    const size_t length = size - 1;
    const size_t piece = 1 + data[0];
    REQUIRE(rhomb__seq_parse(&whole, RHOMB__SEQ_BETWEEN, text, length));
    check_whole(&whole);

    progress cut = {.end = text + length};
    const size_t start = rhomb__seq_start(text, length, piece);
    REQUIRE(start >= piece || start == length);
    for (size_t i = piece; i < start; i++)
        REQUIRE(text[i] != '>' || text[i - 1] != '\n');
    REQUIRE(rhomb__seq_parse(&part, RHOMB__SEQ_BETWEEN, text, start));
    follow(&whole, &part, text + start, &cut);
    REQUIRE(rhomb__seq_parse(&part, RHOMB__SEQ_BETWEEN, text + start, length - start));
    follow(&whole, &part, text + length, &cut);
    check_end(&whole, &cut);

    progress read = {.end = text + length};
    rhomb__seq_state state = RHOMB__SEQ_BETWEEN;
    size_t from = 0;
    for (size_t to = 0; from < length || to < length;) {
        to = length - to < piece ? length : to + piece;
        const size_t pairs = to == length ? length - from : rhomb__seq_cut(text + from, to - from);
        REQUIRE(rhomb__seq_parse(&part, state, text + from, pairs));
        REQUIRE(part.after != RHOMB__SEQ_OPEN);
        state = part.after;
        follow(&whole, &part, text + from + pairs, &read);
        from += pairs;
    }
    check_end(&whole, &read);
    return 0;
}
