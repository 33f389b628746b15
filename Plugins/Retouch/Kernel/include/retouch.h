/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of Retouch: spots of a picture that are replaced by pixels from elsewhere in it.
 *
 * Every processor computes the same numbers: each operation is a single IEEE 754 operation.
 */
#ifndef RETOUCH_H
#define RETOUCH_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _VipsImage VipsImage;

/* A circle to retouch. Lengths are in pixels; the centre of the top left pixel is (0, 0). */
typedef struct {
    double x;
    double y;
    /* At least 0.5. */
    double radius;
    /* The distance over which the spot fades in at the edge, as a share of the radius, 0...1. */
    double feather;
    /* The source is this far to the right and down. It is moved so that it lies within the picture. */
    int right;
    int down;
    /* Whether the source is adapted to the surroundings. Otherwise it is copied. */
    bool is_healed;
} rt_spot;

/* The pixels of a picture that spots have changed, as tiles that are made when they are first changed. */
typedef struct rt_layer rt_layer;

/* Makes an empty layer over a picture of 3 or 4 bands of VIPS_FORMAT_UCHAR or _USHORT, whose alpha is straight. The
 * caller owns it. NULL: an error, with a message in vips_error. */
rt_layer *rt_layer_make(VipsImage *picture);
void rt_layer_free(rt_layer *layer);

/* A spot that is being retouched. */
typedef struct rt_work rt_work;

/* Begins to retouch a spot on top of those before, of which none may be unfinished. Reads only the spot, its source and
 * the tiles around the spot. Not thread-safe. The caller owns the work, and keeps the layer until it is freed. NULL: an
 * error, with a message in vips_error. */
rt_work *rt_work_make(rt_layer *layer, const rt_spot *spot);
void rt_work_free(rt_work *work);

/* Retouches the next rows of a spot, so that the caller can cancel in between. Returns 1 if there are more, 0 after the
 * last ones, or -1 with a message in vips_error. */
int rt_work_continue(rt_work *work);

/* Makes a lazy image of the picture with a layer. Takes the layer, also if it fails. The caller owns `*result`. Returns
 * 0, or -1 with a message in vips_error. */
int rt_image(rt_layer *layer, VipsImage **result);

#ifdef __cplusplus
}
#endif

#endif
