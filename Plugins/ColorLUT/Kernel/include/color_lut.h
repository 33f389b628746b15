/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of Color LUT: curves and a cube of colours, which are applied to each pixel.
 *
 * All functions are thread-safe. The code for AVX2 and the code for every processor compute the same numbers,
 * because each operation is a single IEEE 754 operation on a float.
 */
#ifndef COLOR_LUT_H
#define COLOR_LUT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _VipsImage VipsImage;

/* The colours at points that are equally spaced along the axes red, green and blue. */
typedef struct {
    /* The number of points along each axis, at least 2; 0 means that there is no table. */
    int size;
    /* The input at the first and at the last point, for red, green and blue. Inputs beyond them are clamped. */
    float start[3];
    float end[3];
    /* The number of points in one unit of the input. */
    float scale[3];
    /* Red, green, blue and an unused number for each point. In a cube, red changes fastest. */
    float *values;
} cl_table;

/* Converts `pixels` colours of three numbers each, in place. May be called concurrently on several threads. */
typedef void cl_convert(void *context, float *colors, int pixels);

/* The values of an edit. It is made by cl_edit_make, and changed by the caller before it is used. */
typedef struct {
    /* Maps red to red, green to green and blue to blue. */
    cl_table curve;
    /* Maps the colours of the curve, or those of the input if there is no curve, to colours. */
    cl_table cube;
    /* The fraction of the tables' output, 0...1; the rest is their input. */
    float amount;
    /* The levels of black and white in the tables' input and output are `offset` and `offset + range`. */
    float offset;
    float range;
    /* Convert between the encoded values of the picture and those that the tables expect, both 0...1. NULL means
     * that the values are the same. */
    cl_convert *to_table;
    cl_convert *from_table;
    /* Called once, on any thread, when no more pixels will be computed. The argument `clipped` is the number of
     * pixels that were clipped because they are outside the tables' colour space. May be NULL. */
    void (*end)(void *context, uint64_t clipped);
    /* The first argument of these functions. */
    void *context;
    uint64_t clipped;
} cl_edit;

/* Makes an edit without conversions, whose amount and range are 1, for tables of these sizes. A size of 0 means
 * that there is no table. The ranges and the values of the tables are all 0. The caller owns the edit. Returns NULL
 * if there is not enough memory. */
cl_edit *cl_edit_make(int curve_size, int cube_size);

/* Calls `end`, and frees the edit. NULL is ignored. */
void cl_edit_free(cl_edit *edit);

/* Copies `start`, `end` and 4 `values` for each point into a table of an edit. `end` must be greater than `start`. */
void cl_curve_fill(cl_edit *edit, const float *start, const float *end, const float *values);
void cl_cube_fill(cl_edit *edit, const float *start, const float *end, const float *values);

/* Edits `pixels` pixels. Bands beyond the third are copied. Source and destination must not overlap. Returns the
 * number of clipped pixels, which is 0 without a conversion. */
int cl_row_8(const cl_edit *edit, const uint8_t *source, uint8_t *destination, int bands, int pixels);
int cl_row_16(const cl_edit *edit, const uint16_t *source, uint16_t *destination, int bands, int pixels);

/* The same functions without AVX2, for tests. */
int cl_plain_row_8(const cl_edit *edit, const uint8_t *source, uint8_t *destination, int bands, int pixels);
int cl_plain_row_16(const cl_edit *edit, const uint16_t *source, uint16_t *destination, int bands, int pixels);

/* Makes a lazy image with the edited pixels of `source`, as pl_image does. Takes ownership of the edit, even if it
 * fails. The caller owns `*result`. Returns 0, or -1 with a message in vips_error. */
int cl_image(VipsImage *source, cl_edit *edit, VipsImage **result);

#ifdef __cplusplus
}
#endif

#endif
