/* SPDX-License-Identifier: Apache-2.0 */
/* The tiles of a layer, and access to the pixels of the picture with the layer. */
#ifndef LAYER_H
#define LAYER_H

#include <stddef.h>
#include <stdint.h>
#include <vips/vips.h>
#include "retouch.h"

/* The width and the height of a tile in pixels. */
enum { TILE = 128 };

struct rt_layer {
    VipsImage *picture;
    /* NULL: unchanged. A tile at the edge is cut off. The rows of a tile follow each other. */
    uint8_t **tiles;
    int across;
    size_t count;
    /* The size of a sample and of a pixel in bytes. */
    int sample_size;
    int pixel_size;
};

/* The part of the picture in a tile. */
VipsRect layer_tile_area(const rt_layer *layer, size_t tile);

/* Makes the tile that contains a pixel, from the picture, if there is none. Returns 0, or -1. */
int layer_make_tile(rt_layer *layer, VipsRegion *region, int x, int y);

/* The bytes of a pixel in its tile; NULL if there is none. */
uint8_t *layer_pixel(const rt_layer *layer, int x, int y);

/* The values of a pixel with the layer, 0...1, multiplied with alpha. The region contains the pixel of the picture. */
void layer_read(const rt_layer *layer, VipsRegion *region, int x, int y, float values[4]);

#endif
