/* SPDX-License-Identifier: Apache-2.0 */
#include "writer.h"

#include <string.h>

enum {
    /* The maximum distance in microseconds between packets of different streams with equal times. */
    INTERLEAVING = 10000000,
    /* Sound decoders depend on earlier packets; this many microseconds of them are decoded before a part. */
    LEAD = 200000,
    /* How many microseconds after the pictures a gap may end that becomes silence. */
    MARGIN = 1000000,
};

/* Returns whether a container can store packets of a codec; assumed if FFmpeg does not know. */
static bool takes(const AVFormatContext *target, enum AVCodecID codec)
{
    return avformat_query_codec(target->oformat, codec, FF_COMPLIANCE_NORMAL) != 0;
}

bool cmedia_needs_decoding(const AVCodecParameters *sound)
{
    switch (sound->codec_id) {
    case AV_CODEC_ID_WMAV1:
    case AV_CODEC_ID_WMAV2:
    case AV_CODEC_ID_WMAPRO:
    case AV_CODEC_ID_PCM_BLURAY:
    case AV_CODEC_ID_PCM_DVD: return true;
    default: return false;
    }
}

/* Returns whether a stream is sound that is decoded: for another volume, or because of its codec. */
static bool is_decoded(const cmedia_copies *copies, const AVStream *source)
{
    const AVCodecParameters *parameters = source->codecpar;
    return parameters->codec_type == AVMEDIA_TYPE_AUDIO
        && (copies->volume != 1 || cmedia_needs_decoding(parameters));
}

static bool add_stream(cmedia_copies *copies, unsigned index, cmedia_error *error)
{
    const AVStream *source = copies->source->streams[index];
    AVStream *target = avformat_new_stream(copies->target, NULL);
    if (!target)
        return cmedia_fail(error, 0, "out of memory");
    if (copies->sounds[index]) {
        if (!cmedia_sound_describe(copies->sounds[index], target, error))
            return false;
    } else if (is_decoded(copies, source)) {
        copies->sounds[index] = cmedia_sound_open(source, target, copies->volume, error);
        if (!copies->sounds[index])
            return false;
    } else {
        if (avcodec_parameters_copy(target->codecpar, source->codecpar) < 0)
            return cmedia_fail(error, 0, "out of memory");
        /* Tags are specific to a container; the muxer chooses new ones. */
        target->codecpar->codec_tag = 0;
        target->time_base = source->time_base;
    }
    target->disposition = source->disposition;
    cmedia_copy_tag(source, target, "language");
    if (!copies->omits_titles)
        cmedia_copy_tag(source, target, "title");
    copies->streams[index] = target->index;
    return true;
}

/* Returns whether a stream is sound that no file can contain: its codec is unknown, or no packet of it was found. */
static bool is_unknown_sound(const AVStream *stream)
{
    const AVCodecParameters *parameters = stream->codecpar;
    return parameters->codec_type == AVMEDIA_TYPE_AUDIO
        && (parameters->codec_id == AV_CODEC_ID_NONE || parameters->sample_rate <= 0);
}

/* Returns whether a stream is sound that browsers play, or can be converted to it. Other sound is omitted. */
static bool prepare_for_web(cmedia_copies *copies, unsigned index)
{
    const AVStream *source = copies->source->streams[index];
    if (source->codecpar->codec_type != AVMEDIA_TYPE_AUDIO || is_unknown_sound(source))
        return false;
    if (source->codecpar->codec_id == AV_CODEC_ID_AAC)
        return true;
    cmedia_error ignored;
    copies->sounds[index] = cmedia_sound_open_aac(source, &ignored);
    return copies->sounds[index] != NULL;
}

static void count_lost(cmedia_copies *copies, const AVStream *stream)
{
    enum AVMediaType type = stream->codecpar->codec_type;
    copies->lost_sound += type == AVMEDIA_TYPE_AUDIO;
    copies->lost_subtitles += type == AVMEDIA_TYPE_SUBTITLE;
    copies->lost_data += cmedia_is_lost_data(stream, copies->target->oformat);
}

