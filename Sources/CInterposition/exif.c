/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "cinterposition.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* libexif's, which is not called by anything of ours. */
typedef struct exif_data exif_data;
void exif_data_load_data(exif_data *data, const unsigned char *block, unsigned int size);
void exif_data_save_data(exif_data *data, unsigned char **block, unsigned int *size);

/* JPEG has room for 64 KiB; no camera is known to write more than a few hundred. */
enum { MOST_BYTES = 1 << 20, MOST_ENTRIES = 4096, MOST_DIRECTORIES = 16 };

enum { EXIF_DIRECTORY = 0x8769, GPS_DIRECTORY = 0x8825, INTEROPERABILITY = 0xA005 };

typedef struct reader {
    const uint8_t *bytes; /* from the TIFF header on */
    size_t size;
    bool is_big_endian;
    /* Offsets of directories that are to be read, or have been. */
    uint32_t directories[MOST_DIRECTORIES];
    int directory_count;
    /* What libexif would read. */
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

/* Puts a directory down to be read; false where that one has been, or there are too many. One that
 * lies outside is not read by anybody. */
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

/* The bytes of one value of a type; what libexif does not know is not read. */
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
    /* Values that do not lie inside are not copied. */
    if (length <= reader->size)
        reader->value_bytes += (size_t)length;
    return reader->value_bytes <= 2 * reader->size + 4096;
}

/* False where the directory makes the block excessive. */
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

/* What is written in place of what libexif would make. libvips writes HEIF on a thread of its own. */
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

/* A copy of the block that is given, which libvips frees with free(); NULL where there is none. */
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
