/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes small JPEG files with libjpeg directly. libvips creates a pipeline for each, which takes several times as
 * long as decoding the pixels of a thumbnail.
 */
#ifndef CJPEG_H
#define CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Determines the size in pixels of a plain file: three 8-bit bands without a colour profile. Returns false for
   others. */
bool cjpeg_size(const uint8_t *bytes, size_t count, int32_t *width, int32_t *height);

/* Decodes a plain file to 8-bit RGB in row-major order without padding. Returns false if the file is not
 * plain, is damaged, or its size is not `width` by `height`. `pixels` must have space for width * height
 * * 3 bytes. */
bool cjpeg_decode(
    const uint8_t *bytes, size_t count, int32_t width, int32_t height, uint8_t *pixels);

/* Returns whether a JPEG file decodes to its end without a warning. Missing pixels cause one. */
bool cjpeg_is_complete(const uint8_t *bytes, size_t count);

#endif
