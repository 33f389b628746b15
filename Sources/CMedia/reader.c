/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "reader.h"

#include <errno.h>
#include <libavutil/display.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/pixdesc.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const cmedia_containers = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi";
const char *const cmedia_codecs =
    "h264,hevc,vp8,vp9,av1,libdav1d,libaom-av1,mjpeg,prores,mpeg4";

enum {
    IO_BUFFER = 1 << 16,
    /* Real files have up to a dozen; each costs memory. */
    MAXIMUM_STREAMS = 64,
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
    do {
        count = pread(reader->descriptor, buffer, (size_t)size, reader->position);
    } while (count < 0 && errno == EINTR);
    if (count < 0)
        return AVERROR(errno);
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
    case SEEK_CUR: offset += reader->position; break;
    case SEEK_END: offset += reader->length; break;
    default: break;
    }
    if (offset < 0)
        return AVERROR(EINVAL);
    return reader->position = offset;
}

/* A file may name others, by path or address: none is opened. */
static int refuse(
    struct AVFormatContext *context, AVIOContext **io, const char *url, int flags,
    AVDictionary **options)
{
    (void)context, (void)io, (void)url, (void)flags, (void)options;
    return AVERROR(EPERM);
}

/* The stream that a player shows: that which is marked as default, else the first. */
static int video_stream(const AVFormatContext *format)
{
    int found = -1;
    for (unsigned index = 0; index < format->nb_streams; index++) {
        const AVStream *stream = format->streams[index];
        if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO
            || stream->disposition & AV_DISPOSITION_ATTACHED_PIC)
            continue;
        if (stream->disposition & AV_DISPOSITION_DEFAULT)
            return (int)index;
        if (found < 0)
            found = (int)index;
    }
    return found;
}

static bool open_format(cmedia_reader *reader, cmedia_error *error)
{
    AVFormatContext *format = avformat_alloc_context();
    uint8_t *buffer = av_malloc(IO_BUFFER);
    if (!format || !buffer) {
        avformat_free_context(format);
        av_free(buffer);
        return cmedia_fail(error, 0, "there is no memory");
    }
    reader->io = avio_alloc_context(buffer, IO_BUFFER, 0, reader, read_bytes, NULL, move);
    if (!reader->io) {
        avformat_free_context(format);
        av_free(buffer);
        return cmedia_fail(error, 0, "there is no memory");
    }
    format->pb = reader->io;
    format->io_open = refuse;
    format->max_streams = MAXIMUM_STREAMS;
    format->format_whitelist = av_strdup(cmedia_containers);
    format->codec_whitelist = av_strdup(cmedia_codecs);
    format->protocol_whitelist = av_strdup("");
    /* Frees the context where it fails. */
    int status = avformat_open_input(&format, NULL, NULL, NULL);
    if (status < 0)
        return cmedia_fail(error, status, "it is no video that can be opened");
    reader->format = format;
    return true;
}

cmedia_reader *cmedia_open(int descriptor, cmedia_error *error)
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
    if (!open_format(reader, error)) {
        cmedia_close(reader);
        return NULL;
    }
    reader->stream = video_stream(reader->format);
    if (reader->stream < 0) {
        cmedia_fail(error, 0, "it has no video");
        cmedia_close(reader);
        return NULL;
    }
    const AVCodecParameters *parameters = cmedia_stream(reader)->codecpar;
    /* Where the index says all there is to know, no packet is read. */
    if (parameters->width <= 0 || parameters->height <= 0 || parameters->format < 0
        || reader->format->duration <= 0) {
        int code = avformat_find_stream_info(reader->format, NULL);
        if (code < 0) {
            cmedia_fail(error, code, "its streams cannot be read");
            cmedia_close(reader);
            return NULL;
        }
    }
    return reader;
}

void cmedia_close(cmedia_reader *reader)
{
    if (!reader)
        return;
    sws_freeContext(reader->scaler);
    av_frame_free(&reader->frame);
    av_packet_free(&reader->packet);
    avcodec_free_context(&reader->decoder);
    avformat_close_input(&reader->format);
    if (reader->io) {
        av_freep(&reader->io->buffer);
        avio_context_free(&reader->io);
    }
    free(reader);
}

/* Facts. */

/* EXIF's orientation for a matrix of QuickTime, whose first numbers a, b, c, d send (x, y) to
 * (a x + c y, b x + d y); ISO 14496-12, 8.2.2. */
