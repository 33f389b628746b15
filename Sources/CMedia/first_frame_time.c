/* SPDX-License-Identifier: Apache-2.0 */
#include "reader.h"

enum {
    /* The maximum number of frames without times that are counted. */
    MAXIMUM_UNTIMED = 1 << 16,
    /* The first frame with a time is among this many packets, whatever the decoding order. */
    REORDERED = 32,
};

/* The statistics of the first packets of a stream. */
typedef struct beginning {
    int64_t untimed;  /* packets before the first with a time */
    int64_t duration; /* total duration of those that have one */
    int64_t silent;   /* those without a duration */
    int64_t timed;    /* packets with a time, and their range of times */
    int64_t first;
    int64_t last;
} beginning;

static void add(beginning *start, const AVPacket *packet)
{
    int64_t time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
    if (time != AV_NOPTS_VALUE) {
        start->first = start->timed > 0 ? FFMIN(start->first, time) : time;
        start->last = start->timed > 0 ? FFMAX(start->last, time) : time;
        start->timed++;
    } else if (start->timed == 0) {
        start->untimed++;
        start->silent += packet->duration <= 0;
        start->duration = av_sat_add64(start->duration, FFMAX(packet->duration, 0));
    }
}

/* Returns the duration of a frame that records none. */
static int64_t step(const AVStream *stream, const beginning *start)
{
    AVRational rate = stream->avg_frame_rate;
    if (rate.num > 0 && rate.den > 0)
        return av_rescale_q(1, av_inv_q(rate), stream->time_base);
    return start->timed > 1 ? av_sat_sub64(start->last, start->first) / (start->timed - 1) : 0;
}

int64_t cmedia_count_back(cmedia_reader *reader)
{
    cmedia_error error;
    cmedia_reader *other = cmedia_open(reader->descriptor, &error);
    AVPacket *packet = av_packet_alloc();
    beginning start = {0};
    while (other && packet && start.untimed < MAXIMUM_UNTIMED && start.timed < REORDERED
           && cmedia_read(other->format, packet) >= 0) {
        if (packet->stream_index == other->stream && packet->size > 0)
            add(&start, packet);
        av_packet_unref(packet);
    }
    reader->step = step(cmedia_stream(reader), &start);
    av_packet_free(&packet);
    cmedia_close(other);
    if (start.timed == 0)
        return AV_NOPTS_VALUE;
    /* Counts are at most 1 << 16, so an overflow is caused by the file's own numbers. */
    int64_t silent = 0;
    if (__builtin_mul_overflow(start.silent, reader->step, &silent))
        return AV_NOPTS_VALUE;
    return av_sat_sub64(start.first, av_sat_add64(start.duration, silent));
}
