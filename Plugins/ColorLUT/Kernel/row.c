/* SPDX-License-Identifier: Apache-2.0 */
/* A fused operation rounds once instead of twice, and not every processor has one. */
#pragma STDC FP_CONTRACT OFF

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "color_lut.h"

#if defined(__x86_64__)
#define HAS_WIDE 1
#define WIDE __attribute__((target("avx2")))
#else
#define HAS_WIDE 0
#endif

#define INLINE static inline __attribute__((always_inline))

#define BLOCK 256

/* Colours that are further outside than a quarter of a level of 8 bits were clipped; less is rounding. */
#define TOLERANCE (0.25f / 255)

/* The four numbers of a point. */
typedef float point __attribute__((vector_size(16)));

/* Adjacent pixels in planes, all of which fit into the first-level cache. */
typedef struct {
    float color[3][BLOCK];
    float before[3][BLOCK];
    /* Red, green and blue of a pixel side by side, and a fourth number after a cube. */
    float packed[4 * BLOCK];
} block;

/* The comparisons return the limit for NAN. */
INLINE float at_most(float number, float limit) { return number < limit ? number : limit; }
INLINE float at_least(float number, float limit) { return number > limit ? number : limit; }

/* MARK: Colour spaces */

INLINE void unpack(block *restrict all, int stride, int pixels)
{
    for (int i = 0; i < pixels; i++)
        for (int band = 0; band < 3; band++)
            all->color[band][i] = all->packed[stride * i + band];
}

INLINE void convert(cl_convert *function, void *context, block *restrict all, int pixels)
{
    if (!function)
        return;
    for (int i = 0; i < pixels; i++)
        for (int band = 0; band < 3; band++)
            all->packed[3 * i + band] = all->color[band][i];
    function(context, all->packed, pixels);
    unpack(all, 3, pixels);
}

/* The number of pixels outside the domain of a table. */
INLINE int count_outside(const cl_table *table, const block *all, int pixels)
{
    int count = 0;
    for (int i = 0; i < pixels; i++) {
        int is_outside = 0;
        for (int band = 0; band < 3; band++) {
            float value = all->color[band][i];
            is_outside |= value < table->start[band] - TOLERANCE;
            is_outside |= value > table->end[band] + TOLERANCE;
        }
        count += is_outside;
    }
    return count;
}

/* MARK: Tables */

/* The point at or before a value, and the fraction of the distance to the next one, 0...1. */
INLINE void locate(const cl_table *table, int band, const float *values, int32_t *index, float *fraction, int pixels)
{
    float start = table->start[band], end = table->end[band], scale = table->scale[band];
    float last = (float) (table->size - 1);
    int32_t last_index = table->size - 2;
    for (int i = 0; i < pixels; i++) {
        float position = at_most((at_most(at_least(values[i], start), end) - start) * scale, last);
        int32_t at = (int32_t) position;
        index[i] = at < last_index ? at : last_index;
        fraction[i] = position - (float) index[i];
    }
}

INLINE void apply_curve(const cl_table *table, block *restrict all, int pixels)
{
    int32_t index[BLOCK];
    float fraction[BLOCK];
    for (int band = 0; band < 3; band++) {
        locate(table, band, all->color[band], index, fraction, pixels);
#pragma clang loop vectorize(disable) interleave(disable)
        for (int i = 0; i < pixels; i++) {
            const float *at = table->values + 4 * (ptrdiff_t) index[i] + band;
            all->color[band][i] = at[0] + (at[4] - at[0]) * fraction[i];
        }
    }
}

/* The corners of the tetrahedron around each pixel, as numbers of points, and their weights. */
typedef struct {
    int32_t corner[4][BLOCK];
    float weight[4][BLOCK];
} tetrahedra;

/* Sakamoto and Itooka, "Linear interpolator for color correction", US patent 4,275,413 (1981): the diagonal from black to
 * white divides a cell into six tetrahedra, in each of which the fractions have another order. */
INLINE void find_tetrahedra(const cl_table *table, const block *all, tetrahedra *restrict found, int pixels)
{
    int32_t index[3][BLOCK];
    float fraction[3][BLOCK];
    for (int band = 0; band < 3; band++)
        locate(table, band, all->color[band], index[band], fraction[band], pixels);
    int32_t green_step = table->size, blue_step = table->size * table->size;
    for (int i = 0; i < pixels; i++) {
        float r = fraction[0][i], g = fraction[1][i], b = fraction[2][i];
        float low = at_most(r, g), high = at_least(r, g);
        float most = at_least(high, b), least = at_most(low, b);
        float middle = at_least(low, at_most(high, b));
        /* If two are equal, the corner between them has the weight 0, and may be either. */
        int32_t first = most == r ? 1 : most == g ? green_step : blue_step;
        int32_t last = least == b ? blue_step : least == g ? green_step : 1;
        int32_t base = index[0][i] + index[1][i] * green_step + index[2][i] * blue_step;
        int32_t opposite = base + 1 + green_step + blue_step;
        found->corner[0][i] = base;
        found->corner[1][i] = base + first;
        found->corner[2][i] = opposite - last;
        found->corner[3][i] = opposite;
        found->weight[0][i] = 1 - most;
        found->weight[1][i] = most - middle;
        found->weight[2][i] = middle - least;
        found->weight[3][i] = least;
    }
}

