/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_MATRIX_H
#define CMEDIA_MATRIX_H

#include "scale.h"

/* Whether a layout is that of planar YCbCr of 8 bits a sample. */
bool cmedia_is_ycbcr(const cmedia_layout *layout);

/* Converts YCbCr of 4:4:4 to full-range RGB in rows of `stride` bytes: exact sums, rounded to nearest. libswscale
 * does it without loss only by code that is many times as slow. */
void cmedia_matrix(
    const cmedia_layout *layout, const uint8_t *const planes[3], const int strides[3],
    uint8_t *rgb, size_t stride);

#endif
