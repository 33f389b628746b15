/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_GROUPS_H
#define CMEDIA_GROUPS_H

#include "reader.h"

/* Frames that follow one another, in units of the video's time base. */
typedef struct cmedia_part {
    int64_t begin; /* when the part begins: with its first frame, or before it if that is the video's first */
    int64_t first; /* when the first is shown */
    int64_t last;  /* when the last is */
    int64_t end;   /* when that has been shown */
} cmedia_part;

/* Finds the frames that are shown from `start` on and before `end`, by the middle of their time. False: there are none, or
 * they are not whole groups of pictures, which can be decoded without any other. The reader is at its end then. */
bool cmedia_find_groups(cmedia_reader *reader, int64_t start, int64_t end, cmedia_part *part);

#endif
