/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMEDIA_CLOCK_H
#define CMEDIA_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CMEDIA_CLOCK_STREAMS = 64,
};

/* The times of an MPEG stream between two restarts of its clock. All times are in microseconds. */
typedef struct cmedia_clock {
    bool is_used;
    int64_t offset; /* is added to the times of all streams */
    int64_t latest; /* of the times of all streams */
    bool knows[CMEDIA_CLOCK_STREAMS];
    int64_t last[CMEDIA_CLOCK_STREAMS];
} cmedia_clock;

/* Makes times continue although the clock restarts, as in recordings that were joined byte by byte. */
typedef struct cmedia_clocks {
    cmedia_clock now;
    cmedia_clock before;
    bool knows_end[CMEDIA_CLOCK_STREAMS];
    int64_t ends[CMEDIA_CLOCK_STREAMS]; /* ends of the streams, with offsets */
    int64_t end;                        /* the latest of them */
} cmedia_clocks;

/* Returns whether the clock of an MPEG transport or program stream restarts, from samples of the file. A restart
 * within the first or last thirtieth of the file may not be found. */
bool cmedia_clock_restarts(int descriptor, int64_t length, bool is_transport);

/* Returns what has to be added to the times of the next packet. `time` is its decoding time, `end` the end of its
 * presentation. */
int64_t cmedia_clock_offset(cmedia_clocks *clocks, int stream, int64_t time, int64_t end);

#endif
