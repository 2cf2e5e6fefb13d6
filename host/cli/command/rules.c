/* SPDX-License-Identifier: MIT */
/*
 * What goes with what, see rules.h.
 */
#include "host/cli/command/rules.h"

#include <string.h>

/* A term of a list of them. */
typedef struct term {
    char name[32], word[32]; /* no word: whether it was given */
    bool is_other;           /* than the word */
} term;

/* Takes the next term off a list; false if there is none. */
static bool next_term(const char **list, term *out)
{
    *list += strspn(*list, " ");
    const size_t length = strcspn(*list, " "), name = strcspn(*list, " !=");
    const size_t word = name + strspn(*list + name, "!=");
    *out = (term){.is_other = (*list)[name] == '!'};
    memcpy(out->name, *list, name);
    memcpy(out->word, *list + word, length - word);
    *list += length;
    return length > 0;
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

/* The word of an option's value: that of a list, or as it was given. NULL if there is none. */
static const char *value_of(const cli_given *given, const cli_option *option, size_t number)
{
    int value;
    if (option->kind != CLI_OPTION_WORD)
        return given->values[number];
    memcpy(&value, (const char *)given->arguments + option->at, sizeof value);
    return cli_word_of(value, option->words, option->word_count);
}

static bool holds(const cli_given *given, const term *t)
{
    size_t number;
    const cli_option *option = cli_find_option(given->command, t->name, &number);
    if (option == NULL)
        return has_operand(given, t->name);
    if (t->word[0] == '\0')
        return given->values[number] != NULL;
    const char *value = value_of(given, option, number);
    if (strcmp(t->word, "-") == 0)
        return value != NULL && cli_is_standard_output(value);
    return value != NULL && (strcmp(value, t->word) == 0) != t->is_other;
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

/* A term as it is typed; of one that any other word fulfils, with the word that was given. */
static void add_term(char text[TEXT], const cli_given *given, const term *t)
{
    size_t number;
    const cli_option *option = cli_find_option(given->command, t->name, &number);
    const bool is_rule = given->values == NULL;
    const char *word = t->is_other && !is_rule ? value_of(given, option, number) : t->word;
    const size_t length = strlen(text);
    snprintf(text + length, TEXT - length, "%s%s%s%s%s", option != NULL ? "--" : "", t->name,
             word[0] != '\0' ? " " : "", t->is_other && is_rule ? "other than " : "", word);
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
