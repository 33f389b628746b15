/* SPDX-License-Identifier: Apache-2.0 */
/* Blends a mark into a picture. All functions are thread-safe. */
#ifndef WATERMARK_H
#define WATERMARK_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _VipsImage VipsImage;

/* Makes a lazy image with `mark` over `source`: the operator "source over" of W3C Compositing and Blending, on encoded
 * values, in integers, rounded once. Pixels outside the mark are those of the source.
 *
 * `source` has 3 or 4 bands of VIPS_FORMAT_UCHAR or _USHORT, and is read once. `mark` has 4 bands of _USHORT, the last of
 * which is straight alpha. `left` and `top` are the position of its first pixel in the source. The caller owns `*result`.
 * Returns 0, or -1 with a message in vips_error. */
int wm_image(VipsImage *source, VipsImage *mark, int left, int top, VipsImage **result);

#ifdef __cplusplus
}
#endif

#endif
