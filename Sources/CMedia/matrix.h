/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_MATRIX_H
#define CMEDIA_MATRIX_H

#include "scale.h"

/* Whether a layout is that of planar YCbCr of 8 bits a sample. */
bool cmedia_is_ycbcr(const cmedia_layout *layout);

/* Whether cmedia_matrix makes RGB of it: 4:4:4, and 4:2:0 with chroma where H.264 and JPEG have it. */
bool cmedia_has_matrix(const cmedia_layout *layout);

/* Converts such YCbCr to full-range RGB in rows of `stride` bytes: exact sums, rounded to nearest. libswscale
 * does it without loss only by code that is many times as slow. */
void cmedia_matrix(
    const cmedia_layout *layout, uint8_t *const planes[3], const int strides[3], uint8_t *rgb,
    size_t stride);

/* Whether cmedia_write_by_matrix makes one of the other: RGB and 4:2:0 of the same size, as this host encodes it. */
bool cmedia_is_written_by_matrix(const cmedia_layout *source, const cmedia_layout *target);

/* Converts RGB in rows of `stride` bytes to such YCbCr. */
void cmedia_write_by_matrix(
    const cmedia_layout *layout, const uint8_t *rgb, size_t stride, uint8_t *const planes[3],
    const int strides[3]);

#endif
