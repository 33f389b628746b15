/* SPDX-License-Identifier: Apache-2.0 */
#include "layer.h"
#include <stdlib.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

rt_layer *rt_layer_make(VipsImage *picture)
{
    bool has_levels = picture->BandFmt == VIPS_FORMAT_UCHAR || picture->BandFmt == VIPS_FORMAT_USHORT;
    if (!has_levels || picture->Bands < 3 || picture->Bands > 4) {
        vips_error("retouch", "the picture is not red, green and blue of 8 or 16 bits");
        return NULL;
    }
    rt_layer *layer = calloc(1, sizeof *layer);
    int across = (picture->Xsize + TILE - 1) / TILE;
    size_t count = (size_t) across * (size_t) ((picture->Ysize + TILE - 1) / TILE);
    uint8_t **tiles = calloc(count, sizeof *tiles);
    if (!layer || !tiles) {
        vips_error("retouch", "out of memory");
        free(layer);
        free(tiles);
        return NULL;
    }
    int sample_size = picture->BandFmt == VIPS_FORMAT_UCHAR ? 1 : 2;
    g_object_ref(picture);
    *layer = (rt_layer) {picture, tiles, across, count, sample_size, sample_size * picture->Bands};
    return layer;
}

void rt_layer_free(rt_layer *layer)
{
    if (!layer)
        return;
    for (size_t i = 0; i < layer->count; i++)
        free(layer->tiles[i]);
    free(layer->tiles);
    g_object_unref(layer->picture);
    free(layer);
}

VipsRect layer_tile_area(const rt_layer *layer, size_t tile)
{
    VipsRect whole = {0, 0, layer->picture->Xsize, layer->picture->Ysize};
    VipsRect area = {(int) (tile % layer->across) * TILE, (int) (tile / layer->across) * TILE, TILE, TILE};
    vips_rect_intersectrect(&area, &whole, &area);
    return area;
}

static size_t tile_of(const rt_layer *layer, int x, int y)
{
    return (size_t) (y / TILE) * layer->across + x / TILE;
}

int layer_make_tile(rt_layer *layer, VipsRegion *region, int x, int y)
{
    size_t tile = tile_of(layer, x, y);
    if (layer->tiles[tile])
        return 0;
    VipsRect area = layer_tile_area(layer, tile);
    if (vips_region_prepare(region, &area))
        return -1;
    size_t row_size = (size_t) area.width * layer->pixel_size;
    uint8_t *pixels = malloc(area.height * row_size);
    if (!pixels) {
        vips_error("retouch", "out of memory");
        return -1;
    }
    for (int row = 0; row < area.height; row++)
        memcpy(pixels + row * row_size, VIPS_REGION_ADDR(region, area.left, area.top + row), row_size);
    layer->tiles[tile] = pixels;
    return 0;
}

uint8_t *layer_pixel(const rt_layer *layer, int x, int y)
{
    size_t tile = tile_of(layer, x, y);
    if (!layer->tiles[tile])
        return NULL;
    VipsRect area = layer_tile_area(layer, tile);
    size_t index = (size_t) (y - area.top) * area.width + (x - area.left);
    return layer->tiles[tile] + index * layer->pixel_size;
}

void layer_read(const rt_layer *layer, VipsRegion *region, int x, int y, float values[4])
{
    const void *pixel = layer_pixel(layer, x, y);
    if (!pixel)
        pixel = VIPS_REGION_ADDR(region, x, y);
    const uint8_t *bytes = pixel;
    const uint16_t *words = pixel;
    bool is_byte = layer->sample_size == 1;
    float scale = 1 / (is_byte ? 255.0f : 65535.0f);
    int bands = layer->picture->Bands;
    for (int band = 0; band < bands; band++)
        values[band] = (is_byte ? bytes[band] : words[band]) * scale;
    if (bands == 4)
        for (int band = 0; band < 3; band++)
            values[band] *= values[3];
    else
        values[3] = 1;
}
