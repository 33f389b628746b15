/* SPDX-License-Identifier: Apache-2.0 */
/* Blends a mark into a picture. All functions are thread-safe. */
#ifndef WATERMARK_H
#define WATERMARK_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _VipsImage VipsImage;

/* The copies of a mark along an axis. */
typedef struct {
    /* The first pixel of one of the copies. */
    int start;
    /* The distance between the starts of copies in pixels, at least 1; 0 means that there is a single copy. */
    double pitch;
} wm_copies;

/* Makes a lazy image with copies of `mark` over `source`, with the operator "source over" of W3C Compositing and
 * Blending. Encoded values are blended in integers, and rounded once. Pixels outside the copies are those of the
 * source.
 *
 * `source` must have 3 or 4 bands of VIPS_FORMAT_UCHAR or _USHORT, and is read once. `mark` must have 4 bands of
 * _USHORT, the last of which is straight alpha. Copies do not overlap. The caller owns `*result`. Returns 0, or -1
 * with a message in vips_error. */
int wm_image(VipsImage *source, VipsImage *mark, wm_copies across, wm_copies down, VipsImage **result);

#ifdef __cplusplus
}
#endif

#endif
