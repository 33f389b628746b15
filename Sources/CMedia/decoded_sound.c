/* SPDX-License-Identifier: Apache-2.0 */
#include "decoded_sound.h"

#include "sound.h"

#include <libavutil/common.h>
#include <string.h>

enum {
    GAP = 64, /* the shortest gap, as a fraction of a second */
    /* Frames in sequence with another rate or number of channels, which damage may cause. */
    MAXIMUM_CHANGED = 16,
    /* Samples of each channel that are held at most, apart from the last frame. */
    MAXIMUM_LENGTH = 1 << 18,
};

bool cmedia_decoded_sound_open(cmedia_decoded_sound *sound, const AVStream *source, cmedia_error *error)
{
    cmedia_decoded_sound_close(sound);
    sound->decoder = cmedia_open_sound_decoder(source, error);
    sound->rate = source->codecpar->sample_rate;
    sound->channels = source->codecpar->ch_layout.nb_channels;
    return sound->decoder != NULL;
}

void cmedia_decoded_sound_close(cmedia_decoded_sound *sound)
{
    for (int index = 0; index < CMEDIA_HELD_SOUND; index++)
        av_frame_free(&sound->frames[index]);
    avcodec_free_context(&sound->decoder);
    memset(sound, 0, sizeof *sound);
}

void cmedia_decoded_sound_flush(cmedia_decoded_sound *sound)
{
    avcodec_flush_buffers(sound->decoder);
    sound->count = sound->changed = 0;
    sound->has_lost = sound->has_begun = sound->is_ending = false;
}

void cmedia_decoded_sound_send(cmedia_decoded_sound *sound, const AVPacket *packet)
{
    sound->is_ending = packet == NULL;
    if (avcodec_send_packet(sound->decoder, packet) < 0)
        sound->has_lost = true;
}

/* Decodes the next frame. Those that differ for a moment are damaged, and become silence. Returns 1 on success, 0 if
 * there is none, -1 on error. */
static int decode(cmedia_decoded_sound *sound, cmedia_error *error)
{
    AVFrame **place = &sound->frames[sound->count];
    if (!*place && !(*place = av_frame_alloc())) {
        cmedia_fail(error, 0, "out of memory");
        return -1;
    }
    int status;
    while ((status = avcodec_receive_frame(sound->decoder, *place)) >= 0) {
        const AVFrame *frame = *place;
        bool is_changed =
            frame->sample_rate != sound->rate || frame->ch_layout.nb_channels != sound->channels;
        sound->changed = is_changed ? sound->changed + 1 : 0;
        sound->has_lost = sound->has_lost || is_changed;
        if (sound->changed > MAXIMUM_CHANGED) {
            cmedia_fail(error, 0, "its sound changes its rate or number of channels");
            return -1;
        }
        if (is_changed || frame->nb_samples <= 0)
            continue;
        sound->follows_loss[sound->count++] = sound->has_lost;
        sound->has_lost = false;
        return 1;
    }
    if (status != AVERROR(EAGAIN) && status != AVERROR_EOF)
        sound->has_lost = true;
    return 0;
}

/* Returns the recorded time of a held frame, counted in samples, or AV_NOPTS_VALUE. */
static int64_t time_of(const cmedia_decoded_sound *sound, int index)
{
    int64_t time = sound->frames[index]->best_effort_timestamp;
    return time == AV_NOPTS_VALUE
        ? time : av_rescale_q(time, sound->decoder->pkt_timebase, (AVRational){1, sound->rate});
}

/* Returns whether a gap precedes the first held frame according to its time. */
static bool is_gap(const cmedia_decoded_sound *sound, int64_t time)
{
    int64_t shortest = sound->follows_loss[0] ? 0 : sound->rate / GAP;
    return sound->has_begun && time != AV_NOPTS_VALUE && time > av_sat_add64(sound->next, shortest);
}

/* Returns the time of the first held frame according to the first of the following ones that contradicts its recorded
 * time, because it is much earlier or the only one with a time. Returns AV_NOPTS_VALUE if there is none. A damaged time
 * may count for all frames up to the next recorded one, most of a second in an MPEG stream. */
static int64_t contradiction(const cmedia_decoded_sound *sound, int64_t time)
{
    int64_t limit = INT64_MAX, before = 0;
    if (time != AV_NOPTS_VALUE && sound->has_begun) /* Halfway between the time and the end of the samples. */
        limit = av_sat_add64(sound->next, av_sat_sub64(time, sound->next) / 2);
    else if (time != AV_NOPTS_VALUE)
        limit = av_sat_sub64(time, sound->rate);
    for (int index = 1; index < sound->count; index++) {
        before += sound->frames[index - 1]->nb_samples;
        int64_t other = time_of(sound, index);
        if (other != AV_NOPTS_VALUE && av_sat_sub64(other, before) < limit)
            return av_sat_sub64(other, before);
    }
    return AV_NOPTS_VALUE;
}

/* Returns whether further frames cannot change the time of the first held one. A gap is certain once the following
 * second of sound continues it. */
static bool is_certain(const cmedia_decoded_sound *sound)
{
    int64_t time = time_of(sound, 0), length = 0;
    for (int index = 1; index < sound->count; index++)
        length += sound->frames[index]->nb_samples;
    return (sound->has_begun && !is_gap(sound, time)) || length >= FFMIN(sound->rate, MAXIMUM_LENGTH)
        || sound->count == CMEDIA_HELD_SOUND || contradiction(sound, time) != AV_NOPTS_VALUE;
}

/* Sets the time of the first held frame: after the previous one, unless there is a gap. */
static void place(cmedia_decoded_sound *sound)
{
    int64_t time = time_of(sound, 0), other = contradiction(sound, time);
    if (!sound->has_begun && (time == AV_NOPTS_VALUE || other != AV_NOPTS_VALUE))
        time = other == AV_NOPTS_VALUE ? 0 : other;
    if (!sound->has_begun || (is_gap(sound, time) && other == AV_NOPTS_VALUE))
        sound->next = time;
    sound->has_begun = true;
}

int cmedia_decoded_sound_receive(
    cmedia_decoded_sound *sound, AVFrame *frame, int64_t *time, cmedia_error *error)
{
    while (sound->count == 0 || !is_certain(sound)) {
        int decoded = decode(sound, error);
        if (decoded < 0)
            return -1;
        if (decoded == 0 && (sound->count == 0 || !sound->is_ending))
            return 0;
        if (decoded == 0)
            break;
    }
    place(sound);
    AVFrame *first = sound->frames[0];
    av_frame_unref(frame);
    av_frame_move_ref(frame, first);
    sound->count--;
    memmove(sound->frames, sound->frames + 1, (size_t)sound->count * sizeof *sound->frames);
    memmove(sound->follows_loss, sound->follows_loss + 1, (size_t)sound->count * sizeof *sound->follows_loss);
    sound->frames[sound->count] = first;
    *time = sound->next;
    sound->next = av_sat_add64(sound->next, frame->nb_samples);
    return 1;
}
