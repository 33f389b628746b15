/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_SCALE_H
#define CMEDIA_SCALE_H

#include <libavutil/frame.h>
#include <libswscale/swscale.h>
#include <stdbool.h>

/* Where chroma lies in the middle of the pixels that share it: swscale's default. */
enum { CMEDIA_CENTERED = -513 };

/* How pixels are laid out and coded. All are numbers, so that two compare as bytes. */
typedef struct cmedia_layout {
    int width;
    int height;
    int format;      /* enum AVPixelFormat */
    int matrix;      /* one of SWS_CS_; of no account for RGB */
    int is_full;     /* range */
    int chroma_x;    /* where chroma lies, in 1/256 of a pixel of luma; -513: centred */
    int chroma_y;
} cmedia_layout;

/* Converts and scales pixels; zeros are a good start. */
typedef struct cmedia_scaler {
    struct SwsContext *context;
    cmedia_layout source; /* what the context was made for */
    cmedia_layout target;
    int threads;
    AVFrame *input;
    AVFrame *output;
} cmedia_scaler;

/* The layout of a decoded frame, with what a player takes where the file says nothing. */
cmedia_layout cmedia_layout_of(const AVFrame *frame);

/* The layout of full-range RGB. */
cmedia_layout cmedia_rgb_layout(int width, int height, enum AVPixelFormat format);

/* Converts the pixels at `source` to those at `target`; false: swscale cannot. */
bool cmedia_scale(
    cmedia_scaler *scaler, int threads, const cmedia_layout *source, uint8_t *const source_planes[4],
    const int source_strides[4], const cmedia_layout *target, uint8_t *const target_planes[4],
    const int target_strides[4]);

void cmedia_scaler_close(cmedia_scaler *scaler);

#endif
