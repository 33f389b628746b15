/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of Vignette: a gain for light that depends on the distance from a centre.
 *
 * All functions are thread-safe. The code for AVX2 and the code for every processor compute the same numbers.
 */
#ifndef VIGNETTE_H
#define VIGNETTE_H

#include <stdbool.h>
#include "picture_light.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The values of an edit. It is made by vg_edit_make, and changed by the caller before it is used. */
typedef struct {
    pl_curves curves;
    /* The part of the squared distance from the centre that each column of the picture contributes. */
    float *columns;
    /* The part that a row contributes is row_scale * (y + 0.5 - center)^2, with y in pixels from the top. */
    double center;
    double row_scale;
    /* The distance at which the fall-off begins, and the inverse of its length. */
    float start;
    float slope;
    /* The exponent of the gain beyond the fall-off, -2...2. */
    float stops;
} vg_edit;

/* Makes an edit of zeros for 256 or 65536 `levels` and a number of columns. The caller owns it. Returns NULL if
 * there is not enough memory. */
vg_edit *vg_edit_make(int levels, int columns);
void vg_edit_free(vg_edit *edit);

/* The function of type pl_row for a vg_edit, and the same without AVX2, for tests. */
void vg_row(
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top);
void vg_plain_row(
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top);

/* Makes a lazy image with the edited pixels of `source`, as pl_image does. */
int vg_image(VipsImage *source, vg_edit *edit, VipsImage **result);

#ifdef __cplusplus
}
#endif

#endif
