/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "writer.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum {
    IO_BUFFER = 1 << 20,
};

#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t *bytes_written;
#else
typedef uint8_t *bytes_written;
#endif

static int write_bytes(void *opaque, bytes_written bytes, int size)
{
    cmedia_output *output = opaque;
    for (int done = 0; done < size;) {
        ssize_t count = pwrite(
            output->descriptor, bytes + done, (size_t)(size - done), output->position);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return AVERROR(count < 0 ? errno : EIO);
        done += (int)count;
        output->position += count;
        if (output->position > output->length)
            output->length = output->position;
    }
    return size;
}

static int64_t move(void *opaque, int64_t offset, int whence)
{
    cmedia_output *output = opaque;
    switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return output->length;
    case SEEK_CUR: offset += output->position; break;
    case SEEK_END: offset += output->length; break;
    default: break;
    }
    if (offset < 0)
        return AVERROR(EINVAL);
    return output->position = offset;
}

bool cmedia_output_open(cmedia_output *output, int descriptor, cmedia_error *error)
{
    uint8_t *buffer = av_malloc(IO_BUFFER);
    output->descriptor = descriptor;
    output->io = buffer ? avio_alloc_context(buffer, IO_BUFFER, 1, output, NULL, write_bytes, move)
                        : NULL;
    if (output->io)
        return true;
    av_free(buffer);
    return cmedia_fail(error, 0, "out of memory");
}

static int read_bytes(void *opaque, uint8_t *bytes, int size)
{
    cmedia_output *input = opaque;
    ssize_t count;
    do
        count = pread(input->descriptor, bytes, (size_t)size, input->position);
    while (count < 0 && errno == EINTR);
    if (count <= 0)
        return count < 0 ? AVERROR(errno) : AVERROR_EOF;
    input->position += count;
    return (int)count;
}

/* Opens the file that is being written, and no other, for reading. */
static int open_again(
    AVFormatContext *format, AVIOContext **io, const char *url, int flags, AVDictionary **options)
{
    (void)url, (void)options;
    const cmedia_output *output = format->opaque;
    if (flags != AVIO_FLAG_READ)
        return AVERROR(EPERM);
    cmedia_output *input = av_mallocz(sizeof *input);
    uint8_t *buffer = av_malloc(IO_BUFFER);
    if (input && buffer) {
        *input = (cmedia_output){.descriptor = output->descriptor, .length = output->length};
        *io = avio_alloc_context(buffer, IO_BUFFER, 0, input, read_bytes, NULL, move);
        if (*io)
            return 0;
    }
    av_free(buffer);
    av_free(input);
    return AVERROR(ENOMEM);
}

static int close_again(AVFormatContext *format, AVIOContext *io)
{
    (void)format;
    av_free(io->opaque);
    av_freep(&io->buffer);
    avio_context_free(&io);
    return 0;
}

void cmedia_allow_reading(AVFormatContext *format, cmedia_output *output)
{
    format->opaque = output;
    format->io_open = open_again;
    format->io_close2 = close_again;
}

void cmedia_output_close(cmedia_output *output)
{
    if (!output->io)
        return;
    av_freep(&output->io->buffer);
    avio_context_free(&output->io);
}

bool cmedia_fail_writing(AVFormatContext *target, int code, cmedia_error *error)
{
    /* The muxer's error may be a consequence of the file system's. */
    if (target->pb && target->pb->error < 0)
        code = target->pb->error;
    error->is_full =
        code == AVERROR(ENOSPC) || code == AVERROR(EDQUOT) || code == AVERROR(EFBIG);
    return cmedia_fail(error, code, "the video cannot be written");
}
