/* SPDX-License-Identifier: Apache-2.0 */
#include "deinterlace.h"
#include "reader.h"

#include <string.h>

enum {
    /* More than the largest allowed picture. */
    MAXIMUM_PIXELS = 1 << 28,
    /* The number of packets without a frame after which decoding is abandoned. */
    MAXIMUM_SILENCE = 4096,
};

static bool is_listed(const char *name)
{
    size_t length = strlen(name);
    for (const char *place = cmedia_codecs; (place = strstr(place, name)); place += length)
        if ((place == cmedia_codecs || place[-1] == ',')
            && (place[length] == ',' || place[length] == 0))
            return true;
    return false;
}

const AVCodec *cmedia_decoder(enum AVCodecID codec)
{
    const AVCodec *found = NULL;
    void *state = NULL;
    while ((found = av_codec_iterate(&state)))
        if (found->id == codec && av_codec_is_decoder(found) && is_listed(found->name)
            && !(found->capabilities & AV_CODEC_CAP_HARDWARE))
            return found;
    return NULL;
}

static bool open_decoder(cmedia_reader *reader, int threads, cmedia_error *error)
{
    const AVStream *stream = cmedia_stream(reader);
    const AVCodec *codec = cmedia_decoder(stream->codecpar->codec_id);
    if (!codec)
        return cmedia_fail(
            error, 0, "there is no decoder for %s",
            avcodec_get_name(stream->codecpar->codec_id));
    AVCodecContext *decoder = avcodec_alloc_context3(codec);
    if (!decoder)
        return cmedia_fail(error, 0, "out of memory");
    int status = avcodec_parameters_to_context(decoder, stream->codecpar);
    decoder->pkt_timebase = stream->time_base;
    decoder->thread_count = threads;
    decoder->max_pixels = MAXIMUM_PIXELS;
    if (status >= 0)
        status = avcodec_open2(decoder, codec, NULL);
    if (status < 0) {
        avcodec_free_context(&decoder);
        return cmedia_fail(error, status, "%s cannot be decoded", codec->name);
    }
    reader->decoder = decoder;
    for (unsigned index = 0; index < reader->format->nb_streams; index++)
        if ((int)index != reader->stream)
            cmedia_skip(reader->format, index);
    return true;
}

bool cmedia_prepare(cmedia_reader *reader, int threads, cmedia_error *error)
{
    if (!reader->packet)
        reader->packet = av_packet_alloc();
    if (!reader->frame)
        reader->frame = av_frame_alloc();
    if (!reader->ahead)
        reader->ahead = av_frame_alloc();
    if (!reader->before)
        reader->before = av_frame_alloc();
    if (!reader->packet || !reader->frame || !reader->ahead || !reader->before)
        return cmedia_fail(error, 0, "out of memory");
    if (reader->decoder)
        return true;
    reader->threads = threads > 0 ? threads : 1;
    return open_decoder(reader, reader->threads, error);
}

/* Returns whether a decoder error costs only frames. Damaged bytes may request unknown features or sizes, for
 * which the decoder has other error codes. */
static bool is_damage(int status)
{
    return status < 0 && status != AVERROR(EAGAIN) && status != AVERROR_EOF
        && status != AVERROR(ENOMEM);
}

/* Counts damage, which is skipped; other statuses are returned unchanged. */
static int passed(cmedia_reader *reader, int status)
{
    if (!is_damage(status))
        return status;
    reader->losses++;
    return 0;
}

/* Returns whether the packet that was read cannot be decoded, because it follows a seek that led between key frames.
 * Decoders of some codecs would return wrong pictures without an error. */
static bool is_before_key(cmedia_reader *reader)
{
    if (!reader->awaits_key)
        return false;
    if (!(reader->packet->flags & AV_PKT_FLAG_KEY))
        return true;
    reader->awaits_key = false;
    reader->key_time = reader->packet->pts;
    return false;
}

