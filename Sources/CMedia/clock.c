/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "clock.h"

#include <libavutil/common.h>
#include <libavutil/intreadwrite.h>
#include <string.h>
#include <unistd.h>

enum {
    SAMPLES = 32,
    SAMPLE_SIZE = 1 << 18, /* 0.1 s, the longest distance of two clock values, at 20 Mbit/s */
    TRANSPORT_PACKET = 188,
    AVCHD_PACKET = 192,
    MAXIMUM_PACKET = 192,
    /* The number of packets that must follow each other, because other bytes may look like one. */
    CERTAIN = 5,
};

/* In microseconds: the largest step of a clock, and how far times of one stream may go back. */
static const int64_t LONGEST_STEP = 10000000, LONGEST_RETURN = 1000000;

/* Returns the base of the program clock reference in a transport packet, or -1 (ISO/IEC 13818-1, 2.4.3.4). */
static int64_t transport_clock(const uint8_t *packet)
{
    bool has_clock = packet[3] & 0x20 && packet[4] >= 7 && packet[4] <= 183 && packet[5] & 0x10;
    return has_clock ? (int64_t)AV_RB32(packet + 6) << 1 | packet[10] >> 7 : -1;
}

/* Returns the system clock reference in a pack header, or -1 (ISO/IEC 13818-1, 2.5.3.4; 11172-1, 2.4.3.2). */
static int64_t program_clock(const uint8_t *pack)
{
    if (AV_RB32(pack) != 0x1ba)
        return -1;
    const uint8_t *bytes = pack + 4;
    if (bytes[0] >> 6 == 1)
        return (int64_t)(bytes[0] >> 3 & 7) << 30 | (int64_t)(bytes[0] & 3) << 28 | bytes[1] << 20
            | (bytes[2] >> 3) << 15 | (bytes[2] & 3) << 13 | bytes[3] << 5 | bytes[4] >> 3;
    if (bytes[0] >> 4 == 2)
        return (int64_t)(bytes[0] >> 1 & 7) << 30 | bytes[1] << 22 | (bytes[2] >> 1) << 15 | bytes[3] << 7
            | bytes[4] >> 1;
    return -1;
}

static bool is_transport_packet(const uint8_t *bytes, size_t stride)
{
    for (size_t index = 0; index < CERTAIN; index++)
        if (bytes[index * stride] != 0x47)
            return false;
    return true;
}

/* Returns the first clock value in bytes, in units of 1/90000 s, or -1. `program`: the identifier of the packets with
 * the clock; the first one is used if it is -1. */
static int64_t first_clock(const uint8_t *bytes, size_t count, bool is_transport, int *program)
{
    for (size_t place = 0; place + CERTAIN * MAXIMUM_PACKET < count; place++) {
        const uint8_t *next = bytes + place;
        bool is_packet = is_transport
            && (is_transport_packet(next, TRANSPORT_PACKET) || is_transport_packet(next, AVCHD_PACKET));
        int64_t clock = is_packet ? transport_clock(next) : is_transport ? -1 : program_clock(next);
        int identifier = is_packet ? AV_RB16(next + 1) & 0x1fff : 0;
        if (clock < 0 || (*program >= 0 && *program != identifier))
            continue;
        *program = identifier;
        return clock;
    }
    return -1;
}

bool cmedia_clock_restarts(int descriptor, int64_t length, bool is_transport)
{
    const int64_t range = INT64_C(1) << 33;
    uint8_t *bytes = av_malloc(SAMPLE_SIZE);
    int64_t last = -1;
    int program = -1;
    bool is_restarting = false;
    for (int64_t index = 0; bytes && index < SAMPLES && !is_restarting; index++) {
        ssize_t count = pread(descriptor, bytes, SAMPLE_SIZE, length / SAMPLES * index);
        int64_t clock = count > 0 ? first_clock(bytes, (size_t)count, is_transport, &program) : -1;
        if (clock < 0)
            continue;
        /* The clock wraps. Half of its range is 13 hours. */
        is_restarting = last >= 0 && ((clock - last) & (range - 1)) > range / 2;
        last = clock;
    }
    av_free(bytes);
    return is_restarting;
}

/* Returns whether a time continues a clock. A stream may pause, and its last packet before that follows late. */
static bool fits(const cmedia_clock *clock, int stream, int64_t time)
{
    if (!clock->is_used)
        return false;
    bool is_known = clock->knows[stream];
    int64_t back = av_sat_sub64(time, is_known ? clock->last[stream] : clock->latest);
    return back >= (is_known ? -LONGEST_RETURN : -LONGEST_STEP)
        && av_sat_sub64(time, clock->latest) <= LONGEST_STEP;
}

static void begin(cmedia_clocks *clocks, int64_t time)
{
    bool is_first = !clocks->now.is_used;
    clocks->before = clocks->now;
    memset(&clocks->now, 0, sizeof clocks->now);
    clocks->now.is_used = true;
    clocks->now.latest = time;
    clocks->now.offset = is_first ? 0 : av_sat_sub64(clocks->end, time);
}

int64_t cmedia_clock_offset(cmedia_clocks *clocks, int stream, int64_t time, int64_t end)
{
    if (stream < 0 || stream >= CMEDIA_CLOCK_STREAMS)
        return 0;
    /* Streams do not change to a new clock in the same packet. */
    cmedia_clock *clock = &clocks->now;
    bool is_late = !clock->knows[stream] && clocks->before.knows[stream]
        && fits(&clocks->before, stream, time)
        && av_sat_sub64(time, clocks->before.last[stream]) <= LONGEST_RETURN
        && av_sat_sub64(time, clocks->before.latest) >= -LONGEST_STEP;
    if (is_late || (!fits(clock, stream, time) && fits(&clocks->before, stream, time)))
        clock = &clocks->before;
    else if (!fits(clock, stream, time))
        begin(clocks, time);
    if (!clock->knows[stream] && clocks->knows_end[stream])
        clock->offset = FFMAX(clock->offset, av_sat_sub64(clocks->ends[stream], time));
    clock->latest = FFMAX(clock->latest, time);
    clock->last[stream] = time;
    clock->knows[stream] = true;
    int64_t placed = av_sat_add64(end, clock->offset);
    clocks->ends[stream] = clocks->knows_end[stream] ? FFMAX(clocks->ends[stream], placed) : placed;
    clocks->knows_end[stream] = true;
    clocks->end = FFMAX(clocks->end, placed);
    return clock->offset;
}
