/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_DEINTERLACE_H
#define CMEDIA_DEINTERLACE_H

#include <libavutil/frame.h>
#include <stdbool.h>

/* Returns whether a frame consists of two fields captured at different times. */
bool cmedia_is_interlaced(const AVFrame *frame);

/* Computes a progressive frame from the field shown first. `before` and `after` are the neighbouring frames,
 * or NULL if there is none or if it has another size or format. `target` gets its own memory, or keeps memory
 * that fits. Returns false if the format has no separable lines, or if there is no memory. */
bool cmedia_deinterlace(
    const AVFrame *before, const AVFrame *frame, const AVFrame *after, AVFrame *target);

#endif
