/* SPDX-License-Identifier: MIT */
/*
 * The reader of all records: what it gives of plain, compressed and odd files, and how it fails.
 */
#include "fasta_fixture.h"
#include "rhomb/all_records.h"
#include "support/test.h"

static rhomb_context *ctx;

/* All records as text, "name=bases;", and then the failure, if any. */
static const char *read_all(const char *path)
{
    static char text[4096];
    rhomb_records *records = NULL;
    const rhomb_record *record = NULL;
    size_t used = 0;
    text[0] = '\0';
    rhomb_status status = rhomb_records_open(ctx, path, &records);
    while (status == RHOMB_OK) {
        status = rhomb_records_next(records, &record);
        if (status != RHOMB_OK || record == NULL)
            break;
        assert_int_equal(record->length, strlen(record->bases));
        used += (size_t)snprintf(text + used, sizeof text - used, "%s=%s;", record->name,
                                 record->bases);
    }
    if (status != RHOMB_OK)
        snprintf(text + used, sizeof text - used, "%s: %s", rhomb_status_name(status),
                 rhomb_context_error(ctx));
    /* There is nothing more, however often one asks. */
    if (records != NULL) {
        assert_int_equal(rhomb_records_next(records, &record), RHOMB_OK);
        assert_null(record);
    }
    rhomb_records_destroy(records);
    return text;
}

static void gives_records(void **state)
{
    write_text(">a b\nAC\ngt\n>empty\n>c\r\nN\r\n>a\nT\n");
    assert_string_equal(read_all(file_path), "a=ACgt;empty=;c=N;a=T;");
    write_packed("w", "@r\nACGT\n+\nIIII\n", 15);
    assert_string_equal(read_all(file_path), "r=ACGT;");
}

/* As md5sum has them; of a record that was read, and of no other. */
static void digests(void **state)
{
    static const char *const DIGESTS[] = {NULL, "f1f8f4bf413b16ad135722aa4591043e",
                                          "d41d8cd98f00b204e9800998ecf8427e", NULL};
    rhomb_records *records = NULL;
    const rhomb_record *record = NULL;
    char md5[33] = "";
    write_text(">a\nAC\ngt\n>empty\n");
    assert_int_equal(rhomb_records_open(ctx, file_path, &records), RHOMB_OK);
    for (size_t i = 0; i < COUNT(DIGESTS); i++) {
        const bool is_read = DIGESTS[i] != NULL;
        if (i > 0)
            assert_int_equal(rhomb_records_next(records, &record), RHOMB_OK);
        assert_int_equal(rhomb_records_md5(records, md5), is_read ? RHOMB_OK : RHOMB_ERR_ARGUMENT);
        if (is_read)
            assert_string_equal(md5, DIGESTS[i]);
    }
    rhomb_records_destroy(records);
}

static void fails(void **state)
{
    write_text("");
    assert_contains(read_all(file_path), "RHOMB_ERR_INPUT: ");
    assert_contains(read_all(file_path), "is empty");
    write_text("ACGT\n");
    assert_contains(read_all(file_path), "not a FASTA or FASTQ file");
    write_text(">a\nAC\n@r\nACGT\n");
    assert_contains(read_all(file_path), "a=AC@rACGT;");
    assert_contains(read_all("/none/such"), "RHOMB_ERR_INPUT: ");
}

/* A gzip file that ends too early has the records before that place. */
static void notices_truncation(void **state)
{
    write_packed("wg", ">a\nACGT\n>b\nAC\n", 14);
    append_cut_member(">c\nACGTACGT\n>d\nA", 16, "");
    const char *text = read_all(file_path);
    assert_contains(text, "a=ACGT;b=AC;");
    assert_contains(text, "RHOMB_ERR_INPUT: ");
}

int main(void)
{
    const rhomb_context_options options = {
        .struct_size = sizeof options, .threads = 2, .cache_dir = "off"};
    if (rhomb_context_create(&ctx, &options) != RHOMB_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        TEST_LIST(FASTA_TEST, gives_records, digests, fails, notices_truncation)};
    const int failed = cmocka_run_group_tests(tests, make_folder, remove_folder);
    rhomb_context_destroy(ctx);
    return failed;
}
