/* SPDX-License-Identifier: MIT */
/*
 * See emu_packed.h.
 */
#include "emu_packed.h"

#include <stdlib.h>
#include <string.h>

static emulated_packing packing_named(const char *kernel)
{
    if (strcmp(kernel, "rhomb_pack_rows") == 0)
        return PACK_ROWS;
    return strcmp(kernel, "rhomb_pack_columns") == 0 ? PACK_COLUMNS : PACK_WINDOWS;
}

void *emulated_pack_sequence(const rhomb__packing *packing, const unsigned char *letters,
                             int64_t length, const unsigned char *codes, int64_t most_bases)
{
    const int64_t units = packing->parts[0].units + packing->parts[1].units;
    void *packed = malloc((size_t)(units * packing->unit_bytes));
    rhomb__piece p = {.next = 0};
    if (packed == NULL)
        return NULL;
    do {
        p = rhomb__packing_piece(packing, p.next, most_bases, length);
        const size_t bytes = (size_t)(p.end - p.begin);
        unsigned char *piece = malloc(bytes);
        if (piece == NULL && bytes > 0) {
            free(packed);
            return NULL;
        }
        if (bytes > 0)
            memcpy(piece, letters + p.begin, bytes);
        for (int part = 0; part < 2; part++) {
            const emulated_pack_arguments arguments = {.letters = piece,
                                                       .codes = codes,
                                                       .packed = packed,
                                                       .piece_begin = p.begin,
                                                       .length = length,
                                                       .origin = packing->parts[part].origin,
                                                       .step = packing->parts[part].step,
                                                       .part_unit =
                                                           part == 0 ? 0 : packing->parts[0].units,
                                                       .first_unit = p.parts[part].first_unit,
                                                       .units = p.parts[part].units,
                                                       .planes = packing->planes};
            if (p.parts[part].units > 0)
                emulated_pack_launch(packing_named(packing->kernel), &arguments);
        }
        free(piece);
    } while (p.next < length);
    return packed;
}
