/* SPDX-License-Identifier: MIT */
/* What goes with what, see command.h. */
#include "host/cli/command/command.h"

#include <assert.h>

#include "host/cli/ranks/run_ranks.h"

typedef struct condition {
    char name[32], word[32]; /* no word: whether it was given */
    bool is_other;           /* than the word */
} condition;

enum { MOST_CONDITIONS = 2 };

/* A term of a list of them: all of its conditions have to hold. */
typedef struct term {
    condition all[MOST_CONDITIONS];
    int count;
} term;

/* Takes the next term off a list; false if there is none. */
static bool next_term(const char **list, term *out)
{
    out->count = 0;
    *list += strspn(*list, " ");
    while (**list != '\0' && **list != ' ') {
        const size_t length = strcspn(*list, " &"), name = strcspn(*list, " &!=");
        const size_t word = name + strspn(*list + name, "!=");
        assert(out->count < MOST_CONDITIONS);
        condition *c = &out->all[out->count++];
        *c = (condition){.is_other = (*list)[name] == '!'};
        memcpy(c->name, *list, name);
        memcpy(c->word, *list + word, length - word);
        *list += length + ((*list)[length] == '&');
    }
    return out->count > 0;
}

static bool has_operand(const cli_given *given, const char *name)
{
    const cli_operand *o = given->command->operands;
    const char *value = NULL;
    for (size_t i = 0; i < CLI_OPERANDS && o[i].name != NULL; i++) {
        if (strcmp(o[i].name, name) == 0)
            memcpy(&value, (const char *)given->arguments + o[i].at, sizeof value);
    }
    return value != NULL;
}

/* An int or enum of the arguments. */
static int field_of(const cli_given *given, const cli_option *option)
{
    int value;
    memcpy(&value, (const char *)given->arguments + option->at, sizeof value);
    return value;
}

/* The word of an option's value: that of a list, or as it was given. NULL if there is none. */
static const char *value_of(const cli_given *given, const cli_option *option, size_t number)
{
    return option->kind == CLI_OPTION_WORD
               ? cli_word_of(field_of(given, option), option->words, option->word_count)
               : given->values[number];
}

/* Whether a value is a word, or begins with one that ends in a colon. */
static bool is_word(const char *value, const char *word)
{
    const size_t length = strlen(word);
    return length > 0 && word[length - 1] == ':' ? strncmp(value, word, length) == 0
                                                 : strcmp(value, word) == 0;
}

static bool is_met(const cli_given *given, const condition *c)
{
    size_t number;
    const cli_option *option = cli_find_option(given->command, c->name, &number);
    if (strcmp(c->name, "ranks") == 0)
        return cli_ranks_count() > 1;
    if (option == NULL)
        return strcmp(c->name, given->command->name) == 0 || has_operand(given, c->name);
    if (option->kind == CLI_OPTION_INT)
        return field_of(given, option) == option->constant;
    if (c->word[0] == '\0')
        return given->values[number] != NULL;
    const char *value = value_of(given, option, number);
    if (strcmp(c->word, "-") == 0)
        return value != NULL && cli_is_standard_output(value);
    return value != NULL && is_word(value, c->word) != c->is_other;
}

static bool holds(const cli_given *given, const term *t)
{
    bool all = true;
    for (int i = 0; i < t->count; i++)
        all = all && is_met(given, &t->all[i]);
    return all;
}

/* The first term of a list that holds. */
static bool find_holding(const cli_given *given, const char *list, term *out)
{
    while (next_term(&list, out)) {
        if (holds(given, out))
            return true;
    }
    return false;
}

enum { TEXT = 400 };

/* What is before the name of a condition, as it is typed. */
static const char *kind_of(const cli_given *given, const condition *c)
{
    size_t number;
    return strcmp(c->name, "ranks") == 0                               ? "MPI "
           : strcmp(c->name, given->command->name) == 0                ? "rhomb "
           : cli_find_option(given->command, c->name, &number) != NULL ? "--"
                                                                       : "";
}

/* A term as it is typed; of one that any other word fulfils, with the word that was given. */
static void add_term(char text[TEXT], const cli_given *given, const term *t)
{
    const bool is_rule = given->values == NULL;
    for (const condition *c = t->all; c < t->all + t->count; c++) {
        size_t number;
        const cli_option *option = cli_find_option(given->command, c->name, &number);
        const char *word = c->is_other && !is_rule ? value_of(given, option, number) : c->word;
        const size_t length = strlen(text);
        snprintf(text + length, TEXT - length, "%s%s%s%s%s%s", c > t->all ? " with " : "",
                 kind_of(given, c), c->name, word[0] != '\0' ? " " : "",
                 c->is_other && is_rule ? "other than " : "", word);
    }
}

static void add_terms(char text[TEXT], const cli_given *given, const char *list)
{
    term t;
    for (size_t count = 0; next_term(&list, &t); count++) {
        const size_t length = strlen(text);
        if (count > 0)
            snprintf(text + length, TEXT - length, "%s", *list == '\0' ? " or " : ", ");
        add_term(text, given, &t);
    }
}

int cli_check_rules(const cli_given *given)
{
    const cli_command *command = given->command;
    term asked, other;
    for (size_t i = 0; i < CLI_RULE_LISTS && command->rules[i] != NULL; i++) {
        for (const cli_rule *r = command->rules[i]; r->terms != NULL; r++) {
            char first[TEXT] = "", second[TEXT] = "";
            if (!find_holding(given, r->terms, &asked) ||
                find_holding(given, r->others, &other) == (r->kind == CLI_REQUIRES))
                continue;
            add_term(first, given, &asked);
            if (r->kind == CLI_REQUIRES)
                add_terms(second, given, r->others);
            else
                add_term(second, given, &other);
            return r->kind == CLI_REQUIRES
                       ? cli_bad_usage(command, "%s requires %s", first, second)
                       : cli_bad_usage(command, "%s and %s exclude each other", first, second);
        }
    }
    return CLI_OK;
}

void cli_show_rules(const cli_command *command)
{
    const cli_given none = {.command = command};
    for (size_t i = 0; i < CLI_RULE_LISTS && command->rules[i] != NULL; i++) {
        for (const cli_rule *r = command->rules[i]; r->terms != NULL; r++) {
            char first[TEXT] = "", second[TEXT] = "";
            add_terms(first, &none, r->terms);
            add_terms(second, &none, r->others);
            printf("%-8s  %s %s %s\n", command->name, first,
                   r->kind == CLI_REQUIRES ? "requires" : "excludes", second);
        }
    }
}
