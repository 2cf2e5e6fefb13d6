/* SPDX-License-Identifier: MIT */
/*
 * The sequences of a plot by name: a hash table with open addressing, at most half full, of indexes
 * into a list in the order of the file.
 */
#include "host/cli/plot/plot_data.h"

#include "host/cli/base/mix.h"

/* The slot of a name, or the free one where it would be. */
static size_t *slot_of(const cli_plot_names *names, const char *name)
{
    size_t at = (size_t)cli_mix(CLI_MIX_NONE, name, strlen(name)) & (names->slot_count - 1);
    while (names->slots[at] != 0 && strcmp(names->list[names->slots[at] - 1].name, name) != 0)
        at = (at + 1) & (names->slot_count - 1);
    return &names->slots[at];
}

/* Room for one more. */
static bool grow(cli_plot_names *names)
{
    if (names->count < names->room)
        return true;
    const size_t room = names->room == 0 ? 16 : 2 * names->room;
    cli_plot_sequence *list = realloc(names->list, room * sizeof *list);
    if (list == NULL)
        return false;
    names->list = list;
    size_t *slots = calloc(2 * room, sizeof *slots);
    if (slots == NULL)
        return false;
    free(names->slots);
    names->slots = slots;
    names->slot_count = 2 * room;
    names->room = room;
    for (size_t i = 0; i < names->count; i++)
        *slot_of(names, list[i].name) = i + 1;
    return true;
}

int cli_plot_find(cli_plot_data *data, cli_plot_names *names, const char *name, int64_t length,
                  size_t *index)
{
    if (!grow(names))
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    size_t *slot = slot_of(names, name);
    if (*slot != 0) {
        *index = *slot - 1;
        const int64_t before = names->list[*index].length;
        if (before == length)
            return CLI_OK;
        return cli_fail_with(CLI_INPUT,
                             "%s: line %" PRId64 ": %s has %" PRId64 " bases here and %" PRId64
                             " in an earlier line",
                             data->path, data->now.row->line, name, length, before);
    }
    char *copy = strdup(name);
    if (copy == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    names->list[names->count++] =
        (cli_plot_sequence){.name = copy, .length = length, .low = INT64_MAX, .high = -1};
    *slot = names->count;
    *index = names->count - 1;
    return CLI_OK;
}

void cli_plot_names_free(cli_plot_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->list[i].name);
        free(names->list[i].windows);
    }
    free(names->list);
    free(names->slots);
    *names = (cli_plot_names){0};
}
