/* SPDX-License-Identifier: Apache-2.0
 *
 * The lines of the second field are replaced by an estimate for the time of the first field. Without motion, that is
 * the mean of the preceding and following second fields. Otherwise it is interpolated, within the difference of these.
 * Decision 31: libavfilter would double the files that this runner loads.
 */
#include "deinterlace.h"

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <stdint.h>
#include <stdlib.h>

#define INLINE static inline __attribute__((always_inline))

bool cmedia_is_interlaced(const AVFrame *frame)
{
#ifdef AV_FRAME_FLAG_INTERLACED
    return frame->flags & AV_FRAME_FLAG_INTERLACED;
#else
    return frame->interlaced_frame;
#endif
}

static bool begins_with_top(const AVFrame *frame)
{
#ifdef AV_FRAME_FLAG_TOP_FIELD_FIRST
    return frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
    return frame->top_field_first;
#endif
}

/* The lines around a missing one. Offsets count lines of the frame; odd offsets are lines of the first field. */
typedef struct lines {
    const void *here[4];      /* of the frame, at -3, -1, 1 and 3 */
    const void *earlier[5];   /* of the preceding second field, at -4, -2, 0, 2 and 4 */
    const void *later[5];     /* of the following second field */
    const void *before[2];    /* of the previous frame's first field, at -1 and 1 */
    const void *after[2];     /* of the next frame's first field */
} lines;

INLINE int32_t at(const void *line, ptrdiff_t column, bool is_deep)
{
    return is_deep ? ((const uint16_t *)line)[column] : ((const uint8_t *)line)[column];
}

INLINE int32_t least(int32_t left, int32_t right) { return left < right ? left : right; }
INLINE int32_t greatest(int32_t left, int32_t right) { return left > right ? left : right; }
INLINE int32_t apart(int32_t left, int32_t right) { return abs(left - right); }

/* The maximum difference between a sample and the mean of the second fields. */
INLINE int32_t motion(const lines *all, ptrdiff_t x, bool is_deep)
{
    int32_t above = at(all->here[1], x, is_deep), below = at(all->here[2], x, is_deep);
    int32_t change = apart(at(all->earlier[2], x, is_deep), at(all->later[2], x, is_deep)) / 2;
    int32_t past = apart(at(all->before[0], x, is_deep), above)
        + apart(at(all->before[1], x, is_deep), below);
    int32_t future = apart(at(all->after[0], x, is_deep), above)
        + apart(at(all->after[1], x, is_deep), below);
    int32_t most = greatest(change, greatest(past, future) / 2);
    if (most == 0)
        return 0;
    /* If the second fields deviate from the first field's lines, but their own neighbours do not, the picture
       has moved. */
    int32_t mean = (at(all->earlier[2], x, is_deep) + at(all->later[2], x, is_deep)) / 2;
    int32_t over = (at(all->earlier[1], x, is_deep) + at(all->later[1], x, is_deep)) / 2 - above;
    int32_t under = (at(all->earlier[3], x, is_deep) + at(all->later[3], x, is_deep)) / 2 - below;
    int32_t up = mean - above, down = mean - below;
    int32_t high = greatest(greatest(up, down), least(over, under));
    int32_t low = least(least(up, down), greatest(over, under));
    return greatest(most, greatest(low, -high));
}

/* The interpolation from the first field's lines, in 1/2^13: the cubic with the steepest slopes that does not
   ring. */
INLINE int32_t between(const lines *all, ptrdiff_t x, bool is_deep)
{
    enum { NEAR = 4864, FAR = 768 };
    return (NEAR * (at(all->here[1], x, is_deep) + at(all->here[2], x, is_deep))
            - FAR * (at(all->here[0], x, is_deep) + at(all->here[3], x, is_deep)));
}

/* The finest detail of the second fields, in 1/2^13. It is attenuated, because it may have moved. */
INLINE int32_t detail(const lines *all, ptrdiff_t x, bool is_deep)
{
    enum { HERE = 1280, NEAR = 896, FAR = 256 };
    int32_t sums[5];
    for (int index = 0; index < 5; index++)
        sums[index] = at(all->earlier[index], x, is_deep) + at(all->later[index], x, is_deep);
    return HERE * sums[2] - NEAR * (sums[1] + sums[3]) + FAR * (sums[0] + sums[4]);
}

