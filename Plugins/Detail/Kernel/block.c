/* SPDX-License-Identifier: Apache-2.0 */
#include "detail.h"
#include "luma.h"
#include "noise.h"

#pragma STDC FP_CONTRACT OFF

/* The weights of luma, as defined by ITU-R BT.709. */
#define RED 0.2126f
#define GREEN 0.7152f
#define BLUE 0.0722f

/* The planes in the scratch memory. The red and blue differences are those from luma. */
enum {
    LUMA,
    RED_DIFFERENCE,
    BLUE_DIFFERENCE,
    CLEAN_LUMA,
    CLEAN_RED,
    CLEAN_BLUE,
    CHANGE,
    /* This consists of two planes. */
    TEMPORARY,
    PLANES = TEMPORARY + 2
};

/* A block to compute, and the steps that it needs. */
typedef struct {
    int left;
    int top;
    extent size;
    bool has_luma_noise;
    bool has_color_noise;
    /* The width of the margin around the block in which luma must be free of noise. */
    int luma_margin;
    /* The width of the margin around the block that is read. */
    int margin;
} plan;

PL_INLINE int sharpening_reach(const dt_edit *edit)
{
    return edit->sharpening == 0 ? 0 : edit->flatness > 0 ? 2 * edit->radius : edit->radius;
}

int dt_reach(const dt_edit *edit)
{
    int luma = noise_reach(edit->luma_noise) + sharpening_reach(edit), color = noise_reach(edit->color_noise);
    return luma > color ? luma : color;
}

size_t dt_scratch_count(void) { return (size_t) PLANES * PLANE; }

PL_INLINE int clamped_index(int index, int count) { return index < 0 ? 0 : index >= count ? count - 1 : index; }

/* Reads a row of samples into planes. */
PL_INLINE void load_samples(
    const void *pixels, bool is_byte, int bands, int count, float *restrict luma, float *restrict red,
    float *restrict blue, bool has_color)
{
    const uint8_t *bytes = pixels;
    const uint16_t *words = pixels;
    float scale = 1 / (is_byte ? 255.0f : 65535.0f);
    for (int i = 0; i < count; i++) {
        float r = is_byte ? bytes[i * bands] : words[i * bands];
        float g = is_byte ? bytes[i * bands + 1] : words[i * bands + 1];
        float b = is_byte ? bytes[i * bands + 2] : words[i * bands + 2];
        luma[i] = (RED * r + GREEN * g + BLUE * b) * scale;
        if (has_color) {
            red[i] = r * scale - luma[i];
            blue[i] = b * scale - luma[i];
        }
    }
}

/* Repeats the first of `count` numbers before them, and the last one after them. */
PL_INLINE void repeat_ends(float *row, int count, int before, int after)
{
    for (int i = 1; i <= before; i++)
        row[-i] = row[0];
    for (int i = 0; i < after; i++)
        row[count + i] = row[count - 1];
}

/* Reads the block and its margin. Beyond the edges of the picture, the pixels at the edges are repeated. */
PL_INLINE void load(const dt_source *source, float *scratch, const plan *block, bool is_byte, int bands)
{
    int size = is_byte ? 1 : 2, margin = block->margin;
    bool has_color = block->has_color_noise;
    int first = block->left - margin < source->left ? source->left : block->left - margin;
    int end = block->left + block->size.width + margin;
    end = end > source->left + source->width ? source->left + source->width : end;
    int before = first - (block->left - margin), count = end - first;
    int after = block->size.width + 2 * margin - before - count;
    for (int y = -margin; y < block->size.height + margin; y++) {
        int row = clamped_index(block->top + y - source->top, source->height);
        const char *from =
            (const char *) source->pixels + row * source->stride + (ptrdiff_t) (first - source->left) * bands * size;
        float *planes[3];
        for (int i = 0; i < 3; i++)
            planes[i] = row_of(scratch + (size_t) (LUMA + i) * PLANE, y) - margin + before;
        /* The function is called with constants, because the compiler generates slow masked stores for a condition
         * in the loop. */
        if (has_color)
            load_samples(from, is_byte, bands, count, planes[0], planes[1], planes[2], true);
        else
            load_samples(from, is_byte, bands, count, planes[0], planes[1], planes[2], false);
        for (int i = 0; i < (has_color ? 3 : 1); i++)
            repeat_ends(planes[i], count, before, after);
    }
}

/* Adds the changes of luma and, if there are any, of the colour differences to a row of the picture, and rounds to
 * the nearest level. Alpha is copied. */
PL_INLINE void store_row(
    const void *pixels, void *destination, bool is_byte, int bands, int count, const float *luma, const float *red,
    const float *blue, bool has_color)
{
    const uint8_t *bytes = pixels;
    const uint16_t *words = pixels;
    uint8_t *to_bytes = destination;
    uint16_t *to_words = destination;
    float greatest = is_byte ? 255 : 65535;
    for (int start = 0; start < count; start += PL_BLOCK) {
        int length = count - start < PL_BLOCK ? count - start : PL_BLOCK;
        float change[3][PL_BLOCK];
        for (int i = 0; i < length; i++) {
            float y = luma[start + i], r = has_color ? red[start + i] : 0, b = has_color ? blue[start + i] : 0;
            change[0][i] = (y + r) * greatest;
            change[1][i] = (y - (RED * r + BLUE * b) / GREEN) * greatest;
            change[2][i] = (y + b) * greatest;
        }
        for (int i = 0; i < length; i++)
            for (int band = 0; band < bands; band++) {
                int place = (start + i) * bands + band;
                if (band == 3) {
                    if (is_byte)
                        to_bytes[place] = bytes[place];
                    else
                        to_words[place] = words[place];
                    continue;
                }
                float level = (is_byte ? bytes[place] : words[place]) + change[band][i];
                int32_t rounded = (int32_t) (pl_at_most(pl_at_least(level, 0), greatest) + 0.5f);
                if (is_byte)
                    to_bytes[place] = (uint8_t) rounded;
                else
                    to_words[place] = (uint16_t) rounded;
            }
    }
}