/* Sends the next packet of the video to the decoder. */
static int feed(cmedia_reader *reader)
{
    for (;;) {
        int status = cmedia_read(reader->format, reader->packet);
        if (status == AVERROR_EOF) {
            if (reader->failed != 0)
                return reader->failed;
            reader->is_at_end = true;
            return passed(reader, avcodec_send_packet(reader->decoder, NULL));
        }
        if (status < 0)
            return status;
        if (reader->packet->stream_index == reader->stream && !is_before_key(reader)) {
            /* A sample without bytes is not a frame, but decoders interpret it as the end of the stream. */
            if (reader->packet->size == 0) {
                av_packet_unref(reader->packet);
                return 0;
            }
            status = avcodec_send_packet(reader->decoder, reader->packet);
            av_packet_unref(reader->packet);
            return passed(reader, status);
        }
        av_packet_unref(reader->packet);
    }
}

/* Returns the presentation time of a frame without a recorded time or a predecessor. */
static int64_t guess(cmedia_reader *reader)
{
    int64_t time = AV_NOPTS_VALUE;
    if (reader->is_at_start)
        time = cmedia_count_back(reader);
    else if (reader->knows_first)
        time = reader->first;
    if (time == AV_NOPTS_VALUE)
        time = cmedia_stream(reader)->start_time;
    return time == AV_NOPTS_VALUE ? 0 : time;
}

/* Returns the duration of a frame from the frame rate; a field can be shown again. Returns 0 if it is unknown. */
static int64_t nominal_duration(const cmedia_reader *reader, const AVFrame *frame)
{
    AVRational rate = reader->decoder->framerate;
    if (rate.num <= 0 || rate.num > INT32_MAX / 2 || rate.den <= 0 || frame->repeat_pict < 0
        || frame->repeat_pict > 4)
        return 0;
    AVRational field = {rate.den, 2 * rate.num};
    return av_rescale_q(2 + frame->repeat_pict, field, cmedia_stream(reader)->time_base);
}

/* Sets the presentation time of a decoded frame, which may not be recorded in the file. */
static void place(cmedia_reader *reader, AVFrame *frame)
{
    if (reader->lacks_times)
        frame->pkt_duration = nominal_duration(reader, frame);
    else
        frame->pts = frame->best_effort_timestamp;
    if (frame->pkt_duration < 0)
        frame->pkt_duration = 0;
    if (frame->pts == AV_NOPTS_VALUE)
        frame->pts = reader->expected;
    if (frame->pts == AV_NOPTS_VALUE)
        frame->pts = guess(reader);
    int64_t step = frame->pkt_duration > 0 ? frame->pkt_duration : reader->step;
    reader->expected = av_sat_add64(frame->pts, step);
    if (reader->is_at_start) {
        reader->first = frame->pts;
        reader->knows_first = true;
    }
    reader->is_at_start = false;
}

/* Returns whether the time of a frame after a seek is unknown, because the next time in the file is that of a later
 * frame. */
static bool is_unknown(const cmedia_reader *reader, const AVFrame *frame)
{
    return reader->lacks_times && frame->pts == AV_NOPTS_VALUE
        && reader->expected == AV_NOPTS_VALUE && !reader->is_at_start;
}

/* Returns whether a frame precedes the key frame after a seek, and so may depend on frames that were not read. */
static bool is_leading(const cmedia_reader *reader, const AVFrame *frame)
{
    return reader->key_time != AV_NOPTS_VALUE && frame->best_effort_timestamp != AV_NOPTS_VALUE
        && frame->best_effort_timestamp < reader->key_time;
}

