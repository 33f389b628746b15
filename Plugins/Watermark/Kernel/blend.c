/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <vips/vips.h>
#include "watermark.h"

/* Fused operations round once instead of twice, and not every processor has them. */
#pragma STDC FP_CONTRACT OFF

#define WM_INLINE static inline __attribute__((always_inline))

/* The maximum value of 16 bits, in which colours and opacities are computed. */
static const uint64_t greatest = 65535;

/* Returns the rounded quotient. The compiler replaces division by a constant with multiplication. */
WM_INLINE uint64_t divided(uint64_t dividend, uint64_t divisor) { return (dividend + divisor / 2) / divisor; }

/* Blends a pixel. `scale` is 257 for bytes, whose values it converts to 16 bits, and 1 for words.
 *
 * The resulting alpha is mark + picture (1 - mark). A colour is the mean of both colours, weighted with these two
 * terms. */
WM_INLINE void blend_pixel(const uint16_t *mark, uint16_t pixel[4], bool has_alpha, uint64_t scale)
{
    uint64_t opacity = mark[3];
    uint64_t below = has_alpha ? pixel[3] * scale : greatest;
    if (below == greatest) {
        for (int band = 0; band < 3; band++)
            pixel[band] = (uint16_t) divided(
                mark[band] * opacity + pixel[band] * scale * (greatest - opacity), greatest * scale);
        return;
    }
    uint64_t above = opacity * greatest;
    uint64_t rest = below * (greatest - opacity);
    for (int band = 0; band < 3; band++)
        pixel[band] = (uint16_t) divided(mark[band] * above + pixel[band] * scale * rest, (above + rest) * scale);
    pixel[3] = (uint16_t) divided(above + rest, greatest * scale);
}

WM_INLINE void blend_row(const uint16_t *mark, void *row, bool is_byte, int bands, int pixels)
{
    uint8_t *bytes = row;
    uint16_t *words = row;
    for (int i = 0; i < pixels; i++, mark += 4) {
        /* Most pixels of a mark are transparent. */
        if (mark[3] == 0)
            continue;
        uint16_t pixel[4];
        for (int band = 0; band < bands; band++)
            pixel[band] = is_byte ? bytes[i * bands + band] : words[i * bands + band];
        blend_pixel(mark, pixel, bands == 4, is_byte ? 257 : 1);
        for (int band = 0; band < bands; band++)
            if (is_byte)
                bytes[i * bands + band] = (uint8_t) pixel[band];
            else
                words[i * bands + band] = pixel[band];
    }
}

typedef struct {
    VipsImage *inputs[3];
    wm_copies across;
    wm_copies down;
} marked;

/* Returns the first pixel of a copy. The whole distance from the first copy is rounded, so that errors do not
 * accumulate. */
static int64_t start_of(const wm_copies *copies, int64_t copy)
{
    return copies->start + (int64_t) floor((double) copy * copies->pitch + 0.5);
}

/* Limits the range from `*start` to before `*end` to a copy, whose end is covered by the next copy. Returns false
 * if the range is empty. */
static bool cut(const wm_copies *copies, int length, int64_t copy, int *start, int *end)
{
    int64_t first = start_of(copies, copy), last = first + length;
    if (copies->pitch > 0 && start_of(copies, copy + 1) < last)
        last = start_of(copies, copy + 1);
    *start = (int) (first > *start ? first : *start);
    *end = (int) (last < *end ? last : *end);
    return *start < *end;
}

/* Returns the number of a copy at a position, or of one near it. */
static int64_t copy_near(const wm_copies *copies, int64_t position)
{
    return copies->pitch > 0 ? (int64_t) floor((double) (position - copies->start) / copies->pitch) : 0;
}

/* Blends the part of a copy inside `common` into the output. */
static int draw(VipsRegion *output, VipsRegion *mark, const VipsRect *common, int64_t left, int64_t top)
{
    VipsRect part = {(int) (common->left - left), (int) (common->top - top), common->width, common->height};
    if (vips_region_prepare(mark, &part))
        return -1;
    for (int y = 0; y < common->height; y++) {
        const uint16_t *from = (const uint16_t *) VIPS_REGION_ADDR(mark, part.left, part.top + y);
        void *row = VIPS_REGION_ADDR(output, common->left, common->top + y);
        if (output->im->BandFmt == VIPS_FORMAT_UCHAR)
            blend_row(from, row, true, output->im->Bands, common->width);
        else
            blend_row(from, row, false, output->im->Bands, common->width);
    }
    return 0;
}

/* Called by libvips on its threads: `sequence` contains the regions of vips_start_many, and `b` is a `marked`. */
static int generate(VipsRegion *output, void *sequence, void *a, void *b, gboolean *stop)
{
    (void) a;
    (void) stop;
    VipsRegion **inputs = sequence;
    const marked *how = b;
    const wm_copies *across = &how->across, *down = &how->down;
    const VipsImage *mark = how->inputs[1];
    VipsRect area = output->valid;
    const int right = VIPS_RECT_RIGHT(&area), bottom = VIPS_RECT_BOTTOM(&area);
    if (vips_region_prepare_to(inputs[0], output, &area, area.left, area.top))
        return -1;
    /* One additional copy on each side, because the starts are rounded. */
    const int64_t first = copy_near(across, (int64_t) area.left - mark->Xsize) - (across->pitch > 0);
    const int64_t last = copy_near(across, right) + (across->pitch > 0);
    const int64_t end = copy_near(down, bottom) + (down->pitch > 0);
    for (int64_t y = copy_near(down, (int64_t) area.top - mark->Ysize) - (down->pitch > 0); y <= end; y++) {
        int above = area.top, below = bottom;
        if (!cut(down, mark->Ysize, y, &above, &below))
            continue;
        for (int64_t x = first; x <= last; x++) {
            int before = area.left, after = right;
            if (!cut(across, mark->Xsize, x, &before, &after))
                continue;
            VipsRect common = {before, above, after - before, below - above};
            if (draw(output, inputs[1], &common, start_of(across, x), start_of(down, y)))
                return -1;
        }
    }
    return 0;
}

/* Called when the image is finalised. */
static void release(VipsImage *image, marked *how)
{
    (void) image;
    g_free(how);
}

int wm_image(VipsImage *source, VipsImage *mark, wm_copies across, wm_copies down, VipsImage **result)
{
    bool has_levels = source->BandFmt == VIPS_FORMAT_UCHAR || source->BandFmt == VIPS_FORMAT_USHORT;
    bool is_mark = mark->BandFmt == VIPS_FORMAT_USHORT && mark->Bands == 4;
    if (!has_levels || source->Bands < 3 || source->Bands > 4 || !is_mark) {
        vips_error("watermark", "the picture is not red, green and blue of 8 or 16 bits");
        return -1;
    }
    marked *how = g_new(marked, 1);
    *how = (marked) {{source, mark, NULL}, across, down};
    VipsImage *image = vips_image_new();
    g_signal_connect(image, "postclose", G_CALLBACK(release), how);
    for (int i = 0; i < 2; i++) {
        /* libvips does not hold a reference to the inputs. */
        g_object_ref(how->inputs[i]);
        vips_object_local(image, how->inputs[i]);
    }
    if (vips_image_pipelinev(image, VIPS_DEMAND_STYLE_THINSTRIP, source, NULL) ||
        vips_image_generate(image, vips_start_many, generate, vips_stop_many, how->inputs, how)) {
        g_object_unref(image);
        return -1;
    }
    *result = image;
    return 0;
}
