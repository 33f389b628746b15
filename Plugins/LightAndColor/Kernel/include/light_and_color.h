/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of Light and Color: one pass over the pixels in linear light, and the base layer for local sliders.
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

/* The base layer of a picture: luma without detail, as `luma * slope + offset`. It has one pixel for
 * `columns_per_pixel` by `rows_per_pixel` pixels of the picture. */
typedef struct {
    int width;
    int height;
    double columns_per_pixel;
    double rows_per_pixel;
    float *slopes;
    float *offsets;
} lc_base;

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
    lc_base base;
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

/* Makes a lazy image of luma in floating point: the mean of red, green and blue of `columns` by `rows` pixels, multiplied
 * by weights. An incomplete mean at the right or bottom edge is left out if it is less than half of that. The source is
 * red, green and blue of 8 or 16 bits. The caller owns `*result`. Returns 0, or -1 with a message in vips_error. */
int lc_reduce(VipsImage *source, int columns, int rows, const float weights[3], VipsImage **result);

/* Makes the base layer of an edit from a small picture.
 *
 * Self-guided filter of He and Sun, "Fast Guided Filter" (2015), with windows that end at the picture's edges.
 *
 * `luma` has width * height numbers, 0...1. The radii are in pixels of it, at least 0. `edge` is the variance at which
 * half of the detail is kept. Returns false if out of memory. */
bool lc_edit_set_base(
    lc_edit *edit, const float *luma, int width, int height, int horizontal_radius, int vertical_radius, float edge);

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
