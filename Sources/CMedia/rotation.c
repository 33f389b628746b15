/* SPDX-License-Identifier: Apache-2.0 */
#include "cmedia.h"

#include <string.h>

enum {
    /* The number of columns that are written row by row. If they are stored as rows, the parts being read fit
     * into the first-level cache. */
    BLOCK = 32,
};

void cmedia_turn(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t orientation, uint8_t *upright)
{
    bool is_transposed = orientation >= 5;
    ptrdiff_t columns = is_transposed ? height : width;
    ptrdiff_t rows = is_transposed ? width : height;
    /* Whether stored columns and rows are reversed; EXIF 2.32, 4.6.4. */
    bool flips_columns = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    bool flips_rows = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    ptrdiff_t stride = (ptrdiff_t)width * 3;
    ptrdiff_t across = flips_columns ? -3 : 3;
    ptrdiff_t down = flips_rows ? -stride : stride;
    if (flips_columns)
        pixels += stride - 3;
    if (flips_rows)
        pixels += (height - 1) * stride;
    ptrdiff_t by_column = is_transposed ? down : across;
    ptrdiff_t by_row = is_transposed ? across : down;
    for (ptrdiff_t start = 0; start < columns; start += BLOCK) {
        ptrdiff_t end = start + BLOCK < columns ? start + BLOCK : columns;
        for (ptrdiff_t row = 0; row < rows; row++) {
            const uint8_t *from = pixels + row * by_row + start * by_column;
            uint8_t *to = upright + (row * columns + start) * 3;
            for (ptrdiff_t column = start; column < end; column++, to += 3, from += by_column)
                memcpy(to, from, 3);
        }
    }
}
