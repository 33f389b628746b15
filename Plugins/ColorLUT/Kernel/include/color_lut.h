/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of Color LUT: curves and a cube of colours, applied to each pixel.
 *
 * All functions are thread-safe. The code for AVX2 and that for every processor compute the same numbers: each operation
 * is a single IEEE 754 operation on a float.
 */
#ifndef COLOR_LUT_H
#define COLOR_LUT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _VipsImage VipsImage;

/* Colours for points at equal distances along the axes red, green and blue. */
typedef struct {
    /* The number of points along each axis, at least 2; 0: there is no table. */
    int size;
    /* The input at the first and at the last point, for red, green and blue. Inputs beyond them are clipped. */
    float start[3];
    float end[3];
    /* The number of points in one unit of the input. */
    float scale[3];
    /* Red, green, blue and an unused number for each point. In a cube, red changes fastest. */
    float *values;
} cl_table;

/* Converts `pixels` colours of three numbers each, in place. Called on several threads at once. */
typedef void cl_convert(void *context, float *colors, int pixels);

/* What is done to each pixel. Made by cl_edit_make, and changed by the caller before it is used. */
typedef struct {
    /* From red to red, green to green and blue to blue. */
    cl_table curve;
    /* From the colours of the curve, or from the input, to colours. */
    cl_table cube;
    /* The share of the tables' output, 0...1; the rest is their input. */
    float amount;
    /* The levels of black and white in the tables' input and output are `offset` and `offset + range`. */
    float offset;
    float range;
    /* Between the encoded values of the picture and those that the tables expect, both 0...1. NULL: they are equal. */
    cl_convert *to_table;
    cl_convert *from_table;
    /* Called once, on any thread, when no pixel will be computed any more, with the number of pixels that were clipped
     * because they are outside the tables' colour space. NULL: not called. */
    void (*end)(void *context, uint64_t clipped);
    /* The argument of these functions. */
    void *context;
    uint64_t clipped;
} cl_edit;

/* Makes an edit without conversion, with amount 1 and range 1, for tables of these sizes, 0 for none. The tables are from
 * 0 to 0 and black. The caller owns it. NULL: out of memory. */
cl_edit *cl_edit_make(int curve_size, int cube_size);

/* Calls `end`, and frees the edit. NULL is ignored. */
void cl_edit_free(cl_edit *edit);

/* Copies `start`, `end`, which must be greater, and 4 `values` for each point into a table of an edit. */
void cl_curve_fill(cl_edit *edit, const float *start, const float *end, const float *values);
void cl_cube_fill(cl_edit *edit, const float *start, const float *end, const float *values);

/* Edits `pixels` pixels. Bands beyond the third are copied. Source and destination must not overlap. Returns the number
 * of pixels that were clipped, 0 without a conversion. */
int cl_row_8(const cl_edit *edit, const uint8_t *source, uint8_t *destination, int bands, int pixels);
int cl_row_16(const cl_edit *edit, const uint16_t *source, uint16_t *destination, int bands, int pixels);

/* The same without AVX2, for tests. */
int cl_plain_row_8(const cl_edit *edit, const uint8_t *source, uint8_t *destination, int bands, int pixels);
int cl_plain_row_16(const cl_edit *edit, const uint16_t *source, uint16_t *destination, int bands, int pixels);

/* Makes a lazy image with the edited pixels of `source`, as for pl_image. Takes
 * the edit, also if it fails. The caller owns `*result`. Returns 0, or -1 with a message in vips_error. */
int cl_image(VipsImage *source, cl_edit *edit, VipsImage **result);

#ifdef __cplusplus
}
#endif

#endif
