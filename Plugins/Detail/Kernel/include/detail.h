/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of Detail: noise reduction with a wavelet transform, local contrast and sharpening of luma.
 *
 * All functions are thread-safe. The code for AVX2 and the code for every processor compute the same numbers,
 * because each operation is a single IEEE 754 operation on a float. The result for a pixel does not depend on the
 * block in which it is computed.
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
    /* The maximum distance from the centre of a Gaussian blur, in pixels. */
    DT_RADIUS = 9,
    /* The maximum size of a block in pixels. */
    DT_WIDTH = 512,
    DT_HEIGHT = 64,
    /* The distance of the farthest pixels on which a pixel can depend: 94 for noise reduction, and two Gaussian
     * blurs. */
    DT_REACH = 94 + 2 * DT_RADIUS
};

/* The values of an edit. It is made by dt_edit_make, and changed by the caller before it is used. Differences are
 * relative to the range of the samples. */
typedef struct {
    /* The variance that is treated as noise at each scale of luma and of the colour differences, from fine to
     * coarse. If all are 0, there is no noise reduction. */
    float luma_noise[DT_LEVELS];
    float color_noise[DT_LEVELS];
    /* The weights of the Gaussian blur at 0, 1 ... `radius` pixels from the centre. */
    float gaussian[DT_RADIUS + 1];
    int radius;
    /* The factor of the difference from the blurred luma; 0 means no sharpening. */
    float sharpening;
    /* The difference that is halved to suppress halos. */
    float halo;
    /* The variance at which sharpening is halved; 0 means that all areas are sharpened. */
    float flatness;
    /* The factor of the difference from the base layer; 0 means no local contrast. */
    float definition;
    /* The base layer, if `definition` is not 0. */
    pl_base base;
} dt_edit;

/* The pixels in memory: a part of a picture. */
typedef struct {
    /* The pixel at `left`, `top`, and the distance from one row to the next in bytes. */
    const void *pixels;
    ptrdiff_t stride;
    /* The position and size of the part, in pixels of the picture. The part contains what a block needs, and ends
     * at the edges of the picture. */
    int left;
    int top;
    int width;
    int height;
    bool is_byte;
    int bands;
} dt_source;

/* Makes an edit that changes nothing. The caller owns it. Returns NULL if there is not enough memory. */
dt_edit *dt_edit_make(void);
void dt_edit_free(dt_edit *edit);

/* Returns the distance of the farthest pixels on which a pixel of an edit depends. */
int dt_reach(const dt_edit *edit);

/* Returns the number of floats that dt_block needs as scratch memory. */
size_t dt_scratch_count(void);

/* Computes a block of at most DT_WIDTH by DT_HEIGHT pixels at `left`, `top`. The source must contain the pixels
 * within a distance of dt_reach(). The rows of the destination are `stride` bytes apart. */
typedef void (*dt_block_function)(
    const dt_edit *edit, const dt_source *source, float *scratch, void *destination, ptrdiff_t stride, int left, int top,
    int width, int height);
void dt_block(
    const dt_edit *edit, const dt_source *source, float *scratch, void *destination, ptrdiff_t stride, int left, int top,
    int width, int height);

/* The same function without AVX2, for tests. */
void dt_plain_block(
    const dt_edit *edit, const dt_source *source, float *scratch, void *destination, ptrdiff_t stride, int left, int top,
    int width, int height);

/* Makes a lazy image with the edited pixels of `source`, which must have 3 or 4 bands of VIPS_FORMAT_UCHAR or
 * _USHORT. Takes ownership of the edit, even if it fails. The caller owns `*result`. Returns 0, or -1 with a
 * message in vips_error. */
int dt_image(VipsImage *source, dt_edit *edit, VipsImage **result);

#ifdef __cplusplus
}
#endif

#endif
