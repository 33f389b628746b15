/* SPDX-License-Identifier: Apache-2.0
 *
 * Transfer curves of ICC profiles (ICC.1:2010, 10.5 and 10.15) and their inverses.
 */
#include "space.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const unusable = "the profile has a transfer curve that cannot be inverted";
static const char *const malformed = "the profile has a malformed transfer curve";

uint32_t ee_color_number(const uint8_t *bytes, size_t size, size_t offset)
{
    if (size < 4 || offset > size - 4)
        return 0;
    const uint8_t *at = bytes + offset;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* MARK: Reading */

static double fixed_point(uint32_t number)
{
    return (double)(int32_t)number / 65536;
}

static const char *set_parameters(Curve *curve, const double *parameters)
{
    memcpy(curve->parameters, parameters, sizeof curve->parameters);
    bool is_usable = parameters[0] > 0.01 && parameters[0] < 100 && parameters[1] > 0.0001 &&
                     parameters[3] >= 0 && ee_color_light(curve, 1) > ee_color_light(curve, 0);
    return is_usable ? NULL : unusable;
}

static const char *read_parametric(Curve *curve, const uint8_t *profile, size_t size, size_t at)
{
    static const size_t counts[] = {1, 3, 4, 5, 7};
    uint32_t type = ee_color_number(profile, size, at + 8) >> 16;
    if (type > 4 || at + 12 + counts[type] * 4 > size)
        return malformed;
    double p[7] = {0};
    for (size_t index = 0; index < counts[type]; index++)
        p[index] = fixed_point(ee_color_number(profile, size, at + 12 + index * 4));
    if (type == 0)
        return set_parameters(curve, (double[]){p[0], 1, 0, 0, 0, 0, 0});
    if (type >= 3)
        return set_parameters(curve, p);
    /* Types 1 and 2 are constant below -b / a. */
    if (p[1] == 0)
        return unusable;
    return set_parameters(curve, (double[]){p[0], p[1], p[2], 0, -p[2] / p[1], p[3], p[3]});
}

static const char *read_points(
    Curve *curve, const uint8_t *profile, size_t size, size_t at, size_t count)
{
    if (count > 65536 || at + 12 + count * 2 > size)
        return malformed;
    curve->points = malloc(count * sizeof *curve->points);
    if (!curve->points)
        return "there is no memory for the curves of the profile";
    curve->count = count;
    double last = 0;
    for (size_t index = 0; index < count; index++) {
        const uint8_t *bytes = profile + at + 12 + index * 2;
        /* A malformed curve may decrease. */
        last = fmax(last, (bytes[0] << 8 | bytes[1]) / 65535.0);
        curve->points[index] = last;
    }
    return last > curve->points[0] ? NULL : unusable;
}

const char *ee_color_read_curve(Curve *curve, const uint8_t *profile, size_t size, size_t offset)
{
    if (size < 16 || offset > size - 12)
        return malformed;
    if (memcmp(profile + offset, "para", 4) == 0)
        return read_parametric(curve, profile, size, offset);
    if (memcmp(profile + offset, "curv", 4) != 0)
        return malformed;
    uint32_t count = ee_color_number(profile, size, offset + 8);
    if (count > 1)
        return read_points(curve, profile, size, offset, count);
    /* Without values, the curve is the identity. A single value is a gamma with 8 fractional bits. */
    if (count == 1 && offset + 14 > size)
        return malformed;
    double gamma =
        count == 0 ? 1 : (profile[offset + 12] << 8 | profile[offset + 13]) / 256.0;
    return set_parameters(curve, (double[]){gamma, 1, 0, 0, 0, 0, 0});
}

/* MARK: Computing, for values of at least 0 */

static double points_light(const Curve *curve, double level)
{
    double last = (double)(curve->count - 1);
    if (level >= 1)
        return curve->points[curve->count - 1] + (level - 1);
    size_t index = (size_t)(level * last);
    double fraction = level * last - (double)index;
    return curve->points[index] * (1 - fraction) + curve->points[index + 1] * fraction;
}

/* If several levels have the same light, returns the highest one, or the lowest one at the start of the curve. Black
 * and white therefore do not change. */
static double points_level(const Curve *curve, double light)
{
    const double *points = curve->points;
    double last = (double)(curve->count - 1);
    if (light <= points[0])
        return 0;
    if (light >= points[curve->count - 1])
        return 1 + (light - points[curve->count - 1]);
    size_t low = 0, high = curve->count - 1;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (points[middle] <= light)
            low = middle;
        else
            high = middle;
    }
    return ((double)low + (light - points[low]) / (points[high] - points[low])) / last;
}

/* Returns a power. In the usual range it is computed in single precision, which is faster, and as precise as the
 * samples. */
static double power(double base, double exponent)
{
    base = fmax(0, base);
    return base < 16 ? powf((float)base, (float)exponent) : pow(base, exponent);
}

static double parametric_light(const double *p, double level)
{
    return level >= p[4] ? power(p[1] * level + p[2], p[0]) + p[5] : p[3] * level + p[6];
}

static double parametric_level(const double *p, double light)
{
    if (light > parametric_light(p, p[4]) || p[4] <= 0)
        return fmax(0, (power(light - p[5], 1 / p[0]) - p[2]) / p[1]);
    if (p[3] > 0)
        return fmax(0, (light - p[6]) / p[3]);
    return light > p[6] ? p[4] : 0;
}

double ee_color_light(const Curve *curve, double level)
{
    double light = curve->points ? points_light(curve, fabs(level))
                                 : parametric_light(curve->parameters, fabs(level));
    /* A malformed curve may have negative light. */
    return copysign(fmax(0, light), level);
}

double ee_color_level(const Curve *curve, double light)
{
    double level = curve->points ? points_level(curve, fabs(light))
                                 : parametric_level(curve->parameters, fabs(light));
    return copysign(level, light);
}
