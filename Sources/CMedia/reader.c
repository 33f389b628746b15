/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "reader.h"

#include "sound.h"

#include <errno.h>
#include <libavutil/avstring.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Everything that FFmpeg may open (decision 30). */
const char *const cmedia_containers = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,asf";
const char *const cmedia_protocols = "";
const char *const cmedia_codecs =
    "h264,hevc,vp8,vp9,av1,libdav1d,libaom-av1,mjpeg,prores,mpeg4,mpeg1video,mpeg2video,msmpeg4v1,"
    "msmpeg4v2,msmpeg4,wmv1,wmv2,wmv3,vc1";
const char *const cmedia_sound_codecs =
    "aac,mp3float,mp3,ac3,eac3,opus,vorbis,flac,alac,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,"
    "pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be,pcm_u8,pcm_s8,pcm_mulaw,pcm_alaw,amrnb,amrwb,adpcm_ima_wav,"
    "adpcm_ima_qt,adpcm_ms,mp2float,mp2,pcm_bluray,pcm_dvd,wmav1,wmav2,wmapro";

enum {
    IO_BUFFER = 1 << 16,
    /* Real files have up to a dozen; each costs memory. */
    MAXIMUM_STREAMS = 64,
    /* How far sound is searched that starts late: 20 s of AVCHD, in bytes, and microseconds. */
    THOROUGH_SIZE = 1 << 26,
    THOROUGH_DURATION = 60000000,
};

void cmedia_versions(char format[32], char codec[32])
{
    unsigned of_format = avformat_version();
    unsigned of_codec = avcodec_version();
    snprintf(
        format, 32, "%u.%u.%u", AV_VERSION_MAJOR(of_format), AV_VERSION_MINOR(of_format),
        AV_VERSION_MICRO(of_format));
    snprintf(
        codec, 32, "%u.%u.%u", AV_VERSION_MAJOR(of_codec), AV_VERSION_MINOR(of_codec),
        AV_VERSION_MICRO(of_codec));
}

const char *cmedia_license(void) { return avcodec_license(); }

void cmedia_silence(void) { av_log_set_level(AV_LOG_QUIET); }

bool cmedia_fail(cmedia_error *error, int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    if (code && length > 0 && (size_t)length < sizeof error->message) {
        char reason[128] = "";
        av_strerror(code, reason, sizeof reason);
        snprintf(
            error->message + length, sizeof error->message - (size_t)length, ": %s", reason);
    }
    return false;
}

/* Input from the descriptor. */

static int read_bytes(void *opaque, uint8_t *buffer, int size)
{
    cmedia_reader *reader = opaque;
    ssize_t count;
    if (reader->position >= reader->length) /* A file may refer to positions that cannot be read. */
        return AVERROR_EOF;
    do {
        count = pread(reader->descriptor, buffer, (size_t)size, reader->position);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        reader->failed = AVERROR(errno);
        return reader->failed;
    }
    if (count == 0)
        return AVERROR_EOF;
    reader->position += count;
    return (int)count;
}

static int64_t move(void *opaque, int64_t offset, int whence)
{
    cmedia_reader *reader = opaque;
    switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return reader->length;
    case SEEK_CUR: offset = av_sat_add64(offset, reader->position); break;
    case SEEK_END: offset = av_sat_add64(offset, reader->length); break;
    default: break;
    }
    if (offset < 0)
        return AVERROR(EINVAL);
    return reader->position = offset;
}

/* A file may refer to others by path or address; none is opened. */
static int refuse(
    struct AVFormatContext *context, AVIOContext **io, const char *url, int flags,
    AVDictionary **options)
{
    (void)context, (void)io, (void)url, (void)flags, (void)options;
    return AVERROR(EPERM);
}

int cmedia_played_stream(const AVFormatContext *format, enum AVMediaType type, uint64_t omitted)
{
    int found = -1;
    for (unsigned index = 0; index < format->nb_streams; index++) {
        const AVStream *stream = format->streams[index];
        if (stream->codecpar->codec_type != type || stream->disposition & AV_DISPOSITION_ATTACHED_PIC
            || (index < 64 && omitted >> index & 1))
            continue;
        if (stream->disposition & AV_DISPOSITION_DEFAULT)
            return (int)index;
        if (found < 0)
            found = (int)index;
    }
    return found;
}

int64_t cmedia_clock_start(const cmedia_reader *reader, const AVStream *stream)
{
    return av_rescale_q(reader->clock_start, AV_TIME_BASE_Q, stream->time_base);
}

