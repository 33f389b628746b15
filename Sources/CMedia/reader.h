/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_READER_H
#define CMEDIA_READER_H

#include "cmedia.h"
#include "scale.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

struct cmedia_reader {
    int descriptor;
    int64_t position;
    int64_t length;
    AVIOContext *io;
    AVFormatContext *format;
    int stream;
    int64_t measured;    /* how long it is where the file does not say, in microseconds; else 0 */
    AVCodecContext *decoder;
    int threads;
    AVPacket *packet;
    AVFrame *frame;      /* the last that was given out; its pts is when it is shown */
    AVFrame *ahead;      /* the one after it */
    AVFrame *before;     /* the one before it, if that may be interlaced; else empty */
    AVFrame *progressive; /* `frame` without its second field */
    bool is_ahead;       /* whether `ahead` has been decoded */
    bool is_placed;      /* whether `ahead` comes after `frame`, and nothing was sought between */
    bool has_failed;     /* whether the next frame cannot be decoded, and `failure` says why */
    cmedia_error failure;
    int64_t losses;      /* how often the decoder could make nothing of what it was given */
    bool is_at_end;      /* of the packets */
    bool is_at_start;    /* whether nothing has been decoded from the beginning on */
    bool knows_first;
    int64_t first;       /* when the first frame is shown */
    int64_t expected;    /* when the next is, as its predecessor says */
    int64_t step;        /* how long frames are that have neither a time nor a length; 0: unknown */
    cmedia_scaler scaler;
    AVFrame *planar;     /* pixels that are still to be made RGB */
    uint8_t *coded;      /* pixels that are still to be turned */
    unsigned coded_size;
};

static inline AVStream *cmedia_stream(const cmedia_reader *reader)
{
    return reader->format->streams[reader->stream];
}

/* Opens a file as cmedia_open does, and learns of its sound what muxers have to know. */
cmedia_reader *cmedia_open_whole(int descriptor, cmedia_error *error);

/* A decoder of those that are allowed; NULL: there is none. */
const AVCodec *cmedia_decoder(enum AVCodecID codec);

/* Opens the decoder, if that has not been done. */
bool cmedia_prepare(cmedia_reader *reader, int threads, cmedia_error *error);

/* Decodes the frame after the last, which stays. 1: there is one, 0: there are no more, -1: an error. */
int cmedia_look_ahead(cmedia_reader *reader, cmedia_error *error);

/* When the first frame is shown of a video whose first packets have no times, as Matroska's that are
 * negative: counted back from the first that is known. AV_NOPTS_VALUE: none is. */
int64_t cmedia_count_back(cmedia_reader *reader);

/* Opens the file again, from its beginning on; where that fails, nothing has changed. */
bool cmedia_rewind(cmedia_reader *reader);

/* Makes the frame ahead the last. */
void cmedia_advance(cmedia_reader *reader);

/* Says what the last frame is. */
void cmedia_tell(const cmedia_reader *reader, cmedia_frame *frame);

/* A timestamp of the video's stream, in microseconds. */
int64_t cmedia_microseconds(const cmedia_reader *reader, int64_t timestamp);

/* How many bytes of a file lie beyond its end, by the lengths of its parts: of a movie in fragments at least so many.
 * 0: it is whole; -1: the parts do not say. */
int64_t cmedia_bytes_cut(const cmedia_reader *reader);

/* Leaves a message, with FFmpeg's words for a code that is not 0, and gives false. */
bool cmedia_fail(cmedia_error *error, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
