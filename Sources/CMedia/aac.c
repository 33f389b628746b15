/* SPDX-License-Identifier: Apache-2.0 */
#include "aac.h"

#include "sound.h"

#include <libavutil/audio_fifo.h>
#include <math.h>
#include <string.h>

enum {
    MAXIMUM_CHANNELS = 64,
    BIT_RATE = 96000, /* for each channel */
    /* In seconds, of each gap, and of all: in longer or further gaps the times jump. */
    MAXIMUM_SILENCE = 10,
    MAXIMUM_SUM = 10800,
};

struct cmedia_aac {
    AVCodecContext *encoder;
    AVAudioFifo *waiting;
    AVFrame *frame;
    float *planes[2];
    int capacity;      /* of each plane, in samples */
    int64_t next;      /* time of the first waiting sample */
    int64_t silence;   /* samples of silence so far */
    bool has_begun;
    bool is_flushing;
    float weights[MAXIMUM_CHANNELS][2]; /* the share of each channel of the source in the left and the right one */
};

/* Returns -1 for channels on the left, 1 for those on the right, 0 for the others. */
static int side(enum AVChannel channel)
{
    switch (channel) {
    case AV_CHAN_FRONT_LEFT: case AV_CHAN_BACK_LEFT: case AV_CHAN_FRONT_LEFT_OF_CENTER:
    case AV_CHAN_SIDE_LEFT: case AV_CHAN_TOP_FRONT_LEFT: case AV_CHAN_TOP_BACK_LEFT:
    case AV_CHAN_STEREO_LEFT: case AV_CHAN_WIDE_LEFT:
        return -1;
    case AV_CHAN_FRONT_RIGHT: case AV_CHAN_BACK_RIGHT: case AV_CHAN_FRONT_RIGHT_OF_CENTER:
    case AV_CHAN_SIDE_RIGHT: case AV_CHAN_TOP_FRONT_RIGHT: case AV_CHAN_TOP_BACK_RIGHT:
    case AV_CHAN_STEREO_RIGHT: case AV_CHAN_WIDE_RIGHT:
        return 1;
    default: return 0;
    }
}

/* Sets how the channels of the source are mixed, so that the sum of their shares is 1. */
static void set_weights(cmedia_aac *aac, const AVChannelLayout *layout)
{
    int count = layout->nb_channels;
    AVChannelLayout usual = {0};
    av_channel_layout_default(&usual, count);
    const AVChannelLayout *known = layout->order == AV_CHANNEL_ORDER_UNSPEC ? &usual : layout;
    double sums[2] = {0, 0};
    for (int index = 0; index < count; index++) {
        enum AVChannel channel = av_channel_layout_channel_from_index(known, (unsigned)index);
        bool is_bass = channel == AV_CHAN_LOW_FREQUENCY && count > 1;
        int where = count == 1 ? 0 : side(channel);
        for (int to = 0; to < 2; to++) {
            double weight = where == 0 ? M_SQRT1_2 : where == (to == 0 ? -1 : 1) ? 1 : 0;
            aac->weights[index][to] = is_bass ? 0 : (float)weight;
            sums[to] += (double)aac->weights[index][to];
        }
    }
    for (int index = 0; index < count; index++)
        for (int to = 0; to < 2; to++)
            if (sums[to] > 0)
                aac->weights[index][to] /= (float)sums[to];
    av_channel_layout_uninit(&usual);
}

static bool open_encoder(cmedia_aac *aac, const AVCodecContext *decoder, cmedia_error *error)
{
    const AVCodec *codec = avcodec_find_encoder_by_name("aac");
    aac->encoder = codec ? avcodec_alloc_context3(codec) : NULL;
    if (!aac->encoder)
        return cmedia_fail(error, 0, "FFmpeg has no encoder for AAC here");
    int channels = decoder->ch_layout.nb_channels == 1 ? 1 : 2;
    AVCodecContext *encoder = aac->encoder;
    av_channel_layout_default(&encoder->ch_layout, channels);
    encoder->sample_fmt = AV_SAMPLE_FMT_FLTP;
    encoder->sample_rate = decoder->sample_rate;
    encoder->time_base = (AVRational){1, decoder->sample_rate};
    encoder->bit_rate = (int64_t)BIT_RATE * channels;
    encoder->thread_count = 1;
    encoder->flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER;
    int status = avcodec_open2(encoder, codec, NULL);
    return status < 0 ? cmedia_fail(error, status, "its sound cannot be encoded") : true;
}

cmedia_aac *cmedia_aac_open(const AVCodecContext *decoder, cmedia_error *error)
{
    int channels = decoder->ch_layout.nb_channels;
    if (channels <= 0 || channels > MAXIMUM_CHANNELS) {
        cmedia_fail(error, 0, "its sound has %d channels", channels);
        return NULL;
    }
    cmedia_aac *aac = av_mallocz(sizeof *aac);
    if (!aac || !open_encoder(aac, decoder, error)) {
        if (!aac)
            cmedia_fail(error, 0, "out of memory");
        cmedia_aac_close(&aac);
        return NULL;
    }
    set_weights(aac, &decoder->ch_layout);
    aac->frame = av_frame_alloc();
    aac->waiting = av_audio_fifo_alloc(
        AV_SAMPLE_FMT_FLTP, aac->encoder->ch_layout.nb_channels, aac->encoder->frame_size);
    if (aac->frame && aac->waiting)
        return aac;
    cmedia_fail(error, 0, "out of memory");
    cmedia_aac_close(&aac);
    return NULL;
}

