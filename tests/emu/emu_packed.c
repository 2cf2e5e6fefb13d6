/* SPDX-License-Identifier: MIT */
/*
 * See emu_packed.h.
 */
#include "emu_packed.h"

#include "support/test.h"

static emulated_packing packing_named(const char *kernel)
{
    if (strcmp(kernel, "rhomb_pack_rows") == 0)
        return PACK_ROWS;
    return strcmp(kernel, "rhomb_pack_columns") == 0 ? PACK_COLUMNS : PACK_WINDOWS;
}

/* The tables of runs after the units, as host/upload/send.c sends them. */
static bool put_tables(const rhomb__packing *packing, const unsigned char *letters, int64_t length,
                       const unsigned char *codes, char *packed)
{
    rhomb__codes known = {.symbols = 256};
    uint32_t *tables;
    int64_t bytes;
    memcpy(known.code, codes, sizeof known.code);
    if (!rhomb__packing_tables(packing, &known, (const char *)letters, length, 1, &tables, &bytes))
        return false;
    if (bytes > 0)
        memcpy(packed + rhomb__packing_units_bytes(packing), tables, (size_t)bytes);
    free(tables);
    return true;
}

void *emulated_pack_sequence(const rhomb__packing *packing, const unsigned char *letters,
                             int64_t length, const unsigned char *codes, int64_t most_bases)
{
    char *packed = malloc((size_t)rhomb__packing_bytes(packing, length));
    rhomb__piece p = {.next = 0};
    if (packed == NULL || !put_tables(packing, letters, length, codes, packed)) {
        free(packed);
        return NULL;
    }
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

static void *pack_windows(const unsigned char *bases, int64_t length, int32_t planes,
                          int32_t directions, const unsigned char *codes)
{
    const rhomb__packing packing = rhomb__packing_windows(length, planes, directions);
    void *packed = emulated_pack_sequence(&packing, bases, length, codes, INT64_MAX);
    assert_non_null(packed);
    return packed;
}

void *emulated_pack_bases(const char *bases, int64_t length, int32_t planes, int32_t directions)
{
    unsigned char codes[256];
    for (int byte = 0; byte < 256; byte++)
        codes[byte] = (unsigned char)(planes > 3                   ? byte & ((1 << planes) - 1)
                                      : planes == 3 && byte == 'N' ? 4
                                                                   : byte >> 1 & 3);
    return pack_windows((const unsigned char *)bases, length, planes, directions, codes);
}

void *emulated_pack_codes(const unsigned char *codes, int64_t length, int32_t planes,
                          int32_t directions)
{
    unsigned char same[256];
    for (int code = 0; code < 256; code++)
        same[code] = (unsigned char)code;
    return pack_windows(codes, length, planes, directions, same);
}
