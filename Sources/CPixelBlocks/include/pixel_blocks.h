/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops over blocks of planar pixels, for PlanarPixelKernel of Vips. Each is compiled for baseline x86-64 and for
 * AVX2; the choice is made at each call.
 *
 * All functions are thread-safe and stateless.
 */
#ifndef PIXEL_BLOCKS_H
#define PIXEL_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of samples in a plane, used or not. A multiple of the widest vector. */
#define PIXEL_BLOCK_CAPACITY 256

/* Deinterleaves `pixels` pixels, at most PIXEL_BLOCK_CAPACITY, of `bands` samples each. Sample b of pixel p is
 * written to planes[b * PIXEL_BLOCK_CAPACITY + p]. Source and planes must not overlap. */
void pixel_block_split_8(const uint8_t *source, uint8_t *planes, ptrdiff_t bands, ptrdiff_t pixels);
void pixel_block_split_16(const uint16_t *source, uint16_t *planes, ptrdiff_t bands, ptrdiff_t pixels);

/* Interleaves the planes again. */
void pixel_block_join_8(const uint8_t *planes, uint8_t *destination, ptrdiff_t bands, ptrdiff_t pixels);
void pixel_block_join_16(const uint16_t *planes, uint16_t *destination, ptrdiff_t bands, ptrdiff_t pixels);

/* Multiplies the first three planes by a row-major matrix with 16 (8-bit samples) or 24 (16-bit samples)
 * fractional bits.
 *
 * A sum is exact, rounded half up, and clamped to the range of the samples. The absolute coefficients of a row
 * may add up to at most 7.5, beyond which the partial sums overflow 32 bits. Samples of a plane beyond
 * `pixels` may be read and written. */
void pixel_block_multiply_8(uint8_t *planes, const int32_t matrix[9], ptrdiff_t pixels);
void pixel_block_multiply_16(uint16_t *planes, const int32_t matrix[9], ptrdiff_t pixels);

/* The same functions without AVX2, for tests. */
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
