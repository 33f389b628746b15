/* SPDX-License-Identifier: Apache-2.0 */
#include "sound.h"

enum {
    /* Frames of a stream that are compared; more than may be damaged in sequence. */
    FRAMES = 17,
    /* How far sound is searched, in bytes. */
    MAXIMUM_SIZE = 1 << 26,
};

/* The format of most of the first frames of a stream. */
typedef struct vote {
    AVCodecContext *decoder; /* NULL if the format is known, or if it cannot be decoded */
    int frames;     /* that were compared */
    int lead;       /* of the current format over all others */
    int rate;
    AVChannelLayout layout;
} vote;

/* Returns whether the format of a sound is only stated by its packets, and libavformat uses that of the first one. */
static bool is_stated_by_packets(const cmedia_reader *reader, unsigned index)
{
    if (!reader->has_clock) /* Other containers state it. */
        return false;
    switch (reader->format->streams[index]->codecpar->codec_id) {
    case AV_CODEC_ID_PCM_BLURAY:
    case AV_CODEC_ID_PCM_DVD:
    case AV_CODEC_ID_MP2:
    case AV_CODEC_ID_MP3: return true;
    default: return false;
    }
}

/* Counts a frame: by the algorithm of Boyer and Moore, the format of a majority remains. */
static void count(vote *vote, const AVFrame *frame)
{
    bool is_same = vote->lead > 0 && vote->rate == frame->sample_rate
        && av_channel_layout_compare(&vote->layout, &frame->ch_layout) == 0;
    vote->frames++;
    if (vote->lead == 0 && av_channel_layout_copy(&vote->layout, &frame->ch_layout) >= 0) {
        vote->rate = frame->sample_rate;
        vote->lead = 1;
    } else if (vote->lead > 0)
        vote->lead += is_same ? 1 : -1;
}

/* Decodes the first frames of the streams. `open`: the number of decoders. */
static void decode(cmedia_reader *reader, vote *votes, unsigned streams, int open)
{
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    while (packet && frame && open > 0 && avio_tell(reader->io) < MAXIMUM_SIZE
           && cmedia_read(reader->format, packet) >= 0) {
        vote *next = (unsigned)packet->stream_index < streams ? &votes[packet->stream_index] : NULL;
        if (next && next->decoder && packet->size > 0 && avcodec_send_packet(next->decoder, packet) >= 0)
            while (avcodec_receive_frame(next->decoder, frame) >= 0)
                count(next, frame);
        if (next && next->decoder && next->frames >= FRAMES) {
            avcodec_free_context(&next->decoder);
            open--;
        }
        av_packet_unref(packet);
    }
    av_frame_free(&frame);
    av_packet_free(&packet);
}

bool cmedia_needs_sound_formats(const cmedia_reader *reader)
{
    for (unsigned index = 0; index < reader->format->nb_streams; index++)
        if (is_stated_by_packets(reader, index))
            return true;
    return false;
}

void cmedia_find_sound_formats(cmedia_reader *reader, cmedia_reader *other)
{
    unsigned streams = FFMIN(reader->format->nb_streams, other->format->nb_streams);
    vote *votes = av_calloc(streams, sizeof *votes);
    int open = 0;
    for (unsigned index = 0; votes && index < streams; index++) {
        cmedia_error ignored;
        if (is_stated_by_packets(other, index))
            votes[index].decoder = cmedia_open_sound_decoder(other->format->streams[index], &ignored);
        open += votes[index].decoder != NULL;
    }
    if (votes)
        decode(other, votes, streams, open);
    for (unsigned index = 0; votes && index < streams; index++) {
        AVCodecParameters *parameters = reader->format->streams[index]->codecpar;
        if (votes[index].lead > 0
            && av_channel_layout_copy(&parameters->ch_layout, &votes[index].layout) >= 0)
            parameters->sample_rate = votes[index].rate;
        avcodec_free_context(&votes[index].decoder);
        av_channel_layout_uninit(&votes[index].layout);
    }
    av_free(votes);
}
