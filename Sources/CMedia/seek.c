/* SPDX-License-Identifier: Apache-2.0 */
#include "reader.h"

#include <libavutil/common.h>

enum {
    /* Without an index, times within this distance in microseconds are reached by decoding instead of seeking. */
    NEAR = 1000000,
};

/* Moves the demuxer to the last key frame at or before a time in the stream's units; to any frame near it if the format
 * stores the time of a clock. */
static int move(cmedia_reader *reader, int64_t timestamp)
{
    /* The search by a clock finds any frame, even one after the first key frame. */
    if (reader->has_clock && reader->knows_first && timestamp <= reader->first)
        return AVERROR(EINVAL);
    if (reader->restarts)
        return AVERROR(EINVAL);
    int64_t target = av_sat_add64(timestamp, cmedia_clock_start(reader, cmedia_stream(reader)));
    int status = av_seek_frame(reader->format, reader->stream, target, AVSEEK_FLAG_BACKWARD);
    if (status < 0) /* Some demuxers seek only to a frame before that time. */
        status = avformat_seek_file(
            reader->format, reader->stream, INT64_MIN, target, INT64_MAX, 0);
    return status;
}

/* Seeks likewise. Decoding then begins at the next key frame. */
static int seek(cmedia_reader *reader, int64_t timestamp)
{
    /* Another place may be readable, and so may the same one later. */
    reader->failed = reader->io->error = 0;
    int status = move(reader, timestamp);
    /* Without a timed key frame there is no target to seek to, so the file is read from its start. */
    bool is_rewound = status < 0 && cmedia_rewind(reader);
    if (status < 0 && !is_rewound)
        return status;
    if (reader->decoder)
        avcodec_flush_buffers(reader->decoder);
    reader->has_failed = false;
    reader->is_at_end = false;
    reader->is_at_start = is_rewound;
    reader->awaits_key = reader->has_clock && !is_rewound;
    reader->key_time = AV_NOPTS_VALUE;
    reader->is_ahead = false;
    reader->is_placed = false;
    reader->expected = AV_NOPTS_VALUE;
    return 0;
}

static int64_t ticks(const cmedia_reader *reader, int64_t time)
{
    return av_rescale_q(time, AV_TIME_BASE_Q, cmedia_stream(reader)->time_base);
}

bool cmedia_seek(cmedia_reader *reader, int64_t time, cmedia_error *error)
{
    int status = seek(reader, ticks(reader, time));
    return status < 0
        ? cmedia_fail(error, status, "it cannot be read from another time on") : true;
}

/* Determines the time of the first frame if the reader was sought before decoding it. */
static int find_first(cmedia_reader *reader, cmedia_error *error)
{
    if (!reader->is_at_start) {
        int64_t start = cmedia_stream(reader)->start_time;
        int status = seek(reader, start == AV_NOPTS_VALUE ? 0 : start);
        if (status < 0) {
            cmedia_fail(error, status, "it cannot be read from its beginning");
            return -1;
        }
        reader->is_at_start = true;
    }
    int status = cmedia_look_ahead(reader, error);
    if (status == 1)
        cmedia_advance(reader);
    return status;
}

/* Returns whether decoding from the current frame reaches a time as fast as seeking. A failed read is only repeated
 * after a seek. */
static bool is_near(const cmedia_reader *reader, int64_t time)
{
    if (!reader->is_placed || reader->failed != 0)
        return false;
    int64_t now = cmedia_microseconds(reader, reader->frame->pts);
    if (now > time)
        return false;
    if (reader->restarts) /* Seeking would read from the start. */
        return true;
    AVStream *stream = cmedia_stream(reader);
    if (reader->has_clock) /* There is no index. */
        return time - now <= NEAR;
    int index = av_index_search_timestamp(stream, ticks(reader, time), AVSEEK_FLAG_BACKWARD);
    const AVIndexEntry *entry = index < 0 ? NULL : avformat_index_get_entry(stream, index);
    return entry ? entry->timestamp <= reader->frame->pts : time - now <= NEAR;
}

/* Decodes a frame at or before a time by seeking; the first frame if there is none. Seeking uses decoding
 * order, and may skip frames that refer to a key frame before them; it is then repeated with an earlier time. */
static int go_before(cmedia_reader *reader, int64_t time, cmedia_error *error)
{
    int64_t first = cmedia_microseconds(reader, reader->first);
    int64_t target = time;
    for (int64_t step = NEAR;; step = av_sat_add64(step, av_sat_add64(step, step))) {
        bool is_first = target <= first;
        int status = seek(reader, is_first ? reader->first : ticks(reader, target));
        if (status < 0) {
            cmedia_fail(error, status, "it cannot be read from another time on");
            return -1;
        }
        status = cmedia_look_ahead(reader, error);
        bool is_before =
            status == 1 && cmedia_microseconds(reader, reader->ahead->pts) <= time;
        if (status == 1 && (is_before || is_first))
            cmedia_advance(reader);
        if (is_before || is_first || status < 0)
            return status;
        target = av_sat_sub64(time, step);
    }
}

int cmedia_frame_at(
    cmedia_reader *reader, int threads, int64_t time, cmedia_frame *frame, cmedia_error *error)
{
    if (!cmedia_prepare(reader, threads, error))
        return -1;
    int status = 1;
    if (!reader->knows_first && (status = find_first(reader, error)) != 1)
        return status;
    time = av_sat_add64(
        cmedia_microseconds(reader, cmedia_origin(reader)), time > 0 ? time : 0);
    if (!is_near(reader, time) && (status = go_before(reader, time, error)) != 1)
        return status;
    while ((status = cmedia_look_ahead(reader, error)) == 1
           && cmedia_microseconds(reader, reader->ahead->pts) <= time)
        cmedia_advance(reader);
    if (status < 0)
        return -1;
    cmedia_tell(reader, frame);
    return 1;
}
