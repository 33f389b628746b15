/* SPDX-License-Identifier: Apache-2.0 */
#include "matrix.h"

#include <math.h>
#include <pixel_blocks.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    BITS = 16,
};

/* What each sample counts for, in 1/2^16. */
typedef struct {
    int32_t luma;
    int32_t red_cr;
    int32_t green_cb;
    int32_t green_cr;
    int32_t blue_cb;
    int32_t black; /* of luma */
} weights;

/* The shares of red and blue in luma; Rec. ITU-R BT.709, BT.601, BT.2020, 47 CFR 73.682, SMPTE ST 240. */
static void shares(int matrix, double *red, double *blue)
{
    switch (matrix) {
    case SWS_CS_FCC: *red = 0.30; *blue = 0.11; break;
    case SWS_CS_ITU601: *red = 0.299; *blue = 0.114; break;
    case SWS_CS_SMPTE240M: *red = 0.212; *blue = 0.087; break;
    case SWS_CS_BT2020: *red = 0.2627; *blue = 0.0593; break;
    default: *red = 0.2126; *blue = 0.0722; break;
    }
}

static weights make_weights(const cmedia_layout *layout)
{
    double red, blue;
    shares(layout->matrix, &red, &blue);
    double green = 1 - red - blue;
    double luma = layout->is_full ? 1 : 255.0 / 219;
    double chroma = layout->is_full ? 1 : 255.0 / 224;
    double one = 1 << BITS;
    return (weights){
        .luma = (int32_t)lround(luma * one),
        .red_cr = (int32_t)lround(2 * (1 - red) * chroma * one),
        .green_cb = (int32_t)lround(2 * (1 - blue) * blue / green * chroma * one),
        .green_cr = (int32_t)lround(2 * (1 - red) * red / green * chroma * one),
        .blue_cb = (int32_t)lround(2 * (1 - blue) * chroma * one),
        .black = layout->is_full ? 0 : 16};
}

INLINE uint8_t clamped(int32_t sum)
{
    int32_t value = (sum + (1 << (BITS - 1))) >> BITS;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

INLINE void convert(
    const weights *by, const uint8_t *restrict y, const uint8_t *restrict cb,
    const uint8_t *restrict cr, uint8_t *restrict planes, ptrdiff_t pixels)
{
    uint8_t *restrict red = planes;
    uint8_t *restrict green = planes + PIXEL_BLOCK_CAPACITY;
    uint8_t *restrict blue = planes + 2 * PIXEL_BLOCK_CAPACITY;
    const weights w = *by;
    for (ptrdiff_t index = 0; index < pixels; index++) {
        int32_t luma = w.luma * (y[index] - w.black);
        int32_t b = cb[index] - 128;
        int32_t r = cr[index] - 128;
        red[index] = clamped(luma + w.red_cr * r);
        green[index] = clamped(luma - w.green_cb * b - w.green_cr * r);
        blue[index] = clamped(luma + w.blue_cb * b);
    }
}

static void convert_block(
    const weights *by, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, uint8_t *planes,
    ptrdiff_t pixels)
{
    convert(by, y, cb, cr, planes, pixels);
}

/* As in CPixelBlocks: no target_clones, for not every dynamic linker has indirect functions. */
#if defined(__x86_64__)
__attribute__((target("avx2"))) static void convert_wide_block(
    const weights *by, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, uint8_t *planes,
    ptrdiff_t pixels)
{
    convert(by, y, cb, cr, planes, pixels);
}
static bool is_wide(void) { return __builtin_cpu_supports("avx2"); }
#else
#define convert_wide_block convert_block
static bool is_wide(void) { return false; }
#endif

bool cmedia_is_ycbcr(const cmedia_layout *layout)
{
    switch (layout->format) {
    case AV_PIX_FMT_YUV420P:
    case AV_PIX_FMT_YUV422P:
    case AV_PIX_FMT_YUV440P:
    case AV_PIX_FMT_YUV444P: return true;
    default: return false;
    }
}

void cmedia_matrix(
    const cmedia_layout *layout, const uint8_t *const planes[3], const int strides[3],
    uint8_t *rgb, size_t stride)
{
    const weights by = make_weights(layout);
    const bool wide = is_wide();
    uint8_t block[3 * PIXEL_BLOCK_CAPACITY];
    for (ptrdiff_t row = 0; row < layout->height; row++) {
        const uint8_t *y = planes[0] + row * strides[0];
        const uint8_t *cb = planes[1] + row * strides[1];
        const uint8_t *cr = planes[2] + row * strides[2];
        uint8_t *to = rgb + (size_t)row * stride;
        for (ptrdiff_t start = 0; start < layout->width; start += PIXEL_BLOCK_CAPACITY) {
            ptrdiff_t left = layout->width - start;
            ptrdiff_t count = left < PIXEL_BLOCK_CAPACITY ? left : PIXEL_BLOCK_CAPACITY;
            (wide ? convert_wide_block : convert_block)(
                &by, y + start, cb + start, cr + start, block, count);
            pixel_block_join_8(block, to + start * 3, 3, count);
        }
    }
}
