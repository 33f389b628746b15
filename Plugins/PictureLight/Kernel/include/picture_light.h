/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What extensions for light and detail share: tables of transfer curves, the base layer of a picture, images whose
 * rows a function computes, and the conversion of other profiles to ProPhoto RGB.
 *
 * All functions are thread-safe.
 */
#ifndef PICTURE_LIGHT_H
#define PICTURE_LIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _VipsImage VipsImage;

/* A part of a function that is linear in parts: value + slope * x. */
typedef struct {
    float value;
    float slope;
} pl_part;

/* A function of 0...1 has parts of equal length within each octave: 2^PL_ENCODING_BITS in each of [1/2, 1), [1/4, 1/2)
 * ... for functions of light, and 2^PL_TONE_BITS for functions of encoded values. The first part is from 0 to the
 * smallest octave, where the function is constant. A profile's gamma of 2.2 makes 2^-35 of light one level of 16 bits,
 * and so does a brightness of 1 with 2^-32 of an encoded value.
 *
 * An encoded value is right to 5e-7 of it. The steepest tone curve multiplies this by 300 at the first level above its
 * black point. Parts of twice this length would be too long for 4 levels of 16 bits there. */
enum {
    PL_OCTAVES = 36,
    PL_ENCODING_BITS = 8,
    PL_ENCODING_PARTS = (PL_OCTAVES << PL_ENCODING_BITS) + 1,
    PL_TONE_BITS = 8,
    PL_TONE_PARTS = (PL_OCTAVES << PL_TONE_BITS) + 1
};

/* The position at which a part begins, for `part` from 0 to the number of parts, which is 1. */
double pl_encoding_start(int part);
double pl_tone_start(int part);

/* The transfer curves of a profile. */
typedef struct {
    /* 256 or 65536. */
    int levels;
    /* The light of each stored value, 0...1, for red, green and blue. */
    float *light[3];
    /* PL_ENCODING_PARTS from light to encoded values, for red, green and blue. */
    pl_part *encoding[3];
    /* The memory of all tables. */
    void *storage;
} pl_curves;

/* Makes tables of zeros for 256 or 65536 `levels`. Returns false if out of memory. */
bool pl_curves_make(pl_curves *curves, int levels);
void pl_curves_free(pl_curves *curves);

/* The base layer of a picture: luma without detail, as `luma * slope + offset`. It has one pixel for
 * `columns_per_pixel` by `rows_per_pixel` pixels of the picture. */
typedef struct {
    int width;
    int height;
    double columns_per_pixel;
    double rows_per_pixel;
    float *slopes;
    float *offsets;
} pl_base;

/* Computes the coefficients of a base layer from a small picture.
 *
 * Self-guided filter of He and Sun, "Fast Guided Filter" (2015), with windows that end at the picture's edges.
 *
 * `base` is zero, or has been set before. `luma` has width * height numbers, 0...1. The radii are in pixels of it, at
 * least 0. `edge` is the variance at which half of the detail is kept. Returns false if out of memory. */
bool pl_base_set(
    pl_base *base, const float *luma, int width, int height, int horizontal_radius, int vertical_radius, float edge);
void pl_base_free(pl_base *base);

/* Computes `pixels` pixels of one row, of `bands` samples of 8 or 16 bits. `left` and `top` are the position of the first
 * one in the picture. Called on any thread. */
typedef void (*pl_row)(
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top);

/* Makes a lazy image with the pixels that `row` computes from those of `source`, which has 3 or 4 bands of
 * VIPS_FORMAT_UCHAR or _USHORT. Takes the edit, also if it fails, and calls `release` when it is no longer needed. The
 * caller owns `*result`. Returns 0, or -1 with a message in vips_error. */
int pl_image(VipsImage *source, void *edit, pl_row row, void (*release)(void *edit), VipsImage **result);

/* Makes a lazy image of luma in floating point: the mean of red, green and blue of `columns` by `rows` pixels, multiplied
 * by weights. An incomplete mean at the right or bottom edge is left out if it is less than half of that. The source is
 * red, green and blue of 8 or 16 bits. The caller owns `*result`. Returns 0, or -1 with a message in vips_error. */
int pl_reduce(VipsImage *source, int columns, int rows, const float weights[3], VipsImage **result);

/* Makes a lazy image in ProPhoto RGB from an image of 16 bits and the bytes of its RGB profile, which may describe its
 * colours with tables. The image has the new profile. Alpha stays. The intent is relative colorimetric with black point
 * compensation. The caller owns `*result`. Returns 0, or -1 with a message in vips_error. */
int pl_prophoto(VipsImage *source, const void *profile, size_t size, VipsImage **result);

#ifdef __cplusplus
}
#endif

#endif
