/* SPDX-License-Identifier: Apache-2.0 */
#include "writer.h"

#include <string.h>

enum {
    /* Movies with a finer time base use it as their timescale. */
    MAXIMUM_TIMESCALE = 1000000,
};

/* Returns a timescale with which a movie's edit lists store the starts of video and sound without rounding. */
static int64_t movie_timescale(const AVFormatContext *format, int64_t scale)
{
    for (unsigned index = 0; index < format->nb_streams; index++) {
        const AVCodecParameters *parameters = format->streams[index]->codecpar;
        int64_t rate = parameters->sample_rate;
        if (parameters->codec_type != AVMEDIA_TYPE_AUDIO || rate <= 0)
            continue;
        int64_t both = scale / av_gcd(scale, rate) * rate;
        if (both <= MAXIMUM_TIMESCALE)
            scale = both;
    }
    while (scale < 1000)
        scale *= 10;
    return scale;
}

AVFormatContext *cmedia_make_file(
    cmedia_output *output, int descriptor, const char *container, cmedia_error *error)
{
    AVFormatContext *format = NULL;
    int status = avformat_alloc_output_context2(&format, NULL, container, NULL);
    if (status < 0) {
        cmedia_fail(error, status, "FFmpeg writes no %s here", container);
        return NULL;
    }
    if (!cmedia_output_open(output, descriptor, error)) {
        avformat_free_context(format);
        return NULL;
    }
    format->pb = output->io;
    /* Omits clock, random numbers and version from the file. */
    format->flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_CUSTOM_IO;
    /* FFmpeg 5.1 treats FLAC in MP4 as experimental; the source's sound is kept. */
    format->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
    return format;
}

bool cmedia_write_header(
    AVFormatContext *format, int64_t timescale, bool is_index_first, cmedia_error *error)
{
    AVDictionary *options = NULL;
    if (strcmp(format->oformat->name, "matroska") != 0) {
        av_dict_set(
            &options, "movflags",
            is_index_first ? "use_metadata_tags+faststart" : "use_metadata_tags", 0);
        av_dict_set_int(&options, "video_track_timescale", timescale, 0);
        av_dict_set_int(&options, "movie_timescale", movie_timescale(format, timescale), 0);
    }
    int status = avformat_write_header(format, &options);
    av_dict_free(&options);
    return status < 0 ? cmedia_fail_writing(format, status, error) : true;
}

bool cmedia_write_trailer(AVFormatContext *format, cmedia_error *error)
{
    int status = av_write_trailer(format);
    avio_flush(format->pb);
    return status < 0 || format->pb->error < 0 ? cmedia_fail_writing(format, status, error) : true;
}
