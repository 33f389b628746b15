/* SPDX-License-Identifier: Apache-2.0 */
#include "cmedia.h"

#include <string.h>

void cmedia_turn(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t orientation, uint8_t *upright)
{
    bool is_transposed = orientation >= 5;
    int32_t columns = is_transposed ? height : width;
    int32_t rows = is_transposed ? width : height;
    /* Which stored column and row the upright ones count from, and whether backwards; EXIF 2.32, 4.6.4. */
    bool flips_columns = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    bool flips_rows = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    for (int32_t row = 0; row < rows; row++)
        for (int32_t column = 0; column < columns; column++) {
            int32_t x = is_transposed ? row : column;
            int32_t y = is_transposed ? column : row;
            x = flips_columns ? width - 1 - x : x;
            y = flips_rows ? height - 1 - y : y;
            const uint8_t *pixel = pixels + ((size_t)y * (size_t)width + (size_t)x) * 3;
            memcpy(upright, pixel, 3);
            upright += 3;
        }
}
