/* SPDX-License-Identifier: Apache-2.0
 *
 * Videos by FFmpeg 5.1: what libav's macros keep Swift from calling itself. One file is read from a
 * descriptor, nothing else is opened, and only the containers and codecs of cmedia_containers and
 * cmedia_codecs are understood.
 *
 * A reader belongs to one thread at a time. Numbers come from an untrusted file: the caller checks them.
 */
#ifndef CMEDIA_H
#define CMEDIA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why something could not be done. */
typedef struct cmedia_error {
    char message[256]; /* UTF-8, ends in NUL */
    bool is_full;      /* there is no room for what is written */
} cmedia_error;

/* What a file is, as its index says; nothing has been decoded for it. */
typedef struct cmedia_facts {
    char container[64];       /* FFmpeg's name of the demuxer, such as "mov,mp4,m4a,3gp,3g2,mj2" */
    char video_codec[32];     /* FFmpeg's name, such as "h264"; empty: none that is known */
    bool is_decodable;        /* whether the video's codec is one that is decoded */
    int32_t width;            /* pixels as they are coded; 0: unknown */
    int32_t height;
    int32_t aspect_numerator; /* of a pixel, its width by its height; 1 by 1 where that is not said */
    int32_t aspect_denominator;
    int32_t orientation;      /* EXIF's 1...8 of the coded picture; 0: it is to be turned by another angle */
    double duration;          /* of the whole, in seconds; 0: unknown */
    double frame_rate;        /* frames a second, on the average; 0: unknown */
    int64_t frame_count;      /* as the index says; 0: it does not */
    int32_t bits;             /* per sample; 0: unknown */
    bool has_alpha;
    int32_t color_transfer;   /* ITU-T H.273: 16 is PQ, 18 is HLG */
    int32_t color_primaries;
    int32_t audio_streams;
    char audio_codec[32];     /* that of the first; empty: there is none */
    int32_t video_streams;    /* without pictures that are attached, such as covers */
    int64_t end;              /* when the video ends, in units of its time base; 0: unknown */
    int32_t time_base_numerator; /* seconds in a unit of the video's timestamps, as a fraction */
    int32_t time_base_denominator;
} cmedia_facts;

/* A frame that was decoded. */
typedef struct cmedia_frame {
    int32_t width;
    int32_t height;
    int64_t time;        /* when it is shown, in microseconds from the beginning of the file */
    int64_t timestamp;   /* the same in units of the time base; where the file does not say, after the last */
    int64_t duration;    /* for which it is shown, in units of the time base; 0: unknown */
    bool is_damaged;     /* something of it could not be decoded */
    bool is_interlaced;  /* it has two fields: what is written of it is the first, with lines between that are interpolated */
    int32_t color_transfer;  /* as in cmedia_facts, of this frame */
    int32_t color_primaries;
} cmedia_frame;

typedef struct cmedia_reader cmedia_reader;

/* Containers and codecs that are opened, FFmpeg's names with commas between. Of sound nothing is heard:
 * where it is copied, the beginning is decoded to learn what the new file has to say of it. */
extern const char *const cmedia_containers;
/* Protocols by which a file may have others opened, in the same way. */
extern const char *const cmedia_protocols;
extern const char *const cmedia_codecs;
extern const char *const cmedia_sound_codecs;

/* The versions of libavformat and libavcodec, such as "59.27.100". */
void cmedia_versions(char format[32], char codec[32]);

/* Which build of a library is loaded whose file name begins so: 16 hexadecimal digits of its GNU build ID. false: none, or
 * it has no ID. */
bool cmedia_build(const char *library, char text[17]);

/* How FFmpeg is licensed as it was built, such as "GPL version 3 or later". */
const char *cmedia_license(void);

/* What FFmpeg says of its own accord goes to nobody. */
void cmedia_silence(void);

/* Opens a file by its descriptor, which stays the caller's and has to stay open. NULL: it is no video
 * that can be opened, and `error` says why. */
cmedia_reader *cmedia_open(int descriptor, cmedia_error *error);

void cmedia_close(cmedia_reader *reader);

void cmedia_describe(const cmedia_reader *reader, cmedia_facts *facts);

/* A tag of the metadata: first those of the whole, then those of the video's stream. NULL: there are no
 * more. What is returned belongs to the reader. */
const char *cmedia_tag(const cmedia_reader *reader, size_t index, const char **value);

