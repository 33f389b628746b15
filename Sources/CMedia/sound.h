/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_SOUND_H
#define CMEDIA_SOUND_H

#include "reader.h"

/* Opens the decoder of a sound stream. Returns NULL if the sound cannot be decoded. */
AVCodecContext *cmedia_open_sound_decoder(const AVStream *source, cmedia_error *error);

/* Returns a sample as a fraction of full scale, which a damaged file may exceed; it may also be NaN. */
double cmedia_sample(const AVFrame *frame, int channel, int index);

/* Returns whether a file has sound whose format is only stated by its packets. */
bool cmedia_needs_sound_formats(const cmedia_reader *reader);

/* Sets the format of such sound to that of most of the first frames, because the first one may be damaged. `other`:
 * another reader of the file, from which they are read. */
void cmedia_find_sound_formats(cmedia_reader *reader, cmedia_reader *other);

#endif
