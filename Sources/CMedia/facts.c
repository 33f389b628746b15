/* SPDX-License-Identifier: Apache-2.0 */
#include "reader.h"

#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <string.h>

static double seconds(const cmedia_reader *reader)
{
    const AVStream *stream = cmedia_stream(reader);
    if (reader->format->duration > 0)
        return (double)reader->format->duration / AV_TIME_BASE;
    if (stream->duration > 0)
        return (double)stream->duration * av_q2d(stream->time_base);
    return (double)reader->measured / AV_TIME_BASE;
}

int64_t cmedia_origin(const cmedia_reader *reader)
{
    const AVStream *stream = cmedia_stream(reader);
    int64_t first = stream->start_time == AV_NOPTS_VALUE ? 0 : stream->start_time;
    if (reader->knows_first)
        first = reader->first;
    /* A measured duration starts at the first frame, and a part of a recording may start later than its
     * duration. */
    bool is_within = reader->measured == 0
        && (double)cmedia_microseconds(reader, first) < seconds(reader) * AV_TIME_BASE;
    return first > 0 && is_within ? 0 : first;
}

/* The end of the video in units of its time base. FFmpeg derives it from the whole file for Matroska. */
static int64_t end(const cmedia_reader *reader)
{
    const AVStream *stream = cmedia_stream(reader);
    bool is_known = stream->start_time != AV_NOPTS_VALUE && stream->duration > 0
        && !strstr(reader->format->iformat->name, "matroska");
    return is_known ? av_sat_add64(stream->start_time, stream->duration) : 0;
}

void cmedia_describe(const cmedia_reader *reader, cmedia_facts *facts)
{
    const AVFormatContext *format = reader->format;
    const AVStream *stream = cmedia_stream(reader);
    const AVCodecParameters *parameters = stream->codecpar;
    memset(facts, 0, sizeof *facts);
    snprintf(facts->container, sizeof facts->container, "%s", format->iformat->name);
    if (parameters->codec_id != AV_CODEC_ID_NONE)
        snprintf(
            facts->video_codec, sizeof facts->video_codec, "%s",
            avcodec_get_name(parameters->codec_id));
    facts->is_decodable = cmedia_decoder(parameters->codec_id) != NULL;
    facts->width = parameters->width;
    facts->height = parameters->height;
    AVRational aspect = stream->sample_aspect_ratio.num > 0 ? stream->sample_aspect_ratio
                                                            : parameters->sample_aspect_ratio;
    bool has_aspect = aspect.num > 0 && aspect.den > 0;
    facts->aspect_numerator = has_aspect ? aspect.num : 1;
    facts->aspect_denominator = has_aspect ? aspect.den : 1;
    facts->orientation = cmedia_orientation(stream);
    facts->duration = seconds(reader);
    facts->frame_rate = stream->avg_frame_rate.den > 0 ? av_q2d(stream->avg_frame_rate) : 0;
    facts->frame_count = stream->nb_frames;
    const AVPixFmtDescriptor *pixels = av_pix_fmt_desc_get(parameters->format);
    if (pixels) {
        facts->bits = pixels->comp[0].depth;
        facts->has_alpha = pixels->flags & AV_PIX_FMT_FLAG_ALPHA;
        facts->has_quarter_chroma = parameters->format == AV_PIX_FMT_YUV420P
            || parameters->format == AV_PIX_FMT_YUVJ420P;
    }
    facts->color_transfer = parameters->color_trc;
    facts->color_primaries = parameters->color_primaries;
    facts->end = end(reader);
    facts->time_base_numerator = stream->time_base.num;
    facts->time_base_denominator = stream->time_base.den;
    for (unsigned index = 0; index < format->nb_streams; index++) {
        const AVStream *other = format->streams[index];
        if (other->codecpar->codec_type == AVMEDIA_TYPE_AUDIO && facts->audio_streams++ == 0)
            snprintf(
                facts->audio_codec, sizeof facts->audio_codec, "%s",
                avcodec_get_name(other->codecpar->codec_id));
        facts->video_streams += other->codecpar->codec_type == AVMEDIA_TYPE_VIDEO
            && !(other->disposition & AV_DISPOSITION_ATTACHED_PIC);
    }
}

const char *cmedia_tag(const cmedia_reader *reader, size_t index, const char **value)
{
    const AVDictionary *dictionaries[2] = {
        reader->format->metadata, cmedia_stream(reader)->metadata};
    for (int which = 0; which < 2; which++) {
        size_t count = (size_t)av_dict_count(dictionaries[which]);
        if (index >= count) {
            index -= count;
            continue;
        }
        const AVDictionaryEntry *entry = NULL;
        do {
            entry = av_dict_get(dictionaries[which], "", entry, AV_DICT_IGNORE_SUFFIX);
        } while (entry && index-- > 0);
        *value = entry ? entry->value : NULL;
        return entry ? entry->key : NULL;
    }
    return NULL;
}