static int orientation(const AVStream *stream)
{
    size_t size = 0;
    const uint8_t *data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    if (!data || size < 9 * sizeof(int32_t))
        return 1;
    static const int8_t known[8][4] = {
        {1, 0, 0, 1}, {-1, 0, 0, 1}, {-1, 0, 0, -1}, {1, 0, 0, -1},
        {0, 1, 1, 0}, {0, 1, -1, 0}, {0, -1, -1, 0}, {0, -1, 1, 0},
    };
    static const int places[4] = {0, 1, 3, 4};
    double numbers[4];
    double largest = 0;
    for (int index = 0; index < 4; index++) {
        int32_t number;
        memcpy(&number, data + (size_t)places[index] * sizeof number, sizeof number);
        numbers[index] = number / 65536.0;
        largest = fmax(largest, fabs(numbers[index]));
    }
    if (largest == 0)
        return 1;
    for (int found = 0; found < 8; found++) {
        bool fits = true;
        for (int index = 0; index < 4; index++)
            fits = fits && fabs(numbers[index] / largest - known[found][index]) < 0.01;
        if (fits)
            return found + 1;
    }
    return 0;
}

static double seconds(const cmedia_reader *reader)
{
    const AVStream *stream = cmedia_stream(reader);
    if (reader->format->duration > 0)
        return (double)reader->format->duration / AV_TIME_BASE;
    return stream->duration > 0 ? (double)stream->duration * av_q2d(stream->time_base) : 0;
}

void cmedia_describe(const cmedia_reader *reader, cmedia_facts *facts)
{
    const AVFormatContext *format = reader->format;
    const AVStream *stream = cmedia_stream(reader);
    const AVCodecParameters *parameters = stream->codecpar;
    memset(facts, 0, sizeof *facts);
    snprintf(facts->container, sizeof facts->container, "%s", format->iformat->name);
    if (parameters->codec_id != AV_CODEC_ID_NONE)
        snprintf(
            facts->video_codec, sizeof facts->video_codec, "%s",
            avcodec_get_name(parameters->codec_id));
    facts->is_decodable = cmedia_decoder(parameters->codec_id) != NULL;
    facts->width = parameters->width;
    facts->height = parameters->height;
    AVRational aspect = stream->sample_aspect_ratio.num > 0 ? stream->sample_aspect_ratio
                                                            : parameters->sample_aspect_ratio;
    bool has_aspect = aspect.num > 0 && aspect.den > 0;
    facts->aspect_numerator = has_aspect ? aspect.num : 1;
    facts->aspect_denominator = has_aspect ? aspect.den : 1;
    facts->orientation = orientation(stream);
    facts->duration = seconds(reader);
    facts->frame_rate = stream->avg_frame_rate.den > 0 ? av_q2d(stream->avg_frame_rate) : 0;
    facts->frame_count = stream->nb_frames;
    const AVPixFmtDescriptor *pixels = av_pix_fmt_desc_get(parameters->format);
    if (pixels) {
        facts->bits = pixels->comp[0].depth;
        facts->has_alpha = pixels->flags & AV_PIX_FMT_FLAG_ALPHA;
    }
    facts->color_transfer = parameters->color_trc;
    facts->color_primaries = parameters->color_primaries;
    if (stream->start_time != AV_NOPTS_VALUE)
        facts->start = av_rescale_q(stream->start_time, stream->time_base, AV_TIME_BASE_Q);
    for (unsigned index = 0; index < format->nb_streams; index++) {
        const AVStream *other = format->streams[index];
        if (other->codecpar->codec_type == AVMEDIA_TYPE_AUDIO && facts->audio_streams++ == 0)
            snprintf(
                facts->audio_codec, sizeof facts->audio_codec, "%s",
                avcodec_get_name(other->codecpar->codec_id));
        facts->video_streams += other->codecpar->codec_type == AVMEDIA_TYPE_VIDEO
            && !(other->disposition & AV_DISPOSITION_ATTACHED_PIC);
    }
}

const char *cmedia_tag(const cmedia_reader *reader, size_t index, const char **value)
{
    const AVDictionary *dictionaries[2] = {
        reader->format->metadata, cmedia_stream(reader)->metadata};
    for (int which = 0; which < 2; which++) {
        size_t count = (size_t)av_dict_count(dictionaries[which]);
        if (index >= count) {
            index -= count;
            continue;
        }
        const AVDictionaryEntry *entry = NULL;
        do {
            entry = av_dict_get(dictionaries[which], "", entry, AV_DICT_IGNORE_SUFFIX);
        } while (entry && index-- > 0);
        *value = entry ? entry->value : NULL;
        return entry ? entry->key : NULL;
    }
    return NULL;
}
