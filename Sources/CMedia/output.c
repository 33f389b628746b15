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