/* Returns what has to be subtracted from the times of a packet, in units of its stream. */
static int64_t clock_start(cmedia_reader *reader, const AVPacket *packet)
{
    const AVStream *stream = reader->format->streams[packet->stream_index];
    int64_t start = cmedia_clock_start(reader, stream);
    int64_t time = packet->dts != AV_NOPTS_VALUE ? packet->dts : packet->pts;
    if (!reader->restarts || time == AV_NOPTS_VALUE)
        return start;
    int64_t end = packet->pts != AV_NOPTS_VALUE ? FFMAX(time, packet->pts) : time;
    end = av_sat_add64(end, FFMAX(packet->duration, 1));
    int64_t offset = cmedia_clock_offset(
        &reader->clocks, packet->stream_index, av_rescale_q(time, stream->time_base, AV_TIME_BASE_Q),
        av_rescale_q_rnd(end, stream->time_base, AV_TIME_BASE_Q, AV_ROUND_UP));
    return av_sat_sub64(start, av_rescale_q_rnd(offset, AV_TIME_BASE_Q, stream->time_base, AV_ROUND_UP));
}

void cmedia_skip(AVFormatContext *format, unsigned stream)
{
    const cmedia_reader *reader = format->opaque;
    /* Restarts of the clock are recognized by the times of all streams. */
    if (!reader->restarts)
        format->streams[stream]->discard = AVDISCARD_ALL;
}

int cmedia_read(AVFormatContext *format, AVPacket *packet)
{
    cmedia_reader *reader = format->opaque;
    int64_t place;
    int status;
    /* The reader of MPEG transport streams returns EAGAIN after 64 KiB that it cannot interpret. */
    do {
        place = avio_tell(format->pb);
        status = av_read_frame(format, packet);
    } while (status == AVERROR(EAGAIN) && avio_tell(format->pb) > place);
    if (status < 0 || (reader->clock_start == 0 && !reader->restarts))
        return status;
    int64_t start = clock_start(reader, packet);
    if (packet->pts != AV_NOPTS_VALUE)
        packet->pts = av_sat_sub64(packet->pts, start);
    if (packet->dts != AV_NOPTS_VALUE)
        packet->dts = av_sat_sub64(packet->dts, start);
    return status;
}

bool cmedia_is_intact(const AVFormatContext *format, cmedia_error *error)
{
    const cmedia_reader *reader = format->opaque;
    return reader->failed == 0 || cmedia_fail(error, reader->failed, "it cannot be read");
}

static bool open_format(cmedia_reader *reader, bool has_sound, bool is_thorough, cmedia_error *error)
{
    AVFormatContext *format = avformat_alloc_context();
    uint8_t *buffer = av_malloc(IO_BUFFER);
    if (!format || !buffer) {
        avformat_free_context(format);
        av_free(buffer);
        return cmedia_fail(error, 0, "out of memory");
    }
    reader->io = avio_alloc_context(buffer, IO_BUFFER, 0, reader, read_bytes, NULL, move);
    if (!reader->io) {
        avformat_free_context(format);
        av_free(buffer);
        return cmedia_fail(error, 0, "out of memory");
    }
    memset(&reader->clocks, 0, sizeof reader->clocks);
    format->pb = reader->io;
    format->io_open = refuse;
    format->opaque = reader;
    format->max_streams = MAXIMUM_STREAMS;
    if (is_thorough) {
        format->probesize = THOROUGH_SIZE;
        format->max_analyze_duration = THOROUGH_DURATION;
    }
    format->format_whitelist = av_strdup(cmedia_containers);
    format->codec_whitelist = has_sound ? av_asprintf("%s,%s", cmedia_codecs, cmedia_sound_codecs)
                                        : av_strdup(cmedia_codecs);
    format->protocol_whitelist = av_strdup(cmedia_protocols);
    /* FFmpeg allows everything if a list is missing. */
    if (!format->format_whitelist || !format->codec_whitelist || !format->protocol_whitelist) {
        avformat_free_context(format);
        return cmedia_fail(error, 0, "out of memory");
    }
    /* Frees the context on failure. */
    int status = avformat_open_input(&format, NULL, NULL, NULL);
    if (status < 0)
        /* EINVAL is returned if the list of allowed formats lacks the format. */
        return status == AVERROR_INVALIDDATA || status == AVERROR(EINVAL)
            ? cmedia_fail(error, 0, "cannot be opened as a video: it is damaged or of an unknown format")
            : cmedia_fail(error, status, "cannot be opened as a video");
    reader->format = format;
    return true;
}

/* Returns whether the index has all facts about the video, so no packet needs to be read. */
static bool is_complete(const cmedia_reader *reader)
{
    const AVCodecParameters *parameters = cmedia_stream(reader)->codecpar;
    return parameters->width > 0 && parameters->height > 0 && parameters->format >= 0
        && reader->format->duration > 0;
}

/* Measures the duration of a video that records none, from all its packets, in microseconds. Recordings by
 * browsers and interrupted programs have none. */
