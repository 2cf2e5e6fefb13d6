/* SPDX-License-Identifier: MIT */
/*
 * The program cache on disk: what is stored comes back, and nothing else ever does. No device
 * needed: a binary is any block of bytes.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/device/cache.h"
#include "host/device/context.h"
#include "src/base/digest.h"
#include "support/test.h"
#include "support/whole_files.h"

/* A folder of its own for each test, with a context that caches in a folder below it. */
typedef struct fixture {
    char root[64];
    char folder[80];
    rhomb_context *ctx;
    int messages;
    char last[2048];
} fixture;

static void count_message(int level, const char *text, void *user)
{
    fixture *f = user;
    assert_int_equal(level, 1);
    f->messages++;
    snprintf(f->last, sizeof f->last, "%s", text);
}

static rhomb_context *open_cache(fixture *f, const char *folder)
{
    rhomb_context_options options = RHOMB_CONTEXT_OPTIONS_INIT;
    rhomb_context *ctx = NULL;
    options.cache_dir = folder;
    options.log = count_message;
    options.log_user = f;
    assert_int_equal(rhomb_context_create(&ctx, &options), RHOMB_OK);
    return ctx;
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    if (f == NULL)
        return -1;
    snprintf(f->root, sizeof f->root, "/tmp/rhomb-test-cache-XXXXXX");
    if (mkdtemp(f->root) == NULL)
        return -1;
    snprintf(f->folder, sizeof f->folder, "%s/a/b", f->root);
    f->ctx = open_cache(f, f->folder);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", f->root);
    rhomb_context_destroy(f->ctx);
    free(f);
    return system(command);
}

static size_t count_files(const char *folder)
{
    size_t count = 0;
    struct dirent *entry;
    DIR *dir = opendir(folder);
    while (dir != NULL && (entry = readdir(dir)) != NULL)
        count += entry->d_name[0] != '.';
    if (dir != NULL)
        closedir(dir);
    return count;
}

static void path_of(const fixture *f, const char *key, char path[160])
{
    char name[RHOMB__MD5_HEX_SIZE];
    assert_true(rhomb__md5_hex(key, strlen(key), name));
    snprintf(path, 160, "%s/%s", f->folder, name);
}

static bool is_hit(fixture *f, const char *key, const void *expected, size_t expected_size)
{
    unsigned char *binary = NULL;
    size_t size = 0;
    const bool hit = rhomb__cache_load(f->ctx, key, &binary, &size);
    if (hit) {
        assert_int_equal(size, expected_size);
        assert_memory_equal(binary, expected, size);
    } else {
        assert_null(binary);
        assert_int_equal(size, 0);
    }
    free(binary);
    return hit;
}

static const unsigned char BINARY[] = "\x7f"
                                      "ELF\0\xff binary";

