/* SPDX-License-Identifier: Apache-2.0 */
#include "reader.h"

#include <libavutil/pixdesc.h>
#include <string.h>

enum {
    /* More than the largest picture that is opened has. */
    MAXIMUM_PIXELS = 1 << 28,
    /* A stream that gives no frame for so many packets is not waited for. */
    MAXIMUM_SILENCE = 4096,
};

static bool is_listed(const char *name)
{
    size_t length = strlen(name);
    for (const char *place = cmedia_codecs; (place = strstr(place, name)); place += length)
        if ((place == cmedia_codecs || place[-1] == ',')
            && (place[length] == ',' || place[length] == 0))
            return true;
    return false;
}

const AVCodec *cmedia_decoder(enum AVCodecID codec)
{
    const AVCodec *found = NULL;
    void *state = NULL;
    while ((found = av_codec_iterate(&state)))
        if (found->id == codec && av_codec_is_decoder(found) && is_listed(found->name)
            && !(found->capabilities & AV_CODEC_CAP_HARDWARE))
            return found;
    return NULL;
}

static bool open_decoder(cmedia_reader *reader, int threads, cmedia_error *error)
{
    const AVCodecParameters *parameters = cmedia_stream(reader)->codecpar;
    const AVCodec *codec = cmedia_decoder(parameters->codec_id);
    if (!codec)
        return cmedia_fail(
            error, 0, "there is no decoder for %s",
            avcodec_get_name(parameters->codec_id));
    reader->decoder = avcodec_alloc_context3(codec);
    reader->packet = av_packet_alloc();
    reader->frame = av_frame_alloc();
    if (!reader->decoder || !reader->packet || !reader->frame)
        return cmedia_fail(error, 0, "there is no memory");
    int status = avcodec_parameters_to_context(reader->decoder, parameters);
    reader->decoder->pkt_timebase = cmedia_stream(reader)->time_base;
    reader->decoder->thread_count = threads > 0 ? threads : 1;
    reader->decoder->max_pixels = MAXIMUM_PIXELS;
    if (status >= 0)
        status = avcodec_open2(reader->decoder, codec, NULL);
    if (status < 0)
        return cmedia_fail(error, status, "%s cannot be decoded", codec->name);
    for (unsigned index = 0; index < reader->format->nb_streams; index++)
        if ((int)index != reader->stream)
            reader->format->streams[index]->discard = AVDISCARD_ALL;
    return true;
}

static bool prepared(cmedia_reader *reader, int threads, cmedia_error *error)
{
    return reader->decoder ? reader->frame != NULL : open_decoder(reader, threads, error);
}

bool cmedia_seek(cmedia_reader *reader, int64_t time, cmedia_error *error)
{
    const AVStream *stream = cmedia_stream(reader);
    int64_t target = av_rescale_q(time, AV_TIME_BASE_Q, stream->time_base);
    int status = av_seek_frame(reader->format, reader->stream, target, AVSEEK_FLAG_BACKWARD);
    if (status < 0)
        return cmedia_fail(error, status, "it cannot be read from another time on");
    if (reader->decoder)
        avcodec_flush_buffers(reader->decoder);
    reader->is_at_end = false;
    return true;
}

/* Gives the decoder the next packet of the video. */
static int feed(cmedia_reader *reader)
{
    for (;;) {
        int status = av_read_frame(reader->format, reader->packet);
        if (status == AVERROR_EOF) {
            reader->is_at_end = true;
            return avcodec_send_packet(reader->decoder, NULL);
        }
        if (status < 0)
            return status;
        if (reader->packet->stream_index == reader->stream) {
            status = avcodec_send_packet(reader->decoder, reader->packet);
            av_packet_unref(reader->packet);
            /* A damaged packet costs frames, not the video. */
            return status == AVERROR_INVALIDDATA ? 0 : status;
        }
        av_packet_unref(reader->packet);
    }
}

