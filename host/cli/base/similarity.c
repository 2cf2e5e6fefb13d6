/* SPDX-License-Identifier: MIT */
/* Similarities, see text_buffer.h. */
#include "host/cli/base/text_buffer.h"

#include <stdio.h>

int cli_similarity_decimals(int64_t longer_length)
{
    int decimals = 0;
    for (; longer_length > 0; longer_length /= 10)
        decimals++;
    return decimals < 6 ? 6 : decimals;
}

/*
 * Where the length is not a power of two, a double may be on either side of a tie. All other
 * fractions are further from a tie than the error of a double, as long as lengths have at most
 * seven digits. Quotients are as far from the next integer, unless they are one, so the quotient of
 * two doubles truncates to the right integer.
 */
char *cli_put_similarity(char *at, int64_t distance, int64_t longer)
{
    if (longer > 9999999)
        return at + snprintf(at, CLI_SIMILARITY_BYTES, "%.*f", cli_similarity_decimals(longer),
                             1 - (double)distance / (double)longer);
    const uint64_t length = longer > 0 ? (uint64_t)longer : 1;
    const uint64_t unit = longer > 999999 ? 10000000 : 1000000;
    const uint64_t dividend = (length - (uint64_t)distance) * unit;
    uint64_t scaled = (uint64_t)((double)dividend / (double)length);
    const uint64_t twice_rest = 2 * (dividend - scaled * length);
    scaled += twice_rest > length || (twice_rest == length && scaled % 2 == 1);
    *at++ = scaled == unit ? '1' : '0';
    *at++ = '.';
    scaled = scaled == unit ? 0 : scaled;
    if (unit == 10000000) {
        *at++ = (char)('0' + scaled / 1000000);
        scaled %= 1000000;
    }
    cli_put_four(at, cli_four_digits((uint32_t)scaled / 100));
    cli_put_four(at + 2, cli_four_digits((uint32_t)scaled % 10000));
    return at + 6;
}
