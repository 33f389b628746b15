/* SPDX-License-Identifier: Apache-2.0 */
#include "sound.h"

#include "aac.h"
#include "decoded_sound.h"
#include "writer.h"

#include <libavutil/avstring.h>
#include <libavutil/intreadwrite.h>
#include <math.h>
#include <string.h>

enum {
    SILENCE = 1 << 16, /* the largest packet of silence, in samples */
};

/* In bytes, 3 hours of stereo at 48 kHz: how much silence gaps may become. In further gaps only the times jump. */
static const int64_t MAXIMUM_SILENCE = INT64_C(1) << 31;

struct cmedia_sound {
    cmedia_decoded_sound decoded;
    AVFrame *frame;
    cmedia_aac *aac; /* NULL if 16-bit samples are written */
    double volume;
    int64_t next;   /* time of the next sample, counted in samples */
    int64_t gap;    /* silent samples to be written before `frame` */
    int64_t silence; /* bytes of silence so far */
    bool has_frame; /* whether `frame` has not been written yet */
    bool has_begun;
};

AVCodecContext *cmedia_open_sound_decoder(const AVStream *source, cmedia_error *error)
{
    const AVCodecParameters *from = source->codecpar;
    const AVCodec *codec = avcodec_find_decoder(from->codec_id);
    int channels = from->ch_layout.nb_channels;
    if (!codec || !av_match_name(codec->name, cmedia_sound_codecs) || from->sample_rate <= 0
        || channels <= 0 || channels > 64) {
        cmedia_fail(
            error, 0, "its sound, %s, cannot be decoded", avcodec_get_name(from->codec_id));
        return NULL;
    }
    AVCodecContext *decoder = avcodec_alloc_context3(codec);
    int status = AVERROR(ENOMEM);
    if (decoder && (status = avcodec_parameters_to_context(decoder, from)) >= 0) {
        decoder->pkt_timebase = source->time_base;
        decoder->thread_count = 1;
        status = avcodec_open2(decoder, codec, NULL);
    }
    if (status >= 0)
        return decoder;
    cmedia_fail(error, status, "its sound cannot be decoded");
    avcodec_free_context(&decoder);
    return NULL;
}

cmedia_sound *cmedia_sound_open(
    const AVStream *source, AVStream *target, double volume, cmedia_error *error)
{
    const AVCodecParameters *from = source->codecpar;
    cmedia_sound *sound = av_mallocz(sizeof *sound);
    if (!sound) {
        cmedia_fail(error, 0, "out of memory");
        return NULL;
    }
    sound->volume = volume;
    sound->frame = av_frame_alloc();
    AVCodecParameters *to = target->codecpar;
    bool is_open = cmedia_decoded_sound_open(&sound->decoded, source, error);
    if (is_open && (!sound->frame || av_channel_layout_copy(&to->ch_layout, &from->ch_layout) < 0))
        is_open = cmedia_fail(error, 0, "out of memory");
    if (!is_open) {
        cmedia_sound_close(&sound);
        return NULL;
    }
    int channels = sound->decoded.channels;
    to->codec_type = AVMEDIA_TYPE_AUDIO;
    to->codec_id = AV_CODEC_ID_PCM_S16LE;
    to->format = AV_SAMPLE_FMT_S16;
    to->sample_rate = from->sample_rate;
    to->bits_per_coded_sample = 16;
    to->block_align = channels * 2;
    to->bit_rate = (int64_t)from->sample_rate * channels * 16;
    target->time_base = (AVRational){1, from->sample_rate};
    return sound;
}

cmedia_sound *cmedia_sound_open_aac(const AVStream *source, cmedia_error *error)
{
    cmedia_sound *sound = av_mallocz(sizeof *sound);
    if (!sound || !(sound->frame = av_frame_alloc())) {
        cmedia_fail(error, 0, "out of memory");
        av_free(sound);
        return NULL;
    }
    if (cmedia_decoded_sound_open(&sound->decoded, source, error))
        sound->aac = cmedia_aac_open(sound->decoded.decoder, error);
    if (!sound->aac)
        cmedia_sound_close(&sound);
    return sound;
}

bool cmedia_sound_describe(const cmedia_sound *sound, AVStream *target, cmedia_error *error)
{
    return cmedia_aac_describe(sound->aac, target, error);
}

void cmedia_sound_close(cmedia_sound **sound)
{
    if (!*sound)
        return;
    cmedia_aac_close(&(*sound)->aac);
    av_frame_free(&(*sound)->frame);
    cmedia_decoded_sound_close(&(*sound)->decoded);
    av_freep(sound);
}

