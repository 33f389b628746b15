/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_AAC_H
#define CMEDIA_AAC_H

#include "reader.h"

/* Encodes decoded sound as AAC with one or two channels. */
typedef struct cmedia_aac cmedia_aac;

/* Opens the encoder for sound from a decoder. NULL: AAC does not support its sample rate. */
cmedia_aac *cmedia_aac_open(const AVCodecContext *decoder, cmedia_error *error);

void cmedia_aac_close(cmedia_aac **aac);

/* Sets the parameters of the stream that the packets are written to. */
bool cmedia_aac_describe(const cmedia_aac *aac, AVStream *target, cmedia_error *error);

/* Adds decoded samples. `time`: the time of the first, counted in samples. A gap before it becomes silence. */
bool cmedia_aac_add(cmedia_aac *aac, const AVFrame *frame, int64_t time, cmedia_error *error);

/* Returns the next packet, with times in samples. Returns 1 on success, 0 if more samples are needed, -1 on error.
 * `is_ending`: whether no more samples follow; then 0 means that all packets have been returned. */
int cmedia_aac_receive(cmedia_aac *aac, AVPacket *packet, bool is_ending, cmedia_error *error);

#endif
