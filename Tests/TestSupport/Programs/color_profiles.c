/* SPDX-License-Identifier: Apache-2.0
 *
 * Transforms the level 0.5 of an ICC profile to linear light and back, and prints both, or the reason why the profile is
 * unusable. Then reads all truncated copies of the profile, each in memory of its own size.
 *
 * Usage: color_profiles FILE
 */
#include <color_transforms.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ee_status transform(const ee_color_space *from, const ee_color_space *to, float *color, ee_error *error)
{
    const ee_color *colors = ee_color_capability();
    ee_color_transform *made;
    ee_status status = colors->create(from, to, &made, error);
    if (status)
        return status;
    status = colors->apply(made, color, color, 1, 3, error);
    colors->release(made);
    return status;
}

static ee_status light(const uint8_t *profile, size_t size, float *level, float *back, ee_error *error)
{
    ee_color_space encoded = {sizeof encoded, EE_COLOR_ENCODED, NULL, profile, size};
    ee_color_space linear = {sizeof linear, EE_COLOR_LINEAR, NULL, profile, size};
    float color[3] = {*level, *level, *level};
    ee_status status = transform(&encoded, &linear, color, error);
    *level = color[1];
    if (!status)
        status = transform(&linear, &encoded, color, error);
    *back = color[1];
    return status;
}

int main(int count, char **words)
{
    static uint8_t profile[4096];
    FILE *file = count > 1 ? fopen(words[1], "rb") : NULL;
    size_t size = file ? fread(profile, 1, sizeof profile, file) : 0;
    for (float level = 0; level <= 1; level += 0.5f) {
        float result = level, back = 0;
        ee_error error = {{0}};
        if (light(profile, size, &result, &back, &error) == EE_OK)
            printf("%.5f %.5f\n", result, back);
        else
            printf("%s\n", error.message);
    }
    for (size_t length = 0; length < size; length++) {
        uint8_t *copy = malloc(length ? length : 1);
        memcpy(copy, profile, length);
        float level = 0.5f, back;
        ee_error error = {{0}};
        if (light(copy, length, &level, &back, &error) == EE_OK)
            printf("truncated to %zu: %.5f\n", length, level);
        free(copy);
    }
    return 0;
}
