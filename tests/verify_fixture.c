/* SPDX-License-Identifier: MIT */
/*
 * Files for the tests of verifying, see verify_fixture.h.
 */
#include "verify_fixture.h"

#include "support/test.h"

#include <unistd.h>

static char folder[] = "/tmp/rhomb-test-verify-XXXXXX";
char paths[FILES][64];
rhomb_context *ctx;
rhomb_verify_options options;
rhomb_verify_report report = RHOMB_VERIFY_REPORT_INIT;
unsigned found;
rhomb_verify_error first;
char first_text[512];
int64_t first_line;

static int note_error(const rhomb_verify_error *error, void *user)
{
    if (found == 0) {
        first = *error;
        first_line = error->row != NULL ? error->row->line : 0;
        snprintf(first_text, sizeof first_text, "%s", error->text);
    }
    found |= 1u << error->kind;
    return 0;
}

void write_file(int which, const char *text)
{
    /* ext4 waits for the disk when a file is written over, not for a new one. */
    unlink(paths[which]);
    FILE *file = fopen(paths[which], "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

rhomb_status verify(const char *text)
{
    rhomb_paf *paf = NULL;
    rhomb_sequence_set *targets = NULL;
    rhomb_sequence_set *queries = NULL;
    found = 0;
    first_line = 0;
    first_text[0] = '\0';
    write_file(PAF, text);
    assert_int_equal(rhomb_sequence_set_read(ctx, paths[TARGETS], &targets), RHOMB_OK);
    assert_int_equal(rhomb_sequence_set_read(ctx, paths[QUERIES], &queries), RHOMB_OK);
    assert_int_equal(rhomb_paf_open(ctx, paths[PAF], &paf), RHOMB_OK);
    const rhomb_status status = rhomb_verify(paf, targets, queries, &options, &report);
    rhomb_paf_destroy(paf);
    rhomb_sequence_set_destroy(targets);
    rhomb_sequence_set_destroy(queries);
    return status;
}

void expect_failure(rhomb_status wanted, const char *text, const char *words)
{
    const rhomb_status status = verify(text);
    assert_string_equal(rhomb_status_name(status), rhomb_status_name(wanted));
    if (strstr(rhomb_context_error(ctx), words) == NULL)
        fail_msg("no '%s' in: %s", words, rhomb_context_error(ctx));
}

int set_up(void **state)
{
    static const char *const NAMES[FILES] = {"paf", "targets", "queries"};
    if (mkdtemp(folder) == NULL)
        return -1;
    for (int i = 0; i < FILES; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, NAMES[i]);
    return rhomb_context_create(&ctx, NULL) == RHOMB_OK ? 0 : -1;
}

int set_options(void **state)
{
    options = (rhomb_verify_options)RHOMB_VERIFY_OPTIONS_INIT;
    options.error = note_error;
    return 0;
}

int tear_down(void **state)
{
    rhomb_context_destroy(ctx);
    for (int i = 0; i < FILES; i++)
        unlink(paths[i]);
    return rmdir(folder);
}
