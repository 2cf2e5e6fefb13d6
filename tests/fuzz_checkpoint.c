/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target for the reader of checkpoints: an input is a file. As it is, it is taken or there is
 * an error with a detail; with the checksums that it would need, so are all of its sections: their
 * content, as numbers, and as what a call is of. It may be complete, or grow.
 */
#include "src/checkpoint/checkpoint_format.h"
#include "src/checkpoint/state.h"
#include "tests/checkpoint_repair.h"
#include "tests/fuzz.h"

#include <fcntl.h>
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

typedef struct numbers {
    int64_t number;
    int32_t choice;
    bool truth;
} numbers;

static const rhomb__field NUMBERS[] = {RHOMB__FIELD(numbers, number),
                                       RHOMB__CHOICE(numbers, choice, 1, 3),
                                       RHOMB__FIELD(numbers, truth), RHOMB__FIELDS_END};

/* Every byte of a content is there, and can be read as whatever it may be. */
static void read_section(const rhomb__saved *saved, const char *name)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    int64_t bytes = -1;
    numbers n = {.choice = 1};
    uint32_t sum = 0;
    const unsigned char *content = rhomb__saved_section(saved, name, &bytes);
    REQUIRE(bytes >= 0 && (content != NULL || bytes == 0));
    for (int64_t i = 0; content != NULL && i < bytes; i++)
        sum = 31 * sum + content[i];
    n.number = sum;
    const rhomb_status status = rhomb__state_restore(&error, saved, name, NUMBERS, &n);
    REQUIRE(status == RHOMB_OK || status == RHOMB_ERR_INPUT);
    REQUIRE(status != RHOMB_OK || bytes == 8 + 4 + 1);
    REQUIRE(n.choice >= 1 && n.choice <= 3);
    rhomb__error_clear(&error);
}

static void read_file(const char *identity, const char *mark)
{
    static const char *const NAMES[] = {"call", "stage", "plan", "engine", "status", "end", ""};
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb__saved *saved = NULL;
    const int fd = open(file, O_RDONLY);
    const rhomb_status status = rhomb__saved_read(&error, fd, file, identity, mark, &saved);
    close(fd);
    REQUIRE(status == RHOMB_OK || status == RHOMB_ERR_INPUT);
    REQUIRE((status == RHOMB_OK) == (saved != NULL) || (status == RHOMB_OK && mark != NULL));
    REQUIRE((status == RHOMB_OK) == (rhomb__error_text(&error)[0] == '\0'));
    for (size_t i = 0; saved != NULL && i < sizeof NAMES / sizeof NAMES[0]; i++)
        read_section(saved, NAMES[i]);
    rhomb__saved_close(saved);
    rhomb__error_clear(&error);
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
    read_file(NULL, NULL);
    unsigned char *bytes = malloc(size + 1);
    REQUIRE(bytes != NULL);
    memcpy(bytes, data, size);
    checkpoint_repair(bytes, size, RHOMB__CHECKPOINT_FORMAT);
    fuzz_write_file(file, bytes, size);
    read_file(NULL, NULL);
    read_file(NULL, "path");
    read_file("version: 0.1.0\nkernels: 1\ncall: align\n", NULL);
    free(bytes);
    return 0;
}