int cmedia_look_ahead(cmedia_reader *reader, cmedia_error *error)
{
    if (reader->is_ahead)
        return 1;
    for (int silence = 0; silence < MAXIMUM_SILENCE; silence++) {
        int status = avcodec_receive_frame(reader->decoder, reader->ahead);
        if (status == 0 && (is_unknown(reader, reader->ahead) || is_leading(reader, reader->ahead))) {
            av_frame_unref(reader->ahead);
            continue;
        }
        if (status == 0) {
            place(reader, reader->ahead);
            reader->is_ahead = true;
            return 1;
        }
        if (status == AVERROR_EOF)
            return 0;
        if (status != AVERROR(EAGAIN) && (status = passed(reader, status)) < 0) {
            cmedia_fail(error, status, "it cannot be decoded");
            return -1;
        }
        if (status == AVERROR(EAGAIN) && !reader->is_at_end && (status = feed(reader)) < 0) {
            cmedia_fail(error, status, "it cannot be read");
            return -1;
        }
    }
    cmedia_fail(error, 0, "it has no frames that can be decoded");
    return -1;
}

void cmedia_advance(cmedia_reader *reader)
{
    AVFrame *oldest = reader->before;
    reader->before = reader->frame;
    reader->frame = reader->ahead;
    reader->ahead = oldest;
    reader->is_ahead = false;
    if (!reader->is_placed || !cmedia_is_interlaced(reader->frame))
        av_frame_unref(reader->before);
    reader->is_placed = true;
}

int64_t cmedia_losses(const cmedia_reader *reader) { return reader->losses; }

int64_t cmedia_microseconds(const cmedia_reader *reader, int64_t timestamp)
{
    return av_rescale_q(timestamp, cmedia_stream(reader)->time_base, AV_TIME_BASE_Q);
}

/* Returns the duration of the current frame: until the next one, or to the end. Packet durations are in
 * decoding order, which may differ. */
static int64_t duration(const cmedia_reader *reader)
{
    const AVFrame *frame = reader->frame;
    const AVStream *stream = cmedia_stream(reader);
    int64_t end = AV_NOPTS_VALUE;
    if (reader->is_ahead)
        end = reader->ahead->pts;
    else if (reader->is_at_end && stream->duration > 0)
        end = av_sat_add64(
            stream->start_time == AV_NOPTS_VALUE ? 0 : stream->start_time, stream->duration);
    return end != AV_NOPTS_VALUE && end > frame->pts ? av_sat_sub64(end, frame->pts)
                                                     : frame->pkt_duration;
}

void cmedia_tell(const cmedia_reader *reader, cmedia_frame *frame)
{
    const AVFrame *decoded = reader->frame;
    frame->width = decoded->width;
    frame->height = decoded->height;
    frame->timestamp = decoded->pts;
    frame->duration = duration(reader);
    frame->time = cmedia_microseconds(reader, decoded->pts);
    const AVCodecParameters *parameters = cmedia_stream(reader)->codecpar;
    bool has_transfer = decoded->color_trc != AVCOL_TRC_UNSPECIFIED;
    bool has_primaries = decoded->color_primaries != AVCOL_PRI_UNSPECIFIED;
    frame->color_transfer = has_transfer ? decoded->color_trc : parameters->color_trc;
    frame->color_primaries = has_primaries ? decoded->color_primaries : parameters->color_primaries;
    frame->is_interlaced = cmedia_is_interlaced(decoded);
    frame->is_damaged =
        decoded->decode_error_flags != 0 || decoded->flags & AV_FRAME_FLAG_CORRUPT;
}

int cmedia_next(
    cmedia_reader *reader, int threads, bool looks_ahead, cmedia_frame *frame, cmedia_error *error)
{
    if (!cmedia_prepare(reader, threads, error))
        return -1;
    int status = reader->has_failed ? -1 : cmedia_look_ahead(reader, error);
    if (reader->has_failed)
        *error = reader->failure;
    if (status != 1)
        return status;
    cmedia_advance(reader);
    /* A failure to decode the next frame is reported when that frame is requested. */
    if (looks_ahead)
        reader->has_failed = cmedia_look_ahead(reader, &reader->failure) < 0;
    cmedia_tell(reader, frame);
    return 1;
}
