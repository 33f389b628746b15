/* SPDX-License-Identifier: Apache-2.0 */
#include "picture_groups.h"
#include "writer.h"

#include <string.h>

enum {
    /* No codec shows a frame after more frames that are decoded later. */
    MAXIMUM_HELD = 32,
};

/* A copy in progress. */
typedef struct remux {
    cmedia_reader *video;
    cmedia_reader *others;
    cmedia_output output;
    AVFormatContext *format;
    AVStream *stream;
    cmedia_copies copies;
    cmedia_part part;
    bool is_part;
    bool drops_user_data; /* whether the metadata in the coded pictures is omitted */
    int32_t lost_covers;
    int32_t lost_timecodes;
    AVPacket *held[MAXIMUM_HELD]; /* first packets without decoding times */
    int held_count;
    int64_t last; /* decoding time of the last packet of an MPEG stream */
} remux;

static bool takes(const AVFormatContext *target, enum AVCodecID codec)
{
    return codec != AV_CODEC_ID_NONE
        && avformat_query_codec(target->oformat, codec, FF_COMPLIANCE_NORMAL) != 0;
}

/* Returns whether the container can store the video and all sound. */
static bool takes_all(const remux *copy, uint64_t omitted)
{
    const AVFormatContext *source = copy->video->format;
    for (unsigned index = 0; index < source->nb_streams; index++) {
        const AVCodecParameters *parameters = source->streams[index]->codecpar;
        bool is_needed = (int)index == copy->video->stream
            || (parameters->codec_type == AVMEDIA_TYPE_AUDIO && !(index < 64 && omitted >> index & 1));
        if (is_needed && !cmedia_needs_decoding(parameters) && !takes(copy->format, parameters->codec_id))
            return false;
    }
    return true;
}

/* Copies stream properties outside the codec, such as rotation and light levels. */
static bool copy_side_data(const AVStream *source, AVStream *target)
{
#if LIBAVFORMAT_VERSION_MAJOR < 61
    for (int index = 0; index < source->nb_side_data; index++) {
        const AVPacketSideData *from = &source->side_data[index];
        uint8_t *to = av_stream_new_side_data(target, from->type, from->size);
        if (!to)
            return false;
        memcpy(to, from->data, from->size);
    }
#else
    (void)source, (void)target; /* it is part of the parameters */
#endif
    return true;
}

static bool add_video(remux *copy, cmedia_error *error)
{
    const AVStream *source = cmedia_stream(copy->video);
    AVStream *target = copy->stream = avformat_new_stream(copy->format, NULL);
    if (!target || avcodec_parameters_copy(target->codecpar, source->codecpar) < 0
        || !copy_side_data(source, target))
        return cmedia_fail(error, 0, "out of memory");
    bool is_matroska = strcmp(copy->format->oformat->name, "matroska") == 0;
    bool is_hevc = target->codecpar->codec_id == AV_CODEC_ID_HEVC;
    target->codecpar->codec_tag = is_hevc && !is_matroska ? MKTAG('h', 'v', 'c', '1') : 0;
    target->time_base = source->time_base;
    target->avg_frame_rate = source->avg_frame_rate;
    target->sample_aspect_ratio = source->sample_aspect_ratio;
    target->disposition = AV_DISPOSITION_DEFAULT;
    return true;
}

