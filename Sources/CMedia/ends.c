/* SPDX-License-Identifier: Apache-2.0 */
#include "reader.h"

#include <stdio.h>
#include <string.h>

enum {
    /* In microseconds. */
    LONG_FRAME = 500000,
};

/* When a video of Matroska ends that says so by a tag, as FFmpeg's muxer and mkvmerge write it:
 * 00:00:04.023000000. */
static int64_t tagged_end(const AVStream *stream)
{
    const AVDictionaryEntry *tag =
        av_dict_get(stream->metadata, "DURATION", NULL, AV_DICT_IGNORE_SUFFIX);
    unsigned hours, minutes;
    double seconds;
    if (!tag || sscanf(tag->value, "%5u:%2u:%lf", &hours, &minutes, &seconds) != 3
        || !(seconds >= 0 && seconds < 60))
        return AV_NOPTS_VALUE;
    return (int64_t)((hours * 3600.0 + minutes * 60.0 + seconds) * AV_TIME_BASE);
}

/* Other streams may be longer than the video: the length of the whole counts only for a file that was cut
 * off. A tag may be one of another file, of which this is a part. */
static int64_t matroska_end(const cmedia_reader *reader)
{
    int64_t whole = reader->format->duration;
    int64_t tagged = tagged_end(cmedia_stream(reader));
    int64_t cut = cmedia_bytes_cut(reader);
    if (whole <= 0 || cut == 0)
        return AV_NOPTS_VALUE;
    if (tagged != AV_NOPTS_VALUE)
        return FFMIN(tagged, whole);
    return cut > 0 ? whole : AV_NOPTS_VALUE;
}

/* The same end, or when the last frame of a movie begins that is shown for long: where frames are reordered
 * FFmpeg does not say for how long it is. */
static int64_t before_long_frame(const cmedia_reader *reader, int64_t end)
{
    AVStream *stream = cmedia_stream(reader);
    int count = avformat_index_get_entries_count(stream);
    if (!strstr(reader->format->iformat->name, "mp4") || count == 0)
        return end;
    const AVIndexEntry *last = avformat_index_get_entry(stream, count - 1);
    int64_t begin = cmedia_microseconds(reader, last->timestamp);
    return av_sat_sub64(end, begin) > LONG_FRAME ? begin : end;
}

/* When the video ends by the file's index, in microseconds. */
static int64_t end_of_index(const cmedia_reader *reader)
{
    const AVStream *stream = cmedia_stream(reader);
    /* The length of a stream of Matroska may be one that FFmpeg takes from the whole. */
    if (strstr(reader->format->iformat->name, "matroska"))
        return matroska_end(reader);
    int64_t length = stream->duration;
    if (length <= 0)
        return AV_NOPTS_VALUE;
    if (strcmp(reader->format->iformat->name, "avi") == 0) {
        /* The last frames of a whole one may be empty: then the one before is shown for longer. */
        if (cmedia_bytes_cut(reader) == 0)
            return AV_NOPTS_VALUE;
        /* FFmpeg shortens the length of an AVI by what is missing of it, and leaves the number of frames. */
        length = FFMAX(length, stream->nb_frames);
    }
    int64_t start = stream->start_time == AV_NOPTS_VALUE ? 0 : stream->start_time;
    return before_long_frame(
        reader, cmedia_microseconds(reader, av_sat_add64(start, length)));
}

int64_t cmedia_missing(const cmedia_reader *reader)
{
    int64_t end = end_of_index(reader);
    if (end == AV_NOPTS_VALUE || reader->expected == AV_NOPTS_VALUE)
        return 0;
    int64_t missing = av_sat_sub64(end, cmedia_microseconds(reader, reader->expected));
    return missing > 0 ? missing : 0;
}

/* Adds what the index says of packets that lie beyond the end of the file; nothing is read for that. */
static void add_missing(const cmedia_reader *reader, int index, cmedia_absence *absence)
{
    AVStream *stream = reader->format->streams[index];
    int64_t missing = 0, since = INT64_MAX;
    int count = avformat_index_get_entries_count(stream);
    for (int place = 0; place < count; place++) {
        const AVIndexEntry *entry = avformat_index_get_entry(stream, place);
        int64_t end = av_sat_add64(entry->pos, entry->size);
        if (end <= reader->length)
            continue;
        missing++;
        since = FFMIN(since, entry->timestamp);
        absence->bytes = FFMAX(absence->bytes, av_sat_sub64(end, reader->length));
    }
    if (index != reader->stream) {
        absence->has_sound = absence->has_sound || missing > 0;
    } else if (missing > 0) {
        int64_t first = avformat_index_get_entry(stream, 0)->timestamp;
        absence->frames = missing;
        absence->since = cmedia_microseconds(reader, av_sat_sub64(since, first));
    }
}

void cmedia_look_for_end(const cmedia_reader *reader, cmedia_absence *absence)
{
    memset(absence, 0, sizeof *absence);
    const char *name = reader->format->iformat->name;
    const AVStream *video = cmedia_stream(reader);
    if (strstr(name, "matroska")) {
        absence->bytes = FFMAX(0, cmedia_bytes_cut(reader));
    } else if (strcmp(name, "avi") == 0) {
        absence->is_estimate = video->duration > 0 && video->nb_frames > video->duration
            && cmedia_bytes_cut(reader) != 0;
        if (absence->is_estimate)
            absence->frames = video->nb_frames - video->duration;
        else
            absence->bytes = FFMAX(0, cmedia_bytes_cut(reader));
    } else {
        for (unsigned index = 0; index < reader->format->nb_streams; index++) {
            enum AVMediaType type = reader->format->streams[index]->codecpar->codec_type;
            if ((int)index == reader->stream || type == AVMEDIA_TYPE_AUDIO)
                add_missing(reader, (int)index, absence);
        }
        /* The index of a file in fragments is that of the first of them. */
        int64_t cut = cmedia_bytes_cut(reader);
        if (absence->frames == 0 && !absence->has_sound && cut > 0) {
            absence->bytes = cut;
            absence->is_estimate = true;
        }
    }
}
