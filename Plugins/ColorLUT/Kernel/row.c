/* SPDX-License-Identifier: Apache-2.0 */
/* Fused operations round once instead of twice, and not every processor has them. */
#pragma STDC FP_CONTRACT OFF

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "color_lut.h"
#include "picture_light_piecewise.h"

#if defined(__x86_64__)
#define HAS_WIDE 1
#define WIDE __attribute__((target("avx2")))
#else
#define HAS_WIDE 0
#endif

/* Colours that are outside by more than a quarter of a level of 8 bits count as clipped; smaller differences are
 * rounding errors. */
#define TOLERANCE (0.25f / 255)

/* Adjacent pixels in planes, all of which fit into the first-level cache. */
typedef struct {
    float color[3][PL_BLOCK];
    float before[3][PL_BLOCK];
    /* The pixels with red, green and blue adjacent. */
    float packed[3 * PL_BLOCK];
} block;

/* MARK: Colour spaces */

PL_INLINE void convert(cl_convert *function, void *context, block *restrict all, int pixels)
{
    if (!function)
        return;
    for (int i = 0; i < pixels; i++)
        for (int band = 0; band < 3; band++)
            all->packed[3 * i + band] = all->color[band][i];
    function(context, all->packed, pixels);
    for (int i = 0; i < pixels; i++)
        for (int band = 0; band < 3; band++)
            all->color[band][i] = all->packed[3 * i + band];
}

/* Returns the number of pixels outside the domain of a table. */
PL_INLINE int count_outside(const cl_table *table, const block *all, int pixels)
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

/* Finds the index of the point at or before each value, and the fraction of the distance to the next point, 0...1. */
PL_INLINE void locate(const cl_table *table, int band, const float *values, int32_t *index, float *fraction, int pixels)
{
    float start = table->start[band], end = table->end[band], scale = table->scale[band];
    float last = (float) (table->size - 1);
    int32_t last_index = table->size - 2;
    for (int i = 0; i < pixels; i++) {
        float position = pl_at_most((pl_at_most(pl_at_least(values[i], start), end) - start) * scale, last);
        int32_t at = (int32_t) position;
        index[i] = at < last_index ? at : last_index;
        fraction[i] = position - (float) index[i];
    }
}

PL_INLINE void apply_curve(const cl_table *table, block *restrict all, int pixels)
{
    int32_t index[PL_BLOCK];
    float fraction[PL_BLOCK];
    for (int band = 0; band < 3; band++) {
        locate(table, band, all->color[band], index, fraction, pixels);
#pragma clang loop vectorize(disable) interleave(disable)
        for (int i = 0; i < pixels; i++) {
            const float *at = table->values + 4 * (ptrdiff_t) index[i] + band;
            all->color[band][i] = at[0] + (at[4] - at[0]) * fraction[i];
        }
    }
}

/* The corners of the tetrahedron around each pixel, as indices of their numbers, and their weights. */
typedef struct {
    int32_t corner[4][PL_BLOCK];
    float weight[4][PL_BLOCK];
} tetrahedra;

/* Sakamoto and Itooka, "Linear interpolator for color correction", US patent 4,275,413 (1981): the diagonal from
 * black to white divides a cell into six tetrahedra, each of which corresponds to an order of the three fractions. */