static int64_t measure(cmedia_reader *reader)
{
    AVPacket *packet = av_packet_alloc();
    if (!packet)
        return 0;
    int64_t first = AV_NOPTS_VALUE, last = AV_NOPTS_VALUE, end = AV_NOPTS_VALUE, count = 0, untimed = 0;
    while (cmedia_read(reader->format, packet) >= 0) {
        int64_t time = packet->pts == AV_NOPTS_VALUE ? packet->dts : packet->pts;
        if (packet->stream_index == reader->stream && time != AV_NOPTS_VALUE) {
            if (first == AV_NOPTS_VALUE || time < first)
                first = time;
            if (last == AV_NOPTS_VALUE || time >= last) {
                last = time;
                end = av_sat_add64(time, packet->duration > 0 ? packet->duration : 0);
            }
            count++;
            untimed = 0;
        } else if (packet->stream_index == reader->stream) {
            untimed++;
        }
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    if (count == 0)
        return 0;
    AVRational rate = cmedia_stream(reader)->avg_frame_rate;
    if (reader->lacks_times && rate.num > 0 && rate.den > 0)
        end = av_sat_add64(last, av_rescale_q(untimed + 1, av_inv_q(rate), cmedia_stream(reader)->time_base));
    if (end == last && count > 1) /* The last frame has the average duration. */
        end = av_sat_add64(last, av_sat_sub64(last, first) / (count - 1));
    return av_rescale_q(
        av_sat_sub64(end, first), cmedia_stream(reader)->time_base, AV_TIME_BASE_Q);
}

static void close_format(cmedia_reader *reader)
{
    avformat_close_input(&reader->format);
    if (reader->io) {
        av_freep(&reader->io->buffer);
        avio_context_free(&reader->io);
    }
}

/* Lets libavformat determine the facts that the index lacks. It decodes frames for that and ignores their
 * pixels, so steps that only compute pixels are skipped. */
static int complete(AVFormatContext *format)
{
    unsigned count = format->nb_streams;
    AVDictionary **options = av_calloc(count, sizeof *options);
    for (unsigned index = 0; options && index < count; index++)
        if (format->streams[index]->codecpar->codec_type == AVMEDIA_TYPE_VIDEO) {
            av_dict_set(&options[index], "skip_idct", "all", 0);
            av_dict_set(&options[index], "skip_loop_filter", "all", 0);
        }
    int status = avformat_find_stream_info(format, options);
    /* There may be more streams now, without options. */
    for (unsigned index = 0; options && index < count; index++)
        av_dict_free(&options[index]);
    av_free(options);
    return status;
}

/* Sets the earliest time of all streams to zero, as players do, in formats that store the time of a clock. */
static void start_at_zero(cmedia_reader *reader)
{
    AVFormatContext *format = reader->format;
    reader->has_clock = av_match_name(format->iformat->name, "mpegts,mpeg");
    reader->restarts = reader->has_clock
        && cmedia_clock_restarts(reader->descriptor, reader->length, strcmp(format->iformat->name, "mpegts") == 0);
    if (reader->restarts) {
        format->duration = 0; /* FFmpeg's is the difference between clocks. */
        for (unsigned index = 0; index < format->nb_streams; index++)
            format->streams[index]->duration = AV_NOPTS_VALUE;
    }
    reader->clock_start = reader->has_clock && format->start_time != AV_NOPTS_VALUE ? format->start_time : 0;
    for (unsigned index = 0; reader->clock_start != 0 && index < format->nb_streams; index++) {
        AVStream *stream = format->streams[index];
        if (stream->start_time != AV_NOPTS_VALUE)
            stream->start_time = av_sat_sub64(stream->start_time, cmedia_clock_start(reader, stream));
    }
}

static bool open_streams(cmedia_reader *reader, bool has_sound, bool is_thorough, cmedia_error *error)
{
    reader->clock_start = 0;
    if (!open_format(reader, has_sound, is_thorough, error))
        return false;
    /* The streams of a format without a header are found by reading packets. */
    bool has_header = !(reader->format->ctx_flags & AVFMTCTX_NOHEADER);
    int code = has_header ? 0 : complete(reader->format);
    reader->stream = cmedia_played_stream(reader->format, AVMEDIA_TYPE_VIDEO, 0);
    if (reader->stream < 0)
        return cmedia_fail(error, 0, "it has no video");
    if (has_header && !has_sound && is_complete(reader))
        return true;
    if (has_header)
        code = complete(reader->format);
    start_at_zero(reader);
    reader->lacks_times = strcmp(reader->format->iformat->name, "mpeg") == 0;
    /* Without seeking, the guesses are right, and restarts of the clock are recognized by them. */
    if (reader->lacks_times && !has_sound && !reader->restarts)
        reader->format->flags |= AVFMT_FLAG_NOFILLIN;
    /* Matroska has no duration per stream. FFmpeg may derive it from the whole file, which longer sound may
       extend. */
    if (strstr(reader->format->iformat->name, "matroska"))
        reader->format->streams[reader->stream]->duration = AV_NOPTS_VALUE;
    return code < 0 ? cmedia_fail(error, code, "its streams cannot be read") : true;
}

/* Returns whether the first packets of an MPEG stream lack those of a sound. A program stream does not declare its
 * streams. */
static bool lacks_sound(const cmedia_reader *reader)
{
    const AVFormatContext *format = reader->format;
    int count = 0;
    if (!reader->has_clock)
        return false;
    for (unsigned index = 0; index < format->nb_streams; index++) {
        const AVCodecParameters *parameters = format->streams[index]->codecpar;
        bool is_sound = parameters->codec_type == AVMEDIA_TYPE_AUDIO && parameters->codec_id != AV_CODEC_ID_NONE;
        if (is_sound && parameters->sample_rate <= 0)
            return true;
        count += is_sound;
    }
    return reader->lacks_times && count == 0;
}

static bool reopen_streams(cmedia_reader *reader, bool is_thorough, cmedia_error *error)
{
    close_format(reader);
    reader->position = 0;
    return open_streams(reader, true, is_thorough, error);
}

static bool find_streams(cmedia_reader *reader, bool has_sound, cmedia_error *error)
{
    if (!open_streams(reader, has_sound, false, error))
        return false;
    /* At a restart of the clock, times depend on the durations of sound packets, so all readers determine them. */
    bool needs_sound = has_sound || reader->restarts;
    if (needs_sound != has_sound && !reopen_streams(reader, false, error))
        return false;
    return !needs_sound || !lacks_sound(reader) || reopen_streams(reader, true, error);
}

/* Lets reads that failed while the file was opened be repeated. The end, which is read for the duration, may not be
 * needed. */
static void forget_failure(cmedia_reader *reader)
{
    if (reader->failed == 0)
        return;
    reader->failed = 0;
    if (reader->io)
        reader->io->error = reader->io->eof_reached = 0;
}

static cmedia_reader *open_reader(int descriptor, bool has_sound, cmedia_error *error)
{
    struct stat status;
    cmedia_reader *reader = calloc(1, sizeof *reader);
    if (!reader || fstat(descriptor, &status) != 0) {
        free(reader);
        cmedia_fail(error, AVERROR(errno), "the file cannot be read");
        return NULL;
    }
    reader->descriptor = descriptor;
    reader->length = status.st_size;
    reader->stream = -1;
    reader->is_at_start = true;
    reader->expected = AV_NOPTS_VALUE;
    reader->key_time = AV_NOPTS_VALUE;
    bool is_found = find_streams(reader, has_sound, error);
    /* Copies and sound do not need the duration. */
    if (is_found && !has_sound && reader->format->duration <= 0 && cmedia_stream(reader)->duration <= 0) {
        reader->measured = measure(reader);
        close_format(reader);
        reader->position = 0;
        is_found = find_streams(reader, has_sound, error);
    }
    forget_failure(reader);
    if (is_found)
        return reader;
    cmedia_close(reader);
    return NULL;
}

bool cmedia_rewind(cmedia_reader *reader)
{
    cmedia_error error;
    cmedia_reader before = *reader;
    reader->format = NULL;
    reader->io = NULL;
    reader->position = 0;
    bool is_found = find_streams(reader, false, &error) && reader->stream == before.stream;
    cmedia_reader unused = is_found ? before : *reader;
    if (!is_found)
        *reader = before;
    else
        forget_failure(reader);
    close_format(&unused);
    for (unsigned index = 0; is_found && index < reader->format->nb_streams; index++)
        if ((int)index != reader->stream)
            cmedia_skip(reader->format, index);
    return is_found;
}

cmedia_reader *cmedia_open(int descriptor, cmedia_error *error)
{
    return open_reader(descriptor, false, error);
}

cmedia_reader *cmedia_open_whole(int descriptor, cmedia_error *error)
{
    cmedia_reader *reader = open_reader(descriptor, true, error);
    cmedia_reader *other = reader && cmedia_needs_sound_formats(reader) ? open_reader(descriptor, true, error) : NULL;
    if (other)
        cmedia_find_sound_formats(reader, other);
    cmedia_close(other);
    return reader;
}

void cmedia_close(cmedia_reader *reader)
{
    if (!reader)
        return;
    cmedia_scaler_close(&reader->scaler);
    av_freep(&reader->coded);
    av_frame_free(&reader->planar);
    av_frame_free(&reader->frame);
    av_frame_free(&reader->ahead);
    av_frame_free(&reader->before);
    av_frame_free(&reader->progressive);
    av_packet_free(&reader->packet);
    avcodec_free_context(&reader->decoder);
    close_format(reader);
    free(reader);
}