/* Starts the file. Returns 1 on success, 0 if the container cannot store a stream, -1 on error. */
static int begin(remux *copy, int output, const cmedia_copying *copying, cmedia_error *error)
{
    copy->format = cmedia_make_file(&copy->output, output, copying->container, error);
    if (!copy->format)
        return -1;
    if (!takes_all(copy, copying->omitted_streams))
        return 0;
    AVFormatContext *source = copy->others->format;
    AVRational unit = cmedia_stream(copy->video)->time_base;
    int64_t start = copy->is_part ? copy->part.begin : 0;
    copy->copies.volume = 1;
    copy->copies.is_part = copy->is_part;
    int64_t end = copy->is_part ? copy->part.end : AV_NOPTS_VALUE;
    copy->copies.start = start;
    copy->copies.end = end;
    copy->copies.time_base = unit;
    if (!add_video(copy, error))
        return -1;
    copy->drops_user_data = copying->omission != CMEDIA_OMIT_NOTHING;
    bool keeps_words = copying->omission <= CMEDIA_OMIT_PLACE;
    copy->copies.omits_titles = !keeps_words;
    copy->copies.omitted = copying->omitted_streams;
    cmedia_copy_metadata(copy->others, copy->format, copy->stream, copying->omission, copying->date);
    int64_t first = copy->is_part ? copy->part.first : AV_NOPTS_VALUE;
    copy->lost_timecodes = keeps_words
        && !cmedia_copy_timecode(copy->others, copy->format, copy->stream, first, unit);
    bool keeps_covers = copying->omission == CMEDIA_OMIT_NOTHING;
    if ((keeps_words && !cmedia_copy_chapters(source, copy->format, start, end, unit, error))
        || !cmedia_copies_open(&copy->copies, source, copy->format, error)
        || !cmedia_copy_attachments(source, copy->format, keeps_covers, &copy->lost_covers, error))
        return -1;
    return cmedia_write_header(copy->format, unit.den, false, error) ? 1 : -1;
}

static bool write(remux *copy, AVPacket *packet, cmedia_error *error)
{
    AVRational unit = cmedia_stream(copy->video)->time_base;
    if (!cmedia_copies_write(&copy->copies, packet->dts, unit, error))
        return false;
    if (copy->is_part) {
        packet->pts = av_sat_sub64(packet->pts, copy->part.begin);
        packet->dts = av_sat_sub64(packet->dts, copy->part.begin);
    }
    av_packet_rescale_ts(packet, unit, copy->stream->time_base);
    packet->stream_index = copy->stream->index;
    packet->pos = -1;
    int status = av_write_frame(copy->format, packet);
    return status < 0 ? cmedia_fail_writing(copy->format, status, error) : true;
}

static bool write_counted(
    remux *copy, AVPacket *packet, cmedia_written *written, cmedia_error *error)
{
    int64_t end = av_sat_add64(packet->pts, packet->duration > 0 ? packet->duration : 1);
    if (written->frames == 0 || packet->pts < written->first)
        written->first = packet->pts;
    if (written->frames == 0 || end > written->end)
        written->end = end;
    written->frames++;
    return write(copy, packet, error);
}

/* Writes the held packets. They are decoded in sequence before `dts` if it is known. If no packet has a
 * decoding time, they are decoded before the first of them is shown. */
static bool release(remux *copy, int64_t dts, cmedia_written *written, cmedia_error *error)
{
    AVRational unit = cmedia_stream(copy->video)->time_base;
    AVRational rate = cmedia_stream(copy->video)->avg_frame_rate;
    int64_t step = 1;
    if (rate.num > 0 && rate.den > 0)
        step = FFMAX(1, av_rescale_q(1, av_inv_q(rate), unit));
    for (int index = 0; index < copy->held_count; index++)
        if (dts == AV_NOPTS_VALUE || copy->held[index]->pts < dts)
            dts = copy->held[index]->pts;
    bool is_written = true;
    for (int index = 0; index < copy->held_count; index++) {
        AVPacket *packet = copy->held[index];
        packet->dts = av_sat_sub64(dts, step * (copy->held_count - index));
        is_written = is_written && write_counted(copy, packet, written, error);
        av_packet_free(&copy->held[index]);
    }
    copy->held_count = 0;
    return is_written;
}

/* Copies a video packet. FFmpeg reports the presentation times of the first Matroska packets, but not their
 * decoding times if these differ. They are held until a packet has a decoding time. */
