/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "reader.h"

#include <libavutil/intreadwrite.h>
#include <string.h>
#include <unistd.h>

enum {
    /* Bounds the work for a file of tiny boxes. */
    MAXIMUM_PARTS = 1 << 20,
    MAXIMUM_OBJECTS = 1 << 10,
};

static bool read_at(const cmedia_reader *reader, int64_t place, uint8_t *bytes, size_t count)
{
    return pread(reader->descriptor, bytes, count, place) == (ssize_t)count;
}

/* Reads the identifier and the length of an EBML element (RFC 8794, 4). Returns the offset of its contents, or 0
 * if there is no valid element. `size` is -1 if unknown. */
static int64_t read_element(
    const cmedia_reader *reader, int64_t place, uint32_t *identifier, int64_t *size)
{
    uint8_t bytes[12];
    if (!read_at(reader, place, bytes, sizeof bytes) || bytes[0] < 0x10)
        return 0;
    *identifier = AV_RB32(bytes);
    const uint8_t *number = bytes + 4;
    if (number[0] == 0)
        return 0;
    int length = __builtin_clz(number[0]) - 23; /* One plus the number of zero bits before the first set bit. */
    uint64_t value = number[0] & (0xff >> length);
    bool is_known = value != 0xffu >> length;
    for (int index = 1; index < length; index++) {
        value = value << 8 | number[index];
        is_known = is_known || number[index] != 0xff;
    }
    *size = is_known ? (int64_t)value : -1;
    return place + 4 + length;
}

static int64_t cut_of_matroska(const cmedia_reader *reader)
{
    enum { HEADER = 0x1A45DFA3, SEGMENT = 0x18538067 };
    uint32_t identifier;
    int64_t size, place = read_element(reader, 0, &identifier, &size);
    if (place == 0 || identifier != HEADER || size < 0 || size > reader->length)
        return -1;
    place = read_element(reader, place + size, &identifier, &size);
    if (place == 0 || identifier != SEGMENT || size < 0)
        return -1;
    return FFMAX(0, av_sat_sub64(size, reader->length - place));
}

/* A long file has several lists in sequence. A list of length 0 was never completed. */
static int64_t cut_of_avi(const cmedia_reader *reader)
{
    int64_t place = 0;
    for (int count = 0; count < MAXIMUM_PARTS; count++) {
        uint8_t bytes[12];
        bool is_list = read_at(reader, place, bytes, sizeof bytes) && memcmp(bytes, "RIFF", 4) == 0
            && memcmp(bytes + 8, count == 0 ? "AVI " : "AVIX", 4) == 0;
        if (!is_list)
            return count == 0 ? -1 : 0;
        int64_t size = AV_RL32(bytes + 4);
        if (size < 4)
            return -1;
        int64_t end = place + 8 + size;
        if (end > reader->length)
            return end - reader->length;
        place = end + (size & 1);
    }
    return -1;
}

/* Returns the length of a box including its header, or 0 if there is no valid box. A box with a stored length of 0
   extends to the end of the file. */
static int64_t read_box(const cmedia_reader *reader, int64_t place, uint8_t kind[4])
{
    uint8_t bytes[16] = {0};
    if (!read_at(reader, place, bytes, 8))
        return 0;
    memcpy(kind, bytes + 4, 4);
    uint64_t size = AV_RB32(bytes);
    if (size == 0)
        return reader->length - place;
    if (size != 1)
        return size < 8 ? 0 : (int64_t)size;
    /* Bytes beyond the end of the file are read as zeros. */
    if (pread(reader->descriptor, bytes + 8, 8, place + 8) < 0)
        return 0;
    size = AV_RB64(bytes + 8);
    return size < 16 ? 16 : (int64_t)FFMIN(size, (uint64_t)INT64_MAX);
}

/* Returns whether four bytes may be a box type: letters and similar characters (ISO/IEC 14496-12, 4.2). */
static bool is_kind(const uint8_t kind[4])
{
    for (int index = 0; index < 4; index++)
        if (kind[index] < 0x20 || kind[index] > 0x7e)
            return false;
    return true;
}

/* For fragmented movies only; for others, the index gives the missing part. Further fragments, which nothing
 * refers to, may be missing after the last box. */
static int64_t cut_of_movie(const cmedia_reader *reader)
{
    int64_t place = 0;
    uint8_t kind[4] = {0};
    bool has_fragments = false;
    for (int count = 0; place <= reader->length - 8; count++) {
        int64_t size = read_box(reader, place, kind);
        if (size == 0 || count == MAXIMUM_PARTS)
            return -1;
        has_fragments = has_fragments || memcmp(kind, "moof", 4) == 0;
        /* Bytes after the last box may be arbitrary, and contain no length. */
        if (size > reader->length - place)
            return has_fragments && is_kind(kind) ? size - (reader->length - place) : -1;
        place += size;
    }
    if (!has_fragments)
        return -1;
    /* The header of a box is truncated, or the data that a fragment refers to. */
    if (place < reader->length)
        return 8 - (reader->length - place);
    return memcmp(kind, "moof", 4) == 0 ? 8 : 0;
}

/* The header of an ASF file has an object with the length of the file (ASF Specification, 3.2). */
static int64_t cut_of_asf(const cmedia_reader *reader)
{
    static const uint8_t properties[16] = {
        0xa1, 0xdc, 0xab, 0x8c, 0x47, 0xa9, 0xcf, 0x11, 0x8e, 0xe4, 0x00, 0xc0, 0x0c, 0x20, 0x53, 0x65,
    };
    enum { HEADER = 30, OBJECT = 24, SIZE = 40, FLAGS = 88, IS_BROADCAST = 1, LENGTH = 92 };
    uint8_t bytes[LENGTH];
    int64_t place = HEADER;
    for (int count = 0; count < MAXIMUM_OBJECTS && read_at(reader, place, bytes, OBJECT); count++) {
        uint64_t size = AV_RL64(bytes + 16);
        if (memcmp(bytes, properties, sizeof properties) == 0) {
            /* The length is unknown during a broadcast. */
            if (!read_at(reader, place, bytes, LENGTH) || bytes[FLAGS] & IS_BROADCAST)
                return -1;
            return FFMAX(0, av_sat_sub64((int64_t)FFMIN(AV_RL64(bytes + SIZE), INT64_MAX), reader->length));
        }
        if (size < OBJECT || size > (uint64_t)reader->length)
            return -1;
        place = av_sat_add64(place, (int64_t)size);
    }
    return -1;
}

int64_t cmedia_bytes_cut(const cmedia_reader *reader)
{
    const char *name = reader->format->iformat->name;
    if (strstr(name, "matroska"))
        return cut_of_matroska(reader);
    if (strcmp(name, "avi") == 0)
        return cut_of_avi(reader);
    if (strcmp(name, "asf") == 0)
        return cut_of_asf(reader);
    return strstr(name, "mp4") ? cut_of_movie(reader) : -1;
}
