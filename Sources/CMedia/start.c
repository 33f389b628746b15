/* SPDX-License-Identifier: Apache-2.0 */
#include "reader.h"

enum {
    /* More frames without times are not counted. */
    MAXIMUM_UNTIMED = 1 << 16,
    /* Among so many packets is the first frame that has a time, whatever the order of decoding. */
    REORDERED = 32,
};

/* The beginning of a stream. */
typedef struct beginning {
    int64_t untimed;  /* packets before the first that has a time */
    int64_t duration; /* of those that say how long they are */
    int64_t silent;   /* those that do not */
    int64_t timed;    /* packets with a time behind them, and between which times */
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

/* How long a frame is that does not say. */
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
           && av_read_frame(other->format, packet) >= 0) {
        if (packet->stream_index == other->stream && packet->size > 0)
            add(&start, packet);
        av_packet_unref(packet);
    }
    reader->step = step(cmedia_stream(reader), &start);
    av_packet_free(&packet);
    cmedia_close(other);
    if (start.timed == 0)
        return AV_NOPTS_VALUE;
    /* Counts are at most 1 << 16: what exceeds the numbers are the file's own. */
    int64_t silent = 0;
    if (__builtin_mul_overflow(start.silent, reader->step, &silent))
        return AV_NOPTS_VALUE;
    return av_sat_sub64(start.first, av_sat_add64(start.duration, silent));
}
