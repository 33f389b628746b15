/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>
#include "picture_light.h"

/* A fused operation rounds once instead of twice, and not every processor has one. */
#pragma STDC FP_CONTRACT OFF

/* How luma is computed: the mean of `columns` by `rows` pixels. */
typedef struct {
    int columns;
    int rows;
    float weights[3];
} reduction;

/* Adds a row of samples to sums, which have space for 65537 rows; the sides of libvips' images are at most 10 million, of
 * which a mean has a 512th. */
static void add_row(uint32_t *restrict sums, const void *row, bool is_byte, int samples)
{
    const uint8_t *bytes = row;
    const uint16_t *words = row;
    if (is_byte)
        for (int i = 0; i < samples; i++)
            sums[i] += bytes[i];
    else
        for (int i = 0; i < samples; i++)
            sums[i] += words[i];
}

/* Computes a row of luma from the sums of the columns of an area. `lumas` has space for one number for each column. */
static void average_columns(
    const reduction *how, const uint32_t *sums, const VipsRect *area, int bands, float *lumas, float *result, int width)
{
    const float *weights = how->weights;
    for (int x = 0; x < area->width; x++) {
        const uint32_t *sum = sums + (ptrdiff_t) x * bands;
        lumas[x] = weights[0] * (float) sum[0] + weights[1] * (float) sum[1] + weights[2] * (float) sum[2];
    }
    for (int x = 0; x < width; x++) {
        int first = x * how->columns;
        int end = first + how->columns < area->width ? first + how->columns : area->width;
        float sum = 0;
        for (int column = first; column < end; column++)
            sum += lumas[column];
        result[x] = sum / ((float) (end - first) * (float) area->height);
    }
}

/* Called by libvips on its threads: `sequence` is the region of vips_start_one, `b` the reduction. */
static int generate(VipsRegion *output, void *sequence, void *a, void *b, gboolean *stop)
{
    (void) a;
    (void) stop;
    VipsRegion *input = sequence;
    const reduction *how = b;
    const VipsRect *valid = &output->valid;
    VipsRect picture = {0, 0, input->im->Xsize, input->im->Ysize};
    bool is_byte = input->im->BandFmt == VIPS_FORMAT_UCHAR;
    int bands = input->im->Bands;
    size_t columns = (size_t) valid->width * how->columns;
    uint32_t *sums = malloc(columns * bands * sizeof(uint32_t));
    float *lumas = malloc(columns * sizeof(float));
    int status = sums && lumas ? 0 : -1;
    if (status)
        vips_error("reduce", "out of memory");
    for (int y = valid->top; y < VIPS_RECT_BOTTOM(valid) && !status; y++) {
        VipsRect area = {valid->left * how->columns, y * how->rows, valid->width * how->columns, how->rows};
        vips_rect_intersectrect(&area, &picture, &area);
        status = vips_region_prepare(input, &area);
        if (status)
            break;
        memset(sums, 0, columns * bands * sizeof *sums);
        for (int row = area.top; row < VIPS_RECT_BOTTOM(&area); row++)
            add_row(sums, VIPS_REGION_ADDR(input, area.left, row), is_byte, area.width * bands);
        float *result = (float *) VIPS_REGION_ADDR(output, valid->left, y);
        average_columns(how, sums, &area, bands, lumas, result, valid->width);
    }
    free(sums);
    free(lumas);
    return status;
}

int pl_reduce(VipsImage *source, int columns, int rows, const float weights[3], VipsImage **result)
{
    bool has_levels = source->BandFmt == VIPS_FORMAT_UCHAR || source->BandFmt == VIPS_FORMAT_USHORT;
    if (!has_levels || source->Bands < 3) {
        vips_error("reduce", "the picture is not red, green and blue of 8 or 16 bits");
        return -1;
    }
    VipsImage *image = vips_image_new();
    /* libvips holds no reference to the source. */
    g_object_ref(source);
    vips_object_local(image, source);
    reduction *how = VIPS_NEW(image, reduction);
    *how = (reduction) {columns, rows, {weights[0], weights[1], weights[2]}};
    if (vips_image_pipelinev(image, VIPS_DEMAND_STYLE_THINSTRIP, source, NULL)) {
        g_object_unref(image);
        return -1;
    }
    image->Xsize = VIPS_MAX(1, (source->Xsize + columns / 2) / columns);
    image->Ysize = VIPS_MAX(1, (source->Ysize + rows / 2) / rows);
    image->Bands = 1;
    image->BandFmt = VIPS_FORMAT_FLOAT;
    image->Type = VIPS_INTERPRETATION_B_W;
    if (vips_image_generate(image, vips_start_one, generate, vips_stop_one, source, how)) {
        g_object_unref(image);
        return -1;
    }
    *result = image;
    return 0;
}
