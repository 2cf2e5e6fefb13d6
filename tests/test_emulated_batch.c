/* SPDX-License-Identifier: MIT */
/*
 * The kernels of cl/batch/batch.cl as host code: pairs pass through levels with limits so low that
 * many go on from each, in buffers of the exact sizes that src/batch/batch_shape.c gives them, so
 * that the sanitizers see every access. Each answer has to be the one that edlib and the rule of
 * paths say.
 */
#include "emu/emulated.h"
#include "emulated_variants.h"
#include "src/batch/batch_shape.h"
#include "support/guard.h"
#include "support/pair_list.h"
#include "support/test.h"
#include "tests/reference/path.h"

#define DECLARE(name) extern const emulated_batch name;
EMULATED_BATCH_MAP(DECLARE)

#define ADDRESS(name) &name,
static const emulated_batch *const VARIANTS[] = {EMULATED_BATCH_MAP(ADDRESS)};

enum { LEVELS = 3, NO_CODE = 256 };
static const int32_t LIMITS[LEVELS] = {2, 13, 40};

/* What else is in the buffers of pairs, answers and operations. */
enum { PLACES_BEFORE = 3, ANSWERS_BEFORE = 2, OPERATIONS_BEFORE = 7 };

/* A list of pairs as a job, in memory. */
typedef struct job {
    const emulated_batch *variant;
    pair_list *list;
    bool dense; /* sequences lie one after the other, as ranges of one that is packed do */
    emulated_batch_arguments arguments;
    rhomb_batch_counts counts;
    rhomb_batch_pair *places;
    char *letters;
    int64_t operations;
} job;

/* The codes of the table: of bases in either case, or of all bytes. */
static void fill_codes(rhomb_alphabet alphabet, uint16_t codes[256])
{
    static const char DNA[] = "ACGTUNRYSWKMBDHV";
    for (int byte = 0; byte < 256; byte++) {
        const char upper = (char)(byte >= 'a' && byte <= 'z' ? byte - 32 : byte);
        const char *found = byte != 0 ? strchr(DNA, upper) : NULL;
        codes[byte] = (uint16_t)(alphabet == RHOMB_ALPHABET_BYTES ? byte
                                 : found != NULL                  ? found - DNA
                                                                  : NO_CODE);
    }
}

/* Symbols that a sequence takes: whole words, unless they are ranges. */
static int64_t room_of(const job *j, int64_t length)
{
    return j->dense ? length : rhomb__batch_room(length);
}

/* Each sequence from a word's beginning on, with A after it; ranges from anywhere on. */
static int64_t place_text(job *j, int64_t at, const char *text, int64_t length)
{
    const int64_t room = room_of(j, length);
    memset(j->letters + at, 'A', (size_t)room);
    if (length > 0)
        memcpy(j->letters + at, text, (size_t)length);
    return at + room;
}

static void place_pairs(job *j)
{
    int64_t at = 0, room = 0;
    for (int64_t i = 0; i < j->list->count; i++)
        room += room_of(j, j->list->at[i].target_length) + room_of(j, j->list->at[i].query_length);
    j->letters = filled_memory(rhomb__batch_room(room), 1);
    memset(j->letters, 'A', (size_t)rhomb__batch_room(room));
    j->places = filled_memory(PLACES_BEFORE + j->list->count, sizeof *j->places);
    for (int64_t i = 0; i < j->list->count; i++) {
        const rhomb_pair texts = pair_list_given(j->list, i);
        const int64_t longer =
            texts.target_length > texts.query_length ? texts.target_length : texts.query_length;
        const rhomb_batch_pair place = {at, at + room_of(j, texts.query_length),
                                        (rhomb_i32)texts.query_length,
                                        (rhomb_i32)texts.target_length};
        j->places[PLACES_BEFORE + i] = place;
        at = place_text(j, at, texts.query, texts.query_length);
        at = place_text(j, at, texts.target, texts.target_length);
        j->operations += 2 * (longer < LIMITS[LEVELS - 1] ? longer : LIMITS[LEVELS - 1]) + 1;
    }
    j->arguments.words = (uint32_t)(rhomb__batch_room(at) / RHOMB_WORD_SYMBOLS);
}

