/* SPDX-License-Identifier: Apache-2.0 */
#include "ycbcr_matrix.h"

#include <ycbcr.h>

/* The luma coefficients of red and blue; Rec. ITU-R BT.709, BT.601, BT.2020, 47 CFR 73.682, SMPTE ST 240. */
static void set_shares(ycbcr_coding *coding, int matrix)
{
    double red, blue;
    switch (matrix) {
    case SWS_CS_FCC: red = 0.30; blue = 0.11; break;
    case SWS_CS_ITU601: red = 0.299; blue = 0.114; break;
    case SWS_CS_SMPTE240M: red = 0.212; blue = 0.087; break;
    case SWS_CS_BT2020: red = 0.2627; blue = 0.0593; break;
    default: red = 0.2126; blue = 0.0722; break;
    }
    coding->red = red;
    coding->blue = blue;
}

bool cmedia_is_ycbcr(const cmedia_layout *layout)
{
    switch (layout->format) {
    case AV_PIX_FMT_YUV420P:
    case AV_PIX_FMT_YUV422P:
    case AV_PIX_FMT_YUV440P:
    case AV_PIX_FMT_YUV444P: return true;
    default: return false;
    }
}

bool cmedia_has_matrix(const cmedia_layout *layout)
{
    bool is_usual = layout->chroma_y == CMEDIA_CENTERED
        && (layout->chroma_x == 0 || layout->chroma_x == CMEDIA_CENTERED);
    return layout->format == AV_PIX_FMT_YUV444P
        || (layout->format == AV_PIX_FMT_YUV420P && is_usual);
}

void cmedia_matrix(
    const cmedia_layout *layout, uint8_t *const planes[3], const int strides[3], uint8_t *rgb,
    size_t stride)
{
    ycbcr_coding coding = {
        .is_full = layout->is_full, .is_halved = layout->format == AV_PIX_FMT_YUV420P,
        .is_left = layout->chroma_x == 0};
    set_shares(&coding, layout->matrix);
    ycbcr_planes picture = {.width = layout->width, .height = layout->height};
    for (int plane = 0; plane < 3; plane++) {
        picture.planes[plane] = planes[plane];
        picture.strides[plane] = strides[plane];
    }
    ycbcr_to_rgb(&picture, &coding, rgb, stride);
}

bool cmedia_is_written_by_matrix(const cmedia_layout *source, const cmedia_layout *target)
{
    return source->format == AV_PIX_FMT_RGB24 && target->format == AV_PIX_FMT_YUV420P
        && source->width == target->width && source->height == target->height
        && target->width % 2 == 0 && target->height % 2 == 0
        && target->matrix == SWS_CS_ITU709 && !target->is_full && target->chroma_x == 0
        && target->chroma_y == CMEDIA_CENTERED;
}

void cmedia_write_by_matrix(
    const cmedia_layout *layout, const uint8_t *rgb, size_t stride, uint8_t *const planes[3],
    const int strides[3])
{
    const ptrdiff_t wide[3] = {strides[0], strides[1], strides[2]};
    ycbcr_from_rgb(rgb, stride, layout->width, layout->height, planes, wide);
}
