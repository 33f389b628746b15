/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "layer.h"
#include "membrane.h"

#pragma STDC FP_CONTRACT OFF

/* The most samples on the edge of a spot. */
enum { MOST_SAMPLES = 8192 };

/* What is needed to retouch a spot. */
typedef struct {
    rt_layer *layer;
    const rt_spot *spot;
    /* The part of the spot that lies in the picture. */
    VipsRect area;
    int right;
    int down;
    /* The picture around the spot, around the source, and in a tile. */
    VipsRegion *target;
    VipsRegion *source;
    VipsRegion *tile;
    membrane difference;
} work;

static int clamped_index(int index, int count) { return index < 0 ? 0 : index >= count ? count - 1 : index; }

/* A number of the whole picture, even if the circle is far larger. */
static int whole_number(double number)
{
    return (int) (number < -0x1p30 ? -0x1p30 : number > 0x1p30 ? 0x1p30 : number);
}

/* The pixels whose centres are in a circle, cut off at the edges of the picture. */
static VipsRect circle_area(const rt_layer *layer, const rt_spot *spot)
{
    int left = whole_number(ceil(spot->x - spot->radius)), right = whole_number(floor(spot->x + spot->radius));
    int top = whole_number(ceil(spot->y - spot->radius)), bottom = whole_number(floor(spot->y + spot->radius));
    VipsRect whole = {0, 0, layer->picture->Xsize, layer->picture->Ysize};
    VipsRect area = {left, top, right - left + 1, bottom - top + 1};
    vips_rect_intersectrect(&area, &whole, &area);
    return area;
}

/* Prepares an area and the pixels next to it, as far as they are in the picture. */
static int prepare_around(const rt_layer *layer, VipsRegion *region, VipsRect area)
{
    VipsRect whole = {0, 0, layer->picture->Xsize, layer->picture->Ysize};
    vips_rect_marginadjust(&area, 2);
    vips_rect_intersectrect(&area, &whole, &area);
    return vips_region_prepare(region, &area);
}

/* Reads the difference between the surroundings and the source at a position on the edge, bilinear. Returns false if the
 * position is not in the picture. */
static bool read_difference(const work *state, double x, double y, float difference[4])
{
    const rt_layer *layer = state->layer;
    int width = layer->picture->Xsize, height = layer->picture->Ysize;
    if (!(x >= 0 && y >= 0 && x <= width - 1 && y <= height - 1))
        return false;
    int left = (int) x, top = (int) y;
    float across = (float) (x - left), down = (float) (y - top);
    for (int band = 0; band < 4; band++)
        difference[band] = 0;
    for (int i = 0; i < 4; i++) {
        int column = left + i % 2, row = top + i / 2;
        float share = (i % 2 ? across : 1 - across) * (i / 2 ? down : 1 - down);
        float here[4], there[4];
        layer_read(layer, state->target, clamped_index(column, width), clamped_index(row, height), here);
        column = clamped_index(column + state->right, width);
        row = clamped_index(row + state->down, height);
        layer_read(layer, state->source, column, row, there);
        for (int band = 0; band < 4; band++)
            difference[band] += share * (here[band] - there[band]);
    }
    return true;
}

/* Fills the samples beyond the picture, linearly between the last ones in it on both sides. Without any, they are 0. */
static void fill_gaps(float (*edge)[4], const bool *is_known, int count)
{
    int first = 0;
    while (first < count && !is_known[first])
        first++;
    if (first == count) {
        memset(edge, 0, (size_t) count * sizeof *edge);
        return;
    }
    for (int before = first; before < first + count;) {
        int after = before + 1;
        while (!is_known[after % count])
            after++;
        const float *from = edge[before % count], *to = edge[after % count];
        for (int i = before + 1; i < after; i++)
            for (int band = 0; band < 4; band++) {
                float share = (float) (i - before) / (float) (after - before);
                edge[i % count][band] = from[band] + share * (to[band] - from[band]);
            }
        before = after;
    }
}

/* Samples the edge and makes the membrane. Returns 0, or -1. */
static int make_difference(work *state)
{
    const rt_spot *spot = state->spot;
    double wanted = 6.3 * spot->radius;
    int count = wanted < 16 ? 16 : wanted > MOST_SAMPLES ? MOST_SAMPLES : (int) wanted;
    float (*edge)[4] = malloc((size_t) count * sizeof *edge);
    bool *is_known = malloc((size_t) count * sizeof *is_known);
    if (!edge || !is_known) {
        vips_error("retouch", "out of memory");
        free(edge);
        free(is_known);
        return -1;
    }
    circle_point step = circle_step(count), at = {1, 0};
    for (int i = 0; i < count; i++) {
        double x = spot->x + spot->radius * at.x, y = spot->y + spot->radius * at.y;
        is_known[i] = read_difference(state, x, y, edge[i]);
        at = circle_sum(at, step);
    }
    fill_gaps(edge, is_known, count);
    state->difference = membrane_make((const float (*)[4]) edge, count);
    free(edge);
    free(is_known);
    return 0;
}

/* A level of a value 0...1. */
static int level_of(float value, float greatest)
{
    value = value < 0 ? 0 : value > 1 ? 1 : value;
    return (int) (value * greatest + 0.5f);
}

