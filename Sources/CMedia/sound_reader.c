/* SPDX-License-Identifier: Apache-2.0 */
#include "sound.h"

#include <libavutil/common.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cmedia_sound_reader {
    int descriptor;
    uint64_t omitted;
    int rate;           /* samples per second, and channels: the size of the caller's memory depends on them */
    int channels;
    cmedia_reader *file;
    int stream;
    AVCodecContext *decoder;
    AVPacket *packet;
    AVFrame *frame;     /* the current samples */
    bool has_frame;
    int changed;        /* number of frames in sequence that were dropped because they differ */
    bool has_begun;     /* whether `next` is known */
    bool is_at_start;   /* whether nothing has been read since the file was opened */
    bool is_at_end;     /* whether all packets have been read */
    int64_t origin;     /* start of the video; this and the following times are counted in samples */
    int64_t position;   /* of the first of the current samples */
    int64_t next;       /* end of the last decoded samples */
};

enum {
    /* Fractions of a second: how far before a time decoding starts, because decoders depend on earlier packets; the
     * shortest gap. */
    LEAD = 5,
    GAP = 64,
    /* Frames in sequence with another rate or number of channels, which damage may cause. */
    MAXIMUM_CHANGED = 16,
};

static const AVStream *sound_of(const cmedia_sound_reader *reader)
{
    return reader->file->format->streams[reader->stream];
}

/* Opens the file at its start. */
static bool open_file(cmedia_sound_reader *reader, cmedia_error *error)
{
    avcodec_free_context(&reader->decoder);
    cmedia_close(reader->file);
    reader->has_frame = reader->has_begun = reader->is_at_end = false;
    reader->is_at_start = true;
    reader->file = cmedia_open_whole(reader->descriptor, error);
    if (!reader->file)
        return false;
    AVFormatContext *format = reader->file->format;
    reader->stream = cmedia_played_stream(format, AVMEDIA_TYPE_AUDIO, reader->omitted);
    if (reader->stream < 0 || sound_of(reader)->codecpar->sample_rate <= 0)
        return cmedia_fail(error, 0, "it has no sound");
    for (unsigned index = 0; index < format->nb_streams; index++)
        if ((int)index != reader->stream)
            cmedia_skip(format, index);
    reader->decoder = cmedia_open_sound_decoder(sound_of(reader), error);
    return reader->decoder != NULL;
}

/* Returns whether a format is the one with which the file was first opened. */
static bool is_same(
    const cmedia_sound_reader *reader, int rate, const AVChannelLayout *layout, cmedia_error *error)
{
    return (rate == reader->rate && layout->nb_channels == reader->channels)
        || cmedia_fail(error, 0, "its sound changes its rate or number of channels");
}

static bool open_again(cmedia_sound_reader *reader, cmedia_error *error)
{
    if (!open_file(reader, error))
        return false;
    const AVCodecParameters *from = sound_of(reader)->codecpar;
    return is_same(reader, from->sample_rate, &from->ch_layout, error);
}

cmedia_sound_reader *cmedia_open_sound(
    int descriptor, uint64_t omitted_streams, int64_t origin, cmedia_sound_format *format,
    cmedia_error *error)
{
    cmedia_sound_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        cmedia_fail(error, 0, "out of memory");
        return NULL;
    }
    reader->descriptor = descriptor;
    reader->omitted = omitted_streams;
    reader->packet = av_packet_alloc();
    reader->frame = av_frame_alloc();
    bool is_open = reader->packet && reader->frame ? open_file(reader, error)
                                                   : cmedia_fail(error, 0, "out of memory");
    if (!is_open) {
        cmedia_close_sound(reader);
        return NULL;
    }
    reader->rate = sound_of(reader)->codecpar->sample_rate;
    reader->channels = sound_of(reader)->codecpar->ch_layout.nb_channels;
    format->sample_rate = reader->rate;
    format->channel_count = reader->channels;
    reader->origin = av_rescale_q(origin, AV_TIME_BASE_Q, (AVRational){1, reader->rate});
    return reader;
}

void cmedia_close_sound(cmedia_sound_reader *reader)
{
    if (!reader)
        return;
    av_packet_free(&reader->packet);
    av_frame_free(&reader->frame);
    avcodec_free_context(&reader->decoder);
    cmedia_close(reader->file);
    free(reader);
}

/* Sets the time of the decoded samples: after the previous ones, unless there is a gap. */
static void place(cmedia_sound_reader *reader)
{
    int64_t time = reader->frame->best_effort_timestamp;
    if (time != AV_NOPTS_VALUE)
        time = av_rescale_q(time, sound_of(reader)->time_base, (AVRational){1, reader->rate});
    if (!reader->has_begun)
        reader->next = time == AV_NOPTS_VALUE ? 0 : time;
    else if (time != AV_NOPTS_VALUE && time > av_sat_add64(reader->next, reader->rate / GAP))
        reader->next = time;
    reader->has_begun = true;
    reader->position = reader->next;
    reader->next = av_sat_add64(reader->next, reader->frame->nb_samples);
}

