/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversion between 8-bit YCbCr of videos and 8-bit RGB in integer arithmetic: every processor gives the same result.
 * Each function is compiled for baseline x86-64 and for AVX2; the choice is made at each call.
 * See docs/design/decisions/0036-conversion-of-frames.md.
 *
 * All functions are thread-safe and stateless. Input and output must not overlap. Row 0 is at the top, column 0 at the
 * left.
 */
#ifndef YCBCR_H
#define YCBCR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The coding of a picture's samples. */
typedef struct ycbcr_coding {
    double red;    /* luma coefficient of red, such as 0.2126 of Rec. ITU-R BT.709 */
    double blue;   /* luma coefficient of blue */
    bool is_full;  /* full range, 0 to 255; otherwise 16 to 235 for luma and 16 to 240 for chroma */
    bool is_halved; /* chroma has half the columns and rows, rounded up (4:2:0), and is between two rows */
    bool is_left;  /* position of halved chroma: at every second column (H.264, H.265); otherwise between two (JPEG) */
} ycbcr_coding;

/* The planes of a picture: Y, Cb and Cr. Strides are in bytes from one row to the next, and may be negative. */
typedef struct ycbcr_planes {
    const uint8_t *planes[3];
    ptrdiff_t strides[3];
    ptrdiff_t width;
    ptrdiff_t height;
} ycbcr_planes;

/* Converts a picture to RGB with three bytes per pixel. `stride` is in bytes from one row to the next. Halved
 * chroma is interpolated by the Catmull-Rom cubic (a = -1/2). */
void ycbcr_to_rgb(const ycbcr_planes *picture, const ycbcr_coding *coding, uint8_t *rgb, size_t stride);

/* Converts RGB to 4:2:0: BT.709, limited range, chroma at every second column and between two rows. Chroma is
 * reduced by the same cubic, twice as wide. `width` and `height` are even. */
void ycbcr_from_rgb(
    const uint8_t *rgb, size_t stride, ptrdiff_t width, ptrdiff_t height, uint8_t *const planes[3],
    const ptrdiff_t strides[3]);

/* The same functions without AVX2, for tests. */
void ycbcr_plain_to_rgb(
    const ycbcr_planes *picture, const ycbcr_coding *coding, uint8_t *rgb, size_t stride);
void ycbcr_plain_from_rgb(
    const uint8_t *rgb, size_t stride, ptrdiff_t width, ptrdiff_t height, uint8_t *const planes[3],
    const ptrdiff_t strides[3]);

#ifdef __cplusplus
}
#endif

#endif