INLINE void fill(
    const lines *all, void *line, ptrdiff_t width, int32_t most, bool is_alone, bool is_deep)
{
    for (ptrdiff_t x = 0; x < width; x++) {
        int32_t value = between(all, x, is_deep);
        if (!is_alone) {
            int32_t limit = motion(all, x, is_deep);
            int32_t earlier = at(all->earlier[2], x, is_deep), later = at(all->later[2], x, is_deep);
            int32_t mean = (earlier + later) / 2;
            int32_t slope = apart(at(all->here[1], x, is_deep), at(all->here[2], x, is_deep));
            if (slope > apart(earlier, later) / 2)
                value += detail(all, x, is_deep);
            value = (value + (1 << 12)) >> 13;
            value = greatest(mean - limit, least(mean + limit, value));
        } else {
            value = (value + (1 << 12)) >> 13;
        }
        value = greatest(0, least(most, value));
        if (is_deep)
            ((uint16_t *)line)[x] = (uint16_t)value;
        else
            ((uint8_t *)line)[x] = (uint8_t)value;
    }
}

/* A line of the same field as `row`, which may be out of range. */
static const void *line_of(const AVFrame *frame, int plane, int row, int height)
{
    while (row < 0)
        row += 2;
    while (row >= height)
        row -= 2;
    /* The other field's line, if the frame has no other. */
    row = row < 0 ? 0 : row;
    return frame->data[plane] + (ptrdiff_t)row * frame->linesize[plane];
}

static lines lines_around(
    const AVFrame *before, const AVFrame *frame, const AVFrame *after, int plane, int row, int height)
{
    lines all;
    for (int index = 0; index < 4; index++)
        all.here[index] = line_of(frame, plane, row + 2 * index - 3, height);
    for (int index = 0; index < 5; index++) {
        all.earlier[index] = line_of(before, plane, row + 2 * index - 4, height);
        all.later[index] = line_of(frame, plane, row + 2 * index - 4, height);
    }
    for (int index = 0; index < 2; index++) {
        all.before[index] = line_of(before, plane, row + 2 * index - 1, height);
        all.after[index] = line_of(after, plane, row + 2 * index - 1, height);
    }
    return all;
}

/* Returns the number of planes, each of samples of one kind in rows; 0 for other formats. */
static int plane_count(const AVPixFmtDescriptor *format)
{
    const uint64_t others = AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM
        | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER;
    if (!format || format->flags & others
        || !(format->nb_components == 1 || format->flags & AV_PIX_FMT_FLAG_PLANAR))
        return 0;
    for (int index = 0; index < format->nb_components; index++)
        if (format->comp[index].shift != 0
            || format->comp[index].step != (format->comp[index].depth > 8 ? 2 : 1))
            return 0;
    return format->nb_components;
}

static bool is_like(const AVFrame *frame, const AVFrame *other)
{
    return other && other->data[0] && other->width == frame->width && other->height == frame->height
        && other->format == frame->format;
}

static bool prepare(const AVFrame *frame, AVFrame *target)
{
    if (!is_like(frame, target)) {
        av_frame_unref(target);
        target->width = frame->width;
        target->height = frame->height;
        target->format = frame->format;
        if (av_frame_get_buffer(target, 0) < 0)
            return false;
    }
    target->color_range = frame->color_range;
    target->colorspace = frame->colorspace;
    target->chroma_location = frame->chroma_location;
    return av_frame_copy(target, frame) >= 0;
}

bool cmedia_deinterlace(
    const AVFrame *before, const AVFrame *frame, const AVFrame *after, AVFrame *target)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    int count = plane_count(format);
    if (count == 0 || frame->height < 4 || !prepare(frame, target))
        return false;
    bool has_before = is_like(frame, before), has_after = is_like(frame, after);
    /* At either end of the video, the only neighbour measures motion as well as the missing one would. */
    const AVFrame *past = has_before ? before : has_after ? after : frame;
    const AVFrame *future = has_after ? after : past;
    int first = begins_with_top(frame) ? 1 : 0;
    for (int component = 0; component < count; component++) {
        int plane = format->comp[component].plane;
        bool is_chroma = component == 1 || component == 2;
        int width = is_chroma ? AV_CEIL_RSHIFT(frame->width, format->log2_chroma_w) : frame->width;
        int height = is_chroma ? AV_CEIL_RSHIFT(frame->height, format->log2_chroma_h) : frame->height;
        int32_t most = (1 << format->comp[component].depth) - 1;
        bool is_alone = !has_before && !has_after;
        for (int row = first; row < height; row += 2) {
            lines all = lines_around(past, frame, future, plane, row, height);
            void *line = target->data[plane] + (ptrdiff_t)row * target->linesize[plane];
            if (format->comp[component].depth > 8)
                fill(&all, line, width, most, is_alone, true);
            else
                fill(&all, line, width, most, is_alone, false);
        }
    }
    return true;
}