/* Sends the next packet to the decoder. Packets that cannot be decoded become silence, as in players. */
static void feed(cmedia_sound_reader *reader)
{
    while (cmedia_read(reader->file->format, reader->packet) >= 0) {
        bool is_sound = reader->packet->stream_index == reader->stream && reader->packet->size > 0;
        if (is_sound)
            avcodec_send_packet(reader->decoder, reader->packet);
        av_packet_unref(reader->packet);
        if (is_sound)
            return;
    }
    reader->is_at_end = true;
    avcodec_send_packet(reader->decoder, NULL);
}

/* Decodes the next samples, if there are any. */
static bool decode(cmedia_sound_reader *reader, cmedia_error *error)
{
    reader->has_frame = reader->is_at_start = false;
    for (;;) {
        int status = avcodec_receive_frame(reader->decoder, reader->frame);
        const AVFrame *frame = reader->frame;
        if (status == 0 && frame->nb_samples > 0) {
            /* Frames that differ for a moment are damaged. They become silence. */
            if (!is_same(reader, frame->sample_rate, &frame->ch_layout, error)) {
                if (++reader->changed > MAXIMUM_CHANGED)
                    return false;
                continue;
            }
            reader->changed = 0;
            place(reader);
            reader->has_frame = true;
            return true;
        }
        if (status == AVERROR_EOF || (status != 0 && reader->is_at_end))
            return true;
        if (status == 0)
            continue;
        feed(reader);
        if (!cmedia_is_intact(reader->file->format, error))
            return false;
    }
}

/* Decodes samples at or before a time by seeking. Returns false if seeking fails, or leads behind that time. */
static bool seek(cmedia_sound_reader *reader, int64_t time)
{
    cmedia_error error;
    if (reader->file->restarts)
        return false;
    int64_t start = av_sat_sub64(time, reader->rate / LEAD);
    int64_t target = av_rescale_q(start, (AVRational){1, reader->rate}, sound_of(reader)->time_base);
    target = av_sat_add64(target, cmedia_clock_start(reader->file, sound_of(reader)));
    if (av_seek_frame(reader->file->format, reader->stream, target, AVSEEK_FLAG_BACKWARD) < 0)
        return false;
    avcodec_flush_buffers(reader->decoder);
    reader->has_begun = reader->is_at_end = false;
    return decode(reader, &error) && reader->has_frame && reader->position <= time;
}

/* Decodes the samples that contain a time, or the first ones after it. */
static bool reach(cmedia_sound_reader *reader, int64_t time, cmedia_error *error)
{
    bool is_past_end = reader->is_at_end && !reader->has_frame && time >= reader->next;
    bool is_near = reader->is_at_start ? time < av_sat_add64(reader->origin, reader->rate)
                                       : reader->has_frame && reader->position <= time
            && (reader->file->restarts || av_sat_sub64(time, reader->position) < reader->rate);
    if (is_past_end)
        return true;
    if (!is_near && !seek(reader, time) && !open_again(reader, error))
        return false;
    while (!reader->has_frame || reader->next <= time) {
        if (!decode(reader, error))
            return false;
        if (!reader->has_frame)
            break;
    }
    return true;
}

static void copy(const cmedia_sound_reader *reader, int64_t first, int32_t count, float *samples)
{
    int wide = reader->channels;
    for (int index = 0; index < reader->frame->nb_samples; index++) {
        int64_t target = av_sat_sub64(av_sat_add64(reader->position, index), first);
        if (target < 0 || target >= count)
            continue;
        for (int channel = 0; channel < wide; channel++) {
            double value = cmedia_sample(reader->frame, channel, index);
            samples[target * wide + channel] = isfinite(value) ? (float)value : 0;
        }
    }
}

bool cmedia_read_sound(
    cmedia_sound_reader *reader, int64_t first, int32_t count, float *samples, cmedia_error *error)
{
    memset(samples, 0, (size_t)count * (size_t)reader->channels * sizeof *samples);
    if (!reader->decoder) /* It could not be opened again. */
        return cmedia_fail(error, 0, "its sound cannot be read");
    int64_t start = av_sat_add64(first, reader->origin);
    int64_t end = av_sat_add64(start, count);
    if (!reach(reader, start, error))
        return false;
    while (reader->has_frame && reader->position < end) {
        copy(reader, start, count, samples);
        if (reader->next > end)
            break;
        if (!decode(reader, error))
            return false;
    }
    return true;
}
