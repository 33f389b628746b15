/* SPDX-License-Identifier: Apache-2.0 */
#include "writer.h"

#include <libavutil/opt.h>
#include <stdio.h>
#include <string.h>

static bool set_codec_options(
    AVCodecContext *encoder, const cmedia_writing *writing, cmedia_error *error)
{
    char parameters[128];
    bool is_hevc = strcmp(writing->codec, "libx265") == 0;
    /* Results must not depend on the processor or on its number of cores. */
    if (is_hevc)
        snprintf(
            parameters, sizeof parameters, "log-level=none:info=0:pools=%d:frame-threads=%d",
            writing->threads, writing->threads < 4 ? 1 : 2);
    else
        snprintf(parameters, sizeof parameters, "cpu-independent=1");
    char quality[16];
    snprintf(quality, sizeof quality, "%d", writing->quality);
    int status = av_opt_set(encoder->priv_data, "preset", writing->preset, 0);
    if (status >= 0)
        status = av_opt_set(encoder->priv_data, "crf", quality, 0);
    if (status >= 0)
        status = av_opt_set(
            encoder->priv_data, is_hevc ? "x265-params" : "x264-params", parameters, 0);
    /* x264 chooses the profile for lossless encoding, which High does not support. */
    if (status >= 0 && !is_hevc && writing->quality > 0)
        status = av_opt_set(encoder->priv_data, "profile", "high", 0);
    return status < 0 ? cmedia_fail(error, status, "%s cannot be set up", writing->codec) : true;
}

AVCodecContext *cmedia_open_encoder(
    const cmedia_writing *writing, AVRational rate, bool has_global_header, cmedia_error *error)
{
    const AVCodec *codec = avcodec_find_encoder_by_name(writing->codec);
    AVCodecContext *encoder = codec ? avcodec_alloc_context3(codec) : NULL;
    if (!encoder) {
        cmedia_fail(error, 0, "FFmpeg has no encoder %s here", writing->codec);
        return NULL;
    }
    encoder->width = writing->width;
    encoder->height = writing->height;
    encoder->pix_fmt = AV_PIX_FMT_YUV420P;
    encoder->color_range = AVCOL_RANGE_MPEG;
    encoder->colorspace = AVCOL_SPC_BT709;
    encoder->color_primaries = AVCOL_PRI_BT709;
    encoder->color_trc = AVCOL_TRC_BT709;
    encoder->chroma_sample_location = AVCHROMA_LOC_LEFT;
    encoder->sample_aspect_ratio = (AVRational){1, 1};
    encoder->time_base = (AVRational){1, writing->time_base_denominator};
    if (rate.num > 0 && rate.den > 0)
        encoder->framerate = rate;
    encoder->thread_count = writing->threads;
    encoder->flags |= AV_CODEC_FLAG_BITEXACT;
    if (has_global_header)
        encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    bool is_set = set_codec_options(encoder, writing, error);
    int status = is_set ? avcodec_open2(encoder, codec, NULL) : 0;
    if (is_set && status >= 0)
        return encoder;
    if (status < 0)
        cmedia_fail(
            error, status, "%s takes no frames of %d by %d pixels", writing->codec,
            writing->width, writing->height);
    avcodec_free_context(&encoder);
    return NULL;
}

AVFrame *cmedia_make_frame(const AVCodecContext *encoder)
{
    AVFrame *frame = av_frame_alloc();
    if (!frame)
        return NULL;
    frame->width = encoder->width;
    frame->height = encoder->height;
    frame->format = encoder->pix_fmt;
    frame->color_range = encoder->color_range;
    frame->colorspace = encoder->colorspace;
    frame->color_primaries = encoder->color_primaries;
    frame->color_trc = encoder->color_trc;
    frame->chroma_location = encoder->chroma_sample_location;
    if (av_frame_get_buffer(frame, 0) < 0)
        av_frame_free(&frame);
    return frame;
}
