/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Corrects vignetting in light.
 *
 * All functions are thread-safe. The code for AVX2 and that for every processor compute the same numbers.
 */
#ifndef LENS_CORRECTION_H
#define LENS_CORRECTION_H

#include "picture_light.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lfModifier;

/* Made by ln_edit_make, whose tables the caller fills before it is used. */
typedef struct {
    pl_curves curves;
    /* Multiplies pixels by the vignetting of the lens. Its inverse is not used: lensfun's code for it has an instruction
     * whose results differ between processors. */
    struct lfModifier *vignetting;
} ln_edit;

/* Makes an edit of a picture of 256 or 65536 `levels`, whose tables are zero. The caller owns it. Takes the modifier, also
 * if it fails. NULL: out of memory. */
ln_edit *ln_edit_make(int levels, struct lfModifier *vignetting);
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
