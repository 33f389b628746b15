/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_WRITER_H
#define CMEDIA_WRITER_H

#include "reader.h"

/* A buffered writer to a descriptor. Initialise it with zeros. */
typedef struct cmedia_output {
    int descriptor;
    int64_t position;
    int64_t length;
    AVIOContext *io;
} cmedia_output;

bool cmedia_output_open(cmedia_output *output, int descriptor, cmedia_error *error);

void cmedia_output_close(cmedia_output *output);

/* Creates a file in a container with this name that is written to a descriptor, or NULL. */
AVFormatContext *cmedia_make_file(
    cmedia_output *output, int descriptor, const char *container, cmedia_error *error);

/* Allows the muxer to read what was written to `output`, which it does to move the index to the start. */
void cmedia_allow_reading(AVFormatContext *format, cmedia_output *output);

/* Writes the header once the streams are known. `timescale`: units of the video's times per second.
 * `is_index_first`: whether the index of a MOV or MP4 is at its start, which `cmedia_allow_reading` permits. */
bool cmedia_write_header(
    AVFormatContext *format, int64_t timescale, bool is_index_first, cmedia_error *error);

/* Completes the file. */
bool cmedia_write_trailer(AVFormatContext *format, cmedia_error *error);

/* Opens an encoder for about `rate` frames per second, which may be unknown. */
AVCodecContext *cmedia_open_encoder(
    const cmedia_writing *writing, AVRational rate, bool has_global_header, cmedia_error *error);

/* Allocates a frame with memory for an encoder, or NULL. */
AVFrame *cmedia_make_frame(const AVCodecContext *encoder);

/* Sound that is decoded and written as 16-bit samples, at another volume or because of its codec. */
typedef struct cmedia_sound cmedia_sound;

/* Opens the decoder and sets the parameters of `target`. Returns NULL if the sound cannot be decoded. */
cmedia_sound *cmedia_sound_open(
    const AVStream *source, AVStream *target, double volume, cmedia_error *error);

/* Opens the decoder of a sound that is written as AAC. Returns NULL if the sound cannot be decoded or encoded. */
cmedia_sound *cmedia_sound_open_aac(const AVStream *source, cmedia_error *error);

/* Sets the parameters of the stream that the AAC packets are written to. */
bool cmedia_sound_describe(const cmedia_sound *sound, AVStream *target, cmedia_error *error);

/* Sends a packet of the source, or NULL at the end. */
void cmedia_sound_send(cmedia_sound *sound, const AVPacket *packet);

/* Returns the next packet to write, in samples. Gaps become silence up to the time `limit`, in samples, so that damaged
 * times cost little. Returns 1 on success, 0 if more input is needed, -1 on error. */
int cmedia_sound_receive(cmedia_sound *sound, AVPacket *packet, int64_t limit, cmedia_error *error);

void cmedia_sound_close(cmedia_sound **sound);

/* Streams that are copied from one file to another, packet by packet or decoded. */
typedef struct cmedia_copies {
    AVFormatContext *source;
    AVFormatContext *target;
    unsigned count;     /* streams of the source when the target was started */
    int *streams;       /* target stream of each source stream; -1 if omitted */
    int64_t *next;      /* first free time of each stream, in the target's units */
    double volume;      /* of the sound; 1 copies it */
    cmedia_sound **sounds; /* for each source stream; NULL if it is copied */
    AVPacket *packet;
    AVPacket *samples;
    bool is_waiting;    /* whether a packet has been read but not written */
    bool is_at_end;
    bool is_part;       /* whether times are relative to `start`, and earlier packets are omitted */
    bool is_for_web;    /* whether only the first sound that can be decoded is kept, as AAC */
    bool omits_titles;  /* whether stream titles are omitted */
    int64_t pictures;   /* how far the pictures have been written, in microseconds */
    uint64_t omitted;   /* bit mask of leading streams that are omitted silently */
    int32_t subtitles;  /* copied subtitle streams */
    int64_t start;      /* in units of `time_base` */
    int64_t end;        /* end of the part; AV_NOPTS_VALUE if unknown */
    AVRational time_base;
    int32_t lost_sound; /* sound streams with unknown codecs or rates */
    int32_t lost_subtitles;
    int32_t lost_data;  /* omitted streams of other data */
} cmedia_copies;

/* Returns whether a stream has data that a container cannot store, and that is not copied in another way. */
bool cmedia_is_lost_data(const AVStream *stream, const AVOutputFormat *container);

/* Returns whether sound has a codec that no written container can store so that other programs read it: that of
 * Windows Media, Blu-ray discs and DVDs. It is written as 16-bit samples. */
bool cmedia_needs_decoding(const AVCodecParameters *sound);

/* Creates target streams for the sound and the subtitles of `source`. */
bool cmedia_copies_open(
    cmedia_copies *copies, AVFormatContext *source, AVFormatContext *target, cmedia_error *error);

/* Writes packets up to the first that comes after a time in a time base. */
bool cmedia_copies_write(
    cmedia_copies *copies, int64_t time, AVRational time_base, cmedia_error *error);

/* Writes all remaining packets; for a part, those that do not come after its end, given as such a time. */
bool cmedia_copies_end(
    cmedia_copies *copies, int64_t time, AVRational time_base, cmedia_error *error);

void cmedia_copies_close(cmedia_copies *copies);

/* Copies a tag if it exists. */
void cmedia_copy_tag(const AVStream *source, AVStream *target, const char *name);

/* Copies the metadata of the file and of the video stream. `date`: as in cmedia_writing. */
void cmedia_copy_metadata(
    const cmedia_reader *source, AVFormatContext *target, AVStream *video, cmedia_omission omission,
    const char *date);

/* Copies the timecode of the video's first frame, and its reel name. `start` is the presentation time of the
 * first kept frame in units of `time_base`, or AV_NOPTS_VALUE for all. `video` gets the frame rate of the
 * timecode. Returns false if the container cannot store it. */
bool cmedia_copy_timecode(
    const cmedia_reader *source, AVFormatContext *target, AVStream *video, int64_t start,
    AVRational time_base);

/* Removes the unregistered user data from a packet of H.264 or HEVC. AVCHD cameras store the date, the camera and the
 * location there. */
bool cmedia_drop_user_data(const AVCodecParameters *video, AVPacket *packet, cmedia_error *error);

/* Copies chapters. `start`: the origin of times, `end`: the latest end, in units of `time_base`.
 * AV_NOPTS_VALUE means no limit. */
bool cmedia_copy_chapters(
    const AVFormatContext *source, AVFormatContext *target, int64_t start, int64_t end,
    AVRational time_base, cmedia_error *error);

/* Copies covers, fonts and other files attached to a Matroska file, if `is_kept`: a cover may record the
 * capture location. Other containers cannot store them: `lost_covers` counts the omitted pictures. */
bool cmedia_copy_attachments(
    const AVFormatContext *source, AVFormatContext *target, bool is_kept, int32_t *lost_covers,
    cmedia_error *error);

/* Sets a message for the error code of a failed write, and returns false. */
bool cmedia_fail_writing(AVFormatContext *target, int code, cmedia_error *error);

#endif
