/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "reader.h"

#include <libavutil/intreadwrite.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads the identifier and the length of an element of EBML (RFC 8794, 4), and gives where its contents
 * begin; 0: it is none. `size` is -1 where it is not known. */
static int64_t read_element(int descriptor, int64_t place, uint32_t *identifier, int64_t *size)
{
    uint8_t bytes[12];
    if (pread(descriptor, bytes, sizeof bytes, place) != (ssize_t)sizeof bytes || bytes[0] < 0x10)
        return 0;
    *identifier = AV_RB32(bytes);
    const uint8_t *number = bytes + 4;
    if (number[0] == 0)
        return 0;
    int length = __builtin_clz(number[0]) - 23; /* One and the zeros before the first bit that is set. */
    uint64_t value = number[0] & (0xff >> length);
    bool is_known = value != 0xffu >> length;
    for (int index = 1; index < length; index++) {
        value = value << 8 | number[index];
        is_known = is_known || number[index] != 0xff;
    }
    *size = is_known ? (int64_t)value : -1;
    return place + 4 + length;
}

/* How many bytes of the segment of a Matroska file lie beyond its end. */
static int64_t bytes_cut(const cmedia_reader *reader)
{
    enum { HEADER = 0x1A45DFA3, SEGMENT = 0x18538067 };
    uint32_t identifier;
    int64_t size, place = read_element(reader->descriptor, 0, &identifier, &size);
    if (place == 0 || identifier != HEADER || size < 0 || size > reader->length)
        return 0;
    place = read_element(reader->descriptor, place + size, &identifier, &size);
    int64_t cut = av_sat_sub64(size, reader->length - place);
    return place > 0 && identifier == SEGMENT && cut > 0 ? cut : 0;
}

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
 * off. */
static int64_t matroska_end(const cmedia_reader *reader)
{
    int64_t whole = reader->format->duration;
    int64_t tagged = tagged_end(cmedia_stream(reader));
    if (whole <= 0)
        return AV_NOPTS_VALUE;
    if (tagged != AV_NOPTS_VALUE)
        return FFMIN(tagged, whole);
    return bytes_cut(reader) > 0 ? whole : AV_NOPTS_VALUE;
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
    /* FFmpeg shortens the length of an AVI by what is missing of it, and leaves the number of frames. */
    if (strcmp(reader->format->iformat->name, "avi") == 0 && stream->nb_frames > length)
        length = stream->nb_frames;
    int64_t start = stream->start_time == AV_NOPTS_VALUE ? 0 : stream->start_time;
    return cmedia_microseconds(reader, av_sat_add64(start, length));
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
        absence->bytes = bytes_cut(reader);
    } else if (strcmp(name, "avi") == 0) {
        absence->is_estimate = video->duration > 0 && video->nb_frames > video->duration;
        if (absence->is_estimate)
            absence->frames = video->nb_frames - video->duration;
    } else {
        for (unsigned index = 0; index < reader->format->nb_streams; index++) {
            enum AVMediaType type = reader->format->streams[index]->codecpar->codec_type;
            if ((int)index == reader->stream || type == AVMEDIA_TYPE_AUDIO)
                add_missing(reader, (int)index, absence);
        }
    }
}