/* Replaces a plane without noise with its difference from the original plane, in the block. */
PL_INLINE void subtract(float *clean, const float *plane, extent size)
{
    for (int y = 0; y < size.height; y++) {
        float *restrict row = row_of(clean, y);
        const float *restrict from = const_row_of(plane, y);
        for (int x = 0; x < size.width; x++)
            row[x] -= from[x];
    }
}

/* Computes the change of luma. */
PL_INLINE void change_luma(const dt_edit *edit, float *scratch, const plan *block)
{
    float *luma = scratch + LUMA * PLANE, *clean = scratch + CLEAN_LUMA * PLANE, *change = scratch + CHANGE * PLANE;
    float *temporary = scratch + TEMPORARY * PLANE;
    if (block->has_luma_noise)
        reduce_noise(luma, clean, temporary, edit->luma_noise, block->size, block->luma_margin);
    float *result = block->has_luma_noise ? clean : luma;
    if (edit->sharpening != 0)
        sharpen(edit, result, change, temporary, block->size);
    else
        for (int y = 0; y < block->size.height; y++)
            memset(row_of(change, y), 0, (size_t) block->size.width * sizeof(float));
    if (edit->definition != 0) {
        pl_base_part parts[edit->base.width];
        define(edit, result, change, parts, block->size, block->left, block->top);
    }
    if (!block->has_luma_noise)
        return;
    subtract(clean, luma, block->size);
    for (int y = 0; y < block->size.height; y++) {
        float *restrict row = row_of(change, y);
        const float *restrict from = const_row_of(clean, y);
        for (int x = 0; x < block->size.width; x++)
            row[x] += from[x];
    }
}

PL_INLINE void edit_block(
    const dt_edit *edit, const dt_source *source, float *scratch, void *destination, ptrdiff_t stride, const plan *block,
    bool is_byte, int bands)
{
    load(source, scratch, block, is_byte, bands);
    change_luma(edit, scratch, block);
    if (block->has_color_noise)
        for (int i = 0; i < 2; i++) {
            float *plane = scratch + (size_t) (RED_DIFFERENCE + i) * PLANE;
            float *clean = scratch + (size_t) (CLEAN_RED + i) * PLANE;
            reduce_noise(plane, clean, scratch + TEMPORARY * PLANE, edit->color_noise, block->size, 0);
            subtract(clean, plane, block->size);
        }
    int size = is_byte ? 1 : 2;
    for (int y = 0; y < block->size.height; y++) {
        const char *from = (const char *) source->pixels + (block->top + y - source->top) * source->stride +
                           (ptrdiff_t) (block->left - source->left) * bands * size;
        char *to = (char *) destination + y * stride;
        const float *luma = const_row_of(scratch + CHANGE * PLANE, y);
        const float *red = const_row_of(scratch + CLEAN_RED * PLANE, y);
        const float *blue = const_row_of(scratch + CLEAN_BLUE * PLANE, y);
        if (block->has_color_noise)
            store_row(from, to, is_byte, bands, block->size.width, luma, red, blue, true);
        else
            store_row(from, to, is_byte, bands, block->size.width, luma, red, blue, false);
    }
}

static plan plan_of(const dt_edit *edit, int left, int top, int width, int height)
{
    return (plan) {
        .left = left,
        .top = top,
        .size = {width, height},
        .has_luma_noise = level_count(edit->luma_noise) > 0,
        .has_color_noise = level_count(edit->color_noise) > 0,
        .luma_margin = sharpening_reach(edit),
        .margin = dt_reach(edit),
    };
}

#define BLOCK_PARAMETERS                                                                                              \
    const dt_edit *edit, const dt_source *source, float *scratch, void *destination, ptrdiff_t stride, int left,       \
        int top, int width, int height

/* The code is compiled once for each format. */
#define EDIT_BLOCK                                                                                                    \
    plan block = plan_of(edit, left, top, width, height);                                                             \
    if (source->is_byte && source->bands == 3)                                                                        \
        edit_block(edit, source, scratch, destination, stride, &block, true, 3);                                      \
    else if (source->is_byte)                                                                                         \
        edit_block(edit, source, scratch, destination, stride, &block, true, 4);                                      \
    else if (source->bands == 3)                                                                                      \
        edit_block(edit, source, scratch, destination, stride, &block, false, 3);                                     \
    else                                                                                                              \
        edit_block(edit, source, scratch, destination, stride, &block, false, 4)

void dt_plain_block(BLOCK_PARAMETERS) { EDIT_BLOCK; }

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void wide_block(BLOCK_PARAMETERS) { EDIT_BLOCK; }
#endif

void dt_block(BLOCK_PARAMETERS)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        wide_block(edit, source, scratch, destination, stride, left, top, width, height);
        return;
    }
#endif
    dt_plain_block(edit, source, scratch, destination, stride, left, top, width, height);
}
