/* SPDX-License-Identifier: Apache-2.0 */
#include "light_and_color.h"
#include "picture_light_parts.h"

/* A fused operation rounds once instead of twice, and not every processor has one. */
#pragma STDC FP_CONTRACT OFF

/* Adjacent pixels in planes, all of which fit into the first-level cache. */
typedef struct {
    float color[3][PL_BLOCK];
    float luma[PL_BLOCK];
} block;

/* The base layer's coefficients at a pixel of it, and their differences to the next one. */
typedef struct {
    float slope, offset, slope_step, offset_step;
} base_part;

/* A number between two others. */
PL_INLINE float between(float first, float second, float fraction) { return first + (second - first) * fraction; }

/* Interpolates the base layer for a row of the picture. */
PL_INLINE void interpolate_row(const lc_base *base, int top, base_part *parts)
{
    double position = (top + 0.5) / base->rows_per_pixel - 0.5;
    position = position < 0 ? 0 : position > base->height - 1 ? base->height - 1 : position;
    int above = (int) position;
    int below = above + 1 < base->height ? above + 1 : above;
    float fraction = (float) (position - above);
    size_t first = (size_t) above * base->width, second = (size_t) below * base->width;
    for (int i = 0; i < base->width; i++) {
        parts[i].slope = between(base->slopes[first + i], base->slopes[second + i], fraction);
        parts[i].offset = between(base->offsets[first + i], base->offsets[second + i], fraction);
    }
    for (int i = 0; i < base->width; i++) {
        int next = i + 1 < base->width ? i + 1 : i;
        parts[i].slope_step = parts[next].slope - parts[i].slope;
        parts[i].offset_step = parts[next].offset - parts[i].offset;
    }
}

/* Replaces the luma of a block by the base layer. */
PL_INLINE void interpolate_base(const lc_base *base, const base_part *parts, float *restrict luma, int pixels, int left)
{
    float scale = (float) (1 / base->columns_per_pixel);
    float last = (float) (base->width - 1);
    int32_t part[PL_BLOCK];
    float fraction[PL_BLOCK];
    for (int i = 0; i < pixels; i++) {
        /* From the pixel's own position, so that it does not depend on the tile. */
        float position = pl_at_most(pl_at_least(((float) (left + i) + 0.5f) * scale - 0.5f, 0), last);
        part[i] = (int32_t) position;
        fraction[i] = position - (float) part[i];
    }
#pragma clang loop vectorize(disable) interleave(disable)
    for (int i = 0; i < pixels; i++) {
        const base_part *at = parts + part[i];
        luma[i] = (at->slope + at->slope_step * fraction[i]) * luma[i] + (at->offset + at->offset_step * fraction[i]);
    }
    for (int i = 0; i < pixels; i++)
        luma[i] = pl_clamped(luma[i]);
}

/* Matrix, gain, saturation and vibrance, in light. The results are 0...1. */
PL_INLINE void edit_light(const lc_edit *edit, block *restrict all, int pixels)
{
    float *restrict first = all->color[0], *restrict second = all->color[1], *restrict third = all->color[2];
    const float *m = edit->matrix, *weight = edit->luminance;
    for (int i = 0; i < pixels; i++) {
        float gain = edit->gain ? all->luma[i] : 1;
        float r = first[i] * gain, g = second[i] * gain, b = third[i] * gain;
        float red = m[0] * r + m[1] * g + m[2] * b;
        float green = m[3] * r + m[4] * g + m[5] * b;
        float blue = m[6] * r + m[7] * g + m[8] * b;
        float luminance = weight[0] * red + weight[1] * green + weight[2] * blue;
        float most = pl_at_least(pl_at_least(red, green), blue);
        float least = pl_at_least(pl_at_most(pl_at_most(red, green), blue), 0);
        /* 1 - saturation is least / most; black has no saturation. */
        float rest = most > 0 ? least / most : 1;
        float factor = edit->saturation * (1 + edit->vibrance * rest * rest) - 1;
        first[i] = pl_clamped(red + factor * (red - luminance));
        second[i] = pl_clamped(green + factor * (green - luminance));
        third[i] = pl_clamped(blue + factor * (blue - luminance));
    }
}

/* Applies the tone curve to the greatest and the least of red, green and blue, and places the middle one between them in
 * proportion, so that the hue stays: RGBTone of Adobe's DNG SDK. */
PL_INLINE void edit_tone(const lc_edit *edit, block *restrict all, int pixels)
{
    float slope = edit->tone_scale, offset = edit->tone_offset;
    float *restrict first = all->color[0], *restrict second = all->color[1], *restrict third = all->color[2];
    float most[PL_BLOCK], least[PL_BLOCK];
    for (int i = 0; i < pixels; i++) {
        most[i] = pl_clamped(pl_at_least(pl_at_least(first[i], second[i]), third[i]) * slope + offset);
        least[i] = pl_clamped(pl_at_most(pl_at_most(first[i], second[i]), third[i]) * slope + offset);
    }
    pl_look_up(edit->tone, most, pixels, PL_TONE_OCTAVES, PL_TONE_BITS);
    pl_look_up(edit->tone, least, pixels, PL_TONE_OCTAVES, PL_TONE_BITS);
    for (int i = 0; i < pixels; i++) {
        float high = pl_at_least(pl_at_least(first[i], second[i]), third[i]);
        float low = pl_at_most(pl_at_most(first[i], second[i]), third[i]);
        float scale = high > low ? (most[i] - least[i]) / (high - low) : 0;
        first[i] = least[i] + (first[i] - low) * scale;
        second[i] = least[i] + (second[i] - low) * scale;
        third[i] = least[i] + (third[i] - low) * scale;
    }
}

/* One row. */
PL_INLINE void edit_row(PL_ROW_PARAMETERS)
{
    const lc_edit *own = edit;
    const uint8_t *bytes = source;
    const uint16_t *words = source;
    int size = is_byte ? 1 : 2;
    block all;
    base_part parts[own->gain ? own->base.width : 1];
    if (own->gain)
        interpolate_row(&own->base, top, parts);
    for (int start = 0; start < pixels; start += PL_BLOCK) {
        int count = pixels - start < PL_BLOCK ? pixels - start : PL_BLOCK;
        ptrdiff_t first = (ptrdiff_t) start * bands;
        const void *from = (const char *) source + first * size;
        pl_load(&own->curves, from, is_byte, bands, count, all.color);
        if (own->gain) {
            const float *weight = own->luminance;
            float scale = 1 / (is_byte ? 255.0f : 65535.0f);
            for (int i = 0; i < count; i++) {
                ptrdiff_t place = first + i * bands;
                float red = is_byte ? bytes[place] : words[place];
                float green = is_byte ? bytes[place + 1] : words[place + 1];
                float blue = is_byte ? bytes[place + 2] : words[place + 2];
                all.luma[i] = (weight[0] * red + weight[1] * green + weight[2] * blue) * scale;
            }
            interpolate_base(&own->base, parts, all.luma, count, left + start);
            pl_look_up(own->gain, all.luma, count, PL_TONE_OCTAVES, PL_TONE_BITS);
        }
        edit_light(own, &all, count);
        pl_encode(&own->curves, count, all.color);
        if (own->tone)
            edit_tone(own, &all, count);
        pl_store(all.color, from, (char *) destination + first * size, is_byte, bands, count);
    }
}

PL_ROW_FUNCTIONS(lc_row, lc_plain_row, edit_row)