static int copy_packet(
    remux *copy, AVPacket *packet, cmedia_written *written, cmedia_error *error)
{
    bool is_shown = packet->pts != AV_NOPTS_VALUE;
    if (is_shown && packet->dts == AV_NOPTS_VALUE && !copy->is_part && written->frames == 0
        && copy->held_count < MAXIMUM_HELD) {
        AVPacket *held = av_packet_alloc();
        if (!held) {
            cmedia_fail(error, 0, "out of memory");
            return -1;
        }
        av_packet_move_ref(held, packet);
        copy->held[copy->held_count++] = held;
        return 1;
    }
    if (!is_shown || packet->dts == AV_NOPTS_VALUE)
        return 0;
    bool is_start = packet->flags & AV_PKT_FLAG_KEY && packet->pts == copy->part.first;
    if (copy->is_part && written->frames == 0 && !is_start)
        return 0;
    /* An unknown restart of the clock. */
    if (copy->video->has_clock && written->frames > 0 && packet->dts <= copy->last)
        return 0;
    copy->last = packet->dts;
    return release(copy, packet->dts, written, error) && write_counted(copy, packet, written, error)
        ? 1 : -1;
}

/* Copies the packets. Returns 1 on success, 0 if one has no usable times or a part does not start with its key frame,
 * -1 on error. */
static int copy_packets(remux *copy, cmedia_written *written, cmedia_error *error)
{
    AVPacket *packet = av_packet_alloc();
    int status = packet ? 1 : -1;
    if (!packet)
        cmedia_fail(error, 0, "out of memory");
    while (status == 1 && cmedia_read(copy->video->format, packet) >= 0) {
        bool is_video = packet->stream_index == copy->video->stream && packet->size > 0;
        bool is_kept = !copy->is_part
            || (packet->pts >= copy->part.first && packet->pts <= copy->part.last);
        if (is_video && is_kept && copy->drops_user_data
            && !cmedia_drop_user_data(cmedia_stream(copy->video)->codecpar, packet, error))
            status = -1;
        else if (is_video && is_kept && packet->size > 0)
            status = copy_packet(copy, packet, written, error);
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    if (status == 1 && !cmedia_is_intact(copy->video->format, error))
        status = -1;
    if (status == 1 && !release(copy, AV_NOPTS_VALUE, written, error))
        status = -1;
    return status;
}

static int finish(remux *copy, cmedia_written *written, cmedia_error *error)
{
    if (written->frames == 0) {
        cmedia_fail(error, 0, "it has no frames");
        return -1;
    }
    if (copy->is_part) {
        written->first = copy->part.begin;
        written->end = copy->part.end;
    }
    AVRational unit = cmedia_stream(copy->video)->time_base;
    if (!cmedia_copies_end(&copy->copies, av_sat_sub64(written->end, 1), unit, error)
        || !cmedia_write_trailer(copy->format, error))
        return -1;
    written->lost_sound = copy->copies.lost_sound;
    written->lost_subtitles = copy->copies.lost_subtitles;
    written->subtitles = copy->copies.subtitles;
    written->lost_covers = copy->lost_covers;
    written->lost_timecodes = copy->lost_timecodes;
    written->lost_data = copy->copies.lost_data;
    return 1;
}

static int run(
    remux *copy, int source, int output, const cmedia_copying *copying, cmedia_written *written,
    cmedia_error *error)
{
    if (copying->is_part) {
        /* Opened like the reader that is copied from, so that times are equal. */
        cmedia_reader *reader = cmedia_open_whole(source, error);
        if (!reader)
            return -1;
        copy->is_part = true;
        bool is_whole =
            cmedia_find_groups(reader, copying->part_start, copying->part_end, &copy->part);
        cmedia_close(reader);
        if (!is_whole)
            return 0;
    }
    copy->video = cmedia_open_whole(source, error);
    copy->others = copy->video ? cmedia_open_whole(source, error) : NULL;
    if (!copy->others)
        return -1;
    if (copy->video->lacks_times)
        return 0;
    int status = begin(copy, output, copying, error);
    if (status == 1)
        status = copy_packets(copy, written, error);
    return status == 1 ? finish(copy, written, error) : status;
}

int cmedia_copy(
    int source, int output, const cmedia_copying *copying, cmedia_written *written,
    cmedia_error *error)
{
    remux copy = {0};
    memset(written, 0, sizeof *written);
    int status = run(&copy, source, output, copying, written, error);
    for (int index = 0; index < copy.held_count; index++)
        av_packet_free(&copy.held[index]);
    cmedia_copies_close(&copy.copies);
    avformat_free_context(copy.format);
    cmedia_output_close(&copy.output);
    cmedia_close(copy.video);
    cmedia_close(copy.others);
    return status;
}
