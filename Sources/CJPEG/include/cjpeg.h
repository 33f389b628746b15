/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes small JPEG files by libjpeg alone. libvips makes a pipeline of each, which takes several times as long as
 * the pixels of a thumbnail do.
 */
#ifndef CJPEG_H
#define CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size of a file in pixels, if it is a plain one: of three bands with 8 bits, without a colour profile. */
bool cjpeg_size(const uint8_t *bytes, size_t count, int32_t *width, int32_t *height);

/* Decodes a plain file: RGB, 8 bits, row after row without room between them. False where it is not one, is of another size
 * than `width` by `height`, or is damaged. `pixels` has room for width * height * 3 bytes. */
bool cjpeg_decode(
    const uint8_t *bytes, size_t count, int32_t width, int32_t height, uint8_t *pixels);

/* Whether a JPEG file decodes to its end without a warning: pixels that are missing are one. */
bool cjpeg_is_complete(const uint8_t *bytes, size_t count);

#endif
