/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "layer.h"
#include "membrane.h"

#pragma STDC FP_CONTRACT OFF

/* The most samples on the edge of a spot, the width and height of the areas that are read around them, and the number of
 * rows that are retouched at a time. */
enum { MOST_SAMPLES = 8192, PATCH = 64, STRIP = 64 };

struct rt_work {
    rt_layer *layer;
    rt_spot spot;
    /* The part of the spot that lies in the picture, and how many of its rows have been retouched. */
    VipsRect area;
    int done;
    int right;
    int down;
    /* The picture in a part of the spot, in its source, and in a tile. */
    VipsRegion *target;
    VipsRegion *source;
    VipsRegion *tile;
    membrane difference;
    /* The weights and the new pixels of a row of the area. */
    float *shares;
    uint8_t *pixels;
};

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

/* Prepares a pixel, the next one and those below, as far as they are in the picture. Returns 0, or -1. */
static int prepare_patch(const rt_layer *layer, VipsRegion *region, int x, int y)
{
    VipsRect whole = {0, 0, layer->picture->Xsize, layer->picture->Ysize};
    VipsRect needed = {x, y, 2, 2}, patch = {x - PATCH / 2, y - PATCH / 2, PATCH, PATCH};
    vips_rect_intersectrect(&needed, &whole, &needed);
    if (vips_rect_includesrect(&region->valid, &needed))
        return 0;
    vips_rect_intersectrect(&patch, &whole, &patch);
    return vips_region_prepare(region, &patch);
}

/* Reads the difference between the surroundings and the source at a position on the edge, bilinear. `is_known` becomes
 * false if the position is not in the picture. Returns 0, or -1. */
static int read_difference(const rt_work *state, double x, double y, float difference[4], bool *is_known)
{
    const rt_layer *layer = state->layer;
    int width = layer->picture->Xsize, height = layer->picture->Ysize;
    *is_known = x >= 0 && y >= 0 && x <= width - 1 && y <= height - 1;
    if (!*is_known)
        return 0;
    int left = (int) x, top = (int) y;
    int source_left = clamped_index(left + state->right, width), source_top = clamped_index(top + state->down, height);
    if (prepare_patch(layer, state->target, left, top) || prepare_patch(layer, state->source, source_left, source_top))
        return -1;
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
    return 0;
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

/* Samples the edge. `edge` and `is_known` have space for `count` samples. Returns 0, or -1. */
static int sample_edge(const rt_work *state, int count, float (*edge)[4], bool *is_known)
{
    const rt_spot *spot = &state->spot;
    circle_point step = circle_step(count), at = {1, 0};
    for (int i = 0; i < count; i++) {
        double x = spot->x + spot->radius * at.x, y = spot->y + spot->radius * at.y;
        if (read_difference(state, x, y, edge[i], &is_known[i]))
            return -1;
        at = circle_sum(at, step);
    }
    fill_gaps(edge, is_known, count);
    return 0;
}

/* Makes the membrane. Returns 0, or -1. */
static int make_difference(rt_work *state)
{
    double wanted = 6.3 * state->spot.radius;
    int count = wanted < 16 ? 16 : wanted > MOST_SAMPLES ? MOST_SAMPLES : (int) wanted;
    float (*edge)[4] = malloc((size_t) count * sizeof *edge);
    bool *is_known = malloc((size_t) count * sizeof *is_known);
    int status = -1;
    if (!edge || !is_known)
        vips_error("retouch", "out of memory");
    else
        status = sample_edge(state, count, edge, is_known);
    if (status == 0)
        state->difference = membrane_make((const float (*)[4]) edge, count);
    free(edge);
    free(is_known);
    return status;
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
static void compute_block(const rt_work *state, int left, int y, int count, float *shares, uint8_t *bytes)
{
    const rt_spot *spot = &state->spot;
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

/* Retouches a row. Its pixels are computed before they are written, because the source may overlap it. Returns 0, or
 * -1. */
static int retouch_row(const rt_work *state, int y)
{
    rt_layer *layer = state->layer;
    const VipsRect *area = &state->area;
    for (int column = 0; column < area->width; column += MEMBRANE_BLOCK) {
        int rest = area->width - column;
        compute_block(
            state, area->left + column, y, rest < MEMBRANE_BLOCK ? rest : MEMBRANE_BLOCK, state->shares + column,
            state->pixels + (size_t) column * layer->pixel_size);
    }
    for (int column = 0; column < area->width; column++) {
        if (state->shares[column] == 0)
            continue;
        int x = area->left + column;
        if (layer_make_tile(layer, state->tile, x, y))
            return -1;
        memcpy(layer_pixel(layer, x, y), state->pixels + (size_t) column * layer->pixel_size, layer->pixel_size);
    }
    return 0;
}

int rt_work_continue(rt_work *state)
{
    int rest = state->area.height - state->done;
    VipsRect strip = state->area;
    strip.height = rest < STRIP ? rest : STRIP;
    if (strip.height <= 0)
        return 0;
    /* Towards the source, so that no row is read after it has been written. */
    bool is_upward = state->down < 0;
    strip.top += is_upward ? rest - strip.height : state->done;
    VipsRect source = strip;
    source.left += state->right;
    source.top += state->down;
    if (vips_region_prepare(state->target, &strip) || vips_region_prepare(state->source, &source))
        return -1;
    for (int i = 0; i < strip.height; i++)
        if (retouch_row(state, strip.top + (is_upward ? strip.height - 1 - i : i)))
            return -1;
    state->done += strip.height;
    return state->done < state->area.height;
}

/* Makes what the strips need. Returns 0, or -1. */
static int begin(rt_work *state)
{
    VipsImage *picture = state->layer->picture;
    const VipsRect *area = &state->area;
    if (vips_rect_isempty(area)) {
        state->area.height = 0;
        return 0;
    }
    /* The source of all pixels of the spot is in the picture. */
    int most_right = picture->Xsize - VIPS_RECT_RIGHT(area), most_down = picture->Ysize - VIPS_RECT_BOTTOM(area);
    state->right = VIPS_CLIP(-area->left, state->spot.right, most_right);
    state->down = VIPS_CLIP(-area->top, state->spot.down, most_down);
    state->target = vips_region_new(picture);
    state->source = vips_region_new(picture);
    state->tile = vips_region_new(picture);
    state->shares = malloc((size_t) area->width * sizeof *state->shares);
    state->pixels = malloc((size_t) area->width * state->layer->pixel_size);
    if (!state->target || !state->source || !state->tile)
        return -1;
    if (!state->shares || !state->pixels) {
        vips_error("retouch", "out of memory");
        return -1;
    }
    return state->spot.is_healed ? make_difference(state) : 0;
}

rt_work *rt_work_make(rt_layer *layer, const rt_spot *spot)
{
    rt_work *state = calloc(1, sizeof *state);
    if (!state) {
        vips_error("retouch", "out of memory");
        return NULL;
    }
    *state = (rt_work) {.layer = layer, .spot = *spot, .area = circle_area(layer, spot)};
    if (begin(state)) {
        rt_work_free(state);
        return NULL;
    }
    return state;
}

void rt_work_free(rt_work *state)
{
    if (!state)
        return;
    VIPS_UNREF(state->target);
    VIPS_UNREF(state->source);
    VIPS_UNREF(state->tile);
    free(state->shares);
    free(state->pixels);
    free(state);
}
