/* SPDX-License-Identifier: Apache-2.0 */
#include "membrane.h"
#include <string.h>

#pragma STDC FP_CONTRACT OFF

circle_point circle_step(int count)
{
    double angle = 2 * 3.14159265358979323846 / count, square = angle * angle;
    /* Taylor series; the first term left out is below 1e-18 for an angle of pi / 4. */
    double sine = 0, cosine = 0;
    for (int i = 8; i >= 1; i--) {
        sine = (1 - sine) * square / (2 * i * (2 * i + 1));
        cosine = (1 - cosine) * square / (2 * i * (2 * i - 1));
    }
    return (circle_point) {1 - cosine, (1 - sine) * angle};
}

circle_point circle_sum(circle_point first, circle_point second)
{
    return (circle_point) {
        first.x * second.x - first.y * second.y,
        first.x * second.y + first.y * second.x,
    };
}

/* 1 for the first half of the modes, then falling to nearly 0. */
static double weight_of(int mode, int modes)
{
    double half = modes / 2;
    double beyond = mode > half ? (mode - half) / (modes - half + 1) : 0;
    return 1 - beyond * beyond;
}

membrane membrane_make(const float (*edge)[4], int count)
{
    int modes = count / 4 < MEMBRANE_MODES ? count / 4 : MEMBRANE_MODES;
    double real[4][MEMBRANE_MODES + 1] = {{0}}, imaginary[4][MEMBRANE_MODES + 1] = {{0}};
    circle_point step = circle_step(count), at = {1, 0};
    for (int i = 0; i < count; i++) {
        circle_point power = {1, 0};
        for (int mode = 0; mode <= modes; mode++) {
            for (int component = 0; component < 4; component++) {
                real[component][mode] += edge[i][component] * power.x;
                imaginary[component][mode] -= edge[i][component] * power.y;
            }
            power = circle_sum(power, at);
        }
        at = circle_sum(at, step);
    }
    membrane result = {.modes = modes};
    for (int component = 0; component < 4; component++)
        for (int mode = 0; mode <= modes; mode++) {
            double scale = (mode == 0 ? 1 : 2) * weight_of(mode, modes) / count;
            result.real[component][mode] = (float) (real[component][mode] * scale);
            result.imaginary[component][mode] = (float) (imaginary[component][mode] * scale);
        }
    return result;
}

void membrane_row(const membrane *disc, int component, const float *x, float y, int count, float *restrict result)
{
    float imaginary[MEMBRANE_BLOCK];
    for (int i = 0; i < count; i++) {
        result[i] = disc->real[component][disc->modes];
        imaginary[i] = disc->imaginary[component][disc->modes];
    }
    /* Horner's rule. */
    for (int mode = disc->modes - 1; mode >= 0; mode--) {
        float first = disc->real[component][mode], second = disc->imaginary[component][mode];
        for (int i = 0; i < count; i++) {
            float product = result[i] * x[i] - imaginary[i] * y;
            imaginary[i] = result[i] * y + imaginary[i] * x[i] + second;
            result[i] = product + first;
        }
    }
}