/* Launches a level in memory of its own. */
static void run_level(job *j, int32_t level, int64_t groups)
{
    emulated_batch_arguments *a = &j->arguments;
    const int64_t columns = j->variant->path ? groups * RHOMB_BATCH_COLUMNS(LIMITS[level]) : 1;
    a->level = level;
    a->limit = LIMITS[level];
    a->all = level == 0;
    a->columns = filled_memory(columns, sizeof *a->columns);
    a->state = filled_memory(2 * RHOMB_BATCH_CELLS(a->limit), sizeof *a->state);
    j->variant->solve(a, groups);
    free(a->columns);
    free(a->state);
}

static void run_job(job *j, int32_t max_distance, int64_t groups)
{
    static uint16_t codes[256];
    emulated_batch_arguments *a = &j->arguments;
    const int64_t count = j->list->count;
    const size_t unit = j->variant->planes > 0
                            ? RHOMB_UNIT_WORDS((size_t)j->variant->planes) * sizeof(rhomb_u32)
                            : RHOMB_WORD_SYMBOLS;
    place_pairs(j);
    fill_codes(j->list->alphabet, codes);
    a->letters = j->letters;
    a->codes = codes;
    a->packed = filled_memory(a->words + 1, unit);
    a->flags = filled_memory(a->words, 1);
    a->counts = &j->counts;
    a->dna = j->list->alphabet == RHOMB_ALPHABET_DNA;
    a->pairs = j->places;
    a->lists = filled_memory(LEVELS * count, sizeof *a->lists);
    a->answers = filled_memory(ANSWERS_BEFORE + count, sizeof *a->answers);
    a->cigars = filled_memory(OPERATIONS_BEFORE + j->operations, sizeof *a->cigars);
    a->list_pitch = (uint32_t)count;
    a->levels = LEVELS;
    a->max_distance = max_distance;
    j->counts.listed[0] = (uint32_t)count;
    j->counts.pairs_at = PLACES_BEFORE;
    j->counts.answers_at = ANSWERS_BEFORE;
    j->counts.cigar_used = OPERATIONS_BEFORE;
    j->variant->pack(a);
    for (int32_t level = 0; level < LEVELS; level++)
        run_level(j, level, groups);
}

static void release_job(job *j)
{
    free(j->letters);
    free(j->places);
    free(j->arguments.packed);
    free(j->arguments.flags);
    free(j->arguments.lists);
    free(j->arguments.answers);
    free(j->arguments.cigars);
}

static int64_t expected_distance(const job *j, int64_t index)
{
    const listed_pair *p = &j->list->at[index];
    const int64_t limit = j->arguments.max_distance;
    const int64_t longer = p->target_length > p->query_length ? p->target_length : p->query_length;
    const int64_t asked = limit >= 0 && limit < longer ? limit : longer;
    if (j->variant->planes == 2 ? p->other_bases : p->status != RHOMB_OK)
        return RHOMB_BATCH_BASES;
    if (p->distance <= asked && p->distance <= LIMITS[LEVELS - 1])
        return p->distance;
    return asked <= LIMITS[LEVELS - 1] ? RHOMB_BATCH_EXCEEDS : RHOMB_BATCH_BEYOND;
}

static const char *judge(const job *j, int64_t index, path *p)
{
    const rhomb_batch_answer *answer = &j->arguments.answers[ANSWERS_BEFORE + index];
    const rhomb_cigar_op *ops = j->arguments.cigars + answer->cigar_at;
    const rhomb_pair texts = pair_list_compared(j->list, index);
    if (answer->distance != expected_distance(j, index))
        return "another distance";
    if (!j->variant->path || answer->distance < 0)
        return answer->cigar_count == 0 ? NULL : "a path where none is to be";
    if (answer->cigar_at < OPERATIONS_BEFORE ||
        answer->cigar_at + (int64_t)answer->cigar_count > j->counts.cigar_used)
        return "operations beyond those that are used";
    const char *complaint = path_judge(ops, answer->cigar_count, &texts, answer->distance);
    if (complaint != NULL)
        return complaint;
    if (!path_find(&texts, answer->distance, p) || p->count != answer->cigar_count ||
        (p->count > 0 && memcmp(p->ops, ops, (size_t)p->count * sizeof *ops) != 0))
        return "not the path of the rule";
    return NULL;
}