/* Writes values that are multiplied with alpha. */
static void write_pixel(const rt_layer *layer, const float values[4], uint8_t *bytes)
{
    bool is_byte = layer->sample_size == 1;
    float greatest = is_byte ? 255 : 65535;
    int bands = layer->picture->Bands;
    float alpha = bands < 4 ? 1 : values[3] < 0 ? 0 : values[3] > 1 ? 1 : values[3];
    for (int band = 0; band < bands; band++) {
        float value = band == 3 ? alpha : alpha > 0 ? values[band] / alpha : 0;
        int level = level_of(value, greatest);
        if (is_byte)
            bytes[band] = (uint8_t) level;
        else {
            uint16_t word = (uint16_t) level;
            memcpy(bytes + 2 * band, &word, sizeof word);
        }
    }
}

/* Computes at most MEMBRANE_BLOCK pixels of a row, to `bytes`. `shares` becomes the weight of each: 0 for pixels that do
 * not change. */
static void compute_block(const work *state, int left, int y, int count, float *shares, uint8_t *bytes)
{
    const rt_spot *spot = state->spot;
    float radius = (float) spot->radius;
    float fading = (float) (spot->feather * spot->radius);
    fading = fading < 1 ? 1 : fading;
    float x[MEMBRANE_BLOCK], changes[4][MEMBRANE_BLOCK];
    memset(changes, 0, sizeof changes);
    float down = (float) ((y - spot->y) / spot->radius);
    for (int i = 0; i < count; i++)
        x[i] = (float) ((left + i - spot->x) / spot->radius);
    for (int i = 0; i < count; i++) {
        float inside = (1 - sqrtf(x[i] * x[i] + down * down)) * radius / fading;
        inside = inside < 0 ? 0 : inside > 1 ? 1 : inside;
        shares[i] = inside * inside * (3 - 2 * inside);
    }
    if (spot->is_healed)
        for (int band = 0; band < state->layer->picture->Bands; band++)
            membrane_row(&state->difference, band, x, down, count, changes[band]);
    for (int i = 0; i < count; i++) {
        if (shares[i] == 0)
            continue;
        float before[4], values[4];
        layer_read(state->layer, state->target, left + i, y, before);
        layer_read(state->layer, state->source, left + i + state->right, y + state->down, values);
        for (int band = 0; band < 4; band++)
            values[band] = before[band] + shares[i] * (values[band] + changes[band][i] - before[band]);
        write_pixel(state->layer, values, bytes + (size_t) i * state->layer->pixel_size);
    }
}

/* Copies computed pixels to the tiles. Returns 0, or -1. */
static int commit(const work *state, const float *shares, const uint8_t *pixels)
{
    const VipsRect *area = &state->area;
    for (int row = 0; row < area->height; row++)
        for (int column = 0; column < area->width; column++) {
            size_t index = (size_t) row * area->width + column;
            if (shares[index] == 0)
                continue;
            int x = area->left + column, y = area->top + row;
            if (layer_make_tile(state->layer, state->tile, x, y))
                return -1;
            memcpy(
                layer_pixel(state->layer, x, y), pixels + index * state->layer->pixel_size, state->layer->pixel_size);
        }
    return 0;
}

/* Computes all pixels of the spot, because the source may overlap it, and writes them. Returns 0, or -1. */
static int retouch(work *state)
{
    VipsRect source = state->area;
    source.left += state->right;
    source.top += state->down;
    if (prepare_around(state->layer, state->target, state->area) ||
        prepare_around(state->layer, state->source, source) || (state->spot->is_healed && make_difference(state)))
        return -1;
    size_t count = (size_t) state->area.width * state->area.height;
    float *shares = malloc(count * sizeof *shares);
    uint8_t *pixels = malloc(count * state->layer->pixel_size);
    if (!shares || !pixels) {
        vips_error("retouch", "out of memory");
        free(shares);
        free(pixels);
        return -1;
    }
    for (int row = 0; row < state->area.height; row++)
        for (int column = 0; column < state->area.width; column += MEMBRANE_BLOCK) {
            int rest = state->area.width - column;
            size_t index = (size_t) row * state->area.width + column;
            compute_block(
                state, state->area.left + column, state->area.top + row, rest < MEMBRANE_BLOCK ? rest : MEMBRANE_BLOCK,
                shares + index, pixels + index * state->layer->pixel_size);
        }
    int status = commit(state, shares, pixels);
    free(shares);
    free(pixels);
    return status;
}

int rt_layer_apply(rt_layer *layer, const rt_spot *spot)
{
    VipsImage *picture = layer->picture;
    work state = {.layer = layer, .spot = spot, .area = circle_area(layer, spot)};
    VipsRect *area = &state.area;
    if (vips_rect_isempty(area))
        return 0;
    /* The source of all pixels of the spot is in the picture. */
    int most_right = picture->Xsize - VIPS_RECT_RIGHT(area), most_down = picture->Ysize - VIPS_RECT_BOTTOM(area);
    state.right = VIPS_CLIP(-area->left, spot->right, most_right);
    state.down = VIPS_CLIP(-area->top, spot->down, most_down);
    state.target = vips_region_new(picture);
    state.source = vips_region_new(picture);
    state.tile = vips_region_new(picture);
    int status = state.target && state.source && state.tile ? retouch(&state) : -1;
    VIPS_UNREF(state.target);
    VIPS_UNREF(state.source);
    VIPS_UNREF(state.tile);
    return status;
}
