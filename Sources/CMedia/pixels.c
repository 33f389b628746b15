/* SPDX-License-Identifier: Apache-2.0 */
#include "deinterlace.h"
#include "ycbcr_matrix.h"
#include "reader.h"

enum {
    MAXIMUM_SIDE = 1 << 15,
};

/* Returns the current frame, deinterlaced if possible. */
static const AVFrame *picture(cmedia_reader *reader)
{
    if (!reader->frame || !cmedia_is_interlaced(reader->frame))
        return reader->frame;
    if (!reader->progressive && !(reader->progressive = av_frame_alloc()))
        return reader->frame;
    /* A failure to decode the next frame is reported when that frame is requested. */
    if (!reader->is_ahead && !reader->has_failed)
        reader->has_failed = cmedia_look_ahead(reader, &reader->failure) < 0;
    const AVFrame *after = reader->is_ahead ? reader->ahead : NULL;
    bool is_made = cmedia_deinterlace(reader->before, reader->frame, after, reader->progressive);
    return is_made ? reader->progressive : reader->frame;
}

/* Converts YCbCr to RGB. Other sizes and chroma formats are first converted to 4:4:4. */
static bool write_by_matrix(
    cmedia_reader *reader, const AVFrame *frame, const cmedia_layout *source, int32_t width,
    int32_t height, uint8_t *pixels, size_t stride)
{
    cmedia_layout target = cmedia_rgb_layout(width, height, AV_PIX_FMT_YUV444P);
    target.matrix = source->matrix;
    target.is_full = source->is_full;
    if (cmedia_has_matrix(source) && source->width == width && source->height == height) {
        cmedia_matrix(source, frame->data, frame->linesize, pixels, stride);
        return true;
    }
    AVFrame *planar = reader->planar;
    if (!planar || planar->width != width || planar->height != height) {
        av_frame_free(&reader->planar);
        planar = reader->planar = av_frame_alloc();
        if (!planar)
            return false;
        planar->width = width;
        planar->height = height;
        planar->format = AV_PIX_FMT_YUV444P;
        if (av_frame_get_buffer(planar, 0) < 0) {
            av_frame_free(&reader->planar);
            return false;
        }
    }
    if (!cmedia_scale(
            &reader->scaler, reader->threads, source, frame->data, frame->linesize, &target,
            planar->data, planar->linesize))
        return false;
    cmedia_matrix(&target, planar->data, planar->linesize, pixels, stride);
    return true;
}

static bool write_rgb(
    cmedia_reader *reader, int32_t width, int32_t height, enum AVPixelFormat format,
    size_t pixel_size, uint8_t *pixels, size_t stride, cmedia_error *error)
{
    const AVFrame *frame = picture(reader);
    if (!frame || frame->width <= 0 || !frame->data[0])
        return cmedia_fail(error, 0, "no frame has been decoded");
    if (width <= 0 || height <= 0 || width > MAXIMUM_SIDE || height > MAXIMUM_SIDE
        || stride < (size_t)width * pixel_size || stride > INT32_MAX)
        return cmedia_fail(error, 0, "no frame is written as %d by %d pixels", width, height);
    cmedia_layout source = cmedia_layout_of(frame);
    if (format == AV_PIX_FMT_RGB24 && cmedia_is_ycbcr(&source))
        return write_by_matrix(reader, frame, &source, width, height, pixels, stride)
            ? true
            : cmedia_fail(error, 0, "its pixels cannot be converted");
    cmedia_layout target = cmedia_rgb_layout(width, height, format);
    uint8_t *const planes[4] = {pixels};
    const int strides[4] = {(int)stride};
    return cmedia_scale(
               &reader->scaler, reader->threads, &source, frame->data, frame->linesize, &target,
               planes, strides)
        ? true
        : cmedia_fail(error, 0, "its pixels cannot be converted");
}

bool cmedia_write_rgb(
    cmedia_reader *reader, int32_t width, int32_t height, uint8_t *pixels, size_t stride,
    cmedia_error *error)
{
    return write_rgb(reader, width, height, AV_PIX_FMT_RGB24, 3, pixels, stride, error);
}

bool cmedia_write_rgb16(
    cmedia_reader *reader, int32_t width, int32_t height, uint16_t *pixels, size_t stride,
    cmedia_error *error)
{
    return write_rgb(
        reader, width, height, AV_PIX_FMT_RGB48, 6, (uint8_t *)pixels, stride, error);
}

bool cmedia_write_upright(
    cmedia_reader *reader, int32_t width, int32_t height, int32_t orientation, uint8_t *pixels,
    size_t capacity, cmedia_error *error)
{
    bool is_sound = width > 0 && height > 0 && width <= MAXIMUM_SIDE && height <= MAXIMUM_SIDE;
    size_t size = is_sound ? (size_t)width * (size_t)height * 3 : 0;
    if (!is_sound || size > capacity || orientation < 1 || orientation > 8)
        return cmedia_fail(
            error, 0, "no frame is written as %d by %d pixels, orientation %d, in %zu bytes",
            width, height, orientation, capacity);
    size_t stride = (size_t)width * 3;
    if (orientation == 1)
        return cmedia_write_rgb(reader, width, height, pixels, stride, error);
    av_fast_malloc(&reader->coded, &reader->coded_size, size);
    if (!reader->coded)
        return cmedia_fail(error, 0, "out of memory");
    if (!cmedia_write_rgb(reader, width, height, reader->coded, stride, error))
        return false;
    cmedia_turn(reader->coded, width, height, orientation, pixels);
    return true;
}
