/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_WRITER_H
#define CMEDIA_WRITER_H

#include "reader.h"

/* Bytes that go to a descriptor; zeros are a good start. */
typedef struct cmedia_output {
    int descriptor;
    int64_t position;
    int64_t length;
    AVIOContext *io;
} cmedia_output;

bool cmedia_output_open(cmedia_output *output, int descriptor, cmedia_error *error);

void cmedia_output_close(cmedia_output *output);

/* A file in a container of this name, which is written to a descriptor; NULL: it cannot be. */
AVFormatContext *cmedia_make_file(
    cmedia_output *output, int descriptor, const char *container, cmedia_error *error);

/* Begins it when its streams are known. `timescale`: units of the video's times in a second. */
bool cmedia_write_header(AVFormatContext *format, int64_t timescale, cmedia_error *error);

/* Completes it. */
bool cmedia_write_trailer(AVFormatContext *format, cmedia_error *error);

/* Opens an encoder for frames of about `rate` a second, which may be unknown. */
AVCodecContext *cmedia_open_encoder(
    const cmedia_writing *writing, AVRational rate, bool has_global_header, cmedia_error *error);

/* A frame for an encoder to take, with memory; NULL: there is none. */
AVFrame *cmedia_make_frame(const AVCodecContext *encoder);

/* Sound that is decoded and written with another volume, as samples of 16 bits. */
typedef struct cmedia_sound cmedia_sound;

/* Opens the decoder, and says in `target` what will be written; NULL: it cannot be decoded. */
cmedia_sound *cmedia_sound_open(
    const AVStream *source, AVStream *target, double volume, cmedia_error *error);

/* Takes a packet of the source; NULL: there are no more. False: it is damaged. */
bool cmedia_sound_send(cmedia_sound *sound, const AVPacket *packet);

/* Gives the next packet to write, in samples. 1: there is one, 0: send more, -1: an error. */
int cmedia_sound_receive(
    cmedia_sound *sound, AVPacket *packet, const AVStream *target, cmedia_error *error);

void cmedia_sound_close(cmedia_sound **sound);

/* Streams that go from one file into another: as they are, packet for packet, or with another volume. */
typedef struct cmedia_copies {
    AVFormatContext *source;
    AVFormatContext *target;
    unsigned count;     /* of the source's streams, when the target was begun */
    int *streams;       /* of the target for each of these; -1: it is left out */
    int64_t *next;      /* the first time that is free in each, in the target's units */
    double volume;      /* of the sound; 1: it stays as it is */
    cmedia_sound **sounds; /* for each of the source's streams; NULL: it is copied */
    AVPacket *packet;
    AVPacket *samples;
    bool is_waiting;    /* whether the packet has been read, and not written */
    bool is_at_end;
    bool is_part;       /* whether times are counted from `start` on, and nothing before is copied */
    bool omits_titles;  /* of the streams */
    uint64_t omitted;   /* a bit for each of the first streams that is left out without a word */
    int32_t subtitles;  /* that are copied */
    int64_t start;      /* in units of `time_base` */
    int64_t end;        /* of the part; AV_NOPTS_VALUE: it is not known */
    AVRational time_base;
    int32_t lost_sound; /* streams of codecs that are not known */
    int32_t lost_subtitles;
    int32_t lost_data;  /* streams of other data */
} cmedia_copies;

/* Whether a stream is of data that a container has no place for, and that is not copied in another way. */
bool cmedia_is_lost_data(const AVStream *stream, const AVOutputFormat *container);

/* Makes streams for the sound and the subtitles of `source`. */
bool cmedia_copies_open(
    cmedia_copies *copies, AVFormatContext *source, AVFormatContext *target, cmedia_error *error);

/* Writes what is read before the first packet that comes after a time in a time base. */
bool cmedia_copies_write(
    cmedia_copies *copies, int64_t time, AVRational time_base, cmedia_error *error);

/* Writes all there is; of a part, what does not come after its end, which is such a time. */
bool cmedia_copies_end(
    cmedia_copies *copies, int64_t time, AVRational time_base, cmedia_error *error);

void cmedia_copies_close(cmedia_copies *copies);

/* Copies a tag, where there is one. */
void cmedia_copy_tag(const AVStream *source, AVStream *target, const char *name);

/* Copies what is said of the whole and of the video. */
void cmedia_copy_metadata(
    const cmedia_reader *source, AVFormatContext *target, AVStream *video, cmedia_omission omission);

/* Copies the timecode of the video's first frame, and from which reel it is; `start` is when the first frame is shown that is
 * kept, in units of `time_base`, or AV_NOPTS_VALUE for all. `video` gets the rate by which it counts. False: the container has no
 * place for it. */
bool cmedia_copy_timecode(
    const cmedia_reader *source, AVFormatContext *target, AVStream *video, int64_t start,
    AVRational time_base);

/* Copies chapters. `start`: what is counted from, `end`: where they end at the latest, in units of `time_base`;
 * AV_NOPTS_VALUE: where they do. */
bool cmedia_copy_chapters(
    const AVFormatContext *source, AVFormatContext *target, int64_t start, int64_t end,
    AVRational time_base, cmedia_error *error);

/* Copies covers, fonts and other files that a Matroska file has in it, unless they are not to be kept: a cover may say
 * where it was taken. Other containers have no place for them: `lost_covers` counts the pictures that are left out. */
bool cmedia_copy_attachments(
    const AVFormatContext *source, AVFormatContext *target, bool is_kept, int32_t *lost_covers,
    cmedia_error *error);

/* Leaves a message for a code of a write that failed, and gives false. */
bool cmedia_fail_writing(AVFormatContext *target, int code, cmedia_error *error);

#endif