static void test_round_trip(void **state)
{
    fixture *f = *state;
    struct stat info;
    char path[160];
    const size_t large_size = 300000;
    unsigned char *large = malloc(large_size);
    assert_non_null(large);
    for (size_t i = 0; i < large_size; i++)
        large[i] = (unsigned char)(i * i >> 3);

    assert_false(is_hit(f, "key\n", BINARY, sizeof BINARY));
    assert_int_equal(f->messages, 0); /* an empty cache is nothing to talk about */
    rhomb__cache_store(f->ctx, "key\n", BINARY, sizeof BINARY);
    rhomb__cache_store(f->ctx, "other", large, large_size);
    assert_true(is_hit(f, "key\n", BINARY, sizeof BINARY));
    assert_true(is_hit(f, "other", large, large_size));
    assert_false(is_hit(f, "key", BINARY, sizeof BINARY));
    assert_int_equal(f->messages, 0);
    assert_int_equal(count_files(f->folder), 2); /* no temporary file is left */

    assert_int_equal(stat(f->folder, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    path_of(f, "other", path);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);

    /* A later store replaces. */
    rhomb__cache_store(f->ctx, "other", BINARY, 1);
    assert_true(is_hit(f, "other", BINARY, 1));
    assert_int_equal(count_files(f->folder), 2);
    free(large);
}

static void test_format(void **state)
{
    /* The layout that cache.h promises; another layout needs another RHOMB__CACHE_FORMAT. */
    static const char expected[] = "RHOMBPRG\1\0\0\0\3\0\0\0\3\0\0\0\0\0\0\0"
                                   "900150983cd24fb0d6963f7d28e17f72"
                                   "keyabc";
    fixture *f = *state;
    size_t size;
    char path[160];
    rhomb__cache_store(f->ctx, "key", (const unsigned char *)"abc", 3);
    path_of(f, "key", path);
    char *content = file_read(path, &size);
    assert_int_equal(size, sizeof expected - 1);
    assert_memory_equal(content, expected, size);
    free(content);
}

static void test_damage(void **state)
{
    fixture *f = *state;
    size_t size;
    char path[160];
    rhomb__cache_store(f->ctx, "key", BINARY, sizeof BINARY);
    path_of(f, "key", path);
    unsigned char *content = file_read(path, &size);
    assert_true(size >= 60);

    for (size_t length = 0; length < size; length++) {
        file_write(path, content, length);
        if (is_hit(f, "key", BINARY, sizeof BINARY))
            fail_msg("hit with the first %zu of %zu bytes", length, size);
    }
    for (size_t at = 0; at < size; at++)
        for (int bit = 0; bit < 8; bit++) {
            content[at] ^= (unsigned char)(1 << bit);
            file_write(path, content, size);
            if (is_hit(f, "key", BINARY, sizeof BINARY))
                fail_msg("hit with bit %d of byte %zu flipped", bit, at);
            content[at] ^= (unsigned char)(1 << bit);
        }
    content[size] = 0;
    file_write(path, content, size + 1);
    assert_false(is_hit(f, "key", BINARY, sizeof BINARY));
    assert_int_equal(f->messages, 9 * size + 1);
    free(content);

    /* The next store heals it. */
    rhomb__cache_store(f->ctx, "key", BINARY, sizeof BINARY);
    assert_true(is_hit(f, "key", BINARY, sizeof BINARY));
}

static void test_other_key_of_same_name(void **state)
{
    fixture *f = *state;
    char from[160], to[160];
    rhomb__cache_store(f->ctx, "key 1", BINARY, sizeof BINARY);
    path_of(f, "key 1", from);
    path_of(f, "key 2", to);
    assert_int_equal(rename(from, to), 0);
    assert_false(is_hit(f, "key 2", BINARY, sizeof BINARY));
    assert_int_equal(f->messages, 1);
    assert_contains(f->last, "of another program");
}

static void test_unwritable(void **state)
{
    /* Works for root too: a folder below a file can be made by nobody. */
    fixture *f = *state;
    char path[96];
    snprintf(path, sizeof path, "%s/file", f->root);
    file_write(path, BINARY, 1);
    snprintf(path, sizeof path, "%s/file/cache", f->root);
    rhomb_context *ctx = open_cache(f, path);
    unsigned char *binary = NULL;
    size_t size = 0;
    rhomb__cache_store(ctx, "key", BINARY, sizeof BINARY);
    assert_int_equal(f->messages, 1);
    assert_contains(f->last, "cannot store");
    assert_false(rhomb__cache_load(ctx, "key", &binary, &size));
    assert_int_equal(f->messages, 2);
    assert_string_equal(rhomb_context_error(ctx), "");
    rhomb_context_destroy(ctx);

    /* A folder in the file's place. */
    char entry[160];
    rhomb__cache_store(f->ctx, "warm", BINARY, sizeof BINARY);
    path_of(f, "key", entry);
    assert_int_equal(mkdir(entry, 0700), 0);
    assert_false(is_hit(f, "key", BINARY, sizeof BINARY));
    rhomb__cache_store(f->ctx, "key", BINARY, sizeof BINARY);
    assert_int_equal(f->messages, 4);
    assert_int_equal(count_files(f->folder), 2); /* the temporary file is gone */
    assert_int_equal(rmdir(entry), 0);
}

/* What lies there may be of any kind and of anybody; nothing of it blocks or is believed. */
static void test_odd_files(void **state)
{
    fixture *f = *state;
    char path[160];
    rhomb__cache_store(f->ctx, "key", BINARY, sizeof BINARY);
    path_of(f, "key", path);

    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    alarm(20);
    assert_false(is_hit(f, "key", BINARY, sizeof BINARY));
    alarm(0);
    assert_contains(f->last, "not a regular file");
    rhomb__cache_store(f->ctx, "key", BINARY, sizeof BINARY);
    assert_true(is_hit(f, "key", BINARY, sizeof BINARY));

    if (geteuid() != 0)
        return;
    assert_int_equal(chown(path, 54321, 54321), 0);
    assert_false(is_hit(f, "key", BINARY, sizeof BINARY));
    assert_contains(f->last, "another user");
    rhomb__cache_store(f->ctx, "key", BINARY, sizeof BINARY);
    assert_true(is_hit(f, "key", BINARY, sizeof BINARY));
}

static void test_off(void **state)
{
    fixture *f = *state;
    const char *const offs[] = {"off", "OFF", ""};
    for (size_t i = 0; i < COUNT(offs); i++) {
        unsigned char *binary = NULL;
        size_t size = 0;
        rhomb_context *ctx = open_cache(f, offs[i]);
        assert_null(ctx->cache_dir);
        rhomb__cache_store(ctx, "key", BINARY, sizeof BINARY);
        assert_false(rhomb__cache_load(ctx, "key", &binary, &size));
        rhomb_context_destroy(ctx);
    }
    assert_int_equal(f->messages, 0);
}

static void test_folder_rule(void **state)
{
    static const struct {
        const char *option, *own, *xdg, *home, *expected;
    } rows[] = {
        {"/o", "/r", "/x", "/h", "/o"},
        {NULL, "/r", "/x", "/h", "/r"},
        {NULL, "r", "/x", "/h", "r"},
        {NULL, "off", "/x", "/h", NULL},
        {NULL, "", "/x", "/h", NULL},
        {"/o", "off", "/x", "/h", "/o"},
        {NULL, NULL, "/x", "/h", "/x/rhomb"},
        {NULL, NULL, "", "/h", "/h/.cache/rhomb"},
        {NULL, NULL, "x", "/h", "/h/.cache/rhomb"},
        {NULL, NULL, NULL, "/h", "/h/.cache/rhomb"},
        {NULL, NULL, NULL, "", NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    static const char *const NAMES[] = {"RHOMB_CACHE_DIR", "XDG_CACHE_HOME", "HOME"};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *folder = NULL;
        const char *const values[] = {rows[i].own, rows[i].xdg, rows[i].home};
        for (size_t k = 0; k < COUNT(NAMES); k++)
            values[k] != NULL ? setenv(NAMES[k], values[k], 1) : unsetenv(NAMES[k]);
        assert_int_equal(rhomb__cache_folder(rows[i].option, &folder), RHOMB_OK);
        if (rows[i].expected == NULL)
            assert_null(folder);
        else
            assert_string_equal(folder, rows[i].expected);
        free(folder);
    }
}

static void set_age(const fixture *f, const char *key, time_t when)
{
    const struct timespec times[2] = {{.tv_sec = when}, {.tv_sec = when}};
    char path[160];
    path_of(f, key, path);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void test_eviction(void **state)
{
    fixture *f = *state;
    char key[32];
    char foreign[96];
    for (int i = 0; i < RHOMB__CACHE_FILES_MAX; i++) {
        snprintf(key, sizeof key, "key %d", i);
        rhomb__cache_store(f->ctx, key, BINARY, sizeof BINARY);
        set_age(f, key, 1000000 + i);
    }
    snprintf(foreign, sizeof foreign, "%s/README", f->folder);
    file_write(foreign, BINARY, 1);
    assert_int_equal(count_files(f->folder), RHOMB__CACHE_FILES_MAX + 1);

    assert_true(is_hit(f, "key 0", BINARY, sizeof BINARY)); /* which makes it young again */
    rhomb__cache_store(f->ctx, "one more", BINARY, sizeof BINARY);
    assert_int_equal(count_files(f->folder), RHOMB__CACHE_FILES_MAX + 1);
    assert_true(is_hit(f, "one more", BINARY, sizeof BINARY));
    assert_true(is_hit(f, "key 0", BINARY, sizeof BINARY));
    assert_false(is_hit(f, "key 1", BINARY, sizeof BINARY));
    assert_true(is_hit(f, "key 2", BINARY, sizeof BINARY));
    assert_int_equal(access(foreign, F_OK), 0);
}

#define CACHE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CACHE_TEST(test_round_trip),
        CACHE_TEST(test_format),
        CACHE_TEST(test_damage),
        CACHE_TEST(test_other_key_of_same_name),
        CACHE_TEST(test_unwritable),
        CACHE_TEST(test_odd_files),
        CACHE_TEST(test_off),
        CACHE_TEST(test_eviction),
        cmocka_unit_test(test_folder_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