int cmedia_next(cmedia_reader *reader, int threads, cmedia_frame *frame, cmedia_error *error)
{
    if (!prepared(reader, threads, error))
        return -1;
    for (int silence = 0; silence < MAXIMUM_SILENCE; silence++) {
        int status = avcodec_receive_frame(reader->decoder, reader->frame);
        if (status == 0) {
            const AVFrame *decoded = reader->frame;
            int64_t time = decoded->best_effort_timestamp;
            frame->width = decoded->width;
            frame->height = decoded->height;
            frame->time = time == AV_NOPTS_VALUE
                ? 0
                : av_rescale_q(time, cmedia_stream(reader)->time_base, AV_TIME_BASE_Q);
            frame->is_damaged =
                decoded->decode_error_flags != 0 || decoded->flags & AV_FRAME_FLAG_CORRUPT;
            return 1;
        }
        if (status == AVERROR_EOF)
            return 0;
        if (status != AVERROR(EAGAIN) && status != AVERROR_INVALIDDATA) {
            cmedia_fail(error, status, "it cannot be decoded");
            return -1;
        }
        if (status == AVERROR(EAGAIN) && !reader->is_at_end && (status = feed(reader)) < 0) {
            cmedia_fail(error, status, "it cannot be read");
            return -1;
        }
    }
    cmedia_fail(error, 0, "it has no frames that can be decoded");
    return -1;
}

/* What a player takes where the file says nothing: BT.709 for high definition, else BT.601. */
static int matrix(const AVFrame *frame)
{
    switch (frame->colorspace) {
    case AVCOL_SPC_BT709: return SWS_CS_ITU709;
    case AVCOL_SPC_FCC: return SWS_CS_FCC;
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M: return SWS_CS_ITU601;
    case AVCOL_SPC_SMPTE240M: return SWS_CS_SMPTE240M;
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL: return SWS_CS_BT2020;
    default: return frame->height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601;
    }
}

/* The formats whose names say that they are of full range are deprecated, and mean the same. */
static enum AVPixelFormat without_range(enum AVPixelFormat format, int *is_full)
{
    switch (format) {
    case AV_PIX_FMT_YUVJ420P: *is_full = 1; return AV_PIX_FMT_YUV420P;
    case AV_PIX_FMT_YUVJ422P: *is_full = 1; return AV_PIX_FMT_YUV422P;
    case AV_PIX_FMT_YUVJ444P: *is_full = 1; return AV_PIX_FMT_YUV444P;
    case AV_PIX_FMT_YUVJ440P: *is_full = 1; return AV_PIX_FMT_YUV440P;
    default: return format;
    }
}

bool cmedia_write_rgb(
    cmedia_reader *reader, int32_t width, int32_t height, uint8_t *pixels, size_t stride,
    cmedia_error *error)
{
    const AVFrame *frame = reader->frame;
    if (!frame || frame->width <= 0 || !frame->data[0])
        return cmedia_fail(error, 0, "no frame has been decoded");
    int is_full = frame->color_range == AVCOL_RANGE_JPEG;
    enum AVPixelFormat format = without_range(frame->format, &is_full);
    reader->scaler = sws_getCachedContext(
        reader->scaler, frame->width, frame->height, format, width, height, AV_PIX_FMT_RGB24,
        SWS_BICUBIC | SWS_FULL_CHR_H_INT | SWS_ACCURATE_RND, NULL, NULL, NULL);
    if (!reader->scaler)
        return cmedia_fail(error, 0, "its pixels cannot be converted");
    const int *coefficients = sws_getCoefficients(matrix(frame));
    sws_setColorspaceDetails(
        reader->scaler, coefficients, is_full, coefficients, 1, 0, 1 << 16, 1 << 16);
    uint8_t *planes[4] = {pixels};
    int strides[4] = {(int)stride};
    int rows = sws_scale(
        reader->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height,
        planes, strides);
    return rows == height ? true : cmedia_fail(error, 0, "its pixels cannot be converted");
}
