/* SPDX-License-Identifier: Apache-2.0
 *
 * Video with FFmpeg 5.1. It is C because Swift does not import libav's macros. A reader reads one file from a
 * descriptor and opens nothing else. Only the containers in cmedia_containers and the codecs in cmedia_codecs are
 * supported.
 *
 * A reader must be used by one thread at a time. Numbers come from an untrusted file: the caller must check them.
 */
#ifndef CMEDIA_H
#define CMEDIA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The reason of a failure. */
typedef struct cmedia_error {
    char message[256]; /* UTF-8, NUL-terminated */
    bool is_full;      /* whether the storage for the output is full */
} cmedia_error;

/* The facts about a file from its index; nothing is decoded for them. */
typedef struct cmedia_facts {
    char container[64];       /* FFmpeg's demuxer name, such as "mov,mp4,m4a,3gp,3g2,mj2" */
    char video_codec[32];     /* FFmpeg's codec name, such as "h264"; empty if unknown */
    bool is_decodable;        /* whether the video's codec is allowed and can be decoded */
    int32_t width;            /* coded size in pixels; 0 if unknown */
    int32_t height;
    int32_t aspect_numerator; /* pixel aspect ratio, width by height; 1 by 1 if not recorded */
    int32_t aspect_denominator;
    int32_t orientation;      /* EXIF orientation 1...8 of the coded picture; 0 for other rotations */
    double duration;          /* of the whole file, in seconds; 0 if unknown */
    double frame_rate;        /* average frames per second; 0 if unknown */
    int64_t frame_count;      /* from the index; 0 if not recorded */
    int32_t bits;             /* per sample; 0 if unknown */
    bool has_alpha;
    bool has_quarter_chroma;  /* whether pixels are 8-bit YCbCr 4:2:0 */
    int32_t color_transfer;   /* ITU-T H.273: 16 is PQ, 18 is HLG */
    int32_t color_primaries;
    int32_t audio_streams;
    char audio_codec[32];     /* codec of the first; empty if there is no sound */
    int32_t video_streams;    /* without attached pictures such as covers */
    int64_t end;              /* end of the video in units of its time base; 0 if unknown */
    int32_t time_base_numerator; /* time base of the video: seconds per unit, as a fraction */
    int32_t time_base_denominator;
} cmedia_facts;

/* A decoded frame. */
typedef struct cmedia_frame {
    int32_t width;
    int32_t height;
    int64_t time;        /* presentation time in microseconds from the start of the file */
    int64_t timestamp;   /* the same in units of the time base; follows the previous frame if not recorded */
    int64_t duration;    /* in units of the time base; 0 if unknown */
    bool is_damaged;     /* whether part of it could not be decoded */
    bool is_interlaced;  /* it has two fields; the first is written, with the missing lines interpolated */
    int32_t color_transfer;  /* as in cmedia_facts, of this frame */
    int32_t color_primaries;
} cmedia_frame;

typedef struct cmedia_reader cmedia_reader;

/* The allowed containers and codecs, as comma-separated FFmpeg names. */
extern const char *const cmedia_containers;
/* The protocols by which a file may refer to others, in the same form. */
extern const char *const cmedia_protocols;
extern const char *const cmedia_codecs;
extern const char *const cmedia_sound_codecs;

/* Returns the versions of libavformat and libavcodec, such as "59.27.100". */
void cmedia_versions(char format[32], char codec[32]);

/* Returns the GNU build ID of the loaded library whose file name has a prefix: its first 16 hexadecimal
 * digits. Returns false if none is loaded, or if it has no ID. */
bool cmedia_build(const char *library, char text[17]);

/* Returns the licence of this build of FFmpeg, such as "GPL version 3 or later". */
const char *cmedia_license(void);

/* Suppresses FFmpeg's own log messages. */
void cmedia_silence(void);

/* Opens the file of a descriptor. The caller keeps the descriptor, which must stay open. Returns NULL, with
 * the reason in `error`, if it is not a video that can be opened. */
cmedia_reader *cmedia_open(int descriptor, cmedia_error *error);

void cmedia_close(cmedia_reader *reader);

void cmedia_describe(const cmedia_reader *reader, cmedia_facts *facts);

/* Returns a metadata tag, or NULL after the last one. The tags of the file precede those of the video stream.
 * The strings belong to the reader. */
const char *cmedia_tag(const cmedia_reader *reader, size_t index, const char **value);

/* Writes the local time at which an AVCHD camera recorded the current frame, as in EXIF: "2024:05:06 07:08:09". Returns
 * false if the frame contains none. */
bool cmedia_recording_time(const cmedia_reader *reader, char text[20]);

/* The part of a truncated file that is missing according to its index. */
typedef struct cmedia_absence {
    int64_t frames; /* video frames; 0 if there are none, or if it is not recorded */
    int64_t since;  /* decoding time of the first missing frame, in microseconds from the start; 0 if unknown */
    int64_t bytes;  /* bytes of the file; 0 if there are none, or if unknown */
    bool is_estimate; /* whether `frames` is estimated from the remaining bytes; without frames, whether `bytes`
                       * is a lower bound */
    bool has_sound; /* whether sound is missing */
} cmedia_absence;

