/* SPDX-License-Identifier: Apache-2.0 */
#include "writer.h"

#include "ycbcr_matrix.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* More than encoders buffer: x264 looks ahead by at most 250 frames. */
    MAXIMUM_HELD = 512,
};

struct cmedia_writer {
    cmedia_reader *source;
    cmedia_output output;
    AVFormatContext *format;
    AVCodecContext *encoder;
    AVStream *video;
    AVFrame *frame;
    AVPacket *packet;
    cmedia_scaler scaler;
    cmedia_copies copies;
    int threads;
    int64_t start;       /* origin of times, in the caller's units */
    int64_t offset;      /* the same in ticks */
    int64_t unit;        /* encoder ticks per unit of the caller */
    int64_t last;        /* time of the last frame, in ticks */
    int64_t last_step;
    int64_t last_duration;
    /* The presentation time of the first frame, the decoding time of the first packet, and the number of
       written packets. */
    int64_t first;
    int64_t first_decoded;
    int64_t written;
    bool has_end;
    bool is_flushing;    /* whether the encoder has been sent the end of the stream */
    int64_t frames;
    int64_t moved;
    int32_t lost_covers;
    int32_t lost_timecodes;
    struct {
        int64_t time;
        int64_t duration;
    } held[MAXIMUM_HELD]; /* durations of frames, because encoders return only their start times */
};

/* ---- File ---- */

static bool open_file(
    cmedia_writer *writer, int output, const cmedia_writing *writing, cmedia_error *error)
{
    bool is_matroska = strcmp(writing->container, "matroska") == 0;
    writer->format = cmedia_make_file(&writer->output, output, writing->container, error);
    if (!writer->format)
        return false;
    writer->video = avformat_new_stream(writer->format, NULL);
    if (!writer->video)
        return cmedia_fail(error, 0, "out of memory");
    writer->encoder = cmedia_open_encoder(
        writing, cmedia_stream(writer->source)->avg_frame_rate,
        writer->format->oformat->flags & AVFMT_GLOBALHEADER, error);
    if (!writer->encoder)
        return false;
    writer->frame = cmedia_make_frame(writer->encoder);
    writer->packet = av_packet_alloc();
    if (!writer->frame || !writer->packet)
        return cmedia_fail(error, 0, "out of memory for a frame");
    AVStream *video = writer->video;
    int status;
    if ((status = avcodec_parameters_from_context(video->codecpar, writer->encoder)) < 0)
        return cmedia_fail(error, status, "out of memory");
    video->time_base = writer->encoder->time_base;
    video->avg_frame_rate = writer->encoder->framerate;
    video->sample_aspect_ratio = (AVRational){1, 1};
    video->disposition = AV_DISPOSITION_DEFAULT;
    /* Apple's players do not open HEVC with another tag. */
    if (!is_matroska && video->codecpar->codec_id == AV_CODEC_ID_HEVC)
        video->codecpar->codec_tag = MKTAG('h', 'v', 'c', '1');
    AVFormatContext *source = writer->source->format;
    int64_t start = writing->is_part ? writing->part_start : 0;
    AVRational unit = {writing->time_base_numerator, writing->time_base_denominator};
    int64_t end = writing->is_part && writing->part_end > start ? writing->part_end : AV_NOPTS_VALUE;
    if (writing->keeps_metadata) {
        cmedia_copy_metadata(writer->source, writer->format, video, CMEDIA_OMIT_NOTHING, writing->date);
        int64_t first = writing->is_part ? start : AV_NOPTS_VALUE;
        writer->lost_timecodes =
            !cmedia_copy_timecode(writer->source, writer->format, video, first, unit);
        if (!cmedia_copy_chapters(source, writer->format, start, end, unit, error))
            return false;
    }
    writer->copies.is_at_end = true;
    writer->copies.volume = writing->volume;
    writer->copies.omitted = writing->omitted_streams;
    writer->copies.is_for_web = writing->is_for_web;
    writer->copies.is_part = writing->is_part;
    writer->copies.start = start;
    writer->copies.end = end;
    writer->copies.time_base = unit;
    if (writing->keeps_sound
        && !cmedia_copies_open(&writer->copies, source, writer->format, error))
        return false;
    if (writing->keeps_metadata
        && !cmedia_copy_attachments(source, writer->format, true, &writer->lost_covers, error))
        return false;
    if (writing->is_for_web)
        cmedia_allow_reading(writer->format, &writer->output);
    return cmedia_write_header(
        writer->format, writer->encoder->time_base.den, writing->is_for_web, error);
}

