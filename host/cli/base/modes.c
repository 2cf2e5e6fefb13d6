/* SPDX-License-Identifier: MIT */
/*
 * --mode and what goes with it, see modes.h.
 */
#include "host/cli/base/modes.h"

#include <string.h>

const cli_word cli_modes[4] = {{"global", RHOMB_MODE_GLOBAL},
                               {"ends-free", RHOMB_MODE_ENDS_FREE},
                               {"extend", RHOMB_MODE_EXTEND},
                               {"local", RHOMB_MODE_LOCAL}};

int cli_read_free_ends(const cli_command *command, const char *text, rhomb_free_ends *ends)
{
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
        if (!cli_parse_count(item, fields[count]))
            break;
        at = at[length] == ',' ? at + length + 1 : NULL;
        if (at == NULL && (count == 0 || count == 3)) {
            for (size_t i = 1; i < 4 && count == 0; i++)
                *fields[i] = *fields[0];
            return CLI_OK;
        }
    }
    return cli_bad_usage(command, "--free-ends needs a number, or four: '%s'", text);
}

int cli_check_mode(const cli_command *command, const rhomb_mode_options *mode)
{
    const rhomb_free_ends *ends = &mode->free_ends;
    const bool free =
        (ends->query_begin | ends->query_end | ends->target_begin | ends->target_end) != 0;
    if (mode->mode != RHOMB_MODE_ENDS_FREE && free)
        return cli_bad_usage(command, "--free-ends needs --mode ends-free");
    if (mode->mode != RHOMB_MODE_EXTEND && (mode->z_drop != RHOMB_NO_LIMIT || mode->end_bonus != 0))
        return cli_bad_usage(command, "--z-drop and --end-bonus need --mode extend");
    return CLI_OK;
}