void cmedia_aac_close(cmedia_aac **aac)
{
    if (!*aac)
        return;
    av_audio_fifo_free((*aac)->waiting);
    av_frame_free(&(*aac)->frame);
    avcodec_free_context(&(*aac)->encoder);
    for (int plane = 0; plane < 2; plane++)
        av_freep(&(*aac)->planes[plane]);
    av_freep(aac);
}

bool cmedia_aac_describe(const cmedia_aac *aac, AVStream *target, cmedia_error *error)
{
    target->time_base = aac->encoder->time_base;
    int status = avcodec_parameters_from_context(target->codecpar, aac->encoder);
    return status < 0 ? cmedia_fail(error, status, "out of memory") : true;
}

static bool reserve(cmedia_aac *aac, int count, cmedia_error *error)
{
    if (count <= aac->capacity)
        return true;
    for (int plane = 0; plane < 2; plane++) {
        av_freep(&aac->planes[plane]);
        aac->planes[plane] = av_calloc((size_t)count, sizeof(float));
    }
    aac->capacity = aac->planes[0] && aac->planes[1] ? count : 0;
    return aac->capacity > 0 ? true : cmedia_fail(error, 0, "out of memory for sound");
}

static bool append(cmedia_aac *aac, int count, cmedia_error *error)
{
    void *planes[2] = {aac->planes[0], aac->planes[1]};
    return av_audio_fifo_write(aac->waiting, planes, count) == count
        ? true
        : cmedia_fail(error, 0, "out of memory for sound");
}

/* Appends silence up to a time, or moves the waiting samples to it. */
static bool fill(cmedia_aac *aac, int64_t time, cmedia_error *error)
{
    int size = av_audio_fifo_size(aac->waiting);
    int64_t gap = av_sat_sub64(time, av_sat_add64(aac->next, size)), rate = aac->encoder->sample_rate;
    if (!aac->has_begun || gap > FFMIN(MAXIMUM_SILENCE * rate, MAXIMUM_SUM * rate - aac->silence))
        aac->next = av_sat_sub64(time, size);
    else if (gap > 0) {
        if (!reserve(aac, (int)gap, error))
            return false;
        for (int plane = 0; plane < 2; plane++)
            memset(aac->planes[plane], 0, (size_t)gap * sizeof(float));
        if (!append(aac, (int)gap, error))
            return false;
        aac->silence += gap;
    }
    aac->has_begun = true;
    return true;
}

bool cmedia_aac_add(cmedia_aac *aac, const AVFrame *frame, int64_t time, cmedia_error *error)
{
    int channels = frame->ch_layout.nb_channels;
    if (!fill(aac, time, error) || !reserve(aac, frame->nb_samples, error))
        return false;
    for (int to = 0; to < aac->encoder->ch_layout.nb_channels; to++)
        for (int index = 0; index < frame->nb_samples; index++) {
            double sum = 0;
            for (int channel = 0; channel < channels; channel++)
                if (aac->weights[channel][to] > 0)
                    sum += (double)aac->weights[channel][to] * cmedia_sample(frame, channel, index);
            /* NaN and infinities become silence. */
            aac->planes[to][index] = isfinite(sum) ? (float)FFMAX(-1, FFMIN(1, sum)) : 0;
        }
    return append(aac, frame->nb_samples, error);
}

/* Sends waiting samples to the encoder: a whole frame, or at the end the rest. Returns 1 if something was sent, 0
 * if more samples are needed, -1 on error. */
static int send(cmedia_aac *aac, bool is_ending, cmedia_error *error)
{
    int size = av_audio_fifo_size(aac->waiting), whole = aac->encoder->frame_size;
    if (size < whole && (!is_ending || aac->is_flushing))
        return 0;
    int count = FFMIN(size, whole), status;
    if (count == 0) {
        aac->is_flushing = true;
        status = avcodec_send_frame(aac->encoder, NULL);
    } else {
        AVFrame *frame = aac->frame;
        av_frame_unref(frame);
        frame->nb_samples = count;
        frame->format = aac->encoder->sample_fmt;
        frame->sample_rate = aac->encoder->sample_rate;
        frame->pts = aac->next;
        aac->next = av_sat_add64(aac->next, count);
        status = av_channel_layout_copy(&frame->ch_layout, &aac->encoder->ch_layout);
        if (status >= 0)
            status = av_frame_get_buffer(frame, 0);
        if (status >= 0)
            status = av_audio_fifo_read(aac->waiting, (void **)frame->extended_data, count);
        if (status >= 0)
            status = avcodec_send_frame(aac->encoder, frame);
    }
    if (status >= 0)
        return 1;
    cmedia_fail(error, status, "its sound cannot be encoded");
    return -1;
}

int cmedia_aac_receive(cmedia_aac *aac, AVPacket *packet, bool is_ending, cmedia_error *error)
{
    while (true) {
        int status = avcodec_receive_packet(aac->encoder, packet);
        if (status >= 0)
            return 1;
        if (status == AVERROR_EOF)
            return 0;
        if (status != AVERROR(EAGAIN)) {
            cmedia_fail(error, status, "its sound cannot be encoded");
            return -1;
        }
        status = send(aac, is_ending, error);
        if (status <= 0)
            return status;
    }
}
