/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdint.h>
#include <vips/vips.h>
#include "watermark.h"

#define WM_INLINE static inline __attribute__((always_inline))

/* The greatest value of 16 bits, in which colours and opacities are computed. */
static const uint64_t greatest = 65535;

/* The rounded quotient. A constant divisor becomes a multiplication. */
WM_INLINE uint64_t divided(uint64_t dividend, uint64_t divisor) { return (dividend + divisor / 2) / divisor; }

/* Blends a pixel. `scale` is 257 for bytes, whose values it converts to 16 bits, and 1 for words.
 *
 * Alpha is mark + picture (1 - mark), and a colour is the mean of both with these two as weights. */
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
        /* Most of a mark is transparent. */
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

/* Where the mark is. */
typedef struct {
    VipsImage *inputs[3];
    VipsRect area;
} marked;

/* Called by libvips on its threads: `sequence` are the regions of vips_start_many, `b` is a `marked`. */
static int generate(VipsRegion *output, void *sequence, void *a, void *b, gboolean *stop)
{
    (void) a;
    (void) stop;
    VipsRegion **inputs = sequence;
    const marked *place = b;
    VipsRect area = output->valid, common;
    if (vips_region_prepare_to(inputs[0], output, &area, area.left, area.top))
        return -1;
    vips_rect_intersectrect(&area, &place->area, &common);
    if (vips_rect_isempty(&common))
        return 0;
    VipsRect part = common;
    part.left -= place->area.left;
    part.top -= place->area.top;
    if (vips_region_prepare(inputs[1], &part))
        return -1;
    for (int y = 0; y < common.height; y++) {
        const uint16_t *mark = (const uint16_t *) VIPS_REGION_ADDR(inputs[1], part.left, part.top + y);
        void *row = VIPS_REGION_ADDR(output, common.left, common.top + y);
        if (output->im->BandFmt == VIPS_FORMAT_UCHAR)
            blend_row(mark, row, true, output->im->Bands, common.width);
        else
            blend_row(mark, row, false, output->im->Bands, common.width);
    }
    return 0;
}

/* Called when the image is finalised. */
static void release(VipsImage *image, marked *place)
{
    (void) image;
    g_free(place);
}

int wm_image(VipsImage *source, VipsImage *mark, int left, int top, VipsImage **result)
{
    bool has_levels = source->BandFmt == VIPS_FORMAT_UCHAR || source->BandFmt == VIPS_FORMAT_USHORT;
    bool is_mark = mark->BandFmt == VIPS_FORMAT_USHORT && mark->Bands == 4;
    if (!has_levels || source->Bands < 3 || source->Bands > 4 || !is_mark) {
        vips_error("watermark", "the picture is not red, green and blue of 8 or 16 bits");
        return -1;
    }
    marked *place = g_new(marked, 1);
    *place = (marked) {{source, mark, NULL}, {left, top, mark->Xsize, mark->Ysize}};
    VipsImage *image = vips_image_new();
    g_signal_connect(image, "postclose", G_CALLBACK(release), place);
    for (int i = 0; i < 2; i++) {
        /* libvips holds no reference to the inputs. */
        g_object_ref(place->inputs[i]);
        vips_object_local(image, place->inputs[i]);
    }
    if (vips_image_pipelinev(image, VIPS_DEMAND_STYLE_THINSTRIP, source, NULL) ||
        vips_image_generate(image, vips_start_many, generate, vips_stop_many, place->inputs, place)) {
        g_object_unref(image);
        return -1;
    }
    *result = image;
    return 0;
}
