/* SPDX-License-Identifier: MIT */
/* --mode and what goes with it, see options.h. */
#include "host/cli/command/options.h"

const cli_word cli_modes[6] = {{"global", RHOMB_MODE_GLOBAL}, {"ends-free", RHOMB_MODE_ENDS_FREE},
                               {"infix", CLI_MODE_INFIX},     {"prefix", CLI_MODE_PREFIX},
                               {"extend", RHOMB_MODE_EXTEND}, {"local", RHOMB_MODE_LOCAL}};

const cli_word cli_all[1] = {{"all", 0}};

/* Any number of bases. */
#define ALL INT64_MAX

static const rhomb_free_ends EVERYWHERE = {ALL, ALL, ALL, ALL}, INFIX = {0, 0, ALL, ALL},
                             PREFIX = {0, 0, 0, ALL};

/* A number, or "all". */
static bool read_end(const char *text, int64_t *end)
{
    if (strcmp(text, "all") != 0)
        return cli_parse_count(text, end);
    *end = ALL;
    return true;
}

int cli_read_free_ends(const cli_command *command, const char *text, void *field)
{
    rhomb_free_ends *ends = field;
    int64_t *const fields[] = {&ends->query_begin, &ends->query_end, &ends->target_begin,
                               &ends->target_end};
    char item[32];
    size_t count = 0;
    for (const char *at = text; at != NULL && count < 5; count++) {
        const size_t length = strcspn(at, ",");
        if (count == 4 || length >= sizeof item)
            break;
        memcpy(item, at, length);
        item[length] = '\0';
        if (!read_end(item, fields[count]))
            break;
        at = at[length] == ',' ? at + length + 1 : NULL;
        if (at == NULL && (count == 0 || count == 3)) {
            for (size_t i = 1; i < 4 && count == 0; i++)
                *fields[i] = *fields[0];
            return CLI_OK;
        }
    }
    return cli_bad_usage(command, "--free-ends needs a number or all, or four of these: '%s'",
                         text);
}

void cli_settle_mode(const rhomb_scoring *scoring, rhomb_mode_options *mode)
{
    rhomb_free_ends *ends = &mode->free_ends;
    const bool is_named = (int)mode->mode == CLI_MODE_INFIX || (int)mode->mode == CLI_MODE_PREFIX;
    const bool is_given = ends->query_begin != CLI_ENDS_NOT_GIVEN;
    if ((int)mode->mode == CLI_MODE_PREFIX)
        *ends = PREFIX;
    else if (is_named || (mode->mode == RHOMB_MODE_ENDS_FREE && !is_given))
        *ends = !is_named && scoring != NULL && scoring->match > 0 ? EVERYWHERE : INFIX;
    else if (!is_given)
        ends->query_begin = 0;
    if (is_named)
        mode->mode = RHOMB_MODE_ENDS_FREE;
}

void cli_note_empty(int64_t empty, int64_t pairs, const rhomb_scoring *scoring, rhomb_mode mode,
                    const rhomb_free_ends *e)
{
    /* One sequence before the path, and the other one after it. */
    const bool may_be_empty = (e->query_begin == ALL && e->target_end == ALL) ||
                              (e->target_begin == ALL && e->query_end == ALL);
    const bool is_cheapest =
        mode == RHOMB_MODE_ENDS_FREE && (scoring == NULL || scoring->match == 0) && may_be_empty;
    const char *hint = is_cheapest
                           ? ": where these ends are free and matches score nothing, that costs "
                             "least: --mode infix, or --score with a match score"
                           : "";
    if (empty > 0 && pairs == 1)
        cli_note(0, "the best alignment is empty, and its score 0%s", hint);
    else if (empty > 0)
        cli_note(0, "the best alignment is empty, and its score 0, for %lld of %lld pairs%s",
                 (long long)empty, (long long)pairs, hint);
}
