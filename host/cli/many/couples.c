/* SPDX-License-Identifier: MIT */
/* Couples, see couples.h. */
#include "host/cli/many/couples.h"

#include <stdlib.h>

/* A list with room for one more, which is for a power of two. NULL if there is no memory. */
static void *grow(void *list, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0)
        return list;
    return realloc(list, (count == 0 ? 1 : 2 * count) * size);
}

bool cli_couples_add(cli_couples *couples, cli_couple couple)
{
    cli_couple *grown = grow(couples->list, couples->count, sizeof *grown);
    if (grown == NULL)
        return false;
    couples->list = grown;
    couples->list[couples->count++] = couple;
    return true;
}

bool cli_couples_add_piece(cli_couples *couples, cli_piece piece)
{
    cli_piece *grown = grow(couples->pieces, couples->piece_count, sizeof *grown);
    if (grown == NULL)
        return false;
    couples->pieces = grown;
    couples->pieces[couples->piece_count++] = piece;
    return true;
}

const cli_piece *cli_couples_pieces(const cli_couples *couples, size_t query, size_t *count)
{
    size_t low = 0, high = couples->piece_count;
    *count = 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (couples->pieces[middle].query < query)
            low = middle + 1;
        else
            high = middle;
    }
    while (low + *count < couples->piece_count && couples->pieces[low + *count].query == query)
        ++*count;
    return *count > 0 ? couples->pieces + low : NULL;
}

void cli_couples_release(cli_couples *couples)
{
    free(couples->list);
    free(couples->pieces);
    free(couples->lost[0]);
    free(couples->lost[1]);
    *couples = (cli_couples){.list = NULL};
}
