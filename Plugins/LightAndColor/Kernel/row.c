/* SPDX-License-Identifier: Apache-2.0 */
#include "light_and_color.h"
#include "picture_light_base.h"

/* A fused operation rounds once instead of twice, and not every processor has one. */
#pragma STDC FP_CONTRACT OFF

/* Adjacent pixels in planes, all of which fit into the first-level cache. */
typedef struct {
    float color[3][PL_BLOCK];
    float luminance[PL_BLOCK];
    float luma[PL_BLOCK];
} block;

/* Applies the matrix, and adds up luminance. */
PL_INLINE void mix(const lc_edit *edit, block *restrict all, int count)
{
    lc_share red = lc_share_of_light(edit, 0), green = lc_share_of_light(edit, 1), blue = lc_share_of_light(edit, 2);
    float *restrict first = all->color[0], *restrict second = all->color[1], *restrict third = all->color[2];
    for (int i = 0; i < count; i++) {
        float r = first[i], g = second[i], b = third[i];
        first[i] = red.color[0] * r + green.color[0] * g + blue.color[0] * b;
        second[i] = red.color[1] * r + green.color[1] * g + blue.color[1] * b;
        third[i] = red.color[2] * r + green.color[2] * g + blue.color[2] * b;
        all->luminance[i] = red.luminance * r + green.luminance * g + blue.luminance * b;
    }
}

/* Does the same for eight pixels of 8 bits. */
PL_INLINE void load_eight(const lc_share *shares, const uint8_t *source, int bands, int first, block *restrict all)
{
    pl_eight sum[4], addend;
    for (int i = 0; i < 4; i++) {
        const uint8_t *pixel = source + (first + i) * bands, *other = pixel + 4 * bands;
        pl_copy_pair(sum + i, shares + pixel[0], shares + other[0]);
        for (int band = 1; band < 3; band++) {
            pl_copy_pair(&addend, shares + 256 * band + pixel[band], shares + 256 * band + other[band]);
            sum[i] += addend;
        }
    }
    pl_transpose(sum);
    for (int band = 0; band < 3; band++)
        memcpy(all->color[band] + first, sum + band, sizeof *sum);
    memcpy(all->luminance + first, sum + 3, sizeof *sum);
}

/* Does the same for at least eight pixels of 8 bits. */
PL_INLINE void load_mixed(const lc_share *shares, const uint8_t *source, int bands, int pixels, block *restrict all)
{
    for (int first = 0; first + 8 <= pixels; first += 8)
        load_eight(shares, source, bands, first, all);
    /* The last eight may overlap with those before. */
    load_eight(shares, source, bands, pixels - 8, all);
}

/* Multiplies light by the gain in place of luma. */
PL_INLINE void apply_gain(block *restrict all, int count)
{
    for (int i = 0; i < count; i++) {
        for (int band = 0; band < 3; band++)
            all->color[band][i] *= all->luma[i];
        all->luminance[i] *= all->luma[i];
    }
}

/* Saturation and vibrance, in light. */
PL_INLINE void edit_light(const lc_edit *edit, block *restrict all, int count)
{
    float *restrict first = all->color[0], *restrict second = all->color[1], *restrict third = all->color[2];
    for (int i = 0; i < count; i++) {
        float red = first[i], green = second[i], blue = third[i], luminance = all->luminance[i];
        float most = pl_at_least(pl_at_least(red, green), blue);
        float least = pl_at_least(pl_at_most(pl_at_most(red, green), blue), 0);
        /* 1 - saturation is least / most; black has no saturation. */
        float rest = most > 0 ? least / most : 1;
        float factor = edit->saturation * (1 + edit->vibrance * rest * rest);
        float gray = luminance - factor * luminance;
        first[i] = red * factor + gray;
        second[i] = green * factor + gray;
        third[i] = blue * factor + gray;
    }
}

/* Applies the tone curve to the greatest and the least of red, green and blue, and places the middle one between them in
 * proportion, so that the hue stays: RGBTone of Adobe's DNG SDK. */
PL_INLINE void edit_tone(const lc_edit *edit, block *restrict all, int count)
{
    float slope = edit->tone_scale, offset = edit->tone_offset;
    float *restrict first = all->color[0], *restrict second = all->color[1], *restrict third = all->color[2];
    float most[PL_BLOCK], least[PL_BLOCK];
    for (int i = 0; i < count; i++) {
        most[i] = pl_at_least(pl_at_least(first[i], second[i]), third[i]) * slope + offset;
        least[i] = pl_at_most(pl_at_most(first[i], second[i]), third[i]) * slope + offset;
    }
    pl_look_up(edit->tone, most, count, PL_TONE_BITS);
    pl_look_up(edit->tone, least, count, PL_TONE_BITS);
    for (int i = 0; i < count; i++) {
        float high = pl_at_least(pl_at_least(first[i], second[i]), third[i]);
        float low = pl_at_most(pl_at_most(first[i], second[i]), third[i]);
        float scale = high > low ? (most[i] - least[i]) / (high - low) : 0;
        first[i] = least[i] + (first[i] - low) * scale;
        second[i] = least[i] + (second[i] - low) * scale;
        third[i] = least[i] + (third[i] - low) * scale;
    }
}

/* Reads luma, 0...1. */
PL_INLINE void load_luma(
    const lc_edit *edit, const void *source, bool is_byte, int bands, int pixels, float *restrict luma)
{
    const uint8_t *bytes = source;
    const uint16_t *words = source;
    const float *weight = edit->luminance;
    float scale = 1 / (is_byte ? 255.0f : 65535.0f);
    for (int i = 0; i < pixels; i++) {
        int place = i * bands;
        float red = is_byte ? bytes[place] : words[place];
        float green = is_byte ? bytes[place + 1] : words[place + 1];
        float blue = is_byte ? bytes[place + 2] : words[place + 2];
        luma[i] = (weight[0] * red + weight[1] * green + weight[2] * blue) * scale;
    }
}

/* One row. */
PL_INLINE void edit_row(PL_ROW_PARAMETERS)
{
    const lc_edit *own = edit;
    block all;
    memset(&all, 0, sizeof all);
    pl_base_part parts[own->gain ? own->base.width : 1];
    if (own->gain)
        pl_base_row(&own->base, top, parts);
    for (int start = 0; start < pixels; start += PL_BLOCK) {
        int part = pixels - start < PL_BLOCK ? pixels - start : PL_BLOCK;
        int count = pl_rounded(part);
        ptrdiff_t first = (ptrdiff_t) start * bands * (is_byte ? 1 : 2);
        const void *from = (const char *) source + first;
        if (is_byte && own->shares && part >= 8) {
            load_mixed(own->shares, from, bands, part, &all);
        } else {
            pl_load(&own->curves, from, is_byte, bands, part, all.color);
            mix(own, &all, count);
        }
        if (own->gain) {
            load_luma(own, from, is_byte, bands, part, all.luma);
            pl_base_luma(&own->base, parts, all.luma, count, left + start);
            pl_look_up(own->gain, all.luma, count, PL_TONE_BITS);
            apply_gain(&all, count);
        }
        edit_light(own, &all, count);
        pl_encode(&own->curves, count, all.color);
        if (own->tone)
            edit_tone(own, &all, count);
        pl_store(all.color, from, (char *) destination + first, is_byte, bands, part);
    }
}

PL_ROW_FUNCTIONS(lc_row, lc_plain_row, edit_row)
