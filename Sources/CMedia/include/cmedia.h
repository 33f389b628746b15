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
    int64_t start;            /* when the video begins, in microseconds */
} cmedia_facts;

/* A frame that was decoded. */
typedef struct cmedia_frame {
    int32_t width;
    int32_t height;
    int64_t time;        /* when it is shown, in microseconds from the beginning of the file */
    bool is_damaged;     /* something of it could not be decoded */
} cmedia_frame;

typedef struct cmedia_reader cmedia_reader;

/* Containers and codecs that are opened, FFmpeg's names with commas between. */
extern const char *const cmedia_containers;
extern const char *const cmedia_codecs;

/* The versions of libavformat and libavcodec, such as "59.27.100". */
void cmedia_versions(char format[32], char codec[32]);

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

/* Goes to the last key frame at or before a time, in microseconds. */
bool cmedia_seek(cmedia_reader *reader, int64_t time, cmedia_error *error);

/* Decodes the next frame, in the order of time. 1: there is one, 0: there are no more, -1: an error.
 * `threads`: how many to decode on, when the first is decoded. */
int cmedia_next(cmedia_reader *reader, int threads, cmedia_frame *frame, cmedia_error *error);

/* Writes the frame that was decoded last as RGB of 8 bits a sample, not turned, in rows of `stride`
 * bytes, as large as is said: it is scaled where it is larger. Full range; of the frame's own primaries and transfer. */
bool cmedia_write_rgb(
    cmedia_reader *reader, int32_t width, int32_t height, uint8_t *pixels, size_t stride,
    cmedia_error *error);

/* Turns RGB pixels of 8 bits a sample without gaps, `width` by `height`, upright by EXIF's orientation
 * 1...8; from 5 on the result is `height` by `width`. */
void cmedia_turn(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t orientation, uint8_t *upright);

#endif