/* Determines whether a file is truncated, without reading the remaining data. */
void cmedia_look_for_end(const cmedia_reader *reader, cmedia_absence *absence);

/* Returns the origin of the video's time in players, in units of its time base: usually 0, which may be before
 * the first frame. Exact once a frame has been decoded. */
int64_t cmedia_origin(const cmedia_reader *reader);

/* Seeks to the last key frame at or before a time in microseconds. */
bool cmedia_seek(cmedia_reader *reader, int64_t time, cmedia_error *error);

/* Decodes the next frame in presentation order. Returns 1 on success, 0 at the end, -1 on error. `threads`:
 * the number of threads for decoding and conversion, set with the first frame. `looks_ahead`: also
 * decodes the following frame, which gives the exact duration. */
int cmedia_next(
    cmedia_reader *reader, int threads, bool looks_ahead, cmedia_frame *frame, cmedia_error *error);

/* Returns the number of decoder failures since the file was opened. Such frames are skipped. */
int64_t cmedia_losses(const cmedia_reader *reader);

/* Returns the missing duration in microseconds between the last frame and the end recorded in the index; 0 if
 * none is missing or recorded. Call it after the last frame. */
int64_t cmedia_missing(const cmedia_reader *reader);

/* Decodes the frame shown at a time in microseconds from cmedia_origin: the last that starts at or before it.
 * Times out of range select the first or the last frame. cmedia_next continues after it. Returns the same
 * values as cmedia_next. */
int cmedia_frame_at(
    cmedia_reader *reader, int threads, int64_t time, cmedia_frame *frame, cmedia_error *error);

/* Writes the current frame as 8-bit RGB without rotation, in rows of `stride` bytes, scaled to `width` by
 * `height`. Full range, in the frame's own primaries and transfer function. */
bool cmedia_write_rgb(
    cmedia_reader *reader, int32_t width, int32_t height, uint8_t *pixels, size_t stride,
    cmedia_error *error);

/* Writes the current frame likewise with 16 bits per sample. `stride` is in bytes and even. */
bool cmedia_write_rgb16(
    cmedia_reader *reader, int32_t width, int32_t height, uint16_t *pixels, size_t stride,
    cmedia_error *error);

/* Writes the current frame like cmedia_write_rgb, without padding, rotated upright by the EXIF orientation
 * 1...8. `width` and `height` are the size before rotation. `capacity`, the size of `pixels` in bytes, is at
 * least their product times 3. */
bool cmedia_write_upright(
    cmedia_reader *reader, int32_t width, int32_t height, int32_t orientation, uint8_t *pixels,
    size_t capacity, cmedia_error *error);

/* Rotates 8-bit RGB pixels without padding, `width` by `height`, upright by the EXIF orientation 1...8. From 5
 * on, the result is `height` by `width`. */
void cmedia_turn(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t orientation, uint8_t *upright);

/* The format of decoded sound. */
typedef struct cmedia_sound_format {
    int32_t sample_rate;   /* samples per second and channel */
    int32_t channel_count; /* at most 64 */
} cmedia_sound_format;

typedef struct cmedia_sound_reader cmedia_sound_reader;

/* Opens the sound of a video, which the caller keeps open. `omitted_streams`: as in cmedia_writing. `origin`: the start
 * of the video in microseconds. Returns NULL if there is no sound, or if it cannot be decoded. */
cmedia_sound_reader *cmedia_open_sound(
    int descriptor, uint64_t omitted_streams, int64_t origin, cmedia_sound_format *format,
    cmedia_error *error);

void cmedia_close_sound(cmedia_sound_reader *reader);

/* Decodes `count` samples of each channel, channels interleaved, from the sample `first` after the start of the video
 * on. The remaining samples are silent. */
bool cmedia_read_sound(
    cmedia_sound_reader *reader, int64_t first, int32_t count, float *samples, cmedia_error *error);

/* The settings of a video to be written. */
typedef struct cmedia_writing {
    const char *container; /* FFmpeg's muxer name: "mov", "mp4", "matroska" */
    const char *codec;     /* FFmpeg's encoder name: "libx264", "libx265" */
    const char *preset;    /* encoder preset, such as "medium" */
    int32_t quality;       /* constant rate factor, 0 (best) to 51 */
    int32_t width;         /* in pixels, even */
    int32_t height;
    int32_t threads;       /* at least 1; affects the encoded bytes */
    int32_t time_base_numerator; /* time base of the frames: seconds per unit, as a fraction */
    int32_t time_base_denominator;
    bool is_part;          /* whether only a part of the source is written, from its first to its last frame */
    int64_t part_start;    /* start of the part; its first frame may be shown later */
    int64_t part_end;      /* end of the part, for its chapters; unknown if not after `part_start` */
    bool keeps_sound;      /* copies sound and subtitles packet by packet */
    double volume;         /* of the sound; 1 copies it, other values decode and multiply it */
    bool keeps_metadata;   /* copies chapters, dates, location, camera, titles */
    const char *date;      /* capture date that is written if `keeps_metadata`; NULL if the source has a tag for it */
    uint64_t omitted_streams; /* bit mask of leading streams to omit, because their samples are in other files */
    bool is_for_web;       /* the index comes first, and only one sound is kept, as AAC; "mov" or "mp4" */
} cmedia_writing;