PL_INLINE void find_tetrahedra(const cl_table *table, const block *all, tetrahedra *restrict found, int pixels)
{
    int32_t index[3][PL_BLOCK];
    float fraction[3][PL_BLOCK];
    for (int band = 0; band < 3; band++)
        locate(table, band, all->color[band], index[band], fraction[band], pixels);
    int32_t red_step = 4, green_step = red_step * table->size, blue_step = green_step * table->size;
    for (int i = 0; i < pixels; i++) {
        float r = fraction[0][i], g = fraction[1][i], b = fraction[2][i];
        float low = pl_at_most(r, g), high = pl_at_least(r, g);
        float most = pl_at_least(high, b), least = pl_at_most(low, b);
        float middle = pl_at_least(low, pl_at_most(high, b));
        /* If two fractions are equal, the corner between them has a weight of 0, and it does not matter which one
         * is chosen. */
        int32_t first = most == r ? red_step : most == g ? green_step : blue_step;
        int32_t last = least == b ? blue_step : least == g ? green_step : red_step;
        int32_t base = index[0][i] * red_step + index[1][i] * green_step + index[2][i] * blue_step;
        int32_t opposite = base + red_step + green_step + blue_step;
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

/* Adds the points of a corner of the pixels I and I + 4, multiplied by the weights. This is a macro, because
 * shuffles require constants. */
#define ADD_POINTS(I)                                                                                                 \
    pl_copy_pair(&points, values + place[I], values + place[I + 4]);                                                  \
    sum[I] += __builtin_shufflevector(weight, weight, I, I, I, I, I + 4, I + 4, I + 4, I + 4) * points;

/* Interpolates eight pixels, starting at `first`. */
PL_INLINE void interpolate(const float *values, const tetrahedra *found, int first, block *restrict all)
{
    pl_eight sum[4] = {{0}, {0}, {0}, {0}}, weight, points;
    for (int corner = 0; corner < 4; corner++) {
        const int32_t *place = found->corner[corner] + first;
        memcpy(&weight, found->weight[corner] + first, sizeof weight);
        ADD_POINTS(0)
        ADD_POINTS(1)
        ADD_POINTS(2)
        ADD_POINTS(3)
    }
    pl_transpose(sum);
    for (int band = 0; band < 3; band++)
        memcpy(all->color[band] + first, sum + band, sizeof *sum);
}

PL_INLINE void apply_cube(const cl_table *table, block *restrict all, int pixels)
{
    tetrahedra found;
    /* The values after the last pixel do not matter, because all indices are within the table. */
    int count = pl_rounded(pixels);
    find_tetrahedra(table, all, &found, count);
    for (int first = 0; first < count; first += 8)
        interpolate(table->values, &found, first, all);
}

/* MARK: Rows */

/* Returns the number of pixels that were clipped. */
PL_INLINE int edit_block(const cl_edit *edit, block *restrict all, int pixels)
{
    const cl_table *first = edit->curve.size > 0 ? &edit->curve : &edit->cube;
    float offset = edit->offset, range = edit->range, amount = edit->amount;
    bool is_mixed = amount != 1 || range != 1 || offset != 0;
    convert(edit->to_table, edit->context, all, pixels);
    for (int band = 0; band < 3 && is_mixed; band++)
        for (int i = 0; i < pixels; i++)
            all->before[band][i] = all->color[band][i] = all->color[band][i] * range + offset;
    int clipped = edit->to_table ? count_outside(first, all, pixels) : 0;
    if (edit->curve.size > 0)
        apply_curve(&edit->curve, all, pixels);
    if (edit->cube.size > 0)
        apply_cube(&edit->cube, all, pixels);
    for (int band = 0; band < 3 && is_mixed; band++)
        for (int i = 0; i < pixels; i++) {
            float before = all->before[band][i], after = all->color[band][i];
            float mixed = amount == 1 ? after : before + (after - before) * amount;
            all->color[band][i] = (mixed - offset) / range;
        }
    convert(edit->from_table, edit->context, all, pixels);
    return clipped;
}

/* Edits a row. */
PL_INLINE int edit_row(
    const cl_edit *edit, const void *source, void *destination, bool is_byte, int bands, int pixels)
{
    block all;
    memset(all.color, 0, sizeof all.color);
    float greatest = is_byte ? 255 : 65535;
    int clipped = 0;
    for (int start = 0; start < pixels; start += PL_BLOCK) {
        int count = pixels - start < PL_BLOCK ? pixels - start : PL_BLOCK;
        ptrdiff_t first = (ptrdiff_t) start * bands * (is_byte ? 1 : 2);
        const void *from = (const char *) source + first;
        const uint8_t *bytes = from;
        const uint16_t *words = from;
        for (int i = 0; i < count; i++)
            for (int band = 0; band < 3; band++) {
                int level = is_byte ? bytes[i * bands + band] : words[i * bands + band];
                all.color[band][i] = (float) level / greatest;
            }
        clipped += edit_block(edit, &all, count);
        pl_store(all.color, from, (char *) destination + first, is_byte, bands, count);
    }
    return clipped;
}

#define ROW_PARAMETERS(SAMPLE)                                                                                        \
    const cl_edit *edit, const SAMPLE *source, SAMPLE *destination, int bands, int pixels

/* The function is called with constants, so that the compiler unrolls the loops over bands. */
#define EDIT_ROW(IS_BYTE)                                                                                             \
    return bands == 3 ? edit_row(edit, source, destination, IS_BYTE, 3, pixels)                                       \
                      : edit_row(edit, source, destination, IS_BYTE, bands, pixels);

int cl_plain_row_8(ROW_PARAMETERS(uint8_t)) { EDIT_ROW(true) }
int cl_plain_row_16(ROW_PARAMETERS(uint16_t)) { EDIT_ROW(false) }

#if HAS_WIDE
WIDE static int wide_row_8(ROW_PARAMETERS(uint8_t)) { EDIT_ROW(true) }
WIDE static int wide_row_16(ROW_PARAMETERS(uint16_t)) { EDIT_ROW(false) }
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
