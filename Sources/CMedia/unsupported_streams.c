/* SPDX-License-Identifier: Apache-2.0 */
#include "writer.h"

#include <string.h>

bool cmedia_is_lost_data(const AVStream *stream, const AVOutputFormat *container)
{
    if (stream->codecpar->codec_type != AVMEDIA_TYPE_DATA)
        return false;
    switch (stream->codecpar->codec_tag) {
    case MKTAG('t', 'm', 'c', 'd'): /* a timecode */
    case MKTAG('t', 'e', 'x', 't'): /* chapters */
    case MKTAG('r', 't', 'p', ' '): /* server hints */
        return false;
    case MKTAG('m', 'e', 'b', 'x'): /* timed metadata */
        return strcmp(container->name, "mov") != 0;
    default:
        return true;
    }
}

void cmedia_foresee(const cmedia_reader *reader, const char *container, cmedia_loss *losses)
{
    memset(losses, 0, sizeof *losses);
    const AVOutputFormat *target = av_guess_format(container, NULL, NULL);
    if (!target)
        return;
    bool has_attachments = strcmp(target->name, "matroska") == 0;
    for (unsigned index = 0; index < reader->format->nb_streams; index++) {
        const AVStream *stream = reader->format->streams[index];
        const AVCodecParameters *parameters = stream->codecpar;
        bool is_known = parameters->codec_id != AV_CODEC_ID_NONE
            && avformat_query_codec(target, parameters->codec_id, FF_COMPLIANCE_NORMAL) != 0;
        losses->subtitles += parameters->codec_type == AVMEDIA_TYPE_SUBTITLE && !is_known;
        losses->covers += stream->disposition & AV_DISPOSITION_ATTACHED_PIC && !has_attachments;
        losses->data += cmedia_is_lost_data(stream, target);
    }
}
