/* SPDX-License-Identifier: Apache-2.0 */
#include "writer.h"

#include <string.h>

/* Rec. ITU-T H.264, 7.3.1 and D.1; H.265, 7.3.1 and D.2. */
enum {
    H264_MESSAGES = 6,
    HEVC_PREFIX_MESSAGES = 39,
    HEVC_SUFFIX_MESSAGES = 40,
    UNREGISTERED_USER_DATA = 5,
    IDENTIFIER = 16,
};

/* The settings that x264 and x265 write name no camera, and decoders need them to recognize faults of old versions. */
static const uint8_t of_encoders[][IDENTIFIER] = {
    {0xdc, 0x45, 0xe9, 0xbd, 0xe6, 0xd9, 0x48, 0xb7, 0x96, 0x2c, 0xd8, 0x20, 0xd9, 0x23, 0xee, 0xef},
    {0x2c, 0xa2, 0xde, 0x09, 0xb5, 0x17, 0x47, 0xdb, 0xbb, 0x55, 0xa4, 0xfe, 0x7f, 0xc2, 0xfc, 0x4e},
};

/* Bytes that are moved towards the start of the same memory. */
typedef struct target {
    uint8_t *bytes;
    size_t size;
    int zeros; /* number of zeros at its end, for escaping */
} target;

static void keep(target *target, const uint8_t *bytes, size_t count)
{
    memmove(target->bytes + target->size, bytes, count);
    target->size += count;
}

/* Returns false if the target would become larger than `limit`. */
static bool keep_escaped(target *target, size_t limit, const uint8_t *bytes, size_t count)
{
    for (size_t index = 0; index < count; index++) {
        bool is_escaped = target->zeros == 2 && bytes[index] <= 3;
        if (limit - target->size < (is_escaped ? 2 : 1))
            return false;
        if (is_escaped) {
            target->bytes[target->size++] = 3;
            target->zeros = 0;
        }
        target->bytes[target->size++] = bytes[index];
        target->zeros = bytes[index] == 0 ? target->zeros + 1 : 0;
    }
    return true;
}

static size_t unescape(const uint8_t *bytes, size_t count, uint8_t *result)
{
    size_t size = 0;
    int zeros = 0;
    for (size_t index = 0; index < count; index++) {
        bool is_escape = zeros >= 2 && bytes[index] == 3;
        if (!is_escape)
            result[size++] = bytes[index];
        zeros = !is_escape && bytes[index] == 0 ? zeros + 1 : 0;
    }
    return size;
}

/* Reads a number that is the sum of bytes up to the first that is not 255. */
static bool read_number(const uint8_t *bytes, size_t count, size_t *place, size_t *number)
{
    *number = 0;
    while (*place < count) {
        *number += bytes[*place];
        if (bytes[(*place)++] != 255)
            return true;
    }
    return false;
}

static bool is_of_encoder(const uint8_t *message, size_t size)
{
    for (size_t index = 0; index < sizeof of_encoders / sizeof *of_encoders; index++)
        if (size >= IDENTIFIER && memcmp(message, of_encoders[index], IDENTIFIER) == 0)
            return true;
    return false;
}

/* Returns the size of the messages without user data, which are moved together. Damaged ones are dropped. */
static size_t filter_messages(uint8_t *bytes, size_t count, bool *is_changed)
{
    target kept = {.bytes = bytes};
    size_t place = 0;
    /* A set bit follows the last message. */
    while (count > 0 && bytes[count - 1] == 0)
        count--;
    if (count > 0 && bytes[count - 1] == 0x80)
        count--;
    while (place < count) {
        size_t start = place, kind, size;
        bool is_whole = read_number(bytes, count, &place, &kind)
            && read_number(bytes, count, &place, &size) && size <= count - place;
        *is_changed = *is_changed || !is_whole;
        if (!is_whole)
            break;
        if (kind == UNREGISTERED_USER_DATA && !is_of_encoder(bytes + place, size))
            *is_changed = true;
        else
            keep(&kept, bytes + start, place + size - start);
        place += size;
    }
    return kept.size;
}