bool cmedia_copies_open(
    cmedia_copies *copies, AVFormatContext *source, AVFormatContext *target, cmedia_error *error)
{
    copies->source = source;
    copies->target = target;
    copies->packet = av_packet_alloc();
    copies->count = source->nb_streams;
    copies->streams = av_calloc(copies->count, sizeof *copies->streams);
    copies->next = av_calloc(copies->count, sizeof *copies->next);
    copies->sounds = av_calloc(copies->count, sizeof *copies->sounds);
    copies->samples = av_packet_alloc();
    if (!copies->packet || !copies->streams || !copies->next || !copies->sounds || !copies->samples)
        return cmedia_fail(error, 0, "out of memory");
    bool has_any = false;
    for (unsigned index = 0; index < copies->count; index++) {
        AVStream *stream = source->streams[index];
        enum AVMediaType type = stream->codecpar->codec_type;
        enum AVCodecID codec = stream->codecpar->codec_id;
        enum AVCodecID written =
            is_decoded(copies, stream) ? AV_CODEC_ID_PCM_S16LE : codec;
        copies->streams[index] = -1;
        copies->next[index] = INT64_MIN;
        if (index < 64 && copies->omitted >> index & 1) {
            cmedia_skip(source, index);
            continue;
        }
        if (copies->is_for_web && (has_any || !prepare_for_web(copies, index))) {
            cmedia_skip(source, index);
            continue;
        }
        bool is_sound = type == AVMEDIA_TYPE_AUDIO;
        bool is_kept = copies->is_for_web
            || ((is_sound || type == AVMEDIA_TYPE_SUBTITLE) && codec != AV_CODEC_ID_NONE
                && !is_unknown_sound(stream) && takes(target, written));
        if (is_sound && !is_unknown_sound(stream) && !is_kept)
            return cmedia_fail(
                error, 0, "its sound, %s, cannot be kept in a file of the kind %s",
                avcodec_get_name(written), target->oformat->name);
        if (is_kept && !add_stream(copies, index, error))
            return false;
        has_any = has_any || is_kept;
        copies->subtitles += is_kept && type == AVMEDIA_TYPE_SUBTITLE;
        if (is_kept)
            continue;
        cmedia_skip(source, index);
        count_lost(copies, stream);
    }
    /* Further streams of an MPEG stream may follow. */
    copies->is_at_end = !has_any && !(source->ctx_flags & AVFMTCTX_NOHEADER);
    return true;
}

/* Reads the next packet to copy. Returns false at the end, or if none can be read. */
static bool read_packet(cmedia_copies *copies)
{
    while (!copies->is_waiting && !copies->is_at_end) {
        /* The remaining sound of a truncated file is copied, like its remaining frames. */
        if (cmedia_read(copies->source, copies->packet) < 0) {
            copies->is_at_end = true;
            return false;
        }
        int stream = copies->packet->stream_index;
        /* In a fragmented MOV and an MPEG stream, tracks may appear after the beginning. */
        if (stream >= 0 && (unsigned)stream < copies->count && copies->packet->size > 0)
            copies->is_waiting = true;
        else
            av_packet_unref(copies->packet);
    }
    return copies->is_waiting;
}

/* Gives a packet increasing times, which muxers require. */
static void place(cmedia_copies *copies, AVPacket *packet, int source)
{
    int64_t *next = &copies->next[source];
    if (packet->dts == AV_NOPTS_VALUE)
        packet->dts = packet->pts != AV_NOPTS_VALUE ? packet->pts : FFMAX(*next, 0);
    int64_t late = *next > packet->dts ? av_sat_sub64(*next, packet->dts) : 0;
    packet->dts = av_sat_add64(packet->dts, late);
    if (packet->pts == AV_NOPTS_VALUE || packet->pts < packet->dts)
        packet->pts = packet->dts;
    *next = av_sat_add64(packet->dts, 1);
}

static bool is_subtitle(const AVStream *stream)
{
    return stream->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE;
}

/* Returns whether a packet ends before the part starts; for sound in a container without edit lists, whether it
   starts before. `is_trimmed`: whether the packet will be trimmed to the part. */
static bool is_before(
    const cmedia_copies *copies, const AVPacket *packet, AVRational time_base, bool is_trimmed)
{
    if (!copies->is_part)
        return false;
    int64_t time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
    if (time == AV_NOPTS_VALUE)
        return false;
    bool has_edits = is_trimmed || copies->target->oformat->flags & AVFMT_TS_NEGATIVE;
    int64_t end = has_edits ? av_sat_add64(time, FFMAX(packet->duration, 1)) : av_sat_add64(time, 1);
    return av_compare_ts(end, time_base, copies->start, copies->time_base) <= 0;
}