INLINE point point_at(const float *values, int32_t index)
{
    point at;
    memcpy(&at, values + 4 * (ptrdiff_t) index, sizeof at);
    return at;
}

INLINE void apply_cube(const cl_table *table, block *restrict all, int pixels)
{
    tetrahedra found;
    find_tetrahedra(table, all, &found, pixels);
#pragma clang loop vectorize(disable) interleave(disable)
    for (int i = 0; i < pixels; i++) {
        point sum = point_at(table->values, found.corner[0][i]) * found.weight[0][i];
        for (int corner = 1; corner < 4; corner++)
            sum = sum + point_at(table->values, found.corner[corner][i]) * found.weight[corner][i];
        memcpy(all->packed + 4 * i, &sum, sizeof sum);
    }
    unpack(all, 4, pixels);
}

/* MARK: Rows */

/* Returns the number of pixels that were clipped. */
INLINE int edit_block(const cl_edit *edit, block *restrict all, int pixels)
{
    const cl_table *first = edit->curve.size > 0 ? &edit->curve : &edit->cube;
    float offset = edit->offset, range = edit->range, amount = edit->amount;
    convert(edit->to_table, edit->context, all, pixels);
    for (int band = 0; band < 3; band++)
        for (int i = 0; i < pixels; i++)
            all->before[band][i] = all->color[band][i] = all->color[band][i] * range + offset;
    int clipped = edit->to_table ? count_outside(first, all, pixels) : 0;
    if (edit->curve.size > 0)
        apply_curve(&edit->curve, all, pixels);
    if (edit->cube.size > 0)
        apply_cube(&edit->cube, all, pixels);
    for (int band = 0; band < 3; band++)
        for (int i = 0; i < pixels; i++) {
            float before = all->before[band][i], after = all->color[band][i];
            float mixed = amount == 1 ? after : before + (after - before) * amount;
            all->color[band][i] = (mixed - offset) / range;
        }
    convert(edit->from_table, edit->context, all, pixels);
    return clipped;
}

/* One row, for samples of either size. */
#define ROW(sample, greatest)                                                                                         \
    block all;                                                                                                        \
    int32_t levels[3][BLOCK];                                                                                         \
    int clipped = 0;                                                                                                  \
    for (int start = 0; start < pixels; start += BLOCK) {                                                             \
        int count = pixels - start < BLOCK ? pixels - start : BLOCK;                                                  \
        const sample *from = source + (ptrdiff_t) start * bands;                                                      \
        sample *to = destination + (ptrdiff_t) start * bands;                                                         \
        for (int i = 0; i < count; i++)                                                                               \
            for (int band = 0; band < 3; band++)                                                                      \
                all.color[band][i] = (float) from[i * bands + band] / (greatest);                                     \
        clipped += edit_block(edit, &all, count);                                                                     \
        for (int band = 0; band < 3; band++)                                                                          \
            for (int i = 0; i < count; i++)                                                                           \
                levels[band][i] =                                                                                     \
                    (int32_t) (at_most(at_least(all.color[band][i], 0), 1) * (greatest) + 0.5f);                      \
        for (int i = 0; i < count; i++) {                                                                             \
            for (int band = 0; band < 3; band++)                                                                      \
                to[i * bands + band] = (sample) levels[band][i];                                                      \
            for (int band = 3; band < bands; band++)                                                                  \
                to[i * bands + band] = from[i * bands + band];                                                        \
        }                                                                                                             \
    }                                                                                                                 \
    return clipped;

int cl_plain_row_8(const cl_edit *edit, const uint8_t *source, uint8_t *destination, int bands, int pixels)
{
    ROW(uint8_t, 255.0f)
}

int cl_plain_row_16(const cl_edit *edit, const uint16_t *source, uint16_t *destination, int bands, int pixels)
{
    ROW(uint16_t, 65535.0f)
}

#if HAS_WIDE

WIDE static int wide_row_8(const cl_edit *edit, const uint8_t *source, uint8_t *destination, int bands, int pixels)
{
    ROW(uint8_t, 255.0f)
}

WIDE static int wide_row_16(const cl_edit *edit, const uint16_t *source, uint16_t *destination, int bands, int pixels)
{
    ROW(uint16_t, 65535.0f)
}

#endif

int cl_row_8(const cl_edit *edit, const uint8_t *source, uint8_t *destination, int bands, int pixels)
{
#if HAS_WIDE
    if (__builtin_cpu_supports("avx2"))
        return wide_row_8(edit, source, destination, bands, pixels);
#endif
    return cl_plain_row_8(edit, source, destination, bands, pixels);
}

int cl_row_16(const cl_edit *edit, const uint16_t *source, uint16_t *destination, int bands, int pixels)
{
#if HAS_WIDE
    if (__builtin_cpu_supports("avx2"))
        return wide_row_16(edit, source, destination, bands, pixels);
#endif
    return cl_plain_row_16(edit, source, destination, bands, pixels);
}
