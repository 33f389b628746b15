/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_READER_H
#define CMEDIA_READER_H

#include "cmedia.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>

struct cmedia_reader {
    int descriptor;
    int64_t position;
    int64_t length;
    AVIOContext *io;
    AVFormatContext *format;
    int stream;
    AVCodecContext *decoder;
    AVPacket *packet;
    AVFrame *frame;
    struct SwsContext *scaler;
    bool is_at_end;
};

static inline AVStream *cmedia_stream(const cmedia_reader *reader)
{
    return reader->format->streams[reader->stream];
}

/* A decoder of those that are allowed; NULL: there is none. */
const AVCodec *cmedia_decoder(enum AVCodecID codec);

/* Leaves a message, with FFmpeg's words for a code that is not 0, and gives false. */
bool cmedia_fail(cmedia_error *error, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