double cmedia_sample(const AVFrame *frame, int channel, int index)
{
    bool is_planar = av_sample_fmt_is_planar(frame->format);
    const void *plane = frame->extended_data[is_planar ? channel : 0];
    int place = is_planar ? index : index * frame->ch_layout.nb_channels + channel;
    switch (av_get_packed_sample_fmt(frame->format)) {
    case AV_SAMPLE_FMT_U8: return (((const uint8_t *)plane)[place] - 128) / 128.0;
    case AV_SAMPLE_FMT_S16: return ((const int16_t *)plane)[place] / 32768.0;
    case AV_SAMPLE_FMT_S32: return ((const int32_t *)plane)[place] / 2147483648.0;
    case AV_SAMPLE_FMT_FLT: return (double)((const float *)plane)[place];
    case AV_SAMPLE_FMT_DBL: return ((const double *)plane)[place];
    default: return 0;
    }
}

static bool make_packet(cmedia_sound *sound, AVPacket *packet, cmedia_error *error)
{
    const AVFrame *frame = sound->frame;
    int channels = frame->ch_layout.nb_channels;
    int64_t size = (int64_t)frame->nb_samples * channels * 2;
    if (size > INT32_MAX / 2 || av_new_packet(packet, (int)size) < 0)
        return cmedia_fail(error, 0, "out of memory for sound");
    for (int index = 0; index < frame->nb_samples; index++)
        for (int channel = 0; channel < channels; channel++) {
            double value = cmedia_sample(frame, channel, index) * sound->volume * 32768;
            /* NaN and infinities become silence. */
            long rounded = isfinite(value) ? lrint(FFMAX(-32768, FFMIN(32767, value))) : 0;
            AV_WL16(packet->data + 2 * ((int64_t)index * channels + channel), (int16_t)rounded);
        }
    packet->pts = packet->dts = sound->next;
    packet->duration = frame->nb_samples;
    sound->next = av_sat_add64(sound->next, frame->nb_samples);
    return true;
}

/* Makes a packet of the silence before the decoded samples. */
static bool make_silence(cmedia_sound *sound, AVPacket *packet, cmedia_error *error)
{
    int count = (int)FFMIN(sound->gap, SILENCE);
    int size = count * sound->decoded.channels * 2;
    if (av_new_packet(packet, size) < 0)
        return cmedia_fail(error, 0, "out of memory for sound");
    memset(packet->data, 0, (size_t)size);
    packet->pts = packet->dts = sound->next;
    packet->duration = count;
    sound->next = av_sat_add64(sound->next, count);
    sound->gap -= count;
    return true;
}

/* Sets the time of the decoded samples, `limit` at most. A MOV stores no times of 16-bit samples, so silence fills a
 * gap before them; the encoder of AAC fills gaps itself. */
static void place(cmedia_sound *sound, int64_t time, int64_t limit)
{
    time = FFMIN(time, limit);
    int64_t gap = av_sat_sub64(time, sound->next);
    int64_t width = sound->decoded.channels * 2;
    if (sound->has_begun && !sound->aac && gap > 0 && gap <= (MAXIMUM_SILENCE - sound->silence) / width) {
        sound->gap = gap;
        sound->silence += gap * width;
    } else if (!sound->has_begun || gap > 0)
        sound->next = time;
    sound->has_begun = true;
}

void cmedia_sound_send(cmedia_sound *sound, const AVPacket *packet)
{
    cmedia_decoded_sound_send(&sound->decoded, packet);
}

/* Converts the decoded frame, after the silence before it. Returns 1 if there is a packet, 0 if more frames are needed,
 * -1 on error. */
static int convert(cmedia_sound *sound, AVPacket *packet, cmedia_error *error)
{
    if (sound->gap > 0)
        return make_silence(sound, packet, error) ? 1 : -1;
    sound->has_frame = false;
    if (!sound->aac)
        return make_packet(sound, packet, error) ? 1 : -1;
    if (!cmedia_aac_add(sound->aac, sound->frame, sound->next, error))
        return -1;
    sound->next = av_sat_add64(sound->next, sound->frame->nb_samples);
    return cmedia_aac_receive(sound->aac, packet, false, error);
}

int cmedia_sound_receive(cmedia_sound *sound, AVPacket *packet, int64_t limit, cmedia_error *error)
{
    int found = sound->aac ? cmedia_aac_receive(sound->aac, packet, false, error) : 0;
    while (found == 0) {
        if (!sound->has_frame) {
            int64_t time;
            int decoded = cmedia_decoded_sound_receive(&sound->decoded, sound->frame, &time, error);
            if (decoded < 0)
                return -1;
            if (decoded == 0)
                break;
            place(sound, time, limit);
            sound->has_frame = true;
        }
        found = convert(sound, packet, error);
    }
    return found == 0 && sound->aac && sound->decoded.is_ending
        ? cmedia_aac_receive(sound->aac, packet, true, error)
        : found;
}
