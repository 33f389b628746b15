/* SPDX-License-Identifier: Apache-2.0 */
#include "picture_light_piecewise.h"
#include "vignette.h"

/* Fused operations round once instead of twice, and not every processor has them. */
#pragma STDC FP_CONTRACT OFF

/* Returns two to the power of -2...2: the Taylor series for a quarter of the exponent, raised to the fourth power.
 * The relative error is below 2e-6. */
PL_INLINE float power_of_two(float exponent)
{
    float x = exponent * 0.17328680f; /* ln 2 / 4 */
    float root = 1 + x * (1 + x * (0.5f + x * (1 / 6.0f + x * (1 / 24.0f + x * (1 / 120.0f + x * (1 / 720.0f))))));
    float square = root * root;
    return square * square;
}

/* Computes the gain of adjacent pixels. Returns whether any of them changes. */
PL_INLINE bool find_gain(
    const vg_edit *edit, const float *restrict columns, float row, int pixels, float *restrict gain)
{
    float start = edit->start, slope = edit->slope, stops = edit->stops;
    for (int i = 0; i < pixels; i++) {
        /* sqrtf would set errno, which prevents vectorisation. */
        float distance = __builtin_elementwise_sqrt(columns[i] + row);
        float place = pl_at_most(pl_at_least((distance - start) * slope, 0), 1);
        float share = place * place * (3 - 2 * place);
        gain[i] = power_of_two(stops * share);
    }
    int changed = 0;
    for (int i = 0; i < pixels; i++)
        changed |= gain[i] != 1;
    return changed;
}

/* Multiplies light by the gain, or by less if the highest of red, green and blue would exceed white, because
 * clipping would change the hue. */
PL_INLINE void edit_light(float color[3][PL_BLOCK], const float *restrict gain, int pixels)
{
    float *restrict first = color[0], *restrict second = color[1], *restrict third = color[2];
    for (int i = 0; i < pixels; i++) {
        float most = pl_at_least(pl_at_least(first[i], second[i]), third[i]);
        float factor = pl_at_most(gain[i], 1 / pl_at_least(most, 0x1p-100f));
        first[i] = pl_clamped(first[i] * factor);
        second[i] = pl_clamped(second[i] * factor);
        third[i] = pl_clamped(third[i] * factor);
    }
}

/* Copies the pixels that do not change, because values of 16 bits may differ after conversion to light and back. */
PL_INLINE void keep_unchanged(
    const float *gain, const void *source, void *destination, bool is_byte, int bands, int pixels)
{
    size_t size = (size_t) bands * (is_byte ? 1 : 2);
    for (int i = 0; i < pixels; i++)
        if (gain[i] == 1)
            memcpy((char *) destination + (size_t) i * size, (const char *) source + (size_t) i * size, size);
}

PL_INLINE void vignette_row(PL_ROW_PARAMETERS)
{
    const vg_edit *own = edit;
    double down = top + 0.5 - own->center;
    float row = (float) (own->row_scale * down * down);
    for (int start = 0; start < pixels; start += PL_BLOCK) {
        int count = pixels - start < PL_BLOCK ? pixels - start : PL_BLOCK;
        size_t size = (size_t) bands * (is_byte ? 1 : 2);
        const void *from = (const char *) source + (size_t) start * size;
        void *to = (char *) destination + (size_t) start * size;
        float color[3][PL_BLOCK], gain[PL_BLOCK];
        if (!find_gain(own, own->columns + left + start, row, count, gain)) {
            memcpy(to, from, (size_t) count * size);
            continue;
        }
        pl_load(&own->curves, from, is_byte, bands, count, color);
        edit_light(color, gain, count);
        pl_encode(&own->curves, count, color);
        pl_store(color, from, to, is_byte, bands, count);
        keep_unchanged(gain, from, to, is_byte, bands, count);
    }
}

PL_ROW_FUNCTIONS(vg_row, vg_plain_row, vignette_row)
