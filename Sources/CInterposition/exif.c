/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "cinterposition.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* libexif's type; nothing in this project calls it. */
typedef struct exif_data exif_data;
void exif_data_load_data(exif_data *data, const unsigned char *block, unsigned int size);
void exif_data_save_data(exif_data *data, unsigned char **block, unsigned int *size);

/* JPEG has space for 64 KiB; no known camera writes more than a few hundred entries. */
enum { MOST_BYTES = 1 << 20, MOST_ENTRIES = 4096, MOST_DIRECTORIES = 16 };

enum { EXIF_DIRECTORY = 0x8769, GPS_DIRECTORY = 0x8825, INTEROPERABILITY = 0xA005 };

typedef struct reader {
    const uint8_t *bytes; /* from the TIFF header on */
    size_t size;
    bool is_big_endian;
    /* Offsets of directories that have been read or are queued. */
    uint32_t directories[MOST_DIRECTORIES];
    int directory_count;
    /* The amount of data that libexif would read. */
    size_t entries;
    size_t value_bytes;
} reader;

static uint32_t number(const reader *reader, size_t offset, int length)
{
    uint32_t value = 0;
    for (int index = 0; index < length; index++) {
        int place = reader->is_big_endian ? index : length - 1 - index;
        value = value << 8 | reader->bytes[offset + (size_t)place];
    }
    return value;
}

static bool has(const reader *reader, size_t offset, size_t length)
{
    return offset <= reader->size && length <= reader->size - offset;
}

/* Queues a directory. Returns false if it was queued before, or if there are too many. An offset out of range
 * is ignored, as libexif does. */
static bool add(reader *reader, uint32_t offset)
{
    if (offset == 0 || !has(reader, offset, 2))
        return true;
    for (int index = 0; index < reader->directory_count; index++)
        if (reader->directories[index] == offset)
            return false;
    if (reader->directory_count == MOST_DIRECTORIES)
        return false;
    reader->directories[reader->directory_count++] = offset;
    return true;
}

/* Returns the size of one value of a type. Types unknown to libexif are not read. */
static size_t value_size(uint32_t type)
{
    static const uint8_t sizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};
    return type < sizeof sizes ? sizes[type] : 0;
}

static bool read_entry(reader *reader, size_t offset)
{
    uint32_t tag = number(reader, offset, 2);
    if (tag == EXIF_DIRECTORY || tag == GPS_DIRECTORY || tag == INTEROPERABILITY)
        return add(reader, number(reader, offset + 8, 4));
    uint64_t length =
        (uint64_t)number(reader, offset + 4, 4) * value_size(number(reader, offset + 2, 2));
    /* Values out of range are not copied. */
    if (length <= reader->size)
        reader->value_bytes += (size_t)length;
    return reader->value_bytes <= 2 * reader->size + 4096;
}

/* Returns false if the directory makes the block excessive. */
static bool read_directory(reader *reader, size_t offset)
{
    size_t count = number(reader, offset, 2);
    size_t first = offset + 2;
    reader->entries += count;
    if (reader->entries > MOST_ENTRIES)
        return false;
    for (size_t index = 0; index < count && has(reader, first + 12 * index, 12); index++)
        if (!read_entry(reader, first + 12 * index))
            return false;
    size_t link = first + 12 * count;
    return !has(reader, link, 4) || add(reader, number(reader, link, 4));
}

bool interposition_is_excessive_exif(const void *block, size_t size)
{
    if (size > MOST_BYTES)
        return true;
    reader reader = {.bytes = block, .size = size};
    if (size >= 6 && memcmp(block, "Exif\0\0", 6) == 0) {
        reader.bytes += 6;
        reader.size -= 6;
    }
    if (!has(&reader, 0, 8))
        return false;
    reader.is_big_endian = reader.bytes[0] == 'M';
    if (!add(&reader, number(&reader, 4, 4)))
        return true;
    for (int index = 0; index < reader.directory_count; index++)
        if (!read_directory(&reader, reader.directories[index]))
            return true;
    return false;
}

void exif_data_load_data(exif_data *data, const unsigned char *block, unsigned int size)
{
    if (!block || interposition_is_excessive_exif(block, size))
        return;
    void (*load)(exif_data *, const unsigned char *, unsigned int) = NULL;
    *(void **)&load = dlsym(RTLD_NEXT, "exif_data_load_data");
    if (load)
        load(data, block, size);
}

/* The block that replaces libexif's output. libvips writes HEIF on a thread of its own. */
static pthread_mutex_t given_lock = PTHREAD_MUTEX_INITIALIZER;
static const void *given_block;
static unsigned int given_size;

void interposition_give_exif(const void *block, unsigned int size)
{
    pthread_mutex_lock(&given_lock);
    given_block = block;
    given_size = size;
    pthread_mutex_unlock(&given_lock);
}

/* Returns a copy of the block, which libvips frees with free(), or NULL if none is set. */
static unsigned char *copy_given(unsigned int *size)
{
    pthread_mutex_lock(&given_lock);
    unsigned char *copy = given_block ? malloc(given_size) : NULL;
    if (copy) {
        memcpy(copy, given_block, given_size);
        *size = given_size;
    }
    pthread_mutex_unlock(&given_lock);
    return copy;
}

void exif_data_save_data(exif_data *data, unsigned char **block, unsigned int *size)
{
    if (!block || !size)
        return;
    *size = 0;
    *block = copy_given(size);
    if (*block)
        return;
    void (*save)(exif_data *, unsigned char **, unsigned int *) = NULL;
    *(void **)&save = dlsym(RTLD_NEXT, "exif_data_save_data");
    if (save)
        save(data, block, size);
}