/* The result of writing a video. */
typedef struct cmedia_written {
    int64_t frames;
    int64_t first;          /* of a copy: presentation time of its first frame, in the source's units */
    int64_t end;            /* end of its last frame */
    int32_t lost_sound;     /* sound streams with codecs unknown to FFmpeg, or without packets near the start */
    int32_t lost_subtitles; /* subtitle streams that the container cannot store */
    int32_t subtitles;      /* copied subtitle streams */
    int32_t lost_covers;    /* cover pictures that the container cannot store */
    int32_t lost_timecodes; /* 1 if the video's timecode is omitted */
    int32_t lost_data;      /* streams of other data, such as sensor data */
    int64_t moved;          /* frames whose time was not after the previous frame's */
} cmedia_written;

typedef struct cmedia_writer cmedia_writer;

/* Starts writing a video to the descriptor `output`. The caller keeps the descriptor, which must stay open and
 * be seekable. Sound and metadata come from the video at `source`. The encoding is 8-bit 4:2:0, limited range,
 * BT.709, without rotation. The same frames give the same bytes with the same versions of FFmpeg and the
 * encoder. Returns NULL on failure, with the reason in `error`. */
cmedia_writer *cmedia_begin(
    int source, int output, const cmedia_writing *writing, cmedia_error *error);

/* Encodes a frame: 8-bit sRGB pixels without padding, `columns` by `rows`. Columns and rows beyond the video's
 * size are ignored. The 128 bytes after the pixels must be readable, because libswscale reads in blocks.
 * `timestamp` is in units of the time base; if it is not after the previous frame's, it is moved to the next
 * unit. `duration` is in the same units; 0 means unknown. */
bool cmedia_add_frame(
    cmedia_writer *writer, const uint8_t *rgb, int32_t columns, int32_t rows, int64_t timestamp,
    int64_t duration, cmedia_error *error);

/* Sets the end of the last frame, in the units of its timestamp, if its duration was unknown. */
void cmedia_show_until(cmedia_writer *writer, int64_t end);

/* Writes one of the frames that the encoder has buffered, after the last one was added. A frame may take a long time.
 * Returns 1 if there may be more, 0 if there are none, -1 on error. */
int cmedia_flush(cmedia_writer *writer, cmedia_error *error);

/* Writes the remaining frames and completes the file. The writer must still be discarded. */
bool cmedia_end(cmedia_writer *writer, cmedia_written *written, cmedia_error *error);

/* Frees a writer, or NULL. The bytes written so far stay in the file. */
void cmedia_discard(cmedia_writer *writer);

/* The metadata that a copy omits. */
typedef enum cmedia_omission {
    CMEDIA_OMIT_NOTHING,
    CMEDIA_OMIT_PLACE,            /* the capture location */
    CMEDIA_OMIT_ALL_BUT_COPYRIGHT, /* all except author and copyright; also omits chapters */
    CMEDIA_OMIT_ALL,
} cmedia_omission;

/* The streams of a video that a container cannot store, according to its index; each field is a count. */
typedef struct cmedia_loss {
    int32_t subtitles;
    int32_t covers;
    int32_t data; /* other than timecodes, chapters and QuickTime's timed metadata tracks */
} cmedia_loss;

/* Determines the streams that a copy or an edited video loses in a container, given by FFmpeg's muxer name. */
void cmedia_foresee(const cmedia_reader *reader, const char *container, cmedia_loss *losses);

/* The settings of a video to be copied packet by packet. */
typedef struct cmedia_copying {
    const char *container; /* as in cmedia_writing */
    bool is_part;          /* whether only frames from `part_start` to before `part_end` are copied */
    int64_t part_start;    /* in units of the video's time base, by the midpoint of each frame's interval */
    int64_t part_end;
    cmedia_omission omission;
    const char *date;      /* as in cmedia_writing, unless it is omitted */
    uint64_t omitted_streams; /* as in cmedia_writing */
} cmedia_copying;

/* Copies the video without decoding it, with its sound, subtitles, chapters and metadata, including its
 * rotation. Returns 1 on success and -1 on error. Returns 0 if it has to be encoded: the container cannot
 * store a codec, the part does not consist of whole groups of pictures, or the file lacks presentation times. */
int cmedia_copy(
    int source, int output, const cmedia_copying *copying, cmedia_written *written,
    cmedia_error *error);

#endif
