/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Corrects vignetting in light.
 *
 * All functions are thread-safe, except that an edit is prepared before it is used. The code for AVX2 and that for
 * every processor compute the same numbers.
 */
#ifndef LENS_CORRECTION_H
#define LENS_CORRECTION_H

#include "picture_light.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lfModifier;

/* lensfun's model of vignetting has terms up to the sixth power of the distance from the centre. */
#define LN_TERMS 7
/* The same, rounded up to whole vectors. */
#define LN_PADDED_TERMS 8

/* The falloff of light: the share of it that each pixel has received. A polynomial of the position in the picture, in
 * which -1...1 is from the first to the last pixel of each side. */
typedef struct {
    /* By the power of y, then of x. */
    double terms[LN_TERMS][LN_PADDED_TERMS];
    /* Half of the last pixel's position, and the factor from pixels to positions. */
    float center[2], scale[2];
    /* About the least and the greatest falloff in the picture. */
    float least, greatest;
} ln_falloff;

/* What the samples of 8-bit pictures become. */
typedef struct {
    /* The first step of the falloff, and the number of steps. A step is a 64th of an octave. */
    int32_t first, count;
    /* For each step, the results of the 256 levels at its start, in the low half, and at its end: 1 level is 2^6. Equal
     * curves have the same table. */
    int32_t *levels[3];
    void *storage;
} ln_steps;

/* Made by ln_edit_make. The caller fills the tables of the curves, and prepares the edit before it is used. */
typedef struct {
    pl_curves curves;
    ln_falloff falloff;
    ln_steps steps;
} ln_edit;

/* Makes an edit of a picture of 256 or 65536 `levels`, whose curves are zero, from a modifier that multiplies pixels by
 * the vignetting of the lens. Its inverse is not used: lensfun's code for it has an instruction whose results differ
 * between processors. The caller owns both. NULL: out of memory. */
ln_edit *ln_edit_make(int levels, struct lfModifier *vignetting, int width, int height);

/* Computes what depends on the curves. Returns false if out of memory. */
bool ln_edit_prepare(ln_edit *edit);
void ln_edit_free(ln_edit *edit);

/* The pl_row of an ln_edit, and the same without AVX2, for tests. */
void ln_row(
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top);
void ln_plain_row(
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top);

/* Makes a lazy image with the edited pixels of `source`. As for pl_image. */
int ln_image(VipsImage *source, ln_edit *edit, VipsImage **result);

#ifdef __cplusplus
}
#endif

#endif