/* Moves a unit without its start code or length, unless it only consists of user data. `room` has its size. A changed
 * unit never becomes larger, because the next one follows it in the same memory: one whose zeros were not escaped is
 * damaged and dropped. */
static void filter_unit(
    enum AVCodecID codec, const uint8_t *unit, size_t count, uint8_t *room, target *target)
{
    bool is_h264 = codec == AV_CODEC_ID_H264;
    size_t header = is_h264 ? 1 : 2;
    int kind = count < header ? 0 : is_h264 ? unit[0] & 31 : unit[0] >> 1 & 63;
    bool has_messages = is_h264 ? kind == H264_MESSAGES
                                : kind == HEVC_PREFIX_MESSAGES || kind == HEVC_SUFFIX_MESSAGES;
    bool is_changed = false;
    size_t size = 0;
    if (has_messages)
        size = filter_messages(room, unescape(unit + header, count - header, room), &is_changed);
    if (!is_changed) {
        keep(target, unit, count);
    } else if (size > 0) {
        static const uint8_t end = 0x80;
        size_t start = target->size, limit = start + count;
        keep(target, unit, header);
        target->zeros = 0;
        if (!keep_escaped(target, limit, room, size) || !keep_escaped(target, limit, &end, 1))
            target->size = start;
    }
}

/* Returns the place of the next start code, or the end. */
static const uint8_t *start_code(const uint8_t *bytes, const uint8_t *end)
{
    for (; end - bytes >= 3; bytes++)
        if (bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 1)
            return bytes;
    return end;
}

static void filter_by_start_codes(
    enum AVCodecID codec, const uint8_t *bytes, const uint8_t *end, uint8_t *room, target *target)
{
    const uint8_t *unit = start_code(bytes, end);
    keep(target, bytes, (size_t)(unit - bytes));
    while (unit < end) {
        const uint8_t *next = start_code(unit + 3, end);
        uint8_t code[] = {0, 0, 1};
        size_t start = target->size;
        keep(target, code, sizeof code);
        size_t empty = target->size;
        filter_unit(codec, unit + 3, (size_t)(next - unit) - 3, room, target);
        if (target->size == empty)
            target->size = start;
        unit = next;
    }
}

static void filter_by_lengths(
    enum AVCodecID codec, int width, const uint8_t *bytes, const uint8_t *end, uint8_t *room,
    target *target)
{
    while (end - bytes > width) {
        size_t length = 0;
        for (int index = 0; index < width; index++)
            length = length << 8 | bytes[index];
        bytes += width;
        length = FFMIN(length, (size_t)(end - bytes));
        size_t start = target->size;
        target->size += (size_t)width;
        filter_unit(codec, bytes, length, room, target);
        size_t size = target->size - start - (size_t)width;
        for (int index = 0; index < width; index++)
            target->bytes[start + (size_t)index] = (uint8_t)(size >> 8 * (width - 1 - index));
        if (size == 0)
            target->size = start;
        bytes += length;
    }
}

/* Returns the number of bytes of each unit's length, or 0 if start codes separate units (ISO/IEC 14496-15). */
static int length_width(const AVCodecParameters *video)
{
    int place = video->codec_id == AV_CODEC_ID_H264 ? 4 : 21;
    bool has_lengths = video->extradata_size > place && video->extradata[0] == 1;
    return has_lengths ? (video->extradata[place] & 3) + 1 : 0;
}

bool cmedia_drop_user_data(const AVCodecParameters *video, AVPacket *packet, cmedia_error *error)
{
    if (video->codec_id != AV_CODEC_ID_H264 && video->codec_id != AV_CODEC_ID_HEVC)
        return true;
    uint8_t *room = av_malloc((size_t)packet->size);
    if (!room || av_packet_make_writable(packet) < 0) {
        av_free(room);
        return cmedia_fail(error, 0, "out of memory");
    }
    target kept = {.bytes = packet->data};
    const uint8_t *end = packet->data + packet->size;
    int width = length_width(video);
    if (width > 0)
        filter_by_lengths(video->codec_id, width, packet->data, end, room, &kept);
    else
        filter_by_start_codes(video->codec_id, packet->data, end, room, &kept);
    av_free(room);
    av_shrink_packet(packet, (int)kept.size);
    return true;
}
