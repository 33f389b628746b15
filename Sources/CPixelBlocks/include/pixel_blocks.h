/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops over blocks of pixels whose bands lie apart, for Vips' PlanarPixelKernel. Each is compiled for
 * the processors that every x86-64 system has and for those with AVX2, which is chosen when it is called.
 *
 * Any thread may call any of them; they keep nothing.
 */
#ifndef PIXEL_BLOCKS_H
#define PIXEL_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers in a plane, used or not. A multiple of the widest vector. */
#define PIXEL_BLOCK_CAPACITY 256

/* Takes `pixels` pixels, at most PIXEL_BLOCK_CAPACITY, of `bands` numbers each apart: number b of pixel p goes
 * to planes[b * PIXEL_BLOCK_CAPACITY + p]. Source and planes do not overlap. */
void pixel_block_split_8(const uint8_t *source, uint8_t *planes, ptrdiff_t bands, ptrdiff_t pixels);
void pixel_block_split_16(const uint16_t *source, uint16_t *planes, ptrdiff_t bands, ptrdiff_t pixels);

/* The reverse. */
void pixel_block_join_8(const uint8_t *planes, uint8_t *destination, ptrdiff_t bands, ptrdiff_t pixels);
void pixel_block_join_16(const uint16_t *planes, uint16_t *destination, ptrdiff_t bands, ptrdiff_t pixels);

/* Multiplies the first three planes by a matrix, row after row, of 16 (8-bit samples) or 24 (16-bit) fractional bits.
 *
 * A sum is exact, rounded half up, and clamped to the samples' range. The magnitudes of a row's coefficients
 * add up to at most 7.5, beyond which 32 bits do not hold the parts of the sum. Numbers of a plane beyond
 * `pixels` may be read and written, too. */
void pixel_block_multiply_8(uint8_t *planes, const int32_t matrix[9], ptrdiff_t pixels);
void pixel_block_multiply_16(uint16_t *planes, const int32_t matrix[9], ptrdiff_t pixels);

/* The same as processors without AVX2 do it, for tests. */
void pixel_block_plain_split_8(const uint8_t *source, uint8_t *planes, ptrdiff_t bands, ptrdiff_t pixels);
void pixel_block_plain_split_16(const uint16_t *source, uint16_t *planes, ptrdiff_t bands, ptrdiff_t pixels);
void pixel_block_plain_join_8(const uint8_t *planes, uint8_t *destination, ptrdiff_t bands, ptrdiff_t pixels);
void pixel_block_plain_join_16(const uint16_t *planes, uint16_t *destination, ptrdiff_t bands, ptrdiff_t pixels);
void pixel_block_plain_multiply_8(uint8_t *planes, const int32_t matrix[9], ptrdiff_t pixels);
void pixel_block_plain_multiply_16(uint16_t *planes, const int32_t matrix[9], ptrdiff_t pixels);

#ifdef __cplusplus
}
#endif

#endif
