/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_DEINTERLACE_H
#define CMEDIA_DEINTERLACE_H

#include <libavutil/frame.h>
#include <stdbool.h>

/* Whether a frame holds two fields, each taken at a time of its own. */
bool cmedia_is_interlaced(const AVFrame *frame);

/* Makes a progressive frame of the field that is shown first. `before` and `after` are the neighbouring frames; NULL if there
 * is none, or one of another size or format. `target` gets memory of its own, or keeps what fits. False: the format is one
 * whose lines cannot be told apart, or there is no memory. */
bool cmedia_deinterlace(
    const AVFrame *before, const AVFrame *frame, const AVFrame *after, AVFrame *target);

#endif