cmedia_writer *cmedia_begin(
    int source, int output, const cmedia_writing *writing, cmedia_error *error)
{
    int64_t offset = 0;
    if (writing->width <= 0 || writing->height <= 0 || writing->width % 2 || writing->height % 2
        || writing->time_base_numerator <= 0 || writing->time_base_denominator <= 0
        || writing->threads <= 0
        || (writing->is_part
            && __builtin_mul_overflow(
                writing->part_start, (int64_t)writing->time_base_numerator, &offset))) {
        cmedia_fail(error, 0, "a video of %d by %d pixels, %d/%d s a unit, cannot be written",
            writing->width, writing->height, writing->time_base_numerator,
            writing->time_base_denominator);
        return NULL;
    }
    cmedia_writer *writer = calloc(1, sizeof *writer);
    if (!writer) {
        cmedia_fail(error, 0, "out of memory");
        return NULL;
    }
    writer->threads = writing->threads;
    writer->unit = writing->time_base_numerator;
    writer->start = writing->is_part ? writing->part_start : 0;
    writer->offset = offset;
    writer->source = cmedia_open_whole(source, error);
    if (!writer->source || !open_file(writer, output, writing, error)) {
        cmedia_discard(writer);
        return NULL;
    }
    return writer;
}

void cmedia_discard(cmedia_writer *writer)
{
    if (!writer)
        return;
    cmedia_scaler_close(&writer->scaler);
    cmedia_copies_close(&writer->copies);
    av_frame_free(&writer->frame);
    av_packet_free(&writer->packet);
    avcodec_free_context(&writer->encoder);
    /* Frees the muxer's buffers without writing anything. */
    avformat_free_context(writer->format);
    cmedia_output_close(&writer->output);
    cmedia_close(writer->source);
    free(writer);
}

/* ---- Frames ---- */

/* Writes the encoder's next packet, and the sound until then. Returns 1 if there was one, 0 if there was none,
 * -1 on error. */
static int write_packet(cmedia_writer *writer, cmedia_error *error)
{
    AVPacket *packet = writer->packet;
    AVRational ticks = writer->encoder->time_base;
    int status = avcodec_receive_packet(writer->encoder, packet);
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF)
        return 0;
    if (status < 0) {
        cmedia_fail(error, status, "%s failed", writer->encoder->codec->name);
        return -1;
    }
    for (size_t index = 0; index < MAXIMUM_HELD; index++)
        if (writer->held[index].time == packet->pts && writer->held[index].duration > 0)
            packet->duration = writer->held[index].duration;
    if (writer->written++ == 0)
        writer->first_decoded = packet->dts;
    /* QuickTime derives a track's duration from decoding times, so the last packet compensates for the
       difference. */
    if (writer->has_end && writer->written == writer->frames) {
        int64_t shown = writer->last + writer->last_duration - writer->first;
        packet->duration = FFMAX(1, shown - (packet->dts - writer->first_decoded));
    }
    /* Copied streams use the source's times. */
    int64_t until = av_sat_add64(packet->dts, writer->offset);
    if (!cmedia_copies_write(&writer->copies, until, ticks, error)) {
        av_packet_unref(packet);
        return -1;
    }
    av_packet_rescale_ts(packet, ticks, writer->video->time_base);
    packet->stream_index = writer->video->index;
    status = av_write_frame(writer->format, packet);
    av_packet_unref(packet);
    if (status >= 0)
        return 1;
    cmedia_fail_writing(writer->format, status, error);
    return -1;
}

/* Writes all packets that the encoder has ready. */
static bool drain(cmedia_writer *writer, cmedia_error *error)
{
    int status;
    while ((status = write_packet(writer, error)) > 0)
        ;
    return status == 0;
}

/* Converts and reduces pixels for the encoder. Chroma is positioned left, the default of H.264. */
static bool convert(
    cmedia_writer *writer, const uint8_t *rgb, int32_t columns, int32_t rows, cmedia_error *error)
{
    AVFrame *frame = writer->frame;
    int status = av_frame_make_writable(frame);
    if (status < 0)
        return cmedia_fail(error, status, "out of memory for a frame");
    /* A frame with an odd side that is not reduced loses its last column or row. */
    bool is_cut = columns - frame->width < 2 && rows - frame->height < 2;
    int width = is_cut ? frame->width : columns, height = is_cut ? frame->height : rows;
    cmedia_layout source = cmedia_rgb_layout(width, height, AV_PIX_FMT_RGB24);
    cmedia_layout target = cmedia_layout_of(frame);
    if (cmedia_is_written_by_matrix(&source, &target)) {
        cmedia_write_by_matrix(&target, rgb, (size_t)columns * 3, frame->data, frame->linesize);
        return true;
    }
    /* Read only; swscale does not accept const. */
    uint8_t *const planes[4] = {(uint8_t *)(uintptr_t)rgb};
    const int strides[4] = {columns * 3};
    return cmedia_scale(
               &writer->scaler, writer->threads, &source, planes, strides, &target, frame->data,
               frame->linesize)
        ? true
        : cmedia_fail(error, 0, "its pixels cannot be converted");
}

