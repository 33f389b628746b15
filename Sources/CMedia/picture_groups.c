/* SPDX-License-Identifier: Apache-2.0 */
#include "picture_groups.h"

#include <stdlib.h>

enum {
    /* Twelve days at sixty frames per second. */
    MAXIMUM_FRAMES = 1 << 26,
};

/* A frame as described by its packet. */
typedef struct frame {
    int64_t time;
    bool is_key;
} frame;

typedef struct frames {
    frame *items;   /* in decoding order */
    int64_t *times; /* sorted */
    size_t count;
} frames;

static bool add(frames *all, size_t *capacity, const AVPacket *packet)
{
    if (all->count == *capacity) {
        size_t larger = *capacity ? 2 * *capacity : 1024;
        frame *items = larger <= MAXIMUM_FRAMES
            ? realloc(all->items, larger * sizeof *items) : NULL;
        if (!items)
            return false;
        all->items = items;
        *capacity = larger;
    }
    all->items[all->count++] =
        (frame){.time = packet->pts, .is_key = packet->flags & AV_PKT_FLAG_KEY};
    return true;
}

static int compare(const void *left, const void *right)
{
    int64_t one = *(const int64_t *)left, other = *(const int64_t *)right;
    return one < other ? -1 : one > other;
}

/* Reads the presentation times of all frames. Returns false if a packet has none, or if there is no memory. */
static bool read_frames(cmedia_reader *reader, frames *all)
{
    AVPacket *packet = av_packet_alloc();
    size_t capacity = 0;
    bool is_known = packet != NULL;
    while (is_known && cmedia_read(reader->format, packet) >= 0) {
        if (packet->stream_index == reader->stream && packet->size > 0)
            is_known = packet->pts != AV_NOPTS_VALUE && !(packet->flags & AV_PKT_FLAG_DISCARD)
                && add(all, &capacity, packet);
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    if (!is_known || all->count == 0)
        return false;
    all->times = malloc(all->count * sizeof *all->times);
    if (!all->times)
        return false;
    for (size_t index = 0; index < all->count; index++)
        all->times[index] = all->items[index].time;
    qsort(all->times, all->count, sizeof *all->times, compare);
    return true;
}

/* Finds the part shown from `start` on and before `end`, by the midpoint of each frame's interval. */
static bool find_part(const frames *all, int64_t start, int64_t end, cmedia_part *part)
{
    int64_t step = 0;
    bool is_found = false;
    for (size_t index = 0; index < all->count; index++) {
        int64_t time = all->times[index];
        if (index + 1 < all->count)
            step = av_sat_sub64(all->times[index + 1], time);
        double middle = (double)time + (double)step / 2;
        if (middle < (double)start)
            continue;
        if (middle >= (double)end)
            break;
        if (!is_found)
            part->first = time;
        is_found = true;
        part->last = time;
        part->end = av_sat_add64(time, step > 0 ? step : 1);
    }
    return is_found;
}

bool cmedia_find_groups(cmedia_reader *reader, int64_t start, int64_t end, cmedia_part *part)
{
    frames all = {0};
    enum { BEFORE, INSIDE, AFTER } place = BEFORE;
    bool is_whole = read_frames(reader, &all) && find_part(&all, start, end, part);
    if (is_whole)
        part->begin = part->first == all.times[0] ? FFMIN(start, part->first) : part->first;
    for (size_t index = 0; is_whole && index < all.count; index++) {
        const frame *next = &all.items[index];
        bool is_kept = next->time >= part->first && next->time <= part->last;
        if (place != INSIDE && is_kept) {
            is_whole = place == BEFORE && next->is_key && next->time == part->first;
            place = INSIDE;
        } else if (place == INSIDE && !is_kept) {
            /* The following frames do not depend on the kept ones, nor the reverse. */
            is_whole = next->is_key && next->time > part->last;
            place = AFTER;
        }
    }
    free(all.items);
    free(all.times);
    return is_whole;
}
