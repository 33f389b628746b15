/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of Light and Color: one pass over the pixels in linear light.
 *
 * All functions are thread-safe. The code for AVX2 and that for every processor compute the same numbers: each operation
 * is a single IEEE 754 operation on a float.
 */
#ifndef LIGHT_AND_COLOR_H
#define LIGHT_AND_COLOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "picture_light.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What one sample adds to the light of a pixel after the matrix, and to its luminance. */
typedef struct {
    float color[3];
    float luminance;
} lc_share;

/* What is done to each pixel. Made by lc_edit_make, and changed by the caller before it is used. */
typedef struct {
    pl_curves curves;
    /* Row-major, from light to light: exposure and white balance. */
    float matrix[9];
    /* The share of red, green and blue in luminance. They add up to 1. */
    float luminance[3];
    /* 0: gray; 1: unchanged; 2: twice the distance from gray. */
    float saturation;
    /* -1...1: the same for pixels of little saturation, relative to `saturation`. */
    float vibrance;
    /* PL_TONE_PARTS from encoded values times `tone_scale` plus `tone_offset` to encoded values; NULL: none. */
    pl_part *tone;
    float tone_scale;
    float tone_offset;
    /* PL_TONE_PARTS from the base layer to a factor for light; NULL: no local sliders. */
    pl_part *gain;
    /* The base layer, if there is a gain. */
    pl_base base;
    /* Set by lc_edit_set_shares; NULL: the same is computed for each pixel. */
    lc_share *shares;
} lc_edit;

/* Makes an edit whose tables are zero, for 256 or 65536 `levels`. The caller owns it. NULL: out of memory. */
lc_edit *lc_edit_make(int levels, bool has_tone, bool has_gain);
void lc_edit_free(lc_edit *edit);

/* Sets the shares of the 256 levels of red, then those of green and blue, which makes 8 bits faster and changes no result.
 * Called once, after curves, matrix and luminance have been set. */
void lc_edit_set_shares(lc_edit *edit);

/* What red, green or blue (`band`) of 1 adds. */
lc_share lc_share_of_light(const lc_edit *edit, int band);

/* The pl_row of an lc_edit, and the same without AVX2, for tests. */
void lc_row(
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top);
void lc_plain_row(
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top);

/* Makes a lazy image with the edited pixels of `source`. As for pl_image. */
int lc_image(VipsImage *source, lc_edit *edit, VipsImage **result);

#ifdef __cplusplus
}
#endif

#endif
