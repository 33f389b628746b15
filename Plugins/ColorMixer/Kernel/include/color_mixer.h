/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of Color Mixer, in Oklab: https://bottosson.github.io/posts/oklab/ (2020).
 *
 * All functions are thread-safe. The code for AVX2 and the code for every processor compute the same numbers.
 */
#ifndef COLOR_MIXER_H
#define COLOR_MIXER_H

#include <stdbool.h>
#include "picture_light.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number of hues for which a change is stored. */
enum { CM_HUES = 2048 };

/* The change of the colours that have a hue. */
typedef struct {
    /* The factor for chroma, multiplied by the cosine and by the sine of the rotation. */
    float along, across;
    /* The number that is added to a factor of 1 for lightness, if the chroma is high. */
    float lightness;
} cm_change;

/* The values of an edit. */
typedef struct {
    pl_curves curves;
    /* The matrices from linear light to the responses of cones and back, in row-major order. */
    float to_cones[9];
    float from_cones[9];
    /* The changes by hue, which are interpolated between hues. The last element is equal to the first one. */
    cm_change changes[CM_HUES + 1];
    /* The coordinates a and b of a tint, which is strongest at a lightness of 0.5. */
    float tint[2];
} cm_edit;

/* Returns the hue of an element of `changes` in radians, 0 to 2 pi. The hues are equally spaced on the square |a| +
 * |b| = 1 instead of the circle. */
double cm_hue(int change);

/* Makes an edit of zeros for 256 or 65536 `levels`. The caller owns it. Returns NULL if there is not enough memory. */
cm_edit *cm_edit_make(int levels);
void cm_edit_free(cm_edit *edit);

/* The function of type pl_row for a cm_edit, and the same without AVX2, for tests. */
void cm_row(
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top);
void cm_plain_row(
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top);

/* Makes a lazy image with the edited pixels of `source`, as pl_image does. */
int cm_image(VipsImage *source, cm_edit *edit, VipsImage **result);

#ifdef __cplusplus
}
#endif

#endif