static void check_list(const emulated_batch *variant, pair_list *list, int32_t max_distance,
                       int64_t groups, bool dense)
{
    path p = {.ops = NULL};
    job j = {.variant = variant, .list = list, .dense = dense};
    run_job(&j, max_distance, groups);
    assert_true(j.counts.cigar_used <= j.operations);
    for (int64_t i = 0; i < list->count; i++) {
        const char *complaint = judge(&j, i, &p);
        if (complaint == NULL)
            continue;
        const rhomb_pair texts = pair_list_given(list, i);
        fprintf(stderr, "target: %.*s\nquery:  %.*s\n", (int)texts.target_length, texts.target,
                (int)texts.query_length, texts.query);
        fail_msg("%s, pair %lld: %s: %lld, not %lld; limit %d, PLANES=%d GROUP_SIZE=%d PATH=%d, "
                 "%lld groups",
                 list->family, (long long)i, complaint, (long long)j.arguments.answers[i].distance,
                 (long long)expected_distance(&j, i), (int)max_distance, (int)variant->planes,
                 (int)variant->group_size, (int)variant->path, (long long)groups);
    }
    release_job(&j);
    path_release(&p);
}

static void add_pairs(pair_list *list, const char *alphabet, int64_t count, rng *r)
{
    static const int64_t LENGTHS[] = {0, 1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 100, 130};
    for (int64_t i = 0; i < count; i++) {
        const pair_recipe recipe = {.model = (pair_model)rng_below(r, PAIR_MODEL_COUNT),
                                    .length = LENGTHS[rng_below(r, COUNT(LENGTHS))],
                                    .error_rate = 0.04 * (double)rng_below(r, 6),
                                    .spacing = rng_between(r, 1, 40),
                                    .longest_indel = 30,
                                    .alphabet = alphabet,
                                    .lower_case = i % 5 == 0};
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        pair_make(&recipe, r, &p);
        pair_list_add(list, &p);
        pair_release(&p);
    }
}

/* Puts a byte that is no base into one pair in ten. */
static void spoil_pairs(pair_list *list, rng *r)
{
    for (int64_t i = 0; i < list->count; i++) {
        listed_pair *p = &list->at[i];
        if (p->target_length == 0 || !rng_chance(r, 0.1))
            continue;
        list->given.at[p->target_at + rng_below(r, p->target_length)] = "X-@[\x7f"[i % 5];
        p->status = RHOMB_ERR_ALPHABET;
        p->other_bases = true;
    }
}

static void test_dna(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        for (int64_t groups = 1; groups <= 3; groups += 2) {
            pair_list list = pair_list_of("emulated_batch", RHOMB_ALPHABET_DNA);
            rng r = rng_for(list.family, (int64_t)v * 10 + groups);
            add_pairs(&list, "ACGT", 60, &r);
            check_list(VARIANTS[v], &list, -1, groups, false); /* no flag is set anywhere */
            add_pairs(&list, "ACGTURYSWKMBDHVN", 20, &r);
            spoil_pairs(&list, &r);
            check_list(VARIANTS[v], &list, -1, groups, false);
            for (int level = 0; level < LEVELS; level++)
                for (int32_t beside = -1; beside <= 1; beside++)
                    check_list(VARIANTS[v], &list, LIMITS[level] + beside, groups, false);
            check_list(VARIANTS[v], &list, 0, groups, false);
            pair_list_release(&list);
        }
    }
}

/* Sequences that are ranges of a long one, from any symbol on. */
static void test_ranges(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        pair_list list = pair_list_of("emulated_ranges", RHOMB_ALPHABET_DNA);
        rng r = rng_for(list.family, (int64_t)v);
        add_pairs(&list, "ACGT", 80, &r);
        check_list(VARIANTS[v], &list, -1, 2, true);
        pair_list_release(&list);
    }
}

static void test_bytes(void **state)
{
    char all[256];
    for (int byte = 1; byte < 256; byte++)
        all[byte - 1] = (char)(unsigned char)byte;
    all[255] = '\0';
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        pair_list list = pair_list_of("emulated_bytes", RHOMB_ALPHABET_BYTES);
        rng r = rng_for(list.family, (int64_t)v);
        add_pairs(&list, "ACGT", 20, &r);
        add_pairs(&list, VARIANTS[v]->planes == 4 ? "ACG" : all, 40, &r);
        if (VARIANTS[v]->planes != 4) /* which are for DNA */
            check_list(VARIANTS[v], &list, -1, 1, false);
        pair_list_release(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dna),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests_name("emulated batch", tests, NULL, NULL);
}
