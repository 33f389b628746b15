/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversion between the YCbCr of videos, 8 bits a sample, and RGB of 8 bits, in whole numbers: every processor gives the same.
 * Each function is compiled for the processors that every x86-64 system has and for those with AVX2, which is
 * chosen when it is called.
 * See docs/design/decisions/0036-conversion-of-frames.md.
 *
 * Any thread may call any of them; they keep nothing. What is read and what is written do not overlap. Row 0 is at the top, column 0 at the left.
 */
#ifndef YCBCR_H
#define YCBCR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the samples of a picture are meant. */
typedef struct ycbcr_coding {
    double red;    /* the share of red in luma, such as 0.2126 of Rec. ITU-R BT.709 */
    double blue;   /* the share of blue */
    bool is_full;  /* 0 to 255; else 16 to 235 for luma and 16 to 240 for chroma */
    bool is_halved; /* chroma has half the columns and half the rows, rounded up (4:2:0), and lies between two rows */
    bool is_left;  /* of halved chroma: it lies at every second column, as in H.264 and H.265; else between two, as in JPEG */
} ycbcr_coding;

/* A picture's planes: Y, Cb and Cr. Strides are the bytes from one row to the next, and may be negative. */
typedef struct ycbcr_planes {
    const uint8_t *planes[3];
    ptrdiff_t strides[3];
    ptrdiff_t width;
    ptrdiff_t height;
} ycbcr_planes;

/* Makes RGB, three bytes a pixel, of a picture: `stride` bytes from one row to the next. Halved chroma is interpolated by the
 * cubic of Catmull and Rom (a = -1/2). */
void ycbcr_to_rgb(const ycbcr_planes *picture, const ycbcr_coding *coding, uint8_t *rgb, size_t stride);

/* Makes 4:2:0 of RGB: BT.709, limited range, chroma at every second column and between two rows, reduced by the
 * same cubic, twice as wide. `width` and `height` are even. */
void ycbcr_from_rgb(
    const uint8_t *rgb, size_t stride, ptrdiff_t width, ptrdiff_t height, uint8_t *const planes[3],
    const ptrdiff_t strides[3]);

/* The same as processors without AVX2 do it, for tests. */
void ycbcr_plain_to_rgb(
    const ycbcr_planes *picture, const ycbcr_coding *coding, uint8_t *rgb, size_t stride);
void ycbcr_plain_from_rgb(
    const uint8_t *rgb, size_t stride, ptrdiff_t width, ptrdiff_t height, uint8_t *const planes[3],
    const ptrdiff_t strides[3]);

#ifdef __cplusplus
}
#endif

#endif
