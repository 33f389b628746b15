/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of Color Mixer, in Oklab: https://bottosson.github.io/posts/oklab/ (2020).
 *
 * All functions are thread-safe. The code for AVX2 and that for every processor compute the same numbers.
 */
#ifndef COLOR_MIXER_H
#define COLOR_MIXER_H

#include <stdbool.h>
#include "picture_light.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number of hues with a change of their own. */
enum { CM_HUES = 2048 };

/* The change of the colours of a hue. */
typedef struct {
    /* The factor for chroma, times the cosine and the sine of the rotation. */
    float along, across;
    /* What is added to a factor of 1 for lightness, for colours of great chroma. */
    float lightness;
} cm_change;

/* What is done to each pixel. */
typedef struct {
    pl_curves curves;
    /* Row-major, from light to the responses of cones, and back. */
    float to_cones[9];
    float from_cones[9];
    /* The last change is the first one. Between hues, changes are interpolated. */
    cm_change changes[CM_HUES + 1];
    /* a and b of a tint, which is strongest at a lightness of 0.5. */
    float tint[2];
} cm_edit;

/* The hue in radians of a change, 0 to 2 pi. Hues are equidistant on the square |a| + |b| = 1 instead of the circle. */
double cm_hue(int change);

/* Makes an edit of zeros for 256 or 65536 `levels`. The caller owns it. NULL: out of memory. */
cm_edit *cm_edit_make(int levels);
void cm_edit_free(cm_edit *edit);

/* The pl_row of a cm_edit, and the same without AVX2, for tests. */
void cm_row(
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top);
void cm_plain_row(
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top);

/* Makes a lazy image with the edited pixels of `source`. As for pl_image. */
int cm_image(VipsImage *source, cm_edit *edit, VipsImage **result);

#ifdef __cplusplus
}
#endif

#endif
