/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_READER_H
#define CMEDIA_READER_H

#include "clock.h"
#include "cmedia.h"
#include "scale.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

struct cmedia_reader {
    int descriptor;
    int64_t position;
    int64_t length;
    int failed;          /* FFmpeg's code of the last failed read since the file was opened or sought; otherwise 0 */
    AVIOContext *io;
    AVFormatContext *format;
    int stream;
    bool has_clock;      /* whether times are those of a clock, and seeking may lead to any frame */
    bool restarts;       /* whether that clock restarts; the file is then only read from its start */
    cmedia_clocks clocks;
    bool lacks_times;    /* whether only some frames have a time, and FFmpeg's guesses are inexact */
    int64_t clock_start; /* the earliest time of all streams in microseconds, subtracted from all; otherwise 0 */
    int64_t measured;    /* measured duration in microseconds if the file records none; otherwise 0 */
    AVCodecContext *decoder;
    int threads;
    AVPacket *packet;
    AVFrame *frame;      /* the current frame; its pts is the presentation time */
    AVFrame *ahead;      /* the following frame */
    AVFrame *before;     /* the previous frame if it may be interlaced; otherwise empty */
    AVFrame *progressive; /* `frame` without its second field */
    bool is_ahead;       /* whether `ahead` has been decoded */
    bool is_placed;      /* whether `ahead` directly follows `frame`, without a seek in between */
    bool has_failed;     /* whether decoding the next frame failed, with the reason in `failure` */
    cmedia_error failure;
    int64_t losses;      /* number of decoder failures that gave no frame */
    bool is_at_end;      /* whether all packets have been read */
    bool is_at_start;    /* whether no frame has been decoded since the start */
    bool awaits_key;     /* whether packets are dropped up to the next key frame */
    int64_t key_time;    /* presentation time of the key frame after a seek; earlier frames are dropped */
    bool knows_first;
    int64_t first;       /* presentation time of the first frame */
    int64_t expected;    /* expected time of the next frame, from its predecessor */
    int64_t step;        /* duration of frames that have neither time nor duration; 0 if unknown */
    cmedia_scaler scaler;
    AVFrame *planar;     /* pixels before conversion to RGB */
    uint8_t *coded;      /* pixels before rotation */
    unsigned coded_size;
};

static inline AVStream *cmedia_stream(const cmedia_reader *reader)
{
    return reader->format->streams[reader->stream];
}

/* Returns the stream of a type that a player plays: the one marked as default, otherwise the first. Covers and the
 * streams whose bits are set in `omitted` are skipped. Returns -1 if there is none. */
int cmedia_played_stream(const AVFormatContext *format, enum AVMediaType type, uint64_t omitted);

/* Reads a packet of a reader's file like av_read_frame. Times start at zero. */
int cmedia_read(AVFormatContext *format, AVPacket *packet);

/* Returns whether all reads since the file was opened have succeeded. Demuxers may report a failure as the end. */
bool cmedia_is_intact(const AVFormatContext *format, cmedia_error *error);

/* Allows cmedia_read to omit the packets of a stream. It may return them nevertheless. */
void cmedia_skip(AVFormatContext *format, unsigned stream);

/* Returns the time of the file's clock that is zero for players, in units of a stream. */
int64_t cmedia_clock_start(const cmedia_reader *reader, const AVStream *stream);

/* Opens a file like cmedia_open, and determines the sound parameters that muxers need. A missing duration is not
 * measured. */
cmedia_reader *cmedia_open_whole(int descriptor, cmedia_error *error);

/* Returns an allowed decoder, or NULL. */
const AVCodec *cmedia_decoder(enum AVCodecID codec);

/* Opens the decoder if it is not open yet. */
bool cmedia_prepare(cmedia_reader *reader, int threads, cmedia_error *error);

/* Decodes the frame after the current one, which stays current. Returns 1 on success, 0 at the end, -1 on
   error. */
int cmedia_look_ahead(cmedia_reader *reader, cmedia_error *error);

/* Returns the presentation time of the first frame of a video whose first packets have no times, such as Matroska's
 * negative ones. It is counted back from the first known time. Returns AV_NOPTS_VALUE if no time is known. */
int64_t cmedia_count_back(cmedia_reader *reader);

/* Reopens the file at its start. On failure nothing changes. */
bool cmedia_rewind(cmedia_reader *reader);

/* Makes the frame ahead the current one. */
void cmedia_advance(cmedia_reader *reader);

/* Describes the current frame. */
void cmedia_tell(const cmedia_reader *reader, cmedia_frame *frame);

/* Converts a timestamp of the video stream to microseconds. */
int64_t cmedia_microseconds(const cmedia_reader *reader, int64_t timestamp);

/* Returns the number of bytes that a truncated file lacks, from the lengths of its parts; for a fragmented
 * movie it is a lower bound. Returns 0 if the file is complete, -1 if unknown. */
int64_t cmedia_bytes_cut(const cmedia_reader *reader);

/* Returns the EXIF orientation of the display matrix, whose first numbers a, b, c, d map (x, y) to (a x + c y,
 * b x + d y); ISO 14496-12, 8.2.2. 1 if there is none, 0 if it is no EXIF orientation. */
int cmedia_orientation(const AVStream *stream);

/* Sets a message, with FFmpeg's description of a non-zero code, and returns false. */
bool cmedia_fail(cmedia_error *error, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