/* Trims the duration of a subtitle to the part. */
static void cut(const cmedia_copies *copies, AVPacket *packet, AVRational time_base)
{
    int64_t time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
    if (!copies->is_part || time == AV_NOPTS_VALUE)
        return;
    int64_t end = av_sat_add64(time, packet->duration);
    int64_t first = av_rescale_q(copies->start, copies->time_base, time_base);
    packet->pts = packet->dts = FFMAX(time, first);
    if (packet->duration <= 0)
        return;
    if (copies->end != AV_NOPTS_VALUE)
        end = FFMIN(end, av_rescale_q(copies->end, copies->time_base, time_base));
    packet->duration = FFMAX(av_sat_sub64(end, packet->pts), 1);
}

/* Makes a packet's times relative to the start of the part. */
static void rebase(const cmedia_copies *copies, AVPacket *packet, AVRational time_base)
{
    if (!copies->is_part)
        return;
    int64_t start = av_rescale_q(copies->start, copies->time_base, time_base);
    if (packet->pts != AV_NOPTS_VALUE)
        packet->pts = av_sat_sub64(packet->pts, start);
    if (packet->dts != AV_NOPTS_VALUE)
        packet->dts = av_sat_sub64(packet->dts, start);
}

/* Matroska readers derive the initial silence of an Opus decoder from the times. FFmpeg's muxer accounts for
 * it only from 6.0 on. */
static void add_delay(const cmedia_copies *copies, const AVStream *target, AVPacket *packet)
{
    const AVCodecParameters *parameters = target->codecpar;
    if (LIBAVFORMAT_VERSION_MAJOR >= 60 || parameters->codec_id != AV_CODEC_ID_OPUS
        || parameters->initial_padding <= 0 || strcmp(copies->target->oformat->name, "matroska"))
        return;
    int64_t delay = av_rescale_q(parameters->initial_padding, (AVRational){1, 48000}, target->time_base);
    if (packet->pts != AV_NOPTS_VALUE)
        packet->pts = av_sat_add64(packet->pts, delay);
    if (packet->dts != AV_NOPTS_VALUE)
        packet->dts = av_sat_add64(packet->dts, delay);
}

/* Returns whether a packet of decoded samples is not needed, because it is before the part. Decoders of AAC need the
 * packet before the first one. */
static bool is_early(const cmedia_copies *copies, const AVPacket *packet, AVRational unit)
{
    if (!copies->is_for_web)
        return is_before(copies, packet, unit, false);
    int64_t end = av_sat_add64(packet->pts, 2 * packet->duration);
    return copies->is_part && av_compare_ts(end, unit, copies->start, copies->time_base) <= 0;
}

/* Receives the next packet of a decoded stream; returns the same values. */
static int receive(cmedia_copies *copies, int index, cmedia_error *error)
{
    const AVStream *target = copies->target->streams[copies->streams[index]];
    AVRational unit = {1, target->codecpar->sample_rate};
    int64_t limit = av_rescale_q(av_sat_add64(copies->pictures, MARGIN), AV_TIME_BASE_Q, unit);
    return cmedia_sound_receive(copies->sounds[index], copies->samples, limit, error);
}

/* Writes the decoded samples of a stream. */
static bool write_samples(cmedia_copies *copies, int index, cmedia_error *error)
{
    const AVStream *target = copies->target->streams[copies->streams[index]];
    AVRational unit = {1, target->codecpar->sample_rate};
    AVPacket *packet = copies->samples;
    int found;
    while ((found = receive(copies, index, error)) > 0) {
        /* A gap that becomes silence may begin before the part, and so may the samples that were held to confirm it. */
        if (is_early(copies, packet, unit)) {
            av_packet_unref(packet);
            continue;
        }
        rebase(copies, packet, unit);
        av_packet_rescale_ts(packet, unit, target->time_base);
        place(copies, packet, index);
        packet->stream_index = target->index;
        int status = av_write_frame(copies->target, packet);
        av_packet_unref(packet);
        if (status < 0)
            return cmedia_fail_writing(copies->target, status, error);
    }
    return found == 0;
}

