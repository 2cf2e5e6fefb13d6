/* SPDX-License-Identifier: MIT */
/*
 * See run.h.
 */
#include "run.h"

#include <unistd.h>

rhomb_context *device_open(void)
{
    rhomb_context *ctx = NULL;
    if (rhomb_context_create(&ctx, NULL) == RHOMB_OK &&
        rhomb_context_open(ctx, getenv("RHOMB_TEST_DEVICE"), 0) == RHOMB_OK)
        return ctx;
    fprintf(stderr, "skipped: %s\n", rhomb_context_error(ctx));
    rhomb_context_destroy(ctx);
    return NULL;
}

bool device_exists(void)
{
    rhomb_context *ctx = device_open();
    rhomb_context_destroy(ctx);
    return ctx != NULL;
}

static int run_named(const struct CMUnitTest *tests, size_t count, const char *name)
{
    const size_t prefix = strlen("test_");
    if (name == NULL)
        return _cmocka_run_group_tests("tests", tests, count, NULL, NULL);
    for (size_t i = 0; i < count; i++) {
        const char *own = tests[i].name;
        if (strcmp(own, name) == 0 || (strlen(own) > prefix && strcmp(own + prefix, name) == 0))
            return _cmocka_run_group_tests(own, tests + i, 1, NULL, NULL);
    }
    fprintf(stderr, "there is no case \"%s\"\n", name);
    return 2;
}

int session_run_of(session *s, const struct CMUnitTest *tests, size_t count, const char *name)
{
    if (!session_open(s))
        return 77;
    const int code = run_named(tests, count, name);
    session_close(s);
    return code;
}

const char *real_folder(const char *folder)
{
    const char *data = getenv("RHOMB_DATA");
    if (data != NULL && data[0] != '\0')
        folder = data;
    if (folder != NULL && access(folder, R_OK) == 0)
        return folder;
    printf("skipped: no folder %s; set RHOMB_DATA\n", folder != NULL ? folder : "of real pairs");
    return NULL;
}

letters real_letters(rhomb_context *ctx, const char *folder, const char *name)
{
    char file[1024];
    rhomb_sequence *sequence = NULL;
    letters text = {NULL, 0, 0};
    snprintf(file, sizeof file, "%s/%s.fa.gz", folder, name);
    if (rhomb_sequence_read(ctx, file, NULL, &sequence) != RHOMB_OK)
        fail_msg("%s: %s", file, rhomb_context_error(ctx));
    letters_append(&text, rhomb_sequence_bases(sequence), rhomb_sequence_length(sequence));
    rhomb_sequence_destroy(sequence);
    return text;
}
