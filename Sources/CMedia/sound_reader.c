/* SPDX-License-Identifier: Apache-2.0 */
#include "decoded_sound.h"
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
    cmedia_decoded_sound decoded;
    AVPacket *packet;
    AVFrame *frame;     /* the current samples */
    bool has_frame;
    bool is_at_start;   /* whether nothing has been read since the file was opened */
    bool is_at_end;     /* whether all packets have been read */
    int64_t origin;     /* start of the video; this and the following times are counted in samples */
    int64_t position;   /* of the first of the current samples */
    int64_t next;       /* end of the last decoded samples */
};

enum {
    /* A fraction of a second: how far before a time decoding starts, because decoders depend on earlier packets. */
    LEAD = 5,
};

static const AVStream *sound_of(const cmedia_sound_reader *reader)
{
    return reader->file->format->streams[reader->stream];
}

/* Opens the file at its start. */
static bool open_file(cmedia_sound_reader *reader, cmedia_error *error)
{
    cmedia_decoded_sound_close(&reader->decoded);
    cmedia_close(reader->file);
    reader->has_frame = reader->is_at_end = false;
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
    return cmedia_decoded_sound_open(&reader->decoded, sound_of(reader), error);
}

static bool open_again(cmedia_sound_reader *reader, cmedia_error *error)
{
    if (!open_file(reader, error))
        return false;
    if (reader->decoded.rate == reader->rate && reader->decoded.channels == reader->channels)
        return true;
    cmedia_decoded_sound_close(&reader->decoded);
    return cmedia_fail(error, 0, "its sound changes its rate or number of channels");
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
    reader->rate = reader->decoded.rate;
    reader->channels = reader->decoded.channels;
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
    cmedia_decoded_sound_close(&reader->decoded);
    cmedia_close(reader->file);
    free(reader);
}

/* Sends the next packet to the decoder. */
static void feed(cmedia_sound_reader *reader)
{
    while (cmedia_read(reader->file->format, reader->packet) >= 0) {
        bool is_sound = reader->packet->stream_index == reader->stream && reader->packet->size > 0;
        if (is_sound)
            cmedia_decoded_sound_send(&reader->decoded, reader->packet);
        av_packet_unref(reader->packet);
        if (is_sound)
            return;
    }
    reader->is_at_end = true;
    cmedia_decoded_sound_send(&reader->decoded, NULL);
}

/* Decodes the next samples, if there are any. */
static bool decode(cmedia_sound_reader *reader, cmedia_error *error)
{
    reader->has_frame = reader->is_at_start = false;
    int found = 0;
    while (found == 0) {
        found = cmedia_decoded_sound_receive(&reader->decoded, reader->frame, &reader->position, error);
        if (found != 0 || reader->is_at_end)
            break;
        feed(reader);
        if (!cmedia_is_intact(reader->file->format, error))
            found = -1;
    }
    reader->has_frame = found > 0;
    /* A failed read may succeed when it is repeated. */
    reader->is_at_end = reader->is_at_end && found >= 0;
    if (reader->has_frame)
        reader->next = av_sat_add64(reader->position, reader->frame->nb_samples);
    return found >= 0;
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
    cmedia_decoded_sound_flush(&reader->decoded);
    reader->is_at_end = false;
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
    if (!reader->decoded.decoder && !open_again(reader, error)) /* It failed before. */
        return false;
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
