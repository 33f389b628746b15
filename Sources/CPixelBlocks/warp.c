/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu_dispatch.h"
#include "pixel_warp.h"
#include "warp_colors.h"
#include "warp_sums.h"
#include <string.h>

/* ---- Weights ---- */

/* Keys, equation 15, at t = n / 2^8. Each cubic is an integer divided by 2^25. */
void pixel_warp_fill(pixel_warp_weights *result)
{
    const int32_t unit = PIXEL_WARP_PHASES;
    pixel_warp_phase *phases = result->phases;
    for (int32_t n = 0; n < unit; n++) {
        const int32_t cubics[4] = {
            n * (-n * n + 2 * unit * n - unit * unit), n * n * (3 * n - 5 * unit) + 2 * unit * unit * unit,
            n * (-3 * n * n + 4 * unit * n + unit * unit), n * n * (n - unit)};
        int16_t weights[4], rest = 1 << 14;
        for (int pixel = 0; pixel < 4; pixel++) {
            phases[n].number[pixel] = (float) cubics[pixel] / (1 << 25);
            weights[pixel] = (int16_t) ((cubics[pixel] + (1 << 10)) >> 11);
            rest = (int16_t) (rest - weights[pixel]);
        }
        /* The larger of the middle weights absorbs the rounding. */
        weights[2 * n < unit ? 1 : 2] += rest;
        for (int pixel = 0; pixel < 4; pixel++) {
            phases[n].fixed[2 * pixel] = phases[n].fixed[2 * pixel + 1] = weights[pixel];
            result->down[n][pixel] = weights[pixel];
            for (int row = 0; row < 4; row++)
                result->across[n][4 * pixel + row] = weights[pixel];
        }
    }
}

/* ---- From samples to lanes, and from sums to samples ---- */

/* Maps the full range of an 8-bit sample to that of a 15-bit lane. */
INLINE void fixed_lanes(const uint8_t *restrict sample, int16_t *restrict lane, ptrdiff_t pixels)
{
    for (ptrdiff_t pixel = 0; pixel < pixels; pixel++) {
        for (ptrdiff_t band = 0; band < 3; band++)
            lane[4 * pixel + band] = (int16_t) (sample[3 * pixel + band] << 7);
        lane[4 * pixel + 3] = 0;
    }
}

INLINE void fixed_samples(const int32_t *restrict sum, uint8_t *restrict sample, ptrdiff_t pixels)
{
    for (ptrdiff_t pixel = 0; pixel < pixels; pixel++)
        for (ptrdiff_t band = 0; band < 3; band++) {
            int32_t number = (sum[4 * pixel + band] + (1 << 19)) >> 20;
            sample[3 * pixel + band] = (uint8_t) (number < 0 ? 0 : number > 255 ? 255 : number);
        }
}

#if HAS_WIDE

/* The same, four pixels at once. */
WIDE INLINE void wide_fixed_lanes(const uint8_t *sample, int16_t *lane, ptrdiff_t pixels)
{
    /* Bytes move to the upper halves of lanes. */
    const __m256i order = _mm256_setr_epi8(-1, 0, -1, 1, -1, 2, -1, -1, -1, 3, -1, 4, -1, 5, -1, -1,
                                           -1, 6, -1, 7, -1, 8, -1, -1, -1, 9, -1, 10, -1, 11, -1, -1);
    ptrdiff_t pixel = 0;
    /* Sixteen bytes are loaded, but only twelve used. */
    for (; 3 * pixel + 16 <= 3 * pixels; pixel += 4) {
        __m128i bytes = _mm_loadu_si128((const __m128i *) (sample + 3 * pixel));
        __m256i lanes = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bytes), order);
        _mm256_storeu_si256((__m256i *) (lane + 4 * pixel), _mm256_srli_epi16(lanes, 1));
    }
    fixed_lanes(sample + 3 * pixel, lane + 4 * pixel, pixels - pixel);
}

#endif

INLINE float rounded(float number, float greatest)
{
    return (number < 0 ? 0 : number > greatest ? greatest : number) + 0.5f;
}

