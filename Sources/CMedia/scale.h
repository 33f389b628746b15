/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_SCALE_H
#define CMEDIA_SCALE_H

#include <libavutil/frame.h>
#include <libswscale/swscale.h>
#include <stdbool.h>

/* The chroma position centred between the pixels that share it, which is swscale's default. */
enum { CMEDIA_CENTERED = -513 };

/* The memory layout and colour coding of pixels. All fields are integers, so two layouts can be compared as
   bytes. */
typedef struct cmedia_layout {
    int width;
    int height;
    int format;      /* enum AVPixelFormat */
    int matrix;      /* one of SWS_CS_; ignored for RGB */
    int is_full;     /* whether the range is full */
    int chroma_x;    /* chroma position in 1/256 of a luma pixel; -513 if centred */
    int chroma_y;
} cmedia_layout;

/* A converter and scaler of pixels. Initialise it with zeros. */
typedef struct cmedia_scaler {
    struct SwsContext *context;
    cmedia_layout source; /* the layout the context was created for */
    cmedia_layout target;
    int threads;
    AVFrame *input;
    AVFrame *output;
} cmedia_scaler;

/* Returns the layout of a decoded frame, with the defaults of players for unspecified fields. */
cmedia_layout cmedia_layout_of(const AVFrame *frame);

/* Returns the layout of full-range RGB. */
cmedia_layout cmedia_rgb_layout(int width, int height, enum AVPixelFormat format);

/* Converts pixels from `source` to `target`. Returns false if swscale does not support the conversion. */
bool cmedia_scale(
    cmedia_scaler *scaler, int threads, const cmedia_layout *source, uint8_t *const source_planes[4],
    const int source_strides[4], const cmedia_layout *target, uint8_t *const target_planes[4],
    const int target_strides[4]);

void cmedia_scaler_close(cmedia_scaler *scaler);

#endif
