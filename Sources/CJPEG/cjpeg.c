/* SPDX-License-Identifier: Apache-2.0 */
#include "cjpeg.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

typedef struct {
    struct jpeg_error_mgr manager;
    jmp_buf end;
} failure;

/* libjpeg's default handler ends the process. */
static void fail(j_common_ptr info) { longjmp(((failure *)info->err)->end, 1); }

/* Warnings are reported by libvips, which decodes damaged files. */
static void warn(j_common_ptr info, int level)
{
    if (level < 0)
        fail(info);
}

static bool is_plain(struct jpeg_decompress_struct *info)
{
    /* A colour profile, or Adobe's colour information. */
    for (jpeg_saved_marker_ptr marker = info->marker_list; marker; marker = marker->next)
        if (marker->marker == JPEG_APP0 + 2)
            return false;
    return info->num_components == 3 && info->jpeg_color_space == JCS_YCbCr
        && info->data_precision == 8 && !info->saw_Adobe_marker;
}

/* Reads the header, and the pixels if there is a buffer for them. */
static bool read(
    const uint8_t *bytes, size_t count, int32_t *width, int32_t *height, uint8_t *pixels)
{
    struct jpeg_decompress_struct info;
    failure failure;
    info.err = jpeg_std_error(&failure.manager);
    failure.manager.error_exit = fail;
    failure.manager.emit_message = warn;
    if (setjmp(failure.end)) {
        jpeg_destroy_decompress(&info);
        return false;
    }
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes, count);
    jpeg_save_markers(&info, JPEG_APP0 + 2, 1);
    jpeg_read_header(&info, TRUE);
    bool is_fine = is_plain(&info);
    if (is_fine && !pixels) {
        *width = (int32_t)info.image_width;
        *height = (int32_t)info.image_height;
    } else if (is_fine) {
        is_fine = info.image_width == (JDIMENSION)*width
            && info.image_height == (JDIMENSION)*height;
    }
    if (is_fine && pixels) {
        info.out_color_space = JCS_RGB;
        jpeg_start_decompress(&info);
        size_t stride = (size_t)info.output_width * 3;
        while (info.output_scanline < info.output_height) {
            JSAMPROW row = pixels + stride * info.output_scanline;
            jpeg_read_scanlines(&info, &row, 1);
        }
        jpeg_finish_decompress(&info);
    }
    jpeg_destroy_decompress(&info);
    return is_fine;
}

bool cjpeg_size(const uint8_t *bytes, size_t count, int32_t *width, int32_t *height)
{
    return read(bytes, count, width, height, NULL);
}

bool cjpeg_decode(
    const uint8_t *bytes, size_t count, int32_t width, int32_t height, uint8_t *pixels)
{
    return read(bytes, count, &width, &height, pixels);
}

bool cjpeg_is_complete(const uint8_t *bytes, size_t count)
{
    struct jpeg_decompress_struct info;
    failure failure;
    info.err = jpeg_std_error(&failure.manager);
    failure.manager.error_exit = fail;
    failure.manager.emit_message = warn;
    if (setjmp(failure.end)) {
        jpeg_destroy_decompress(&info);
        return false;
    }
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes, count);
    jpeg_read_header(&info, TRUE);
    /* Decodes all data even at the smallest scale, with little computation. */
    info.out_color_space = info.jpeg_color_space;
    info.scale_num = 1;
    info.scale_denom = 8;
    jpeg_start_decompress(&info);
    JSAMPARRAY row = (*info.mem->alloc_sarray)((j_common_ptr)&info, JPOOL_IMAGE,
        info.output_width * (JDIMENSION)info.output_components, 1);
    while (info.output_scanline < info.output_height)
        jpeg_read_scanlines(&info, row, 1);
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    return true;
}
