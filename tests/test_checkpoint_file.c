/* SPDX-License-Identifier: MIT */
/*
 * The file of a checkpoint: what was saved comes back; whatever is cut off, flipped or exchanged is
 * noticed; and a file that cannot be written leaves the one before as it was.
 */
#include "checkpoint_repair.h"
#include "host/checkpoint/checkpoint.h"
#include "src/base/clock.h"
#include "src/checkpoint/state.h"
#include "support/plans.h"
#include "support/whole_files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define IDENTITY "version: 1\ntarget: 5 bases\nlimit: -1\n"

static char folder[] = "/tmp/rhomb-checkpoint-XXXXXX";
static char file[64], new_file[64];
static rhomb__error error;

/* Sections of all lengths modulo 8, none, and one of several pieces. */
static const char LARGE[10007] = {1, 2, 3};

static void save_sections(rhomb__saver *saver, char first)
{
    const char text[] = {first, 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'};
    char name[8];
    for (size_t bytes = 0; bytes <= sizeof text; bytes++) {
        snprintf(name, sizeof name, "text %zu", bytes);
        rhomb__saver_section(saver, name, text, bytes);
    }
    rhomb__saver_begin(saver, "pieces", sizeof LARGE);
    rhomb__saver_add(saver, LARGE, 0);
    for (size_t at = 0; at < sizeof LARGE; at += 1000)
        rhomb__saver_add(saver, LARGE + at, at + 1000 <= sizeof LARGE ? 1000 : sizeof LARGE - at);
}

static rhomb_status saved_open(rhomb__error *out_error, const char *path, const char *identity,
                               rhomb__saved **out)
{
    const int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    const rhomb_status status = rhomb__saved_read(out_error, fd, path, identity, NULL, out);
    close(fd);
    return status;
}

static rhomb__saver *open_saver(void)
{
    rhomb__saver *saver = NULL;
    assert_int_equal(rhomb__saver_open(&error, file, IDENTITY, &saver), RHOMB_OK);
    assert_non_null(saver);
    return saver;
}

static void save(char first)
{
    const char *why = NULL;
    rhomb__saver *saver = open_saver();
    save_sections(saver, first);
    assert_false(rhomb__saver_failed(saver));
    assert_true(rhomb__saver_commit(saver, &why));
    rhomb__saver_close(saver);
    assert_int_not_equal(access(new_file, F_OK), 0);
}

static void expect_saved(char first)
{
    rhomb__saved *saved = NULL;
    int64_t bytes = -1;
    char name[8];
    assert_int_equal(saved_open(&error, file, NULL, &saved), RHOMB_OK);
    assert_non_null(saved);
    for (int i = 0; i <= 9; i++) {
        snprintf(name, sizeof name, "text %d", i);
        const char *text = rhomb__saved_section(saved, name, &bytes);
        assert_non_null(text);
        assert_int_equal(bytes, i);
        assert_int_equal((uintptr_t)text % 8, 0);
        assert_true(i == 0 || text[0] == first);
        assert_memory_equal(text + (i > 0), "bcdefghi", i > 0 ? (size_t)i - 1 : 0);
    }
    const void *large = NULL;
    assert_int_equal(rhomb__saved_need(&error, saved, "pieces", sizeof LARGE, &large), RHOMB_OK);
    assert_memory_equal(large, LARGE, sizeof LARGE);
    assert_null(rhomb__saved_section(saved, "none", &bytes));
    assert_int_equal(bytes, 0);
    assert_int_equal(rhomb__saved_need(&error, saved, "pieces", 5, &large), RHOMB_ERR_INPUT);
    assert_contains(rhomb__error_text(&error), "is damaged");
    rhomb__error_clear(&error);
    rhomb__saved_close(saved);
}

static void comes_back(void **state)
{
    save('a');
    expect_saved('a');
    save('x');
    expect_saved('x');
    rhomb__saved *saved = NULL;
    rhomb__saver *held = NULL;
    for (int is_empty = 0; is_empty < 2; is_empty++) {
        unlink(file);
        if (is_empty == 1)
            file_write(file, NULL, 0);
        assert_int_equal(rhomb__saver_hold(&error, file, NULL, &saved, &held), RHOMB_OK);
        assert_null(saved);
        rhomb__saver_close(held);
    }
}

/* With the name of what was done to the file. */
static void expect_damaged(const char *what, size_t at)
{
    rhomb__saved *saved = NULL;
    const rhomb_status status = saved_open(&error, file, NULL, &saved);
    if (status != RHOMB_ERR_INPUT || strstr(rhomb__error_text(&error), "is damaged: ") == NULL)
        fail_msg("%s at %zu: status %s, \"%s\"", what, at, rhomb_status_name(status),
                 rhomb__error_text(&error));
    assert_null(saved);
    rhomb__error_clear(&error);
}

static void notices_damage(void **state)
{
    size_t size = 0;
    save('a');
    unsigned char *bytes = file_read(file, &size);
    for (size_t at = 1; at < size; at += at < size - 500 ? 97 : 1) {
        file_write(file, bytes, at);
        expect_damaged("cut off", at);
    }
    /* All bits of the head and the first sections, and of the end; one of each 97th byte. */
    for (size_t at = 0; at < size; at += at < 700 || at > size - 100 ? 1 : 97) {
        for (int bit = 0; bit < 8; bit += at < 700 || at > size - 100 ? 1 : 8) {
            bytes[at] ^= (unsigned char)(1 << bit);
            file_write(file, bytes, size);
            expect_damaged("a flipped bit", 8 * at + (size_t)bit);
            bytes[at] ^= (unsigned char)(1 << bit);
        }
    }
    bytes[size] = 0;
    file_write(file, bytes, size + 1);
    expect_damaged("a longer file", size);
    /* The last section twice, with the right checksums. */
    memcpy(bytes + size, bytes + size - 24, 24);
    checkpoint_repair(bytes, size + 24, RHOMB__CHECKPOINT_FORMAT);
    file_write(file, bytes, size + 24);
    expect_damaged("two ends", size);
    free(bytes);
}

/* Each section is whole, and one is missing, twice there, or in another's place. */
static void notices_order(void **state)
{
    size_t size = 0;
    save('a');
    unsigned char *bytes = file_read(file, &size);
    unsigned char *changed = malloc(2 * size);
    const size_t second = 72 + 24, third = second + 32;
    assert_memory_equal(bytes + second, "text 1", 6);
    assert_memory_equal(bytes + third, "text 2", 6);
    memcpy(changed, bytes, second);
    memcpy(changed + second, bytes + third, size - third);
    file_write(file, changed, size - (third - second));
    expect_damaged("a missing section", second);
    memcpy(changed, bytes, third);
    memcpy(changed + third, bytes + second, size - second);
    file_write(file, changed, size + (third - second));
    expect_damaged("a section twice", second);
    memcpy(changed, bytes, size);
    memcpy(changed + second, bytes + third, 32);
    memcpy(changed + third, bytes + second, 32);
    file_write(file, changed, size);
    expect_damaged("exchanged sections", second);
    free(changed);
    free(bytes);
}

static void has_a_format(void **state)
{
    size_t size = 0;
    rhomb__saved *saved = NULL;
    save('a');
    unsigned char *bytes = file_read(file, &size);
    checkpoint_repair(bytes, size, 77);
    file_write(file, bytes, size);
    assert_int_equal(saved_open(&error, file, NULL, &saved), RHOMB_ERR_INPUT);
    assert_contains(rhomb__error_text(&error), "has the format 77, and this version has 5");
    rhomb__error_clear(&error);
    free(bytes);
    assert_int_equal(saved_open(&error, folder, NULL, &saved), RHOMB_ERR_INPUT);
    assert_contains(rhomb__error_text(&error), "is not a file");
    rhomb__error_clear(&error);
}

/* The one before stays, whatever fails. */
static void keeps_the_one_before(void **state)
{
    struct rlimit before, small = {.rlim_cur = 5000};
    const char *why = NULL;
    save('a');
    rhomb__saver *saver = open_saver();
    save_sections(saver, 'x');
    expect_saved('a');
    rhomb__saver_close(saver);
    assert_int_not_equal(access(new_file, F_OK), 0);
    expect_saved('a');

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    saver = open_saver();
    save_sections(saver, 'x');
    save_sections(saver, 'x');
    assert_false(rhomb__saver_commit(saver, &why));
    assert_contains(why, "cannot be written: File too large");
    rhomb__saver_close(saver);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    expect_saved('a');
    assert_int_not_equal(access(new_file, F_OK), 0);

    /* What a killed process has left is no hindrance. */
    FILE *left = fopen(new_file, "wb");
    for (int i = 0; i < 10000; i++)
        fputs("part of a checkpoint", left);
    fclose(left);
    save('y');
    expect_saved('y');
}

static void expect_no_saver(const char *path, const char *text)
{
    rhomb__saver *saver = NULL;
    assert_int_equal(rhomb__saver_open(&error, path, IDENTITY, &saver), RHOMB_ERR_OUTPUT);
    assert_null(saver);
    assert_contains(rhomb__error_text(&error), text);
    rhomb__error_clear(&error);
}

/* How another run can have the file. */
enum { WRITES, HOLDS, HAS_WRITTEN, WAYS };

static bool take(int way, rhomb__saver **saver)
{
    const char *why = NULL;
    rhomb__saved *saved = NULL;
    if (way == HOLDS) {
        const rhomb_status status = rhomb__saver_hold(&error, file, NULL, &saved, saver);
        rhomb__saved_close(saved);
        return status == RHOMB_OK;
    }
    if (rhomb__saver_open(&error, file, IDENTITY, saver) != RHOMB_OK)
        return false;
    if (way == HAS_WRITTEN)
        save_sections(*saver, 'y');
    return way == WRITES || rhomb__saver_commit(*saver, &why);
}

static void expect_taken(int way)
{
    rhomb__saver *saver = NULL;
    assert_false(take(way == WRITES ? WRITES : HOLDS, &saver));
    assert_null(saver);
    assert_non_null(strstr(rhomb__error_text(&error), "another run writes it"));
    rhomb__error_clear(&error);
}

/* Whether the other run is another process's, or this one's. */
static void needs_it_alone(int way)
{
    int ready[2], over[2], status = 1;
    char byte;
    rhomb__saver *saver = NULL;
    assert_int_equal(pipe(ready) | pipe(over), 0);
    const pid_t child = fork();
    if (child == 0) {
        const bool taken = take(way, &saver);
        if (write(ready[1], "", 1) == 1 && read(over[0], &byte, 1) == 1)
            rhomb__saver_close(saver);
        _exit(taken ? 0 : 1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    expect_taken(way);
    assert_int_equal(write(over[1], "", 1), 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(take(way, &saver));
    expect_taken(way);
    rhomb__saver_close(saver);
}

/* Not another file that has its name by now. */
static void removes_its_own(void **state)
{
    rhomb__saver *saver = NULL;
    for (int way = 0; way < WAYS; way++) {
        const char *name = way == WRITES ? new_file : file;
        assert_true(take(way, &saver));
        rhomb__saver_drop(saver);
        assert_int_not_equal(access(name, F_OK), 0);
        fclose(fopen(name, "wb"));
        rhomb__saver_drop(saver);
        rhomb__saver_close(saver);
        assert_int_equal(unlink(name), 0);
    }
}

/* Folders that are not there, links, pipes, and another process that has the same file. */
static void needs_its_file(void **state)
{
    char other[64];
    expect_no_saver("/none/such/file", "/none/such/file.new cannot be opened: No such file");
    assert_int_equal(symlink("elsewhere", new_file), 0);
    expect_no_saver(file, "cannot be opened");
    unlink(new_file);
    assert_int_equal(mkfifo(new_file, 0600), 0);
    expect_no_saver(file, "cannot be opened");
    unlink(new_file);
    snprintf(other, sizeof other, "%s/elsewhere", folder);
    assert_int_not_equal(access(other, F_OK), 0);
    for (int way = 0; way < WAYS; way++)
        needs_it_alone(way);
    save('z');
}

typedef enum mode { MODE_FIRST = 1, MODE_LAST = 3 } mode;

typedef struct part {
    int64_t unsaved, number;
} part;

typedef struct numbers {
    int64_t wide;
    bool is_true;
    mode mode;
    part parts[2];
    double real, began;
} numbers;

static const rhomb__field PART[] = {RHOMB__FIELD(part, number), RHOMB__FIELDS_END};

static const rhomb__field NUMBERS[] = {
    RHOMB__FIELD(numbers, is_true),       RHOMB__CHOICE(numbers, mode, MODE_FIRST, MODE_LAST),
    RHOMB__FIELD(numbers, wide),          RHOMB__PART(numbers, parts[0], PART),
    RHOMB__PART(numbers, parts[1], PART), RHOMB__MOMENT(numbers, began),
    RHOMB__FIELD(numbers, real),          RHOMB__FIELDS_END};

enum { NUMBERS_BYTES = 1 + 4 + 5 * 8 };

/* Saves some numbers, of which one byte may be another one; and so many bytes of them. */
static void save_numbers(const numbers *n, int at, int value, int bytes)
{
    const char *why = NULL;
    int64_t found = 0;
    unsigned char changed[NUMBERS_BYTES + 1] = {0};
    rhomb__saved *saved = NULL;
    for (int i = 0; i < 2; i++) {
        rhomb__saver *saver = open_saver();
        if (i == 0)
            rhomb__state_save(saver, "n", NUMBERS, n);
        else
            rhomb__saver_section(saver, "n", changed, (size_t)bytes);
        assert_true(rhomb__saver_commit(saver, &why));
        rhomb__saver_close(saver);
        if (i > 0)
            return;
        assert_int_equal(saved_open(&error, file, NULL, &saved), RHOMB_OK);
        const void *content = rhomb__saved_section(saved, "n", &found);
        assert_int_equal(found, NUMBERS_BYTES);
        memcpy(changed, content, NUMBERS_BYTES);
        rhomb__saved_close(saved);
        if (value >= 0)
            changed[at] = (unsigned char)value;
    }
}

static void restore_numbers(numbers *n, const char *detail)
{
    rhomb__saved *saved = NULL;
    assert_int_equal(saved_open(&error, file, NULL, &saved), RHOMB_OK);
    assert_int_equal(rhomb__state_restore(&error, saved, "n", NUMBERS, n),
                     detail == NULL ? RHOMB_OK : RHOMB_ERR_INPUT);
    assert_contains(rhomb__error_text(&error), detail == NULL ? "" : detail);
    rhomb__error_clear(&error);
    assert_int_equal(rhomb__state_restore(&error, saved, "m", NUMBERS, n), RHOMB_ERR_INPUT);
    assert_contains(rhomb__error_text(&error), "is damaged: it lacks numbers");
    rhomb__error_clear(&error);
    rhomb__saved_close(saved);
}

/* What was saved comes back, a moment as long ago; what fields cannot be, and other sizes, do not.
 */
static void restores_numbers(void **state)
{
    static const struct {
        int at, value, bytes;
    } WRONG[] = {{0, 2, NUMBERS_BYTES},
                 {1, 0, NUMBERS_BYTES},
                 {1, 4, NUMBERS_BYTES},
                 {4, 1, NUMBERS_BYTES},
                 {0, -1, NUMBERS_BYTES - 1},
                 {0, -1, NUMBERS_BYTES + 1},
                 {0, -1, 0}};
    const numbers n = {-5, true, MODE_LAST, {{1, 2}, {3, 4}}, -0.1, rhomb__now() - 1000};
    numbers back = {.parts = {{5, 5}, {6, 6}}};
    save_numbers(&n, 0, -1, NUMBERS_BYTES);
    restore_numbers(&back, NULL);
    assert_true(back.wide == -5 && back.is_true && back.mode == MODE_LAST && back.real == -0.1);
    assert_true(back.parts[0].number == 2 && back.parts[1].number == 4);
    assert_true(back.parts[0].unsaved == 5 && back.parts[1].unsaved == 6);
    const double gone = rhomb__now() - back.began;
    assert_true(gone >= 1000 && gone < 1100 && back.began > n.began);
    for (size_t i = 0; i < COUNT(WRONG); i++) {
        save_numbers(&n, WRONG[i].at, WRONG[i].value, WRONG[i].bytes);
        back.is_true = false;
        back.mode = MODE_FIRST;
        restore_numbers(&back, "is damaged: its numbers do not fit");
        assert_true(WRONG[i].at != 0 || !back.is_true);
        assert_true(WRONG[i].at == 0 || back.mode == MODE_FIRST);
    }
}

/* A field that two structures have is copied, and no other. */
static void copies_fields(void **state)
{
    static const rhomb__field FIELDS[] = {
        RHOMB__FIELD_OF(numbers, wide, offsetof(part, number), RHOMB__NOWHERE),
        RHOMB__FIELD(numbers, real), RHOMB__FIELDS_END};
    const numbers n = {.wide = 7, .real = 2};
    part p = {1, 1};
    numbers again = {.wide = 1, .is_true = true, .real = 1};
    rhomb__state_copy(FIELDS, &n, 0, &p, 1);
    assert_true(p.number == 7 && p.unsaved == 1);
    p.number = 8;
    rhomb__state_copy(FIELDS, &p, 1, &again, 0);
    assert_true(again.wide == 8 && again.real == 1);
    rhomb__state_copy(FIELDS, &n, 0, &again, 0);
    assert_true(again.wide == 7 && again.real == 2 && again.is_true);
}

static void expect_difference(const char *here, const char *expected)
{
    rhomb__saved *saved = NULL;
    const rhomb_status status = saved_open(&error, file, here, &saved);
    assert_int_equal(status, expected == NULL ? RHOMB_OK : RHOMB_ERR_INPUT);
    if (expected != NULL)
        assert_contains(rhomb__error_text(&error), expected);
    rhomb__error_clear(&error);
    rhomb__saved_close(saved);
}

static void tells_identities(void **state)
{
    size_t size = 0;
    save('a');
    expect_difference(IDENTITY, NULL);
    expect_difference("version: 1\ntarget: 6 bases\nlimit: 0\n",
                      "its target is \"5 bases\", and this one's is \"6 bases\"; remove it");
    expect_difference("version: 10\n", "its version is \"1\", and this one's is \"10\"");
    expect_difference("version: 1\n", "is of another command; remove it to begin anew");
    expect_difference(IDENTITY "more: 1\n", "is of another command");
    expect_difference("", "is of another command");
    /* Before what comes later. */
    unsigned char *bytes = file_read(file, &size);
    file_write(file, bytes, size - 9);
    free(bytes);
    expect_difference("version: 10\n", "its version is \"1\"");
}

static int make_folder(void **state)
{
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(file, sizeof file, "%s/c", folder);
    snprintf(new_file, sizeof new_file, "%s/c.new", folder);
    return 0;
}

static int remove_folder(void **state)
{
    unlink(file);
    unlink(new_file);
    return rmdir(folder);
}

/* A plan for a pair, a checkpoint of it, and the plan that comes back. */
typedef struct saved_plan {
    planning made;
    rhomb__saved *saved;
    rhomb__plan again;
} saved_plan;

typedef struct change {
    const char *section; /* NULL: none */
    int at;
    int32_t bytes, value;
} change;

/* Writes a plan, or the sections of one with a change. */
static void write_plan(const rhomb__plan *plan, const rhomb__saved *saved, const change *changing)
{
    static const char *const SECTIONS[] = {"plan", "shape"};
    const char *why = NULL;
    rhomb__saver *saver = open_saver();
    for (int i = 0; i < 2 && saved != NULL; i++) {
        int64_t bytes = 0;
        unsigned char changed[256];
        const void *content = rhomb__saved_section(saved, SECTIONS[i], &bytes);
        memcpy(changed, content, (size_t)bytes);
        if (strcmp(SECTIONS[i], changing->section) == 0)
            memcpy(changed + changing->at, &changing->value, (size_t)changing->bytes);
        rhomb__saver_section(saver, SECTIONS[i], changed, (size_t)bytes);
    }
    if (plan != NULL)
        rhomb__plan_save(plan, saver);
    assert_true(rhomb__saver_commit(saver, &why));
    rhomb__saver_close(saver);
}

/* Of a pair of about so many bases, where a wavefront begins as the caller asks for a tile of it.
 */
static void save_plan(saved_plan *p, int64_t length, rhomb_tile_shape shape)
{
    planning *made = &p->made;
    assert_int_equal(planning_prepare(made, length, length - length / 50, NULL, &LARGE_GPU),
                     RHOMB_OK);
    made->tuning.tile_shape = shape;
    assert_int_equal(rhomb__plan_make(&error, &made->input, &made->plan), RHOMB_OK);
    assert_true(made->plan.may_switch);
    made->tuning.tile_shape = RHOMB_TILE_AUTO;
    write_plan(&made->plan, NULL, NULL);
    assert_int_equal(saved_open(&error, file, NULL, &p->saved), RHOMB_OK);
}

/*
 * A wavefront that goes on weighs the other engine as before: the shape of its own groups, which
 * the checkpoint has, is not that of a sweep. It goes on where a sweep would begin, too.
 */
static void weighs_as_before(void **state)
{
    for (int is_short = 0; is_short < 2; is_short++) {
        saved_plan p;
        const rhomb__plan *before = &p.made.plan;
        save_plan(&p, is_short ? 1000 : 5000000, is_short ? RHOMB_TILE_TRAPEZOID : RHOMB_TILE_AUTO);
        assert_int_equal(rhomb__plan_restore(&error, &p.made.input, p.saved, &p.again), RHOMB_OK);
        rhomb__saved_close(p.saved);
        assert_memory_equal(p.again.profile, before->profile, sizeof before->profile);
        assert_memory_equal(p.again.speed, before->speed, sizeof before->speed);
    }
}

/* Of its numbers those that choose among a few, with values that mean nothing. */
static void refuses_unknown_choices(void **state)
{
    static const change CHANGES[] = {{"plan", 0, 4, RHOMB__ENGINE_ROWS},
                                     {"plan", 0, 4, -1},
                                     {"plan", 24, 1, 2},
                                     {"shape", 0, 4, 0}, /* a tile's shape */
                                     {"shape", 0, 4, 3}};
    for (size_t i = 0; i < COUNT(CHANGES); i++) {
        saved_plan p;
        save_plan(&p, 5000000, RHOMB_TILE_AUTO);
        write_plan(NULL, p.saved, &CHANGES[i]);
        rhomb__saved_close(p.saved);
        assert_int_equal(saved_open(&error, file, NULL, &p.saved), RHOMB_OK);
        assert_int_equal(rhomb__plan_restore(&error, &p.made.input, p.saved, &p.again),
                         RHOMB_ERR_INPUT);
        assert_contains(rhomb__error_text(&error), "its numbers do not fit");
        rhomb__error_clear(&error);
        rhomb__saved_close(p.saved);
    }
}

TEST_MAIN_WITH(make_folder, remove_folder, comes_back, notices_damage, notices_order, has_a_format,
               keeps_the_one_before, needs_its_file, removes_its_own, restores_numbers,
               copies_fields, tells_identities, weighs_as_before, refuses_unknown_choices)