/* Colours are multiplied by alpha. */
#define DEFINE_NUMBERS(Sample, bits)                                                                          \
    INLINE void number_lanes_##bits(const Sample *restrict sample, float *restrict lane, ptrdiff_t pixels,    \
                                    ptrdiff_t bands)                                                          \
    {                                                                                                         \
        for (ptrdiff_t pixel = 0; pixel < pixels; pixel++) {                                                  \
            float alpha = bands == 4 ? sample[4 * pixel + 3] : 1;                                             \
            for (ptrdiff_t band = 0; band < 3; band++)                                                        \
                lane[4 * pixel + band] = (float) sample[bands * pixel + band] * alpha;                        \
            lane[4 * pixel + 3] = alpha;                                                                      \
        }                                                                                                     \
    }                                                                                                         \
    INLINE void number_samples_##bits(const float *restrict sum, Sample *restrict sample, ptrdiff_t pixels,   \
                                      ptrdiff_t bands)                                                        \
    {                                                                                                         \
        const float greatest = (1 << bits) - 1;                                                               \
        for (ptrdiff_t pixel = 0; pixel < pixels; pixel++) {                                                  \
            float alpha = sum[4 * pixel + 3];                                                                 \
            for (ptrdiff_t band = 0; band < 3; band++) {                                                      \
                float number = sum[4 * pixel + band];                                                         \
                if (bands == 4)                                                                               \
                    number = alpha > 0 ? number / alpha : 0;                                                  \
                sample[bands * pixel + band] = (Sample) (int32_t) rounded(number, greatest);                  \
            }                                                                                                 \
            if (bands == 4)                                                                                   \
                sample[4 * pixel + 3] = (Sample) (int32_t) rounded(alpha, greatest);                          \
        }                                                                                                     \
    }

DEFINE_NUMBERS(uint8_t, 8)
DEFINE_NUMBERS(uint16_t, 16)

/* ---- The same functions for each width ---- */

typedef void convert_pixels(const void *from, void *to, ptrdiff_t pixels);

typedef struct {
    /* The size of a pixel in lanes. */
    size_t lane_bytes;
    convert_pixels *load, *store;
} layout;

#define DEFINE_CONVERSIONS(name, attributes, call)                                                            \
    attributes static void name(const void *from, void *to, ptrdiff_t pixels) { call; }