/* Decodes a packet before the part if it is near, because decoders depend on earlier packets. Drops the samples. */
static bool prepare(cmedia_copies *copies, int index, cmedia_error *error)
{
    cmedia_sound *sound = copies->sounds[index];
    const AVPacket *packet = copies->packet;
    AVRational unit = copies->source->streams[index]->time_base;
    int64_t start = av_rescale_q(copies->start, copies->time_base, unit);
    int64_t lead = av_rescale_q(LEAD, AV_TIME_BASE_Q, unit);
    if (!sound || packet->pts == AV_NOPTS_VALUE || packet->pts < av_sat_sub64(start, lead))
        return true;
    cmedia_sound_send(sound, packet);
    int found;
    while ((found = receive(copies, index, error)) > 0)
        av_packet_unref(copies->samples);
    return found == 0;
}

/* Writes the packet that was read, unless it is omitted. */
static bool write_packet(cmedia_copies *copies, cmedia_error *error)
{
    AVPacket *packet = copies->packet;
    int index = packet->stream_index;
    const AVStream *source = copies->source->streams[index];
    copies->is_waiting = false;
    /* The stream is omitted, or the packet is before the part. */
    if (copies->streams[index] < 0 || is_before(copies, packet, source->time_base, is_subtitle(source))) {
        bool is_prepared = copies->streams[index] < 0 || prepare(copies, index, error);
        av_packet_unref(packet);
        return is_prepared;
    }
    if (copies->sounds[index]) {
        cmedia_sound_send(copies->sounds[index], packet);
        av_packet_unref(packet);
        return write_samples(copies, index, error);
    }
    if (is_subtitle(source))
        cut(copies, packet, source->time_base);
    rebase(copies, packet, source->time_base);
    const AVStream *target = copies->target->streams[copies->streams[index]];
    av_packet_rescale_ts(packet, source->time_base, target->time_base);
    add_delay(copies, target, packet);
    place(copies, packet, index);
    packet->stream_index = target->index;
    packet->pos = -1;
    int status = av_write_frame(copies->target, packet);
    av_packet_unref(packet);
    return status < 0 ? cmedia_fail_writing(copies->target, status, error) : true;
}

/* Returns whether the packet that was read comes after a time. */
static bool is_after(const cmedia_copies *copies, int64_t time, AVRational time_base)
{
    const AVPacket *packet = copies->packet;
    AVRational own = copies->source->streams[packet->stream_index]->time_base;
    int64_t when = packet->dts != AV_NOPTS_VALUE ? packet->dts : packet->pts;
    return when != AV_NOPTS_VALUE && av_compare_ts(when, own, time, time_base) > 0;
}

bool cmedia_copies_write(
    cmedia_copies *copies, int64_t time, AVRational time_base, cmedia_error *error)
{
    copies->pictures = FFMAX(copies->pictures, av_rescale_q(time, time_base, AV_TIME_BASE_Q));
    while (read_packet(copies)) {
        if (is_after(copies, time, time_base))
            return true;
        if (!write_packet(copies, error))
            return false;
    }
    return true;
}

bool cmedia_copies_end(
    cmedia_copies *copies, int64_t time, AVRational time_base, cmedia_error *error)
{
    int64_t end = av_rescale_q(time, time_base, AV_TIME_BASE_Q), late = av_sat_add64(end, INTERLEAVING);
    copies->pictures = FFMAX(copies->pictures, end);
    while (read_packet(copies)) {
        bool is_left_out = copies->is_part && is_after(copies, time, time_base);
        if (is_left_out && is_after(copies, late, AV_TIME_BASE_Q))
            break;
        if (is_left_out) {
            copies->is_waiting = false;
            av_packet_unref(copies->packet);
        } else if (!write_packet(copies, error))
            return false;
    }
    if (copies->source && !cmedia_is_intact(copies->source, error))
        return false;
    /* Streams that were first found after the file had been started. Without sound, nothing was opened. */
    unsigned found = copies->source && !copies->is_for_web ? copies->source->nb_streams : 0;
    for (unsigned index = copies->count; index < found; index++)
        count_lost(copies, copies->source->streams[index]);
    for (unsigned index = 0; index < copies->count; index++) {
        if (!copies->sounds[index])
            continue;
        cmedia_sound_send(copies->sounds[index], NULL);
        if (!write_samples(copies, (int)index, error))
            return false;
    }
    return true;
}

void cmedia_copies_close(cmedia_copies *copies)
{
    for (unsigned index = 0; copies->sounds && index < copies->count; index++)
        cmedia_sound_close(&copies->sounds[index]);
    av_freep(&copies->sounds);
    av_packet_free(&copies->samples);
    av_packet_free(&copies->packet);
    av_freep(&copies->streams);
    av_freep(&copies->next);
}