/* Sets the start of a frame, after the previous one, and its duration. */
static bool place(
    cmedia_writer *writer, int64_t timestamp, int64_t duration, cmedia_error *error)
{
    int64_t time;
    if (__builtin_sub_overflow(timestamp, writer->start, &time)
        || __builtin_mul_overflow(time, writer->unit, &time) || time == INT64_MIN
        || llabs(time) > INT64_MAX / 4)
        return cmedia_fail(error, 0, "a frame's time, %lld, cannot be", (long long)timestamp);
    if (writer->frames > 0 && time <= writer->last) {
        time = writer->last + 1;
        writer->moved++;
    }
    if (writer->frames > 0)
        writer->last_step = time - writer->last;
    if (duration <= 0 || __builtin_mul_overflow(duration, writer->unit, &duration))
        duration = writer->last_step;
    size_t index = (size_t)(writer->frames % MAXIMUM_HELD);
    writer->held[index].time = time;
    writer->held[index].duration = duration;
    writer->frame->pts = time;
    if (writer->frames == 0)
        writer->first = time;
    writer->last = time;
    writer->last_duration = duration;
    writer->frames++;
    return true;
}

bool cmedia_add_frame(
    cmedia_writer *writer, const uint8_t *rgb, int32_t columns, int32_t rows, int64_t timestamp,
    int64_t duration, cmedia_error *error)
{
    if (columns < writer->frame->width || rows < writer->frame->height
        || columns > INT32_MAX / 3)
        return cmedia_fail(
            error, 0, "a frame of %d by %d pixels is not of the size of the video", columns, rows);
    if (!convert(writer, rgb, columns, rows, error)
        || !place(writer, timestamp, duration, error))
        return false;
    int status = avcodec_send_frame(writer->encoder, writer->frame);
    if (status < 0)
        return cmedia_fail(error, status, "%s failed", writer->encoder->codec->name);
    return drain(writer, error);
}

void cmedia_show_until(cmedia_writer *writer, int64_t end)
{
    int64_t time, duration;
    if (writer->frames == 0 || __builtin_sub_overflow(end, writer->start, &time)
        || __builtin_mul_overflow(time, writer->unit, &time)
        || __builtin_sub_overflow(time, writer->last, &duration) || duration <= 0
        || duration > INT64_MAX / 4)
        return;
    writer->has_end = true;
    writer->held[(writer->frames - 1) % MAXIMUM_HELD].duration = duration;
    writer->last_duration = duration;
}

int cmedia_flush(cmedia_writer *writer, cmedia_error *error)
{
    if (writer->frames == 0) {
        cmedia_fail(error, 0, "there are no frames to write");
        return -1;
    }
    if (!writer->is_flushing) {
        int status = avcodec_send_frame(writer->encoder, NULL);
        if (status < 0) {
            cmedia_fail(error, status, "%s failed", writer->encoder->codec->name);
            return -1;
        }
        writer->is_flushing = true;
    }
    return write_packet(writer, error);
}

bool cmedia_end(cmedia_writer *writer, cmedia_written *written, cmedia_error *error)
{
    int status;
    while ((status = cmedia_flush(writer, error)) > 0)
        ;
    /* In a part, no sound starts after its last frame has ended. */
    int64_t end = av_sat_add64(writer->last, FFMAX(writer->last_duration, 1) - 1);
    end = av_sat_add64(end, writer->offset);
    if (status < 0
        || !cmedia_copies_end(&writer->copies, end, writer->encoder->time_base, error)
        || !cmedia_write_trailer(writer->format, error))
        return false;
    *written = (cmedia_written){
        .frames = writer->frames, .moved = writer->moved, .lost_covers = writer->lost_covers,
        .lost_sound = writer->copies.lost_sound, .lost_timecodes = writer->lost_timecodes,
        .lost_data = writer->copies.lost_data,
        .lost_subtitles = writer->copies.lost_subtitles};
    return true;
}
