/* SPDX-License-Identifier: Apache-2.0 */
#include "writer.h"

#include <libavutil/avstring.h>
#include <string.h>

void cmedia_copy_tag(const AVStream *source, AVStream *target, const char *name)
{
    const AVDictionaryEntry *entry = av_dict_get(source->metadata, name, NULL, 0);
    if (entry)
        av_dict_set(&target->metadata, name, entry->value, 0);
}

/* Returns whether a tag describes only the old file, or its rotation. */
static bool is_dropped(const char *name)
{
    static const char *const names[] = {
        "encoder", "major_brand", "minor_version", "compatible_brands",
        "com.apple.quicktime.video-orientation",
    };
    for (size_t index = 0; index < sizeof names / sizeof *names; index++)
        if (strcmp(name, names[index]) == 0)
            return true;
    /* The video's timecode, which Matroska may store here. */
    return av_strcasecmp(name, "timecode") == 0;
}

/* Returns whether a tag is a location, as named by Apple, Google, Samsung and others. */
static bool is_place(const char *name)
{
    static const char *const words[] = {
        "location", "gps", "iso6709", "xyz", "coordinates", "place", "latitude", "longitude", "altitude",
    };
    static const char *const names[] = {"geo", "city", "state", "province", "region", "country"};
    for (size_t index = 0; index < sizeof words / sizeof *words; index++)
        if (av_stristr(name, words[index]))
            return true;
    for (size_t index = 0; index < sizeof names / sizeof *names; index++)
        if (av_strcasecmp(name, names[index]) == 0)
            return true;
    return false;
}

/* Returns whether a tag names the author or the copyright of a video. */
static bool is_copyright(const char *name)
{
    static const char *const names[] = {
        "copyright", "artist", "author", "com.apple.quicktime.copyright",
        "com.apple.quicktime.artist", "com.apple.quicktime.author",
    };
    for (size_t index = 0; index < sizeof names / sizeof *names; index++)
        if (av_strcasecmp(name, names[index]) == 0)
            return true;
    return false;
}

static bool is_omitted(const char *name, cmedia_omission omission)
{
    switch (omission) {
    case CMEDIA_OMIT_NOTHING:
        return false;
    case CMEDIA_OMIT_PLACE:
        return is_place(name);
    case CMEDIA_OMIT_ALL_BUT_COPYRIGHT:
        return !is_copyright(name);
    default:
        return true;
    }
}

/* FFmpeg reports a value with a language twice, the second time under a name with a suffix such as "-eng". */
static bool is_translation(const AVDictionary *tags, const AVDictionaryEntry *entry)
{
    size_t length = strlen(entry->key);
    char name[256];
    if (length < 5 || length >= sizeof name || entry->key[length - 4] != '-')
        return false;
    memcpy(name, entry->key, length - 4);
    name[length - 4] = 0;
    const AVDictionaryEntry *other = av_dict_get(tags, name, NULL, AV_DICT_MATCH_CASE);
    return other && strcmp(other->value, entry->value) == 0;
}

bool cmedia_copy_chapters(
    const AVFormatContext *source, AVFormatContext *target, int64_t start, int64_t end,
    AVRational time_base, cmedia_error *error)
{
    if (source->nb_chapters == 0)
        return true;
    target->chapters = av_calloc(source->nb_chapters, sizeof *target->chapters);
    if (!target->chapters)
        return cmedia_fail(error, 0, "out of memory");
    for (unsigned index = 0; index < source->nb_chapters; index++) {
        const AVChapter *from = source->chapters[index];
        int64_t offset = av_rescale_q(start, time_base, from->time_base);
        int64_t limit =
            end == AV_NOPTS_VALUE ? INT64_MAX : av_rescale_q(end, time_base, from->time_base);
        if (from->end <= offset || from->start >= limit)
            continue;
        AVChapter *to = av_mallocz(sizeof *to);
        if (!to)
            return cmedia_fail(error, 0, "out of memory");
        to->id = from->id;
        to->time_base = from->time_base;
        to->start = FFMAX(av_sat_sub64(from->start, offset), 0);
        to->end = av_sat_sub64(FFMIN(from->end, limit), offset);
        av_dict_copy(&to->metadata, from->metadata, 0);
        target->chapters[target->nb_chapters++] = to;
    }
    return true;
}

void cmedia_copy_metadata(
    const cmedia_reader *source, AVFormatContext *target, AVStream *video, cmedia_omission omission,
    const char *date)
{
    const AVDictionary *tags = source->format->metadata;
    const AVDictionaryEntry *entry = NULL;
    while ((entry = av_dict_get(tags, "", entry, AV_DICT_IGNORE_SUFFIX)))
        if (!is_dropped(entry->key) && !is_translation(tags, entry)
            && !is_omitted(entry->key, omission))
            av_dict_set(&target->metadata, entry->key, entry->value, 0);
    const AVStream *stream = cmedia_stream(source);
    cmedia_copy_tag(stream, video, "language");
    if (omission > CMEDIA_OMIT_PLACE)
        return;
    if (date)
        av_dict_set(&target->metadata, "com.apple.quicktime.creationdate", date, 0);
    cmedia_copy_tag(stream, video, "title");
    cmedia_copy_tag(stream, video, "creation_time");
}
