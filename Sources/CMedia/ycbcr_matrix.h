/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_YCBCR_MATRIX_H
#define CMEDIA_YCBCR_MATRIX_H

#include "scale.h"

/* Returns whether a layout is planar YCbCr with 8 bits per sample. */
bool cmedia_is_ycbcr(const cmedia_layout *layout);

/* Returns whether cmedia_matrix supports a layout: 4:4:4, and 4:2:0 with the chroma positions of H.264 and
   JPEG. */
bool cmedia_has_matrix(const cmedia_layout *layout);

/* Converts such YCbCr to full-range RGB in rows of `stride` bytes, with exact sums rounded to nearest.
 * libswscale is lossless only in a mode that is many times slower. */
void cmedia_matrix(
    const cmedia_layout *layout, uint8_t *const planes[3], const int strides[3], uint8_t *rgb,
    size_t stride);

/* Returns whether cmedia_write_by_matrix supports a conversion: from RGB to 4:2:0 of the same size, as encoded
   by this host. */
bool cmedia_is_written_by_matrix(const cmedia_layout *source, const cmedia_layout *target);

/* Converts RGB in rows of `stride` bytes to such YCbCr. */
void cmedia_write_by_matrix(
    const cmedia_layout *layout, const uint8_t *rgb, size_t stride, uint8_t *const planes[3],
    const int strides[3]);

#endif