/* What of a file lies beyond its end, as its index says. */
typedef struct cmedia_absence {
    int64_t frames; /* of the video; 0: none, or the index does not say */
    int64_t since;  /* when the first of them is decoded, in microseconds from the beginning; 0: unknown */
    int64_t bytes;  /* of the file; 0: none, or unknown */
    bool is_estimate; /* whether the number of frames is one, by how much of the file is there; without frames: at least
                       * so many bytes are missing */
    bool has_sound; /* whether some of it is sound */
} cmedia_absence;

/* Finds out whether a file has been cut off, without reading what it has. */
void cmedia_look_for_end(const cmedia_reader *reader, cmedia_absence *absence);

/* When players begin to count the video's time, in units of its time base: usually 0, which may lie before the first frame. Exact
 * once a frame has been decoded. */
int64_t cmedia_origin(const cmedia_reader *reader);

/* Goes to the last key frame at or before a time, in microseconds. */
bool cmedia_seek(cmedia_reader *reader, int64_t time, cmedia_error *error);

/* Decodes the next frame, in the order of time. 1: there is one, 0: there are no more, -1: an error.
 * `threads`: how many to decode and convert on, when the first is decoded. `looks_ahead`: decodes the frame
 * behind it as well, which tells exactly for how long it is shown. */
int cmedia_next(
    cmedia_reader *reader, int threads, bool looks_ahead, cmedia_frame *frame, cmedia_error *error);

/* How often the decoder could make nothing of what it was given, since the file was opened; such frames are
 * passed over. */
int64_t cmedia_losses(const cmedia_reader *reader);

/* How long before the end that the index says the last frame ends, in microseconds; 0: not before, or the
 * index does not say. To be asked where there are no more frames. */
int64_t cmedia_missing(const cmedia_reader *reader);

/* Decodes the frame that is shown at a time, in microseconds from cmedia_origin: the last that begins
 * at or before it. Beyond the end that is the last frame, before the beginning the first. cmedia_next
 * goes on behind it. Returns as cmedia_next does. */
int cmedia_frame_at(
    cmedia_reader *reader, int threads, int64_t time, cmedia_frame *frame, cmedia_error *error);

/* Writes the frame that was given last as RGB of 8 bits a sample, not turned, in rows of `stride` bytes,
 * scaled to `width` by `height`. Full range; of the frame's own primaries and transfer. */
bool cmedia_write_rgb(
    cmedia_reader *reader, int32_t width, int32_t height, uint8_t *pixels, size_t stride,
    cmedia_error *error);

/* The same with 16 bits a sample. `stride` is in bytes and even. */
bool cmedia_write_rgb16(
    cmedia_reader *reader, int32_t width, int32_t height, uint16_t *pixels, size_t stride,
    cmedia_error *error);

/* Writes the frame that was given last as cmedia_write_rgb does, without gaps, turned upright by EXIF's
 * orientation 1...8. `width` and `height` are those before it is turned; `capacity`, the bytes at `pixels`,
 * is at least their product times 3. */
bool cmedia_write_upright(
    cmedia_reader *reader, int32_t width, int32_t height, int32_t orientation, uint8_t *pixels,
    size_t capacity, cmedia_error *error);

/* Turns RGB pixels of 8 bits a sample without gaps, `width` by `height`, upright by EXIF's orientation
 * 1...8; from 5 on the result is `height` by `width`. */
void cmedia_turn(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t orientation, uint8_t *upright);

/* How a video is written. */
typedef struct cmedia_writing {
    const char *container; /* FFmpeg's name of the muxer: "mov", "mp4", "matroska" */
    const char *codec;     /* of the encoder: "libx264", "libx265" */
    const char *preset;    /* of the encoder, such as "medium" */
    int32_t quality;       /* the constant rate factor: 0...51, the less the better */
    int32_t width;         /* pixels, even */
    int32_t height;
    int32_t threads;       /* at least 1; results depend on it */
    int32_t time_base_numerator; /* seconds in a unit of the frames' times, as a fraction */
    int32_t time_base_denominator;
    bool is_part;          /* whether it is a part of the source, from its first to its last frame */
    int64_t part_start;    /* then: when the part begins; its first frame may be shown later */
    int64_t part_end;      /* and when the part ends, for its chapters; not after `part_start`: not known */
    bool keeps_sound;      /* copies sound and subtitles, packet for packet */
    double volume;         /* then, of the sound: 1: it stays as it is; else it is decoded and multiplied */
    bool keeps_metadata;   /* copies chapters, dates, place, camera, titles */
    uint64_t omitted_streams; /* a bit for each of the first: left out, as their samples are in other files */
} cmedia_writing;

