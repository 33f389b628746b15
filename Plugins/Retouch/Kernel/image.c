/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "layer.h"

/* Copies the part of a tile that lies in a region. */
static void copy_tile(const rt_layer *layer, size_t tile, VipsRegion *output)
{
    VipsRect area = layer_tile_area(layer, tile), shared;
    vips_rect_intersectrect(&area, &output->valid, &shared);
    for (int y = shared.top; y < VIPS_RECT_BOTTOM(&shared); y++)
        memcpy(
            VIPS_REGION_ADDR(output, shared.left, y), layer_pixel(layer, shared.left, y),
            (size_t) shared.width * layer->pixel_size);
}

/* Called by libvips on its threads: `sequence` is the region of vips_start_one, `b` the layer. */
static int generate(VipsRegion *output, void *sequence, void *a, void *b, gboolean *stop)
{
    (void) a;
    (void) stop;
    VipsRegion *input = sequence;
    const rt_layer *layer = b;
    VipsRect area = output->valid;
    /* The pixels of the picture, without a copy if no tile has changed. */
    bool is_changed = false;
    for (int y = area.top / TILE; y <= (VIPS_RECT_BOTTOM(&area) - 1) / TILE; y++)
        for (int x = area.left / TILE; x <= (VIPS_RECT_RIGHT(&area) - 1) / TILE; x++)
            is_changed = is_changed || layer->tiles[(size_t) y * layer->across + x];
    if (vips_region_prepare(input, &area))
        return -1;
    if (!is_changed)
        return vips_region_region(output, input, &area, area.left, area.top);
    vips_region_copy(input, output, &area, area.left, area.top);
    for (int y = area.top / TILE; y <= (VIPS_RECT_BOTTOM(&area) - 1) / TILE; y++)
        for (int x = area.left / TILE; x <= (VIPS_RECT_RIGHT(&area) - 1) / TILE; x++) {
            size_t tile = (size_t) y * layer->across + x;
            if (layer->tiles[tile])
                copy_tile(layer, tile, output);
        }
    return 0;
}

/* Called when the image is finalised. */
static void release(VipsImage *image, rt_layer *layer)
{
    (void) image;
    rt_layer_free(layer);
}

int rt_image(rt_layer *layer, VipsImage **result)
{
    VipsImage *image = vips_image_new(), *picture = layer->picture;
    g_signal_connect(image, "postclose", G_CALLBACK(release), layer);
    if (vips_image_pipelinev(image, VIPS_DEMAND_STYLE_THINSTRIP, picture, NULL) ||
        vips_image_generate(image, vips_start_one, generate, vips_stop_one, picture, layer)) {
        g_object_unref(image);
        return -1;
    }
    *result = image;
    return 0;
}
