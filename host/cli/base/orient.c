/* SPDX-License-Identifier: MIT */
/* Strands and rotations, see cli.h. */
#include "host/cli/base/cli.h"

static void fill_complements(char complements[256])
{
    static const char BASES[] = "ACGTURYKMBVDHacgturykmbvdh";
    static const char PARTNERS[] = "TGCAAYRMKVBHDtgcaayrmkvbhd";
    for (int i = 0; i < 256; i++)
        complements[i] = (char)i;
    for (int i = 0; BASES[i] != '\0'; i++)
        complements[(unsigned char)BASES[i]] = PARTNERS[i];
}

char *cli_orient(const char *bases, int64_t length, bool reverse, int64_t rotation)
{
    char complements[256];
    char *copy = malloc((size_t)length + 1);
    if (copy == NULL)
        return NULL;
    copy[length] = '\0';
    if (!reverse) {
        memcpy(copy, bases + rotation, (size_t)(length - rotation));
        memcpy(copy + length - rotation, bases, (size_t)rotation);
        return copy;
    }
    fill_complements(complements);
    for (int64_t i = 0; i < length; i++) {
        const int64_t at = length - 1 - i;
        copy[i < rotation ? length - rotation + i : i - rotation] =
            complements[(unsigned char)bases[at]];
    }
    return copy;
}