#define DEFINE_LAYOUTS(width, attributes, load_fixed)                                                         \
    DEFINE_CONVERSIONS(width##_load_8_3, attributes, load_fixed(from, to, pixels))                            \
    DEFINE_CONVERSIONS(width##_load_8_4, attributes, number_lanes_8(from, to, pixels, 4))                     \
    DEFINE_CONVERSIONS(width##_load_16_3, attributes, number_lanes_16(from, to, pixels, 3))                   \
    DEFINE_CONVERSIONS(width##_load_16_4, attributes, number_lanes_16(from, to, pixels, 4))                   \
    DEFINE_CONVERSIONS(width##_store_8_3, attributes, fixed_samples(from, to, pixels))                        \
    DEFINE_CONVERSIONS(width##_store_8_4, attributes, number_samples_8(from, to, pixels, 4))                  \
    DEFINE_CONVERSIONS(width##_store_16_3, attributes, number_samples_16(from, to, pixels, 3))                \
    DEFINE_CONVERSIONS(width##_store_16_4, attributes, number_samples_16(from, to, pixels, 4))                \
    static const layout width##_layouts[4] = {                                                                \
        {8, width##_load_8_3, width##_store_8_3},                                                             \
        {16, width##_load_8_4, width##_store_8_4},                                                            \
        {16, width##_load_16_3, width##_store_16_3},                                                          \
        {16, width##_load_16_4, width##_store_16_4},                                                          \
    };
#define EVERY_PROCESSOR

DEFINE_LAYOUTS(narrow, EVERY_PROCESSOR, fixed_lanes)
#if HAS_WIDE
DEFINE_LAYOUTS(wide, WIDE, wide_fixed_lanes)
#endif

typedef struct {
    layout layout;
    sum_pixels *sum;
} warp_functions;

static warp_functions functions_for(const pixel_warp_block *block, pixel_warp_code code)
{
    const int index = (block->bytes_per_sample == 2 ? 2 : 0) + (block->bands == 4 ? 1 : 0);
    const bool is_fixed = index == 0;
#if HAS_WIDE
    if (code == PIXEL_WARP_BEST && has_wide())
        return (warp_functions) {wide_layouts[index], is_fixed ? wide_fixed_sums : wide_number_sums};
    if (code != PIXEL_WARP_PLAIN && is_fixed)
        return (warp_functions) {narrow_layouts[index], baseline_fixed_sums};
#endif
    if (code != PIXEL_WARP_PLAIN && !is_fixed)
        return (warp_functions) {narrow_layouts[index], baseline_number_sums};
    return (warp_functions) {narrow_layouts[index], is_fixed ? plain_fixed_sums : plain_number_sums};
}

/* ---- Blocks ---- */

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t greatest(int64_t a, int64_t b) { return a > b ? a : b; }

static pixel_warp_area plain_source(const pixel_warp_line *lines, ptrdiff_t count)
{
    int64_t left = INT64_MAX, top = INT64_MAX, right = INT64_MIN, bottom = INT64_MIN;
    for (ptrdiff_t index = 0; index < count; index++) {
        pixel_warp_line line = lines[index];
        int64_t x[2] = {line.x, line.x + (line.columns - 1) * line.x_step};
        int64_t y[2] = {line.y, line.y + (line.columns - 1) * line.y_step};
        left = least(left, least(x[0], x[1]));
        right = greatest(right, greatest(x[0], x[1]));
        top = least(top, least(y[0], y[1]));
        bottom = greatest(bottom, greatest(y[0], y[1]));
    }
    return (pixel_warp_area) {whole(left) - 1, whole(top) - 1, whole(right) - whole(left) + 4,
                              whole(bottom) - whole(top) + 4};
}

#if HAS_WIDE

/* The same with 32 bits, which are enough for whole pixels. */
WIDE static pixel_warp_area wide_source(const pixel_warp_line *lines, ptrdiff_t count)
{
    __m128i lowest = _mm_set1_epi32(INT32_MAX), highest = _mm_set1_epi32(INT32_MIN);
    for (ptrdiff_t index = 0; index < count; index++) {
        const pixel_warp_line *line = lines + index;
        __m128i first = _mm_loadu_si128((const __m128i *) &line->x);
        __m128i step = _mm_loadu_si128((const __m128i *) &line->x_step);
        __m128i steps = _mm_set1_epi64x(line->columns - 1);
        __m128i last = _mm_mul_epu32(_mm_srli_epi64(step, 32), steps);
        last = _mm_add_epi64(_mm_mul_epu32(step, steps), _mm_slli_epi64(last, 32));
        last = _mm_add_epi64(first, last);
        __m128i ends = _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(first), _mm_castsi128_ps(last), 0xdd));
        lowest = _mm_min_epi32(lowest, ends);
        highest = _mm_max_epi32(highest, ends);
    }
    lowest = _mm_min_epi32(lowest, _mm_unpackhi_epi64(lowest, lowest));
    highest = _mm_max_epi32(highest, _mm_unpackhi_epi64(highest, highest));
    int64_t left = _mm_extract_epi32(lowest, 0), top = _mm_extract_epi32(lowest, 1);
    int64_t right = _mm_extract_epi32(highest, 0), bottom = _mm_extract_epi32(highest, 1);
    return (pixel_warp_area) {left - 1, top - 1, right - left + 4, bottom - top + 4};
}

#endif

pixel_warp_area pixel_warp_source(const pixel_warp_line *lines, ptrdiff_t count)
{
#if HAS_WIDE
    if (has_wide())
        return wide_source(lines, count);
#endif
    return plain_source(lines, count);
}

/* Fills lanes outside the picture, next to a pixel of it. */
static void fill(const pixel_warp_block *block, const layout *layout, const uint8_t *pixel, uint8_t *lanes,
                 ptrdiff_t pixels)
{
    const size_t size = layout->lane_bytes;
    if (pixels == 0)
        return;
    if (!block->repeats_edges) {
        memset(lanes, 0, (size_t) pixels * size);
        return;
    }
    layout->load(pixel, lanes, 1);
    for (ptrdiff_t index = 1; index < pixels; index++)
        memcpy(lanes + (size_t) index * size, lanes, size);
}

/* Fills a row of the area from a row of the picture. */
static void load_row(const pixel_warp_block *block, const layout *layout, const uint8_t *source, uint8_t *lanes)
{
    const pixel_warp_area *area = &block->area, *part = &block->part;
    const size_t size = layout->lane_bytes;
    const int64_t end = area->left + area->width, part_end = part->left + part->width;
    const ptrdiff_t before = (ptrdiff_t) least(area->width, greatest(0, part->left - area->left));
    const ptrdiff_t after = (ptrdiff_t) least(area->width, greatest(0, end - part_end));
    const ptrdiff_t inside = (ptrdiff_t) area->width - before - after;
    const uint8_t *last = source + (part->width - 1) * block->bands * block->bytes_per_sample;
    fill(block, layout, source, lanes, before);
    if (inside > 0)
        layout->load(source, lanes + (size_t) before * size, inside);
    fill(block, layout, last, lanes + (size_t) (before + inside) * size, after);
}

static void load_area(const pixel_warp_block *block, const layout *layout)
{
    const pixel_warp_area *area = &block->area, *part = &block->part;
    const size_t row_size = (size_t) area->width * layout->lane_bytes;
    for (int64_t row = 0; row < area->height; row++) {
        int64_t from = area->top + row - part->top, nearest = greatest(0, least(from, part->height - 1));
        uint8_t *lanes = (uint8_t *) block->space + (size_t) row * row_size;
        if (from != nearest && !block->repeats_edges)
            memset(lanes, 0, row_size);
        else
            load_row(block, layout, (const uint8_t *) block->source + nearest * block->source_bytes_per_row, lanes);
    }
}

/* Four sums per pixel of a row, and of one more: a line of an odd number of pixels is computed in pairs. */
typedef union {
    int32_t fixed[4 * (PIXEL_WARP_COLUMNS + 1)];
    float number[4 * (PIXEL_WARP_COLUMNS + 1)];
} row_sums;

/* A line relative to the area. The first of the four pixels is one to the left and up. */
static pixel_warp_line in_area(const pixel_warp_block *block, pixel_warp_line line)
{
    line.x -= (block->area.left + 1) * ((int64_t) 1 << 32);
    line.y -= (block->area.top + 1) * ((int64_t) 1 << 32);
    return line;
}

/* The lines of a row, which may be put into `space`. They end with the last column. */
static const pixel_warp_line *lines_of(const pixel_warp_block *block, ptrdiff_t map, ptrdiff_t row,
                                       pixel_warp_line space[PIXEL_WARP_COLUMNS / PIXEL_WARP_CELL + 1])
{
    if (block->lines)
        return block->lines + (map * block->rows + row) * block->lines_per_row;
    const ptrdiff_t top = block->top % PIXEL_WARP_CELL + row, corners = corners_per_row(block);
    const pixel_warp_position *positions = block->positions + map * corner_count(block);
    positions += top / PIXEL_WARP_CELL * corners;
    pixel_warp_interpolate(positions, block->maps, block->left, top, block->columns, 1, space);
    return space;
}

static void sum_row(const pixel_warp_block *block, sum_pixels *sum, ptrdiff_t map, ptrdiff_t row, row_sums *sums)
{
    pixel_warp_line space[PIXEL_WARP_COLUMNS / PIXEL_WARP_CELL + 1];
    const pixel_warp_line *lines = lines_of(block, map, row, space);
    for (ptrdiff_t column = 0; column < block->columns; lines++) {
        pixel_warp_line line = in_area(block, *lines);
        sum(block->weights->phases, block->space, 4 * (ptrdiff_t) block->area.width, line, &sums->fixed[4 * column]);
        column += line.columns;
    }
}

/* Copies some bands of a row. */
static void copy_bands(const pixel_warp_block *block, unsigned bands, const uint8_t *from, uint8_t *to)
{
    const ptrdiff_t size = block->bytes_per_sample;
    for (ptrdiff_t band = 0; band < block->bands; band++)
        if (bands >> band & 1)
            for (ptrdiff_t sample = band; sample < block->columns * block->bands; sample += block->bands)
                memcpy(to + sample * size, from + sample * size, (size_t) size);
}

static void warp_row(const pixel_warp_block *block, const warp_functions *functions, ptrdiff_t row,
                     uint8_t *destination)
{
    static const unsigned color_bands[3] = {1 << 0, 1 << 1 | 1 << 3, 1 << 2};
    const unsigned all = (1u << block->bands) - 1;
    row_sums sums;
    uint16_t samples[4 * PIXEL_WARP_COLUMNS];
    for (ptrdiff_t map = 0; map < block->maps; map++) {
        const unsigned bands = all & (block->maps == 1 ? block->stored_bands : color_bands[map]);
        sum_row(block, functions->sum, map, row, &sums);
        functions->layout.store(&sums, bands == all ? (void *) destination : samples, block->columns);
        if (bands != all)
            copy_bands(block, bands, (const uint8_t *) samples, destination);
    }
}

void pixel_warp(const pixel_warp_block *block, pixel_warp_code code)
{
    const warp_functions functions = functions_for(block, code);
    load_area(block, &functions.layout);
#if HAS_WIDE
    if (code == PIXEL_WARP_BEST && has_wide() && can_warp_colors(block)) {
        wide_warp_colors(block);
        return;
    }
#endif
    for (ptrdiff_t row = 0; row < block->rows; row++)
        warp_row(block, &functions, row, (uint8_t *) block->destination + row * block->destination_bytes_per_row);
}
