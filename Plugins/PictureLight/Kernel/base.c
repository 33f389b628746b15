/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "picture_light.h"

#pragma STDC FP_CONTRACT OFF

/* Replaces `count` numbers, `stride` apart, by the means of the numbers at most `radius` away. `copy` has space for
 * `count` numbers. */
static void average_line(float *line, ptrdiff_t stride, int count, int radius, float *copy)
{
    for (int i = 0; i < count; i++)
        copy[i] = line[i * stride];
    double sum = 0;
    int first = 0, end = 0;
    for (int i = 0; i < count; i++) {
        int last_end = i + radius + 1 < count ? i + radius + 1 : count;
        while (end < last_end)
            sum += copy[end++];
        while (first < i - radius)
            sum -= copy[first++];
        line[i * stride] = (float) (sum / (end - first));
    }
}

/* Replaces each number by the mean of the window around it. */
static void average(float *numbers, int width, int height, int horizontal, int vertical, float *copy)
{
    for (int row = 0; row < height; row++)
        average_line(numbers + (size_t) row * width, 1, width, horizontal, copy);
    for (int column = 0; column < width; column++)
        average_line(numbers + column, width, height, vertical, copy);
}

bool pl_base_set(
    pl_base *base, const float *luma, int width, int height, int horizontal_radius, int vertical_radius, float edge)
{
    size_t count = (size_t) width * height;
    float *slopes = malloc(2 * count * sizeof(float));
    float *copy = malloc((size_t) (width > height ? width : height) * sizeof(float));
    if (!slopes || !copy) {
        free(slopes);
        free(copy);
        return false;
    }
    float *offsets = slopes + count, *mean = offsets, *square = slopes;
    for (size_t i = 0; i < count; i++) {
        mean[i] = luma[i];
        square[i] = luma[i] * luma[i];
    }
    average(mean, width, height, horizontal_radius, vertical_radius, copy);
    average(square, width, height, horizontal_radius, vertical_radius, copy);
    for (size_t i = 0; i < count; i++) {
        float variance = square[i] - mean[i] * mean[i];
        variance = variance > 0 ? variance : 0;
        slopes[i] = variance / (variance + edge);
        offsets[i] = mean[i] * (1 - slopes[i]);
    }
    average(slopes, width, height, horizontal_radius, vertical_radius, copy);
    average(offsets, width, height, horizontal_radius, vertical_radius, copy);
    free(copy);
    free(base->slopes);
    base->width = width;
    base->height = height;
    base->slopes = slopes;
    base->offsets = offsets;
    return true;
}

void pl_base_free(pl_base *base) { free(base->slopes); }