/* What came of it. */
typedef struct cmedia_written {
    int64_t frames;
    int64_t first;          /* of a copy: when its first frame is shown, in the source's units */
    int64_t end;            /* and when its last one has been */
    int32_t lost_sound;     /* streams of sound whose codec FFmpeg does not know */
    int32_t lost_subtitles; /* streams of subtitles that the container does not take */
    int32_t subtitles;      /* streams of subtitles that were copied */
    int32_t lost_covers;    /* pictures that stand for the video, which the container does not take */
    int32_t lost_timecodes; /* 1: the video's is left out */
    int32_t lost_data;      /* streams of other data, such as those of sensors */
    int64_t moved;          /* frames whose time was not after that of the one before */
} cmedia_written;

typedef struct cmedia_writer cmedia_writer;

/* Begins to write a video to the descriptor `output`, which stays the caller's, has to stay open and can
 * be sought; sound and metadata come from the video at `source`. It is encoded as 4:2:0 of 8 bits, limited
 * range, BT.709, and has no turn. The same frames give the same bytes, by the same versions of FFmpeg and
 * the encoder. NULL: it cannot be done, and `error` says why. */
cmedia_writer *cmedia_begin(
    int source, int output, const cmedia_writing *writing, cmedia_error *error);

/* Encodes a frame: RGB of 8 bits a sample without gaps, `columns` by `rows`, in sRGB; what exceeds the
 * video's size to the right or below is left out. 128 bytes behind them have to be readable, since
 * libswscale reads in blocks. It is shown at `timestamp`, in units of the time base;
 * one that is not after the last frame's is moved to the next. `duration` in the same units; 0: unknown. */
bool cmedia_add_frame(
    cmedia_writer *writer, const uint8_t *rgb, int32_t columns, int32_t rows, int64_t timestamp,
    int64_t duration, cmedia_error *error);

/* Says when the last frame ends, as its timestamp counts, where its duration did not. */
void cmedia_show_until(cmedia_writer *writer, int64_t end);

/* Writes one of the frames that the encoder holds back, when there are no more to add: one may take long.
 * 1: there may be others, 0: there are none, -1: an error. */
int cmedia_flush(cmedia_writer *writer, cmedia_error *error);

/* Completes the file, with the frames that the encoder still has. The writer is to be discarded then, too. */
bool cmedia_end(cmedia_writer *writer, cmedia_written *written, cmedia_error *error);

/* Frees a writer, or NULL. What it has written stays in the file. */
void cmedia_discard(cmedia_writer *writer);

/* What a copy leaves out of what a file says of itself. */
typedef enum cmedia_omission {
    CMEDIA_OMIT_NOTHING,
    CMEDIA_OMIT_PLACE,            /* where it was taken */
    CMEDIA_OMIT_ALL_BUT_COPYRIGHT, /* all but who made it, and whose it is; chapters, too */
    CMEDIA_OMIT_ALL,
} cmedia_omission;

/* What of a video has no place in a container, by its index; each a number of streams. */
typedef struct cmedia_loss {
    int32_t subtitles;
    int32_t covers;
    int32_t data; /* other than timecodes, chapters and what QuickTime files have in tracks of timed metadata */
} cmedia_loss;

/* Finds out what a copy, or an edited video, in a container with FFmpeg's name of the muxer would leave out. */
void cmedia_foresee(const cmedia_reader *reader, const char *container, cmedia_loss *losses);

/* How a video is copied, packet for packet. */
typedef struct cmedia_copying {
    const char *container; /* as in cmedia_writing */
    bool is_part;          /* whether only the frames from `part_start` on and before `part_end` are */
    int64_t part_start;    /* in units of the video's time base, by the middle of each frame's time */
    int64_t part_end;
    cmedia_omission omission;
    uint64_t omitted_streams; /* as in cmedia_writing */
} cmedia_copying;

/* Copies the video that counts with its sound, subtitles, chapters and metadata, how it is turned included, without
 * decoding it. 1: done; 0: it would have to be encoded: the container has no place for a codec, the part is not made of
 * whole groups of pictures, or the file does not say when each is shown; -1: an error. */
int cmedia_copy(
    int source, int output, const cmedia_copying *copying, cmedia_written *written,
    cmedia_error *error);

#endif
