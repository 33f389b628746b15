/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_PICTURE_GROUPS_H
#define CMEDIA_PICTURE_GROUPS_H

#include "reader.h"

/* A run of consecutive frames. All times are in units of the video's time base. */
typedef struct cmedia_part {
    int64_t begin; /* start of the part: its first frame, or earlier if that is the video's first */
    int64_t first; /* presentation time of the first frame */
    int64_t last;  /* presentation time of the last frame */
    int64_t end;   /* end of the last frame */
} cmedia_part;

/* Finds the frames shown from `start` on and before `end`, by the midpoint of their intervals. Returns false
 * if there are none, or if they are not whole groups of pictures, which can be decoded independently. The
 * reader is at its end afterwards. */
bool cmedia_find_groups(cmedia_reader *reader, int64_t start, int64_t end, cmedia_part *part);

#endif
