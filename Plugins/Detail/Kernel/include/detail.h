/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of Detail: noise reduction with a wavelet transform, local contrast and sharpening of luma.
 *
 * All functions are thread-safe. The code for AVX2 and that for every processor compute the same numbers: each operation
 * is a single IEEE 754 operation on a float. A pixel does not depend on the block in which it is computed.
 */
#ifndef DETAIL_H
#define DETAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "picture_light.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* The number of scales of noise reduction. */
    DT_LEVELS = 5,
    /* The greatest distance at which a Gaussian function is not 0, in pixels. */
    DT_RADIUS = 9,
    /* The greatest size of a block in pixels. */
    DT_WIDTH = 512,
    DT_HEIGHT = 64,
    /* The distance of the furthest pixels on which one depends: 94 for noise reduction, and two Gaussian functions. */
    DT_REACH = 94 + 2 * DT_RADIUS
};

/* What is done to each pixel. Made by dt_edit_make, and changed by the caller before it is used. Differences are
 * relative to the range of the samples. */
typedef struct {
    /* The variance that counts as noise at each scale of luma and of the colour differences, from fine to coarse.
     * All 0: no noise reduction. */
    float luma_noise[DT_LEVELS];
    float color_noise[DT_LEVELS];
    /* The Gaussian function at 0, 1 ... `radius` pixels from the centre. */
    float gaussian[DT_RADIUS + 1];
    int radius;
    /* The factor of the difference from the blurred luma. 0: no sharpening. */
    float sharpening;
    /* The difference that is halved to suppress halos. */
    float halo;
    /* The variance at which sharpening is halved. 0: all areas are sharpened. */
    float flatness;
    /* The factor of the difference from the base layer. 0: none. */
    float definition;
    /* The base layer, if there is definition. */
    pl_base base;
} dt_edit;

/* Pixels in memory: a part of a picture of `width` by `height` pixels. */
typedef struct {
    /* The pixel at `left`, `top`; the next row is `stride` bytes on. */
    const void *pixels;
    ptrdiff_t stride;
    /* Its position in the picture. The part is what a block needs, cut off at the edges of the picture. */
    int left;
    int top;
    int width;
    int height;
    bool is_byte;
    int bands;
} dt_source;

/* Makes an edit that changes nothing. The caller owns it. NULL: out of memory. */
dt_edit *dt_edit_make(void);
void dt_edit_free(dt_edit *edit);

/* The distance of the furthest pixels on which a pixel of an edit depends. */
int dt_reach(const dt_edit *edit);

/* The number of floats that dt_block needs as scratch memory. */
size_t dt_scratch_count(void);

/* Computes a block of at most DT_WIDTH by DT_HEIGHT pixels at `left`, `top`. The source has the pixels at most
 * dt_reach() away. Rows of the destination are `stride` bytes apart. */
typedef void (*dt_block_function)(
    const dt_edit *edit, const dt_source *source, float *scratch, void *destination, ptrdiff_t stride, int left, int top,
    int width, int height);
void dt_block(
    const dt_edit *edit, const dt_source *source, float *scratch, void *destination, ptrdiff_t stride, int left, int top,
    int width, int height);

/* The same without AVX2, for tests. */
void dt_plain_block(
    const dt_edit *edit, const dt_source *source, float *scratch, void *destination, ptrdiff_t stride, int left, int top,
    int width, int height);

/* Makes a lazy image with the edited pixels of `source`, which has 3 or 4 bands of VIPS_FORMAT_UCHAR or _USHORT. Takes
 * the edit, also if it fails. The caller owns `*result`. Returns 0, or -1 with a message in vips_error. */
int dt_image(VipsImage *source, dt_edit *edit, VipsImage **result);

#ifdef __cplusplus
}
#endif

#endif
