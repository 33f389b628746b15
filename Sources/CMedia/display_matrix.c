/* SPDX-License-Identifier: Apache-2.0 */
#include "reader.h"

#include <math.h>
#include <string.h>

int cmedia_orientation(const AVStream *stream)
{
    size_t size = 0;
    const uint8_t *data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    if (!data || size < 9 * sizeof(int32_t))
        return 1;
    static const int8_t known[8][4] = {
        {1, 0, 0, 1}, {-1, 0, 0, 1}, {-1, 0, 0, -1}, {1, 0, 0, -1},
        {0, 1, 1, 0}, {0, 1, -1, 0}, {0, -1, -1, 0}, {0, -1, 1, 0},
    };
    static const int places[4] = {0, 1, 3, 4};
    double numbers[4];
    double largest = 0;
    for (int index = 0; index < 4; index++) {
        int32_t number;
        memcpy(&number, data + (size_t)places[index] * sizeof number, sizeof number);
        numbers[index] = number / 65536.0;
        largest = fmax(largest, fabs(numbers[index]));
    }
    if (largest == 0)
        return 1;
    for (int found = 0; found < 8; found++) {
        bool fits = true;
        for (int index = 0; index < 4; index++)
            fits = fits && fabs(numbers[index] / largest - known[found][index]) < 0.01;
        if (fits)
            return found + 1;
    }
    return 0;
}
