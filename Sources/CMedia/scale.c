/* SPDX-License-Identifier: Apache-2.0 */
#include "scale.h"

#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <string.h>

/* The default of players for unspecified matrices: BT.709 for high definition, otherwise BT.601. */
static int matrix(const AVFrame *frame)
{
    switch (frame->colorspace) {
    case AVCOL_SPC_BT709: return SWS_CS_ITU709;
    case AVCOL_SPC_FCC: return SWS_CS_FCC;
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M: return SWS_CS_ITU601;
    case AVCOL_SPC_SMPTE240M: return SWS_CS_SMPTE240M;
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL: return SWS_CS_BT2020;
    default: return frame->height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601;
    }
}

/* The formats whose names specify full range are deprecated, and otherwise equal. */
static enum AVPixelFormat without_range(int format, int *is_full)
{
    switch (format) {
    case AV_PIX_FMT_YUVJ420P: *is_full = 1; return AV_PIX_FMT_YUV420P;
    case AV_PIX_FMT_YUVJ422P: *is_full = 1; return AV_PIX_FMT_YUV422P;
    case AV_PIX_FMT_YUVJ444P: *is_full = 1; return AV_PIX_FMT_YUV444P;
    case AV_PIX_FMT_YUVJ440P: *is_full = 1; return AV_PIX_FMT_YUV440P;
    default: return (enum AVPixelFormat)format;
    }
}

cmedia_layout cmedia_layout_of(const AVFrame *frame)
{
    int is_full = frame->color_range == AVCOL_RANGE_JPEG;
    enum AVPixelFormat format = without_range(frame->format, &is_full);
    const AVPixFmtDescriptor *pixels = av_pix_fmt_desc_get(format);
    enum AVChromaLocation place = frame->chroma_location;
    /* ITU-T H.273, 8.7. H.264 and H.265 default to left. */
    bool is_left = place == AVCHROMA_LOC_UNSPECIFIED || place == AVCHROMA_LOC_LEFT
        || place == AVCHROMA_LOC_TOPLEFT || place == AVCHROMA_LOC_BOTTOMLEFT;
    bool is_top = place == AVCHROMA_LOC_TOP || place == AVCHROMA_LOC_TOPLEFT;
    bool is_bottom = place == AVCHROMA_LOC_BOTTOM || place == AVCHROMA_LOC_BOTTOMLEFT;
    /* swscale would also shift chroma that is not subsampled. */
    bool is_narrow = pixels && pixels->log2_chroma_w;
    bool is_low = pixels && pixels->log2_chroma_h;
    return (cmedia_layout){
        .width = frame->width, .height = frame->height, .format = (int)format,
        .matrix = matrix(frame), .is_full = is_full,
        .chroma_x = is_narrow && is_left ? 0 : CMEDIA_CENTERED,
        .chroma_y = is_low && is_top ? 0 : is_low && is_bottom ? 256 : CMEDIA_CENTERED};
}

cmedia_layout cmedia_rgb_layout(int width, int height, enum AVPixelFormat format)
{
    return (cmedia_layout){
        .width = width, .height = height, .format = (int)format, .matrix = SWS_CS_ITU709,
        .is_full = 1, .chroma_x = CMEDIA_CENTERED, .chroma_y = CMEDIA_CENTERED};
}

static bool prepare(cmedia_scaler *scaler)
{
    const cmedia_layout *source = &scaler->source;
    const cmedia_layout *target = &scaler->target;
    const struct {
        const char *name;
        int64_t value;
    } options[] = {
        {"srcw", source->width}, {"srch", source->height}, {"src_format", source->format},
        {"dstw", target->width}, {"dsth", target->height}, {"dst_format", target->format},
        {"src_h_chr_pos", source->chroma_x}, {"src_v_chr_pos", source->chroma_y},
        {"dst_h_chr_pos", target->chroma_x}, {"dst_v_chr_pos", target->chroma_y},
        {"sws_flags", SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP},
        {"src_range", source->is_full}, {"dst_range", target->is_full},
        {"threads", scaler->threads},
    };
    for (size_t index = 0; index < sizeof options / sizeof *options; index++)
        if (av_opt_set_int(scaler->context, options[index].name, options[index].value, 0) < 0)
            return false;
    if (sws_init_context(scaler->context, NULL, NULL) < 0)
        return false;
    /* Must follow initialisation, which creates the threads' contexts. Fails for formats that need no matrix. */
    sws_setColorspaceDetails(
        scaler->context, sws_getCoefficients(source->matrix), source->is_full,
        sws_getCoefficients(target->matrix), target->is_full, 0, 1 << 16, 1 << 16);
    return true;
}

/* Frees nothing: the caller owns the memory. */
static void keep(void *opaque, uint8_t *data) { (void)opaque, (void)data; }

/* swscale's threads use reference-counted frames, and copy others. */
static bool wrap(
    AVFrame *frame, const cmedia_layout *layout, uint8_t *const planes[4], const int strides[4])
{
    av_frame_unref(frame);
    frame->width = layout->width;
    frame->height = layout->height;
    frame->format = layout->format;
    for (int plane = 0; plane < 4; plane++) {
        frame->data[plane] = planes[plane];
        frame->linesize[plane] = strides[plane];
    }
    frame->buf[0] = av_buffer_create(planes[0], 1, keep, NULL, 0);
    return frame->buf[0] != NULL;
}

bool cmedia_scale(
    cmedia_scaler *scaler, int threads, const cmedia_layout *source, uint8_t *const source_planes[4],
    const int source_strides[4], const cmedia_layout *target, uint8_t *const target_planes[4],
    const int target_strides[4])
{
    bool is_made = scaler->context && scaler->threads == threads
        && !memcmp(&scaler->source, source, sizeof *source)
        && !memcmp(&scaler->target, target, sizeof *target);
    if (!is_made) {
        cmedia_scaler_close(scaler);
        scaler->source = *source;
        scaler->target = *target;
        scaler->threads = threads;
        scaler->context = sws_alloc_context();
        scaler->input = av_frame_alloc();
        scaler->output = av_frame_alloc();
        if (!scaler->context || !scaler->input || !scaler->output || !prepare(scaler)) {
            cmedia_scaler_close(scaler);
            return false;
        }
    }
    bool is_scaled = wrap(scaler->input, source, source_planes, source_strides)
        && wrap(scaler->output, target, target_planes, target_strides)
        && sws_scale_frame(scaler->context, scaler->output, scaler->input) >= 0;
    if (scaler->input)
        av_frame_unref(scaler->input);
    if (scaler->output)
        av_frame_unref(scaler->output);
    return is_scaled;
}

void cmedia_scaler_close(cmedia_scaler *scaler)
{
    sws_freeContext(scaler->context);
    av_frame_free(&scaler->input);
    av_frame_free(&scaler->output);
    memset(scaler, 0, sizeof *scaler);
}
