/* SPDX-License-Identifier: Apache-2.0 */
#include "writer.h"

#include <string.h>

static bool is_cover(const AVStream *stream)
{
    return stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO
        && stream->disposition & AV_DISPOSITION_ATTACHED_PIC;
}

/* Returns the bytes of an attachment: a packet for covers, codec parameters for others such as fonts. */
static const uint8_t *content(const AVStream *stream, int *size)
{
    *size = 0;
    if (is_cover(stream)) {
        *size = stream->attached_pic.size;
        return stream->attached_pic.data;
    }
    if (stream->codecpar->codec_type != AVMEDIA_TYPE_ATTACHMENT)
        return NULL;
    *size = stream->codecpar->extradata_size;
    return stream->codecpar->extradata;
}

static bool add(
    const AVStream *source, AVFormatContext *target, const uint8_t *bytes, int size,
    cmedia_error *error)
{
    AVStream *stream = avformat_new_stream(target, NULL);
    uint8_t *copy = av_mallocz((size_t)size + AV_INPUT_BUFFER_PADDING_SIZE);
    if (!stream || !copy) {
        av_free(copy);
        return cmedia_fail(error, 0, "out of memory");
    }
    memcpy(copy, bytes, (size_t)size);
    stream->codecpar->codec_type = AVMEDIA_TYPE_ATTACHMENT;
    stream->codecpar->codec_id = source->codecpar->codec_id;
    stream->codecpar->extradata = copy;
    stream->codecpar->extradata_size = size;
    cmedia_copy_tag(source, stream, "filename");
    cmedia_copy_tag(source, stream, "mimetype");
    cmedia_copy_tag(source, stream, "title");
    return true;
}

bool cmedia_copy_attachments(
    const AVFormatContext *source, AVFormatContext *target, bool is_kept, int32_t *lost_covers,
    cmedia_error *error)
{
    bool has_place = is_kept && strcmp(target->oformat->name, "matroska") == 0;
    for (unsigned index = 0; index < source->nb_streams; index++) {
        const AVStream *stream = source->streams[index];
        int size;
        const uint8_t *bytes = content(stream, &size);
        bool is_whole = bytes && size > 0 && av_dict_get(stream->metadata, "filename", NULL, 0)
            && av_dict_get(stream->metadata, "mimetype", NULL, 0);
        if (has_place && is_whole) {
            if (!add(stream, target, bytes, size, error))
                return false;
        } else {
            *lost_covers += is_cover(stream);
        }
    }
    return true;
}
