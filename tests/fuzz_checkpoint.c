/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target for the reader of checkpoints: an input is a file. As it is, it is taken or there is
 * an error with a detail; with the checksums that it would need, so are all of its sections: their
 * content, as numbers, and as what a call is of.
 */
#include "host/checkpoint/call_identity.h"
#include "src/checkpoint/checkpoint_format.h"
#include "src/checkpoint/saved_fields.h"
#include "tests/fuzz.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char file[] = "/tmp/rhomb-fuzz-checkpoint-XXXXXX";

static void remove_file(void)
{
    unlink(file);
}

/* Every byte of a content is there, and can be read as whatever it may be. */
static void read_section(const rhomb__saved *saved, const char *name)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb__fields fields;
    int64_t bytes = -1, number = 0;
    int32_t narrow = 0;
    bool truth = false;
    uint32_t sum = 0;
    const unsigned char *content = rhomb__saved_section(saved, name, &bytes);
    REQUIRE(bytes >= 0 && (content != NULL || bytes == 0));
    for (int64_t i = 0; content != NULL && i < bytes; i++)
        sum = 31 * sum + content[i];
    const rhomb_status status = rhomb__fields_restore(&fields, &error, saved, name);
    REQUIRE(status == RHOMB_OK || status == RHOMB_ERR_INPUT);
    REQUIRE(status != RHOMB_OK || fields.count * 8 == bytes);
    for (int i = 0; status == RHOMB_OK && i < 3 + (int)(sum % 40); i++) {
        rhomb__field_int64(&fields, &number);
        rhomb__field_int32(&fields, &narrow);
        rhomb__field_bool(&fields, &truth);
    }
    if (status == RHOMB_OK)
        (void)rhomb__fields_end(&fields, &error, saved);
    char *reason = NULL;
    if (content != NULL)
        (void)rhomb__identity_differs((const char *)content, (size_t)bytes,
                                      "version: 0.1.0\nkernels: 1\ncall: align\n", &reason);
    free(reason);
    rhomb__error_clear(&error);
}

static rhomb_status read_file(void)
{
    static const char *const NAMES[] = {"call", "stage", "plan", "engine", "status", "end", ""};
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb__saved *saved = NULL;
    const rhomb_status status = rhomb__saved_open(&error, file, &saved);
    REQUIRE(status == RHOMB_OK || status == RHOMB_ERR_INPUT);
    REQUIRE((status == RHOMB_OK) == (saved != NULL));
    REQUIRE((status == RHOMB_OK) == (rhomb__error_text(&error)[0] == '\0'));
    for (size_t i = 0; saved != NULL && i < sizeof NAMES / sizeof NAMES[0]; i++)
        read_section(saved, NAMES[i]);
    rhomb__saved_close(saved);
    rhomb__error_clear(&error);
    return status;
}

/* Gives head and sections the checksums that they need, as far as there are sections. */
static void repair(unsigned char *bytes, size_t size)
{
    size_t at = RHOMB__CHECKPOINT_HEAD;
    if (size < at)
        return;
    memcpy(bytes, RHOMB__CHECKPOINT_MAGIC, 16);
    rhomb__put_u32(bytes + 16, RHOMB__CHECKPOINT_FORMAT);
    uint32_t chain = rhomb__checkpoint_sum(0, bytes, 20);
    rhomb__put_u32(bytes + 20, chain);
    while (size - at >= RHOMB__CHECKPOINT_FRAME + RHOMB__CHECKPOINT_TAIL) {
        const uint64_t content = rhomb__get_u64(bytes + at + RHOMB__CHECKPOINT_NAME);
        const uint64_t room = size - at - RHOMB__CHECKPOINT_FRAME - RHOMB__CHECKPOINT_TAIL;
        if (content > room || ((content + 7) & ~UINT64_C(7)) > room)
            return;
        const size_t summed = RHOMB__CHECKPOINT_FRAME + (size_t)((content + 7) & ~UINT64_C(7));
        const uint32_t sum = rhomb__checkpoint_sum(0, bytes + at, summed);
        chain = rhomb__checkpoint_chain(chain, sum);
        rhomb__put_u32(bytes + at + summed, sum);
        rhomb__put_u32(bytes + at + summed + 4, chain);
        at += summed + RHOMB__CHECKPOINT_TAIL;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool made; /* a name made by mkstemp() may have an X as well */
    if (!made) {
        const int fd = mkstemp(file);
        REQUIRE(fd >= 0);
        close(fd);
        atexit(remove_file);
        made = true;
    }
    fuzz_write_file(file, data, size);
    (void)read_file();
    unsigned char *bytes = malloc(size + 1);
    REQUIRE(bytes != NULL);
    memcpy(bytes, data, size);
    repair(bytes, size);
    fuzz_write_file(file, bytes, size);
    (void)read_file();
    free(bytes);
    return 0;
}
