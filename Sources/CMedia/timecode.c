/* SPDX-License-Identifier: Apache-2.0 */
#include "writer.h"

#include <libavutil/timecode.h>
#include <string.h>

/* Returns the QuickTime timecode track, or NULL. */
static const AVStream *timecode_track(const AVFormatContext *format)
{
    for (unsigned index = 0; index < format->nb_streams; index++)
        if (format->streams[index]->codecpar->codec_tag == MKTAG('t', 'm', 'c', 'd'))
            return format->streams[index];
    return NULL;
}

static const AVDictionaryEntry *timecode(const cmedia_reader *source)
{
    const AVDictionaryEntry *own =
        av_dict_get(cmedia_stream(source)->metadata, "timecode", NULL, 0);
    return own ? own : av_dict_get(source->format->metadata, "timecode", NULL, 0);
}

/* Returns the frame rate of a timecode; 0 by 1 if unknown. */
static AVRational rate(const cmedia_reader *source, const AVStream *track)
{
    const AVStream *video = cmedia_stream(source);
    const AVRational known[] = {
        track ? track->avg_frame_rate : (AVRational){0, 1}, video->avg_frame_rate,
        video->r_frame_rate,
    };
    for (size_t index = 0; index < sizeof known / sizeof *known; index++)
        if (known[index].num > 0 && known[index].den > 0)
            return known[index];
    return (AVRational){0, 1};
}

bool cmedia_copy_timecode(
    const cmedia_reader *source, AVFormatContext *target, AVStream *video, int64_t start,
    AVRational time_base)
{
    const AVDictionaryEntry *tag = timecode(source);
    if (!tag)
        return true;
    const AVStream *track = timecode_track(source->format);
    AVRational frames = rate(source, track);
    AVTimecode code;
    if (frames.num <= 0 || av_timecode_init_from_string(&code, frames, tag->value, NULL) < 0)
        return false;
    const AVStream *stream = cmedia_stream(source);
    if (start != AV_NOPTS_VALUE) {
        int64_t first = stream->start_time == AV_NOPTS_VALUE ? 0 : stream->start_time;
        int64_t before = av_sat_sub64(
            av_rescale_q(start, time_base, AV_TIME_BASE_Q),
            av_rescale_q(first, stream->time_base, AV_TIME_BASE_Q));
        int64_t count = av_rescale_q(before, AV_TIME_BASE_Q, av_inv_q(frames));
        /* One day at a thousand frames per second. */
        if (count > 86400000)
            return false;
        if (__builtin_add_overflow(code.start, (int)FFMAX(count, 0), &code.start))
            return false;
    }
    code.flags |= AV_TIMECODE_FLAG_24HOURSMAX;
    char text[AV_TIMECODE_STR_SIZE];
    av_timecode_make_string(&code, text, 0);
    av_dict_set(&video->metadata, "timecode", text, 0);
    if (track) {
        const AVDictionaryEntry *reel = av_dict_get(track->metadata, "reel_name", NULL, 0);
        if (reel)
            av_dict_set(&video->metadata, "reel_name", reel->value, 0);
    }
    /* The QuickTime muxer uses it as the rate of the timecode. */
    if (strcmp(target->oformat->name, "matroska") != 0)
        video->avg_frame_rate = frames;
    return true;
}
