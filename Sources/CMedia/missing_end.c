/* SPDX-License-Identifier: Apache-2.0 */
#include "reader.h"

#include <stdio.h>
#include <string.h>

enum {
    /* In microseconds. */
    LONG_FRAME = 500000,
};

/* The end of a Matroska video from a tag written by FFmpeg's muxer and mkvmerge: 00:00:04.023000000. */
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

/* Other streams may be longer than the video, so the total duration is used only for a truncated file. A tag
 * may come from another file, of which this is a part. */
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

/* The end, or the start of a movie's last frame if that is shown for long: FFmpeg does not report its duration
 * if frames are reordered. */
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

/* The end of the video according to the file's index, in microseconds. */
static int64_t end_of_index(const cmedia_reader *reader)
{
    const AVStream *stream = cmedia_stream(reader);
    /* FFmpeg may derive the duration of a Matroska stream from the whole file. */
    if (strstr(reader->format->iformat->name, "matroska"))
        return matroska_end(reader);
    int64_t length = stream->duration;
    bool is_avi = strcmp(reader->format->iformat->name, "avi") == 0;
    /* Other formats have no index. FFmpeg derives the duration from their last packets. */
    if (length <= 0 || !(is_avi || strstr(reader->format->iformat->name, "mp4")))
        return AV_NOPTS_VALUE;
    if (is_avi) {
        /* The last frames of a complete AVI may be empty; the frame before is then shown longer. */
        if (cmedia_bytes_cut(reader) == 0)
            return AV_NOPTS_VALUE;
        /* FFmpeg shortens the duration of a truncated AVI, but not its frame count. */
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

/* Adds the packets that, according to the index, lie beyond the end of the file. Reads no data. */
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
    if (strstr(name, "matroska") || strcmp(name, "asf") == 0) {
        absence->bytes = FFMAX(0, cmedia_bytes_cut(reader));
    } else if (strcmp(name, "avi") == 0) {
        absence->is_estimate = video->duration > 0 && video->nb_frames > video->duration
            && cmedia_bytes_cut(reader) != 0;
        if (absence->is_estimate)
            absence->frames = video->nb_frames - video->duration;
        else
            absence->bytes = FFMAX(0, cmedia_bytes_cut(reader));
    } else if (strstr(name, "mp4")) {
        for (unsigned index = 0; index < reader->format->nb_streams; index++) {
            enum AVMediaType type = reader->format->streams[index]->codecpar->codec_type;
            if ((int)index == reader->stream || type == AVMEDIA_TYPE_AUDIO)
                add_missing(reader, (int)index, absence);
        }
        /* The index of a fragmented file covers only the first fragment. */
        int64_t cut = cmedia_bytes_cut(reader);
        if (absence->frames == 0 && !absence->has_sound && cut > 0) {
            absence->bytes = cut;
            absence->is_estimate = true;
        }
    }
}
