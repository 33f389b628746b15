/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_DECODED_SOUND_H
#define CMEDIA_DECODED_SOUND_H

#include "reader.h"

enum {
    CMEDIA_HELD_SOUND = 64,
};

/* Decodes a sound stream, and determines when its samples are played. Readers and writers share it, so that they place
 * samples equally. Initialise it with zeros. */
typedef struct cmedia_decoded_sound {
    AVCodecContext *decoder;
    int rate;       /* of the stream; frames with another one, or with other channels, are damaged */
    int channels;
    AVFrame *frames[CMEDIA_HELD_SOUND]; /* decoded, but not placed; `count` of them are in use */
    bool follows_loss[CMEDIA_HELD_SOUND]; /* whether damage may have cost samples before each of them */
    int count;
    int changed;    /* number of frames in sequence that were dropped because they differ */
    bool has_lost;  /* whether damage may have cost samples since the last frame was decoded */
    bool has_begun; /* whether `next` is known */
    bool is_ending; /* whether the decoder has been sent the end of the stream */
    int64_t next;   /* end of the placed samples, counted in samples */
} cmedia_decoded_sound;

/* Opens the decoder. */
bool cmedia_decoded_sound_open(cmedia_decoded_sound *sound, const AVStream *source, cmedia_error *error);

void cmedia_decoded_sound_close(cmedia_decoded_sound *sound);

/* Prepares for packets after a seek. */
void cmedia_decoded_sound_flush(cmedia_decoded_sound *sound);

/* Sends a packet, or NULL at the end. Packets that cannot be decoded become silence, as in players. */
void cmedia_decoded_sound_send(cmedia_decoded_sound *sound, const AVPacket *packet);

/* Moves the next samples into `frame`. `time`: of the first of them, counted in samples. It is the end of the previous
 * ones, or later after a gap. Returns 1 on success, 0 if more packets are needed, -1 on error. */
int cmedia_decoded_sound_receive(
    cmedia_decoded_sound *sound, AVFrame *frame, int64_t *time, cmedia_error *error);

#endif
